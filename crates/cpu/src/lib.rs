//! The CPU: finds a move for the player to act, under any rules, for two to four sides. It reads no clock and starts
//! no thread; it stops when it is told to, and always answers with a legal action.
//!
//! So far there is one way of playing, whatever the level: it looks at every near point, plays it on the real rules,
//! and weighs what it and its enemies could do next ([`place`]). Choices of colour in openings are in [`opening`].

mod opening;
mod picture;
mod place;

use rules::{Action, Game, Must};

/// Levels go from 1 to this.
pub const LEVEL_MAX: u8 = 8;

/// A move for the player to act. `seed` decides among equals; `stop` is asked often and ends the search when true:
/// the best move found until then is the answer.
///
/// # Panics
/// When the game is over.
pub fn think(game: &Game, _level: u8, seed: u64, stop: &mut dyn FnMut() -> bool) -> Action {
    let turn = game.turn().expect("a running game");
    match turn.must {
        Must::Place if opening::placing(game) => opening::place(game, seed),
        Must::Place => place::best(game, seed, stop),
        Must::Choose | Must::ChooseOrAdd => opening::choose(game, turn.must),
    }
}

/// Spreads a seed and a number over 64 bits (the finaliser of SplitMix64), to decide among equals.
fn mix(seed: u64, number: u64) -> u64 {
    let mut x = seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
