//! Stones that are laid first so that one stone more makes something rare happen.

use std::collections::BTreeMap;

use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::options::pick;
use super::shapes;
use super::style::Style;
use crate::plain::Plain;
use crate::plain::board::{AXES, Board, Cell, Colour, DIRECTIONS, Direction, Point, opposite};
use crate::plain::options::{Options, Overtime};

/// Attempts to find a place for a plan.
const TRIES: usize = 8;

/// A plan that takes more stones than this is given up.
const STONES_MAX: usize = 70;

#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What points shall bear; `None` is to stay empty.
    cells: BTreeMap<Point, Option<Colour>>,
    /// Cells that are laid after all others.
    late: Vec<Point>,
    /// The stones for which the others are laid, in turn.
    keys: Vec<(Point, Colour)>,
    /// How many keys were played.
    played: usize,
    age: usize,
}

/// What a plan asks of the seat to move.
pub enum Step {
    Play(Point),
    /// Any stone that does not disturb.
    Wait,
    /// The plan is carried out, or cannot be any more.
    Over,
}

impl Plan {
    /// A plan for this style from the present position on.
    pub fn random(rng: &mut ChaCha8Rng, style: Style, game: &Plain) -> Option<Plan> {
        (0..TRIES).find_map(|_| {
            let mut plan = Builder { rng, options: &game.options, board: &game.board, plan: Plan::default() };
            match style {
                Style::Claims if plan.rng.random_bool(0.25) => plan.farm(),
                Style::Claims => plan.claims(),
                Style::Trims => plan.trims(),
                Style::Stars if plan.rng.random_bool(0.2) => plan.trims(),
                Style::Free
                | Style::Stars
                | Style::Renju
                | Style::DoubleThrees
                | Style::Flanks
                | Style::Fill
                | Style::FillFlanks
                | Style::FillRenju => plan.star(style),
            }?;
            Some(plan.plan)
        })
    }

    pub fn is_kept_empty(&self, point: Point) -> bool {
        self.cells.contains_key(&point)
    }

    pub fn step(&mut self, rng: &mut ChaCha8Rng, board: &Board, colour: Colour) -> Step {
        self.age += 1;
        let missing: Vec<Point> = self.cells.keys().copied().filter(|point| board.is_empty(*point)).collect();
        let wanted = |point: &&Point| self.cells[*point] == Some(colour);
        let broken = self.cells.iter().any(|(point, cell)| match board.at(*point) {
            Cell::Stone(stone) => *cell != Some(stone),
            Cell::Empty | Cell::Outside => false,
        });
        if self.age > STONES_MAX || self.played == self.keys.len() || (broken && self.played == 0) {
            return Step::Over;
        }
        let laid = missing.iter().all(|point| self.cells[point].is_none());
        if self.played > 0 || laid {
            let (key, by) = self.keys[self.played];
            if by == colour && board.is_empty(key) {
                self.played += 1;
                return Step::Play(key);
            }
            return if self.played > 0 { Step::Over } else { Step::Wait };
        }
        let (late, early): (Vec<Point>, Vec<Point>) =
            missing.iter().filter(wanted).partition(|point| self.late.contains(point));
        let early_left = missing.iter().any(|point| self.cells[point].is_some() && !self.late.contains(point));
        match early.choose(rng).or(if early_left { None } else { late.choose(rng) }) {
            Some(point) => Step::Play(*point),
            None => Step::Wait,
        }
    }
}

/// Who the letters of a shape are.
struct Cast {
    mover: Colour,
    enemy: Colour,
    other_enemy: Colour,
    third: Colour,
}

struct Builder<'a> {
    rng: &'a mut ChaCha8Rng,
    options: &'a Options,
    board: &'a Board,
    plan: Plan,
}

impl Builder<'_> {
    /// Shapes on some of the four axes around a point.
    fn star(&mut self, style: Style) -> Option<()> {
        let mover = self.colour();
        let key = self.key(mover)?;
        let mut axes = AXES;
        axes.shuffle(self.rng);
        let count = self.rng.random_range(1..=4);
        for axis in &axes[..count] {
            let shape = shapes::random(self.rng, style, self.options.line_length());
            self.lay(shape, key, mover, *axis);
        }
        (self.plan.cells.len() > 1).then_some(())
    }

    /// Many captures at once, so that totals come near the goal.
    fn farm(&mut self) -> Option<()> {
        let mover = self.colour();
        let key = self.key(mover)?;
        let count = self.rng.random_range(1..=2);
        let axes: Vec<Direction> = AXES.choose_multiple(self.rng, count).copied().collect();
        for axis in axes {
            let shape = *["*OOX", "XOO*OOX"].choose(self.rng)?;
            self.lay(shape, key, mover, axis);
        }
        (self.plan.cells.len() > 1).then_some(())
    }

    /// Captures that leave exact lines of runs that were too long.
    fn trims(&mut self) -> Option<()> {
        let mover = self.colour();
        let key = self.key(mover)?;
        let mut directions = DIRECTIONS;
        directions.shuffle(self.rng);
        let count = self.rng.random_range(1..=3);
        let mut enemies = self.enemies(mover);
        enemies.shuffle(self.rng);
        for (index, direction) in directions[..count].iter().enumerate() {
            let victim = enemies[index % enemies.len()];
            let before = self.plan.clone();
            if self.trim(key, mover, victim, *direction).is_none() {
                self.plan = before;
            }
        }
        for axis in AXES {
            if self.rng.random_bool(0.3) {
                let shape = shapes::line(self.rng, self.options.line_length());
                self.lay(shape, key, mover, axis);
            }
        }
        (!self.plan.late.is_empty()).then_some(())
    }

    /// One capture from the key in this direction that trims a run of the victim.
    fn trim(&mut self, key: Point, mover: Colour, victim: Colour, direction: Direction) -> Option<()> {
        let pair = [key.step(direction), key.step(direction).step(direction)];
        self.put(pair[0], Some(victim))?;
        self.put(pair[1], Some(victim))?;
        self.put(pair[1].step(direction), Some(mover))?;
        let along = *DIRECTIONS.choose(self.rng)?;
        if along == direction || along == opposite(direction) {
            return None;
        }
        let mut point = *pair.choose(self.rng)?;
        self.put(point.step(opposite(along)), None)?;
        // The second stone of the run comes last, so that the run is never just a line before it is too long.
        self.plan.late.push(point.step(along));
        for _ in 0..self.options.line_length() {
            point = point.step(along);
            self.put(point, Some(victim))?;
        }
        self.put(point.step(along), None)
    }

    /// A line, an answer that may stop it, and often a line of the one who answers.
    fn claims(&mut self) -> Option<()> {
        let seat = self.rng.random_range(0..self.options.seats);
        let colours = self.options.turn_colours();
        let (mover, next) = (colours[seat % colours.len()], colours[(seat + 1) % self.options.seats % colours.len()]);
        let key = self.key(mover)?;
        let mut axes = AXES;
        axes.shuffle(self.rng);
        let answer = self.claim(key, mover, next, axes[0], axes[1])?;
        match self.rng.random_range(0..4) {
            0 => self.distract(next)?,
            1 => self.plan.keys.push((answer, next)),
            _ => {
                self.plan.keys.push((answer, next));
                let after = colours[(seat + 2) % self.options.seats % colours.len()];
                let before = self.plan.clone();
                match self.claim(answer, next, after, axes[2], axes[3]) {
                    Some(answer) => self.plan.keys.push((answer, after)),
                    None => self.plan = before,
                }
            }
        }
        Some(())
    }

    /// A line of the mover that the key completes; the point at which the next player stops it.
    fn claim(&mut self, key: Point, mover: Colour, next: Colour, axis: Direction, cross: Direction) -> Option<Point> {
        let length = self.options.line_length();
        let place = self.rng.random_range(0..length);
        let mut line = vec![key];
        for _ in 0..place {
            line.insert(0, line[0].step(opposite(axis)));
        }
        while line.len() < length {
            line.push(line[line.len() - 1].step(axis));
        }
        for point in line.iter().filter(|point| **point != key) {
            self.put(*point, Some(mover))?;
        }
        let take = self.options.overtime == Overtime::Take;
        let (start, end) = (line[0].step(opposite(axis)), line[length - 1].step(axis));
        let (stone, open) = if self.rng.random_bool(0.5) { (start, end) } else { (end, start) };
        self.put(open, None)?;
        self.put(stone, take.then_some(next))?;
        if take && self.rng.random_bool(0.7) {
            return Some(open);
        }
        // A pair across the line: one stone of the line, one beside it.
        let cross = if self.rng.random_bool(0.5) { cross } else { opposite(cross) };
        let crossed = *line.choose(self.rng)?;
        let beside = crossed.step(cross);
        let answer = crossed.step(opposite(cross));
        self.put(beside, Some(mover))?;
        self.put(beside.step(cross), Some(next))?;
        self.put(answer, None)?;
        Some(answer)
    }

    /// Something else that the next player may want instead of stopping a line: a line or a capture elsewhere.
    fn distract(&mut self, next: Colour) -> Option<()> {
        let key = self.point()?;
        self.put(key, None)?;
        self.plan.keys.push((key, next));
        let axis = *AXES.choose(self.rng)?;
        let shape =
            if self.rng.random_bool(0.5) { "XOO*OOX" } else { shapes::line(self.rng, self.options.line_length()) };
        self.lay(shape, key, next, axis);
        Some(())
    }

    /// Lays a shape around the key, or nothing where it does not fit.
    fn lay(&mut self, shape: &str, key: Point, mover: Colour, axis: Direction) {
        let before = self.plan.clone();
        let axis = if self.rng.random_bool(0.5) { axis } else { opposite(axis) };
        let cast = self.cast(mover);
        if self.try_to_lay(shape, key, &cast, axis).is_none() {
            self.plan = before;
        }
    }

    fn try_to_lay(&mut self, shape: &str, key: Point, cast: &Cast, axis: Direction) -> Option<()> {
        let star = shape.find('*')?;
        let start = (0..star).fold(key, |point, _| point.step(opposite(axis)));
        let points = std::iter::successors(Some(start), |point| Some(point.step(axis)));
        for (letter, point) in shape.chars().zip(points) {
            match letter {
                'X' => self.put(point, Some(cast.mover))?,
                'O' => self.put(point, Some(cast.enemy))?,
                'o' => self.put(point, Some(cast.other_enemy))?,
                'z' => self.put(point, Some(cast.third))?,
                '.' => self.put(point, None)?,
                _ => {}
            }
        }
        Some(())
    }

    fn put(&mut self, point: Point, cell: Option<Colour>) -> Option<()> {
        let fits = match self.board.at(point) {
            Cell::Outside => cell.is_none(),
            Cell::Empty => true,
            Cell::Stone(stone) => cell == Some(stone),
        };
        let agrees = *self.plan.cells.get(&point).unwrap_or(&cell) == cell;
        if !fits || !agrees {
            return None;
        }
        if self.board.contains(point) {
            self.plan.cells.insert(point, cell);
        }
        Some(())
    }

    /// A point for the first key, kept empty.
    fn key(&mut self, mover: Colour) -> Option<Point> {
        let key = self.point()?;
        self.put(key, None)?;
        self.plan.keys.push((key, mover));
        Some(key)
    }

    fn point(&mut self) -> Option<Point> {
        self.board.empty_points().collect::<Vec<_>>().choose(self.rng).copied()
    }

    fn colour(&mut self) -> Colour {
        // Where only one colour is restricted, that one moves more often.
        let colours = self.options.turn_colours();
        let index = *pick(self.rng, &[(3, 0), (1, 1), (1, 2), (1, 3)]);
        colours[index % colours.len()]
    }

    fn enemies(&self, mover: Colour) -> Vec<Colour> {
        self.options.colours().into_iter().filter(|colour| *colour != mover).collect()
    }

    fn cast(&mut self, mover: Colour) -> Cast {
        let mut enemies = self.enemies(mover);
        enemies.shuffle(self.rng);
        let enemy = enemies[0];
        let other_enemy = enemies[enemies.len() - 1];
        let third = if enemies.len() > 1 { other_enemy } else { mover };
        Cast { mover, enemy, other_enemy, third }
    }
}
