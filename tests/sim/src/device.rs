//! One device: its process, its clock, its disk, and what the checks remember of it.

use std::collections::{BTreeSet, VecDeque};

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use table::seal::{Sealed, decode};
use table::{DeviceId, Hash, Input, Table};

use crate::chains::DEVICES;
use crate::check::Broken;
use crate::counts::Kind;
use crate::person::Person;
use crate::plan::Plan;
use crate::port::Keys;
use crate::world::{What, World};

/// A record that is being written.
#[derive(Debug)]
pub struct Pending {
    pub ticket: u64,
    pub record: Vec<u8>,
    /// The entry in it.
    pub entry: Option<usize>,
}

/// What a device did after one input, as far as the checks need it together.
#[derive(Debug, Default)]
pub struct Step {
    /// The last entry that it asked to be written.
    pub wrote: Option<usize>,
    /// The head of an acknowledgement.
    pub acked: Option<(u32, Hash)>,
}

pub struct Device {
    pub keys: Keys,
    pub key: [u8; 32],
    pub id: DeviceId,
    pub table: Option<Table>,
    pub process: u32,
    pub person: Person,
    /// Its clock: what it showed when the process started, when that was, and its speed in thousandths.
    offset: u64,
    booted: u64,
    speed: u64,
    pub journal: Vec<Vec<u8>>,
    pub pending: VecDeque<Pending>,
    /// Writes fail until then.
    pub full_until: u64,
    /// Records that it has refused and not been asked for again.
    missing: VecDeque<Vec<u8>>,
    pub asleep_until: u64,
    /// What came while it slept.
    pub deferred: Vec<What>,
    pub slow_until: u64,
    /// It has said goodbye, and its process is about to end.
    pub leaving: bool,
    /// It never comes back.
    pub gone: bool,
    /// Dies at that step of writing: so many more, and where in it.
    pub dies_at_write: Option<(u32, DiesAt)>,

    /// By entry: since when it is on this disk, in ms.
    durable: Vec<Option<u64>>,
    /// By entry: it and all before it are on this disk.
    whole: Vec<bool>,
    /// Its log as it shows it.
    pub log: Vec<usize>,
    pub final_upto: Option<u32>,
    /// The newest entry that was taken.
    pub tip_term: u64,
    /// The highest term that it has answered in a letter.
    pub answered: u64,
    pub promise: u64,
    /// Its disk refused something in this process.
    pub was_full: bool,
    /// It died with something that its disk had refused: it may have promised and signed what it knows nothing of.
    pub forgot: bool,
    /// The newest roll, or entry 0, that it made: its term, and the process that made it.
    rolled: (u64, u32),
    /// The newest answer: its term and the caller.
    pub given: Option<(u64, DeviceId)>,
    /// The terms that its process answered in.
    pub answers: BTreeSet<u64>,
    /// Entries that its process asked to be written.
    asked: BTreeSet<usize>,
    /// A roll of its own that may not be on its disk yet.
    pub own_roll: Option<usize>,
    /// Since when a move of its person waits.
    pub ghost_since: Option<u64>,
}

/// Where in the writing of a record a process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiesAt {
    /// The record is lost, or torn.
    Before,
    /// It is on disk, and the process never heard.
    Unreported,
    /// Right after it was told and did what it does then.
    Reported,
}

impl Device {
    pub fn new(keys: Keys, plan: &Plan, rng: &mut ChaCha8Rng) -> Device {
        let port = keys.port();
        let drift = plan.faults.drift;
        Device {
            keys,
            key: port.key(),
            id: port.device(&port.key()),
            table: None,
            process: 0,
            person: Person::of(keys.number, plan, rng),
            offset: 0,
            booted: 0,
            speed: rng.random_range(1000 - drift..=1000 + drift),
            journal: Vec::new(),
            pending: VecDeque::new(),
            full_until: 0,
            missing: VecDeque::new(),
            asleep_until: 0,
            deferred: Vec::new(),
            slow_until: 0,
            leaving: false,
            gone: false,
            dies_at_write: None,
            durable: Vec::new(),
            whole: Vec::new(),
            log: Vec::new(),
            final_upto: None,
            tip_term: 0,
            answered: 0,
            promise: 0,
            was_full: false,
            forgot: false,
            rolled: (0, 0),
            given: None,
            answers: BTreeSet::new(),
            asked: BTreeSet::new(),
            own_roll: None,
            ghost_since: None,
        }
    }

    /// What the device's clock shows at a moment of the world.
    pub fn local(&self, now: u64) -> u64 {
        self.offset + (now - self.booted) * self.speed / 1000
    }

    /// The moment at which its clock shows this.
    pub fn world(&self, local: u64) -> u64 {
        self.booted + (local.saturating_sub(self.offset) * 1000).div_ceil(self.speed)
    }

    /// The first process, with its table.
    pub fn boot(&mut self, now: u64, table: Table) {
        self.booted = now;
        self.table = Some(table);
    }

    pub fn begin_process(&mut self, now: u64, offset: u64) {
        (self.booted, self.offset) = (now, offset);
        self.process += 1;
        self.promise = 0;
        self.log.clear();
        self.final_upto = None;
        self.was_full = false;
        self.leaving = false;
        self.asked.clear();
        self.answers.clear();
        self.own_roll = None;
        self.ghost_since = None;
        self.dies_at_write = None;
    }

    pub fn is_durable(&self, entry: usize) -> bool {
        self.durable_since(entry).is_some()
    }

    pub fn durable_since(&self, entry: usize) -> Option<u64> {
        self.durable.get(entry).copied().flatten()
    }

    /// Whether an entry and all before it, given the newest first, are on this disk. What is there stays there.
    pub fn is_whole(&mut self, chain: impl Iterator<Item = usize>) -> bool {
        let mut new = Vec::new();
        for entry in chain {
            if self.whole.get(entry) == Some(&true) {
                break;
            }
            if !self.is_durable(entry) {
                return false;
            }
            new.push(entry);
        }
        for entry in new {
            if self.whole.len() <= entry {
                self.whole.resize(entry + 1, false);
            }
            self.whole[entry] = true;
        }
        true
    }

    fn keep(&mut self, pending: Pending, now: u64) {
        if let Some(entry) = pending.entry {
            if self.durable.len() <= entry {
                self.durable.resize(entry + 1, None);
            }
            self.durable[entry].get_or_insert(now);
        }
        self.journal.push(pending.record);
    }
}

/// The entry in a journal's record, by the format of `crates/table/src/journal.rs`: a version, a variant (0: an
/// entry of the log, 3: one of a branch), the entry with its signature. Also whether it is the log's.
fn entry_in(record: &[u8]) -> Option<(Sealed, bool)> {
    match record.get(1) {
        Some(0) => Some((decode(&record[2..])?, true)),
        Some(3) => Some((decode(&record[2..])?, false)),
        Some(_) | None => None,
    }
}

impl World {
    pub fn write(&mut self, device: usize, ticket: u64, record: Vec<u8>, step: &mut Step) {
        let mut entry = None;
        if let Some((sealed, of_log)) = entry_in(&record) {
            let known = self.chains.all.len();
            let honest = self.is_honest(device);
            self.chains.now = self.now;
            match self.chains.add(&*self.port, &sealed, &self.table.0, honest) {
                Ok(id) => {
                    entry = Some(id);
                    let at = self.devices[device].table.as_ref();
                    let knows = |hash| at.is_some_and(|table| table.has_entry(hash));
                    // Without a seat in its own log it follows the newest roll.
                    let bound = honest && !self.devices[device].person.stood;
                    if of_log
                        && bound
                        && let Err(broken) = self.chains.inv3_base(id, device, &self.devices[device].answers, &knows)
                    {
                        self.fail(Some(device), broken);
                    }
                    // What could not be written at first is no news when it is tried again.
                    if of_log && self.devices[device].asked.insert(id) {
                        step.wrote = entry;
                        self.devices[device].tip_term = self.chains.all[id].term;
                    }
                    if id == known {
                        self.note_entry(device, id);
                    }
                    if self.trace.on {
                        self.trace.write(self.now, device, &self.chains.all[id], id == known, of_log);
                    }
                }
                Err(broken) => self.fail(Some(device), broken),
            }
        }
        self.devices[device].pending.push_back(Pending { ticket, record, entry });
        let slow = self.devices[device].slow_until > self.now;
        let after = if slow { self.between(50, 700) } else { self.between(1, 8) };
        let process = self.devices[device].process;
        self.at(after, What::Disk { device, process, ticket });
    }

    /// Reports come in the order of the writes: those before this one are done, too.
    pub fn disk_done(&mut self, device: usize, ticket: u64) {
        while self.devices[device].pending.front().is_some_and(|pending| pending.ticket <= ticket) {
            let at = &mut self.devices[device];
            let Some(pending) = at.pending.pop_front() else { return };
            let ticket = pending.ticket;
            // Nothing newer is written while an older record is missing.
            let in_turn = at.missing.front().is_none_or(|first| *first == pending.record);
            if at.full_until > self.now || !in_turn {
                at.was_full = true;
                if !at.missing.contains(&pending.record) {
                    at.missing.push_back(pending.record);
                }
                self.seen.note(Kind::FullDisk);
                self.handle(device, Input::WriteFailed { ticket });
                continue;
            }
            at.missing.pop_front();
            let dies = at.dies_at_write.as_mut().and_then(|(left, how)| {
                *left = left.saturating_sub(1);
                (*left == 0).then_some(*how)
            });
            if dies == Some(DiesAt::Before) {
                self.seen.note(Kind::TornWrite);
                return self.die_at_write(device);
            }
            at.keep(pending, self.now);
            if dies == Some(DiesAt::Unreported) {
                return self.die_at_write(device);
            }
            self.handle(device, Input::Written { ticket });
            if dies == Some(DiesAt::Reported) {
                return self.die_at_write(device);
            }
        }
    }

    fn die_at_write(&mut self, device: usize) {
        self.seen.note(Kind::CrashAtWrite);
        self.kill(device, 0);
        let after = self.between(100, 7_000);
        self.at(after, What::Start { device });
    }

    /// Ends a process. Of the writes under way the first `kept` survive; of the others nothing is left, torn or not.
    pub fn kill(&mut self, device: usize, kept: usize) {
        if self.trace.on {
            let line = format!(
                "{} dies, {} writes under way",
                crate::trace::Trace::name(device),
                self.devices[device].pending.len()
            );
            self.trace.line(self.now, &line);
        }
        self.ticks[device] = u64::MAX;
        let at = &mut self.devices[device];
        at.forgot |= at.table.as_ref().is_some_and(Table::not_saved);
        at.table = None;
        at.process += 1;
        at.asleep_until = 0;
        at.deferred.clear();
        at.missing.clear();
        let mut pending = std::mem::take(&mut at.pending);
        let kept = if at.full_until > self.now { 0 } else { kept.min(pending.len()) };
        for record in pending.drain(..kept) {
            at.keep(record, self.now);
        }
        if !pending.is_empty() {
            self.seen.note(Kind::TornWrite);
        }
        self.break_all(device);
    }

    /// Notes what a new entry is, for the counts, and checks that its maker may sign it.
    fn note_entry(&mut self, device: usize, id: usize) {
        use table::entry::Body;
        use table::{Act, Proposal};
        let known = &self.chains.all[id];
        let by = known.by;
        match (&known.body, &known.act) {
            (Body::Roll(_), _) => {
                self.seen.note(Kind::Rolled);
                let before = known.parent.map(|parent| self.chains.all[parent].model.clone());
                if let Some(before) = before {
                    if before.keeper != by {
                        self.seen.note(Kind::KeeperChange);
                    }
                    let back = known.model.seats.iter().zip(before.seats).any(|(now, then)| then.taken && now.here);
                    if back {
                        self.seen.note(Kind::Returned);
                    }
                }
            }
            (Body::Taken { .. }, _) => self.seen.note(Kind::Taken),
            (_, Some((intent, _))) => {
                let kind = match &intent.act {
                    Act::Offer(Proposal::Undo) => Some(Kind::OfferUndo),
                    Act::Offer(Proposal::Draw) => Some(Kind::OfferDraw),
                    Act::Offer(Proposal::Options(_)) => Some(Kind::OfferOptions),
                    Act::Move { by_clock: true, .. } => Some(Kind::ClockMove),
                    Act::Reveal { .. } => Some(Kind::Toss),
                    Act::Hold { .. } => Some(Kind::Hold),
                    Act::CpuNow { .. } => Some(Kind::CpuNow),
                    Act::Resign => Some(Kind::Resigned),
                    Act::Stand => Some(Kind::Stood),
                    Act::Sit { .. } | Act::Ready { .. } | Act::Move { .. } | Act::Answer { .. } => None,
                };
                if let Some(kind) = kind {
                    self.seen.note(kind);
                }
            }
            _ => {}
        }
        if by < DEVICES && self.is_honest(by) && !self.devices[by].forgot {
            let checked = self.chains.inv5_one_successor(id);
            if let Err(broken) = checked {
                self.fail(Some(by), broken);
            }
        }
        self.inv4_roll_on_disk(device, id);
        self.inv5_same_process(device, id);
    }

    /// 5. A keeper keeps only within the roll that it made, in the same process.
    fn inv5_same_process(&mut self, device: usize, id: usize) {
        use table::entry::Body;
        let known = &self.chains.all[id];
        if known.by != device || !self.is_honest(device) {
            return;
        }
        let (term, at) = (known.term, &mut self.devices[device]);
        if matches!(known.body, Body::Roll(_) | Body::Opened(_)) {
            at.rolled = (term, at.process);
        } else if at.rolled != (term, at.process) && !at.forgot {
            let what = format!("it keeps term {term}, and its process made no such roll");
            self.fail_with(device, 5, what);
        }
    }

    pub fn is_honest(&self, device: usize) -> bool {
        self.plan.liar.is_none_or(|(liar, _)| liar != device)
    }

    /// The log as the device shows it has another head.
    pub fn follow_head(&mut self, device: usize, head: usize) {
        let mut fresh = Vec::new();
        for id in self.chains.back(head) {
            let index = self.chains.all[id].index as usize;
            if self.devices[device].log.get(index) == Some(&id) {
                break;
            }
            fresh.push(id);
        }
        let at = &mut self.devices[device];
        let after = self.chains.all[head].index as usize + 1;
        let start = fresh.last().map_or(after, |&first| self.chains.all[first].index as usize);
        at.log.truncate(start);
        at.log.extend(fresh.into_iter().rev());
    }

    pub fn note_final(&mut self, device: usize, upto: u32) {
        let Some(head) = self.devices[device].table.as_ref().and_then(Table::head) else { return };
        if let Some(id) = self.chains.find(head.1) {
            self.follow_head(device, id);
        }
        self.inv4_final(device, upto);
        let at = &mut self.devices[device];
        let from = at.final_upto.map_or(0, |before| before + 1).min(upto);
        at.final_upto = Some(upto);
        for index in from..=upto {
            if let Some(&id) = self.devices[device].log.get(index as usize)
                && self.chains.all[id].is_human()
                && self.is_honest(device)
            {
                self.finals.push((id, device));
            }
        }
    }

    pub fn fail_with(&mut self, device: usize, invariant: u8, what: impl Into<String>) {
        self.fail(Some(device), Broken::new(invariant, what));
    }
}
