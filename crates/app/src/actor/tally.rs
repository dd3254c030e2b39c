//! Finished games as the archive keeps them, gathered from a table's events.

use std::collections::BTreeMap;

use history::Finished;
use table::{DeviceId, Event, EventKind, Made, Sitter, State, TableId};

use crate::clock::wall_clock_s;
use crate::snapshot::names;

/// The running game's makers, and the games that ended and wait to be final.
#[derive(Default)]
pub(crate) struct Tally {
    game: u32,
    order: Vec<u8>,
    made: String,
    ended: BTreeMap<u32, Finished>,
}

impl Tally {
    /// Takes up what a resumed table's log already holds.
    pub(crate) fn resume(state: Option<&State>, table: TableId, me: DeviceId) -> Tally {
        let mut tally = Tally::default();
        let Some((state, current)) = state.and_then(|state| Some((state, state.current.as_ref()?))) else {
            return tally;
        };
        tally.game = current.number;
        tally.order = current.order.clone();
        tally.made = current.moves.iter().map(|record| letter(record.by)).collect();
        if let Some(finished) = of_state(state, table, me) {
            tally.ended.insert(current.number, finished);
        }
        tally
    }

    pub(crate) fn hear(&mut self, event: &Event, state: &State, table: TableId, me: DeviceId) {
        match &event.kind {
            EventKind::Start { game, order, .. } => {
                self.game = *game;
                self.order = order.clone();
                self.made.clear();
            }
            EventKind::Move { by, .. } => self.made.push(letter(*by)),
            EventKind::End { result, rules, actions, starter, resigned, credited: _ } => {
                let finished = Finished {
                    table,
                    number: self.game,
                    rules: *rules,
                    names: names(state),
                    starter: *starter,
                    order: self.order.clone(),
                    actions: actions.clone(),
                    made: padded(&self.made, actions.len()),
                    resigned: resigned.clone(),
                    result: result.clone(),
                    mine: seats_of(state, me),
                    ended_s: wall_clock_s(),
                };
                self.ended.insert(self.game, finished);
            }
            EventKind::Table
            | EventKind::Seat { .. }
            | EventKind::YourTurn { .. }
            | EventKind::Keeper { .. }
            | EventKind::Resigned { .. }
            | EventKind::Final { .. }
            | EventKind::Rewound { .. }
            | EventKind::Link { .. } => {}
        }
    }

    pub(crate) fn take(&mut self, game: u32) -> Option<Finished> {
        self.ended.remove(&game)
    }
}

/// The game whose result stands; `None` while one runs.
pub(crate) fn of_state(state: &State, table: TableId, me: DeviceId) -> Option<Finished> {
    let current = state.current.as_ref()?;
    let made: String = current.moves.iter().map(|record| letter(record.by)).collect();
    Some(Finished {
        table,
        number: current.number,
        rules: *current.game.rules(),
        names: names(state),
        starter: current.starter,
        order: current.order.clone(),
        actions: current.game.actions().to_vec(),
        made: padded(&made, current.game.actions().len()),
        resigned: current.resigned.clone(),
        result: current.game.result()?.clone(),
        mine: seats_of(state, me),
        ended_s: wall_clock_s(),
    })
}

/// A resignation or a draw at the end is always by hand.
fn padded(made: &str, actions: usize) -> String {
    format!("{made:h<actions$}")
}

const fn letter(made: Made) -> char {
    match made {
        Made::Hand => 'h',
        Made::Cpu => 'c',
        Made::Clock => 'k',
    }
}

fn seats_of(state: &State, me: DeviceId) -> Vec<u8> {
    let owned = |seat: &u8| match &state.seats[usize::from(*seat)].sitter {
        Sitter::Person { device, .. } => *device == me,
        Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => false,
    };
    (0..state.seats.len() as u8).filter(owned).collect()
}
