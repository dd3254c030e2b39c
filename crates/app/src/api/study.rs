//! Positions to look at, without a table: for replay, analysis, the position editor and lessons. A position is said whole
//! each time; nothing about it is kept.

use std::collections::BTreeMap;

use rules::Colour;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::table::{AfterView, BoardView, By, MoveView, MustView, ResultView, RulesView, StoneView};

/// A position: rules, where it starts, and what was played since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    pub preset: String,
    /// 2 to 4 players.
    pub seats: u8,
    /// Options that differ from the preset's, as text: `{"board":"19","overline":"wins"}`.
    pub options: BTreeMap<String, String>,
    /// Where it starts; `None` for the empty board.
    pub setup: Option<SetUpBoard>,
    /// In the words of a game's text (`rules::notation`): `H8`, `H8[F8,G8]`, `H8[]`, `black`, `white`, `add`,
    /// `resign:white`, `draw`.
    pub actions: Vec<String>,
}

/// A board as somebody has put it together. How it came about is not asked; numbers of stones need not be balanced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SetUpBoard {
    pub stones: Vec<SetUpStone>,
    /// The colour of the stone to be placed next.
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub turn: Colour,
    /// Stones taken by each colour's side: `{"black":2}`.
    #[serde(default)]
    #[ts(type = "{ [colour in \"black\" | \"white\" | \"blue\" | \"red\"]?: number }")]
    pub captured: BTreeMap<Colour, u16>,
    /// Stones placed so far, where it is another number than the board and the trays suggest: with partners it says
    /// which of the two is to move.
    #[serde(default)]
    pub ply: Option<u16>,
    /// How far an opening has come: `over` (or none), `placing`, `choosing`, `adding`, `choosing-again`.
    #[serde(default)]
    pub stage: Option<String>,
    /// The starter holds the second colour since the opening.
    #[serde(default)]
    pub swapped: bool,
    /// The winning line on the board waits for the move of the player to move.
    #[serde(default)]
    pub overtime: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SetUpStone {
    pub at: String,
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub colour: Colour,
}

/// Everything there is to see of a position. Players are counted in turn order, from 0; where other views name a seat, it
/// is such a player.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct PositionView {
    pub rules: RulesView,
    /// Forbidden points, previews and threats are those of the player to act. Stones of the set-up have ply 0; the others
    /// are numbered from 1.
    pub board: BoardView,
    /// Where the player to act may place a stone.
    pub legal: Vec<String>,
    /// `None` once there is a result.
    pub turn: Option<PositionTurn>,
    pub players: Vec<PlayerView>,
    pub moves: Vec<MoveView>,
    /// Stones that were placed and lie there no longer, in the order in which they left.
    pub gone: Vec<GoneView>,
    pub result: Option<ResultView>,
    /// What each side could do with its next stone, in turn order.
    pub threats: Vec<SideThreatsView>,
    /// The same position as a set-up, to go on from in an editor or under other rules; `None` once there is a result.
    pub setup: Option<SetUpBoard>,
    /// The whole as the text of a game (`c5-game …`), which the command line reads as well.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PositionTurn {
    pub player: u8,
    /// Of the stone to be placed next.
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub colour: Colour,
    pub must: MustView,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PlayerView {
    pub player: u8,
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub colour: Colour,
    /// Stones its side has captured.
    pub captured: u16,
    /// Colours of those stones, the oldest first; what a set-up has captured without saying of whom is not among them.
    #[ts(type = "(\"black\" | \"white\" | \"blue\" | \"red\")[]")]
    pub tray: Vec<Colour>,
}

/// A stone that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct GoneView {
    pub stone: StoneView,
    /// The ply that took it.
    pub by: u16,
}

/// What a side could do with its next stone, if the stones were as they are when its turn comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct SideThreatsView {
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub side: Colour,
    /// Stones that others place before; 0 if it is to move now.
    pub ahead: u8,
    pub wins: Vec<WinThreatView>,
    /// What else it makes toward a line, the strongest first.
    pub makes: Vec<MakesView>,
    pub takes: Vec<TakesView>,
}

/// A point where a stone wins, or makes a line that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct WinThreatView {
    pub at: String,
    pub takes: Vec<Vec<String>>,
    pub after: AfterView,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct MakesView {
    pub at: String,
    pub makes: Makes,
}

/// What a stone makes toward a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Makes {
    OpenThree,
    DoubleThree,
    Four,
    FourAndThree,
    DoubleFour,
    OpenFour,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TakesView {
    pub at: String,
    pub groups: Vec<Vec<String>>,
}

/// A move and what comes of it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SuggestionView {
    pub at: String,
    /// The whole action, in a game's words.
    pub action: String,
    /// How likely the side whose stone is next wins, from 0 to 1; a draw counts half.
    pub chance: f64,
    /// Stones until the win that it forces, or until the loss that it cannot escape (then `chance` is 0).
    pub win_in: Option<u32>,
    /// Stones looked ahead.
    pub depth: u32,
    /// The stones that are expected, the move first.
    pub line: Vec<String>,
}

/// One position of a game that is gone through move by move.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct JudgedView {
    /// The position after so many actions.
    pub after: u32,
    /// How likely sides win here, as far as it is known: of two sides both, of more the one whose stone is next, after
    /// the end all. None where nothing was searched, as in an opening's placement.
    pub chances: Vec<ChanceView>,
    /// The best moves here, the best first; the same search shows hints.
    pub best: Vec<SuggestionView>,
    /// What the move that followed is worth to the side that made it, by the same search. `None` for a choice of colours,
    /// after the last move, and where it was not looked at.
    pub played: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
pub struct ChanceView {
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub colour: Colour,
    /// From 0 to 1.
    pub chance: f64,
}

/// What a study tells while it goes on.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum StudyNews {
    /// The best moves, as they are known now; the final ones are the command's answer.
    Lines { lines: Vec<SuggestionView> },
    /// One more position of the game.
    Judged { judged: JudgedView },
}

/// A game that was played, or is being played, to be gone through.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct GameRecord {
    /// `TABLE/number`.
    pub game: String,
    pub position: PositionRequest,
    /// Names in turn order; empty for CPUs, and for people who have given none.
    pub names: Vec<String>,
    /// Players that were this device's, in turn order.
    pub mine: Vec<u8>,
    /// Who made each action.
    pub by: Vec<By>,
    /// It has ended.
    pub over: bool,
    /// Seconds since 1970, for display only; `None` where the game still stands on its table.
    #[ts(type = "number | null")]
    pub ended_s: Option<u64>,
}
