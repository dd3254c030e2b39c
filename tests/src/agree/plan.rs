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
            let mut plan = Builder { rng, game, options: &game.options, board: &game.board, plan: Plan::default() };
            match style {
                Style::Claims if plan.rng.random_bool(0.35) => plan.farm(),
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

impl Cast {
    fn of(mover: Colour, enemies: &[Colour]) -> Cast {
        let other_enemy = enemies[enemies.len() - 1];
        let third = if enemies.len() > 1 { other_enemy } else { mover };
        Cast { mover, enemy: enemies[0], other_enemy, third }
    }
}

struct Builder<'a> {
    rng: &'a mut ChaCha8Rng,
    game: &'a Plain,
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
        let fewest = if style == Style::Flanks { 3 } else { 1 };
        let count = self.rng.random_range(fewest..=4);
        let mut cast = self.cast(mover);
        let surround = style == Style::Flanks && self.rng.random_bool(0.3);
        for axis in &axes[..count] {
            let shape = if surround { "OX*O" } else { shapes::random(self.rng, style, self.options.line_length()) };
            self.lay(shape, key, &cast, *axis);
            cast = self.other_cast(&cast);
        }
        (self.plan.cells.len() > 1).then_some(())
    }

    /// Captures at once that bring a total just below the goal.
    fn farm(&mut self) -> Option<()> {
        let mover = self.colour();
        let key = self.key(mover)?;
        let mut axes = AXES;
        axes.shuffle(self.rng);
        let cast = self.cast(mover);
        let mut room = self.options.goal().saturating_sub(self.game.captured(mover) + 1);
        for axis in axes {
            if room < 2 {
                break;
            }
            let (shape, stones) = if room >= 4 { ("XOO*OOX", 4) } else { ("*OOX", 2) };
            let before = self.plan.cells.len();
            self.lay(shape, key, &cast, axis);
            room -= if self.plan.cells.len() > before { stones } else { 0 };
        }
        (self.plan.cells.len() > 1).then_some(())
    }

    /// Captures that leave exact lines of runs that were too long.
    fn trims(&mut self) -> Option<()> {
        let mover = self.colour();
        let key = self.key(mover)?;
        let mut axes = AXES;
        axes.shuffle(self.rng);
        let mut cast = self.cast(mover);
        let all = self.enemies(mover).len();
        let count = if self.rng.random_bool(0.5) { all } else { self.rng.random_range(1..=3) };
        for axis in &axes[..count] {
            self.attempt(|builder| builder.trim(key, &cast, *axis));
            cast = self.other_cast(&cast);
        }
        for axis in &axes[count..] {
            if self.rng.random_bool(0.5) {
                let shape = shapes::line(self.rng, self.options.line_length());
                self.lay(shape, key, &cast, *axis);
            }
        }
        (!self.plan.late.is_empty()).then_some(())
    }

    /// One capture from the key along this axis that trims a run of the enemy.
    fn trim(&mut self, key: Point, cast: &Cast, axis: Direction) -> Option<()> {
        let direction = self.either(axis);
        let pair = [key.step(direction), key.step(direction).step(direction)];
        self.put(pair[0], Some(cast.enemy))?;
        self.put(pair[1], Some(cast.enemy))?;
        self.put(pair[1].step(direction), Some(cast.mover))?;
        let along = *DIRECTIONS.choose(self.rng)?;
        if along == direction || along == opposite(direction) {
            return None;
        }
        let end = *pair.choose(self.rng)?;
        self.put(end.step(opposite(along)), None)?;
        let line: Vec<Point> = std::iter::successors(Some(end.step(along)), |point| Some(point.step(along)))
            .take(self.options.line_length())
            .collect();
        // The first stone beside the end comes last, so that the run is never just a line before it is too long.
        self.plan.late.push(line[0]);
        for point in &line {
            self.put(*point, Some(cast.enemy))?;
        }
        let next = self.next(cast.mover);
        let beyond = line[line.len() - 1].step(along);
        if next == cast.enemy || self.rng.random_bool(0.2) {
            return self.put(beyond, None);
        }
        // The next player may stop it: by taking the line from the end that the capture opens, or across it.
        if self.options.overtime == Overtime::Take && self.rng.random_bool(0.7) {
            return self.put(beyond, Some(next));
        }
        self.put(beyond, None)?;
        self.attempt(|builder| builder.crossing(&line, cast.enemy, next, direction).map(|_| ()));
        Some(())
    }

    /// A line, an answer that may stop it, and often a line of the one who answers.
    fn claims(&mut self) -> Option<()> {
        let mover = self.claimant();
        let next = self.next(mover);
        let key = self.key(mover)?;
        let mut axes = AXES;
        axes.shuffle(self.rng);
        let answer = self.claim(key, mover, next, axes[0], axes[1])?;
        let near_goal = self.game.captured(next) + 4 >= self.options.goal();
        if self.rng.random_bool(if near_goal { 0.8 } else { 0.25 }) {
            return self.distract(next, near_goal);
        }
        self.plan.keys.push((answer, next));
        if self.game.captured(mover) + 2 >= self.options.goal() || self.rng.random_bool(0.3) {
            let cast = Cast { mover: next, enemy: mover, other_enemy: mover, third: next };
            self.lay("OX*O", answer, &cast, axes[2]);
        }
        let after = self.next(next);
        self.attempt(|builder| {
            let answer = builder.claim(answer, next, after, axes[2], axes[3])?;
            builder.plan.keys.push((answer, after));
            Some(())
        });
        Some(())
    }

    /// A line of the mover that the key completes; the point at which the next player stops it.
    fn claim(&mut self, key: Point, mover: Colour, next: Colour, axis: Direction, cross: Direction) -> Option<Point> {
        let length = self.options.line_length();
        let before = self.rng.random_range(0..length);
        let start = (0..before).fold(key, |point, _| point.step(opposite(axis)));
        let line: Vec<Point> =
            std::iter::successors(Some(start), |point| Some(point.step(axis))).take(length).collect();
        for point in line.iter().filter(|point| **point != key) {
            self.put(*point, Some(mover))?;
        }
        let ends = (start.step(opposite(axis)), line[length - 1].step(axis));
        let (stone, open) = if self.rng.random_bool(0.5) { ends } else { (ends.1, ends.0) };
        let take = self.options.overtime == Overtime::Take;
        self.put(open, None)?;
        self.put(stone, take.then_some(next))?;
        if take && self.rng.random_bool(0.7) { Some(open) } else { self.crossing(&line, mover, next, cross) }
    }

    /// A pair across the owner's line, one stone of it and one beside it; the point where the next player takes it.
    fn crossing(&mut self, line: &[Point], owner: Colour, next: Colour, cross: Direction) -> Option<Point> {
        let cross = self.either(cross);
        let crossed = *line.choose(self.rng)?;
        let beside = crossed.step(cross);
        let answer = crossed.step(opposite(cross));
        self.put(beside, Some(owner))?;
        self.put(beside.step(cross), Some(next))?;
        self.put(answer, None)?;
        Some(answer)
    }

    /// Something else that the next player may want instead of stopping a line: a line or a capture elsewhere.
    fn distract(&mut self, next: Colour, capture: bool) -> Option<()> {
        let key = self.point()?;
        self.put(key, None)?;
        self.plan.keys.push((key, next));
        let axis = *AXES.choose(self.rng)?;
        let cast = self.cast(next);
        let shape = if capture { "XOO*OOX" } else { shapes::line(self.rng, self.options.line_length()) };
        self.lay(shape, key, &cast, axis);
        Some(())
    }

    /// Lays a shape around the key, or nothing where it does not fit.
    fn lay(&mut self, shape: &str, key: Point, cast: &Cast, axis: Direction) {
        let direction = self.either(axis);
        self.attempt(|builder| builder.try_to_lay(shape, key, cast, direction));
    }

    /// Does something, or nothing at all where it fails.
    fn attempt(&mut self, what: impl Fn(&mut Self) -> Option<()>) {
        for _ in 0..TRIES {
            let before = self.plan.clone();
            if what(self).is_some() {
                return;
            }
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

    /// Often one whose captures, or the next player's, come near the goal.
    fn claimant(&mut self) -> Colour {
        let mut colours = self.options.colours();
        colours.shuffle(self.rng);
        match self.rng.random_range(0..3) {
            0 => colours.iter().copied().max_by_key(|colour| self.game.captured(*colour)),
            1 => colours.iter().copied().max_by_key(|colour| self.game.captured(self.next(*colour))),
            _ => colours.first().copied(),
        }
        .expect("there are colours")
    }

    fn enemies(&self, mover: Colour) -> Vec<Colour> {
        self.options.colours().into_iter().filter(|colour| *colour != mover).collect()
    }

    fn cast(&mut self, mover: Colour) -> Cast {
        let mut enemies = self.enemies(mover);
        enemies.shuffle(self.rng);
        Cast::of(mover, &enemies)
    }

    /// The same mover with another first enemy, where there is one.
    fn other_cast(&self, cast: &Cast) -> Cast {
        let mut enemies = self.enemies(cast.mover);
        let index = enemies.iter().position(|enemy| *enemy == cast.enemy).expect("an enemy");
        let count = enemies.len();
        enemies.rotate_left((index + 1) % count);
        Cast::of(cast.mover, &enemies)
    }

    /// The colour that moves after this one.
    fn next(&self, colour: Colour) -> Colour {
        let colours = self.options.turn_colours();
        let index = colours.iter().position(|other| *other == colour).expect("a colour in play");
        colours[(index + 1) % colours.len()]
    }

    fn either(&mut self, axis: Direction) -> Direction {
        if self.rng.random_bool(0.5) { axis } else { opposite(axis) }
    }
}
