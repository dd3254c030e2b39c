//! What all tasks of one network share.

use std::collections::HashSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use table::{DeviceId, TableId};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::addresses::Networks;
use crate::hidden::At;
use crate::limits::{LOG_INTERVAL, QUEUE_BYTES_MAX, QUEUE_MESSAGES_MAX, TURNED_AWAY_MAX};
use crate::link::{self, CloseCode};
use crate::links::{Followed, Link, Plan, Prefix, Tables, Whom, prefix_of};
use crate::watch::Clocks;
use crate::wire::{Code, LinkId, Session, Version, Wants};
use crate::{Announcement, Listing, NetEvent, Refused, dial};

pub(crate) struct Shared {
    pub device: DeviceId,
    pub session: Session,
    /// Milliseconds of the wall clock when this process started: tells others what an earlier one announced.
    pub boot: u64,
    pub version: Version,
    pub client: quinn::ClientConfig,
    pub server: quinn::ServerConfig,
    pub runtime: tokio::runtime::Handle,
    pub port: AtomicU16,
    pub announcements: watch::Sender<Announced>,
    /// True once the network is to end.
    pub stop: watch::Sender<bool>,
    /// Counts up when a link, a target or an address has changed: the dialling tasks look again.
    pub changed: watch::Sender<u64>,
    /// Counts up when this device's network has changed, or when the device woke up.
    pub network: watch::Sender<u64>,
    /// Asks for the endpoint to be opened anew.
    pub renew: Notify,
    pub events: mpsc::Sender<NetEvent>,
    /// `None` while another one is being opened.
    pub endpoint: Mutex<Option<quinn::Endpoint>>,
    pub clocks: Box<Clocks>,
    /// Bounds what is logged about a network that fails again and again.
    pub log: Mutex<Seldom>,
    /// The table that a code leads to.
    pub invited: Mutex<Option<Announcement>>,
    /// Where devices of another version dialled from.
    pub turned_away: Mutex<HashSet<IpAddr>>,
    /// Devices to be asked at their last addresses.
    pub known: Mutex<Vec<(DeviceId, Vec<SocketAddr>)>>,
    pub tables: Mutex<Tables>,
    /// Who announces what, as mDNS shows it now.
    pub announcers: Mutex<Vec<Announcer>>,
    pub listed: Mutex<Vec<Listing>>,
    pub networks: Mutex<Networks>,
}

/// What this device announces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Announced {
    pub tables: Vec<Announcement>,
    pub hidden: Vec<TableId>,
}

/// A device that announces a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Announcer {
    pub at: At,
    pub device: Prefix,
    pub addresses: Vec<SocketAddr>,
    /// Whether it answers when asked.
    pub answers: bool,
}

impl Announcer {
    pub fn is_at(&self, table: TableId) -> bool {
        self.at.is(table, &self.device)
    }
}

/// A connection that has been greeted on both sides.
pub(crate) struct Greeted {
    pub table: TableId,
    pub peer: DeviceId,
    pub session: Session,
    pub connection: quinn::Connection,
    pub send: quinn::SendStream,
    pub receive: quinn::RecvStream,
    /// What is written before the first message.
    pub preface: Vec<u8>,
}

/// Who decides whether a connection becomes the pair's link.
pub(crate) enum Decision {
    /// This side, knowing which link the peer lost last.
    Ours {
        lost: LinkId,
    },
    Theirs,
}

/// Lets one of many through.
#[derive(Default)]
pub(crate) struct Seldom {
    last: Option<Instant>,
}

impl Seldom {
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = self.last.is_none_or(|last| now.duration_since(last) >= LOG_INTERVAL);
        if due {
            self.last = Some(now);
        }
        due
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn screen(followed: &Followed, peer: DeviceId, session: Session, decision: &Decision) -> Result<(), Code> {
    followed.screen(peer, session, Instant::now())?;
    match decision {
        Decision::Ours { lost } if !followed.wins(peer, session, *lost) => Err(Code::Duplicate),
        Decision::Ours { .. } | Decision::Theirs => Ok(()),
    }
}

impl Shared {
    pub fn endpoint(&self) -> Option<quinn::Endpoint> {
        lock(&self.endpoint).clone()
    }

    pub fn port(&self) -> u16 {
        self.port.load(Ordering::Relaxed)
    }

    pub fn stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Returns when the network is to end.
    pub async fn stopped(&self) {
        let mut stop = self.stop.subscribe();
        // The sender lives in `self`, so this ends with `true` only.
        let _ = stop.wait_for(|stop| *stop).await;
    }

    /// Ends every task and link.
    pub fn end(&self) {
        self.stop.send_replace(true);
        if let Some(endpoint) = self.endpoint() {
            endpoint.close(CloseCode::Goodbye.number().into(), b"");
        }
    }

    /// Tells the app; waits while it has too many events that it has not taken.
    pub async fn emit(&self, event: NetEvent) {
        tokio::select! {
            _ = self.events.send(event) => {}
            () = self.stopped() => {}
        }
    }

    pub fn look_again(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Where the links lead.
    pub fn remotes(&self) -> Vec<IpAddr> {
        let tables = lock(&self.tables);
        let links = tables.followed.values().flat_map(|followed| followed.links.values());
        links.map(|link| link::address(&link.connection).ip()).collect()
    }

    /// Has everybody look again who dials, searches or announces.
    pub fn network_changed(&self) {
        let now = Instant::now();
        lock(&self.tables).followed.values_mut().for_each(|followed| followed.dial_owners_first(now));
        self.network.send_modify(|count| *count += 1);
        self.look_again();
    }

    /// The table to tell somebody who asks what there is to come to.
    pub fn table_to_tell(&self, wants: Wants) -> Option<Announcement> {
        let invited = lock(&self.invited).clone();
        match wants {
            Wants::Link(_) => None,
            Wants::Invited => invited,
            Wants::Listed => {
                let announced = &self.announcements.borrow().tables;
                let best = announced.iter().find(|table| Some(table.table) == invited.as_ref().map(|own| own.table));
                best.or(announced.first()).cloned()
            }
        }
    }

    pub fn decides(&self, peer: &DeviceId) -> bool {
        self.device < *peer
    }

    /// Does something with a table that is followed.
    pub fn with<R>(&self, table: TableId, act: impl FnOnce(&mut Followed) -> R) -> Option<R> {
        lock(&self.tables).followed.get_mut(&table).map(act)
    }

    /// Whether a connection may become the pair's link.
    pub fn screen(&self, table: TableId, peer: DeviceId, session: Session, decision: &Decision) -> Result<(), Code> {
        let screen = |followed: &mut Followed| screen(followed, peer, session, decision);
        self.with(table, screen).unwrap_or(Err(Code::NoSuchTable))
    }

    /// Makes a connection the pair's link, or says why not.
    pub fn take(self: &Arc<Shared>, id: LinkId, greeted: Greeted, decision: Decision) -> Result<(), Code> {
        let (table, peer, session) = (greeted.table, greeted.peer, greeted.session);
        let address = link::address(&greeted.connection);
        let mut tables = lock(&self.tables);
        let followed = tables.followed.get_mut(&table).ok_or(Code::NoSuchTable)?;
        screen(followed, peer, session, &decision)?;
        let (queue, queued) = mpsc::channel(QUEUE_MESSAGES_MAX);
        let connection = greeted.connection.clone();
        let link = Link { id, session, connection, queue, queued_bytes: Arc::default() };
        let queued_bytes = link.queued_bytes.clone();
        if let Some((old, older_session)) = followed.put(peer, link) {
            let code = if older_session { CloseCode::Elsewhere } else { CloseCode::Replaced };
            code.close(&old.connection);
        }
        followed.met(peer, address);
        self.start_dialling(table, followed);
        let (done, tail) = oneshot::channel();
        let previous = tables.tails.insert((table, peer), (id, tail)).map(|(_, tail)| tail);
        let task = link::Task { id, greeted, queued, queued_bytes, previous, done, address };
        self.runtime.spawn(task.run(self.clone()));
        drop(tables);
        self.look_again();
        Ok(())
    }

    /// Takes a link out whose task ends.
    pub fn ended(&self, table: TableId, peer: DeviceId, id: LinkId, said_goodbye: bool) {
        let mut tables = lock(&self.tables);
        if let Some(followed) = tables.followed.get_mut(&table)
            && followed.ended(peer, id, Instant::now())
            && said_goodbye
        {
            followed.left(peer);
        }
    }

    /// The last thing that a link's task does.
    pub fn gone(&self, table: TableId, peer: DeviceId, id: LinkId) {
        let mut tables = lock(&self.tables);
        if tables.tails.get(&(table, peer)).is_some_and(|(newest, _)| *newest == id) {
            tables.tails.remove(&(table, peer));
        }
        drop(tables);
        self.look_again();
    }

    /// A newer process of this device is at the table: it is not dialled until the app wants it again.
    pub async fn elsewhere(&self, table: TableId, address: SocketAddr) {
        let news = self.with(table, |followed| !std::mem::replace(&mut followed.elsewhere, true));
        if news == Some(true) {
            self.emit(NetEvent::Refused { table, address, why: Refused::Elsewhere }).await;
        }
    }

    /// A device of another version was turned away: whoever is at a table here may know why it can't come.
    pub async fn turned_away(&self, address: SocketAddr, theirs: &str) {
        let news = {
            let mut known = lock(&self.turned_away);
            known.len() < TURNED_AWAY_MAX && known.insert(address.ip())
        };
        if !news {
            return;
        }
        let tables: Vec<TableId> = lock(&self.tables).followed.keys().copied().collect();
        for table in tables {
            self.emit(NetEvent::OtherVersion { table, address, theirs: theirs.to_owned() }).await;
        }
    }

    pub fn follow(self: &Arc<Shared>, table: TableId, owners: Option<HashSet<DeviceId>>) {
        let mut tables = lock(&self.tables);
        let followed = tables.followed.entry(table).or_default();
        followed.touch();
        if let Some(owners) = owners {
            followed.owners = owners;
        }
        followed.dial_owners_first(Instant::now());
        self.add_announcers(table, followed);
        self.start_dialling(table, followed);
        drop(tables);
        self.look_again();
    }

    pub fn dial(self: &Arc<Shared>, table: TableId, peer: Option<DeviceId>, mut addresses: Vec<SocketAddr>) {
        addresses.retain(|address| address.port() != 0 && !address.ip().is_unspecified());
        addresses.truncate(crate::limits::ADDRESSES_PER_TARGET_MAX);
        if addresses.is_empty() || peer == Some(self.device) {
            return;
        }
        let whom = match peer {
            Some(peer) => Whom::Device(prefix_of(&peer)),
            None => {
                addresses.sort();
                addresses.dedup();
                Whom::Anybody(addresses.clone())
            }
        };
        let mut tables = lock(&self.tables);
        let Some(followed) = tables.followed.get_mut(&table) else {
            tracing::warn!(%table, "a device is to be dialled for a table that is not followed");
            return;
        };
        if let Some(target) = followed.target(whom) {
            target.pinned = peer.or(target.pinned);
            target.give(addresses);
        }
        self.start_dialling(table, followed);
        drop(tables);
        self.look_again();
    }

    /// Replaces what mDNS shows.
    pub fn set_announcers(self: &Arc<Shared>, announcers: Vec<Announcer>) {
        *lock(&self.announcers) = announcers;
        let mut tables = lock(&self.tables);
        for (table, followed) in &mut tables.followed {
            self.add_announcers(*table, followed);
            self.start_dialling(*table, followed);
        }
        drop(tables);
        self.look_again();
    }

    fn add_announcers(&self, table: TableId, followed: &mut Followed) {
        let announcers = lock(&self.announcers);
        let here = announcers.iter().filter(|announcer| announcer.is_at(table));
        followed.show(here.map(|shown| (shown.device, shown.addresses.clone(), shown.answers)));
    }

    fn start_dialling(self: &Arc<Shared>, table: TableId, followed: &mut Followed) {
        for (whom, target) in &mut followed.targets {
            let task = || self.runtime.spawn(dial::keep(self.clone(), table, whom.clone())).abort_handle();
            target.start(task);
        }
    }

    pub fn plan(&self, table: TableId, whom: &Whom) -> Plan {
        self.with(table, |followed| followed.plan(whom, Instant::now())).unwrap_or(Plan::End)
    }

    pub fn send(&self, table: TableId, peer: DeviceId, bytes: Vec<u8>) {
        if bytes.len() > crate::limits::MESSAGE_BYTES_MAX {
            tracing::error!(length = bytes.len(), "a message is too long to be sent");
            return;
        }
        self.with(table, |followed| {
            let Some(link) = followed.links.get(&peer) else { return };
            let length = bytes.len();
            let before = link.queued_bytes.fetch_add(length, Ordering::Relaxed);
            if before + length > QUEUE_BYTES_MAX || link.queue.try_send(bytes).is_err() {
                CloseCode::Slow.close(&link.connection);
            }
        });
    }

    pub fn disconnect(&self, table: TableId, peer: DeviceId, why: &str) {
        self.with(table, |followed| {
            followed.bar(peer, Instant::now());
            if let Some(link) = followed.links.get(&peer) {
                tracing::info!(%table, %peer, why, "link closed");
                CloseCode::Barred.close(&link.connection);
            }
        });
    }
}
