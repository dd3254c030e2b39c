//! Properties that hold in every game: random games over random coherent options, each thing computed two ways.

mod support;

use proptest::prelude::*;
use rules::{
    Action, BoardSize, Colour, Game, IntoFlank, Must, OptionName, Options, Outcome, Point, Preset, Refusal, Rules, Take,
};
use support::random::{any_choices, any_rules, play_all, some_action, subsets};

fn stones(game: &Game) -> usize {
    game.rules().board().points().filter(|&at| game.stone(at).is_some()).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn taking_back_restores_every_bit(rules in any_rules(), choices in any_choices()) {
        let mut states = Vec::new();
        let mut game = play_all(rules, &choices, |game| {
            states.push((game.state_bytes(), game.hash(), game.turn(), game.overtime().cloned(), game.result().cloned()));
            Ok(())
        })?;
        states.pop();
        while let Some(state) = states.pop() {
            prop_assert!(game.undo());
            let now = (game.state_bytes(), game.hash(), game.turn(), game.overtime().cloned(), game.result().cloned());
            prop_assert_eq!(state, now);
        }
        prop_assert!(!game.undo());
    }

    #[test]
    fn playing_on_after_undo_equals_replaying_from_scratch(rules in any_rules(), choices in any_choices(), back in 0usize..20) {
        let mut game = play_all(rules, &choices, |_| Ok(()))?;
        for _ in 0..back {
            game.undo();
        }
        let scratch = Game::replay(rules, game.actions());
        prop_assert!(scratch.is_ok());
        let mut scratch = scratch.expect("just checked");
        for &choice in choices.iter().rev() {
            let action = some_action(&game, choice);
            prop_assert_eq!(game.play(&action), scratch.play(&action));
            prop_assert_eq!(game.state_bytes(), scratch.state_bytes());
            prop_assert_eq!(game.hash(), scratch.hash());
        }
    }

    #[test]
    fn lines_and_totals_agree_with_the_whole_board(rules in any_rules(), choices in any_choices()) {
        play_all(rules, &choices, |game| {
            let lines = game.winning_lines();
            match (game.result(), game.overtime()) {
                (None, None) => prop_assert!(lines.is_empty(), "a line and no result\n{}", support::drawing(game)),
                (None, Some(overtime)) => {
                    prop_assert_eq!(lines, vec![(overtime.colour, overtime.lines[0].clone())]);
                }
                (Some(Outcome::Win { winners, by }), _) => {
                    let goal = u16::from(game.rules().goal());
                    for &winner in winners {
                        let has_line = lines.iter().any(|(colour, _)| *colour == winner);
                        let resigned = by.contains(&rules::Condition::Resignation);
                        prop_assert!(has_line || game.captured(winner) >= goal || resigned);
                    }
                }
                (Some(Outcome::Draw(_)), _) => {}
            }
            let gone = usize::from(game.ply()) - stones(game);
            let taken: u16 = Colour::ALL.into_iter().map(|colour| game.captured(colour)).sum();
            prop_assert!(usize::from(taken) >= gone);
            let counted_once = game.rules().sides() == 2 || game.rules().options().into_flank != IntoFlank::Captured;
            prop_assert!(!counted_once || usize::from(taken) == gone);
            Ok(())
        })?;
    }

    #[test]
    fn legal_points_are_those_where_some_choice_is_accepted(rules in any_rules(), choices in any_choices()) {
        let game = play_all(rules, &choices, |_| Ok(()))?;
        let illegal = game.illegal();
        let placing = game.turn().is_some_and(|turn| turn.must == Must::Place);
        let mut expected = Vec::new();
        for at in rules.board().points() {
            let groups = game.groups(at);
            let accepted = subsets(&groups).any(|take| {
                game.clone().play(&Action::Place { at, take: Take::Just(take) }).is_ok()
            });
            prop_assert_eq!(game.check(at).is_ok(), accepted, "{}", at);
            let is_illegal = placing && game.stone(at).is_none() && !accepted;
            prop_assert_eq!(game.reason(at).map(|reason| Err(reason.refusal)), is_illegal.then(|| game.check(at)));
            expected.extend(is_illegal.then_some(at));
        }
        prop_assert_eq!(illegal, expected);
    }

    /// Every position of a game that goes on is a setup, and a game from there is the same game from there on.
    #[test]
    fn positions_survive_as_setups(rules in any_rules(), choices in any_choices()) {
        let mut seen = Vec::new();
        let end = play_all(rules, &choices, |game| {
            let setup = game.to_setup();
            prop_assert_eq!(setup.is_none(), game.result().is_some());
            if let Some(setup) = setup {
                let loaded = Game::from_setup(&setup);
                prop_assert!(loaded.is_ok(), "{}\n{}", loaded.expect_err("no game"), setup);
                let loaded = loaded.expect("just checked");
                prop_assert_eq!((loaded.state_bytes(), loaded.hash()), (game.state_bytes(), game.hash()));
                prop_assert_eq!((loaded.turn(), loaded.overtime()), (game.turn(), game.overtime()));
                prop_assert_eq!((loaded.setup(), loaded.illegal()), (Some(&setup), game.illegal()));
                prop_assert_eq!(setup.to_string().parse(), Ok(setup));
                seen.push((game.actions().len(), loaded));
            }
            Ok(())
        })?;
        let Some((from, mut loaded)) = seen.into_iter().nth(choices.len() / 3) else { return Ok(()) };
        let start = loaded.state_bytes();
        for action in &end.actions()[from..] {
            prop_assert!(loaded.play(action).is_ok());
        }
        prop_assert_eq!((loaded.state_bytes(), loaded.hash()), (end.state_bytes(), end.hash()));
        let again = Game::from_text(&loaded.to_text());
        prop_assert_eq!(again.map(|game| (game.state_bytes(), game.setup().cloned())), Ok((loaded.state_bytes(), loaded.setup().cloned())));
        while loaded.undo() {}
        prop_assert_eq!(loaded.state_bytes(), start);
    }

    #[test]
    fn games_survive_as_text(rules in any_rules(), choices in any_choices()) {
        let game = play_all(rules, &choices, |_| Ok(()))?;
        let text = game.to_text();
        let again = Game::from_text(&text);
        prop_assert!(again.is_ok(), "{:?}\n{}", again.expect_err("no game"), text);
        let again = again.expect("just checked");
        prop_assert_eq!((again.rules(), again.actions()), (game.rules(), game.actions()));
        prop_assert_eq!((again.state_bytes(), again.hash(), again.result()), (game.state_bytes(), game.hash(), game.result()));
        prop_assert_eq!(again.to_text(), text);
    }

    #[test]
    fn rules_survive_bytes_text_and_json(rules in any_rules()) {
        prop_assert_eq!(Rules::from_bytes(&rules.to_bytes()), Ok(rules));
        let mut options = Options::DEFAULT;
        for name in OptionName::ALL {
            prop_assert_eq!(options.set(name.name(), rules.options().get(name)), Ok(()));
        }
        prop_assert_eq!(options, *rules.options());
        prop_assert_eq!(rules.to_string().parse(), Ok(rules));
        let json = serde_json::to_string(&rules).expect("serialises");
        prop_assert_eq!(serde_json::from_str::<Rules>(&json).expect("reads"), rules);
    }

    /// What goes back to its default for another number of seats goes back for a clash, and all is coherent then.
    #[test]
    fn options_for_other_seats_are_coherent_and_otherwise_the_same(rules in any_rules(), seats in 2u8..=4) {
        let (options, put_back) = rules.options().for_seats(seats);
        prop_assert!(options.check(rules.preset()).is_ok());
        for name in OptionName::ALL.into_iter().filter(|name| *name != OptionName::Seats) {
            let is_back = put_back.contains(&name);
            let expected = if is_back { Options::DEFAULT } else { *rules.options() };
            prop_assert_eq!(options.get(name), expected.get(name));
            let mut kept = options;
            kept.set(name.name(), rules.options().get(name)).expect("a value");
            prop_assert_eq!(is_back, kept.check(rules.preset()).is_err(), "{} went back for nothing", name.name());
        }
        prop_assert!(seats != rules.players() || put_back.is_empty());
    }

    #[test]
    fn changed_bytes_are_rules_only_if_they_are_canonical(
        rules in any_rules(),
        places in prop::collection::vec((any::<prop::sample::Index>(), 0u8..6), 1..4),
    ) {
        let mut bytes = rules.to_bytes().to_vec();
        for (place, value) in places {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Ok(read) = Rules::from_bytes(&bytes) {
            prop_assert_eq!(read.to_bytes().to_vec(), bytes);
        }
    }

    /// A state reached in another order is the same state.
    #[test]
    fn the_order_of_stones_does_not_matter_to_the_hash(swap in prop::sample::subsequence((0..225usize).collect::<Vec<_>>(), 4)) {
        let at = |index: usize| Point::new((index % 15) as u8, (index / 15) as u8).expect("on the board");
        let rules = Rules::of(Preset::Gomoku);
        let place = |order: [usize; 4]| Game::replay(rules, &order.map(|index| Action::place(at(swap[index]))));
        let (one, other) = (place([0, 1, 2, 3]).expect("empty points"), place([2, 3, 0, 1]).expect("empty points"));
        prop_assert_eq!(one.state_bytes(), other.state_bytes());
        prop_assert_eq!(one.hash(), other.hash());
        prop_assert_ne!(one.hash(), place([1, 0, 3, 2]).expect("empty points").hash());
    }
}

#[test]
fn points_beyond_the_board_are_refused_everywhere() {
    for size in BoardSize::ALL.into_iter().filter(|size| *size != BoardSize::Nineteen) {
        let mut options = Options::DEFAULT;
        options.board = size;
        let game = Game::new(options.check(Preset::Custom).expect("coherent"));
        for at in BoardSize::Nineteen.points().filter(|&at| !size.contains(at)) {
            assert_eq!(game.check(at), Err(Refusal::OffBoard));
            assert!(game.stone(at).is_none() && game.groups(at).is_empty() && game.reason(at).is_none());
        }
    }
}
