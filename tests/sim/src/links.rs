//! Links between devices: ordered streams, as QUIC's are. What is lost is sent again and holds up what follows it; a
//! direction that is silent for too long breaks the link, and whatever was on its way is gone.

use rand::Rng;
use table::Input;
use table::message::Message;

use crate::chains::DEVICES;
use crate::counts::Kind;
use crate::trace::Trace;
use crate::world::{What, World};

/// A link notices after this that nothing comes, at the soonest and at the latest, in ms.
const IDLE: (u64, u64) = (3_000, 3_900);
/// First byte of a message that is a letter, and where in it the note's first byte may be at the soonest.
const LETTER: u8 = 0;

/// A link between two devices. Every break starts a new epoch.
#[derive(Clone, Debug, Default)]
pub struct Link {
    pub epoch: u64,
    pub carries: bool,
    /// For each end, the epoch of which it has been told that the link is up.
    told: [Option<u64>; 2],
    /// When the newest message arrives, by its receiver.
    last: [u64; 2],
    /// No message leaves for that end before then.
    pub blocked: [u64; 2],
}

impl Link {
    /// The links between so many devices.
    pub fn all(devices: usize) -> Vec<Link> {
        assert!(devices <= DEVICES, "a game has few devices");
        vec![Link::default(); DEVICES * DEVICES]
    }
}

/// Where a link is, and which end of it `to` is.
fn place(from: usize, to: usize) -> (usize, usize) {
    (from.min(to) * DEVICES + from.max(to), usize::from(to > from))
}

impl World {
    pub fn link(&mut self, a: usize, b: usize) -> &mut Link {
        &mut self.links[place(a, b).0]
    }

    pub fn post(&mut self, from: usize, to: usize, bytes: Vec<u8>) {
        if bytes.len() > table::limits::MESSAGE_BYTES_MAX {
            return self.fail_with(from, 13, format!("a message of {} bytes", bytes.len()));
        }
        let faults = self.plan.faults;
        let mut delay = self.rng.random_range(1..=15);
        if faults.delay > 0 && !self.healed {
            delay += self.rng.random_range(0..faults.delay);
        }
        if faults.loss > 0 && !self.healed && self.rng.random_range(0..1000) < faults.loss {
            self.seen.note(Kind::Loss);
            delay += self.rng.random_range(100..2_000);
        }
        if self.devices[to].slow_until > self.now {
            delay += self.rng.random_range(50..900);
        }
        let now = self.now;
        let (at, end) = place(from, to);
        let link = &mut self.links[at];
        let carries = link.carries;
        if self.trace.on {
            self.trace.sent(now, from, to, &bytes, carries);
        }
        if !carries {
            return;
        }
        // Messages overtake neither each other nor the news that the link is up.
        let arrives = (now.max(link.blocked[end]) + delay).max(link.last[end]);
        link.last[end] = arrives;
        let epoch = link.epoch;
        self.relay_some(to, &bytes);
        self.at(arrives - now, What::Deliver { from, to, epoch, bytes });
    }

    /// A hostile relay has some letters, too, and brings them when it likes.
    fn relay_some(&mut self, to: usize, bytes: &[u8]) {
        let faults = self.plan.faults;
        if self.healed || bytes.first() != Some(&LETTER) || self.devices.len() < 3 {
            return;
        }
        let (again, early) = (faults.duplication, faults.reordering);
        if again > 0 && self.rng.random_range(0..1000) < again {
            self.seen.note(Kind::Duplication);
            let after = self.rng.random_range(20..9_000);
            self.at(after, What::Relay { to, bytes: bytes.to_vec() });
        }
        if early > 0 && self.rng.random_range(0..1000) < early {
            self.seen.note(Kind::Reordering);
            let after = self.rng.random_range(0..3);
            self.at(after, What::Relay { to, bytes: bytes.to_vec() });
        }
    }

    /// A letter comes by another device than its origin, whichever is linked.
    pub fn relay(&mut self, to: usize, bytes: Vec<u8>) {
        let Some(Message::Letter(letter)) = Message::from_bytes(&bytes) else { return };
        let origin = self.chains.device(&letter.origin);
        let start = self.rng.random_range(0..self.devices.len());
        let count = self.devices.len();
        let via = (0..count).map(|step| (start + step) % count).find(|&via| {
            let (at, end) = place(via, to);
            via != to && Some(via) != origin && self.links[at].carries && self.links[at].told[end].is_some()
        });
        if let Some(via) = via {
            if self.trace.on {
                self.trace.delivered(self.now, via, to, &bytes, true);
            }
            let from = self.devices[via].id;
            self.handle(to, Input::Message { from, bytes });
        }
    }

    pub fn deliver(&mut self, from: usize, to: usize, epoch: u64, bytes: Vec<u8>) {
        let (at, end) = place(from, to);
        let link = &self.links[at];
        if link.epoch == epoch && link.told[end] == Some(epoch) {
            if self.trace.on {
                self.trace.delivered(self.now, from, to, &bytes, false);
            }
            let from = self.devices[from].id;
            self.handle(to, Input::Message { from, bytes });
        }
    }

    /// Whether two devices are ever linked: of those who watch only with others.
    fn may_link(&self, a: usize, b: usize) -> bool {
        a != b && !(self.plan.watches(a) && self.plan.watches(b))
    }

    /// All links of a device try to come up.
    pub fn raise_all(&mut self, device: usize) {
        for other in 0..self.devices.len() {
            if self.may_link(device, other) {
                self.raise(device, other, 0);
            }
        }
    }

    fn raise(&mut self, a: usize, b: usize, after: u64) {
        let epoch = self.link(a, b).epoch;
        let pause = self.between(5, 300);
        self.at(after + pause, What::Up { a, b, epoch });
    }

    pub fn come_up(&mut self, a: usize, b: usize, epoch: u64) {
        let now = self.now;
        let both_on = [a, b].iter().all(|&device| self.devices[device].table.is_some());
        let asleep = [a, b].iter().map(|&device| self.devices[device].asleep_until).max().unwrap_or(0);
        let link = self.link(a, b);
        if link.epoch != epoch || link.carries || !both_on {
            return;
        }
        let blocked = link.blocked[0].max(link.blocked[1]).max(asleep);
        if blocked > now {
            return self.raise(a, b, blocked - now);
        }
        link.carries = true;
        link.last = [now; 2];
        if self.trace.on {
            self.trace.line(now, &format!("{}–{} up", Trace::name(a), Trace::name(b)));
        }
        for (device, peer) in [(a, b), (b, a)] {
            let end = place(peer, device).1;
            let was_told = self.link(a, b).told[end].replace(epoch).is_some();
            let peer = self.devices[peer].id;
            if was_told {
                self.handle(device, Input::LinkDown { peer });
            }
            self.handle(device, Input::LinkUp { peer, address: None });
        }
    }

    pub fn notice_down(&mut self, device: usize, peer: usize, epoch: u64) {
        let end = place(peer, device).1;
        let link = self.link(device, peer);
        if link.told[end] == Some(epoch) {
            link.told[end] = None;
            let peer = self.devices[peer].id;
            self.handle(device, Input::LinkDown { peer });
        }
    }

    /// Lets nothing through from one device to another for a time, in ms.
    pub fn block(&mut self, from: usize, to: usize, ms: u64) {
        if !self.may_link(from, to) {
            return;
        }
        if self.trace.on {
            self.trace.line(self.now, &format!("{}→{} cut for {ms} ms", Trace::name(from), Trace::name(to)));
        }
        let until = self.now + ms;
        let end = place(from, to).1;
        let link = self.link(from, to);
        link.blocked[end] = link.blocked[end].max(until);
        let epoch = link.epoch;
        let after = self.between(IDLE.0, IDLE.1);
        self.at(after, What::Expire { from, to, epoch });
    }

    /// The receiver of a blocked direction gives the link up, if it is blocked still.
    pub fn expire(&mut self, from: usize, to: usize, epoch: u64) {
        let now = self.now;
        let end = place(from, to).1;
        let link = self.link(from, to);
        if link.epoch == epoch && link.carries && link.blocked[end] > now {
            // The other end is told at once if it can be reached, else it notices by itself.
            let other_blocked = link.blocked[1 - end] > now;
            let after = if other_blocked { self.between(0, 900) } else { self.between(1, 50) };
            self.break_link(from, to, after, 0);
        }
    }

    /// Ends a link's epoch: both notice after their time.
    fn break_link(&mut self, a: usize, b: usize, a_after: u64, b_after: u64) {
        let link = self.link(a, b);
        let old = link.epoch;
        link.epoch += 1;
        link.carries = false;
        self.at(a_after, What::Down { device: a, peer: b, epoch: old });
        self.at(b_after, What::Down { device: b, peer: a, epoch: old });
        let pause = a_after.max(b_after);
        self.raise(a, b, pause);
    }

    /// One end closes a link on purpose and does not have it back for a while.
    pub fn close(&mut self, device: usize, peer: usize, ms: u64) {
        if self.link(device, peer).carries {
            let after = self.between(1, 20);
            self.break_link(device, peer, 0, after);
        }
        let until = self.now + ms;
        let link = self.link(device, peer);
        link.blocked = link.blocked.map(|before| before.max(until));
    }

    /// The device's process is gone, or sleeps: the others notice after a while.
    pub fn break_all(&mut self, device: usize) {
        for other in 0..self.devices.len() {
            if !self.may_link(device, other) {
                continue;
            }
            let on = self.devices[device].table.is_some();
            let link = self.link(device, other);
            if !on {
                link.told[place(other, device).1] = None;
            }
            if link.carries {
                let after = self.between(IDLE.0, IDLE.1);
                self.break_link(device, other, 0, after);
            }
        }
    }

    /// Everything gets through again. A link on which something was held up begins anew.
    pub fn unblock_all(&mut self) {
        let now = self.now;
        for a in 0..self.devices.len() {
            for b in 0..a {
                if !self.may_link(a, b) {
                    continue;
                }
                let link = self.link(a, b);
                let held_up = link.blocked.iter().chain(&link.last).any(|&until| until > now + 1_000);
                link.blocked = [0; 2];
                if !link.carries {
                    self.raise(a, b, 0);
                } else if held_up {
                    self.break_link(a, b, 10, 20);
                }
            }
        }
    }
}
