//! Single positions: the CPU wins at once where it can, stops a win where it can, takes and avoids captures.

use cpu::think;
use rules::{Action, Game, Outcome, Point, Preset, Rules};

const SEED: u64 = 7;

fn point(text: &str) -> Point {
    text.parse().expect("a point")
}

fn rules(preset: Preset, changes: &[(&str, &str)], seats: u8) -> Rules {
    let mut options = preset.options().for_seats(seats).0;
    for (name, value) in changes {
        options.set(name, value).expect("an option");
    }
    options.check(preset).expect("coherent")
}

/// The game after these stones, each taking what it can.
fn game(rules: Rules, stones: &str) -> Game {
    let actions: Vec<Action> = stones.split_whitespace().map(|at| Action::place(point(at))).collect();
    Game::replay(rules, &actions).expect("legal stones")
}

fn answer(game: &Game) -> Point {
    match think(game, 5, SEED, &mut || false) {
        Action::Place { at, .. } => at,
        other => panic!("{other:?} is no stone"),
    }
}

/// After `stones` the CPU must play one of `good`.
fn check(rules: Rules, stones: &str, good: &[&str]) {
    let game = game(rules, stones);
    let at = answer(&game).to_string();
    assert!(good.contains(&at.as_str()), "{stones}: {at} is none of {good:?}");
}

fn plain() -> Rules {
    rules(Preset::CaptureFive, &[], 2)
}

fn gomoku() -> Rules {
    rules(Preset::Gomoku, &[], 2)
}

#[test]
fn completes_a_line() {
    check(gomoku(), "H8 A1 I8 A3 J8 A5 K8 A7", &["G8", "L8"]);
    // A gap in the middle, and both directions count.
    check(gomoku(), "H8 A1 I8 A3 K8 A5 L8 A7", &["J8"]);
    // On a diagonal at the edge.
    check(gomoku(), "A1 H1 B2 H3 C3 J1 D4 J3", &["E5"]);
}

#[test]
fn wins_before_it_stops() {
    check(gomoku(), "H8 H9 I8 I9 J8 J9 K8 K9", &["G8", "L8"]);
}

/// H7 makes five, and takes H5 and H6: white's six becomes five as well, and nobody wins.
#[test]
fn a_five_whose_capture_makes_the_others_five_is_no_win() {
    let stones = "H4 C5 D7 D5 E7 E5 F7 G5 G7 H5 D12 H6 E12 C7 F12 C12 G12 F5";
    check(plain(), stones, &["H12"]);
}

#[test]
fn stops_a_line() {
    check(gomoku(), "H8 G8 I8 A3 J8 A5 K8", &["L8"]);
    check(gomoku(), "H8 A1 I8 A3 K8 O15 L8", &["J8"]);
    // In the corner only one end is left.
    check(gomoku(), "A1 H8 A2 J9 A3 K4 A4", &["A5"]);
}

#[test]
fn a_line_that_would_be_too_long_is_no_win_and_needs_no_stopping() {
    // Black has F8 to I8 and K8: J8 would make six, E8 five.
    check(plain(), "F8 A1 G8 A3 H8 A5 I8 A7 K8 A9", &["E8"]);
}

#[test]
fn stops_an_open_three() {
    check(gomoku(), "H8 A1 I8 O15 J8", &["G8", "K8", "F8", "L8"]);
}

#[test]
fn takes_the_last_stones_that_win() {
    // Black takes white's pairs again and again; the fifth pair is on the board.
    let stones = "H8 I8 A1 J8 K8 I10 A3 J10 H10 A15 K10 I12 H12 J12 K12 I14 H14 J14 K14 I6 H6 J6";
    let game = game(plain(), stones);
    assert_eq!(game.captured(rules::Colour::Black), 8, "{stones}");
    assert_eq!(answer(&game), point("K6"));
}

#[test]
fn takes_a_pair() {
    check(plain(), "H8 I8 A1 J8", &["K8"]);
}

#[test]
fn captures_that_break_a_line_stop_it_too() {
    // White's open four cannot be stopped at its ends; taking I8 and I9 from between I10 and I7 breaks it.
    check(plain(), "I10 H8 A15 I8 O15 J8 A1 K8 O1 I9", &["I7"]);
}

#[test]
fn makes_no_pair_that_can_be_taken() {
    // Beside H8 toward the open side stands G8: a second stone at I8 would be taken from J8.
    let game = game(plain(), "H8 G8");
    assert_ne!(answer(&game), point("I8"));
    let game = self::game(plain(), "H8 G7");
    assert_ne!(answer(&game), point("I9"));
}

#[test]
fn saves_a_pair_or_makes_it_costly() {
    // White threatens to take H8 and I8 from J8; black must not leave it there.
    let game = game(plain(), "H8 G8 I8 A1 O15 A15");
    let mut after = game.clone();
    after.play(&think(&game, 6, SEED, &mut || false)).expect("legal");
    assert!(after.groups(point("J8")).is_empty(), "{:?}", after.actions().last());
}

#[test]
fn three_seats_line_up_four() {
    let three = rules(Preset::CaptureFive, &[], 3);
    check(three, "H8 A1 A15 I8 C1 A13 J8 E1 A11", &["G8", "K8"]);
}

#[test]
fn the_next_enemy_but_one_is_stopped_too() {
    let three = rules(Preset::CaptureFive, &[], 3);
    // White moves; black, who moves after blue, needs one of two points: each of its enemies has to stop one.
    check(three, "H8 A2 A15 I8 C1 A13 J8", &["G8", "K8"]);
}

#[test]
fn answers_at_once_when_told_to_stop() {
    let game = game(gomoku(), "H8 A1 I8 A3 J8 A5 K8 A7");
    let Action::Place { at, .. } = think(&game, 1, SEED, &mut || true) else { panic!("a stone") };
    assert!(game.check(at).is_ok());
}

#[test]
fn the_first_stone_is_in_the_middle() {
    check(plain(), "", &["H8"]);
    check(rules(Preset::Pente, &[], 2), "", &["J10"]);
}

#[test]
fn swap2_is_played_from_both_sides() {
    let rules = rules(Preset::PenteSwap2, &[], 2);
    let mut game = Game::new(rules);
    let mut choices = 0;
    while game.result().is_none() && game.ply() < 12 {
        let action = think(&game, 5, SEED, &mut || false);
        choices += u32::from(!matches!(action, Action::Place { .. }));
        game.play(&action).expect("the CPU's action is legal");
    }
    assert!(choices >= 1);
}

#[test]
fn a_full_board_is_played_to_its_end() {
    let mut game = Game::new(rules(Preset::Gomoku, &[("board", "9")], 2));
    while game.result().is_none() {
        game.play(&think(&game, 1, SEED, &mut || false)).expect("legal");
    }
    assert!(matches!(game.result(), Some(Outcome::Draw(_) | Outcome::Win { .. })));
}
