//! Bytes with a signature. What was received is kept, hashed and passed on as it came, never encoded again.

use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Hash, Port, TableId};

/// An Ed25519 signature.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature(#[serde(with = "serde_bytes")] pub [u8; 64]);

impl std::fmt::Debug for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Signature({:02x}{:02x}…)", self.0[0], self.0[1])
    }
}

/// What a signature is over, so that one kind can never pass for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Entry,
    Intent,
    Here,
    Letter,
}

impl Kind {
    const fn label(self) -> &'static [u8] {
        match self {
            Kind::Entry => b"c5/1/entry",
            Kind::Intent => b"c5/1/intent",
            Kind::Here => b"c5/1/here",
            Kind::Letter => b"c5/1/letter",
        }
    }
}

/// A value's bytes and the signature over their kind, the table and them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
    pub signature: Signature,
}

impl Sealed {
    pub fn new<T: Serialize>(port: &dyn Port, kind: Kind, table: TableId, value: &T) -> Sealed {
        let bytes = encode(value);
        let signature = Signature(port.sign(&signed(kind, table, &bytes)));
        Sealed { bytes, signature }
    }

    /// Whether the owner of this key signed it.
    pub fn is_by(&self, port: &dyn Port, kind: Kind, table: TableId, key: &[u8; 32]) -> bool {
        port.verify(key, &signed(kind, table, &self.bytes), &self.signature.0)
    }

    /// The value, if the bytes are one and nothing else.
    pub fn open<T: DeserializeOwned>(&self) -> Option<T> {
        decode(&self.bytes)
    }
}

fn signed(kind: Kind, table: TableId, bytes: &[u8]) -> Vec<u8> {
    [kind.label(), &table.0, bytes].concat()
}

/// What most values fit in, in bytes: their encoding takes one allocation.
const ROOM: usize = 512;

/// Bytes that grow without being copied for every few that are added.
struct Roomy(Vec<u8>);

impl Flavor for Roomy {
    type Output = Vec<u8>;

    #[inline]
    fn try_extend(&mut self, data: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(data);
        Ok(())
    }

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Vec<u8>> {
        Ok(self.0)
    }
}

/// Postcard bytes.
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    encode_after(&[], value)
}

/// Postcard bytes after some others.
pub(crate) fn encode_after<T: Serialize>(before: &[u8], value: &T) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ROOM);
    bytes.extend_from_slice(before);
    postcard::serialize_with_flavor(value, Roomy(bytes)).expect("plain structs and enums in memory always encode")
}

/// `None` where the bytes are no such value, or more follows.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Some(value),
        Ok((_, _)) | Err(_) => None,
    }
}

/// What stands for a PIN in the log and on a link.
pub fn pin_hash(port: &dyn Port, nonce: &[u8; 32], pin: &str) -> Hash {
    port.hash(&[b"c5/1/pin".as_slice(), nonce, pin.as_bytes()].concat())
}
