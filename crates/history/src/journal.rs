//! One journal for each running table: every record is on the disk before it counts.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use table::TableId;

use crate::disk::{Lock, copy_aside, free, make_folder, sync_parent, write_whole};
use crate::lines::{Appender, Format, Medium, Scan, State, hex, scan, unhex};
use crate::{OpenError, Warning, error::unwritable};

/// Longest record, in bytes.
pub const RECORD_BYTES_MAX: usize = 128 * 1024;
/// When this many bytes of lines wait in memory to be written, nothing more is taken.
pub const UNWRITTEN_BYTES_MAX: usize = 16 * 1024 * 1024;

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
        let mut writer = Writer::new(Appender::new(Place { path, file: None }, 0), 0);
        writer.unwritten = FORMAT.header().into_bytes();
        if let Err(error) = writer.retry() {
            tracing::warn!(%error, %table, "a journal could not be made yet");
        }
        Ok(Journal { writer, _mark: mark })
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
        let writer = Writer::new(Appender::new(Place { path, file: Some(file) }, good), records.len() as u64);
        Ok((Journal { writer, _mark: mark }, records))
    }

    pub fn read(&self, table: TableId) -> io::Result<Vec<Vec<u8>>> {
        Ok(read(&self.path(table))?.1)
    }

    pub fn retire(&self, table: TableId) -> io::Result<()> {
        let path = self.path(table);
        let closed = free(&self.closed.join("journal"), |n| {
            if n == 1 { format!("{table}{ENDING}") } else { format!("{table}-{n}{ENDING}") }
        });
        fs::rename(&path, &closed)?;
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

/// A journal's file, made when it is first written to.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    file: Option<File>,
}

impl Medium for Place {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let file = match self.file.take() {
            Some(file) => file,
            None => {
                let file = OpenOptions::new().create(true).truncate(true).read(true).write(true).open(&self.path)?;
                sync_parent(&self.path)?;
                file
            }
        };
        self.file.insert(file).write_at(offset, bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.cut(length))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Medium::sync)
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
    let found = scan(&FORMAT, BufReader::new(File::open(path)?), |line| {
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
            file.set_len(found.good_bytes)?;
            file.sync_all()?;
            None
        }
        State::Torn => {
            write_whole(path, FORMAT.header().as_bytes())?;
            None
        }
        State::Damaged => {
            let aside = copy_aside(path, "damaged")?;
            let mut content = FORMAT.header().into_bytes();
            for (place, record) in (0..).zip(&records) {
                content.extend(line(place, record)?);
            }
            write_whole(path, &content)?;
            Some(aside)
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
    writer: Writer<Place>,
    _mark: Mark,
}

impl Journal {
    /// Appends one record and waits until it is on the disk (fsync).
    ///
    /// A record that could not be written (disk full, read-only) is kept in memory, and is written before anything else
    /// by the next `append` or [`Journal::retry`]. Do not append it again. `Ok` means that everything appended so far is
    /// on the disk. Where a record is turned away for good (too large, or more than [`UNWRITTEN_BYTES_MAX`] waits), so is
    /// everything after it: the journal on disk never has a hole.
    pub fn append(&mut self, record: &[u8]) -> io::Result<()> {
        self.writer.append(record)
    }

    /// Tries to write what earlier calls could not. `Ok` means that everything appended so far is on the disk.
    pub fn retry(&mut self) -> io::Result<()> {
        self.writer.retry()
    }
}

#[derive(Debug)]
struct Writer<M> {
    end: Appender<M>,
    /// Records in the file and waiting.
    records: u64,
    /// Whole lines that are not on the disk yet.
    unwritten: Vec<u8>,
    /// A record was turned away. Nothing may follow it: the journal would have a hole.
    broken: Option<&'static str>,
}

impl<M: Medium> Writer<M> {
    fn new(end: Appender<M>, records: u64) -> Writer<M> {
        Writer { end, records, unwritten: Vec::new(), broken: None }
    }

    fn append(&mut self, record: &[u8]) -> io::Result<()> {
        if record.len() > RECORD_BYTES_MAX {
            self.broken = self.broken.or(Some("a record was too large for the journal"));
        } else if self.unwritten.len() >= UNWRITTEN_BYTES_MAX {
            self.broken = self.broken.or(Some("too much could not be written to the journal"));
        } else if self.broken.is_none() {
            self.unwritten.extend(line(self.records, record)?);
            self.records += 1;
        }
        self.retry()
    }

    fn retry(&mut self) -> io::Result<()> {
        if !self.unwritten.is_empty() {
            self.end.append(&self.unwritten)?;
            self.unwritten.clear();
        }
        self.broken.map_or(Ok(()), |why| Err(io::Error::other(why)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::tests::Faulty;

    fn records(content: &[u8]) -> Vec<Vec<u8>> {
        let mut records = Vec::new();
        let content = [FORMAT.header().as_bytes(), content].concat();
        scan(&FORMAT, content.as_slice(), |line| records.push(unhex(line.payload).unwrap())).unwrap();
        records
    }

    #[test]
    fn what_a_full_disk_refused_is_written_first_when_there_is_space_again() {
        for space in 0..60 {
            let medium = Faulty { space, ..Faulty::default() };
            let mut writer = Writer::new(Appender::new(medium, 0), 0);
            let written = [b"one", b"two", b"six"].map(|record| writer.append(record).is_ok());
            let counted = written.iter().filter(|written| **written).count();
            assert!(written[..counted].iter().all(|written| *written), "in order: {written:?}");
            assert_eq!(records(&writer.end.medium().content).len(), counted, "{space} bytes");
            writer.end.medium().space = 1000;
            writer.retry().unwrap();
            writer.append(b"ten").unwrap();
            assert_eq!(records(&writer.end.medium().content), [b"one", b"two", b"six", b"ten"], "{space} bytes");
        }
    }

    #[test]
    fn what_is_kept_in_memory_has_a_bound() {
        let mut writer = Writer::new(Appender::new(Faulty::default(), 0), 0);
        let record = vec![0; RECORD_BYTES_MAX];
        for _ in 0..2 * UNWRITTEN_BYTES_MAX / (2 * RECORD_BYTES_MAX) {
            writer.append(&record).unwrap_err();
        }
        assert!(writer.unwritten.len() <= UNWRITTEN_BYTES_MAX + 2 * RECORD_BYTES_MAX + 100);
        writer.end.medium().space = usize::MAX;
        writer.append(b"later").unwrap_err();
        let kept = records(&writer.end.medium().content);
        assert!(!kept.is_empty() && kept.iter().all(|kept| *kept == record), "no hole");
    }
}
