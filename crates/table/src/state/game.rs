//! How games start, go on and end at the table (RULES.md, sections 3 and 8).

use rules::{Action, Game, Outcome, Rules, Starter};

use super::{Check, Current, Invalid, Made, MoveRecord, State};
use crate::entry::Step;
use crate::limits::{SEATS_MIN, START_INDEX_MAX};
use crate::seal::encode;
use crate::{Hash, Port, Seat, Sitter};

impl State {
    /// Starts a game with everybody who sits.
    pub(super) fn start(&mut self, check: &Check, index: u32, number: u32) -> Result<(), Invalid> {
        self.may_start(index)?;
        if number != self.game_number() + 1 {
            return Err(Invalid::Stale);
        }
        let players = self.participants();
        let rules = self.rules_for(players.len())?;
        let starter = self.starter(check.port, &players);
        let order = rules::turn_order(&players, starter);
        self.advance(check.port, &Step::Start { game: number, rules: rules.to_bytes(), order: &order });
        self.rules = rules;
        for seat in &mut self.seats {
            seat.ready = false;
        }
        self.current =
            Some(Current { number, starter, order, game: Game::new(rules), moves: Vec::new(), resigned: Vec::new() });
        Ok(())
    }

    /// Whether everybody is ready.
    pub(crate) fn may_start(&self, index: u32) -> Result<(), Invalid> {
        if self.playing() {
            return Err(Invalid::GameRuns);
        }
        if index >= START_INDEX_MAX {
            return Err(Invalid::Long);
        }
        let owned = || self.numbered().filter(|&(number, _)| self.owner(number).is_some());
        let everybody = owned().all(|(_, seat)| seat.ready || seat.taken);
        let somebody = owned().any(|(_, seat)| seat.ready);
        if everybody && somebody && self.participants().len() >= SEATS_MIN { Ok(()) } else { Err(Invalid::NotReady) }
    }

    /// The chosen rules for this number of players, options that clash with it put back.
    pub(crate) fn rules_for(&self, players: usize) -> Result<Rules, Invalid> {
        let players = u8::try_from(players).map_err(|_| Invalid::Options)?;
        if players == self.chosen.players() {
            return Ok(self.chosen);
        }
        let (options, _) = self.chosen.options().for_seats(players);
        options.check(self.chosen.preset()).map_err(|_| Invalid::Options)
    }

    /// The seat that starts the next game; `players` are in seat order, at least one.
    fn starter(&self, port: &dyn Port, players: &[u8]) -> u8 {
        let last = self.current.as_ref().map(|current| current.starter);
        match rules::starter(self.chosen.options(), players, last) {
            Starter::Seat(seat) => seat,
            Starter::Toss => {
                let Hash(drawn) = port.hash(&[b"c5/1/starter".as_slice(), &self.nonce].concat());
                let number =
                    drawn.iter().fold(0u64, |number, &byte| number.wrapping_mul(257).wrapping_add(byte.into()));
                players[(number % players.len() as u64) as usize]
            }
        }
    }

    /// A stone or a choice by the seat whose turn it is.
    pub(super) fn play(
        &mut self,
        port: &dyn Port,
        index: u32,
        seat: u8,
        action: &Action,
        by: Made,
    ) -> Result<(), Invalid> {
        if !self.playing() {
            return Err(Invalid::NoGame);
        }
        if self.turn_seat() != Some(seat) {
            return Err(Invalid::NotTurn);
        }
        if matches!(action, Action::Resign(_) | Action::Draw) {
            return Err(Invalid::Malformed);
        }
        let current = self.current.as_mut().ok_or(Invalid::NoGame)?;
        let played = current.game.play(action).map_err(Invalid::Rules)?;
        let ply = current.game.ply();
        current.moves.push(MoveRecord { index, seat, by, action: action.clone(), played, ply });
        self.advance(port, &Step::Move { seat, action });
        self.end_if_over();
        Ok(())
    }

    /// A seat resigns. With two sides that ends the game, in teams only if the partner agrees; else the CPU plays on there.
    pub(super) fn resign(&mut self, port: &dyn Port, seat: u8) -> Result<(), Invalid> {
        if !self.in_game(seat) || self.cpu_plays(seat) {
            return Err(Invalid::NoGame);
        }
        let colour = self.colour(seat).ok_or(Invalid::NoGame)?;
        let side_resigns = match self.partner(seat) {
            None => self.rules.sides() == 2,
            // A partner that is nobody's agrees at once; so does one that has resigned before.
            Some(partner) => self.cpu_plays(partner),
        };
        let current = self.current.as_mut().ok_or(Invalid::NoGame)?;
        if side_resigns {
            current.game.play(&Action::Resign(colour)).map_err(Invalid::Rules)?;
        } else {
            current.resigned.push(seat);
        }
        self.advance(port, &Step::Resign { seat });
        self.end_if_over();
        Ok(())
    }

    /// The other seat of a team of two.
    fn partner(&self, seat: u8) -> Option<u8> {
        let current = self.current.as_ref()?;
        let player = current.order.iter().position(|&player| player == seat)?;
        let partner = current.game.rules().partner_of(player as u8)?;
        current.order.get(usize::from(partner)).copied()
    }

    fn advance(&mut self, port: &dyn Port, step: &Step) {
        self.at = port.hash(&[self.at.0.as_slice(), &encode(step)].concat());
    }

    fn end_if_over(&mut self) {
        if self.playing() {
            return;
        }
        for seat in self.credited() {
            self.wins[usize::from(seat)] += 1;
        }
        for seat in &mut self.seats {
            seat.ready = false;
            if matches!(seat.sitter, Sitter::GivenUp { .. }) {
                *seat = Seat::empty();
            }
        }
        self.rules = self.chosen;
    }

    /// The winners' seats without those that resigned; none while a game runs, or after a draw.
    pub fn credited(&self) -> Vec<u8> {
        let Some(current) = &self.current else { return Vec::new() };
        let Some(Outcome::Win { winners, .. }) = current.game.result() else { return Vec::new() };
        let won = |seat: &u8| self.colour(*seat).is_some_and(|colour| winners.contains(&colour));
        current.order.iter().copied().filter(|seat| won(seat) && !current.resigned.contains(seat)).collect()
    }
}
