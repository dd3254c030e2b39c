//! The forbidden double three of the games with captures (RULES.md, section 6). Not recursive: whether the
//! follow-up stone of a three may itself be played is not asked.

use super::Game;
use super::board::{AXES, Board, Cell, EMPTY, STEPS, Spot, ahead, stone};
use super::captures::Takes;
use super::lines::{exact, in_line};
use super::reason::{Three, three_of};
use super::shapes::{Strip, is_four, neighbours, open_four_places};
use crate::Forbidden;

/// A three's stones are at most so far from one another.
const THREE_REACH: i16 = 3;
/// A three needs so many stones beside the new one.
const THREE_OTHERS: usize = 2;

impl Game {
    /// Whether double threes are forbidden to stones of `own`.
    fn binds_double_three(&self, own: Cell) -> bool {
        match self.rules.options().forbidden {
            Forbidden::None | Forbidden::Renju => false,
            Forbidden::DoubleThreeFirst => own == stone(self.rules.turn_colours()[0]),
            Forbidden::DoubleThreeBoth => true,
        }
    }

    /// Whether a stone of `own` on the empty spot would be a forbidden double three when it takes these groups.
    pub(super) fn is_double_three(&self, at: Spot, own: Cell, takes: Takes) -> bool {
        // Captures take no own stones, so too few on the axes now means too few after them.
        let enough = |axis: &usize| neighbours(&self.board, at, *axis, own, THREE_REACH) >= THREE_OTHERS;
        if !self.binds_double_three(own) || (0..AXES).filter(enough).count() < 2 {
            return false;
        }
        let after = self.after_takes(at, own, takes);
        let exact = exact(&self.rules, own);
        let threes = (0..AXES).filter(|&axis| is_three(&after, at, axis, own, exact)).count();
        threes >= 2 && !in_line(&after, &self.rules, at, own) && !self.blocks_five(at, own, takes, &after)
    }

    /// The threes that a stone here makes when it takes these groups.
    pub(super) fn plain_threes(&self, at: Spot, own: Cell, takes: Takes) -> Vec<Three> {
        let after = self.after_takes(at, own, takes);
        let exact = exact(&self.rules, own);
        (0..AXES).filter_map(|axis| three(&after, at, axis, own, exact)).collect()
    }

    /// The board with a stone placed and the mover's captures done.
    fn after_takes(&self, at: Spot, own: Cell, takes: Takes) -> Board {
        let mut after = self.board.clone();
        after.place(at, own);
        for spot in takes.spots(at) {
            after.lift(spot);
        }
        after
    }

    /// Whether some point where an enemy stone would have made a winning line is no longer one after step 3: this one,
    /// which is occupied now, or one whose line the captures have cut. Such a line reaches from its point to a captured
    /// stone without a gap, so only the ends of the captured stones' runs need to be looked at.
    fn blocks_five(&self, at: Spot, own: Cell, takes: Takes, after: &Board) -> bool {
        let makes_line =
            |board: &Board, spot, enemy| board.at(spot) == EMPTY && in_line(board, &self.rules, spot, enemy);
        let enemies = self.rules.turn_colours().into_iter().take(usize::from(self.rules.sides())).map(stone);
        enemies.filter(|&enemy| enemy != own).any(|enemy| {
            let end =
                move |gone, direction| ahead(gone, direction, i16::from(self.board.reach(gone, direction, enemy)) + 1);
            let ends = takes.spots(at).flat_map(|gone| (0..STEPS.len()).map(move |direction| end(gone, direction)));
            let mut points = std::iter::once(at).chain(ends);
            points.any(|spot| makes_line(&self.board, spot, enemy) && !makes_line(after, spot, enemy))
        })
    }
}

/// Whether an axis holds a three through the stone on `at`.
fn is_three(board: &Board, at: Spot, axis: usize, own: Cell, exact: bool) -> bool {
    let strip = Strip::of(board, at, axis, own);
    open_four_places(strip, exact).next().is_some() && !is_four(strip, exact)
}

/// The three on an axis through the stone on `at`, if there is one.
fn three(board: &Board, at: Spot, axis: usize, own: Cell, exact: bool) -> Option<Three> {
    if !is_three(board, at, axis, own, exact) {
        return None;
    }
    three_of(at, axis, open_four_places(Strip::of(board, at, axis, own), exact))
}
