//! One `check` for tables of cases: a position, from actions or from a drawing, and facts that hold in it.

#![allow(dead_code, reason = "each test file uses the part of it that it needs")]

pub mod cells;
pub mod random;

use rules::{Action, Colour, Condition, DrawBy, Game, Group, Must, Outcome, Point, Refusal, Rules, Setup};

/// Rules from text: a preset, then `option=value`.
pub fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

pub fn point(text: &str) -> Point {
    text.parse().unwrap_or_else(|fault| panic!("{text:?}: {fault}"))
}

/// An action from a word: `H8`, `H8[G8,F8]` (just that group), `H8[]` (none), `black`, `add`, `draw`, `resign:white`.
pub fn action(word: &str) -> Action {
    word.parse().unwrap_or_else(|fault| panic!("{fault}"))
}

/// A position with the actions in text that lead to it, all of them legal.
pub fn played(rules_text: &str, actions: &str) -> Game {
    let mut game = Game::new(rules(rules_text));
    go_on(&mut game, actions);
    game
}

/// Plays more actions. Each is also taken back once, which must restore every bit.
#[track_caller]
pub fn go_on(game: &mut Game, actions: &str) {
    for text in actions.split_whitespace() {
        let before = (game.state_bytes(), game.hash(), game.overtime().cloned());
        if let Err(refusal) = game.play(&action(text)) {
            panic!("{text} of {actions:?} was refused: {refusal:?}\n{}", drawing(game));
        }
        let mut back = game.clone();
        assert!(back.undo());
        assert_eq!((back.state_bytes(), back.hash(), back.overtime().cloned()), before, "{text} taken back");
    }
}

/// The board as the referee draws it.
pub fn drawing(game: &Game) -> String {
    let side = game.rules().board().side();
    let letter = |at: Point| game.stone(at).map_or('.', Colour::letter);
    let mut text = String::new();
    for row in (0..side).rev() {
        text.extend((0..side).filter_map(|column| Point::new(column, row)).map(letter));
        text.push('\n');
    }
    text
}

/// A position from a drawing (`B W U R`, `.` empty) whose lower left corner is the point `corner`, with `to_move` to
/// move; the rest of the board is empty.
#[track_caller]
pub fn drawn(rules_text: &str, to_move: Colour, corner: &str, picture: &str) -> Game {
    let setup = Setup::new(rules(rules_text), stones_of(point(corner), picture), to_move);
    Game::from_setup(&setup).unwrap_or_else(|error| panic!("{error}\n{setup}"))
}

fn stones_of(corner: Point, picture: &str) -> Vec<(Point, Colour)> {
    let mut stones = Vec::new();
    for (up, row) in picture.split_whitespace().rev().enumerate() {
        for (right, letter) in row.chars().enumerate().filter(|&(_, letter)| letter != '.') {
            let at = Point::new(corner.column() + right as u8, corner.row() + up as u8).expect("on the board");
            stones.push((at, Colour::from_letter(letter).unwrap_or_else(|| panic!("no stone: {letter:?}"))));
        }
    }
    stones
}

/// Checks facts, written `fact = value; fact = value`, in a position.
#[track_caller]
pub fn check(game: &Game, facts: &str) {
    for fact_text in facts.split(';').map(str::trim).filter(|text| !text.is_empty()) {
        let (name, value) = fact_text.split_once(" = ").unwrap_or_else(|| panic!("no ` = ` in {fact_text:?}"));
        let got = fact(game, name);
        assert_eq!(got, value, "{name}\n{}", drawing(game));
    }
}

/// Checks that an action is refused for this cause and changes nothing.
#[track_caller]
pub fn refuses(game: &Game, action_text: &str, why: Refusal) {
    let mut after = game.clone();
    let before = game.state_bytes();
    assert_eq!(after.play(&action(action_text)), Err(why), "{action_text}\n{}", drawing(game));
    assert_eq!(after.state_bytes(), before, "{action_text} was refused and changed something");
    assert_eq!(after.actions(), game.actions());
}

/// One fact about a position as text.
fn fact(game: &Game, name: &str) -> String {
    let (word, at) = name.split_once(' ').unwrap_or((name, ""));
    match word {
        "result" => game.result().map_or("-".to_owned(), result),
        "turn" => game
            .turn()
            .map_or("-".to_owned(), |turn| format!("{} {} {}", turn.player, turn.colour.name(), must(turn.must))),
        "ply" => game.ply().to_string(),
        "captured" => {
            let totals = game.rules().colours().into_iter().map(|colour| game.captured(colour).to_string());
            totals.collect::<Vec<_>>().join(" ")
        }
        "illegal" => points(&game.illegal()),
        "groups" => groups(&game.groups(point(at))),
        "at" => {
            let stones = at.split(',').map(|at| game.stone(point(at)).map_or("-", Colour::name));
            stones.collect::<Vec<_>>().join(" ")
        }
        "check" => game.check(point(at)).err().map_or("-".to_owned(), |refusal| format!("{refusal:?}")),
        "reason" => game
            .reason(point(at))
            .map_or("-".to_owned(), |reason| format!("{:?} {}", reason.refusal, points(&reason.points()))),
        "overtime" => game.overtime().map_or("-".to_owned(), |overtime| {
            let lines: Vec<String> = overtime.lines.iter().map(|line| points(line)).collect();
            format!("{} {}", overtime.colour.name(), lines.join(" / "))
        }),
        "lines" => {
            let lines = game.winning_lines();
            let lines: Vec<String> =
                lines.iter().map(|(colour, line)| format!("{} {}", colour.name(), points(line))).collect();
            if lines.is_empty() { "-".to_owned() } else { lines.join(" / ") }
        }
        other => panic!("no such fact: {other:?}"),
    }
}

fn must(must: Must) -> &'static str {
    match must {
        Must::Place => "place",
        Must::Choose => "choose",
        Must::ChooseOrAdd => "choose-or-add",
    }
}

pub fn result(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Win { winners, by } => {
            let winners: Vec<&str> = winners.iter().map(|colour| colour.name()).collect();
            let by = by.iter().map(|condition| match condition {
                Condition::Captures => "captures",
                Condition::Line => "line",
                Condition::Resignation => "resignation",
            });
            format!("{} by {}", winners.join("+"), by.collect::<Vec<_>>().join("+"))
        }
        Outcome::Draw(by) => match by {
            DrawBy::AllWin => "draw all-win".to_owned(),
            DrawBy::FullBoard => "draw full-board".to_owned(),
            DrawBy::NoLegalMove => "draw no-legal-move".to_owned(),
            DrawBy::Agreement => "draw agreement".to_owned(),
        },
    }
}

fn points(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(Point::to_string).collect();
    if points.is_empty() { "-".to_owned() } else { points.join(",") }
}

fn groups(groups: &[Group]) -> String {
    let groups: Vec<String> = groups.iter().map(|Group(group)| points(group)).collect();
    if groups.is_empty() { "-".to_owned() } else { groups.join(" / ") }
}
