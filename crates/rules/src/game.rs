//! One game, from the empty board to its result (RULES.md, sections 4 to 8).

use serde::{Deserialize, Serialize};

use crate::{Action, Colour, Group, Outcome, Point, Rules};

/// What the player to act must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Must {
    Place,
    /// Choose a colour.
    Choose,
    ChooseOrAdd,
}

/// Whose turn it is. `player` is the place in turn order; `colour` that of the stone to be placed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Turn {
    pub player: u8,
    pub colour: Colour,
    pub must: Must,
}

/// Why an action was refused, in the order in which the causes are looked for. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    GameOver,
    /// A resignation where there are more than two sides.
    BadRequest,
    /// A colour where a stone is due, or the reverse.
    NotAChoice,
    OffBoard,
    Occupied,
    /// Centre or distance rule of an opening.
    Opening,
    IntoFlank,
    BadTake,
    DoubleThree,
    DoubleFour,
    Overline,
}

/// What an accepted action did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The player who acted, in turn order.
    pub player: u8,
    /// The stone's colour, or the colour chosen, or the side that resigned; `None` for `Add` and `Draw`.
    pub colour: Option<Colour>,
    /// Groups that the mover took.
    pub took: Vec<Group>,
    /// Flanks moved into: who took which points.
    pub lost: Vec<(Colour, Vec<Point>)>,
}

/// A winning line that waits for the next player's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overtime {
    pub colour: Colour,
    pub lines: Vec<Vec<Point>>,
}

/// One game.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
}

impl Game {
    pub fn new(_rules: Rules) -> Game {
        todo!()
    }

    /// Replays actions from the empty board; the index of the first refused one, and why.
    pub fn replay(_rules: Rules, _actions: &[Action]) -> Result<Game, (usize, Refusal)> {
        todo!()
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Every action so far.
    pub fn actions(&self) -> &[Action] {
        todo!()
    }

    /// Stones placed so far.
    pub fn ply(&self) -> u16 {
        todo!()
    }

    pub fn stone(&self, _at: Point) -> Option<Colour> {
        todo!()
    }

    /// Stones taken by this colour's side.
    pub fn captured(&self, _by: Colour) -> u16 {
        todo!()
    }

    /// `None` once there is a result.
    pub fn turn(&self) -> Option<Turn> {
        todo!()
    }

    /// The colour that this player has now; before colours are chosen the starter holds the first colour.
    pub fn colour_of(&self, _player: u8) -> Colour {
        todo!()
    }

    pub fn result(&self) -> Option<&Outcome> {
        todo!()
    }

    pub fn overtime(&self) -> Option<&Overtime> {
        todo!()
    }

    /// Winning lines on the board now, of every side (maximal runs), for drawing.
    pub fn winning_lines(&self) -> Vec<(Colour, Vec<Point>)> {
        todo!()
    }

    /// Plays an action, or says why not and changes nothing.
    pub fn play(&mut self, _action: &Action) -> Result<Played, Refusal> {
        todo!()
    }

    /// Takes the last action back; false when there is none. Restores every bit.
    pub fn undo(&mut self) -> bool {
        todo!()
    }

    /// Whether some choice of captures makes a stone here legal; why not otherwise.
    pub fn check(&self, _at: Point) -> Result<(), Refusal> {
        todo!()
    }

    /// The empty points where the player to act may not play, by row then column. Empty while a choice is awaited and after the end.
    pub fn illegal(&self) -> Vec<Point> {
        todo!()
    }

    /// The groups that a stone here may take, sorted.
    pub fn groups(&self, _at: Point) -> Vec<Group> {
        todo!()
    }

    /// Canonical bytes of the state (board, totals, turn, phase, claim), for hashing.
    pub fn state_bytes(&self) -> Vec<u8> {
        todo!()
    }

    /// A quick hash of the state, the same for the same state on every machine. Not cryptographic.
    pub fn hash(&self) -> u64 {
        todo!()
    }
}
