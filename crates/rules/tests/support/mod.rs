//! One `check` for tables of cases: a position, from actions or from a drawing, and facts that hold in it.

#![allow(dead_code, reason = "each test file uses the part of it that it needs")]

pub mod cells;
pub mod random;

use rules::{Action, Colour, Condition, DrawBy, Game, Group, Must, Outcome, Point, Preset, Refusal, Rules, Take};

/// Rules from text: a preset, then `option=value`.
pub fn rules(text: &str) -> Rules {
    let mut words = text.split_whitespace();
    let preset = Preset::from_name(words.next().expect("a preset")).unwrap_or_else(|| panic!("preset in {text:?}"));
    let mut options = preset.options();
    for word in words {
        let (name, value) = word.split_once('=').unwrap_or_else(|| panic!("no `=` in {word:?}"));
        options.set(name, value).unwrap_or_else(|error| panic!("{error}"));
    }
    options.check(preset).unwrap_or_else(|clash| panic!("{text}: {clash}"))
}

pub fn point(text: &str) -> Point {
    text.parse().unwrap_or_else(|_| panic!("no point: {text:?}"))
}

/// An action from text: `H8`, `H8[G8,F8]` (just that group), `H8[]` (none), `black`, `add`, `draw`, `resign:white`.
pub fn action(text: &str) -> Action {
    let colour = |name: &str| Colour::ALL.into_iter().find(|colour| colour.name() == name);
    if let Some(colour) = colour(text) {
        return Action::Choose(colour);
    }
    if let Some(name) = text.strip_prefix("resign:") {
        return Action::Resign(colour(name).unwrap_or_else(|| panic!("no colour: {text:?}")));
    }
    match text {
        "add" => Action::Add,
        "draw" => Action::Draw,
        stone => match stone.split_once('[') {
            None => Action::place(point(stone)),
            Some((at, groups)) => {
                let groups = groups.trim_end_matches(']').split("][").filter(|group| !group.is_empty());
                let groups = groups.map(|group| Group(group.split(',').map(point).collect())).collect();
                Action::Place { at: point(at), take: Take::Just(groups) }
            }
        },
    }
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
    let letter = |at: Point| match game.stone(at) {
        None => '.',
        Some(Colour::Black) => 'B',
        Some(Colour::White) => 'W',
        Some(Colour::Blue) => 'U',
        Some(Colour::Red) => 'R',
    };
    let mut text = String::new();
    for row in (0..side).rev() {
        text.extend((0..side).filter_map(|column| Point::new(column, row)).map(letter));
        text.push('\n');
    }
    text
}

/// A position from a drawing (`B W U R`, `.` empty) whose lower left corner is the point `corner`, with `to_move` to
/// move. Stones are placed so that none takes, wins or is refused; stones that are not drawn, to make up the
/// number, stand alone and far away.
pub fn drawn(rules_text: &str, to_move: Colour, corner: &str, picture: &str) -> Game {
    let mut wanted = stones_of(corner, picture);
    let box_of: Vec<Point> = cells_of(corner, picture).into_iter().map(|(at, _)| at).collect();
    let mut game = Game::new(rules(rules_text));
    let mut fillers: Vec<Point> = Vec::new();
    loop {
        let colour = game.turn().expect("a game that goes on").colour;
        if wanted.is_empty() && colour == to_move {
            return game;
        }
        let next = wanted.iter().position(|&(at, of)| of == colour && is_quiet(&game, at));
        match next {
            Some(index) => game.place(wanted.remove(index).0).expect("a quiet stone"),
            None => {
                let at =
                    filler(&game, &box_of, &fillers).unwrap_or_else(|| panic!("no room to fill:\n{}", drawing(&game)));
                game.place(at).expect("a quiet filler");
                fillers.push(at);
            }
        }
    }
}

fn cells_of(corner: &str, picture: &str) -> Vec<(Point, char)> {
    let corner = point(corner);
    let rows: Vec<&str> = picture.split_whitespace().rev().collect();
    let mut cells = Vec::new();
    for (up, row) in rows.iter().enumerate() {
        for (right, cell) in row.chars().enumerate() {
            let at = Point::new(corner.column() + right as u8, corner.row() + up as u8).expect("on the board");
            cells.push((at, cell));
        }
    }
    cells
}

fn stones_of(corner: &str, picture: &str) -> Vec<(Point, Colour)> {
    let colour = |cell| match cell {
        '.' => None,
        'B' => Some(Colour::Black),
        'W' => Some(Colour::White),
        'U' => Some(Colour::Blue),
        'R' => Some(Colour::Red),
        other => panic!("no stone: {other:?}"),
    };
    cells_of(corner, picture).into_iter().filter_map(|(at, cell)| Some((at, colour(cell)?))).collect()
}

fn is_quiet(game: &Game, at: Point) -> bool {
    let mut after = game.clone();
    match after.play(&Action::place(at)) {
        Ok(played) => {
            played.took.is_empty() && played.lost.is_empty() && after.turn().is_some() && after.overtime().is_none()
        }
        Err(_) => false,
    }
}

fn distance(a: Point, b: Point) -> u8 {
    a.column().abs_diff(b.column()).max(a.row().abs_diff(b.row()))
}

/// The quiet point that is farthest from the drawing, with no neighbour.
fn filler(game: &Game, drawing: &[Point], fillers: &[Point]) -> Option<Point> {
    let to_drawing = |at: &Point| drawing.iter().map(|&drawn| distance(*at, drawn)).min().unwrap_or(u8::MAX);
    let alone = |at: &Point| fillers.iter().all(|&filler| distance(*at, filler) >= 2);
    let candidates = game.rules().board().points().filter(|at| to_drawing(at) >= 2 && alone(at) && is_quiet(game, *at));
    candidates.max_by_key(to_drawing)
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
