//! `c5 bench net`: how long an act takes to be final between two devices in this process, over links on loopback and
//! journals on the disk, beside what the protocol can't do without (PROTOCOL.md, section 5): one round trip on a link
//! and one fsync, measured bare in the same run.

use std::fs::OpenOptions;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use app::{App, Config, News};
use net::{Net, NetConfig, NetEvent};
use rules::{Action, Point, Preset};
use serde_json::json;
use table::{Command, EventKind, Grace, SeatSetup, Settings, Setup, TableId};
use tokio::sync::mpsc;

use crate::args::Bench;
use crate::{Failure, Output, events};

/// Acts of one repeat; fewer than a device may send at once.
const ACTS: usize = 60;
/// Bytes of a message with one entry, and of its line in a journal.
const MESSAGE_BYTES: usize = 330;
const LINE_BYTES: usize = 700;
/// Between two acts, so that nothing of the one before is still under way.
const PAUSE: Duration = Duration::from_millis(10);
/// Far beyond what anything here may take.
const STUCK: Duration = Duration::from_secs(20);
/// Columns of the board that are used for a row of quiet stones.
const ROW_STONES: usize = 9;

/// Measures and tells.
pub(super) async fn run(bench: &Bench, output: &mut Output) -> Result<(), Failure> {
    let folder = Folder::new()?;
    let bare = Bare::measure(&folder.0, bench.repeats).await?;
    let (keepers, others) = acts(&folder.0, bench.repeats).await?;
    let needed = median(&bare.round_trips) + median(&bare.fsyncs);
    for (name, of, times) in [
        ("round trip", "a link on loopback", &bare.round_trips),
        ("fsync", "a journal's line", &bare.fsyncs),
        ("act to final", "the keeper's own", &keepers),
        ("act to final", "another device's", &others),
    ] {
        figure(["net", name, of], times, bench, output);
    }
    for (of, times) in [("the keeper's own", &keepers), ("another device's", &others)] {
        let beyond: Vec<Duration> = times.iter().map(|time| time.saturating_sub(needed)).collect();
        figure(["net", "act to final beyond round trip and fsync", of], &beyond, bench, output);
    }
    Ok(())
}

/// A folder for two devices, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, Failure> {
        let path = std::env::temp_dir().join(format!("c5-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|why| unwritable(&path, &why))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left there harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn unwritable(path: &Path, why: &std::io::Error) -> Failure {
    Failure::new(
        "data-unwritable",
        format!("{} cannot be written ({why}): set TMPDIR to another folder", path.display()),
    )
}

fn stuck(what: &str) -> Failure {
    Failure::new("internal", format!("nothing comes of {what}: report this"))
}

/// What the protocol needs, bare.
struct Bare {
    round_trips: Vec<Duration>,
    fsyncs: Vec<Duration>,
}

impl Bare {
    async fn measure(folder: &Path, repeats: u32) -> Result<Bare, Failure> {
        let path = folder.join("lines");
        let (fsyncs, round_trips) =
            (fsyncs(&path, repeats).map_err(|why| unwritable(&path, &why))?, round_trips(repeats));
        Ok(Bare { round_trips: round_trips.await?, fsyncs })
    }
}

fn fsyncs(path: &Path, repeats: u32) -> std::io::Result<Vec<Duration>> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let line = [b'x'; LINE_BYTES];
    let mut once = || {
        // As rare as acts are.
        std::thread::sleep(PAUSE);
        let since = Instant::now();
        file.write_all(&line)?;
        file.sync_data()?;
        Ok(since.elapsed())
    };
    (0..repeats as usize * ACTS).map(|_| once()).collect()
}

async fn round_trips(repeats: u32) -> Result<Vec<Duration>, Failure> {
    let table = TableId([1; 16]);
    let start = |secret: u8| {
        let config =
            NetConfig { secret: [secret; 32], port: Some(0), version: app::PROTOCOL_VERSION, program: String::new() };
        Net::start(config)
    };
    let (near, mut near_events) = start(1).await.map_err(app::StartError::from)?;
    let (far, mut far_events) = start(2).await.map_err(app::StartError::from)?;
    near.follow(table);
    far.follow(table);
    near.dial(table, Some(far.device()), vec![loopback(far.port())]);
    let up = |event: &NetEvent| matches!(event, NetEvent::LinkUp { .. });
    wait(&mut near_events, up).await?;
    wait(&mut far_events, up).await?;
    let came = |event: &NetEvent| matches!(event, NetEvent::Message { .. });
    let mut times = Vec::new();
    for _ in 0..repeats as usize * ACTS {
        tokio::time::sleep(PAUSE).await;
        let since = Instant::now();
        near.send(table, far.device(), vec![0; MESSAGE_BYTES]);
        wait(&mut far_events, came).await?;
        far.send(table, near.device(), vec![0; MESSAGE_BYTES]);
        wait(&mut near_events, came).await?;
        times.push(since.elapsed());
    }
    near.shutdown().await;
    far.shutdown().await;
    Ok(times)
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

async fn wait(events: &mut mpsc::Receiver<NetEvent>, will_do: impl Fn(&NetEvent) -> bool) -> Result<(), Failure> {
    let awaited = async {
        while let Some(event) = events.recv().await {
            if will_do(&event) {
                return true;
            }
        }
        false
    };
    match tokio::time::timeout(STUCK, awaited).await {
        Ok(true) => Ok(()),
        Ok(false) | Err(_) => Err(stuck("a link on loopback")),
    }
}

/// One of the two devices.
struct Player {
    app: App,
    news: mpsc::UnboundedReceiver<News>,
}

impl Player {
    async fn hear(&mut self, what: &str, will_do: impl Fn(u32, &EventKind) -> bool) -> Result<u32, Failure> {
        let awaited = async {
            while let Some(news) = self.news.recv().await {
                match news {
                    News::Event { event, .. } if will_do(event.index, &event.kind) => return Some(event.index),
                    News::Event { .. } | News::Changed(_) | News::Refused(_) | News::Locked { .. } => {}
                    News::Closed(_) => return None,
                }
            }
            None
        };
        match tokio::time::timeout(STUCK, awaited).await {
            Ok(Some(index)) => Ok(index),
            Ok(None) | Err(_) => Err(stuck(what)),
        }
    }
}

/// How long acts took: the keeper's, and the other's.
async fn acts(folder: &Path, repeats: u32) -> Result<(Vec<Duration>, Vec<Duration>), Failure> {
    let start = |name: &str| App::start(Config { port: Some(0), ..Config::new(folder.join(name)) });
    let (one, other) = (start("one").await?, start("other").await?);
    let (mut keepers, mut others) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        let mut players = sit(&one, &other).await?;
        for stone in 0..ACTS {
            tokio::time::sleep(PAUSE).await;
            let time = act(&mut players, stone).await?;
            if stone % 2 == 0 { keepers.push(time) } else { others.push(time) }
        }
        let table = one.running().first().copied().ok_or_else(|| stuck("a table"))?;
        one.forget(table).await?;
        other.forget(table).await?;
    }
    one.shutdown().await;
    other.shutdown().await;
    Ok((keepers, others))
}

/// Both at a new table, and its game begun.
async fn sit(one: &App, other: &App) -> Result<[Player; 2], Failure> {
    let board = [("board", "19")];
    let rules = app::setup::rules_from(Preset::Gomoku.name(), 2, board)
        .map_err(|error| Failure::new("internal", error.message))?;
    let settings = Settings { grace: Grace::Never, level: 1, ranked: false, hidden: true };
    let setup = Setup { rules, settings, seats: vec![SeatSetup::Open; 2], name: "one".to_owned(), pin: None };
    let (tell, news) = mpsc::unbounded_channel();
    let table = one.open(setup, Some(tell)).await?;
    let mut first = Player { app: one.clone(), news };
    let (tell, news) = mpsc::unbounded_channel();
    let wait = Duration::from_millis(app::JOIN_WAIT_MS);
    other.join(table, "other".to_owned(), None, None, wait, Some(tell)).await?;
    other.dial(table, vec![loopback(one.port_number())]);
    let mut second = Player { app: other.clone(), news };
    first.hear("sitting down", |_, kind| matches!(kind, EventKind::Seat { seat: 1, .. })).await?;
    second.hear("sitting down", |_, kind| matches!(kind, EventKind::Seat { seat: 1, .. })).await?;
    for player in [&mut first, &mut second] {
        player.app.command(table, Command::Ready).await?;
    }
    for player in [&mut first, &mut second] {
        player.hear("the start", |_, kind| matches!(kind, EventKind::Start { .. })).await?;
    }
    Ok([first, second])
}

/// One stone, from the command to its being final on the device that placed it.
async fn act([first, second]: &mut [Player; 2], stone: usize) -> Result<Duration, Failure> {
    let (mover, watcher) = if stone.is_multiple_of(2) { (first, second) } else { (second, first) };
    let table = mover.app.running().first().copied().ok_or_else(|| stuck("a table"))?;
    let point = quiet_point(stone).ok_or_else(|| stuck("a point"))?;
    let ply = stone as u16 + 1;
    let is_move = move |_: u32, kind: &EventKind| matches!(kind, EventKind::Move { ply: made, .. } if *made == ply);
    let since = Instant::now();
    mover.app.command(table, Command::Play(Action::place(point))).await?;
    let index = mover.hear("a stone", is_move).await?;
    mover.hear("a stone's end", |_, kind| matches!(kind, EventKind::Final { upto } if *upto >= index)).await?;
    let time = since.elapsed();
    watcher.hear("a stone", is_move).await?;
    Ok(time)
}

/// Stones in pairs of rows shifted against each other: nobody ever has three in a row.
fn quiet_point(stone: usize) -> Option<Point> {
    let (turn, colour) = (stone / 2, stone % 2);
    let (row, place) = (turn / ROW_STONES, turn % ROW_STONES);
    Point::new((place * 2 + (row / 2 + colour) % 2) as u8, row as u8)
}

fn median(times: &[Duration]) -> Duration {
    part(times, 50)
}

fn part(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get((times.len() * percent / 100).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
}

/// Tells times. The names are those of the measurement, of the figure and of what it was measured on.
pub(super) fn figure([measurement, name, of]: [&str; 3], times: &[Duration], bench: &Bench, output: &mut Output) {
    let micros = |time: Duration| time.as_micros() as u64;
    let [low, median, p99, high] = [0, 50, 99, 100].map(|percent| micros(part(times, percent)));
    let mut event = events::new("figure");
    for (key, value) in [
        ("bench", json!(measurement)),
        ("name", json!(name)),
        ("of", json!(of)),
        ("unit", json!("µs")),
        ("median", json!(median)),
        ("p99", json!(p99)),
        ("low", json!(low)),
        ("high", json!(high)),
        ("repeats", json!(bench.repeats)),
        ("seed", json!(bench.seed)),
    ] {
        event.insert(key.to_owned(), value);
    }
    let count = times.len();
    let sentence =
        format!("{name}, {of}: {median} µs at the median, {p99} µs at p99 (from {low} to {high}, {count} times)");
    output.event(&event, Some(&sentence));
}
