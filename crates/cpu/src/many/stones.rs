//! Stones as bits along the four axes, for playing on at random: much less is known than on a
//! [`Field`](crate::field::Field), and a stone costs a tenth. Known are the points where a side would complete a line,
//! and whatever is taken, also by moving into a flank. Lines that wait are not: a line wins.

use rules::{Game, IntoFlank, Overline};

use crate::ground::{self, AXES, Ground, LINES};
use crate::level::Sight;
use crate::spots::{SPOTS, Spot, Spots};

/// How far a window reaches on either side of its middle.
const REACH: u32 = 7;
/// Bits of one axis in a window of all four.
const LANE: u32 = 16;
/// The lowest bit of each axis.
const LANES: u64 = 0x0001_0001_0001_0001;
/// The point in the middle, on each axis.
const MIDDLES: u64 = LANES << REACH;
/// Three points on either side of the middle: those where a stone in the middle can be of a new line.
const NEAREST: u64 = LANES * (0x7F << (REACH - 3));
/// The length of a winning line with three and four sides.
const LINE: i32 = 4;
/// Stones that one move takes off: three in each direction, and those that moved into a flank.
const GONE_MAX: usize = 40;
/// A round number of stones that are remembered as places to go on from, a power of two.
const PLAYED_MAX: usize = 512;

/// The four axes through a point, sixteen bits each.
type Windows = u64;

/// Where a spot lies on each axis, and which points around it are on the board.
#[derive(Clone, Copy)]
struct Place {
    lines: [u8; AXES],
    cells: [u8; AXES],
    inside: Windows,
}

/// What does not change during a game.
pub struct Plan {
    places: Vec<Place>,
    steps: [i16; AXES],
    side: usize,
    is_exact: bool,
    /// The longest group that is taken; 0 without captures.
    longest: i32,
    mixed: bool,
    flank: IntoFlank,
    goal: u16,
    /// What this side overlooks of the others, by line.
    sight: (usize, [Sight; LINES]),
}

impl Plan {
    pub fn new(ground: &Ground, game: &Game) -> Plan {
        let options = game.rules().options();
        let mut plan = Plan {
            places: ground.places.iter().map(place).collect(),
            steps: ground.steps,
            side: ground.side,
            is_exact: options.overline == Overline::NoWin,
            longest: match (options.captures, options.capture_threes) {
                (false, _) => 0,
                (true, false) => 2,
                (true, true) => 3,
            },
            mixed: options.mixed_captures,
            flank: options.into_flank,
            goal: ground.goal,
            sight: ground.sight,
        };
        let mut board = [0; LINES];
        plan.places.iter().for_each(|place| write(&mut board, place));
        for at in 0..ground.spots {
            plan.places[at].inside = windows(&board, &plan.places[at]);
        }
        plan
    }

    pub fn spots(&self) -> usize {
        self.places.len()
    }

    /// Whether a side's line on an axis through a point is overlooked.
    #[inline(always)]
    fn overlooks(&self, spot: Spot, axis: usize, side: usize) -> bool {
        let line = usize::from(self.places[usize::from(spot)].lines[axis]);
        side != self.sight.0 && self.sight.1[line] == Sight::NoFour
    }

    /// The point so many steps along an axis.
    #[inline(always)]
    fn along(&self, spot: Spot, axis: usize, steps: i32) -> Spot {
        spot.wrapping_add_signed(self.steps[axis] * steps as i16)
    }

    /// The point so far to the right and up, if it is on the board.
    pub fn beside(&self, spot: Spot, right: i32, up: i32) -> Option<Spot> {
        let (column, row) = (usize::from(spot) % self.side, usize::from(spot) / self.side);
        let (column, row) = (column.checked_add_signed(right as isize)?, row.checked_add_signed(up as isize)?);
        (column < self.side && row < self.side).then_some((row * self.side + column) as Spot)
    }

    /// Points at which a completed line would be exactly as long as it must be, or longer where that wins, by what a
    /// side has around them.
    #[inline(always)]
    fn completes(&self, own: Windows) -> Windows {
        let (down, up) = (own << 1, own >> 1);
        let (down2, up2) = (down & own << 2, up & own >> 2);
        let (down3, up3) = (down2 & own << 3, up2 & own >> 3);
        let long = down3 | up3 | down2 & up | down & up2;
        if !self.is_exact {
            return long;
        }
        long & !(down3 & (own << 4 | up) | up3 & (own >> 4 | down) | down2 & up2)
    }
}

fn place(of: &ground::Place) -> Place {
    Place { lines: of.line, cells: of.shift.map(|shift| shift / 2), inside: 0 }
}

/// Writes a stone, or an empty point in its place.
#[inline(always)]
fn write(lines: &mut [u32; LINES], place: &Place) {
    for axis in 0..AXES {
        lines[usize::from(place.lines[axis])] ^= 1 << (u32::from(place.cells[axis]) + REACH);
    }
}

#[inline(always)]
fn windows(lines: &[u32; LINES], place: &Place) -> Windows {
    let lane = |axis: usize| {
        u64::from(lines[usize::from(place.lines[axis])] >> place.cells[axis] & 0xFFFF) << (LANE as usize * axis)
    };
    lane(0) | lane(1) | lane(2) | lane(3)
}

/// What came of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The game goes on.
    On,
    /// It is over; the winners, as bits, or nobody.
    Over(u8),
}

/// The stones of one position.
#[derive(Clone)]
pub struct Stones<const N: usize> {
    of: [[u32; LINES]; N],
    all: [u32; LINES],
    /// 0 empty, else the side and 1.
    cells: [u8; SPOTS],
    /// Where a side completed a line when it was last looked at.
    fives: [Spots; N],
    played: [Spot; PLAYED_MAX],
    count: usize,
    pub taken: [u16; N],
    pub turn: usize,
    empty: u16,
    /// What the last stone took off.
    gone: [Spot; GONE_MAX],
    gone_count: usize,
}

impl<const N: usize> Stones<N> {
    pub fn of(plan: &Plan, ground: &Ground, game: &Game) -> Stones<N> {
        let mut stones = Stones {
            of: [[0; LINES]; N],
            all: [0; LINES],
            cells: [0; SPOTS],
            fives: [Spots::NONE; N],
            played: [0; PLAYED_MAX],
            count: 0,
            taken: ground.captured(game),
            turn: game.turn().map_or(0, |turn| ground.side_of(turn.colour)),
            empty: ground.spots as u16,
            gone: [0; GONE_MAX],
            gone_count: 0,
        };
        for spot in 0..ground.spots as Spot {
            if let Some(colour) = game.stone(ground.point(spot)) {
                stones.put(plan, spot, ground.side_of(colour));
            }
        }
        stones
    }

    #[inline(always)]
    pub fn is_empty(&self, spot: Spot) -> bool {
        self.cells[usize::from(spot)] == 0
    }

    /// What the last stone took off the board.
    pub fn gone(&self) -> &[Spot] {
        &self.gone[..self.gone_count]
    }

    /// One of the points where stones are, or have been; `None` on a board that was never touched.
    #[inline(always)]
    pub fn played(&self, number: u32) -> Option<Spot> {
        let count = self.count.min(PLAYED_MAX);
        let index = (u64::from(number) * count as u64) >> 32;
        (count > 0).then(|| self.played[index as usize % PLAYED_MAX])
    }

    #[inline(always)]
    pub fn whose(&self, spot: Spot) -> Option<usize> {
        usize::from(self.cells[usize::from(spot)]).checked_sub(1)
    }

    /// Adds a stone, and what it can be completed at. Whether it completes a line.
    #[inline(always)]
    fn put(&mut self, plan: &Plan, spot: Spot, side: usize) -> bool {
        let place = &plan.places[usize::from(spot)];
        write(&mut self.of[side], place);
        write(&mut self.all, place);
        self.cells[usize::from(spot)] = side as u8 + 1;
        self.played[self.count % PLAYED_MAX] = spot;
        self.count += 1;
        self.empty -= 1;
        let line = plan.completes(windows(&self.of[side], place));
        let new = line & NEAREST & !MIDDLES & place.inside;
        if new != 0 {
            self.note(plan, spot, side, new & !windows(&self.all, place));
        }
        line & MIDDLES != 0
    }

    /// Notes points where a side completes a line.
    #[inline(always)]
    fn note(&mut self, plan: &Plan, spot: Spot, side: usize, mut points: Windows) {
        while points != 0 {
            let bit = points.trailing_zeros();
            points &= points - 1;
            let (axis, steps) = ((bit / LANE) as usize, (bit % LANE) as i32 - REACH as i32);
            if !plan.overlooks(spot, axis, side) {
                self.fives[side].add(plan.along(spot, axis, steps));
            }
        }
    }

    fn lift(&mut self, plan: &Plan, spot: Spot) {
        let Some(side) = self.whose(spot) else { return };
        let place = &plan.places[usize::from(spot)];
        write(&mut self.of[side], place);
        write(&mut self.all, place);
        self.cells[usize::from(spot)] = 0;
        self.empty += 1;
    }

    /// Looks for new points to complete a line at after a stone has gone.
    fn look_again(&mut self, plan: &Plan, spot: Spot, lost: usize) {
        let place = &plan.places[usize::from(spot)];
        for side in 0..N {
            let line = plan.completes(windows(&self.of[side], place));
            let points = if side == lost && plan.is_exact { line & NEAREST } else { line & MIDDLES };
            self.note(plan, spot, side, points & place.inside & !windows(&self.all, place));
        }
    }

    /// A stone of the side to move, on an empty point that the rules allow, with all that it takes; also a whole line of
    /// `waiting`, where the rules let it be taken.
    #[inline(always)]
    pub fn play(&mut self, plan: &Plan, spot: Spot, waiting: Option<usize>) -> Next {
        let side = self.turn;
        self.turn = if side + 1 == N { 0 } else { side + 1 };
        self.gone_count = 0;
        let mut has_line = self.put(plan, spot, side);
        let mut trimmed = 0;
        if plan.longest > 0 {
            let credit = self.find_taken(plan, spot, side, waiting);
            if self.gone_count > 0 {
                trimmed = self.take(plan, spot, side, credit, &mut has_line);
            }
        }
        if has_line || trimmed != 0 {
            return Next::Over(trimmed | u8::from(has_line) << side);
        }
        if self.empty == 0 { Next::Over(0) } else { Next::On }
    }

    /// Takes off what was found; who has won by it.
    #[inline(never)]
    fn take(&mut self, plan: &Plan, spot: Spot, side: usize, credit: [u16; N], has_line: &mut bool) -> u8 {
        let gone = self.gone;
        let mut owners = [0; GONE_MAX];
        for (at, owner) in gone[..self.gone_count].iter().zip(&mut owners) {
            *owner = self.whose(*at).unwrap_or(side);
            self.lift(plan, *at);
        }
        let mut winners = 0;
        for (at, &owner) in gone[..self.gone_count].iter().zip(&owners) {
            self.look_again(plan, *at, owner);
            if plan.is_exact && self.is_trimmed(plan, *at, owner) {
                winners |= 1 << owner;
            }
        }
        let place = &plan.places[usize::from(spot)];
        let stands = self.whose(spot) == Some(side);
        *has_line = stands && plan.completes(windows(&self.of[side], place)) & MIDDLES != 0;
        for (of, (taken, more)) in self.taken.iter_mut().zip(credit).enumerate() {
            *taken += more;
            if more > 0 && *taken >= plan.goal {
                winners |= 1 << of;
            }
        }
        winners
    }

    /// Whether a side has a winning line next to a stone that it has lost.
    fn is_trimmed(&self, plan: &Plan, lost: Spot, side: usize) -> bool {
        let place = &plan.places[usize::from(lost)];
        let own = windows(&self.of[side], place);
        let beyond = |steps: i32| if steps > 0 { own >> steps } else { own << -steps };
        [1, -1].into_iter().any(|to| {
            let run = (1..=LINE).fold(u64::MAX, |run, steps| run & beyond(to * steps));
            run & !beyond(to * (LINE + 1)) & MIDDLES != 0
        })
    }

    /// Notes what a stone takes off: enemies that it flanks, and what stands in an enemy's flank by it. How many
    /// stones each side takes.
    #[inline(always)]
    fn find_taken(&mut self, plan: &Plan, spot: Spot, side: usize, waiting: Option<usize>) -> [u16; N] {
        let place = &plan.places[usize::from(spot)];
        let own = windows(&self.of[side], place);
        let all = windows(&self.all, place);
        let enemies = all & !own;
        let mut credit = [0; N];
        for group in 2..=plan.longest {
            let (mut up, mut down) = (own >> (group + 1) & MIDDLES, own << (group + 1) & MIDDLES);
            for steps in 1..=group {
                up &= enemies >> steps;
                down &= enemies << steps;
            }
            if up | down != 0 {
                self.note_groups(plan, spot, up, 1, group);
                self.note_groups(plan, spot, down, -1, group);
            }
        }
        if let Some(waiting) = waiting {
            self.note_line(plan, spot, side, waiting);
        }
        credit[side] = self.gone_count as u16;
        if plan.flank == IntoFlank::Captured {
            self.find_flanks(plan, spot, side, all, &mut credit);
        }
        credit
    }

    /// Notes the groups of so many stones in the directions given by the middle's bit.
    fn note_groups(&mut self, plan: &Plan, spot: Spot, mut axes: Windows, to: i32, group: i32) {
        while axes != 0 {
            let axis = (axes.trailing_zeros() / LANE) as usize;
            axes &= axes - 1;
            let whose = |steps: i32| self.cells[usize::from(plan.along(spot, axis, to * steps))];
            if !plan.mixed && (2..=group).any(|steps| whose(steps) != whose(1)) {
                continue;
            }
            (1..=group).for_each(|steps| self.note_gone(plan.along(spot, axis, to * steps)));
        }
    }

    fn note_gone(&mut self, spot: Spot) {
        if self.gone_count < GONE_MAX && !self.gone().contains(&spot) {
            self.gone[self.gone_count] = spot;
            self.gone_count += 1;
        }
    }

    /// Notes a whole line of a side that this stone flanks.
    fn note_line(&mut self, plan: &Plan, spot: Spot, side: usize, waiting: usize) {
        let place = &plan.places[usize::from(spot)];
        for axis in 0..AXES {
            for to in [1, -1] {
                let is_inside = |steps: i32| {
                    let bit = REACH as i32 + LANE as i32 * axis as i32 + to * steps;
                    steps <= REACH as i32 && place.inside >> bit & 1 != 0
                };
                let whose = |steps: i32| {
                    if is_inside(steps) { self.whose(plan.along(spot, axis, to * steps)) } else { None }
                };
                let run = (1..).take_while(|&steps| whose(steps) == Some(waiting)).count() as i32;
                if run >= LINE && whose(run + 1) == Some(side) {
                    (1..=run).for_each(|steps| self.note_gone(plan.along(spot, axis, to * steps)));
                }
            }
        }
    }

    /// Notes the stretches with the new stone that stand in an enemy's flank.
    fn find_flanks(&mut self, plan: &Plan, spot: Spot, side: usize, all: Windows, credit: &mut [u16; N]) {
        let place = &plan.places[usize::from(spot)];
        for enemy in (0..N).filter(|&enemy| enemy != side) {
            let theirs = windows(&self.of[enemy], place);
            let inner = if plan.mixed { all & !theirs } else { windows(&self.of[side], place) };
            for length in 2..=plan.longest {
                // The stretch begins so many steps below the new stone.
                for below in 0..length {
                    let mut axes = flanked(theirs, inner, length, below);
                    while axes != 0 {
                        let axis = (axes.trailing_zeros() / LANE) as usize;
                        axes &= axes - 1;
                        // The new stone is in all stretches, and counts once.
                        credit[enemy] += length as u16 - u16::from(credit[enemy] > 0);
                        (0..length).for_each(|steps| self.note_gone(plan.along(spot, axis, steps - below)));
                    }
                }
            }
        }
    }

    /// Whether the rules allow a stone of the side to move on this empty point.
    #[inline(always)]
    pub fn is_legal(&self, plan: &Plan, spot: Spot) -> bool {
        plan.flank != IntoFlank::NotAllowed || !self.is_into_flank(plan, spot, self.turn)
    }

    fn is_into_flank(&self, plan: &Plan, spot: Spot, side: usize) -> bool {
        let place = &plan.places[usize::from(spot)];
        let all = windows(&self.all, place) | MIDDLES;
        (0..N).filter(|&enemy| enemy != side).any(|enemy| {
            let theirs = windows(&self.of[enemy], place);
            let inner = if plan.mixed { all & !theirs } else { windows(&self.of[side], place) | MIDDLES };
            (2..=plan.longest).any(|length| (0..length).any(|below| flanked(theirs, inner, length, below) != 0))
        })
    }

    /// A point where a side completes a line with its next stone.
    #[inline(always)]
    pub fn five(&mut self, plan: &Plan, side: usize) -> Option<Spot> {
        if self.fives[side].is_empty() {
            return None;
        }
        for spot in self.fives[side].iter() {
            let own = windows(&self.of[side], &plan.places[usize::from(spot)]);
            if self.is_empty(spot) && plan.completes(own) & MIDDLES != 0 {
                return Some(spot);
            }
            self.fives[side].remove(spot);
        }
        None
    }

    /// At how many points the side to move could complete a line through this one, with a stone here.
    #[inline(always)]
    pub fn threats(&self, plan: &Plan, spot: Spot) -> u32 {
        let place = &plan.places[usize::from(spot)];
        let line = plan.completes(windows(&self.of[self.turn], place) | MIDDLES) & NEAREST & !MIDDLES & place.inside;
        if line == 0 { 0 } else { (line & !windows(&self.all, place)).count_ones() }
    }

    /// A point where a side reaches the goal of captures with its next stone.
    pub fn goal(&self, plan: &Plan, side: usize) -> Option<Spot> {
        let lacking = i32::from(plan.goal) - i32::from(self.taken[side]);
        if lacking > plan.longest {
            return None;
        }
        (0..self.count.min(PLAYED_MAX)).map(|index| self.played[index]).find_map(|stone| {
            if self.whose(stone) != Some(side) { None } else { self.takes_from(plan, stone, side, lacking.max(2)) }
        })
    }

    /// A point where a side takes at least so many stones between it and this stone of its own.
    fn takes_from(&self, plan: &Plan, stone: Spot, side: usize, least: i32) -> Option<Spot> {
        let place = &plan.places[usize::from(stone)];
        let own = windows(&self.of[side], place);
        let all = windows(&self.all, place);
        let (enemies, empty) = (all & !own, !all & place.inside);
        for group in least..=plan.longest {
            let (mut up, mut down) = (empty >> (group + 1) & MIDDLES, empty << (group + 1) & MIDDLES);
            for steps in 1..=group {
                up &= enemies >> steps;
                down &= enemies << steps;
            }
            for (mut axes, to) in [(up, 1), (down, -1)] {
                while axes != 0 {
                    let axis = (axes.trailing_zeros() / LANE) as usize;
                    axes &= axes - 1;
                    let whose = |steps: i32| self.cells[usize::from(plan.along(stone, axis, to * steps))];
                    if plan.mixed || (2..=group).all(|steps| whose(steps) == whose(1)) {
                        return Some(plan.along(stone, axis, to * (group + 1)));
                    }
                }
            }
        }
        None
    }
}

/// The axes, as the middle's bit, on which a stretch of a length, begun so far below the middle, is flanked.
#[inline(always)]
fn flanked(theirs: Windows, inner: Windows, length: i32, below: i32) -> Windows {
    let beyond = |of: Windows, steps: i32| if steps >= 0 { of >> steps } else { of << -steps };
    let ends = beyond(theirs, -below - 1) & beyond(theirs, length - below);
    (0..length).fold(ends & MIDDLES, |axes, steps| axes & beyond(inner, steps - below))
}
