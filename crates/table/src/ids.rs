//! Names of things: devices, tables, hashes, moments.

use serde::{Deserialize, Serialize};

/// Milliseconds of this process's own monotonic clock. Never a wall clock, never compared between devices.
pub type Millis = u64;

/// blake3 of a device's Ed25519 public key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeviceId(#[serde(with = "serde_bytes")] pub [u8; 32]);

/// The first 16 bytes of the hash of a table's entry 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TableId(pub [u8; 16]);

/// A blake3 hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hash(#[serde(with = "serde_bytes")] pub [u8; 32]);

/// Puts blake3 hashes into hash maps by their own first bytes: hashing them again would spread them no better.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByOwnBytes;

/// See [`ByOwnBytes`].
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnBytes(u64);

impl std::hash::BuildHasher for ByOwnBytes {
    type Hasher = OwnBytes;

    fn build_hasher(&self) -> OwnBytes {
        OwnBytes::default()
    }
}

impl std::hash::Hasher for OwnBytes {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 ^= u64::from_le_bytes(*first);
        }
    }

    // How many bytes follow says nothing: they are always 32.
    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

macro_rules! hex {
    ($($name:ident $bytes:literal),*) => { $(
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl std::str::FromStr for $name {
            type Err = NotHex;

            /// Reads exactly the lower-case hex digits that `Display` writes.
            fn from_str(text: &str) -> Result<$name, NotHex> {
                let mut bytes = [0u8; $bytes];
                if text.len() != 2 * $bytes || !text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')) {
                    return Err(NotHex);
                }
                for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
                    let digits = std::str::from_utf8(digits).map_err(|_| NotHex)?;
                    *byte = u8::from_str_radix(digits, 16).map_err(|_| NotHex)?;
                }
                Ok($name(bytes))
            }
        }
    )* };
}

hex!(DeviceId 32, TableId 16, Hash 32);

/// The text is not the right number of lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotHex;
