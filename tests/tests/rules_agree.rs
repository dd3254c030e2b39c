//! The product's rules and the plain ones agree on random games. A longer run: the program `agree`.

use tests::agree::{Counters, Event, game};

/// Games of this run; enough for every event below to be met.
const GAMES: u64 = 20_000;

/// Games that the events are asked of are these; another range is for `agree`.
const FIRST_SEED: u64 = 0;

#[test]
fn random_games_agree_and_reach_everything() {
    let mut counters = Counters::default();
    for seed in FIRST_SEED..FIRST_SEED + GAMES {
        if let Err(failure) = game(seed, &mut counters) {
            panic!("{failure}");
        }
    }
    let missed: Vec<&str> =
        Event::ALL.iter().filter(|event| counters.of(**event) == 0).map(|event| event.name()).collect();
    assert!(missed.is_empty(), "never met: {missed:?}\n{counters}");
}
