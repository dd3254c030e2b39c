//! What a stone would do, as data: what it takes and loses, and what becomes of the game (RULES.md, sections 4 and 5).

use serde::{Deserialize, Serialize};

use super::board::{Cell, Spot, colour_of, spot_of};
use super::captures::Takes;
use super::lines::in_line;
use super::{Game, Must, Overtime};
use crate::{Colour, Group, Outcome, Point};

/// What a stone would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    pub at: Point,
    /// The groups that it may take, sorted.
    pub takes: Vec<Group>,
    /// Flanks moved into: who would take which points.
    pub lost: Vec<(Colour, Vec<Point>)>,
    /// Every legal choice of captures and what comes of it, the largest first. With forced captures there is one:
    /// everything.
    pub ways: Vec<Way>,
}

/// A stone with one choice of captures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// The groups that it takes, sorted.
    pub takes: Vec<Group>,
    pub after: After,
}

/// What becomes of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum After {
    GoesOn,
    /// A line, nearly always the mover's, waits for the next player's move.
    Overtime(Overtime),
    /// It is over; the mover may be among the winners or not.
    Over(Outcome),
}

impl After {
    /// Whether this side wins, alone or with others.
    pub fn wins(&self, colour: Colour) -> bool {
        match self {
            After::Over(Outcome::Win { winners, .. }) => winners.contains(&colour),
            After::Over(Outcome::Draw(_)) | After::Overtime(_) | After::GoesOn => false,
        }
    }

    /// Whether a line of this side waits for the next player's move.
    pub fn waits(&self, colour: Colour) -> bool {
        match self {
            After::Overtime(overtime) => overtime.colour == colour,
            After::Over(_) | After::GoesOn => false,
        }
    }
}

impl Game {
    /// What a stone of the player to act would do here; `None` where it is illegal.
    pub fn preview(&self, at: Point) -> Option<Preview> {
        self.check_place(at).ok()?;
        let (spot, own) = (spot_of(at), self.next_stone());
        self.previewed(at, own, self.takes(spot, own))
    }

    /// What stones of the player to act would do, for the legal points where they do more than lie there: where they
    /// take, are taken, or stand in a winning line. By row, then column. At every other legal point nothing is gained
    /// or lost by anybody: the game goes on, or is drawn because no point is left, or, in overtime, the line wins.
    pub fn previews(&self) -> Vec<Preview> {
        if self.outcome.is_some() || self.phase.must() != Must::Place {
            return Vec::new();
        }
        let own = self.next_stone();
        let told = self.empty_points().filter_map(|at| {
            let spot = spot_of(at);
            let takes = self.takes(spot, own);
            let quiet = takes.is_empty()
                && !in_line(&self.board, &self.rules, spot, own)
                && self.lost(spot, own).list().is_empty();
            if quiet || self.check_place(at).is_err() { None } else { self.previewed(at, own, takes) }
        });
        told.collect()
    }

    /// Whether a legal stone of the player to act here, taking everything, wins at once. Quick for the many points
    /// where it cannot.
    pub fn would_win(&self, at: Point) -> bool {
        if self.check_place(at).is_err() {
            return false;
        }
        let (spot, own) = (spot_of(at), self.next_stone());
        let quiet = self.lost(spot, own).list().is_empty();
        let takes = self.takes(spot, own);
        let total = takes.stones() + self.captured_by(own);
        if quiet && total < u16::from(self.rules.goal()) && !in_line(&self.board, &self.rules, spot, own) {
            return false;
        }
        self.admits(spot, own, takes) && self.after(spot, takes).wins(self.next_colour())
    }

    /// What a stone does where captures alone may forbid it; `None` if every choice of them does.
    fn previewed(&self, at: Point, own: Cell, takes: Takes) -> Option<Preview> {
        let spot = spot_of(at);
        let choices = takes.choices(self.rules.options().forced_capture);
        let legal = choices.filter(|&chosen| self.admits(spot, own, chosen));
        let ways: Vec<Way> =
            legal.map(|chosen| Way { takes: chosen.groups(spot), after: self.after(spot, chosen) }).collect();
        if ways.is_empty() {
            return None;
        }
        Some(Preview { at, takes: takes.groups(spot), lost: self.lost(spot, own).points(), ways })
    }

    /// Whether no forbidden shape bars this choice of captures.
    fn admits(&self, at: Spot, own: Cell, takes: Takes) -> bool {
        !self.is_bound() || !self.is_barred(at, own, takes)
    }

    fn after(&self, at: Spot, takes: Takes) -> After {
        let mut after = self.bare();
        after.resolve(at, takes);
        match (after.outcome, after.overtime) {
            (Some(outcome), _) => After::Over(outcome),
            (None, Some(overtime)) => After::Overtime(overtime),
            (None, None) => After::GoesOn,
        }
    }

    /// The same position without its history: cheap to make, and nothing in it can be taken back.
    pub(super) fn bare(&self) -> Game {
        Game {
            rules: self.rules,
            board: self.board.clone(),
            ply: self.ply,
            captured: self.captured,
            phase: self.phase,
            swapped: self.swapped,
            claim: self.claim,
            overtime: self.overtime.clone(),
            outcome: self.outcome.clone(),
            start: None,
            actions: Vec::new(),
            steps: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// The position as it would be if it were this side's turn now: as many stones on as it waits for until its next
    /// one, which `Some` counts, but with none of them placed. `None` where it has no such turn to come: a colour that
    /// is not in play, while the opening's stones and choices are made, while a line waits for somebody else's move,
    /// and after the end. All that the ordinary game answers is then answered for that side. It has no actions: nothing
    /// can be taken back.
    pub fn as_if(&self, colour: Colour) -> Option<(u8, Game)> {
        let sides = self.rules.sides();
        let place = self.rules.turn_colours()[..usize::from(sides)].iter().position(|&known| known == colour)? as u8;
        let now = (self.ply % u16::from(sides)) as u8;
        let ahead = (place + sides - now) % sides;
        let placing = self.outcome.is_none() && self.is_bound() && self.phase.must() == Must::Place;
        if !placing || (self.claim.is_some() && ahead > 0) {
            return None;
        }
        let mut game = self.bare();
        game.ply += u16::from(ahead);
        debug_assert_eq!(colour_of(game.next_stone()), Some(colour));
        Some((ahead, game))
    }
}
