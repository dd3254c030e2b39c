//! Bytes between devices: a device's identity, mutually authenticated QUIC links, mDNS. It knows no game, reads no
//! message, and keeps nothing on disk.
//!
//! A *link* is one QUIC connection between two devices for one table. A table that is followed is linked to every
//! device that announces it or whose addresses are known, and redialled with backoff for as long as it is followed.

use std::net::SocketAddr;

use table::{DeviceId, TableId};

/// What starts the network.
#[derive(Clone, Debug)]
pub struct NetConfig {
    /// The device's Ed25519 seed.
    pub secret: [u8; 32],
    /// `None`: UDP 40515 where it is free, else any. `Some`: this one, or `PortInUse`.
    pub port: Option<u16>,
    /// Protocol version; peers of another are refused with `Refused::Version`.
    pub version: u32,
    /// The program's own version, told to a peer that is refused for its version.
    pub program: String,
}

#[derive(Debug, thiserror::Error)]
pub enum NetError {
    #[error("UDP port {port} is in use by another program: end it, or choose another with --port")]
    PortInUse { port: u16 },
    #[error("no UDP socket can be opened: {0}")]
    Socket(#[source] std::io::Error),
    #[error("the device key does not make a certificate: {0}")]
    Certificate(String),
}

/// A table as others announce it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub table: TableId,
    pub name: String,
    /// The preset's name as announced; may be one that this version does not know.
    pub preset: String,
    pub taken: u8,
    pub seats: u8,
    pub locked: bool,
    /// Where its devices can be reached, best first.
    pub addresses: Vec<SocketAddr>,
}

/// What this device announces of a table that it is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub table: TableId,
    pub name: String,
    pub preset: String,
    pub taken: u8,
    pub seats: u8,
    pub locked: bool,
}

/// Why the other side did not take a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It speaks another protocol version; its program's version, for the message.
    Version { theirs: String },
    /// It is not at that table (any more).
    NoSuchTable,
    /// Too many links.
    Full,
    /// The same key is in use by a newer process.
    Elsewhere,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetEvent {
    LinkUp { table: TableId, peer: DeviceId, address: SocketAddr },
    LinkDown { table: TableId, peer: DeviceId },
    Message { table: TableId, peer: DeviceId, bytes: Vec<u8> },
    /// A dialled device refused; it is not dialled again for a while (not at all for `Version`, `Elsewhere`).
    Refused { table: TableId, address: SocketAddr, why: Refused },
    /// A table appeared on the network, or what it says changed. One row a table however many devices announce it.
    Listed(Listing),
    Unlisted { table: TableId },
    /// The addresses at which this device can be reached; empty: no network.
    Addresses(Vec<SocketAddr>),
}

/// A handle to the network; cheap to clone. Its tasks end when `shutdown` is called or every handle is dropped.
#[derive(Clone, Debug)]
pub struct Net {}

impl Net {
    /// Must be called within a tokio runtime.
    pub async fn start(_config: NetConfig) -> Result<(Net, tokio::sync::mpsc::Receiver<NetEvent>), NetError> {
        todo!()
    }

    pub fn device(&self) -> DeviceId {
        todo!()
    }

    /// The UDP port that is listened on.
    pub fn port(&self) -> u16 {
        todo!()
    }

    /// Takes links for this table, and keeps dialling whoever announces it.
    pub fn follow(&self, _table: TableId) {
        todo!()
    }

    /// Closes the table's links with a goodbye.
    pub fn unfollow(&self, _table: TableId) {
        todo!()
    }

    /// Keeps dialling a device at these addresses for a followed table, beside those that mDNS shows.
    /// With `peer` its key is pinned.
    pub fn dial(&self, _table: TableId, _peer: Option<DeviceId>, _addresses: Vec<SocketAddr>) {
        todo!()
    }

    /// Sends a message of at most 64 KiB in order; dropped if there is no link. Never blocks.
    pub fn send(&self, _table: TableId, _peer: DeviceId, _bytes: Vec<u8>) {
        todo!()
    }

    /// Closes one link, and refuses that device for this table for 30 s.
    pub fn disconnect(&self, _table: TableId, _peer: DeviceId, _why: &str) {
        todo!()
    }

    /// Replaces what is announced.
    pub fn announce(&self, _tables: Vec<Announcement>) {
        todo!()
    }

    /// The tables listed now.
    pub fn listed(&self) -> Vec<Listing> {
        todo!()
    }

    /// Says goodbye on every link, takes announcements back, and waits until that is sent (at most a second).
    pub async fn shutdown(&self) {
        todo!()
    }
}
