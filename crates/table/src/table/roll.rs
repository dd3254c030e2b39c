//! Calling the roll and answering a call (PROTOCOL.md, section 7). So far the opener's device alone calls and keeps.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::entry::{Answer, Body, Here, Roll};
use crate::journal::Record;
use crate::message::{FaultCode, Said};
use crate::seal::{Kind, Sealed};
use crate::state::Invalid;
use crate::{Hash, State};

/// What the opener's device is doing for the table.
#[derive(Debug)]
pub(super) enum Duty {
    /// Nothing: it is another device, or it is fresh.
    None,
    Calling(Call),
    /// It lacks the longest head that was answered.
    Fetching {
        call: Call,
        target: (u32, Hash),
        deadline: Millis,
    },
    /// Its roll, or entry 0, goes to its disk before anything leaves.
    Writing {
        ticket: u64,
    },
    Keeping,
}

/// A call under way.
#[derive(Debug)]
pub(super) struct Call {
    term: u64,
    /// The writing of the own promise, after which the own answer is made.
    promise: u64,
    asked: BTreeSet<DeviceId>,
    answers: BTreeMap<DeviceId, (Answer, Here)>,
    deadline: Millis,
}

/// An answer that is given when the promise is on disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owed {
    ticket: u64,
    term: u64,
    caller: DeviceId,
}

impl Duty {
    pub fn deadline(&self) -> Option<Millis> {
        match self {
            Duty::None | Duty::Writing { .. } | Duty::Keeping => None,
            Duty::Calling(call) => Some(call.deadline),
            Duty::Fetching { deadline, .. } => Some(*deadline),
        }
    }
}

impl Table {
    /// This device slept: what it knows may be old.
    pub(super) fn wake(&mut self) {
        self.fresh = true;
        self.answered = None;
        self.call_after = self.now;
        match self.duty {
            Duty::Writing { .. } | Duty::None => {}
            Duty::Calling(_) | Duty::Fetching { .. } | Duty::Keeping => self.duty = Duty::None,
        }
        self.let_rest();
    }

    /// A record's report has come: it may be what an answer or a roll waits for.
    pub(super) fn report_to_duties(&mut self, ticket: u64) {
        if let Some(owed) = self.owed.filter(|owed| owed.ticket == ticket) {
            self.owed = None;
            if let Some((answer, _)) = self.answer(owed.term, owed.caller) {
                self.answered = Some(owed.term);
                self.say_to(owed.caller, Said::Here(answer));
            }
        }
        match &self.duty {
            Duty::Writing { ticket: roll } if *roll == ticket => {
                // Asleep in the meantime, it is fresh again, and calls anew.
                let awake = self.answered == self.log.as_ref().map(|log| log.tip().term) || !self.fresh;
                self.duty = if awake { Duty::Keeping } else { Duty::None };
            }
            Duty::Calling(call) if call.promise == ticket => {
                let term = call.term;
                if let Some(own) = self.answer(term, self.me) {
                    self.answered = Some(term);
                    if let Duty::Calling(call) = &mut self.duty {
                        call.answers.insert(self.me, own);
                    }
                }
            }
            Duty::None | Duty::Calling(_) | Duty::Fetching { .. } | Duty::Writing { .. } | Duty::Keeping => {}
        }
    }

    /// This device's answer: its head is what is on its disk, or would be if the disk took it.
    fn answer(&self, term: u64, caller: DeviceId) -> Option<(Answer, Here)> {
        let log = self.log.as_ref()?;
        let head = log.head_of(self.disk.reported())?;
        let here = Here { term, caller, head, fresh: self.fresh, seats: log.tip().seats_of(self.me) };
        let sealed = Sealed::new(&*self.port, Kind::Here, self.id, &here);
        Some((Answer { key: self.port.key(), here: sealed }, here))
    }

    /// The opener's device calls: from the promise on this device takes and acks nothing of a lower term.
    pub(super) fn read_call(&mut self, caller: DeviceId, term: u64) {
        let Some(state) = self.log.as_ref().map(Log::tip) else { return };
        let may_call = caller == state.opener && state.opener != self.me && state.member_key(self.me).is_some();
        if !may_call || term <= self.promise || term > self.promise.saturating_add(TERM_LEAP_MAX) {
            return;
        }
        self.promise = term;
        let ticket = self.write(Record::Promise(term));
        self.owed = Some(Owed { ticket, term, caller });
    }

    pub(super) fn read_here(&mut self, origin: DeviceId, answer: Answer) {
        let Duty::Calling(call) = &mut self.duty else { return };
        let Some(here) = answer.here.open::<Here>() else { return };
        let fits = self.port.device(&answer.key) == origin && here.term == call.term && here.caller == self.me;
        if fits && !call.answers.contains_key(&origin) && call.answers.len() < ANSWERS_MAX {
            call.answers.insert(origin, (answer, here));
        }
    }

    /// Calls when it is this device's to call and there is a reason, and goes on with a call.
    pub(super) fn tend_calls(&mut self) {
        self.retry_writes();
        match &self.duty {
            Duty::None | Duty::Keeping => {
                if self.now >= self.call_after
                    && let Some(causes) = self.causes()
                {
                    self.call(causes);
                }
            }
            Duty::Calling(call) => {
                let everybody = call.asked.iter().all(|device| call.answers.contains_key(device));
                if call.answers.contains_key(&self.me) && (everybody || self.now >= call.deadline) {
                    self.gather();
                }
            }
            Duty::Fetching { target, deadline, .. } => {
                let arrived = self.log.as_ref().is_some_and(|log| log.len() > target.0);
                if arrived || self.now >= *deadline {
                    self.gather();
                } else {
                    let (index, head) = *target;
                    let holder = self.holders(index).next();
                    holder.into_iter().for_each(|holder| self.want(holder, head));
                }
            }
            Duty::Writing { .. } => {}
        }
    }

    /// Links to devices whose log reaches this index.
    fn holders(&self, index: u32) -> impl Iterator<Item = DeviceId> {
        let reaches = move |hello: &Hello| hello.head.is_some_and(|(head, _)| head >= index);
        self.peers
            .iter()
            .filter(move |(_, peer)| peer.linked && peer.hello.as_ref().is_some_and(reaches))
            .map(|(&device, _)| device)
    }

    /// The other owners' devices that are heard and not left out for a while.
    fn group(&self, state: &State) -> BTreeSet<DeviceId> {
        let in_it = |device: &DeviceId| {
            self.peers.get(device).is_some_and(|peer| {
                let sits = |hello: &Hello| {
                    state.numbered().any(|(seat, _)| state.owner(seat) == Some(*device) && is_there(state, seat, hello))
                };
                let sits = peer.hello.as_ref().is_some_and(sits);
                peer.is_heard(self.now) && sits && self.now >= peer.left_out_until
            })
        };
        let mut group: BTreeSet<DeviceId> = state.owners().into_iter().filter(in_it).collect();
        group.remove(&self.me);
        group
    }

    /// Why a call is due, by the devices that cause it; `None` when none is, or it is not for this device.
    fn causes(&self) -> Option<BTreeSet<DeviceId>> {
        let state = self.log.as_ref()?.tip();
        if state.opener != self.me {
            return None;
        }
        let group = self.group(state);
        let others = state.owners().into_iter().any(|owner| owner != self.me);
        if self.fresh {
            // Others may be on their way back: alone it waits for them a little.
            let waits = others && group.is_empty() && self.now < self.woke + ALONE_MS;
            return if waits { None } else { Some(BTreeSet::new()) };
        }
        let gone = state.named.iter().filter(|&device| *device != self.me && !group.contains(device));
        let mut causes: BTreeSet<DeviceId> = gone.copied().collect();
        causes.extend(group.iter().filter(|&&device| self.has_news(state, device)));
        let own_promise = self.promise > state.term;
        let own_seats = state.seats_of(self.me).iter().any(|&seat| !state.seats[usize::from(seat)].here);
        if own_promise || own_seats || !causes.is_empty() { Some(causes) } else { None }
    }

    /// Whether the newest roll is not what this device of the group says.
    fn has_news(&self, state: &State, device: DeviceId) -> bool {
        let Some(peer) = self.peers.get(&device) else { return false };
        let Some(hello) = &peer.hello else { return false };
        let owned = || state.numbered().filter(|&(seat, _)| state.owner(seat) == Some(device));
        let seats_differ = owned().any(|(seat, at)| at.here != is_there(state, seat, hello));
        // The roll that it answered, or the entry that seated it, has yet to come to its disk.
        let before = |index: u32| hello.on_disk.is_none_or(|on_disk| on_disk < index);
        let answered = peer.answered == Some((hello.session, state.term)) && hello.term < state.term;
        let on_its_way = answered || owned().any(|(seat, at)| at.here && before(state.since[usize::from(seat)]));
        let fresh = hello.fresh && !on_its_way;
        !state.named.contains(&device) || seats_differ || fresh || hello.promise > state.term
    }

    fn call(&mut self, causes: BTreeSet<DeviceId>) {
        let Some(state) = self.log.as_ref().map(Log::tip) else { return };
        let asked = self.group(state);
        let heard = self.peers.values().filter_map(|peer| peer.hello.as_ref());
        let highest = heard.map(|hello| hello.promise.max(hello.term)).max().unwrap_or(0);
        let term = highest.max(self.promise).max(state.term) + 1;
        self.promise = term;
        self.let_rest();
        self.say(Said::Call { term });
        let promise = self.write(Record::Promise(term));
        let deadline = self.now + CALL_MS;
        self.call_after = self.now + CALL_AGAIN_MS;
        self.duty = Duty::Calling(Call { term, promise, asked, answers: BTreeMap::new(), deadline });
        self.note_unsteady(causes);
    }

    /// The CPU does not think on while nothing may be entered.
    fn let_rest(&mut self) {
        if self.thinking.take().is_some() {
            self.out.push_back(Output::StopThinking);
        }
    }

    fn note_unsteady(&mut self, causes: BTreeSet<DeviceId>) {
        for device in causes {
            let Some(peer) = self.peers.get_mut(&device) else { continue };
            peer.caused.push_back(self.now);
            while peer.caused.front().is_some_and(|&then| then + UNSTEADY_MS < self.now) {
                peer.caused.pop_front();
            }
            if peer.caused.len() > UNSTEADY_ROLLS {
                peer.caused.clear();
                peer.left_out_until = self.now + UNSTEADY_MS;
            }
        }
    }

    /// The answers are in, or time is up: the longest head that was answered is fetched if it is lacking, then the
    /// roll is made.
    fn gather(&mut self) {
        let (mut call, tried) = match std::mem::replace(&mut self.duty, Duty::None) {
            Duty::Calling(call) => (call, None),
            Duty::Fetching { call, deadline, .. } => (call, Some(deadline)),
            other @ (Duty::None | Duty::Writing { .. } | Duty::Keeping) => {
                self.duty = other;
                return;
            }
        };
        let Some(log) = &self.log else { return };
        let len = log.len();
        let parted: Vec<(u32, Hash)> = call
            .answers
            .values()
            .map(|(_, here)| here.head)
            .filter(|&(index, hash)| index < len && log.hash_at(index) != Some(hash))
            .collect();
        call.answers.retain(|_, (_, here)| !parted.contains(&here.head));
        for (index, hash) in parted {
            self.complain(index, hash, FaultCode::Parted);
        }
        let lacking = call.answers.values().map(|(_, here)| here.head).filter(|&(index, _)| index >= len);
        let deadline = tried.unwrap_or(self.now + FETCH_MS);
        match lacking.max_by_key(|&(index, _)| index) {
            Some(target) if self.now < deadline => {
                self.duty = Duty::Fetching { call, target, deadline };
                self.tend_calls();
            }
            Some(_) | None => {
                // A head that cannot be had: its answer is left out.
                call.answers.retain(|_, (_, here)| here.head.0 < len);
                self.make_roll(call);
            }
        }
    }

    fn make_roll(&mut self, call: Call) {
        let Some(log) = &self.log else { return };
        let valid = |answer: &Answer| {
            log.check_with(&*self.port, |state, check| state.answer(check, answer, call.term, self.me).is_ok())
        };
        let answers: Vec<(DeviceId, Answer)> = call
            .answers
            .iter()
            .filter(|(_, (answer, _))| valid(answer))
            .map(|(&device, (answer, _))| (device, answer.clone()))
            .collect();
        let named: BTreeSet<DeviceId> = answers.iter().map(|&(device, _)| device).collect();
        let roll = Roll { keeper: self.port.key(), answers: answers.into_iter().map(|(_, answer)| answer).collect() };
        match self.append_roll(call.term, roll) {
            Ok(()) => self.note_answers(&call, &named),
            // The log has grown beyond every answer while it was fetched: the next call's answers have it all.
            Err(_) => self.call_after = self.now,
        }
    }

    fn append_roll(&mut self, term: u64, roll: Roll) -> Result<(), Invalid> {
        let Some(log) = &mut self.log else { return Err(Invalid::Place) };
        log.make(&*self.port, term, Body::Roll(roll))?;
        // It is written before anything of it leaves; the ticket is known in a moment.
        self.duty = Duty::Writing { ticket: 0 };
        let ticket = self.appended();
        self.duty = Duty::Writing { ticket };
        Ok(())
    }

    fn note_answers(&mut self, call: &Call, named: &BTreeSet<DeviceId>) {
        for device in &call.asked {
            let Some(peer) = self.peers.get_mut(device) else { continue };
            if named.contains(device) {
                peer.answered = peer.hello.as_ref().map(|hello| (hello.session, call.term));
            } else {
                peer.left_out_until = peer.left_out_until.max(self.now + UNANSWERED_MS);
            }
        }
        self.call_after = self.now + CALL_AGAIN_MS;
    }
}

/// Whether a seat's player is there, by its device's `Hello`. Before a device has the entry that seated it, it cannot
/// say so.
fn is_there(state: &State, seat: u8, hello: &Hello) -> bool {
    let at = usize::from(seat);
    let behind = hello.head.is_none_or(|(head, _)| head < state.since[at]);
    hello.seats.contains(&seat) || behind && state.seats[at].here
}
