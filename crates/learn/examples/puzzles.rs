//! Plays every puzzle against its best defence to the end: `verify` the chosen ones, `choose` all that could be.
//!
//! `cargo run --release -p learn --example puzzles -- verify`

#![allow(clippy::disallowed_methods)] // How long a judgement takes is what it measures.

use std::time::Instant;

use cpu::yardstick::problem::problems;
use learn::puzzle::{Puzzle, Verdict, asks_for_a_move, grade, puzzles};

const PROBLEMS: &str = include_str!("../../../tests/data/problems.tsv");

fn main() {
    let all: Vec<Puzzle> = match std::env::args().nth(1).as_deref() {
        Some("verify") => puzzles().to_vec(),
        Some("choose") => {
            let known = problems(PROBLEMS).expect("problems");
            let known = known.into_iter().filter(asks_for_a_move);
            known.map(|problem| Puzzle { grade: grade(&problem), problem }).collect()
        }
        Some(_) | None => panic!("say `verify` or `choose`"),
    };
    let mut faults = 0;
    for puzzle in &all {
        let (solved, slowest_ms, line) = played(puzzle);
        faults += usize::from(!solved);
        println!(
            "{}\t{}\t{}\t{slowest_ms}\t{}\t{line}",
            puzzle.problem.name,
            puzzle.grade,
            puzzle.problem.kind.name(),
            if solved { "solved" } else { "NOT SOLVED" }
        );
    }
    assert_eq!(faults, 0, "of {} puzzles so many are not solved by their own answers", all.len());
}

/// Plays first winning moves to the end: whether that solves it, the slowest judgement in milliseconds, the line.
fn played(puzzle: &Puzzle) -> (bool, u128, String) {
    let (mut line, mut slowest) = (Vec::new(), 0);
    loop {
        let game = puzzle.after(&line).expect("a legal line");
        let own = u8::try_from(line.len() / 2).expect("a short line");
        let mut prover = cpu::yardstick::proof::Prover::new(100_000_000);
        let next = if line.is_empty() {
            puzzle.problem.moves[0].clone()
        } else {
            let need = puzzle.problem.stones.saturating_sub(own).max(1);
            match prover.win(&game, puzzle.problem.attack, need) {
                Ok(Some(next)) => next,
                Ok(None) | Err(_) => return (false, slowest, format!("{line:?}: no win in {need}")),
            }
        };
        let begun = Instant::now();
        let tried = puzzle.solve(&line, &next).expect("a legal line");
        slowest = slowest.max(begun.elapsed().as_millis());
        line.push(next);
        match (tried.verdict, tried.reply) {
            (Verdict::Solved, _) => {
                let line: Vec<String> = line.iter().map(ToString::to_string).collect();
                return (true, slowest, line.join(" "));
            }
            (Verdict::Right, Some(reply)) => line.push(reply),
            (verdict, reply) => return (false, slowest, format!("{line:?}: {verdict:?} {reply:?}")),
        }
    }
}
