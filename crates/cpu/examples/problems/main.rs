//! Makes problems, proves them and lets the CPU solve them:
//!
//! ```sh
//! cargo run --release -p cpu --example problems -- make [FAMILY]… > candidates.tsv
//! cargo run --release -p cpu --example problems -- choose candidates.tsv > tests/data/problems.tsv
//! cargo run --release -p cpu --example problems -- verify tests/data/problems.tsv
//! cargo run --release -p cpu --example problems -- solve tests/data/problems.tsv 50000
//! cargo run --release -p cpu --example problems -- try tests/data/problems.tsv NAME MOVE
//! cargo run --release -p cpu --example problems -- hold tests/data/problems.tsv NAME STONES 20000
//! ```
//!
//! What is made depends on seeds, on the rules and on how the engine's lower levels play. Nothing depends on time.

mod against_all;
mod choose;
mod find;

use std::process::ExitCode;

use against_all::Attacker;
use cpu::yardstick::problem::{Problem, problems};
use cpu::yardstick::proof::{Attack, Prover};
use cpu::{Budget, LEVEL_MAX, Mind, WON};
use rules::Action;

/// Stones that a proof may place, where nothing else is said.
const PROOF_STONES_MAX: u64 = 2_000_000_000;
/// The same where one move is tried, and how many stones more than the problem's; answers that are shown.
const TRY_STONES_MAX: u64 = 60_000_000;
const TRY_LONGER: u8 = 1;
const TRY_SHOWN: usize = 8;
/// Memory of the mind that solves, in bytes.
const MIND_BYTES: usize = 1 << 20;

/// The head of the file.
const HEAD: &str = "\
# Problems with answers that are proved by the rules alone, one a line. The fields, separated by tabs: name, kind, rules,
# actions so far, claim, attack, stones, moves, where it comes from. What they mean stands in
# crates/cpu/src/yardstick/problem.rs; how they are made, proved and solved in crates/cpu/examples/problems.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["make", families @ ..] => find::make(families),
        ["choose", file] => read(file).map(|all| {
            println!("{HEAD}");
            choose::choose(all).iter().for_each(|problem| println!("{problem}"));
        }),
        ["verify", file] => read(file).and_then(|all| verify(&all)),
        ["try", file, name, action] => read(file).and_then(|all| attempt(&all, name, action)),
        ["hold", file, name, stones, nodes] => read(file).and_then(|all| hold(&all, name, stones, nodes)),
        ["solve", file, nodes] => read(file).and_then(|all| solve(&all, nodes)),
        _ => Err("problems make [FAMILY]… | choose FILE | verify FILE | solve FILE NODES | try FILE NAME MOVE \
                 | hold FILE NAME STONES NODES"
            .to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn read(file: &str) -> Result<Vec<Problem>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    problems(&text).map_err(|(line, fault)| format!("{file}:{line}: {fault:?}"))
}

fn verify(all: &[Problem]) -> Result<(), String> {
    let mut wrong = 0;
    for problem in all {
        if let Err(why) = problem.verify(PROOF_STONES_MAX) {
            println!("{}: {why:?}", problem.name);
            wrong += 1;
        }
    }
    println!("{} of {} hold", all.len() - wrong, all.len());
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} do not hold")) }
}

/// Tells of a move whether it wins, with how many stones, and which answers hold against it.
fn attempt(all: &[Problem], name: &str, action: &str) -> Result<(), String> {
    let problem = named(all, name)?;
    let action: Action = action.parse().map_err(|fault| format!("{fault:?}"))?;
    println!("{problem}");
    let mut after = problem.game.clone();
    after.play(&action).map_err(|refusal| format!("{action}: {}", refusal.name()))?;
    for attack in Attack::ALL {
        for stones in 1..=problem.stones + TRY_LONGER {
            let mut prover = Prover::new(TRY_STONES_MAX);
            let wins = prover.wins_with(&problem.game, &action, attack, stones);
            let holding = prover.escapes(&after, attack, stones - 1).unwrap_or_default();
            let shown: Vec<String> = holding.iter().take(TRY_SHOWN).map(Action::to_string).collect();
            println!("{} {stones}: {wins:?}; {} hold: {}", attack.name(), holding.len(), shown.join(" "));
            if wins != Ok(false) {
                break;
            }
        }
    }
    Ok(())
}

/// Whether the win that the CPU claims holds against every legal answer, played out with at most so many stones.
fn hold(all: &[Problem], name: &str, stones: &str, nodes: &str) -> Result<(), String> {
    let problem = named(all, name)?;
    let stones = stones.parse().map_err(|_| format!("{stones} is no number of stones, 1 to 255"))?;
    let nodes = nodes.parse().map_err(|_| format!("{nodes} is no number of positions"))?;
    let mut attacker = Attacker::new(&problem.game, nodes);
    match attacker.wins(&problem.game, stones, &mut Vec::new()) {
        Ok(()) => println!("holds against every answer; asked {} times", attacker.asked),
        Err(line) => println!("not against {}; asked {} times", line.join(" "), attacker.asked),
    }
    Ok(())
}

fn named<'a>(all: &'a [Problem], name: &str) -> Result<&'a Problem, String> {
    all.iter().find(|problem| problem.name == name).ok_or_else(|| format!("there is no {name}"))
}

fn solve(all: &[Problem], nodes: &str) -> Result<(), String> {
    let nodes = nodes.parse().map_err(|_| format!("{nodes} is no number of positions"))?;
    let mut solved = 0;
    for problem in all {
        let mut mind = Mind::new(MIND_BYTES);
        let budget = Budget { level: LEVEL_MAX, nodes, seed: 1 };
        let thought = mind.think(&problem.game, &budget, &mut || false);
        if problem.is_solved(&thought.action, thought.score >= WON) {
            solved += 1;
        } else {
            println!("{}: {} with {} after {} positions", problem.name, thought.action, thought.score, thought.nodes);
        }
    }
    println!("{solved} of {} solved within {nodes} positions", all.len());
    Ok(())
}
