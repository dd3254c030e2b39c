//! What renju forbids to black: double threes, double fours and overlines, judged recursively (RULES.md, section
//! 6; the RIF's international rules of Renju, 9.2 and 9.3).

use super::Game;
use super::bits::{Pair, REACH, Windows, in_each, on_axis, place};
use super::board::{AXES, Board, Cell, EMPTY, Spot, stone};
use super::shapes::{Strip, fours, neighbours, open_four_places, spot_at};
use crate::{Colour, Forbidden, Refusal};

const BLACK: Cell = stone(Colour::Black);
const FIVE: u32 = 5;
/// Shapes that are forbidden twice.
const DOUBLE: usize = 2;
/// Every stone that can belong to a four or a three with the new one is at most so far away on its axis.
const SHAPE_REACH: i16 = 4;
/// Other stones that a three needs on its axis, and two fours on one axis, or an overline.
const THREE_OTHERS: u16 = 2;
const MANY_OTHERS: u16 = 4;

impl Game {
    pub(super) fn binds_renju(&self, own: Cell) -> bool {
        self.rules.options().forbidden == Forbidden::Renju && own == BLACK
    }

    /// Why black may not play on the empty spot. A point with several faults is a double three first, then a
    /// double four, then an overline.
    pub(super) fn renju_fault(&self, at: Spot) -> Option<Refusal> {
        if can_be_forbidden(&self.board, at) { Renju::of(&self.board).fault(at) } else { None }
    }

    /// The empty spots where black may not play, by row then column: quicker than one after the other.
    pub(super) fn renju_map(&self) -> Vec<Spot> {
        let mut renju = Renju::of(&self.board);
        self.board.spots_of(EMPTY).filter(|&spot| renju.is_forbidden(spot)).collect()
    }
}

/// A quick look at the cells that rules most points out: two shapes need stones on two axes, or many on one.
fn can_be_forbidden(board: &Board, at: Spot) -> bool {
    let mut axes_with_two = 0;
    for axis in 0..AXES {
        let others = neighbours(board, at, axis, BLACK, SHAPE_REACH);
        if others >= usize::from(MANY_OTHERS) {
            return true;
        }
        axes_with_two += usize::from(others >= usize::from(THREE_OTHERS));
    }
    axes_with_two >= DOUBLE
}

/// The same look at the axes as bits, before the stone is placed.
fn may_be_forbidden(black: Windows) -> bool {
    const OTHERS: Windows = in_each(0b1_1110_1111 << (REACH - SHAPE_REACH as u32));
    let at_least = |counts: Windows, least: u16| (counts + in_each(0x8000 - least)) & in_each(0x8000);
    let counts = counts(black & OTHERS);
    let with_two = at_least(counts, THREE_OTHERS);
    with_two & with_two.wrapping_sub(1) != 0 || at_least(counts, MANY_OTHERS) != 0
}

/// How many bits are set in each window, all four at once (the usual sums of neighbours, halves of words of bits).
const fn counts(bits: Windows) -> Windows {
    let pairs = bits - ((bits >> 1) & in_each(0x5555));
    let fours = (pairs & in_each(0x3333)) + ((pairs >> 2) & in_each(0x3333));
    let eights = (fours + (fours >> 4)) & in_each(0x0F0F);
    (eights + (eights >> 8)) & in_each(0x001F)
}

/// Black's stones and the empty points, on a board to try stones on.
struct Renju {
    /// The first side are black's stones, the second the empty points.
    points: Pair,
}

impl Renju {
    fn of(board: &Board) -> Renju {
        let mut points = Pair::NONE;
        board.spots_of(BLACK).for_each(|spot| points.flip(place(spot), 0));
        board.spots_of(EMPTY).for_each(|spot| points.flip(place(spot), 1));
        Renju { points }
    }

    /// Puts a black stone on an empty spot, asks, and takes it off again.
    fn with<T>(&mut self, at: Spot, ask: impl FnOnce(&mut Renju, Around) -> T) -> T {
        self.points.turn_over(place(at));
        let [black, empty] = self.points.see(place(at));
        let answer = ask(self, Around { at, black, empty });
        self.points.turn_over(place(at));
        answer
    }

    /// Why black may not play on the empty spot.
    fn fault(&mut self, at: Spot) -> Option<Refusal> {
        self.with(at, |renju, around| {
            if around.makes_five() {
                None
            } else if renju.threes(around) >= DOUBLE {
                Some(Refusal::DoubleThree)
            } else if around.fours() >= DOUBLE {
                Some(Refusal::DoubleFour)
            } else {
                around.makes_overline().then_some(Refusal::Overline)
            }
        })
    }

    /// Whether black may not play on the empty spot: as [`Renju::fault`], the cheapest first.
    fn is_forbidden(&mut self, at: Spot) -> bool {
        let [black, _] = self.points.see(place(at));
        may_be_forbidden(black)
            && self.with(at, |renju, around| {
                !around.makes_five()
                    && (around.makes_overline() || around.fours() >= DOUBLE || renju.threes(around) >= DOUBLE)
            })
    }

    /// The threes through a black stone, at most one an axis. A stone that makes a straight four counts only where
    /// black may play it without making a five, so each is judged by the same rules on the board as it then stands.
    fn threes(&mut self, around: Around) -> usize {
        let is_candidate = |axis: &usize| open_four_places(around.strip(*axis), true).next().is_some();
        // One three alone forbids nothing, and asking costs a search.
        if (0..AXES).filter(is_candidate).count() < DOUBLE {
            return 0;
        }
        let mut is_three = |axis: &usize| {
            let mut adds = open_four_places(around.strip(*axis), true);
            adds.any(|(add, _)| self.may_follow(spot_at(around.at, *axis, add)))
        };
        (0..AXES).filter(|axis| is_three(axis)).count()
    }

    /// Whether black may play on the empty spot, and makes no five there.
    fn may_follow(&mut self, at: Spot) -> bool {
        self.with(at, |_, around| !around.makes_five()) && !self.is_forbidden(at)
    }
}

/// What lies around a black stone.
#[derive(Clone, Copy)]
struct Around {
    at: Spot,
    black: Windows,
    empty: Windows,
}

impl Around {
    fn strip(self, axis: usize) -> Strip {
        Strip { own: on_axis(self.black, axis), empty: on_axis(self.empty, axis) }
    }

    /// Fives that hold the stone begin in these windows' places: the stone's own, or up to four below it.
    fn fives(self) -> Windows {
        let two = self.black & (self.black >> 1);
        two & (two >> 2) & (self.black >> (FIVE - 1)) & in_each(0b11111 << (REACH + 1 - FIVE))
    }

    fn makes_five(self) -> bool {
        self.fives() & !((self.black << 1) | (self.black >> FIVE)) != 0
    }

    fn makes_overline(self) -> bool {
        self.fives() & ((self.black << 1) | (self.black >> FIVE)) != 0
    }

    fn fours(self) -> usize {
        (0..AXES).map(|axis| fours(self.strip(axis), true)).sum()
    }
}
