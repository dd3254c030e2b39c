//! A game played on to its end by hasty players: each wins where it can, stops the next player's win, mostly that of a
//! later one too, and else puts a stone near others at random.

use super::stones::{Next, Plan, Stones};
use crate::spots::Spot;

/// Tries to find empty points near stones before any will do.
const TRIES: usize = 12;
/// Points among which the one is chosen that threatens most.
const LOOKS: u32 = 3;
/// How often, of 256, only points near own stones will do.
const OWN: u32 = 128;
/// How often, of 256, the next player's win is stopped, and one that others could stop as well.
const STOPS_NEXT: u32 = 160;
const STOPS_LATER: u32 = 30;

/// Numbers that look random.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    #[inline(always)]
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB) >> 32) as u32
    }
}

/// From -2 to 2, by eight bits.
#[inline(always)]
fn steps(number: u32) -> i32 {
    (((number & 0xFF) * 5) >> 8) as i32 - 2
}

impl<const N: usize> Stones<N> {
    /// Plays on to the end; the winners, as bits, or nobody.
    pub fn play_out(&mut self, plan: &Plan, numbers: &mut Numbers) -> u8 {
        loop {
            let Some(spot) = self.hasty(plan, numbers) else { return 0 };
            if let Next::Over(winners) = self.play(plan, spot, None) {
                return winners;
            }
        }
    }

    /// What a hasty player does; `None` where no point is legal.
    #[inline(always)]
    fn hasty(&mut self, plan: &Plan, numbers: &mut Numbers) -> Option<Spot> {
        let me = self.turn;
        for far in 0..N {
            let side = if me + far >= N { me + far - N } else { me + far };
            let win = self.five(plan, side).or_else(|| self.goal(plan, side));
            if let Some(spot) = win
                && self.is_legal(plan, spot)
                && (far == 0 || numbers.next() & 255 < if far == 1 { STOPS_NEXT } else { STOPS_LATER })
            {
                return Some(spot);
            }
        }
        self.near(plan, numbers).or_else(|| self.anywhere(plan, numbers))
    }

    /// Of some points near stones, most of them its own, the one that threatens most.
    #[inline(always)]
    fn near(&self, plan: &Plan, numbers: &mut Numbers) -> Option<Spot> {
        let mut best: Option<(u32, Spot)> = None;
        let mut left = LOOKS;
        for _ in 0..TRIES {
            let number = numbers.next();
            let middle = self.played(number.wrapping_mul(0x9E37_79B1))?;
            if number >> 24 < OWN && self.whose(middle) != Some(self.turn) {
                continue;
            }
            let Some(spot) = plan.beside(middle, steps(number), steps(number >> 8)) else { continue };
            if !self.is_empty(spot) || !self.is_legal(plan, spot) {
                continue;
            }
            let threats = self.threats(plan, spot);
            if best.is_none_or(|(most, _)| threats > most) {
                best = Some((threats, spot));
            }
            left -= 1;
            if left == 0 {
                break;
            }
        }
        best.map(|(_, spot)| spot)
    }

    /// Any legal point, the first from a random one on.
    #[inline(never)]
    fn anywhere(&self, plan: &Plan, numbers: &mut Numbers) -> Option<Spot> {
        let spots = plan.spots();
        let first = ((u64::from(numbers.next()) * spots as u64) >> 32) as usize;
        let from_first = (0..spots).map(|at| ((first + at) % spots) as Spot);
        from_first.into_iter().find(|&spot| self.is_empty(spot) && self.is_legal(plan, spot))
    }
}
