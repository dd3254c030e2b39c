//! Random games over random coherent options.

use proptest::prelude::*;
use proptest::test_runner::{TestRng, TestRunner};
use rules::{Action, Clash, Colour, Game, Group, Must, OptionName, Options, Point, Preset, Rules, Take};

/// Any coherent rules: random values, and those that clash put back to their defaults.
pub fn any_rules() -> impl Strategy<Value = Rules> {
    prop::collection::vec(any::<prop::sample::Index>(), OptionName::ALL.len()).prop_map(|picks| {
        let mut options = Options::DEFAULT;
        for (name, pick) in OptionName::ALL.into_iter().zip(picks) {
            options.set(name.name(), name.values()[pick.index(name.values().len())]).expect("a known value");
        }
        loop {
            match options.check(Preset::Custom) {
                Ok(rules) => return rules,
                Err(Clash(name, _)) => {
                    options.set(name.name(), Options::DEFAULT.get(name)).expect("a known value");
                }
            }
        }
    })
}

/// Random choices for a game: each decides one action.
pub fn any_choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..160)
}

/// Some action for a choice; now and then one that may be refused. Stones cluster, so that shapes and captures
/// arise.
pub fn some_action(game: &Game, choice: u32) -> Action {
    let board = game.rules().board();
    let kind = choice % 64;
    let pick = choice / 64;
    match game.turn().map(|turn| turn.must) {
        Some(Must::Choose | Must::ChooseOrAdd) if kind > 2 => match pick % 3 {
            0 => Action::Choose(Colour::Black),
            1 => Action::Choose(Colour::White),
            _ => Action::Add,
        },
        _ if kind == 0 && pick.is_multiple_of(8) => Action::Resign(Colour::ALL[pick as usize / 8 % 4]),
        _ if kind == 1 && pick.is_multiple_of(64) => Action::Draw,
        _ => {
            let window = if kind < 48 { 7 } else { board.side() };
            let low = u32::from(board.side() - window) / 2;
            let column = low + pick % u32::from(window);
            let row = low + pick / 32 % u32::from(window);
            let at = Point::new(column as u8, row as u8).expect("on the board");
            Action::Place { at, take: some_take(game, at, pick / 1024) }
        }
    }
}

fn some_take(game: &Game, at: Point, pick: u32) -> Take {
    if pick.is_multiple_of(2) {
        return Take::All;
    }
    let groups = game.groups(at).into_iter().enumerate();
    Take::Just(groups.filter(|(index, _)| pick >> (index + 1) & 1 == 1).map(|(_, group)| group).collect())
}

/// Plays the choices, skipping what is refused, and calls `look` after every action.
pub fn play_all(
    rules: Rules,
    choices: &[u32],
    mut look: impl FnMut(&Game) -> Result<(), TestCaseError>,
) -> Result<Game, TestCaseError> {
    let mut game = Game::new(rules);
    look(&game)?;
    for &choice in choices {
        let action = some_action(&game, choice);
        let before = game.state_bytes();
        match game.play(&action) {
            Ok(_) => look(&game)?,
            Err(_) => prop_assert_eq!(before, game.state_bytes(), "a refused action changed something"),
        }
    }
    Ok(game)
}

/// Every subset of the groups at a point.
pub fn subsets(groups: &[Group]) -> impl Iterator<Item = Vec<Group>> {
    (0..1u32 << groups.len()).map(move |bits| {
        groups.iter().enumerate().filter(|(index, _)| bits >> index & 1 == 1).map(|(_, group)| group.clone()).collect()
    })
}

/// Runs a property over random games with the same seed each time.
pub fn over_games(
    cases: u32,
    rules: impl Strategy<Value = Rules>,
    test: impl Fn(Rules, Vec<u32>) -> Result<(), TestCaseError>,
) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let run = runner.run(&(rules, any_choices()), |(rules, choices)| test(rules, choices));
    run.unwrap_or_else(|failure| panic!("{failure}"));
}
