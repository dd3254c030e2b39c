//! Acts of people (PROTOCOL.md, section 3).

use rules::Action;
use serde::{Deserialize, Serialize};

use crate::{Hash, SeatSetup, Settings};

/// What a person does at a table. The order of variants is the wire format: new ones go to the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Act {
    /// Sits down; `leaves` names a seat of the same device that becomes open with this.
    Sit {
        key: [u8; 32],
        name: String,
        guest: Option<[u8; 32]>,
        leaves: Option<u8>,
    },
    Stand,
    /// Wants the next game to start. `commit` is for the toss.
    Ready {
        commit: Option<[u8; 32]>,
    },
    Reveal {
        nonce: [u8; 32],
    },
    /// A stone or a choice; never a resignation or a draw.
    Move {
        action: Action,
        by_clock: bool,
    },
    Resign,
    /// Asks the others at the table.
    Offer(Proposal),
    /// To an open offer, by the hash of its asker's device and its intent's bytes ([`crate::Offer::id`]).
    Answer {
        offer: Hash,
        yes: bool,
    },
    /// Stops the grace countdown of an away seat.
    Hold {
        seat: u8,
    },
    /// Ends the grace of an away seat: the CPU plays there now.
    CpuNow {
        seat: u8,
    },
}

impl Act {
    /// The key that comes with the act; without one it is signed by the owner of its seat.
    pub(crate) fn own_key(&self) -> Option<[u8; 32]> {
        match self {
            Act::Sit { key, .. } => Some(*key),
            Act::Stand
            | Act::Ready { .. }
            | Act::Reveal { .. }
            | Act::Move { .. }
            | Act::Resign
            | Act::Offer(_)
            | Act::Answer { .. }
            | Act::Hold { .. }
            | Act::CpuNow { .. } => None,
        }
    }
}

/// What can be asked of the others (PROTOCOL.md, section 11). The order of variants is the wire format.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Proposal {
    /// Back to just before the asker's own last stone or choice.
    Undo,
    Draw,
    /// Other terms from the next game on.
    Options(Terms),
}

/// What a table may be changed to between games.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Terms {
    /// Canonical bytes of the rules ([`rules::Rules::to_bytes`]), for all seats.
    pub rules: Vec<u8>,
    pub settings: Settings,
    /// One for each seat; where a person sits it says `Open`, and the person stays.
    pub seats: Vec<SeatSetup>,
    /// Hash of the table's nonce and the PIN, where one is set ([`crate::seal::pin_hash`]).
    pub pin: Option<Hash>,
}
