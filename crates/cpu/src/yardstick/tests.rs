use proptest::prelude::*;
use rules::example::{at, game, names};
use rules::{Action, Colour, Game, OptionName, Outcome, Preset, Rules};

use super::{near, novice, playouts, random};

/// One of the simple players, with few playouts.
fn act(player: usize, game: &Game, seed: u64) -> Action {
    match player % 3 {
        0 => playouts(game, 150, seed, &mut || false),
        1 => novice(game, seed),
        _ => random(game, seed),
    }
}

/// Any coherent rules: options drawn by these numbers, those that clash put back one by one.
fn rules_of(picks: &[usize]) -> Rules {
    let mut options = Preset::Custom.options();
    for (name, pick) in OptionName::ALL.into_iter().zip(picks) {
        let before = options;
        let values = name.values();
        options.set(name.name(), values[pick % values.len()]).expect("a known value");
        if options.check(Preset::Custom).is_err() {
            options = before;
        }
    }
    options.check(Preset::Custom).expect("each step was coherent")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_action_is_legal_under_any_rules_and_the_same_again(
        picks in prop::collection::vec(0usize..8, OptionName::ALL.len()),
        seed in any::<u64>(),
        first in 0usize..3,
    ) {
        let mut game = Game::new(rules_of(&picks));
        for step in first.. {
            if game.result().is_some() || game.ply() > 60 {
                break;
            }
            let action = act(step, &game, seed);
            prop_assert_eq!(&action, &act(step, &game, seed), "not the same again");
            prop_assert!(game.play(&action).is_ok(), "{:?} after {:?}", action, game.actions());
        }
    }
}

/// The action is one of these points.
fn check(action: &Action, of: &str) {
    let Action::Place { at, .. } = action else { panic!("{action:?}") };
    let point = at.to_string();
    assert!(of.split(' ').any(|allowed| allowed == point), "{point} is none of {of}");
}

#[test]
fn the_novice_completes_blocks_and_lengthens() {
    for (rules, stones, expected) in [
        // Its own five before the enemy's.
        ("gomoku", "D4 D6 E4 E6 F4 F6 G4 G6", "C4 H4"),
        // An enemy's four, also with a gap.
        ("gomoku", "A1 D6 C1 E6 O1 F6 O15 H6", "G6"),
        // A six is no line here, so it is neither made nor blocked.
        ("gomoku overline=no-win", "D4 A2 E4 C2 F4 E2 H4 G2 I4 O2", "J4 C4 E5 F5 G5 H5 E3 F3 G3 H3 D5 D3 I5 I3"),
        // The longest row, not towards the edge where no line fits.
        ("gomoku", "H8 A1 I8 C1", "G8 J8"),
        // With three sides four make a line; a later enemy's is seen, and the next one's comes first.
        ("capture-five seats=3", "A1 A15 D10 C1 C15 E10 O1 O15 F10", "C10 G10"),
        ("capture-five seats=3", "A1 D6 D10 C1 E6 E10 O1 F6 F10", "C6 G6"),
    ] {
        let game = game(rules, stones);
        for seed in 0..8 {
            check(&novice(&game, seed), expected);
        }
    }
}

#[test]
fn playouts_win_and_stop_a_win() {
    for (rules, stones, expected) in [
        ("gomoku", "D4 D6 E4 E6 F4 F6 G4 G6", "C4 H4"),
        ("gomoku", "A1 D6 C1 E6 O1 F6 O15 G6 C6 A15", "H6"),
        // The pair that is missing to ten stones.
        (
            "capture-five",
            "D4 E4 G4 F4 A1 E6 C1 F6 D6 K1 G6 K2 A3 E8 D8 F8 G8 K4 A5 E10 D10 F10 G10 K6 A7 E12 D12 F12",
            "G12",
        ),
    ] {
        let game = game(rules, stones);
        check(&playouts(&game, 10_000, 1, &mut || false), expected);
    }
}

#[test]
fn playouts_end_when_told_to_and_still_answer() {
    let game = game("gomoku", "H8 I9");
    let mut asked = 0;
    let action = playouts(&game, u32::MAX, 7, &mut || {
        asked += 1;
        asked == 20
    });
    check(&action, &names(&near::near(&game)));
    assert_eq!(asked, 20);
}

#[test]
fn without_a_single_playout_there_is_an_answer() {
    for (rules, stones) in [("gomoku", ""), ("gomoku", "H8"), ("pente-swap2", ""), ("pente-swap2", "J10 K10 K11")] {
        let mut game = game(rules, stones);
        let action = playouts(&game, 0, 3, &mut || true);
        game.play(&action).expect("legal");
    }
}

#[test]
fn the_chooser_takes_the_better_colour_or_adds() {
    // Black has three in a row and white two stones far apart.
    let lopsided = game("gomoku opening=place-four", "H8 A1 I8 O15");
    assert_eq!(playouts(&lopsided, 2_000, 1, &mut || false), Action::Choose(Colour::Black));
    let open = game("pente-swap2", "A1 C1 E1");
    assert_eq!(playouts(&open, 2_000, 1, &mut || false), Action::Add);
}

#[test]
fn the_novice_and_playouts_beat_random() {
    for better in [0, 1] {
        for seed in 0..6u64 {
            let mut game = Game::new(Rules::of(Preset::Gomoku));
            let first = (seed % 2) as u8;
            while let Some(turn) = game.turn() {
                let player = if turn.player == first { better } else { 2 };
                game.play(&act(player, &game, seed)).expect("legal");
            }
            let Some(Outcome::Win { winners, .. }) = game.result() else { panic!("{:?}", game.result()) };
            assert_eq!(winners, &[game.colour_of(first)], "player {better}, seed {seed}");
        }
    }
}

#[test]
fn the_centre_is_where_everybody_begins() {
    let empty = game("gomoku", "");
    assert_eq!(novice(&empty, 1), Action::place(at("H8")));
    assert_eq!(playouts(&empty, 10, 1, &mut || false), Action::place(at("H8")));
}
