//! What devices send each other (PROTOCOL.md, section 4).

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};

use crate::entry::Answer;
use crate::limits::MESSAGE_BYTES_MAX;
use crate::seal::{Sealed, decode, encode};
use crate::{DeviceId, Hash};

/// One message on a link. The order of variants is the format of the wire: new ones go to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message {
    /// Signed by its origin, and passed on.
    Letter(Letter),
    /// Consecutive entries. Empty when nothing follows what was asked for.
    Push {
        entries: Vec<Sealed>,
    },
    /// Asks for one page of what follows the newest of these entries of one's own log that the other has.
    Want {
        head: Hash,
        have: Vec<(u32, Hash)>,
    },
    Bye,
    /// The table asks for its PIN before anything else, or the one given is wrong. `wait_ms` until the next try is looked at.
    Locked {
        nonce: [u8; 32],
        wrong: bool,
        wait_ms: u32,
    },
    /// The hash of that nonce and the PIN ([`crate::seal::pin_hash`]).
    Enter {
        pin: Hash,
    },
}

/// A [`Note`] as its origin signed it. The origin's link vouches for it too, so the signature is only checked
/// where it came another way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The origin's public key.
    #[serde(with = "serde_bytes")]
    pub origin: [u8; 32],
    /// A [`Note`].
    pub note: Sealed,
}

/// What a letter holds. `session` and `number` make every letter another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// 16 random bytes of the process that says it.
    pub session: [u8; 16],
    pub number: u64,
    pub said: Said,
}

/// The order of variants is the format of the wire: new ones go to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Said {
    Hello(Hello),
    /// A sealed intent, for the keeper.
    Act(Sealed),
    /// Everything up to this entry is on the origin's disk.
    Ack {
        index: u32,
        hash: Hash,
    },
    Call {
        term: u64,
    },
    Here(Answer),
    /// An entry was refused.
    Fault(Fault),
    /// One of the ready phrases, by its number ([`crate::limits::PHRASES_MAX`]). Not logged.
    Say {
        phrase: u8,
    },
}

/// How a device is, every second and at once on a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// 16 random bytes of the process that says it.
    pub session: [u8; 16],
    pub version: u32,
    pub rules: u32,
    pub fresh: bool,
    pub promise: u64,
    /// Of the newest roll in its log.
    pub term: u64,
    pub keeper: Option<DeviceId>,
    pub head: Option<(u32, Hash)>,
    /// Index of its newest entry on disk.
    pub on_disk: Option<u32>,
    /// Owners' devices that it heard directly in the last 1.5 s.
    pub heard: Vec<DeviceId>,
    pub addresses: Vec<SocketAddr>,
    /// Its seats whose player is there.
    pub seats: Vec<u8>,
    /// The program's version, for people.
    pub program: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub index: u32,
    /// The refused entry's hash.
    pub hash: Hash,
    /// The state's hash that it should have led to, where that is what differs.
    pub state: Option<Hash>,
    pub code: FaultCode,
}

/// What was wrong with an entry. The order of variants is the format of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaultCode {
    /// It breaks a rule of the protocol.
    Invalid,
    /// Its signature does not hold.
    Signature,
    /// It leads to another state here than where it was made: the two programs differ.
    State,
    /// A roll whose base is not what its answers give.
    Base,
    /// The two programs play by different rules.
    Rules,
}

impl Message {
    /// Bytes for the link.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(self)
    }

    /// `None` for anything that is not exactly one message within its limits.
    pub fn from_bytes(bytes: &[u8]) -> Option<Message> {
        if bytes.len() > MESSAGE_BYTES_MAX { None } else { decode(bytes) }
    }
}
