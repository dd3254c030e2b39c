//! How long after the end of its time, or after being stopped, the CPU's answer comes: where boards are large and full,
//! in openings, and where everything has still to be made.

use std::time::{Duration, Instant};

use cpu::{Budget, LEVEL_MAX, Mind};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rules::{Action, Game, Must, Rules};
use serde_json::json;

use super::rules;
use crate::openings::draw;
use crate::{Failure, Output, events};

/// Where answers are waited for: a name, the rules, how far the game has gone, and whether the mind has met the rules.
const PLACES: &[(&str, &str, Begun)] = &[
    ("gomoku", "gomoku", Begun::Stones(8)),
    ("wuziqi, renju", "wuziqi forbidden=renju board=19", Begun::Stones(30)),
    ("capture-five", "capture-five", Begun::Stones(20)),
    ("pente", "pente", Begun::Stones(20)),
    ("teams", "capture-five board=19 seats=4 teams=true", Begun::Stones(40)),
    ("3 sides", "capture-five board=19 seats=3", Begun::Stones(30)),
    ("4 sides", "capture-five board=19 seats=4", Begun::Stones(40)),
    ("overtime", "capture-five board=19 overtime=break forced_capture=false", Begun::Stones(40)),
    ("4 sides, overtime", "capture-five board=19 seats=4 overtime=take forced_capture=false", Begun::Stones(60)),
    ("full board", "gomoku board=19", Begun::Free(10)),
    ("full board, captures", "capture-five board=19 into_flank=not-allowed", Begun::Free(10)),
    ("full board, 3 sides", "capture-five board=19 seats=3", Begun::Free(20)),
    ("full board, 4 sides", "capture-five board=19 seats=4 into_flank=captured", Begun::Free(20)),
    ("swap2, first stone", "pente-swap2", Begun::Stones(0)),
    ("swap2, third stone", "pente-swap2", Begun::Stones(2)),
    ("swap2, choice", "pente-swap2", Begun::Choice),
    ("place-four, fourth stone", "gomoku board=19 opening=place-four", Begun::Stones(3)),
    ("place-four, choice", "gomoku board=19 opening=place-four", Begun::Choice),
];

#[derive(Clone, Copy)]
enum Begun {
    /// So many stones at random, near each other.
    Stones(u16),
    /// Until at most so many points are free.
    Free(u16),
    /// Until a colour is to be chosen.
    Choice,
}

/// After so many milliseconds it is told to stop; 0 is at once.
const STOPS_MS: [u64; 5] = [0, 2, 20, 100, 300];
/// Games that are begun by other seeds.
const SEEDS: u32 = 4;

/// Tells for every place the longest that an answer was late: of a mind that has met the rules, and of a new one.
pub fn run(seed: u32, output: &mut Output) -> Result<(), Failure> {
    output.say("| where | late at most, ms | with a new mind, ms |\n|---|---|---|");
    for (name, text, begun) in PLACES {
        let rules = rules(text)?;
        let mut late = [Duration::ZERO; 2];
        for number in 0..SEEDS {
            let Some(game) = begin(rules, *begun, seed.wrapping_add(number)) else { continue };
            let mut met = Mind::new(cpu::MEMORY_BYTES);
            met.think(&game, &Budget { nodes: 1, ..Budget::of(LEVEL_MAX, 1) }, &mut || false);
            for ms in STOPS_MS {
                late[0] = late[0].max(lateness(&mut met, &game, Duration::from_millis(ms)));
                let new = Instant::now();
                let mut mind = Mind::new(cpu::MEMORY_BYTES);
                let made = new.elapsed();
                late[1] = late[1].max(made + lateness(&mut mind, &game, Duration::from_millis(ms)));
            }
        }
        let [met, new] = late.map(|late| late.as_secs_f64() * 1e3);
        let mut event = events::new("lateness");
        event.insert("of".to_owned(), json!(name));
        event.insert("rules".to_owned(), json!(rules.to_string()));
        event.insert("late_ms".to_owned(), json!(met));
        event.insert("late_new_ms".to_owned(), json!(new));
        output.event(&event, Some(&format!("| {name} | {met:.1} | {new:.1} |")));
    }
    Ok(())
}

/// How long after it was to stop the answer came; nothing, if it came earlier.
fn lateness(mind: &mut Mind, game: &Game, time: Duration) -> Duration {
    let until = Instant::now() + time;
    mind.think(game, &Budget::of(LEVEL_MAX, 1), &mut || Instant::now() >= until);
    Instant::now().saturating_duration_since(until)
}

/// A game that has gone so far; `None` where it ended before.
fn begin(rules: Rules, begun: Begun, seed: u32) -> Option<Game> {
    let mut random = StdRng::seed_from_u64(seed.into());
    let game = match begun {
        Begun::Stones(stones) => draw::near(rules, stones, &mut random),
        Begun::Free(free) => filled(rules, free),
        Begun::Choice => {
            let placed = draw::near(rules, u16::MAX, &mut random);
            return placed.turn().is_some_and(|turn| turn.must != Must::Place).then_some(placed);
        }
    };
    game.turn().is_some_and(|turn| turn.must == Must::Place).then_some(game)
}

/// A board that is filled, but for so many points, with pairs of each colour in a pattern in which nobody has a line.
fn filled(rules: Rules, free: u16) -> Game {
    let mut game = Game::new(rules);
    let side = u16::from(rules.board().side());
    loop {
        let left = side * side - game.ply();
        let Some(turn) = game.turn().filter(|_| left > free) else { return game };
        let sides = rules.sides();
        let suits = |at: &rules::Point| {
            let colour = (at.column() / 2 + at.row()) % sides;
            game.stone(*at).is_none() && game.check(*at).is_ok() && colour == turn.player % sides
        };
        let any = |at: &rules::Point| game.stone(*at).is_none() && game.check(*at).is_ok();
        let points = || rules.board().points();
        let Some(at) = points().find(suits).or_else(|| points().find(any)) else { return game };
        let mut after = game.clone();
        if after.play(&Action::place(at)).is_err() || after.result().is_some() {
            return game;
        }
        game = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_one_where_an_answer_is_due() {
        for (name, text, begun) in PLACES {
            let rules = rules(text).expect(text);
            let found = (1..=SEEDS).filter_map(|seed| begin(rules, *begun, seed)).count();
            assert!(found > 0, "{name}");
        }
    }
}
