//! The rules of the five-in-a-row family, exactly as `RULES.md` states them; no IO, no clock, no randomness.
//!
//! A [`Rules`] is a coherent set of options; a [`Game`] is one game under them, from the empty board to its
//! result. Players are counted in turn order: player 0 starts. Which seat of a table that is, the table knows.

pub mod action;
pub mod colour;
pub mod game;
mod named;
pub mod options;
pub mod point;
pub mod result;
pub mod seating;

pub use action::{Action, Group, Take};
pub use colour::Colour;
pub use game::{
    After, Because, Danger, Ended, Flanked, Four, Game, Must, Overtime, Played, Playout, Preview, Reason, Refusal,
    Stop, Threat, Three, Turn, Way,
};
pub use options::{
    Clash, FirstColour, FirstStart, Forbidden, IntoFlank, MoveLimit, Opening, OptionError, OptionName, Options,
    Overline, OvertimeRule, Preset, Rules,
};
pub use point::{BoardSize, Point};
pub use result::{Condition, DrawBy, Outcome};
pub use seating::{Starter, starter, turn_order};
