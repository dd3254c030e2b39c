//! What is written, and what is known to be on disk.

use std::collections::{BTreeSet, VecDeque};

use super::*;
use crate::journal::Record;
use crate::message::Said;
use crate::planted::{Bug, planted};
use crate::seal::Sealed;

/// Something to be written.
#[derive(Debug)]
struct Job {
    record: Record,
    /// Index and hash of the entry, where it is one of the log's.
    entry: Option<(u32, Hash)>,
}

/// The journal as seen from here.
#[derive(Debug, Default)]
pub(super) struct Disk {
    tickets: u64,
    /// Records whose report has not come, in order.
    waiting: VecDeque<(u64, Job)>,
    /// Entries whose first report has come, whatever it said: they are shown.
    reported: u32,
    /// Entries of those that are not on disk.
    missing: BTreeSet<u32>,
    /// Records that could not be written, and when to try again.
    failed: Vec<Job>,
    retry_at: Option<Millis>,
    /// The newest ticket of a record that was asked for again.
    retried_upto: u64,
    /// The newest entry that was acknowledged to the others.
    acked: Option<u32>,
}

impl Disk {
    /// A journal that holds this many entries.
    pub fn holding(entries: u32) -> Disk {
        Disk { reported: entries, ..Disk::default() }
    }

    /// Entries that are to be shown.
    pub fn reported(&self) -> u32 {
        self.reported
    }

    /// Entries from the first on that are on disk.
    pub fn durable(&self) -> u32 {
        self.missing.first().map_or(self.reported, |&first| first.min(self.reported))
    }

    pub fn has_failed(&self) -> bool {
        let tried_again = self.waiting.front().is_some_and(|&(ticket, _)| ticket <= self.retried_upto);
        tried_again || !self.failed.is_empty() || !self.missing.is_empty()
    }

    /// The newest entry that was acknowledged to the others.
    pub fn acked(&self) -> Option<u32> {
        self.acked
    }

    /// The log has gone back to its first `len` entries. What failed of the others is written all the same, in its turn,
    /// but its report is no word about the log any more: should an entry come back into it, it is written anew, behind
    /// what the log was in between.
    fn go_back(&mut self, len: u32) {
        for job in self.waiting.iter_mut().map(|(_, job)| job).chain(&mut self.failed) {
            job.entry = job.entry.filter(|&(index, _)| index < len);
        }
        self.reported = self.reported.min(len);
        self.missing.split_off(&len);
        self.acked = self.acked.min(len.checked_sub(1));
    }

    pub fn retry_at(&self) -> Option<Millis> {
        self.retry_at
    }
}

impl Table {
    /// Asks for a record to be written that is no entry of the log.
    pub(super) fn write(&mut self, record: Record) -> u64 {
        self.write_job(Job { record, entry: None })
    }

    /// Asks for an entry of the log to be written; `at` is its index and hash.
    pub(super) fn write_entry(&mut self, sealed: Sealed, at: (u32, Hash)) -> u64 {
        self.write_job(Job { record: Record::Entry(sealed), entry: Some(at) })
    }

    fn write_job(&mut self, job: Job) -> u64 {
        self.disk.tickets += 1;
        let ticket = self.disk.tickets;
        if planted(Bug::SkippedPersist) && job.entry.is_some() {
            self.job_reported(job, true);
            return ticket;
        }
        self.out.push_back(Output::Write { ticket, record: job.record.to_bytes() });
        self.disk.waiting.push_back((ticket, job));
        ticket
    }

    /// A report of the driver.
    pub(super) fn written(&mut self, ticket: u64, on_disk: bool) {
        while self.disk.waiting.front().is_some_and(|&(front, _)| front <= ticket) {
            let Some((front, job)) = self.disk.waiting.pop_front() else { break };
            // One report for a later record vouches for those before it.
            self.job_reported(job, on_disk);
            self.report_to_duties(front);
        }
    }

    fn job_reported(&mut self, job: Job, on_disk: bool) {
        if let Some((index, hash)) = job.entry
            && self.log.as_ref().and_then(|log| log.hash_at(index)) == Some(hash)
        {
            self.disk.reported = self.disk.reported.max(index + 1);
            if on_disk {
                self.disk.missing.remove(&index);
            } else {
                self.disk.missing.insert(index);
            }
        }
        if !on_disk {
            self.disk.failed.push(job);
            // Later failures don't put it off: while play goes on there is always a newest one.
            self.disk.retry_at.get_or_insert(self.now + WRITE_AGAIN_MS);
            self.out.push_back(Output::Changed);
        }
    }

    /// The log has gone back to its first `len` entries.
    pub(super) fn disk_goes_back(&mut self, len: u32) {
        self.disk.go_back(len);
    }

    /// Tries again what could not be written.
    pub(super) fn retry_writes(&mut self) {
        if self.disk.retry_at.is_some_and(|time| time <= self.now) {
            self.disk.retry_at = None;
            for job in std::mem::take(&mut self.disk.failed) {
                self.disk.retried_upto = self.write_job(job);
            }
        }
    }

    /// Tells the others what is on this disk, but for entries of a term below the promise.
    pub(super) fn acknowledge(&mut self) {
        let Some(log) = &self.log else { return };
        let Some((index, hash)) = log.head_of(self.disk.durable()) else { return };
        let term = log.get(index).map_or(0, |entry| entry.term);
        if self.fresh && !planted(Bug::FreshAcks)
            || term < self.promise && !planted(Bug::PromiseBroken)
            || self.disk.acked.is_some_and(|acked| acked >= index)
        {
            return;
        }
        self.disk.acked = Some(index);
        self.say(Said::Ack { index, hash });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(index: u32) -> Job {
        Job { record: Record::Promise(1), entry: Some((index, Hash([index as u8; 32]))) }
    }

    #[test]
    fn a_report_is_no_word_about_an_entry_that_left_the_log_since() {
        let waiting = (0..4).map(|index| (u64::from(index) + 1, entry(index))).collect();
        let mut disk = Disk { waiting, failed: vec![entry(1), entry(3)], ..Disk::default() };
        disk.go_back(2);
        let left = |job: &Job| job.entry.map(|(index, _)| index);
        assert_eq!(disk.waiting.iter().map(|(_, job)| left(job)).collect::<Vec<_>>(), [Some(0), Some(1), None, None]);
        assert_eq!(disk.failed.iter().map(left).collect::<Vec<_>>(), [Some(1), None]);
    }
}
