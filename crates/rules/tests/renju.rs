//! RULES.md, section 6 *Renju*.

mod support;

use std::path::Path;

use rules::{Colour, Game, Point, Refusal};
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

/// A position of these stones with black to move, in some order in which none is refused or wins.
fn arranged(black: &[Point], white: &[Point]) -> Option<Game> {
    const TRIES: u64 = 200;
    (0..TRIES).find_map(|seed| {
        let mut game = Game::new(rules(RENJU));
        let mut left = [black.to_vec(), white.to_vec()];
        let mut random = seed;
        while left.iter().any(|stones| !stones.is_empty()) {
            let stones = &mut left[usize::from(game.ply() % 2)];
            // Black's stones from another end each time, which is enough to find an order for most.
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed | 1);
            let turn = if stones.is_empty() { 0 } else { (random >> 33) as usize % stones.len() };
            stones.rotate_left(if seed == 0 { 0 } else { turn });
            let next = stones.iter().position(|&at| {
                let mut after = game.clone();
                after.place(at).is_ok() && after.result().is_none()
            })?;
            game.place(stones.remove(next)).ok()?;
        }
        (game.turn()?.colour == Colour::Black).then_some(game)
    })
}

/// Every line of the data file: the forbidden points, and their kinds. A point with several is labelled 44, then
/// 33, then 6 there, and 33, then 44, then 6 by the rules.
#[test]
fn forbidden_points_agree_with_the_data() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/renju-forbidden.tsv");
    let text = std::fs::read_to_string(path).expect("the data file");
    let (mut lines, mut skipped) = (0, Vec::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        lines += 1;
        let (board, expected) = line.split_once('\t').unwrap_or((line, ""));
        let at = |index: usize| Point::new((index % 15) as u8, 14 - (index / 15) as u8).expect("on the board");
        let of =
            |letter| board.chars().enumerate().filter(move |(_, cell)| *cell == letter).map(|(index, _)| at(index));
        let (black, white): (Vec<Point>, Vec<Point>) = (of('X').collect(), of('O').collect());
        let Some(game) = arranged(&black, &white) else {
            skipped.push(board);
            continue;
        };
        let mut expected: Vec<(Point, Refusal)> = expected
            .split_whitespace()
            .map(|entry| {
                let (at_text, label) = entry.split_once(':').expect("x,y:kind");
                let (x, y) = at_text.split_once(',').expect("x,y");
                let (x, y): (u8, u8) = (x.parse().expect("x"), y.parse().expect("y"));
                (Point::new(x, 14 - y).expect("on the board"), kind(label))
            })
            .collect();
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
            assert!(reason.points().contains(&at), "{at} is not among {:?}", reason.points());
            assert!(reason.points().iter().all(|&stone| stone == at || game.stone(stone) == Some(Colour::Black)));
        }
    }
    assert!(lines >= 1500, "the data file has {lines} positions");
    assert!(skipped.len() <= 5, "{} positions could not be reached by play", skipped.len());
}
