//! What a stone takes, and what is taken from it (RULES.md, sections 4.3 and 4.4).

use super::action::Group;
use super::board::{AXES, Board, Cell, Colour, DIRECTIONS, Direction, Point, opposite};
use super::options::Options;

/// A flanked stretch that the mover entered, and the side that takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flank {
    pub by: Colour,
    pub stretch: Group,
}

/// The groups that a stone of the mover on this empty point may take by the ordinary rule, sorted.
pub fn groups(options: &Options, board: &Board, mover: Colour, point: Point) -> Vec<Group> {
    if !options.captures {
        return Vec::new();
    }
    let mut groups: Vec<Group> =
        DIRECTIONS.into_iter().filter_map(|direction| group(options, board, mover, point, direction)).collect();
    groups.sort();
    groups
}

fn group(options: &Options, board: &Board, mover: Colour, point: Point, direction: Direction) -> Option<Group> {
    let (mut stones, end) = stretch(board, point, direction, mover);
    let flanked = board.has(end, mover) && options.takes(stones.len()) && may_be_taken(options, board, &stones);
    stones.sort();
    flanked.then_some(stones)
}

/// The flanks into which the mover's stone on this point moved. The board has the stone and has lost nothing yet.
pub fn flanks(options: &Options, board: &Board, mover: Colour, point: Point) -> Vec<Flank> {
    let mut flanks = Vec::new();
    for by in options.colours().into_iter().filter(|colour| *colour != mover) {
        for axis in AXES {
            let (ahead, end) = stretch(board, point, axis, by);
            let (behind, other_end) = stretch(board, point, opposite(axis), by);
            let mut stretch = [behind, vec![point], ahead].concat();
            let flanked = board.has(end, by) && board.has(other_end, by);
            if flanked && options.takes(stretch.len()) && may_be_taken(options, board, &stretch) {
                stretch.sort();
                flanks.push(Flank { by, stretch });
            }
        }
    }
    flanks
}

/// The stones that follow a point in a direction and are of any colour but one, and the point at which they end.
fn stretch(board: &Board, point: Point, direction: Direction, but: Colour) -> (Group, Point) {
    let mut stones = Group::new();
    let mut next = point.step(direction);
    while matches!(board.at(next), Cell::Stone(colour) if colour != but) {
        stones.push(next);
        next = next.step(direction);
    }
    (stones, next)
}

/// Is the group of one colour, or may it be mixed?
fn may_be_taken(options: &Options, board: &Board, stones: &[Point]) -> bool {
    options.mixes() || stones.iter().all(|point| board.at(*point) == board.at(stones[0]))
}
