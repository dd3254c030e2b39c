//! Problems with known answers: somebody wins by force, and the CPU sees it.

use std::path::Path;

use cpu::{Budget, Mind};
use rules::{Colour, Game, Outcome, Point, Setup};
use serde_json::Value;

/// The 11 renju problems; in them `x` is white and `o` black.
fn renju() -> Vec<(String, Game, Vec<Point>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/renju-vcf-problems.json");
    let text = std::fs::read_to_string(path).expect("the problems");
    let known: Value = serde_json::from_str(&text).expect("JSON");
    let problems = known["problems"].as_array().expect("a list");
    let rules = "wuziqi forbidden=renju".parse().expect("rules");
    let read = |problem: &Value| {
        let rows = problem["rows_top15_first"].as_array().expect("rows");
        let mut stones = Vec::new();
        for (row, text) in (0u8..15).rev().zip(rows) {
            for (column, letter) in (0u8..).zip(text.as_str().expect("a row").chars()) {
                let colour = match letter {
                    'x' => Colour::White,
                    'o' => Colour::Black,
                    _ => continue,
                };
                stones.push((Point::new(column, row).expect("on the board"), colour));
            }
        }
        // Whose move it is the solver was told; the numbers of stones do not always fit.
        let turn = match problem["solver_calls"][0][2].as_str() {
            Some("Black") => Colour::Black,
            Some("White") => Colour::White,
            other => panic!("{other:?} is no colour"),
        };
        let setup = Setup::new(rules, stones, turn);
        let solution = problem["solution"].as_str().expect("a solution").split(',');
        let solution = solution.map(|text| text.parse().expect("a point")).collect();
        let name = problem["name"].as_str().expect("a name").to_string();
        (name, Game::from_setup(&setup).expect("a position"), solution)
    };
    problems.iter().map(read).collect()
}

/// Enough for each of them, and about a second's.
const POSITIONS: u64 = 1_000_000;

#[test]
fn the_renju_problems_are_solved() {
    for (name, game, solution) in renju() {
        let budget = Budget { level: 8, nodes: POSITIONS, seed: 1 };
        let win = Mind::new(16 << 20).forced_win(&game, &budget, &mut || false);
        let win = win.unwrap_or_else(|| panic!("{name}: no win is found, though {} is one", solution[0]));
        let mut after = game.clone();
        win.iter().for_each(|action| assert!(after.play(action).is_ok(), "{name}: {win:?}"));
        let winners = after.result().map(|result| match result {
            Outcome::Win { winners, .. } => winners.clone(),
            Outcome::Draw(_) => Vec::new(),
        });
        assert_eq!(
            winners.and_then(|winners| winners.first().copied()),
            game.turn().map(|turn| turn.colour),
            "{name}: {} {win:?}",
            win.len()
        );
    }
}
