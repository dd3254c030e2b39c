//! A position as the referee answers it.

use rules::{Colour, Game, Outcome, Overtime, Point, Turn};
use serde_json::{Map, Value, json};

use super::action::{groups_to_json, points_to_json};

/// The answer for the present position, complete but for the request's `id`.
pub fn answer(game: &Game) -> Value {
    json!({
        "ok": true,
        "ply": game.ply(),
        "board": board(game),
        "captured": captured(game),
        "to_move": game.turn().map(turn_to_json),
        "illegal": points_to_json(&game.illegal()),
        "groups": groups(game),
        "overtime": game.overtime().map(overtime_to_json),
        "result": game.result().map(result_to_json),
    })
}

/// One text a row, the top row first.
fn board(game: &Game) -> Value {
    let side = game.rules().board().side();
    let row = |row: u8| -> String { (0..side).map(|column| stone_letter(game, column, row)).collect() };
    (0..side).rev().map(|number| Value::from(row(number))).collect()
}

fn stone_letter(game: &Game, column: u8, row: u8) -> char {
    Point::new(column, row).and_then(|at| game.stone(at)).map_or('.', Colour::letter)
}

/// Stones taken by each colour in play.
fn captured(game: &Game) -> Value {
    let colours = game.rules().colours();
    let in_play = Colour::ALL.into_iter().filter(|colour| colours.contains(colour));
    let totals: Map<String, Value> =
        in_play.map(|colour| (colour.name().to_owned(), game.captured(colour).into())).collect();
    Value::Object(totals)
}

fn turn_to_json(turn: Turn) -> Value {
    json!({ "seat": turn.player, "colour": turn.colour.name(), "must": turn.must.name() })
}

/// The groups at each point that has any.
fn groups(game: &Game) -> Value {
    let mut groups = Map::new();
    for at in game.rules().board().points() {
        let here = game.groups(at);
        if !here.is_empty() {
            groups.insert(at.to_string(), groups_to_json(&here));
        }
    }
    Value::Object(groups)
}

fn overtime_to_json(overtime: &Overtime) -> Value {
    let lines: Value = overtime.lines.iter().map(|line| points_to_json(line)).collect();
    json!({ "colour": overtime.colour.name(), "lines": lines })
}

/// A finished game's result.
pub fn result_to_json(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Win { winners, by } => {
            let winners: Vec<&str> = winners.iter().map(|colour| colour.name()).collect();
            let by: Vec<&str> = by.iter().map(|&condition| condition.name()).collect();
            json!({ "kind": "win", "winners": winners, "by": by })
        }
        Outcome::Draw(by) => json!({ "kind": "draw", "by": [by.name()] }),
    }
}
