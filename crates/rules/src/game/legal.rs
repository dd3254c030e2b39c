//! What may not be played (RULES.md, section 6), and in which order the causes are looked for.

use super::board::{Cell, EMPTY, Spot, WALL, point_of, spot_of};
use super::captures::Takes;
use super::flank::flanks;
use super::{Game, Must, Refusal};
use crate::{Forbidden, IntoFlank, Point};

impl Game {
    /// Whether some choice of captures makes a stone here legal; why not otherwise.
    pub fn check(&self, at: Point) -> Result<(), Refusal> {
        self.check_place(at)?;
        self.check_choices(spot_of(at), self.next_stone())
    }

    /// The causes that do not depend on the captures chosen.
    pub(super) fn check_place(&self, at: Point) -> Result<(), Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        if self.phase.must() != Must::Place {
            return Err(Refusal::NotAChoice);
        }
        match self.board.at(spot_of(at)) {
            WALL => return Err(Refusal::OffBoard),
            EMPTY => {}
            _ => return Err(Refusal::Occupied),
        }
        if !self.opening_allows(at) {
            return Err(Refusal::Opening);
        }
        if self.is_bound() && self.is_into_flank(spot_of(at), self.next_stone()) {
            return Err(Refusal::IntoFlank);
        }
        Ok(())
    }

    /// Whether some choice of captures is not barred; what bars the first otherwise.
    fn check_choices(&self, at: Spot, own: Cell) -> Result<(), Refusal> {
        if !self.has_forbidden_shapes() || !self.is_bound() {
            return Ok(());
        }
        let mut first = None;
        for takes in self.takes(at, own).choices(self.rules.options().forced_capture) {
            match self.barred(at, own, takes) {
                None => return Ok(()),
                Some(refusal) => first = first.or(Some(refusal)),
            }
        }
        first.map_or(Ok(()), Err)
    }

    fn has_forbidden_shapes(&self) -> bool {
        match self.rules.options().forbidden {
            Forbidden::None => false,
            Forbidden::DoubleThreeFirst | Forbidden::DoubleThreeBoth | Forbidden::Renju => true,
        }
    }

    /// Whether the stone would stand in a flank, where that is not allowed.
    pub(super) fn is_into_flank(&self, at: Spot, own: Cell) -> bool {
        match self.rules.options().into_flank {
            IntoFlank::Nothing | IntoFlank::Captured => false,
            IntoFlank::NotAllowed => !flanks(&self.board, &self.rules, at, own).list().is_empty(),
        }
    }

    /// The forbidden shape that a stone here would make when it takes these groups.
    pub(super) fn barred(&self, at: Spot, own: Cell, takes: Takes) -> Option<Refusal> {
        if self.binds_renju(own) {
            self.renju_fault(at)
        } else {
            self.is_double_three(at, own, takes).then_some(Refusal::DoubleThree)
        }
    }

    pub(super) fn is_barred(&self, at: Spot, own: Cell, takes: Takes) -> bool {
        self.barred(at, own, takes).is_some()
    }

    /// The empty points where the player to act may not play, by row then column. Empty while a choice is awaited and after the end.
    ///
    /// ```
    /// # use rules::example::{game, names, shows};
    /// let game = game("capture-five into_flank=not-allowed", "E4 D4 A1 G4");
    /// shows(&game, "D4", "W B . W");
    /// assert_eq!(names(&game.illegal()), "F4");
    /// ```
    pub fn illegal(&self) -> Vec<Point> {
        if self.every_empty_point_is_legal() || self.outcome.is_some() || self.phase.must() != Must::Place {
            return Vec::new();
        }
        // No other rule of section 6 goes with renju's, because it knows no captures.
        if self.binds_renju(self.next_stone()) && self.centre_rule().is_none() {
            return self.renju_map().into_iter().map(point_of).collect();
        }
        self.empty_points().filter(|&at| self.check(at).is_err()).collect()
    }

    /// Whether the player to move has a legal point.
    pub(super) fn has_legal_point(&self) -> bool {
        if self.every_empty_point_is_legal() {
            return self.board.empty() > 0;
        }
        self.empty_points().any(|at| self.check(at).is_ok())
    }

    /// Known without looking at the points: nothing is forbidden for the next stone.
    fn every_empty_point_is_legal(&self) -> bool {
        let shapes = self.has_forbidden_shapes() || self.rules.options().into_flank == IntoFlank::NotAllowed;
        self.centre_rule().is_none() && !(shapes && self.is_bound())
    }

    /// The empty points, by row then column.
    pub(super) fn empty_points(&self) -> impl Iterator<Item = Point> {
        self.rules.board().points().filter(|&point| self.board.at(spot_of(point)) == EMPTY)
    }
}
