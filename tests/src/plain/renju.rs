//! What Renju forbids black (RULES.md, section 6).

use super::board::{AXES, Board, Colour, Direction, Point, opposite};
use super::shapes::axis_points;

const MOVER: Colour = Colour::Black;

/// What black's stone on this point makes. The board has the stone.
pub struct Shapes {
    pub five: bool,
    pub overline: bool,
    /// Sets of four stones that one more turns into exactly five.
    pub fours: usize,
    pub double_four: bool,
    pub double_three: bool,
}

impl Shapes {
    pub fn of(board: &Board, point: Point) -> Shapes {
        let fours = AXES.into_iter().map(|axis| fours(board, point, axis)).sum();
        Shapes {
            fours,
            double_four: fours >= 2,
            five: AXES.into_iter().any(|axis| board.run_length(point, axis) == 5),
            overline: AXES.into_iter().any(|axis| board.run_length(point, axis) > 5),
            double_three: AXES.into_iter().filter(|axis| is_three(board, point, *axis)).count() >= 2,
        }
    }

    /// The referee's code for a stone that may not be played.
    pub fn refusal(&self) -> Option<&'static str> {
        if self.five {
            None
        } else if self.double_three {
            Some("double-three")
        } else if self.double_four {
            Some("double-four")
        } else if self.overline {
            Some("overline")
        } else {
            None
        }
    }
}

/// Sets of four stones with the one on this point that one more stone turns into exactly five.
fn fours(board: &Board, point: Point, axis: Direction) -> usize {
    let mut sets: Vec<Vec<Point>> = Vec::new();
    for next in axis_points(board, point, axis).filter(|next| board.is_empty(*next)) {
        let mut five = board.with(next, MOVER).run(next, axis);
        if five.len() == 5 && five.contains(&point) {
            five.retain(|stone| *stone != next);
            if !sets.contains(&five) {
                sets.push(five);
            }
        }
    }
    sets.len()
}

/// Can the stone on this point become part of a straight four by a stone that black may play?
fn is_three(board: &Board, point: Point, axis: Direction) -> bool {
    axis_points(board, point, axis).filter(|next| board.is_empty(*next)).any(|next| {
        let board = board.with(next, MOVER);
        let run = board.run(next, axis);
        run.contains(&point) && is_straight_four(&board, &run, axis) && {
            let shapes = Shapes::of(&board, next);
            !shapes.five && shapes.refusal().is_none()
        }
    })
}

fn is_straight_four(board: &Board, run: &[Point], axis: Direction) -> bool {
    let [first, .., last] = *run else { return false };
    run.len() == 4
        && [first.step(opposite(axis)), last.step(axis)]
            .into_iter()
            .all(|end| board.is_empty(end) && board.with(end, MOVER).run_length(end, axis) == 5)
}
