//! RULES.md, section 7: the openings of two seats.

mod support;

use rules::Refusal;
use support::{check, go_on, played, refuses};

#[test]
fn centre_puts_the_starters_stones_on_and_away_from_the_centre() {
    for (rules, centre, far, near) in [
        ("pente", "J10", ["M10", "J7", "G13", "A1"], ["K10", "L12", "H8", "J9"]),
        ("custom opening=centre", "H8", ["K8", "H5", "E11", "A1"], ["G7", "J10", "F6", "H9"]),
        ("custom opening=centre-far", "H8", ["L8", "H4", "D12", "A1"], ["K8", "H5", "E11", "G7"]),
        ("custom opening=centre board=9", "E5", ["H5", "E2", "B8", "A1"], ["G7", "D4", "F5", "C3"]),
    ] {
        let mut game = played(rules, "");
        refuses(&game, "A1", Refusal::Opening);
        refuses(&game, near[0], Refusal::Opening);
        let side = usize::from(game.rules().board().side());
        assert_eq!(game.illegal().len(), side * side - 1);
        check(&game, &format!("reason A1 = Opening {centre}"));
        go_on(&mut game, centre);
        refuses(&game, centre, Refusal::Occupied);
        assert!(game.illegal().is_empty(), "the second player may play anywhere");
        go_on(&mut game, "B1");
        for at in near {
            refuses(&game, at, Refusal::Opening);
        }
        for at in far {
            check(&game, &format!("check {at} = -"));
        }
        let forbidden = if rules.ends_with("far") { 7 * 7 } else { 5 * 5 };
        assert_eq!(game.illegal().len(), forbidden - 1, "the centre is occupied");
        assert_eq!(game.reason(support::point(near[0])).expect("a reason").points().len(), forbidden);
        go_on(&mut game, far[0]);
        assert!(game.illegal().is_empty());
    }
}

/// With `white-first`, white is the starter's colour; the rule is the starter's.
#[test]
fn centre_binds_the_starter_whatever_the_colour() {
    check(&played("pente", "J10 K11"), "turn = 0 white place; check J9 = Opening");
    check(&played("custom opening=centre", "H8 H9"), "turn = 0 black place; check H7 = Opening");
}

#[test]
fn place_four_lets_the_second_choose() {
    let rules = "custom opening=place-four";
    check(&played(rules, ""), "turn = 0 black place");
    check(&played(rules, "A1"), "turn = 0 white place");
    check(&played(rules, "A1 C3 E5"), "turn = 0 white place; at A1,C3,E5 = black white black");
    let game = played(rules, "A1 C3 E5 G7");
    check(&game, "turn = 1 black choose; illegal = -; groups A2 = -; ply = 4");
    refuses(&game, "H8", Refusal::NotAChoice);
    refuses(&game, "A1", Refusal::NotAChoice);
    refuses(&game, "add", Refusal::NotAChoice);
    refuses(&game, "blue", Refusal::BadRequest);
    check(&played(rules, "A1 C3 E5 G7 black"), "turn = 1 black place; ply = 4");
    check(&played(rules, "A1 C3 E5 G7 black H8"), "turn = 0 white place");
    check(&played(rules, "A1 C3 E5 G7 white"), "turn = 0 black place");
    check(&played(rules, "A1 C3 E5 G7 white H8"), "turn = 1 white place");
}

#[test]
fn place_three_lets_the_second_choose_or_add() {
    let rules = "pente-swap2";
    let game = played(rules, "A1 C3 E5");
    check(&game, "turn = 1 white choose-or-add; at A1,C3,E5 = black white black");
    refuses(&game, "G7", Refusal::NotAChoice);
    check(&played(rules, "A1 C3 E5 white"), "turn = 1 white place");
    check(&played(rules, "A1 C3 E5 white G7"), "turn = 0 black place; at G7 = white");
    check(&played(rules, "A1 C3 E5 black"), "turn = 0 white place");
    check(&played(rules, "A1 C3 E5 black G7"), "turn = 1 black place; at G7 = white");
    check(&played(rules, "A1 C3 E5 add"), "turn = 1 white place; ply = 3");
    check(&played(rules, "A1 C3 E5 add G7"), "turn = 1 black place");
    let added = played(rules, "A1 C3 E5 add G7 J9");
    check(&added, "turn = 0 white choose; at G7,J9 = white black; ply = 5");
    refuses(&added, "add", Refusal::NotAChoice);
    check(&played(rules, "A1 C3 E5 add G7 J9 white"), "turn = 0 white place");
    check(&played(rules, "A1 C3 E5 add G7 J9 black"), "turn = 1 white place");
    check(&played(rules, "A1 C3 E5 add G7 J9 black K1"), "turn = 0 black place; at K1 = white");
}

#[test]
fn with_white_first_black_and_white_are_exchanged() {
    let three = "custom opening=place-three colours=white-first";
    check(&played(three, "A1 C3 E5"), "turn = 1 black choose-or-add; at A1,C3,E5 = white black white");
    check(&played(three, "A1 C3 E5 black"), "turn = 1 black place");
    check(&played(three, "A1 C3 E5 white"), "turn = 0 black place");
    check(&played(three, "A1 C3 E5 add G7 J9"), "turn = 0 black choose; at G7,J9 = black white");
    let four = "custom opening=place-four colours=white-first";
    check(&played(four, "A1 C3 E5 G7"), "turn = 1 white choose");
    check(&played(four, "A1 C3 E5 G7 white"), "turn = 1 white place");
}

#[test]
fn a_captured_total_goes_with_the_colour() {
    // The fourth stone, white, takes black's two.
    let game = played("custom opening=place-four", "D5 C5 E5 F5");
    check(&game, "captured = 0 2; at C5,D5,E5,F5 = white - - white; turn = 1 black choose");
    let mut chosen = game;
    go_on(&mut chosen, "white");
    assert_eq!((chosen.colour_of(0).name(), chosen.colour_of(1).name()), ("black", "white"));
    check(&chosen, "captured = 0 2");
    // The fifth of swap2, black, takes white's two.
    check(&played("pente-swap2", "C5 D5 J9 add E5 F5"), "captured = 2 0; turn = 0 white choose");
}

#[test]
fn flanks_moved_into_are_taken_during_the_opening_and_optional_captures_chosen() {
    check(
        &played("custom opening=place-three into_flank=captured", "D5 C5 J9 add F5 E5"),
        "captured = 0 2; at D5,E5 = - -",
    );
    check(&played("custom opening=place-four forced_capture=false", "D5 C5 E5 F5[]"), "captured = 0 0");
}

/// Section 6 does not apply to stones of `place-three` and `place-four`, and applies to the next one.
#[test]
fn stones_of_the_opening_may_stand_in_a_flank() {
    let rules = "custom opening=place-three into_flank=not-allowed";
    let mut game = played(rules, "D5 C5 J9 add F5");
    check(&game, "check E5 = -; illegal = -");
    go_on(&mut game, "E5");
    check(&game, "captured = 0 0; at D5,E5 = black black");
    check(&played(rules, "D5 C5 J9 add F5 A1 white B1"), "turn = 1 black place; check E5 = IntoFlank; illegal = E5");
}

#[test]
fn before_the_choice_the_starter_holds_the_first_colour() {
    let game = played("pente-swap2", "A1 C3");
    assert_eq!((game.colour_of(0).name(), game.colour_of(1).name()), ("black", "white"));
    let game = played("pente-swap2", "A1 C3 E5 black");
    assert_eq!((game.colour_of(0).name(), game.colour_of(1).name()), ("white", "black"));
}

/// The square that is left free, on every board and for both distances.
#[test]
fn the_square_around_the_centre_has_one_size_on_every_board() {
    for (side, centre, at_three, at_four) in
        [(9, "E5", "E8", "A9"), (13, "G7", "J10", "K7"), (15, "H8", "K11", "D12"), (19, "J10", "J13", "N6")]
    {
        for (opening, inside, least) in [("centre", 5 * 5, at_three), ("centre-far", 7 * 7, at_four)] {
            for colours in ["black-first", "white-first"] {
                let game = played(
                    &format!("custom board={side} opening={opening} colours={colours}"),
                    &format!("{centre} A1"),
                );
                assert_eq!(game.illegal().len(), inside - 1, "{opening} on {side}");
                check(&game, &format!("check {least} = -; check {centre} = Occupied"));
                refuses(&game, game.illegal()[0].to_string().as_str(), Refusal::Opening);
            }
        }
    }
    check(&played("custom opening=centre-far", "H8 A1"), "check K11 = Opening; check L11 = -");
    check(&played("custom opening=centre", "H8 A1"), "check J10 = Opening; check K10 = -");
}

/// Only the starter's second stone is bound: an undo makes it so again, and nobody else is.
#[test]
fn the_centre_rule_binds_two_stones_only() {
    let mut game = played("custom opening=centre", "H8 H9 K8 J8");
    check(&game, "illegal = -");
    assert!(game.undo());
    check(&game, "illegal = -; ply = 3");
    assert!(game.undo());
    check(&game, "check J8 = Opening; turn = 0 black place");
    assert!(game.undo() && game.undo());
    check(&game, "check H9 = Opening; check H8 = -");
}

/// Every branch of the openings that place stones, for both orders of colours: who moves next, and as what.
#[test]
fn every_branch_says_who_moves_next() {
    let branches = [
        ("place-four", "A1 C3 E5 G7 1st", "1 1st", "1 1st / 0 2nd"),
        ("place-four", "A1 C3 E5 G7 2nd", "0 1st", "0 1st / 1 2nd"),
        ("place-three", "A1 C3 E5 1st", "0 2nd", "1 1st / 0 2nd"),
        ("place-three", "A1 C3 E5 2nd", "1 2nd", "0 1st / 1 2nd"),
        ("place-three", "A1 C3 E5 add G7 J9 1st", "1 2nd", "0 1st / 1 2nd"),
        ("place-three", "A1 C3 E5 add G7 J9 2nd", "0 2nd", "1 1st / 0 2nd"),
    ];
    for (colours, names) in [("black-first", ["black", "white"]), ("white-first", ["white", "black"])] {
        let named = |text: &str| text.replace("1st", names[0]).replace("2nd", names[1]);
        for (opening, actions, next, holders) in branches {
            let game = played(&format!("custom opening={opening} colours={colours}"), &named(actions));
            check(&game, &format!("turn = {} place", named(next)));
            for holder in named(holders).split(" / ") {
                let (player, colour) = holder.split_once(' ').expect("player colour");
                assert_eq!(game.colour_of(player.parse().expect("a number")).name(), colour, "{actions}");
            }
            // From here on the two move in turn.
            let mut on = game.clone();
            go_on(&mut on, "O1 O3");
            assert_eq!(on.turn().map(|turn| turn.player), game.turn().map(|turn| turn.player));
        }
    }
}

/// Section 6 binds the colours' first stones after the choice, of either player.
#[test]
fn after_the_choice_the_forbidden_moves_apply() {
    let rules = "custom opening=place-four into_flank=not-allowed";
    // Black on F5 would stand with E5 between D5 and G5.
    let mut game = played(rules, "E5 D5 A1 G5");
    check(&game, "turn = 1 black choose; illegal = -");
    go_on(&mut game, "black");
    check(&game, "check F5 = IntoFlank; illegal = F5");
    assert!(game.undo());
    go_on(&mut game, "white");
    check(&game, "turn = 0 black place; illegal = F5");
}

/// A choice can be taken back and made otherwise, and so can the third one's stones.
#[test]
fn choices_are_taken_back_like_stones() {
    let mut game = played("pente-swap2", "A1 C3 E5 black G7");
    assert!(game.undo() && game.undo());
    check(&game, "turn = 1 white choose-or-add");
    go_on(&mut game, "add G7 J9 black");
    check(&game, "turn = 1 white place");
    assert!(game.undo());
    go_on(&mut game, "white");
    check(&game, "turn = 0 white place");
    for _ in 0..4 {
        assert!(game.undo());
    }
    check(&game, "turn = 1 white choose-or-add; ply = 3");
    for _ in 0..3 {
        assert!(game.undo());
    }
    assert!(!game.undo());
    check(&game, "turn = 0 black place; ply = 0");
}

/// A captured total belongs to a colour and goes with it, whoever chose it.
#[test]
fn totals_go_with_the_colours_in_every_branch() {
    for (chosen, holder) in [("white", 1), ("black", 0)] {
        let game = played("custom opening=place-four", &format!("D5 C5 E5 F5 {chosen}"));
        check(&game, "captured = 0 2");
        assert_eq!(game.colour_of(holder).name(), "white", "who holds the two stones' colour");
    }
    for (chosen, holder) in [("white", 1), ("black", 0)] {
        let game = played("pente-swap2", &format!("C5 D5 J9 add E5 F5 {chosen}"));
        check(&game, "captured = 2 0");
        assert_eq!(game.colour_of(holder).name(), "black");
    }
}
