//! A table's journal: what this device must know again after a crash, in the order in which it came to be.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::limits::PROTOCOL_VERSION;
use crate::log::Log;
use crate::seal::{Sealed, decode, encode};
use crate::{Current, DeviceId, Port, ResumeError};

/// One record. The order of variants is the format of the disk: new ones ("back to index", for logs that part) go to
/// the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Record {
    Entry(Sealed),
    /// The highest term that this device has answered.
    Promise(u64),
    /// This device has signed no act with a higher number.
    Seq(u64),
}

impl Record {
    /// A version byte, then the record.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![PROTOCOL_VERSION as u8];
        bytes.extend(encode(self));
        bytes
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
}

/// Reads a journal. An entry whose writing failed at first may stand twice, or after later ones.
pub(crate) fn read(port: &dyn Port, records: &[Vec<u8>]) -> Result<Resumed, ResumeError> {
    let mut log: Option<Log> = None;
    let (mut promise, mut seq) = (0, 0);
    let mut ends: Vec<(u32, Current)> = Vec::new();
    let me = port.device(&port.key());
    let mut waiting: BTreeMap<u32, Sealed> = BTreeMap::new();
    for (number, bytes) in records.iter().enumerate() {
        let invalid = ResumeError::Invalid(number);
        let (&version, record) = bytes.split_first().ok_or(invalid.clone())?;
        if u32::from(version) != PROTOCOL_VERSION {
            return Err(ResumeError::Version);
        }
        match decode(record).ok_or(invalid.clone())? {
            Record::Promise(term) => promise = promise.max(term),
            Record::Seq(signed) => seq = seq.max(signed),
            Record::Entry(sealed) => {
                let entry: Entry = sealed.open().ok_or(invalid.clone())?;
                waiting.insert(entry.index, sealed);
            }
        }
        let next = |log: &Option<Log>| log.as_ref().map_or(0, Log::len);
        while let Some(sealed) = waiting.remove(&next(&log)) {
            match &mut log {
                Some(log) => log.append(port, sealed).map_err(|_| invalid.clone())?,
                None => log = Some(Log::start(port, sealed).map_err(|_| invalid.clone())?),
            }
            ends.extend(log.as_ref().and_then(|log| new_end(log, me, ends.last())));
        }
        waiting.retain(|&index, _| index > next(&log));
    }
    let mut log = log.ok_or(ResumeError::Empty)?;
    log.show_all();
    promise = promise.max(log.tip().term);
    Ok(Resumed { log, promise, seq, ends })
}

/// The game that the newest entry ended, if this device plays in it.
fn new_end(log: &Log, me: DeviceId, last: Option<&(u32, Current)>) -> Option<(u32, Current)> {
    let current = log.tip().current.as_ref().filter(|current| current.game.result().is_some())?;
    let is_new = last.is_none_or(|(_, last)| last.number < current.number);
    (is_new && log.tip().plays_in(current, me)).then(|| (log.len() - 1, current.clone()))
}
