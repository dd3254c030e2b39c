//! The keeper's work: it enters what is valid, starts games, and has the CPU think for its seats. It decides nothing.

use super::roll::Duty;
use super::wish::Want;
use super::*;
use crate::entry::{Body, Why};
use crate::planted::{Bug, Lie, lying, planted};
use crate::seal::Sealed;
use crate::state::Invalid;
use crate::{Hash, State};

/// The CPU's work under way on this device.
#[derive(Debug)]
pub(super) struct Thinking {
    ticket: u64,
    pub seat: u8,
    /// Its time is over and this device plays one move for it.
    by_clock: bool,
    at: Hash,
}

impl Table {
    pub(super) fn keeping(&self) -> bool {
        let Some(state) = self.log.as_ref().map(Log::tip) else { return false };
        let own = state.keeper == self.me && (state.term == self.promise || planted(Bug::PromiseBroken));
        matches!(self.duty, Duty::Keeping) && own && !self.fresh
    }

    /// Appends an entry, if it is valid.
    pub(super) fn enter(&mut self, body: Body) -> Result<(), Invalid> {
        let Some(log) = &mut self.log else { return Err(Invalid::Place) };
        let term = log.tip().term;
        log.make(&*self.port, term, body)?;
        self.appended();
        Ok(())
    }

    /// An act has come. One that is not valid is not answered: its author sees the log, too.
    pub(super) fn read_act(&mut self, sealed: Sealed) {
        if self.keeping() && self.halt.is_none() && !lying(Lie::Withhold) {
            self.enter(Body::Act(sealed)).ok();
        }
    }

    /// What the keeper does by itself.
    pub(super) fn keep(&mut self) {
        if self.keeping() && self.halt().is_none() {
            self.take_over();
            if let Some(log) = &self.log
                && log.tip().may_start(log.len()).is_ok()
            {
                let game = log.tip().game_number() + 1;
                self.enter(Body::Start { game }).ok();
            }
        }
        self.let_think();
    }

    /// Away seats whose time is over, or that somebody wants the CPU to play for, are taken.
    fn take_over(&mut self) {
        let Some(state) = self.log.as_ref().map(Log::tip).filter(|state| state.somebody_here()) else { return };
        let why = |&seat: &u8| {
            let asked = state.seats.get(usize::from(seat)).is_some_and(|at| at.asked);
            let over = || self.grace_over(state, seat).is_some_and(|over| over <= self.now || lying(Lie::NoGrace));
            let reasons = [(asked, Why::Asked), (self.is_late(state, seat), Why::Late), (over(), Why::Grace)];
            let why = reasons.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why);
            why.filter(|_| !self.comes_back(state, seat)).map(|why| (seat, why))
        };
        let due: Vec<(u8, Why)> = state.waited_for().iter().filter_map(why).collect();
        for (seat, why) in due {
            self.enter(Body::Taken { seat, why }).ok();
        }
    }

    /// Whether a seat's owner is heard again, with its player there: the next roll will have it. Who is heard and
    /// does not answer is not waited for.
    fn comes_back(&self, state: &State, seat: u8) -> bool {
        match state.owner(seat) {
            None => false,
            Some(owner) if self.shut_out.contains(&owner) => false,
            Some(owner) if owner == self.me => self.own_seats_there().contains(&seat),
            Some(owner) => self.peers.get(&owner).is_some_and(|peer| {
                let says = peer.hello.as_ref().is_some_and(|hello| hello.seats.contains(&seat));
                says && peer.is_heard(self.now) && self.now >= peer.left_out_until
            }),
        }
    }

    /// For whom the CPU is to think on this device: as the keeper for the CPU's seats, and for an own seat whose time
    /// is over.
    fn to_think(&self) -> Option<(u8, bool)> {
        let state = self.log.as_ref().map(Log::tip).filter(|_| self.halt().is_none())?;
        if let Some(seat) = self.out_of_time() {
            return Some((seat, true));
        }
        let seat = state.turn_seat().filter(|&seat| state.cpu_plays(seat) && state.somebody_here())?;
        let taken = state.seats.get(usize::from(seat)).is_some_and(|at| at.taken) && !state.has_resigned(seat);
        let lets_go = taken && self.comes_back(state, seat);
        (self.keeping() && !lets_go).then_some((seat, false))
    }

    fn let_think(&mut self) {
        let under_way = self.thinking.as_ref().map(|thinking| (thinking.seat, thinking.by_clock, thinking.at));
        let Some(state) = self.log.as_ref().map(Log::tip) else { return };
        match self.to_think() {
            Some((seat, by_clock)) if under_way != Some((seat, by_clock, state.at)) => {
                let Some(game) = state.current.as_ref().map(|current| Box::new(current.game.clone())) else { return };
                let (level, at) = (state.cpu_level(seat), state.at);
                self.think_tickets += 1;
                let ticket = self.think_tickets;
                self.thinking = Some(Thinking { ticket, seat, by_clock, at });
                self.out.push_back(Output::Think { ticket, seat, level, game });
            }
            None if under_way.is_some() => {
                self.thinking = None;
                self.out.push_back(Output::StopThinking);
            }
            Some(_) | None => {}
        }
    }

    pub(super) fn thought(&mut self, ticket: u64, action: Action) {
        let Some(thinking) = self.thinking.take_if(|thinking| thinking.ticket == ticket) else { return };
        if thinking.by_clock {
            if self.out_of_time() == Some(thinking.seat) {
                self.wish(Want::Play { action, by_clock: true }).ok();
            }
        } else if self.keeping() {
            self.enter(Body::Cpu { seat: thinking.seat, action }).ok();
        }
    }
}
