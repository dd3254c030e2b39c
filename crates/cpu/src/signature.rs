//! A number that stands for how the CPU plays: it changes with the positions that a search looks at and with the moves
//! that it finds, and with nothing else. A change that was not meant to touch the search leaves it as it is; one that
//! was puts the new number into `crates/cpu/signature.txt`.

use rules::{Action, Game};

use crate::mind::{Budget, LEVEL_MAX, Mind};
use crate::mix;

/// The number as it was last put down: one line of `crates/cpu/signature.txt`.
pub const KNOWN: &str = include_str!("../signature.txt");

/// A position of the list.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// As [`rules::notation`] writes them.
    pub rules: &'static str,
    pub actions: &'static str,
    /// To this depth the time is taken, in stones: half a second or so. 0 with more than two sides, whose search has
    /// another measure.
    pub depth: u32,
}

const fn position(rules: &'static str, actions: &'static str, depth: u32) -> Position {
    Position { rules, actions, depth }
}

/// Beginnings of games between the CPU and the yardsticks, none of them decided.
pub const POSITIONS: &[Position] = &[
    position("gomoku", "H8 I8 H7 H9 J11 J7", 10),
    position("gomoku", "H8 H7 F10 G9 G7 I9 D8", 10),
    position("gomoku overline=no-win", "H9 H11 G10 F7 F11 E12 J7 I8", 10),
    position("gomoku overline=no-win", "H8 I8 G7 I9 J7 I7 I10", 10),
    position("wuziqi forbidden=renju", "H8 I8 H6 H7 K9 G6 F5 K10", 10),
    position("wuziqi forbidden=renju", "I10 G12 G10 G11 H10 F10 K10", 10),
    position("pente", "J10 H8 F10 H7 H9 J9 H6 F12", 8),
    position("pente", "J10 J9 I7 K9 I9 L9 I6", 8),
    position("pente-swap2", "J10 L11 J8 black J13 J9 J7 J11", 8),
    position("capture-five", "H9 J8 I9 F9 K9 J9 G9 J10", 8),
    position("capture-five", "H8 H7 G9 I7 E11 F10 J7", 8),
    position("capture-five overtime=break forced_capture=false", "H8 I8 I10 H9 J7 G10 F11 J9", 8),
    position("capture-five seats=3", "H8 I8 K6 G7 I9 E5 H6", 0),
    position("capture-five seats=4", "H9 G9 I8 I9 J9 J10 E8 F9", 0),
    position("capture-five seats=4 teams=true", "H8 I8 J7 I7 I9 I6 I5", 8),
];

/// Positions looked at from each one of the list, at the highest level; and at one that overlooks things.
const NODES: [(u8, u64); 2] = [(LEVEL_MAX, 6_000), (3, 400)];
/// Memory of the mind, in bytes: what is forgotten counts, too.
const BYTES: usize = 1 << 20;
const SEED: u64 = 1;

impl Position {
    /// The game that has come so far.
    ///
    /// # Panics
    /// Where the list is wrong.
    pub fn game(&self) -> Game {
        let wrong = |why: &dyn std::fmt::Debug| -> ! { panic!("{} {}: {why:?}", self.rules, self.actions) };
        let rules = self.rules.parse().unwrap_or_else(|fault| wrong(&fault));
        let read = |word: &str| -> Action { word.parse().unwrap_or_else(|fault| wrong(&fault)) };
        let actions: Vec<Action> = self.actions.split(' ').map(read).collect();
        Game::replay(rules, &actions).unwrap_or_else(|refused| wrong(&refused))
    }
}

/// The number of this program, as text: the same in every build of it.
pub fn signature() -> String {
    let mut signature = 0;
    for position in POSITIONS {
        let game = position.game();
        for (level, nodes) in NODES {
            let thought = Mind::new(BYTES).think(&game, &Budget { level, nodes, seed: SEED }, &mut || false);
            let text = format!("{} {}", thought.nodes, thought.action);
            signature = text.bytes().fold(signature, |sum, byte| mix(sum, u64::from(byte)));
        }
    }
    format!("{signature:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_is_the_one_that_was_put_down() {
        let now = signature();
        assert!(
            now == KNOWN.trim(),
            "The CPU looks at other positions, or plays other moves, than before: its signature is {now}, no longer {}.\n\
             If that is meant, put it down and say in the commit what it changes: echo {now} > crates/cpu/signature.txt",
            KNOWN.trim()
        );
    }

    #[test]
    fn from_every_position_a_game_goes_on() {
        for position in POSITIONS {
            assert!(position.game().turn().is_some(), "{} {}", position.rules, position.actions);
        }
    }
}
