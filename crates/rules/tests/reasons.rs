//! Reasons for forbidden points, each proved from scratch on the board as it stands.

mod support;

use std::cell::Cell;

use proptest::prelude::*;
use rules::{
    Because, Colour, Flanked, Forbidden, Four, Game, Group, IntoFlank, Opening, Overline, Point, Preset, Reason,
    Refusal, Rules, Three,
};
use support::cells::{AXES, Cells};
use support::random::{any_rules, over_games, play_all};
use support::{check, drawn, point};

const BLACK: Colour = Colour::Black;

fn points(text: &str) -> Vec<Point> {
    text.split(',').map(point).collect()
}

/// Whether a run of this length is a winning line of the colour.
fn wins(game: &Game, colour: Colour, length: usize) -> bool {
    let options = game.rules().options();
    let exact = options.overline == Overline::NoWin || (options.forbidden == Forbidden::Renju && colour == BLACK);
    if exact { length == 5 } else { length >= 5 }
}

/// The axis along which these points follow each other.
fn axis_of(cells: &Cells, points: &[Point]) -> Option<(i16, i16)> {
    AXES.into_iter().find(|&axis| {
        let at = |n: usize| cells.step(points[0], axis, n as i16);
        (1..points.len()).all(|n| at(n).is_some_and(|next| points.contains(&next)))
            || (1..points.len()).all(|n| {
                cells.step(points[points.len() - 1], axis, n as i16).is_some_and(|next| points.contains(&next))
            })
    })
}

/// The board that shapes are judged on: the stone placed and its captures done.
fn judged(game: &Game, at: Point, assumes: &[Group]) -> Result<Cells, TestCaseError> {
    let own = game.turn().expect("a turn").colour;
    let mut cells = Cells::of(game).with(at, Some(own));
    for &taken in assumes.iter().flat_map(|Group(points)| points) {
        let stone = Cells::of(game).at(taken);
        prop_assert!(stone.is_some() && stone != Some(own), "{} is no enemy's", taken);
        cells = cells.with(taken, None);
    }
    Ok(cells)
}

/// Whether `add` makes an open four on this axis that holds it and the stone on `at`.
fn makes_open_four(game: &Game, cells: &Cells, at: Point, add: Point, axis: (i16, i16)) -> bool {
    let own = cells.at(at).expect("the stone");
    if cells.at(add).is_some() {
        return false;
    }
    let four = cells.with(add, Some(own));
    let run = four.run(add, axis);
    let ends = [four.step(run[0], axis, -1), four.step(run[run.len() - 1], axis, 1)];
    run.len() == 4
        && run.contains(&at)
        && ends.into_iter().all(|end| {
            four.is_empty(end) && end.is_some_and(|end| wins(game, own, four.with(end, Some(own)).run(end, axis).len()))
        })
}

fn prove_threes(game: &Game, at: Point, reason: &Reason, threes: &[Three]) -> Result<(), TestCaseError> {
    let own = game.turn().expect("a turn").colour;
    let cells = judged(game, at, &reason.assumes)?;
    prop_assert!(threes.len() >= 2);
    let mut axes = Vec::new();
    for Three { stones, adds } in threes {
        prop_assert!(stones.contains(&at) && stones.len() >= 3 && !adds.is_empty());
        prop_assert!(stones.iter().all(|&stone| cells.at(stone) == Some(own)));
        let makes = |axis: &(i16, i16)| adds.iter().all(|&add| makes_open_four(game, &cells, at, add, *axis));
        let axis = AXES.into_iter().find(makes);
        prop_assert!(axis.is_some(), "{:?} makes no open fours of {:?}", adds, stones);
        let axis = axis.expect("just checked");
        prop_assert!(!axes.contains(&axis), "two threes on one axis");
        axes.push(axis);
        for &add in adds {
            let four = cells.with(add, Some(own)).run(add, axis);
            prop_assert!(four.iter().all(|stone| *stone == add || stones.contains(stone)));
        }
        if game.rules().options().forbidden != Forbidden::Renju {
            let mut all = cells.along(at, axis);
            all.retain(|&add| makes_open_four(game, &cells, at, add, axis));
            all.sort_unstable();
            prop_assert_eq!(adds, &all, "every stone that makes an open four is named");
        }
    }
    Ok(())
}

fn prove_fours(game: &Game, at: Point, reason: &Reason, fours: &[Four]) -> Result<(), TestCaseError> {
    let own = game.turn().expect("a turn").colour;
    let cells = judged(game, at, &reason.assumes)?;
    prop_assert!(fours.len() >= 2);
    for Four { stones, adds } in fours {
        prop_assert!(stones.len() == 4 && stones.contains(&at));
        prop_assert!(stones.iter().all(|&stone| cells.at(stone) == Some(own)));
        for &add in adds {
            prop_assert!(cells.at(add).is_none());
            let five = cells.with(add, Some(own));
            let made = AXES
                .into_iter()
                .map(|axis| five.run(add, axis))
                .any(|run| run.len() == 5 && stones.iter().all(|stone| run.contains(stone)));
            prop_assert!(made, "{} makes no five of {:?}", add, stones);
        }
    }
    let mut named: Vec<Point> = fours.iter().flat_map(|four| four.adds.clone()).collect();
    named.sort_unstable();
    let all: Vec<Point> = game
        .rules()
        .board()
        .points()
        .filter(|&add| cells.at(add).is_none())
        .filter(|&add| {
            let five = cells.with(add, Some(own));
            AXES.into_iter().map(|axis| five.run(add, axis)).any(|run| run.len() == 5 && run.contains(&at))
        })
        .collect();
    prop_assert_eq!(named, all, "every stone that makes a five is named");
    Ok(())
}

fn prove_flanks(game: &Game, at: Point, flanks: &[Flanked]) -> Result<(), TestCaseError> {
    let own = game.turn().expect("a turn").colour;
    let cells = Cells::of(game).with(at, Some(own));
    let longest = if game.rules().options().capture_threes { 3 } else { 2 };
    prop_assert!(!flanks.is_empty());
    for Flanked { by, stretch, ends } in flanks {
        prop_assert!((2..=longest).contains(&stretch.len()) && stretch.contains(&at) && *by != own);
        prop_assert!(ends.iter().all(|&end| cells.at(end) == Some(*by)), "the ends are {}'s", by.name());
        prop_assert!(stretch.iter().all(|&stone| cells.at(stone).is_some_and(|colour| colour != *by)));
        let whole: Vec<Point> = [ends[0]].into_iter().chain(stretch.iter().copied()).chain([ends[1]]).collect();
        prop_assert!(axis_of(&cells, &whole).is_some(), "{:?} is not in line", whole);
    }
    Ok(())
}

/// A reason's structure holds on the board, and fits its refusal.
fn prove(game: &Game, at: Point, reason: &Reason) -> Result<(), TestCaseError> {
    let options = game.rules().options();
    let own = game.turn().expect("a turn").colour;
    match (&reason.because, reason.refusal) {
        (Because::Centre(centre), Refusal::Opening) => {
            prop_assert_eq!((game.ply(), *centre), (0, game.rules().board().centre()));
        }
        (Because::Ring { centre, least, points }, Refusal::Opening) => {
            prop_assert_eq!(*least, if options.opening == Opening::Centre { 3 } else { 4 });
            prop_assert!(points.contains(&at) && points.contains(centre));
            prop_assert_eq!(points.len(), usize::from(2 * least - 1).pow(2));
        }
        (Because::Flanks(flanks), Refusal::IntoFlank) => {
            prop_assert_eq!(options.into_flank, IntoFlank::NotAllowed);
            prove_flanks(game, at, flanks)?;
        }
        (Because::Threes(threes), Refusal::DoubleThree) => prove_threes(game, at, reason, threes)?,
        (Because::Fours(fours), Refusal::DoubleFour) => prove_fours(game, at, reason, fours)?,
        (Because::Overline(runs), Refusal::Overline) => {
            let cells = Cells::of(game).with(at, Some(own));
            for run in runs {
                let mut runs = AXES.into_iter().map(|axis| cells.run(at, axis));
                let whole = runs.any(|mut all| {
                    all.sort_unstable();
                    all == *run
                });
                prop_assert!(run.len() >= 6 && whole);
            }
        }
        (because, refusal) => prop_assert!(false, "{refusal:?} because of {because:?}"),
    }
    let points = reason.points();
    prop_assert!(points.is_sorted() && !points.is_empty());
    Ok(())
}

/// Any rules that forbid something.
fn strict_rules() -> impl Strategy<Value = Rules> {
    (any_rules(), prop::sample::select(vec!["double-three-both", "renju"]), prop::bool::ANY).prop_map(
        |(rules, forbidden, all)| {
            let mut options = if forbidden == "renju" { *support::rules("wuziqi").options() } else { *rules.options() };
            if !options.teams {
                options.seats = 2;
            }
            options.set("forbidden", forbidden).expect("a known value");
            if all { options.check(Preset::Custom).unwrap_or(rules) } else { rules }
        },
    )
}

#[test]
fn every_forbidden_point_has_a_reason_that_holds() {
    let kinds: [Cell<usize>; 7] = Default::default();
    over_games(2500, strict_rules(), |rules, choices| {
        let mut positions = 0;
        play_all(rules, &choices, |game| {
            // Every sixth position is enough, and those where the second stone keeps its distance.
            positions += 1;
            if positions % 6 != 1 && game.ply() != 2 {
                return Ok(());
            }
            let illegal = game.illegal();
            for at in rules.board().points() {
                let reason = game.reason(at);
                prop_assert_eq!(reason.is_some(), illegal.contains(&at), "{}", at);
                let Some(reason) = reason else { continue };
                prop_assert_eq!(game.check(at), Err(reason.refusal));
                prove(game, at, &reason)?;
                let kind = match reason.because {
                    Because::Centre(_) => 0,
                    Because::Ring { .. } => 1,
                    Because::Flanks(_) => 2,
                    Because::Threes(_) => 3,
                    Because::Fours(_) => 4,
                    Because::Overline(_) => 5,
                };
                kinds[kind].set(kinds[kind].get() + 1);
                kinds[6].set(kinds[6].get() + usize::from(!reason.assumes.is_empty()));
            }
            Ok(())
        })
        .map(|_| ())
    });
    let kinds = kinds.map(Cell::into_inner);
    assert!(kinds.iter().all(|&count| count >= 10), "reasons of each kind, and those after captures: {kinds:?}");
}

/// The reason for a point of a drawing whose lower left corner is D4, proved.
fn reason(rules: &str, to_move: Colour, picture: &str, at: &str) -> Reason {
    reason_in(&drawn(rules, to_move, "D4", picture), at)
}

fn reason_in(game: &Game, at: &str) -> Reason {
    let reason = game.reason(point(at)).unwrap_or_else(|| panic!("{at} is legal:\n{}", support::drawing(game)));
    prove(game, point(at), &reason).unwrap_or_else(|error| panic!("{error}\n{}", support::drawing(game)));
    reason
}

fn three(stones: &str, adds: &str) -> Three {
    Three { stones: points(stones), adds: points(adds) }
}

fn four(stones: &str, adds: &str) -> Four {
    Four { stones: points(stones), adds: points(adds) }
}

#[test]
fn a_flank_names_its_ends_and_its_stretch() {
    let rules = "capture-five into_flank=not-allowed";
    let flank = |by, stretch: &str, ends: [&str; 2]| Flanked { by, stretch: points(stretch), ends: ends.map(point) };
    let found = reason(rules, BLACK, "WB.W", "F4");
    assert_eq!(found.because, Because::Flanks(vec![flank(Colour::White, "E4,F4", ["D4", "G4"])]));
    assert!(found.assumes.is_empty());
    // Two enemies at once, one on each axis.
    let two = "
        ..U.
        ....
        WB.W
        ..W.
        ..U.";
    let rules = "capture-five seats=3 into_flank=not-allowed";
    let game = drawn(rules, BLACK, "D4", two);
    check(&game, "check F6 = IntoFlank");
    let found = reason(rules, BLACK, two, "F6");
    assert_eq!(found.because, Because::Flanks(vec![flank(Colour::White, "E6,F6", ["D6", "G6"])]));
    let found = reason(rules, BLACK, &two.replacen("....", "..W.", 1), "F6");
    let by_blue = flank(Colour::Blue, "F5,F6,F7", ["F4", "F8"]);
    assert_eq!(found.because, Because::Flanks(vec![flank(Colour::White, "E6,F6", ["D6", "G6"])]), "three is too many");
    let threes = "capture-five seats=3 into_flank=not-allowed capture_threes=true";
    let found = reason(threes, BLACK, &two.replacen("....", "..W.", 1), "F6");
    assert_eq!(found.because, Because::Flanks(vec![flank(Colour::White, "E6,F6", ["D6", "G6"]), by_blue]));
}

/// E4 makes a three of F4 and G4, and one of E6 and E7.
const TEE: &str = "
    .B....
    .B....
    ......
    ..BB..";

#[test]
fn a_double_three_names_each_three_and_the_stones_that_make_open_fours() {
    let found = reason("capture-five forbidden=double-three-first", BLACK, TEE, "E4");
    let expected = vec![three("E4,F4,G4", "D4,H4"), three("E4,E6,E7", "E5")];
    assert_eq!(found.because, Because::Threes(expected.clone()));
    assert_eq!(found.points(), points("E4,F4,G4,E6,E7"));
    let found = reason("wuziqi forbidden=renju overline=no-win", BLACK, TEE, "E4");
    assert_eq!(found.because, Because::Threes(expected));
}

/// The double three is judged after the captures: taking E2 and E3 opens the three on column E. With optional
/// captures and no legal choice the reason is that of taking everything.
#[test]
fn a_double_three_says_which_captures_it_assumes() {
    let opened = "
        B..
        B..
        .BB
        W..
        W..
        B..";
    let forced = "capture-five forbidden=double-three-first";
    let assumed = vec![Group(points("D6,D5").into_iter().rev().collect())];
    let found = reason(forced, BLACK, opened, "D7");
    assert_eq!((&found.assumes, found.refusal), (&assumed, Refusal::DoubleThree));
    let optional = "capture-five forbidden=double-three-first forced_capture=false";
    let game = drawn(optional, BLACK, "D4", opened);
    check(&game, "check D7 = -");
    // Taking C6 and D5 changes nothing about the threes: no choice is legal.
    let beside = "
        B..B..
        .W.B..
        ..W...
        ....BB";
    let found = reason_in(&drawn(optional, BLACK, "B4", beside), "E4");
    assert_eq!(found.assumes, vec![Group(points("D5,C6"))]);
    let Because::Threes(threes) = found.because else { panic!("{found:?}") };
    assert_eq!(threes.len(), 2);
}

/// D4 is a double three itself, so that the row can only become a straight four by way of H4's side.
#[test]
fn renju_names_only_stones_that_black_may_place() {
    let nested = "
        ..B.....
        B.B..B..
        .B..B...
        ....BB..";
    let game = drawn("wuziqi forbidden=renju overline=no-win", BLACK, "B4", nested);
    let found = reason_in(&game, "E4");
    let Because::Threes(threes) = found.because else { panic!("{found:?}") };
    let row = threes.iter().find(|three| three.stones == points("E4,F4,G4")).expect("the row's three");
    assert_eq!(row.adds, points("H4"));
}

#[test]
fn a_double_four_names_its_fours_and_the_points_that_complete_them() {
    let rules = "wuziqi forbidden=renju overline=no-win";
    let found = reason(rules, BLACK, "BBB...BBB", "H4");
    let expected = vec![four("D4,E4,F4,H4", "G4"), four("H4,J4,K4,L4", "I4")];
    assert_eq!(found.because, Because::Fours(expected));
    let two_axes = "
        ....W
        ....B
        ....B
        ....B
        WBBB.
        .....";
    let found = reason(rules, BLACK, two_axes, "H5");
    let expected = vec![four("E5,F5,G5,H5", "I5"), four("H5,H6,H7,H8", "H4")];
    assert_eq!(found.because, Because::Fours(expected));
    // An open four counts once and has two points to add.
    let open = "
        .....W
        .....B
        .....B
        .....B
        ..BBB.
        ......";
    let found = reason(rules, BLACK, open, "I5");
    assert_eq!(found.because, Because::Fours(vec![four("F5,G5,H5,I5", "E5,J5"), four("I5,I6,I7,I8", "I4")]));
}

#[test]
fn an_overline_names_its_run() {
    let found = reason("wuziqi forbidden=renju overline=no-win", BLACK, "BBB.BB", "G4");
    assert_eq!(found.because, Because::Overline(vec![points("D4,E4,F4,G4,H4,I4")]));
}
