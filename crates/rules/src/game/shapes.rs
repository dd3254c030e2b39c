//! Fours and threes along one axis through a stone (RULES.md, section 6). Five stones win here: these shapes
//! matter with two sides only.

use super::bits::REACH;
use super::board::{Board, Cell, EMPTY, STEPS, Spot, WALL, ahead};

/// Where a strip's stone is.
const MIDDLE: usize = REACH as usize;
/// Stones in a winning line.
const FIVE: usize = 5;
/// One bit for each point of a five, and of a four.
const FIVE_BITS: u16 = 0b11111;
const FOUR_BITS: u16 = 0b1111;

/// One axis around a stone, a bit a point: bit [`REACH`] is the stone itself, the next higher bit the next point in
/// the axis' direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strip {
    /// Stones of the side that is asked about, the middle one among them.
    pub(crate) own: u16,
    /// Empty points; beyond the edge there are none.
    pub(crate) empty: u16,
}

impl Strip {
    /// The cells around a stone of `own` on an axis.
    pub(super) fn of(board: &Board, at: Spot, axis: usize, own: Cell) -> Strip {
        let mut strip = Strip { own: 1 << MIDDLE, empty: 0 };
        for sign in [1, -1] {
            let mut next = at;
            for distance in 1..=REACH as i16 {
                next = ahead(next, axis, sign);
                let bit = 1 << MIDDLE.wrapping_add_signed(isize::from(sign * distance));
                match board.at(next) {
                    WALL => break,
                    EMPTY => strip.empty |= bit,
                    cell if cell == own => strip.own |= bit,
                    _ => {}
                }
            }
        }
        strip
    }

    /// The empty places, as bits, where one more stone makes a five that holds it and the middle stone.
    fn fives(self, exact: bool) -> u16 {
        let mut places = 0;
        for first in MIDDLE + 1 - FIVE..=MIDDLE {
            let missing = !(self.own >> first) & FIVE_BITS;
            // The points beyond a five's ends, which would make it too long.
            let beyond = 1 << (first - 1) | 1 << (first + FIVE);
            if missing.is_power_of_two() && !(exact && self.own & beyond != 0) {
                places |= missing << first;
            }
        }
        places & self.empty
    }
}

/// The set bits' places, from the lowest.
fn places(mut bits: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            place
        })
    })
}

/// The empty places where one more stone makes a five that holds it and the middle stone.
pub(super) fn five_places(strip: Strip, exact: bool) -> impl Iterator<Item = usize> {
    places(strip.fives(exact))
}

/// Whether the middle stone stands in a four.
pub(super) fn is_four(strip: Strip, exact: bool) -> bool {
    strip.fives(exact) != 0
}

/// How many fours hold the middle stone: sets of four stones that one more turns into a five. The two ends of an
/// open four complete the same set, which therefore counts once.
pub(super) fn fours(strip: Strip, exact: bool) -> usize {
    let places = strip.fives(exact);
    let lowest = places & places.wrapping_neg();
    match places.count_ones() {
        0 => 0,
        1 => 1,
        _ if places == lowest | lowest << FIVE => 1,
        _ => 2,
    }
}

/// The empty places where one more stone makes an open four that holds it and the middle stone, each with the
/// open four's first place.
pub(super) fn open_four_places(strip: Strip, exact: bool) -> impl Iterator<Item = (usize, usize)> {
    (MIDDLE + 2 - FIVE..=MIDDLE).filter_map(move |first| {
        let missing = !(strip.own >> first) & FOUR_BITS;
        let needed = missing << first | 1 << (first - 1) | 1 << (first + FIVE - 1);
        // A stone next but one to an end makes the five on that end too long.
        let beyond = 1 << (first - 2) | 1 << (first + FIVE);
        let open = missing.is_power_of_two() && strip.empty & needed == needed && !(exact && strip.own & beyond != 0);
        open.then(|| (first + missing.trailing_zeros() as usize, first))
    })
}

/// The own stones that follow each other on both sides of a place, in no order.
pub(super) fn beside(strip: Strip, place: usize) -> impl Iterator<Item = usize> {
    let has = move |place: &usize| strip.own >> place & 1 == 1;
    (0..place).rev().take_while(has).chain((place + 1..16).take_while(has))
}

/// The spot of a strip's place.
pub(super) fn spot_at(middle: Spot, axis: usize, place: usize) -> Spot {
    middle.wrapping_add_signed(STEPS[axis] * (place as i16 - MIDDLE as i16))
}

/// Own stones on an axis, at most `reach` away, whatever stands between: too few of them rule a shape out.
pub(super) fn neighbours(board: &Board, at: Spot, axis: usize, own: Cell, reach: i16) -> usize {
    let mut count = 0;
    for sign in [1, -1] {
        for distance in 1..=reach {
            let cell = board.at(ahead(at, axis, sign * distance));
            if cell == WALL {
                break;
            }
            count += usize::from(cell == own);
        }
    }
    count
}
