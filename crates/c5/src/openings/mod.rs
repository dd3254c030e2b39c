//! `c5 openings`: makes openings for matches in which neither colour is ahead. Each was drawn at random, looked at by a
//! search, and played by the CPU against itself twice: neither colour has won both games.

pub(crate) mod draw;
pub(crate) mod symmetry;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use cpu::{Budget, LEVEL_MAX, Mind, WON};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rules::{Action, Game, Must, Outcome, Rules};

use crate::args;
use crate::matches::rules_of;
use crate::{Failure, Output, events};

/// A first look at an opening costs this part of a move of the games: most are far from even.
const LOOK_PART: u64 = 10;
/// How far from even the looks may find an opening, in the unit of [`cpu::Thought::score`].
const EVEN: i32 = 120;
/// In either game one player looks at this many hundredths of the other's positions: two players that decide alike would
/// play the same game twice.
const OTHER_HUNDREDTHS: u64 = 93;
/// Fewer positions a move leave no difference between the two players: a search counts in hundreds.
pub const NODES_MIN: u64 = 4_000;
/// Stones of an opening.
const STONES: RangeInclusive<u16> = 3..=7;
/// So many openings are drawn for each one that is wanted, at most.
const DRAWN_MAX: u64 = 2_000;

/// Prints as many openings as are asked for, one a line as offsets from the centre.
pub(crate) fn run(asked: &args::Openings, output: &mut Output) -> Result<(), Failure> {
    let rules = rules_of(&asked.rules)?;
    if rules.sides() != 2 || Game::new(rules).turn().is_some_and(|turn| turn.must != Must::Place) {
        return Err(Failure::usage("bad-rules", "openings are even or not between two sides only"));
    }
    output.say(&format!(
        "# {rules}: made by c5 openings --count {} --nodes {} --seed {}; drawn at random, looked at by a search, and \
         played by the CPU against itself with either side looking at a few more positions: no colour won both games",
        asked.count, asked.nodes, asked.seed
    ));
    let found = find(rules, asked, &mut |game| {
        tell(game, output);
        !output.is_closed()
    });
    if found == asked.count || output.is_closed() {
        return Ok(());
    }
    Err(Failure::new("not-found", format!("only {found} of {} openings are even: ask for fewer", asked.count)))
}

/// Tells each opening that is found, until there are enough or `told` answers false; how many there were.
fn find(rules: Rules, asked: &args::Openings, told: &mut dyn FnMut(&Game) -> bool) -> u32 {
    let mut known = BTreeSet::new();
    let mut found = 0;
    for number in 0..DRAWN_MAX.saturating_mul(asked.count.into()) {
        let seed = asked.seed.wrapping_add(number);
        let Some(game) = opening(rules, seed) else { continue };
        if known.contains(&symmetry::least(&game)) || !is_even(&game, asked.nodes) {
            continue;
        }
        known.insert(symmetry::least(&game));
        found += 1;
        if !told(&game) || found == asked.count {
            break;
        }
    }
    found
}

/// The stones of an opening as an event, and as offsets.
fn tell(game: &Game, output: &mut Output) {
    let mut event = events::new("opening");
    let words: Vec<String> = game.actions().iter().map(Action::to_string).collect();
    event.insert("actions".to_owned(), words.into());
    output.event(&event, Some(&offsets(game)));
}

fn offsets(game: &Game) -> String {
    let centre = game.rules().board().centre();
    let offset = |point: rules::Point| {
        let away = |place: u8, middle: u8| i16::from(place) - i16::from(middle);
        format!("{},{}", away(point.column(), centre.column()), away(point.row(), centre.row()))
    };
    let stones = game.actions().iter().filter_map(|action| match action {
        Action::Place { at, .. } => Some(offset(*at)),
        Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => None,
    });
    stones.collect::<Vec<_>>().join(", ")
}

/// A random opening of so many stones, none of them taken yet, with colours that nobody has to choose any more.
fn opening(rules: Rules, seed: u64) -> Option<Game> {
    let mut random = StdRng::seed_from_u64(seed);
    let count = random.random_range(STONES);
    let game = draw::near(rules, count, &mut random);
    let on_board = rules.board().points().filter(|&at| game.stone(at).is_some()).count();
    let is_whole = game.ply() == count && on_board == usize::from(count);
    let is_open = game.turn().is_some_and(|turn| turn.must == Must::Place);
    (is_whole && is_open).then_some(game)
}

/// Whether neither look, nor the two games, find one colour ahead.
fn is_even(game: &Game, nodes: u64) -> bool {
    let looks = [nodes / LOOK_PART, nodes];
    looks.into_iter().all(|nodes| look(game, nodes.max(1)) <= EVEN) && !has_one_winner(game, nodes)
}

/// How far from even a search finds it.
fn look(game: &Game, nodes: u64) -> i32 {
    let budget = Budget { level: LEVEL_MAX, nodes, seed: 0 };
    Mind::new(cpu::MEMORY_BYTES).think(game, &budget, &mut || false).score.abs()
}

/// Whether the same colour wins both games.
fn has_one_winner(opening: &Game, nodes: u64) -> bool {
    let fewer = (nodes * OTHER_HUNDREDTHS / 100).max(1);
    let first = winner(opening, [nodes, fewer]);
    first.is_some() && first == winner(opening, [fewer, nodes])
}

/// The place in turn order of the side that wins a game in which the sides look at so many positions a move, or sees that
/// it is won by force.
fn winner(opening: &Game, nodes: [u64; 2]) -> Option<u8> {
    let mut game = opening.clone();
    let mut minds = [(); 2].map(|()| Mind::new(cpu::MEMORY_BYTES));
    while let Some(turn) = game.turn() {
        let side = usize::from(turn.player % 2);
        let budget = Budget { level: LEVEL_MAX, nodes: nodes[side], seed: 0 };
        let thought = minds[side].think(&game, &budget, &mut || false);
        if thought.score.abs() >= WON {
            let loser = 1 - side as u8;
            return Some(if thought.score > 0 { side as u8 } else { loser });
        }
        game.play(&thought.action).expect("the CPU's action is legal");
    }
    match game.result() {
        Some(Outcome::Win { winners, .. }) => (0..2).find(|&side| winners.contains(&game.colour_of(side))),
        Some(Outcome::Draw(_)) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::openings_of;

    fn asked(rules: &str, count: u32, nodes: u64) -> args::Openings {
        args::Openings { rules: rules.to_owned(), count, nodes, seed: 5 }
    }

    fn found(rules: &str) -> Vec<String> {
        let mut lines = Vec::new();
        find(rules_of(rules).expect("rules"), &asked(rules, 2, NODES_MIN), &mut |game| {
            lines.push(offsets(game));
            true
        });
        lines
    }

    #[test]
    fn openings_are_those_asked_for_and_the_same_again() {
        for rules in [r#"{"preset":"gomoku"}"#, r#"{"preset":"pente"}"#] {
            let lines = found(rules);
            assert_eq!(lines.len(), 2, "{lines:?}");
            let read = openings_of(&lines.join("\n"), rules_of(rules).expect("rules")).expect("openings");
            assert!(read.iter().all(|opening| (3..=7).contains(&opening.len())), "{lines:?}");
            assert_eq!(lines, found(rules));
        }
    }

    #[test]
    fn an_opening_that_is_won_is_not_even() {
        let rules = Rules::of(rules::Preset::Gomoku);
        let won = ["H8", "A1", "I8", "A15", "J8", "O1"].map(|at| at.parse().expect("a stone"));
        assert!(!is_even(&Game::replay(rules, &won).expect("legal"), 200));
    }

    #[test]
    fn three_sides_have_no_even_openings() {
        let mut output = Output::new(false, Box::new(std::io::sink()));
        let asked = asked(r#"{"preset":"capture-five","seats":3}"#, 1, 10);
        assert_eq!(run(&asked, &mut output).map_err(|failure| failure.exit_code()), Err(2));
    }
}
