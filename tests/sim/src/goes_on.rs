//! Which log goes on (PROTOCOL.md, section 8), worked out once more from the page alone, so that a roll on a wrong
//! base is noticed whoever made it and whoever followed it.

use std::collections::{BTreeMap, BTreeSet};

use table::entry::{Body, Here, Roll};
use table::{Act, Hash};

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
    /// The entry that a roll with these answers has to follow on, for a device that knows these entries; `None` where
    /// an answer names what nobody wrote.
    pub fn goes_on(&self, roll: &Roll, knows: &dyn Fn(Hash) -> bool) -> Option<usize> {
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
        let mut heads: BTreeSet<usize> = named.iter().map(|&head| self.sound(head, shared, knows)).collect();
        let all: Vec<usize> = heads.iter().copied().collect();
        heads.retain(|&head| !all.iter().any(|&other| other != head && self.contains(other, head)));
        while let Some(at) = self.latest_fork(&heads) {
            let parted: Vec<usize> = heads.iter().copied().filter(|&head| self.contains(head, at)).collect();
            heads.retain(|head| !parted.contains(head));
            heads.insert(self.decide(at, parted, &stands));
        }
        heads.first().copied()
    }

    /// What of a log counts: all before the first roll after an entry that stands where its answers do not put it.
    fn sound(&self, head: usize, after: usize, knows: &dyn Fn(Hash) -> bool) -> usize {
        let mut entries: Vec<usize> = self.back(head).take_while(|&id| id != after).collect();
        entries.reverse();
        let wrong = entries.into_iter().find(|&id| match (&self.all[id].body, self.all[id].parent) {
            (Body::Roll(roll), Some(parent)) => {
                let known = |here: Here| knows(here.head.1);
                let proof = roll.answers.iter().all(|answer| answer.here.open().is_some_and(known));
                proof && self.goes_on(roll, knows).is_some_and(|base| base != parent)
            }
            _ => false,
        });
        wrong.and_then(|id| self.all[id].parent).unwrap_or(head)
    }

    /// Where heads part latest; of equals the entry with the lowest hash.
    fn latest_fork(&self, heads: &BTreeSet<usize>) -> Option<usize> {
        let all: Vec<usize> = heads.iter().copied().collect();
        let pairs = all.iter().enumerate().flat_map(|(number, &a)| all[number + 1..].iter().map(move |&b| (a, b)));
        let forks = pairs.filter_map(|(a, b)| self.back(a).find(|&id| self.contains(b, id)));
        forks.min_by_key(|&id| (std::cmp::Reverse(self.all[id].index), self.all[id].hash))
    }

    fn decide(&self, at: usize, mut heads: Vec<usize>, stands: &[Stand]) -> usize {
        heads.sort_by_key(|&head| self.all[head].hash);
        let sides: Vec<Side> = heads.iter().map(|&head| self.side(at, head)).collect();
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
        let weights: Vec<usize> = (0..sides.len()).map(weight).collect();
        let most = weights.iter().max();
        let best: Vec<usize> = (0..sides.len()).filter(|&side| weights.get(side) == most).collect();
        if best.len() == 1 { heads[best[0]] } else { self.last_together(at, &sides, &best, &standing) }
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

    fn signed_twice(&self, at: usize, sides: &[Side]) -> BTreeSet<usize> {
        let mut liars = BTreeSet::new();
        if sides.iter().filter(|side| !self.of_old(side).is_empty()).count() > 1 {
            liars.insert(self.all[at].model.keeper);
        }
        let mut seen = BTreeMap::new();
        for (number, side) in sides.iter().enumerate() {
            for stretch in &side.stretches {
                let first = *seen.entry((stretch.term, stretch.keeper)).or_insert(number);
                if first != number {
                    liars.insert(stretch.keeper);
                }
            }
        }
        liars
    }

    fn stands(&self, sides: &[Side], stands: &[Stand], device: usize) -> Option<usize> {
        if let Some(stand) = stands.iter().find(|stand| stand.device == device) {
            let first = |side: &Side| side.entries.first().copied();
            return sides.iter().position(|side| first(side).is_some_and(|first| self.contains(stand.head, first)));
        }
        let mut last: Vec<(u64, usize)> = Vec::new();
        for (number, side) in sides.iter().enumerate() {
            let naming = side.stretches.iter().rev().find(|stretch| stretch.names.contains(&device));
            last.extend(naming.map(|stretch| (stretch.term, number)));
        }
        last.sort_unstable();
        match last.as_slice() {
            [.., (before, _), (term, _)] if before == term => None,
            [.., (_, side)] => Some(*side),
            [] => None,
        }
    }

    fn last_together(&self, at: usize, sides: &[Side], best: &[usize], standing: &BTreeMap<usize, usize>) -> usize {
        let mut newest: Option<&Stretch> = None;
        for &number in best {
            let elsewhere = |named: &usize| standing.get(named).is_some_and(|&on| on != number);
            let mut together = sides[number].stretches.iter().filter(|stretch| stretch.names.iter().any(elsewhere));
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
        let old: Vec<usize> = best.iter().filter_map(|&side| self.of_old(&sides[side]).last().copied()).collect();
        if let [end] = old.as_slice() { *end } else { at }
    }
}
