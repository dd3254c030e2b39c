//! A deterministic simulation of several devices at one table: links are ordered streams with delays that break and
//! come back, disks take time, processes are killed and come back with what was written. One seed, one course.
#![allow(dead_code)] // Each test file uses its own part of this.

mod faults;
pub mod party;
pub mod person;
pub mod port;

use std::collections::{BTreeMap, BTreeSet};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Rules;
use table::message::{Letter, Message, Note, Said};
use table::seal::{Kind, Sealed};
use table::{DeviceId, Event, EventKind, Grace, Hash, Input, Output, Port, SeatSetup, Settings, Setup, Table, TableId};

use person::Person;
use port::Cheap;

/// The faults of a world.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    /// One-way delays of a link, in ms.
    pub delay: (u64, u64),
    /// A write's time, in ms.
    pub disk: (u64, u64),
    /// Mean time between kills of a process, in ms; 0: none.
    pub kill_every: u64,
    /// Mean time between breaks of a link, in ms; 0: none.
    pub cut_every: u64,
    /// Whether the opener's process is killed, too.
    pub kill_opener: bool,
    /// No more faults after this time, in ms.
    pub until: u64,
}

pub const CALM: Faults =
    Faults { delay: (1, 20), disk: (1, 8), kill_every: 0, cut_every: 0, kill_opener: false, until: 0 };

#[derive(Debug)]
enum What {
    Deliver { from: usize, to: usize, epoch: u64, bytes: Vec<u8> },
    Disk { device: usize, process: u64, ticket: u64 },
    Thought { device: usize, process: u64, ticket: u64, action: rules::Action },
    Tick { device: usize },
    Person { device: usize, process: u64 },
    Up { a: usize, b: usize, epoch: u64 },
    Down { device: usize, peer: usize, epoch: u64 },
    Restart { device: usize },
    Kill,
    Cut,
}

impl What {
    /// The device in whose process this happens.
    fn sleeper(&self) -> Option<usize> {
        match *self {
            What::Deliver { to, .. } => Some(to),
            What::Disk { device, .. }
            | What::Thought { device, .. }
            | What::Tick { device }
            | What::Person { device, .. }
            | What::Down { device, .. } => Some(device),
            What::Up { .. } | What::Restart { .. } | What::Kill | What::Cut => None,
        }
    }
}

/// A link between two devices. Every break starts a new epoch.
#[derive(Debug, Default)]
struct Link {
    epoch: u64,
    carries: bool,
    /// Who has been told that it is up, with the epoch.
    told: BTreeMap<usize, u64>,
    /// When the newest message arrives, for each direction (by its receiver).
    last: BTreeMap<usize, u64>,
    /// It must not come up (a test holds it down).
    held_down: bool,
}

pub struct Device {
    pub id: DeviceId,
    make_port: Box<dyn Fn() -> Box<dyn Port>>,
    pub table: Option<Table>,
    process: u64,
    pub journal: Vec<Vec<u8>>,
    /// Written but not reported.
    pending: Vec<(u64, Vec<u8>)>,
    pub person: Option<Person>,
    /// Promises that have been reported as written.
    promised: u64,
    /// Entries that were final here.
    finals: BTreeSet<Hash>,
    pub events: Vec<Event>,
    pub refused: Vec<table::CommandError>,
    pub disconnects: Vec<(DeviceId, &'static str)>,
    pub dials: Vec<(DeviceId, Vec<std::net::SocketAddr>)>,
    /// Each time its person was asked for the PIN: whether the last one was wrong, and the wait.
    pub locked: Vec<(bool, u64)>,
    pub finished: BTreeSet<u32>,
    pub closed: bool,
    /// Writes fail.
    pub disk_full: bool,
    /// Nothing happens in its process; what comes waits.
    pub asleep: bool,
    next_tick: u64,
}

/// Whether a message does not arrive, by its sender, receiver and bytes.
pub type Lost = fn(usize, usize, &[u8]) -> bool;

pub struct World {
    pub seed: u64,
    pub rng: ChaCha8Rng,
    pub now: u64,
    pub faults: Faults,
    pub devices: Vec<Device>,
    table: TableId,
    links: BTreeMap<(usize, usize), Link>,
    queue: BTreeMap<(u64, u64), What>,
    queued: u64,
    /// Everything sent, for tests that look at it: sender, receiver, bytes.
    pub keep_sent: bool,
    pub sent: Vec<(usize, usize, Vec<u8>)>,
    /// How long the CPU thinks, in ms.
    pub thinking: (u64, u64),
    /// Messages that do not arrive.
    pub lost: Option<Lost>,
}

pub fn settings() -> Settings {
    Settings { grace: Grace::default(), level: 5, ranked: false, hidden: false }
}

pub fn setup(rules: Rules, seats: Vec<SeatSetup>) -> Setup {
    Setup { rules, settings: settings(), seats, name: "Anna".into(), pin: None }
}

/// A letter as that device of the simulation would sign it.
pub fn letter(device: usize, table: TableId, number: u64, said: Said) -> Vec<u8> {
    letter_by(&Cheap::new(device), table, number, said)
}

pub fn letter_by(port: &dyn Port, table: TableId, number: u64, said: Said) -> Vec<u8> {
    let note = Note { session: [9; 16], number, said };
    Message::Letter(Letter { origin: port.key(), note: Sealed::new(port, Kind::Letter, table, &note) }).to_bytes()
}

pub fn pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

impl World {
    /// Device 0 opens a table; the others join it. All are linked with each other.
    pub fn new(seed: u64, faults: Faults, setup: Setup, devices: usize) -> World {
        World::with_ports(seed, faults, setup, devices, |number| Box::new(Cheap::new(number)))
    }

    pub fn with_ports(
        seed: u64,
        faults: Faults,
        setup: Setup,
        devices: usize,
        port: impl Fn(usize) -> Box<dyn Port> + Copy + 'static,
    ) -> World {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let opener = Table::open(port(0), rng.random(), setup, 0);
        let mut world = World {
            seed,
            rng,
            now: 0,
            faults,
            devices: Vec::new(),
            table: opener.id(),
            links: BTreeMap::new(),
            queue: BTreeMap::new(),
            queued: 0,
            keep_sent: false,
            sent: Vec::new(),
            thinking: (2, 60),
            lost: None,
        };
        world.add_device(port);
        world.devices[0].table = Some(opener);
        for _ in 1..devices {
            let number = world.add_device(port);
            let joined = Table::join((world.devices[number].make_port)(), world.rng.random(), world.table, 0);
            world.devices[number].table = Some(joined);
        }
        world.schedule_faults();
        for number in 0..devices {
            world.run_outputs(number);
        }
        world
    }

    fn schedule_faults(&mut self) {
        for (every, what) in [(self.faults.kill_every, What::Kill), (self.faults.cut_every, What::Cut)] {
            if every > 0 {
                let after = self.rng.random_range(0..2 * every);
                self.at(after, what);
            }
        }
    }

    /// Adds a device with no table yet, linked to all others.
    pub fn add_device(&mut self, port: impl Fn(usize) -> Box<dyn Port> + 'static) -> usize {
        let number = self.devices.len();
        let make_port: Box<dyn Fn() -> Box<dyn Port>> = Box::new(move || port(number));
        let own = make_port();
        self.devices.push(Device {
            id: own.device(&own.key()),
            make_port,
            table: None,
            process: 0,
            journal: Vec::new(),
            pending: Vec::new(),
            person: None,
            promised: 0,
            finals: BTreeSet::new(),
            events: Vec::new(),
            refused: Vec::new(),
            disconnects: Vec::new(),
            dials: Vec::new(),
            locked: Vec::new(),
            finished: BTreeSet::new(),
            closed: false,
            disk_full: false,
            asleep: false,
            next_tick: 0,
        });
        self.at(0, What::Tick { device: number });
        for other in 0..number {
            self.links.insert(pair(other, number), Link::default());
            self.raise(other, number);
        }
        number
    }

    /// One more device comes to the table.
    pub fn join_late(&mut self) -> usize {
        let number = self.add_device(|number| Box::new(Cheap::new(number)));
        let joined = Table::join(Box::new(Cheap::new(number)), self.rng.random(), self.table, self.now);
        self.devices[number].table = Some(joined);
        self.run_outputs(number);
        number
    }

    /// A person comes to a device, and does things by itself.
    pub fn seat_person(&mut self, device: usize, person: Person) {
        self.devices[device].person = Some(person);
        let process = self.devices[device].process;
        self.at(10, What::Person { device, process });
    }

    pub fn table(&self, device: usize) -> &Table {
        self.devices[device].table.as_ref().unwrap_or_else(|| panic!("seed {}: device {device} is off", self.seed))
    }

    fn at(&mut self, after: u64, what: What) {
        self.queued += 1;
        self.queue.insert((self.now + after, self.queued), what);
    }

    fn between(&mut self, (from, to): (u64, u64)) -> u64 {
        self.rng.random_range(from..=to)
    }

    /// What a device's process has been told since a moment, by event.
    pub fn told(&self, device: usize, wanted: impl Fn(&EventKind) -> bool) -> usize {
        self.devices[device].events.iter().filter(|event| wanted(&event.kind)).count()
    }

    /// Lets a device play until some stones lie, with whoever is there.
    pub fn play_until_ply(&mut self, ply: u16) {
        let reached = move |world: &World| {
            let on = world.devices.iter().filter_map(|device| device.table.as_ref()?.state()?.current.as_ref());
            on.map(|current| current.game.ply()).max().is_some_and(|most| most >= ply)
        };
        assert!(self.run_until_holds(120_000, reached), "seed {}: {ply} stones never lay", self.seed);
    }

    /// Runs until a time, in ms.
    pub fn run_until(&mut self, time: u64) {
        while let Some((&(at, number), _)) = self.queue.first_key_value() {
            if at > time {
                break;
            }
            let what = self.queue.remove(&(at, number)).expect("it was just seen");
            self.now = at;
            match what.sleeper() {
                Some(device) if self.devices[device].asleep => self.at(50, what),
                Some(_) | None => self.happen(what),
            }
        }
        self.now = time;
    }

    pub fn run_for(&mut self, ms: u64) {
        self.run_until(self.now + ms);
    }

    /// Runs until something holds; false when it does not within the time.
    pub fn run_until_holds(&mut self, limit_ms: u64, holds: impl Fn(&World) -> bool) -> bool {
        let end = self.now + limit_ms;
        while self.now < end {
            if holds(self) {
                return true;
            }
            self.run_for(20);
        }
        holds(self)
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Deliver { from, to, epoch, bytes } => {
                let link = &self.links[&pair(from, to)];
                if link.epoch == epoch && link.told.get(&to) == Some(&epoch) {
                    let from = self.devices[from].id;
                    self.handle(to, Input::Message { from, bytes });
                }
            }
            What::Disk { device, process, ticket } if self.devices[device].process == process => {
                self.disk_done(device, ticket);
            }
            What::Thought { device, process, ticket, action } if self.devices[device].process == process => {
                self.handle(device, Input::Thought { ticket, action });
            }
            What::Person { device, process } if self.devices[device].process == process => self.let_act(device),
            What::Disk { .. } | What::Thought { .. } | What::Person { .. } => {}
            What::Tick { device } => {
                if self.devices[device].next_tick <= self.now {
                    self.handle(device, Input::Tick);
                }
            }
            What::Up { a, b, epoch } => self.come_up(a, b, epoch),
            What::Down { device, peer, epoch } => {
                let link = self.links.get_mut(&pair(device, peer)).expect("all are linked");
                if link.told.get(&device) == Some(&epoch) {
                    link.told.remove(&device);
                    let peer = self.devices[peer].id;
                    self.handle(device, Input::LinkDown { peer });
                }
            }
            What::Restart { device } => self.restart(device),
            What::Kill => self.random_kill(),
            What::Cut => self.random_cut(),
        }
    }

    pub fn handle(&mut self, device: usize, input: Input) {
        let now = self.now;
        let Some(table) = &mut self.devices[device].table else { return };
        table.handle(input, now);
        self.run_outputs(device);
    }

    pub fn command(&mut self, device: usize, command: table::Command) -> Result<(), table::CommandError> {
        let now = self.now;
        let table = self.devices[device].table.as_mut().expect("the device is on");
        let done = table.command(command, now);
        self.run_outputs(device);
        done
    }

    fn run_outputs(&mut self, device: usize) {
        while let Some(output) = self.devices[device].table.as_mut().and_then(Table::poll) {
            self.carry_out(device, output);
        }
        let Some(table) = &self.devices[device].table else { return };
        let next = table.next_wakeup();
        assert!(next > self.now && next <= self.now + 1_000, "seed {}: wakes at {next}, now {}", self.seed, self.now);
        self.devices[device].next_tick = next;
        self.at(next - self.now, What::Tick { device });
    }

    fn carry_out(&mut self, device: usize, output: Output) {
        let process = self.devices[device].process;
        match output {
            Output::Write { ticket, record } => {
                self.devices[device].pending.push((ticket, record));
                let after = self.between(self.faults.disk);
                self.at(after, What::Disk { device, process, ticket });
            }
            Output::Send { to, bytes } => self.post(device, to, bytes),
            Output::Think { ticket, game, .. } => {
                let action = person::random_action(&game, &mut self.rng);
                let after = self.between(self.thinking);
                self.at(after, What::Thought { device, process, ticket, action });
            }
            Output::Event(event) => self.note_event(device, *event),
            Output::Refused(error) => self.devices[device].refused.push(error),
            Output::Finished { game } => {
                let kept = self.table(device).ended_game(game);
                assert!(kept.is_some_and(|game| game.game.result().is_some()), "a finished game can be looked at");
                self.devices[device].finished.insert(game);
            }
            Output::Disconnect { peer, why } => {
                self.devices[device].disconnects.push((peer, why));
                let other = self.number_of(peer);
                self.cut(device, other, 3_000);
            }
            Output::Closed => self.devices[device].closed = true,
            Output::Dial { peer, addresses } => self.devices[device].dials.push((peer, addresses)),
            Output::Locked { wrong, wait } => self.devices[device].locked.push((wrong, wait)),
            Output::StopThinking | Output::Changed => {}
        }
    }

    fn note_event(&mut self, device: usize, event: Event) {
        let table = self.table(device);
        let written = table.head();
        assert!(written.is_none_or(|(index, _)| event.index <= index), "an event is of an entry on the disk");
        if let EventKind::Final { upto } = event.kind {
            for index in (0..=upto).rev() {
                let hash = self.table(device).hash_at(index).expect("a final entry is in the log");
                if !self.devices[device].finals.insert(hash) {
                    break;
                }
            }
        }
        if let EventKind::YourTurn { .. } = event.kind {
            let process = self.devices[device].process;
            let after = self.between((1, 80));
            self.at(after, What::Person { device, process });
        }
        self.devices[device].events.push(event);
    }

    fn number_of(&self, id: DeviceId) -> usize {
        self.devices.iter().position(|device| device.id == id).expect("a device of this world")
    }

    fn post(&mut self, from: usize, to: DeviceId, bytes: Vec<u8>) {
        let to = self.number_of(to);
        if self.keep_sent {
            self.sent.push((from, to, bytes.clone()));
        }
        assert!(bytes.len() <= table::limits::MESSAGE_BYTES_MAX);
        if self.lost.is_some_and(|lost| lost(from, to, &bytes)) {
            return;
        }
        let delay = self.between(self.faults.delay);
        let now = self.now;
        let link = self.links.get_mut(&pair(from, to)).expect("all are linked");
        if !link.carries {
            return;
        }
        // Messages overtake neither each other nor the news that the link is up.
        let arrives = (now + delay).max(link.last.get(&to).copied().unwrap_or(0));
        link.last.insert(to, arrives);
        let epoch = link.epoch;
        self.at(arrives - now, What::Deliver { from, to, epoch, bytes });
    }

    /// Reports come in the order of the writes: those before this one are done, too.
    fn disk_done(&mut self, device: usize, ticket: u64) {
        while self.devices[device].pending.first().is_some_and(|&(first, _)| first <= ticket) {
            let at = &mut self.devices[device];
            let (ticket, record) = at.pending.remove(0);
            let promise = at.table.as_ref().map_or(0, Table::promise);
            if at.disk_full {
                self.handle(device, Input::WriteFailed { ticket });
                continue;
            }
            at.journal.push(record);
            if at.pending.is_empty() {
                at.promised = at.promised.max(promise);
            }
            self.handle(device, Input::Written { ticket });
        }
    }

    fn let_act(&mut self, device: usize) {
        let Some(person) = self.devices[device].person.clone() else { return };
        let Some(table) = &self.devices[device].table else { return };
        if let Some(command) = person.wants(table, &mut self.rng) {
            self.command(device, command).ok();
        }
        let process = self.devices[device].process;
        let after = self.between((300, 900));
        self.at(after, What::Person { device, process });
    }
}

/// What must hold at the end.
impl World {
    pub fn heads(&self) -> BTreeSet<Option<(u32, Hash)>> {
        self.devices.iter().map(|device| device.table.as_ref().and_then(Table::head)).collect()
    }

    /// Everybody stops acting; then [`World::check_end`].
    pub fn check_at_rest(&mut self) {
        for device in &mut self.devices {
            device.person = None;
        }
        self.run_for(1_500);
        self.check_end();
    }

    /// All devices have one head and one state, every journal is valid from its first entry, and nothing that was
    /// final anywhere is lost.
    pub fn check_end(&self) {
        let seed = self.seed;
        assert_eq!(self.heads().len(), 1, "seed {seed}: heads differ: {:?}", self.heads());
        let mut kept = Vec::new();
        for (number, device) in self.devices.iter().enumerate() {
            let table = self.table(number);
            let head = table.head();
            let read = Table::resume((device.make_port)(), [0; 32], &device.journal, 0)
                .unwrap_or_else(|error| panic!("seed {seed}: the journal of device {number}: {error}"));
            assert_eq!(read.head(), head, "seed {seed}: device {number} has its log on disk");
            assert_eq!(table.ghost(), None, "seed {seed}: device {number} has a move on its way");
            assert_eq!(table.fault(), None, "seed {seed}: device {number} saw a fault");
            kept.push(read);
        }
        for (number, device) in self.devices.iter().enumerate() {
            let lost = device.finals.iter().filter(|&&hash| !kept.iter().any(|disk| disk.has_entry(hash))).count();
            assert_eq!(lost, 0, "seed {seed}: entries that were final at device {number} are on no disk");
        }
    }
}
