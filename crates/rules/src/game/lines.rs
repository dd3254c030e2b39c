//! Winning lines (RULES.md, section 5).

use super::board::{AXES, Board, Cell, EMPTY, Spot, WALL, ahead, colour_of, point_of, spot_of, stone};
use super::{Game, Gone};
use crate::{Colour, Forbidden, Overline, Point, Rules};

/// A maximal run of one colour that wins by its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The end from which the line goes on in the axis' own direction.
    pub(crate) start: Spot,
    pub(crate) axis: u8,
    pub(crate) length: u8,
    pub(crate) colour: Colour,
}

impl Line {
    /// The spots next to the line's two ends.
    pub(crate) fn ends(self) -> (Spot, Spot) {
        let axis = usize::from(self.axis);
        (ahead(self.start, axis, -1), ahead(self.start, axis, i16::from(self.length)))
    }

    pub(crate) fn spots(self) -> impl Iterator<Item = Spot> {
        (0..i16::from(self.length)).map(move |n| ahead(self.start, usize::from(self.axis), n))
    }

    /// From end to end, sorted.
    pub(crate) fn points(self) -> Vec<Point> {
        let mut points: Vec<Point> = self.spots().map(point_of).collect();
        points.sort_unstable();
        points
    }
}

/// Whether this colour's lines must be exactly `L` long.
pub(crate) fn exact(rules: &Rules, colour: Cell) -> bool {
    match rules.options().forbidden {
        Forbidden::Renju if colour == stone(Colour::Black) => true,
        Forbidden::None | Forbidden::DoubleThreeFirst | Forbidden::DoubleThreeBoth | Forbidden::Renju => {
            rules.options().overline == Overline::NoWin
        }
    }
}

/// Whether a maximal run of this length wins for the colour.
pub(crate) fn wins(rules: &Rules, colour: Cell, length: u8) -> bool {
    if exact(rules, colour) { length == rules.line() } else { length >= rules.line() }
}

/// The length of the run that a stone of `own` on `at` is, or would be, part of.
pub(crate) fn run_length(board: &Board, at: Spot, axis: usize, own: Cell) -> u8 {
    1 + board.reach(at, axis, own) + board.reach(at, axis + AXES, own)
}

/// Whether a stone of `own` on `at` stands, or would stand, in a winning line.
pub(crate) fn in_line(board: &Board, rules: &Rules, at: Spot, own: Cell) -> bool {
    (0..AXES).any(|axis| wins(rules, own, run_length(board, at, axis, own)))
}

/// Adds the winning line through the stone on `at` along an axis, if there is one and it is not yet listed.
fn add_line(board: &Board, rules: &Rules, at: Spot, axis: usize, lines: &mut Vec<Line>) {
    let own = board.at(at);
    let back = board.reach(at, axis + AXES, own);
    let length = back + 1 + board.reach(at, axis, own);
    if !wins(rules, own, length) {
        return;
    }
    let Some(colour) = colour_of(own) else { return };
    let line = Line { start: ahead(at, axis, -i16::from(back)), axis: axis as u8, length, colour };
    if !lines.contains(&line) {
        lines.push(line);
    }
}

/// The winning lines that a move can have made: through the stone it placed, or trimmed by the stones it took.
/// No other line can be new.
pub(super) fn lines_made(board: &Board, rules: &Rules, placed: Spot, gone: &[Gone]) -> Vec<Line> {
    let mut lines = Vec::new();
    if board.at(placed) != EMPTY {
        for axis in 0..AXES {
            add_line(board, rules, placed, axis, &mut lines);
        }
    }
    for &Gone { spot, stone } in gone {
        // Losing a stone brings a line to length only where longer ones do not win.
        if !exact(rules, stone) {
            continue;
        }
        for direction in 0..8 {
            let neighbour = ahead(spot, direction, 1);
            if board.at(neighbour) == stone {
                add_line(board, rules, neighbour, direction % AXES, &mut lines);
            }
        }
    }
    lines
}

/// What is left of a line after a move, as far as it still wins.
pub(super) fn lines_left(board: &Board, rules: &Rules, line: Line, lines: &mut Vec<Line>) {
    let own = stone(line.colour);
    for spot in line.spots().filter(|&spot| board.at(spot) == own) {
        add_line(board, rules, spot, usize::from(line.axis), lines);
    }
}

impl Game {
    /// Winning lines on the board now, of every side (maximal runs), for drawing.
    pub fn winning_lines(&self) -> Vec<(Colour, Vec<Point>)> {
        let mut lines = Vec::new();
        for spot in self.rules.board().points().map(spot_of) {
            if !matches!(self.board.at(spot), EMPTY | WALL) {
                for axis in 0..AXES {
                    add_line(&self.board, &self.rules, spot, axis, &mut lines);
                }
            }
        }
        lines.into_iter().map(|line| (line.colour, line.points())).collect()
    }
}
