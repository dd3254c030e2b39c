//! Entries of the log, and what they are made of (PROTOCOL.md, sections 3 and 7).

use rules::Action;
use serde::{Deserialize, Serialize};

use crate::seal::Sealed;
use crate::{Act, DeviceId, Hash, SeatSetup, Settings, Terms};

/// One entry. Its hash is that of its bytes; the next entry's `prev` is that hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub index: u32,
    pub prev: Hash,
    pub term: u64,
    pub body: Body,
    /// Hash of the table's whole state after this entry.
    pub state: Hash,
}

/// What an entry says. The order of variants is the format of wire and disk: new ones go to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    Opened(Opened),
    /// A person's [`Intent`], signed by its device.
    Act(Sealed),
    Roll(Roll),
    Cpu {
        seat: u8,
        action: Action,
    },
    Start {
        game: u32,
    },
    /// The CPU plays an away seat until its owner is here again.
    Taken {
        seat: u8,
        why: Why,
    },
}

/// Why the CPU takes an away seat over. The order of variants is the format of wire and disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// Its grace is over.
    Grace,
    /// Somebody asked for it.
    Asked,
    /// Its move is overdue.
    Late,
}

/// Entry 0: the table as it was opened; also its first roll, of term 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// The opener's public key.
    pub key: [u8; 32],
    /// The opener's name, in seat 0.
    pub name: String,
    pub nonce: [u8; 32],
    /// Canonical bytes of the rules ([`rules::Rules::to_bytes`]).
    pub rules: Vec<u8>,
    pub settings: Settings,
    /// One for each seat; the opener takes the first whatever it says.
    pub seats: Vec<SeatSetup>,
    /// Hash of the nonce and the PIN, where one is set.
    pub pin: Option<Hash>,
}

/// What a person's device signs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    /// The running or last game's number; 0 before the first.
    pub game: u32,
    /// Strictly rising for a device.
    pub seq: u64,
    /// The play chain that it is meant for.
    pub at: Hash,
    pub seat: u8,
    pub act: Act,
}

/// Which devices and seats are here and which device keeps, from this entry on. The entry's `term` is its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// The public key of the device that called and keeps.
    pub keeper: [u8; 32],
    pub answers: Vec<Answer>,
}

/// A signed [`Here`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    #[serde(with = "serde_bytes")]
    pub key: [u8; 32],
    pub here: Sealed,
}

/// A device's answer to a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Here {
    pub term: u64,
    pub caller: DeviceId,
    /// Index and hash of its newest entry on disk.
    pub head: (u32, Hash),
    pub fresh: bool,
    /// Its seats whose player is there.
    pub seats: Vec<u8>,
}

/// One link of the play chain: `at` becomes the hash of `at` before and this.
#[derive(Clone, Debug, Serialize)]
pub enum Step<'a> {
    Start {
        game: u32,
        rules: Vec<u8>,
        order: &'a [u8],
    },
    Move {
        seat: u8,
        action: &'a Action,
    },
    Resign {
        seat: u8,
    },
    /// The actions that are taken back.
    Undo {
        actions: u32,
    },
    Draw,
    Options(&'a Terms),
}
