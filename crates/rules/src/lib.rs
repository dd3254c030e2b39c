//! The rules of the five-in-a-row family, exactly as `RULES.md` states them; no IO, no clock, no randomness.
//!
//! A [`Rules`] is a coherent set of options; a [`Game`] is one game under them, from the empty board, or from a
//! [`Setup`], to its result. Players are counted in turn order: player 0 starts. Which seat of a table that is, the
//! table knows. How all of this is written as text, [`notation`] says.
//!
//! ```
//! use rules::{Action, Game, Preset, Rules};
//! # use rules::example::shows;
//!
//! let mut game = Game::new(Rules::of(Preset::CaptureFive));
//! for stone in ["D4", "E4", "A1", "F4"] {
//!     game.play(&Action::place(stone.parse().unwrap())).unwrap();
//! }
//! shows(&game, "C4", ". B W W .");
//! // Black flanks a pair and takes it.
//! let played = game.play(&Action::place("G4".parse().unwrap())).unwrap();
//! shows(&game, "C4", ". B . . B");
//! assert_eq!(played.took.len(), 1);
//! assert_eq!(game.captured(played.colour.unwrap()), 2);
//! ```
//!
//! # Where each section of RULES.md is
//!
//! | section | module |
//! |---|---|
//! | 1. Words | `point.rs` (coordinates), `colour.rs`, `game/board.rs` |
//! | 2. The options | `options.rs` |
//! | 3. Setting up | `seating.rs` |
//! | 4. A move | `game/mod.rs` (the order), `game/captures.rs` (4.3), `game/flank.rs` (4.4), `game/judge.rs` (4.5, 4.6) |
//! | 5. Winning | `game/lines.rs`, `game/judge.rs`, `game/overtime.rs` |
//! | 6. What may not be played | `game/legal.rs`, `game/flank.rs`, `game/double_three.rs`, `game/renju.rs`, `game/shapes.rs` (fours and threes) |
//! | 7. Openings (two seats) | `game/opening.rs` |
//! | 8. Around the moves | `game/around.rs` |
//!
//! What goes in and what comes out: `action.rs`, `result.rs`, `notation.rs` and `setup.rs` (as text), `words.rs` (the
//! rules in sentences), `game/reason.rs`, `game/preview.rs`, `game/threats.rs`, `game/state.rs`. For speed:
//! `game/bits.rs`, `game/playout`.

pub mod action;
pub mod colour;
#[doc(hidden)]
pub mod example;
pub mod game;
mod named;
pub mod notation;
pub mod options;
pub mod point;
pub mod result;
pub mod seating;
pub mod setup;
pub mod words;

pub use action::{Action, Group, Take};
pub use colour::Colour;
pub use game::{
    After, Because, Danger, Ended, Flanked, Four, Game, Must, Overtime, Played, Playout, Preview, Reason, Refusal,
    Stop, Threat, Three, Turn, Way,
};
pub use notation::{TextError, TextFault};
pub use options::{
    Clash, FirstColour, FirstStart, Forbidden, IntoFlank, MoveLimit, Opening, OptionError, OptionName, Options,
    Overline, OvertimeRule, Preset, RULES_BYTES, Rules, RulesBytesError,
};
pub use point::{BoardSize, NoPoint, Point};
pub use result::{Condition, DrawBy, Outcome};
pub use seating::{Starter, starter, turn_order};
pub use setup::{Setup, SetupError, Stage};
