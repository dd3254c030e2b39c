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
    /// The owner whose act it is; `None` for somebody without a seat.
    by: Option<DeviceId>,
    /// The keeper that is to enter it, and since when.
    keeper: DeviceId,
    since: Millis,
}

impl Table {
    /// A keeper failed: for a while it neither keeps nor calls.
    pub(super) fn blame(&mut self, device: DeviceId) {
        if device != self.me {
            self.blamed.retain(|_, until| self.now < *until);
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
        if self.watched.iter().any(|watched| watched.sealed == sealed) {
            return;
        }
        // What nobody signed who may do it is no keeper's business, and nobody takes another's room.
        let Some(log) = &self.log else { return };
        let Some(author) = log.author(&*self.port, &sealed) else { return };
        let by = Some(author).filter(|&author| log.tip().is_owner(author));
        if self.watched.iter().filter(|watched| watched.by == by).count() < WISHES_MAX {
            let keeper = log.tip().keeper;
            // Whoever hears the keeper asks it alone at first.
            let hello = self.peers.get(&author).and_then(|peer| peer.hello.as_ref());
            let waited = if hello.is_some_and(|hello| hello.heard.contains(&keeper)) { ACT_TO_ALL_MS } else { 0 };
            self.watched.push(Watched { sealed, by, keeper, since: self.now.saturating_sub(waited) });
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
            intent.is_some_and(|intent| intent.at == state.at) && log.takes(&*self.port, &watched.sealed)
        };
        let mut watched = std::mem::take(&mut self.watched);
        watched.retain(waits);
        // Another keeper has its own time, and no roll gives the same one more.
        for watched in watched.iter_mut().filter(|watched| watched.keeper != keeper) {
            (watched.keeper, watched.since) = (keeper, self.now);
        }
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
    pub(super) fn go_on(&mut self) -> Result<(), CommandError> {
        let halt = self.halt.take().ok_or(CommandError::NotHalted)?;
        self.shut_out.insert(halt.with);
        self.write(Record::WentOn(halt.with));
        self.fault = None;
        self.out.push_back(Output::Changed);
        Ok(())
    }
}
