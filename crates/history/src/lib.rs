//! What is kept on this device: the profile and device key, every running table's journal, the archive of finished
//! games. Two plain kinds of file are the truth; sled is an index that is rebuilt from them. It knows no network.
//!
//! ```text
//! lock              held by the one process that uses the folder
//! version           of the folder as a whole
//! device.key        the secret key, bound to this machine, readable by its owner only
//! values            settings and profile
//! running/*.journal one for each running table, a line a record
//! closed/*.journal  those of tables that are over
//! archive/games.c5a finished games, a line each
//! index/            sled: made anew from the archive whenever it does not fit it
//! *.damaged-DATE    what could not be read, as it was found
//! ```

mod archive;
mod disk;
mod error;
mod fail;
pub mod fuzz;
mod game;
mod index;
mod journal;
mod key;
mod lines;
mod store;
#[cfg(test)]
mod tests;
mod values;

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use table::{DeviceId, TableId};

pub use archive::GAME_BYTES_MAX;
pub use error::{OpenError, Warning};
pub use game::Finished;
pub use journal::{Journal, RECORD_BYTES_MAX};
pub use values::{VALUE_BYTES_MAX, VALUE_NAME_BYTES_MAX};

use archive::Archive;
use disk::Lock;
use error::unwritable;
use journal::Journals;
use key::Secret;
use values::Values;

/// The newest layout of the folder that this program knows.
const VERSION: u32 = 1;
const VERSION_TITLE: &str = "capture-five data ";

/// Everything on this device. One process at a time. Calls may block on the disk.
#[derive(Debug)]
pub struct History {
    folder: PathBuf,
    secret: Secret,
    values: Mutex<Values>,
    // Before the journals, which hold the folder's lock: whoever takes the lock next finds the index closed.
    archive: Mutex<Archive>,
    journals: Journals,
}

impl History {
    /// Opens or makes the folder. What is damaged is set aside and told; it never keeps the folder from being opened.
    pub fn open(folder: &Path) -> Result<(History, Vec<Warning>), OpenError> {
        History::open_on(folder, key::machine_id().as_deref(), || {
            let mut seed = [0; 32];
            getrandom::fill(&mut seed).map_err(|error| io::Error::other(error.to_string()))?;
            Ok(seed)
        })
    }

    /// Opens the folder on this machine; `seed` is asked for a new device key if one is needed.
    fn open_on(
        folder: &Path,
        machine: Option<&str>,
        seed: impl FnOnce() -> io::Result<[u8; 32]>,
    ) -> Result<(History, Vec<Warning>), OpenError> {
        if folder.is_file() {
            return Err(OpenError::NotAFolder(folder.to_owned()));
        }
        disk::make_folder(folder).map_err(unwritable(folder))?;
        let lock = Arc::new(Lock::take(folder)?);
        disk::probe(folder)?;
        let mut warnings = Vec::new();
        check_version(folder, &mut warnings)?;
        let history = History {
            secret: key::open(folder, machine, seed, &mut warnings)?,
            values: Mutex::new(Values::open(folder, &mut warnings)?),
            journals: Journals::open(folder, lock, &mut warnings)?,
            archive: Mutex::new(Archive::open(folder, &mut warnings)?),
            folder: folder.to_owned(),
        };
        Ok((history, warnings))
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The device's Ed25519 seed.
    pub fn secret(&self) -> [u8; 32] {
        self.secret.0
    }

    /// A small value by name (settings, profile); `None` if never set.
    pub fn value(&self, name: &str) -> Option<Vec<u8>> {
        held(&self.values).get(name)
    }

    /// On the disk when this returns; after an error the old value stands. Names are of visible ASCII characters.
    pub fn set_value(&self, name: &str, value: &[u8]) -> io::Result<()> {
        held(&self.values).set(name, value)
    }

    /// A new journal for a table. Fails if there is one.
    pub fn create_journal(&self, table: TableId) -> io::Result<Journal> {
        self.journals.create(table)
    }

    /// Tables with a running journal, last written first.
    pub fn running(&self) -> Vec<TableId> {
        self.journals.running()
    }

    /// A running journal's good records, and the journal to go on with. A torn last line is dropped. A journal can be
    /// open once at a time. Whatever is no file is `IsADirectory`, and stays as it is.
    pub fn open_journal(&self, table: TableId) -> io::Result<(Journal, Vec<Vec<u8>>)> {
        self.journals.go_on(table)
    }

    /// The records alone, to look at; also while the journal is open.
    pub fn read_journal(&self, table: TableId) -> io::Result<Vec<Vec<u8>>> {
        self.journals.read(table)
    }

    /// The file from which a table's records are read, for people to look at; also where there is none.
    pub fn journal_path(&self, table: TableId) -> PathBuf {
        self.journals.place(table)
    }

    /// Moves a journal out of the running ones (kept in `closed/`).
    pub fn retire(&self, table: TableId) -> io::Result<()> {
        self.journals.retire(table)?;
        held(&self.archive).forget(table);
        Ok(())
    }

    /// Appends a finished game to the archive; on the disk when this returns. The same table and number twice is kept
    /// once, so after an error it can simply be called again.
    pub fn archive(&self, game: &Finished) -> io::Result<()> {
        held(&self.archive).add(game)
    }

    /// Finished games, newest first.
    pub fn finished(&self, skip: usize, limit: usize) -> Vec<Finished> {
        held(&self.archive).games(skip, limit)
    }

    /// The finished game of this table and number; `None` where there is none that this version can read.
    pub fn game(&self, table: TableId, number: u32) -> Option<Finished> {
        held(&self.archive).game(table, number)
    }

    pub fn finished_count(&self) -> usize {
        held(&self.archive).len()
    }

    /// Addresses at which a table's devices were last reached, to try again. Kept until the table is retired, 8 a device.
    pub fn remember(&self, table: TableId, addresses: &[(DeviceId, Vec<SocketAddr>)]) {
        held(&self.archive).remember(table, addresses);
    }

    pub fn remembered(&self, table: TableId) -> Vec<(DeviceId, Vec<SocketAddr>)> {
        held(&self.archive).remembered(table)
    }
}

/// What a lock guards is whole between any two calls, so a thread that panicked elsewhere does no harm.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check_version(folder: &Path, warnings: &mut Vec<Warning>) -> Result<(), OpenError> {
    let path = folder.join("version");
    let ours = format!("{VERSION_TITLE}{VERSION}\n");
    match disk::read_file(&path) {
        Ok(content) if content == ours.as_bytes() => return Ok(()),
        Ok(content) => {
            let text = String::from_utf8_lossy(&content);
            let version = text.strip_prefix(VERSION_TITLE).and_then(|version| version.trim_end().parse::<u32>().ok());
            if version.is_some_and(|version| version > VERSION) {
                return Err(OpenError::Newer(folder.to_owned()));
            }
            let write = || disk::write_whole(&path, ours.as_bytes());
            let aside = disk::set_aside(&path, write).map_err(unwritable(&path))?;
            warnings.push(Warning::FileDamaged { aside });
            return Ok(());
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(unwritable(&path)(error)),
    }
    disk::write_whole(&path, ours.as_bytes()).map_err(unwritable(&path))
}
