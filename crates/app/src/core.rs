//! What all parts of the running app share.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use history::{Finished, History};
use net::{Net, NetEvent};
use table::{DeviceId, TableId};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinSet;

use crate::actor::{Inbox, Note};
use crate::api::home::Warning;
use crate::api::{ApiError, AppEvent};
use crate::clock::Clock;
use crate::home::Home;
use crate::snapshot::Snapshot;
use crate::study::running::Studies;

pub(crate) struct Core {
    pub(crate) history: Arc<History>,
    pub(crate) net: Net,
    pub(crate) clock: Clock,
    pub(crate) home: Home,
    pub(crate) secret: [u8; 32],
    pub(crate) studies: Studies,
    events: broadcast::Sender<AppEvent>,
    tables: Mutex<BTreeMap<TableId, Inbox>>,
    /// All that holds this beside the app itself: the data folder is free for the next process only after its end.
    jobs: Mutex<JoinSet<()>>,
    /// Where the devices of the table left last were reached: whoever found no seat at a hidden one may look on.
    left_last: Mutex<Option<(TableId, Reached)>>,
}

/// Where devices were reached, the newest address first.
pub(crate) type Reached = BTreeMap<DeviceId, Vec<SocketAddr>>;

impl Core {
    pub(crate) fn new(
        history: Arc<History>,
        net: Net,
        clock: Clock,
        home: Home,
        events: broadcast::Sender<AppEvent>,
    ) -> Core {
        let secret = history.secret();
        let (tables, jobs, left_last) = (Mutex::default(), Mutex::default(), Mutex::default());
        let studies = Studies::default();
        Core { history, net, clock, home, secret, studies, events, tables, jobs, left_last }
    }

    /// Starts a task that the app's end waits for.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut jobs = locked(&self.jobs);
        while jobs.try_join_next().is_some() {}
        jobs.spawn(task);
    }

    /// Starts work that blocks; the app's end waits for it.
    pub(crate) fn spawn_blocking(self: &Arc<Core>, work: impl FnOnce(&Core) + Send + 'static) {
        let core = Arc::clone(self);
        let mut jobs = locked(&self.jobs);
        while jobs.try_join_next().is_some() {}
        jobs.spawn_blocking(move || work(&core));
    }

    /// Does work that blocks, to its end even where nobody waits for it any more. An error where it panics.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Core>,
        work: impl FnOnce(&Core) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (reply, done) = oneshot::channel();
        self.spawn_blocking(move |core| drop(reply.send(work(core))));
        done.await.map_err(|_| ApiError::internal("work on the data folder broke off"))
    }

    /// Waits for the end of all that was started.
    pub(crate) async fn jobs_done(&self) {
        loop {
            // Out of the lock first: what ends may start something more.
            let mut jobs = std::mem::take(&mut *locked(&self.jobs));
            if jobs.is_empty() {
                return;
            }
            while jobs.join_next().await.is_some() {}
        }
    }

    pub(crate) fn tell(&self, event: AppEvent) {
        // Nobody need listen.
        let _ = self.events.send(event);
    }

    pub(crate) fn has_listeners(&self) -> bool {
        self.events.receiver_count() > 0
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<AppEvent> {
        self.events.subscribe()
    }

    /// `None` also where the actor has ended.
    pub(crate) fn inbox(&self, table: TableId) -> Option<Inbox> {
        locked(&self.tables).get(&table).filter(|inbox| !inbox.is_closed()).cloned()
    }

    /// The tables that this device is at now.
    pub(crate) fn open_tables(&self) -> Vec<(TableId, Inbox)> {
        locked(&self.tables).iter().map(|(id, inbox)| (*id, inbox.clone())).collect()
    }

    pub(crate) fn came(&self, table: TableId, inbox: Inbox) {
        locked(&self.tables).insert(table, inbox);
        self.home.opened(table);
        self.announce();
    }

    pub(crate) fn gone(&self, table: TableId, reached: Reached) {
        locked(&self.tables).remove(&table);
        *locked(&self.left_last) = Some((table, reached));
        self.net.unfollow(table);
        self.home.closed(table);
        self.announce();
    }

    /// Where the devices of a table may be reached: as kept for it, or where it was left last.
    pub(crate) fn whereabouts(&self, table: TableId) -> Reached {
        let kept: Reached = self.history.remembered(table).into_iter().collect();
        if !kept.is_empty() {
            return kept;
        }
        locked(&self.left_last).as_ref().filter(|(left, _)| *left == table).map_or(kept, |(_, reached)| reached.clone())
    }

    /// Names the devices of this device's tables to the network, the last table's first: it asks them where they are.
    /// Blocks.
    pub(crate) fn name_known(&self) {
        let mut known: Vec<(DeviceId, Vec<SocketAddr>)> = Vec::new();
        for table in self.history.running() {
            for (device, addresses) in self.history.remembered(table) {
                if !known.iter().any(|(other, _)| *other == device) {
                    known.push((device, addresses));
                }
            }
        }
        self.net.known(known);
    }

    /// Takes up what an actor shows: for the home screen, and for what is announced.
    pub(crate) fn saw(&self, seen: &Snapshot) {
        self.home.saw(seen);
        self.announce();
    }

    fn announce(&self) {
        self.net.invite_to(self.home.invites_to());
        if let Some(announcements) = self.home.new_announcements() {
            self.net.announce(announcements);
        }
        if let Some(hidden) = self.home.new_hidden() {
            self.net.announce_hidden(hidden);
        }
    }

    /// Keeps a finished game. Blocks.
    pub(crate) fn archive(&self, finished: &Finished) {
        match self.history.archive(finished) {
            Ok(()) => {
                self.home.kept();
                self.home.archived(finished.table, finished.number, self.history.finished_count());
            }
            Err(why) => {
                tracing::warn!(table = %finished.table, %why, "a finished game cannot be kept");
                self.home.warn(Warning::NotSaved);
            }
        }
    }

    /// Brings what the network says to whom it concerns, until the network ends.
    pub(crate) async fn route(self: Arc<Core>, mut events: mpsc::Receiver<NetEvent>) {
        while let Some(event) = events.recv().await {
            match event {
                NetEvent::LinkUp { table, peer, address } => self.pass(table, Note::LinkUp { peer, address }).await,
                NetEvent::LinkDown { table, peer } => self.pass(table, Note::LinkDown { peer }).await,
                NetEvent::Message { table, peer, bytes } => self.pass(table, Note::Message { peer, bytes }).await,
                NetEvent::Refused { table, address, why } => self.pass(table, Note::Refused { address, why }).await,
                NetEvent::OtherVersion { table, address, theirs } => {
                    self.pass(table, Note::OtherVersion { address, theirs }).await;
                }
                // The links' ends follow, so that every table sees what time it is.
                NetEvent::Woke { uncounted } => self.clock.slept(uncounted),
                NetEvent::Listed(_) | NetEvent::Unlisted { .. } => self.home.listed(self.clock.now()),
                NetEvent::Addresses(addresses) => {
                    self.home.set_addresses(addresses.clone());
                    for (table, _) in self.open_tables() {
                        self.pass(table, Note::Addresses(addresses.clone())).await;
                    }
                }
            }
        }
    }

    async fn pass(&self, table: TableId, note: Note) {
        if let Some(inbox) = self.inbox(table) {
            // An actor that has ended needs no note.
            let _ = inbox.send(note).await;
        }
    }
}

/// What a panic elsewhere left behind is still whole: every change under these locks is one assignment.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
