//! Why an entry or an act does not count.

use rules::Refusal;

use crate::CommandError;
use crate::message::FaultCode;

/// Why an entry is refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invalid {
    /// The bytes are not what they should be, or name something that this version does not have.
    Malformed,
    Signature,
    /// It does not follow on the log's newest entry.
    Place,
    Term,
    /// An act for another game, or for a position that has passed.
    Stale,
    /// The device has signed this number or a higher one before.
    Seq,
    NoSuchSeat,
    NotOwner,
    NotHere,
    SeatTaken,
    /// The device has a seat, and does not leave it.
    Seated,
    NotTurn,
    Rules(Refusal),
    GameRuns,
    NoGame,
    /// Somebody is not ready, or there are too few to start.
    NotReady,
    Name,
    /// The options, levels or seats of a table that cannot be.
    Options,
    /// A roll by a device that may not keep, or with answers that do not hold.
    Roll,
    /// A seat that has resigned.
    Resigned,
    /// No such offer is open, or it is not this seat's to answer, or answered.
    NoSuchOffer,
    /// An offer of this seat is open.
    OfferOpen,
    /// It has asked for this too often here.
    TooOften,
    /// A ranked game takes nothing back, and no seat of it is taken over by its grace.
    Ranked,
    /// There is nobody who could agree.
    NobodyToAsk,
    /// It would take back what somebody did by hand who is not here to agree.
    OwnerAway,
    NothingToUndo,
    /// The seat is not away, or the CPU plays there already.
    NotAway,
    /// Not while the start is being drawn, or not what was committed to.
    Toss,
    /// The log is too long to start another game.
    Long,
    /// The state after it is another one than it says.
    State,
}

impl Invalid {
    pub(crate) fn fault(self) -> FaultCode {
        match self {
            Invalid::Signature => FaultCode::Signature,
            Invalid::State => FaultCode::State,
            Invalid::Malformed
            | Invalid::Place
            | Invalid::Term
            | Invalid::Stale
            | Invalid::Seq
            | Invalid::NoSuchSeat
            | Invalid::NotOwner
            | Invalid::NotHere
            | Invalid::SeatTaken
            | Invalid::Seated
            | Invalid::NotTurn
            | Invalid::Rules(_)
            | Invalid::GameRuns
            | Invalid::NoGame
            | Invalid::NotReady
            | Invalid::Name
            | Invalid::Options
            | Invalid::Roll
            | Invalid::Resigned
            | Invalid::NoSuchOffer
            | Invalid::OfferOpen
            | Invalid::TooOften
            | Invalid::Ranked
            | Invalid::NobodyToAsk
            | Invalid::OwnerAway
            | Invalid::NothingToUndo
            | Invalid::NotAway
            | Invalid::Toss
            | Invalid::Long => FaultCode::Invalid,
        }
    }

    /// What a person is told whose act this is.
    pub(crate) fn told(self) -> CommandError {
        match self {
            Invalid::NotTurn => CommandError::NotYourTurn,
            Invalid::NoSuchSeat => CommandError::NoSuchSeat,
            Invalid::SeatTaken => CommandError::SeatTaken,
            Invalid::NotOwner => CommandError::NotSeated,
            Invalid::NoGame => CommandError::NoGame,
            Invalid::GameRuns => CommandError::GameRuns,
            Invalid::Name => CommandError::NameTooLong,
            Invalid::NotReady => CommandError::Alone,
            Invalid::Rules(refusal) => CommandError::Rules(refusal),
            Invalid::Resigned => CommandError::Resigned,
            Invalid::NoSuchOffer => CommandError::NoSuchOffer,
            Invalid::OfferOpen => CommandError::OfferOpen,
            Invalid::TooOften => CommandError::TooOften,
            Invalid::Ranked => CommandError::Ranked,
            Invalid::NobodyToAsk => CommandError::NobodyToAsk,
            Invalid::OwnerAway => CommandError::OwnerAway,
            Invalid::NothingToUndo => CommandError::NothingToUndo,
            Invalid::NotAway => CommandError::NotAway,
            Invalid::Malformed
            | Invalid::Signature
            | Invalid::Place
            | Invalid::Term
            | Invalid::Stale
            | Invalid::Seq
            | Invalid::NotHere
            | Invalid::Seated
            | Invalid::Options
            | Invalid::Roll
            | Invalid::Toss
            | Invalid::Long
            | Invalid::State => CommandError::Stale,
        }
    }
}
