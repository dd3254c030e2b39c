//! The state machine of one device at one table.

use rules::{Action, Game, Refusal, Rules};

use crate::{DeviceId, Event, Hash, Millis, Port, Presence, SeatSetup, Settings, State, TableId};

/// What opens a table. Seat 0 is the opener's.
#[derive(Clone, Debug)]
pub struct Setup {
    pub rules: Rules,
    pub settings: Settings,
    /// One for each seat; the first is taken by the opener whatever it says.
    pub seats: Vec<SeatSetup>,
    /// The opener's name.
    pub name: String,
}

/// What happens to a table from outside.
#[derive(Clone, Debug)]
pub enum Input {
    /// A link to this device is up (mutually authenticated).
    LinkUp { peer: DeviceId },
    LinkDown { peer: DeviceId },
    /// Where this device can be reached now (up to 8), for the others to know.
    Addresses(Vec<std::net::SocketAddr>),
    /// Bytes of one message from that device.
    Message { from: DeviceId, bytes: Vec<u8> },
    /// The record of this `Output::Write` is on disk (fsynced).
    Written { ticket: u64 },
    /// It could not be written (disk full, read-only). Play goes on in memory with a standing warning.
    WriteFailed { ticket: u64 },
    /// The CPU's answer to `Output::Think`.
    Thought { ticket: u64, action: Action },
    /// Time has passed `next_wakeup`.
    Tick,
}

/// What the driver must do, in order.
#[derive(Clone, Debug)]
pub enum Output {
    /// Append to the table's journal and fsync, then answer `Written`. Records come back in order at `resume`.
    Write { ticket: u64, record: Vec<u8> },
    Send { to: DeviceId, bytes: Vec<u8> },
    /// A device of this table was heard of that is not linked: it can be reached here.
    Dial { peer: DeviceId, addresses: Vec<std::net::SocketAddr> },
    /// Let the CPU of this level find a move for the player to act; a newer `Think` or `StopThinking` replaces it.
    Think { ticket: u64, seat: u8, level: u8, game: Box<Game> },
    StopThinking,
    /// Tell whoever listens.
    Event(Event),
    /// Something that is shown has changed.
    Changed,
    /// An intent of this device's person was refused after it was sent (too late, seat taken, table full). Nothing has changed.
    Refused(CommandError),
    /// A game is over and its result is final here: keep it in the archive.
    Finished { game: u32 },
    /// The other side of this link must not be heard again for now (protocol fault).
    Disconnect { peer: DeviceId, why: &'static str },
    /// Nobody owns a seat any more: the table is closed.
    Closed,
}

/// What this device's person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Sits down; without a seat at the first open one. Also changes seats before the start.
    Sit { seat: Option<u8>, name: String },
    Stand,
    /// Start, or rematch: ready for the next game, with those who are there.
    Ready,
    /// A stone or a choice.
    Play(Action),
    Resign,
    /// Goodbye; keeps the seat. The driver drops the table after the outputs that follow.
    Leave,
}

/// Why a command was refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("the game has moved on since")]
    Stale,
    #[error("there is no such seat")]
    NoSuchSeat,
    #[error("somebody sits there")]
    SeatTaken,
    #[error("every seat is taken")]
    Full,
    #[error("you have no seat at this table")]
    NotSeated,
    #[error("no game is running")]
    NoGame,
    #[error("a game is running")]
    GameRuns,
    #[error("there is nobody to play with yet")]
    Alone,
    #[error("the table is still being fetched")]
    NotReady,
    #[error("a name has at most 40 characters")]
    NameTooLong,
    #[error("the rules refuse this: {0:?}")]
    Rules(Refusal),
}

/// A journal that cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    #[error("the journal holds no table")]
    Empty,
    #[error("record {0} of the journal is not valid")]
    Invalid(usize),
    #[error("the journal was written by another version")]
    Version,
}

/// One device's part in one table.
pub struct Table {
    port: Box<dyn Port>,
}

impl Table {
    /// Opens a new table. `seed` is fresh randomness: nonces and the session come from it.
    pub fn open(port: Box<dyn Port>, _seed: [u8; 32], _setup: Setup, _now: Millis) -> Table {
        let _ = &port;
        todo!()
    }

    /// Follows a table that others hold: the log is fetched over the links that come up.
    pub fn join(_port: Box<dyn Port>, _seed: [u8; 32], _table: TableId, _now: Millis) -> Table {
        todo!()
    }

    /// Goes on from a journal's records.
    pub fn resume(_port: Box<dyn Port>, _seed: [u8; 32], _records: &[Vec<u8>], _now: Millis) -> Result<Table, ResumeError> {
        todo!()
    }

    pub fn handle(&mut self, _input: Input, _now: Millis) {
        todo!()
    }

    /// A person's command: refused at once, or on its way (then shown as a ghost until it is in the log).
    pub fn command(&mut self, _command: Command, _now: Millis) -> Result<(), CommandError> {
        todo!()
    }

    /// The next thing to do, until `None`.
    pub fn poll(&mut self) -> Option<Output> {
        todo!()
    }

    /// When to send `Input::Tick` at the latest.
    pub fn next_wakeup(&self) -> Millis {
        todo!()
    }

    pub fn id(&self) -> TableId {
        todo!()
    }

    pub fn me(&self) -> DeviceId {
        self.port.device(&self.port.key())
    }

    /// What the log on this disk says; `None` while it is still being fetched.
    pub fn state(&self) -> Option<&State> {
        todo!()
    }

    /// Index and hash of the newest entry on this disk.
    pub fn head(&self) -> Option<(u32, Hash)> {
        todo!()
    }

    /// All entries up to this index are final.
    pub fn final_upto(&self) -> Option<u32> {
        todo!()
    }

    /// The move of this device's person that is on its way.
    pub fn ghost(&self) -> Option<&Action> {
        todo!()
    }

    /// The lowest seat that this device owns.
    pub fn my_seat(&self) -> Option<u8> {
        todo!()
    }

    pub fn presence(&self, _seat: u8) -> Presence {
        todo!()
    }

    /// The time left before the CPU takes this away seat over; `None` if it is not away or is waited for without end.
    pub fn grace_left(&self, _seat: u8, _now: Millis) -> Option<Millis> {
        todo!()
    }

    /// The seat that the CPU is thinking for on this device.
    pub fn thinking(&self) -> Option<u8> {
        todo!()
    }

    /// Devices that belong to the table and should be linked: owners, the opener.
    pub fn members(&self) -> Vec<DeviceId> {
        todo!()
    }

    /// Whether this device hears no other device though others own seats.
    pub fn cut_off(&self) -> bool {
        todo!()
    }

    /// The opener's device is gone: nothing can be entered until it is back.
    pub fn keeper_gone(&self) -> bool {
        todo!()
    }

    /// Something could not be written to disk.
    pub fn not_saved(&self) -> bool {
        todo!()
    }
}
