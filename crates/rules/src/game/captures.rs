//! What a stone takes (RULES.md, sections 4.3 and 5 *Overtime*).

use super::Game;
use super::board::{AXES, Board, Cell, EMPTY, Spot, WALL, ahead, is_enemy, point_of};
use super::lines::Line;
use crate::{Group, OvertimeRule, Point, Rules, Take};

/// Stones that a stone takes, by direction: so many from the next cell on, 0 for none. Each direction holds one
/// group at most, and groups never share a stone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Takes(pub(crate) [u8; 8]);

impl Takes {
    pub(crate) fn is_empty(self) -> bool {
        self.0 == [0; 8]
    }

    /// Stones in all groups.
    pub(crate) fn stones(self) -> u16 {
        self.0.iter().map(|&length| u16::from(length)).sum()
    }

    /// The directions that hold a group, as bits.
    fn directions(self) -> u8 {
        (0..8).filter(|&direction| self.0[direction] > 0).fold(0, |bits, direction| bits | 1 << direction)
    }

    /// Only the groups in these directions.
    fn only(self, directions: u8) -> Takes {
        let mut takes = self;
        for (direction, length) in takes.0.iter_mut().enumerate() {
            if directions & (1 << direction) == 0 {
                *length = 0;
            }
        }
        takes
    }

    /// Every choice that the mover has: all groups with forced captures, else each subset, the largest first.
    pub(crate) fn choices(self, forced: bool) -> impl Iterator<Item = Takes> {
        let all = self.directions();
        let mut next = Some(all);
        std::iter::from_fn(move || {
            let subset = next?;
            // The subsets of a set of bits in falling order.
            next = if forced || subset == 0 { None } else { Some((subset - 1) & all) };
            Some(self.only(subset))
        })
    }

    pub(crate) fn spots(self, at: Spot) -> impl Iterator<Item = Spot> {
        (0..8).flat_map(move |direction| (1..=i16::from(self.0[direction])).map(move |n| ahead(at, direction, n)))
    }

    /// The groups with their points, both sorted.
    pub(crate) fn groups(self, at: Spot) -> Vec<Group> {
        let mut groups: Vec<Group> =
            (0..8).filter(|&direction| self.0[direction] > 0).map(|direction| self.group(at, direction)).collect();
        groups.sort_unstable();
        groups
    }

    fn group(self, at: Spot, direction: usize) -> Group {
        let length = i16::from(self.0[direction]);
        let mut points: Vec<Point> = (1..=length).map(|n| point_of(ahead(at, direction, n))).collect();
        points.sort_unstable();
        Group(points)
    }

    /// The groups that a player names; `None` unless each is one of these, none is named twice, and with forced
    /// captures none is left out. Points of a group may come in any order.
    pub(crate) fn chosen(self, at: Spot, take: &Take, forced: bool) -> Option<Takes> {
        let named = match take {
            Take::All => return Some(self),
            Take::Just(groups) => groups,
        };
        let mut directions = 0;
        for Group(points) in named {
            let mut points = points.clone();
            points.sort_unstable();
            let direction = (0..8).find(|&direction| {
                self.0[direction] > 0
                    && usize::from(self.0[direction]) == points.len()
                    && self.group(at, direction).0 == points
            })?;
            if directions & (1 << direction) != 0 {
                return None;
            }
            directions |= 1 << direction;
        }
        if forced && directions != self.directions() { None } else { Some(self.only(directions)) }
    }
}

/// The pairs (and threes) that a stone of `own` on `at` flanks. Exactly two, or exactly three with `capture_threes`.
pub(crate) fn flanked_by(board: &Board, rules: &Rules, at: Spot, own: Cell) -> Takes {
    let mut takes = Takes::default();
    let options = rules.options();
    if !options.captures {
        return takes;
    }
    for direction in 0..8 {
        let first = board.at(ahead(at, direction, 1));
        if !is_enemy(first, own) {
            continue;
        }
        let second = board.at(ahead(at, direction, 2));
        if !is_enemy(second, own) {
            continue;
        }
        let third = board.at(ahead(at, direction, 3));
        let one_colour = first == second;
        if third == own {
            if one_colour || options.mixed_captures {
                takes.0[direction] = 2;
            }
        } else if options.capture_threes
            && third != EMPTY
            && third != WALL
            && board.at(ahead(at, direction, 4)) == own
            && (options.mixed_captures || (one_colour && second == third))
        {
            takes.0[direction] = 3;
        }
    }
    takes
}

impl Game {
    /// What a stone of `own` on the empty spot may take now, the claimed line in `take` overtime included.
    pub(super) fn takes(&self, at: Spot, own: Cell) -> Takes {
        let mut takes = flanked_by(&self.board, &self.rules, at, own);
        if self.rules.options().overtime == OvertimeRule::Take
            && let Some(line) = self.claim
            && let Some(direction) = open_end(&self.board, line, at, own)
        {
            takes.0[direction] = line.length;
        }
        takes
    }
}

/// The direction in which `line` lies when `at` is its open end and the other end is a stone of `own`.
pub(super) fn open_end(board: &Board, line: Line, at: Spot, own: Cell) -> Option<usize> {
    let axis = usize::from(line.axis);
    let (before, after) = line.ends();
    let (direction, other) = match at {
        at if at == before => (axis, after),
        at if at == after => (axis + AXES, before),
        _ => return None,
    };
    (board.at(at) == EMPTY && board.at(other) == own).then_some(direction)
}
