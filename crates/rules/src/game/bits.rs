//! Stones as bits along the four axes, so that everything around a point is seen in a few machine words.

use super::board::{AXES, STRIDE, Spot};
use crate::Point;

/// How far a window reaches on either side of its middle: the longest winning line, and the stone that would make
/// it too long.
pub(crate) const REACH: u32 = 6;
/// Words for the rows, the columns and the diagonals of the largest board (19 + 19 + 37 + 37), rounded up so that
/// no index of eight bits needs a test.
const WORDS: usize = 256;
/// The first word of each axis.
const FIRST: [usize; AXES] = [0, 19, 38, 75];
/// Places in the table of spots, a power of two, so that an index needs a mask and no test.
const SPOTS: usize = 512;

/// Where a spot is found: its line on each axis, its place there (by row on its column, else by column), and the
/// bit of that place.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Place {
    column_bit: u32,
    row_bit: u32,
    lines: [u8; AXES],
    column: u8,
    row: u8,
}

impl Place {
    const NOWHERE: Place = Place { column_bit: 0, row_bit: 0, lines: [0; AXES], column: 0, row: 0 };

    /// The spot's bit on an axis.
    #[inline(always)]
    const fn bit(self, axis: usize) -> u32 {
        if axis == 1 { self.row_bit } else { self.column_bit }
    }

    /// How far the axis' word is shifted for the window around the spot.
    #[inline(always)]
    const fn shift(self, axis: usize) -> u32 {
        (if axis == 1 { self.row } else { self.column }) as u32
    }
}

static PLACES: [Place; SPOTS] = places();

const fn places() -> [Place; SPOTS] {
    let mut places = [Place::NOWHERE; SPOTS];
    let side = Point::SIDE_MAX as usize;
    let mut row = 0;
    while row < side {
        let mut column = 0;
        while column < side {
            let lines = [
                (FIRST[0] + row) as u8,
                (FIRST[1] + column) as u8,
                (FIRST[2] + column + side - 1 - row) as u8,
                (FIRST[3] + column + row) as u8,
            ];
            places[(row + 1) * STRIDE + column + 1] = Place {
                column_bit: 1 << (column as u32 + REACH),
                row_bit: 1 << (row as u32 + REACH),
                lines,
                column: column as u8,
                row: row as u8,
            };
            column += 1;
        }
        row += 1;
    }
    places
}

pub(crate) fn place(spot: Spot) -> Place {
    PLACES[usize::from(spot) % SPOTS]
}

/// The four axes through a point, sixteen bits each, in the order of [`STEPS`](super::board::STEPS) from the lowest:
/// bit [`REACH`] is the point itself, the next higher bit the next point in the axis' direction, and a set bit a stone.
pub(crate) type Windows = u64;

/// The same bit in each of the four windows.
pub(crate) const fn in_each(bits: u16) -> Windows {
    bits as u64 * 0x0001_0001_0001_0001
}

/// Bits of one axis.
pub(crate) const LANE: u32 = 16;

/// The window of one axis.
pub(crate) const fn on_axis(windows: Windows, axis: usize) -> u16 {
    (windows >> (LANE as usize * axis)) as u16
}

/// The point itself in each window.
pub(crate) const MIDDLES: Windows = in_each(1 << REACH);

/// A set of points as bits, once for each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines([u32; WORDS]);

impl Lines {
    pub(crate) const NONE: Lines = Lines([0; WORDS]);

    /// Adds a spot that is not in the set.
    #[inline(always)]
    pub(crate) fn set(&mut self, place: Place) {
        for axis in 0..AXES {
            self.0[usize::from(place.lines[axis])] |= place.bit(axis);
        }
    }

    /// Takes a spot out that is in the set.
    #[inline(always)]
    pub(crate) fn unset(&mut self, place: Place) {
        for axis in 0..AXES {
            self.0[usize::from(place.lines[axis])] ^= place.bit(axis);
        }
    }

    pub(crate) fn holds(&self, place: Place) -> bool {
        self.0[usize::from(place.lines[0])] & place.column_bit != 0
    }

    /// Adds a spot; what is around it then, and on it.
    #[inline(always)]
    pub(crate) fn set_and_see(&mut self, place: Place) -> Windows {
        let mut set = |axis| {
            let word = &mut self.0[usize::from(place.lines[axis])];
            *word |= place.bit(axis);
            lane(*word, place, axis)
        };
        set(0) | set(1) | set(2) | set(3)
    }

    /// What is around a spot, and on it.
    #[inline(always)]
    pub(crate) fn windows(&self, place: Place) -> Windows {
        let lane = |axis| lane(self.0[usize::from(place.lines[axis])], place, axis);
        lane(0) | lane(1) | lane(2) | lane(3)
    }
}

/// Two sides' stones as bits, the second side's in the upper half of each word, so that one look sees both.
#[derive(Clone, Debug)]
pub(crate) struct Pair([u64; WORDS]);

impl Pair {
    pub(crate) const NONE: Pair = Pair([0; WORDS]);

    /// Turns the bit of a side's stone over.
    #[inline(always)]
    pub(crate) fn flip(&mut self, place: Place, side: usize) {
        for axis in 0..AXES {
            self.0[usize::from(place.lines[axis])] ^= u64::from(place.bit(axis)) << (32 * side);
        }
    }

    /// Takes a spot from one side and gives it to the other.
    #[inline(always)]
    pub(crate) fn turn_over(&mut self, place: Place) {
        for axis in 0..AXES {
            self.0[usize::from(place.lines[axis])] ^= u64::from(place.bit(axis)) * (1 << 32 | 1);
        }
    }

    /// What either side has around a spot, and on it.
    #[inline(always)]
    pub(crate) fn see(&self, place: Place) -> [Windows; 2] {
        let both = |axis| self.0[usize::from(place.lines[axis])] >> (place.shift(axis) & 63) & BOTH;
        apart(both(0) | both(1) << LANE, both(2) | both(3) << LANE)
    }

    /// What one side has around a spot.
    pub(crate) fn windows(&self, place: Place, side: usize) -> Windows {
        let lane = |axis| lane((self.0[usize::from(place.lines[axis])] >> (32 * side)) as u32, place, axis);
        lane(0) | lane(1) | lane(2) | lane(3)
    }

    #[cfg(test)]
    pub(crate) fn holds(&self, place: Place, side: usize) -> bool {
        self.0[usize::from(place.lines[0])] & u64::from(place.column_bit) << (32 * side) != 0
    }

    /// Adds a stone; what of either side is around it then, and on it.
    #[inline(always)]
    pub(crate) fn set_and_see(&mut self, place: Place, side: usize) -> [Windows; 2] {
        let mut set = |axis| {
            let word = &mut self.0[usize::from(place.lines[axis])];
            *word |= u64::from(place.bit(axis)) << (32 * side);
            *word >> (place.shift(axis) & 63) & BOTH
        };
        apart(set(0) | set(1) << LANE, set(2) | set(3) << LANE)
    }
}

/// A window of each half of a word; the other sixteen bits of each half are free for another axis.
const BOTH: u64 = 0x0000_FFFF_0000_FFFF;

/// The sides' windows, from two axes of both sides and the other two.
#[inline(always)]
const fn apart(low: u64, high: u64) -> [Windows; 2] {
    const HALF: u64 = 0xFFFF_FFFF;
    [low & HALF | high << 32, low >> 32 | high & !HALF]
}

/// The window around a spot in the lane of its axis.
#[inline(always)]
const fn lane(word: u32, place: Place, axis: usize) -> Windows {
    ((word >> (place.shift(axis) & 31)) as u16 as Windows) << (LANE as usize * axis)
}
