//! Left out though there: a keeper that calls away a device which answered it (PROTOCOL.md, section 7).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::*;
use crate::State;
use crate::entry::{Body, Entry};
use crate::log::{Known, Says};
use crate::planted::{Bug, planted};

/// Rolls that call this device away though it is there.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Those that it did not follow.
    refused: BTreeSet<Hash>,
    /// The one that it is about to refuse, and when.
    next: Option<(Hash, Millis)>,
    /// Calls that it answered in time, by term and caller, the oldest first.
    in_time: VecDeque<(u64, DeviceId)>,
    /// Rolls in a row that a caller made without an answer that it was given in time, and when the newest that counts came.
    ignored: BTreeMap<DeviceId, (u8, Millis)>,
}

impl LeftOut {
    pub fn answered_in_time(&mut self, term: u64, caller: DeviceId) {
        if self.in_time.len() >= ANSWERED_MAX {
            self.in_time.pop_front();
        }
        self.in_time.push_back((term, caller));
    }

    /// When it refuses the next one.
    pub fn due(&self) -> Option<Millis> {
        self.next.map(|(_, due)| due)
    }

    pub fn forget_answers(&mut self) {
        self.in_time.clear();
        self.ignored.clear();
    }

    fn refuse(&mut self, roll: Hash) {
        self.next = None;
        self.refused.insert(roll);
        if self.refused.len() > REFUSED_MAX {
            self.refused.pop_first();
        }
    }
}

impl Table {
    /// Whether to go no further than before this roll, which has no answer of this device and is followed by `after`.
    pub(super) fn calls_me_away(&self, roll: &Known, after: &[&Known]) -> bool {
        let refuses = self.left_out.next.is_some_and(|(next, _)| next == roll.hash);
        if refuses || self.left_out.refused.contains(&roll.hash) {
            // Named again before it came to a roll of its own, it has lost nothing unless somebody has played for it.
            return !self.is_named_unharmed(roll, after);
        }
        self.is_left_out_by(roll)
    }

    /// Whether a later roll names this device, and the CPU has not played its seats until then.
    fn is_named_unharmed(&self, roll: &Known, after: &[&Known]) -> bool {
        let names_me = |entry: &&Known| match &entry.says {
            Says::Roll { answers, .. } => answers.iter().any(|answer| answer.device == self.me),
            Says::Sat(_) | Says::Other => false,
        };
        let Some(named) = after.iter().position(names_me) else { return false };
        let Some(state) = self.state_before(roll) else { return false };
        let played_for_me = |entry: &&Known| match entry.sealed.open::<Entry>().map(|entry| entry.body) {
            Some(Body::Cpu { seat, .. }) => state.owner(seat) == Some(self.me),
            Some(Body::Opened(_) | Body::Roll(_) | Body::Act(_) | Body::Start { .. } | Body::Taken { .. }) | None => {
                false
            }
        };
        !after[..named].iter().any(played_for_me)
    }

    fn state_before(&self, roll: &Known) -> Option<State> {
        self.log.as_ref()?.state_at(&*self.port, roll.prev)
    }

    /// Whether a keeper calls this device away though it answered it, or they heard each other all the time.
    fn is_left_out_by(&self, roll: &Known) -> bool {
        let Says::Roll { keeper, .. } = &roll.says else { return false };
        let answered = self.left_out.in_time.contains(&(roll.term, *keeper));
        // It has answered a later call since; of this one it must know that it answered it.
        if roll.term < self.promise && !answered {
            return false;
        }
        let contact = self.peers.get(keeper).and_then(|peer| peer.contact_since);
        let unbroken = contact.is_some_and(|since| since <= self.rolled_at + HELLO_MS || since + SILENT_MS <= self.now);
        // It asked, and this device's own disk was too slow for it.
        let too_slow = self.owed.is_some_and(|owed| owed.term == roll.term)
            || self.answered.as_ref().is_some_and(|given| given.term == roll.term && given.late);
        // Before the roll it may have stood up.
        let here = |state: State| state.numbered().any(|(seat, at)| at.here && state.owner(seat) == Some(self.me));
        let there = !self.fresh && (unbroken || answered) && !too_slow && !planted(Bug::LeftOutFollows);
        there && self.state_before(roll).is_some_and(here)
    }

    /// A roll has come, and is not followed yet. Who calls again and again and takes no notice of the answers keeps
    /// those who answer from doing anything: it is answered no more for a while.
    pub(super) fn note_ignored(&mut self, roll: Hash) {
        let Some(known) = self.log.as_ref().and_then(|log| log.known(roll)) else { return };
        let Says::Roll { keeper, answers } = &known.says else { return };
        let (keeper, names_me) = (*keeper, answers.iter().any(|answer| answer.device == self.me));
        if names_me {
            self.left_out.ignored.remove(&keeper);
        } else if self.left_out.in_time.contains(&(known.term, keeper)) {
            let (rolls, counted) = self.left_out.ignored.entry(keeper).or_insert((0, 0));
            // An answer that was given in time may come late, and is passed over for a while then by anybody.
            if *rolls > 0 && self.now < *counted + UNANSWERED_MS {
                return;
            }
            (*rolls, *counted) = (*rolls + 1, self.now);
            if *rolls >= IGNORED_MAX {
                self.left_out.ignored.remove(&keeper);
                if let Some(peer) = self.peers.get_mut(&keeper) {
                    peer.unheeded_until = self.now + BLAME_MS;
                }
                self.blame(keeper);
            }
        }
    }

    /// A keeper calls this device away though it is there: it goes as far as before that roll, and on alone.
    /// True when the log has changed.
    pub(super) fn rebel(&mut self, roll: Hash) -> bool {
        // Its call for this one is under way; where it came to nothing, it calls again.
        match &self.duty {
            Duty::Calling(call) if call.alone => return false,
            Duty::Writing { .. } => return false,
            Duty::None | Duty::Calling(_) | Duty::Fetching { .. } | Duty::Keeping => {}
        }
        // One roll after the other would have it call without end. But calls that come after do not put it off.
        let due = self.left_out.next.filter(|(next, _)| *next == roll).map_or(self.call_after, |(_, due)| due);
        if self.now < due {
            self.left_out.next = Some((roll, due));
            return false;
        }
        let Some(before) = self.log.as_ref().and_then(|log| log.known(roll)).map(|roll| roll.prev) else {
            return false;
        };
        self.left_out.refuse(roll);
        self.switch(before);
        self.call(BTreeSet::new(), true);
        true
    }
}
