//! A hostile device for the simulation (PROTOCOL.md, section 14): what the honest code never does. Compiled with the
//! feature `planted` only.

use rules::Action;

use super::*;
use crate::Act;
use crate::entry::Body;
use crate::message::Message;

impl Table {
    /// Calls the roll though there is no reason to. False when this is not the moment.
    pub fn call_for_nothing(&mut self, now: Millis) -> bool {
        self.pass_time(now);
        if !self.keeping() {
            return false;
        }
        self.call(BTreeSet::new(), false);
        self.settle();
        true
    }

    /// As the keeper, at an own turn or a CPU's: enters one move, and shows one device another in its place. False
    /// when this is not the moment.
    pub fn sign_twice(&mut self, victim: DeviceId, one: Action, other: Action, now: Millis) -> bool {
        self.pass_time(now);
        let Some(state) = self.log.as_ref().filter(|_| self.keeping()).map(Log::tip) else { return false };
        let Some(seat) = state.turn_seat() else { return false };
        let (by_cpu, own) = (state.cpu_plays(seat), state.owner(seat) == Some(self.me));
        if !(by_cpu && state.somebody_here() || own && state.seats[usize::from(seat)].here) {
            return false;
        }
        let mut body = |action: Action| {
            if by_cpu {
                Body::Cpu { seat, action }
            } else {
                Body::Act(self.sign(seat, Act::Move { action, by_clock: false }))
            }
        };
        let (told, shown) = (body(one), body(other));
        let Some(false_one) = self.log.as_ref().and_then(|log| log.crafted(&*self.port, shown)) else { return false };
        if let Some(peer) = self.peers.get_mut(&victim) {
            peer.sent = None;
        }
        self.send(victim, &Message::Push { entries: vec![false_one] });
        let entered = self.enter(told).is_ok();
        self.settle();
        entered
    }
}
