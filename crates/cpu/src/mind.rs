//! A CPU player: what it keeps from one move to the next, and what it may spend on one.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rules::{Action, Game, Must, Point, Rules};

use crate::analysis::Line;
use crate::cache::Cache;
use crate::duel::{Found, Search, WIN};
pub use crate::duel::{ODDS, WON};
use crate::ground::Ground;
use crate::haste::hasty;
use crate::many::{self, Limits};
use crate::{level, mix, opening, place};

/// Levels go from 1 to this.
pub const LEVEL_MAX: u8 = 8;

/// Up to this level a move takes [`QUICK_MS`] at most.
pub const QUICK_LEVEL_MAX: u8 = 5;
/// What a move of a low level may take, in milliseconds.
const QUICK_MS: u64 = 150;
/// What a move of a high level may take, in milliseconds.
const LONG_MS: u64 = 1_000;

/// How long a level may think where nobody says otherwise, in milliseconds.
pub const fn time_ms(level: u8) -> u64 {
    if level <= QUICK_LEVEL_MAX { QUICK_MS } else { LONG_MS }
}

/// What a position is worth to the side whose stone is next.
type Worth<'a> = &'a mut dyn FnMut(&Game) -> i32;

/// A placement looks at many positions: each gets this share of a move's nodes.
const OPENING_SHARE: u64 = 24;
/// Hundredths of all positions that looking for wins by threats may cost where nothing but a win is asked for.
const SOLVING_PERCENT: u64 = 60;
/// Positions that one look at an opening may cost.
const OPENING_NODES_MAX: u64 = 20_000;

/// Threads that search together, at most.
pub const THREADS_MAX: usize = 64;
/// A search of fewer positions is over before helpers are of use.
const TOGETHER_LEAST: u64 = 200_000;
/// The same with three and four sides, where a position is a whole playout.
const TOGETHER_LEAST_OF_MANY: u64 = 10_000;

/// What one move may cost, beside the time that the caller's `stop` keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// 1 to [`LEVEL_MAX`]: how much it sees. The highest sees all that it can.
    pub level: u8,
    /// Positions looked at, at most.
    pub nodes: u64,
    /// Decides among equals. The same seed, nodes and game give the same move.
    pub seed: u64,
}

impl Budget {
    /// A level without a limit of its own.
    pub fn of(level: u8, seed: u64) -> Budget {
        Budget { level, nodes: u64::MAX, seed }
    }

    /// What is left of the nodes at this level under these rules.
    pub(crate) fn nodes(&self, rules: &Rules) -> u64 {
        self.nodes.min(level::strength(self.level, rules).nodes)
    }
}

/// What came of thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// A legal action.
    pub action: Action,
    /// Positions looked at.
    pub nodes: u64,
    /// Stones that were looked ahead in all lines, but for those that were left out; 0 where nothing was searched.
    pub depth: u32,
    /// What the position is worth to the player to act: about [`ODDS`] for odds of e to 1, from [`WON`] on a forced win.
    pub score: i32,
    /// The line that is expected, its first stone the action's.
    pub line: Vec<Point>,
}

impl Thought {
    /// An action that took no search.
    fn at_sight(action: Action) -> Thought {
        Thought { action, nodes: 1, depth: 0, score: 0, line: Vec::new() }
    }
}

/// A CPU player of one game or many; it remembers what it has worked out.
pub struct Mind {
    bytes: usize,
    /// Made when it is first of use, which is never with more than two sides.
    cache: Option<Cache>,
    ground: Option<(Rules, Ground)>,
    /// That search together, at most.
    threads: usize,
    /// The level and the side whose sight the remembered scores come from.
    seen_as: (u8, usize),
}

impl Mind {
    /// With so much memory in all, in bytes; where that is little, the tables of shapes, which all minds share, take some
    /// 3 MB more.
    pub fn new(bytes: usize) -> Mind {
        Mind { bytes, cache: None, ground: None, threads: 1, seen_as: (LEVEL_MAX, 0) }
    }

    /// Lets so many threads search together, where the search is long. With more than one the same seed need not give the
    /// same move.
    pub fn with_threads(self, threads: usize) -> Mind {
        Mind { threads: threads.clamp(1, THREADS_MAX), ..self }
    }

    /// Gets ready for games under these rules, which takes some 50 ms the first time.
    pub fn prepare(&mut self, rules: &Rules) {
        if self.ground.as_ref().is_none_or(|(known, _)| known != rules) {
            self.cache.iter_mut().for_each(Cache::clear);
            self.ground = Some((*rules, Ground::new(rules)));
        }
    }

    /// A move for the player to act. `stop` is asked often and ends the search when true: the best move found until
    /// then is the answer.
    ///
    /// # Panics
    /// When the game is over.
    pub fn think(&mut self, game: &Game, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> Thought {
        let turn = game.turn().expect("a running game");
        match turn.must {
            Must::Place if opening::placing(game) => {
                self.open(game, budget, OPENING_SHARE, stop, &mut |worth| opening::place(game, budget.seed, worth))
            }
            Must::Place if game.rules().sides() == 2 => self.duel(game, budget, stop),
            Must::Place => self.many(game, budget, stop),
            Must::Choose | Must::ChooseOrAdd => {
                self.open(game, budget, 1, stop, &mut |worth| opening::choose(game, turn.must, worth))
            }
        }
    }

    /// An action of an opening, decided by what positions are worth; each look may cost a share of the level's nodes.
    fn open(
        &mut self,
        game: &Game,
        budget: &Budget,
        share: u64,
        stop: &mut dyn FnMut() -> bool,
        decide: &mut dyn FnMut(Worth) -> Action,
    ) -> Thought {
        let nodes = (budget.nodes(game.rules()) / share).clamp(1, OPENING_NODES_MAX);
        let mut all = 0;
        let mut is_stopped = false;
        let action = decide(&mut |game| {
            // What is not looked at any more is not chosen, however many points are still to come.
            if is_stopped {
                return WIN;
            }
            let thought = self.duel(game, &Budget { nodes, ..*budget }, stop);
            is_stopped = stop();
            all += thought.nodes;
            thought.score
        });
        Thought { nodes: all.max(1), ..Thought::at_sight(action) }
    }

    /// Gets ready for a search of a position with two sides, by what the budget's level can see.
    fn prepare_search(&mut self, game: &Game, budget: &Budget) {
        self.prepare(game.rules());
        let Some((_, ground)) = &mut self.ground else { unreachable!("it was prepared") };
        let side = game.turn().map_or(0, |turn| ground.side_of(turn.colour));
        // A level that overlooks things remembers scores that only its own side believes.
        let seen_as = if budget.level < LEVEL_MAX { (budget.level, side) } else { (LEVEL_MAX, 0) };
        if seen_as != self.seen_as {
            self.seen_as = seen_as;
            self.cache.iter_mut().for_each(Cache::clear);
        }
        let key = game_key(game);
        let strength = level::strength(budget.level, game.rules());
        ground.see_as(side, level::sights(strength, key));
        self.cache.get_or_insert_with(|| Cache::new(remembering(self.bytes))).next_search();
    }

    /// A search of the position that it has got ready for, with what the budget's level can do.
    fn prepared<'a>(&'a self, game: &Game, budget: &Budget, stop: &'a mut dyn FnMut() -> bool) -> Search<'a> {
        let (Some((_, ground)), Some(cache)) = (&self.ground, &self.cache) else { unreachable!("it is ready") };
        let strength = level::strength(budget.level, game.rules());
        let mut search = Search::new(ground, cache, game, budget.nodes(game.rules()), stop);
        search.fall_short(strength.fours, strength.whim, mix(game_key(game), budget.seed));
        // Levels that overlook some of what points are good for judge by the rest of it alone.
        if budget.level >= LEVEL_MAX {
            search.judge_as_learnt();
        }
        search.free_to_take(game);
        search
    }

    fn search<'a>(&'a mut self, game: &Game, budget: &Budget, stop: &'a mut dyn FnMut() -> bool) -> Search<'a> {
        self.prepare_search(game, budget);
        self.prepared(game, budget, stop)
    }

    /// What a search of a position with two sides finds, and how many positions it takes: with helpers, if there are
    /// threads for them and it is long enough to be worth it.
    fn search_together(&mut self, game: &Game, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> (Found, u64) {
        self.prepare_search(game, budget);
        let mind = &*self;
        let is_long = budget.nodes(game.rules()) >= TOGETHER_LEAST;
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let help = |number: usize| {
                let mut stop = || done.load(Relaxed);
                let mut search = mind.prepared(game, budget, &mut stop);
                search.help(number);
                search.run(i32::MAX, &mut |_| {});
                search.nodes
            };
            let helpers: Vec<_> = (1..if is_long { mind.threads } else { 1 })
                .filter_map(|number| std::thread::Builder::new().spawn_scoped(scope, move || help(number)).ok())
                .collect();
            let mut search = mind.prepared(game, budget, stop);
            let found = search.run(i32::MAX, &mut |_| {});
            done.store(true, Relaxed);
            let helped: u64 = helpers.into_iter().map(|helper| helper.join().unwrap_or(0)).sum();
            (found, search.nodes + helped)
        })
    }

    /// The best moves of a position with two sides where a stone is due.
    pub(crate) fn lines(
        &mut self,
        game: &Game,
        count: usize,
        budget: &Budget,
        stop: &mut dyn FnMut() -> bool,
        told: &mut dyn FnMut(&[Line]),
    ) -> Vec<Line> {
        let ground = Ground::new(game.rules());
        let line = |found: &Found| line(&ground, found);
        let lines = |found: &[Found]| found.iter().map(line).collect::<Vec<_>>();
        let mut search = self.search(game, budget, stop);
        lines(&search.run_lines(count, i32::MAX, &mut |found| told(&lines(found))))
    }

    /// A win that the player to move can force with two sides; much of the search goes into threats.
    pub(crate) fn solve(&mut self, game: &Game, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> Option<Line> {
        let ground = Ground::new(game.rules());
        let mut search = self.search(game, budget, stop);
        search.solves = true;
        (search.tuning.threats, search.tuning.threats_hoped) = (SOLVING_PERCENT, SOLVING_PERCENT);
        let found = search.run(i32::MAX, &mut |_| {});
        (found.score >= WON && found.point(&ground).is_some()).then(|| line(&ground, &found))
    }

    fn duel(&mut self, game: &Game, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> Thought {
        let (found, nodes) = self.search_together(game, budget, stop);
        let Some((_, ground)) = &self.ground else { unreachable!("it was prepared") };
        // Where every near point is forbidden, another may not be.
        let Some(point) = found.point(ground).filter(|&point| game.check(point).is_ok()) else {
            return Thought::at_sight(place::best(game, budget.seed, &mut || true));
        };
        Thought {
            action: Action::Place { at: point, take: found.take },
            nodes,
            depth: found.depth.unsigned_abs(),
            score: found.score,
            line: found.line.iter().map(|&spot| ground.point(spot)).collect(),
        }
    }

    fn many(&mut self, game: &Game, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> Thought {
        let strength = level::strength(budget.level, game.rules());
        let seed = mix(budget.seed, game_key(game) ^ u64::from(game.ply()));
        if let Some(action) = Some(seed).filter(|&seed| strength.is_hasty(seed)).and_then(|seed| hasty(game, seed)) {
            return Thought::at_sight(action);
        }
        let Some(found) = self.search_many(game, budget, stop, &[]) else {
            return Thought::at_sight(place::best(game, budget.seed, &mut || true));
        };
        Thought {
            score: score_of(&found),
            action: found.action,
            nodes: found.nodes,
            depth: found.depth,
            line: found.line,
        }
    }

    /// A search of a position with three or four sides, with what the budget's level can do; some points left out.
    fn search_many(
        &mut self,
        game: &Game,
        budget: &Budget,
        stop: &mut dyn FnMut() -> bool,
        barred: &[Point],
    ) -> Option<many::Found> {
        self.prepare(game.rules());
        let Some((_, ground)) = &mut self.ground else { unreachable!("it was prepared") };
        let side = game.turn().map_or(0, |turn| ground.side_of(turn.colour));
        let strength = level::strength(budget.level, game.rules());
        ground.see_as(side, level::sights(strength, game_key(game)));
        let (nodes, memory) = (budget.nodes(game.rules()), remembering(self.bytes));
        let threads = if nodes >= TOGETHER_LEAST_OF_MANY { self.threads } else { 1 };
        let limits = Limits { nodes, memory, threads, whim: strength.whim, seed: budget.seed, stop };
        many::best(ground, game, limits, barred)
    }

    /// The best move of a position with three or four sides on other points than these, and how many positions it took.
    pub(crate) fn one_of_many(
        &mut self,
        game: &Game,
        budget: &Budget,
        stop: &mut dyn FnMut() -> bool,
        barred: &[Point],
    ) -> Option<(Line, u64)> {
        let found = self.search_many(game, budget, stop, barred)?;
        let score = score_of(&found);
        let Action::Place { at, take } = found.action else { return None };
        Some((Line::new(at, take, score, found.depth, found.line), found.nodes))
    }
}

fn score_of(found: &many::Found) -> i32 {
    if found.is_won { WIN - 1 } else { score(found.reward) }
}

/// What a search has found, for people.
fn line(ground: &Ground, found: &Found) -> Line {
    let line = found.line.iter().map(|&spot| ground.point(spot)).collect();
    Line::new(ground.point(found.best), found.take.clone(), found.score, found.depth.unsigned_abs(), line)
}

/// What is left of so many bytes for remembering, beside tables and the positions of a line.
fn remembering(bytes: usize) -> usize {
    if bytes < LITTLE_BYTES { bytes } else { bytes - BESIDE_BYTES }
}

const LITTLE_BYTES: usize = 16 << 20;
const BESIDE_BYTES: usize = 8 << 20;

/// The score of what a side can expect, from 0 to 1.
fn score(reward: f32) -> i32 {
    let reward = reward.clamp(0.001, 0.999);
    (ODDS as f32 * (reward / (1.0 - reward)).ln()) as i32
}

/// A number for a game that stays the same from its third stone on.
fn game_key(game: &Game) -> u64 {
    let stones = game.actions().iter().filter_map(|action| match action {
        Action::Place { at, .. } => Some(u64::from(at.row()) << 8 | u64::from(at.column())),
        Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => None,
    });
    stones.take(3).fold(0, mix)
}
