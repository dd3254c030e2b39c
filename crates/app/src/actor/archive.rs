//! Finished games as the archive keeps them.

use history::Finished;
use table::{Current, DeviceId, Made, Sitter, State, Table};

use crate::clock::wall_clock_s;
use crate::snapshot::players_of;

/// The game of this number, which has ended; `None` if the table no longer knows it.
pub(crate) fn finished(table: &Table, number: u32) -> Option<Finished> {
    let state = table.state()?;
    let game: &Current = table.ended_game(number)?;
    Some(Finished {
        table: table.id(),
        number,
        rules: *game.game.rules(),
        names: players_of(state, game),
        starter: game.starter,
        order: game.order.clone(),
        actions: game.game.actions().to_vec(),
        made: made(game),
        resigned: game.resigned.clone(),
        result: game.game.result()?.clone(),
        mine: seats_of(state, game, table.me()),
        gave_up: game.given_up_by(table.me()),
        ended_s: wall_clock_s(),
        counts: game.is_ranked().then(|| game.counts()),
    })
}

/// One letter an action; a resignation or a draw at the end is always by hand.
fn made(game: &Current) -> String {
    let made: String = game.moves.iter().map(|record| letter(record.by)).collect();
    format!("{made:h<actions$}", actions = game.game.actions().len())
}

const fn letter(made: Made) -> char {
    match made {
        Made::Hand => 'h',
        Made::Cpu => 'c',
        Made::Clock => 'k',
    }
}

/// Those that the device owns, and those that it gave up in this game.
fn seats_of(state: &State, game: &Current, me: DeviceId) -> Vec<u8> {
    let gave_up = game.given_up_by(me);
    let owned = |seat: &u8| match &state.seats[usize::from(*seat)].sitter {
        Sitter::Person { device, .. } => *device == me,
        Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => false,
    };
    (0..state.seats.len() as u8).filter(|seat| owned(seat) || gave_up.contains(seat)).collect()
}
