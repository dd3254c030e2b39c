//! A playout's stones, played one by one with [`Game::play`], give the same state and the same end.

use super::super::board::{mix, point_of};
use super::stones::Stones;
use super::*;
use crate::{Action, Clash, OptionName, Options, Preset, Rules};

/// What a playout did.
#[derive(Default)]
struct Seen(Vec<Action>);

impl Watch for Seen {
    fn stone(&mut self, at: Spot) {
        self.0.push(Action::place(point_of(at)));
    }

    fn choice(&mut self, colour: Option<Colour>) {
        self.0.push(colour.map_or(Action::Add, Action::Choose));
    }
}

fn numbers(seed: u64) -> impl FnMut() -> u32 {
    let mut count = seed << 32;
    move || {
        count += 1;
        (mix(count) >> 32) as u32
    }
}

/// Random options; those that clash go back to their defaults.
fn some_rules(random: &mut impl FnMut() -> u32, plain: bool) -> Rules {
    let mut options = Options::DEFAULT;
    for name in OptionName::ALL {
        let values = name.values();
        options.set(name.name(), values[pick(random, values.len())]).expect("a known value");
    }
    if plain {
        for name in [OptionName::Forbidden, OptionName::IntoFlank, OptionName::Overtime] {
            options.set(name.name(), Options::DEFAULT.get(name)).expect("a known value");
        }
    }
    loop {
        match options.check(Preset::Custom) {
            Ok(rules) => return rules,
            Err(Clash(name, _)) => options.set(name.name(), Options::DEFAULT.get(name)).expect("a known value"),
        }
    }
}

/// A position some stones into a random game.
fn some_position(rules: Rules, random: &mut impl FnMut() -> u32) -> Game {
    let mut seen = Seen::default();
    Playout::of(&Game::new(rules)).run_seen(random, &mut seen);
    let some = pick(random, seen.0.len() + 1);
    let mut game = Game::new(rules);
    // A choice of captures that the playout found is not among its stones: the game stops there.
    let _ = seen.0[..some].iter().try_for_each(|action| game.play(action).map(|_| ()));
    game
}

fn replayed(game: &Game, seen: &Seen) -> Game {
    let mut game = game.clone();
    for action in &seen.0 {
        game.play(action).unwrap_or_else(|refusal| panic!("{action:?} of {seen:?}: {refusal:?}", seen = seen.0));
    }
    game
}

#[test]
fn the_quick_path_follows_the_same_rules() {
    for seed in 0..4_000 {
        let mut random = numbers(seed);
        let rules = some_rules(&mut random, true);
        let start = some_position(rules, &mut random);
        let playout = Playout::of(&start);
        assert!(!matches!(playout.way, Way::Slow(_)), "these options have a quick path");
        let mut seen = Seen::default();
        let ended = playout.run_seen(&mut random, &mut seen);
        let game = replayed(&start, &seen);
        assert_eq!(game.result(), Some(&ended.outcome()), "seed {seed}: {rules:?}");
    }
}

/// The quick path's own board, list and totals after each stone.
#[test]
fn its_state_is_the_games_after_every_stone() {
    for seed in 0..1_000 {
        let mut random = numbers(seed);
        let rules = some_rules(&mut random, true);
        match rules.sides() {
            2 => follow::<Pair, 2>(rules, &mut random),
            3 => follow::<Many<3>, 3>(rules, &mut random),
            _ => follow::<Many<4>, 4>(rules, &mut random),
        }
    }
}

fn follow<S: Stones, const SIDES: usize>(rules: Rules, random: &mut impl FnMut() -> u32) {
    let mut game = Game::new(rules);
    let mut quick = Quick::<S, SIDES>::of(&game);
    while game.result().is_none() {
        let mut seen = Seen::default();
        let ended = quick.step(random, &mut seen);
        seen.0.iter().for_each(|action| assert!(game.play(action).is_ok(), "{action:?}"));
        assert_eq!(quick.account(), Quick::<S, SIDES>::of(&game).account());
        assert_eq!(ended.map(Ended::outcome).as_ref(), game.result());
    }
}

#[test]
fn the_path_for_every_option_plays_legal_games() {
    for seed in 0..600 {
        let mut random = numbers(seed);
        let rules = some_rules(&mut random, false);
        let start = some_position(rules, &mut random);
        let mut seen = Seen::default();
        let ended = Playout::of(&start).run_seen(&mut random, &mut seen);
        if rules.options().forced_capture {
            assert_eq!(replayed(&start, &seen).result(), Some(&ended.outcome()), "seed {seed}: {rules:?}");
        }
    }
}

/// Each legal point is as likely as the other: a chi-square test over the second stone of the centre rule.
#[test]
fn legal_points_are_equally_likely() {
    const GAMES: u32 = 40_000;
    let mut random = numbers(7);
    let start = Playout::of(&Game::new(Rules::of(Preset::Pente)));
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..GAMES {
        let mut seen = Seen::default();
        start.run_seen(&mut random, &mut seen);
        *counts.entry(format!("{:?}", seen.0[2])).or_insert(0u32) += 1;
    }
    // 361 points without the central 25; a point that the second player took is missing now and then.
    assert_eq!(counts.len(), 336);
    let expected = f64::from(GAMES) / 336.0;
    let chi: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    // 335 degrees of freedom: 430 is exceeded once in some three thousand tries, and these numbers are fixed.
    assert!(chi < 430.0, "{chi}");
}

#[test]
fn a_game_that_is_over_stays_as_it_ended() {
    let mut game = Game::new(Rules::of(Preset::Gomoku));
    assert!(game.play(&Action::Resign(Colour::Black)).is_ok());
    let ended = Playout::of(&game).run(&mut || unreachable!("nothing is drawn"));
    assert_eq!(Some(&ended.outcome()), game.result());
    assert!(ended.has_won(Colour::White) && !ended.has_won(Colour::Black));
}
