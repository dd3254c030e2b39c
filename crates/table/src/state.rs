//! The state of a table: a pure function of its log.

use rules::{Colour, Game, Outcome, Rules};
use serde::{Deserialize, Serialize};

use crate::{DeviceId, Seat, Settings};

/// Who made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Made {
    Hand,
    Cpu,
    Clock,
}

/// One stone or choice as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// The log entry that holds it.
    pub index: u32,
    pub seat: u8,
    pub by: Made,
    pub action: rules::Action,
    pub played: rules::Played,
    /// Stones placed up to and with this one.
    pub ply: u16,
}

/// The running game, or the last one.
#[derive(Clone, Debug)]
pub struct Current {
    /// From 1.
    pub number: u32,
    pub starter: u8,
    /// Seats in turn order; the game's player `i` is `order[i]`.
    pub order: Vec<u8>,
    pub game: Game,
    pub moves: Vec<MoveRecord>,
    /// Seats that resigned in a game that went on.
    pub resigned: Vec<u8>,
}

/// Everything that the log says. Read-only outside this crate.
#[derive(Clone, Debug)]
pub struct State {
    /// The rules for the next game, or of the running one.
    pub rules: Rules,
    pub settings: Settings,
    pub seats: Vec<Seat>,
    pub current: Option<Current>,
    /// Games won by each seat in this series.
    pub wins: Vec<u32>,
    pub term: u64,
    /// The device that keeps, and its lowest seat.
    pub keeper: DeviceId,
    pub keeper_seat: u8,
}

impl State {
    /// The seat whose turn it is, while a game runs.
    pub fn turn_seat(&self) -> Option<u8> {
        let current = self.current.as_ref()?;
        current.order.get(usize::from(current.game.turn()?.player)).copied()
    }

    /// The result that stands, between games.
    pub fn result(&self) -> Option<&Outcome> {
        self.current.as_ref()?.game.result()
    }

    /// The colour that a seat has in the running or last game.
    pub fn colour(&self, seat: u8) -> Option<Colour> {
        let current = self.current.as_ref()?;
        let player = current.order.iter().position(|&s| s == seat)?;
        Some(current.game.colour_of(player as u8))
    }

    /// Whether a game runs.
    pub fn playing(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.game.result().is_none())
    }
}
