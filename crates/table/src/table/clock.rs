//! The move limit (PROTOCOL.md, section 10): every device counts the budget of the seat to move by its own clock, the
//! owner's plays at its end, and the keeper has the roll called when nothing has come long after it. Also the
//! countdown of the grace of those who are away (section 9), which is of the same kind. No wall clock is read.

use std::collections::BTreeMap;

use rules::MoveLimit;

use super::*;
use crate::entry::Entry;
use crate::state::{Made, State};
use crate::{Grace, Hash};

/// What this device counts.
#[derive(Debug, Default)]
pub(super) struct Clock {
    run: Option<Run>,
    /// A seat whose move is overdue: the roll of this term is to be called anew.
    late: Option<Late>,
    /// Moves in a row that the clock made for own seats, since anything was touched.
    idle: BTreeMap<u8, u8>,
    /// Seats that are away: the entry that lost each, and when this device showed it.
    away: BTreeMap<u8, (u32, Hash, Millis)>,
    /// Since when somebody has had a part of the toss to reveal.
    revealing: Option<Millis>,
}

/// The budget of the move that is due.
#[derive(Debug)]
struct Run {
    seat: u8,
    at: Hash,
    /// Of the newest roll.
    term: u64,
    budget: Millis,
    spent: Millis,
    /// Up to when `spent` is counted.
    counted: Millis,
    running: bool,
    restarts: u8,
    /// The roll has been called for this budget.
    called: bool,
}

#[derive(Clone, Copy, Debug)]
struct Late {
    seat: u8,
    at: Hash,
    term: u64,
}

impl Clock {
    /// The next moment at which something is to be done.
    pub fn deadlines(&self) -> impl Iterator<Item = Millis> {
        let run = self.run.as_ref().filter(|run| run.running);
        let over = run
            .into_iter()
            .flat_map(|run| [run.budget, run.budget + LATE_MS].map(|end| run.counted + end.saturating_sub(run.spent)));
        over.chain(self.revealing.map(|since| since + REVEAL_MS))
    }
}

impl Table {
    /// The seats of this device whose players are there: not those for which only the clock has played of late.
    pub(super) fn own_seats_there(&self) -> Vec<u8> {
        let Some(log) = &self.log else { return Vec::new() };
        log.tip().seats_of(self.me).into_iter().filter(|&seat| !self.is_idle(seat)).collect()
    }

    fn is_idle(&self, seat: u8) -> bool {
        self.clock.idle.get(&seat).is_some_and(|&moves| moves >= CLOCK_MOVES_MAX)
    }

    /// Whether the newest roll says something else of this device's seats.
    pub(super) fn own_seats_differ(&self, state: &State) -> bool {
        let mut own = state.numbered().filter(|&(seat, _)| state.owner(seat) == Some(self.me));
        own.any(|(seat, at)| at.here == self.is_idle(seat))
    }

    /// The player is there.
    pub(super) fn touched(&mut self) {
        self.clock.idle.clear();
    }

    /// An entry is shown: who made the move that it may hold.
    pub(super) fn note_mover(&mut self, entry: &Entry) {
        let Some(state) = self.log.as_ref().filter(|_| !self.fresh).map(Log::shown) else { return };
        let Some(made) = state.current.as_ref().and_then(|current| current.moves.last()) else { return };
        if made.index != entry.index || state.owner(made.seat) != Some(self.me) {
            return;
        }
        match made.by {
            Made::Clock => {
                let moves = self.clock.idle.entry(made.seat).or_default();
                *moves = moves.saturating_add(1);
            }
            Made::Hand => {
                self.clock.idle.remove(&made.seat);
            }
            Made::Cpu => {}
        }
    }

    /// Counts the time that has passed since the last input, and what the newest entries begin.
    pub(super) fn tend_clock(&mut self) {
        let Some(log) = &self.log else { return };
        let state = log.shown();
        // Nobody's time passes that could not be used: the roll comes that says who is here.
        let goes_on = !self.fresh && self.hears(state.keeper) && waits_for_nobody(state);
        let has_moved = self.ghost().is_some();
        let mut run = due(state, self.now);
        if let (Some(new), Some(old)) = (&mut run, self.clock.run.take())
            && (new.seat, new.at) == (old.seat, old.at)
        {
            *new = old;
        }
        if let Some(run) = &mut run {
            let own = state.owner(run.seat) == Some(self.me);
            // What was slept through does not count.
            let from = run.counted.max(self.woke);
            if run.running {
                run.spent += self.now.saturating_sub(from);
            }
            run.counted = self.now;
            if run.term != state.term {
                run.term = state.term;
                // The owner's device plays once its time is over, whatever roll has come since.
                let over = own && run.spent >= run.budget;
                if run.restarts < RESTARTS_MAX && !over {
                    (run.spent, run.called) = (0, false);
                    run.restarts += 1;
                }
            }
            // What this device's person has decided is on its way: the way is not their time.
            run.running = goes_on && !(own && has_moved);
        }
        let late = self.clock.late.filter(|late| late.at == state.at);
        self.clock.late = late.filter(|late| state.term == late.term || state.is_away(late.seat));
        self.clock.run = run;
        self.note_away();
        self.note_reveals();
        self.call_late();
    }

    /// From when each seat that is away is counted: from when this device showed the entry that lost it.
    fn note_away(&mut self) {
        let Some(log) = &self.log else { return };
        let state = log.shown();
        let lost_by = |seat: u8| {
            let index = state.since[usize::from(seat)];
            Some((index, log.hash_at(index)?))
        };
        let before = std::mem::take(&mut self.clock.away);
        for seat in state.waited_for() {
            let Some((index, hash)) = lost_by(seat) else { continue };
            let known = before.get(&seat).filter(|known| (known.0, known.1) == (index, hash));
            self.clock.away.insert(seat, known.copied().unwrap_or((index, hash, self.now)));
        }
    }

    /// Who does not reveal is left out of the roll, so that nobody waits for it; it is not drawn then.
    fn note_reveals(&mut self) {
        let Some(state) = self.log.as_ref().map(Log::shown) else { return };
        let owing: Vec<DeviceId> = state.to_reveal().map(|commit| commit.device).collect();
        if owing.is_empty() {
            self.clock.revealing = None;
            return;
        }
        let since = *self.clock.revealing.get_or_insert(self.now);
        if !self.keeping() || self.now < since + REVEAL_MS {
            return;
        }
        self.clock.revealing = Some(self.now);
        for device in owing {
            if let Some(peer) = self.peers.get_mut(&device) {
                peer.left_out_until = peer.left_out_until.max(self.now + UNANSWERED_MS);
            }
        }
    }

    /// Long after a budget's end the keeper wants to know whether the seat is there at all.
    fn call_late(&mut self) {
        let keeping = self.keeping();
        let (Some(run), Some(log)) = (&mut self.clock.run, &self.log) else { return };
        let overdue = run.running && run.spent >= run.budget + LATE_MS && !run.called;
        if keeping && overdue && log.shown().owner(run.seat) != Some(self.me) {
            run.called = true;
            self.clock.late = Some(Late { seat: run.seat, at: run.at, term: run.term });
        }
    }

    /// The owner of a seat whose move is so late that the roll is to be called.
    pub(super) fn late_owner(&self, state: &State) -> Option<DeviceId> {
        let late = self.clock.late.filter(|late| (late.at, late.term) == (state.at, state.term))?;
        state.owner(late.seat)
    }

    /// Whether a seat was called for because its move is late, and did not answer.
    pub(super) fn is_late(&self, state: &State, seat: u8) -> bool {
        let late = self.clock.late.filter(|late| late.at == state.at && late.term < state.term);
        late.is_some_and(|late| late.seat == seat && state.turn_seat() == Some(seat))
    }

    /// The own seat whose time is over, and that nobody has moved for.
    pub(super) fn out_of_time(&self) -> Option<u8> {
        let run = self.clock.run.as_ref().filter(|run| run.running && run.spent >= run.budget)?;
        let state = self.log.as_ref()?.tip();
        let due = state.at == run.at && state.owner(run.seat) == Some(self.me) && !state.cpu_plays(run.seat);
        (due && !self.fresh && self.ghost().is_none()).then_some(run.seat)
    }

    pub(super) fn budget_left(&self, now: Millis) -> Option<Countdown> {
        let run = self.clock.run.as_ref()?;
        let since = if run.running { now.saturating_sub(run.counted) } else { 0 };
        let left = run.budget.saturating_sub(run.spent + since);
        Some(Countdown { seat: run.seat, left, running: run.running })
    }

    /// When the grace of a seat is over by this device's count; `None` if it is waited for without end, or is not away.
    pub(super) fn grace_over(&self, state: &State, seat: u8) -> Option<Millis> {
        let log = self.log.as_ref()?;
        let at = state.seats.get(usize::from(seat))?;
        let index = state.since.get(usize::from(seat))?;
        let &(lost, hash, since) = self.clock.away.get(&seat)?;
        let same = lost == *index && log.hash_at(lost) == Some(hash) && state.is_away(seat) && !at.taken;
        if !same || at.hold || state.playing() && state.settings.ranked {
            return None;
        }
        match state.settings.grace {
            Grace::Seconds(seconds) => Some(since + Millis::from(seconds) * 1_000),
            Grace::Never => None,
        }
    }

    /// The ends of all graces that run.
    pub(super) fn grace_ends(&self) -> impl Iterator<Item = Millis> {
        let state = self.log.as_ref().map(Log::shown);
        self.clock.away.keys().filter_map(move |&seat| self.grace_over(state?, seat))
    }
}

/// The budget that the state gives, from its beginning.
fn due(state: &State, now: Millis) -> Option<Run> {
    let seat = state.turn_seat().filter(|&seat| !state.cpu_plays(seat))?;
    let budget = match state.current.as_ref()?.game.rules().options().move_limit {
        MoveLimit::None => return None,
        MoveLimit::Seconds30 => 30_000,
        MoveLimit::Seconds60 => 60_000,
    };
    let (at, term) = (state.at, state.term);
    Some(Run { seat, at, term, budget, spent: 0, counted: now, running: false, restarts: 0, called: false })
}

/// Whether nobody who plays is away without the CPU playing there: as long as somebody is, no budget runs.
fn waits_for_nobody(state: &State) -> bool {
    !state.waited_for().into_iter().any(|seat| state.in_game(seat) && !state.cpu_plays(seat))
}
