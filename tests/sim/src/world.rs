//! The world of one game: devices, what is about to happen to them, and the time. One seed, one course.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use table::{Command, DeviceId, Event, EventKind, Hash, Input, Output, Port, Presence, Table, TableId};

use crate::Run;
use crate::chains::Chains;
use crate::check::Broken;
use crate::counts::{Kind, Seen};
use crate::device::{Device, Step};
use crate::links::Link;
use crate::person::{self, Person};
use crate::plan::Plan;
use crate::port::Keys;
use crate::trace::Trace;

/// Something that is about to happen.
#[derive(Debug)]
pub enum What {
    Deliver {
        from: usize,
        to: usize,
        epoch: u64,
        bytes: Vec<u8>,
    },
    /// A letter by way of a device that is not on its usual way.
    Relay {
        to: usize,
        bytes: Vec<u8>,
    },
    Disk {
        device: usize,
        process: u32,
        ticket: u64,
    },
    Thought {
        device: usize,
        process: u32,
        ticket: u64,
        action: rules::Action,
    },
    Person {
        device: usize,
        process: u32,
    },
    /// A link tries to come up.
    Up {
        a: usize,
        b: usize,
        epoch: u64,
    },
    /// The device notices that the link of that epoch is gone.
    Down {
        device: usize,
        peer: usize,
        epoch: u64,
    },
    /// A link whose one direction may have been silent for too long.
    Expire {
        from: usize,
        to: usize,
        epoch: u64,
    },
    /// The device starts, for the first time or again.
    Start {
        device: usize,
    },
    Free {
        device: usize,
    },
    Wake {
        device: usize,
    },
    /// A fault of this kind (a name of [`crate::faults::Faults`]).
    Fault(&'static str),
    /// A process that said goodbye ends.
    Quit {
        device: usize,
    },
    Lie,
}

impl What {
    /// The device in whose process this happens: not while it sleeps.
    fn sleeper(&self) -> Option<usize> {
        match *self {
            What::Deliver { to, .. } | What::Relay { to, .. } => Some(to),
            What::Disk { device, .. }
            | What::Thought { device, .. }
            | What::Person { device, .. }
            | What::Down { device, .. } => Some(device),
            What::Up { .. }
            | What::Expire { .. }
            | What::Start { .. }
            | What::Free { .. }
            | What::Wake { .. }
            | What::Fault(_)
            | What::Quit { .. }
            | What::Lie => None,
        }
    }
}

/// What happens when; of two at once the first that was planned.
#[derive(Debug)]
struct Due {
    at: u64,
    number: u64,
    what: What,
}

impl PartialEq for Due {
    fn eq(&self, other: &Due) -> bool {
        self.number == other.number
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Due) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

pub struct World {
    pub seed: u64,
    pub run: Run,
    pub rng: ChaCha8Rng,
    pub now: u64,
    pub plan: Plan,
    pub devices: Vec<Device>,
    /// When each device wakes by itself; beside the devices, as all are looked at for each thing that happens.
    pub ticks: Vec<u64>,
    pub links: Vec<Link>,
    queue: BinaryHeap<Reverse<Due>>,
    queued: u64,
    pub chains: Chains,
    /// For the checks.
    pub port: Box<dyn Port>,
    pub table: TableId,
    pub seen: Seen,
    pub broken: Option<Broken>,
    pub trace: Trace,
    /// Faults have stopped.
    pub healed: bool,
    /// People act.
    pub people_act: bool,
    /// After the faults all had one head.
    pub settled: bool,
    /// Final human acts: the entry, and who had it final.
    pub finals: Vec<(usize, usize)>,
}

impl World {
    pub fn new(seed: u64, run: &Run) -> World {
        let (plan, mut rng) = Plan::draw(seed, run);
        let keys = |number| Keys { number, real: plan.real };
        let opener = Table::open(keys(0).port(), rng.random(), plan.setup.clone(), 0);
        let devices = (0..plan.devices()).map(|number| Device::new(keys(number), &plan, &mut rng)).collect::<Vec<_>>();
        let mut world = World {
            seed,
            run: run.clone(),
            rng,
            now: 0,
            ticks: vec![u64::MAX; devices.len()],
            links: Link::all(devices.len()),
            queue: BinaryHeap::new(),
            queued: 0,
            chains: Chains::new(devices.iter().map(|device| device.key).collect()),
            port: keys(usize::MAX).port(),
            table: opener.id(),
            seen: Seen::default(),
            broken: None,
            trace: Trace::new(run.trace),
            healed: false,
            people_act: true,
            settled: false,
            finals: Vec::new(),
            plan,
            devices,
        };
        world.begin(opener);
        world
    }

    fn begin(&mut self, opener: Table) {
        self.note_plan();
        let plan = self.plan.clone();
        if self.trace.on {
            self.trace.plan(&plan);
        }
        // The opener's process reads its own clock from its start.
        self.devices[0].boot(0, opener);
        self.after(0);
        for device in 1..plan.devices() {
            self.at(plan.comes[device], What::Start { device });
        }
        let process = self.devices[0].process;
        self.at(100, What::Person { device: 0, process });
        for (name, every) in plan.faults.all() {
            if every > 0 {
                self.plan_fault(name, every);
            }
        }
        if plan.liar.is_some() {
            self.at(500, What::Lie);
        }
    }

    fn note_plan(&mut self) {
        let plan = &self.plan;
        let notes = [
            (Kind::Ranked, plan.setup.settings.ranked),
            (Kind::Teams, plan.setup.rules.options().teams),
            (Kind::Spectators, plan.spectators > 0),
            (Kind::LateJoin, plan.comes.iter().any(|&comes| comes > 0)),
            (Kind::Drift, plan.faults.drift > 0),
            (Kind::Delay, plan.faults.delay > 0),
            (Kind::Liar, plan.liar.is_some()),
        ];
        for (kind, _) in notes.into_iter().filter(|&(_, is)| is) {
            self.seen.note(kind);
        }
    }

    pub fn at(&mut self, after: u64, what: What) {
        self.queued += 1;
        self.queue.push(Reverse(Due { at: self.now + after, number: self.queued, what }));
    }

    pub fn between(&mut self, from: u64, to: u64) -> u64 {
        self.rng.random_range(from..=to)
    }

    /// Something that an invariant forbids; the first counts.
    pub fn fail(&mut self, device: Option<usize>, broken: Broken) {
        if self.broken.is_none() {
            let broken = Broken { device, at: self.now, ..broken };
            if self.trace.on {
                self.trace.line(self.now, &format!("BROKEN {broken}"));
            }
            self.broken = Some(broken);
        }
    }

    /// Runs until a time, in ms, or until an invariant is broken.
    pub fn run_until(&mut self, time: u64) {
        while self.broken.is_none() {
            let ticks = self.ticks.iter().enumerate().map(|(number, &tick)| (tick, number));
            let tick = ticks.min().unwrap_or((u64::MAX, 0));
            let due = self.queue.peek().map_or(u64::MAX, |Reverse(due)| due.at);
            let next = due.min(tick.0);
            if next > time {
                break;
            }
            self.now = self.now.max(next);
            if due <= tick.0 {
                if let Some(Reverse(due)) = self.queue.pop() {
                    self.happen(due.what);
                }
            } else {
                self.handle(tick.1, Input::Tick);
            }
        }
        self.now = self.now.max(time);
    }

    fn happen(&mut self, what: What) {
        if let Some(device) = what.sleeper()
            && self.devices[device].asleep_until > self.now
        {
            return self.devices[device].deferred.push(what);
        }
        match what {
            What::Deliver { from, to, epoch, bytes } => self.deliver(from, to, epoch, bytes),
            What::Relay { to, bytes } => self.relay(to, bytes),
            What::Disk { device, process, ticket } if self.devices[device].process == process => {
                self.disk_done(device, ticket);
            }
            What::Thought { device, process, ticket, action } if self.devices[device].process == process => {
                self.handle(device, Input::Thought { ticket, action });
            }
            What::Person { device, process } if self.devices[device].process == process => self.let_act(device),
            What::Disk { .. } | What::Thought { .. } | What::Person { .. } => {}
            What::Up { a, b, epoch } => self.come_up(a, b, epoch),
            What::Down { device, peer, epoch } => self.notice_down(device, peer, epoch),
            What::Expire { from, to, epoch } => self.expire(from, to, epoch),
            What::Start { device } => self.start(device),
            What::Free { device } => self.devices[device].full_until = 0,
            What::Wake { device } => self.wake(device),
            What::Fault(name) => self.fault(name),
            What::Quit { device } => self.quit(device),
            What::Lie => self.lie(),
        }
    }

    pub fn handle(&mut self, device: usize, input: Input) {
        let at = &mut self.devices[device];
        let now = at.local(self.now);
        let Some(table) = &mut at.table else { return };
        crate::liar::with_lie(&self.plan, device, || table.handle(input, now));
        self.after(device);
    }

    pub fn command(&mut self, device: usize, command: Command) {
        let at = &mut self.devices[device];
        let now = at.local(self.now);
        let Some(table) = &mut at.table else { return };
        let told = self.trace.on.then(|| crate::trace::wanted(&command));
        let done = crate::liar::with_lie(&self.plan, device, || table.command(command, now));
        if let Some(told) = told {
            self.trace.command(self.now, device, &told, &done);
        }
        self.after(device);
    }

    /// Carries out what a device wants after an input, and looks at it.
    pub fn after(&mut self, device: usize) {
        let mut step = Step::default();
        while let Some(output) = self.devices[device].table.as_mut().and_then(Table::poll) {
            self.carry_out(device, output, &mut step);
        }
        self.look_at(device, &step);
        let at = &mut self.devices[device];
        let Some(table) = &at.table else { return };
        let wakes = table.next_wakeup();
        let (local, next) = (at.local(self.now), at.world(wakes));
        self.ticks[device] = next.max(self.now + 1).max(at.asleep_until);
        if wakes <= local || wakes > local + 1_000 {
            self.fail(Some(device), Broken::new(0, format!("wakes at {wakes}, and it is {local}")));
        }
    }

    fn carry_out(&mut self, device: usize, output: Output, step: &mut Step) {
        let process = self.devices[device].process;
        match output {
            Output::Write { ticket, record } => self.write(device, ticket, record, step),
            Output::Send { to, bytes } => {
                if let Some(to) = self.number_of(to) {
                    self.look_at_sent(device, &bytes, step);
                    self.inv4_pushed(device, to, &bytes);
                    self.post(device, to, bytes);
                }
            }
            Output::Think { ticket, game, .. } => {
                let action = person::any_action(&game, &mut self.rng);
                let after = self.between(2, 150);
                self.at(after, What::Thought { device, process, ticket, action });
            }
            Output::Event(event) => self.note_event(device, *event),
            Output::Refused(error) => {
                if self.trace.on {
                    self.trace.line(self.now, &format!("{} refused: {error}", Trace::name(device)));
                }
            }
            Output::Finished { game } => {
                let table = self.devices[device].table.as_ref();
                let kept = table.and_then(|table| table.ended_game(game));
                if kept.is_none_or(|game| game.game.result().is_none()) {
                    self.fail(Some(device), Broken::new(0, format!("finished game {game} cannot be looked at")));
                }
            }
            Output::Disconnect { peer, why } => {
                if let Some(peer) = self.number_of(peer) {
                    if self.trace.on {
                        let line = format!("{} disconnects {}: {why}", Trace::name(device), Trace::name(peer));
                        self.trace.line(self.now, &line);
                    }
                    self.note_disconnect(device, peer, why);
                    self.close(device, peer, 3_000);
                }
            }
            Output::Dial { .. } | Output::StopThinking | Output::Changed | Output::Locked { .. } | Output::Closed => {}
        }
    }

    /// An honest device is never accused of nonsense.
    fn note_disconnect(&mut self, device: usize, peer: usize, why: &'static str) {
        let honest = self.plan.liar.is_none();
        let told_lies = why.contains("not valid") || why.contains("no message") || why.contains("no entry");
        if honest && told_lies && self.run.planted.is_none() {
            self.fail(Some(device), Broken::new(3, format!("it closed the link to honest {peer}: {why}")));
        }
    }

    fn note_event(&mut self, device: usize, event: Event) {
        if self.trace.on {
            self.trace.event(self.now, device, &event);
        }
        match event.kind {
            EventKind::Final { upto } => self.note_final(device, upto),
            EventKind::YourTurn { .. } => {
                let process = self.devices[device].process;
                let after = self.between(20, 350);
                self.at(after, What::Person { device, process });
            }
            EventKind::Rewound { .. } => self.seen.note(Kind::Rewound),
            EventKind::Undone { .. } => self.seen.note(Kind::Undone),
            EventKind::End { .. } => self.seen.note(Kind::Ended),
            EventKind::Start { .. } => self.seen.note(Kind::Started),
            _ => {}
        }
    }

    pub fn number_of(&self, id: DeviceId) -> Option<usize> {
        self.devices.iter().position(|device| device.id == id)
    }

    fn let_act(&mut self, device: usize) {
        let process = self.devices[device].process;
        let after = self.between(150, 900);
        self.at(after, What::Person { device, process });
        if !self.people_act || self.plan.watches(device) || self.devices[device].leaving {
            return;
        }
        let at = &mut self.devices[device];
        let Some(table) = &at.table else { return };
        if let Some(command) = at.person.wants(table, &mut self.rng) {
            self.command(device, command);
        }
    }

    /// The device's process starts, with what is on its disk.
    fn start(&mut self, device: usize) {
        let at = &self.devices[device];
        if at.table.is_some() || at.gone {
            return;
        }
        let seed = self.rng.random();
        let offset = self.between(0, 100_000_000);
        let at = &mut self.devices[device];
        let (port, again) = (at.keys.port(), at.keys.port());
        at.begin_process(self.now, offset);
        let local = at.local(self.now);
        let made = match Table::resume(port, seed, &at.journal, local) {
            Ok(table) => Ok(table),
            Err(table::ResumeError::Empty) => Ok(Table::join(again, seed, self.table, local)),
            Err(error) => Err(error),
        };
        match made {
            Ok(table) => {
                if self.trace.on {
                    let head = table.head().map(|(index, hash)| Trace::head(index, hash));
                    let line = format!(
                        "{} starts, head {}, promise {}",
                        Trace::name(device),
                        head.unwrap_or_default(),
                        table.promise()
                    );
                    self.trace.line(self.now, &line);
                }
                self.inv8_restart(device, &table);
                self.devices[device].table = Some(table);
                self.after(device);
                self.raise_all(device);
                let process = self.devices[device].process;
                self.at(100, What::Person { device, process });
            }
            Err(error) => self.fail(Some(device), Broken::new(3, format!("its journal cannot be read: {error}"))),
        }
    }

    /// Devices that are up and belong to people who are not gone for good.
    pub fn up(&self) -> impl Iterator<Item = usize> {
        (0..self.devices.len()).filter(|&device| self.devices[device].table.is_some())
    }

    /// The heads of all that are up.
    pub fn heads(&self) -> Vec<(usize, Option<(u32, Hash)>)> {
        self.up().map(|device| (device, self.devices[device].table.as_ref().and_then(Table::head))).collect()
    }

    /// Whether a device sees a seat as away or taken.
    pub fn somebody_away(&self) -> bool {
        let away = |table: &Table| {
            let seats = table.state().map_or(0, |state| state.seats.len());
            (0..seats as u8).any(|seat| matches!(table.presence(seat), Presence::Away | Presence::Silent))
        };
        self.up().any(|device| self.devices[device].table.as_ref().is_some_and(away))
    }
}

impl Person {
    /// The person at a device of this plan.
    pub fn of(device: usize, plan: &Plan, rng: &mut ChaCha8Rng) -> Person {
        Person {
            name: Trace::name(device),
            games: plan.games,
            party: plan.setup.seats.len(),
            stood: false,
            // Nobody is rash where somebody lets the clock run out.
            calm: plan.dozer.is_some(),
            patience: rng.random_range(4..20),
            dozes: plan.dozer == Some(device),
        }
    }
}
