//! Which log goes on (PROTOCOL.md, section 8), worked out once more from the page alone, so that a roll on a wrong
//! base is noticed whoever made it and whoever followed it.

use std::collections::{BTreeMap, BTreeSet};

use table::Act;
use table::entry::{Body, Here, Roll};

use crate::chains::Chains;

/// A device's answer: who, its head, and whether it was fresh.
struct Stand {
    device: usize,
    head: usize,
    fresh: bool,
}

/// The entries from a roll up to the next one.
struct Stretch {
    term: u64,
    keeper: usize,
    names: BTreeSet<usize>,
    end: usize,
}

struct Side {
    /// Its entries after `F`, in order.
    entries: Vec<usize>,
    stretches: Vec<Stretch>,
}

impl Chains {
    /// The entry that a roll with these answers has to follow on; `None` where an answer names what nobody wrote.
    pub fn goes_on(&self, roll: &Roll) -> Option<usize> {
        let mut stands = Vec::new();
        for answer in &roll.answers {
            let here: Here = answer.here.open()?;
            let (device, head) = (self.device(&answer.key)?, self.find(here.head.1)?);
            stands.push(Stand { device, head, fresh: here.fresh });
        }
        let named: BTreeSet<usize> = stands.iter().map(|stand| stand.head).collect();
        let first = *named.first()?;
        let shared = named.iter().filter_map(|&head| self.back(first).find(|&id| self.contains(head, id)));
        let shared = shared.min_by_key(|&id| self.all[id].index)?;
        let mut heads: BTreeSet<usize> = named.iter().map(|&head| self.sound(head, shared)).collect();
        loop {
            let all: Vec<usize> = heads.iter().copied().collect();
            heads.retain(|&head| !all.iter().any(|&other| other != head && self.contains(other, head)));
            let Some((at, left, right)) = self.latest_fork(&heads) else { break };
            let winner = self.decide(at, [left, right], &stands);
            heads.remove(&left);
            heads.remove(&right);
            heads.insert(winner);
        }
        heads.first().copied()
    }

    /// What of a log counts: all before the first roll after an entry that stands where its answers do not put it.
    fn sound(&self, head: usize, after: usize) -> usize {
        let mut entries: Vec<usize> = self.back(head).take_while(|&id| id != after).collect();
        entries.reverse();
        let wrong = entries.into_iter().find(|&id| match (&self.all[id].body, self.all[id].parent) {
            (Body::Roll(roll), Some(parent)) => self.goes_on(roll).is_some_and(|base| base != parent),
            _ => false,
        });
        wrong.and_then(|id| self.all[id].parent).unwrap_or(head)
    }

    /// The two heads that part latest, and where; of equals those with the lowest hashes.
    fn latest_fork(&self, heads: &BTreeSet<usize>) -> Option<(usize, usize, usize)> {
        let mut sorted: Vec<usize> = heads.iter().copied().collect();
        sorted.sort_by_key(|&head| self.all[head].hash);
        let mut latest: Option<(usize, usize, usize)> = None;
        for (number, &left) in sorted.iter().enumerate() {
            for &right in &sorted[number + 1..] {
                let at = self.back(left).find(|&id| self.contains(right, id))?;
                if latest.is_none_or(|(before, _, _)| self.all[before].index < self.all[at].index) {
                    latest = Some((at, left, right));
                }
            }
        }
        latest
    }

    fn decide(&self, at: usize, heads: [usize; 2], stands: &[Stand]) -> usize {
        let sides = heads.map(|head| self.side(at, head));
        let liars = self.signed_twice(at, &sides);
        let owners = &self.all[at].model;
        let standing: BTreeMap<usize, usize> = (0..self.keys.len())
            .filter(|&device| owners.owns_any(device))
            .filter_map(|device| Some((device, self.stands(&sides, stands, device)?)))
            .collect();
        let weight = |side: usize| {
            let counts = |&(&device, &on): &(&usize, &usize)| {
                let elsewhere = |named: &usize| standing.get(named).is_some_and(|&on| on != side);
                let fresh = stands.iter().any(|stand| stand.device == device && stand.fresh);
                let newest = sides[side].stretches.last();
                let settled =
                    newest.is_some_and(|newest| newest.names.contains(&device) && !newest.names.iter().any(elsewhere));
                on == side && !liars.contains(&device) && (!fresh || settled)
            };
            standing.iter().filter(counts).count()
        };
        match weight(0).cmp(&weight(1)) {
            std::cmp::Ordering::Greater => heads[0],
            std::cmp::Ordering::Less => heads[1],
            std::cmp::Ordering::Equal => self.last_together(at, &sides, &standing),
        }
    }

    fn side(&self, at: usize, head: usize) -> Side {
        let mut entries: Vec<usize> = self.back(head).take_while(|&id| id != at).collect();
        entries.reverse();
        let mut stretches: Vec<Stretch> = Vec::new();
        for &id in &entries {
            let known = &self.all[id];
            if let Body::Roll(roll) = &known.body {
                let names = roll.answers.iter().filter_map(|answer| self.device(&answer.key)).collect();
                stretches.push(Stretch { term: known.term, keeper: known.by, names, end: id });
            }
            if let Some(stretch) = stretches.last_mut() {
                stretch.end = id;
                if let Some(Act::Sit { key, .. }) = known.act.as_ref().map(|(intent, _)| &intent.act) {
                    stretch.names.extend(self.device(key));
                }
            }
        }
        Side { entries, stretches }
    }

    /// Entries of a side that belong to the roll in force at `F`.
    fn of_old(&self, side: &Side) -> Vec<usize> {
        let old = |&&id: &&usize| !matches!(self.all[id].body, Body::Roll(_));
        side.entries.iter().take_while(old).copied().collect()
    }

    fn signed_twice(&self, at: usize, sides: &[Side; 2]) -> BTreeSet<usize> {
        let mut liars = BTreeSet::new();
        if sides.iter().all(|side| !self.of_old(side).is_empty()) {
            liars.insert(self.all[at].model.keeper);
        }
        for left in &sides[0].stretches {
            let twice = sides[1].stretches.iter().any(|right| (right.term, right.keeper) == (left.term, left.keeper));
            if twice {
                liars.insert(left.keeper);
            }
        }
        liars
    }

    fn stands(&self, sides: &[Side; 2], stands: &[Stand], device: usize) -> Option<usize> {
        if let Some(stand) = stands.iter().find(|stand| stand.device == device) {
            let first = |side: &Side| side.entries.first().copied();
            return sides.iter().position(|side| first(side).is_some_and(|first| self.contains(stand.head, first)));
        }
        let last = |side: &Side| {
            let naming = side.stretches.iter().rev().find(|stretch| stretch.names.contains(&device));
            naming.map(|stretch| stretch.term)
        };
        match (last(&sides[0]), last(&sides[1])) {
            (left, right) if left > right => Some(0),
            (left, right) if left < right => Some(1),
            (_, _) => None,
        }
    }

    fn last_together(&self, at: usize, sides: &[Side; 2], standing: &BTreeMap<usize, usize>) -> usize {
        let mut newest: Option<&Stretch> = None;
        for (number, side) in sides.iter().enumerate() {
            let elsewhere = |named: &usize| standing.get(named).is_some_and(|&on| on != number);
            let mut together = side.stretches.iter().filter(|stretch| stretch.names.iter().any(elsewhere));
            // On a side the newest counts; of two of one term that of the head with the lower hash.
            if let Some(stretch) = together.next_back()
                && newest.is_none_or(|before| before.term < stretch.term)
            {
                newest = Some(stretch);
            }
        }
        if let Some(stretch) = newest {
            return stretch.end;
        }
        let old = sides.each_ref().map(|side| self.of_old(side).last().copied());
        match old {
            [Some(end), None] | [None, Some(end)] => end,
            [Some(_), Some(_)] | [None, None] => at,
        }
    }
}
