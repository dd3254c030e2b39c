//! Which stones are tried, and in what order.

use super::{Node, Search};
use crate::cache::NOWHERE;
use crate::ground::AXES;
use crate::shape::{REACH, Shape};
use crate::spots::{Spot, Spots};
use crate::threat::Kind;

/// Where to look for moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// The other side wins with its next stone unless this one stops it.
    Now,
    /// The other side can make an open four or two fours.
    Soon,
    Quiet,
}

/// A stone to try.
#[derive(Clone, Copy, Debug)]
pub struct Try {
    pub spot: Spot,
    pub order: i32,
}

/// Comes before all others: what is remembered.
const REMEMBERED: i32 = 1_000_000;
/// What one stone taken is worth in the order.
const TAKE: i32 = 60;
const KILLER: i32 = 120;
/// The other side's part in a point's worth, in sixteenths.
const THEIRS: i32 = 13;

impl Search<'_> {
    /// How urgent the position is, and the points that come into question.
    pub fn candidates(&self, ply: usize) -> (Urgency, Spots) {
        let node = &self.stack[ply];
        let (me, you) = (node.turn, 1 - node.turn);
        if self.line_waits() {
            return (Urgency::Now, self.stops());
        }
        let captures = self.ground.captures();
        let own = node.field.taking(me);
        let fives = node.field.kind(you, Kind::Five);
        let lacking = self.ground.goal.saturating_sub(node.taken[you]);
        let mut stops = *fives;
        if captures {
            let wins = node.field.taking(you).iter().filter(|&spot| node.field.takes(you, spot) >= lacking);
            wins.for_each(|spot| stops.add(spot));
        }
        if !stops.is_empty() {
            return (Urgency::Now, if captures { stops.or(own) } else { stops });
        }
        let ways = node.field.kind(you, Kind::Ways);
        if !ways.is_empty() && !captures {
            let fours = node.field.kind(me, Kind::Four);
            return (Urgency::Soon, self.spoilers(node, you, ways).or(fours));
        }
        (if ways.is_empty() { Urgency::Quiet } else { Urgency::Soon }, self.allowed(node))
    }

    /// The points that stop the line that waits.
    fn stops(&self) -> Spots {
        let mut spots = Spots::NONE;
        let stops = self.judge.iter().flat_map(|judge| judge.stops());
        stops.for_each(|stop| spots.add(self.ground.spot(stop.at)));
        spots
    }

    /// Points that may spoil one of the points where a side would make an open four or two fours: it, and the empty
    /// points of its line.
    fn spoilers(&self, node: &Node, side: usize, ways: &Spots) -> Spots {
        let (mut spoilers, mut any) = (Spots::NONE, Spots::NONE);
        let mut first = true;
        for way in ways.iter() {
            let mut of_this = Spots::NONE;
            of_this.add(way);
            let shapes = node.field.shapes(side, way);
            for axis in (0..AXES).filter(|axis| Shape::of(shapes >> (4 * axis)).is_four()) {
                let near = self.ground.on_axis(way, axis, REACH as i16 - 1);
                near.filter(|&spot| node.field.is_empty(spot)).for_each(|spot| of_this.add(spot));
            }
            // Every one of them has to be spoilt.
            spoilers = if first { of_this } else { spoilers.and(&of_this) };
            any = any.or(&of_this);
            first = false;
        }
        // Where no point spoils all of them, something has to be played all the same.
        if spoilers.is_empty() { any } else { spoilers }
    }

    /// The points near stones that the opening allows.
    fn allowed(&self, node: &Node) -> Spots {
        let near = node.field.near();
        if self.centre_least == 0 || node.stones != 2 {
            return if near.is_empty() { self.middle(node) } else { near };
        }
        let centre = (self.ground.side / 2) as i32;
        let far = |spot: Spot| {
            let (column, row) = (i32::from(spot) % self.ground.side as i32, i32::from(spot) / self.ground.side as i32);
            (column - centre).abs().max((row - centre).abs()) >= i32::from(self.centre_least)
        };
        let mut spots = Spots::NONE;
        let within = |spot: Spot| {
            let (column, row) = (i32::from(spot) % self.ground.side as i32, i32::from(spot) / self.ground.side as i32);
            (column - centre).abs().max((row - centre).abs()) <= i32::from(self.centre_least) + 1
        };
        let all = (0..self.ground.spots as Spot).filter(|&spot| node.field.is_empty(spot) && far(spot) && within(spot));
        all.for_each(|spot| spots.add(spot));
        spots
    }

    /// The free point nearest to the centre, where no point is near a stone.
    fn middle(&self, node: &Node) -> Spots {
        let centre = (self.ground.side / 2) as i32;
        let far = |spot: Spot| {
            let (column, row) = (i32::from(spot) % self.ground.side as i32, i32::from(spot) / self.ground.side as i32);
            (column - centre).abs().max((row - centre).abs())
        };
        let mut spots = Spots::NONE;
        let empty = (0..self.ground.spots as Spot).filter(|&spot| node.field.is_empty(spot));
        empty.min_by_key(|&spot| far(spot)).into_iter().for_each(|spot| spots.add(spot));
        spots
    }

    /// The stones to try, not yet in order.
    pub fn tries(&self, ply: usize, spots: &Spots, remembered: Spot, tries: &mut Vec<Try>) {
        let node = &self.stack[ply];
        let (me, you) = (node.turn, 1 - node.turn);
        let captures = self.ground.captures();
        let killers = self.killers[ply];
        tries.clear();
        for spot in spots.iter() {
            let mut order =
                node.field.promise(self.ground, me, spot) + node.field.promise(self.ground, you, spot) * THEIRS / 16;
            if captures {
                order += TAKE * i32::from(node.field.takes(me, spot))
                    + TAKE * i32::from(node.field.takes(you, spot)) * 3 / 4;
            }
            order += self.history[me][usize::from(spot)] >> 6;
            if spot == killers[0] || spot == killers[1] {
                order += KILLER;
            }
            if spot == remembered {
                order = REMEMBERED;
            }
            tries.push(Try { spot, order });
        }
    }

    /// Notes a stone that refuted what came before, and those that were tried in vain.
    pub fn refuted_by(&mut self, ply: usize, spot: Spot, depth: i32, in_vain: &[Spot]) {
        let side = self.stack[ply].turn;
        if self.killers[ply][0] != spot {
            self.killers[ply] = [spot, self.killers[ply][0]];
        }
        let bonus = (depth * depth * 16).min(2_048);
        let mut note = |spot: Spot, bonus: i32| {
            let known = &mut self.history[side][usize::from(spot)];
            // It never leaves ± 8,192.
            *known += bonus - *known * bonus.abs() / 8_192;
        };
        note(spot, bonus);
        in_vain.iter().filter(|&&spot| spot != NOWHERE).for_each(|&spot| note(spot, -bonus));
    }
}
