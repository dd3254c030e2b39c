//! Playouts: a game played on at random to its end, as fast as it goes. Where nothing is forbidden and no line waits
//! (every preset as it comes), they have a path of their own without records for taking back; elsewhere they are
//! played with [`Game::place`]. Tests show that both follow the same rules.

mod quick;
mod slow;
mod stones;
#[cfg(test)]
mod tests;

use super::Game;
use super::bits::Pair;
use super::board::Spot;
use crate::{Colour, Condition, DrawBy, Forbidden, IntoFlank, Outcome, OvertimeRule};
use quick::Quick;
use slow::Slow;
use stones::Many;

/// A position that will be played on from at random, as often as one likes.
///
/// ```
/// use rules::{Game, Playout, Preset, Rules};
///
/// let start = Playout::of(&Game::new(Rules::of(Preset::Gomoku)));
/// let mut state = 1u64;
/// let mut random = || {
///     state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
///     (state >> 32) as u32
/// };
/// let ended = start.run(&mut random);
/// println!("{:?}", ended.outcome());
/// ```
#[derive(Clone)]
pub struct Playout {
    way: Way,
}

#[derive(Clone)]
enum Way {
    Over(Ended),
    Two(Box<Quick<Pair, 2>>),
    Three(Box<Quick<Many<3>, 3>>),
    Four(Box<Quick<Many<4>, 4>>),
    Slow(Box<Slow>),
}

/// How a playout ended: an [`Outcome`] without lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Bits by [`Colour::index`], and bits by [`Condition`]'s place.
    Win {
        winners: u8,
        by: u8,
    },
    Draw(DrawBy),
}

impl Ended {
    /// Whether this colour is among the winners.
    pub fn has_won(self, colour: Colour) -> bool {
        match self {
            Ended::Win { winners, .. } => winners & (1 << colour.index()) != 0,
            Ended::Draw(_) => false,
        }
    }

    /// The same as a game's result.
    pub fn outcome(self) -> Outcome {
        match self {
            Ended::Draw(by) => Outcome::Draw(by),
            Ended::Win { winners, by } => {
                let winners = Colour::ALL.into_iter().filter(|colour| winners & (1 << colour.index()) != 0).collect();
                let conditions = [Condition::Captures, Condition::Line, Condition::Resignation];
                let by = conditions.into_iter().filter(|&condition| by & bit(condition) != 0).collect();
                Outcome::Win { winners, by }
            }
        }
    }

    fn of(outcome: &Outcome) -> Ended {
        match outcome {
            Outcome::Draw(by) => Ended::Draw(*by),
            Outcome::Win { winners, by } => Ended::Win {
                winners: winners.iter().fold(0, |bits, winner| bits | 1 << winner.index()),
                by: by.iter().fold(0, |bits, &condition| bits | bit(condition)),
            },
        }
    }
}

/// A condition's bit in [`Ended::Win`].
const fn bit(condition: Condition) -> u8 {
    1 << condition as u8
}

/// Who sees what a playout does: tests and drawings do, a search does not.
trait Watch {
    fn stone(&mut self, at: Spot);
    fn choice(&mut self, colour: Option<Colour>);
}

/// Nobody is looking.
struct Unseen;

impl Watch for Unseen {
    #[inline(always)]
    fn stone(&mut self, _: Spot) {}
    #[inline(always)]
    fn choice(&mut self, _: Option<Colour>) {}
}

impl Playout {
    /// From this position on. One that is over already ends as it did.
    pub fn of(game: &Game) -> Playout {
        let way = match game.outcome.as_ref() {
            Some(outcome) => Way::Over(Ended::of(outcome)),
            None if !is_plain(game) => Way::Slow(Box::new(Slow::of(game))),
            None => match game.rules.sides() {
                2 => Way::Two(Box::new(Quick::of(game))),
                3 => Way::Three(Box::new(Quick::of(game))),
                _ => Way::Four(Box::new(Quick::of(game))),
            },
        };
        Playout { way }
    }

    /// Plays a copy of the position to its end. Each stone goes on one of the legal points, each as likely as the
    /// other, and takes everything it can; choices in an opening are as likely one as the other. `random` gives evenly
    /// spread numbers.
    pub fn run(&self, random: &mut impl FnMut() -> u32) -> Ended {
        self.run_seen(random, &mut Unseen)
    }

    fn run_seen(&self, random: &mut impl FnMut() -> u32, watch: &mut impl Watch) -> Ended {
        match &self.way {
            Way::Over(ended) => *ended,
            Way::Two(start) => Quick::clone(start).run(random, watch),
            Way::Three(start) => Quick::clone(start).run(random, watch),
            Way::Four(start) => Quick::clone(start).run(random, watch),
            Way::Slow(start) => Slow::clone(start).run(random, watch),
        }
    }
}

/// Whether the rules forbid nothing but the centre rule's points and let no line wait.
fn is_plain(game: &Game) -> bool {
    let options = game.rules.options();
    options.forbidden == Forbidden::None
        && options.into_flank == IntoFlank::Nothing
        && options.overtime == OvertimeRule::None
}

/// One of `count`, each as likely as the other but for one part in four thousand million.
#[inline(always)]
fn pick(random: &mut impl FnMut() -> u32, count: usize) -> usize {
    ((u64::from(random()) * count as u64) >> 32) as usize
}

/// The choice that is made in an opening: a colour's place in turn order, or to add two stones.
fn choose(random: &mut impl FnMut() -> u32, may_add: bool) -> Option<u8> {
    let choice = pick(random, if may_add { 3 } else { 2 }) as u8;
    (choice < 2).then_some(choice)
}
