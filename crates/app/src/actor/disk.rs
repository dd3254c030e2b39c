//! A table's journal on a thread of its own: fsync never holds up a stone on its way.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc;

use history::{History, Journal};
use table::TableId;
use tokio::sync::oneshot;

use super::{Inbox, Note};

/// The writer of one table's journal. It ends when this is dropped and all that was asked for is written.
pub(crate) struct Disk {
    queue: mpsc::Sender<(u64, Vec<u8>)>,
    done: oneshot::Receiver<()>,
}

/// Where the records go.
pub(crate) enum Source {
    /// A new journal, made with the first record.
    New,
    Open(Journal),
}

impl Disk {
    pub(crate) fn start(history: Arc<History>, table: TableId, source: Source, inbox: Inbox) -> std::io::Result<Disk> {
        let (queue, records) = mpsc::channel();
        let (ended, done) = oneshot::channel();
        std::thread::Builder::new().name("journal".to_owned()).spawn(move || {
            let mut writer = Writer { history, table, source: Some(source), journal: None, missing: VecDeque::new() };
            for (ticket, record) in records {
                let saved = writer.write(record);
                // An actor that no longer listens still has its last records written.
                let _ = inbox.blocking_send(Note::Written { ticket, saved });
            }
            drop(writer);
            let _ = ended.send(());
        })?;
        Ok(Disk { queue, done })
    }

    /// False when the thread is gone.
    pub(crate) fn write(&self, ticket: u64, record: Vec<u8>) -> bool {
        self.queue.send((ticket, record)).is_ok()
    }

    /// Waits until the journal is closed, so that it can be opened again.
    pub(crate) async fn close(self) {
        drop(self.queue);
        let _ = self.done.await;
    }
}

struct Writer {
    history: Arc<History>,
    table: TableId,
    source: Option<Source>,
    journal: Option<Journal>,
    /// Records that could not be written, in order. The table asks for them again; until then nothing newer is written,
    /// so that the journal never has a gap.
    missing: VecDeque<Vec<u8>>,
}

impl Writer {
    fn write(&mut self, record: Vec<u8>) -> bool {
        let is_next = self.missing.front().is_none_or(|first| *first == record);
        let written =
            if is_next { self.append(&record) } else { Err(std::io::Error::other("an earlier record is missing")) };
        match written {
            Ok(()) => {
                self.missing.pop_front();
                true
            }
            Err(why) => {
                tracing::warn!(table = %self.table, %why, "the journal cannot be written");
                if !self.missing.contains(&record) {
                    self.missing.push_back(record);
                }
                false
            }
        }
    }

    fn append(&mut self, record: &[u8]) -> std::io::Result<()> {
        let journal = match &mut self.journal {
            Some(journal) => journal,
            empty => empty.insert(match self.source.take() {
                Some(Source::Open(journal)) => journal,
                Some(Source::New) | None => self.history.create_journal(self.table)?,
            }),
        };
        journal.append(record)
    }
}
