//! Calling the roll and answering a call (PROTOCOL.md, section 7).

use std::collections::{BTreeMap, BTreeSet};

use super::follow::Given;
use super::*;
use crate::Hash;
use crate::entry::{Answer, Body, Here, Roll};
use crate::journal::Record;
use crate::log::Stand;
use crate::merge;
use crate::message::Said;
use crate::peers::Peer;
use crate::planted::{Bug, Lie, lying, planted};
use crate::seal::{Kind, Sealed};
use crate::state::{Invalid, answer_to};

/// What this device is doing for the table.
#[derive(Debug)]
pub(super) enum Duty {
    /// Nothing: another device keeps, or none does yet.
    None,
    Calling(Call),
    /// It lacks heads that were answered.
    Fetching {
        call: Call,
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
    /// Nobody is asked: what was built without this device is not built on.
    pub alone: bool,
}

/// An answer that is given when the promise is on disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owed {
    ticket: u64,
    pub term: u64,
    caller: DeviceId,
    called: Millis,
}

/// Reasons for a call that another device is to make, or that this one has made in vain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overdue {
    since: Option<Millis>,
    /// Calls in a row that were another's to make.
    calls: u32,
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

impl Overdue {
    /// Calls in vain are counted anew.
    pub fn begin_anew(&mut self) {
        self.calls = 0;
    }

    /// How long a device of this seat waits for whoever is to call.
    fn wait(self, seat: u8) -> Millis {
        (OVERDUE_MS + OVERDUE_SEAT_MS * Millis::from(seat)) << self.calls.min(OVERDUE_DOUBLINGS_MAX)
    }
}

impl Table {
    /// This device slept: what it knows may be old.
    pub(super) fn wake(&mut self) {
        self.fresh = true;
        self.answered = None;
        self.left_out.forget_answers();
        self.call_after = self.now;
        for peer in self.peers.values_mut() {
            peer.contact_since = None;
        }
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
                let late = self.now > owed.called + CALL_MS / 2;
                let (term, caller) = (owed.term, owed.caller);
                self.answered = Some(Given { term, caller, here: answer.here.clone(), late });
                if !late {
                    self.left_out.answered_in_time(term, caller);
                }
                self.say_to(owed.caller, Said::Here(answer));
            }
        }
        match &self.duty {
            Duty::Writing { ticket: roll } if *roll == ticket => {
                // Asleep in the meantime, it is fresh again, and calls anew.
                let term = self.log.as_ref().map(|log| log.tip().term);
                let awake = self.answered.as_ref().map(|given| given.term) == term || !self.fresh;
                self.duty = if awake { Duty::Keeping } else { Duty::None };
            }
            Duty::Calling(call) if call.promise == ticket => {
                let term = call.term;
                if let Some(own) = self.answer(term, self.me) {
                    self.answered = Some(Given { term, caller: self.me, here: own.0.here.clone(), late: false });
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
        let answered = if planted(Bug::HeadNotOnDisk) { log.len() } else { self.disk.reported() };
        let head = log.head_of(answered)?;
        let here = Here { term, caller, head, fresh: self.fresh, seats: self.own_seats_there() };
        let sealed = Sealed::new(&*self.port, Kind::Here, self.id, &here);
        Some((Answer { key: self.port.key(), here: sealed }, here))
    }

    /// Somebody calls: from the promise on this device takes, makes and acks nothing of a lower term.
    pub(super) fn read_call(&mut self, caller: DeviceId, term: u64) {
        let Some(state) = self.log.as_ref().map(Log::tip) else { return };
        let both_sit = self.is_party(caller) && state.is_owner(self.me);
        let shut_out = self.shut_out.contains(&caller);
        let own = match &self.duty {
            Duty::Calling(call) | Duty::Fetching { call, .. } => Some(call.term),
            Duty::None | Duty::Writing { .. } | Duty::Keeping => None,
        };
        let old = term <= self.promise && !planted(Bug::TwoAnswers);
        let too_far = term > self.promise.saturating_add(TERM_LEAP_MAX);
        if !both_sit || shut_out || too_far || old && own != Some(term) || self.calls_in_vain(caller) {
            return;
        }
        // Two called at once, and neither can answer the other: one of them calls again. Where logs have parted they may
        // not agree about seats, but they do about ids.
        if own == Some(term) && self.me < caller {
            return self.call(BTreeSet::new(), false);
        }
        if old {
            return;
        }
        self.promise = self.promise.max(term);
        self.answered_at = Some(self.now);
        // An own call would end the one that is answered.
        self.call_after = self.call_after.max(self.now + CALL_MS + CALL_AGAIN_MS);
        let kept = if planted(Bug::PromiseInMemory) { 0 } else { term };
        let ticket = self.write(Record::Promise(kept));
        self.owed = Some(Owed { ticket, term, caller, called: self.now });
        if planted(Bug::HeadNotOnDisk) {
            self.report_to_duties(ticket);
        }
    }

    /// A device says that it has promised a term far above this device's, and is not believed; but if somebody called it
    /// up there, both must come to where they can answer each other.
    pub(super) fn leap_towards(&mut self, origin: DeviceId, claimed: u64) {
        if !self.is_party(origin) || self.shut_out.contains(&origin) {
            return;
        }
        let now = self.now;
        let (leaps, then) = &mut self.peers.meet(origin, Peer::default).leaps;
        if *leaps >= LEAPS_MAX || *leaps > 0 && now < *then + HELLO_MS {
            return;
        }
        self.promise = claimed.min(self.promise.saturating_add(TERM_LEAP_MAX << *leaps));
        (*leaps, *then) = (*leaps + 1, now);
        self.write(Record::Promise(self.promise));
    }

    /// Whether a device calls again and again and makes no roll: others must come to theirs.
    fn calls_in_vain(&mut self, caller: DeviceId) -> bool {
        let now = self.now;
        let Some(peer) = self.peers.get_mut(&caller) else { return false };
        if now < peer.unheeded_until {
            return true;
        }
        let (calls, since) = peer.calls;
        // The one before had all its time: no other call came between.
        let vain = u8::from(peer.called.replace(now).is_some());
        peer.calls = if now >= since + UNSTEADY_MS { (vain, now) } else { (calls + vain, since) };
        if peer.calls.0 < VAIN_CALLS_MAX {
            self.note_overtaken(caller);
            return false;
        }
        (peer.calls, peer.called, peer.unheeded_until) = ((0, now), None, now + BLAME_MS);
        self.blame(caller);
        true
    }

    /// A call has come while others waited for their answers: it is not their fault if they come to nothing.
    fn note_overtaken(&mut self, by: DeviceId) {
        let now = self.now;
        let own = self.peers.get(&by).and_then(|peer| peer.called);
        for peer in self.peers.values_mut() {
            peer.called = peer.called.filter(|then| now >= then + CALL_MS);
        }
        if let Some(peer) = self.peers.get_mut(&by) {
            peer.called = own;
        }
    }

    pub(super) fn read_here(&mut self, origin: DeviceId, answer: Answer) {
        let is_party = self.is_party(origin);
        let Duty::Calling(call) = &mut self.duty else { return };
        let Some(here) = answer.here.open::<Here>() else { return };
        // Who is left out for a while is so although it answers.
        if self.peers.get(&origin).is_some_and(|peer| self.now < peer.left_out_until) {
            return;
        }
        let fits = self.port.device(&answer.key) == origin && here.term == call.term && here.caller == self.me;
        if fits && is_party && !call.alone && !call.answers.contains_key(&origin) && call.answers.len() < ANSWERS_MAX {
            call.answers.insert(origin, (answer, here));
        }
    }

    /// Calls when it is this device's to call and there is a reason, and goes on with a call.
    pub(super) fn tend_calls(&mut self) {
        self.retry_writes();
        self.consider();
        match &self.duty {
            Duty::None | Duty::Keeping => self.tend_causes(),
            Duty::Calling(call) => {
                let everybody = call.asked.iter().all(|device| call.answers.contains_key(device));
                if self.promise > call.term {
                    self.abandon_call();
                } else if call.answers.contains_key(&self.me) && (everybody || self.now >= call.deadline) {
                    self.gather();
                }
            }
            Duty::Fetching { .. } => self.gather(),
            Duty::Writing { .. } => {}
        }
    }

    /// Another call has gone further than this device's.
    fn abandon_call(&mut self) {
        self.duty = Duty::None;
        self.call_after = self.call_after.max(self.now + CALL_AGAIN_MS);
    }

    fn tend_causes(&mut self) {
        if matches!(self.duty, Duty::Keeping) && self.log.as_ref().is_none_or(|log| log.tip().keeper != self.me) {
            self.duty = Duty::None;
        }
        let Some(causes) = self.causes() else {
            self.overdue = Overdue::default();
            return;
        };
        if !causes.concern_me {
            self.overdue.since = None;
        }
        let Some(seat) = self.my_lowest_seat() else { return };
        if self.now < self.call_after {
            return;
        }
        if self.caller() == Some(self.me) {
            return self.call(causes.devices, false);
        }
        if !causes.concern_me {
            return;
        }
        let since = *self.overdue.since.get_or_insert(self.now);
        if self.now >= since + self.overdue.wait(seat) {
            self.overdue = Overdue { since: Some(self.now), calls: self.overdue.calls + 1 };
            self.call(causes.devices, false);
        }
    }

    /// When this device stops waiting for another's call.
    pub(super) fn overdue_at(&self) -> Option<Millis> {
        Some(self.overdue.since? + self.overdue.wait(self.my_lowest_seat()?))
    }

    fn my_lowest_seat(&self) -> Option<u8> {
        self.log.as_ref()?.tip().lowest_seat(self.me)
    }

    pub(super) fn call(&mut self, causes: BTreeSet<DeviceId>, alone: bool) {
        let Some(state) = self.log.as_ref().map(Log::tip) else { return };
        // Who owns no seat in its own log will not answer.
        let sits = |device: &DeviceId| self.sits_where_it_is(*device);
        let asked = if alone { BTreeSet::new() } else { self.group().into_iter().filter(sits).collect() };
        let heard = self.peers.values().filter_map(|peer| peer.hello.as_ref());
        let in_reach = self.promise.saturating_add(TERM_LEAP_MAX);
        let highest = heard.map(|hello| hello.promise.max(hello.term)).filter(|&term| term < in_reach).max();
        let term = highest.unwrap_or(0).max(self.promise).max(state.term) + 1;
        self.promise = term;
        self.let_rest();
        if !alone {
            self.say(Said::Call { term });
        }
        let promise = self.write(Record::Promise(term));
        self.note_overtaken(self.me);
        let deadline = self.now + CALL_MS;
        self.call_after = self.now + CALL_AGAIN_MS;
        self.duty = Duty::Calling(Call { term, promise, asked, answers: BTreeMap::new(), deadline, alone });
        self.note_unsteady(causes);
    }

    /// The CPU does not think on while nothing may be entered.
    pub(super) fn let_rest(&mut self) {
        if self.thinking.take().is_some() {
            self.out.push_back(Output::StopThinking);
        }
    }

    fn note_unsteady(&mut self, causes: BTreeSet<DeviceId>) {
        // Each without a seat has a roll's worth of patience, and all of them together have no more than a few.
        if causes.iter().any(|&device| !self.is_party(device)) {
            self.stranded.push_back(self.now);
            if self.stranded.len() > STRANDED_ROLLS_MAX {
                self.stranded.pop_front();
            }
        }
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

    /// The answers are in, or time is up: heads that are lacking are fetched, then the roll is made.
    fn gather(&mut self) {
        let (mut call, tried) = match std::mem::replace(&mut self.duty, Duty::None) {
            Duty::Calling(call) => (call, None),
            Duty::Fetching { call, deadline } => (call, Some(deadline)),
            other @ (Duty::None | Duty::Writing { .. } | Duty::Keeping) => {
                self.duty = other;
                return;
            }
        };
        let elsewhere = self.is_followed_elsewhere(call.term);
        let Some(log) = &self.log else { return };
        let overtaken = log.tip().term >= call.term || elsewhere;
        if self.promise > call.term || overtaken {
            return self.abandon_call();
        }
        let stands = stands_of(&call);
        let lacking = merge::lacking(log, &stands);
        // Others who know more would not follow.
        let (wanted, wait) = if lacking.is_empty() {
            (merge::proofs(log, &stands), FETCH_FAILED_MS)
        } else {
            (lacking.clone(), self.fetch_wait(&lacking))
        };
        let deadline = tried.unwrap_or(self.now + wait);
        if !wanted.is_empty() && self.now < deadline {
            self.duty = Duty::Fetching { call, deadline };
            for (device, (_, head)) in wanted {
                self.fetch(device, head);
            }
            return;
        }
        // A head that cannot be had: its answer is left out.
        for (device, _) in lacking {
            if let Some(peer) = self.peers.get_mut(&device) {
                peer.headless_until = self.now + BLAME_MS;
            }
        }
        let Some(log) = &self.log else { return };
        let known = |here: &Here| log.known(here.head.1).is_some_and(|entry| entry.index == here.head.0);
        call.answers.retain(|_, (_, here)| known(here));
        let check = log.check(&*self.port);
        let (term, me) = (call.term, self.me);
        call.answers.retain(|&device, (answer, _)| {
            answer_to(&check, answer, term, me).is_ok_and(|(signer, _)| signer == device)
        });
        self.make_roll(call);
    }

    /// How long a caller waits for heads that it lacks: less where all are of devices that failed before.
    fn fetch_wait(&self, lacking: &[(DeviceId, (u32, Hash))]) -> Millis {
        let failed = |device: &DeviceId| {
            let headless = self.peers.get(device).is_some_and(|peer| self.now < peer.headless_until);
            headless || self.is_blamed(*device)
        };
        if lacking.iter().all(|(device, _)| failed(device)) { FETCH_FAILED_MS } else { FETCH_MS }
    }

    /// Whether a device of the group already has a log of this term. One that says so again and again, and no such log
    /// comes, is not believed.
    fn is_followed_elsewhere(&mut self, term: u64) -> bool {
        let mut followed = false;
        for device in self.group() {
            let Some(peer) = self.peers.get_mut(&device) else { continue };
            let said = peer.hello.as_ref().map_or(0, |hello| hello.term);
            if said >= term && peer.claims.1 < VAIN_CLAIMS_MAX {
                peer.claims = (said, peer.claims.1 + 1);
                followed = true;
            }
        }
        followed
    }

    fn make_roll(&mut self, mut call: Call) {
        let Some(log) = &self.log else { return };
        let port = &*self.port;
        // Who owns no seat where the log goes on, and never sat where it did not, has no part in the roll.
        if lying(Lie::LeaveOut) {
            call.answers.retain(|&device, _| device == self.me);
        }
        let base = loop {
            let base = if lying(Lie::WrongBase) { Some(log.head()) } else { merge::base(port, log, &stands_of(&call)) };
            let Some(base) = base else { return self.abandon_call() };
            let Some(state) = log.state_at(port, base) else { return self.abandon_call() };
            let owners = state.owners();
            let belongs = |device: &DeviceId, head: Hash| {
                owners.contains(device)
                    || !log.contains(base, head)
                        && log.state_at(port, head).is_some_and(|state| state.is_owner(*device))
            };
            let before = call.answers.len();
            call.answers.retain(|device, (_, here)| belongs(device, here.head.1));
            if call.answers.len() == before {
                if !owners.contains(&self.me) {
                    // Another has to call: its calls are not to be answered by this one's.
                    self.call_after = self.now + SEATLESS_MS;
                    return;
                }
                break base;
            }
        };
        let named: BTreeSet<DeviceId> = call.answers.keys().copied().collect();
        let answers = call.answers.values().map(|(answer, _)| answer.clone()).collect();
        let roll = Roll { keeper: self.port.key(), answers };
        self.switch(base);
        match self.append_roll(call.term, roll) {
            Ok(()) => self.note_answers(&call, &named),
            Err(_) => self.call_after = self.now + CALL_AGAIN_MS,
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

    /// A roll has come into the log.
    pub(super) fn rolled(&mut self, answers: &[Stand]) {
        self.call_after = self.call_after.max(self.now + CALL_AGAIN_MS);
        if self.log.as_ref().is_some_and(|log| log.tip().named.contains(&self.me)) {
            self.rolled_at = self.now;
            self.overdue.since = None;
        }
        self.note_claims();
        for answer in answers {
            self.keep_branch(answer.head.1);
            // It answers, if not to this device: only an unsteady one is left out for longer.
            if let Some(peer) = self.peers.get_mut(&answer.device)
                && peer.left_out_until <= self.now + UNANSWERED_MS
            {
                peer.left_out_until = 0;
            }
        }
        self.gather_carried();
    }

    /// Whoever said that it has a log of the newest roll's term was right.
    fn note_claims(&mut self) {
        let Some((keeper, term)) = self.log.as_ref().map(|log| (log.tip().keeper, log.tip().term)) else { return };
        for peer in self.peers.values_mut().filter(|peer| keeper != self.me && peer.claims.0 == term) {
            peer.claims.1 = 0;
        }
    }
}

fn stands_of(call: &Call) -> Vec<Stand> {
    let stand =
        |(&device, (_, here)): (&DeviceId, &(Answer, Here))| Stand { device, head: here.head, fresh: here.fresh };
    call.answers.iter().map(stand).collect()
}
