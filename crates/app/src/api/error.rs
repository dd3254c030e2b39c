//! Errors as codes and data; the UI's catalogue has the words.

use std::collections::BTreeMap;

use net::AskError;
use net::invite::InviteError;
use rules::{Clash, OptionError, Refusal};
use serde::Serialize;
use table::{Command, CommandError};
use ts_rs::TS;

/// What went wrong. The UI shows `error.<code>` from its catalogue, with `args`, or `error.<code>.<why>` where an argument
/// `why` tells which of several things it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ApiError {
    pub code: ErrorCode,
    /// Facts for the sentence: a point, a name, a version.
    pub args: BTreeMap<String, String>,
    /// Plain English, for logs and the command line.
    pub message: String,
}

/// Every error there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    BadCommand,
    BadRules,
    /// A board that somebody put together is no position of a game that goes on; `why` tells what is in the way.
    BadSetup,
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
    BadInvite,
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

impl ErrorCode {
    /// The code as text, as it is serialised.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorCode::BadCommand => "bad-command",
            ErrorCode::BadRules => "bad-rules",
            ErrorCode::BadSetup => "bad-setup",
            ErrorCode::NotYourTurn => "not-your-turn",
            ErrorCode::Stale => "stale",
            ErrorCode::NoSuchTable => "no-such-table",
            ErrorCode::NoSuchSeat => "no-such-seat",
            ErrorCode::NoSuchOffer => "no-such-offer",
            ErrorCode::SeatTaken => "seat-taken",
            ErrorCode::Full => "full",
            ErrorCode::Version => "version",
            ErrorCode::NotFound => "not-found",
            ErrorCode::WrongPin => "wrong-pin",
            ErrorCode::BadInvite => "bad-invite",
            ErrorCode::Elsewhere => "elsewhere",
            ErrorCode::DataInUse => "data-in-use",
            ErrorCode::DataUnwritable => "data-unwritable",
            ErrorCode::PortInUse => "port-in-use",
            ErrorCode::RulesDiffer => "rules-differ",
            ErrorCode::KeeperAway => "keeper-away",
            ErrorCode::GameOver => "game-over",
            ErrorCode::NotAChoice => "not-a-choice",
            ErrorCode::OffBoard => "off-board",
            ErrorCode::Occupied => "occupied",
            ErrorCode::Opening => "opening",
            ErrorCode::IntoFlank => "into-flank",
            ErrorCode::BadTake => "bad-take",
            ErrorCode::DoubleThree => "double-three",
            ErrorCode::DoubleFour => "double-four",
            ErrorCode::Overline => "overline",
            ErrorCode::NameTooLong => "name-too-long",
            ErrorCode::Internal => "internal",
        }
    }
}

impl ApiError {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> ApiError {
        ApiError { code, args: BTreeMap::new(), message: message.into() }
    }

    /// Adds a fact for the sentence.
    pub fn with(mut self, name: &str, value: impl ToString) -> ApiError {
        self.args.insert(name.to_owned(), value.to_string());
        self
    }

    pub(crate) fn no_such_table(table: &str) -> ApiError {
        ApiError::new(ErrorCode::NoSuchTable, format!("this device is not at table {table}: join or resume it first"))
            .with("table", table)
    }

    pub(crate) fn internal(why: impl std::fmt::Display) -> ApiError {
        ApiError::new(ErrorCode::Internal, format!("something inside went wrong ({why}): try again"))
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}

/// This very seat was named, and nobody is waited for there.
pub(crate) fn not_away(seat: u8) -> ApiError {
    let about = format!("seat {seat} is not away: this is only for a seat that is waited for");
    ApiError::new(ErrorCode::BadCommand, about)
}

/// Why a command was refused, where that can be said better than without knowing what it was.
pub(crate) fn told(command: &Command, error: CommandError) -> ApiError {
    if let Command::Hold { seat: Some(seat) } | Command::CpuNow { seat: Some(seat) } = command
        && error == CommandError::NotAway
    {
        return not_away(*seat);
    }
    if let Command::AskToStand { seat } = command
        && error == CommandError::NobodyToAsk
    {
        let about = format!("in seat {seat} is nobody of another device who could stand up");
        return ApiError::new(ErrorCode::BadCommand, about);
    }
    error.into()
}

/// Nobody takes back what somebody else did who is not here to agree.
fn owner_away(error: &CommandError) -> ApiError {
    let about = format!("{error}: play on, or ask again when they are back");
    ApiError::new(ErrorCode::BadCommand, about).with("why", "owner-away")
}

impl From<CommandError> for ApiError {
    fn from(error: CommandError) -> ApiError {
        let (code, what_to_do) = match &error {
            CommandError::NotYourTurn => (ErrorCode::NotYourTurn, "wait for your turn"),
            CommandError::Stale => (ErrorCode::Stale, "look at the board and choose again"),
            CommandError::NoSuchSeat => (ErrorCode::NoSuchSeat, "choose one of the table's seats"),
            CommandError::SeatTaken => (ErrorCode::SeatTaken, "choose a free seat"),
            CommandError::Full => (ErrorCode::Full, "wait for a free seat, or open another table"),
            CommandError::NotSeated => (ErrorCode::NoSuchSeat, "sit down first"),
            CommandError::NoGame => (ErrorCode::GameOver, "start the next game first"),
            CommandError::Resigned => (ErrorCode::Stale, "the game goes on without it, wait for its end"),
            CommandError::GameRuns => (ErrorCode::BadCommand, "finish it first"),
            CommandError::Alone => (ErrorCode::BadCommand, "wait until a second seat is taken"),
            CommandError::NotReady => (ErrorCode::BadCommand, "wait a moment"),
            CommandError::NoSuchOffer => (ErrorCode::NoSuchOffer, "look at what is open now"),
            CommandError::OfferOpen => (ErrorCode::Stale, "wait for the answer"),
            CommandError::NoSuchPhrase => (ErrorCode::BadCommand, "choose one of the list"),
            CommandError::TooSoon => (ErrorCode::BadCommand, "wait a moment"),
            CommandError::NotHalted => (ErrorCode::BadCommand, "play on"),
            CommandError::TooOften => (ErrorCode::Stale, "ask again after the next move"),
            CommandError::Ranked => (ErrorCode::BadCommand, "play on, or resign"),
            CommandError::NobodyToAsk => (
                ErrorCode::BadCommand,
                "no other person plays in this game, and a CPU agrees to no draw: play on, or resign",
            ),
            CommandError::OwnerAway => return owner_away(&error),
            CommandError::NothingToUndo => (ErrorCode::BadCommand, "make a move first"),
            // It says by itself what to do.
            CommandError::NotAway => return ApiError::new(ErrorCode::BadCommand, error.to_string()),
            CommandError::Halted => (ErrorCode::RulesDiffer, "update the older program"),
            CommandError::NameTooLong => (ErrorCode::NameTooLong, "choose a shorter one"),
            CommandError::Rules(refusal) => return ApiError::from(*refusal),
        };
        ApiError::new(code, format!("{error}: {what_to_do}"))
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let (code, message) = match refusal {
            Refusal::GameOver => (ErrorCode::GameOver, "the game is over: start the next one first"),
            Refusal::BadRequest => (ErrorCode::BadCommand, "this cannot be done in this game: choose something else"),
            Refusal::NotAChoice => {
                (ErrorCode::NotAChoice, "a colour where a stone is due, or the reverse: look at what the turn asks for")
            }
            Refusal::OffBoard => (ErrorCode::OffBoard, "that point is not on this board: choose one that is"),
            Refusal::Occupied => (ErrorCode::Occupied, "a stone lies there: choose an empty point"),
            Refusal::Opening => (
                ErrorCode::Opening,
                "the opening does not allow this point: the first stone goes to the centre, \
                    the starter's second one away from it",
            ),
            Refusal::IntoFlank => {
                (ErrorCode::IntoFlank, "no stone may be placed into an enemy's flank here: choose another point")
            }
            Refusal::BadTake => {
                (ErrorCode::BadTake, "these groups cannot be taken like this: choose among those shown")
            }
            Refusal::DoubleThree => (ErrorCode::DoubleThree, "a double three is forbidden: choose another point"),
            Refusal::DoubleFour => (ErrorCode::DoubleFour, "a double four is forbidden: choose another point"),
            Refusal::Overline => (ErrorCode::Overline, "a line this long is forbidden: choose another point"),
        };
        ApiError::new(code, message)
    }
}

/// What was typed or pasted cannot be an invite.
impl From<InviteError> for ApiError {
    fn from(error: InviteError) -> ApiError {
        let why = match error {
            InviteError::NoInvite => "no-invite",
            InviteError::Mistyped => "mistyped",
            InviteError::Newer => "newer",
        };
        ApiError::new(ErrorCode::BadInvite, error.to_string()).with("why", why)
    }
}

/// It is an invite, and leads to no table.
impl From<AskError> for ApiError {
    fn from(error: AskError) -> ApiError {
        let (code, why) = match &error {
            AskError::Version { .. } => return ApiError::new(ErrorCode::Version, error.to_string()),
            AskError::NoAnswer => (ErrorCode::NotFound, "no-answer"),
            AskError::Own => (ErrorCode::NotFound, "own"),
            AskError::OtherDevice => (ErrorCode::NotFound, "other-device"),
            AskError::NoTable => (ErrorCode::NotFound, "no-table"),
        };
        ApiError::new(code, error.to_string()).with("why", why)
    }
}

impl From<OptionError> for ApiError {
    fn from(error: OptionError) -> ApiError {
        ApiError::new(ErrorCode::BadRules, error.to_string())
    }
}

impl From<Clash> for ApiError {
    fn from(clash: Clash) -> ApiError {
        ApiError::new(ErrorCode::BadRules, format!("{clash}: change one of them"))
            .with("first", clash.0.name())
            .with("second", clash.1.name())
    }
}
