//! The cryptography a table needs, as a port: the simulation brings a cheap keyed hash instead.

use crate::{DeviceId, Hash};

/// Hashing and signing for one device.
pub trait Port: Send {
    /// This device's public key.
    fn key(&self) -> [u8; 32];
    /// The id that belongs to a public key.
    fn device(&self, key: &[u8; 32]) -> DeviceId;
    fn hash(&self, bytes: &[u8]) -> Hash;
    fn sign(&self, bytes: &[u8]) -> [u8; 64];
    fn verify(&self, key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool;
}

/// The real thing: Ed25519 and blake3.
pub struct Ed25519 {
    key: ed25519_dalek::SigningKey,
}

impl Ed25519 {
    /// From the device's secret seed of 32 bytes.
    pub fn new(secret: &[u8; 32]) -> Ed25519 {
        Ed25519 { key: ed25519_dalek::SigningKey::from_bytes(secret) }
    }
}

impl Port for Ed25519 {
    fn key(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }

    fn device(&self, key: &[u8; 32]) -> DeviceId {
        DeviceId(*blake3::hash(key).as_bytes())
    }

    fn hash(&self, bytes: &[u8]) -> Hash {
        Hash(*blake3::hash(bytes).as_bytes())
    }

    fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        use ed25519_dalek::Signer;
        self.key.sign(bytes).to_bytes()
    }

    fn verify(&self, key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool {
        ed25519_dalek::VerifyingKey::from_bytes(key)
            .is_ok_and(|key| key.verify_strict(bytes, &ed25519_dalek::Signature::from_bytes(signature)).is_ok())
    }
}
