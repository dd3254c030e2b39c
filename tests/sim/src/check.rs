//! The invariants of PROTOCOL.md, section 15: each is a function with its number in its name. 1, 2, 3, 5 and 10 are
//! looked at when an entry is first written ([`crate::chains`]), 4 and 8 after every input of a device, the others at
//! the end of a game.

use std::fmt;

use table::message::Said;
use table::{DeviceId, Hash, Table};

use crate::chains::{Who, said};
use crate::counts::Kind;
use crate::device::Step;
use crate::faults::Faults;
use crate::trace::Trace;
use crate::world::World;

/// Within this time, in ms, devices that reach each other have one head; one second more is for the links to come up.
const ONE_HEAD_MS: u64 = 5_000 + 1_000;
/// A device that caused many rolls is left out for half a minute.
const UNSTEADY_MS: u64 = 32_000;
const UNSTEADY_ROLLS: usize = 12;
/// An act is in the log within this time, or has become invalid. Half a second is for the disks.
const ENTERED_MS: u64 = 6_000 + 500;
/// Beyond the grace a game waits for nobody longer than this.
const WAITS_MS: u64 = 5_000;

/// An invariant that does not hold. 0 is for what no page says, but every driver relies on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub invariant: u8,
    pub device: Option<usize>,
    pub at: u64,
    pub what: String,
}

impl Broken {
    pub fn new(invariant: u8, what: impl Into<String>) -> Broken {
        Broken { invariant, device: None, at: 0, what: what.into() }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = self.device.map_or("?".into(), Trace::name);
        write!(f, "invariant {} at {} ms, device {device}: {}", self.invariant, self.at, self.what)
    }
}

/// After every input of a device.
impl World {
    pub fn look_at(&mut self, device: usize, step: &Step) {
        let Some(table) = &self.devices[device].table else { return };
        let (head, promise) = (table.head(), table.promise());
        let ghost = table.ghost().is_some();
        if !self.is_honest(device) {
            if let Some(id) = head.and_then(|(_, hash)| self.chains.find(hash)) {
                self.follow_head(device, id);
            }
            return;
        }
        if let Some((index, hash)) = head {
            self.inv4_shown(device, index, hash);
        }
        self.inv8_promise(device, promise, step);
        self.inv11_ghost(device, ghost);
    }

    /// What a device sends.
    pub fn look_at_sent(&mut self, device: usize, bytes: &[u8], step: &mut Step) {
        // Others' letters that it passes on are theirs.
        let own = origin(bytes) == Some(self.devices[device].key.as_slice());
        if !own || !self.is_honest(device) {
            return;
        }
        match said_tag(bytes) {
            Some(tag::ACK) => {
                if let Some(Said::Ack { index, hash }) = said(bytes)
                    && step.acked != Some((index, hash))
                {
                    step.acked = Some((index, hash));
                    self.inv4_acked(device, hash);
                }
            }
            Some(tag::HERE) => {
                let Some(Said::Here(answer)) = said(bytes) else { return };
                let Some(here) = answer.here.open::<table::entry::Here>() else { return };
                self.inv4_answered(device, here.head.1);
                self.inv8_one_answer(device, here.term, here.caller);
                let at = &mut self.devices[device];
                at.answered = at.answered.max(here.term);
                at.answers.insert(here.term);
            }
            Some(_) | None => {}
        }
    }

    /// Whether an entry and all before it are on a device's disk.
    fn on_disk(&mut self, device: usize, id: usize) -> bool {
        self.devices[device].is_whole(self.chains.back(id))
    }

    /// 4. Nothing is shown that is not on the own disk; a device whose disk is full goes on in memory.
    fn inv4_shown(&mut self, device: usize, index: u32, hash: Hash) {
        let Some(id) = self.chains.find(hash) else {
            return self.fail_with(device, 4, format!("it shows entry {index}, which nobody ever wrote"));
        };
        // Entry 0 is the head as soon as it is there; what it says is shown once it is on the disk, like all others.
        if self.devices[device].log.last() == Some(&id) || index == 0 {
            return;
        }
        let before = self.devices[device].log.len();
        self.follow_head(device, id);
        let at = &self.devices[device];
        let from = before.min(at.log.len() - 1);
        let shown = at.log[from..].iter().find(|&&id| !at.is_durable(id)).copied();
        if let Some(id) = shown.filter(|_| !at.was_full) {
            let index = self.chains.all[id].index;
            self.fail_with(device, 4, format!("it shows entry {index}, which is not on its disk"));
        }
    }

    /// 4. Nothing is acknowledged that is not on the own disk, and nothing at all by a device that is fresh.
    fn inv4_acked(&mut self, device: usize, hash: Hash) {
        if self.devices[device].table.as_ref().is_some_and(Table::is_fresh) {
            return self.fail_with(device, 4, format!("fresh, it acknowledged {}", short(hash)));
        }
        let there = self.chains.find(hash).is_some_and(|id| self.on_disk(device, id));
        if !there {
            self.fail_with(device, 4, format!("it acknowledged {} that is not on its disk", short(hash)));
        }
    }

    /// 4. Nothing is answered with that is not on the own disk.
    fn inv4_answered(&mut self, device: usize, hash: Hash) {
        let there = self.chains.find(hash).is_some_and(|id| self.on_disk(device, id));
        if !there && !self.devices[device].was_full {
            self.fail_with(device, 4, format!("it answered with {} that is not on its disk", short(hash)));
        }
    }

    /// 4. Nothing counts as final that is not on the own disk and on that of another whom the newest roll names.
    pub fn inv4_final(&mut self, device: usize, upto: u32) {
        if !self.is_honest(device) {
            return;
        }
        let at = &self.devices[device];
        let (Some(&id), Some(&tip)) = (at.log.get(upto as usize), at.log.last()) else {
            return self.fail_with(device, 4, format!("entry {upto} is final and not shown"));
        };
        if !self.on_disk(device, id) {
            return self.fail_with(device, 4, format!("entry {upto} is final and not on its disk"));
        }
        let named = self.chains.all[tip].model.named;
        let mut others = (0..self.devices.len()).filter(|&other| other != device && named[other]).peekable();
        if others.peek().is_some() && !others.any(|other| !self.is_honest(other) || self.devices[other].is_durable(id))
        {
            self.fail_with(
                device,
                4,
                format!(
                    "entry {upto} is final and on no disk but its own; named {named:?}, head {}",
                    self.chains.all[tip].index
                ),
            );
        }
    }

    /// 4. A roll leaves its maker only once it is on the maker's disk: nobody else has it before.
    pub fn inv4_roll_on_disk(&mut self, device: usize, id: usize) {
        let known = &self.chains.all[id];
        if known.by != device || !self.is_honest(device) {
            return;
        }
        let waits = matches!(known.body, table::entry::Body::Roll(_));
        if waits {
            self.devices[device].own_roll = Some(id);
        }
    }

    /// 4. The same, for what a device sends.
    pub fn inv4_pushed(&mut self, device: usize, to: usize, bytes: &[u8]) {
        let Some(roll) = self.devices[device].own_roll else { return };
        let at = &self.devices[device];
        if at.is_durable(roll) || at.was_full {
            self.devices[device].own_roll = None;
            return;
        }
        let Some(table::message::Message::Push { entries }) = table::message::Message::from_bytes(bytes) else {
            return;
        };
        let hash = self.chains.all[roll].hash;
        if entries.iter().any(|sealed| self.port.hash(&sealed.bytes) == hash) {
            let to = Trace::name(to);
            self.fail_with(device, 4, format!("it sent {to} its roll before that was on its disk"));
        }
    }

    /// 8. Promises never go down within a process; nobody follows, makes or acknowledges an entry below the newest term
    ///    that it answered, but for those that lead to one of that term.
    fn inv8_promise(&mut self, device: usize, promise: u64, step: &Step) {
        let at = &mut self.devices[device];
        let (before, tip, answered) = (at.promise, at.tip_term, at.answered);
        at.promise = promise;
        if promise < before {
            return self.fail_with(device, 8, format!("its promise went from {before} down to {promise}"));
        }
        // A device that is called away though it is there goes as far as that roll, and calls in the same moment.
        let calls = promise > before;
        if step.wrote.is_some() && tip < answered && !calls {
            return self.fail_with(device, 8, format!("it took an entry of term {tip} after it answered {answered}"));
        }
        if let Some((index, _)) = step.acked.filter(|_| tip < answered) {
            self.fail_with(
                device,
                8,
                format!("it acknowledged entry {index} of term {tip} after it answered {answered}"),
            );
        }
    }

    /// 8. A device answers one caller a term, and no term below one that it has answered.
    fn inv8_one_answer(&mut self, device: usize, term: u64, caller: DeviceId) {
        let at = &mut self.devices[device];
        let before = at.given.replace((term, caller));
        if at.forgot {
            return;
        }
        match before {
            Some((then, other)) if then > term || then == term && other != caller => {
                self.fail_with(device, 8, format!("it answered term {term} after another answer in term {then}"));
            }
            Some(_) | None => {}
        }
    }

    /// 8. Promises do not go down by a restart either.
    pub fn inv8_restart(&mut self, device: usize, table: &Table) {
        let at = &mut self.devices[device];
        if at.forgot {
            at.answered = table.promise();
            return;
        }
        let at = &self.devices[device];
        if table.promise() < at.answered && self.is_honest(device) {
            let what = format!("it answered term {} and came back with promise {}", at.answered, table.promise());
            self.fail_with(device, 8, what);
        }
    }

    /// 11. A valid act held by a live, reachable owner is in the log within 6 s or has become invalid.
    fn inv11_ghost(&mut self, device: usize, ghost: bool) {
        let now = self.now;
        let at = &mut self.devices[device];
        if !ghost || !self.settled {
            at.ghost_since = None;
            return;
        }
        let since = *at.ghost_since.get_or_insert(now);
        if now > since + ENTERED_MS && self.plan.liar.is_none() {
            self.fail_with(device, 11, format!("its move waits for {} ms", now - since));
        }
    }
}

/// At the end of a game.
impl World {
    /// Lets the game come to its end: faults stop, and what must hold then is checked.
    pub fn finish(&mut self) {
        self.heal();
        self.people_act = false;
        self.inv9_one_head();
        if self.broken.is_some() {
            return;
        }
        self.settled = true;
        self.people_act = true;
        self.inv11_goes_on();
        self.people_act = false;
        if self.broken.is_none() {
            self.note_end();
            self.inv3_journals();
            self.inv6_final_kept();
            self.inv7_final_in_log();
            self.inv12_two_devices();
            self.inv13_bounds();
        }
    }

    fn note_end(&mut self) {
        if self.chains.carried() {
            self.seen.note(Kind::Carried);
        }
        let branches = self
            .up()
            .any(|device| self.devices[device].table.as_ref().is_some_and(|table| !table.branches().is_empty()));
        if branches {
            self.seen.note(Kind::Branch);
        }
        let forked = self.chains.all.iter().enumerate().any(|(id, known)| {
            known.parent.is_some_and(|parent| {
                self.chains.all[..id].iter().any(|other| other.parent == Some(parent) && other.checked && known.checked)
            })
        });
        if forked {
            self.seen.note(Kind::SplitHealed);
        }
    }

    /// Devices whose heads must be one.
    fn honest_up(&self) -> Vec<usize> {
        // Who watches and was shown a double signer's other entry stays on it until the next roll.
        let seated = |device: usize| self.devices[device].table.as_ref().is_some_and(|table| table.my_seat().is_some());
        let fooled = |device: usize| self.plan.liar.is_some() && !seated(device);
        self.up().filter(|&device| self.is_honest(device) && !fooled(device)).collect()
    }

    fn is_one(&self) -> bool {
        let up = self.honest_up();
        let tables = || up.iter().filter_map(|&device| self.devices[device].table.as_ref());
        let mut heads = tables().map(Table::head);
        let Some(first) = heads.next() else { return true };
        // Those who watch are linked with owners only.
        if up.iter().all(|&device| self.plan.watches(device)) {
            return true;
        }
        // Nobody sits there any more, each by its own log: there is nobody to call.
        let sits = |device: usize| self.devices[device].table.as_ref().is_some_and(|table| table.my_seat().is_some());
        if !up.iter().any(|&device| sits(device)) && up.iter().any(|&device| self.devices[device].person.stood) {
            return true;
        }
        let one = heads.all(|head| head == first);
        // A device that owns nothing and met nobody since its start does not know whether what it has is the table.
        let Some(state) = tables().next().and_then(Table::state) else {
            return one && (first.is_none() || up.len() == 1);
        };
        let here = state.seats.iter().zip(0..).all(|(seat, number)| {
            let owner = state.owner(number).and_then(|owner| self.number_of(owner));
            // Who lets its time run out again and again counts as not there until it does something.
            let there = |owner: &usize| up.contains(owner) && self.plan.dozer != Some(*owner);
            seat.here || !owner.as_ref().is_some_and(there)
        });
        one && (here || self.plan.liar.is_some())
    }

    /// 9. Devices that reach each other and have stopped failing have one head within 5 s, one keeper, and all of them
    ///    are here.
    fn inv9_one_head(&mut self) {
        let now = self.now;
        let recent = self.chains.all.iter().rev().take(60);
        let rolls = recent.filter(|known| matches!(known.body, table::entry::Body::Roll(_))).count();
        let liar = self.plan.liar.is_some();
        let limit = if rolls > UNSTEADY_ROLLS || liar { UNSTEADY_MS } else { ONE_HEAD_MS };
        while self.broken.is_none() && self.now < now + limit {
            self.run_until(self.now + 200);
            if self.now >= now + 1_000 && self.is_one() {
                return;
            }
        }
        if self.broken.is_none() {
            let heads: Vec<String> = self
                .heads()
                .into_iter()
                .map(|(device, head)| {
                    let head = head.map_or("nothing".into(), |(index, hash)| Trace::head(index, hash));
                    format!("{} {head}", Trace::name(device))
                })
                .collect();
            let away = if self.somebody_away() { ", somebody is away" } else { "" };
            self.fail(None, Broken::new(9, format!("after {limit} ms in reach: {}{away}", heads.join(", "))));
        }
    }

    /// What has happened in the game: its number, stones and choices, and whether it runs.
    fn progress(&self) -> Option<(u32, usize, bool)> {
        let tables = self.honest_up().into_iter().filter_map(|device| self.devices[device].table.as_ref());
        let states = tables.filter_map(Table::state).filter_map(|state| state.current.as_ref());
        states.map(|current| (current.number, current.game.actions().len(), current.game.result().is_none())).max()
    }

    /// 11. A game with one human here never waits for an absent device longer than grace + 5 s.
    fn inv11_goes_on(&mut self) {
        let human = |table: &Table| table.state().is_some() && table.my_seat().is_some();
        let here = self.honest_up().into_iter().any(|device| self.devices[device].table.as_ref().is_some_and(human));
        let before = self.progress();
        let plays = before.is_some_and(|(_, _, runs)| runs);
        if !here || !plays || self.plan.liar.is_some() {
            return self.run_until(self.now + 1_000);
        }
        let away = self.somebody_away() || self.devices.iter().any(|device| device.gone);
        if away && self.run.set == crate::faults::Set::Calm {
            return self.run_until(self.now + 1_000);
        }
        // Who came back and is alone waits for others first, and only then is there a countdown.
        let grace = if away { self.plan.grace_ms().unwrap_or(WAITS_MS) + table::limits::ALONE_MS } else { 0 };
        let end = self.now + grace + WAITS_MS;
        while self.broken.is_none() && self.now < end {
            self.run_until(self.now + 250);
            if self.progress() != before {
                return self.run_until(self.now + 1_000);
            }
        }
        // Whoever was here may have stood up meanwhile.
        let still = self.honest_up().into_iter().any(|device| self.devices[device].table.as_ref().is_some_and(human));
        if self.broken.is_none() && still {
            self.fail(None, Broken::new(11, format!("the game stands still: {before:?}, away: {away}")));
        }
    }

    /// 3. Every log on every device is valid from entry 0: the journals are read again, and give what is shown.
    fn inv3_journals(&mut self) {
        if !self.plan.reads_journals {
            return;
        }
        self.run_until(self.now + 300);
        for device in self.honest_up() {
            let at = &self.devices[device];
            let head = at.table.as_ref().and_then(Table::head);
            match Table::resume(at.keys.port(), [0; 32], &at.journal, 0) {
                Ok(read) if read.head() == head => {}
                // What a full disk refused is tried again after a while.
                Ok(_) if at.table.as_ref().is_some_and(Table::not_saved) => {}
                Ok(read) => {
                    let what = format!("its journal gives {:?}, it shows {head:?}", read.head());
                    self.fail_with(device, 3, what);
                }
                Err(table::ResumeError::Empty) if head.is_none() => {}
                Err(error) => self.fail_with(device, 3, format!("its journal cannot be read: {error}")),
            }
        }
    }

    /// 6. A final human act is on a living disk, in a log or a branch, as long as any of its holders' disks lives.
    fn inv6_final_kept(&mut self) {
        let finals = std::mem::take(&mut self.finals);
        let held = |device: usize| {
            let table = self.devices[device].table.as_ref();
            let heads = table.into_iter().flat_map(|table| {
                let branches = table.branches().into_iter().map(|branch| branch.head);
                table.head().map(|(_, hash)| hash).into_iter().chain(branches)
            });
            heads.filter_map(|hash| self.chains.find(hash)).collect::<Vec<usize>>()
        };
        let tips: Vec<usize> = self.up().flat_map(held).collect();
        let mut lost = None;
        for &(id, device) in &finals {
            let lives =
                (0..self.devices.len()).any(|other| !self.devices[other].gone && self.devices[other].is_durable(id));
            let there = tips.iter().any(|&tip| self.chains.contains(tip, id)) || self.is_in_log(id);
            if lives && !there {
                lost.get_or_insert((device, id));
            }
        }
        self.finals = finals;
        if let Some((device, id)) = lost {
            let what = format!("the final act {} is in no log and no branch", self.describe(id));
            self.fail_with(device, 6, what);
        }
    }

    /// Whether the same act is in the log that goes on, perhaps at another place.
    fn is_in_log(&self, id: usize) -> bool {
        let Some((_, digest)) = &self.chains.all[id].act else { return true };
        let tips = self.honest_up().into_iter().filter_map(|device| self.devices[device].log.last());
        tips.take(1).any(|&tip| {
            self.chains.back(tip).any(|back| self.chains.all[back].act.as_ref().is_some_and(|(_, own)| own == digest))
        })
    }

    fn describe(&self, id: usize) -> String {
        let known = &self.chains.all[id];
        format!("{} {:?}", Trace::head(known.index, known.hash), known.act.as_ref().map(|(intent, _)| intent))
    }

    /// 7. A final human act leaves the main log only if devices lived apart: if somebody was in a roll without it who
    ///    had never held it.
    fn inv7_final_in_log(&mut self) {
        let up = self.honest_up();
        let tips: Vec<usize> = up.iter().filter_map(|&device| self.devices[device].log.last().copied()).collect();
        let mut lost = None;
        for &(id, device) in &self.finals {
            // What was made a moment ago is not everywhere yet.
            if tips.iter().any(|&tip| self.chains.contains(tip, id)) || self.is_in_log(id) {
                continue;
            }
            let beside = |other: &usize| !self.chains.contains(*other, id) && !self.chains.contains(id, *other);
            let mut rolls = (0..self.chains.all.len()).filter(beside).filter_map(|other| {
                let table::entry::Body::Roll(roll) = &self.chains.all[other].body else { return None };
                Some((other, roll))
            });
            let held_by_all = |(other, roll): (usize, &table::entry::Roll)| {
                let made = self.chains.all[other].made;
                let held = |device: usize| self.devices[device].durable_since(id).is_some_and(|since| since <= made);
                roll.answers.iter().filter_map(|answer| self.chains.device(&answer.key)).all(held)
            };
            // With its only disks it is gone.
            let lives = self.up().any(|device| self.devices[device].is_durable(id) && !self.plan.watches(device));
            if lives && self.plan.liar.is_none() && rolls.all(held_by_all) {
                lost.get_or_insert((device, id));
            }
        }
        if let Some((device, id)) = lost {
            let what =
                format!("the final act {} left the log, though all in rolls without it held it", self.describe(id));
            self.fail_with(device, 7, what);
        }
    }

    /// Whether a device was left out just after it sat down: before it and the keeper had heard each other for a second.
    fn had_just_sat(&self, id: usize, device: usize) -> bool {
        let all = &self.chains.all;
        let out: Vec<usize> = self.chains.back(id).take_while(|&id| !all[id].model.named[device]).collect();
        let Some((&roll, named)) = out.last().and_then(|roll| Some((roll, all[*roll].parent?))) else { return false };
        let sat = self.chains.back(named).take_while(|&id| all[id].model.owns_any(device)).last();
        sat.is_some_and(|sat| all[roll].made < all[sat].made + 1_000)
    }

    /// 12. With two devices and no failures, no act that became final while the roll named both is ever taken back, and
    ///     no CPU move stands at the honest one's seat, whatever the other device signs.
    fn inv12_two_devices(&mut self) {
        let quiet = self.plan.people == 2 && self.plan.faults == Faults::default() && self.plan.dozer.is_none();
        let Some((liar, _)) = self.plan.liar.filter(|_| quiet) else { return };
        let honest = 1 - liar;
        let Some(&tip) = self.devices[honest].log.last() else { return };
        let both = |id: usize| {
            let named = self.chains.all[id].model.named;
            named[honest] && named[liar]
        };
        let taken_back =
            self.finals.iter().find(|&&(id, device)| device == honest && both(id) && !self.chains.contains(tip, id));
        // Who wanted to stand up has left its seat to the CPU, in whichever log.
        let left = self.devices[honest].person.stood;
        let played = self.chains.back(tip).filter(|_| !left).find(|&id| {
            let known = &self.chains.all[id];
            let (table::entry::Body::Cpu { seat, .. }, Some(parent)) = (&known.body, known.parent) else {
                return false;
            };
            let at = self.chains.all[parent].model.seats[usize::from(*seat)];
            at.who == Who::Person(honest) && !at.resigned && !self.had_just_sat(id, honest)
        });
        let broken = match (taken_back, played) {
            (Some(&(id, _)), _) => format!("the final act {} is taken back", self.describe(id)),
            (None, Some(id)) => format!("the CPU played its seat in entry {}", self.chains.all[id].index),
            (None, None) => return,
        };
        self.fail_with(honest, 12, broken);
    }

    /// 13. What a device keeps stays within the limits of section 4.
    fn inv13_bounds(&mut self) {
        for device in self.honest_up() {
            let Some(table) = &self.devices[device].table else { continue };
            let branches = table.branches().len();
            if branches > 64 {
                self.fail_with(device, 13, format!("{branches} branches"));
            }
        }
    }
}

fn short(hash: Hash) -> String {
    hash.to_string()[..4].to_owned()
}

/// What a letter says, by the number of its variant.
pub mod tag {
    pub const HELLO: u8 = 0;
    pub const ACK: u8 = 2;
    pub const HERE: u8 = 4;
}

/// Where in a letter its origin's key is: after the message's variant and the key's length.
const ORIGIN: std::ops::Range<usize> = 2..34;

/// The key of a letter's origin.
fn origin(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(ORIGIN).filter(|_| bytes.first() == Some(&0))
}

/// The variant of what a letter says, without reading the rest of it.
pub fn said_tag(bytes: &[u8]) -> Option<u8> {
    let after_number =
        |from: usize| bytes.get(from..)?.iter().position(|byte| byte & 0x80 == 0).map(|last| from + last + 1);
    if bytes.first() != Some(&0) {
        return None;
    }
    let note = after_number(ORIGIN.end)?;
    bytes.get(after_number(note + 16)?).copied()
}

#[cfg(test)]
mod tests {
    use table::message::{Letter, Message, Note};
    use table::seal::{Kind as Sealing, Sealed};
    use table::{Hash, TableId};

    use super::*;

    #[test]
    fn a_letters_kind_is_seen_without_reading_it() {
        let port = crate::port::Keys { number: 1, real: false }.port();
        for number in [1, 300, u64::MAX] {
            let said = Said::Ack { index: 5, hash: Hash([1; 32]) };
            let note =
                Sealed::new(&*port, Sealing::Letter, TableId([0; 16]), &Note { session: [200; 16], number, said });
            let bytes = Message::Letter(Letter { origin: [255; 32], note }).to_bytes();
            assert_eq!(said_tag(&bytes), Some(tag::ACK));
            assert_eq!(origin(&bytes), Some([255; 32].as_slice()));
        }
        assert_eq!(said_tag(&Message::Bye.to_bytes()), None);
    }
}
