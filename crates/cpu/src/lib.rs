//! The CPU: finds a move for the player to act, under any rules, for two to four sides. It reads no clock, and
//! starts threads only if told to; it stops when it is told to, and always answers with a legal action.
//!
//! Two sides, teams included, are played by an alpha-beta search (`duel`) on a board of line shapes (`field`), three and
//! four by another (`many`). Where neither finds a legal point, every near point is played on the real rules and weighed
//! by what could come next (`place`). Choices of colour in openings are in `opening`. For people who study a game there are
//! lines and forced wins (`analysis`) and the threats on the board (`threats`).

mod analysis;
mod cache;
mod choices;
mod duel;
mod field;
mod forced;
mod ground;
mod haste;
mod level;
mod many;
mod mind;
mod net;
mod opening;
mod picture;
mod place;
mod shape;
pub mod signature;
mod spots;
mod threat;
mod threats;
pub mod weights;
pub mod yardstick;

use rules::{Action, Game};

pub use analysis::Line;
pub use level::nodes_of;
pub use mind::{Budget, LEVEL_MAX, Mind, ODDS, QUICK_LEVEL_MAX, THREADS_MAX, Thought, WON, time_ms};
pub use threats::{Making, MovedIn, SideThreats, Winning, threats};

/// Memory that a [`Mind`] gets where nobody says otherwise, in bytes.
pub const MEMORY_BYTES: usize = 64 << 20;

/// Enough for the few positions that levels up to [`QUICK_LEVEL_MAX`] look at, in bytes.
pub const QUICK_MEMORY_BYTES: usize = 1 << 20;

/// What a [`Mind`] of this level needs, in bytes.
pub const fn memory_of(level: u8) -> usize {
    if level <= QUICK_LEVEL_MAX { QUICK_MEMORY_BYTES } else { MEMORY_BYTES }
}

/// One move by a mind of its own: see [`Mind::think`].
pub fn think(game: &Game, level: u8, seed: u64, stop: &mut dyn FnMut() -> bool) -> Action {
    Mind::new(memory_of(level)).think(game, &Budget::of(level, seed), stop).action
}

/// Spreads a seed and a number over 64 bits (the finaliser of SplitMix64), to decide among equals.
fn mix(seed: u64, number: u64) -> u64 {
    let mut x = seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
