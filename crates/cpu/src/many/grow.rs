//! How the tree grows: which points of a position are tried, and how promising each is at first.

use rules::{Game, Point};

use super::stones::Next;
use super::tree::{Node, Tree};
use super::urgent::{Pressing, Urgency};
use crate::ground::Ground;
use crate::spots::{Spot, Spots};

/// Points tried in one position at most; at the root.
pub const WIDTH: usize = 32;
const WIDTH_ROOT: usize = 60;
/// How often, of 256, an enemy does not stop the next player's win, and that of a later one, which others may stop.
/// Playout players of some 20,000 playouts fail to do so in 10 to 40 and in 90 of 100 cases.
const CARELESS_NEXT: u8 = 90;
const CARELESS: u8 = 200;
/// What a point without any promise counts.
const LEAST_PROMISE: f32 = 20.0;
/// The higher, the more the promising points are preferred.
const POWER: f32 = 1.2;

/// The points to try in a position.
struct Tries {
    spots: Spots,
    /// Those that stop a win.
    stops: Spots,
    careless: u8,
    is_pruned: bool,
}

impl<const N: usize> Tree<'_, N> {
    /// Gives the root its branches: none if no point is legal and not barred.
    pub fn grow_root(&mut self, game: &Game, barred: &[Point]) {
        let tries = self.tries(0);
        let may_be = |tree: &Self, spot: Spot| {
            let at = tree.ground.point(spot);
            !barred.contains(&at) && game.check(at).is_ok()
        };
        let mut spots = Spots::NONE;
        tries.spots.iter().filter(|&spot| may_be(self, spot)).for_each(|spot| spots.add(spot));
        if spots.is_empty() {
            self.empties().iter().filter(|&spot| may_be(self, spot)).for_each(|spot| spots.add(spot));
        }
        self.add_branches(0, &Tries { spots, ..tries }, WIDTH_ROOT);
        self.nodes[0].end = None;
    }

    /// Gives a leaf its branches, or finds that it is decided. The stones are those of the leaf.
    pub fn grow(&mut self, at: usize) {
        self.follow();
        let tries = self.tries(at);
        if self.nodes[at].end.is_some() {
            return;
        }
        self.add_branches(at, &tries, WIDTH);
        if self.nodes[at].count == 0 {
            let all = Tries { spots: self.empties(), ..tries };
            self.add_branches(at, &all, WIDTH);
        }
        if self.nodes[at].count == 0 {
            self.nodes[at].end = Some(0);
        }
    }

    /// What to try at a leaf, or the root; finds that it is decided.
    fn tries(&mut self, at: usize) -> Tries {
        let mut tries = Tries { spots: Spots::NONE, stops: Spots::NONE, careless: 0, is_pruned: false };
        if self.nodes[at].waits.is_some() {
            let stops = |ground: &Ground, judge: &Game| {
                judge.stops().iter().map(|stop| ground.spot(stop.at)).collect::<Vec<Spot>>()
            };
            self.judged(stops).into_iter().flatten().for_each(|spot| tries.spots.add(spot));
            return tries;
        }
        let side = self.stones.turn;
        match self.position.urgency(self.ground) {
            Urgency::Won(wins) => {
                if self.judge.is_none() && wins.iter().any(|spot| self.wins_alone(spot)) {
                    self.nodes[at].end = Some(1 << side);
                }
                tries.spots = wins;
            }
            Urgency::Lost { to, .. } if self.ground.is_plain => self.nodes[at].end = Some(1 << to),
            Urgency::Lost { .. } | Urgency::Forced(_) | Urgency::Quiet => {}
        }
        let is_mine = side == self.me();
        match self.position.pressing(self.ground) {
            Some(pressing) => self.under_pressure(&pressing, is_mine, &mut tries),
            None => {
                tries.spots = tries.spots.or(&self.position.field.near());
                tries.is_pruned = true;
            }
        }
        tries
    }

    fn under_pressure(&self, pressing: &Pressing, is_mine: bool, tries: &mut Tries) {
        let wins = tries.spots;
        tries.spots = wins.or(&pressing.blocks).or(&pressing.others);
        if !is_mine && wins.is_empty() {
            tries.stops = pressing.blocks;
            tries.careless = if pressing.far == 1 { CARELESS_NEXT } else { CARELESS };
        }
        if !is_mine || (pressing.blocks.len() as usize) < pressing.far {
            tries.spots = tries.spots.or(&self.position.field.near());
            tries.is_pruned = true;
        }
    }

    /// Whether a stone of the side to move wins for it alone, where no line waits.
    fn wins_alone(&self, spot: Spot) -> bool {
        self.stones.is_legal(&self.plan, spot)
            && self.stones.clone().play(&self.plan, spot, None) == Next::Over(1 << self.stones.turn)
    }

    fn empties(&self) -> Spots {
        let mut spots = Spots::NONE;
        (0..self.ground.spots as Spot).filter(|&spot| self.stones.is_empty(spot)).for_each(|spot| spots.add(spot));
        spots
    }

    /// Makes branches of the legal ones of these points: those that stop a win first, then the most promising.
    fn add_branches(&mut self, at: usize, tries: &Tries, width: usize) {
        let legal =
            tries.spots.iter().filter(|&spot| self.stones.is_empty(spot) && self.stones.is_legal(&self.plan, spot));
        let mut list: Vec<(f32, u64, Spot)> = legal
            .map(|spot| {
                let among_equals = crate::mix(self.limits.seed, u64::from(spot));
                ((self.position.promise(self.ground, spot) as f32 + LEAST_PROMISE).powf(POWER), among_equals, spot)
            })
            .collect();
        list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let is_cut = list.len() > width;
        list.truncate(width);
        list.sort_by_key(|&(_, _, spot)| !tries.stops.has(spot));
        let sum: f32 = list.iter().map(|(weight, _, _)| weight).sum();
        let first = self.nodes.len() as u32;
        let stops = list.iter().filter(|&&(_, _, spot)| tries.stops.has(spot)).count();
        let node = &mut self.nodes[at];
        (node.first, node.count, node.stops) = (first, list.len() as u16, stops as u16);
        node.is_pruned = tries.is_pruned || is_cut;
        node.careless = if stops == list.len() { 0 } else { tries.careless };
        self.nodes.extend(list.into_iter().map(|(weight, _, spot)| Node::new(spot, weight / sum)));
    }
}
