//! A cheap port: a keyed hash of a few multiplications in place of blake3 and of a signature. It is no cryptography:
//! nobody in the simulation searches for collisions, and who forges a signature there makes up its bytes.

use table::port::Ed25519;
use table::{DeviceId, Hash, Port};

/// Odd constants without a pattern: digits of the roots of 2, 3, 5 and 7.
const MIX: [u64; 4] = [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

/// A device's key, as the simulation makes it from the device's number.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    pub number: usize,
    /// Real Ed25519 and blake3.
    pub real: bool,
}

impl Keys {
    pub fn port(self) -> Box<dyn Port> {
        let seed = digest(0, &(self.number as u64).to_le_bytes());
        if self.real { Box::new(Ed25519::new(&seed)) } else { Box::new(Cheap { key: seed }) }
    }
}

struct Cheap {
    key: [u8; 32],
}

impl Port for Cheap {
    fn key(&self) -> [u8; 32] {
        self.key
    }

    fn device(&self, key: &[u8; 32]) -> DeviceId {
        DeviceId(*key)
    }

    fn hash(&self, bytes: &[u8]) -> Hash {
        Hash(digest(1, bytes))
    }

    fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        seal(&self.key, bytes)
    }

    fn verify(&self, key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool {
        seal(key, bytes) == *signature
    }
}

fn seal(key: &[u8; 32], bytes: &[u8]) -> [u8; 64] {
    let half = digest(word(key), bytes);
    let mut seal = [0; 64];
    seal[..32].copy_from_slice(&half);
    seal[32..].copy_from_slice(&half);
    seal
}

/// 32 bytes that depend on all of the input, from 128 bits of running state.
fn digest(key: u64, bytes: &[u8]) -> [u8; 32] {
    let (mut left, mut right) = (key ^ MIX[0], fold(key ^ MIX[1], bytes.len() as u64 ^ MIX[2]));
    let (pairs, rest) = bytes.as_chunks::<16>();
    for pair in pairs {
        let both = u128::from_le_bytes(*pair);
        left = fold(left ^ both as u64, right ^ MIX[1]);
        right = fold(right.wrapping_add((both >> 64) as u64), left ^ MIX[3]);
    }
    let mut last = [0; 16];
    last[..rest.len()].copy_from_slice(rest);
    let both = u128::from_le_bytes(last);
    left = fold(left ^ both as u64, right ^ MIX[2]);
    right = fold(right.wrapping_add((both >> 64) as u64), left ^ MIX[3]);
    let mut out = [0; 32];
    for (number, eight) in out.chunks_exact_mut(8).enumerate() {
        eight.copy_from_slice(&fold(left ^ MIX[number], right.wrapping_add(MIX[3 - number])).to_le_bytes());
    }
    out
}

/// Both halves of the product, xored.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ (product >> 64) as u64
}

/// The first eight bytes; the slice has as many.
fn word(bytes: &[u8]) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(eight)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_byte_and_the_length_and_the_key_count() {
        let port = Keys { number: 3, real: false }.port();
        let mut seen = BTreeSet::new();
        for length in 0..64 {
            let bytes = vec![0u8; length];
            assert!(seen.insert(port.hash(&bytes)), "length {length}");
            for at in 0..length {
                for bit in 0..8 {
                    let mut other = bytes.clone();
                    other[at] ^= 1 << bit;
                    assert!(seen.insert(port.hash(&other)), "length {length}, byte {at}, bit {bit}");
                }
            }
        }
        let other = Keys { number: 4, real: false }.port();
        let signature = port.sign(b"a stone");
        assert!(other.verify(&port.key(), b"a stone", &signature));
        assert!(!other.verify(&other.key(), b"a stone", &signature));
        assert!(!other.verify(&port.key(), b"a stonf", &signature));
    }
}
