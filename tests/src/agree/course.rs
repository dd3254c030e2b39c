//! How a game goes: which action comes next.

use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::plan::{Plan, Step};
use super::style::Style;
use crate::plain::board::{AXES, Cell, Colour, DIRECTIONS, Point};
use crate::plain::openings::{self, Must};
use crate::plain::options::Options;
use crate::plain::winning::{Pending, lines};
use crate::plain::{Action, Group, Plain, moves};

/// Points that are weighed before one is chosen.
const CANDIDATES: usize = 8;

/// Refusals in a row after which only legal points are played.
const REFUSALS_MAX: usize = 3;

/// What a free game is after. Each weight is drawn once a game and may be negative.
struct Weights {
    run: f64,
    block: f64,
    capture: f64,
    flank: f64,
}

pub struct Course {
    rng: ChaCha8Rng,
    style: Style,
    weights: Weights,
    plan: Option<Plan>,
    /// How often a plan is made when there is none.
    planning: f64,
    /// How often something is tried that may be refused.
    trying: f64,
    /// How often overtime is answered by what stops it.
    stopping: f64,
    /// The ply at which the game is given up or drawn.
    quits_at: Option<usize>,
    /// Whether opening stones are laid side by side, so that they take one another.
    close_opening: bool,
    pattern: Pattern,
}

impl Course {
    pub fn new(seed: u64, style: Style, options: &Options) -> Course {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut weight = || rng.random_range(-1.0..3.0);
        let weights = Weights { run: weight(), block: weight(), capture: weight(), flank: weight() };
        Course {
            style,
            weights,
            plan: None,
            planning: if style == Style::Free { 0.0 } else { rng.random_range(0.3..1.0) },
            trying: *[0.0, 0.02, 0.1].choose(&mut rng).expect("three"),
            stopping: rng.random_range(0.0..1.0),
            quits_at: rng
                .random_bool(0.06)
                .then(|| rng.random_range(0..40) * rng.random_range(0..2))
                .map(|ply| ply.max(rng.random_range(0..6))),
            close_opening: rng.random_bool(0.6),
            pattern: Pattern::random(&mut rng, style, options),
            rng,
        }
    }

    /// The next action; it may be refused. `refusals` counts those since the last accepted one.
    pub fn next(&mut self, game: &Plain, refusals: usize) -> Action {
        if game.result.is_some() || (refusals == 0 && self.rng.random_bool(self.trying)) {
            return self.anything(game);
        }
        if self.quits_at.is_some_and(|ply| ply <= game.progress.ply) && game.options.sides() == 2 {
            return self.quit(game);
        }
        if self.quits_at == Some(game.progress.ply) {
            return Action::Draw;
        }
        if game.overtime.is_some() && self.rng.random_bool(0.01) {
            return Action::Resign(None);
        }
        match game.turn().must {
            Must::Place => self.stone(game, refusals),
            Must::Choose => self.choice(false),
            Must::ChooseOrAdd => self.choice(true),
        }
    }

    fn quit(&mut self, game: &Plain) -> Action {
        match self.rng.random_range(0..4) {
            0 => Action::Draw,
            1 => Action::Resign(game.options.colours().choose(&mut self.rng).copied()),
            _ => Action::Resign(None),
        }
    }

    fn choice(&mut self, add: bool) -> Action {
        match self.rng.random_range(if add { 0..4 } else { 2..4 }) {
            0 | 1 => Action::Add,
            2 => Action::Choose(Colour::Black),
            _ => Action::Choose(Colour::White),
        }
    }

    /// Something that is refused in most positions.
    fn anything(&mut self, game: &Plain) -> Action {
        let size = game.options.board;
        let mut anywhere = || {
            let mut along = || self.rng.random_range(0..size + size / 8);
            Point { row: along(), column: along() }
        };
        let at = anywhere();
        let pair = vec![anywhere(), anywhere()];
        match self.rng.random_range(0..8) {
            0 => Action::Choose(*Colour::ALL[..2].choose(&mut self.rng).expect("two")),
            1 => Action::Add,
            2 => Action::Resign(Colour::ALL.choose(&mut self.rng).copied()).non_final(game),
            3 => Action::Place { at, take: Some(vec![sorted(pair)]) },
            4 => Action::Place { at, take: Some(Vec::new()) },
            _ => Action::Place { at, take: None },
        }
    }

    fn stone(&mut self, game: &Plain, refusals: usize) -> Action {
        let at = self.point(game, refusals);
        if !game.board.is_empty(at) {
            return Action::Place { at, take: None };
        }
        let take = if refusals > REFUSALS_MAX { self.lawful(game, at) } else { self.take(game, at) };
        Action::Place { at, take }
    }

    fn point(&mut self, game: &Plain, refusals: usize) -> Point {
        if refusals > REFUSALS_MAX {
            let illegal = game.illegal();
            let legal = game.board.empty_points().filter(|point| !illegal.contains(point));
            return legal.choose(&mut self.rng).expect("a game without a legal point is over");
        }
        if let Some(pending) = &game.overtime
            && refusals == 0
            && self.rng.random_bool(self.stopping)
            && let Some(point) = stops(game, pending).choose(&mut self.rng)
        {
            return *point;
        }
        if openings::is_exempt(&game.options, game.progress) && self.close_opening {
            return self.in_segment(game);
        }
        match self.style {
            Style::Fill | Style::FillFlanks | Style::FillRenju => self.pattern.point(&mut self.rng, game),
            Style::Free
            | Style::Stars
            | Style::Renju
            | Style::DoubleThrees
            | Style::Trims
            | Style::Claims
            | Style::Flanks => self.planned(game),
        }
    }

    /// A point of the few in the middle of the bottom row that an opening fills.
    fn in_segment(&mut self, game: &Plain) -> Point {
        let start = game.options.board / 2 - 2;
        let points = (start..start + 5).map(|column| Point { row: 0, column });
        let empty = points.filter(|point| game.board.is_empty(*point));
        // The last point is there for the stones that `add` asks for.
        let mut empty: Vec<Point> = empty.collect();
        if game.progress.ply < 4 {
            empty.truncate(4);
        }
        *empty.choose(&mut self.rng).expect("an opening has five stones at most")
    }

    fn planned(&mut self, game: &Plain) -> Point {
        if self.plan.is_none() && self.rng.random_bool(self.planning) {
            self.plan = Plan::random(&mut self.rng, self.style, game);
        }
        let Some(plan) = &mut self.plan else { return self.weighed(game) };
        match plan.step(&mut self.rng, &game.board, game.turn().colour) {
            Step::Play(point) => point,
            Step::Wait => self.quiet(game),
            Step::Over => {
                self.plan = None;
                self.weighed(game)
            }
        }
    }

    /// A point with few neighbours that no plan needs.
    fn quiet(&mut self, game: &Plain) -> Point {
        let free = |point: &Point| !self.plan.as_ref().is_some_and(|plan| plan.is_kept_empty(*point));
        let points: Vec<Point> = (0..CANDIDATES).map(|_| random_empty(&mut self.rng, game)).filter(free).collect();
        let mover = game.turn().colour;
        let crowd = |point: &Point| longest(game, *point, mover) * 4 + neighbours(game, *point);
        points.into_iter().min_by_key(crowd).unwrap_or_else(|| self.weighed(game))
    }

    /// The best of some points, most of them near a stone.
    fn weighed(&mut self, game: &Plain) -> Point {
        let stones: Vec<Point> = game.board.points().filter(|point| !game.board.is_empty(*point)).collect();
        let mut candidates = vec![random_empty(&mut self.rng, game)];
        for _ in 0..CANDIDATES {
            let Some(stone) = stones.choose(&mut self.rng) else { break };
            let mut off = || self.rng.random_range(-2..=2);
            let point = Point { row: stone.row + off(), column: stone.column + off() };
            if game.board.is_empty(point) {
                candidates.push(point);
            }
        }
        let mut best = (f64::NEG_INFINITY, candidates[0]);
        for point in candidates {
            let value = self.value(game, point) + self.rng.random_range(0.0..4.0);
            if value > best.0 {
                best = (value, point);
            }
        }
        best.1
    }

    fn value(&self, game: &Plain, point: Point) -> f64 {
        let mover = game.turn().colour;
        let squared = |colour| longest(game, point, colour).pow(2);
        let enemies = game.options.colours().into_iter().filter(|colour| *colour != mover);
        let block: usize = enemies.map(squared).max().unwrap_or(0);
        let captured: usize = game.groups_at(point).iter().map(Vec::len).sum();
        let flanks = moves::flanks(&game.options, &game.board.with(point, mover), mover, point).len();
        let sum = [
            (self.weights.run, squared(mover)),
            (self.weights.block, block),
            (self.weights.capture, 3 * captured),
            (self.weights.flank, 4 * flanks),
        ];
        #[expect(clippy::cast_precision_loss, reason = "the features are small numbers")]
        sum.into_iter().map(|(weight, feature)| weight * feature as f64).sum()
    }

    /// Which groups the stone names, now and then wrongly.
    fn take(&mut self, game: &Plain, at: Point) -> Option<Vec<Group>> {
        let groups = game.groups_at(at);
        let filling = matches!(self.style, Style::Fill | Style::FillFlanks | Style::FillRenju);
        if filling && !game.options.forced_capture {
            return Some(Vec::new());
        }
        if groups.is_empty() || self.rng.random_bool(0.4) {
            return None;
        }
        let mut chosen: Vec<Group> = match self.rng.random_range(0..20) {
            0..=12 => groups.iter().filter(|_| self.rng.random_bool(0.6)).cloned().collect(),
            13 => vec![groups[0].clone(), groups[0].clone()],
            14 => vec![groups[0][1..].to_vec()],
            15 => Vec::new(),
            _ => groups.clone(),
        };
        if self.rng.random_bool(0.3) {
            chosen.reverse();
        }
        Some(chosen)
    }

    /// A choice of groups with which the legal point may be played.
    fn lawful(&mut self, game: &Plain, at: Point) -> Option<Vec<Group>> {
        let lawful = game.choices(at).into_iter().filter(|take| game.refusal(at, Some(take)).is_none());
        lawful.choose(&mut self.rng)
    }
}

impl Action {
    /// The action, or another that is refused where this one would end the game.
    fn non_final(self, game: &Plain) -> Action {
        let ends = matches!(&self, Action::Resign(Some(colour)) if game.options.colours().contains(colour));
        if ends && game.options.sides() == 2 { Action::Resign(Some(Colour::Red)) } else { self }
    }
}

/// A colour for each point with which no side gets a line.
struct Pattern {
    shift: i32,
    upright: bool,
    sides: i32,
    /// A point that black may not play, and the row of stones beside it.
    hole: Option<Point>,
}

impl Pattern {
    fn random(rng: &mut ChaCha8Rng, style: Style, options: &Options) -> Pattern {
        let mut along = |to: i32| rng.random_range(0..to);
        let hole = Point { row: along(options.board), column: 2 + along(options.board - 5) };
        Pattern {
            shift: along(8),
            upright: along(2) == 0,
            sides: i32::try_from(options.sides()).expect("up to four sides"),
            hole: (style == Style::FillRenju).then_some(hole),
        }
    }

    /// Runs are two stones long at most, on every axis.
    fn side(&self, point: Point) -> usize {
        let (x, y) = if self.upright { (point.column, point.row) } else { (point.row, point.column) };
        let side = (x + 2 * y + self.shift) % (2 * self.sides) / 2;
        if self.is_beside_hole(point) { 0 } else { usize::try_from(side).expect("not negative") }
    }

    fn is_beside_hole(&self, point: Point) -> bool {
        self.hole.is_some_and(|hole| point.row == hole.row && (-2..=3).contains(&(point.column - hole.column)))
    }

    fn point(&self, rng: &mut ChaCha8Rng, game: &Plain) -> Point {
        let colours = game.options.turn_colours();
        let mover = game.turn().colour;
        let reluctance = |point: &Point| {
            let own = colours[self.side(*point)] == mover;
            let hole = self.hole == Some(*point);
            let beside = self.is_beside_hole(*point);
            (hole, !own, if own { !beside } else { beside })
        };
        let mut points: Vec<Point> = game.board.empty_points().collect();
        let start = rng.random_range(0..points.len());
        points.rotate_left(start);
        points.into_iter().min_by_key(reluctance).expect("a full board ends the game")
    }
}

/// Some empty point; there is one in every game that is not over.
fn random_empty(rng: &mut ChaCha8Rng, game: &Plain) -> Point {
    let mut along = || rng.random_range(0..game.options.board);
    let mut guesses = std::iter::repeat_with(|| Point { row: along(), column: along() }).take(CANDIDATES);
    let guess = guesses.find(|point| game.board.is_empty(*point));
    guess.or_else(|| game.board.empty_points().next()).expect("a full board ends the game")
}

/// The points where some choice of groups leaves the claimant without a line.
fn stops(game: &Plain, pending: &Pending) -> Vec<Point> {
    let takes_all = |point: &Point| {
        let groups = game.groups_at(*point);
        let after = || game.resolve(*point, &groups).board;
        !groups.is_empty() && lines(&game.options, &after(), pending.colour).is_empty()
    };
    game.board.empty_points().filter(takes_all).collect()
}

/// The longest run that a stone of the colour would be part of.
fn longest(game: &Plain, point: Point, colour: Colour) -> usize {
    let board = game.board.with(point, colour);
    AXES.into_iter().map(|axis| board.run_length(point, axis)).max().unwrap_or(0)
}

fn neighbours(game: &Plain, point: Point) -> usize {
    let near = DIRECTIONS.into_iter().map(|direction| point.step(direction));
    near.filter(|point| matches!(game.board.at(*point), Cell::Stone(_))).count()
}

fn sorted(mut group: Group) -> Group {
    group.sort();
    group
}
