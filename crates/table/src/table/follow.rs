//! Entries that come: asking for them, checking them, passing them on, and what others have on disk.

use std::collections::VecDeque;

use super::roll::Duty;
use super::*;
use crate::entry::{Body, Entry};
use crate::journal::Record;
use crate::log::hash_of;
use crate::message::{FaultCode, Message};
use crate::seal::Sealed;
use crate::{Hash, State};

const NO_ENTRY: &str = "it sent something that is no entry";
const OTHER_TABLE: &str = "it sent another table's entries";
const TOO_LONG: &str = "it sent more than a table can hold";
const REFUSED: &str = "it sent an entry that is not valid";

/// Entries that follow on the log but are not in it: of a term below the promise, while the roll that they lead to
/// has not come.
#[derive(Debug, Default)]
pub(super) struct Held {
    entries: VecDeque<HeldEntry>,
    bytes: usize,
}

#[derive(Debug)]
struct HeldEntry {
    index: u32,
    hash: Hash,
    term: u64,
    sealed: Sealed,
}

impl Held {
    pub fn clear(&mut self) {
        *self = Held::default();
    }

    fn head(&self) -> Option<(u32, Hash)> {
        self.entries.back().map(|entry| (entry.index, entry.hash))
    }

    fn push(&mut self, entry: HeldEntry) {
        self.bytes += entry.sealed.bytes.len();
        self.entries.push_back(entry);
    }

    fn pop(&mut self) -> Option<HeldEntry> {
        let entry = self.entries.pop_front()?;
        self.bytes -= entry.sealed.bytes.len();
        Some(entry)
    }
}

impl Table {
    /// Entries that may leave this device: all but a roll that is not yet on its disk.
    pub(super) fn public_len(&self) -> u32 {
        let len = self.log.as_ref().map_or(0, Log::len);
        match self.duty {
            Duty::Writing { .. } => len.saturating_sub(1),
            Duty::None | Duty::Calling(_) | Duty::Fetching { .. } | Duty::Keeping => len,
        }
    }

    /// What a linked device's head means for what it is sent, or asked for.
    pub(super) fn compare_heads(&mut self, peer: DeviceId, head: Option<(u32, Hash)>) {
        let public = self.public_len();
        let Some((index, hash)) = head else { return };
        match self.log.as_ref().and_then(|log| log.hash_at(index)) {
            Some(own) if own == hash => {
                // What little it lacks is sent at once, more is for it to ask; what is on its way needs nothing.
                if let Some(peer) = self.peers.get_mut(&peer)
                    && (index + 1 >= public || peer.sent.is_none() && index + UNASKED_MAX >= public)
                {
                    peer.sent = Some(index);
                }
            }
            Some(_) => self.complain(index, hash, FaultCode::Parted),
            None => self.want(peer, hash),
        }
    }

    /// Asks a linked device for the next page of its log, up to this head.
    pub(super) fn want(&mut self, from: DeviceId, head: Hash) {
        let keeps = self.log.as_ref().is_some_and(|log| log.tip().opener == self.me);
        if keeps && !matches!(self.duty, Duty::Fetching { .. }) {
            return;
        }
        let now = self.now;
        let Some(peer) = self.peers.get_mut(&from).filter(|peer| peer.linked) else { return };
        if peer.wanted.is_some_and(|then| now < then + WANT_AGAIN_MS) {
            return;
        }
        peer.wanted = Some(now);
        let mut have: Vec<(u32, Hash)> = self.held.head().into_iter().collect();
        have.extend(self.log.as_ref().map(|log| log.marks(log.len())).unwrap_or_default());
        self.send(from, &Message::Want { head, have });
    }

    /// Sends the page that follows the newest of these entries that are in this log.
    pub(super) fn serve(&mut self, to: DeviceId, have: &[(u32, Hash)]) {
        let Some(log) = &self.log else { return };
        let common = have.iter().find(|&&(index, hash)| log.hash_at(index) == Some(hash));
        let start = common.map_or(0, |&(index, _)| index + 1);
        let (entries, next) = self.page(start);
        let reached = next >= self.public_len();
        if let Some(peer) = self.peers.get_mut(&to) {
            peer.sent = if reached { next.checked_sub(1) } else { None };
        }
        self.send(to, &Message::Push { entries });
    }

    /// Entries from here on, as many as fit a message, and the index after them.
    fn page(&self, start: u32) -> (Vec<Sealed>, u32) {
        let (mut entries, mut bytes, mut next) = (Vec::new(), 0, start);
        while next < self.public_len() {
            let Some(stored) = self.log.as_ref().and_then(|log| log.get(next)) else { break };
            bytes += stored.sealed.bytes.len() + 80;
            if bytes > PAGE_BYTES_MAX && !entries.is_empty() {
                break;
            }
            entries.push(stored.sealed.clone());
            next += 1;
        }
        (entries, next)
    }

    /// Sends new entries to every link that has all before them: the keeper to all, others to those that don't
    /// hear the keeper.
    pub(super) fn push_out(&mut self) {
        let public = self.public_len();
        let Some(keeper) = self.log.as_ref().map(|log| log.tip().keeper) else { return };
        let lacking: Vec<(DeviceId, u32)> = self
            .peers
            .iter()
            .filter(|&(&device, peer)| {
                let hears_keeper = peer.hello.as_ref().is_some_and(|hello| hello.heard.contains(&keeper));
                peer.linked && (keeper == self.me || !(hears_keeper || device == keeper))
            })
            .filter_map(|(&device, peer)| Some((device, peer.sent? + 1)))
            .filter(|&(_, next)| next < public)
            .collect();
        for (device, mut next) in lacking {
            while next < public {
                let (entries, after) = self.page(next);
                self.send(device, &Message::Push { entries });
                next = after;
            }
            if let Some(peer) = self.peers.get_mut(&device) {
                peer.sent = next.checked_sub(1);
            }
        }
    }

    pub(super) fn read_push(&mut self, from: DeviceId, entries: Vec<Sealed>) {
        for sealed in entries {
            match self.hold(from, sealed) {
                Ok(true) => {}
                Ok(false) => return,
                Err(why) => {
                    self.held.clear();
                    return self.disconnect(from, why);
                }
            }
        }
        self.take_held(from);
        let Some(peer) = self.peers.get_mut(&from) else { return };
        peer.wanted = None;
        let head = peer.hello.as_ref().and_then(|hello| hello.head);
        if let Some((index, hash)) = head
            && index >= self.log.as_ref().map_or(0, Log::len)
            && self.held.head().is_none_or(|(held, _)| held < index)
        {
            self.want(from, hash);
        }
    }

    /// Puts an entry behind the log and what is held; false when it does not follow on them.
    fn hold(&mut self, from: DeviceId, sealed: Sealed) -> Result<bool, &'static str> {
        if sealed.bytes.len() > ENTRY_BYTES_MAX {
            return Err(NO_ENTRY);
        }
        let entry: Entry = sealed.open().ok_or(NO_ENTRY)?;
        let hash = hash_of(&*self.port, &sealed);
        let known = match &self.log {
            Some(log) if entry.index < log.len() => log.hash_at(entry.index),
            Some(_) | None => self.held.entries.iter().find(|held| held.index == entry.index).map(|held| held.hash),
        };
        if let Some(known) = known {
            if known != hash {
                self.complain(entry.index, hash, FaultCode::Parted);
            }
            return Ok(known == hash);
        }
        let log_head = self.log.as_ref().and_then(|log| log.head_of(log.len()));
        match self.held.head().or(log_head) {
            None if entry.index == 0 && crate::log::table_of(hash) != self.id => return Err(OTHER_TABLE),
            None if entry.index == 0 => {}
            Some((last, _)) if entry.index != last + 1 => {
                // Something between is missing: it is asked for when the next `Hello` tells of it.
                if let Some(hello) = self.peers.get(&from).and_then(|peer| peer.hello.as_ref())
                    && let Some((_, head)) = hello.head
                {
                    self.want(from, head);
                }
                return Ok(false);
            }
            Some((_, last)) if entry.prev != last => {
                self.complain(entry.index, hash, FaultCode::Parted);
                return Ok(false);
            }
            Some(_) => {}
            None => return Ok(false),
        }
        if self.held.bytes + sealed.bytes.len() > HELD_BYTES_MAX {
            return Err(TOO_LONG);
        }
        self.held.push(HeldEntry { index: entry.index, hash, term: entry.term, sealed });
        Ok(true)
    }

    /// Takes what is held into the log as far as the promise allows.
    fn take_held(&mut self, from: DeviceId) {
        let keeps = self.log.as_ref().is_some_and(|log| log.tip().opener == self.me);
        let allowed = match &self.duty {
            Duty::Fetching { target, .. } => {
                self.held.entries.iter().rposition(|entry| entry.index <= target.0).map_or(0, |last| last + 1)
            }
            Duty::None | Duty::Calling(_) | Duty::Writing { .. } | Duty::Keeping if keeps => 0,
            Duty::None | Duty::Calling(_) | Duty::Writing { .. } | Duty::Keeping => {
                self.held.entries.iter().rposition(|entry| entry.term >= self.promise).map_or(0, |last| last + 1)
            }
        };
        for _ in 0..allowed {
            let Some(entry) = self.held.pop() else { break };
            if let Err(code) = self.follow(entry.sealed) {
                self.held.clear();
                self.complain(entry.index, entry.hash, code);
                return self.disconnect(from, REFUSED);
            }
        }
        if keeps {
            self.held.clear();
        }
    }

    fn follow(&mut self, sealed: Sealed) -> Result<(), FaultCode> {
        match &mut self.log {
            Some(log) => log.append(&*self.port, sealed).map_err(|invalid| invalid.fault())?,
            None => self.log = Some(Log::start(&*self.port, sealed).map_err(|invalid| invalid.fault())?),
        }
        self.appended();
        Ok(())
    }

    /// After an entry has come into the log, made or followed: it is written, and what it settles is noted.
    /// Returns the ticket of its writing.
    pub(super) fn appended(&mut self) -> u64 {
        self.push_out();
        let Some(log) = &self.log else { return 0 };
        let Some((index, hash)) = log.head_of(log.len()) else { return 0 };
        let Some(sealed) = log.get(index).map(|stored| stored.sealed.clone()) else { return 0 };
        self.promise = self.promise.max(log.tip().term);
        if let Some(Entry { body: Body::Act(act), .. }) = sealed.open() {
            self.wish_entered(&act);
        }
        for peer in self.peers.values_mut() {
            if peer.acked_ahead == Some((index, hash)) {
                (peer.acked, peer.acked_ahead) = (Some(index), None);
            }
        }
        self.write(Record::Entry(sealed))
    }

    pub(super) fn read_ack(&mut self, origin: DeviceId, index: u32, hash: Hash) {
        self.read_disk(origin, index, index, hash);
    }

    /// A device says that it has everything up to an entry on disk, in a log with this head.
    pub(super) fn read_disk(&mut self, origin: DeviceId, on_disk: u32, head: u32, hash: Hash) {
        let own = self.log.as_ref().and_then(|log| log.hash_at(head));
        let Some(peer) = self.peers.get_mut(&origin) else { return };
        match own {
            Some(own) if own == hash => peer.acked = peer.acked.max(Some(on_disk)),
            None if on_disk == head => peer.acked_ahead = Some((head, hash)),
            Some(_) | None => {}
        }
    }

    /// This device follows the roll that was made with its answer, or sat down itself: what it has counts.
    pub(super) fn freshen(&mut self, entry: &Entry, before: &State) {
        let Some(log) = &self.log else { return };
        let named = log.shown().named.contains(&self.me);
        let followed = match &entry.body {
            Body::Roll(_) => named && self.answered == Some(entry.term),
            Body::Act(_) => named && !before.named.contains(&self.me),
            Body::Opened(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => false,
        };
        if followed {
            self.fresh = false;
        }
    }
}
