//! How fast the CPU looks at positions: a fixed list of them, under every kind of rules.

use std::time::{Duration, Instant};

use cpu::{Budget, LEVEL_MAX, Mind};
use rules::{Action, Game};

use super::{Once, figure, net};
use crate::args::Bench;
use crate::{Failure, Output};

/// Positions looked at from each one of the list, at most.
const NODES: u64 = 100_000;

/// When it is told to stop, to see how long after that the answer comes.
const STOP_AFTER: Duration = Duration::from_millis(50);

/// A position of the list: its rules as `rules` reads them, and the actions so far.
struct Position {
    rules: &'static str,
    actions: &'static str,
}

/// Beginnings of games between the CPU and the yardsticks, none of them decided.
const POSITIONS: &[Position] = &[
    Position { rules: "gomoku", actions: "H8 I8 H7 H9 J11 J7" },
    Position { rules: "gomoku", actions: "H8 H7 F10 G9 G7 I9 D8" },
    Position { rules: "gomoku overline=no-win", actions: "H9 H11 G10 F7 F11 E12 J7 I8" },
    Position { rules: "gomoku overline=no-win", actions: "H8 I8 G7 I9 J7 I7 I10" },
    Position { rules: "wuziqi forbidden=renju", actions: "H8 I8 H6 H7 K9 G6 F5 K10" },
    Position { rules: "wuziqi forbidden=renju", actions: "I10 G12 G10 G11 H10 F10 K10" },
    Position { rules: "pente", actions: "J10 H8 F10 H7 H9 J9 H6 F12" },
    Position { rules: "pente", actions: "J10 J9 I7 K9 I9 L9 I6" },
    Position { rules: "pente-swap2", actions: "J10 L11 J8 black J13 J9 J7 J11" },
    Position { rules: "capture-five", actions: "H9 J8 I9 F9 K9 J9 G9 J10" },
    Position { rules: "capture-five", actions: "H8 H7 G9 I7 E11 F10 J7" },
    Position { rules: "capture-five overtime=break forced_capture=false", actions: "H8 I8 I10 H9 J7 G10 F11 J9" },
    Position { rules: "capture-five seats=3", actions: "H8 I8 K6 G7 I9 E5 H6" },
    Position { rules: "capture-five seats=4", actions: "H9 G9 I8 I9 J9 J10 E8 F9" },
    Position { rules: "capture-five seats=4 teams=true", actions: "H8 I8 J7 I7 I9 I6 I5" },
];

/// Nodes a second from each position, and how late the answers come.
pub(super) fn run(bench: &Bench, output: &mut Output) -> Result<(), Failure> {
    let mut late = Vec::new();
    for position in POSITIONS {
        let game = position.game()?;
        let budget = Budget::of(LEVEL_MAX, bench.seed);
        // A mind of its own each time, so that nothing is remembered and the seed tells all.
        let once: Once = Box::new(|| {
            let mut mind = Mind::new(cpu::MEMORY_BYTES);
            let thought = mind.think(&game, &Budget { nodes: NODES, ..budget }, &mut || false);
            u32::try_from(thought.nodes).unwrap_or(u32::MAX)
        });
        figure(["cpu", "nodes", &format!("{}: {}", position.rules, position.actions)], once, bench, output);
        late.extend((0..bench.repeats).map(|_| lateness(&game, &budget)));
    }
    net::figure(["cpu", "answer after being stopped", "all positions"], &late, bench, output);
    Ok(())
}

/// How long after it was to stop an answer came; nothing, if it came earlier.
fn lateness(game: &Game, budget: &Budget) -> Duration {
    let mut mind = Mind::new(cpu::MEMORY_BYTES);
    let until = Instant::now() + STOP_AFTER;
    mind.think(game, budget, &mut || Instant::now() >= until);
    Instant::now().saturating_duration_since(until)
}

impl Position {
    fn game(&self) -> Result<Game, Failure> {
        let wrong = |why: String| Failure::new("internal", format!("{} {}: {why}", self.rules, self.actions));
        let rules = self.rules.parse().map_err(|fault| wrong(format!("{fault:?}")))?;
        let actions = self.actions.split(' ').map(str::parse).collect::<Result<Vec<Action>, _>>();
        let actions = actions.map_err(|fault| wrong(format!("{fault:?}")))?;
        Game::replay(rules, &actions).map_err(|(index, refusal)| wrong(format!("{index}: {}", refusal.name())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_one_from_which_a_game_goes_on() {
        for position in POSITIONS {
            let game = position.game().unwrap_or_else(|failure| panic!("{}", failure.message));
            assert!(game.turn().is_some(), "{} {}", position.rules, position.actions);
        }
    }
}
