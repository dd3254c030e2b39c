//! What was continued apart from a table's log (PROTOCOL.md, section 8), and how it went.

use serde::Serialize;
use ts_rs::TS;

use super::table::{BoardView, MoveView, RulesView, SeatView};

/// Something that people continued apart. It has no effect on the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct BranchView {
    /// What `branch` is asked for by.
    pub head: String,
    /// The game it is of, from 1.
    pub game: u32,
    /// Stones and choices that people made in it.
    pub moves: u32,
}

/// A branch, move by move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ReplayView {
    pub rules: RulesView,
    /// As they sat there; trays and totals at its end.
    pub seats: Vec<SeatView>,
    /// How many of the moves the game has, too: what follows was continued apart.
    pub common: u32,
    pub moves: Vec<MoveView>,
    /// The board before the first move and after each.
    pub boards: Vec<BoardView>,
}
