//! Wins by fours alone: each stone threatens to win at once, and the other side has no choice but to stop that.

use super::{Came, Search, WIN};
use crate::spots::{Spot, Spots};
use crate::threat::{Kind, Threat};

/// The longest win by fours that is looked for, in stones from the root.
const FOURS_PLIES_MAX: usize = 300;

/// Positions that telling a stone of a win by fours may cost, once it is known that there is one.
const LINE_POSITIONS: u32 = 50_000;

/// Positions that are remembered to hold no win by fours, at most; a power of two.
const NONE_MAX: usize = 1 << 16;

/// Positions without a win by fours for the side to move, by their hashes.
pub struct NoFours(Vec<u64>);

impl NoFours {
    pub fn new() -> NoFours {
        NoFours(vec![0; NONE_MAX])
    }

    fn has(&self, hash: u64) -> bool {
        self.0[hash as usize & (NONE_MAX - 1)] == hash
    }

    fn add(&mut self, hash: u64) {
        self.0[hash as usize & (NONE_MAX - 1)] = hash;
    }
}

impl Search<'_> {
    /// The first stone of a win by fours for the side to move, and how many stones until the win. The other side has
    /// no five to complete unless `must` names the only point that stops it.
    pub fn win_by_fours(&mut self, ply: usize, budget: &mut u32) -> Option<(Spot, i32)> {
        let node = &self.stack[ply];
        let (me, you) = (node.turn, 1 - node.turn);
        let five = node.field.kind(me, Kind::Five);
        if !five.is_empty()
            && let Some(spot) = self.first_that_wins(ply, *five)
        {
            self.trail.push(spot);
            return Some((spot, 1));
        }
        if ply >= FOURS_PLIES_MAX || self.line_waits() {
            return None;
        }
        let node = &self.stack[ply];
        let threats = *node.field.kind(you, Kind::Five);
        let ways = *node.field.kind(me, Kind::Ways);
        let captures = self.ground.captures();
        if threats.is_empty()
            && !captures
            && let Some(spot) = ways.iter().find(|&spot| self.is_legal(spot))
        {
            self.trail.push(spot);
            return Some((spot, 3));
        }
        let fours = node.field.kind(me, Kind::Four).or(&ways);
        let tries = match threats.len() {
            0 => fours,
            1 => fours.and(&threats),
            _ => return None,
        };
        if tries.is_empty() {
            return None;
        }
        let hash = node.hash();
        if self.no_fours.has(hash) {
            return None;
        }
        for spot in self.fours_in_order(ply, &tries) {
            if *budget == 0 || self.stopped {
                return None;
            }
            *budget -= 1;
            if let Some(length) = self.forces(ply, spot, budget) {
                return Some((spot, length));
            }
        }
        if *budget > 0 && !self.stopped {
            self.no_fours.add(hash);
        }
        None
    }

    /// The line of the win by fours from a ply on, as long as the defender can make it, up to the winning stone.
    pub fn line_by_fours(&mut self, ply: usize) -> Vec<Spot> {
        let mut line = Vec::new();
        let mut at = ply;
        while let Some((spot, _)) = self.win_by_fours(at, &mut LINE_POSITIONS.clone()) {
            line.push(spot);
            if self.play(at, spot) != Came::On {
                at += 1;
                break;
            }
            at += 1;
            let Some(answer) = self.longest_answer(at) else { break };
            line.push(answer);
            self.play(at, answer);
            at += 1;
        }
        (ply..at).for_each(|_| self.leave());
        line
    }

    /// The answer to a four that holds longest.
    fn longest_answer(&mut self, ply: usize) -> Option<Spot> {
        let mut longest: Option<(i32, Spot)> = None;
        for answer in self.candidates(ply).1.iter() {
            let length = match self.play(ply, answer) {
                Came::Illegal => continue,
                Came::On => self.win_by_fours(ply + 1, &mut LINE_POSITIONS.clone()).map(|(_, length)| length),
                Came::Won | Came::Lost | Came::Draw => None,
            };
            self.leave();
            longest = longest.max(length.map(|length| (length, answer)));
        }
        longest.map(|(_, answer)| answer)
    }

    /// Whether a look for a win by fours is likely to be in vain: there is one four, and it makes nothing else.
    pub fn has_lonely_four(&self, ply: usize) -> bool {
        let node = &self.stack[ply];
        let mut fours = node.field.kind(node.turn, Kind::Four).iter();
        let lonely = |spot: Spot| node.field.threat(self.ground, node.turn, spot) == Threat::Four;
        fours.next().is_none_or(lonely) && fours.next().is_none()
    }

    /// Whether a four here wins against every answer, and in how many stones at most.
    fn forces(&mut self, ply: usize, spot: Spot, budget: &mut u32) -> Option<i32> {
        let before = self.trail.len();
        let forced = match self.play(ply, spot) {
            Came::Illegal => return None,
            Came::Won => Some(1),
            Came::Lost | Came::Draw => None,
            Came::On => self.answered(ply, budget),
        };
        self.leave();
        match forced {
            Some(_) => self.trail.push(spot),
            None => self.trail.truncate(before),
        }
        forced
    }

    /// The same, the four being on the board.
    fn answered(&mut self, ply: usize, budget: &mut u32) -> Option<i32> {
        let node = &self.stack[ply + 1];
        let (you, me) = (node.turn, 1 - node.turn);
        let wins = *node.field.kind(me, Kind::Five);
        if wins.is_empty() || !node.field.kind(you, Kind::Five).is_empty() {
            return None;
        }
        let mut answers = Spots::NONE;
        if self.ground.captures() {
            if self.can_win_by_captures(ply + 1) {
                return None;
            }
            answers = *node.field.taking(you);
        }
        if !self.is_real(ply + 1, wins) {
            return None;
        }
        // Where a line may wait for an answer, or a point may be barred, each is looked at.
        if wins.len() > 1 && answers.is_empty() && self.judge.is_none() {
            self.trail.extend(wins.iter());
            return Some(3);
        }
        self.trail.extend(wins.iter());
        let sure = wins.len() > 1 && self.judge.is_none();
        let answers = if sure { answers } else { answers.or(&wins) };
        let others = self.loosening(&self.stack[ply + 1], me, &wins).without(&answers);
        let mut longest = 3;
        for answer in answers.iter().chain(others.iter()) {
            if *budget == 0 || self.stopped {
                return None;
            }
            let length = match self.play(ply + 1, answer) {
                Came::Illegal => continue,
                Came::Won | Came::Lost | Came::Draw => None,
                Came::On => {
                    // Most of the others change nothing, which costs little to see.
                    *budget = budget.saturating_sub(u32::from(answers.has(answer)));
                    self.win_by_fours(ply + 2, budget).map(|(_, length)| length)
                }
            };
            self.leave();
            longest = longest.max(length? + 2);
        }
        Some(longest)
    }

    /// The first of these points where a stone of the side to move wins.
    pub fn first_that_wins(&mut self, ply: usize, spots: Spots) -> Option<Spot> {
        if self.judge.is_none() {
            let node = &self.stack[ply];
            let me = node.turn;
            // Taking may cut the other side's line to length, and then it wins as well.
            let is_sure = |spot: &Spot| !self.ground.rules[1 - me].exact || node.field.takes(me, *spot) == 0;
            if let Some(spot) = spots.iter().find(is_sure) {
                return Some(spot);
            }
        }
        spots.iter().find(|&spot| {
            let came = self.play(ply, spot);
            if came != Came::Illegal {
                self.leave();
            }
            came == Came::Won
        })
    }

    fn fours_in_order(&self, ply: usize, tries: &Spots) -> Vec<Spot> {
        let node = &self.stack[ply];
        let mut spots: Vec<Spot> = tries.iter().collect();
        let worth = |&spot: &Spot| {
            let promise = |side: usize| node.field.promise(self.ground, side, spot);
            -(promise(node.turn) * 2 + promise(1 - node.turn))
        };
        spots.sort_by_cached_key(worth);
        spots
    }

    /// Whether the side to move reaches the goal of captures with its next stone.
    pub fn can_win_by_captures(&self, ply: usize) -> bool {
        let node = &self.stack[ply];
        let lacking = self.ground.goal.saturating_sub(node.taken[node.turn]);
        node.field.taking(node.turn).iter().any(|spot| node.field.takes(node.turn, spot) >= lacking)
    }

    /// The score of a win in so many stones from a ply.
    pub fn won_in(ply: usize, stones: i32) -> i32 {
        WIN - ply as i32 - stones
    }
}
