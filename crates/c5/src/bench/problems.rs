//! How many problems with known answers the CPU solves, and how long it takes.

use std::time::{Duration, Instant};

use cpu::yardstick::problem;
use cpu::{Budget, LEVEL_MAX, Mind, WON};
use rules::{Colour, Game, Point, Setup};
use serde_json::{Value, json};

use super::net;
use crate::args::Bench;
use crate::{Failure, Output, events};

/// The suite with its proved answers.
const SUITE: &str = include_str!("../../../../tests/data/problems.tsv");
/// 11 renju problems of others, each won for the player to move.
const RENJU: &str = include_str!("../../../../tests/data/renju-vcf-problems.json");

/// Positions looked at for each problem: little, and as much as a second or so allows.
const NODES: [u64; 2] = [10_000, 100_000];
/// Those of the renju problems take long; a second and a half, or so.
const RENJU_NODES: u64 = 300_000;

/// A position and whether a move, with what is said of winning, is its answer.
struct Asked<'a> {
    game: Game,
    is_solved: Box<dyn Fn(&cpu::Thought) -> bool + 'a>,
}

/// Problems solved and times, of the suite and of the renju problems. Each is asked once: it is the same each time.
pub(super) fn run(bench: &Bench, output: &mut Output) -> Result<(), Failure> {
    let wrong = |why: String| Failure::new("internal", why);
    let suite = problem::problems(SUITE).map_err(|(line, fault)| wrong(format!("line {line}: {fault:?}")))?;
    let mut kinds: Vec<&str> = suite.iter().map(|problem| problem.kind.name()).collect();
    kinds.dedup();
    let ask = |problem: &problem::Problem| {
        let (game, problem) = (problem.game.clone(), problem.clone());
        let is_solved = move |thought: &cpu::Thought| problem.is_solved(&thought.action, thought.score >= WON);
        Asked { game, is_solved: Box::new(is_solved) }
    };
    for nodes in NODES {
        for kind in &kinds {
            let asked = suite.iter().filter(|problem| problem.kind.name() == *kind).map(ask).collect();
            tell(kind, asked, nodes, bench, output);
        }
    }
    let renju = renju().ok_or_else(|| wrong("the renju problems are not as they should be".to_owned()))?;
    let won: fn(&cpu::Thought) -> bool = |thought| thought.score >= WON;
    let asked = renju.into_iter().map(|game| Asked { game, is_solved: Box::new(won) }).collect();
    tell("renju of others", asked, RENJU_NODES, bench, output);
    Ok(())
}

fn tell(kind: &str, asked: Vec<Asked>, nodes: u64, bench: &Bench, output: &mut Output) {
    let all = asked.len();
    let (mut solved, mut times) = (0, Vec::new());
    for Asked { game, is_solved } in asked {
        let start = Instant::now();
        let mut mind = Mind::new(cpu::MEMORY_BYTES);
        let budget = Budget { level: LEVEL_MAX, nodes, seed: bench.seed };
        let thought = mind.think(&game, &budget, &mut || false);
        times.push(start.elapsed());
        solved += usize::from(is_solved(&thought));
    }
    let of = format!("{kind}, {nodes} positions each");
    let mut event = events::new("figure");
    for (key, value) in [
        ("bench", json!("cpu")),
        ("name", json!("problems solved")),
        ("of", json!(of)),
        ("unit", json!("problems")),
        ("median", json!(solved)),
        ("all", json!(all)),
        ("repeats", json!(1)),
        ("seed", json!(bench.seed)),
    ] {
        event.insert(key.to_owned(), value);
    }
    let took: Duration = times.iter().sum();
    let sentence = format!("problems solved, {of}: {solved} of {all}, {} ms in all", took.as_millis());
    output.event(&event, Some(&sentence));
    net::figure(["cpu", "time for a problem", &of], &times, bench, output);
}

/// The renju problems; in them `x` is white and `o` black.
fn renju() -> Option<Vec<Game>> {
    let known: Value = serde_json::from_str(RENJU).ok()?;
    known["problems"].as_array()?.iter().map(position).collect()
}

fn position(problem: &Value) -> Option<Game> {
    let colour = |letter| match letter {
        'x' => Some(Colour::White),
        'o' => Some(Colour::Black),
        _ => None,
    };
    let mut stones = Vec::new();
    for (row, text) in (0u8..15).rev().zip(problem["rows_top15_first"].as_array()?) {
        for (column, letter) in (0u8..).zip(text.as_str()?.chars()) {
            stones.extend(Point::new(column, row).zip(colour(letter)));
        }
    }
    // Whose move it is the solver was told; the numbers of stones do not always fit.
    let turn = Colour::from_name(&problem["solver_calls"][0][2].as_str()?.to_lowercase())?;
    let rules = "wuziqi forbidden=renju".parse().ok()?;
    Game::from_setup(&Setup::new(rules, stones, turn)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_problems_can_be_read() {
        assert_eq!(renju().expect("the renju problems").len(), 11);
        assert!(problem::problems(SUITE).expect("the suite").len() >= 200);
    }
}
