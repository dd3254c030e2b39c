//! Lines that wait for the next player's move (RULES.md, section 5 *Overtime*).

use serde::{Deserialize, Serialize};

use super::Game;
use super::Gone;
use super::board::{Board, Cell, EMPTY, Spot, spot_of, stone};
use super::captures::{Takes, open_end};
use super::flank::{Flanks, flanks};
use super::lines::{Line, lines_left, lines_made};
use crate::{Colour, Group, IntoFlank, OvertimeRule, Point};

/// A winning line that waits for the next player's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overtime {
    pub colour: Colour,
    pub lines: Vec<Vec<Point>>,
}

/// A way to stop the line that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    pub at: Point,
    /// The choices of captures that stop it, each a sorted list of groups, the largest choice first. With forced
    /// captures there is one: everything. It is empty where the line is broken by stones that others take.
    pub choices: Vec<Vec<Group>>,
}

impl Overtime {
    pub(super) fn of(line: Line) -> Overtime {
        Overtime { colour: line.colour, lines: vec![line.points()] }
    }
}

impl Game {
    /// Whether the player to move can stop this line, the only one on the board. The line must be claimed
    /// already, so that in `take` it is among the groups.
    pub(super) fn can_stop(&self, line: Line, own: Cell) -> bool {
        match self.rules.options().overtime {
            OvertimeRule::None => false,
            OvertimeRule::Break => self.rules.board().points().any(|at| self.can_break(line, spot_of(at), own)),
            OvertimeRule::Take => {
                let (before, after) = line.ends();
                [before, after].into_iter().any(|at| self.can_take_line(line, at, own))
            }
        }
    }

    /// The points where the player to act can stop the line that waits, by row then column; none while no line waits.
    /// After a stone on one of them with one of its choices the line's side has no winning line; after any other legal
    /// stone that side wins.
    pub fn stops(&self) -> Vec<Stop> {
        let Some(line) = self.claim else { return Vec::new() };
        let own = self.next_stone();
        let stops = self.empty_points().map(|at| {
            let spot = spot_of(at);
            Stop { at, choices: self.breaking(line, spot, own).map(|takes| takes.groups(spot)).collect() }
        });
        stops.filter(|stop| !stop.choices.is_empty()).collect()
    }

    /// Whether some legal stone here leaves the line's side without a winning line.
    fn can_break(&self, line: Line, at: Spot, own: Cell) -> bool {
        self.board.at(at) == EMPTY && self.breaking(line, at, own).next().is_some()
    }

    /// The legal choices of captures with which a stone on the empty spot leaves the line's side without a winning
    /// line, the largest first.
    fn breaking(&self, line: Line, at: Spot, own: Cell) -> impl Iterator<Item = Takes> {
        let (takes, lost) = (self.takes(at, own), self.lost(at, own));
        // Only stones that leave the board break a line.
        let idle = (takes.is_empty() && lost.list().is_empty()) || self.is_into_flank(at, own);
        let choices = (!idle).then(|| takes.choices(self.rules.options().forced_capture));
        choices
            .into_iter()
            .flatten()
            .filter(move |&chosen| self.breaks(line, at, own, chosen, &lost) && !self.is_barred(at, own, chosen))
    }

    fn breaks(&self, line: Line, at: Spot, own: Cell, takes: Takes, lost: &Flanks) -> bool {
        let mut gone = Vec::new();
        let mut board = self.board.clone();
        board.place(at, own);
        for spot in takes.spots(at).chain(lost.list().iter().flat_map(|flank| flank.spots())) {
            if board.at(spot) != EMPTY {
                gone.push(Gone { spot, stone: board.lift(spot) });
            }
        }
        gone.iter().any(|gone| line.spots().any(|spot| spot == gone.spot)) && !self.has_line(&board, line, at, &gone)
    }

    /// Whether the line's side has a winning line after a move: what is left of the claimed one, or one that lost
    /// stones have brought to length.
    pub(super) fn has_line(&self, board: &Board, line: Line, at: Spot, gone: &[Gone]) -> bool {
        let mut lines = lines_made(board, &self.rules, at, gone);
        lines_left(board, &self.rules, line, &mut lines);
        lines.iter().any(|left| left.colour == line.colour)
    }

    fn can_take_line(&self, line: Line, at: Spot, own: Cell) -> bool {
        let Some(direction) = open_end(&self.board, line, at, own) else { return false };
        if self.is_into_flank(at, own) {
            return false;
        }
        let forced = self.rules.options().forced_capture;
        let mut choices = self.takes(at, own).choices(forced);
        choices.any(|chosen| chosen.0[direction] == line.length && !self.is_barred(at, own, chosen))
    }

    /// Flanks that a stone here moves into and loses.
    pub(super) fn lost(&self, at: Spot, own: Cell) -> Flanks {
        match self.rules.options().into_flank {
            IntoFlank::Captured => flanks(&self.board, &self.rules, at, own),
            IntoFlank::Nothing | IntoFlank::NotAllowed => Flanks::NONE,
        }
    }
}

/// The cell of the side that a claimed line belongs to.
pub(super) fn claimant(line: Line) -> Cell {
    stone(line.colour)
}
