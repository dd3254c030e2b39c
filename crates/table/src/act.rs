//! Acts of people (PROTOCOL.md, section 3).

use rules::Action;
use serde::{Deserialize, Serialize};

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
}
