//! Fours and threes along one axis through a stone (RULES.md, section 6). Five stones win here: these shapes
//! matter with two sides only.

use super::board::{Board, Cell, EMPTY, STEPS, STRIP_REACH, Spot, Strip, WALL, ahead};

/// Where the strip's stone is.
const MIDDLE: usize = STRIP_REACH;
/// Stones in a winning line.
const FIVE: usize = 5;

/// The run around a place of the strip, as if a stone of `own` stood there: its first and last place.
fn run(strip: &Strip, place: usize, own: Cell) -> (usize, usize) {
    let mut first = place;
    while first > 0 && strip[first - 1] == own {
        first -= 1;
    }
    let mut last = place;
    while last + 1 < strip.len() && strip[last + 1] == own {
        last += 1;
    }
    (first, last)
}

fn is_five(run: (usize, usize), exact: bool) -> bool {
    let length = run.1 - run.0 + 1;
    if exact { length == FIVE } else { length >= FIVE }
}

/// The places from four below the middle to four above it: no five that holds the middle stone reaches farther.
fn around() -> impl Iterator<Item = usize> {
    (MIDDLE + 1 - FIVE..MIDDLE + FIVE).filter(|&place| place != MIDDLE)
}

/// The empty places where one more stone makes a five that holds it and the middle stone.
pub(super) fn five_places(strip: &Strip, own: Cell, exact: bool) -> impl Iterator<Item = usize> {
    around().filter(move |&place| {
        let around = run(strip, place, own);
        strip[place] == EMPTY && (around.0..=around.1).contains(&MIDDLE) && is_five(around, exact)
    })
}

/// How many fours hold the middle stone: sets of four stones that one more turns into a five. The two ends of an
/// open four complete the same set, which therefore counts once.
pub(super) fn fours(strip: &Strip, own: Cell, exact: bool) -> usize {
    let mut places = five_places(strip, own, exact);
    match (places.next(), places.next()) {
        (None, _) => 0,
        (Some(_), None) => 1,
        (Some(first), Some(second)) if second - first == FIVE => 1,
        (Some(_), Some(_)) => 2,
    }
}

/// The empty places where one more stone makes an open four that holds it and the middle stone, each with the
/// open four's first place.
pub(super) fn open_four_places(strip: &Strip, own: Cell, exact: bool) -> impl Iterator<Item = (usize, usize)> {
    around().filter_map(move |place| {
        if strip[place] != EMPTY {
            return None;
        }
        let (first, last) = run(strip, place, own);
        if last - first + 1 != FIVE - 1 || !(first..=last).contains(&MIDDLE) {
            return None;
        }
        let mut with = *strip;
        with[place] = own;
        // Four cells that hold the middle end at most three from it, so that their neighbours are on the strip.
        let open =
            [first - 1, last + 1].into_iter().all(|end| strip[end] == EMPTY && is_five(run(&with, end, own), exact));
        open.then_some((place, first))
    })
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
