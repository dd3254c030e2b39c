//! What is kept on this device: the profile and device key, every running table's journal, the archive of finished
//! games. Two plain kinds of file are the truth; sled is an index that is rebuilt from them. It knows no network.

use std::path::{Path, PathBuf};

use rules::{Action, Outcome, Rules};
use table::TableId;

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("another Capture Five uses {0}: close it, or choose another folder with --data")]
    InUse(PathBuf),
    #[error("{path} cannot be written ({source}): make it writable, or choose another folder with --data")]
    Unwritable { path: PathBuf, source: std::io::Error },
    #[error("{0} was written by a newer version of Capture Five: update this program")]
    Newer(PathBuf),
}

/// Something that was mended or could not be read while opening; told to the user, never fatal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The index would not open; it was set aside under this name and rebuilt from the plain files.
    IndexRebuilt { aside: PathBuf },
    /// A plain file was damaged in the middle; set aside, what was good is kept.
    FileDamaged { aside: PathBuf },
    /// The folder comes from another machine: a new device key was made.
    NewKey,
}

/// Everything on this device. One process at a time.
#[derive(Debug)]
pub struct History {}

/// One table's journal, open for appending.
#[derive(Debug)]
pub struct Journal {}

/// A finished game as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub table: TableId,
    /// The game's number in the series, from 1.
    pub number: u32,
    pub rules: Rules,
    /// Names by seat; empty for CPUs and open seats.
    pub names: Vec<String>,
    /// The seat that started, and the turn order.
    pub starter: u8,
    pub order: Vec<u8>,
    pub actions: Vec<Action>,
    /// By seat: who made each of `actions` (`h` hand, `c` cpu, `k` clock), for the record.
    pub made: String,
    pub resigned: Vec<u8>,
    pub result: Outcome,
    /// This device's seats.
    pub mine: Vec<u8>,
    /// Seconds since 1970 by the wall clock, for display only.
    pub ended_s: u64,
}

impl History {
    /// Opens or makes the folder.
    pub fn open(_folder: &Path) -> Result<(History, Vec<Warning>), OpenError> {
        todo!()
    }

    /// The device's Ed25519 seed.
    pub fn secret(&self) -> [u8; 32] {
        todo!()
    }

    /// A small value by name (settings, profile); `None` if never set.
    pub fn value(&self, _name: &str) -> Option<Vec<u8>> {
        todo!()
    }

    pub fn set_value(&self, _name: &str, _value: &[u8]) -> std::io::Result<()> {
        todo!()
    }

    /// A new journal for a table. Fails if there is one.
    pub fn create_journal(&self, _table: TableId) -> std::io::Result<Journal> {
        todo!()
    }

    /// Tables with a running journal, last written first.
    pub fn running(&self) -> Vec<TableId> {
        todo!()
    }

    /// A running journal's good records, and the journal to go on with. A torn last line is dropped.
    pub fn open_journal(&self, _table: TableId) -> std::io::Result<(Journal, Vec<Vec<u8>>)> {
        todo!()
    }

    /// The records alone, to look at.
    pub fn read_journal(&self, _table: TableId) -> std::io::Result<Vec<Vec<u8>>> {
        todo!()
    }

    /// Moves a journal out of the running ones (kept in `closed/`).
    pub fn retire(&self, _table: TableId) -> std::io::Result<()> {
        todo!()
    }

    /// Appends a finished game to the archive. The same table and number twice is kept once.
    pub fn archive(&self, _game: &Finished) -> std::io::Result<()> {
        todo!()
    }

    /// Finished games, newest first.
    pub fn finished(&self, _skip: usize, _limit: usize) -> Vec<Finished> {
        todo!()
    }

    pub fn finished_count(&self) -> usize {
        todo!()
    }

    /// Addresses at which a table's devices were last reached, to try again.
    pub fn remember(&self, _table: TableId, _addresses: &[(table::DeviceId, Vec<std::net::SocketAddr>)]) {
        todo!()
    }

    pub fn remembered(&self, _table: TableId) -> Vec<(table::DeviceId, Vec<std::net::SocketAddr>)> {
        todo!()
    }
}

impl Journal {
    /// Appends one record and waits until it is on the disk (fsync).
    pub fn append(&mut self, _record: &[u8]) -> std::io::Result<()> {
        todo!()
    }
}
