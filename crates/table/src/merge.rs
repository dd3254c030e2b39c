//! Which log goes on when logs have parted (PROTOCOL.md, section 8): a pure function of what is known and of the
//! answers to a call. Every device computes it and comes to the same.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use crate::log::{Known, Log, Says, Stand};
use crate::planted::{Bug, planted};
use crate::{DeviceId, Hash, Port};

/// The entry that the roll with these answers stands on; `None` while one of the answered heads is not known.
pub(crate) fn base(port: &dyn Port, log: &Log, answers: &[Stand]) -> Option<Hash> {
    base_of(port, log, answers, &mut BTreeMap::new())
}

/// Whether a roll provably does not stand where its answers put it.
pub(crate) fn is_wrong(port: &dyn Port, log: &Log, roll: &Known) -> bool {
    judge(port, log, roll, &mut BTreeMap::new())
}

/// Rolls that have been looked at, and whether each is wrong.
type Judged = BTreeMap<Hash, bool>;

fn judge(port: &dyn Port, log: &Log, roll: &Known, judged: &mut Judged) -> bool {
    let Says::Roll { answers, .. } = &roll.says else { return false };
    if let Some(&wrong) = judged.get(&roll.hash) {
        return wrong;
    }
    let wrong = roll.index > 0
        && lacking(log, answers).is_empty()
        && base_of(port, log, answers, judged).is_some_and(|base| base != roll.prev);
    judged.insert(roll.hash, wrong);
    wrong
}

/// What of a chain counts: all before the first roll that is provably wrong.
fn sound(port: &dyn Port, log: &Log, head: Hash, from: u32, judged: &mut Judged) -> Hash {
    let rolls: Vec<&Known> =
        log.chain(head, from).into_iter().filter(|entry| matches!(entry.says, Says::Roll { .. })).collect();
    let wrong = rolls.into_iter().find(|roll| judge(port, log, roll, judged));
    wrong.map_or(head, |roll| roll.prev)
}

fn base_of(port: &dyn Port, log: &Log, answers: &[Stand], judged: &mut Judged) -> Option<Hash> {
    let mut named = BTreeSet::new();
    for answer in answers {
        log.known(answer.head.1).filter(|entry| entry.index == answer.head.0)?;
        named.insert(answer.head.1);
    }
    // What all have in common they have followed; beyond it nobody is held to a roll that stands on a wrong entry.
    let shared = shared(log, &named)?;
    let mut heads: BTreeSet<Hash> = BTreeSet::new();
    for &head in &named {
        heads.insert(sound(port, log, head, shared + 1, judged));
    }
    set_aside_contained(log, &mut heads);
    while let Some(fork) = latest_fork(log, &heads) {
        let goes_on = decide(port, log, &fork, answers)?;
        heads.retain(|head| !fork.heads.contains(head));
        heads.insert(goes_on);
    }
    heads.first().copied()
}

/// The index of the newest entry that all of these chains have.
fn shared(log: &Log, heads: &BTreeSet<Hash>) -> Option<u32> {
    let first = *heads.first()?;
    let mut shared = log.known(first)?.index;
    for &head in heads {
        shared = shared.min(log.common(first, head)?.index);
    }
    Some(shared)
}

/// What is not known here, and would show whether the rolls in which the answered logs differ stand where they should:
/// heads that were answered there. Whoever knows them may come to another entry.
pub(crate) fn proofs(log: &Log, answers: &[Stand]) -> Vec<(DeviceId, (u32, Hash))> {
    let named: BTreeSet<Hash> = answers.iter().map(|answer| answer.head.1).collect();
    let Some(shared) = shared(log, &named) else { return Vec::new() };
    let mut seen: BTreeSet<Hash> = BTreeSet::new();
    let mut missing: BTreeMap<Hash, (DeviceId, (u32, Hash))> = BTreeMap::new();
    for &head in &named {
        for entry in log.chain(head, shared + 1).into_iter().filter(|entry| seen.insert(entry.hash)) {
            if let Says::Roll { answers, .. } = &entry.says {
                missing.extend(lacking(log, answers).into_iter().map(|lacking| (lacking.1.1, lacking)));
            }
        }
    }
    missing.into_values().collect()
}

/// The answered heads that are not known here.
pub(crate) fn lacking(log: &Log, answers: &[Stand]) -> Vec<(DeviceId, (u32, Hash))> {
    let unknown = |answer: &&Stand| log.known(answer.head.1).is_none();
    answers.iter().filter(unknown).map(|answer| (answer.device, answer.head)).collect()
}

/// Logs that part at one entry, each from every other.
struct Fork {
    /// Index and hash of `F`, their last common entry.
    at: (u32, Hash),
    /// Two or more, in their order.
    heads: Vec<Hash>,
}

/// What follows `F` in one of the logs.
struct Side<'a> {
    head: Hash,
    entries: Vec<&'a Known>,
    /// Each stretch that a roll on this side begins, in order.
    stretches: Vec<Stretch>,
    /// Entries of the stretch that was in force at `F`.
    of_old: u32,
}

struct Stretch {
    term: u64,
    keeper: DeviceId,
    names: BTreeSet<DeviceId>,
    /// Its last entry.
    end: Hash,
}

fn set_aside_contained(log: &Log, heads: &mut BTreeSet<Hash>) {
    let all: Vec<Hash> = heads.iter().copied().collect();
    heads.retain(|&head| !all.iter().any(|&other| other != head && log.contains(other, head)));
}

/// The latest entry at which heads part, of equals that with the lowest hash, and all that part there.
fn latest_fork(log: &Log, heads: &BTreeSet<Hash>) -> Option<Fork> {
    let mut latest: Option<(u32, Hash)> = None;
    for &a in heads {
        for &b in heads.range((Bound::Excluded(a), Bound::Unbounded)) {
            let common = log.common(a, b)?;
            let later =
                |&(index, hash): &(u32, Hash)| common.index > index || common.index == index && common.hash < hash;
            if latest.as_ref().is_none_or(later) {
                latest = Some((common.index, common.hash));
            }
        }
    }
    let at = latest?;
    // Heads that parted from each other later are one by now.
    Some(Fork { at, heads: heads.iter().copied().filter(|&head| log.contains(head, at.1)).collect() })
}

/// What replaces the heads.
fn decide(port: &dyn Port, log: &Log, fork: &Fork, answers: &[Stand]) -> Option<Hash> {
    let state = log.state_at(port, fork.at.1)?;
    let sides: Vec<Side> = fork.heads.iter().map(|&head| side(log, head, fork.at.0)).collect();
    let liars = signed_twice(&sides, state.keeper);
    let standing = state
        .owners()
        .into_iter()
        .filter_map(|device| Some((device, stands(log, fork.at.0, &sides, answers, device)?)));
    let standing: BTreeMap<DeviceId, usize> = standing.collect();
    let owners = state.owners();
    let weight = |side: usize| {
        if planted(Bug::WeightByMoves) {
            return sides[side].entries.len();
        }
        if planted(Bug::EverybodyNamedCounts) {
            let ever = |device: &&DeviceId| sides[side].stretches.iter().any(|roll| roll.names.contains(*device));
            return owners.iter().filter(ever).count();
        }
        let honest = |device: &DeviceId| planted(Bug::DoubleSignerCounts) || !liars.contains(device);
        let those = standing.iter().filter(|&(_, &stands)| stands == side);
        those.filter(|&(device, _)| honest(device) && counts(&sides, answers, &standing, *device, side)).count()
    };
    let weights: Vec<usize> = (0..sides.len()).map(weight).collect();
    let most = weights.iter().copied().max()?;
    let leading: Vec<usize> = (0..sides.len()).filter(|&side| weights[side] == most).collect();
    Some(match leading.as_slice() {
        &[one] => sides[one].head,
        several => last_together(fork, &sides, several, &standing),
    })
}

fn side(log: &Log, head: Hash, fork: u32) -> Side<'_> {
    let entries = log.chain(head, fork + 1);
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut of_old = 0;
    for entry in &entries {
        match &entry.says {
            Says::Roll { keeper, answers } => {
                let names = answers.iter().map(|answer| answer.device).collect();
                stretches.push(Stretch { term: entry.term, keeper: *keeper, names, end: entry.hash });
            }
            Says::Sat(_) | Says::Other => {}
        }
        match (stretches.last_mut(), &entry.says) {
            (Some(stretch), Says::Sat(device)) => {
                stretch.names.insert(*device);
                stretch.end = entry.hash;
            }
            (Some(stretch), Says::Roll { .. } | Says::Other) => stretch.end = entry.hash,
            (None, _) => of_old += 1,
        }
    }
    Side { head, entries, stretches, of_old }
}

/// The keepers that provably signed two entries for one place of one roll, or two rolls of one term.
fn signed_twice(sides: &[Side], keeper_at_fork: DeviceId) -> BTreeSet<DeviceId> {
    let mut liars = BTreeSet::new();
    if sides.iter().filter(|side| side.of_old > 0).count() > 1 {
        liars.insert(keeper_at_fork);
    }
    for (number, side) in sides.iter().enumerate() {
        for left in &side.stretches {
            let same = |right: &&Stretch| (right.term, right.keeper) == (left.term, left.keeper);
            liars.extend(sides[number + 1..].iter().flat_map(|side| &side.stretches).find(same).map(|it| it.keeper));
        }
    }
    liars
}

/// The side on which a device stands: the one that its log runs along after `F` if it answered, else the one where a
/// roll after `F` named it last.
fn stands(log: &Log, fork: u32, sides: &[Side], answers: &[Stand], device: DeviceId) -> Option<usize> {
    if let Some(answer) = answers.iter().find(|answer| answer.device == device) {
        let first = log.ancestor(answer.head.1, fork + 1)?;
        return sides.iter().position(|side| side.entries.first().is_some_and(|entry| entry.hash == first));
    }
    let named = |side: &Side| {
        let naming = side.stretches.iter().rev().find(|stretch| stretch.names.contains(&device));
        naming.map(|stretch| stretch.term)
    };
    let last = sides.iter().filter_map(named).max()?;
    let mut there = (0..sides.len()).filter(|&side| named(&sides[side]) == Some(last));
    there.next().filter(|_| there.next().is_none())
}

/// Whether a device that stands on a side counts there: one that is fresh may only have come back with an unfinished
/// tail, or with a roll that nobody followed.
fn counts(
    sides: &[Side],
    answers: &[Stand],
    standing: &BTreeMap<DeviceId, usize>,
    device: DeviceId,
    side: usize,
) -> bool {
    let fresh = answers.iter().any(|answer| answer.device == device && answer.fresh);
    let elsewhere = |named: &DeviceId| standing.get(named).is_some_and(|&stands| stands != side);
    !fresh
        || sides[side]
            .stretches
            .last()
            .is_some_and(|newest| newest.names.contains(&device) && !newest.names.iter().any(elsewhere))
}

/// Where devices of different sides last were together, on one of those that are equal.
fn last_together(fork: &Fork, sides: &[Side], equal: &[usize], standing: &BTreeMap<DeviceId, usize>) -> Hash {
    let together = |&side: &usize| {
        let elsewhere = move |named: &DeviceId| standing.get(named).is_some_and(|&stands| stands != side);
        sides[side].stretches.iter().rev().find(move |stretch| stretch.names.iter().any(elsewhere))
    };
    if planted(Bug::BackToFork) {
        return fork.at.1;
    }
    // Callers may have made rolls of one term: then the side whose head has the lower hash, which comes first.
    let newest = equal.iter().filter_map(together).reduce(|a, b| if b.term > a.term { b } else { a });
    if let Some(stretch) = newest {
        return stretch.end;
    }
    // The stretch that was in force at F, on the side that has it; where several have some its keeper signed twice.
    let mut old = equal.iter().filter_map(|&side| end_of_old(&sides[side]));
    old.next().filter(|_| old.next().is_none()).unwrap_or(fork.at.1)
}

/// The end of the stretch that was in force at `F`, if this side has any of it.
fn end_of_old(side: &Side) -> Option<Hash> {
    let last = side.of_old.checked_sub(1)?;
    side.entries.get(last as usize).map(|entry| entry.hash)
}
