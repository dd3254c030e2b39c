//! RULES.md, section 3: turn order, colours, teams, and who starts the games of a series.

mod support;

use rules::{Colour, Starter, starter, turn_order};
use support::{check, go_on, played, rules};

#[test]
fn turn_order_goes_round_from_the_starter_in_seat_order() {
    assert_eq!(turn_order(&[0, 1], 0), [0, 1]);
    assert_eq!(turn_order(&[0, 1], 1), [1, 0]);
    assert_eq!(turn_order(&[0, 1, 2], 2), [2, 0, 1]);
    assert_eq!(turn_order(&[0, 1, 2, 3], 1), [1, 2, 3, 0]);
    // Seats that do not play are left out.
    assert_eq!(turn_order(&[0, 2, 3], 2), [2, 3, 0]);
}

/// The seats that start the first games of a series with these options.
fn starters(text: &str, seats: &[u8]) -> Vec<u8> {
    let rules = rules(text);
    let mut last = None;
    let mut found = Vec::new();
    for _ in 0..=seats.len() {
        match starter(rules.options(), seats, last) {
            Starter::Seat(seat) => found.push(seat),
            Starter::Toss => panic!("a toss for game {}", found.len() + 1),
        }
        last = found.last().copied();
    }
    found
}

#[test]
fn the_next_seat_starts_the_next_game_if_the_start_is_passed_on() {
    assert_eq!(starters("capture-five", &[0, 1]), [0, 1, 0]);
    assert_eq!(starters("capture-five seats=3", &[0, 1, 2]), [0, 1, 2, 0]);
    assert_eq!(starters("capture-five seats=4 teams=true", &[0, 1, 2, 3]), [0, 1, 2, 3, 0]);
    assert_eq!(starters("capture-five pass_start=false", &[0, 1]), [0, 0, 0]);
    assert_eq!(starters("capture-five seats=3", &[1, 2, 3]), [1, 2, 3, 1]);
}

#[test]
fn a_starter_who_has_left_gives_way_to_the_next_who_is_there() {
    let passing = rules("capture-five");
    let staying = rules("capture-five pass_start=false");
    let next = |of: &rules::Rules, seats: &[u8], last| starter(of.options(), seats, Some(last));
    assert_eq!(next(&passing, &[0, 3], 1), Starter::Seat(3));
    assert_eq!(next(&passing, &[0, 1], 3), Starter::Seat(0));
    assert_eq!(next(&staying, &[0, 3], 1), Starter::Seat(3));
    assert_eq!(next(&staying, &[0, 2], 2), Starter::Seat(2));
}

/// Section 2: `first_start` is about the first game of a series only.
#[test]
fn only_the_first_start_is_tossed() {
    for text in ["wuziqi", "custom first_start=random pass_start=false", "custom seats=4 first_start=random"] {
        let rules = rules(text);
        let seats: Vec<u8> = (0..rules.players()).collect();
        assert_eq!(starter(rules.options(), &seats, None), Starter::Toss);
        let later = if rules.options().pass_start { 0 } else { 1 };
        let last = if rules.options().pass_start { rules.players() - 1 } else { 1 };
        assert_eq!(starter(rules.options(), &seats, Some(last)), Starter::Seat(later), "{text}");
    }
}

/// Section 3.4: also after an opening in which colours were swapped, the placer's role passes on: who starts does
/// not depend on who held which colour.
#[test]
fn the_placers_role_passes_on_after_a_swap() {
    for choice in ["black", "white", "add G7 J9 black", "add G7 J9 white"] {
        let game = played("pente-swap2", &format!("A1 C3 E5 {choice}"));
        assert_eq!(starter(game.rules().options(), &[0, 1], Some(0)), Starter::Seat(1));
        let next = rules::Game::new(*game.rules());
        check(&next, "turn = 0 black place");
    }
}

#[test]
fn colours_follow_turn_order() {
    let black_first = [Colour::Black, Colour::White, Colour::Blue, Colour::Red];
    let white_first = [Colour::White, Colour::Black, Colour::Blue, Colour::Red];
    for (order, colours) in [("black-first", black_first), ("white-first", white_first)] {
        for seats in 2..=4u8 {
            let rules = rules(&format!("custom seats={seats} colours={order}"));
            assert_eq!(rules.colours(), colours[..usize::from(seats)]);
            let mut game = rules::Game::new(rules);
            for player in 0..seats {
                let turn = game.turn().expect("a game that runs");
                assert_eq!((turn.player, turn.colour), (player, colours[usize::from(player)]));
                assert_eq!(rules.first_colour_of(player), turn.colour);
                assert_eq!(game.colour_of(player), turn.colour);
                assert_eq!(rules.partner_of(player), None);
                go_on(&mut game, ["A1", "C3", "E5", "G7"][usize::from(player)]);
            }
            assert_eq!(game.turn().map(|turn| turn.player), Some(0), "round and round");
        }
    }
}

#[test]
fn the_first_and_third_in_turn_order_are_the_first_team() {
    for (order, first, second) in
        [("black-first", Colour::Black, Colour::White), ("white-first", Colour::White, Colour::Black)]
    {
        let rules = rules(&format!("custom seats=4 teams=true colours={order}"));
        assert_eq!(rules.colours(), [first, second]);
        let colours: Vec<Colour> = (0..4).map(|player| rules.first_colour_of(player)).collect();
        assert_eq!(colours, [first, second, first, second]);
        let partners: Vec<Option<u8>> = (0..4).map(|player| rules.partner_of(player)).collect();
        assert_eq!(partners, [Some(2), Some(3), Some(0), Some(1)]);
    }
}
