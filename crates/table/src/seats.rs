//! Seats, and what a table is set to besides its rules.

use serde::{Deserialize, Serialize};

use crate::DeviceId;

/// How long an away seat is waited for before the CPU plays there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Grace {
    /// 0, 10, 30, 60 or 120 seconds.
    Seconds(u8),
    Never,
}

impl Default for Grace {
    fn default() -> Grace {
        Grace::Seconds(60)
    }
}

/// A seat as it is set before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SeatSetup {
    /// For a person.
    Open,
    /// For the CPU of this level, 1 to 8.
    Cpu(u8),
}

/// What is set for a table besides its rules (PROTOCOL.md, `opened`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Settings {
    pub grace: Grace,
    /// The CPU's level at a takeover, 1 to 8.
    pub level: u8,
    pub ranked: bool,
    pub hidden: bool,
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sitter {
    Nobody,
    Cpu {
        level: u8,
    },
    /// Owned by a device.
    Person {
        device: DeviceId,
        #[serde(with = "serde_bytes")]
        key: [u8; 32],
        name: String,
        /// It is not the device's own person, but somebody who shares it.
        guest: bool,
    },
    /// Given up in mid-game: the CPU plays it to the end of the game.
    GivenUp {
        level: u8,
        name: String,
    },
}

impl Sitter {
    /// What is left when its person stands up.
    pub(crate) fn given_up(self, level: u8) -> Sitter {
        match self {
            Sitter::Person { name, .. } => Sitter::GivenUp { level, name },
            Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => self,
        }
    }
}

/// A seat as the log says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    pub sitter: Sitter,
    /// The newest roll, or a later `sit`, lists it.
    pub here: bool,
    /// The CPU plays it until its owner is here again.
    pub taken: bool,
    /// Has said `ready` for the next game.
    pub ready: bool,
    /// Somebody waits for it without end, since it went away.
    pub hold: bool,
    /// Somebody wants the CPU to play for it at once, since it went away.
    pub asked: bool,
}

/// A seat as this device sees it at the moment, for showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Open,
    Cpu,
    Here,
    /// In the newest roll, but not heard for 3 s.
    Silent,
    Away,
    Taken,
}
