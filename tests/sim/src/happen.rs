//! How the faults of [`crate::faults::Faults`] come about, and how they end.

use rand::Rng;
use table::Command;

use crate::counts::Kind;
use crate::device::DiesAt;
use crate::trace::Trace;
use crate::world::{What, World};

impl World {
    /// Plans the next fault of a kind. Kinds that go with every message have no time.
    pub fn plan_fault(&mut self, name: &'static str, every: u64) {
        match name {
            "delay" | "loss" | "duplication" | "reordering" | "drift" => {}
            _ => {
                let after = self.rng.random_range(0..2 * every);
                if self.now + after < self.plan.until {
                    self.at(after, What::Fault(name));
                }
            }
        }
    }

    pub fn fault(&mut self, name: &'static str) {
        if self.healed {
            return;
        }
        let device = self.rng.random_range(0..self.devices.len());
        let every = match name {
            "one_way" => {
                self.fault_cut(device, true);
                self.plan.faults.one_way
            }
            "cut" => {
                self.fault_cut(device, false);
                self.plan.faults.cut
            }
            "partition" => {
                self.fault_partition();
                self.plan.faults.partition
            }
            "crash" => {
                self.fault_crash(device);
                self.plan.faults.crash
            }
            "crash_at_write" => {
                let how = [DiesAt::Before, DiesAt::Unreported, DiesAt::Reported][self.rng.random_range(0..3)];
                self.devices[device].dies_at_write = Some((self.rng.random_range(1..4), how));
                self.plan.faults.crash_at_write
            }
            "blackout" => {
                self.fault_blackout();
                self.plan.faults.blackout
            }
            "full_disk" => {
                let ms = self.between(500, 12_000);
                self.devices[device].full_until = self.now + ms;
                self.tell(device, &format!("disk full for {ms} ms"));
                self.plan.faults.full_disk
            }
            "slow" => {
                let ms = self.between(500, 6_000);
                self.devices[device].slow_until = self.now + ms;
                self.seen.note(Kind::Slow);
                self.tell(device, &format!("slow for {ms} ms"));
                self.plan.faults.slow
            }
            "sleep" => {
                self.fault_sleep(device);
                self.plan.faults.sleep
            }
            "gone" => {
                self.fault_gone(device);
                0
            }
            "leave" => {
                self.fault_leave(device);
                self.plan.faults.leave
            }
            _ => 0,
        };
        if every > 0 {
            self.plan_fault(name, every);
        }
    }

    fn tell(&mut self, device: usize, what: &str) {
        if self.trace.on {
            self.trace.line(self.now, &format!("{} {what}", Trace::name(device)));
        }
    }

    /// Whether today's protocol can do without this device for a while.
    fn may_miss(&self, device: usize) -> bool {
        device > 0 || self.run.set != crate::faults::Set::Calm
    }

    fn fault_cut(&mut self, a: usize, one_way: bool) {
        let count = self.devices.len();
        if count < 2 {
            return;
        }
        let b = (a + self.rng.random_range(1..count)) % count;
        let ms = if self.rng.random_range(0..2) == 0 { self.between(50, 3_000) } else { self.between(3_000, 12_000) };
        self.seen.note(if one_way { Kind::OneWay } else { Kind::Cut });
        self.block(a, b, ms);
        if !one_way {
            self.block(b, a, ms);
        }
    }

    /// Groups of any shape, or a bridge: one device that all others reach, and no other links.
    fn fault_partition(&mut self) {
        let count = self.devices.len();
        if count < 2 {
            return;
        }
        let ms = if self.rng.random_range(0..3) == 0 { self.between(200, 4_000) } else { self.between(4_000, 14_000) };
        let bridge = (count > 2 && self.rng.random_range(0..3) == 0).then(|| self.rng.random_range(0..count));
        let groups: Vec<usize> = (0..count).map(|_| self.rng.random_range(0..3)).collect();
        self.seen.note(Kind::Partition);
        if bridge.is_some() {
            self.seen.note(Kind::Bridge);
        }
        for a in 0..count {
            for b in (0..count).filter(|&b| b != a) {
                let apart = match bridge {
                    Some(bridge) => a != bridge && b != bridge,
                    None => groups[a] != groups[b],
                };
                if apart {
                    self.block(a, b, ms);
                }
            }
        }
    }

    fn fault_crash(&mut self, device: usize) {
        if self.devices[device].table.is_none() || !self.may_miss(device) {
            return;
        }
        self.seen.note(Kind::Crash);
        let kept = self.rng.random_range(0..4);
        self.kill(device, kept);
        let after = self.between(100, 9_000);
        self.at(after, What::Start { device });
    }

    fn fault_blackout(&mut self) {
        self.seen.note(Kind::Blackout);
        for device in 0..self.devices.len() {
            if self.devices[device].table.is_some() {
                let kept = self.rng.random_range(0..3);
                self.kill(device, kept);
                let after = self.between(100, 6_000);
                self.at(after, What::Start { device });
            }
        }
    }

    fn fault_sleep(&mut self, device: usize) {
        if self.devices[device].table.is_none() || !self.may_miss(device) {
            return;
        }
        self.seen.note(Kind::Sleep);
        let ms = self.between(1_000, 9_000);
        self.tell(device, &format!("sleeps for {ms} ms"));
        let at = &mut self.devices[device];
        at.asleep_until = at.asleep_until.max(self.now + ms);
        self.ticks[device] = self.ticks[device].max(at.asleep_until);
        if ms >= 3_000 {
            self.break_all(device);
        }
        self.at(ms, What::Wake { device });
    }

    /// A device goes on with all that has come to it.
    pub fn wake(&mut self, device: usize) {
        let at = &mut self.devices[device];
        if at.asleep_until > self.now {
            return;
        }
        for what in std::mem::take(&mut at.deferred) {
            self.at(0, what);
        }
        self.raise_all(device);
    }

    /// A device and its disk are lost: one in a game.
    fn fault_gone(&mut self, device: usize) {
        if self.devices[device].table.is_none() || self.devices.iter().any(|device| device.gone) {
            return;
        }
        self.seen.note(Kind::Gone);
        self.tell(device, "is gone for good");
        self.devices[device].gone = true;
        self.kill(device, 0);
    }

    fn fault_leave(&mut self, device: usize) {
        let at = &self.devices[device];
        if at.table.is_none() || at.leaving || at.asleep_until > self.now || !self.may_miss(device) {
            return;
        }
        self.seen.note(Kind::Leave);
        self.command(device, Command::Leave);
        self.devices[device].leaving = true;
        self.at(60, What::Quit { device });
        let after = self.between(300, 8_000);
        self.at(after, What::Start { device });
    }

    /// A process that said goodbye ends; what it was writing is written.
    pub fn quit(&mut self, device: usize) {
        if self.devices[device].table.is_some() {
            self.kill(device, usize::MAX);
            if self.healed {
                self.at(50, What::Start { device });
            }
        }
    }

    /// All faults end, and everything comes back that can.
    pub fn heal(&mut self) {
        self.healed = true;
        self.plan.lying = false;
        if self.trace.on {
            self.trace.line(self.now, "HEALED");
        }
        for device in 0..self.devices.len() {
            let at = &mut self.devices[device];
            (at.full_until, at.slow_until, at.dies_at_write) = (0, 0, None);
            at.person.calm = true;
            at.person.dozes = false;
            if at.asleep_until > self.now {
                at.asleep_until = self.now;
                self.ticks[device] = self.now;
            }
            self.at(0, What::Wake { device });
            self.at(0, What::Start { device });
        }
        self.unblock_all();
    }
}
