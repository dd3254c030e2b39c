//! Which stones are tried, and in what order.

use super::{Came, Node, Search};
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
    pub fn candidates(&mut self, ply: usize) -> (Urgency, Spots) {
        if self.line_waits() {
            return (Urgency::Now, self.stops());
        }
        let node = &self.stack[ply];
        let fives = *node.field.kind(1 - node.turn, Kind::Five);
        let fives = if fives.is_empty() || self.is_real(ply, fives) { fives } else { Spots::NONE };
        let node = &self.stack[ply];
        let (me, you) = (node.turn, 1 - node.turn);
        let captures = self.ground.captures();
        let own = node.field.taking(me);
        let lacking = self.ground.goal.saturating_sub(node.taken[you]);
        let mut stops = fives;
        if captures {
            let wins = node.field.taking(you).iter().filter(|&spot| node.field.takes(you, spot) >= lacking);
            wins.for_each(|spot| stops.add(spot));
        }
        if !stops.is_empty() {
            let mut stops = stops.or(&self.loosening(node, you, &fives));
            if self.ground.overtime {
                // A line that can be broken wins nothing, but has to be broken at once.
                stops = stops.or(node.field.kind(me, Kind::Five));
            }
            return (Urgency::Now, if captures { stops.or(own) } else { stops });
        }
        let ways = node.field.kind(you, Kind::Ways);
        if !ways.is_empty() && !captures {
            let fours = node.field.kind(me, Kind::Four);
            return (Urgency::Soon, self.spoilers(node, you, ways).or(fours));
        }
        (if ways.is_empty() { Urgency::Quiet } else { Urgency::Soon }, self.allowed(node))
    }

    /// Whether the side that is not to move would win at one of these points where it completes a line, if nothing were
    /// done about it.
    pub(super) fn is_real(&mut self, ply: usize, fives: Spots) -> bool {
        if !self.ground.overtime && !self.ground.into_flank {
            return true;
        }
        let Some(nowhere) = self.neutral(ply) else { return false };
        let came = self.play(ply, nowhere);
        let is_real = came == Came::On && self.first_that_wins(ply + 1, fives).is_some();
        if came != Came::Illegal {
            self.leave();
        }
        is_real
    }

    /// An empty point that is of no use to anybody.
    pub fn neutral(&self, ply: usize) -> Option<Spot> {
        let field = &self.stack[ply].field;
        let lonely = |side: usize, spot: Spot| {
            let shapes = field.shapes(side, spot);
            (0..AXES).all(|axis| Shape::of(shapes >> (4 * axis)) <= Shape::One)
        };
        let mut spots = (0..self.ground.spots as Spot).filter(|&spot| field.is_empty(spot));
        spots.find(|&spot| lonely(0, spot) && lonely(1, spot))
    }

    /// Points beside those where a side completes a line that may take the line's worth from it: from there a stone of
    /// the line, or all of it, can be taken once it waits, or the stone that completes it would stand between two enemies.
    pub(super) fn loosening(&self, node: &Node, side: usize, fives: &Spots) -> Spots {
        let mut spots = Spots::NONE;
        if !self.ground.overtime && !self.ground.into_flank {
            return spots;
        }
        let is_empty = |spot: Option<Spot>| spot.is_some_and(|spot| node.field.is_empty(spot));
        for five in fives.iter() {
            if self.ground.into_flank {
                // An enemy at one end, and one more at the other.
                self.stretches(node, side, five, five, |ends| {
                    let empty = ends.into_iter().filter(|&end| is_empty(end));
                    let enemy = ends.into_iter().flatten().filter(|&end| node.field.stone(end) == Some(1 - side));
                    if enemy.count() == 1 {
                        empty.flatten().for_each(|end| spots.add(end));
                    }
                });
            }
            if self.ground.overtime {
                let mut open = |ends: [Option<Spot>; 2]| {
                    if ends.into_iter().all(is_empty) {
                        ends.into_iter().flatten().for_each(|end| spots.add(end));
                    }
                };
                let shapes = node.field.shapes(side, five);
                for axis in (0..AXES).filter(|axis| Shape::of(shapes >> (4 * axis)) == Shape::Five) {
                    let is_own = |steps: i16| {
                        let spot = self.ground.along(five, axis, steps);
                        spot.is_some_and(|spot| node.field.stone(spot) == Some(side))
                    };
                    let back = (1..).take_while(|&steps| is_own(-steps)).count() as i16;
                    let forth = (1..).take_while(|&steps| is_own(steps)).count() as i16;
                    open([-back - 1, forth + 1].map(|steps| self.ground.along(five, axis, steps)));
                    for spot in (-back..=forth).filter_map(|steps| self.ground.along(five, axis, steps)) {
                        self.stretches(node, side, spot, five, &mut open);
                    }
                }
            }
        }
        spots
    }

    /// The two points at the ends of every stretch of a side's stones through a point that could be taken, as if the
    /// side had played at `placed`.
    fn stretches(&self, node: &Node, side: usize, at: Spot, placed: Spot, mut ends: impl FnMut([Option<Spot>; 2])) {
        let is_own =
            |spot: Option<Spot>| spot.is_some_and(|spot| spot == placed || node.field.stone(spot) == Some(side));
        let longest = if self.ground.threes { 3 } else { 2 };
        for axis in 0..AXES {
            for (length, first) in (2..=longest).flat_map(|length| (1 - length..=0).map(move |first| (length, first))) {
                if (first..first + length).all(|steps| is_own(self.ground.along(at, axis, steps))) {
                    ends([first - 1, first + length].map(|steps| self.ground.along(at, axis, steps)));
                }
            }
        }
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
