//! A position of three or four sides: where its sides win, and what its points promise.

use rules::Game;

use crate::field::Field;
use crate::ground::Ground;
use crate::spots::{Spot, Spots};
use crate::threat::Kind;

/// What each side gets: 1 is a win alone.
pub type Rewards<const N: usize> = [f32; N];

/// A win with one or two others is worth a little less than one alone, and much more than none.
const SHARED: [f32; 4] = [0.0, 1.0, 0.7, 0.6];
/// One stone takes no more than so many.
const TAKEN_MAX: u16 = 24;

/// What the sides get when these have won. Nobody is a draw, and so is everybody.
pub fn rewards<const N: usize>(winners: u8) -> Rewards<N> {
    let count = winners.count_ones() as usize;
    if count == 0 || count == N {
        return [1.0 / N as f32; N];
    }
    std::array::from_fn(|side| if winners >> side & 1 != 0 { SHARED[count] } else { 0.0 })
}

/// The stones, what was taken, and who is to move.
#[derive(Clone)]
pub struct Position<const N: usize> {
    pub field: Field<N, N>,
    pub taken: [u16; N],
    pub turn: usize,
}

impl<const N: usize> Position<N> {
    pub fn of(ground: &Ground, game: &Game) -> Position<N> {
        let turn = game.turn().map_or(0, |turn| ground.side_of(turn.colour));
        Position { field: Field::of(ground, game), taken: ground.captured(game), turn }
    }

    /// Makes this the same as another position of the same game.
    pub fn copy_from(&mut self, ground: &Ground, other: &Position<N>) {
        self.field.copy_from(ground, &other.field);
        (self.taken, self.turn) = (other.taken, other.turn);
    }

    /// A stone of the side to move, after which these are gone and so many were taken by each side.
    pub fn follow(&mut self, ground: &Ground, spot: Spot, gone: &[Spot], taken: [u16; N]) {
        self.field.put(ground, spot, self.turn);
        gone.iter().for_each(|&spot| self.field.lift(ground, spot));
        self.taken = taken;
        self.turn = (self.turn + 1) % N;
    }

    /// The points where a side's next stone wins, by the board alone.
    pub fn wins(&self, ground: &Ground, side: usize) -> Spots {
        let mut wins = *self.field.kind(side, Kind::Five);
        let lacking = ground.goal.saturating_sub(self.taken[side]);
        if ground.captures() && lacking <= TAKEN_MAX {
            let taking = self.field.taking(side).iter();
            taking.filter(|&spot| self.field.takes(side, spot) >= lacking).for_each(|spot| wins.add(spot));
        }
        wins
    }

    /// How promising a point is for the side to move: by what it makes there, and by what its enemies would.
    pub fn promise(&self, ground: &Ground, spot: Spot) -> i32 {
        let me = self.turn;
        let (mut most, mut all) = (0, 0);
        for side in (0..N).filter(|&side| side != me) {
            let takes = self.take_promise(ground, side) * i32::from(self.field.takes(side, spot));
            let worth = self.field.promise(ground, side, spot) + takes * 3 / 4;
            most = most.max(worth);
            all += worth;
        }
        let takes = self.take_promise(ground, me) * i32::from(self.field.takes(me, spot));
        // What is kept from one enemy is of use to the others as well.
        self.field.promise(ground, me, spot) + takes + most * 9 / 16 + (all - most) / 8
    }

    /// The promise of one more stone taken.
    fn take_promise(&self, ground: &Ground, side: usize) -> i32 {
        40 + 80 * i32::from(self.taken[side]) / i32::from(ground.goal.max(1))
    }
}
