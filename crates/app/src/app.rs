//! The running app: starting and ending it, and the tables that this device is at.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use history::History;
use net::invite::Invite;
use net::{AskError, Invited, Net, NetConfig};
use rules::Preset;
use serde_json::Value;
use table::port::Ed25519;
use table::{Command, DeviceId, Hash, Setup, Table, TableId};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::actor::disk::Source;
use crate::actor::{Actor, Begin, Begins, Inbox, Joining, News, Note, no_seat_of_ours, own_seat};
use crate::api::branch::{BranchView, ReplayView};
use crate::api::error::told;
use crate::api::home::{InterruptedView, Warning};
use crate::api::{ApiError, AppEvent, ErrorCode, commands};
use crate::clock::Clock;
use crate::commands::kept_settings;
use crate::config::{Config, StartError};
use crate::core::{Core, locked};
use crate::favourites::kept_favourites;
use crate::home::{Home, show_changes};
use crate::names::{checked_name, clean_name};
use crate::resting;
use crate::snapshot::Snapshot;

/// A listener that falls further behind than this many events is told so, and asks for the views again.
const EVENTS_KEPT: usize = 256;
/// How long somebody who joins waits for the table's log and a seat, in milliseconds, where nothing else is asked for.
pub const JOIN_WAIT_MS: u64 = 10_000;
/// Between two questions to a device whose code was typed and that does not answer.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// The product without a window. Cheap to clone; all clones are one app.
#[derive(Clone)]
pub struct App {
    pub(crate) core: Arc<Core>,
    /// Tables are opened and left one at a time, so that a journal never has two writers.
    gate: Arc<tokio::sync::Mutex<()>>,
    tasks: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

/// Where a listener hears what happens at one table.
pub type Listener = mpsc::UnboundedSender<News>;

/// Another process that was told to end, as by closing its window, may still be saying goodbye: it is waited for so long.
const FOLDER_WAIT: Duration = Duration::from_secs(2);
const FOLDER_AGAIN: Duration = Duration::from_millis(50);

async fn open(folder: &Path) -> Result<(History, Vec<history::Warning>), StartError> {
    let since = Instant::now();
    loop {
        let data = folder.to_owned();
        let opened = tokio::task::spawn_blocking(move || History::open(&data)).await;
        let opened = opened.map_err(|why| StartError::DataUnwritable {
            path: folder.to_owned(),
            why: format!("it could not be opened: {why}"),
        })?;
        match opened {
            Err(history::OpenError::InUse(_)) if since.elapsed() < FOLDER_WAIT => {
                tokio::time::sleep(FOLDER_AGAIN).await;
            }
            opened => return Ok(opened?),
        }
    }
}

impl App {
    /// Opens the data folder, starts the network and looks at the interrupted games. Within a tokio runtime.
    pub async fn start(config: Config) -> Result<App, StartError> {
        let clock = Clock::start();
        let (history, warnings) = open(&config.data).await?;
        let history = Arc::new(history);
        let (net, events) = Net::start(NetConfig {
            secret: history.secret(),
            port: config.port,
            version: config.protocol,
            program: env!("CARGO_PKG_VERSION").to_owned(),
        })
        .await?;
        let home = Home::new(kept_settings(&history), config.data, history.finished_count());
        home.set_favourites(kept_favourites(&history));
        for warning in &warnings {
            home.warn(warning_of(warning));
            home.mend(warning.to_string());
        }
        let (tell, _) = broadcast::channel(EVENTS_KEPT);
        let core = Arc::new(Core::new(history, net, clock, home, tell));
        // A journal that brings this down is looked at again when its game is resumed.
        if let Err(why) = core.blocking(resting::look_at_all).await {
            tracing::error!(%why, "the interrupted games could not be looked at");
        }
        if let Err(why) = core.blocking(Core::name_known).await {
            tracing::error!(%why, "the known devices could not be looked up");
        }
        let tasks = vec![tokio::spawn(Arc::clone(&core).route(events)), tokio::spawn(show_changes(Arc::clone(&core)))];
        Ok(App { core, gate: Arc::default(), tasks: Arc::new(Mutex::new(tasks)) })
    }

    /// A command of the UI by its name, with its arguments as JSON.
    pub async fn call(&self, name: &str, args: Value) -> Result<Value, ApiError> {
        commands::dispatch(self, name, args).await
    }

    /// Ends all searches for pages: the page that asked has gone, as when its window loads it anew.
    pub fn close_studies(&self) {
        self.core.studies.close();
    }

    /// What happens from now on. A receiver that lags asks for the views again.
    pub fn events(&self) -> broadcast::Receiver<AppEvent> {
        self.core.listen()
    }

    /// Says goodbye at every table, keeps the seats, and ends the network and all work. Nothing is to be called after
    /// this; the data folder is free for the next process as soon as this app and its clones are dropped.
    pub async fn shutdown(&self) {
        let gate = self.gate.lock().await;
        let mut ends = Vec::new();
        for (_, inbox) in self.core.open_tables() {
            let (reply, end) = oneshot::channel();
            if inbox.send(Note::Leave(reply)).await.is_ok() {
                ends.push(end);
            }
        }
        for end in ends {
            let _ = end.await;
        }
        self.close_studies();
        self.core.net.shutdown().await;
        // Out of the lock first: a guard held while waiting would tie this future to one thread.
        let tasks = std::mem::take(&mut *locked(&self.tasks));
        for task in tasks {
            task.abort();
            let _ = task.await;
        }
        self.core.jobs_done().await;
        drop(gate);
    }

    /// Opens a table and sits in seat 0. `news` hears everything from the first entry on.
    pub async fn open(&self, setup: Setup, news: Option<Listener>) -> Result<TableId, ApiError> {
        self.open_and(setup, news, Begins::default()).await
    }

    /// The same, with what is wished for from the beginning.
    pub(crate) async fn open_and(
        &self,
        setup: Setup,
        news: Option<Listener>,
        begins: Begins,
    ) -> Result<TableId, ApiError> {
        let setup = Setup { name: checked_name(&setup.name)?, ..setup };
        let _gate = self.gate.lock().await;
        let expected = setup.rules.preset();
        let table = Table::open(self.port(), seed()?, setup, self.core.clock.now());
        let id = table.id();
        let (disk, joining, watching) = (Source::New, None, None);
        self.begin(Begin { table, disk, joining, watching, news, expected, begins }).await?;
        Ok(id)
    }

    /// Sits down at a table on the network: in that seat, or the first open one. A device that has a seat there gets it
    /// back, whatever it asks for. Answers at once; `Full`, `SeatTaken` or `NotFound` come with the table's closing:
    /// one of its devices is waited for so long, and then, for [`JOIN_WAIT_MS`], the log and the seat.
    pub async fn join(
        &self,
        table: TableId,
        name: String,
        seat: Option<u8>,
        pin: Option<String>,
        wait: Duration,
        news: Option<Listener>,
    ) -> Result<(), ApiError> {
        let name = checked_name(&name)?;
        self.come(table, Some((name, seat)), pin, wait, news).await
    }

    /// Follows a table without a seat; refused where this device has one there. Waits as [`App::join`] does.
    pub async fn watch(
        &self,
        table: TableId,
        pin: Option<String>,
        wait: Duration,
        news: Option<Listener>,
    ) -> Result<(), ApiError> {
        self.come(table, None, pin, wait, news).await
    }

    /// To sit down under that name, or to look on.
    async fn come(
        &self,
        table: TableId,
        sit: Option<(String, Option<u8>)>,
        pin: Option<String>,
        wait: Duration,
        news: Option<Listener>,
    ) -> Result<(), ApiError> {
        let _gate = self.gate.lock().await;
        if self.core.inbox(table).is_some() {
            return Ok(());
        }
        let wait = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        let until = self.core.clock.now().saturating_add(wait);
        let watching = sit.is_none().then_some(until);
        let joining = sit.map(|(name, seat)| Joining { name, seat, until });
        if self.core.history.running().contains(&table) {
            return self.go_on(table, Coming { joining, watching, pin }, news).await;
        }
        let expected = self.expected(table);
        let mut joined = Table::join(self.port(), seed()?, table, self.core.clock.now());
        give_pin(&mut joined, pin, self.core.clock.now());
        let disk = Source::New;
        self.begin(Begin { table: joined, disk, joining, watching, news, expected, begins: Begins::default() }).await
    }

    /// Finds the table of an invite's link or code, as typed or pasted. For a code its device is asked until it answers,
    /// for so long. Then join or watch it, and [`App::dial_invited`].
    pub async fn find_invited(&self, text: &str, wait: Duration) -> Result<Invited, ApiError> {
        let invite = Invite::read(text).map_err(ApiError::from)?;
        let until = tokio::time::Instant::now() + wait;
        loop {
            match self.core.net.find(&invite).await {
                Ok(invited) => return Ok(invited),
                Err(AskError::NoAnswer) if tokio::time::Instant::now() < until => {
                    tokio::time::sleep(ASK_AGAIN).await;
                }
                Err(why) => return Err(why.into()),
            }
        }
    }

    /// Dials the device that invited, and only that, beside all others of its table.
    pub fn dial_invited(&self, invited: Invited) {
        self.core.net.dial(invited.table, Some(invited.device), invited.addresses);
    }

    /// Goes on with an interrupted game of this device.
    pub async fn resume(&self, table: TableId, news: Option<Listener>) -> Result<(), ApiError> {
        let _gate = self.gate.lock().await;
        if self.core.inbox(table).is_some() {
            return Ok(());
        }
        self.go_on(table, Coming { joining: None, watching: None, pin: None }, news).await
    }

    async fn go_on(&self, id: TableId, coming: Coming, news: Option<Listener>) -> Result<(), ApiError> {
        let opened = self.core.blocking(move |core| core.history.open_journal(id)).await?;
        let (journal, records) = opened.map_err(|why| self.no_journal(id, &why))?;
        let mut table = self.core.blocking(move |core| resting::resumed(core, id, &records)).await??;
        let Coming { joining, watching, pin } = coming;
        give_pin(&mut table, pin, self.core.clock.now());
        if joining.is_none() && watching.is_none() && table.my_seat().is_none() {
            return Err(no_seat_of_ours(id));
        }
        if watching.is_some() && table.my_seat().is_some() {
            return Err(own_seat(id));
        }
        let expected = self.expected(id);
        let disk = Source::Open(journal);
        self.begin(Begin { table, disk, joining, watching, news, expected, begins: Begins::default() }).await
    }

    fn no_journal(&self, table: TableId, why: &std::io::Error) -> ApiError {
        resting::no_journal(table, &self.core.history.journal_path(table), why)
    }

    async fn begin(&self, begin: Begin) -> Result<(), ApiError> {
        let (id, owners) = (begin.table.id(), begin.table.members());
        let inbox = Actor::start(&self.core, begin).map_err(ApiError::internal)?;
        self.core.came(id, inbox.clone());
        let _ = inbox.send(Note::Addresses(self.core.home.addresses())).await;
        self.core.net.follow_owned(id, owners);
        for (peer, addresses) in self.core.whereabouts(id) {
            self.core.net.dial(id, Some(peer), addresses);
        }
        Ok(())
    }

    /// A person's command at a table.
    pub async fn command(&self, table: TableId, command: Command) -> Result<(), ApiError> {
        let said = command.clone();
        let done = self.ask(table, |reply| Note::Command(command, reply)).await?;
        done.map_err(|error| told(&said, error))
    }

    /// The table as it is now.
    pub async fn look(&self, table: TableId) -> Result<Arc<Snapshot>, ApiError> {
        self.ask(table, Note::Look).await
    }

    /// Goes away and keeps the seat. When this is done the journal is closed.
    pub async fn leave(&self, table: TableId) -> Result<(), ApiError> {
        let _gate = self.gate.lock().await;
        self.ask(table, Note::Leave).await
    }

    /// Gives the seat up and goes away.
    pub async fn give_up_seat(&self, table: TableId) -> Result<(), ApiError> {
        self.ask(table, Note::Stand).await?
    }

    /// Takes an interrupted game off the list; its file is kept.
    pub async fn forget(&self, table: TableId) -> Result<(), ApiError> {
        let _gate = self.gate.lock().await;
        if self.core.inbox(table).is_some() {
            self.ask(table, Note::Leave).await?;
        }
        let retired = self.core.blocking(move |core| core.history.retire(table)).await?;
        retired.map_err(|why| self.no_journal(table, &why))?;
        self.core.home.forget(table);
        Ok(())
    }

    /// The tables on the network, with names as they may be shown.
    pub fn listed(&self) -> Vec<net::Listing> {
        let clean = |row: net::Listing| net::Listing { name: clean_name(&row.name), ..row };
        self.core.net.listed().into_iter().map(clean).collect()
    }

    /// This device's interrupted games, newest first.
    pub fn interrupted(&self) -> Vec<InterruptedView> {
        self.core.home.interrupted()
    }

    /// Every table with a running journal here, newest first; also those that are not worth a line on the home screen.
    pub fn running(&self) -> Vec<TableId> {
        self.core.history.running()
    }

    /// What a table's journal says, without going on with it.
    pub async fn look_at_rest(&self, table: TableId) -> Result<Snapshot, ApiError> {
        self.core.blocking(move |core| resting::look_at(core, table)).await?
    }

    /// What was continued apart at a table, also at one that is over.
    pub async fn branches(&self, table: TableId) -> Result<Vec<BranchView>, ApiError> {
        if self.core.inbox(table).is_some() {
            return self.ask(table, Note::Branches).await;
        }
        self.core.blocking(move |core| resting::branches(core, table)).await?
    }

    /// One of these, move by move.
    pub async fn branch(&self, table: TableId, head: Hash) -> Result<ReplayView, ApiError> {
        let found = if self.core.inbox(table).is_some() {
            self.ask(table, |reply| Note::Branch(head, reply)).await?
        } else {
            self.core.blocking(move |core| resting::branch(core, table, head)).await??
        };
        found.ok_or_else(|| {
            ApiError::new(ErrorCode::NotFound, format!("table {table} has no branch {head}: ask for the list again"))
        })
    }

    /// The person is there: something was touched.
    pub async fn touched(&self) {
        for (table, _) in self.core.open_tables() {
            // A table without a seat of this device's, or one that has just closed, need not know.
            let _ = self.command(table, Command::Touched).await;
        }
    }

    /// This device, as tables know it.
    pub fn device(&self) -> DeviceId {
        let port = self.port();
        port.device(&port.key())
    }

    /// The name of this device's person.
    pub fn name(&self) -> String {
        self.core.home.settings().name
    }

    /// What was wrong with the folder when it was opened, a line each: what happened, and where it was set aside.
    pub fn mended(&self) -> Vec<String> {
        self.core.home.mended()
    }

    /// The UDP port of this device's links.
    pub fn port_number(&self) -> u16 {
        self.core.net.port()
    }

    /// Tries these addresses for a table, beside those that the network shows.
    pub fn dial(&self, table: TableId, addresses: Vec<std::net::SocketAddr>) {
        self.core.net.dial(table, None, addresses);
    }

    async fn ask<T>(&self, table: TableId, note: impl FnOnce(oneshot::Sender<T>) -> Note) -> Result<T, ApiError> {
        let gone = || ApiError::no_such_table(&table.to_string());
        let inbox: Inbox = self.core.inbox(table).ok_or_else(gone)?;
        let (reply, answer) = oneshot::channel();
        inbox.send(note(reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())
    }

    fn expected(&self, table: TableId) -> Preset {
        let listed = self.core.net.listed();
        let row = listed.iter().find(|row| row.table == table);
        row.and_then(|row| Preset::from_name(&row.preset)).unwrap_or(Preset::CaptureFive)
    }

    fn port(&self) -> Box<dyn table::Port> {
        Box::new(Ed25519::new(&self.core.secret))
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").finish_non_exhaustive()
    }
}

/// What somebody who comes to a table wants there.
struct Coming {
    joining: Option<Joining>,
    watching: Option<u64>,
    pin: Option<String>,
}

fn give_pin(table: &mut Table, pin: Option<String>, now: u64) {
    if let Some(pin) = pin {
        // It can be given at any time, and is only used where it is asked for.
        let _ = table.command(Command::Pin(pin), now);
    }
}

pub(crate) fn seed() -> Result<[u8; 32], ApiError> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(ApiError::internal)?;
    Ok(seed)
}

/// What is told of something that was mended while opening.
const fn warning_of(warning: &history::Warning) -> Warning {
    match warning {
        history::Warning::IndexRebuilt { .. } => Warning::IndexRebuilt,
        history::Warning::FileDamaged { .. } => Warning::DamagedSetAside,
        history::Warning::NewKey { .. } => Warning::NewKey,
        history::Warning::KeyDamaged { .. } => Warning::KeyDamaged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn start(folder: &Path) -> App {
        App::start(Config { port: Some(0), ..Config::new(folder.to_owned()) }).await.expect("the app starts")
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_still_being_done_is_waited_for_at_the_end() {
        let folder = tempfile::tempdir().expect("folder");
        let app = start(folder.path()).await;
        let core = Arc::clone(&app.core);
        app.core.spawn(async move {
            tokio::time::sleep(Duration::from_millis(500)).await;
            core.spawn_blocking(|core| {
                std::thread::sleep(Duration::from_millis(500));
                core.name_known();
            });
        });
        app.shutdown().await;
        drop(app);
        History::open(folder.path()).expect("nobody holds the folder");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn work_is_done_to_its_end_where_nobody_waits_for_it() {
        let folder = tempfile::tempdir().expect("folder");
        let app = start(folder.path()).await;
        let (done, seen) = std::sync::mpsc::channel();
        let work = app.core.blocking(move |_| {
            std::thread::sleep(Duration::from_millis(300));
            let _ = done.send(());
        });
        assert!(tokio::time::timeout(Duration::from_millis(1), work).await.is_err(), "it takes longer");
        app.shutdown().await;
        assert_eq!(seen.try_recv(), Ok(()));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn somebody_who_is_about_to_end_is_waited_for() {
        let folder = tempfile::tempdir().expect("folder");
        let (history, _) = History::open(folder.path()).expect("a new folder");
        let ending = tokio::spawn(async move {
            tokio::time::sleep(FOLDER_AGAIN).await;
            drop(history);
        });
        start(folder.path()).await.shutdown().await;
        ending.await.expect("it ends");
        let _held = History::open(folder.path()).expect("it is free again");
        let refused = App::start(Config::new(folder.path().to_owned())).await;
        assert!(matches!(refused, Err(StartError::DataInUse(_))), "it does not end");
    }
}
