//! The search itself: iterative deepening, principal variation search, and what it leaves out.

use rules::Take;

use super::moves::{Try, Urgency};
use super::{Came, Found, PLIES_MAX, Search, Tuning, WIN, WON, copy_on};
use crate::cache::{Bound, Memory, NOWHERE};
use crate::spots::{Spot, Spots};
use crate::threat::Kind;

/// Half the width of the first window around the score that is expected.
const WINDOW: i32 = 40;

/// From this depth on wins by threats are looked for.
const THREATS_FROM: i32 = 4;
/// From this score on it gets its larger share.
const THREATS_HOPE: i32 = 150;

/// Positions that the first look for a win by fours may cost.
const FOURS_AT_FIRST: u32 = 500;

impl Search<'_> {
    /// Deepens until told to stop, or until everything is known.
    pub fn run(&mut self, depth_max: i32, told: &mut dyn FnMut(&Found)) -> Found {
        let mut found = self.first_look();
        for depth in self.depth_first..=depth_max.min(PLIES_MAX as i32 - 32) {
            let Some(score) = self.around(depth, found.score) else { break };
            if let Some(&best) = self.lines[0].first() {
                found = Found { best, take: self.take(), score, depth, line: self.lines[0].clone() };
                told(&found);
            }
            let is_told = score >= WON && WIN - score <= found.line.len() as i32;
            if self.stopped || score.abs() >= WON && WIN - score.abs() <= depth || self.solves && is_told {
                break;
            }
            if depth >= THREATS_FROM
                && score.abs() < WON
                && let Some(won) = self.by_threats(depth, score)
            {
                found = won;
                told(&found);
                break;
            }
        }
        found
    }

    /// A win by threats, looked for with its share of all that is spent.
    fn by_threats(&mut self, depth: i32, score: i32) -> Option<Found> {
        let Tuning { threats, threats_hoped, .. } = self.tuning;
        let share = self.nodes * if score >= THREATS_HOPE { threats_hoped } else { threats } / 100;
        let positions = share.checked_sub(self.proofs.spent)?;
        let stones = self.win_by_threats(positions)?;
        let line = self.lines[0].clone();
        Some(Found { best: *line.first()?, take: Take::All, score: Self::won_in(0, stones), depth, line })
    }

    /// Deepens as [`Search::run`] does, and at each depth finds the best moves one after the other, as many as asked for.
    /// `told` sees them after each depth, the best first.
    pub fn run_lines(&mut self, count: usize, depth_max: i32, told: &mut dyn FnMut(&[Found])) -> Vec<Found> {
        let mut best: Vec<Found> = Vec::new();
        let mut won: Option<Found> = None;
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
                found.push(Found { best: spot, take: self.take(), score, depth, line: self.lines[0].clone() });
                self.barred.push(spot);
            }
            self.barred.clear();
            if depth >= THREATS_FROM
                && won.is_none()
                && !self.stopped
                && found.first().is_some_and(|one| one.score < WON)
            {
                won = self.by_threats(depth, found[0].score);
            }
            if let Some(won) = &won {
                found.retain(|one| one.best != won.best);
                found.insert(0, won.clone());
                found.truncate(count);
            }
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
        Found { best, take: Take::All, score: 0, depth: 0, line: vec![best] }
    }

    /// The score at a depth, by windows around the last one; `None` if it was stopped before the first move was known.
    fn around(&mut self, depth: i32, expected: i32) -> Option<i32> {
        let mut width = WINDOW;
        let (mut alpha, mut beta) = if depth < 4 { (-WIN, WIN) } else { (expected - width, expected + width) };
        loop {
            self.lines[0].clear();
            self.choice = None;
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
    pub fn standing(&mut self, ply: usize) -> i32 {
        let by_shapes = self.standing_by_shapes(ply);
        let node = &self.stack[ply];
        let score = match &mut self.net {
            Some(net) => net.worth(self.ground, node.field.cells(), node.turn, by_shapes),
            None => by_shapes,
        };
        score.clamp(-WON / 2, WON / 2)
    }

    /// The same by what the points are good for, and nothing else.
    pub fn standing_by_shapes(&self, ply: usize) -> i32 {
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

    pub fn search(&mut self, ply: usize, depth: i32, alpha: i32, beta: i32, passed: bool) -> i32 {
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
        let (alpha, beta) = (alpha.max(-Self::won_in(ply, 2)), beta.min(Self::won_in(ply, 3)));
        if alpha >= beta {
            return alpha;
        }
        let hash = self.stack[ply].hash();
        let known = self.cache.get(hash);
        let is_wide = beta - alpha > 1;
        if let Some(score) = known.and_then(|known| decides(&known, ply, depth, alpha, beta)) {
            return score;
        }
        let (urgency, spots) = self.candidates(ply);
        let standing = known.map_or_else(|| self.standing(ply), |known| i32::from(known.standing));
        let remembered = known.map_or(NOWHERE, |known| known.best);
        let mut here = Here { ply, depth, beta, is_wide, urgency, standing, hash, remembered };
        if urgency != Urgency::Now {
            let seen = known.is_some();
            if let Some(score) = self.without_trying(&here, alpha, all, seen, passed) {
                return score;
            }
        }
        // Where nothing is remembered the order is poor, and a look less deep makes a better one.
        here.depth -= i32::from(remembered == NOWHERE && depth >= 6 && urgency != Urgency::Now);
        let (mut score, mut best) = self.try_all(&here, alpha, &spots);
        if ply == 0 {
            (score, best) = self.try_choices(&here, alpha, (score, best));
        }
        let bound = match score {
            score if score >= beta => Bound::Lower,
            score if score > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.remember(&here, best, score, here.depth, bound);
        score
    }

    /// A score that is found before any move is tried one by one.
    fn without_trying(&mut self, here: &Here, alpha: i32, all: bool, seen: bool, passed: bool) -> Option<i32> {
        if all && let Some(score) = self.by_fours(here.ply, here.depth, seen) {
            let best = self.lines[here.ply].first().copied().unwrap_or(NOWHERE);
            self.remember(here, best, score, SURE, Bound::Exact);
            return Some(score);
        }
        if here.depth <= 0 {
            self.remember(here, NOWHERE, here.standing, 0, Bound::Exact);
            return Some(here.standing);
        }
        if here.is_wide || passed || here.ply == 0 { None } else { self.cut_early(here, alpha) }
    }

    fn remember(&mut self, here: &Here, best: Spot, score: i32, depth: i32, bound: Bound) {
        if !self.stopped && (here.ply > 0 || self.barred.is_empty()) {
            let score = to_memory(score, here.ply) as i16;
            self.cache.put(here.hash, best, score, here.standing as i16, depth.clamp(-1, 100) as i8, bound);
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
        if ply == 0 && self.solves {
            self.lines[0] = self.line_by_fours(0);
        } else {
            self.lines[ply].push(spot);
        }
        Some(Self::won_in(ply, stones))
    }

    /// What need not be searched: far too good, or far too bad.
    fn cut_early(&mut self, here: &Here, alpha: i32) -> Option<i32> {
        let &Here { ply, depth, beta, standing, .. } = here;
        if beta.abs() >= WON || alpha.abs() >= WON || here.urgency != Urgency::Quiet {
            return None;
        }
        if depth <= self.tuning.good_depth && standing - self.tuning.good_step * depth >= beta {
            return Some(standing);
        }
        if depth <= self.tuning.bad_depth && standing + self.tuning.bad_step * depth <= alpha {
            return Some(standing);
        }
        // Who may even pass and stays above is not held up by any move.
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

    /// Tries the moves one by one; the best score and its move.
    fn try_all(&mut self, here: &Here, mut alpha: i32, spots: &Spots) -> (i32, Spot) {
        let ply = here.ply;
        let mut tries: Vec<Try> = Vec::with_capacity(96);
        self.tries(ply, spots, here.remembered, &mut tries);
        if ply == 0 {
            let barred = &self.barred;
            tries.retain(|one| !barred.contains(&one.spot));
        }
        let mut best = (-Self::won_in(ply, 2), tries.first().map_or(NOWHERE, |one| one.spot));
        let mut in_vain: Vec<Spot> = Vec::new();
        for number in 0..tries.len() {
            let next = (number..tries.len()).max_by_key(|&at| tries[at].order).unwrap_or(number);
            tries.swap(number, next);
            let one = tries[number];
            let forcing = self.forcing(ply, one.spot);
            if number > 0 && ply > 0 && here.urgency == Urgency::Quiet && best.0 > -WON && !forcing {
                if self.is_late(here, number) {
                    break;
                }
                if self.is_futile(here, alpha, one) {
                    continue;
                }
            }
            let score = match self.play(ply, one.spot) {
                Came::Illegal => continue,
                Came::Won => Self::won_in(ply, 1),
                Came::Lost => -Self::won_in(ply, 1),
                Came::Draw => 0,
                Came::On => self.deeper(here, alpha, in_vain.len(), forcing),
            };
            self.leave();
            if self.stopped {
                return best;
            }
            let score = if ply == 0 { self.misjudged(score, one.spot) } else { score };
            let is_first = in_vain.is_empty();
            if score > best.0 || is_first {
                best = (score, one.spot);
                if score > alpha || ply == 0 && is_first {
                    alpha = score.max(alpha);
                    self.extend_line(ply, one.spot);
                }
            }
            if score >= here.beta {
                self.refuted_by(ply, one.spot, here.depth, &in_vain);
                break;
            }
            in_vain.push(one.spot);
        }
        best
    }

    /// Whether so many moves have been tried that no more quiet ones are.
    fn is_late(&self, here: &Here, number: usize) -> bool {
        let Tuning { late_depth, late_first, late_step, late_square, .. } = self.tuning;
        let depth = here.depth;
        depth <= late_depth && number as i32 > late_first + depth * late_step + depth * depth * late_square / 4
    }

    /// Whether a quiet move will not bring the position up to what is known already.
    fn is_futile(&self, here: &Here, alpha: i32, one: Try) -> bool {
        let Tuning { futile_depth, futile_step, futile_order, .. } = self.tuning;
        let hope = here.standing + futile_step * here.depth + one.order * futile_order / 16;
        !here.is_wide && here.depth <= futile_depth && hope <= alpha
    }

    /// The line from a ply on is this stone and the line after it.
    pub fn extend_line(&mut self, ply: usize, spot: Spot) {
        let (upper, deeper) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(spot);
        upper[ply].extend_from_slice(&deeper[0]);
    }

    /// The score of a move at the root as a weak level sees it.
    pub fn misjudged(&self, score: i32, spot: Spot) -> i32 {
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

    /// The score of the stone that was just played, the `number`th that is tried.
    fn deeper(&mut self, here: &Here, alpha: i32, number: usize, forcing: bool) -> i32 {
        let (ply, beta) = (here.ply, here.beta);
        let depth = here.depth
            - match here.urgency {
                // A single reply costs nothing.
                Urgency::Now => 0,
                // Near the root the answer to a threat costs nothing: there whole attacks are looked through.
                Urgency::Soon => i32::from(ply as i32 * 100 >= self.depth * self.tuning.soon_near),
                Urgency::Quiet => 1,
            };
        if number == 0 {
            return -self.search(ply + 1, depth, -beta, -alpha, false);
        }
        let less = self.reduction(here, depth, number, forcing);
        let mut score = -self.search(ply + 1, depth - less, -alpha - 1, -alpha, false);
        if score > alpha && less > 0 {
            score = -self.search(ply + 1, depth, -alpha - 1, -alpha, false);
        }
        if score > alpha && score < beta {
            score = -self.search(ply + 1, depth, -beta, -alpha, false);
        }
        score
    }

    /// By how much less deep a late move is looked at.
    fn reduction(&self, here: &Here, depth: i32, number: usize, forcing: bool) -> i32 {
        if depth < 2 || number < 2 || here.urgency == Urgency::Now {
            return 0;
        }
        let size = f64::from(depth).ln() * (number as f64).ln();
        let part = if forcing { self.tuning.reduce_forcing } else { self.tuning.reduce_quiet };
        let less = (self.tuning.reduce_base + (size * f64::from(part)) as i32) / 100 - i32::from(here.is_wide);
        less.clamp(0, depth - 1)
    }
}

/// What is known of a position before its moves are tried.
pub struct Here {
    ply: usize,
    pub depth: i32,
    /// What the other side will not allow.
    pub beta: i32,
    /// The window is more than one wide: this may be a part of the line that is played.
    is_wide: bool,
    urgency: Urgency,
    /// What it is worth without a search.
    standing: i32,
    hash: u64,
    /// The move that was best before.
    remembered: Spot,
}

/// The depth of what no search can better.
pub const SURE: i32 = 60;

/// The score that is remembered, where it settles the question.
fn decides(known: &Memory, ply: usize, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
    if ply == 0 || i32::from(known.depth) < depth || beta - alpha > 1 && depth > 0 {
        return None;
    }
    let score = from_memory(i32::from(known.score), ply);
    let decides = match known.bound {
        Bound::None => false,
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    decides.then_some(score)
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
