//! Where the index keeps its keys: sled, or memory where sled cannot be used.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use crate::fail;

/// Memory that sled may use for its pages, in bytes.
const CACHE_BYTES: u64 = 16 * 1024 * 1024;
/// A process that was just killed, or an index just closed, may hold sled's own lock a moment longer than ours.
const LOCK_TRIES: u32 = 40;
const LOCK_PAUSE: Duration = Duration::from_millis(25);

/// The index cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// The disk is full or the like: what is there may be whole.
    #[error("the index cannot be used now: {0}")]
    Unusable(String),
    /// What is there is of no use.
    #[error("the index is damaged: {0}")]
    Damaged(String),
}

/// A change of one key; `None` removes it.
pub(crate) type Change = (Vec<u8>, Option<Vec<u8>>);

/// A key with its value.
pub(crate) type Pair = (Vec<u8>, Vec<u8>);

/// Keys and small values, ordered by key.
pub(crate) trait Store: Send + std::fmt::Debug {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Fault>;
    /// All keys that start so, in order.
    fn starting_with(&self, start: &[u8]) -> Result<Vec<Pair>, Fault>;
    /// All of these changes or none.
    fn apply(&mut self, changes: Vec<Change>) -> Result<(), Fault>;
}

/// The index in memory: lives as long as the process.
pub(crate) type Memory = BTreeMap<Vec<u8>, Vec<u8>>;

impl Store for Memory {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        Ok(BTreeMap::get(self, key).cloned())
    }

    fn starting_with(&self, start: &[u8]) -> Result<Vec<Pair>, Fault> {
        let from = self.range(start.to_vec()..);
        Ok(from
            .take_while(|(key, _)| key.starts_with(start))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect())
    }

    fn apply(&mut self, changes: Vec<Change>) -> Result<(), Fault> {
        for (key, value) in changes {
            match value {
                Some(value) => self.insert(key, value),
                None => self.remove(&key),
            };
        }
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct Sled {
    db: sled::Db,
}

impl Sled {
    pub fn open(path: &Path) -> Result<Sled, Fault> {
        let mut tries = 1;
        loop {
            // Its own flushing would wake an idle device for ever; each change is flushed as it is made.
            let config = sled::Config::new().path(path).cache_capacity(CACHE_BYTES).flush_every_ms(None);
            match guarded(|| config.open()) {
                Ok(db) => return Ok(Sled { db }),
                Err(Fault::Unusable(why)) if why.contains("could not acquire lock") && tries < LOCK_TRIES => {
                    tries += 1;
                    std::thread::sleep(LOCK_PAUSE);
                }
                Err(fault) => return Err(fault),
            }
        }
    }
}

impl Store for Sled {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        Ok(guarded(|| self.db.get(key))?.map(|value| value.to_vec()))
    }

    fn starting_with(&self, start: &[u8]) -> Result<Vec<Pair>, Fault> {
        guarded(|| {
            self.db.scan_prefix(start).map(|found| found.map(|(key, value)| (key.to_vec(), value.to_vec()))).collect()
        })
    }

    fn apply(&mut self, changes: Vec<Change>) -> Result<(), Fault> {
        let mut batch = sled::Batch::default();
        for (key, value) in changes {
            match value {
                Some(value) => batch.insert(key, value),
                None => batch.remove(key),
            }
        }
        fail::step();
        guarded(|| self.db.apply_batch(batch))?;
        fail::step();
        guarded(|| self.db.flush())?;
        fail::step();
        Ok(())
    }
}

/// sled is known to panic on files that it does not like.
fn guarded<T>(call: impl FnOnce() -> sled::Result<T>) -> Result<T, Fault> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(fault(&error)),
        Err(_) => Err(Fault::Damaged("it panicked".to_owned())),
    }
}

fn fault(error: &sled::Error) -> Fault {
    use io::ErrorKind::{AlreadyExists, InvalidData, NotADirectory, UnexpectedEof};
    let why = error.to_string();
    match error {
        // Files that end too early, or are none: damage, and no fault of the disk.
        sled::Error::Io(error)
            if !matches!(error.kind(), AlreadyExists | InvalidData | NotADirectory | UnexpectedEof) =>
        {
            Fault::Unusable(why)
        }
        sled::Error::Io(_)
        | sled::Error::CollectionNotFound(_)
        | sled::Error::Unsupported(_)
        | sled::Error::ReportableBug(_)
        | sled::Error::Corruption { .. } => Fault::Damaged(why),
    }
}
