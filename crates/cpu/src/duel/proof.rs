//! Wins by threats of every kind: fours, open threes, and stones after which a win by fours is threatened.
//!
//! The search is depth-first by proof numbers (A. Nagai, *Df-pn algorithm for searching AND/OR trees and its
//! applications*, 2002) over threats of second order (T. Thomsen, *Lambda-search in game trees*, 2000). It tries the
//! answers that touch what is threatened, which need not be all that help. So a win counts only once it has been gone
//! through again with every legal answer.

use std::collections::HashMap;

use super::moves::Urgency;
use super::{Came, Search, WIN};
use crate::cache::{Bound, NOWHERE};
use crate::ground::AXES;
use crate::shape::{REACH, Shape};
use crate::spots::{Spot, Spots};
use crate::threat::Kind;

/// No proof, or no disproof, is possible.
const NEVER: u32 = 1 << 28;
/// The longest line of threats, in stones.
const PLIES: usize = 64;
/// Positions that are remembered at most, a power of two: no more than the table of positions has buckets.
const KNOWN: usize = 1 << 16;
/// Positions that a look for a win by fours may cost: after an answer, for a threat of one, and when a win is confirmed.
const LOOK: u32 = 24;
const LOOK_AHEAD: u32 = 500;
const LOOK_SURELY: u32 = 2_000;
/// A stone that is neither a four nor a three is tried late: so much is to be proven of the most promising one, and one more
/// of each so many after it.
const QUIET_PROOF: u32 = 4;
const QUIET_STEP: u32 = 2;
/// What is to be proven of an even position where the attacker is to move, how much better it must be for one less, and
/// the most.
const PROOF_EVEN: i32 = 14;
const PROOF_STEP: i32 = 60;
const PROOF_MOST: i32 = 30;
/// So many of them are tried.
const QUIET_MAX: usize = 24;
/// Stones of a line that a quiet stone lengthens are at least so promising to the side that plays it.
const QUIET_LEAST: i32 = 20;
/// Confirming a win may cost so many times the positions that finding it did, and so many more.
const CONFIRM_TIMES: u64 = 3;
const CONFIRM_MORE: u64 = 20_000;

/// How much is still to be proven, and to be disproven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const NEW: Numbers = Numbers { proof: 1, disproof: 1 };
    const PROVEN: Numbers = Numbers { proof: 0, disproof: NEVER };
    const DISPROVEN: Numbers = Numbers { proof: NEVER, disproof: 0 };

    fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Clone, Copy)]
struct Known {
    hash: u64,
    numbers: Numbers,
    best: Spot,
}

/// A stone that is tried, and what is known of the position after it.
struct Branch {
    spot: Spot,
    numbers: Numbers,
}

/// What a search for wins by threats remembers.
pub struct Proofs {
    known: Vec<Known>,
    /// Wins that were gone through with every answer: their length in stones and their first stone, by position.
    sure: HashMap<u64, (i32, Spot)>,
    /// Answers that have turned out to help, by position.
    others: HashMap<u64, Spots>,
    /// The search is over at so many positions.
    end: u64,
    /// Positions that were looked at for threats so far.
    pub spent: u64,
    /// There is no win by threats, or none that was confirmed.
    pub is_settled: bool,
}

impl Proofs {
    pub fn new() -> Proofs {
        Proofs { known: Vec::new(), sure: HashMap::new(), others: HashMap::new(), end: 0, spent: 0, is_settled: false }
    }

    fn get(&self, hash: u64) -> Option<Known> {
        Some(self.known[hash as usize & (self.known.len() - 1)]).filter(|known| known.hash == hash)
    }

    /// What is settled is not given up for what is not.
    fn put(&mut self, hash: u64, numbers: Numbers, best: Spot) {
        let place = hash as usize & (self.known.len() - 1);
        let place = &mut self.known[place];
        if place.hash == hash || numbers.is_settled() || !place.numbers.is_settled() || place.numbers.disproof == 0 {
            *place = Known { hash, numbers, best };
        }
    }
}

impl Search<'_> {
    /// Looks for a win by threats of the side to move at the root, for so many positions more. A win is in the cache
    /// afterwards, and its line is the root's; its length in stones.
    pub fn win_by_threats(&mut self, positions: u64) -> Option<i32> {
        if self.proofs.is_settled || self.line_waits() {
            return None;
        }
        if self.proofs.known.is_empty() {
            // Not before it is of use: the lowest levels never get here.
            let count = self.cache.len().next_power_of_two().min(KNOWN);
            self.proofs.known = vec![Known { hash: 0, numbers: Numbers::NEW, best: NOWHERE }; count];
        }
        let before = self.nodes;
        self.proofs.end = before + positions;
        let numbers = self.prove(0, Numbers { proof: NEVER, disproof: NEVER });
        self.proofs.spent += self.nodes - before;
        if !numbers.is_settled() || self.stopped {
            return None;
        }
        if numbers.proof > 0 {
            self.proofs.is_settled = true;
            return None;
        }
        let found = self.nodes;
        self.proofs.end = found + self.proofs.spent * CONFIRM_TIMES + CONFIRM_MORE;
        let length = self.confirm(0);
        self.proofs.spent += self.nodes - found;
        self.tell_line(length?);
        length
    }

    fn is_spent(&self) -> bool {
        self.stopped || self.nodes >= self.proofs.end
    }

    /// The side that attacks.
    fn attacker(&self) -> usize {
        self.stack[0].turn
    }

    /// Searches a position until one of its numbers reaches its limit.
    fn prove(&mut self, ply: usize, limits: Numbers) -> Numbers {
        let hash = self.stack[ply].hash();
        let attacks = self.stack[ply].turn == self.attacker();
        let branches = if ply >= PLIES { None } else { self.branches(ply, attacks) };
        let Some(mut branches) = branches else {
            self.proofs.put(hash, Numbers::DISPROVEN, NOWHERE);
            return Numbers::DISPROVEN;
        };
        loop {
            let (numbers, best, second) = sum_up(&branches, attacks);
            let spot = best.map_or(NOWHERE, |best| branches[best].spot);
            self.proofs.put(hash, numbers, spot);
            let Some(best) = best else { return numbers };
            if numbers.is_settled()
                || numbers.proof >= limits.proof
                || numbers.disproof >= limits.disproof
                || self.is_spent()
            {
                return numbers;
            }
            let own = branches[best].numbers;
            let limits = if attacks {
                Numbers {
                    proof: limits.proof.min(second.saturating_add(1)),
                    disproof: (limits.disproof - numbers.disproof).saturating_add(own.disproof),
                }
            } else {
                Numbers {
                    proof: (limits.proof - numbers.proof).saturating_add(own.proof),
                    disproof: limits.disproof.min(second.saturating_add(1)),
                }
            };
            branches[best].numbers = match self.play(ply, branches[best].spot) {
                Came::Illegal => unreachable!("it was legal before"),
                Came::On => self.prove(ply + 1, limits),
                Came::Won | Came::Lost | Came::Draw => own,
            };
            self.leave();
        }
    }

    /// The stones to try, with what is known of them; `None` where nothing is threatened.
    fn branches(&mut self, ply: usize, attacks: bool) -> Option<Vec<Branch>> {
        let (spots, quiet) = if attacks { self.attacks(ply) } else { (self.answers_known(ply)?, Spots::NONE) };
        let mut branches: Vec<Branch> = Vec::with_capacity(32);
        for spot in spots.iter() {
            let numbers = match self.play(ply, spot) {
                Came::Illegal => continue,
                Came::Won if attacks => Numbers::PROVEN,
                Came::Lost if !attacks => Numbers::PROVEN,
                Came::Won | Came::Lost | Came::Draw => Numbers::DISPROVEN,
                Came::On => self.at_sight(ply + 1, attacks),
            };
            self.leave();
            branches.push(Branch { spot, numbers });
            let is_done = if attacks { numbers.proof == 0 } else { numbers.disproof == 0 };
            if is_done || self.is_spent() {
                break;
            }
        }
        for (proof, spot) in (QUIET_PROOF * QUIET_STEP..).zip(self.most_promising(ply, &quiet)) {
            let proof = proof / QUIET_STEP;
            if self.is_legal(spot) {
                branches.push(Branch { spot, numbers: Numbers { proof, disproof: 1 } });
            }
        }
        if !attacks && branches.is_empty() {
            // Nothing that may be played stops it.
            branches.push(Branch { spot: NOWHERE, numbers: Numbers::PROVEN });
        }
        Some(branches)
    }

    /// What is known of a position before it is searched. `attacked`: the attacker has just played.
    fn at_sight(&mut self, ply: usize, attacked: bool) -> Numbers {
        let hash = self.stack[ply].hash();
        if let Some(known) = self.proofs.get(hash) {
            return known.numbers;
        }
        let numbers = if attacked {
            match self.answers_to_sight(ply) {
                None => Numbers::DISPROVEN,
                Some(answers) => Numbers { proof: answers.len().max(1), disproof: 1 },
            }
        } else {
            match self.win_by_fours(ply, &mut LOOK.clone()) {
                Some(_) => Numbers::PROVEN,
                None => self.hope(ply),
            }
        };
        if !self.stopped {
            self.proofs.put(hash, numbers, NOWHERE);
        }
        numbers
    }

    /// The numbers of a position where the attacker is to move, by what it is worth.
    fn hope(&self, ply: usize) -> Numbers {
        let node = &self.stack[ply];
        let count = node.field.kind(node.turn, Kind::Three).len() + node.field.kind(node.turn, Kind::Four).len();
        let proof = (PROOF_EVEN - self.standing_by_shapes(ply) / PROOF_STEP).clamp(1, PROOF_MOST);
        Numbers { proof: proof.unsigned_abs(), disproof: 1 + count / 2 }
    }

    /// The attacker's stones: those that threaten at sight, and others.
    fn attacks(&self, ply: usize) -> (Spots, Spots) {
        let node = &self.stack[ply];
        let (me, you) = (node.turn, 1 - node.turn);
        if self.line_waits() {
            return (Spots::NONE, Spots::NONE);
        }
        let threats =
            node.field.kind(me, Kind::Three).or(node.field.kind(me, Kind::Four)).or(node.field.kind(me, Kind::Ways));
        let threats = threats.or(node.field.kind(me, Kind::Five)).or(node.field.taking(me));
        let fives = node.field.kind(you, Kind::Five);
        if !fives.is_empty() {
            return (threats.or(fives).and(&fives.or(node.field.taking(me))), Spots::NONE);
        }
        let quiet = if self.ground.captures() { Spots::NONE } else { node.field.near().without(&threats) };
        (threats, quiet)
    }

    /// The quiet stones that come into question.
    fn most_promising(&self, ply: usize, quiet: &Spots) -> Vec<Spot> {
        let node = &self.stack[ply];
        let promise = |spot: Spot| node.field.promise(self.ground, node.turn, spot);
        let mut spots: Vec<(i32, Spot)> =
            quiet.iter().map(|spot| (-promise(spot), spot)).filter(|&(less, _)| -less >= QUIET_LEAST).collect();
        spots.sort_unstable();
        spots.truncate(QUIET_MAX);
        spots.into_iter().map(|(_, spot)| spot).collect()
    }

    /// The defender's answers to what the board shows to be threatened; `None` where that is nothing, or where it wins
    /// first.
    fn answers_to_sight(&mut self, ply: usize) -> Option<Spots> {
        let node = &self.stack[ply];
        let (me, you) = (node.turn, 1 - node.turn);
        if !self.line_waits() && !node.field.kind(me, Kind::Five).is_empty() {
            return None;
        }
        if self.ground.captures() && self.can_win_by_captures(ply) {
            return None;
        }
        let is_threat = self.line_waits()
            || !node.field.kind(you, Kind::Five).is_empty()
            || !node.field.kind(you, Kind::Ways).is_empty()
            || self.ground.captures() && {
                let lacking = self.ground.goal.saturating_sub(node.taken[you]);
                node.field.taking(you).iter().any(|spot| node.field.takes(you, spot) >= lacking)
            };
        is_threat.then(|| self.candidates(ply).1)
    }

    /// The defender's answers; `None` where nothing is threatened.
    fn answers(&mut self, ply: usize) -> Option<Spots> {
        if let Some(answers) = self.answers_to_sight(ply) {
            return Some(answers);
        }
        let node = &self.stack[ply];
        if self.line_waits() || !node.field.kind(node.turn, Kind::Five).is_empty() || self.ground.captures() {
            return None;
        }
        // What would come if the defender did nothing: a stone where it touches nothing.
        let nowhere = self.neutral(ply)?;
        self.trail.clear();
        let threatened = match self.play(ply, nowhere) {
            Came::Illegal => return None,
            Came::On => self.win_by_fours(ply + 1, &mut LOOK_AHEAD.clone()).is_some(),
            Came::Won | Came::Lost | Came::Draw => false,
        };
        self.leave();
        threatened.then(|| self.against_trail(ply))
    }

    /// The same, with those that were found since.
    fn answers_known(&mut self, ply: usize) -> Option<Spots> {
        let answers = self.answers(ply)?;
        let others = self.proofs.others.get(&self.stack[ply].hash());
        Some(others.map_or(answers, |others| answers.or(others)))
    }

    /// The points that may stop the win by fours of the last look: its own, those of its lines, fours of the defender, and
    /// points that make its forced answers into fours.
    fn against_trail(&self, ply: usize) -> Spots {
        let node = &self.stack[ply];
        let (me, you) = (node.turn, 1 - node.turn);
        let mut spots = node.field.kind(me, Kind::Four).or(node.field.kind(me, Kind::Ways));
        for &at in &self.trail {
            if !node.field.is_empty(at) {
                continue;
            }
            spots.add(at);
            for axis in 0..AXES {
                let shape = |side: usize| Shape::of(node.field.shapes(side, at) >> (4 * axis));
                let (ours, theirs) = (shape(me), shape(you));
                if theirs >= Shape::TwoClosed && theirs != Shape::TooLong || ours >= Shape::ThreeClosed {
                    let near = self.ground.on_axis(at, axis, REACH as i16 - 1);
                    near.filter(|&spot| node.field.is_empty(spot)).for_each(|spot| spots.add(spot));
                }
            }
        }
        spots
    }

    /// Goes through a win that was found, with every answer, and puts it into the cache; its length.
    fn confirm(&mut self, ply: usize) -> Option<i32> {
        let hash = self.stack[ply].hash();
        if let Some(&(length, _)) = self.proofs.sure.get(&hash) {
            return Some(length);
        }
        if self.is_spent() || ply >= PLIES || self.proofs.sure.len() >= self.proofs.known.len() / 2 {
            return None;
        }
        let attacks = self.stack[ply].turn == self.attacker();
        let confirmed = if attacks { self.confirm_attack(ply) } else { self.confirm_answers(ply) };
        let Some((length, best)) = confirmed else {
            // It was not proven after all.
            self.proofs.put(hash, Numbers::NEW, NOWHERE);
            return None;
        };
        self.proofs.sure.insert(hash, (length, best));
        let score = if attacks { WIN - length } else { length - WIN };
        let standing = self.standing(ply) as i16;
        self.cache.put(hash, best, score as i16, standing, super::search::SURE as i8, Bound::Exact);
        Some(length)
    }

    fn confirm_attack(&mut self, ply: usize) -> Option<(i32, Spot)> {
        if let Some((spot, length)) = self.win_by_fours(ply, &mut LOOK_SURELY.clone()) {
            return Some((length, spot));
        }
        let hash = self.stack[ply].hash();
        let is_known = |known: Known| known.numbers.proof == 0 && known.best != NOWHERE;
        if !self.proofs.get(hash).is_some_and(is_known) {
            // An answer that was not thought of, or one that was forgotten.
            self.prove(ply, Numbers { proof: NEVER, disproof: NEVER });
        }
        let best = self.proofs.get(hash).filter(|&known| is_known(known))?.best;
        let length = match self.play(ply, best) {
            Came::Illegal => return None,
            Came::Won => Some(0),
            Came::Lost | Came::Draw => None,
            Came::On => self.confirm(ply + 1),
        };
        self.leave();
        Some((length? + 1, best))
    }

    fn confirm_answers(&mut self, ply: usize) -> Option<(i32, Spot)> {
        let node = &self.stack[ply];
        if !self.line_waits() && !node.field.kind(node.turn, Kind::Five).is_empty() {
            return None;
        }
        let answers: Vec<Spot> = match self.candidates(ply) {
            (Urgency::Now, stops) => stops.iter().collect(),
            (Urgency::Soon | Urgency::Quiet, _) => {
                let field = &self.stack[ply].field;
                (0..self.ground.spots as Spot).filter(|&spot| field.is_empty(spot)).collect()
            }
        };
        let mut longest = (2, NOWHERE);
        for answer in answers {
            let length = match self.play(ply, answer) {
                Came::Illegal => continue,
                Came::Lost => Some(0),
                Came::Won | Came::Draw => None,
                Came::On => self.confirm(ply + 1),
            };
            self.leave();
            let Some(length) = length.map(|length| length + 1) else {
                let hash = self.stack[ply].hash();
                self.proofs.others.entry(hash).or_insert(Spots::NONE).add(answer);
                return None;
            };
            if length > longest.0 || longest.1 == NOWHERE {
                longest = (length, answer);
            }
        }
        Some(longest)
    }

    /// Writes the line of a confirmed win to the root, the answers being those that hold longest.
    fn tell_line(&mut self, length: i32) {
        let mut line = Vec::new();
        let mut ply = 0;
        while line.len() < length.unsigned_abs() as usize {
            if self.stack[ply].turn == self.attacker() {
                let rest = self.line_by_fours(ply);
                if !rest.is_empty() {
                    line.extend(rest);
                    break;
                }
            }
            let sure = self.proofs.sure.get(&self.stack[ply].hash()).copied();
            let Some((_, spot)) = sure.filter(|&(_, spot)| spot != NOWHERE) else { break };
            line.push(spot);
            if self.play(ply, spot) != Came::On {
                self.leave();
                break;
            }
            ply += 1;
        }
        (0..ply).for_each(|_| self.leave());
        self.lines[0] = line;
    }
}

/// The numbers of a position from those of its branches; the branch to look at next, and the number that the second best
/// has.
fn sum_up(branches: &[Branch], attacks: bool) -> (Numbers, Option<usize>, u32) {
    let key = |branch: &Branch| if attacks { branch.numbers.proof } else { branch.numbers.disproof };
    let (mut best, mut least, mut second, mut most, mut left) = (None, NEVER, NEVER, 0u32, 0u32);
    for (at, branch) in branches.iter().enumerate() {
        let (key, other) = (key(branch), if attacks { branch.numbers.disproof } else { branch.numbers.proof });
        most = most.max(other);
        left += u32::from(other > 0);
        if key < least || best.is_none() {
            (second, least, best) = (least, key, Some(at));
        } else {
            second = second.min(key);
        }
    }
    let sum = if most >= NEVER { NEVER } else { most + left.saturating_sub(1) };
    let numbers = match attacks {
        true if least == 0 => Numbers::PROVEN,
        true => Numbers { proof: least, disproof: sum },
        false if least == 0 => Numbers::DISPROVEN,
        false => Numbers { proof: sum, disproof: least },
    };
    (numbers, best, second)
}
