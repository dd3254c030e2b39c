//! A CPU player: what it keeps from one move to the next, and what it may spend on one.

use rules::{Action, Game, Must};

use crate::{opening, place};

/// Levels go from 1 to this.
pub const LEVEL_MAX: u8 = 8;

/// What one move may cost, beside the time that the caller's `stop` keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// 1 to [`LEVEL_MAX`]: how much it sees. The highest sees all that it can.
    pub level: u8,
    /// Positions looked at, at most.
    pub nodes: u64,
    /// Decides among equals. The same seed, nodes and game give the same move.
    pub seed: u64,
}

impl Budget {
    /// A level without a limit of its own.
    pub fn of(level: u8, seed: u64) -> Budget {
        Budget { level, nodes: u64::MAX, seed }
    }
}

/// What came of thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// A legal action.
    pub action: Action,
    /// Positions looked at.
    pub nodes: u64,
}

/// A CPU player of one game or many; it remembers what it has worked out.
pub struct Mind {
    _bytes: usize,
}

impl Mind {
    /// With this much memory for what it works out, in bytes.
    pub fn new(bytes: usize) -> Mind {
        Mind { _bytes: bytes }
    }

    /// A move for the player to act. `stop` is asked often and ends the search when true: the best move found until
    /// then is the answer.
    ///
    /// # Panics
    /// When the game is over.
    pub fn think(&mut self, game: &Game, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> Thought {
        let turn = game.turn().expect("a running game");
        let action = match turn.must {
            Must::Place if opening::placing(game) => opening::place(game, budget.seed),
            Must::Place => place::best(game, budget.seed, stop),
            Must::Choose | Must::ChooseOrAdd => opening::choose(game, turn.must),
        };
        Thought { action, nodes: 1 }
    }
}
