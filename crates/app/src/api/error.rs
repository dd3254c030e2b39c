//! Errors as codes and data; the UI's catalogue has the words.

use serde::Serialize;
use ts_rs::TS;

/// What went wrong. The UI shows `error.<code>` from its catalogue, with `args`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ApiError {
    pub code: ErrorCode,
    /// Facts for the sentence: a point, a name, a version.
    pub args: std::collections::BTreeMap<String, String>,
    /// Plain English, for logs and the command line.
    pub message: String,
}

/// Every error there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    BadCommand,
    BadRules,
    NotYourTurn,
    Stale,
    NoSuchTable,
    NoSuchSeat,
    NoSuchOffer,
    SeatTaken,
    Full,
    Version,
    NotFound,
    WrongPin,
    Elsewhere,
    DataInUse,
    DataUnwritable,
    PortInUse,
    RulesDiffer,
    KeeperAway,
    GameOver,
    NotAChoice,
    OffBoard,
    Occupied,
    Opening,
    IntoFlank,
    BadTake,
    DoubleThree,
    DoubleFour,
    Overline,
    NameTooLong,
    Internal,
}
