//! A position of three or four sides, what comes of a stone, and what each side can expect.

use rules::Game;

use super::urgent::{Pressing, Urgency};
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
/// Stones that are played out at most before a position is valued.
const FORCED_MAX: usize = 40;
/// How often an enemy stops nobody's win where all of those before that side's move have to.
const CARELESS: f32 = 0.5;
/// How often an enemy does not stop the next player's win.
const CARELESS_NEXT: f32 = 0.15;

/// What came of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    /// The game goes on.
    On,
    /// The rules forbid it; nothing has changed.
    Illegal,
    /// It is over; the winners, as bits, or nobody.
    Over(u8),
}

/// What the sides get when these have won. Nobody is a draw, and so is everybody.
pub fn rewards<const N: usize>(winners: u8) -> Rewards<N> {
    let count = winners.count_ones() as usize;
    if count == 0 || count == N {
        return [1.0 / N as f32; N];
    }
    std::array::from_fn(|side| if winners >> side & 1 != 0 { SHARED[count] } else { 0.0 })
}

/// How a game ended, if it did.
pub fn outcome(ground: &Ground, game: &Game) -> Came {
    ground.winners(game).map_or(Came::On, Came::Over)
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

    pub fn hash(&self) -> u64 {
        let told = self.taken.iter().fold(self.turn as u64, |told, &taken| told << 12 | u64::from(taken));
        self.field.hash ^ crate::mix(0x7A_6B, told)
    }

    /// The side to move plays here. Forbidden points and lines that wait are not looked for.
    pub fn play(&mut self, ground: &Ground, spot: Spot) -> Came {
        let side = self.turn;
        let done = self.field.play(ground, spot, side);
        self.taken[side] += done.taken;
        self.turn = (side + 1) % N;
        let has_won = done.line || done.taken > 0 && self.taken[side] >= ground.goal;
        let winners = done.trimmed | u8::from(has_won) << side;
        if winners != 0 {
            return Came::Over(winners);
        }
        if self.field.empty == 0 { Came::Over(0) } else { Came::On }
    }

    /// The same, judged by a game of the same position, which plays it too.
    pub fn play_judged(&mut self, ground: &Ground, spot: Spot, judge: &mut Game) -> Came {
        let side = self.turn;
        if !self.field.play_judged(ground, spot, side, judge) {
            return Came::Illegal;
        }
        self.taken = ground.captured(judge);
        self.turn = (side + 1) % N;
        outcome(ground, judge)
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

    /// Which side wins, and how often, because the side to move stops nobody although it has to. `me` is never
    /// careless.
    pub fn carelessness(&self, urgency: &Urgency, me: usize) -> Option<(usize, f32)> {
        let Urgency::Forced(pressing) = urgency else { return None };
        let careless = match pressing.far {
            1 => CARELESS_NEXT,
            far if pressing.blocks.len() as usize >= far => CARELESS,
            _ => return None,
        };
        (self.turn != me).then_some(((self.turn + pressing.far) % N, careless))
    }

    /// What each side can expect, once what is forced has been played out. The field is used up.
    pub fn settled(mut self, ground: &Ground, me: usize) -> Rewards<N> {
        let mut careless = [0.0; N];
        let mut left = 1.0;
        let rewards = self.settle(ground, me, &mut careless, &mut left);
        std::array::from_fn(|side| careless[side] + left * rewards[side])
    }

    /// The same without the part of each side that wins by another's carelessness; `left` is what is left of 1.
    fn settle(&mut self, ground: &Ground, me: usize, careless: &mut Rewards<N>, left: &mut f32) -> Rewards<N> {
        for _ in 0..FORCED_MAX {
            let urgency = self.urgency(ground);
            if let Some((side, part)) = self.carelessness(&urgency, me) {
                careless[side] += *left * part;
                *left *= 1.0 - part;
            }
            let spot = match &urgency {
                Urgency::Won(_) => return rewards(1 << self.turn),
                Urgency::Lost { to, .. } => return rewards(1 << to),
                Urgency::Forced(pressing) => self.answer(ground, pressing),
                Urgency::Quiet => break,
            };
            if let Came::Over(winners) = self.play(ground, spot) {
                return rewards(winners);
            }
        }
        self.expected(ground)
    }

    /// A likely answer to a threat.
    fn answer(&self, ground: &Ground, pressing: &Pressing) -> Spot {
        let points = pressing.blocks.len() as usize;
        let ways = pressing.others.and(self.field.kind(self.turn, Kind::Ways));
        let takes = *self.field.taking(self.turn);
        let spots = match () {
            // Two points at once, where the one after can stop the other side.
            () if points < pressing.far && !ways.is_empty() => ways,
            () if points > pressing.far && !takes.is_empty() => takes,
            () => pressing.blocks,
        };
        let best = spots.iter().max_by_key(|&spot| self.promise(ground, spot));
        best.expect("a threat has a point")
    }

    /// What each side can expect, by what its points are worth together.
    pub fn expected(&self, ground: &Ground) -> Rewards<N> {
        let standing: [f32; N] = std::array::from_fn(|side| {
            let far = (side + N - self.turn) % N;
            let weights = if N == 3 { &THREE[far] } else { &FOUR[far] };
            self.features(ground, side).iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
        });
        let most = standing.iter().copied().fold(f32::MIN, f32::max);
        let powers = standing.map(|standing| (standing - most).exp());
        let sum: f32 = powers.iter().sum();
        powers.map(|power| power / sum)
    }

    /// What the valuation knows of a side.
    fn features(&self, ground: &Ground, side: usize) -> [f32; FEATURES] {
        let ways = (self.field.kind(side, Kind::Ways).len() as f32).min(6.0);
        let (mut taken, mut takeable) = (0.0, 0.0);
        if ground.captures() {
            taken = f32::from(self.taken[side]) / f32::from(ground.goal);
            takeable = f32::from(self.field.takeable(side)).min(24.0);
        }
        let standing = self.field.standing(side) as f32 / 100.0;
        [1.0, f32::from(u8::from(ways > 0.0)), ways, standing, takeable, taken, taken * taken, takeable * taken]
    }
}

/// What the valuation knows of each side: a constant for its place, whether it can threaten to win at two points, at
/// how many points it can, what its points are worth, stones that it could take, and stones that it has taken (their
/// part of the goal, the square of that, and that times those it could take).
const FEATURES: usize = 8;
/// Their weights in the logarithm of the odds, for the side to move and those after it, in order. They come from
/// 12,000 games of hasty players, who win, stop, and else choose among promising points. In quiet positions little
/// tells who will win.
const THREE: [[f32; FEATURES]; 3] = [
    [0.08, -0.07, 0.17, 0.015, 0.00, 0.60, 0.72, 0.11],
    [0.04, 0.24, 0.11, 0.014, 0.01, 0.27, 0.72, 0.14],
    [-0.08, 0.10, 0.01, 0.013, 0.02, 0.31, 1.28, 0.09],
];
const FOUR: [[f32; FEATURES]; 4] = [
    [0.06, 0.08, 0.17, 0.010, 0.03, 1.36, 1.76, 0.08],
    [0.06, 0.28, 0.14, 0.010, 0.04, 1.32, 1.97, 0.09],
    [0.00, 0.02, 0.11, 0.011, 0.03, 1.48, 1.86, 0.06],
    [-0.08, 0.06, 0.01, 0.010, 0.03, 1.39, 1.90, 0.08],
];
