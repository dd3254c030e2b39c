//! One table: its log, seats, keeper, rolls and games, exactly as `PROTOCOL.md` states them. Sans-IO: it opens no
//! socket or file, reads no clock, starts no thread and draws no random number of its own; whoever drives it brings
//! messages, time and seeds, and carries out its [`Output`]s in order.

pub mod act;
pub mod entry;
pub mod event;
pub mod ids;
mod journal;
pub mod limits;
mod log;
mod merge;
pub mod message;
mod peers;
pub mod planted;
pub mod port;
pub mod seal;
pub mod seats;
pub mod state;
pub mod table;

pub use act::{Act, Proposal, Terms};
pub use event::{Asked, Closed, Event, EventKind};
pub use ids::{DeviceId, Hash, Millis, TableId};
pub use port::Port;
pub use seats::{Grace, Presence, Seat, SeatSetup, Settings, Sitter};
pub use state::{Current, Made, MoveRecord, Offer, State};
pub use table::say::asked_to_stand;
pub use table::{Branch, Command, CommandError, Countdown, Halt, Input, Output, ResumeError, Setup, Table};
