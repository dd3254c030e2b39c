//! What is known of other devices, and how much of what they send is taken.

use std::collections::{HashSet, VecDeque};

use crate::ids::ByOwnBytes;
use crate::limits::*;
use crate::message::{Hello, Note, Said};
use crate::{DeviceId, Hash, Millis};

/// Another device.
#[derive(Debug, Default)]
pub(crate) struct Peer {
    pub linked: bool,
    pub hello: Option<Hello>,
    /// When anything came from it, straight or passed on.
    pub heard: Option<Millis>,
    /// When anything came straight from it.
    pub heard_directly: Option<Millis>,
    /// It has, or will have over this link, everything up to and with this entry.
    pub sent: Option<u32>,
    /// When it was asked for a page that has not come.
    pub wanted: Option<Millis>,
    /// The newest entry that it has acknowledged, if this log has it too.
    pub acked: Option<u32>,
    /// An acknowledgement beyond this log.
    pub acked_ahead: Option<(u32, Hash)>,
    pub dialled: Option<Millis>,
    /// It said goodbye and nothing since.
    pub bye: bool,
    /// When its last phrase was heard.
    pub said: Option<Millis>,
    /// Left out of the group until then: it did not answer, or its link is unsteady.
    pub left_out_until: Millis,
    /// When it last caused rolls.
    pub caused: VecDeque<Millis>,
    /// The process whose answer is in a roll that it may still be fetching, and that roll's term.
    pub answered: Option<([u8; 16], u64)>,
    /// Since when both hear each other over their link without a break.
    pub contact_since: Option<Millis>,
    /// Its promise while that is above this log's term, and since when.
    pub ahead: Option<(u64, Millis)>,
    /// How often this device's promise was raised for its own, and when last.
    pub leaps: (u8, Millis),
    /// Bytes of entries that it sent and that are only known beside the log.
    pub loose_bytes: usize,
    /// When it called, if no other call has come between and no roll of it since.
    pub called: Option<Millis>,
    /// Such calls that came to nothing, and since when they are counted.
    pub calls: (u8, Millis),
    /// Until then a caller waits little for its answers' heads: the last one could not be had.
    pub headless_until: Millis,
    /// Its calls are not answered until then.
    pub unheeded_until: Millis,
    /// The newest term for which another's call was given up because it said it has a log of it, and how often that
    /// was so since such a log came.
    pub claims: (u64, u8),
    /// The process that speaks over its link.
    session: Option<[u8; 16]>,
    taken: Taken,
    pub limits: Limits,
}

impl Peer {
    /// True the first time that a letter comes over this device's own link.
    pub fn takes_own(&mut self, note: &Note) -> bool {
        self.session = Some(note.session);
        self.taken.add(note.session, note.number)
    }

    /// True the first time that another brings a letter of this device; while its process is heard over its own link,
    /// nobody brings what an earlier one said.
    pub fn takes_passed_on(&mut self, note: &Note, now: Millis) -> bool {
        let elsewhere = self.is_heard_directly(now) && self.session.is_some_and(|session| session != note.session);
        !elsewhere && self.taken.add(note.session, note.number)
    }

    pub fn is_heard(&self, now: Millis) -> bool {
        self.heard.is_some_and(|then| now < then + SILENT_MS)
    }

    pub fn is_heard_directly(&self, now: Millis) -> bool {
        self.linked && self.heard_directly.is_some_and(|then| now < then + HEARD_MS)
    }
}

/// The devices that this one knows of.
pub(crate) type Peers = ByDevice<Peer>;

/// A map of few devices, in the order of their ids: it is looked through with every input.
#[derive(Debug)]
pub(crate) struct ByDevice<T> {
    all: Vec<(DeviceId, T)>,
}

impl<T> Default for ByDevice<T> {
    fn default() -> ByDevice<T> {
        ByDevice { all: Vec::new() }
    }
}

impl<T> ByDevice<T> {
    pub fn get(&self, device: &DeviceId) -> Option<&T> {
        self.all.iter().find(|(known, _)| known == device).map(|(_, value)| value)
    }

    pub fn get_mut(&mut self, device: &DeviceId) -> Option<&mut T> {
        self.all.iter_mut().find(|(known, _)| known == device).map(|(_, value)| value)
    }

    /// The value of a device; it is made if there is none.
    pub fn meet(&mut self, device: DeviceId, new: impl FnOnce() -> T) -> &mut T {
        let place = match self.all.iter().position(|(known, _)| *known == device) {
            Some(place) => place,
            None => {
                let place = self.all.partition_point(|(known, _)| *known < device);
                self.all.insert(place, (device, new()));
                place
            }
        };
        &mut self.all[place].1
    }

    pub fn insert(&mut self, device: DeviceId, value: T) {
        self.remove(&device);
        self.meet(device, || value);
    }

    pub fn remove(&mut self, device: &DeviceId) {
        self.all.retain(|(known, _)| known != device);
    }

    pub fn iter(&self) -> impl Iterator<Item = (&DeviceId, &T)> {
        self.all.iter().map(|(device, value)| (device, value))
    }

    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.all.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.all.iter_mut().map(|(_, value)| value)
    }
}

/// What one device may send.
#[derive(Debug)]
pub(crate) struct Limits {
    acts: Bucket,
    calls: Bucket,
    hellos: Bucket,
    others: Bucket,
    wants: Bucket,
    /// What it passes on of those who have no seat.
    strangers: Bucket,
}

/// Whether something is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Take,
    Drop,
    /// It has been far too much for too long.
    Close,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            acts: Bucket::new(ACTS_PER_SECOND, ACTS_BURST),
            calls: Bucket::new(CALLS_PER_SECOND, CALLS_BURST),
            hellos: Bucket::new(HELLOS_PER_SECOND, HELLOS_BURST),
            others: Bucket::new(OTHERS_PER_SECOND, OTHERS_BURST),
            wants: Bucket::new(WANTS_PER_SECOND, WANTS_BURST),
            strangers: Bucket::new(ACTS_PER_SECOND, ACTS_BURST),
        }
    }
}

impl Limits {
    pub fn letter(&mut self, said: &Said, now: Millis) -> Verdict {
        match said {
            Said::Act(_) | Said::Say { .. } => self.acts.take(now),
            Said::Call { .. } => self.calls.take(now),
            Said::Hello(_) => self.hellos.take(now),
            Said::Ack { .. } | Said::Here(_) | Said::Fault(_) => self.others.take(now),
        }
    }

    pub fn want(&mut self, now: Millis) -> Verdict {
        self.wants.take(now)
    }

    pub fn stranger(&mut self, now: Millis) -> Verdict {
        self.strangers.take(now)
    }

    pub fn other(&mut self, now: Millis) -> Verdict {
        self.others.take(now)
    }
}

/// A token bucket, in thousandths.
#[derive(Debug)]
struct Bucket {
    per_second: u64,
    burst: u64,
    left: u64,
    filled: Millis,
    /// Since when it has been empty, and how much was dropped since.
    dropping: Option<(Millis, u64)>,
}

impl Bucket {
    fn new(per_second: u64, burst: u64) -> Bucket {
        Bucket { per_second, burst, left: burst * 1000, filled: 0, dropping: None }
    }

    fn take(&mut self, now: Millis) -> Verdict {
        let gained = now.saturating_sub(self.filled).saturating_mul(self.per_second);
        self.left = self.left.saturating_add(gained).min(self.burst * 1000);
        self.filled = now;
        if self.left >= 1000 {
            self.left -= 1000;
            // Steady traffic at the limit takes one of several: only a rest ends the count.
            if self.left > self.burst * 500 {
                self.dropping = None;
            }
            return Verdict::Take;
        }
        let (since, dropped) = self.dropping.unwrap_or((now, 0));
        self.dropping = Some((since, dropped + 1));
        let lasted = now.saturating_sub(since);
        let flood = dropped.saturating_mul(1000) > lasted.saturating_mul(self.per_second * FLOOD_TIMES);
        if lasted >= FLOOD_MS && flood { Verdict::Close } else { Verdict::Drop }
    }
}

/// The letters that were taken, the oldest forgotten first.
#[derive(Debug, Default)]
pub(crate) struct Known {
    order: VecDeque<Hash>,
    all: HashSet<Hash, ByOwnBytes>,
}

impl Known {
    pub fn has(&self, hash: Hash) -> bool {
        self.all.contains(&hash)
    }

    /// True the first time.
    pub fn add(&mut self, hash: Hash) -> bool {
        if !self.all.insert(hash) {
            return false;
        }
        self.order.push_back(hash);
        if self.order.len() > LETTERS_KNOWN_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.all.remove(&oldest);
        }
        true
    }
}

/// Which letters of one origin were taken, by the numbers in them: however long one is kept back, and however often it
/// is sent, it is taken once, and not long after those that follow it.
#[derive(Debug, Default)]
struct Taken {
    /// For each of its processes the highest number, and a bit for each of those just below it.
    sessions: VecDeque<([u8; 16], u64, u128)>,
}

impl Taken {
    /// True the first time.
    fn add(&mut self, session: [u8; 16], number: u64) -> bool {
        let Some((_, highest, bits)) = self.sessions.iter_mut().find(|(known, _, _)| *known == session) else {
            if self.sessions.len() >= SESSIONS_KNOWN_MAX {
                self.sessions.pop_front();
            }
            self.sessions.push_back((session, number, 1));
            return true;
        };
        if let Some(ahead) = number.checked_sub(*highest).filter(|&ahead| ahead > 0) {
            let shifted = u32::try_from(ahead).ok().and_then(|ahead| bits.checked_shl(ahead)).unwrap_or(0);
            (*highest, *bits) = (number, shifted | 1);
            return true;
        }
        let bit = u32::try_from(*highest - number).ok().and_then(|behind| 1u128.checked_shl(behind)).unwrap_or(0);
        let is_new = bit != 0 && *bits & bit == 0;
        *bits |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_taken_once_and_not_long_after_later_ones() {
        let mut taken = Taken::default();
        let numbers = [(5, true), (5, false), (7, true), (6, true), (6, false), (7, false), (200, true), (7, false)];
        for (number, is_new) in numbers {
            assert_eq!(taken.add([1; 16], number), is_new, "{number}");
        }
        assert!(taken.add([1; 16], 73) && !taken.add([1; 16], 73), "127 before the highest");
        assert!(!taken.add([1; 16], 72), "too long after");
        assert!(taken.add([1; 16], u64::MAX) && !taken.add([1; 16], u64::MAX) && !taken.add([1; 16], 0));
        assert!(taken.add([2; 16], 5), "another process has its own numbers");
    }

    #[test]
    fn of_an_origins_processes_only_a_few_are_known() {
        let mut taken = Taken::default();
        (0..100u8).for_each(|session| assert!(taken.add([session; 16], 1)));
        assert_eq!(taken.sessions.len(), SESSIONS_KNOWN_MAX);
    }
}
