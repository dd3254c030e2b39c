//! The CPU: finds a move for the player to act, under any rules, for two to four sides. It reads no clock and starts
//! no thread; it stops when it is told to, and always answers with a legal action.

use rules::{Action, Game};

/// Levels go from 1 to this.
pub const LEVEL_MAX: u8 = 8;

/// A move for the player to act. `seed` decides among equals; `stop` is asked often and ends the search when true.
///
/// # Panics
/// When the game is over.
pub fn think(_game: &Game, _level: u8, _seed: u64, _stop: &mut dyn FnMut() -> bool) -> Action {
    todo!()
}
