//! What can be asked of a table. All of it is what is on this device's disk, but for presence, which is heard.

use super::*;
use crate::message::FaultCode;
use crate::state::Current;
use crate::{Hash, Presence, Sitter, State};

impl Table {
    pub fn id(&self) -> TableId {
        self.id
    }

    pub fn me(&self) -> DeviceId {
        self.me
    }

    /// What the log on this disk says; `None` while it is still being fetched.
    pub fn state(&self) -> Option<&State> {
        if self.told.knows_table() { self.log.as_ref().map(Log::shown) } else { None }
    }

    /// Index and hash of the newest entry on this disk.
    pub fn head(&self) -> Option<(u32, Hash)> {
        let log = self.log.as_ref()?;
        log.head_of(log.shown_len())
    }

    /// Hash of the log's entry at an index.
    pub fn hash_at(&self, index: u32) -> Option<Hash> {
        self.log.as_ref()?.hash_at(index)
    }

    /// Whether this device has an entry, in the log or in a branch.
    pub fn has_entry(&self, hash: Hash) -> bool {
        self.log.as_ref().is_some_and(|log| log.known(hash).is_some())
    }

    /// All entries up to this index are final.
    pub fn final_upto(&self) -> Option<u32> {
        self.told.final_upto()
    }

    /// All entries up to this index are on the disk of every device that the newest roll names.
    pub fn on_every_disk(&self) -> Option<u32> {
        let log = self.log.as_ref()?;
        let own = self.disk.durable().min(log.shown_len()).checked_sub(1);
        let others = log.shown().named.iter().filter(|&&device| device != self.me);
        others.map(|device| self.peers.get(device).and_then(|peer| peer.acked)).fold(own, Ord::min)
    }

    /// The newest entry of this log that is on the disk of another device that the newest roll names, as far as it has
    /// said so. It may be final there though it never is here, where this disk takes nothing.
    pub fn on_another_disk(&self) -> Option<u32> {
        let others = self.log.as_ref()?.shown().named.iter().filter(|&&device| device != self.me);
        others.filter_map(|device| self.peers.get(device)?.acked).max()
    }

    /// A game that [`Output::Finished`] speaks of; to be looked at before the next input.
    pub fn ended_game(&self, number: u32) -> Option<&Current> {
        self.told.ended_game(number)
    }

    /// The move of this device's person that is on its way.
    pub fn ghost(&self) -> Option<&Action> {
        self.wishes.iter().find_map(Wish::as_move)
    }

    /// The seat that this device's own person has, or, should that have been given up, one of those who share it.
    pub fn my_seat(&self) -> Option<u8> {
        self.log.as_ref()?.shown().speaking_seat(self.me)
    }

    /// The seats that this device owns, lowest first.
    pub fn own_seats(&self) -> Vec<u8> {
        self.log.as_ref().map_or_else(Vec::new, |log| log.shown().seats_of(self.me))
    }

    /// The seat for which this device's people act now ([`State::acting_seat`]).
    pub fn acting_seat(&self) -> Option<u8> {
        self.log.as_ref()?.shown().acting_seat(self.me)
    }

    pub fn presence(&self, seat: u8) -> Presence {
        let Some(log) = &self.log else { return Presence::Open };
        let Some(at) = log.shown().seats.get(usize::from(seat)) else { return Presence::Open };
        match &at.sitter {
            Sitter::Nobody => Presence::Open,
            Sitter::Cpu { .. } | Sitter::GivenUp { .. } => Presence::Cpu,
            Sitter::Person { .. } if at.taken => Presence::Taken,
            Sitter::Person { .. } if !at.here => Presence::Away,
            Sitter::Person { device, .. } if self.hears(*device) => Presence::Here,
            Sitter::Person { .. } => Presence::Silent,
        }
    }

    /// Whether this seat's owner has said goodbye and nothing since: it is not silent, it has left.
    pub fn said_goodbye(&self, seat: u8) -> bool {
        let owner = self.log.as_ref().and_then(|log| log.shown().owner(seat));
        owner.and_then(|device| self.peers.get(&device)).is_some_and(|peer| peer.bye)
    }

    /// The time left before the CPU takes this away seat over; `None` if it is not away or is waited for without end.
    pub fn grace_left(&self, seat: u8, now: Millis) -> Option<Millis> {
        let over = self.grace_over(self.log.as_ref()?.shown(), seat)?;
        Some(over.saturating_sub(now))
    }

    /// The budget of the seat to move; `None` without a move limit, between games and where the CPU plays.
    pub fn countdown(&self, now: Millis) -> Option<Countdown> {
        self.budget_left(now)
    }

    /// Why play stands still although everybody is there.
    pub fn halt(&self) -> Option<&Halt> {
        self.halt.as_ref()
    }

    /// The seat that the CPU is thinking for on this device.
    pub fn thinking(&self) -> Option<u8> {
        self.thinking.as_ref().map(|thinking| thinking.seat)
    }

    /// The other devices that belong to the table and should be linked: owners, the opener.
    pub fn members(&self) -> Vec<DeviceId> {
        let Some(log) = &self.log else { return Vec::new() };
        let mut members = log.tip().owners();
        members.insert(log.tip().opener);
        members.remove(&self.me);
        members.into_iter().collect()
    }

    /// Whether this device hears no other device though others own seats. Who said goodbye is gone, and not cut off.
    pub fn cut_off(&self) -> bool {
        let Some(log) = &self.log else { return false };
        let state = log.shown();
        let owners = state.numbered().filter_map(|(seat, _)| state.owner(seat));
        let mut others = owners.filter(|&device| self.is_expected(device)).peekable();
        others.peek().is_some() && !others.any(|device| self.hears(device))
    }

    /// The other owners' devices, without those that said goodbye and nothing since.
    pub fn others_expected(&self) -> Vec<DeviceId> {
        let Some(log) = &self.log else { return Vec::new() };
        log.shown().owners().into_iter().filter(|&device| self.is_expected(device)).collect()
    }

    fn is_expected(&self, device: DeviceId) -> bool {
        device != self.me && !self.peers.get(&device).is_some_and(|peer| peer.bye)
    }

    /// The opener's device is gone: nothing can be entered until it is back.
    pub fn keeper_gone(&self) -> bool {
        self.log.as_ref().is_some_and(|log| !self.hears(log.shown().keeper))
    }

    /// Something could not be written to disk.
    pub fn not_saved(&self) -> bool {
        self.disk.has_failed()
    }

    /// What was wrong with an entry that this device or another one refused.
    pub fn fault(&self) -> Option<FaultCode> {
        self.fault.map(|fault| fault.code)
    }

    /// The highest term that this device has answered or followed.
    pub fn promise(&self) -> u64 {
        self.promise
    }

    /// Whether this device has not followed a roll made with its answer since it started or woke up.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Everything that the linked devices are known to have is here and shown. Before that, who sits where is history.
    pub fn is_caught_up(&self) -> bool {
        let Some(log) = &self.log else { return false };
        let lacks = |hello: &Hello| hello.head.is_some_and(|(index, _)| index >= log.len());
        let mut linked = self.peers.values().filter(|peer| peer.linked);
        self.told.knows_table()
            && log.shown_len() == log.len()
            && !linked.any(|peer| peer.hello.as_ref().is_some_and(lacks))
    }

    /// A wish to sit down is on its way.
    pub fn is_sitting_down(&self) -> bool {
        self.wishes.iter().any(Wish::is_sit)
    }

    /// Heard in the last seconds; just after the start everybody counts as heard, and whoever has just sat down.
    pub(super) fn hears(&self, device: DeviceId) -> bool {
        device == self.me
            || self.now < self.woke + SILENT_MS && self.peers.get(&device).is_none_or(|peer| !peer.bye)
            || self.peers.get(&device).is_some_and(|peer| peer.is_heard(self.now))
            || self.told.is_new_owner(device, self.now) && self.peers.get(&device).is_none_or(|peer| !peer.bye)
    }
}
