//! Bytes between devices: a device's identity, mutually authenticated QUIC links, mDNS. It knows no game, reads no
//! message, and keeps nothing on disk.
//!
//! A *link* is one QUIC connection between two devices for one table. A table that is followed is linked to every
//! device that announces it or whose addresses are known, and redialled with backoff for as long as it is followed.

mod accept;
mod addresses;
mod ask;
mod dial;
mod endpoint;
#[doc(hidden)]
pub mod fuzz;
mod hidden;
mod identity;
pub mod invite;
pub mod limits;
mod link;
mod links;
mod mdns;
mod probe;
mod rows;
mod shared;
#[cfg(test)]
mod tests;
mod tls;
mod watch;
mod wire;

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::atomic::AtomicU16;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use table::{DeviceId, TableId};
use tokio::sync::{Notify, mpsc, watch as channel};

use crate::addresses::Networks;
pub use crate::ask::AskError;
use crate::invite::Invite;
use crate::shared::{Shared, lock};
use crate::wire::Wants;

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
    LinkUp {
        table: TableId,
        peer: DeviceId,
        address: SocketAddr,
    },
    LinkDown {
        table: TableId,
        peer: DeviceId,
    },
    Message {
        table: TableId,
        peer: DeviceId,
        bytes: Vec<u8>,
    },
    /// A dialled device refused; it is not dialled again for a while (not at all for `Version`, `Elsewhere`).
    Refused {
        table: TableId,
        address: SocketAddr,
        why: Refused,
    },
    /// A device of another version dialled this one, which is at that table, and was told so. Said once an address.
    OtherVersion {
        table: TableId,
        address: SocketAddr,
        /// Its program's version.
        theirs: String,
    },
    /// A table appeared on the network, or what it says changed. One row a table however many devices announce it.
    Listed(Listing),
    Unlisted {
        table: TableId,
    },
    /// The addresses at which this device can be reached; none but loopback, or empty: no network.
    Addresses(Vec<SocketAddr>),
    /// This device slept, or was stopped: its links are made anew.
    Woke {
        /// The part of that time that the monotonic clock did not count.
        uncounted: Duration,
    },
}

/// How others come to a table over this device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// For a QR code, and to be sent. Upper-case letters mean the same, and make a smaller QR code.
    pub link: String,
    /// To be typed on the same network; `None` without an IPv4 address. It leads to whatever table this device is at
    /// ([`Net::invite_to`]).
    pub code: Option<String>,
}

impl Invitation {
    fn new(networks: &Networks, port: u16, device: DeviceId, table: TableId) -> Option<Invitation> {
        let addresses = networks.invites(port);
        if addresses.is_empty() {
            return None;
        }
        let code = networks.place(port).map(|place| {
            let fingerprint = invite::Fingerprint::of(&device);
            Invite::Code { fingerprint, place }.write()
        });
        Some(Invitation { link: Invite::Link { table, device, addresses }.write(), code })
    }
}

/// Where an invite leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    pub table: TableId,
    /// The only device that will do at these addresses.
    pub device: DeviceId,
    pub addresses: Vec<SocketAddr>,
}

/// A handle to the network; cheap to clone. Its tasks end when `shutdown` is called or every handle is dropped.
#[derive(Clone, Debug)]
pub struct Net {
    handle: Arc<Handle>,
}

/// What the user's handles share; the tasks share `Shared` only, so that the last handle's end is noticed.
struct Handle {
    shared: Arc<Shared>,
    mdns: Mutex<Option<tokio::task::JoinHandle<()>>>,
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Net").field("device", &self.shared.device).field("port", &self.shared.port()).finish()
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.end();
    }
}

impl Net {
    /// Must be called within a tokio runtime.
    pub async fn start(config: NetConfig) -> Result<(Net, mpsc::Receiver<NetEvent>), NetError> {
        Net::start_by(config, Box::new(watch::clocks)).await
    }

    async fn start_by(
        config: NetConfig,
        clocks: Box<watch::Clocks>,
    ) -> Result<(Net, mpsc::Receiver<NetEvent>), NetError> {
        let identity = identity::Identity::new(&config.secret)?;
        let (client, server) = tls::configs(&identity)?;
        let endpoint = endpoint::open(config.port, &server)?;
        let port = endpoint.local_addr().map_err(NetError::Socket)?.port();
        let (events, received) = mpsc::channel(limits::EVENTS_MAX);
        let shared = Arc::new(Shared {
            device: identity.device,
            session: rand::random(),
            boot: milliseconds_since_1970(SystemTime::now()),
            version: wire::Version { protocol: config.version, program: config.program },
            client,
            server,
            runtime: tokio::runtime::Handle::current(),
            port: AtomicU16::new(port),
            announcements: channel::Sender::default(),
            stop: channel::Sender::new(false),
            changed: channel::Sender::new(0),
            network: channel::Sender::new(0),
            renew: Notify::new(),
            events,
            endpoint: Mutex::new(Some(endpoint)),
            clocks,
            log: Mutex::default(),
            invited: Mutex::default(),
            known: Mutex::default(),
            turned_away: Mutex::default(),
            tables: Mutex::default(),
            announcers: Mutex::default(),
            listed: Mutex::default(),
            networks: Mutex::default(),
        });
        if let Some(networks) = watch::look(&shared) {
            *lock(&shared.networks) = networks;
        }
        tokio::spawn(endpoint::serve(shared.clone()));
        tokio::spawn(watch::run(shared.clone()));
        let mdns = Mutex::new(Some(tokio::spawn(mdns::run(shared.clone()))));
        Ok((Net { handle: Arc::new(Handle { shared, mdns }) }, received))
    }

    pub fn device(&self) -> DeviceId {
        self.shared().device
    }

    /// The UDP port that is listened on.
    pub fn port(&self) -> u16 {
        self.shared().port()
    }

    /// Takes links for this table, and keeps dialling whoever announces it. Again for a table that is followed: dials
    /// also those that were given up, for their version or because this device's key is in use elsewhere.
    pub fn follow(&self, table: TableId) {
        self.shared().follow(table, None);
    }

    /// The same for a table whose owners are known: these are dialled before all others ([`Net::owners`]).
    pub fn follow_owned(&self, table: TableId, owners: impl IntoIterator<Item = DeviceId>) {
        self.shared().follow(table, Some(bounded(owners)));
    }

    /// Closes the table's links with a goodbye, after all that was sent before.
    pub fn unfollow(&self, table: TableId) {
        lock(&self.shared().tables).followed.remove(&table);
        self.shared().look_again();
    }

    /// Keeps dialling a device at these addresses for a followed table, beside those that mDNS shows.
    /// With `peer` its key is pinned. May be said as often as one likes: addresses that are known change nothing.
    pub fn dial(&self, table: TableId, peer: Option<DeviceId>, addresses: Vec<SocketAddr>) {
        self.shared().dial(table, peer, addresses);
    }

    /// Names the devices that own seats at a followed table: they have eight places among the links of their own, so
    /// that no number of others keeps them out, and are dialled first where all are dialled anew. Without it the first
    /// 32 devices are admitted.
    pub fn owners(&self, table: TableId, devices: impl IntoIterator<Item = DeviceId>) {
        self.shared().with(table, |followed| followed.owners = bounded(devices));
    }

    /// Sends a message of at most 64 KiB in order; dropped if there is no link. Never blocks.
    pub fn send(&self, table: TableId, peer: DeviceId, bytes: Vec<u8>) {
        self.shared().send(table, peer, bytes);
    }

    /// Closes one link, and refuses that device for this table for 30 s.
    pub fn disconnect(&self, table: TableId, peer: DeviceId, why: &str) {
        self.shared().disconnect(table, peer, why);
    }

    /// Replaces what is announced.
    pub fn announce(&self, tables: Vec<Announcement>) {
        self.shared().announcements.send_if_modified(|announced| {
            let news = announced.tables != tables;
            announced.tables = tables;
            news
        });
    }

    /// Replaces the hidden tables that this device is at, so that others at them find it wherever it is. Of each a mark
    /// is announced that means nothing to anybody else: no id, no name, no rules, and another from each device.
    /// Whoever follows the table knows it, and dials. The first 7 are announced.
    pub fn announce_hidden(&self, mut tables: Vec<TableId>) {
        tables.truncate(limits::HIDDEN_MAX);
        self.shared().announcements.send_if_modified(|announced| {
            let news = announced.hidden != tables;
            announced.hidden = tables;
            news
        });
    }

    /// How others come to this table over this device; `None` where there is no network. It changes whenever
    /// [`NetEvent::Addresses`] is told.
    pub fn invite(&self, table: TableId) -> Option<Invitation> {
        let networks = lock(&self.shared().networks).clone();
        Invitation::new(&networks, self.port(), self.device(), table)
    }

    /// Names the table that this device's code leads to; also a hidden one. The app says which: a code is for a device.
    pub fn invite_to(&self, table: Option<Announcement>) {
        *lock(&self.shared().invited) = table;
    }

    /// Finds out where an invite leads. A link says so itself; for a code the device is asked, once, for 5 s at most.
    /// Then the table is to be followed, and the device dialled, with its key pinned.
    pub async fn find(&self, invite: &Invite) -> Result<Invited, AskError> {
        let own = lock(&self.shared().networks).all();
        let addresses = invite.addresses(&own);
        match invite {
            Invite::Link { device, .. } if *device == self.device() => Err(AskError::Own),
            Invite::Link { table, device, .. } => Ok(Invited { table: *table, device: *device, addresses }),
            Invite::Code { .. } => {
                let asked = invite.clone();
                let told = ask::ask(self.shared(), Wants::Invited, &addresses, move |found| asked.is_by(found)).await?;
                Ok(Invited { table: told.table.table, device: told.device, addresses: vec![told.address] })
            }
        }
    }

    /// Names devices that were met before and where, the latest first: what they announce is listed also where mDNS
    /// does not show it. The first 32 are asked every ten seconds, at most.
    pub fn known(&self, mut devices: Vec<(DeviceId, Vec<SocketAddr>)>) {
        devices.retain(|(device, _)| *device != self.device());
        devices.truncate(limits::KNOWN_MAX);
        for (_, addresses) in &mut devices {
            addresses.truncate(limits::ADDRESSES_PER_TARGET_MAX);
        }
        *lock(&self.shared().known) = devices;
    }

    /// The tables listed now.
    pub fn listed(&self) -> Vec<Listing> {
        lock(&self.shared().listed).clone()
    }

    /// The devices that announce this table now, by the first 16 bytes of their ids.
    pub fn announcers(&self, table: TableId) -> Vec<[u8; 16]> {
        let announcers = lock(&self.shared().announcers);
        let there = announcers.iter().filter(|announcer| announcer.is_at(table) && announcer.answers);
        there.map(|announcer| announcer.device).collect()
    }

    /// Says goodbye on every link, takes announcements back, and waits until that is sent (at most a second).
    pub async fn shutdown(&self) {
        let shared = self.shared();
        lock(&shared.tables).followed.clear();
        let mut changed = shared.changed.subscribe();
        shared.look_again();
        let links = async {
            while !lock(&shared.tables).tails.is_empty() && changed.changed().await.is_ok() {}
            shared.end();
            if let Some(endpoint) = shared.endpoint() {
                endpoint.wait_idle().await;
            }
            let mdns = lock(&self.handle.mdns).take();
            if let Some(mdns) = mdns {
                let _ = mdns.await;
            }
        };
        let _ = tokio::time::timeout(limits::SHUTDOWN, links).await;
        shared.end();
    }

    fn shared(&self) -> &Arc<Shared> {
        &self.handle.shared
    }
}

fn bounded(owners: impl IntoIterator<Item = DeviceId>) -> HashSet<DeviceId> {
    owners.into_iter().take(limits::REMEMBERED_DEVICES_MAX).collect()
}

fn milliseconds_since_1970(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
