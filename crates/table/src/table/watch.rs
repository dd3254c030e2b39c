//! Keepers that do not do their work, and devices that disagree (PROTOCOL.md, section 14).

use super::*;
use crate::Hash;
use crate::entry::Intent;
use crate::journal::Record;
use crate::log::Says;
use crate::message::FaultCode;
use crate::seal::Sealed;

/// A valid act that the keeper is to enter.
#[derive(Debug)]
pub(super) struct Watched {
    sealed: Sealed,
    seat: u8,
    since: Millis,
}

impl Table {
    /// A keeper failed: for a while it neither keeps nor calls.
    pub(super) fn blame(&mut self, device: DeviceId) {
        if device != self.me {
            self.blamed.insert(device, self.now + BLAME_MS);
        }
    }

    /// A roll that does not stand where it should: nothing that holds it is followed.
    pub(super) fn accuse(&mut self, roll: Hash) {
        let Some(log) = &mut self.log else { return };
        let Some(known) = log.known(roll).cloned() else { return };
        let holding: Vec<Hash> = log.others().iter().copied().filter(|&head| log.contains(head, roll)).collect();
        for head in holding {
            log.forget(head, &self.kept);
        }
        if let Says::Roll { keeper, .. } = known.says {
            self.blame(keeper);
        }
        self.complain(known.index, roll, FaultCode::Base);
    }

    /// Remembers an act that came by for the keeper.
    pub(super) fn watch(&mut self, sealed: Sealed) {
        let Some(intent) = sealed.open::<Intent>() else { return };
        let is_known = self.watched.iter().any(|watched| watched.sealed == sealed);
        if !is_known && self.watched.len() < WATCHED_MAX {
            self.watched.push(Watched { sealed, seat: intent.seat, since: self.now });
        }
    }

    /// Whether the keeper has had the time to enter this.
    pub(super) fn is_waited_for(&self, sealed: &Sealed) -> bool {
        let long = |watched: &Watched| self.now >= watched.since + ACT_TO_ALL_MS;
        self.watched.iter().any(|watched| watched.sealed == *sealed && long(watched))
    }

    /// Blames a keeper that is there and has not entered what is valid.
    pub(super) fn watch_keeper(&mut self) {
        let Some(log) = self.log.as_ref().filter(|_| self.now >= self.watch_after && !self.watched.is_empty()) else {
            return;
        };
        self.watch_after = self.now + WATCH_EVERY_MS;
        let keeper = log.tip().keeper;
        let state = log.tip();
        let waits = |watched: &Watched| {
            let intent: Option<Intent> = watched.sealed.open();
            intent.is_some_and(|intent| intent.at == state.at)
                && log.would_take(&*self.port, &watched.sealed, watched.seat).is_ok()
        };
        let mut watched = std::mem::take(&mut self.watched);
        watched.retain(waits);
        let overdue = watched.iter().any(|watched| self.now >= watched.since + BLAME_AFTER_MS);
        self.watched = watched;
        let keeps = keeper != self.me && self.promise == state.term && self.halt.is_none();
        if overdue && keeps && self.hears(keeper) {
            self.watched.clear();
            self.blame(keeper);
        }
    }

    /// Play stands still until the people choose.
    pub(super) fn halt_with(&mut self, with: DeviceId, code: FaultCode, index: Option<u32>) {
        if self.halt.is_some() || self.shut_out.contains(&with) {
            return;
        }
        let theirs = self.peers.get(&with).and_then(|peer| peer.hello.as_ref()).map(|hello| hello.program.clone());
        let halt =
            Halt { with, code, index, ours: env!("CARGO_PKG_VERSION").to_owned(), theirs: theirs.unwrap_or_default() };
        self.halt = Some(halt.clone());
        self.write(Record::Halted(halt));
        self.let_rest();
        self.event(crate::EventKind::Halted);
        self.out.push_back(Output::Changed);
    }

    /// The people go on without the device that disagrees.
    pub(super) fn go_on(&mut self) {
        let Some(halt) = self.halt.take() else { return };
        self.shut_out.insert(halt.with);
        self.write(Record::WentOn(halt.with));
        self.fault = None;
        self.out.push_back(Output::Changed);
    }
}
