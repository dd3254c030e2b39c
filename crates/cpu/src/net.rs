//! What a position is worth, learnt from games against itself: for each empty point near stones what lies around it on
//! the four axes gives some numbers, which are added up, cut off below nothing and above a limit, and added up over the
//! board; a small net makes one number of these sums. Where nothing is captured and five or more win.
//!
//! The weights are made by `weights/net.py`; see the crate's README.

use std::sync::OnceLock;

use crate::duel::ODDS;
use crate::field::Field;
use crate::ground::{AXES, Ground, LINES};
use crate::shape::{EDGE, REACH};
use crate::spots::{SPOTS, Spot, Spots};

/// Cells on either side of a point that are looked at: those that a five through it could reach.
const SEEN: usize = 4;
/// Ways in which one half of a window can lie, for both sides together: see [`canonical`].
const HALVES: usize = 57;
/// Windows, which way they are read put aside.
const CLASSES: usize = HALVES * (HALVES + 1) / 2;
/// Numbers of a point in the view of one side, and of both.
const WIDTH: usize = 16;
const BOTH: usize = 2 * WIDTH;
/// Numbers between the sums and the worth.
const HIDDEN: usize = 16;
/// A point's numbers are kept in this part of one.
const ONE: f32 = 128.0;
/// A point's number counts for no more than this.
const MOST: i16 = 4 * 128;
/// What the sums are multiplied by.
const SUM_SCALE: f32 = 1.0 / (16.0 * ONE);
/// Cells that are compared at once.
const BLOCK: usize = 16;
/// A worth of one is this in the unit of [`crate::Thought::score`].
const SCALE: f32 = ODDS as f32;

/// The weights, numbers with the lowest byte first: of each window and of none in 16 bits, then all others as floats.
const BYTES: &[u8] = include_bytes!("../weights/lines.net");

type Row = [i16; BOTH];

struct Weights {
    /// The class of each window, in the view of the side that is written `01`.
    classes: Vec<u16>,
    /// The numbers of each class in the view of either side.
    rows: Vec<Row>,
    base: Row,
    /// By input.
    first: Vec<[f32; HIDDEN]>,
    first_base: [f32; HIDDEN],
    second: [f32; HIDDEN],
    second_base: f32,
    straight: [f32; BOTH],
    /// Of what the points are worth by their shapes.
    shapes: f32,
}

/// One half of a window, cells from the middle outwards in two bits each, with all beyond the first stone of the second
/// colour as if it were beyond the edge: neither side could make a line through it.
fn canonical(half: usize) -> usize {
    let (mut colour, mut is_blocked, mut cells) = (0, false, 0);
    for cell in 0..SEEN {
        let code = half >> (2 * cell) & 3;
        is_blocked |= code == 3 || code != 0 && colour != 0 && code != colour;
        if code != 0 && !is_blocked {
            colour = code;
        }
        cells |= (if is_blocked { 3 } else { code }) << (2 * cell);
    }
    cells
}

/// The same half in the view of the other side.
fn swapped(half: usize) -> usize {
    (0..SEEN).fold(0, |cells, cell| cells | [0, 2, 1, 3][half >> (2 * cell) & 3] << (2 * cell))
}

/// Cells in the order from the other end.
fn reversed(half: usize) -> usize {
    (0..SEEN).fold(0, |cells, cell| cells | (half >> (2 * cell) & 3) << (2 * (SEEN - 1 - cell)))
}

/// The number of a window with these halves, whichever comes first.
fn pair(one: usize, other: usize) -> usize {
    let (low, high) = (one.min(other), one.max(other));
    high * (high + 1) / 2 + low
}

/// Reads numbers one after the other.
struct Reader(&'static [u8]);

impl Reader {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("a whole file of weights");
        self.0 = rest;
        *first
    }

    fn short(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    fn floats<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| f32::from_le_bytes(self.take()))
    }
}

impl Weights {
    fn get() -> &'static Weights {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| Weights::read(Reader(BYTES)))
    }

    fn read(mut reader: Reader) -> Weights {
        let halves = 1 << (2 * SEEN);
        let mut known: Vec<usize> = (0..halves).map(canonical).collect();
        known.sort_unstable();
        known.dedup();
        let rank = |half: usize| known.binary_search(&canonical(half)).expect("a known half");
        let ranks: Vec<usize> = (0..halves).map(rank).collect();
        let class = |window: usize| pair(ranks[reversed(window & (halves - 1))], ranks[window >> (2 * SEEN)]) as u16;
        let own: Vec<[i16; WIDTH]> = (0..CLASSES).map(|_| std::array::from_fn(|_| reader.short())).collect();
        let both = |mine: [i16; WIDTH], yours: [i16; WIDTH]| -> Row {
            std::array::from_fn(|at| if at < WIDTH { mine[at] } else { yours[at - WIDTH] })
        };
        let of_other: Vec<usize> = known.iter().map(|&half| rank(swapped(half))).collect();
        let mut rows = vec![[0; BOTH]; CLASSES];
        for one in 0..HALVES {
            for other in 0..=one {
                let (mine, yours) = (pair(one, other), pair(of_other[one], of_other[other]));
                rows[mine] = both(own[mine], own[yours]);
            }
        }
        let base: [i16; WIDTH] = std::array::from_fn(|_| reader.short());
        Weights {
            classes: (0..halves * halves).map(class).collect(),
            rows,
            base: both(base, base),
            first: (0..BOTH).map(|_| reader.floats()).collect(),
            first_base: reader.floats(),
            second: reader.floats(),
            second_base: reader.floats::<1>()[0],
            straight: reader.floats(),
            shapes: reader.floats::<1>()[0],
        }
    }
}

/// The sums of a position, which go along from one position to the next.
pub struct Net {
    weights: &'static Weights,
    /// 0 empty, else the side and 1.
    cells: [u8; SPOTS],
    lines: [u64; LINES],
    /// The numbers of each empty point; those of others are what they were.
    points: Box<[Row; SPOTS]>,
    /// Stones in the windows of each point.
    seen: [u8; SPOTS],
    sums: [i32; BOTH],
}

impl Net {
    /// Of the empty board; `None` under rules that it has not learnt.
    pub fn of(ground: &Ground) -> Option<Net> {
        if ground.captures() || !ground.is_plain || ground.rules[..2].iter().any(|rule| rule.length != 5 || rule.exact)
        {
            return None;
        }
        let mut net = Net {
            weights: Weights::get(),
            cells: [0; SPOTS],
            lines: Field::<2, 1>::empty_lines(ground),
            points: Box::new([[0; BOTH]; SPOTS]),
            seen: [0; SPOTS],
            sums: [0; BOTH],
        };
        for spot in 0..ground.spots as Spot {
            net.points[usize::from(spot)] = net.worked_out(ground, spot);
        }
        Some(net)
    }

    /// What a position is worth to a side that is to move, where its shapes alone make it worth so much.
    pub fn worth(&mut self, ground: &Ground, cells: &[u8; SPOTS], side: usize, shapes: i32) -> i32 {
        self.follow(ground, cells);
        let weights = self.weights;
        let sum = |at: usize| self.sums[if side == 0 { at } else { (at + WIDTH) % BOTH }] as f32 * SUM_SCALE;
        let sums: [f32; BOTH] = std::array::from_fn(sum);
        let mut hidden = weights.first_base;
        for (&sum, row) in sums.iter().zip(&weights.first) {
            for (hidden, weight) in hidden.iter_mut().zip(row) {
                *hidden += sum * weight;
            }
        }
        let hidden: f32 = hidden.iter().zip(&weights.second).map(|(hidden, weight)| hidden.max(0.0) * weight).sum();
        let straight: f32 = sums.iter().zip(&weights.straight).map(|(sum, weight)| sum * weight).sum();
        ((hidden + straight + weights.second_base) * SCALE + weights.shapes * shapes as f32) as i32
    }

    /// Goes on, or back, to the position with these stones.
    fn follow(&mut self, ground: &Ground, cells: &[u8; SPOTS]) {
        let differs = |one: &[u8], other: &[u8]| one.iter().zip(other).fold(0, |bits, (a, b)| bits | (a ^ b)) != 0;
        let mut put = Spots::NONE;
        for block in (0..ground.spots).step_by(BLOCK) {
            let block = block..(block + BLOCK).min(ground.spots);
            if !differs(&cells[block.clone()], &self.cells[block.clone()]) {
                continue;
            }
            for spot in block {
                if cells[spot] == self.cells[spot] {
                    continue;
                }
                if self.cells[spot] != 0 {
                    self.lift(ground, spot as Spot);
                }
                if cells[spot] != 0 {
                    put.add(spot as Spot);
                }
            }
        }
        for spot in put.iter() {
            self.put(ground, spot, cells[usize::from(spot)]);
        }
    }

    fn put(&mut self, ground: &Ground, spot: Spot, cell: u8) {
        let at = usize::from(spot);
        self.count(at, -1);
        self.cells[at] = cell;
        self.change(ground, spot, u64::from(cell), 1);
    }

    fn lift(&mut self, ground: &Ground, spot: Spot) {
        let at = usize::from(spot);
        let cell = std::mem::replace(&mut self.cells[at], 0);
        self.points[at] = self.worked_out(ground, spot);
        self.count(at, 1);
        self.change(ground, spot, u64::from(cell), u8::MAX);
    }

    /// Adds what a point counts for to the sums, or takes it from them.
    fn count(&mut self, at: usize, times: i32) {
        let most = if self.seen[at] > 0 { MOST } else { 0 };
        for (sum, &number) in self.sums.iter_mut().zip(&self.points[at]) {
            *sum += times * i32::from(number.clamp(0, most));
        }
    }

    /// A point's numbers.
    fn worked_out(&self, ground: &Ground, spot: Spot) -> Row {
        let place = ground.places[usize::from(spot)];
        let mut row = self.weights.base;
        for axis in 0..AXES {
            let class = self.class(self.lines[usize::from(place.line[axis])], u32::from(place.shift[axis]));
            add(&mut row, &self.weights.rows[class]);
        }
        row
    }

    /// The class of the window at a shift of a line.
    #[inline(always)]
    fn class(&self, word: u64, shift: u32) -> usize {
        let window = (word >> (shift + 2 * (REACH - SEEN) as u32)) as usize;
        const HALF: usize = (1 << (2 * SEEN)) - 1;
        usize::from(self.weights.classes[window & HALF | (window >> 2 & (HALF << (2 * SEEN)))])
    }

    /// Writes a stone into the lines or out of them, and brings the empty points around it up to date.
    fn change(&mut self, ground: &Ground, spot: Spot, code: u64, more: u8) {
        let place = ground.places[usize::from(spot)];
        let mut changed = [0i16; BOTH];
        for axis in 0..AXES {
            let (line, middle) = (usize::from(place.line[axis]), u32::from(place.shift[axis]));
            let before = self.lines[line];
            let after = before ^ code << (middle + 2 * REACH as u32);
            self.lines[line] = after;
            for steps in (REACH - SEEN) as u32..=(REACH + SEEN) as u32 {
                if steps == REACH as u32 || before >> (middle + 2 * steps) & EDGE == EDGE {
                    continue;
                }
                let other = usize::from(spot.wrapping_add_signed(ground.steps[axis] * (steps as i16 - REACH as i16)));
                let was = self.seen[other];
                let is = was.wrapping_add(more);
                self.seen[other] = is;
                if self.cells[other] != 0 {
                    continue;
                }
                let shift = middle + 2 * steps - 2 * REACH as u32;
                let (old, new) = (self.class(before, shift), self.class(after, shift));
                if old == new && (was > 0) == (is > 0) {
                    continue;
                }
                let (old, new) = (&self.weights.rows[old], &self.weights.rows[new]);
                let (most_before, most_after) = (if was > 0 { MOST } else { 0 }, if is > 0 { MOST } else { 0 });
                let point = &mut self.points[other];
                for at in 0..BOTH {
                    let number = point[at];
                    let next = number.wrapping_add(new[at]).wrapping_sub(old[at]);
                    point[at] = next;
                    changed[at] += next.max(0).min(most_after) - number.max(0).min(most_before);
                }
            }
        }
        // Eight points on each of four axes change by at most `MOST` each, which 16 bits hold.
        for (sum, changed) in self.sums.iter_mut().zip(changed) {
            *sum += i32::from(changed);
        }
    }
}

fn add(row: &mut Row, other: &Row) {
    row.iter_mut().zip(other).for_each(|(number, other)| *number = number.wrapping_add(*other));
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn sums_that_went_along_are_those_worked_out_anew() {
        let game = rules::example::game("gomoku", "");
        let ground = Ground::new(game.rules());
        let mut net = Net::of(&ground).expect("a rule that it has learnt");
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut cells = [0; SPOTS];
        for _ in 0..400 {
            for _ in 0..random.random_range(1..6) {
                let spot = random.random_range(0..ground.spots);
                cells[spot] = if cells[spot] == 0 { random.random_range(1..3) } else { random.random_range(0..3) };
            }
            let mut anew = Net::of(&ground).expect("a rule that it has learnt");
            assert_eq!(net.worth(&ground, &cells, 0, 7), anew.worth(&ground, &cells, 0, 7));
            assert!(net.sums == anew.sums && net.seen == anew.seen && net.lines == anew.lines);
            // The same stones in the other colours are worth as much to the other side.
            let others = cells.map(|cell| [0, 2, 1][usize::from(cell)]);
            let mut swapped = Net::of(&ground).expect("a rule that it has learnt");
            assert_eq!(net.worth(&ground, &cells, 0, -9), swapped.worth(&ground, &others, 1, -9));
        }
    }
}
