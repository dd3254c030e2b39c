//! How fast the CPU looks at positions and how much it sees: a fixed list of positions under every kind of rules, and
//! problems with known answers.

use std::cell::Cell;
use std::time::{Duration, Instant};

use cpu::signature::{KNOWN, POSITIONS, signature};
use cpu::{Budget, LEVEL_MAX, Mind};
use rules::Game;
use serde_json::json;

use super::{Once, figure, net, problems};
use crate::args::Bench;
use crate::{Failure, Output, events};

/// Positions looked at from each one of the list, at most.
const NODES: u64 = 100_000;

/// When it is told to stop, to see how long after that the answer comes.
const STOP_AFTER: Duration = Duration::from_millis(50);

/// Its signature; nodes a second from each position, and how late the answers come; times to depth; problems solved.
pub(super) fn run(bench: &Bench, output: &mut Output) -> Result<(), Failure> {
    tell_signature(bench, output);
    let mut late = Vec::new();
    for position in POSITIONS {
        let game = position.game();
        let budget = Budget::of(LEVEL_MAX, bench.seed);
        // A mind of its own each time, so that nothing is remembered and the seed tells all.
        let once: Once = Box::new(|| {
            let mut mind = Mind::new(cpu::MEMORY_BYTES);
            let thought = mind.think(&game, &Budget { nodes: NODES, ..budget }, &mut || false);
            u32::try_from(thought.nodes).unwrap_or(u32::MAX)
        });
        figure(["cpu", "nodes", &format!("{}: {}", position.rules, position.actions)], once, bench, output);
        late.extend((0..bench.repeats).map(|_| lateness(&game, &budget)));
    }
    net::figure(["cpu", "answer after being stopped", "all positions"], &late, bench, output);
    for position in POSITIONS.iter().filter(|position| position.depth > 0) {
        let game = position.game();
        let times: Vec<Duration> = (0..bench.repeats).map(|_| time_to_depth(&game, position.depth, bench)).collect();
        let of = format!("{}: {}", position.rules, position.actions);
        net::figure(["cpu", &format!("time to depth {}", position.depth), &of], &times, bench, output);
    }
    problems::run(bench, output)
}

/// The number that stands for how the CPU plays, and whether it is the one that was put down.
fn tell_signature(bench: &Bench, output: &mut Output) {
    let (now, known) = (signature(), KNOWN.trim());
    let mut event = events::new("figure");
    for (key, value) in [
        ("bench", json!("cpu")),
        ("name", json!("signature")),
        ("of", json!("all positions")),
        ("unit", json!("")),
        ("median", json!(now)),
        ("known", json!(known)),
        ("repeats", json!(1)),
        ("seed", json!(bench.seed)),
    ] {
        event.insert(key.to_owned(), value);
    }
    let sentence = if now == known {
        format!("signature: {now}, as it was put down")
    } else {
        format!("signature: {now}, no longer {known}; if that is meant: echo {now} > crates/cpu/signature.txt")
    };
    output.event(&event, Some(&sentence));
}

/// How long after it was to stop an answer came; nothing, if it came earlier.
fn lateness(game: &Game, budget: &Budget) -> Duration {
    let mut mind = Mind::new(cpu::MEMORY_BYTES);
    let until = Instant::now() + STOP_AFTER;
    mind.think(game, budget, &mut || Instant::now() >= until);
    Instant::now().saturating_duration_since(until)
}

/// How long it takes to see so many stones ahead, or the end.
fn time_to_depth(game: &Game, depth: u32, bench: &Bench) -> Duration {
    let mut mind = Mind::new(cpu::MEMORY_BYTES);
    let there = Cell::new(false);
    let start = Instant::now();
    mind.analyse(game, 1, &Budget::of(LEVEL_MAX, bench.seed), &mut || there.get(), &mut |lines| {
        there.set(lines.first().is_some_and(|line| line.depth >= depth));
    });
    start.elapsed()
}
