//! Positions that did not come about by play: what is accepted, what is refused, and why.

mod support;

use std::path::Path;

use rules::{Colour, Game, Point, Setup, SetupError, Stage, TextError, TextFault};
use support::{check, go_on, point};

/// A setup on a 9×9 board: options, the words of the setup's line, and rows from the top; what they leave out is
/// empty.
fn setup(rules: &str, line: &str, rows: &str) -> Setup {
    let mut text = format!("c5-game 1 {rules} board=9\nsetup {line}\n");
    let mut rows = rows.split_whitespace();
    for _ in 0..9 {
        text.push_str(&format!("{:.<9}\n", rows.next().unwrap_or("")));
    }
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[track_caller]
fn game(rules: &str, line: &str, rows: &str) -> Game {
    let setup = setup(rules, line, rows);
    let game = Game::from_setup(&setup).unwrap_or_else(|error| panic!("{error}\n{setup}"));
    assert!(game.actions().is_empty());
    let start = game.setup().expect("it started from a setup").clone();
    assert_eq!(Some(&start), game.to_setup().as_ref());
    assert_eq!(start.to_string().parse(), Ok(start));
    game
}

#[track_caller]
fn refused(setup: &Setup, why: SetupError) {
    assert_eq!(Game::from_setup(setup).err(), Some(why), "{setup}");
}

#[test]
fn stones_must_be_on_the_board_alone_and_in_play() {
    let good = setup("capture-five", "turn=black", "B.......W");
    let with = |at: Point, colour| {
        let mut setup = good.clone();
        setup.stones.push((at, colour));
        setup
    };
    refused(&with(point("J1"), Colour::Black), SetupError::OffBoard(point("J1")));
    refused(&with(point("A9"), Colour::White), SetupError::Occupied(point("A9")));
    refused(&with(point("A9"), Colour::Black), SetupError::Occupied(point("A9")));
    refused(&with(point("B9"), Colour::Blue), SetupError::NotInPlay(Colour::Blue));
    refused(&setup("capture-five", "turn=blue", "B"), SetupError::NotInPlay(Colour::Blue));
    refused(&setup("capture-five seats=4 teams=true", "turn=blue", ""), SetupError::NotInPlay(Colour::Blue));
    refused(&setup("capture-five seats=3", "turn=black captured=red:2", ""), SetupError::NotInPlay(Colour::Red));
}

#[test]
fn totals_must_leave_the_game_open() {
    let with = |rules, line| setup(rules, &format!("turn=black {line}"), "");
    check(&game("capture-five", "turn=black captured=white:9", ""), "captured = 0 9; ply = 10");
    refused(&with("capture-five", "captured=white:10"), SetupError::AlreadyWon(Colour::White));
    refused(&with("capture-five", "captured=white:65535,black:65535"), SetupError::AlreadyWon(Colour::Black));
    check(&game("capture-five seats=3", "turn=black captured=blue:7", ""), "captured = 0 0 7; ply = 9");
    refused(&with("capture-five seats=3", "captured=blue:8"), SetupError::AlreadyWon(Colour::Blue));
    refused(&with("gomoku", "captured=white:1"), SetupError::NoCaptures(Colour::White));
}

/// The number of stones placed decides who is to move. It need not fit an order of stones, only the sums.
#[test]
fn the_turn_comes_from_the_number_of_stones() {
    let three = "BBB......";
    check(&game("capture-five", "turn=white", three), "ply = 3; turn = 1 white place");
    check(&game("capture-five", "turn=black", three), "ply = 4; turn = 0 black place");
    check(&game("pente", "turn=white", three), "ply = 4; turn = 0 white place");
    check(&game("capture-five seats=3", "turn=blue", three), "ply = 5; turn = 2 blue place");
    check(&game("capture-five seats=4 teams=true", "turn=white", three), "ply = 3; turn = 3 white place");
    check(&game("capture-five seats=4 teams=true", "turn=white ply=5", three), "ply = 5; turn = 1 white place");
    let with = |line| setup("capture-five", line, three);
    refused(&with("turn=white ply=4"), SetupError::Turn { ply: 4 });
    refused(&with("turn=white ply=1"), SetupError::Ply { least: 3, most: 4 });
    refused(&with("turn=white ply=5"), SetupError::Ply { least: 3, most: 4 });
    refused(&with("turn=white ply=65535 captured=black:4"), SetupError::Ply { least: 7, most: 8 });
    // With three sides a stone may have been taken by two of them.
    let three_sides = |line| setup("capture-five seats=3 into_flank=captured", line, three);
    check(&game("capture-five seats=3", "turn=white ply=4 captured=black:2", three), "ply = 4; turn = 1 white place");
    refused(&three_sides("turn=black ply=3 captured=black:2"), SetupError::Ply { least: 4, most: 7 });
}

#[test]
fn the_distance_rule_binds_the_starters_second_stone() {
    check(&game("custom opening=centre", "turn=black", ""), "check A1 = Opening; check E5 = -");
    let rows = "......... ......... ......... ......... ....BW...";
    check(&game("custom opening=centre", "turn=black", rows), "ply = 2; check E6 = Opening; check A1 = -");
    check(&game("custom opening=centre", "turn=white", rows), "ply = 3; check E6 = -");
}

#[test]
fn openings_have_their_stages() {
    let three = "B.W.B";
    check(&game("pente-swap2", "turn=white stage=choosing", three), "turn = 1 white choose-or-add; ply = 3");
    check(&game("pente-swap2", "turn=white stage=adding", three), "turn = 1 white place");
    check(&game("pente-swap2", "turn=white", three), "turn = 1 white place");
    check(&game("pente-swap2", "turn=white swapped", three), "turn = 0 white place");
    check(&game("pente-swap2", "turn=black stage=placing", "B.W"), "turn = 0 black place; ply = 2");
    let mut added = game("pente-swap2", "turn=black stage=adding", "B.W.B.W");
    check(&added, "turn = 1 black place");
    go_on(&mut added, "A1");
    check(&added, "turn = 0 white choose");
    assert_eq!(added.to_setup().expect("it goes on").stage, Stage::ChoosingAgain);
    let four = "B.W.B.W";
    check(&game("custom opening=place-four", "turn=black stage=choosing", four), "turn = 1 black choose");
    check(&game("custom opening=place-four", "turn=black swapped", four), "turn = 1 black place");
    // An opening's stone may have been taken.
    let taken = "turn=black captured=white:2 stage=choosing";
    check(&game("custom opening=place-four", taken, "W..W"), "turn = 1 black choose; ply = 4");

    let stage = |rules, line: &str, rows, stage| refused(&setup(rules, line, rows), SetupError::Stage(stage));
    stage("gomoku", "turn=black stage=choosing", "", Stage::Choosing);
    stage("custom opening=centre", "turn=black stage=placing", "", Stage::Placing);
    stage("pente-swap2", "turn=black", "B.W", Stage::Over);
    stage("pente-swap2", "turn=white stage=placing", three, Stage::Placing);
    stage("pente-swap2", "turn=black stage=choosing", "B.W", Stage::Choosing);
    stage("pente-swap2", "turn=white stage=choosing-again", three, Stage::ChoosingAgain);
    stage("custom opening=place-four", "turn=black stage=adding", four, Stage::Adding);
    stage("custom opening=place-four", "turn=black stage=choosing-again", "B.W.B.W B.W", Stage::ChoosingAgain);
    stage("custom opening=place-four", "turn=white", three, Stage::Over);
    for (rules, line, rows) in [
        ("gomoku", "turn=black swapped", ""),
        ("pente-swap2", "turn=white stage=choosing swapped", three),
        ("pente-swap2", "turn=white stage=adding swapped", three),
        ("capture-five seats=3", "turn=black swapped", ""),
    ] {
        refused(&setup(rules, line, rows), SetupError::Swapped);
    }
}

#[test]
fn a_line_stands_only_in_overtime() {
    let line = ["C7", "D7", "E7", "F7", "G7"].map(point).to_vec();
    let stands = SetupError::LineStands(Colour::Black, line);
    let breaks = "capture-five overtime=break";
    let open = "
        .........
        ..B......
        ..BBBBB..
        ..W......";
    refused(&setup(breaks, "turn=white", open), stands.clone());
    refused(&setup("capture-five", "turn=white", open), stands);
    let mut game = game(breaks, "turn=white overtime", open);
    check(&game, "overtime = black C7,D7,E7,F7,G7; groups C9 = C7,C8; result = -");
    go_on(&mut game, "C9");
    check(&game, "overtime = -; result = -");
    assert!(game.undo());
    check(&game, "overtime = black C7,D7,E7,F7,G7");
    go_on(&mut game, "A1");
    check(&game, "result = black by line");

    refused(&setup("capture-five", "turn=white overtime", open), SetupError::NotInOvertime);
    refused(&setup(breaks, "turn=black overtime", open), SetupError::NotInOvertime);
    let safe = "
        .........
        ..B......
        ..BBBBB..";
    refused(&setup(breaks, "turn=white overtime", safe), SetupError::NotInOvertime);
    refused(&setup(breaks, "turn=white overtime", "B.W"), SetupError::NotInOvertime);
    let two_lines = "
        .........
        ..B......
        ..BBBBB..
        ..W......
        .BBBBB...";
    refused(&setup(breaks, "turn=white overtime", two_lines), SetupError::NotInOvertime);
    // What is longer than a line is none, unless it wins.
    let six = "BBBBBB";
    check(&self::game("capture-five", "turn=white", six), "lines = -");
    let six_points = ["A9", "B9", "C9", "D9", "E9", "F9"].map(point).to_vec();
    refused(&setup("gomoku", "turn=white", six), SetupError::LineStands(Colour::Black, six_points));
}

#[test]
fn under_take_the_line_must_have_an_open_end() {
    let take = "capture-five overtime=take";
    let mut game = game(take, "turn=white overtime", "WBBBBB...");
    check(&game, "groups G9 = B9,C9,D9,E9,F9; overtime = black B9,C9,D9,E9,F9");
    go_on(&mut game, "G9");
    check(&game, "captured = 0 5; result = -");
    refused(&setup(take, "turn=white overtime", ".BBBBB..."), SetupError::NotInOvertime);
    refused(&setup(take, "turn=white overtime", "WBBBBBB.."), SetupError::NotInOvertime);
}

#[test]
fn there_must_be_a_point_to_play_on() {
    // No five anywhere: pairs that alternate from row to row.
    let rows = |last: &str| {
        let mut rows = ["BBWWBBWWB", "WWBBWWBBW"].repeat(4);
        rows.push(last);
        rows.join(" ")
    };
    refused(&setup("gomoku", "turn=white", &rows("BBWWBBWWB")), SetupError::FullBoard);
    check(&game("gomoku", "turn=white", &rows("BBWWBBWW.")), "illegal = -; turn = 1 white place");
    // Black's only point would make a six.
    let overline = rows("BBB.BBBWB");
    refused(&setup("wuziqi forbidden=renju", "turn=black", &overline), SetupError::NoLegalPoint);
    check(&game("wuziqi forbidden=renju", "turn=white", &overline), "illegal = -");
}

#[test]
fn a_setup_text_is_a_game_without_actions() {
    let text = setup("gomoku", "turn=white", "B").to_string();
    assert!(Game::from_text(&text).is_ok());
    let fault = |line, word, why| Err(TextError { line, word, why });
    assert_eq!(format!("{text}A1\n").parse::<Setup>(), fault(13, 1, TextFault::ActionsFollow));
    assert_eq!("c5-game 1 gomoku\nA1\n".parse::<Setup>(), fault(2, 0, TextFault::NoSetup));
    assert_eq!("c5-game 1 gomoku\n".parse::<Setup>(), fault(1, 0, TextFault::NoSetup));
    let json = serde_json::to_string(&setup("gomoku", "turn=white", "B")).expect("serialises");
    assert_eq!(serde_json::from_str::<Setup>(&json).expect("reads"), setup("gomoku", "turn=white", "B"));
}

#[test]
fn a_finished_game_is_no_setup() {
    let mut game = game("gomoku", "turn=white", "B");
    go_on(&mut game, "draw");
    assert_eq!(game.to_setup(), None);
    assert!(game.undo() && game.to_setup().is_some());
}

/// Every game of the data file: by play its captures, winner and board; the final board is no setup if it is won; the
/// board before the last stone is one, from which that stone leads to the same end.
#[test]
fn boards_of_pente_games_are_setups() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pente-games.tsv");
    let text = std::fs::read_to_string(path).expect("the data file");
    let at = |number: usize| Point::new((number % 19) as u8, 18 - (number / 19) as u8).expect("on the board");
    let rules = support::rules("pente opening=none");
    let mut games = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        games += 1;
        let fields: Vec<&str> = line.split('\t').collect();
        let &[moves, first, second, winner, board] = &fields[..] else { panic!("five fields: {line}") };
        let moves: Vec<Point> = moves.split(' ').map(|number| at(number.parse().expect("a number"))).collect();
        let mut played = Game::new(rules);
        moves.iter().for_each(|&at| played.place(at).expect("a legal stone"));
        check(&played, &format!("captured = {first} {second}"));
        assert_eq!(played.result().is_none(), winner == "0");
        let mut stones: Vec<(Point, Colour)> = (board.chars().enumerate())
            .filter_map(|(number, cell)| match cell {
                'X' => Some((at(number), Colour::White)),
                'O' => Some((at(number), Colour::Black)),
                _ => None,
            })
            .collect();
        stones.sort_unstable();
        assert_eq!(stones_of(&played), stones);

        let setup = setup_of(&played, stones);
        match (played.result(), Game::from_setup(&setup)) {
            (None, Ok(loaded)) => assert_eq!(loaded.state_bytes(), played.state_bytes()),
            (Some(_), Err(SetupError::AlreadyWon(_) | SetupError::LineStands(..))) => {}
            (result, loaded) => panic!("{result:?}, as a setup {:?}", loaded.err()),
        }
        let mut before = played.clone();
        assert!(before.undo());
        let mut loaded = Game::from_setup(&setup_of(&before, stones_of(&before))).expect("a position");
        loaded.place(*moves.last().expect("a move")).expect("a legal stone");
        assert_eq!((loaded.state_bytes(), loaded.hash()), (played.state_bytes(), played.hash()));
    }
    assert_eq!(games, 300);
}

fn stones_of(game: &Game) -> Vec<(Point, Colour)> {
    game.rules().board().points().filter_map(|at| Some((at, game.stone(at)?))).collect()
}

/// A Pente position from its stones and totals.
fn setup_of(game: &Game, stones: Vec<(Point, Colour)>) -> Setup {
    let turn = if game.ply().is_multiple_of(2) { Colour::White } else { Colour::Black };
    let captured = [game.captured(Colour::Black), game.captured(Colour::White), 0, 0];
    Setup { captured, ..Setup::new(*game.rules(), stones, turn) }
}
