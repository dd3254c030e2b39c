//! Reads lines, writes answers, and lets the engine think on a thread of its own.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::Instant;

use cpu::{Budget, Mind};
use rules::{Action, Game};

use super::talk::{Brain, Step};
use crate::Failure;
use crate::args;
use crate::clock::reserve;
use crate::stdin::next_line;

/// Lines, and thoughts, that wait to be taken.
const EVENTS_MAX: usize = 64;
/// Lines that came while a move was thought of, and are taken after it. A manager sends none but `END`.
const WAITING_MAX: usize = 1_024;

enum Event {
    Line(String, Instant),
    /// The manager has gone.
    EndOfInput,
    Thought(Action),
}

enum Job {
    Prepare { game: Box<Game>, bytes: usize },
    Think { game: Box<Game>, until: Instant },
}

/// Speaks with the manager on stdin and stdout until it says `END` or goes. Threads that still read or think then end
/// with the process.
pub(crate) fn run(asked: &args::Brain) -> Result<(), Failure> {
    let (tell, events) = sync_channel(EVENTS_MAX);
    let stop = Arc::new(AtomicBool::new(false));
    read_on_a_thread(tell.clone())?;
    let budget = Budget { nodes: asked.nodes.unwrap_or(u64::MAX), ..Budget::of(asked.level, asked.seed) };
    let player = Player { budget, threads: asked.threads };
    let engine = Engine::start(player, tell, Arc::clone(&stop))?;
    let mut shell = Shell { brain: Brain::default(), engine, asked: None, waiting: VecDeque::new() };
    for event in events {
        let goes_on = match event {
            Event::Line(line, read) => shell.line(line, read),
            Event::Thought(action) => shell.thought(&action),
            Event::EndOfInput => false,
        };
        if !goes_on {
            break;
        }
    }
    stop.store(true, Ordering::Relaxed);
    Ok(())
}

/// What does not change from one move to the next.
#[derive(Clone, Copy)]
struct Player {
    budget: Budget,
    threads: usize,
}

impl Player {
    fn mind(&self, bytes: usize) -> Mind {
        Mind::new(bytes).with_threads(self.threads)
    }
}

struct Shell {
    brain: Brain,
    engine: Engine,
    /// When the line was read that asked for the move being thought of.
    asked: Option<Instant>,
    waiting: VecDeque<(String, Instant)>,
}

impl Shell {
    /// False at the end.
    fn line(&mut self, line: String, read: Instant) -> bool {
        if self.asked.is_none() {
            let steps = self.brain.line(&line);
            return self.carry_out(steps, read);
        }
        if line.trim().eq_ignore_ascii_case("END") {
            return false;
        }
        if self.waiting.len() < WAITING_MAX {
            self.waiting.push_back((line, read));
        }
        true
    }

    fn thought(&mut self, action: &Action) -> bool {
        let Some(asked) = self.asked.take() else { return true };
        let steps = self.brain.thought(action);
        if !self.carry_out(steps, asked) {
            return false;
        }
        while self.asked.is_none() {
            let Some((line, read)) = self.waiting.pop_front() else { return true };
            if !self.line(line, read) {
                return false;
            }
        }
        true
    }

    fn carry_out(&mut self, steps: Vec<Step>, read: Instant) -> bool {
        for step in steps {
            let done = match step {
                Step::Say(line) => write_line(&line),
                Step::Prepare { game, bytes } => self.engine.prepare(game, bytes),
                Step::Think { game, until } => {
                    self.asked = Some(read);
                    self.engine.think(game, read + until - reserve(until))
                }
                Step::End => false,
            };
            if !done {
                return false;
            }
        }
        true
    }
}

/// False when nobody reads any more.
fn write_line(line: &str) -> bool {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}").and_then(|()| stdout.flush()).is_ok()
}

/// The thread that thinks.
struct Engine {
    jobs: Sender<Job>,
    ready: Receiver<()>,
}

impl Engine {
    fn start(player: Player, tell: SyncSender<Event>, stop: Arc<AtomicBool>) -> Result<Engine, Failure> {
        let (jobs, work) = channel();
        let (say_ready, ready) = channel();
        let thread = std::thread::Builder::new().name("engine".to_owned());
        thread.spawn(move || work_off(&work, player, &tell, &say_ready, &stop))?;
        Ok(Engine { jobs, ready })
    }

    /// Waits until the tables are there.
    fn prepare(&self, game: Box<Game>, bytes: usize) -> bool {
        self.jobs.send(Job::Prepare { game, bytes }).is_ok() && self.ready.recv().is_ok()
    }

    fn think(&self, game: Box<Game>, until: Instant) -> bool {
        self.jobs.send(Job::Think { game, until }).is_ok()
    }
}

fn work_off(work: &Receiver<Job>, player: Player, tell: &SyncSender<Event>, say_ready: &Sender<()>, stop: &AtomicBool) {
    let mut mind: Option<(usize, Mind)> = None;
    for job in work {
        let done = match job {
            Job::Prepare { game, bytes } => {
                let kept = mind.take().filter(|(had, _)| *had == bytes);
                let (_, mind) = mind.insert(kept.unwrap_or_else(|| (bytes, player.mind(bytes))));
                // The first look at a game builds what is built once for its rules.
                if game.turn().is_some() {
                    mind.think(&game, &Budget { nodes: 1, ..player.budget }, &mut || true);
                }
                say_ready.send(()).is_ok()
            }
            Job::Think { game, until } => {
                let (_, mind) = mind.get_or_insert_with(|| (cpu::MEMORY_BYTES, player.mind(cpu::MEMORY_BYTES)));
                let mut stop = || stop.load(Ordering::Relaxed) || Instant::now() >= until;
                let thought = mind.think(&game, &player.budget, &mut stop);
                tell.send(Event::Thought(thought.action)).is_ok()
            }
        };
        if !done {
            return;
        }
    }
}

/// The time of a line is that at which it was read, however long it then waits.
fn read_on_a_thread(tell: SyncSender<Event>) -> Result<(), Failure> {
    std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(line) = next_line(&mut input) {
            if tell.send(Event::Line(line, Instant::now())).is_err() {
                return;
            }
        }
        // Nobody is there to be told when the process is ending.
        let _ = tell.send(Event::EndOfInput);
    })?;
    Ok(())
}
