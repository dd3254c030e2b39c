//! Flanks moved into (RULES.md, sections 4.4 and 6).

use super::board::{AXES, Board, Cell, EMPTY, Spot, WALL, ahead, stone};
use crate::{Colour, Point, Rules};

/// The most stretches that one stone can stand in: three enemies on each axis.
const FLANKS_MAX: usize = 12;

/// A stretch of stones that a side flanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flank {
    /// The stone of the side that flanks.
    pub(crate) by: Cell,
    pub(crate) start: Spot,
    pub(crate) axis: u8,
    pub(crate) length: u8,
}

impl Flank {
    pub(crate) fn spots(self) -> impl Iterator<Item = Spot> {
        (0..i16::from(self.length)).map(move |n| ahead(self.start, usize::from(self.axis), n))
    }

    /// The two stones that flank it.
    pub(crate) fn ends(self) -> [Spot; 2] {
        [-1, i16::from(self.length)].map(|n| ahead(self.start, usize::from(self.axis), n))
    }
}

/// All flanks that one stone has moved into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flanks {
    count: u8,
    list: [Flank; FLANKS_MAX],
}

impl Flanks {
    pub(crate) const NONE: Flanks =
        Flanks { count: 0, list: [Flank { by: EMPTY, start: 0, axis: 0, length: 0 }; FLANKS_MAX] };

    pub(crate) fn list(&self) -> &[Flank] {
        &self.list[..usize::from(self.count)]
    }

    /// Stones that this side takes, each counted once: its stretches share the new stone and nothing else.
    pub(crate) fn stones_of(&self, by: Cell) -> u16 {
        let others: u16 =
            self.list().iter().filter(|flank| flank.by == by).map(|flank| u16::from(flank.length) - 1).sum();
        if others == 0 { 0 } else { others + 1 }
    }

    /// Who takes which points, sides and points sorted.
    pub(crate) fn points(&self) -> Vec<(Colour, Vec<Point>)> {
        let mut taken = Vec::new();
        for colour in Colour::ALL {
            let of_side = self.list().iter().filter(|flank| flank.by == stone(colour));
            let mut points: Vec<Point> = of_side.flat_map(|flank| flank.spots()).map(super::board::point_of).collect();
            points.sort_unstable();
            points.dedup();
            if !points.is_empty() {
                taken.push((colour, points));
            }
        }
        taken
    }
}

/// The flanked stretches in which a stone of `own` on `at` stands, or would stand; what the cell itself holds
/// does not matter. Nothing has been captured yet.
pub(crate) fn flanks(board: &Board, rules: &Rules, at: Spot, own: Cell) -> Flanks {
    let mut flanks = Flanks::NONE;
    let mixed = rules.options().mixed_captures && rules.sides() > 2;
    let longest = if rules.options().capture_threes { 3 } else { 2 };
    for axis in 0..AXES {
        for colour in Colour::ALL {
            let by = stone(colour);
            if by == own {
                continue;
            }
            let Some(back) = distance_to(board, at, axis + AXES, by, longest) else { continue };
            let Some(forth) = distance_to(board, at, axis, by, longest) else { continue };
            let length = back + forth - 1;
            let start = ahead(at, axis, 1 - back);
            let flank = Flank { by, start, axis: axis as u8, length: length as u8 };
            let one_colour = || flank.spots().all(|spot| spot == at || board.at(spot) == own);
            if (2..=longest).contains(&length) && (mixed || one_colour()) {
                flanks.list[usize::from(flanks.count)] = flank;
                flanks.count += 1;
            }
        }
    }
    flanks
}

/// How many steps away the first stone of `by` is, with only other stones before it; `None` if farther than `most`.
fn distance_to(board: &Board, at: Spot, direction: usize, by: Cell, most: i16) -> Option<i16> {
    for distance in 1..=most {
        let cell = board.at(ahead(at, direction, distance));
        if cell == by {
            return Some(distance);
        }
        if cell == EMPTY || cell == WALL {
            return None;
        }
    }
    None
}
