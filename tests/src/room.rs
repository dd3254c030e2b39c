//! A table whose devices are real `c5` processes, each on a host of its own. The test plays their people: whoever's turn
//! it is places a stone after a while, and asks for a rematch when a game is over. What every process ever told is
//! kept, with the time, so that figures and the final check can be drawn from it.

mod check;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use tempfile::TempDir;

use crate::c5::{C5, Told};
use crate::lan::Lan;

/// Between two looks at what the processes tell.
const LOOK: Duration = Duration::from_millis(5);
/// Far beyond what anything in a scenario may take: it is stuck.
pub const STUCK: Duration = Duration::from_secs(90);
/// A device that has told nothing for so long is asked how it stands.
const QUIET: Duration = Duration::from_secs(3);
/// A stone that nothing came of is placed again after this.
const AGAIN: Duration = Duration::from_secs(2);
/// A move of which nothing is heard for this long came to nothing.
const MOVED: Duration = Duration::from_secs(5);
/// Between two questions whether all have the same head.
const COMPARE: Duration = Duration::from_millis(200);
const BOARD: u32 = 19;
/// Events of each device in a failure's report.
const STORY_LAST: usize = 12;

/// What a room is made with.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seats: usize,
    /// Options of `c5 host` besides the rules.
    pub options: String,
    /// How long a person thinks.
    pub think: Duration,
    pub seed: u64,
}

impl Plan {
    pub fn new(seats: usize, options: &str) -> Plan {
        Plan { seats, options: options.to_owned(), think: Duration::from_millis(150), seed: 1 }
    }
}

/// A device: its process of the moment, and what earlier ones told.
pub struct Device {
    pub process: Option<C5>,
    past: Vec<Told>,
    /// Events of this process that were looked at.
    read: usize,
    turn: Option<Turn>,
    rematch: bool,
    asked: Instant,
    /// Its process may end by itself: it has a fail point.
    pub mortal: bool,
}

struct Turn {
    since: Instant,
    sent: Option<Instant>,
}

pub struct Room {
    pub lan: Lan,
    pub table: String,
    pub devices: Vec<Device>,
    /// Whether the people play.
    pub plays: bool,
    /// Every stone that a person was told to place: when, by which device, and where.
    placed: Vec<(Instant, usize, String)>,
    plan: Plan,
    data: TempDir,
    random: ChaCha8Rng,
    occupied: BTreeSet<String>,
    /// Index and hash of the head that all had when they last came together.
    settled: Option<(u32, String)>,
    /// Something took away what was on a disk: a device may not know itself what it told before.
    pub spoilt: bool,
}

impl Room {
    /// A network of as many hosts as there are seats, and a game that has begun.
    pub fn new(plan: Plan) -> Result<Room> {
        let lan = Lan::new(plan.seats)?;
        Room::on(lan, plan)
    }

    /// The same on a network that is there.
    pub fn on(lan: Lan, plan: Plan) -> Result<Room> {
        Room::in_folder(lan, plan, TempDir::new()?)
    }

    /// The same with the devices' folders in this one, named by their numbers.
    pub fn in_folder(lan: Lan, plan: Plan, data: TempDir) -> Result<Room> {
        let random = ChaCha8Rng::seed_from_u64(plan.seed);
        let table = String::new();
        let (devices, placed, occupied) = (vec![], vec![], BTreeSet::new());
        let mut room = Room {
            lan,
            table,
            devices,
            plays: true,
            placed,
            plan,
            data,
            random,
            occupied,
            settled: None,
            spoilt: false,
        };
        let seats = room.plan.seats;
        let rules = format!("--preset custom --set captures=off --set board={BOARD} --seats {seats}");
        let opener = room.start(0, &format!("host --name P0 {rules} {}", room.plan.options), &[])?;
        room.devices.push(Device::new(opener));
        room.run("a table", |room| room.find(0, |event| event["event"] == "table").is_some())?;
        let table = room.find(0, |event| event["event"] == "table").context("a table")?.event["table"].clone();
        room.table = table.as_str().context("an id")?.to_owned();
        for seat in 1..seats {
            let joined = room.start(seat, &format!("join {} --name P{seat} --seat {seat}", room.table), &[])?;
            room.devices.push(Device::new(joined));
        }
        room.run("the start", |room| (0..seats).all(|device| room.find(device, is("start")).is_some()))?;
        Ok(room)
    }

    pub fn folder(&self, device: usize) -> PathBuf {
        self.data.path().join(device.to_string())
    }

    /// Starts `c5` on a device's host with its folder.
    pub fn start(&self, device: usize, arguments: &str, with: &[(&str, String)]) -> Result<C5> {
        C5::start_with(&self.lan, device, &self.folder(device), arguments, with)
    }

    /// Ends a device's process as a crash would.
    pub fn kill(&mut self, device: usize) -> Result<Instant> {
        let process = self.devices[device].process.as_mut().context("it runs")?;
        process.kill()?;
        let at = Instant::now();
        self.devices[device].put_away();
        Ok(at)
    }

    /// A device goes on with its game.
    pub fn resume(&mut self, device: usize) -> Result<Instant> {
        self.resume_with(device, &[])
    }

    pub fn resume_with(&mut self, device: usize, with: &[(&str, String)]) -> Result<Instant> {
        ensure!(self.devices[device].process.is_none(), "it runs already");
        let at = Instant::now();
        let process = self.start(device, &format!("resume {}", self.table), with)?;
        let past = std::mem::take(&mut self.devices[device].past);
        self.devices[device] = Device { past, mortal: !with.is_empty(), ..Device::new(process) };
        Ok(at)
    }

    /// Plays until it is so; answers how long that took.
    pub fn run(&mut self, what: &str, mut done: impl FnMut(&mut Room) -> bool) -> Result<Duration> {
        let since = Instant::now();
        loop {
            self.step()?;
            if done(self) {
                return Ok(since.elapsed());
            }
            if since.elapsed() > STUCK {
                bail!("no {what} within {STUCK:?}\n{}", self.story());
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Plays for a while.
    pub fn play(&mut self, length: Duration) -> Result<()> {
        let since = Instant::now();
        self.run("end of a while", |_| since.elapsed() >= length).map(|_| ())
    }

    /// Plays until so many more moves are shown on each of these devices.
    pub fn moves(&mut self, devices: &[usize], count: usize) -> Result<()> {
        let since = Instant::now();
        let shown = |room: &Room, device: usize| {
            room.told(device).filter(|told| told.at >= since && told.event["event"] == "move").count()
        };
        self.run("moves", |room| devices.iter().all(|&device| shown(room, device) >= count)).map(|_| ())
    }

    /// Plays until each of these devices has told such an event since then; answers when the last of them first did.
    pub fn wait(
        &mut self,
        devices: &[usize],
        since: Instant,
        what: &str,
        will_do: impl Fn(&Value) -> bool,
    ) -> Result<Duration> {
        self.run(what, |room| devices.iter().all(|&device| room.since(device, since, &will_do).is_some()))?;
        let first = |device: &usize| self.since(*device, since, &will_do).unwrap_or_default();
        Ok(devices.iter().map(first).max().unwrap_or_default())
    }

    /// How long after that moment a device first told such an event.
    pub fn since(&self, device: usize, since: Instant, will_do: impl Fn(&Value) -> bool) -> Option<Duration> {
        let found = self.told(device).find(|told| told.at >= since && will_do(&told.event))?;
        Some(found.at.duration_since(since))
    }

    /// How many such events a device told since then.
    pub fn count(&self, device: usize, since: Instant, counts: impl Fn(&Value) -> bool) -> usize {
        self.told(device).filter(|told| told.at >= since && counts(&told.event)).count()
    }

    /// Everything that a device ever told.
    pub fn told(&self, device: usize) -> impl DoubleEndedIterator<Item = &Told> {
        let device = &self.devices[device];
        device.past.iter().chain(device.process.iter().flat_map(C5::told))
    }

    /// Whether this device's person was told to place a stone since then.
    pub fn has_placed(&self, device: usize, since: Instant) -> bool {
        self.placed.iter().any(|(at, by, _)| *at >= since && *by == device)
    }

    /// How long each stone took from the command to each other device's screen.
    pub fn ways(&self) -> Vec<Duration> {
        let mut ways = vec![];
        for (at, device, point) in &self.placed {
            let is_it = |event: &Value| {
                event["event"] == "move" && event["seat"] == *device as u64 && event["at"] == point.as_str()
            };
            ways.extend(self.others(&[*device]).into_iter().filter_map(|other| self.since(other, *at, is_it)));
        }
        ways
    }

    fn find(&self, device: usize, will_do: impl Fn(&Value) -> bool) -> Option<&Told> {
        self.told(device).find(|told| will_do(&told.event))
    }

    /// The seat whose device keeps, as the last `keeper` event of a running device says; at first the opener's.
    pub fn keeper(&self) -> usize {
        let keepers = (0..self.devices.len()).filter(|&device| self.devices[device].process.is_some());
        let newest = keepers.filter_map(|device| self.told(device).rev().find(|told| told.event["event"] == "keeper"));
        let newest = newest.max_by_key(|told| told.event["term"].as_u64());
        newest.and_then(|told| told.event["seat"].as_u64()).unwrap_or(0) as usize
    }

    /// All devices that run.
    pub fn running(&self) -> Vec<usize> {
        (0..self.devices.len()).filter(|&device| self.devices[device].process.is_some()).collect()
    }

    /// All devices that run but these.
    pub fn others(&self, but: &[usize]) -> Vec<usize> {
        self.running().into_iter().filter(|device| !but.contains(device)).collect()
    }

    /// Play stops, and every device comes to the same head with everybody here; answers how long that took.
    pub fn settle(&mut self) -> Result<Duration> {
        self.plays = false;
        let (since, devices) = (Instant::now(), self.running());
        loop {
            let asked = Instant::now();
            for &device in &devices {
                self.tell(device, "state")?;
            }
            self.wait(&devices, asked, "state", is("state"))?;
            let mut heads = BTreeSet::new();
            let mut all_here = true;
            for &device in &devices {
                let state = self.told(device).rev().find(|told| told.event["event"] == "state");
                let state = &state.context("a state")?.event;
                heads.insert((state["index"].as_u64(), state["head"].as_str().map(str::to_owned)));
                let seats = state["seats"].as_array().context("seats")?;
                all_here &= seats.iter().all(|seat| seat["state"] == "human");
            }
            // A move that is still on its way would come into the log behind the head that all have now.
            let under_way = |&device: &usize| self.devices[device].has_just_moved();
            if heads.len() == 1 && all_here && !devices.iter().any(under_way) {
                let head = heads.pop_first().and_then(|(index, hash)| Some((index? as u32, hash?)));
                self.settled = Some(head.context("a head")?);
                return Ok(asked.duration_since(since));
            }
            ensure!(since.elapsed() < STUCK, "the devices do not come together: {heads:?}\n{}", self.story());
            self.play(COMPARE)?;
        }
    }

    /// Ends every process with a goodbye, and checks that nothing final was lost: see [`check`].
    pub fn close(mut self) -> Result<check::Kept> {
        for device in self.running() {
            self.tell(device, "leave")?;
        }
        for device in self.running() {
            let process = self.devices[device].process.as_mut().context("it runs")?;
            let ended = process.ended()?;
            ensure!(ended.code == Some(0), "device {device}: {ended:?}\n{}", process.story());
            ensure!(!ended.stderr.contains("panicked"), "device {device}: {ended:?}");
            self.devices[device].put_away();
        }
        let past: Vec<&[Told]> = self.devices.iter().map(|device| device.past.as_slice()).collect();
        let folders: Vec<PathBuf> = (0..past.len()).map(|device| self.folder(device)).collect();
        let head = self.settled.context("they came together")?;
        check::nothing_final_is_lost(&self.table, &head, &past, &folders, self.spoilt)
    }

    /// A command for a device. One that may die at any moment need not take it.
    pub fn tell(&mut self, device: usize, line: &str) -> Result<()> {
        let told = self.devices[device].process.as_mut().context("it runs")?.tell(line);
        if self.devices[device].mortal { Ok(()) } else { told }
    }

    /// Looks at what is new, and lets the people act.
    fn step(&mut self) -> Result<()> {
        for device in 0..self.devices.len() {
            let read = self.devices[device].read;
            let Some(process) = &mut self.devices[device].process else { continue };
            process.drain();
            let news: Vec<Told> = process.told()[read..].to_vec();
            for told in &news {
                self.devices[device].hear(told);
                self.note(&told.event);
            }
            if self.devices[device].process.as_mut().is_some_and(|process| process.has_ended().unwrap_or(true)) {
                if self.devices[device].mortal {
                    self.devices[device].put_away();
                    continue;
                }
                let what = self.devices[device].process.as_mut().map(|process| process.ended());
                bail!("device {device} ended by itself: {what:?}\n{}", self.story());
            }
            if self.plays {
                self.act(device)?;
            }
        }
        Ok(())
    }

    fn note(&mut self, event: &Value) {
        if event["event"] == "start" {
            self.occupied.clear();
        }
        if let Some(at) = event["at"].as_str().filter(|_| event["event"] == "move") {
            self.occupied.insert(at.to_owned());
        }
    }

    fn act(&mut self, device: usize) -> Result<()> {
        let now = Instant::now();
        let think = self.plan.think;
        let device_ = &mut self.devices[device];
        if device_.rematch {
            device_.rematch = false;
            return self.tell(device, "rematch");
        }
        if let Some(turn) = &mut device_.turn {
            let due = now.duration_since(turn.since) >= think;
            if due && turn.sent.is_none_or(|sent| now.duration_since(sent) >= AGAIN) {
                turn.sent = Some(now);
                let point = self.free_point();
                self.placed.push((now, device, point.clone()));
                return self.tell(device, &point);
            }
            return Ok(());
        }
        let last = self.told(device).next_back().map_or(now, |told| told.at);
        if now.duration_since(last) >= QUIET && now.duration_since(self.devices[device].asked) >= QUIET {
            self.devices[device].asked = now;
            return self.tell(device, "state");
        }
        Ok(())
    }

    fn free_point(&mut self) -> String {
        loop {
            let column = self.random.random_range(0..BOARD);
            let row = self.random.random_range(1..=BOARD);
            let point = format!("{}{row}", char::from(b'A' + column as u8));
            // When nearly all are taken any will do: it is refused, and the next is tried.
            if !self.occupied.contains(&point) || self.occupied.len() as u32 + 20 > BOARD * BOARD {
                return point;
            }
        }
    }

    /// What the devices told last, for a failure's report.
    pub fn story(&self) -> String {
        let part = |device: usize| {
            let mut told: Vec<&Told> = self.told(device).filter(|told| told.event["event"] != "state").collect();
            told.extend(self.told(device).rfind(|told| told.event["event"] == "state"));
            let last = &told[told.len().saturating_sub(STORY_LAST)..];
            let now = Instant::now();
            let line = |told: &&Told| {
                format!("    {:6.2} s ago {}\n", now.duration_since(told.at).as_secs_f64(), brief(&told.event))
            };
            format!("  device {device}:\n{}", last.iter().map(line).collect::<String>())
        };
        (0..self.devices.len()).map(part).collect()
    }
}

impl Device {
    fn new(process: C5) -> Device {
        let (past, asked) = (vec![], Instant::now());
        Device { process: Some(process), past, read: 0, turn: None, rematch: false, asked, mortal: false }
    }

    /// Whether it was told to move and has not said what became of that. What was refused is forgotten in time.
    fn has_just_moved(&self) -> bool {
        self.turn.as_ref().and_then(|turn| turn.sent).is_some_and(|sent| sent.elapsed() < MOVED)
    }

    fn put_away(&mut self) {
        if let Some(process) = self.process.take() {
            self.past.extend(process.into_seen());
        }
        (self.read, self.turn, self.rematch) = (0, None, false);
    }

    /// What an event means for this device's person.
    fn hear(&mut self, told: &Told) {
        self.read += 1;
        let event = &told.event;
        match event["event"].as_str().unwrap_or_default() {
            "your_turn" => self.turn = Some(Turn { since: told.at, sent: None }),
            "move" | "rewound" | "start" | "undone" => self.turn = None,
            "end" => (self.turn, self.rematch) = (None, true),
            // The point was taken: another one.
            "error" if event["code"] == "occupied" => {
                if let Some(turn) = &mut self.turn {
                    turn.sent = None;
                }
            }
            // Only asked for when nothing has come for long.
            "state" if event["to_move"]["seat"].is_u64() && event["result"].is_null() => {
                // Counted in turn order.
                let place = event["to_move"]["seat"].as_u64().unwrap_or(u64::MAX);
                let seat = usize::try_from(place).ok().and_then(|place| event["order"][place].as_u64());
                let own = self.own_seat();
                if own.is_some() && own == seat && self.turn.is_none() {
                    self.turn = Some(Turn { since: told.at, sent: None });
                }
            }
            "state" if !event["result"].is_null() => self.rematch = true,
            _ => {}
        }
    }

    fn own_seat(&self) -> Option<u64> {
        let told = self.past.iter().chain(self.process.iter().flat_map(C5::told));
        told.rev().find(|told| told.event["event"] == "table")?.event["seat"].as_u64()
    }
}

/// An event without what takes much room and says little.
fn brief(event: &Value) -> String {
    let mut event = event.clone();
    let Some(fields) = event.as_object_mut() else { return event.to_string() };
    for field in ["table", "board", "rules", "groups", "illegal", "captured", "actions", "device", "took", "lost"] {
        fields.remove(field);
    }
    for field in ["head", "peer"] {
        if let Some(Value::String(id)) = fields.get_mut(field) {
            id.truncate(8);
        }
    }
    if let Some(seats) = fields.get_mut("seats").and_then(Value::as_array_mut) {
        seats.iter_mut().for_each(|seat| *seat = seat["state"].clone());
    }
    event.to_string()
}

/// Whether an event has this name.
pub fn is(name: &'static str) -> impl Fn(&Value) -> bool {
    move |event| event["event"] == name
}

/// Whether a seat is told to be in this state.
pub fn seat(number: usize, state: &'static str) -> impl Fn(&Value) -> bool {
    move |event| event["event"] == "seat" && event["seat"] == number as u64 && event["state"] == state
}

/// Reads a table's journal out of a folder that no process uses.
pub fn journal(folder: &Path, table: &str) -> Result<(table::Table, Vec<Vec<u8>>)> {
    let (history, warnings) = history::History::open(folder)?;
    ensure!(warnings.is_empty(), "{}: {warnings:?}", folder.display());
    let id = table.parse().ok().context("a table's id")?;
    let records = history.read_journal(id)?;
    let port = Box::new(table::port::Ed25519::new(&history.secret()));
    let table = table::Table::resume(port, [0; 32], &records, 0)?;
    Ok((table, records))
}
