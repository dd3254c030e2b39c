//! The quick path: bits along the axes, a list of empty spots, nothing to take back.

use super::super::bits::{LANE, MIDDLES, Place, REACH, Windows, in_each, on_axis, place};
use super::super::board::{AXES, EMPTY, STEPS, Spot, point_of};
use super::super::opening::{Phase, centre_rule, keeps_centre_rule};
use super::stones::Stones;
use super::{Ended, Game, Watch, bit, choose, pick};
use crate::{BoardSize, Colour, Condition, DrawBy, Opening, Overline};

/// Room for the empty spots of the largest board, a power of two so that an index needs a mask and no test.
const EMPTIES: usize = 512;

/// Stones after which no opening has a say.
const OPENING_STONES_MAX: u16 = 5;

/// The state of one playout with so many sides. Sides are counted in turn order.
#[derive(Clone)]
pub(super) struct Quick<S, const SIDES: usize> {
    stones: S,
    empties: [Spot; EMPTIES],
    count: usize,
    captured: [u16; SIDES],
    ply: u16,
    phase: Phase,
    facts: Facts,
}

/// What the rules say, made ready.
#[derive(Clone, Copy)]
struct Facts {
    /// The longest group that is taken; 0 without captures.
    longest: u8,
    mixed: bool,
    /// Longer lines do not win.
    exact: bool,
    line: u32,
    goal: u16,
    opening: Opening,
    board: BoardSize,
    colours: [Colour; 4],
}

impl<S: Stones, const SIDES: usize> Quick<S, SIDES> {
    pub(super) fn of(game: &Game) -> Quick<S, SIDES> {
        let options = game.rules.options();
        let colours = game.rules.turn_colours();
        let facts = Facts {
            longest: match (options.captures, options.capture_threes) {
                (false, _) => 0,
                (true, false) => 2,
                (true, true) => 3,
            },
            mixed: options.mixed_captures,
            exact: options.overline == Overline::NoWin,
            line: u32::from(game.rules.line()),
            goal: u16::from(game.rules.goal()),
            opening: options.opening,
            board: game.rules.board(),
            colours,
        };
        let mut quick = Quick {
            stones: S::of(&game.board, &colours[..SIDES]),
            empties: [0; EMPTIES],
            count: 0,
            captured: std::array::from_fn(|side| game.captured[colours[side].index()]),
            ply: game.ply,
            phase: game.phase,
            facts,
        };
        game.board.spots_of(EMPTY).for_each(|spot| quick.give_back(spot));
        quick
    }

    pub(super) fn run(&mut self, random: &mut impl FnMut() -> u32, watch: &mut impl Watch) -> Ended {
        while !self.may_play_on() {
            if let Some(ended) = self.step(random, watch) {
                return ended;
            }
        }
        match (self.facts.longest, self.facts.exact) {
            (0, false) => self.play_on::<0, false>(random, watch),
            (0, true) => self.play_on::<0, true>(random, watch),
            (2, false) => self.play_on::<2, false>(random, watch),
            (2, true) => self.play_on::<2, true>(random, watch),
            (_, false) => self.play_on::<3, false>(random, watch),
            (_, true) => self.play_on::<3, true>(random, watch),
        }
    }

    /// Whether the opening is over and the first side's stone is next.
    fn may_play_on(&self) -> bool {
        let opening_is_over = self.facts.opening == Opening::None || self.ply > OPENING_STONES_MAX;
        opening_is_over && self.phase == Phase::Play && self.side() == 0
    }

    /// Rounds of stones to the end.
    fn play_on<const LONGEST: u8, const EXACT: bool>(
        &mut self,
        random: &mut impl FnMut() -> u32,
        watch: &mut impl Watch,
    ) -> Ended {
        loop {
            if SIDES == 2 {
                // Written out, because a side that is a constant saves the compiler much.
                if let Some(ended) = self.turn::<LONGEST, EXACT>(0, random, watch) {
                    return ended;
                }
                if let Some(ended) = self.turn::<LONGEST, EXACT>(1, random, watch) {
                    return ended;
                }
                continue;
            }
            for side in 0..SIDES {
                if let Some(ended) = self.turn::<LONGEST, EXACT>(side, random, watch) {
                    return ended;
                }
            }
        }
    }

    #[inline(always)]
    fn turn<const LONGEST: u8, const EXACT: bool>(
        &mut self,
        side: usize,
        random: &mut impl FnMut() -> u32,
        watch: &mut impl Watch,
    ) -> Option<Ended> {
        let spot = self.take_out(pick(random, self.count));
        watch.stone(spot);
        self.put::<LONGEST, EXACT>(spot, side)
    }

    /// Whose stone is next.
    fn side(&self) -> usize {
        usize::from(self.ply) % SIDES
    }

    /// One choice, or one stone as the opening has it.
    #[inline(never)]
    pub(super) fn step(&mut self, random: &mut impl FnMut() -> u32, watch: &mut impl Watch) -> Option<Ended> {
        match self.phase {
            Phase::Choice { player, may_add } => {
                let choice = choose(random, may_add);
                watch.choice(choice.map(|side| self.facts.colours[usize::from(side)]));
                self.phase = choice.map_or_else(|| Phase::adding(player), |_| Phase::Play);
                None
            }
            Phase::Setup { .. } => {
                let ended = self.place_one(random, watch);
                self.phase = self.phase.after_stone(self.facts.opening);
                ended
            }
            Phase::Play => match centre_rule(self.facts.opening, self.ply) {
                Some(least) => self.place_by_centre_rule(least, random, watch),
                None => self.place_one(random, watch),
            },
        }
    }

    fn place_one(&mut self, random: &mut impl FnMut() -> u32, watch: &mut impl Watch) -> Option<Ended> {
        let spot = self.take_out(pick(random, self.count));
        watch.stone(spot);
        self.put_by_facts(spot)
    }

    fn put_by_facts(&mut self, spot: Spot) -> Option<Ended> {
        let side = self.side();
        self.ply += 1;
        match (self.facts.longest, self.facts.exact) {
            (0, false) => self.put::<0, false>(spot, side),
            (0, true) => self.put::<0, true>(spot, side),
            (2, false) => self.put::<2, false>(spot, side),
            (2, true) => self.put::<2, true>(spot, side),
            (_, false) => self.put::<3, false>(spot, side),
            (_, true) => self.put::<3, true>(spot, side),
        }
    }

    /// A stone on one of the spots that the centre rule leaves.
    fn place_by_centre_rule(
        &mut self,
        least: u8,
        random: &mut impl FnMut() -> u32,
        watch: &mut impl Watch,
    ) -> Option<Ended> {
        let mut left = self.count;
        loop {
            let index = pick(random, left);
            if keeps_centre_rule(least, point_of(self.empties[index % EMPTIES]), self.facts.board) {
                let spot = self.take_out(index);
                watch.stone(spot);
                return self.put_by_facts(spot);
            }
            left -= 1;
            self.empties.swap(index % EMPTIES, left % EMPTIES);
        }
    }

    #[inline(always)]
    fn take_out(&mut self, index: usize) -> Spot {
        let spot = self.empties[index % EMPTIES];
        self.count -= 1;
        self.empties[index % EMPTIES] = self.empties[self.count % EMPTIES];
        spot
    }

    #[inline(always)]
    fn give_back(&mut self, spot: Spot) {
        self.empties[self.count % EMPTIES] = spot;
        self.count += 1;
    }

    /// Everything that the rules speak of, for comparing: the empty spots sorted, each side's spots, the totals.
    #[cfg(test)]
    pub(super) fn account(&self) -> (Vec<Spot>, Vec<Vec<Spot>>, Vec<u16>, u16, Phase) {
        let mut empties = self.empties[..self.count].to_vec();
        empties.sort_unstable();
        let spots = || self.facts.board.points().map(super::super::board::spot_of);
        let of_side = |side| spots().filter(|&spot| self.stones.holds(place(spot), side)).collect();
        (empties, (0..SIDES).map(of_side).collect(), self.captured.to_vec(), self.ply, self.phase)
    }

    /// Section 4 for a side's stone, on a spot that has been taken out of the empty ones.
    #[inline(always)]
    fn put<const LONGEST: u8, const EXACT: bool>(&mut self, spot: Spot, side: usize) -> Option<Ended> {
        let place = place(spot);
        let [own, enemies] = self.stones.set_and_see(place, side);
        let mut ends = makes_line::<SIDES, EXACT>(own);
        let mut trimmed = 0;
        if LONGEST > 0 {
            let flanked = self.flanked::<LONGEST>(place, side, own, enemies);
            if !flanked.is_empty() {
                trimmed = self.capture(spot, side, flanked);
                ends |= trimmed != 0 || self.captured[side] >= self.facts.goal;
            }
        }
        if ends {
            return Some(self.won(side, makes_line::<SIDES, EXACT>(own), trimmed));
        }
        (self.count == 0).then_some(Ended::Draw(DrawBy::FullBoard))
    }

    /// What a stone in the middle flanks.
    #[inline(always)]
    fn flanked<const LONGEST: u8>(&self, place: Place, side: usize, own: Windows, enemies: Windows) -> Flanked {
        let mut flanked = Flanked::default();
        if SIDES == 2 || self.facts.mixed {
            flanked.add::<LONGEST>(own, enemies);
            return flanked;
        }
        self.flanked_apart::<LONGEST>(place, side, own)
    }

    /// The same where a group is of one colour.
    #[inline(never)]
    fn flanked_apart<const LONGEST: u8>(&self, place: Place, side: usize, own: Windows) -> Flanked {
        let mut flanked = Flanked::default();
        for enemy in (0..SIDES).filter(|&enemy| enemy != side) {
            flanked.add::<LONGEST>(own, self.stones.around(place, enemy));
        }
        flanked
    }

    /// Takes the stones off the board; the sides, as bits, whose longer line this has trimmed to a winning one.
    #[inline(never)]
    fn capture(&mut self, at: Spot, side: usize, flanked: Flanked) -> u8 {
        let mut gone = [(0, 0); GONE_MAX];
        let mut count = 0;
        for (found, length) in [(flanked.twos, 2), (flanked.threes, 3)] {
            for (mut directions, sign) in [(found[0], 1), (found[1], -1)] {
                while directions != 0 {
                    let axis = (directions.trailing_zeros() / LANE) as usize;
                    directions &= directions - 1;
                    for n in 1..=length {
                        let spot = at.wrapping_add_signed(STEPS[axis] * n * sign);
                        gone[count] = (spot, self.remove(spot, side));
                        count += 1;
                    }
                }
            }
        }
        self.captured[side] += count as u16;
        if !self.facts.exact {
            return 0;
        }
        gone[..count].iter().fold(0, |sides, &(spot, enemy)| sides | u8::from(self.is_trimmed(spot, enemy)) << enemy)
    }

    /// Takes an enemy's stone off the board; whose it was.
    fn remove(&mut self, spot: Spot, side: usize) -> usize {
        self.give_back(spot);
        self.stones.remove_enemy(place(spot), side)
    }

    /// Whether a run of exactly a winning length begins next to an empty spot.
    fn is_trimmed(&self, spot: Spot, side: usize) -> bool {
        let own = self.stones.around(place(spot), side);
        let line = self.facts.line;
        let run: u16 = (1 << line) - 1;
        let (forth, back) = (run << (REACH + 1), run << (REACH - line));
        let beyond_forth = 1 << (REACH + 1 + line);
        let beyond_back = 1 << (REACH - line - 1);
        (0..AXES).any(|axis| {
            let own = on_axis(own, axis);
            own & (forth | beyond_forth) == forth || own & (back | beyond_back) == back
        })
    }

    /// Who has won when somebody meets a condition.
    #[cold]
    fn won(&self, side: usize, line: bool, trimmed: u8) -> Ended {
        let has_goal = self.captured[side] >= self.facts.goal;
        let sides = trimmed | u8::from(line || has_goal) << side;
        if sides.count_ones() as usize == SIDES {
            return Ended::Draw(DrawBy::AllWin);
        }
        let colours = (0..SIDES).filter(|side| sides & (1 << side) != 0).map(|side| self.facts.colours[side].index());
        let by_line = if line || trimmed != 0 { bit(Condition::Line) } else { 0 };
        let by_captures = if has_goal { bit(Condition::Captures) } else { 0 };
        Ended::Win { winners: colours.fold(0, |bits, index| bits | 1 << index), by: by_line | by_captures }
    }
}

/// Whether the stone in the middle of these windows stands in a winning line.
#[inline(always)]
fn makes_line<const SIDES: usize, const EXACT: bool>(own: Windows) -> bool {
    let two = own & (own >> 1);
    let four = two & (two >> 2);
    // A run of the winning length that holds the middle starts less than that length below it.
    let (runs, starts, line) = if SIDES == 2 {
        (four & (own >> 4), in_each(0b11111 << (REACH - 4)), 5)
    } else {
        (four, in_each(0b1111 << (REACH - 3)), 4)
    };
    let longer = if EXACT { (own << 1) | (own >> line) } else { 0 };
    runs & !longer & starts != 0
}

/// A stone takes at most three in each of eight directions.
const GONE_MAX: usize = 24;

/// Directions in which groups are flanked, as the middle's bit of each axis: up the axis, and down it.
#[derive(Clone, Copy, Default)]
struct Flanked {
    twos: [Windows; 2],
    threes: [Windows; 2],
}

impl Flanked {
    /// Groups of these enemies.
    #[inline(always)]
    fn add<const LONGEST: u8>(&mut self, own: Windows, enemies: Windows) {
        let twos = [(enemies >> 1) & (enemies >> 2), (enemies << 1) & (enemies << 2)];
        self.twos[0] |= twos[0] & (own >> 3) & MIDDLES;
        self.twos[1] |= twos[1] & (own << 3) & MIDDLES;
        if LONGEST > 2 {
            self.threes[0] |= twos[0] & (enemies >> 3) & (own >> 4) & MIDDLES;
            self.threes[1] |= twos[1] & (enemies << 3) & (own << 4) & MIDDLES;
        }
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.twos[0] | self.twos[1] | self.threes[0] | self.threes[1] == 0
    }
}
