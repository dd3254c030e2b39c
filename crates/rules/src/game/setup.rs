//! A game that starts from a setup instead of the empty board, and the setup of a position.

use std::sync::Arc;

use super::Game;
use super::board::{EMPTY, colour_of, spot_of, stone};
use super::lines::{Line, lines_made};
use super::opening::Phase;
use crate::{Colour, DrawBy, Opening, Outcome, Point, Rules, Setup, SetupError, Stage};

impl Game {
    /// A game that starts from this position, with no actions yet: `undo` goes back to it and no further. Only a
    /// position from which a game goes on is accepted; how it came about is not asked.
    pub fn from_setup(setup: &Setup) -> Result<Game, SetupError> {
        let mut game = Game::new(setup.rules);
        for &(at, colour) in &setup.stones {
            game.put(at, colour)?;
        }
        game.captured = checked_totals(setup)?;
        game.ply = checked_ply(setup)?;
        let opening = setup.rules.options().opening;
        game.phase = Phase::at(setup.stage, opening, game.ply).ok_or(SetupError::Stage(setup.stage))?;
        game.swapped = setup.swapped;
        let has_chosen = matches!(opening, Opening::PlaceFour | Opening::PlaceThree) && setup.stage == Stage::Over;
        if setup.swapped && !has_chosen {
            return Err(SetupError::Swapped);
        }
        game.check_lines(setup.overtime)?;
        game.check_room()?;
        game.start = game.to_setup().map(Arc::new);
        Ok(game)
    }

    /// The position as a setup; `None` once there is a result. [`Game::from_setup`] makes a game of it that has the
    /// same state.
    pub fn to_setup(&self) -> Option<Setup> {
        if self.outcome.is_some() {
            return None;
        }
        let points = self.rules.board().points();
        let stones = points.filter_map(|at| Some((at, colour_of(self.board.at(spot_of(at)))?)));
        let mut setup = Setup {
            captured: self.captured,
            stage: self.phase.stage(),
            swapped: self.swapped,
            overtime: self.claim.is_some(),
            ..Setup::new(self.rules, stones.collect(), self.next_colour())
        };
        if checked_ply(&setup) != Ok(self.ply) {
            setup.ply = Some(self.ply);
        }
        Some(setup)
    }

    /// The position that the game started from; `None` where that was the empty board.
    pub fn setup(&self) -> Option<&Setup> {
        self.start.as_deref()
    }

    fn put(&mut self, at: Point, colour: Colour) -> Result<(), SetupError> {
        if !self.rules.board().contains(at) {
            return Err(SetupError::OffBoard(at));
        }
        if self.board.at(spot_of(at)) != EMPTY {
            return Err(SetupError::Occupied(at));
        }
        place_in_turn(&self.rules, colour)?;
        self.board.place(spot_of(at), stone(colour));
        Ok(())
    }

    /// No winning line, or the one that waits in overtime, which is claimed then.
    fn check_lines(&mut self, overtime: bool) -> Result<(), SetupError> {
        let mut lines: Vec<Line> = Vec::new();
        let stones = self.rules.board().points().map(spot_of).filter(|&spot| self.board.at(spot) != EMPTY);
        for line in stones.flat_map(|spot| lines_made(&self.board, &self.rules, spot, &[])) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        match (lines.first(), overtime) {
            (None, false) => Ok(()),
            (Some(line), false) => Err(SetupError::LineStands(line.colour, line.points())),
            (_, true) if self.opens_overtime(&lines) => Ok(()),
            (_, true) => Err(SetupError::NotInOvertime),
        }
    }

    fn check_room(&mut self) -> Result<(), SetupError> {
        self.draw_if_stuck();
        match self.outcome {
            None => Ok(()),
            Some(Outcome::Draw(DrawBy::FullBoard)) => Err(SetupError::FullBoard),
            Some(Outcome::Draw(DrawBy::NoLegalMove | DrawBy::AllWin | DrawBy::Agreement) | Outcome::Win { .. }) => {
                Err(SetupError::NoLegalPoint)
            }
        }
    }
}

/// A colour's place in turn order, from 0, where it is in play.
fn place_in_turn(rules: &Rules, colour: Colour) -> Result<u16, SetupError> {
    let in_play = &rules.turn_colours()[..usize::from(rules.sides())];
    let place = in_play.iter().position(|&known| known == colour).ok_or(SetupError::NotInPlay(colour))?;
    Ok(place as u16)
}

fn checked_totals(setup: &Setup) -> Result<[u16; 4], SetupError> {
    for (colour, total) in Colour::ALL.into_iter().zip(setup.captured).filter(|&(_, total)| total > 0) {
        place_in_turn(&setup.rules, colour)?;
        if !setup.rules.options().captures {
            return Err(SetupError::NoCaptures(colour));
        }
        if total >= u16::from(setup.rules.goal()) {
            return Err(SetupError::AlreadyWon(colour));
        }
    }
    Ok(setup.captured)
}

/// Stones placed so far. Each of them stands on the board or was taken, by one side or by several at once; and as
/// numbers of stones need not be balanced, there may be as many more as it takes to come to a player's turn.
fn checked_ply(setup: &Setup) -> Result<u16, SetupError> {
    let sides = u16::from(setup.rules.sides());
    let place = place_in_turn(&setup.rules, setup.turn)?;
    let stones = setup.stones.len() as u16;
    let taken: u16 = setup.captured.iter().sum();
    let all = stones + taken;
    match setup.ply {
        None => Ok(all + (place + sides - all % sides) % sides),
        Some(ply) if ply % sides != place => Err(SetupError::Turn { ply }),
        Some(ply) => {
            let least = stones + taken.div_ceil(sides - 1);
            let most = all + u16::from(setup.rules.players()) - 1;
            if (least..=most).contains(&ply) { Ok(ply) } else { Err(SetupError::Ply { least, most }) }
        }
    }
}
