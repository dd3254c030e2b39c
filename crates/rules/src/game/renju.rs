//! What renju forbids to black: double threes, double fours and overlines, judged recursively (RULES.md, section
//! 6; the RIF's international rules of Renju, 9.2 and 9.3).

use super::Game;
use super::board::{AXES, Board, Cell, Spot, stone};
use super::lines::run_length;
use super::shapes::{fours, neighbours, open_four_places, spot_at};
use crate::{Colour, Forbidden, Refusal};

const BLACK: Cell = stone(Colour::Black);
const FIVE: u8 = 5;
/// Shapes that are forbidden twice.
const DOUBLE: usize = 2;
/// Every stone that can belong to a shape with the new one is at most so far away on its axis.
const SHAPE_REACH: i16 = 5;

impl Game {
    pub(super) fn binds_renju(&self, own: Cell) -> bool {
        self.rules.options().forbidden == Forbidden::Renju && own == BLACK
    }

    /// Why black may not play on the empty spot. A point with several faults is a double three first, then a
    /// double four, then an overline.
    pub(super) fn renju_fault(&self, at: Spot) -> Option<Refusal> {
        if !can_be_forbidden(&self.board, at) {
            return None;
        }
        let mut board = self.board.clone();
        board.place(at, BLACK);
        if makes_five(&board, at) {
            return None;
        }
        if threes_at(&mut board, at) >= DOUBLE {
            Some(Refusal::DoubleThree)
        } else if fours_at(&board, at) >= DOUBLE {
            Some(Refusal::DoubleFour)
        } else {
            makes_overline(&board, at).then_some(Refusal::Overline)
        }
    }
}

/// A quick look that rules most points out: two shapes need stones on two axes, or many on one.
fn can_be_forbidden(board: &Board, at: Spot) -> bool {
    let mut axes_with_two = 0;
    for axis in 0..AXES {
        let others = neighbours(board, at, axis, BLACK, SHAPE_REACH);
        if others >= 4 {
            return true;
        }
        axes_with_two += usize::from(others >= 2);
    }
    axes_with_two >= DOUBLE
}

/// Whether black may not play on the empty spot; leaves the board as it was.
fn is_forbidden(board: &mut Board, at: Spot) -> bool {
    if !can_be_forbidden(board, at) {
        return false;
    }
    board.place(at, BLACK);
    let forbidden = !makes_five(board, at)
        && (makes_overline(board, at) || fours_at(board, at) >= DOUBLE || threes_at(board, at) >= DOUBLE);
    board.lift(at);
    forbidden
}

fn makes_five(board: &Board, at: Spot) -> bool {
    (0..AXES).any(|axis| run_length(board, at, axis, BLACK) == FIVE)
}

fn makes_overline(board: &Board, at: Spot) -> bool {
    (0..AXES).any(|axis| run_length(board, at, axis, BLACK) > FIVE)
}

fn fours_at(board: &Board, at: Spot) -> usize {
    (0..AXES).map(|axis| fours(&board.strip(at, axis), BLACK, true)).sum()
}

/// How many threes there are through the black stone on `at`, at most one an axis. A stone that makes a straight four
/// counts only where black may play it without making a five, so each is judged by the same rules on the board as it
/// then stands.
fn threes_at(board: &mut Board, at: Spot) -> usize {
    let strips: [_; AXES] = std::array::from_fn(|axis| board.strip(at, axis));
    let candidates = strips.iter().filter(|strip| open_four_places(strip, BLACK, true).next().is_some()).count();
    // One three alone forbids nothing, and asking costs a search.
    if candidates < DOUBLE {
        return 0;
    }
    let mut makes_straight_four = |axis: usize, place: usize| {
        let follow_up = spot_at(at, axis, place);
        let five = (0..AXES).any(|axis| run_length(board, follow_up, axis, BLACK) == FIVE);
        !five && !is_forbidden(board, follow_up)
    };
    let axes = strips.iter().enumerate();
    axes.filter(|&(axis, strip)| {
        open_four_places(strip, BLACK, true).any(|(place, _)| makes_straight_four(axis, place))
    })
    .count()
}
