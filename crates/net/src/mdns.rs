//! Announcing this device's tables on the local network, and hearing of others'.

use std::collections::{BTreeMap, HashSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mdns_sd::{Receiver, ServiceDaemon, ServiceEvent, ServiceInfo};
use table::{DeviceId, TableId};
use tokio::task::JoinSet;

use crate::ask::{self, AskError, Told};
use crate::hidden::Mark;
use crate::limits::{
    BROWSE_AGAIN, BROWSE_INCOMPLETE, BROWSE_MOMENT, KNOWN_INTERVAL, NAME_CHARS_MAX, REANNOUNCE, REOPEN_LONGEST,
    TAKEN_BACK, VERIFY,
};
use crate::links::{Prefix, prefix_of};
use crate::probe::Prober;
use crate::rows::{Record, Rows};
use crate::shared::{Announced, Announcer, Shared, lock};
use crate::wire::Wants;
use crate::{Announcement, Listing, NetEvent};

const SERVICE: &str = "_capture-five._udp.local.";
/// Between two looks at what is due.
const TICK: Duration = Duration::from_millis(250);
/// How long the service may take to say goodbye.
const FAREWELL: Duration = Duration::from_millis(300);

/// Announces and browses until the network ends; starts again when the mDNS service can't be had.
pub(crate) async fn run(shared: Arc<Shared>) {
    while !shared.stopping() {
        match start() {
            Ok((daemon, events)) => Discovery::new(shared.clone(), daemon, events).await.run().await,
            Err(error) => {
                tracing::warn!(%error, "no mDNS on this device for now");
                tokio::select! {
                    () = tokio::time::sleep(REOPEN_LONGEST) => {}
                    () = shared.stopped() => {}
                }
            }
        }
    }
}

fn start() -> Result<(ServiceDaemon, Receiver<ServiceEvent>), mdns_sd::Error> {
    let daemon = ServiceDaemon::new()?;
    // An interface that comes back is noticed this fast.
    daemon.set_ip_check_interval(1)?;
    let events = daemon.browse(SERVICE)?;
    Ok((daemon, events))
}

/// What one record of this device says.
#[derive(Debug, PartialEq, Eq)]
enum Shown {
    Table(Announcement),
    /// No table that others may see, and the hidden ones.
    NoTable(Vec<Mark>),
}

impl Shown {
    fn table(&self) -> Option<&Announcement> {
        match self {
            Shown::Table(table) => Some(table),
            Shown::NoTable(_) => None,
        }
    }
}

struct Discovery {
    shared: Arc<Shared>,
    own: Prefix,
    daemon: ServiceDaemon,
    events: Receiver<ServiceEvent>,
    prober: Prober,
    rows: Rows,
    announcers: Vec<Announcer>,
    listed: BTreeMap<TableId, Listing>,
    /// What is announced, by full name.
    announced: BTreeMap<String, Shown>,
    /// Names that were taken back a short while ago.
    taken_back: BTreeMap<String, Instant>,
    /// The next repetition of the announcements, and which it is.
    repeat: (Instant, usize),
    /// When all records were last asked for, and whether those that were not shown have been removed.
    browsed: (Instant, bool),
    /// When what an earlier process left behind was last asked for.
    verified: Instant,
    /// Known devices that are being asked, and when they were last.
    asks: JoinSet<(DeviceId, Result<Told, AskError>)>,
    asked: Option<Instant>,
}

impl Discovery {
    async fn new(shared: Arc<Shared>, daemon: ServiceDaemon, events: Receiver<ServiceEvent>) -> Discovery {
        Discovery {
            own: prefix_of(&shared.device),
            shared,
            daemon,
            events,
            prober: Prober::open().await,
            rows: Rows::default(),
            announcers: vec![],
            listed: BTreeMap::new(),
            announced: BTreeMap::new(),
            taken_back: BTreeMap::new(),
            repeat: (Instant::now(), 0),
            browsed: (Instant::now(), true),
            verified: Instant::now(),
            asks: JoinSet::new(),
            asked: None,
        }
    }

    /// Ends with the network, or when the mDNS service has ended.
    async fn run(mut self) {
        let mut announcements = self.shared.announcements.subscribe();
        announcements.mark_changed();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let shared = self.shared.clone();
        let mut network = shared.network.subscribe();
        loop {
            tokio::select! {
                () = shared.stopped() => return self.farewell().await,
                changed = announcements.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    let announced = announcements.borrow_and_update().clone();
                    self.announce(announced);
                }
                event = self.events.recv_async() => match event {
                    Ok(event) => self.heard(event),
                    // We were too slow, or the service has ended.
                    Err(_) => if self.browse().is_err() {
                        return;
                    },
                },
                (token, _) = self.prober.answer() => self.rows.answered(token, Instant::now()),
                Some(asked) = self.asks.join_next() => if let Ok((device, told)) = asked {
                    self.told(&device, told);
                },
                changed = network.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    self.start_anew().await;
                }
                _ = tick.tick() => self.tick().await,
            }
            self.tell().await;
        }
    }

    async fn tick(&mut self) {
        let now = Instant::now();
        for (token, addresses) in self.rows.probes(now) {
            for address in addresses {
                self.prober.ask(token, address).await;
            }
        }
        if !self.browsed.1 && now.duration_since(self.browsed.0) >= BROWSE_MOMENT {
            self.rows.remove_doubted();
            self.browsed.1 = true;
        }
        let again = if self.rows.incomplete() { BROWSE_INCOMPLETE } else { BROWSE_AGAIN };
        if now.duration_since(self.browsed.0) >= again {
            let browsed = self.browse();
            self.try_or_log("browse", browsed);
        }
        if now.duration_since(self.verified) >= VERIFY {
            self.verified = now;
            for fullname in self.rows.left_behind() {
                self.try_or_log("verify", self.daemon.verify(fullname, VERIFY));
            }
        }
        if self.asks.is_empty() && self.asked.is_none_or(|asked| now.duration_since(asked) >= KNOWN_INTERVAL) {
            self.asked = Some(now);
            self.ask_known();
        }
        self.taken_back.retain(|_, at| now.duration_since(*at) < TAKEN_BACK);
        if now >= self.repeat.0 {
            self.announced.iter().for_each(|(fullname, table)| self.register(fullname, table));
            let next = (self.repeat.1 + 1).min(REANNOUNCE.len() - 1);
            self.repeat = (now + REANNOUNCE[next], next);
        }
    }

    /// The network is another one, or the device has slept: everybody is asked and told again at once.
    async fn start_anew(&mut self) {
        self.prober = Prober::open().await;
        let browsed = self.browse();
        self.try_or_log("browse", browsed);
        self.repeat = (Instant::now(), 0);
        self.asks = JoinSet::new();
        self.asked = None;
    }

    /// Asks the known devices that mDNS does not show which table they announce.
    fn ask_known(&mut self) {
        let known = lock(&self.shared.known).clone();
        for (device, addresses) in known.into_iter().filter(|(device, _)| !self.rows.shows(&prefix_of(device))) {
            let shared = self.shared.clone();
            self.asks.spawn(async move {
                let asked = ask::ask(&shared, Wants::Listed, &addresses, move |found| *found == device).await;
                (device, asked)
            });
        }
    }

    fn told(&mut self, device: &DeviceId, told: Result<Told, AskError>) {
        // No name that mDNS could bring.
        let name = format!("{device} was asked");
        let record = told.map(|told| Record::told(prefix_of(device), told.table, told.address));
        let Ok(record) = record else { return self.rows.removed(&name) };
        self.rows.resolved(name, record, rand::random(), Instant::now());
    }

    /// Asks for all records, those that are known already as well.
    fn browse(&mut self) -> Result<(), mdns_sd::Error> {
        self.events = self.daemon.browse(SERVICE)?;
        self.rows.doubt();
        self.browsed = (Instant::now(), false);
        Ok(())
    }

    fn heard(&mut self, event: ServiceEvent) {
        match event {
            ServiceEvent::ServiceResolved(service) => {
                let port = service.port;
                let addresses = service.addresses.iter().map(|ip| SocketAddr::new(ip.to_ip_addr(), port));
                let property = |key: &str| service.get_property_val_str(key);
                let Some(record) = Record::parse(&service.fullname, property, addresses) else { return };
                if record.device == self.own {
                    return;
                }
                let token = rand::random();
                for other in self.rows.resolved(service.fullname.clone(), record, token, Instant::now()) {
                    self.try_or_log("verify", self.daemon.verify(other, VERIFY));
                }
            }
            ServiceEvent::ServiceRemoved(_, fullname) => self.rows.removed(&fullname),
            // The enum may grow; nothing else in it concerns us.
            _ => {}
        }
    }

    fn announce(&mut self, Announced { tables, hidden }: Announced) {
        let device = hex(&self.own);
        let mut wanted: BTreeMap<String, Shown> = BTreeMap::new();
        for table in tables {
            let id = table.table.to_string();
            wanted.insert(format!("{device}-{}.{SERVICE}", &id[..8]), Shown::Table(table));
        }
        if wanted.is_empty() || !hidden.is_empty() {
            let marks = hidden.into_iter().map(|table| Mark::of(table, &self.own)).collect();
            wanted.insert(format!("{device}-0.{SERVICE}"), Shown::NoTable(marks));
        }
        for fullname in self.announced.keys().filter(|fullname| !wanted.contains_key(*fullname)) {
            self.try_or_log("unregister", self.daemon.unregister(fullname).map(|_| ()));
            self.taken_back.insert(fullname.clone(), Instant::now());
        }
        for (fullname, table) in &wanted {
            if self.announced.get(fullname) != Some(table) {
                self.register(fullname, table);
            }
        }
        self.announced = wanted;
        // Not before whatever was taken back may be announced again.
        self.repeat = (Instant::now() + REANNOUNCE[0].max(TAKEN_BACK), 0);
    }

    fn register(&self, fullname: &str, shown: &Shown) {
        if self.taken_back.contains_key(fullname) {
            return;
        }
        let instance = fullname.split('.').next().unwrap_or_default();
        // A host name for each, since a goodbye takes the host's addresses with it.
        let host = format!("{instance}.local.");
        let properties = properties(self.shared.version.protocol, self.shared.boot, shown);
        let info = ServiceInfo::new(SERVICE, instance, &host, "", self.shared.port(), &properties[..]);
        let registered = info.map(ServiceInfo::enable_addr_auto).and_then(|mut info| {
            // The name holds the device's id, so nobody else has it, and asking around first would take a second.
            info.set_requires_probe(false);
            self.daemon.register(info)
        });
        self.try_or_log("register", registered);
    }

    /// What fails here is tried again with the next repetition.
    fn try_or_log(&self, what: &str, result: Result<(), mdns_sd::Error>) {
        if let Err(error) = result {
            tracing::debug!(what, %error, "mDNS");
        }
    }

    /// Passes on what has changed.
    async fn tell(&mut self) {
        let now = Instant::now();
        let announcers = self.rows.announcers(now);
        if announcers != self.announcers {
            self.announcers = announcers.clone();
            self.shared.set_announcers(announcers);
        }
        let own: HashSet<TableId> = self.announced.values().filter_map(Shown::table).map(|table| table.table).collect();
        let networks = lock(&self.shared.networks).clone();
        let listings = self.rows.listings(&own, &networks, now);
        if listings == self.listed {
            return;
        }
        *lock(&self.shared.listed) = listings.values().cloned().collect();
        let before = std::mem::replace(&mut self.listed, listings.clone());
        for table in before.keys().filter(|table| !listings.contains_key(*table)) {
            self.shared.emit(NetEvent::Unlisted { table: *table }).await;
        }
        for (table, listing) in listings {
            if before.get(&table) != Some(&listing) {
                self.shared.emit(NetEvent::Listed(listing)).await;
            }
        }
    }

    async fn farewell(self) {
        if let Ok(done) = self.daemon.shutdown() {
            let _ = tokio::time::timeout(FAREWELL, done.recv_async()).await;
        }
    }
}

fn properties(version: u32, boot: u64, shown: &Shown) -> Vec<(&'static str, String)> {
    let mut properties = vec![("v", version.to_string()), ("b", boot.to_string())];
    match shown {
        Shown::Table(table) => {
            let cut = |text: &str| text.chars().take(NAME_CHARS_MAX).collect::<String>();
            properties.push(("t", table.table.to_string()));
            properties.push(("n", cut(&table.name)));
            properties.push(("p", cut(&table.preset)));
            properties.push(("s", format!("{}/{}", table.taken, table.seats)));
            properties.push(("l", u8::from(table.locked).to_string()));
        }
        Shown::NoTable(marks) if marks.is_empty() => {}
        Shown::NoTable(marks) => {
            properties.push(("h", marks.iter().map(Mark::to_string).collect::<Vec<_>>().join(",")));
        }
    }
    properties
}

fn hex(prefix: &Prefix) -> String {
    TableId(*prefix).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hidden_table_nothing_is_announced_that_tells_others_which_it_is() {
        let (table, device) = (TableId([0x5a; 16]), [3; 16]);
        let all: Vec<TableId> = (0..crate::limits::HIDDEN_MAX as u8).map(|n| TableId([0x5a + n; 16])).collect();
        let marks = all.iter().map(|&table| Mark::of(table, &device)).collect();
        let properties = properties(2, 17, &Shown::NoTable(marks));
        assert!(properties.iter().all(|(key, value)| ["v", "b", "h"].contains(key) && key.len() + value.len() < 255));
        assert!(!properties.iter().any(|(_, value)| value.contains(&table.to_string()[..8])));
        let property = |key: &str| properties.iter().find(|(known, _)| *known == key).map(|(_, value)| value.as_str());
        let fullname = format!("{}-0.{SERVICE}", hex(&device));
        let record = Record::parse(&fullname, property, std::iter::empty()).unwrap();
        assert_eq!((record.table, record.hidden.len()), (None, all.len()));
        assert_eq!(record.hidden[0], Mark::of(table, &device));
        assert_ne!(record.hidden[0], Mark::of(table, &[4; 16]), "nobody sees who sits together");
    }
}
