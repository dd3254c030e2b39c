//! The low levels err like people: they overlook things, but do not put stones far from everything.

use cpu::think;
use rules::{Action, Game, Must, Point, Preset, Rules};

/// How far from the nearest stone a move may be, as a king moves.
const NEAR: u8 = 3;
/// Levels that overlook much, and games of each.
const LEVELS: std::ops::RangeInclusive<u8> = 1..=3;
const GAMES: u64 = 2;

fn distance(point: Point, other: Point) -> u8 {
    point.column().abs_diff(other.column()).max(point.row().abs_diff(other.row()))
}

/// Plays a game of a level against itself; each move answers to stones that are there.
fn check(rules: Rules, level: u8, seed: u64) {
    let mut game = Game::new(rules);
    while let Some(turn) = game.turn() {
        let is_free = turn.must == Must::Place && game.ply() >= FREE_STONES;
        let action = think(&game, level, seed + u64::from(turn.player), &mut || false);
        if let (true, Action::Place { at, .. }) = (is_free, &action) {
            let stones = rules.board().points().filter(|&other| game.stone(other).is_some());
            let away = stones.map(|other| distance(*at, other)).min();
            assert!(away.is_none_or(|away| away <= NEAR), "{rules}, level {level}: {at} after {:?}", game.actions());
        }
        game.play(&action).expect("legal");
    }
}

/// The first stones have a place of their own, by the rules of the opening.
const FREE_STONES: u16 = 5;

#[test]
fn low_levels_stay_near_the_stones() {
    let many = |seats: u8, teams: bool| {
        let mut options = Preset::CaptureFive.options().for_seats(seats).0;
        options.teams = teams;
        options.check(Preset::CaptureFive).expect("coherent")
    };
    let presets = Preset::ALL.map(Rules::of);
    for rules in presets.into_iter().chain([many(3, false), many(4, false), many(4, true)]) {
        for level in LEVELS {
            for seed in 0..GAMES {
                check(rules, level, seed);
            }
        }
    }
}
