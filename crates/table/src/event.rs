//! What happened, told once the entry is on this device's disk. The command line prints these.

use rules::{Action, Colour, Group, Must, Outcome, Rules};

use serde::Serialize;

use crate::{DeviceId, Hash, Presence, Terms, state::Made};

/// One event, after the log's entry `index` whose hash is `head`.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub index: u32,
    pub head: Hash,
    pub kind: EventKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// The table is known here: opened, caught up for the first time, or resumed.
    Table,
    Seat {
        seat: u8,
        presence: Presence,
    },
    Start {
        game: u32,
        starter: u8,
        order: Vec<u8>,
        rules: Rules,
    },
    /// A stone or a choice. `took` are the mover's captures, `lost` flanks moved into.
    Move {
        ply: u16,
        seat: u8,
        by: Made,
        action: Action,
        took: Vec<Group>,
        lost: Vec<(Colour, Vec<rules::Point>)>,
    },
    YourTurn {
        seat: u8,
        ply: u16,
        must: Must,
    },
    Keeper {
        term: u64,
        seat: u8,
    },
    Resigned {
        seat: u8,
    },
    /// Somebody asks the others; `id` is what an answer names.
    Asked {
        id: Hash,
        seat: u8,
        what: Asked,
    },
    Answered {
        id: Hash,
        seat: u8,
        yes: bool,
    },
    /// The offer is open no longer.
    AskClosed {
        id: Hash,
        why: Closed,
    },
    /// Stones and choices were taken back; `ply` is what is left.
    Undone {
        ply: u16,
    },
    /// The terms of the next game have changed by agreement.
    Agreed,
    /// Devices disagree about the game or the rules: play stands still ([`crate::Table::halt`]).
    Halted,
    /// All entries up to this index are final.
    Final {
        upto: u32,
    },
    /// This device's log went back to this index; what follows replaces it.
    Rewound {
        index: u32,
    },
    Link {
        peer: DeviceId,
        up: bool,
    },
    /// Somebody with a seat, this device's person too, said one of the ready phrases. It is in no log.
    Said {
        seat: u8,
        phrase: u8,
    },
    /// `actions` as the referee takes them (the starter as its player 0), `credited` the winners' seats without resigned ones.
    End {
        result: Outcome,
        rules: Rules,
        actions: Vec<Action>,
        starter: u8,
        resigned: Vec<u8>,
        credited: Vec<u8>,
    },
}

/// What an offer asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Asked {
    Undo,
    Draw,
    Options(Terms),
    /// A partner in a team wants to resign for both.
    Resign,
}

/// How an offer came to be open no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    Agreed,
    Refused,
    /// The asker's seat is no longer here.
    Gone,
    /// Play went on, or the terms changed.
    Moved,
}
