//! Whole games: the CPU beats a random player 50 times in 50 in each preset, and is never without a legal move
//! under any coherent options.

mod support;

use cpu::think;
use proptest::prelude::*;
use rand::Rng;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rules::{Action, Colour, Game, Must, Outcome, Preset, Rules};
use support::any_rules;

const GAMES: u64 = 50;

fn random_action(game: &Game, rng: &mut ChaCha8Rng) -> Action {
    let turn = game.turn().expect("a running game");
    let choices: &[Action] = match turn.must {
        Must::Place => &[],
        Must::Choose => &[Action::Choose(Colour::Black), Action::Choose(Colour::White)],
        Must::ChooseOrAdd => &[Action::Choose(Colour::Black), Action::Choose(Colour::White), Action::Add],
    };
    if let Some(choice) = choices.choose(rng) {
        return choice.clone();
    }
    let legal: Vec<_> =
        game.rules().board().points().filter(|at| game.stone(*at).is_none() && game.check(*at).is_ok()).collect();
    Action::place(*legal.choose(rng).expect("a legal point"))
}

/// Plays one game in which the CPU has the seats for which `is_cpu` says so; the colours that won.
fn play(rules: Rules, seed: u64, is_cpu: impl Fn(u8) -> bool) -> (Game, Vec<Colour>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(rules);
    while let Some(turn) = game.turn() {
        let action = if is_cpu(turn.player) {
            think(&game, 5, rng.random(), &mut || false)
        } else {
            random_action(&game, &mut rng)
        };
        game.play(&action).expect("legal");
    }
    let winners = match game.result() {
        Some(Outcome::Win { winners, .. }) => winners.clone(),
        Some(Outcome::Draw(_)) | None => Vec::new(),
    };
    (game, winners)
}

fn beats_random(rules: Rules) {
    let players = rules.players();
    for seed in 0..GAMES {
        let cpu = (seed % u64::from(players)) as u8;
        let partner = rules.options().teams.then_some((cpu + 2) % 4);
        let (game, winners) = play(rules, seed, |player| player == cpu || Some(player) == partner);
        assert_eq!(winners, [game.colour_of(cpu)], "seed {seed}: {:?}", game.actions());
    }
}

fn preset(preset: Preset, seats: u8, teams: bool) -> Rules {
    let mut options = preset.options().for_seats(seats).0;
    options.teams = teams;
    options.check(preset).expect("coherent")
}

#[test]
fn capture_five_for_two() {
    beats_random(preset(Preset::CaptureFive, 2, false));
}

#[test]
fn capture_five_for_three() {
    beats_random(preset(Preset::CaptureFive, 3, false));
}

#[test]
fn capture_five_for_four() {
    beats_random(preset(Preset::CaptureFive, 4, false));
}

#[test]
fn capture_five_in_teams() {
    beats_random(preset(Preset::CaptureFive, 4, true));
}

#[test]
fn pente() {
    beats_random(preset(Preset::Pente, 2, false));
}

#[test]
fn pente_swap2() {
    beats_random(preset(Preset::PenteSwap2, 2, false));
}

#[test]
fn gomoku() {
    beats_random(preset(Preset::Gomoku, 2, false));
}

#[test]
fn wuziqi() {
    beats_random(preset(Preset::Wuziqi, 2, false));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn always_a_legal_action(rules in any_rules(2..=4, true), seed: u64) {
        // The CPU in one seat, chance in the others, so that odd positions come up.
        let (game, _) = play(rules, seed, |player| player == 0);
        prop_assert!(game.result().is_some());
    }
}
