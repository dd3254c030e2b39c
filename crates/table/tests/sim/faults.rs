//! What goes wrong: links break, processes die.

use rand::Rng;
use table::{Input, Table};

use super::{What, World, pair};

impl World {
    /// Brings a link up after a moment.
    pub(super) fn raise(&mut self, a: usize, b: usize) {
        let epoch = self.links[&pair(a, b)].epoch;
        let after = self.between((5, 200));
        self.at(after, What::Up { a, b, epoch });
    }

    pub(super) fn come_up(&mut self, a: usize, b: usize, epoch: u64) {
        let on = |device: usize| self.devices[device].table.is_some();
        let both_on = on(a) && on(b);
        let link = self.links.get_mut(&pair(a, b)).expect("all are linked");
        if link.epoch != epoch || link.carries || link.held_down || !both_on {
            return;
        }
        link.carries = true;
        link.last.clear();
        for (device, peer) in [(a, b), (b, a)] {
            let link = self.links.get_mut(&pair(a, b)).expect("all are linked");
            let was_told = link.told.insert(device, epoch).is_some();
            let peer = self.devices[peer].id;
            if was_told {
                self.handle(device, Input::LinkDown { peer });
            }
            self.handle(device, Input::LinkUp { peer, address: None });
        }
    }

    /// Breaks a link for a time, in ms; the ends notice by and by.
    pub fn cut(&mut self, a: usize, b: usize, ms: u64) {
        let link = self.links.get_mut(&pair(a, b)).expect("all are linked");
        let old = link.epoch;
        link.epoch += 1;
        link.carries = false;
        let epoch = link.epoch;
        for (device, peer) in [(a, b), (b, a)] {
            let after = self.rng.random_range(0..3_500);
            self.at(after, What::Down { device, peer, epoch: old });
        }
        self.at(ms, What::Up { a, b, epoch });
    }

    /// Holds a link down until [`World::let_up`].
    pub fn hold_down(&mut self, a: usize, b: usize) {
        self.cut(a, b, 0);
        self.links.get_mut(&pair(a, b)).expect("all are linked").held_down = true;
    }

    pub fn let_up(&mut self, a: usize, b: usize) {
        self.links.get_mut(&pair(a, b)).expect("all are linked").held_down = false;
        self.raise(a, b);
    }

    /// Kills a process. Of the writes under way the first `kept` survive.
    pub fn kill(&mut self, device: usize, kept: usize) {
        let at = &mut self.devices[device];
        at.process += 1;
        at.table = None;
        let kept = kept.min(at.pending.len());
        at.journal.extend(at.pending.drain(..kept).map(|(_, record)| record));
        at.pending.clear();
        for other in (0..self.devices.len()).filter(|&other| other != device) {
            let link = self.links.get_mut(&pair(device, other)).expect("all are linked");
            link.told.remove(&device);
            let old = link.epoch;
            link.epoch += 1;
            link.carries = false;
            let after = self.rng.random_range(0..3_900);
            self.at(after, What::Down { device: other, peer: device, epoch: old });
        }
    }

    pub fn restart(&mut self, device: usize) {
        if self.devices[device].table.is_some() {
            return;
        }
        let port = (self.devices[device].make_port)();
        let seed = self.rng.random();
        let again = (self.devices[device].make_port)();
        let table = match Table::resume(port, seed, &self.devices[device].journal, self.now) {
            Ok(table) => table,
            Err(table::ResumeError::Empty) => Table::join(again, seed, self.table, self.now),
            Err(error) => panic!("seed {}: the journal of device {device}: {error}", self.seed),
        };
        let promised = self.devices[device].promised;
        assert!(table.promise() >= promised, "seed {}: a promise went down by a restart", self.seed);
        self.devices[device].table = Some(table);
        self.run_outputs(device);
        for other in (0..self.devices.len()).filter(|&other| other != device) {
            self.raise(device, other);
        }
        let process = self.devices[device].process;
        self.at(100, What::Person { device, process });
    }

    pub(super) fn random_kill(&mut self) {
        let from = usize::from(!self.faults.kill_opener);
        if self.now < self.faults.until && from < self.devices.len() {
            let device = self.rng.random_range(from..self.devices.len());
            if self.devices[device].table.is_some() {
                // What the opener's process has handed to its disk survives the process; of another's writes any
                // number is lost, as when the power goes.
                let kept = if device == 0 { usize::MAX } else { self.rng.random_range(0..4) };
                self.kill(device, kept);
                let after = self.rng.random_range(100..9_000);
                self.at(after, What::Restart { device });
            }
            let after = self.rng.random_range(0..2 * self.faults.kill_every);
            self.at(after, What::Kill);
        }
    }

    pub(super) fn random_cut(&mut self) {
        if self.now < self.faults.until && self.devices.len() > 1 {
            let a = self.rng.random_range(0..self.devices.len());
            let b = (a + self.rng.random_range(1..self.devices.len())) % self.devices.len();
            let ms = self.rng.random_range(10..12_000);
            self.cut(a, b, ms);
            let after = self.rng.random_range(0..2 * self.faults.cut_every);
            self.at(after, What::Cut);
        }
    }
}
