//! The product's rules and the plain ones agree on random games and on the data files. A longer run of games: the
//! program `agree`.

use serde_json::{Value, json};
use tests::agree::{Counters, Event, game, request};
use tests::plain::board::{Board, Colour, Point};
use tests::plain::renju::Shapes;

/// Games of this run, from seed 0: enough for every event to be met.
const GAMES: u64 = 20_000;

#[test]
fn random_games_agree_and_reach_everything() {
    let mut counters = Counters::default();
    for seed in 0..GAMES {
        if let Err(failure) = game(seed, &mut counters) {
            panic!("{failure}");
        }
    }
    let missed: Vec<&str> =
        Event::ALL.iter().filter(|event| counters.of(**event) == 0).map(|event| event.name()).collect();
    assert!(missed.is_empty(), "never met: {missed:?}\n{counters}");
}

#[test]
fn the_requests_of_the_renju_cases_are_answered_alike() {
    for line in data("renju-cases.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        request(&case["request"].to_string()).unwrap_or_else(|difference| panic!("{}: {difference}", case["name"]));
    }
}

#[test]
fn the_games_of_pente_are_answered_alike() {
    for line in data("pente-games.tsv").lines().filter(|line| !line.starts_with('#')) {
        let moves = line.split('\t').next().unwrap_or_default();
        let actions: Vec<String> = moves.split(' ').map(|number| point(19, number).name()).collect();
        let game = json!({ "id": 1, "rules": { "preset": "pente", "opening": "none" }, "actions": actions });
        request(&game.to_string()).unwrap_or_else(|difference| panic!("{game}\n{difference}"));
    }
}

#[test]
fn the_plain_rules_know_the_forbidden_points() {
    let mut positions = 0;
    for line in data("renju-forbidden.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (rows, expected) = line.split_once('\t').expect("a board, a tab and points");
        let board = rows.char_indices().fold(Board::empty(15), |board, (index, stone)| match stone {
            'X' => board.with(point(15, &index.to_string()), Colour::Black),
            'O' => board.with(point(15, &index.to_string()), Colour::White),
            _ => board,
        });
        let mut found: Vec<String> = board.empty_points().filter_map(|point| forbidden(&board, point)).collect();
        let mut expected: Vec<&str> = expected.split_whitespace().collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{rows}");
        positions += 1;
    }
    assert!(positions >= 1500, "{positions} positions");
}

/// A forbidden point as the data file writes it: a double four goes before a double three, that before an overline.
fn forbidden(board: &Board, point: Point) -> Option<String> {
    let shapes = Shapes::of(&board.with(point, Colour::Black), point);
    shapes.refusal()?;
    let kind = match (shapes.double_four, shapes.double_three) {
        (true, _) => "44",
        (false, true) => "33",
        (false, false) => "6",
    };
    Some(format!("{},{}:{kind}", point.column, 14 - point.row))
}

/// A point of a data file: x + size · y from the top left, both from 0.
fn point(size: i32, number: &str) -> Point {
    let number: i32 = number.parse().expect("a number");
    Point { row: size - 1 - number / size, column: number % size }
}

fn data(name: &str) -> String {
    let path = tests::repository().join("tests/data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
