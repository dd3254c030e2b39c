//! The log, and what is known beside it: entries as they came, each checked against the state that it follows on.
//! The *log* is one chain of them, which this device follows; what else is known are chains that it may follow one
//! day, or once held. Nothing gets in that has not been checked.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::entry::{Body, Entry, Here, Intent};
use crate::ids::ByOwnBytes;
use crate::limits::{ENTRIES_MAX, ENTRY_BYTES_MAX, WANT_HASHES_MAX};
use crate::planted::assert_simulated;
use crate::seal::{Kind, Sealed, decode};
use crate::state::{Check, Invalid};
use crate::{DeviceId, Hash, Port, State, TableId};

/// States kept along the log, to go back from.
const CHECKPOINTS_MAX: usize = 12;
/// States kept at the ends of other chains, to go on from.
const CURSORS_MAX: usize = 6;
/// Other chains' heads named in a `Want`.
const OTHER_MARKS_MAX: usize = 8;

/// An entry as it came, with what is asked of it often.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub sealed: Sealed,
    pub hash: Hash,
    pub index: u32,
    pub prev: Hash,
    pub term: u64,
    pub says: Says,
    /// It has been handed to the journal.
    pub journalled: bool,
}

/// What an entry says about who is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// A roll: who keeps from here on, and those whose answers it holds.
    Roll {
        keeper: DeviceId,
        answers: Vec<Stand>,
    },
    /// A device sat down: it is named from here on.
    Sat(DeviceId),
    Other,
}

/// A device's answer to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    pub device: DeviceId,
    pub head: (u32, Hash),
    pub fresh: bool,
}

#[derive(Debug)]
pub(crate) struct Log {
    table: TableId,
    known: HashMap<Hash, Known, ByOwnBytes>,
    /// The log's entries.
    main: Vec<Hash>,
    /// Heads of the other chains, in the order in which they came to be.
    others: Vec<Hash>,
    tip: State,
    shown: State,
    /// Entries that `shown` has applied.
    shown_len: u32,
    /// The log's entries after those.
    unshown: VecDeque<Entry>,
    /// States after so many entries of the log, the oldest first.
    checkpoints: Vec<(u32, State)>,
    cursors: Vec<(Hash, State)>,
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
        let keeper = state.keeper;
        let answers = vec![Stand { device: keeper, head: (0, hash), fresh: false }];
        let says = Says::Roll { keeper, answers };
        let first = Known { sealed, hash, index: 0, prev: entry.prev, term: entry.term, says, journalled: false };
        Ok(Log {
            table,
            known: HashMap::from_iter([(hash, first)]),
            main: vec![hash],
            others: Vec::new(),
            tip: state.clone(),
            shown: state.clone(),
            shown_len: 1,
            unshown: VecDeque::new(),
            checkpoints: vec![(1, state)],
            cursors: Vec::new(),
        })
    }

    pub fn table(&self) -> TableId {
        self.table
    }

    /// How many entries the log has.
    pub fn len(&self) -> u32 {
        self.main.len() as u32
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

    pub fn get(&self, index: u32) -> Option<&Known> {
        self.known.get(self.main.get(index as usize)?)
    }

    pub fn hash_at(&self, index: u32) -> Option<Hash> {
        self.main.get(index as usize).copied()
    }

    /// Index and hash of the newest of the first `len` entries.
    pub fn head_of(&self, len: u32) -> Option<(u32, Hash)> {
        let index = len.checked_sub(1)?;
        Some((index, self.hash_at(index)?))
    }

    /// The newest entry's hash.
    pub fn head(&self) -> Hash {
        self.main[self.main.len() - 1]
    }

    /// The log's newest roll.
    pub fn roll(&self) -> Hash {
        let rolls = self.main.iter().rev().filter_map(|hash| self.known.get(hash));
        rolls.into_iter().find(|entry| matches!(entry.says, Says::Roll { .. })).map_or(self.main[0], |roll| roll.hash)
    }

    /// Any entry that is known, of the log or beside it.
    pub fn known(&self, hash: Hash) -> Option<&Known> {
        self.known.get(&hash)
    }

    /// Whether the log has this entry.
    pub fn holds(&self, hash: Hash) -> bool {
        self.known.get(&hash).is_some_and(|entry| self.hash_at(entry.index) == Some(hash))
    }

    /// Heads of the chains beside the log, the oldest first.
    pub fn others(&self) -> &[Hash] {
        &self.others
    }

    /// The entry at an index of the chain that ends with `head`.
    pub fn ancestor(&self, head: Hash, index: u32) -> Option<Hash> {
        let mut at = self.known.get(&head)?;
        while at.index > index {
            if self.hash_at(at.index) == Some(at.hash) {
                return self.hash_at(index);
            }
            at = self.known.get(&at.prev)?;
        }
        (at.index == index).then_some(at.hash)
    }

    /// Whether the chain that ends with `head` has this entry.
    pub fn contains(&self, head: Hash, hash: Hash) -> bool {
        self.known.get(&hash).is_some_and(|entry| self.ancestor(head, entry.index) == Some(hash))
    }

    /// The newest entry that two chains have in common.
    pub fn common(&self, a: Hash, b: Hash) -> Option<&Known> {
        let (mut a, mut b) = (self.known.get(&a)?, self.known.get(&b)?);
        while a.hash != b.hash {
            if a.index >= b.index {
                a = self.known.get(&a.prev)?;
            } else {
                b = self.known.get(&b.prev)?;
            }
        }
        Some(a)
    }

    /// The entries of the chain that ends with `head`, from an index on.
    pub fn chain(&self, head: Hash, from: u32) -> Vec<&Known> {
        let mut entries = Vec::new();
        let mut at = self.known.get(&head);
        while let Some(entry) = at.filter(|entry| entry.index >= from) {
            entries.push(entry);
            at = self.known.get(&entry.prev);
        }
        entries.reverse();
        entries
    }

    /// Checks an entry and appends it to the log; refused, nothing has changed.
    pub fn append(&mut self, port: &dyn Port, sealed: Sealed) -> Result<(), Invalid> {
        let entry: Entry = open_entry(&sealed)?;
        let hash = hash_of(port, &sealed);
        self.append_opened(port, sealed, hash, entry)
    }

    /// The same for an entry that has been read, with its hash.
    pub fn append_opened(&mut self, port: &dyn Port, sealed: Sealed, hash: Hash, entry: Entry) -> Result<(), Invalid> {
        if entry.index != self.len() || self.head() != entry.prev {
            return Err(Invalid::Place);
        }
        if !sealed.is_by(port, Kind::Entry, self.table, &self.tip.signer(&entry.body)) {
            return Err(Invalid::Signature);
        }
        self.checkpoint(&entry.body);
        self.enter_tip(port, &entry, true)?;
        if self.tip.hash(port) != entry.state {
            self.rebuild_tip(port);
            return Err(Invalid::State);
        }
        self.known.insert(hash, know(port, sealed, hash, &entry));
        self.main.push(hash);
        self.unshown.push_back(entry);
        Ok(())
    }

    /// Makes the next entry, if it is valid, and appends it.
    pub fn make(&mut self, port: &dyn Port, term: u64, body: Body) -> Result<(), Invalid> {
        if self.len() >= ENTRIES_MAX {
            return Err(Invalid::Place);
        }
        let mut entry = Entry { index: self.len(), prev: self.head(), term, body, state: Hash([0; 32]) };
        self.checkpoint(&entry.body);
        self.enter_tip(port, &entry, true)?;
        entry.state = self.tip.hash(port);
        let sealed = Sealed::new(port, Kind::Entry, self.table, &entry);
        let hash = hash_of(port, &sealed);
        self.known.insert(hash, know(port, sealed, hash, &entry));
        self.main.push(hash);
        self.unshown.push_back(entry);
        Ok(())
    }

    /// Checks an entry that follows on any known one, and keeps it beside the log.
    pub fn add(&mut self, port: &dyn Port, sealed: Sealed) -> Result<Hash, Invalid> {
        let hash = hash_of(port, &sealed);
        if self.known.contains_key(&hash) {
            return Ok(hash);
        }
        let entry: Entry = open_entry(&sealed)?;
        self.add_opened(port, sealed, hash, entry)?;
        Ok(hash)
    }

    /// The same for an entry that is not known and has been read, with its hash.
    pub fn add_opened(&mut self, port: &dyn Port, sealed: Sealed, hash: Hash, entry: Entry) -> Result<(), Invalid> {
        let before = self.known.get(&entry.prev).ok_or(Invalid::Place)?;
        if entry.index != before.index + 1 {
            return Err(Invalid::Place);
        }
        let mut state = self.state_at(port, entry.prev).ok_or(Invalid::Place)?;
        if !sealed.is_by(port, Kind::Entry, self.table, &state.signer(&entry.body)) {
            return Err(Invalid::Signature);
        }
        state.enter(&Check { port, table: self.table, signatures: true }, entry.index, entry.term, &entry.body)?;
        if state.hash(port) != entry.state {
            return Err(Invalid::State);
        }
        self.known.insert(hash, know(port, sealed, hash, &entry));
        match self.others.iter_mut().find(|head| **head == entry.prev) {
            Some(head) => *head = hash,
            None => self.others.push(hash),
        }
        self.cursors.retain(|(head, _)| *head != entry.prev);
        if self.cursors.len() >= CURSORS_MAX {
            self.cursors.remove(0);
        }
        self.cursors.push((hash, state));
        Ok(())
    }

    /// Makes the known entry that follows on the log its newest one.
    pub fn adopt(&mut self, port: &dyn Port, hash: Hash) -> Result<(), Invalid> {
        let next = self.known.get(&hash).filter(|next| next.prev == self.head()).ok_or(Invalid::Place)?;
        let entry: Entry = decode(&next.sealed.bytes).ok_or(Invalid::Malformed)?;
        self.checkpoint(&entry.body);
        self.enter_tip(port, &entry, false)?;
        self.main.push(hash);
        self.unshown.push_back(entry);
        self.others.retain(|head| *head != hash);
        Ok(())
    }

    /// Takes the log back to its first `len` entries, at least one; what it loses stays beside it.
    pub fn go_back(&mut self, port: &dyn Port, len: u32) {
        if len == 0 || len >= self.len() {
            return;
        }
        let old = self.head();
        self.main.truncate(len as usize);
        self.checkpoints.retain(|(after, _)| *after <= len);
        self.tip = self.state_after(port, len);
        if self.shown_len > len {
            self.shown = self.tip.clone();
            self.shown_len = len;
        }
        self.unshown.truncate((len - self.shown_len) as usize);
        // Another chain may go on from it.
        let goes_on = self.others.iter().any(|&head| self.contains(head, old));
        if !goes_on {
            self.others.push(old);
        }
    }

    /// Makes the chain that ends with a known entry the log. Gives how many entries the log and it had in common.
    pub fn go_to(&mut self, port: &dyn Port, head: Hash) -> Result<u32, Invalid> {
        let common = self.common(self.head(), head).ok_or(Invalid::Place)?.index + 1;
        let path: Vec<Hash> = self.chain(head, common).iter().map(|entry| entry.hash).collect();
        self.go_back(port, common);
        for hash in path {
            self.adopt(port, hash)?;
        }
        Ok(common)
    }

    /// Forgets a chain beside the log as far as nothing else follows on it; what is kept stays.
    pub fn forget(&mut self, head: Hash, kept: &[Hash]) {
        if kept.contains(&head) {
            return;
        }
        self.others.retain(|other| *other != head);
        self.cursors.retain(|(at, _)| *at != head);
        let mut at = head;
        while !self.holds(at) && !self.others.iter().any(|&other| self.contains(other, at)) {
            if kept.contains(&at) {
                self.others.push(at);
                return;
            }
            let Some(entry) = self.known.remove(&at) else { break };
            self.cursors.retain(|(head, _)| *head != at);
            at = entry.prev;
        }
    }

    /// Forgets every chain beside the log but those that are kept.
    pub fn forget_loose(&mut self, kept: &[Hash]) {
        let mut stays: HashSet<Hash> = HashSet::new();
        let mut heads = Vec::new();
        for &head in kept {
            if self.holds(head) || !self.known.contains_key(&head) {
                continue;
            }
            heads.push(head);
            let mut at = head;
            while !self.holds(at) && stays.insert(at) {
                let Some(entry) = self.known.get(&at) else { break };
                at = entry.prev;
            }
        }
        // What another kept chain goes on from is no head.
        let goes_on = |head: &Hash| heads.iter().any(|&other| other != *head && self.contains(other, *head));
        let others = heads.iter().copied().filter(|head| !goes_on(head)).collect();
        self.others = others;
        let main = &self.main;
        let of_log = |entry: &Known| main.get(entry.index as usize) == Some(&entry.hash);
        self.known.retain(|hash, entry| of_log(entry) || stays.contains(hash));
        let known = &self.known;
        self.cursors.retain(|(head, _)| known.contains_key(head));
    }

    /// Notes that an entry has been handed to the journal; false when it had been before.
    pub fn journal(&mut self, hash: Hash) -> bool {
        self.known.get_mut(&hash).is_some_and(|entry| !std::mem::replace(&mut entry.journalled, true))
    }

    /// Applies the next entry to the shown state, and gives it; `None` when all are.
    pub fn show_next(&mut self, port: &dyn Port) -> Option<Entry> {
        let entry = self.unshown.pop_front()?;
        let check = Check { port, table: self.table, signatures: false };
        let entered = self.shown.enter(&check, entry.index, entry.term, &entry.body);
        assert_simulated!(entered == Ok(()), "what the tip took, the shown state takes");
        self.shown_len += 1;
        Some(entry)
    }

    /// Everything is on disk: the shown state is that of the tip.
    pub fn show_all(&mut self) {
        self.shown = self.tip.clone();
        self.shown_len = self.len();
        self.unshown.clear();
    }

    /// Whether this act would be valid as the next entry, taking the seat's owner as here.
    pub fn would_take(&self, port: &dyn Port, sealed: &Sealed, seat: u8) -> Result<(), Invalid> {
        let check = Check { port, table: self.table, signatures: false };
        if self.tip.seats.get(usize::from(seat)).is_none_or(|seat| seat.here) {
            return self.tip.would_take(&check, self.len(), sealed);
        }
        let mut state = self.tip.clone();
        state.seats[usize::from(seat)].here = true;
        state.would_take(&check, self.len(), sealed)
    }

    /// Who signed this entry, if it is one who may keep where it follows on.
    pub fn signer_of(&self, port: &dyn Port, entry: &Entry, sealed: &Sealed) -> Option<DeviceId> {
        let state = self.state_at(port, entry.prev)?;
        let key = state.signer(&entry.body);
        let device = port.device(&key);
        let may_keep = state.is_owner(device) || state.keeper == device;
        (may_keep && sealed.is_by(port, Kind::Entry, self.table, &key)).then_some(device)
    }

    /// Whose act this is, if it is signed as it must be after the newest entry.
    pub fn author(&self, port: &dyn Port, sealed: &Sealed) -> Option<DeviceId> {
        let intent: Intent = sealed.open()?;
        let key = match intent.act.own_key() {
            Some(key) => key,
            None => self.tip.owner_key(intent.seat)?.1,
        };
        sealed.is_by(port, Kind::Intent, self.table, &key).then(|| port.device(&key))
    }

    /// Whether this act, whose signature was checked, is valid as the next entry.
    pub fn takes(&self, port: &dyn Port, sealed: &Sealed) -> bool {
        let check = Check { port, table: self.table, signatures: false };
        let mut state = self.tip.clone();
        state.enter(&check, self.len(), state.term, &Body::Act(sealed.clone())).is_ok()
    }

    /// What checking takes besides a state.
    pub fn check<'a>(&self, port: &'a dyn Port) -> Check<'a> {
        Check { port, table: self.table, signatures: true }
    }

    /// The state after a known entry.
    pub fn state_at(&self, port: &dyn Port, hash: Hash) -> Option<State> {
        if hash == self.head() {
            return Some(self.tip.clone());
        }
        let mut back = Vec::new();
        let mut at = self.known.get(&hash)?;
        let mut state = loop {
            if let Some((_, state)) = self.cursors.iter().find(|(head, _)| *head == at.hash) {
                break state.clone();
            }
            if self.hash_at(at.index) == Some(at.hash) {
                break self.state_after(port, at.index + 1);
            }
            back.push(at);
            at = self.known.get(&at.prev)?;
        };
        while let Some(entry) = back.pop() {
            self.re_enter(port, &mut state, entry);
        }
        Some(state)
    }

    /// Entries for a `Want`: index and hash, newest first, thinning out backwards to the first; before them the heads
    /// of other chains.
    pub fn marks(&self) -> Vec<(u32, Hash)> {
        let others = self.others.iter().rev().take(OTHER_MARKS_MAX);
        let mut marks: Vec<(u32, Hash)> =
            others.filter_map(|&head| Some((self.known.get(&head)?.index, head))).collect();
        let (mut next, mut gap) = (self.len().checked_sub(1), 1u32);
        let mut steps = 0;
        while let Some(index) = next {
            let Some(hash) = self.hash_at(index) else { break };
            marks.push((index, hash));
            if marks.len() == WANT_HASHES_MAX {
                break;
            }
            steps += 1;
            next = index.checked_sub(gap).or((index > 0).then_some(0));
            if steps >= 8 {
                gap = gap.saturating_mul(2);
            }
        }
        marks
    }

    /// An entry that would be valid next, without entering it: a liar shows it to some.
    #[cfg(feature = "planted")]
    pub fn crafted(&self, port: &dyn Port, body: Body) -> Option<Sealed> {
        let mut state = self.tip.clone();
        let mut entry = Entry { index: self.len(), prev: self.head(), term: state.term, body, state: Hash([0; 32]) };
        state.enter(&self.check(port), entry.index, entry.term, &entry.body).ok()?;
        entry.state = state.hash(port);
        Some(Sealed::new(port, Kind::Entry, self.table, &entry))
    }

    fn enter_tip(&mut self, port: &dyn Port, entry: &Entry, signatures: bool) -> Result<(), Invalid> {
        let check = Check { port, table: self.table, signatures };
        self.tip.enter(&check, entry.index, entry.term, &entry.body)
    }

    /// Keeps the state before a roll, which is where logs part and meet, and before a game.
    fn checkpoint(&mut self, next: &Body) {
        if !matches!(next, Body::Roll(_) | Body::Start { .. }) {
            return;
        }
        let len = self.len();
        if self.checkpoints.last().is_some_and(|(after, _)| *after >= len) {
            return;
        }
        if self.checkpoints.len() >= CHECKPOINTS_MAX {
            // The first one stays: everything can be built from it.
            self.checkpoints.remove(1);
        }
        self.checkpoints.push((len, self.tip.clone()));
    }

    /// The state after the log's first `len` entries.
    fn state_after(&self, port: &dyn Port, len: u32) -> State {
        if len == self.shown_len {
            return self.shown.clone();
        }
        let newest = self.checkpoints.iter().rev().find(|(after, _)| *after <= len);
        let (mut after, mut state) = newest.cloned().expect("the state after entry 0 is always kept");
        while after < len {
            if let Some(entry) = self.get(after) {
                self.re_enter(port, &mut state, entry);
            }
            after += 1;
        }
        state
    }

    fn re_enter(&self, port: &dyn Port, state: &mut State, known: &Known) {
        let check = Check { port, table: self.table, signatures: false };
        let entered =
            decode::<Entry>(&known.sealed.bytes).map(|entry| state.enter(&check, entry.index, entry.term, &entry.body));
        assert_simulated!(entered == Some(Ok(())), "what was taken before is taken again");
    }

    /// The tip's state, after an entry that was found to lead to another one.
    fn rebuild_tip(&mut self, port: &dyn Port) {
        self.tip = self.state_after(port, self.len());
    }
}

fn open_entry(sealed: &Sealed) -> Result<Entry, Invalid> {
    if sealed.bytes.len() > ENTRY_BYTES_MAX {
        return Err(Invalid::Malformed);
    }
    let entry: Entry = sealed.open().ok_or(Invalid::Malformed)?;
    if entry.index < ENTRIES_MAX { Ok(entry) } else { Err(Invalid::Place) }
}

/// What is asked often of an entry that has been checked.
fn know(port: &dyn Port, sealed: Sealed, hash: Hash, entry: &Entry) -> Known {
    let says = match &entry.body {
        Body::Roll(roll) => {
            let stand = |here: &Sealed, key: &[u8; 32]| {
                let Here { head, fresh, .. } = here.open()?;
                Some(Stand { device: port.device(key), head, fresh })
            };
            let answers = roll.answers.iter().filter_map(|answer| stand(&answer.here, &answer.key)).collect();
            Says::Roll { keeper: port.device(&roll.keeper), answers }
        }
        Body::Act(act) => match act.open::<Intent>().and_then(|intent| intent.act.own_key()) {
            Some(key) => Says::Sat(port.device(&key)),
            None => Says::Other,
        },
        Body::Opened(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => Says::Other,
    };
    Known { sealed, hash, index: entry.index, prev: entry.prev, term: entry.term, says, journalled: false }
}
