//! The log: entries as they came, the state at its tip, and the state up to what is on this device's disk.
//! Nothing gets in that has not been checked.

use crate::entry::{Body, Entry};
use crate::limits::{ENTRY_BYTES_MAX, WANT_HASHES_MAX};
use crate::seal::{Kind, Sealed, decode};
use crate::state::{Check, Invalid};
use crate::{Hash, Port, State, TableId};

/// An entry as it came, with its hash.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub sealed: Sealed,
    pub hash: Hash,
}

#[derive(Debug)]
pub(crate) struct Log {
    table: TableId,
    entries: Vec<Stored>,
    tip: State,
    shown: State,
    /// Entries that `shown` has applied.
    shown_len: u32,
}

/// An entry's hash.
pub(crate) fn hash_of(port: &dyn Port, sealed: &Sealed) -> Hash {
    port.hash(&sealed.bytes)
}

/// The id of the table that this entry 0 opens.
pub(crate) fn table_of(hash: Hash) -> TableId {
    let mut id = [0; 16];
    id.copy_from_slice(&hash.0[..16]);
    TableId(id)
}

impl Log {
    /// A log of entry 0 alone, which counts as shown.
    pub fn start(port: &dyn Port, sealed: Sealed) -> Result<Log, Invalid> {
        let entry: Entry = open_entry(&sealed)?;
        let hash = hash_of(port, &sealed);
        let table = table_of(hash);
        let Body::Opened(opened) = &entry.body else { return Err(Invalid::Place) };
        if (entry.index, entry.prev, entry.term) != (0, Hash([0; 32]), 1) {
            return Err(Invalid::Place);
        }
        if !sealed.is_by(port, Kind::Entry, table, &opened.key) {
            return Err(Invalid::Signature);
        }
        let mut state = State::opened(port, opened)?;
        if state.hash(port) != entry.state {
            return Err(Invalid::State);
        }
        state.set_table(table);
        Ok(Log { table, entries: vec![Stored { sealed, hash }], tip: state.clone(), shown: state, shown_len: 1 })
    }

    pub fn table(&self) -> TableId {
        self.table
    }

    /// How many entries there are.
    pub fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    /// How many of them are applied to [`Log::shown`].
    pub fn shown_len(&self) -> u32 {
        self.shown_len
    }

    /// The state after the newest entry.
    pub fn tip(&self) -> &State {
        &self.tip
    }

    pub fn shown(&self) -> &State {
        &self.shown
    }

    pub fn get(&self, index: u32) -> Option<&Stored> {
        self.entries.get(index as usize)
    }

    pub fn hash_at(&self, index: u32) -> Option<Hash> {
        self.get(index).map(|stored| stored.hash)
    }

    /// Index and hash of the newest of the first `len` entries.
    pub fn head_of(&self, len: u32) -> Option<(u32, Hash)> {
        let index = len.checked_sub(1)?;
        Some((index, self.hash_at(index)?))
    }

    /// Checks an entry and appends it; refused, nothing has changed.
    pub fn append(&mut self, port: &dyn Port, sealed: Sealed) -> Result<(), Invalid> {
        let entry: Entry = open_entry(&sealed)?;
        if entry.index != self.len() || self.head_of(self.len()).map(|(_, hash)| hash) != Some(entry.prev) {
            return Err(Invalid::Place);
        }
        if !sealed.is_by(port, Kind::Entry, self.table, &self.tip.signer(&entry.body)) {
            return Err(Invalid::Signature);
        }
        self.enter_tip(port, &entry, true)?;
        if self.tip.hash(port) != entry.state {
            self.rebuild_tip(port);
            return Err(Invalid::State);
        }
        let hash = hash_of(port, &sealed);
        self.entries.push(Stored { sealed, hash });
        Ok(())
    }

    /// Makes the next entry, if it is valid, and appends it.
    pub fn make(&mut self, port: &dyn Port, term: u64, body: Body) -> Result<(), Invalid> {
        let (last, prev) = self.head_of(self.len()).ok_or(Invalid::Place)?;
        let mut entry = Entry { index: last + 1, prev, term, body, state: Hash([0; 32]) };
        self.enter_tip(port, &entry, true)?;
        entry.state = self.tip.hash(port);
        let sealed = Sealed::new(port, Kind::Entry, self.table, &entry);
        let hash = hash_of(port, &sealed);
        self.entries.push(Stored { sealed, hash });
        Ok(())
    }

    /// Applies the next entry to the shown state, and gives it; `None` when all are.
    pub fn show_next(&mut self, port: &dyn Port) -> Option<Entry> {
        let entry: Entry = decode(&self.get(self.shown_len)?.sealed.bytes)?;
        let entries = &self.entries;
        let hash_at = |index: u32| entries.get(index as usize).map(|stored| stored.hash);
        let check = Check { port, table: self.table, hash_at: &hash_at, signatures: false };
        let entered = self.shown.enter(&check, entry.index, entry.term, &entry.body);
        debug_assert_eq!(entered, Ok(()), "what the tip took, the shown state takes");
        self.shown_len += 1;
        Some(entry)
    }

    /// Everything is on disk: the shown state is that of the tip.
    pub fn show_all(&mut self) {
        self.shown = self.tip.clone();
        self.shown_len = self.len();
    }

    /// Whether this act would be valid as the next entry, taking the seat's owner as here.
    pub fn would_take(&self, port: &dyn Port, sealed: &Sealed, seat: u8) -> Result<(), Invalid> {
        let mut state = self.tip.clone();
        if let Some(seat) = state.seats.get_mut(usize::from(seat)) {
            seat.here = true;
        }
        let hash_at = |index: u32| self.hash_at(index);
        let check = Check { port, table: self.table, hash_at: &hash_at, signatures: false };
        state.enter(&check, self.len(), state.term, &Body::Act(sealed.clone()))
    }

    /// Checks at the tip.
    pub fn check_with<T>(&self, port: &dyn Port, look: impl FnOnce(&State, &Check) -> T) -> T {
        let hash_at = |index: u32| self.hash_at(index);
        look(&self.tip, &Check { port, table: self.table, hash_at: &hash_at, signatures: true })
    }

    /// Entries for a `Want`: index and hash, newest first, thinning out backwards to the first.
    pub fn marks(&self, len: u32) -> Vec<(u32, Hash)> {
        let mut marks = Vec::new();
        let (mut next, mut gap) = (len.checked_sub(1), 1u32);
        while let Some(index) = next {
            let Some(hash) = self.hash_at(index) else { break };
            marks.push((index, hash));
            if marks.len() == WANT_HASHES_MAX {
                break;
            }
            next = index.checked_sub(gap).or((index > 0).then_some(0));
            if marks.len() >= 8 {
                gap = gap.saturating_mul(2);
            }
        }
        marks
    }

    fn enter_tip(&mut self, port: &dyn Port, entry: &Entry, signatures: bool) -> Result<(), Invalid> {
        let entries = &self.entries;
        let hash_at = |index: u32| entries.get(index as usize).map(|stored| stored.hash);
        let check = Check { port, table: self.table, hash_at: &hash_at, signatures };
        self.tip.enter(&check, entry.index, entry.term, &entry.body)
    }

    /// The tip's state from the shown one and what follows it.
    fn rebuild_tip(&mut self, port: &dyn Port) {
        self.tip = self.shown.clone();
        for index in self.shown_len..self.len() {
            let entry = self.get(index).and_then(|stored| decode::<Entry>(&stored.sealed.bytes));
            let entered = entry.map(|entry| self.enter_tip(port, &entry, false));
            debug_assert_eq!(entered, Some(Ok(())), "what was taken before is taken again");
        }
    }
}

fn open_entry(sealed: &Sealed) -> Result<Entry, Invalid> {
    if sealed.bytes.len() > ENTRY_BYTES_MAX {
        return Err(Invalid::Malformed);
    }
    sealed.open().ok_or(Invalid::Malformed)
}
