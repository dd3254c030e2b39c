//! The stones of a playout, for two sides and for more.

use super::super::bits::{Lines, Pair, Place, Windows, place};
use super::super::board::{Board, stone};
use crate::Colour;

/// What a playout asks of its stones. Sides are counted in turn order.
pub(super) trait Stones: Clone {
    fn of(board: &Board, colours: &[Colour]) -> Self;

    /// Adds a stone; what its side has around it then, and all enemies together.
    fn set_and_see(&mut self, place: Place, side: usize) -> [Windows; 2];

    /// What one side has around a place.
    fn around(&self, place: Place, side: usize) -> Windows;

    /// Takes a stone off that is no stone of `side`; whose it was.
    fn remove_enemy(&mut self, place: Place, side: usize) -> usize;

    #[cfg(test)]
    fn holds(&self, place: Place, side: usize) -> bool;
}

impl Stones for Pair {
    fn of(board: &Board, colours: &[Colour]) -> Pair {
        let mut pair = Pair::NONE;
        for (side, &colour) in colours.iter().enumerate() {
            board.spots_of(stone(colour)).for_each(|spot| pair.flip(place(spot), side));
        }
        pair
    }

    #[inline(always)]
    fn set_and_see(&mut self, place: Place, side: usize) -> [Windows; 2] {
        let [first, second] = Pair::set_and_see(self, place, side);
        if side == 0 { [first, second] } else { [second, first] }
    }

    fn around(&self, place: Place, side: usize) -> Windows {
        self.windows(place, side)
    }

    fn remove_enemy(&mut self, place: Place, side: usize) -> usize {
        self.flip(place, 1 - side);
        1 - side
    }

    #[cfg(test)]
    fn holds(&self, place: Place, side: usize) -> bool {
        Pair::holds(self, place, side)
    }
}

/// Stones of three or four sides.
#[derive(Clone)]
pub(super) struct Many<const SIDES: usize> {
    sides: [Lines; SIDES],
    all: Lines,
}

impl<const SIDES: usize> Stones for Many<SIDES> {
    fn of(board: &Board, colours: &[Colour]) -> Many<SIDES> {
        let mut many = Many { sides: [Lines::NONE; SIDES], all: Lines::NONE };
        for (side, &colour) in colours.iter().enumerate() {
            for place in board.spots_of(stone(colour)).map(place) {
                many.sides[side].set(place);
                many.all.set(place);
            }
        }
        many
    }

    #[inline(always)]
    fn set_and_see(&mut self, place: Place, side: usize) -> [Windows; 2] {
        let own = self.sides[side].set_and_see(place);
        [own, self.all.set_and_see(place) & !own]
    }

    #[inline(always)]
    fn around(&self, place: Place, side: usize) -> Windows {
        self.sides[side].windows(place)
    }

    fn remove_enemy(&mut self, place: Place, side: usize) -> usize {
        let enemy = self.sides.iter().position(|stones| stones.holds(place)).unwrap_or(side);
        self.sides[enemy].unset(place);
        self.all.unset(place);
        enemy
    }

    #[cfg(test)]
    fn holds(&self, place: Place, side: usize) -> bool {
        self.sides[side].holds(place)
    }
}
