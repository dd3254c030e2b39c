//! One journal for each running table: every record is on the disk before it counts.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use table::TableId;

use crate::disk::{Lock, free, make_folder, open_file, set_aside, sync_parent, write_whole};
use crate::fail;
use crate::lines::{Appender, Format, Scan, State, hex, scan, unhex};
use crate::{OpenError, Warning, error::unwritable};

/// Longest record, in bytes.
pub const RECORD_BYTES_MAX: usize = 128 * 1024;

pub(crate) const FORMAT: Format =
    Format { title: "capture-five journal", version: 1, payload_bytes_max: 2 * RECORD_BYTES_MAX, placed: true };
const ENDING: &str = ".journal";

/// Where the journals are, and which of them are open.
#[derive(Debug)]
pub(crate) struct Journals {
    running: PathBuf,
    closed: PathBuf,
    open: Arc<Mutex<BTreeSet<TableId>>>,
    lock: Arc<Lock>,
}

impl Journals {
    /// Looks at every running journal; those damaged are mended, those that hold nothing go.
    pub fn open(folder: &Path, lock: Arc<Lock>, warnings: &mut Vec<Warning>) -> Result<Journals, OpenError> {
        let journals =
            Journals { running: folder.join("running"), closed: folder.join("closed"), open: Arc::default(), lock };
        for part in [&journals.running, &journals.closed] {
            make_folder(part).map_err(unwritable(part))?;
        }
        for table in journals.running() {
            let path = journals.path(table);
            match check(&path) {
                Ok(State::Newer) => return Err(OpenError::Newer(path)),
                Ok(State::Whole | State::Torn | State::Damaged) => {}
                Err(error) => {
                    tracing::warn!(%error, %table, "a journal could not be read");
                    continue;
                }
            }
            let mended = mend(&path).and_then(|(records, aside)| {
                warnings.extend(aside.map(|aside| Warning::FileDamaged { aside }));
                if records.is_empty() { fs::remove_file(&path) } else { Ok(()) }
            });
            if let Err(error) = mended {
                tracing::warn!(%error, %table, "a journal could not be mended");
            }
        }
        Ok(journals)
    }

    pub fn create(&self, table: TableId) -> io::Result<Journal> {
        let path = self.path(table);
        let mark = self.mark(table)?;
        if fs::exists(&path)? {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "this table has a journal"));
        }
        write_whole(&path, FORMAT.header().as_bytes())?;
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        Ok(Journal { end: Appender::new(file, FORMAT.header().len() as u64), records: 0, _mark: mark })
    }

    pub fn running(&self) -> Vec<TableId> {
        let Ok(entries) = fs::read_dir(&self.running) else { return Vec::new() };
        let mut found: Vec<_> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let table: TableId = entry.file_name().to_str()?.strip_suffix(ENDING)?.parse().ok()?;
                Some((entry.metadata().ok()?.modified().ok(), table))
            })
            .collect();
        found.sort();
        found.into_iter().rev().map(|(_, table)| table).collect()
    }

    pub fn go_on(&self, table: TableId) -> io::Result<(Journal, Vec<Vec<u8>>)> {
        let path = self.path(table);
        let mark = self.mark(table)?;
        let (records, aside) = mend(&path)?;
        if let Some(aside) = aside {
            tracing::warn!(%table, aside = %aside.display(), "a journal was damaged; what was good is kept");
        }
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        let good = file.metadata()?.len();
        Ok((Journal { end: Appender::new(file, good), records: records.len() as u64, _mark: mark }, records))
    }

    /// Of a running table, else of one that is over.
    pub fn read(&self, table: TableId) -> io::Result<Vec<Vec<u8>>> {
        Ok(read(&self.place(table))?.1)
    }

    /// Where it is read: among the running ones where something has its name there, else among those that are over.
    pub fn place(&self, table: TableId) -> PathBuf {
        let running = self.path(table);
        let over = self.closed.join(format!("{table}{ENDING}"));
        if fs::symlink_metadata(&running).is_err() && over.exists() { over } else { running }
    }

    pub fn retire(&self, table: TableId) -> io::Result<()> {
        let path = self.path(table);
        let closed = free(&self.closed.join("journal"), |n| {
            if n == 1 { format!("{table}{ENDING}") } else { format!("{table}-{n}{ENDING}") }
        });
        fail::step();
        fs::rename(&path, &closed)?;
        fail::step();
        sync_parent(&closed)?;
        sync_parent(&path)
    }

    fn path(&self, table: TableId) -> PathBuf {
        self.running.join(format!("{table}{ENDING}"))
    }

    /// Two writers of one journal would overwrite each other.
    fn mark(&self, table: TableId) -> io::Result<Mark> {
        if !self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(table) {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "this table's journal is already open"));
        }
        Ok(Mark { table, open: self.open.clone(), _lock: self.lock.clone() })
    }
}

/// A journal is open as long as this lives, and so is the folder.
#[derive(Debug)]
struct Mark {
    table: TableId,
    open: Arc<Mutex<BTreeSet<TableId>>>,
    _lock: Arc<Lock>,
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.table);
    }
}

fn check(path: &Path) -> io::Result<State> {
    Ok(read(path)?.0.state)
}

/// The good records before any damage. A damaged title alone costs nothing: whose
/// lines they are, and where they stood, their checksums tell.
fn read(path: &Path) -> io::Result<(Scan, Vec<Vec<u8>>)> {
    let mut records = Vec::new();
    let mut readable = true;
    let found = scan(&FORMAT, BufReader::new(open_file(path)?), |line| {
        if !line.after_damage {
            match unhex(line.payload) {
                Some(record) => records.push(record),
                None => readable = false,
            }
        }
    })?;
    if !readable {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a journal's line is whole and yet no record"));
    }
    Ok((found, records))
}

/// The good records; the file then holds just these. A damaged one is kept under the name returned.
fn mend(path: &Path) -> io::Result<(Vec<Vec<u8>>, Option<PathBuf>)> {
    let (found, records) = read(path)?;
    let aside = match found.state {
        State::Whole => None,
        State::Torn if found.good_bytes > 0 => {
            let file = OpenOptions::new().write(true).open(path)?;
            fail::step();
            file.set_len(found.good_bytes)?;
            file.sync_all()?;
            fail::step();
            None
        }
        State::Torn => {
            write_whole(path, FORMAT.header().as_bytes())?;
            None
        }
        State::Damaged => {
            let mut content = FORMAT.header().into_bytes();
            for (place, record) in (0..).zip(&records) {
                content.extend(line(place, record)?);
            }
            Some(set_aside(path, || write_whole(path, &content))?)
        }
        State::Newer => {
            let about = "this journal was written by a newer version of Capture Five";
            return Err(io::Error::new(io::ErrorKind::InvalidData, about));
        }
    };
    Ok((records, aside))
}

fn line(place: u64, record: &[u8]) -> io::Result<Vec<u8>> {
    Ok(FORMAT.line(place, hex(record).as_bytes())?.0)
}

/// One table's journal, open for appending.
#[derive(Debug)]
pub struct Journal {
    end: Appender,
    /// In the file.
    records: u64,
    _mark: Mark,
}

impl Journal {
    /// Appends one record and waits until it is on the disk (fsync).
    ///
    /// After an error (disk full, read-only, larger than [`RECORD_BYTES_MAX`]) the journal is as it was before, and can
    /// be gone on with: append the same record again before any that follows it, so that there is no gap.
    pub fn append(&mut self, record: &[u8]) -> io::Result<()> {
        self.end.append(&line(self.records, record)?)?;
        self.records += 1;
        Ok(())
    }
}
