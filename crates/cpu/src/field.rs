//! The board as a search needs it: for every empty point and every side, what a stone there would make on each axis
//! and what it would take, kept up to date as stones come and go. A field is small and is copied for every move, so
//! that taking a move back is leaving the copy.

use rules::Game;

use crate::ground::{AXES, Ground, LINES};
use crate::level::Sight;
use crate::shape::{EDGE, EMPTY, REACH, Shape};
use crate::spots::{SPOTS, Spot, Spots};
use crate::threat::{Kind, Threat};

/// Two bits for each cell of a window, the middle included.
const WINDOW_BITS: u64 = (1 << (4 * REACH + 2)) - 1;

/// The most stones that one stone takes: three in each direction.
const TAKEN_MAX: usize = 24;

/// What a stone did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// It made a winning line.
    pub line: bool,
    /// Stones taken.
    pub taken: u16,
    /// Sides, as bits, whose line a capture has cut to a winning one.
    pub trimmed: u8,
}

/// Everything that is known of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
struct OfSide {
    /// Four bits for each axis.
    shapes: [u16; SPOTS],
    /// Stones that a stone here takes, four bits for each axis.
    takes: [u16; SPOTS],
    /// The empty points by [`Kind`]; those of the quiet kind are not kept.
    kinds: [Spots; Kind::COUNT],
    /// The points where a stone takes something.
    taking: Spots,
    /// What all points are worth together, with this side to move and with another to move.
    sums: [i32; 2],
    /// Stones that could be taken, added up over all points.
    takeable: u16,
}

/// The stones, and what could come of them. `VIEWS` is 1 for two sides, which share a view, else as many as sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field<const SIDES: usize, const VIEWS: usize> {
    of: [OfSide; SIDES],
    lines: [[u64; LINES]; VIEWS],
    /// 0 empty, else the side and 1.
    cells: [u8; SPOTS],
    stones: Spots,
    /// Points near stones, and near where stones have been.
    near: Spots,
    pub hash: u64,
    pub empty: u16,
}

impl<const SIDES: usize, const VIEWS: usize> Field<SIDES, VIEWS> {
    /// The stones of a game.
    pub fn of(ground: &Ground, game: &Game) -> Self {
        let side = OfSide {
            shapes: [0; SPOTS],
            takes: [0; SPOTS],
            kinds: [Spots::NONE; Kind::COUNT],
            taking: Spots::NONE,
            sums: [0; 2],
            takeable: 0,
        };
        let mut field = Field {
            of: std::array::from_fn(|_| side.clone()),
            lines: [Self::empty_lines(ground); VIEWS],
            cells: [0; SPOTS],
            stones: Spots::NONE,
            near: Spots::NONE,
            hash: 0,
            empty: ground.spots as u16,
        };
        for spot in 0..ground.spots as Spot {
            field.look_again(ground, spot);
        }
        for spot in 0..ground.spots as Spot {
            if let Some(colour) = game.stone(ground.point(spot)) {
                field.put(ground, spot, ground.side_of(colour));
            }
        }
        field
    }

    /// The lines of the empty board: two bits a cell, five cells beyond the edge before the first.
    pub fn empty_lines(ground: &Ground) -> [u64; LINES] {
        let mut lines = [u64::MAX; LINES];
        for place in &ground.places {
            for axis in 0..AXES {
                lines[usize::from(place.line[axis])] &= !(EDGE << (u32::from(place.shift[axis]) + 2 * REACH as u32));
            }
        }
        lines
    }

    /// 0 for an empty point, else the side whose stone is there, and 1.
    #[inline(always)]
    pub fn cells(&self) -> &[u8; SPOTS] {
        &self.cells
    }

    #[inline(always)]
    pub fn is_empty(&self, spot: Spot) -> bool {
        self.cells[usize::from(spot)] == 0
    }

    /// Whose stone is here.
    pub fn stone(&self, spot: Spot) -> Option<usize> {
        usize::from(self.cells[usize::from(spot)]).checked_sub(1)
    }

    #[inline(always)]
    pub fn kind(&self, side: usize, kind: Kind) -> &Spots {
        &self.of[side].kinds[kind as usize]
    }

    /// The points where a stone of a side takes something.
    #[inline(always)]
    pub fn taking(&self, side: usize) -> &Spots {
        &self.of[side].taking
    }

    #[inline(always)]
    pub fn shapes(&self, side: usize, spot: Spot) -> u16 {
        self.of[side].shapes[usize::from(spot)]
    }

    #[inline(always)]
    pub fn promise(&self, ground: &Ground, side: usize, spot: Spot) -> i32 {
        i32::from(ground.worth.promise[usize::from(self.shapes(side, spot))])
    }

    /// Makes this the same as another field of the same ground; what no point of its board needs is left.
    #[inline(always)]
    pub fn copy_from(&mut self, ground: &Ground, other: &Self) {
        let spots = ground.spots;
        for (of, other) in self.of.iter_mut().zip(&other.of) {
            of.shapes[..spots].copy_from_slice(&other.shapes[..spots]);
            if ground.captures() {
                of.takes[..spots].copy_from_slice(&other.takes[..spots]);
                of.taking = other.taking;
                of.takeable = other.takeable;
            }
            of.kinds = other.kinds;
            of.sums = other.sums;
        }
        self.cells[..spots].copy_from_slice(&other.cells[..spots]);
        self.lines = other.lines;
        (self.stones, self.near) = (other.stones, other.near);
        (self.hash, self.empty) = (other.hash, other.empty);
    }

    #[inline(always)]
    pub fn takes(&self, side: usize, spot: Spot) -> u16 {
        sum_of_nibbles(self.of[side].takes[usize::from(spot)])
    }

    pub fn threat(&self, ground: &Ground, side: usize, spot: Spot) -> Threat {
        ground.threats.of(self.shapes(side, spot))
    }

    /// What all points are worth together to a side that is to move.
    #[inline(always)]
    pub fn standing_to_move(&self, side: usize) -> i32 {
        self.of[side].sums[0]
    }

    /// What all points are worth together to a side that is not to move.
    #[inline(always)]
    pub fn standing(&self, side: usize) -> i32 {
        self.of[side].sums[1]
    }

    pub fn takeable(&self, side: usize) -> u16 {
        self.of[side].takeable
    }

    /// Empty points near stones.
    #[inline(always)]
    pub fn near(&self) -> Spots {
        self.near.without(&self.stones)
    }

    /// Puts a stone on an empty point.
    pub fn put(&mut self, ground: &Ground, spot: Spot, side: usize) {
        self.cells[usize::from(spot)] = side as u8 + 1;
        self.empty -= 1;
        self.hash ^= ground.key(spot, side);
        for of in 0..SIDES {
            self.see(ground, spot, of, 0, 0);
        }
        self.stones.add(spot);
        self.near = self.near.or(&ground.near[usize::from(spot)]);
        self.write(ground, spot, side);
        self.look_around(ground, spot);
    }

    /// Takes a stone away.
    pub fn lift(&mut self, ground: &Ground, spot: Spot) {
        let Some(side) = self.stone(spot) else { return };
        self.cells[usize::from(spot)] = 0;
        self.empty += 1;
        self.hash ^= ground.key(spot, side);
        self.stones.remove(spot);
        self.near.add(spot);
        // Writing is its own undoing.
        self.write(ground, spot, side);
        self.look_again(ground, spot);
        self.look_around(ground, spot);
    }

    /// A side's stone, with all that it takes.
    pub fn play(&mut self, ground: &Ground, spot: Spot, side: usize) -> Done {
        let mut done = Done { line: self.kind(side, Kind::Five).has(spot), taken: 0, trimmed: 0 };
        let takes = self.of[side].takes[usize::from(spot)];
        self.put(ground, spot, side);
        if takes != 0 {
            self.capture(ground, spot, side, takes, &mut done);
        }
        done
    }

    /// A side's stone, where the rules say more than a field knows: a game of the same position plays it too, and says
    /// what is gone. False if the rules forbid it; nothing has changed then.
    pub fn play_judged(&mut self, ground: &Ground, spot: Spot, side: usize, judge: &mut Game) -> bool {
        if judge.place(ground.point(spot)).is_err() {
            return false;
        }
        self.put(ground, spot, side);
        for point in judge.gone() {
            self.lift(ground, ground.spot(point));
        }
        true
    }

    #[inline(never)]
    fn capture(&mut self, ground: &Ground, spot: Spot, side: usize, takes: u16, done: &mut Done) {
        let mut lifted = [(0, 0); TAKEN_MAX];
        let mut count = 0;
        for axis in (0..AXES).filter(|axis| takes >> (4 * axis) & 15 != 0) {
            for step in [ground.steps[axis], -ground.steps[axis]] {
                let group = self.flanked(ground, spot, axis, step, side);
                for steps in 1..=group {
                    let at = spot.wrapping_add_signed(step * steps);
                    lifted[count] = (at, self.cells[usize::from(at)] - 1);
                    count += 1;
                }
            }
        }
        for &(at, _) in &lifted[..count] {
            self.lift(ground, at);
        }
        done.taken = count as u16;
        for &(at, of) in &lifted[..count] {
            // Losing a stone brings a line to length only where longer ones do not win.
            if ground.rules[usize::from(of)].exact && self.is_trimmed(ground, at, usize::from(of)) {
                done.trimmed |= 1 << of;
            }
        }
    }

    /// How many stones in a direction a side's new stone flanks; the table has found some on this axis.
    fn flanked(&self, ground: &Ground, spot: Spot, axis: usize, step: i16, side: usize) -> i16 {
        let place = ground.places[usize::from(spot)];
        let view = if VIEWS == 1 { 0 } else { side };
        let word = self.lines[view][usize::from(place.line[axis])];
        let (own, enemy) = if VIEWS == 1 { (side as u64 + 1, 2 - side as u64) } else { (1, 2) };
        let forth = if step == ground.steps[axis] { 2 } else { -2 };
        let cell = |steps: i32| {
            let shift = i32::from(place.shift[axis]) + 2 * REACH as i32 + forth * steps;
            word >> shift & EDGE
        };
        let longest = if ground.threes { 3 } else { 2 };
        let enemies = (1..=longest + 1).take_while(|&steps| cell(steps) == enemy).count() as i32;
        let flanks = (2..=longest).contains(&enemies) && cell(enemies + 1) == own;
        let whose = |steps: i32| self.cells[usize::from(spot.wrapping_add_signed(step * steps as i16))];
        let mixes = flanks && VIEWS > 1 && !ground.mixed && (2..=enemies).any(|steps| whose(steps) != whose(1));
        if flanks && !mixes { enemies as i16 } else { 0 }
    }

    /// Whether a side has a winning line next to a stone that it has lost.
    fn is_trimmed(&self, ground: &Ground, lost: Spot, side: usize) -> bool {
        (0..AXES).any(|axis| {
            ground.on_axis(lost, axis, 1).any(|next| {
                self.stone(next) == Some(side)
                    && self.run(ground, next, axis, side) == u32::from(ground.rules[side].length)
            })
        })
    }

    /// The length of the run of a side's stone on an axis.
    fn run(&self, ground: &Ground, spot: Spot, axis: usize, side: usize) -> u32 {
        let place = ground.places[usize::from(spot)];
        let view = if VIEWS == 1 { 0 } else { side };
        let own = if VIEWS == 1 { side as u64 + 1 } else { 1 };
        let word = self.lines[view][usize::from(place.line[axis])];
        let middle = i32::from(place.shift[axis]) + 2 * REACH as i32;
        let along = |by: i32| (1..).take_while(|steps| word >> (middle + by * steps) & EDGE == own).count() as u32;
        1 + along(2) + along(-2)
    }

    /// Writes a stone into the lines, or an empty point in its place.
    #[inline(always)]
    fn write(&mut self, ground: &Ground, spot: Spot, side: usize) {
        let place = ground.places[usize::from(spot)];
        for view in 0..VIEWS {
            let code = if VIEWS == 1 {
                side as u64 + 1
            } else if view == side {
                1
            } else {
                2
            };
            for axis in 0..AXES {
                let shift = u32::from(place.shift[axis]) + 2 * REACH as u32;
                self.lines[view][usize::from(place.line[axis])] ^= code << shift;
            }
        }
    }

    /// Works out anew what the empty points around a spot are good for.
    #[inline(always)]
    fn look_around(&mut self, ground: &Ground, spot: Spot) {
        let place = ground.places[usize::from(spot)];
        for axis in 0..AXES {
            let line = usize::from(place.line[axis]);
            let middle = u32::from(place.shift[axis]);
            let word = self.lines[0][line];
            for steps in ground.nearest..=2 * REACH as u32 - ground.nearest {
                if steps == REACH as u32 {
                    continue;
                }
                if word >> (middle + 2 * steps) & EDGE != EMPTY {
                    continue;
                }
                let offset = ground.steps[axis] * (steps as i16 - REACH as i16);
                self.look(ground, spot.wrapping_add_signed(offset), axis, line, middle + 2 * steps - 2 * REACH as u32);
            }
        }
    }

    /// Works out anew what an empty point is good for.
    fn look_again(&mut self, ground: &Ground, spot: Spot) {
        let place = ground.places[usize::from(spot)];
        for axis in 0..AXES {
            self.look(ground, spot, axis, usize::from(place.line[axis]), u32::from(place.shift[axis]));
        }
    }

    /// Works out anew what an empty point is good for on one axis.
    #[inline(always)]
    fn look(&mut self, ground: &Ground, spot: Spot, axis: usize, line: usize, shift: u32) {
        for view in 0..VIEWS {
            let window = self.lines[view][line] >> shift & WINDOW_BITS;
            let half = (1 << (2 * REACH)) - 1;
            let index = (window & half | window >> 2 & !half) as usize & ((1 << (4 * REACH)) - 1);
            let shapes = ground.tables[view][index];
            let mut takes = ground.takes.map_or(0, |table| table[index]);
            // Views of more than two sides do not tell the enemies apart.
            if VIEWS > 1 && takes & 15 != 0 && !ground.mixed {
                let step = ground.steps[axis];
                takes = [step, -step].map(|step| self.flanked(ground, spot, axis, step, view) as u8).iter().sum();
            }
            if ground.sight.1[line] != Sight::Clear {
                self.note_dimly(ground, spot, view, axis, line, [shapes, takes]);
                continue;
            }
            self.note(ground, spot, view, axis, shapes & 15, takes & 15);
            if VIEWS == 1 {
                self.note(ground, spot, 1, axis, shapes >> 4, takes >> 4);
            }
        }
    }

    /// Notes what is seen on a line of which something is overlooked.
    #[cold]
    fn note_dimly(&mut self, ground: &Ground, spot: Spot, view: usize, axis: usize, line: usize, both: [u8; 2]) {
        let (me, sight) = (ground.sight.0, ground.sight.1[line]);
        let sides = if VIEWS == 1 { 0..2 } else { view..view + 1 };
        for side in sides {
            let [shape, takes] = both.map(|both| if side == 1 && VIEWS == 1 { both >> 4 } else { both & 15 });
            let seen = if side == me { shape } else { sight.of(Shape::of(u16::from(shape))) as u8 };
            self.note(ground, spot, side, axis, seen, if side == me { takes } else { 0 });
        }
    }

    /// Notes what a side makes and takes on one axis of an empty point.
    #[inline(always)]
    fn note(&mut self, ground: &Ground, spot: Spot, side: usize, axis: usize, shape: u8, takes: u8) {
        let at = usize::from(spot);
        let keep = !(15 << (4 * axis));
        let of = &self.of[side];
        let shapes = of.shapes[at] & keep | u16::from(shape) << (4 * axis);
        let takes = of.takes[at] & keep | u16::from(takes) << (4 * axis);
        self.see(ground, spot, side, shapes, takes);
    }

    #[inline(always)]
    fn see(&mut self, ground: &Ground, spot: Spot, side: usize, shapes: u16, takes: u16) {
        let of = &mut self.of[side];
        let at = usize::from(spot);
        let before = std::mem::replace(&mut of.shapes[at], shapes);
        if before != shapes {
            let worth = ground.worth;
            let (more, less) = (worth.standing[usize::from(shapes)], worth.standing[usize::from(before)]);
            of.sums[0] += i32::from(more[0]) - i32::from(less[0]);
            of.sums[1] += i32::from(more[1]) - i32::from(less[1]);
            let (was, is) = (ground.threats.kind(before), ground.threats.kind(shapes));
            if was != is {
                if was != Kind::Quiet {
                    of.kinds[was as usize].remove(spot);
                }
                if is != Kind::Quiet {
                    of.kinds[is as usize].add(spot);
                }
            }
        }
        let before = std::mem::replace(&mut of.takes[at], takes);
        if before != takes {
            of.takeable = of.takeable + sum_of_nibbles(takes) - sum_of_nibbles(before);
            if takes == 0 {
                of.taking.remove(spot);
            } else {
                of.taking.add(spot);
            }
        }
    }
}

const fn sum_of_nibbles(bits: u16) -> u16 {
    (bits & 15) + (bits >> 4 & 15) + (bits >> 8 & 15) + (bits >> 12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rules::{Action, Condition, Outcome};

    /// Plays games at random on a field and on the real rules, near the stones so that much happens.
    fn agrees<const SIDES: usize, const VIEWS: usize>(text: &str, seed: u64) {
        let mut game = rules::example::game(text, "");
        let ground = Ground::new(game.rules());
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut field = Field::<SIDES, VIEWS>::of(&ground, &game);
        let mut captured = [0; 4];
        while let Some(turn) = game.turn() {
            let near: Vec<Spot> = field.near().iter().collect();
            let spot = match near.len() {
                0 => ground.spot(game.rules().board().centre()),
                count => near[random.random_range(0..count)],
            };
            let side = ground.side_of(turn.colour);
            let (takes, point) = (field.takes(side, spot), ground.point(spot));
            let played = game.play(&Action::place(point)).expect("an empty point");
            let taken: usize = played.took.iter().map(|group| group.0.len()).sum();
            assert_eq!(usize::from(takes), taken, "{point}");
            let done = field.play(&ground, spot, side);
            captured[side] += done.taken;
            assert_eq!(captured[side], game.captured(turn.colour));
            let goal = ground.captures() && captured[side] >= ground.goal;
            let ended = done.line || goal || done.trimmed != 0;
            match game.result() {
                Some(Outcome::Win { by, .. }) => {
                    assert!(ended && by.contains(&Condition::Line) == (done.line || done.trimmed != 0), "{point}");
                }
                Some(Outcome::Draw(_)) => assert!(field.empty == 0 || ended),
                None => assert!(!ended, "{point} ends nothing: {done:?}"),
            }
            let mut anew = Field::<SIDES, VIEWS>::of(&ground, &game);
            anew.near = field.near;
            assert!(anew == field, "after {point} what is kept differs from what is worked out anew");
        }
    }

    #[test]
    fn a_field_agrees_with_the_rules() {
        for seed in 0..20 {
            agrees::<2, 1>("capture-five", seed);
            agrees::<2, 1>("capture-five board=9 capture_threes=true", seed);
            agrees::<2, 1>("gomoku overline=no-win board=9", seed);
            agrees::<2, 1>("pente opening=none", seed);
            agrees::<3, 3>("capture-five seats=3 board=9", seed);
            agrees::<4, 4>("capture-five seats=4 board=13 overline=wins", seed);
            agrees::<3, 3>("capture-five seats=3 mixed_captures=false capture_threes=true", seed);
            agrees::<4, 4>("capture-five seats=4 board=9 mixed_captures=false", seed);
            agrees::<2, 1>("capture-five seats=4 teams=true", seed);
        }
    }

    #[test]
    fn a_flank_four_steps_away_is_seen_where_four_win() {
        // White's three between D4 and F4; black's stone comes to G4 last, and takes from C4.
        let game = rules::example::game("capture-five seats=3 capture_threes=true", "A1 D4 O1 A3 E4 O3 A5 F4 O5");
        let ground = Ground::new(game.rules());
        let mut field = Field::<3, 3>::of(&ground, &game);
        let spot = |text| ground.spot(rules::example::at(text));
        field.put(&ground, spot("G4"), 0);
        assert_eq!(field.takes(0, spot("C4")), 3);
    }
}
