//! The search. Each enemy is taken to play for what is worst for the player to act, but for what it has to do itself:
//! it wins where it can, and stops another's win where it must, though sometimes it does not. So the many sides are
//! two, and alpha-beta cuts. Few points are looked at: what is urgent, else the most promising. As little tells the
//! worth of a quiet position, the player to act keeps to what is promising unless another point is clearly better.

use rules::{Game, Point};

use super::Limits;
use super::position::{Came, Position, outcome, rewards};
use super::table::{Bound, Table};
use super::urgent::Urgency;
use crate::cache::NOWHERE;
use crate::ground::Ground;
use crate::spots::{SPOTS, Spot, Spots};

/// The deepest line, in stones.
const PLIES_MAX: usize = 40;
/// Depth is counted in halves of a stone.
const STONE: i32 = 2;
/// Points that are tried in a quiet position: at the root, by the player to act, and by an enemy.
const WIDTH_ROOT: usize = 50;
const WIDTH_MINE: usize = 12;
const WIDTH_THEIRS: usize = 8;
/// So many points of a quiet position are looked at in full depth at first.
const UNREDUCED: usize = 3;
/// Width of the window that only asks whether something is better.
const LEAST: f32 = 0.0005;
/// A reward fades by this part at each stone, so that wins come early and losses late.
const FADE: f32 = 0.003;
/// At the root the most promising points count so much more than those that promise nothing.
const PROMISE_PART: f32 = 0.8;
/// What promises so much is as good as any.
const PROMISE_MOST: i32 = 300;
/// The history of a point never leaves ± this.
const HISTORY_MAX: i32 = 1_600;
/// Positions between two questions whether to stop. They take 2 ms on a slow machine.
const ASK_EVERY: u64 = 32;

/// The stone chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub spot: Spot,
    /// What the player to act can expect.
    pub reward: f32,
    /// It wins at once.
    pub is_won: bool,
    /// In stones; 0 where nothing was searched.
    pub depth: u32,
    pub line: Vec<Spot>,
}

/// What is looked for: between these two, for the position before the stone.
#[derive(Clone, Copy)]
struct Window {
    low: f32,
    high: f32,
}

/// How what comes of a stone counts for the position before it: `scale` times it, and `shift`.
#[derive(Clone, Copy)]
struct Share {
    scale: f32,
    shift: f32,
}

/// A stone to try.
#[derive(Clone, Copy)]
struct Try {
    spot: Spot,
    /// Those tried before it.
    number: usize,
    /// What is left to look ahead before it, and what it costs.
    depth: i32,
    cost: i32,
    share: Share,
}

pub struct Search<'a, const N: usize> {
    ground: &'a Ground,
    limits: Limits<'a>,
    /// The game as it stands on the way down, where the rules say more than a field knows.
    judge: Option<Game>,
    /// The side to act at the root.
    me: usize,
    stack: Vec<Position<N>>,
    /// The best line found from each ply on.
    lines: Vec<Vec<Spot>>,
    /// How often a side's stone here has decided something.
    history: Box<[[i32; SPOTS]; N]>,
    table: Table,
    pub nodes: u64,
    next_ask: u64,
    stopped: bool,
}

impl<'a, const N: usize> Search<'a, N> {
    pub fn new(ground: &'a Ground, game: &Game, limits: Limits<'a>) -> Search<'a, N> {
        let root = Position::of(ground, game);
        Search {
            ground,
            judge: (!ground.is_plain).then(|| game.clone()),
            me: root.turn,
            stack: vec![root; PLIES_MAX + 1],
            lines: vec![Vec::new(); PLIES_MAX + 2],
            history: Box::new([[0; SPOTS]; N]),
            table: Table::new(limits.memory, limits.nodes),
            limits,
            nodes: 0,
            next_ask: ASK_EVERY,
            stopped: false,
        }
    }

    /// Deepens until told to stop. `None` if no point that comes into question is legal and not barred.
    pub fn run(&mut self, game: &Game, barred: &[Point]) -> Option<Choice> {
        let urgency = self.stack[0].urgency(self.ground);
        let spots = self.candidates(0, &urgency, game.overtime().is_some());
        let mut list = self.list(0, &spots, SPOTS, NOWHERE);
        list.retain(|&spot| {
            let at = self.ground.point(spot);
            !barred.contains(&at) && game.check(at).is_ok()
        });
        list.truncate(WIDTH_ROOT);
        let spot = *list.first()?;
        let mut best = Choice { spot, reward: 1.0 / N as f32, is_won: false, depth: 0, line: vec![spot] };
        if let Some(spot) = self.win_at_once(game, &list) {
            return Some(Choice { spot, reward: 1.0, is_won: true, depth: 1, line: vec![spot] });
        }
        if list.len() == 1 {
            return Some(best);
        }
        for depth in 1..=PLIES_MAX as i32 / 2 {
            let Some(found) = self.around(depth, &mut list) else { break };
            best = found;
            if self.stopped {
                break;
            }
        }
        Some(best)
    }

    fn win_at_once(&self, game: &Game, list: &[Spot]) -> Option<Spot> {
        let wins = self.stack[0].wins(self.ground, self.me);
        list.iter().copied().filter(|&spot| wins.has(spot)).find(|&spot| {
            let mut after = game.clone();
            after.place(self.ground.point(spot)).is_ok() && outcome(self.ground, &after) == Came::Over(1 << self.me)
        })
    }

    /// The best at a depth; `None` if it was stopped before anything was known. The list is left in order.
    fn around(&mut self, depth: i32, list: &mut [Spot]) -> Option<Choice> {
        let most = self.stack[0].promise(self.ground, list[0]).clamp(1, PROMISE_MOST);
        let mut best: Option<Choice> = None;
        let mut low = -1.0;
        let mut values: Vec<(f32, Spot)> = Vec::with_capacity(list.len());
        for (number, &spot) in list.iter().enumerate() {
            let promise = self.stack[0].promise(self.ground, spot).min(PROMISE_MOST) as f32 / most as f32;
            let weight = 1.0 + PROMISE_PART * promise.min(1.0);
            let share = Share { scale: weight * (1.0 - FADE), shift: weight * FADE / N as f32 };
            let one = Try { spot, number, depth: depth * STONE, cost: STONE, share };
            let value = self.try_one(0, one, Window { low, high: 4.0 });
            if self.stopped {
                break;
            }
            let Some(value) = value else { continue };
            values.push((value, spot));
            if value > low {
                low = value;
                let line = [&[spot], self.lines[1].as_slice()].concat();
                best = Some(Choice { spot, reward: value / weight, is_won: false, depth: depth as u32, line });
            }
        }
        if values.len() == list.len() {
            values.sort_by(|a, b| b.0.total_cmp(&a.0));
            list.iter_mut().zip(&values).for_each(|(spot, value)| *spot = value.1);
        }
        best
    }

    /// Plays a stone and looks deeper; `None` if it is illegal.
    fn try_one(&mut self, ply: usize, one: Try, window: Window) -> Option<f32> {
        let (before, after) = self.stack.split_at_mut(ply + 1);
        after[0].clone_from(&before[ply]);
        let is_mine = before[ply].turn == self.me;
        let came = match &mut self.judge {
            None => after[0].play(self.ground, one.spot),
            Some(judge) => after[0].play_judged(self.ground, one.spot, judge),
        };
        self.count();
        let worth = match came {
            Came::Illegal => return None,
            Came::Over(winners) => {
                self.lines[ply + 1].clear();
                rewards::<N>(winners)[self.me]
            }
            Came::On => self.deeper(ply + 1, one, window, is_mine),
        };
        if let Some(judge) = &mut self.judge {
            judge.undo();
        }
        Some(one.share.scale * worth + one.share.shift)
    }

    /// What a stone is worth that stands on the board: at first whether it is better than what is known, and where it
    /// promises little, less deeply.
    fn deeper(&mut self, ply: usize, one: Try, window: Window, is_mine: bool) -> f32 {
        let inner = |value: f32| (value - one.share.shift) / one.share.scale;
        let (low, high) = (inner(window.low), inner(window.high));
        let depth = one.depth - one.cost;
        if one.number == 0 {
            return self.search(ply, depth, Window { low, high });
        }
        let ask = if is_mine { Window { low, high: low + LEAST } } else { Window { low: high - LEAST, high } };
        let is_better = |value: f32| if is_mine { value > low } else { value < high };
        let less = if one.number >= UNREDUCED && one.cost == STONE && one.depth > STONE { STONE } else { 0 };
        let mut value = self.search(ply, depth - less, ask);
        if less > 0 && is_better(value) {
            value = self.search(ply, depth, ask);
        }
        if is_better(value) && low < value && value < high {
            value = self.search(ply, depth, Window { low, high });
        }
        value
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_ask {
            self.next_ask = self.nodes + ASK_EVERY;
            self.stopped |= (self.limits.stop)();
        }
        self.stopped |= self.nodes >= self.limits.nodes;
    }

    /// What a position is worth to the player to act at the root.
    fn search(&mut self, ply: usize, depth: i32, window: Window) -> f32 {
        self.lines[ply].clear();
        if self.stopped {
            return 0.0;
        }
        let is_waiting = self.judge.as_ref().is_some_and(|judge| judge.overtime().is_some());
        let urgency = self.stack[ply].urgency(self.ground);
        if !is_waiting && let Some(value) = self.at_sight(ply, &urgency) {
            return value;
        }
        if depth <= 0 && !is_waiting || ply >= PLIES_MAX {
            return self.value(ply, &urgency, is_waiting);
        }
        let hash = self.stack[ply].hash();
        let known = if is_waiting { None } else { self.table.get(hash) };
        if let Some(known) = known
            && i32::from(known.depth) >= depth
            && known.bound.decides(known.value, window.low, window.high)
        {
            return known.value;
        }
        let spots = self.candidates(ply, &urgency, is_waiting);
        let width = if self.stack[ply].turn == self.me { WIDTH_MINE } else { WIDTH_THEIRS };
        let list = self.list(ply, &spots, width, known.map_or(NOWHERE, |known| known.best));
        let Some((value, best)) = self.try_all(ply, depth, window, &list, &urgency, is_waiting) else {
            return self.value(ply, &urgency, is_waiting);
        };
        if !is_waiting && !self.stopped {
            let bound = Bound::of(value, window.low, window.high);
            self.table.put(hash, best, depth, value, bound);
        }
        value
    }

    /// The best of these points for the side to move, and what it is worth; `None` if none is legal.
    fn try_all(
        &mut self,
        ply: usize,
        depth: i32,
        mut window: Window,
        list: &[Spot],
        urgency: &Urgency,
        is_waiting: bool,
    ) -> Option<(f32, Spot)> {
        let is_mine = self.stack[ply].turn == self.me;
        let is_quiet = !is_waiting && *urgency == Urgency::Quiet;
        let cost = match list.len() {
            _ if is_quiet => STONE,
            1 => 0,
            _ => STONE / 2,
        };
        let share = self.share(ply, urgency);
        let mut best: Option<(f32, Spot)> = None;
        let mut number = 0;
        for &spot in list {
            let Some(value) = self.try_one(ply, Try { spot, number, depth, cost, share }, window) else { continue };
            if self.stopped {
                return Some((0.0, spot));
            }
            number += 1;
            if best.is_none_or(|(most, _)| if is_mine { value > most } else { value < most }) {
                best = Some((value, spot));
                let (upper, deeper) = self.lines.split_at_mut(ply + 1);
                upper[ply].clear();
                upper[ply].push(spot);
                upper[ply].extend_from_slice(&deeper[0]);
            }
            if is_mine {
                window.low = window.low.max(value);
            } else {
                window.high = window.high.min(value);
            }
            if window.low >= window.high {
                if is_quiet {
                    self.has_decided(ply, spot, depth);
                }
                break;
            }
        }
        best
    }

    fn has_decided(&mut self, ply: usize, spot: Spot, depth: i32) {
        let known = &mut self.history[self.stack[ply].turn][usize::from(spot)];
        let bonus = (2 * depth * depth).min(200);
        *known += bonus - *known * bonus / HISTORY_MAX;
    }

    /// How a stone counts that answers what is urgent: an enemy may not answer it, whoever gains by that.
    fn share(&self, ply: usize, urgency: &Urgency) -> Share {
        let (to, careless) = self.stack[ply].carelessness(urgency, self.me).unwrap_or((self.me, 0.0));
        let gain = if to == self.me { careless } else { 0.0 };
        Share { scale: (1.0 - FADE) * (1.0 - careless), shift: (1.0 - FADE) * gain + FADE / N as f32 }
    }

    /// What a position is worth that needs no search.
    fn at_sight(&mut self, ply: usize, urgency: &Urgency) -> Option<f32> {
        let turn = self.stack[ply].turn;
        let gain = |side: usize| if side == self.me { 1.0 } else { 0.0 };
        let Some(judge) = &mut self.judge else {
            return match urgency {
                Urgency::Won(_) => Some(gain(turn)),
                Urgency::Lost { to, far: 1 } => Some(gain(*to)),
                Urgency::Lost { .. } | Urgency::Forced(_) | Urgency::Quiet => None,
            };
        };
        let Urgency::Won(wins) = urgency else { return None };
        let wins_alone = wins.iter().any(|spot| {
            let is_legal = judge.place(self.ground.point(spot)).is_ok();
            let is_won = is_legal && outcome(self.ground, judge) == Came::Over(1 << turn);
            if is_legal {
                judge.undo();
            }
            is_won
        });
        wins_alone.then(|| gain(turn))
    }

    /// What a position is worth at the end of a line.
    fn value(&self, ply: usize, urgency: &Urgency, is_waiting: bool) -> f32 {
        let position = &self.stack[ply];
        let is_doubtful = is_waiting || self.judge.is_some() && matches!(urgency, Urgency::Won(_));
        let rewards =
            if is_doubtful { position.expected(self.ground) } else { position.clone().settled(self.ground, self.me) };
        rewards[self.me]
    }

    /// The points that come into question.
    fn candidates(&self, ply: usize, urgency: &Urgency, is_waiting: bool) -> Spots {
        let position = &self.stack[ply];
        if is_waiting {
            let mut spots = Spots::NONE;
            let stops = self.judge.iter().flat_map(|judge| judge.stops());
            stops.for_each(|stop| spots.add(self.ground.spot(stop.at)));
            return spots;
        }
        let own = match urgency {
            Urgency::Won(wins) if self.judge.is_none() => return *wins,
            // It may not be legal, or the line may be stopped.
            Urgency::Won(wins) => *wins,
            Urgency::Lost { .. } | Urgency::Forced(_) | Urgency::Quiet => Spots::NONE,
        };
        let spots = match position.pressing(self.ground) {
            Some(pressing) => pressing.blocks.or(&pressing.others),
            None => self.quiet(position),
        };
        spots.or(&own)
    }

    /// The points near stones; the free one nearest to the middle where there is none.
    fn quiet(&self, position: &Position<N>) -> Spots {
        let mut spots = position.field.near();
        if spots.is_empty() {
            let side = self.ground.side as i32;
            let far = |&spot: &Spot| {
                let (column, row) = (i32::from(spot) % side, i32::from(spot) / side);
                (column - side / 2).abs().max((row - side / 2).abs())
            };
            let empty = (0..self.ground.spots as Spot).filter(|&spot| position.field.is_empty(spot));
            empty.min_by_key(far).into_iter().for_each(|spot| spots.add(spot));
        }
        spots
    }

    /// The most promising of these points, in order.
    fn list(&self, ply: usize, spots: &Spots, most: usize, remembered: Spot) -> Vec<Spot> {
        let position = &self.stack[ply];
        let history = &self.history[position.turn];
        let order = |spot: Spot| {
            let among_equals = (crate::mix(self.limits.seed, u64::from(spot)) % 6) as i32;
            position.promise(self.ground, spot) + history[usize::from(spot)] / 16 + among_equals
        };
        let mut list: Vec<(bool, i32, Spot)> =
            spots.iter().map(|spot| (spot != remembered, -order(spot), spot)).collect();
        list.sort_unstable();
        list.truncate(most);
        list.into_iter().map(|(_, _, spot)| spot).collect()
    }
}
