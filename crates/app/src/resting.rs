//! Tables with a running journal that nobody has gone on with yet.

use table::port::Ed25519;
use table::{ResumeError, Table, TableId};

use crate::actor::tally;
use crate::api::{ApiError, ErrorCode};
use crate::app::seed;
use crate::core::Core;
use crate::snapshot::{Snapshot, has_others};

/// Journals with nothing to go on with (between games, or nobody came) that are kept for a return; older ones are put
/// away.
const IDLE_KEPT_MAX: usize = 16;

/// Looks at every running journal for the home screen, keeps finished games that are not in the archive yet, and puts
/// old idle journals away. Blocks.
pub(crate) fn look_at_all(core: &Core) {
    let mut idle = 0;
    let mut put_away = Vec::new();
    let mut seen = Vec::new();
    for table in core.history.running() {
        match look_at(core, table) {
            Ok(snapshot) => {
                archive_final(core, &snapshot);
                seen.push(snapshot);
            }
            Err(error) if error.code == ErrorCode::Version => core.home.warn("newer-game"),
            Err(error) => {
                tracing::warn!(%table, %error, "a running journal is set aside");
                core.home.warn("damaged-set-aside");
                put_away.push(table);
            }
        }
    }
    // The newest is taken up last, and so ranks first.
    for snapshot in seen.iter().rev() {
        core.home.saw(snapshot);
    }
    let going_on = core.home.interrupted();
    for snapshot in &seen {
        let table = snapshot.table.to_string();
        if !going_on.iter().any(|view| view.table == table) {
            idle += 1;
            if idle > IDLE_KEPT_MAX {
                put_away.push(snapshot.table);
            }
        }
    }
    for table in put_away {
        if let Err(why) = core.history.retire(table) {
            tracing::warn!(%table, %why, "a journal cannot be put away");
        }
        core.home.forget(table);
    }
}

/// What a running journal says. Blocks.
pub(crate) fn look_at(core: &Core, table: TableId) -> Result<Snapshot, ApiError> {
    let records = core.history.read_journal(table).map_err(|why| {
        tracing::warn!(%table, %why, "no journal to look at");
        ApiError::no_such_table(&table.to_string())
    })?;
    let now = core.clock.now();
    let resumed = Table::resume(Box::new(Ed25519::new(&core.secret)), seed()?, &records, now);
    let table = resumed.map_err(|why| unreadable(table, &why))?;
    Ok(Snapshot::of(&table, rules::Preset::CaptureFive, now))
}

pub(crate) fn unreadable(table: TableId, why: &ResumeError) -> ApiError {
    match why {
        ResumeError::Empty | ResumeError::Invalid(_) => ApiError::new(
            ErrorCode::NotFound,
            format!("the game at table {table} cannot be gone on with ({why}): its file is kept, open a new table"),
        ),
        ResumeError::Version => ApiError::new(
            ErrorCode::Version,
            format!("the game at table {table} was written by another version: update this program"),
        ),
    }
    .with("table", table)
}

/// A game can have ended just before the process did. With nobody else at the table its result is final.
fn archive_final(core: &Core, seen: &Snapshot) {
    let Some(state) = &seen.state else { return };
    let Some(finished) = tally::of_state(state, seen.table, seen.me) else { return };
    let last = state.current.as_ref().and_then(|current| current.moves.last());
    if !has_others(state, seen.me) || last.is_some_and(|last| seen.is_final(last.index)) {
        core.archive(&finished);
    }
}
