//! Entries that come: asking for them, checking them, following another log, and what others have on disk.

use super::roll::Duty;
use super::tell::Before;
use super::*;
use crate::Hash;
use crate::entry::{Body, Entry, Roll};
use crate::log::{Known, Says};
use crate::merge;
use crate::message::{FaultCode, Message};
use crate::planted::{Bug, planted};
use crate::seal::Sealed;
use crate::state::Invalid;

const NO_ENTRY: &str = "it sent something that is no entry";
const OTHER_TABLE: &str = "it sent another table's entries";
pub(super) const TOO_LONG: &str = "it sent more than a table can hold";
const REFUSED: &str = "it sent an entry that is not valid";

/// What is to be done about a chain that is known and not the log.
enum Course {
    /// The log goes on with it, up to and with this entry.
    Follow(Hash),
    /// It stays beside the log.
    Stay,
    /// What a roll on it stands on has to be fetched first.
    Fetch(Vec<(DeviceId, (u32, Hash))>),
    /// A roll does not stand where its answers seem to put it, but whoever knows these heads may know better.
    Dispute(Hash, Vec<(DeviceId, (u32, Hash))>),
    /// A roll stands where its answers do not put it.
    WrongBase(Hash),
    /// A keeper calls this device away though it is there: not beyond this roll.
    LeftOut(Hash),
}

impl Table {
    /// Entries that may leave this device: all but a roll that is not yet on its disk.
    pub(super) fn public_len(&self) -> u32 {
        let len = self.log.as_ref().map_or(0, Log::len);
        match self.duty {
            Duty::Writing { .. } if !planted(Bug::RollBeforeDisk) => len.saturating_sub(1),
            Duty::None | Duty::Calling(_) | Duty::Fetching { .. } | Duty::Writing { .. } | Duty::Keeping => len,
        }
    }

    /// What a linked device's head means for what it is sent, or asked for.
    pub(super) fn compare_heads(&mut self, peer: DeviceId, head: Option<(u32, Hash)>) {
        let public = self.public_len();
        // Where the entry stands is known here, whatever the other says.
        let Some((_, hash)) = head else { return };
        let Some(log) = &self.log else { return self.want(peer, hash) };
        if let Some(index) = log.known(hash).map(|entry| entry.index).filter(|_| log.holds(hash)) {
            // What little it lacks is sent at once, more is for it to ask; what is on its way needs nothing.
            if let Some(peer) = self.peers.get_mut(&peer)
                && (index + 1 >= public || peer.sent.is_none() && index + UNASKED_MAX >= public)
            {
                peer.sent = Some(index);
            }
        } else if log.known(hash).is_none() {
            self.want(peer, hash);
        }
    }

    /// Asks a linked device for the next page of the chain that ends with this head.
    pub(super) fn want(&mut self, from: DeviceId, head: Hash) {
        let now = self.now;
        let Some(peer) = self.peers.get_mut(&from).filter(|peer| peer.linked) else { return };
        if peer.wanted.is_some_and(|then| now < then + WANT_AGAIN_MS) {
            return;
        }
        peer.wanted = Some(now);
        let have = self.log.as_ref().map(Log::marks).unwrap_or_default();
        self.send(from, &Message::Want { head, have });
    }

    /// Sends the page that follows the newest of these entries on the chain that is asked for; of the own log where
    /// that chain is not known.
    pub(super) fn serve(&mut self, to: DeviceId, head: Hash, have: &[(u32, Hash)]) {
        let Some(log) = &self.log else { return };
        let aside = log.known(head).is_some() && !log.holds(head);
        let common = |&&(index, hash): &&(u32, Hash)| {
            if aside { log.ancestor(head, index) == Some(hash) } else { log.hash_at(index) == Some(hash) }
        };
        let start = have.iter().filter(common).map(|&(index, _)| index + 1).max().unwrap_or(0);
        if aside {
            let entries = page_of(log.chain(head, start).into_iter());
            return self.send(to, &Message::Push { entries });
        }
        let (entries, next) = self.page(start);
        let reached = next >= self.public_len();
        if let Some(peer) = self.peers.get_mut(&to) {
            peer.sent = if reached { next.checked_sub(1) } else { None };
        }
        self.send(to, &Message::Push { entries });
    }

    /// Entries of the log from here on, as many as fit a message, and the index after them.
    fn page(&self, start: u32) -> (Vec<Sealed>, u32) {
        let Some(log) = &self.log else { return (Vec::new(), start) };
        let entries = page_of((start..self.public_len()).filter_map(|index| log.get(index)));
        let next = start + entries.len() as u32;
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
            match self.read_entry(from, sealed) {
                Ok(true) => {}
                Ok(false) => break,
                Err(why) => return self.disconnect(from, why),
            }
        }
        self.consider();
        let Some(peer) = self.peers.get_mut(&from) else { return };
        peer.wanted = None;
        if let Some((_, head)) = peer.hello.as_ref().and_then(|hello| hello.head)
            && self.log.as_ref().is_none_or(|log| log.known(head).is_none())
        {
            self.want(from, head);
        }
    }

    /// Checks an entry and puts it in or beside the log; false when what it follows on is not known.
    fn read_entry(&mut self, from: DeviceId, sealed: Sealed) -> Result<bool, &'static str> {
        if sealed.bytes.len() > ENTRY_BYTES_MAX {
            return Err(NO_ENTRY);
        }
        let entry: Entry = sealed.open().ok_or(NO_ENTRY)?;
        let hash = crate::log::hash_of(&*self.port, &sealed);
        let Some(log) = &mut self.log else {
            if entry.index > 0 {
                return Ok(false);
            }
            if crate::log::table_of(hash) != self.id {
                return Err(OTHER_TABLE);
            }
            let log = Log::start(&*self.port, sealed).map_err(|_| REFUSED)?;
            self.log = Some(log);
            self.appended();
            return Ok(true);
        };
        if log.known(hash).is_some() {
            return Ok(true);
        }
        if log.known(entry.prev).is_none() {
            return Ok(false);
        }
        if entry.index >= ENTRIES_MAX {
            return Err(TOO_LONG);
        }
        let allowed = may_take(self.promise, entry.term);
        let follows = entry.prev == log.head() && allowed && !matches!(entry.body, Body::Roll(_));
        if !follows && !self.make_room(from, sealed.bytes.len()) {
            return Err(TOO_LONG);
        }
        let Some(log) = self.log.as_mut().filter(|log| log.known(entry.prev).is_some()) else { return Ok(false) };
        let caller = match &entry.body {
            Body::Roll(roll) => Some(self.port.device(&roll.keeper)),
            Body::Opened(_) | Body::Act(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => None,
        };
        let came = sealed.clone();
        let taken = if follows {
            log.append_opened(&*self.port, came, hash, entry)
        } else {
            log.add_opened(&*self.port, came, hash, entry)
        };
        match taken {
            Ok(()) if follows => {
                self.appended();
                Ok(true)
            }
            Ok(()) => {
                self.blame_double(hash);
                if let Some(peer) = caller.and_then(|caller| self.peers.get_mut(&caller)) {
                    // Its calls come to something, whoever follows.
                    (peer.calls.0, peer.called) = (0, None);
                }
                self.note_ignored(hash);
                Ok(true)
            }
            Err(invalid) => {
                self.refuse_entry(&sealed, hash, invalid);
                Err(REFUSED)
            }
        }
    }

    /// A keeper that has put two entries in one place of its roll is blamed: an honest one never does, whatever its disk
    /// lost.
    fn blame_double(&mut self, aside: Hash) {
        let Some(log) = &self.log else { return };
        let Some(one) = log.known(aside) else { return };
        let Some(other) = log.get(one.index).filter(|other| other.prev == one.prev) else { return };
        if is_roll(one) || is_roll(other) {
            return;
        }
        if let Some(keeper) = log.state_at(&*self.port, one.prev).map(|state| state.keeper) {
            self.blame(keeper);
        }
    }

    fn refuse_entry(&mut self, sealed: &Sealed, hash: Hash, invalid: Invalid) {
        let Some(entry) = sealed.open::<Entry>() else { return };
        self.complain(entry.index, hash, invalid.fault());
        // Whoever sent it, it is the fault of who signed it, and nobody's if none did who may keep.
        let signer = self.log.as_ref().and_then(|log| log.signer_of(&*self.port, &entry, sealed));
        let Some(signer) = signer.filter(|&signer| signer != self.me) else { return };
        self.blame(signer);
        if invalid == Invalid::State {
            self.halt_with(signer, FaultCode::State, Some(entry.index));
        }
    }

    /// Looks at every chain beside the log: one of them may be the one to follow.
    pub(super) fn consider(&mut self) {
        while let Some(log) = &self.log {
            let heads: Vec<Hash> = log.others().iter().rev().copied().filter(|head| !self.is_settled(*head)).collect();
            if heads.is_empty() || !heads.into_iter().any(|head| self.consider_one(head)) {
                break;
            }
        }
    }

    /// Kept branches are looked at again only once something follows on them.
    fn is_settled(&self, head: Hash) -> bool {
        self.kept.contains(&head)
    }

    /// True when the log has changed.
    fn consider_one(&mut self, head: Hash) -> bool {
        match self.course(head) {
            Some(Course::Follow(upto)) => {
                self.switch(upto);
                true
            }
            Some(Course::LeftOut(roll)) => self.rebel(roll),
            Some(Course::Fetch(heads)) => {
                for (device, (_, head)) in heads {
                    self.fetch(device, head);
                }
                false
            }
            Some(Course::Dispute(roll, heads)) => {
                let since =
                    self.disputed.filter(|(disputed, _)| *disputed == roll).map_or(self.now, |(_, since)| since);
                self.disputed = Some((roll, since));
                if self.now >= since + FETCH_MS {
                    self.accuse(roll);
                    return true;
                }
                for (device, (_, head)) in heads {
                    self.fetch(device, head);
                }
                false
            }
            Some(Course::WrongBase(roll)) => {
                self.accuse(roll);
                true
            }
            Some(Course::Stay) | None => false,
        }
    }

    /// Asks for a chain where it can be had: at the device whose head it is, else at every link.
    pub(super) fn fetch(&mut self, holder: DeviceId, head: Hash) {
        if self.peers.get(&holder).is_some_and(|peer| peer.linked) {
            return self.want(holder, head);
        }
        let links: Vec<DeviceId> = self.links().collect();
        for link in links {
            self.want(link, head);
        }
    }

    fn course(&self, head: Hash) -> Option<Course> {
        let log = self.log.as_ref()?;
        let common = log.common(log.head(), head)?;
        let new = log.chain(head, common.index + 1);
        if common.hash == log.head() {
            return Some(self.course_ahead(log, &new));
        }
        if !log.tip().is_owner(self.me) {
            // Who owns no seat has no weight: it follows the newest roll, or whoever is there.
            let newest = new.iter().rev().find(|entry| is_roll(entry))?;
            let newer = newest.term > log.tip().term;
            // Of two logs that nobody goes on with any log will do, if it is the same for all.
            let later = (newest.term, newest.hash) > (log.tip().term, log.roll());
            let better = newer || !self.is_alive(log.head()) && (self.is_alive(head) || later);
            if !better || newest.term < self.promise {
                return None;
            }
            // It has no weight, but knows a lie where it holds the proof.
            let wrong = new.iter().find(|entry| merge::is_wrong(&*self.port, log, entry));
            return Some(wrong.map_or(Course::Follow(head), |wrong| Course::WrongBase(wrong.hash)));
        }
        let given = self.answered.as_ref()?;
        let mine = new.iter().find(|entry| entry.term == given.term && given.is_in(entry))?;
        if mine.term <= log.tip().term || mine.term < self.promise {
            return None;
        }
        let before = new.iter().take_while(|entry| entry.index < mine.index);
        if let Some(wrong) = before.into_iter().find(|entry| merge::is_wrong(&*self.port, log, entry)) {
            return Some(Course::WrongBase(wrong.hash));
        }
        Some(match self.stands_right(log, mine) {
            Ok(()) => Course::Follow(mine.hash),
            Err(course) => course,
        })
    }

    /// Whether one of a log's owners is heard that holds it.
    fn is_alive(&self, head: Hash) -> bool {
        let Some(log) = &self.log else { return false };
        let Some(state) = log.state_at(&*self.port, head) else { return false };
        state.owners().iter().filter_map(|owner| self.peers.get(owner)).any(|peer| {
            let theirs = peer.hello.as_ref().and_then(|hello| hello.head);
            peer.is_heard(self.now) && theirs.is_some_and(|(_, theirs)| log.contains(head, theirs))
        })
    }

    /// What follows on the log is taken as far as the promise allows and each roll on the way holds.
    fn course_ahead(&self, log: &Log, new: &[&Known]) -> Course {
        let mut upto = None;
        let mut stopped = None;
        for (number, entry) in new.iter().enumerate() {
            if let Says::Roll { answers, .. } = &entry.says {
                let names_me = answers.iter().any(|answer| answer.device == self.me);
                if names_me && let Err(course) = self.stands_right(log, entry) {
                    // What an answer of long ago was about may be had nowhere any more.
                    let old = self.answered.as_ref().is_none_or(|given| !given.is_in(entry));
                    if !(old && matches!(course, Course::Fetch(_) | Course::Dispute(..))) {
                        stopped = Some(course);
                        break;
                    }
                }
                if !names_me && merge::is_wrong(&*self.port, log, entry) {
                    stopped = Some(Course::WrongBase(entry.hash));
                    break;
                }
                if !names_me && self.is_rivals(entry) {
                    stopped = Some(Course::Stay);
                    break;
                }
                if !names_me && self.calls_me_away(entry, &new[number + 1..]) {
                    stopped = Some(Course::LeftOut(entry.hash));
                    break;
                }
            }
            if may_take(self.promise, entry.term) {
                upto = Some(entry.hash);
            }
        }
        match (upto, stopped) {
            (_, Some(course @ Course::LeftOut(_))) => course,
            (Some(upto), _) => Course::Follow(upto),
            (None, Some(course)) => course,
            (None, None) => Course::Stay,
        }
    }

    /// Whether a roll follows on what section 8 gives for its answers.
    fn stands_right(&self, log: &Log, roll: &Known) -> Result<(), Course> {
        let Says::Roll { answers, .. } = &roll.says else { return Ok(()) };
        let lacking = merge::lacking(log, answers);
        if !lacking.is_empty() {
            return Err(Course::Fetch(lacking));
        }
        if merge::base(&*self.port, log, answers) == Some(roll.prev) {
            return Ok(());
        }
        let proofs = merge::proofs(log, answers);
        Err(if proofs.is_empty() { Course::WrongBase(roll.hash) } else { Course::Dispute(roll.hash, proofs) })
    }

    /// Whether a roll of the term that this device answered was made by another than it answered.
    fn is_rivals(&self, roll: &Known) -> bool {
        let Says::Roll { keeper, .. } = &roll.says else { return false };
        let last = roll.term == self.promise;
        // An own call that came to nothing was answered by itself alone: nobody builds on that.
        let calls = match self.duty {
            Duty::Calling(_) | Duty::Fetching { .. } | Duty::Writing { .. } => true,
            Duty::None | Duty::Keeping => false,
        };
        let rival =
            |given: &Given| given.term == roll.term && given.caller != *keeper && (given.caller != self.me || calls);
        last && self.answered.as_ref().is_some_and(rival)
    }

    /// Makes another chain the log, up to an entry.
    pub(super) fn switch(&mut self, upto: Hash) {
        let Some(log) = &mut self.log else { return };
        let Some(common) = log.common(log.head(), upto).map(|entry| entry.index + 1) else { return };
        let path: Vec<Hash> = log.chain(upto, common).iter().map(|entry| entry.hash).collect();
        self.step_back(common);
        for hash in path {
            let Some(log) = &mut self.log else { return };
            if log.adopt(&*self.port, hash).is_err() {
                break;
            }
            self.appended();
        }
        self.count_loose();
    }

    /// The log goes back to its first `len` entries; what it loses is a branch.
    fn step_back(&mut self, len: u32) {
        let Some(log) = &mut self.log else { return };
        if len >= log.len() {
            return;
        }
        let old = log.head();
        let was_shown = log.shown_len() > len;
        log.go_back(&*self.port, len);
        self.keep_branch(old);
        self.disk_goes_back(len);
        for peer in self.peers.values_mut() {
            peer.sent = peer.sent.min(len.checked_sub(1));
            peer.acked = peer.acked.min(len.checked_sub(1));
        }
        for wish in &mut self.wishes {
            wish.not_entered();
        }
        self.forget_told(len);
        if was_shown {
            self.event(crate::EventKind::Rewound { index: len - 1 });
            self.out.push_back(Output::Changed);
        }
    }

    /// After an entry has come into the log, made or followed: it is written, and what it settles is noted.
    /// Returns the ticket of its writing.
    pub(super) fn appended(&mut self) -> u64 {
        self.push_out();
        let Some(log) = &mut self.log else { return 0 };
        let Some((index, hash)) = log.head_of(log.len()) else { return 0 };
        log.journal(hash);
        let Some(known) = log.get(index) else { return 0 };
        let (sealed, says) = (known.sealed.clone(), known.says.clone());
        self.promise = self.promise.max(log.tip().term);
        for peer in self.peers.values_mut() {
            if peer.acked_ahead == Some((index, hash)) {
                (peer.acked, peer.acked_ahead) = (Some(index), None);
            }
        }
        if !self.wishes.is_empty()
            && let Some(Entry { body: Body::Act(act), .. }) = sealed.open()
        {
            self.wish_entered(&act);
        }
        let ticket = self.write_entry(sealed, (index, hash));
        match says {
            Says::Roll { answers, .. } => self.rolled(&answers),
            Says::Sat(device) if device == self.me => self.rolled_at = self.now,
            Says::Sat(_) | Says::Other => {}
        }
        ticket
    }

    pub(super) fn read_ack(&mut self, origin: DeviceId, index: u32, hash: Hash) {
        self.read_disk(origin, index, index, hash);
    }

    /// A device says that it has everything up to an entry on disk, in a log with this head.
    pub(super) fn read_disk(&mut self, origin: DeviceId, on_disk: u32, head: u32, hash: Hash) {
        let own = self.log.as_ref().and_then(|log| log.hash_at(head));
        let Some(peer) = self.peers.get_mut(&origin) else { return };
        let before = peer.acked;
        match own {
            Some(own) if own == hash => peer.acked = peer.acked.max(Some(on_disk)),
            None if on_disk == head => peer.acked_ahead = Some((head, hash)),
            Some(_) | None => {}
        }
        if peer.acked != before && self.news == News::Nothing {
            self.news = News::Acknowledged;
        }
    }

    /// This device follows the roll that was made with its answer, or sat down itself: what it has counts.
    pub(super) fn freshen(&mut self, entry: &Entry, before: &Before) {
        let Some(log) = &self.log else { return };
        let named = log.shown().named.contains(&self.me);
        let followed = match &entry.body {
            Body::Roll(roll) => self.answered.as_ref().is_some_and(|given| given.is_among(entry.term, roll)),
            Body::Act(_) => named && !before.named,
            Body::Opened(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => false,
        };
        if followed {
            self.fresh = false;
        }
    }
}

/// Whether an entry of this term may become the newest one.
fn may_take(promise: u64, term: u64) -> bool {
    term >= promise || planted(Bug::StaleTerm) || planted(Bug::PromiseBroken)
}

fn is_roll(entry: &Known) -> bool {
    matches!(entry.says, Says::Roll { .. })
}

/// As many entries as fit a message, at least one if there is one.
fn page_of<'a>(entries: impl Iterator<Item = &'a Known>) -> Vec<Sealed> {
    let (mut page, mut bytes) = (Vec::new(), 0);
    for entry in entries {
        bytes += entry.sealed.bytes.len() + 80;
        if bytes > PAGE_BYTES_MAX && !page.is_empty() {
            break;
        }
        page.push(entry.sealed.clone());
    }
    page
}

/// This device's newest answer to a call.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub term: u64,
    pub caller: DeviceId,
    pub here: Sealed,
    /// It was given when the caller no longer waited.
    pub late: bool,
}

impl Given {
    /// Whether a roll entry was made with it.
    fn is_in(&self, entry: &Known) -> bool {
        match entry.sealed.open() {
            Some(Entry { body: Body::Roll(roll), term, .. }) => self.is_among(term, &roll),
            Some(_) | None => false,
        }
    }

    fn is_among(&self, term: u64, roll: &Roll) -> bool {
        term == self.term && roll.answers.iter().any(|answer| answer.here == self.here)
    }
}
