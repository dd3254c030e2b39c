//! A table's journal: what this device must know again after a crash, in the order in which it came to be.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::limits::PROTOCOL_VERSION;
use crate::log::{Log, hash_of};
use crate::seal::{Sealed, decode, encode_after};
use crate::state::Invalid;
use crate::{Current, DeviceId, Halt, Port, ResumeError};

/// One record. The order of variants is the format of the disk: new ones go to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Record {
    /// The log's newest entry. Where it does not follow on the one before, the log has gone back to what it follows on.
    Entry(Sealed),
    /// The highest term that this device has answered.
    Promise(u64),
    /// This device has signed no act with a higher number.
    Seq(u64),
    /// An entry of a branch.
    Aside(Sealed),
    /// Play stands still since devices disagree.
    Halted(Halt),
    /// The people chose to go on without that device.
    WentOn(DeviceId),
}

impl Record {
    /// A version byte, then the record.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode_after(&[PROTOCOL_VERSION as u8], self)
    }
}

/// What a journal holds.
#[derive(Debug)]
pub(crate) struct Resumed {
    pub log: Log,
    pub promise: u64,
    pub seq: u64,
    /// The games that have ended with this device in them, with the entry that ended each.
    pub ends: Vec<(u32, Current)>,
    /// Bytes of entries that stand in it for branches alone.
    pub aside_bytes: usize,
    pub halt: Option<Halt>,
    pub shut_out: BTreeSet<DeviceId>,
}

/// Reads a journal. An entry whose writing failed at first may stand twice, or after later ones.
pub(crate) fn read(port: &dyn Port, records: &[Vec<u8>]) -> Result<Resumed, ResumeError> {
    let mut reading = Reading::default();
    let (mut promise, mut seq, mut aside_bytes) = (0, 0, 0);
    let (mut halt, mut shut_out) = (None, BTreeSet::new());
    for (number, bytes) in records.iter().enumerate() {
        let invalid = ResumeError::Invalid(number);
        let (&version, record) = bytes.split_first().ok_or(invalid.clone())?;
        if u32::from(version) != PROTOCOL_VERSION {
            return Err(ResumeError::Version);
        }
        match decode(record).ok_or(invalid.clone())? {
            Record::Promise(term) => promise = promise.max(term),
            Record::Seq(signed) => seq = seq.max(signed),
            Record::Entry(sealed) => reading.take(port, Read { number, sealed, of_log: true }).map_err(|_| invalid)?,
            Record::Aside(sealed) => {
                aside_bytes += sealed.bytes.len();
                reading.take(port, Read { number, sealed, of_log: false }).map_err(|_| invalid)?;
            }
            Record::Halted(with) => halt = Some(with),
            Record::WentOn(device) => {
                halt = None;
                shut_out.insert(device);
            }
        }
    }
    let mut log = reading.log.ok_or(ResumeError::Empty)?;
    log.show_all();
    promise = promise.max(log.tip().term);
    Ok(Resumed { log, promise, seq, ends: reading.ends, aside_bytes, halt, shut_out })
}

/// An entry as it was read.
#[derive(Clone)]
struct Read {
    /// Of its record.
    number: usize,
    sealed: Sealed,
    /// It was the log's newest when it was written.
    of_log: bool,
}

#[derive(Default)]
struct Reading {
    log: Option<Log>,
    ends: Vec<(u32, Current)>,
    /// The newest record that was taken into the log.
    newest: usize,
    /// Entries that follow on others that have not been read.
    waiting: Vec<Read>,
}

impl Reading {
    fn take(&mut self, port: &dyn Port, read: Read) -> Result<(), Invalid> {
        self.waiting.push(read);
        let mut number = 0;
        while let Some(read) = self.waiting.get(number).cloned() {
            if self.enter(port, &read)? {
                self.waiting.remove(number);
                number = 0;
            } else {
                number += 1;
            }
        }
        Ok(())
    }

    /// False when what it follows on has not been read.
    fn enter(&mut self, port: &dyn Port, read: &Read) -> Result<bool, Invalid> {
        let Read { number, ref sealed, of_log } = *read;
        let entry: Entry = sealed.open().ok_or(Invalid::Malformed)?;
        let Some(log) = &mut self.log else {
            if entry.index > 0 {
                return Ok(false);
            }
            let mut log = Log::start(port, sealed.clone())?;
            log.journal(log.head());
            self.log = Some(log);
            return Ok(true);
        };
        let hash = hash_of(port, sealed);
        if log.holds(hash) {
            return Ok(true);
        }
        if log.known(entry.prev).is_none() {
            return Ok(false);
        }
        if of_log && entry.prev == log.head() && log.known(hash).is_none() {
            log.append(port, sealed.clone())?;
        } else {
            log.add(port, sealed.clone())?;
            // What had to wait may be of a side that the log has left since.
            if of_log && number >= self.newest {
                let common = log.go_to(port, hash)?;
                self.ends.retain(|(index, _)| *index < common);
            }
        }
        if of_log {
            self.newest = self.newest.max(number);
        }
        log.journal(hash);
        let me = port.device(&port.key());
        if let Some(end) = new_end(log, me, self.ends.last()) {
            self.ends.push(end);
        }
        Ok(true)
    }
}

/// The game that the newest entry ended, if this device plays in it. A game that an undo takes up again ends anew.
fn new_end(log: &Log, me: DeviceId, last: Option<&(u32, Current)>) -> Option<(u32, Current)> {
    let current = log.tip().current.as_ref().filter(|current| current.game.result().is_some())?;
    let is_new = last.is_none_or(|(_, last)| {
        last.number < current.number || last.number == current.number && last.game.actions() != current.game.actions()
    });
    (is_new && log.tip().plays_in(current, me)).then(|| (log.len() - 1, current.clone()))
}
