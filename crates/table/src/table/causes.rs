//! Why a roll is to be called, and by whom (PROTOCOL.md, section 7, "When").

use std::collections::BTreeSet;

use super::*;
use crate::State;

/// Why a call is due.
#[derive(Debug, Default)]
pub(super) struct Causes {
    /// The devices that differ from the newest roll.
    pub devices: BTreeSet<DeviceId>,
    /// It is this device that is left out, or has no keeper: it calls itself if nobody does.
    pub concern_me: bool,
}

impl Table {
    /// Whether a device owns a seat, in this log or in its own that has parted from it.
    pub(super) fn is_party(&self, device: DeviceId) -> bool {
        let Some(log) = &self.log else { return false };
        if log.tip().is_owner(device) {
            return true;
        }
        let head = self.peers.get(&device).and_then(|peer| peer.hello.as_ref()?.head);
        let aside = head.filter(|&(_, head)| log.known(head).is_some() && !log.holds(head));
        aside.and_then(|(_, head)| log.state_at(&*self.port, head)).is_some_and(|state| state.is_owner(device))
    }

    /// Whether a device owns a seat in its own log, as far as that is known: without one it does not call.
    pub(super) fn sits_where_it_is(&self, device: DeviceId) -> bool {
        let Some(log) = &self.log else { return false };
        let head = self.peers.get(&device).and_then(|peer| peer.hello.as_ref()?.head);
        let aside = head.filter(|&(_, head)| log.known(head).is_some() && !log.holds(head));
        aside.and_then(|(_, head)| log.state_at(&*self.port, head)).is_none_or(|state| state.is_owner(device))
    }

    /// The other owners' devices that are heard and not left out for a while.
    pub(super) fn group(&self) -> Vec<DeviceId> {
        let in_it = |&(device, peer): &(&DeviceId, &crate::peers::Peer)| {
            peer.is_heard(self.now)
                && peer.hello.is_some()
                && self.now >= peer.left_out_until
                && !self.shut_out.contains(device)
                && self.is_party(*device)
        };
        self.peers.iter().filter(in_it).map(|(&device, _)| device).collect()
    }

    pub(super) fn is_blamed(&self, device: DeviceId) -> bool {
        self.blamed.get(&device).is_some_and(|&until| self.now < until)
    }

    /// Who of this device's group is to call: the keeper of the newest roll, else the lowest seat.
    pub(super) fn caller(&self) -> Option<DeviceId> {
        let state = self.log.as_ref()?.tip();
        let seat = |device: DeviceId| state.lowest_seat(device);
        let mut present = self.group();
        present.push(self.me);
        present.retain(|&device| seat(device).is_some() && !self.is_blamed(device) && self.sits_where_it_is(device));
        let keeps = |&device: &DeviceId| {
            if device == self.me {
                return state.keeper == self.me && !self.fresh;
            }
            let Some(hello) = self.peers.get(&device).and_then(|peer| peer.hello.as_ref()) else { return false };
            // What it said before its newest roll is of no account.
            state.keeper == device && hello.term < state.term || hello.keeper == Some(device) && !hello.fresh
        };
        let keepers: Vec<DeviceId> = present.iter().copied().filter(keeps).collect();
        let among = if keepers.is_empty() { present } else { keepers };
        among.into_iter().min_by_key(|&device| seat(device))
    }

    /// Why a call is due; `None` when none is.
    pub(super) fn causes(&self) -> Option<Causes> {
        let log = self.log.as_ref()?;
        let state = log.tip();
        state.lowest_seat(self.me)?;
        let group = self.group();
        let others = state
            .seats
            .iter()
            .any(|seat| matches!(seat.sitter, crate::Sitter::Person { device, .. } if device != self.me));
        if self.fresh {
            // Others may be on their way back: alone it waits for them a little.
            let waits = others && group.is_empty() && self.now < self.woke + ALONE_MS;
            return if waits { None } else { Some(Causes { concern_me: true, ..Causes::default() }) };
        }
        let gone = state.named.iter().filter(|&device| *device != self.me && !group.contains(device));
        let mut devices: BTreeSet<DeviceId> = gone.copied().collect();
        devices.extend(group.iter().filter(|&&device| self.has_news(log, device)));
        let under_way = self.answered_at.is_some_and(|then| self.now < then + PROMISED_MS);
        let own_promise = self.promise > state.term && !under_way;
        // Without a seat, and in a log that nobody goes on with: it can follow a roll above its promise and term only.
        let stranded = self.peers.iter().filter(|(device, peer)| {
            let waits = |hello: &Hello| hello.promise >= state.term && self.has_parted(log, hello);
            !group.contains(device)
                && peer.is_heard(self.now)
                && self.now >= peer.left_out_until
                && peer
                    .hello
                    .as_ref()
                    .is_some_and(|hello| waits(hello) && hello.head.is_some_and(|(_, head)| log.known(head).is_some()))
        });
        let recent = self.stranded.iter().filter(|&&then| then + UNSTEADY_MS > self.now).count();
        if recent < STRANDED_ROLLS_MAX {
            devices.extend(stranded.map(|(&device, _)| device));
        }
        devices.extend(self.late_owner(state));
        let own_seats = self.own_seats_differ(state);
        let unkept = state.keeper != self.me && !group.contains(&state.keeper) || self.is_blamed(state.keeper);
        let idle = state.keeper == self.me && !matches!(self.duty, Duty::Keeping);
        let unnamed = !state.named.contains(&self.me);
        let parted = self.peers.iter().filter(|(device, _)| group.contains(device));
        let parted = parted.filter_map(|(_, peer)| peer.hello.as_ref()).any(|hello| self.has_parted(log, hello));
        let concern_me = own_promise || own_seats || unkept || idle || unnamed || parted;
        if concern_me || !devices.is_empty() { Some(Causes { devices, concern_me }) } else { None }
    }

    /// Whether the newest roll is not what this device of the group says.
    fn has_news(&self, log: &Log, device: DeviceId) -> bool {
        let state = log.tip();
        let Some(peer) = self.peers.get(&device) else { return false };
        let Some(hello) = &peer.hello else { return false };
        if self.has_parted(log, hello) {
            return true;
        }
        let owned = || state.numbered().filter(|&(seat, _)| state.owner(seat) == Some(device));
        let seats_differ = owned().any(|(seat, at)| at.here != is_there(state, seat, hello));
        // The roll that it answered, or the entry that seated it, has yet to come to its disk.
        let before = |index: u32| hello.on_disk.is_none_or(|on_disk| on_disk < index);
        let answered = peer.answered == Some((hello.session, state.term)) && hello.term < state.term;
        let on_its_way = answered || owned().any(|(seat, at)| at.here && before(state.since[usize::from(seat)]));
        let fresh = hello.fresh && !on_its_way;
        let ahead = peer.ahead.is_some_and(|(promise, since)| {
            promise > state.term && self.now >= since + PROMISED_MS && hello.promise > hello.term.max(state.term)
        });
        !state.named.contains(&device) || seats_differ || fresh || ahead
    }

    /// Whether a device's log and this one are not one a part of the other.
    pub(super) fn has_parted(&self, log: &Log, hello: &Hello) -> bool {
        let Some((index, hash)) = hello.head else { return false };
        match log.known(hash) {
            Some(_) => !log.holds(hash) && !log.contains(hash, log.head()),
            None => index < log.len(),
        }
    }
}

/// Whether a seat's player is there, by its device's `Hello`. Before a device has the entry that seated it, it cannot
/// say so.
fn is_there(state: &State, seat: u8, hello: &Hello) -> bool {
    let at = usize::from(seat);
    let behind = hello.head.is_none_or(|(head, _)| head < state.since[at]);
    hello.seats.contains(&seat) || behind && state.seats[at].here
}
