//! Double three where captures may be on (RULES.md, section 6).

use super::board::{AXES, Board, Cell, Colour, Direction, Point, opposite};
use super::options::Options;

/// What becomes of a stone that may be a double three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubleThree {
    /// It is none.
    None,
    Forbidden,
    /// It is one, and makes a winning line.
    MakesLine,
    /// It is one, and blocks an enemy's five.
    BlocksFive,
}

impl DoubleThree {
    /// `before` is the board before the move; `after` has the stone and has lost what the mover takes.
    pub fn of(options: &Options, before: &Board, after: &Board, mover: Colour, point: Point) -> DoubleThree {
        let threes = AXES.into_iter().filter(|axis| is_three(options, after, mover, point, *axis)).count();
        if threes < 2 {
            DoubleThree::None
        } else if makes_line(options, after, point) {
            DoubleThree::MakesLine
        } else if blocks_five(options, before, after, mover) {
            DoubleThree::BlocksFive
        } else {
            DoubleThree::Forbidden
        }
    }
}

/// Does the stone on this point stand in a winning line?
fn makes_line(options: &Options, board: &Board, point: Point) -> bool {
    AXES.into_iter().any(|axis| has_line(options, board, point, axis))
}

/// Is there a point where an enemy stone made a winning line before the move and makes none after it?
fn blocks_five(options: &Options, before: &Board, after: &Board, mover: Colour) -> bool {
    let enemies: Vec<Colour> = options.colours().into_iter().filter(|colour| *colour != mover).collect();
    let wins = |board: &Board, point: Point, enemy: Colour| {
        board.is_empty(point) && makes_line(options, &board.with(point, enemy), point)
    };
    before
        .empty_points()
        .any(|point| enemies.iter().any(|enemy| wins(before, point, *enemy) && !wins(after, point, *enemy)))
}

fn is_three(options: &Options, board: &Board, mover: Colour, point: Point, axis: Direction) -> bool {
    !has_line(options, board, point, axis)
        && !is_four(options, board, mover, point, axis)
        && axis_points(board, point, axis).any(|next| {
            board.is_empty(next) && {
                let board = board.with(next, mover);
                board.run(next, axis).contains(&point) && is_open_four(options, &board, mover, next, axis)
            }
        })
}

fn is_four(options: &Options, board: &Board, mover: Colour, point: Point, axis: Direction) -> bool {
    axis_points(board, point, axis).any(|next| {
        board.is_empty(next) && {
            let board = board.with(next, mover);
            board.run(next, axis).contains(&point) && has_line(options, &board, next, axis)
        }
    })
}

/// Exactly four stones, both neighbours empty, and a stone on either neighbour makes a winning line.
fn is_open_four(options: &Options, board: &Board, mover: Colour, point: Point, axis: Direction) -> bool {
    let run = board.run(point, axis);
    let [first, .., last] = run[..] else { return false };
    run.len() == 4
        && [first.step(opposite(axis)), last.step(axis)].into_iter().all(|neighbour| {
            board.is_empty(neighbour) && has_line(options, &board.with(neighbour, mover), neighbour, axis)
        })
}

fn has_line(options: &Options, board: &Board, point: Point, axis: Direction) -> bool {
    match board.at(point) {
        Cell::Stone(colour) => options.line_wins(colour, board.run_length(point, axis)),
        Cell::Outside | Cell::Empty => false,
    }
}

/// All other points of the board on an axis through a point.
pub fn axis_points(board: &Board, point: Point, axis: Direction) -> impl Iterator<Item = Point> {
    [axis, opposite(axis)].into_iter().flat_map(move |direction| {
        std::iter::successors(Some(point.step(direction)), move |next| Some(next.step(direction)))
            .take_while(|next| board.contains(*next))
    })
}
