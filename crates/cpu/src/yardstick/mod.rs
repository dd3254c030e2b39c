//! Simple players to measure others by. They know the rules and nothing of the engine, so that a change to it leaves
//! them as they are; for the same reason they are not made stronger.
//!
//! | player | plays |
//! |---|---|
//! | [`playouts()`] | the point that wins most of so many random games, in a tree that grows where it is promising |
//! | [`novice()`] | completes its own line, blocks an enemy's, else lengthens its longest line |
//! | [`random`] | any legal point |
//!
//! All of them play any option set with two to four sides and make the choices of openings. Each answers with a legal
//! action; the same game and seed give the same one.
//!
//! Beside them are problems ([`problem`]) with answers that are proved by the rules alone ([`proof`]).

mod near;
mod novice;
mod openings;
mod playouts;
pub mod problem;
pub mod proof;
#[cfg(test)]
mod tests;

use rules::{Action, Colour, Game, Must, Point, Turn};

pub use novice::novice;
pub use playouts::playouts;

/// Any legal point, each as likely as the other; so with the choices of an opening.
///
/// # Panics
/// When the game is over.
pub fn random(game: &Game, seed: u64) -> Action {
    let mut numbers = Numbers::new(seed, game);
    match turn(game).must {
        Must::Choose => numbers.one_of(&COLOURS).clone(),
        Must::ChooseOrAdd => numbers.one_of(&COLOURS_OR_ADD).clone(),
        Must::Place => Action::place(*numbers.one_of(&near::legal(game))),
    }
}

const COLOURS: [Action; 2] = [Action::Choose(Colour::Black), Action::Choose(Colour::White)];
const COLOURS_OR_ADD: [Action; 3] = [Action::Choose(Colour::Black), Action::Choose(Colour::White), Action::Add];

/// The turn of a game that a player is asked about.
fn turn(game: &Game) -> Turn {
    game.turn().expect("a running game")
}

/// Numbers that look random, from a seed and the number of actions in the game, so that one seed serves all its moves.
struct Numbers {
    seed: u64,
    drawn: u64,
}

impl Numbers {
    fn new(seed: u64, game: &Game) -> Numbers {
        Numbers { seed: crate::mix(seed, game.actions().len() as u64), drawn: 0 }
    }

    fn next(&mut self) -> u32 {
        self.drawn += 1;
        (crate::mix(self.seed, self.drawn) >> 32) as u32
    }

    /// One of several, each as likely as the other.
    fn one_of<'a, T>(&mut self, several: &'a [T]) -> &'a T {
        let place = (u64::from(self.next()) * several.len() as u64) >> 32;
        several.get(place as usize).expect("there is something to choose from")
    }

    /// Brings points into another order.
    fn shuffle(&mut self, points: &mut [Point]) {
        for last in (1..points.len()).rev() {
            let other = (u64::from(self.next()) * (last as u64 + 1)) >> 32;
            points.swap(last, other as usize);
        }
    }
}
