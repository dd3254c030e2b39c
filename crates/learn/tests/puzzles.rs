//! The puzzles: how many there are, that a day has one, and that they are solved by proved moves against the best
//! defence. `--example puzzles -- verify` plays all of them.

use std::collections::BTreeSet;

use cpu::yardstick::problem::Claim;
use cpu::yardstick::proof::Prover;
use learn::puzzle::{GRADE_MAX, Puzzle, Verdict, every_day_has_its_own, puzzles};
use rules::Preset;

/// Every so many puzzles one is played to its end.
const SAMPLE: usize = 12;
/// Stones that may be placed to find the next one.
const PROOF_STONES_MAX: u64 = 20_000_000;

/// Plays proved moves to the end and answers how many it took.
fn moves_to_solve(puzzle: &Puzzle) -> Result<u8, String> {
    let (mut line, mut moves) = (Vec::new(), 0);
    let mut next = puzzle.problem.moves[0].clone();
    loop {
        let tried = puzzle.solve(&line, &next).map_err(|refusal| format!("{refusal:?}"))?;
        moves += 1;
        line.push(next.clone());
        match (tried.verdict, tried.reply) {
            (Verdict::Solved, _) => return Ok(moves),
            (Verdict::Right, Some(reply)) => line.push(reply),
            (verdict, reply) => return Err(format!("{next} is {verdict:?}, then {reply:?}")),
        }
        let game = puzzle.after(&line).map_err(|refusal| format!("{refusal:?}"))?;
        let need = puzzle.problem.stones - moves;
        let win = Prover::new(PROOF_STONES_MAX).win(&game, puzzle.problem.attack, need);
        next = win.ok().flatten().ok_or("it is won no longer")?;
    }
}

#[test]
fn there_are_many_of_every_kind_preset_and_grade() {
    let all = puzzles();
    assert!(all.len() >= 100, "{}", all.len());
    let count = |is: &dyn Fn(&&Puzzle) -> bool| all.iter().filter(is).count();
    for kind in ["fours", "threes", "captures", "only-move", "overtime"] {
        assert!(count(&|puzzle| puzzle.problem.kind.name() == kind) >= 10, "{kind}");
    }
    for preset in [Preset::CaptureFive, Preset::Pente, Preset::Gomoku, Preset::Wuziqi] {
        assert!(count(&|puzzle| puzzle.problem.game.rules().preset() == preset) >= 10, "{preset:?}");
    }
    for grade in 1..=GRADE_MAX {
        assert!(count(&|puzzle| puzzle.grade == grade) >= 5, "{grade}");
    }
    let names: BTreeSet<&str> = all.iter().map(|puzzle| puzzle.problem.name.as_str()).collect();
    assert_eq!(names.len(), all.len());
    assert!(all.is_sorted_by_key(|puzzle| puzzle.grade), "the easy ones come first");
    assert!(every_day_has_its_own());
}

#[test]
fn a_sample_is_solved_against_the_best_defence_in_as_many_moves_as_are_proved() {
    for puzzle in puzzles().iter().filter(|puzzle| puzzle.grade <= 3).step_by(SAMPLE) {
        let expected = match puzzle.problem.claim {
            Claim::Wins => puzzle.problem.stones,
            Claim::Only | Claim::NotWon => 1,
        };
        assert_eq!(moves_to_solve(puzzle), Ok(expected), "{}", puzzle.problem.name);
    }
}

#[test]
fn a_wrong_move_is_not_taken_for_a_right_one() {
    for puzzle in puzzles().iter().filter(|puzzle| puzzle.grade <= 2).step_by(2 * SAMPLE) {
        let rules = &puzzle.problem;
        let wrong = learn::lesson::legal(&rules.game).into_iter().rfind(|action| !rules.is_solved(action, true));
        let Some(wrong) = wrong else { panic!("{}: everything is right", rules.name) };
        let tried = puzzle.solve(&[], &wrong).expect("a legal line");
        assert_eq!(tried.verdict, Verdict::Wrong, "{}: {wrong}", rules.name);
        let after = puzzle.after(std::slice::from_ref(&wrong)).expect("legal");
        assert!(tried.reply.is_some() || after.result().is_some(), "{}: nothing answers {wrong}", rules.name);
    }
}
