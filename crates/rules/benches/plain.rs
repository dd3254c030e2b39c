//! A plain array implementation of playouts, as a yardstick: flat bytes, a list of empty points with swap-remove,
//! wins and captures looked for through the last stone only, no allocation in the loop. It knows what the presets
//! as they come need, for two to four sides: captures of two, longer lines, the centre rule, placed openings.

use rules::{Opening, Overline, Rules};

const STRIDE: usize = 21;
const CELLS: usize = STRIDE * STRIDE;
const EMPTY: u8 = 0;
const WALL: u8 = 255;
const STEPS: [isize; 4] = [1, STRIDE as isize, STRIDE as isize + 1, 1 - STRIDE as isize];

/// How a playout ended: bits by place in turn order; 0 is a draw.
pub type Winners = u8;

#[derive(Clone)]
pub struct Plain {
    cells: [u8; CELLS],
    empties: [u16; 361],
    count: usize,
    captured: [u16; 4],
    ply: usize,
    side: usize,
    sides: u8,
    captures: bool,
    exact: bool,
    line: usize,
    goal: u16,
    opening: Opening,
    adds: bool,
}

impl Plain {
    pub fn new(rules: &Rules) -> Plain {
        let side = usize::from(rules.board().side());
        let mut plain = Plain {
            cells: [WALL; CELLS],
            empties: [0; 361],
            count: 0,
            captured: [0; 4],
            ply: 0,
            side,
            sides: rules.sides(),
            captures: rules.options().captures,
            exact: rules.options().overline == Overline::NoWin,
            line: usize::from(rules.line()),
            goal: u16::from(rules.goal()),
            opening: rules.options().opening,
            adds: false,
        };
        for row in 0..side {
            for column in 0..side {
                let at = (row + 1) * STRIDE + column + 1;
                plain.cells[at] = EMPTY;
                plain.empties[plain.count] = at as u16;
                plain.count += 1;
            }
        }
        plain
    }

    pub fn run(&mut self, random: &mut impl FnMut() -> u32) -> Winners {
        loop {
            self.opening_choice(random);
            let at = match self.least_distance() {
                Some(least) => self.take_far(least, random),
                None => {
                    let index = pick(random, self.count);
                    self.take_out(index)
                }
            };
            if let Some(winners) = self.put(at) {
                return winners;
            }
        }
    }

    /// A choice changes nothing for the colours, but costs its random number.
    fn opening_choice(&mut self, random: &mut impl FnMut() -> u32) {
        match (self.opening, self.ply) {
            (Opening::PlaceFour, 4) => drop(pick(random, 2)),
            (Opening::PlaceThree, 3) => self.adds = pick(random, 3) == 2,
            (Opening::PlaceThree, 5) if self.adds => drop(pick(random, 2)),
            _ => {}
        }
    }

    fn least_distance(&self) -> Option<usize> {
        match (self.opening, self.ply) {
            (Opening::Centre | Opening::CentreFar, 0) => Some(0),
            (Opening::Centre, 2) => Some(3),
            (Opening::CentreFar, 2) => Some(4),
            _ => None,
        }
    }

    fn take_far(&mut self, least: usize, random: &mut impl FnMut() -> u32) -> usize {
        let mut left = self.count;
        loop {
            let index = pick(random, left);
            let at = usize::from(self.empties[index]);
            let centre = self.side / 2;
            let distance = (at % STRIDE - 1).abs_diff(centre).max((at / STRIDE - 1).abs_diff(centre));
            if (least == 0 && distance == 0) || (least > 0 && distance >= least) {
                return self.take_out(index);
            }
            left -= 1;
            self.empties.swap(index, left);
        }
    }

    fn take_out(&mut self, index: usize) -> usize {
        let at = self.empties[index];
        self.count -= 1;
        self.empties[index] = self.empties[self.count];
        usize::from(at)
    }

    fn put(&mut self, at: usize) -> Option<Winners> {
        let own = (self.ply % usize::from(self.sides)) as u8 + 1;
        self.cells[at] = own;
        self.ply += 1;
        let mut gone = [(0, 0); 16];
        let mut taken = 0;
        if self.captures {
            for sign in [1, -1] {
                for step in STEPS {
                    taken = self.capture(at, step * sign, own, &mut gone, taken);
                }
            }
        }
        let mut trimmed = 0;
        if self.exact {
            for &(at, of) in &gone[..taken] {
                trimmed |= self.trimmed(at, of);
            }
        }
        let line = STEPS.into_iter().any(|step| self.wins(at, step));
        let goal = self.captured[usize::from(own) - 1] >= self.goal;
        if line || goal || trimmed != 0 {
            let winners = trimmed | u8::from(line || goal) << (own - 1);
            return Some(if winners.count_ones() == u32::from(self.sides) { 0 } else { winners });
        }
        (self.count == 0).then_some(0)
    }

    #[inline]
    fn capture(&mut self, at: usize, step: isize, own: u8, gone: &mut [(usize, u8); 16], taken: usize) -> usize {
        let first = at.wrapping_add_signed(step);
        let enemy = |cell: u8| cell != EMPTY && cell != WALL && cell != own;
        if !enemy(self.cells[first]) {
            return taken;
        }
        let second = first.wrapping_add_signed(step);
        if !enemy(self.cells[second]) || self.cells[second.wrapping_add_signed(step)] != own {
            return taken;
        }
        for (place, spot) in [first, second].into_iter().enumerate() {
            gone[taken + place] = (spot, self.cells[spot]);
            self.cells[spot] = EMPTY;
            self.empties[self.count] = spot as u16;
            self.count += 1;
        }
        self.captured[usize::from(own) - 1] += 2;
        taken + 2
    }

    fn trimmed(&self, at: usize, of: u8) -> Winners {
        let wins = STEPS.into_iter().flat_map(|step| [step, -step]).any(|step| {
            let next = at.wrapping_add_signed(step);
            self.cells[next] == of && self.wins(next, step)
        });
        u8::from(wins) << (of - 1)
    }

    #[inline]
    fn wins(&self, at: usize, step: isize) -> bool {
        let own = self.cells[at];
        let mut length = 1;
        for step in [step, -step] {
            let mut next = at.wrapping_add_signed(step);
            while self.cells[next] == own {
                length += 1;
                next = next.wrapping_add_signed(step);
            }
        }
        if self.exact { length == self.line } else { length >= self.line }
    }
}

fn pick(random: &mut impl FnMut() -> u32, count: usize) -> usize {
    ((u64::from(random()) * count as u64) >> 32) as usize
}
