//! A readable trace of one game, for whoever looks for the cause of a failure: who sent what to whom, what was
//! written, what was told. Devices are A, B, C…; an entry is its index and four digits of its hash.

use table::entry::{Body, Entry};
use table::message::{Hello, Message, Note, Said};
use table::seal::Sealed;
use table::{Act, Command, CommandError, Event, Hash, Port, Proposal};

use crate::chains::Known;
use crate::plan::Plan;
use crate::port::Keys;

pub struct Trace {
    pub on: bool,
    port: Box<dyn Port>,
    ids: Vec<table::DeviceId>,
    /// The line that may still get more receivers.
    open: Option<(u64, usize, String, String)>,
    /// What each device last said of itself.
    hellos: Vec<String>,
}

impl Trace {
    pub fn new(on: bool) -> Trace {
        Trace { on, port: Keys { number: 0, real: false }.port(), ids: Vec::new(), open: None, hellos: Vec::new() }
    }

    /// A device's name.
    pub fn name(device: usize) -> String {
        char::from(b'A' + (device as u8).min(25)).to_string()
    }

    pub fn head(index: u32, hash: Hash) -> String {
        format!("{index}/{}", &hash.to_string()[..4])
    }

    pub fn plan(&mut self, plan: &Plan) {
        self.ids = (0..plan.devices())
            .map(|number| {
                let port = Keys { number, real: plan.real }.port();
                port.device(&port.key())
            })
            .collect();
        self.port = Keys { number: 0, real: plan.real }.port();
        self.hellos = vec![String::new(); plan.devices()];
        let setup = &plan.setup;
        println!("rules {:?}\nsettings {:?}\nseats {:?}", setup.rules, setup.settings, setup.seats);
        println!(
            "{} people, {} watch; come at {:?}; {} games; faults until {} ms; liar {:?}; real signatures: {}",
            plan.people, plan.spectators, plan.comes, plan.games, plan.until, plan.liar, plan.real
        );
        let faults: Vec<_> = plan.faults.all().into_iter().filter(|&(_, value)| value > 0).collect();
        println!("faults {faults:?}");
    }

    pub fn line(&mut self, now: u64, text: &str) {
        self.flush();
        println!("{:>7.3}  {text}", now as f64 / 1000.0);
    }

    fn flush(&mut self) {
        if let Some((now, from, to, text)) = self.open.take() {
            println!("{:>7.3}  {}→{to} {text}", now as f64 / 1000.0, Trace::name(from));
        }
    }

    pub fn command(&mut self, now: u64, device: usize, what: &str, done: &Result<(), CommandError>) {
        let done = done.as_ref().err().map(|error| format!(" refused: {error}")).unwrap_or_default();
        self.line(now, &format!("{} wants {what}{done}", Trace::name(device)));
    }

    pub fn event(&mut self, now: u64, device: usize, event: &Event) {
        let mut kind = format!("{:?}", event.kind);
        kind.truncate(90);
        self.line(now, &format!("{}   tells {} {kind}", Trace::name(device), Trace::head(event.index, event.head)));
    }

    pub fn write(&mut self, now: u64, device: usize, known: &Known, made: bool, of_log: bool) {
        let verb = match (made, of_log) {
            (true, _) => "MAKES",
            (false, true) => "takes",
            (false, false) => "keeps beside",
        };
        let what = self.body(&known.body);
        let head = Trace::head(known.index, known.hash);
        self.line(now, &format!("{} {verb} {head} t{} {what}", Trace::name(device), known.term));
    }

    fn body(&self, body: &Body) -> String {
        match body {
            Body::Opened(_) => "opened".into(),
            Body::Act(sealed) => self.act(sealed),
            Body::Roll(roll) => {
                let answers: Vec<String> = roll.answers.iter().map(|answer| self.answer(answer)).collect();
                format!("ROLL by {}: {}", self.device(self.port.device(&roll.keeper)), answers.join(", "))
            }
            Body::Cpu { seat, action } => format!("cpu seat {seat} {action:?}"),
            Body::Start { game } => format!("start game {game}"),
            Body::Taken { seat, why } => format!("taken seat {seat} {why:?}"),
        }
    }

    fn answer(&self, answer: &table::entry::Answer) -> String {
        let who = self.device(self.port.device(&answer.key));
        match answer.here.open::<table::entry::Here>() {
            Some(here) => {
                let fresh = if here.fresh { " fresh" } else { "" };
                format!("{who} on {} seats {:?}{fresh}", Trace::head(here.head.0, here.head.1), here.seats)
            }
            None => format!("{who} ?"),
        }
    }

    fn act(&self, sealed: &Sealed) -> String {
        match sealed.open::<table::entry::Intent>() {
            Some(intent) => {
                let at = &intent.at.to_string()[..4];
                format!("seat {} seq {} at {at} {}", intent.seat, intent.seq, what(&intent.act))
            }
            None => "an act that cannot be read".into(),
        }
    }

    fn device(&self, id: table::DeviceId) -> String {
        self.ids.iter().position(|&known| known == id).map_or("?".into(), Trace::name)
    }

    pub fn sent(&mut self, now: u64, from: usize, to: usize, bytes: &[u8], carries: bool) {
        let Some((origin, text)) = self.message(bytes) else { return };
        let is_hello = text.starts_with("hello");
        if is_hello && origin == Some(from) && self.open.as_ref().is_none_or(|open| open.3 != text) {
            let known = self.hellos.get_mut(from);
            if known.is_some_and(|known| std::mem::replace(known, text.clone()) == text) {
                return;
            }
        }
        if is_hello && origin != Some(from) {
            return;
        }
        let to = if carries { Trace::name(to) } else { format!("({})", Trace::name(to)) };
        let text = match origin {
            Some(origin) if origin != from => format!("passes on {}'s {text}", Trace::name(origin)),
            Some(_) | None => text,
        };
        match &mut self.open {
            Some((then, sender, receivers, open)) if (*then, *sender) == (now, from) && *open == text => {
                receivers.push_str(&to);
            }
            _ => {
                self.flush();
                self.open = Some((now, from, to, text));
            }
        }
    }

    pub fn delivered(&mut self, now: u64, from: usize, to: usize, bytes: &[u8], relayed: bool) {
        let Some((_, text)) = self.message(bytes) else { return };
        let quiet = ["hello", "ack", "want"].iter().any(|kind| text.starts_with(kind));
        if relayed || !quiet {
            let how = if relayed { " (relayed)" } else { "" };
            self.line(now, &format!("{}     gets from {}{how} {text}", Trace::name(to), Trace::name(from)));
        }
    }

    /// The origin of a letter, and what a message says.
    fn message(&self, bytes: &[u8]) -> Option<(Option<usize>, String)> {
        let text = match Message::from_bytes(bytes)? {
            Message::Letter(letter) => {
                let origin = self.ids.iter().position(|&id| id == self.port.device(&letter.origin));
                let note: Note = letter.note.open()?;
                return Some((origin, self.said(&note.said)));
            }
            Message::Push { entries } => {
                let name = |sealed: &Sealed| {
                    let entry: Option<Entry> = sealed.open();
                    entry.map_or("?".into(), |entry| Trace::head(entry.index, self.port.hash(&sealed.bytes)))
                };
                match (entries.first(), entries.last()) {
                    (Some(first), Some(last)) if entries.len() > 1 => format!("push {} … {}", name(first), name(last)),
                    (Some(one), _) => format!("push {}", name(one)),
                    (None, _) => "push of nothing".into(),
                }
            }
            Message::Want { head, have } => {
                let have: Vec<String> = have.iter().take(2).map(|&(index, hash)| Trace::head(index, hash)).collect();
                format!("want up to {} having {}", &head.to_string()[..4], have.join(" "))
            }
            Message::Bye => "bye".into(),
            Message::Locked { .. } => "locked".into(),
            Message::Enter { .. } => "enter".into(),
        };
        Some((None, text))
    }

    fn said(&self, said: &Said) -> String {
        match said {
            Said::Hello(hello) => self.hello(hello),
            Said::Act(sealed) => format!("act {}", self.act(sealed)),
            Said::Ack { index, hash } => format!("ack {}", Trace::head(*index, *hash)),
            Said::Call { term } => format!("CALL t{term}"),
            Said::Here(answer) => {
                let here: Option<table::entry::Here> = answer.here.open();
                format!("HERE t{} {}", here.map_or(0, |here| here.term), self.answer(answer))
            }
            Said::Fault(fault) => format!("fault {fault:?}"),
            Said::Say { phrase } => format!("say {phrase}"),
        }
    }

    fn hello(&self, hello: &Hello) -> String {
        let heard: String = hello.heard.iter().map(|&id| self.device(id)).collect();
        let keeper = hello.keeper.map_or("?".into(), |keeper| self.device(keeper));
        let head = hello.head.map_or("none".into(), |(index, hash)| Trace::head(index, hash));
        let fresh = if hello.fresh { " fresh" } else { "" };
        format!(
            "hello{fresh} promise {} term {} keeper {keeper} head {head} disk {:?} hears {heard} seats {:?}",
            hello.promise,
            hello.term,
            hello.on_disk.unwrap_or(0),
            hello.seats
        )
    }
}

fn what(act: &Act) -> String {
    match act {
        Act::Sit { name, leaves, .. } => format!("Sit {name} leaves {leaves:?}"),
        Act::Offer(Proposal::Options(_)) => "Offer(Options)".into(),
        Act::Move { action: rules::Action::Place { at, .. }, by_clock } => {
            format!("Move {at}{}", if *by_clock { " by clock" } else { "" })
        }
        other => format!("{other:?}"),
    }
}

/// A command, for the trace.
pub fn wanted(command: &Command) -> String {
    match command {
        Command::Offer(Proposal::Options(_)) => "Offer(Options)".into(),
        Command::Play(rules::Action::Place { at, .. }) => format!("Play {at}"),
        other => format!("{other:?}"),
    }
}
