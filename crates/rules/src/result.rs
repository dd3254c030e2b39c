//! How games end (RULES.md, sections 4 to 6 and 8).

use serde::{Deserialize, Serialize};

use crate::Colour;

/// What a winner met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    Captures,
    Line,
    Resignation,
}

/// Why nobody won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawBy {
    AllWin,
    FullBoard,
    NoLegalMove,
    Agreement,
}

/// The result of a finished game. Winners and conditions are in the order of their enums.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    Win { winners: Vec<Colour>, by: Vec<Condition> },
    Draw(DrawBy),
}
