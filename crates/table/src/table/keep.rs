//! The keeper's work: it enters what is valid, starts games, and has the CPU think for its seats. It decides nothing.

use super::roll::Duty;
use super::*;
use crate::Hash;
use crate::entry::Body;
use crate::seal::Sealed;
use crate::state::Invalid;

/// The CPU's work under way on this device.
#[derive(Debug)]
pub(super) struct Thinking {
    ticket: u64,
    pub seat: u8,
    at: Hash,
}

impl Table {
    pub(super) fn keeping(&self) -> bool {
        let Some(state) = self.log.as_ref().map(Log::tip) else { return false };
        let own = state.keeper == self.me && state.term == self.promise;
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
        if self.keeping() {
            self.enter(Body::Act(sealed)).ok();
        }
    }

    /// What the keeper does by itself.
    pub(super) fn keep(&mut self) {
        if self.keeping()
            && let Some(log) = &self.log
            && log.tip().may_start(log.len()).is_ok()
        {
            let game = log.tip().game_number() + 1;
            self.enter(Body::Start { game }).ok();
        }
        self.let_think();
    }

    fn let_think(&mut self) {
        let due = self.log.as_ref().filter(|_| self.keeping()).map(Log::tip).and_then(|state| {
            let seat = state.turn_seat().filter(|&seat| state.cpu_plays(seat) && state.somebody_here())?;
            Some((state, seat))
        });
        let under_way = self.thinking.as_ref().map(|thinking| (thinking.seat, thinking.at));
        match due {
            Some((state, seat)) if under_way != Some((seat, state.at)) => {
                let Some(game) = state.current.as_ref().map(|current| Box::new(current.game.clone())) else { return };
                let (level, at) = (state.cpu_level(seat), state.at);
                self.think_tickets += 1;
                let ticket = self.think_tickets;
                self.thinking = Some(Thinking { ticket, seat, at });
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
        let current = self.thinking.as_ref().is_some_and(|thinking| thinking.ticket == ticket);
        if !current || !self.keeping() {
            return;
        }
        if let Some(Thinking { seat, .. }) = self.thinking.take() {
            self.enter(Body::Cpu { seat, action }).ok();
        }
    }
}
