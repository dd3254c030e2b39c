//! The suite of problems with proved answers: its proofs hold, and the CPU solves it.

use std::collections::BTreeSet;

use cpu::yardstick::problem::{Claim, Kind, Problem, problems};
use cpu::{Budget, LEVEL_MAX, Mind, WON};

const SUITE: &str = include_str!("../../../tests/data/problems.tsv");

/// Every so many problems one is proved anew here; `--example problems -- verify` proves all.
const SAMPLE: usize = 4;
/// Stones that such a proof may place.
const PROOF_STONES_MAX: u64 = 100_000_000;

/// Positions that the CPU looks at for each problem.
const NODES: u64 = 20_000;

/// Problems that the CPU does not solve with so many positions: what its search lacks. A name goes when it is solved.
const UNSOLVED: &[&str] = &[
    "fours-break-5",
    "fours-break-6",
    "fours-break-7",
    "fours-free-break-2",
    "fours-not-allowed-6",
    "fours-take-5",
    "fours-teams-2",
    "fours-teams-3",
    "threes-break-2",
    "threes-break-4",
    "threes-free-break-1",
    "threes-teams-1",
    "captures-break-4",
    "captures-break-5",
    "captures-capture-5",
    "captures-capture-6",
    "captures-capture-7",
    "captures-capture-ban-4",
    "captures-capture-ban-6",
    "captures-capture-ban-7",
    "captures-not-allowed-1",
    "captures-take-2",
    "captures-take-4",
    "captures-take-5",
    "captures-take-6",
    "captures-take-7",
    "only-move-break-3",
    "only-move-break-4",
    "only-move-break-5",
    "only-move-capture-4",
    "only-move-teams-1",
    "only-move-teams-2",
    "only-move-teams-3",
    "overtime-break-10",
    "overtime-take-4",
    "overtime-take-9",
    "many-three-break-7",
];

fn suite() -> Vec<Problem> {
    problems(SUITE).expect("a suite")
}

#[test]
fn the_suite_is_large_and_of_every_kind() {
    let suite = suite();
    assert!(suite.len() >= 200, "{}", suite.len());
    for kind in Kind::ALL {
        let count = suite.iter().filter(|problem| problem.kind == kind).count();
        println!("{}: {count}", kind.name());
        assert!(count >= 15, "{}: {count}", kind.name());
    }
    let names: BTreeSet<&str> = suite.iter().map(|problem| problem.name.as_str()).collect();
    let positions: BTreeSet<u64> = suite.iter().map(|problem| problem.game.hash()).collect();
    assert_eq!((names.len(), positions.len()), (suite.len(), suite.len()), "two are one");
    let is_long = |problem: &&Problem| problem.claim == Claim::Wins && problem.stones >= 4;
    assert!(suite.iter().filter(is_long).count() >= 40, "too many are seen at a glance");
}

#[test]
fn a_sample_is_proved_anew() {
    for problem in suite().iter().step_by(SAMPLE) {
        assert_eq!(problem.verify(PROOF_STONES_MAX), Ok(()), "{problem}");
    }
}

#[test]
fn what_is_proved_is_not_what_anything_would_be() {
    // The same problems with another claim, or one answer less, do not hold.
    for mut problem in suite().into_iter().step_by(SAMPLE * 5) {
        if problem.moves.pop().is_none() {
            problem.claim = Claim::Wins;
        }
        assert!(problem.verify(PROOF_STONES_MAX).is_err(), "{problem}");
    }
}

#[test]
fn the_suite_is_solved() {
    let mut unsolved = Vec::new();
    for problem in suite() {
        let budget = Budget { level: LEVEL_MAX, nodes: NODES, seed: 1 };
        let mut mind = Mind::new(1 << 20);
        // Who has a win is asked for it, anybody else for a move.
        let win = (problem.claim == Claim::Wins).then(|| mind.forced_win(&problem.game, &budget, &mut || false));
        let thought = match win.flatten() {
            Some(win) => (win[0].clone(), WON),
            None => {
                let thought = mind.think(&problem.game, &budget, &mut || false);
                (thought.action, thought.score)
            }
        };
        let (action, score) = thought;
        if !problem.is_solved(&action, score >= WON) {
            println!("{problem}: {action} with {score}");
            unsolved.push(problem.name);
        }
    }
    println!("unsolved within {NODES} positions: {unsolved:#?}");
    let new: Vec<&String> = unsolved.iter().filter(|name| !UNSOLVED.contains(&name.as_str())).collect();
    assert!(new.is_empty(), "was solved before: {new:#?}");
    let solved: Vec<&&str> = UNSOLVED.iter().filter(|known| !unsolved.iter().any(|name| name == *known)).collect();
    println!("solved by now: {solved:#?}");
}
