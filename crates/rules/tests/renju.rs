//! RULES.md, section 6 *Renju*.

mod support;

use std::path::Path;

use rules::{Because, Colour, Game, Point, Refusal, Setup};
use support::{check, drawn, go_on, played, refuses, rules};

const RENJU: &str = "wuziqi forbidden=renju";
const EXACT: &str = "wuziqi forbidden=renju overline=no-win";

/// What `check` says of a point for black, in a drawing whose lower left corner is D4.
#[track_caller]
fn case(picture: &str, at: &str, expected: &str) {
    for rules in [RENJU, EXACT] {
        check(&drawn(rules, Colour::Black, "D4", picture), &format!("check {at} = {expected}"));
    }
}

#[test]
fn overlines_may_not_be_made() {
    case("BBB.BB", "G4", "Overline");
    case("BBB.BBB", "G4", "Overline");
    case("BBB.B", "G4", "-");
    let game = drawn(RENJU, Colour::Black, "D4", "BBB.BB");
    check(&game, "reason G4 = Overline D4,E4,F4,G4,H4,I4; illegal = G4");
    refuses(&game, "G4", Refusal::Overline);
}

#[test]
fn exactly_five_wins_whatever_else_it_makes() {
    let with_overline = "
        .....B
        .....B
        .....B
        .BBBB.
        .....B
        .....B";
    let mut game = drawn(RENJU, Colour::Black, "D4", with_overline);
    go_on(&mut game, "I6");
    check(&game, "result = black by line; lines = black E6,F6,G6,H6,I6");
}

#[test]
fn two_fours_may_not_be_made_also_on_one_axis() {
    let crossing = "
        .B....
        .B....
        .B....
        ..BBB.";
    case(crossing, "E4", "DoubleFour");
    case("BBB...BBB", "H4", "DoubleFour");
    case("B.BB..B", "H4", "DoubleFour");
    case("B.B.BW", "G4", "-");
    // An open four counts once.
    case("..BB.B.", "H4", "-");
    let game = drawn(RENJU, Colour::Black, "D4", crossing);
    check(&game, "reason E4 = DoubleFour E4,F4,G4,H4,E5,E6,E7");
}

#[test]
fn two_threes_may_not_be_made() {
    let crossing = "
        .B...
        .B...
        .....
        ..BB.";
    case(crossing, "E4", "DoubleThree");
    case(&crossing.replace("..BB.", "..BBW"), "E4", "-");
    let game = drawn(RENJU, Colour::Black, "D4", crossing);
    check(&game, "reason E4 = DoubleThree E4,F4,G4,E6,E7");
    let four_three = "
        .B....
        .B....
        ......
        ..BBB.";
    case(four_three, "E4", "-");
}

#[test]
fn white_is_free_and_moves_where_black_may_not() {
    let crossing = "
        .W...
        .W...
        .....
        ..WW.";
    let game = drawn(RENJU, Colour::White, "D4", crossing);
    check(&game, "check E4 = -; illegal = -");
    let game = drawn(RENJU, Colour::White, "D4", &crossing.replace('W', "B"));
    check(&game, "illegal = -; check E4 = -; reason E4 = -");
}

#[test]
fn without_the_option_black_is_free() {
    check(&played("wuziqi", ""), "illegal = -");
    let mut free = drawn("wuziqi", Colour::Black, "D4", "BBB.BB");
    go_on(&mut free, "G4");
    check(&free, "result = black by line");
}

fn kind(label: &str) -> Refusal {
    match label {
        "33" => Refusal::DoubleThree,
        "44" => Refusal::DoubleFour,
        "6" => Refusal::Overline,
        other => panic!("no kind: {other}"),
    }
}

/// The position of a board in one text, top row first.
fn position(board: &str, black: char, white: char, turn: Colour) -> Game {
    let cells = board.chars().enumerate().filter_map(|(index, cell)| {
        let colour = match cell {
            cell if cell == black => Colour::Black,
            cell if cell == white => Colour::White,
            _ => return None,
        };
        Some((Point::new((index % 15) as u8, 14 - (index / 15) as u8).expect("on the board"), colour))
    });
    let setup = Setup::new(rules(RENJU), cells.collect(), turn);
    Game::from_setup(&setup).unwrap_or_else(|error| panic!("{error}\n{setup}"))
}

/// `x,y:kind`, y from the top.
fn entry(text: &str) -> (Point, Refusal) {
    let (at, label) = text.split_once(':').expect("x,y:kind");
    let (x, y) = at.split_once(',').expect("x,y");
    let (x, y): (u8, u8) = (x.parse().expect("x"), y.parse().expect("y"));
    (Point::new(x, 14 - y).expect("on the board"), kind(label))
}

/// Every line of the data file: the forbidden points, and their kinds. A point with several is labelled 44, then
/// 33, then 6 there, and 33, then 44, then 6 by the rules.
#[test]
fn forbidden_points_agree_with_the_data() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/renju-forbidden.tsv");
    let text = std::fs::read_to_string(path).expect("the data file");
    let mut positions = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        positions += 1;
        let (board, expected) = line.split_once('\t').unwrap_or((line, ""));
        let game = position(board, 'X', 'O', Colour::Black);
        let mut expected: Vec<(Point, Refusal)> = expected.split_whitespace().map(entry).collect();
        expected.sort_unstable_by_key(|&(at, _)| at);
        let points: Vec<Point> = expected.iter().map(|&(at, _)| at).collect();
        assert_eq!(game.illegal(), points, "{}", support::drawing(&game));
        for (at, label) in expected {
            let reason = game.reason(at).expect("a reason");
            let also_double_three = label == Refusal::DoubleFour && reason.refusal == Refusal::DoubleThree;
            assert!(
                reason.refusal == label || also_double_three,
                "{at} {:?}\n{}",
                reason.refusal,
                support::drawing(&game)
            );
            let shapes = match &reason.because {
                Because::Threes(threes) => threes.len(),
                Because::Fours(fours) => fours.len(),
                Because::Overline(runs) => runs.len() + 1,
                Because::Centre(_) | Because::Ring { .. } | Because::Flanks(_) => 0,
            };
            assert!(shapes >= 2, "{at} because of {:?}", reason.because);
            assert!(reason.points().contains(&at), "{at} is not among {:?}", reason.points());
            assert!(reason.points().iter().all(|&stone| stone == at || game.stone(stone) == Some(Colour::Black)));
        }
    }
    assert_eq!(positions, 1500);
}

/// Every problem of the data file is a position; its solution can be played in it, and ends with a threat to win.
#[test]
fn problems_are_positions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/renju-vcf-problems.json");
    let text = std::fs::read_to_string(path).expect("the data file");
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let problems = file["problems"].as_array().expect("problems");
    assert_eq!(problems.len(), 11);
    for problem in problems {
        let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
        assert_eq!((problem["x"].as_str(), problem["o"].as_str()), (Some("white"), Some("black")));
        let rows: Vec<String> = problem["rows_top15_first"].as_array().expect("rows").iter().map(text).collect();
        let solver = Colour::from_name(&text(&problem["solver_calls"][0][2]).to_lowercase()).expect("black or white");
        let mut game = position(&rows.concat(), 'o', 'x', solver);
        go_on(&mut game, &text(&problem["solution"]).replace(',', " "));
        let again = Setup { turn: solver, ply: None, ..game.to_setup().expect("it goes on") };
        let again = Game::from_setup(&again).expect("a position");
        assert!(again.rules().board().points().any(|at| again.would_win(at)), "{}", support::drawing(&again));
    }
}

/// RIF 9.2: a four is of exactly five, so that one whose only five would be an overline is none.
#[test]
fn a_four_that_can_only_become_an_overline_is_none() {
    // With G4 row 4 has E4 F4 G4 H4: D4 and I4 would each make a five, but beyond them stand more stones.
    let crossing = |row: &str| format!("...B....\n...B....\n...B....\n{row}");
    case(&crossing(".BB.B..."), "G4", "DoubleFour");
    case(&crossing("WBB.B.B."), "G4", "-");
    case(&crossing("WBB.B..B"), "G4", "DoubleFour");
    case(&crossing("WBB.BW.."), "G4", "-");
}

/// RIF 9.3: a straight four has a five at each end; where a stone beyond makes it an overline, or an end is closed, it
/// is none.
#[test]
fn a_three_without_two_exact_fives_is_none() {
    let crossing = |row: &str| format!("...B......\n...B......\n..........\n{row}");
    check(&drawn(RENJU, Colour::Black, "B4", &crossing("....BB....")), "check E4 = DoubleThree");
    check(&drawn(RENJU, Colour::Black, "B4", &crossing("B...BB..B.")), "check E4 = -");
    check(&drawn(RENJU, Colour::Black, "B4", &crossing("B...BB..W.")), "check E4 = DoubleThree");
    check(&drawn(RENJU, Colour::Black, "B4", &crossing("W...BB..W.")), "check E4 = DoubleThree");
    check(&drawn(RENJU, Colour::Black, "B4", &crossing(".W..BB.W..")), "check E4 = -");
}

/// RIF 9.3: the stone that makes the straight four must itself be legal. Here it is not, for each of the causes, and
/// the double three is a pseudo one; with the cause taken away it is real.
#[test]
fn a_three_whose_straight_four_may_not_be_made_is_none() {
    // E4 makes a three of column E, and one of row 4 that becomes straight with D4 only, since I4 is white.
    let column_d = |column: &str| {
        let cells: Vec<char> = column.chars().collect();
        // Rows 8 to 1; column E holds E6 and E7.
        let rows = (0..8).map(|index| {
            let number = 8 - index;
            let e = if number == 6 || number == 7 { 'B' } else { '.' };
            let right = if number == 4 { "BB.W" } else { "...." };
            format!("..{}{e}{right}", cells[index])
        });
        rows.collect::<Vec<_>>().join("\n")
    };
    for (column, expected) in [
        ("........", "DoubleThree"),
        // D2 D3 . D5 D6 D7: an overline.
        (".BBB.BB.", "-"),
        // D5 D6 D7 with a white end at D8 and nothing below: one four beside the straight one, a double four.
        ("WBBB....", "-"),
        // D3 and D5, open: D4 would make a three there beside the straight four, which forbids nothing.
        ("...B.B..", "DoubleThree"),
        // D2 D3 . D5 D6 between white stones: D4 would make five, which is no straight four.
        (".WBB.BBW", "-"),
    ] {
        let game = drawn(RENJU, Colour::Black, "B1", &column_d(column));
        check(&game, &format!("check E4 = {expected}"));
    }
}

/// Black's five wins though it makes a double four and a double three as well; a five beats an overline.
#[test]
fn a_five_beats_every_fault() {
    let cases = [("BBBB.\n....B\n....B\n....B", "H7"), (".B.B.\n.BB..\nBB.BB\n..B..\n.B...", "F6")];
    for (picture, at) in cases {
        let mut game = drawn(RENJU, Colour::Black, "D4", picture);
        check(&game, &format!("check {at} = -"));
        go_on(&mut game, at);
        check(&game, "result = black by line");
    }
}

/// Forbidden points are marked for black, and a try changes nothing.
#[test]
fn a_forbidden_point_stays_blacks_turn() {
    let game = drawn(RENJU, Colour::Black, "D4", "BBB.BB");
    refuses(&game, "G4", Refusal::Overline);
    check(&game, "turn = 0 black place; illegal = G4");
    let mut white_there = game;
    go_on(&mut white_there, "A15 G4");
    check(&white_there, "at G4 = white; illegal = -");
}

/// After an opening the forbidden moves are the colour's, whoever holds it.
#[test]
fn the_restrictions_go_with_black() {
    let rules = "custom board=15 captures=off forbidden=renju opening=place-three";
    let game = played(rules, "F4 A1 G4 black A15 E6 O1 E7 O15");
    check(&game, "turn = 1 black place; check E4 = DoubleThree; illegal = E4");
    let kept = played(rules, "F4 A1 G4 white A15 E6 O1 E7 O15");
    check(&kept, "turn = 0 black place; check E4 = DoubleThree; illegal = E4");
}
