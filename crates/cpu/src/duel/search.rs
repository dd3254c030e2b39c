//! The search itself: iterative deepening, principal variation search, and what it leaves out.

use super::moves::{Try, Urgency};
use super::{Came, Found, PLIES_MAX, Search, WIN, WON, copy_on};
use crate::cache::{Bound, NOWHERE};
use crate::field::{Spot, Spots};
use crate::threat::Kind;

/// Half the width of the first window around the score that is expected.
const WINDOW: i32 = 40;

/// Positions that the first look for a win by fours may cost.
const FOURS_AT_FIRST: u32 = 500;

impl Search<'_> {
    /// Deepens until told to stop, or until everything is known.
    pub fn run(&mut self, depth_max: i32, told: &mut dyn FnMut(&Found)) -> Found {
        let mut found = self.first_look();
        for depth in 1..=depth_max.min(PLIES_MAX as i32 - 32) {
            let Some(score) = self.around(depth, found.score) else { break };
            if let Some(&best) = self.lines[0].first() {
                found = Found { best, score, depth, line: self.lines[0].clone() };
                told(&found);
            }
            if self.stopped || score.abs() >= WON && WIN - score.abs() <= depth {
                break;
            }
        }
        found
    }

    /// Deepens as [`Search::run`] does, and at each depth finds the best moves one after the other, as many as asked for.
    /// `told` sees them after each depth, the best first.
    pub fn run_lines(&mut self, count: usize, depth_max: i32, told: &mut dyn FnMut(&[Found])) -> Vec<Found> {
        let mut best: Vec<Found> = Vec::new();
        for depth in 1..=depth_max.min(PLIES_MAX as i32 - 32) {
            let mut found: Vec<Found> = Vec::new();
            self.barred.clear();
            while found.len() < count {
                let expected = best.get(found.len()).map_or(0, |known| known.score);
                let Some(score) = self.around(depth, expected) else { break };
                let Some(&spot) = self.lines[0].first() else { break };
                if self.stopped && best.len() >= count {
                    break;
                }
                found.push(Found { best: spot, score, depth, line: self.lines[0].clone() });
                self.barred.push(spot);
            }
            self.barred.clear();
            if found.len() >= best.len() && !found.is_empty() {
                found.sort_by_key(|one| std::cmp::Reverse(one.score));
                told(&found);
                best = found;
            }
            let sure = |one: &Found| one.score.abs() >= WON && WIN - one.score.abs() <= depth;
            if self.stopped || best.iter().all(sure) {
                break;
            }
        }
        best
    }

    /// The most promising point, without a search.
    fn first_look(&mut self) -> Found {
        let (_, spots) = self.candidates(0);
        let mut tries = Vec::new();
        self.tries(0, &spots, NOWHERE, &mut tries);
        let best = tries.iter().max_by_key(|one| one.order).map_or(NOWHERE, |one| one.spot);
        Found { best, score: 0, depth: 0, line: vec![best] }
    }

    /// The score at a depth, by windows around the last one; `None` if it was stopped before the first move was known.
    fn around(&mut self, depth: i32, expected: i32) -> Option<i32> {
        let mut width = WINDOW;
        let (mut alpha, mut beta) = if depth < 4 { (-WIN, WIN) } else { (expected - width, expected + width) };
        loop {
            self.lines[0].clear();
            self.depth = depth;
            let score = self.search(0, depth, alpha.max(-WIN), beta.min(WIN), false);
            if self.stopped {
                return (!self.lines[0].is_empty()).then_some(score);
            }
            width *= 3;
            match score {
                _ if score <= alpha && alpha > -WIN => alpha = if width > 1_000 { -WIN } else { score - width },
                _ if score >= beta && beta < WIN => beta = if width > 1_000 { WIN } else { score + width },
                _ => return Some(score),
            }
        }
    }

    /// What a position is worth to its side to move, without a search.
    fn standing(&self, ply: usize) -> i32 {
        let node = &self.stack[ply];
        let (me, you) = (node.turn, 1 - node.turn);
        let mut score = node.field.standing_to_move(me) - node.field.standing(you);
        if self.ground.captures() {
            let goal = i32::from(self.ground.goal);
            let taken = |side: usize| {
                let taken = i32::from(node.taken[side]);
                self.tuning.taken * taken + self.tuning.taken_square * taken * taken / goal
            };
            score += taken(me) - taken(you);
            score += self.tuning.takeable_to_move * i32::from(node.field.takeable(me))
                - self.tuning.takeable * i32::from(node.field.takeable(you));
        }
        score.clamp(-WON / 2, WON / 2)
    }

    /// A win that needs no search, as a score.
    fn won_at_sight(&mut self, ply: usize) -> Option<(Spot, i32)> {
        if self.line_waits() {
            return None;
        }
        let node = &self.stack[ply];
        let (me, you) = (node.turn, 1 - node.turn);
        let five = *node.field.kind(me, Kind::Five);
        if !five.is_empty()
            && let Some(spot) = self.first_that_wins(ply, five)
        {
            return Some((spot, Self::won_in(ply, 1)));
        }
        let node = &self.stack[ply];
        if self.ground.captures() {
            let lacking = self.ground.goal.saturating_sub(node.taken[me]);
            let mut wins = Spots::NONE;
            let goals = node.field.taking(me).iter().filter(|&spot| node.field.takes(me, spot) >= lacking);
            goals.for_each(|spot| wins.add(spot));
            if wins.is_empty() {
                return None;
            }
            return self.first_that_wins(ply, wins).map(|spot| (spot, Self::won_in(ply, 1)));
        }
        if !node.field.kind(you, Kind::Five).is_empty() {
            return None;
        }
        let way = node.field.kind(me, Kind::Ways).iter().find(|&spot| self.is_legal(spot))?;
        Some((way, Self::won_in(ply, 3)))
    }

    fn search(&mut self, ply: usize, depth: i32, alpha: i32, beta: i32, passed: bool) -> i32 {
        self.lines[ply].clear();
        if self.stopped {
            return 0;
        }
        // Where moves are left out the quick looks might find just those.
        let all = ply > 0 || self.barred.is_empty();
        if all && let Some((spot, score)) = self.won_at_sight(ply) {
            self.lines[ply].push(spot);
            return score;
        }
        if ply + 8 >= PLIES_MAX {
            return self.standing(ply);
        }
        let (mut alpha, beta) = (alpha.max(-Self::won_in(ply, 2)), beta.min(Self::won_in(ply, 3)));
        if alpha >= beta {
            return alpha;
        }
        let is_wide = beta - alpha > 1;
        let hash = self.stack[ply].hash();
        let known = self.cache.get(hash);
        if let Some(known) = known
            && ply > 0
            && i32::from(known.depth) >= depth
        {
            let score = from_memory(i32::from(known.score), ply);
            let decides = match known.bound {
                Bound::None => false,
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if decides && (!is_wide || depth <= 0) {
                return score;
            }
        }
        let (urgency, spots) = self.candidates(ply);
        let standing = match known {
            Some(known) => i32::from(known.standing),
            None => self.standing(ply),
        };
        if urgency != Urgency::Now {
            if all && let Some(score) = self.by_fours(ply, depth, known.is_some()) {
                self.remember(
                    hash,
                    ply,
                    self.lines[ply].first().copied().unwrap_or(NOWHERE),
                    score,
                    standing,
                    60,
                    Bound::Exact,
                );
                return score;
            }
            if depth <= 0 {
                let score = self.leaf(ply, urgency, standing);
                self.remember(hash, ply, NOWHERE, score, standing, 0, Bound::Exact);
                return score;
            }
            if !is_wide
                && !passed
                && ply > 0
                && let Some(score) = self.cut_early(ply, depth, alpha, beta, urgency, standing)
            {
                return score;
            }
        }
        let remembered = known.map_or(NOWHERE, |known| known.best);
        let depth = if remembered == NOWHERE && depth >= 6 && urgency != Urgency::Now { depth - 1 } else { depth };
        let first = alpha;
        let best = self.try_all(ply, depth, &mut alpha, beta, urgency, &spots, remembered, standing);
        if self.stopped {
            return best.0;
        }
        let bound = match best.0 {
            score if score >= beta => Bound::Lower,
            score if score > first => Bound::Exact,
            _ => Bound::Upper,
        };
        self.remember(hash, ply, best.1, best.0, standing, depth, bound);
        best.0
    }

    #[allow(clippy::too_many_arguments)]
    fn remember(&mut self, hash: u64, ply: usize, best: Spot, score: i32, standing: i32, depth: i32, bound: Bound) {
        if !self.stopped && (ply > 0 || self.barred.is_empty()) {
            let score = to_memory(score, ply);
            self.cache.put(hash, best, score as i16, standing as i16, depth.clamp(-1, 100) as i8, bound);
        }
    }

    /// A win by fours, if there is one that is soon found.
    fn by_fours(&mut self, ply: usize, depth: i32, seen: bool) -> Option<i32> {
        if ply > 0 && (seen && depth > 0 || self.has_lonely_four(ply)) {
            return None;
        }
        // At the root a share of all that has been spent.
        let mut budget = match ply {
            0 if self.tuning.fours_leaf == 0 => 0,
            0 => FOURS_AT_FIRST + (self.nodes / 4).min(u64::from(u32::MAX) / 2) as u32,
            _ if depth > 0 => self.tuning.fours_inner.unsigned_abs(),
            _ => self.tuning.fours_leaf.unsigned_abs(),
        };
        let (spot, stones) = self.win_by_fours(ply, &mut budget)?;
        if self.stopped {
            return None;
        }
        self.lines[ply].clear();
        self.lines[ply].push(spot);
        Some(Self::won_in(ply, stones))
    }

    fn leaf(&mut self, ply: usize, urgency: Urgency, standing: i32) -> i32 {
        let _ = ply;
        match urgency {
            // The answer to an open three costs the move.
            Urgency::Soon => standing,
            Urgency::Now | Urgency::Quiet => standing,
        }
    }

    /// What need not be searched: far too good, or far too bad.
    fn cut_early(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
        urgency: Urgency,
        standing: i32,
    ) -> Option<i32> {
        if beta.abs() >= WON || alpha.abs() >= WON || urgency != Urgency::Quiet {
            return None;
        }
        if depth <= self.tuning.good_depth && standing - self.tuning.good_step * depth >= beta {
            return Some(standing);
        }
        if depth <= self.tuning.bad_depth && standing + self.tuning.bad_step * depth <= alpha {
            return Some(standing);
        }
        if depth >= 3 && standing >= beta && self.judge.is_none() {
            copy_on(self.ground, &mut self.stack, ply).pass();
            self.count();
            let score = -self.search(ply + 1, depth - 3 - depth / 4, -beta, -beta + 1, true);
            self.lines[ply].clear();
            if score >= beta && !self.stopped {
                return Some(score.min(WON - 1));
            }
        }
        None
    }

    #[allow(clippy::too_many_arguments)]
    fn try_all(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: &mut i32,
        beta: i32,
        urgency: Urgency,
        spots: &crate::field::Spots,
        remembered: Spot,
        standing: i32,
    ) -> (i32, Spot) {
        let mut tries: Vec<Try> = Vec::with_capacity(96);
        self.tries(ply, spots, remembered, &mut tries);
        if ply == 0 {
            let barred = &self.barred;
            tries.retain(|one| !barred.contains(&one.spot));
        }
        let mut best = (-Self::won_in(ply, 2), tries.first().map_or(NOWHERE, |one| one.spot));
        if tries.is_empty() {
            return best;
        }
        let mut in_vain: Vec<Spot> = Vec::new();
        let is_wide = beta - *alpha > 1;
        // A single reply costs nothing.
        let lower = match urgency {
            Urgency::Now => 0,
            // Near the root the answer to a threat costs nothing: there whole attacks are looked through.
            Urgency::Soon => i32::from(ply as i32 * 100 >= self.depth * self.tuning.soon_near),
            Urgency::Quiet => 1,
        };
        let mut tried = 0;
        for number in 0..tries.len() {
            let next = (number..tries.len()).max_by_key(|&at| tries[at].order).unwrap_or(number);
            tries.swap(number, next);
            let spot = tries[number].spot;
            let forcing = self.forcing(ply, spot);
            if number > 0 && ply > 0 && urgency == Urgency::Quiet && best.0 > -WON && !forcing {
                if depth <= self.tuning.late_depth
                    && number as i32
                        > self.tuning.late_first
                            + depth * self.tuning.late_step
                            + depth * depth * self.tuning.late_square / 4
                {
                    break;
                }
                if !is_wide
                    && depth <= self.tuning.futile_depth
                    && standing + self.tuning.futile_step * depth + tries[number].order * self.tuning.futile_order / 16
                        <= *alpha
                {
                    continue;
                }
            }
            let score = match self.play(ply, spot) {
                Came::Illegal => continue,
                Came::Won => Self::won_in(ply, 1),
                Came::Lost => -Self::won_in(ply, 1),
                Came::Draw => 0,
                Came::On => self.deeper(ply, depth - lower, *alpha, beta, tried, urgency, forcing, is_wide),
            };
            self.leave();
            let score = if ply == 0 { self.misjudged(score, spot) } else { score };
            let number = tried;
            tried += 1;
            if self.stopped {
                return best;
            }
            if score > best.0 || number == 0 {
                best = (score, spot);
                if score > *alpha || ply == 0 && number == 0 {
                    *alpha = score.max(*alpha);
                    let (upper, deeper) = self.lines.split_at_mut(ply + 1);
                    upper[ply].clear();
                    upper[ply].push(spot);
                    upper[ply].extend_from_slice(&deeper[0]);
                }
            }
            if score >= beta {
                self.refuted_by(ply, spot, depth, &in_vain);
                break;
            }
            in_vain.push(spot);
        }
        best
    }

    /// The score of a move at the root as a weak level sees it.
    fn misjudged(&self, score: i32, spot: Spot) -> i32 {
        let (most, seed) = self.whim;
        if most == 0 || score.abs() >= WON {
            return score;
        }
        let drawn = crate::mix(seed, u64::from(spot)) % (2 * most.unsigned_abs() as u64 + 1);
        score + drawn as i32 - most
    }

    /// Whether a stone makes or stops something that must be answered.
    fn forcing(&self, ply: usize, spot: Spot) -> bool {
        let node = &self.stack[ply];
        let is = |side: usize, kind: Kind| node.field.kind(side, kind).has(spot);
        let (me, you) = (node.turn, 1 - node.turn);
        is(me, Kind::Four)
            || is(me, Kind::Three)
            || is(you, Kind::Four)
            || is(you, Kind::Three)
            || node.field.takes(me, spot) > 0
    }

    #[allow(clippy::too_many_arguments)]
    fn deeper(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
        number: usize,
        urgency: Urgency,
        forcing: bool,
        is_wide: bool,
    ) -> i32 {
        if number == 0 {
            return -self.search(ply + 1, depth, -beta, -alpha, false);
        }
        let mut less = 0;
        if depth >= 2 && number >= 2 && urgency != Urgency::Now {
            let size = f64::from(depth).ln() * (number as f64).ln() * 100.0;
            less = (self.tuning.reduce_base
                + (size * f64::from(if forcing { self.tuning.reduce_forcing } else { self.tuning.reduce_quiet })
                    / 100.0) as i32)
                / 100;
            less -= i32::from(is_wide);
            less = less.clamp(0, depth - 1);
        }
        let mut score = -self.search(ply + 1, depth - less, -alpha - 1, -alpha, false);
        if score > alpha && less > 0 {
            score = -self.search(ply + 1, depth, -alpha - 1, -alpha, false);
        }
        if score > alpha && score < beta {
            score = -self.search(ply + 1, depth, -beta, -alpha, false);
        }
        score
    }
}

/// Wins are remembered by their distance from the position, not from the root.
fn to_memory(score: i32, ply: usize) -> i32 {
    match score {
        _ if score >= WON => score + ply as i32,
        _ if score <= -WON => score - ply as i32,
        _ => score,
    }
}

fn from_memory(score: i32, ply: usize) -> i32 {
    match score {
        _ if score >= WON => score - ply as i32,
        _ if score <= -WON => score + ply as i32,
        _ => score,
    }
}
