//! Tables with a running journal that nobody has gone on with yet.

use std::io::ErrorKind;
use std::path::Path;

use table::port::Ed25519;
use table::{Hash, Output, ResumeError, Table, TableId};

use crate::actor::{archive, branches_of, replay_of};
use crate::api::branch::{BranchView, ReplayView};
use crate::api::home::Warning;
use crate::api::{ApiError, ErrorCode};
use crate::app::seed;
use crate::core::Core;
use crate::snapshot::Snapshot;

/// Journals with nothing to go on with (between games, or nobody came) that are kept for a return; older ones are put
/// away.
const IDLE_KEPT_MAX: usize = 16;

/// The newest finished games, among which those of running journals are looked for.
const FINISHED_LOOKED_AT: usize = 200;

/// Looks at every running journal for the home screen, keeps finished games that are not in the archive yet, and puts
/// old idle journals away. Blocks.
pub(crate) fn look_at_all(core: &Core) {
    for kept in core.history.finished(0, FINISHED_LOOKED_AT) {
        core.home.archived(kept.table, kept.number, core.history.finished_count());
    }
    let mut idle = 0;
    let mut put_away = Vec::new();
    let mut seen = Vec::new();
    for table in core.history.running() {
        match look_at(core, table) {
            Ok(snapshot) => {
                seen.push(snapshot);
            }
            Err(error) if error.code == ErrorCode::Version => {
                core.home.warn(Warning::NewerGame);
                core.home.mend(error.message);
            }
            // It may be readable at another time, or after a person has seen to it.
            Err(error) if error.code == ErrorCode::DataUnwritable => core.home.mend(error.message),
            Err(error) => {
                tracing::warn!(%table, %error, "a running journal is set aside");
                core.home.warn(Warning::DamagedSetAside);
                core.home.mend(format!("{error} (in {})", core.history.folder().join("closed").display()));
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
    let mut table = take_up(core, table)?;
    keep_finished(core, &mut table);
    Ok(Snapshot::of(&table, rules::Preset::CaptureFive, core.clock.now()))
}

/// What was continued apart at a table, also at one that is over; nothing where its journal is not kept. Blocks.
pub(crate) fn branches(core: &Core, table: TableId) -> Result<Vec<BranchView>, ApiError> {
    match take_up(core, table) {
        Ok(table) => Ok(branches_of(&table)),
        Err(error) if error.code == ErrorCode::NoSuchTable => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// One of these, move by move. Blocks.
pub(crate) fn branch(core: &Core, table: TableId, head: Hash) -> Result<Option<ReplayView>, ApiError> {
    let table = take_up(core, table)?;
    Ok(replay_of(&table, head, &Snapshot::of(&table, rules::Preset::CaptureFive, core.clock.now())))
}

/// The table of a journal, only to be looked at.
fn take_up(core: &Core, table: TableId) -> Result<Table, ApiError> {
    let path = core.history.journal_path(table);
    let records = core.history.read_journal(table).map_err(|why| no_journal(table, &path, &why))?;
    resumed(core, table, &records)
}

/// A journal's table, which must be the one whose name the file has. Blocks.
pub(crate) fn resumed(core: &Core, id: TableId, records: &[Vec<u8>]) -> Result<Table, ApiError> {
    let port = Box::new(Ed25519::new(&core.secret));
    let table = Table::resume(port, seed()?, records, core.clock.now()).map_err(|why| unreadable(id, &why))?;
    if table.id() != id {
        return Err(of_another(id, table.id(), &core.history.journal_path(id)));
    }
    Ok(table)
}

/// Why a journal could not be opened, read or moved. The file is as it was.
pub(crate) fn no_journal(table: TableId, path: &Path, why: &std::io::Error) -> ApiError {
    tracing::warn!(%table, %why, "a journal is not to be had");
    let told = |code, message| ApiError::new(code, message).with("table", table);
    match why.kind() {
        ErrorKind::NotFound => ApiError::no_such_table(&table.to_string()),
        ErrorKind::InvalidData => told(
            ErrorCode::NotFound,
            format!("the game at table {table} cannot be gone on with ({why}): its file is kept, open a new table"),
        ),
        ErrorKind::ResourceBusy => {
            told(ErrorCode::Stale, format!("the game at table {table} is being closed here: wait a moment"))
        }
        kind => told(
            ErrorCode::DataUnwritable,
            format!("the game at table {table} cannot be gone on with now: {}", way_out(kind, path, why)),
        ),
    }
}

/// What is wrong with a file that could not be read or written, and what to do about it.
fn way_out(kind: ErrorKind, path: &Path, why: &std::io::Error) -> String {
    let path = path.display();
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            format!("there is no space to mend {path} ({why}): make space and try again, nothing of it is lost")
        }
        ErrorKind::IsADirectory | ErrorKind::NotADirectory => {
            format!("something else lies at {path}, where its file should be ({why}): move it away and try again")
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            format!("{path} may not be read and written ({why}): allow that and try again, nothing of it is lost")
        }
        // Which of the disk's troubles it is, its own words say best.
        _ => format!("{path} cannot be read or written ({why}): it stays as it is, see to the disk and try again"),
    }
}

/// A file under a wrong name, as copies of a folder's files by hand leave it. Both tables' games may be good, so nothing
/// is mended.
fn of_another(table: TableId, found: TableId, path: &Path) -> ApiError {
    ApiError::new(
        ErrorCode::DataUnwritable,
        format!(
            "the game at table {table} cannot be gone on with: its file {} holds another table, {found}, and stays as \
             it is: move it away, or put the right one there",
            path.display()
        ),
    )
    .with("table", table)
}

fn unreadable(table: TableId, why: &ResumeError) -> ApiError {
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

/// A game can have ended just before the process did.
fn keep_finished(core: &Core, table: &mut Table) {
    while let Some(output) = table.poll() {
        match output {
            Output::Finished { game } => {
                if let Some(finished) = archive::finished(table, game) {
                    core.archive(&finished);
                }
            }
            // The table is only looked at: nothing is written, sent or told.
            Output::Write { .. }
            | Output::Send { .. }
            | Output::Dial { .. }
            | Output::Think { .. }
            | Output::StopThinking
            | Output::Event(_)
            | Output::Changed
            | Output::Refused(_)
            | Output::Disconnect { .. }
            | Output::Locked { .. }
            | Output::Closed => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_is_asked_for_where_it_helps_and_nowhere_else() {
        let path = Path::new("running/x.journal");
        let told = |kind: ErrorKind| no_journal(TableId([1; 16]), path, &std::io::Error::from(kind));
        for (kind, what) in [
            (ErrorKind::StorageFull, "make space"),
            (ErrorKind::QuotaExceeded, "make space"),
            (ErrorKind::FileTooLarge, "make space"),
            (ErrorKind::IsADirectory, "move it away"),
            (ErrorKind::NotADirectory, "move it away"),
            (ErrorKind::PermissionDenied, "allow that"),
            (ErrorKind::ReadOnlyFilesystem, "allow that"),
            (ErrorKind::Other, "see to the disk"),
            (ErrorKind::Interrupted, "see to the disk"),
        ] {
            let error = told(kind);
            assert_eq!(error.code, ErrorCode::DataUnwritable, "{kind:?}");
            assert!(error.message.contains(what) && error.message.contains("running/x.journal"), "{}", error.message);
            assert_eq!(error.message.contains("space"), what == "make space", "{}", error.message);
        }
        assert_eq!(told(ErrorKind::NotFound).code, ErrorCode::NoSuchTable);
        assert_eq!(told(ErrorKind::InvalidData).code, ErrorCode::NotFound);
        assert_eq!(told(ErrorKind::ResourceBusy).code, ErrorCode::Stale);
    }
}
