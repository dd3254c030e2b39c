//! How games start, go on and end at the table (RULES.md, sections 3 and 8).

use std::collections::BTreeSet;

use rules::{Action, Game, Outcome, Rules, Starter};

use super::{Check, Current, Invalid, Made, MoveRecord, Offer, Settled, State, Toss};
use crate::entry::Step;
use crate::limits::{SEATS_MIN, START_INDEX_MAX};
use crate::planted::{Bug, planted};
use crate::seal::encode_after;
use crate::{Asked, Closed, DeviceId, Hash, Port, Seat, Sitter};

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
        self.toss = Toss::default();
        let ranked = self.settings.ranked && self.own_devices(&order);
        self.current = Some(Current {
            number,
            starter,
            order,
            game: Game::new(rules),
            moves: Vec::new(),
            resigned: Vec::new(),
            resigned_at: Vec::new(),
            ranked,
            credited: Vec::new(),
            given_up: Vec::new(),
            stood_up: Vec::new(),
            settled: false,
        });
        Ok(())
    }

    /// Whether people's own devices are in all of these seats, each seat another device.
    fn own_devices(&self, order: &[u8]) -> bool {
        let own = |seat: &u8| !self.cpu_plays(*seat) && !self.is_guest(*seat);
        let owners: BTreeSet<DeviceId> =
            order.iter().copied().filter(own).filter_map(|seat| self.owner(seat)).collect();
        owners.len() == order.len()
    }

    /// Whether everybody is ready, and the toss, where there is one, is drawn as far as it can be.
    pub(crate) fn may_start(&self, index: u32) -> Result<(), Invalid> {
        if index >= START_INDEX_MAX {
            return Err(Invalid::Long);
        }
        self.all_ready()?;
        let tossed = !self.needs_toss() || self.toss.is_closed() && self.to_reveal().next().is_none();
        if tossed { Ok(()) } else { Err(Invalid::Toss) }
    }

    pub(super) fn all_ready(&self) -> Result<(), Invalid> {
        if self.playing() {
            return Err(Invalid::GameRuns);
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
            Starter::Toss => self.drawn(port, players),
        }
    }

    /// Whether a game runs and it is this seat's turn.
    pub(super) fn check_turn(&self, seat: u8) -> Result<(), Invalid> {
        match (self.playing(), self.turn_seat()) {
            (false, _) => Err(Invalid::NoGame),
            (true, turn) if turn != Some(seat) => Err(Invalid::NotTurn),
            (true, _) => Ok(()),
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
        self.check_turn(seat)?;
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

    /// A seat resigns. With two sides that ends the game, in teams only if the partner agrees; else the CPU plays on
    /// there, and in teams the act, whose hash `id` is, stands as an offer to the partner.
    pub(super) fn resign(&mut self, port: &dyn Port, seat: u8, id: Hash) -> Result<(), Invalid> {
        if !self.in_game(seat) {
            return Err(Invalid::NoGame);
        }
        if self.has_resigned(seat) {
            return Err(Invalid::Resigned);
        }
        let colour = self.colour(seat).ok_or(Invalid::NoGame)?;
        let partner = self.partner(seat);
        let side_resigns = match partner {
            None => self.rules.sides() == 2,
            // A partner that is nobody's agrees at once; so does one that has resigned before.
            Some(partner) => self.owner(partner).is_none() || self.has_resigned(partner),
        };
        let current = self.current.as_mut().ok_or(Invalid::NoGame)?;
        if side_resigns {
            current.game.play(&Action::Resign(colour)).map_err(Invalid::Rules)?;
        } else {
            current.resigned.push(seat);
            current.resigned_at.push(current.game.actions().len());
        }
        self.advance(port, &Step::Resign { seat });
        if partner.is_some() && !side_resigns {
            self.offers.push(Offer { id, seat, what: Asked::Resign, agreed: Vec::new() });
        }
        self.end_if_over();
        Ok(())
    }

    /// The other seat of a team of two.
    pub(super) fn partner(&self, seat: u8) -> Option<u8> {
        let current = self.current.as_ref()?;
        let player = current.order.iter().position(|&player| player == seat)?;
        let partner = current.game.rules().partner_of(player as u8)?;
        current.order.get(usize::from(partner)).copied()
    }

    /// Play has moved on: what was asked before is open no longer.
    pub(super) fn advance(&mut self, port: &dyn Port, step: &Step) {
        self.at = match &self.current {
            Some(current) if planted(Bug::PositionSigned) => port.hash(&current.game.state_bytes()),
            Some(_) | None => port.hash(&encode_after(&self.at.0, step)),
        };
        self.tries.clear();
        self.sits = 0;
        // The CPU plays on for whoever resigned in a team, often at once: that is no answer of the partner's.
        let (open, moved) = std::mem::take(&mut self.offers).into_iter().partition(|offer| self.still_resigns(offer));
        self.offers = open;
        self.closed.extend(moved.into_iter().map(|offer| Settled { offer, why: Closed::Moved }));
    }

    pub(super) fn end_if_over(&mut self) {
        if self.playing() {
            return;
        }
        let credited = self.credited();
        for &seat in &credited {
            self.wins[usize::from(seat)] += 1;
        }
        let mut given_up = Vec::new();
        for (number, seat) in (0u8..).zip(&mut self.seats) {
            seat.ready = false;
            if matches!(seat.sitter, Sitter::GivenUp { .. }) {
                given_up.push((number, std::mem::replace(seat, Seat::empty()).sitter));
            }
        }
        if let Some(current) = &mut self.current {
            (current.credited, current.given_up) = (credited, given_up);
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
