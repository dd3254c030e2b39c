//! Finished games as the archive keeps them.

use history::Finished;
use table::{Current, Made, Table};

use crate::clock::wall_clock_s;
use crate::snapshot::players_of;

/// The game of this number, which has ended; `None` if the table no longer knows it.
pub(crate) fn finished(table: &Table, number: u32) -> Option<Finished> {
    let state = table.state()?;
    let game: &Current = table.ended_game(number)?;
    let mine = state.played_by(game, table.me());
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
        mine: mine.iter().map(|&(seat, _)| seat).collect(),
        guests: mine.iter().filter(|(_, guest)| *guest).map(|&(seat, _)| seat).collect(),
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
