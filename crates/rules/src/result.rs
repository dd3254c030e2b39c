//! How games end (RULES.md, sections 4 to 6 and 8).

use serde::{Deserialize, Serialize};

use crate::Colour;
use crate::named::named;

named! {
    /// What a winner met.
    pub enum Condition {
        Captures = "captures",
        Line = "line",
        Resignation = "resignation",
    }
}

named! {
    /// Why nobody won.
    pub enum DrawBy {
        AllWin = "all-win",
        FullBoard = "full-board",
        NoLegalMove = "no-legal-move",
        Agreement = "agreement",
    }
}

/// The result of a finished game. Winners and conditions are in the order of their enums.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    Win { winners: Vec<Colour>, by: Vec<Condition> },
    Draw(DrawBy),
}
