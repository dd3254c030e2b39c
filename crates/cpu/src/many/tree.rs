//! The search: a tree that grows where it is promising, each side wanting the most for itself, and its leaves played
//! out by hasty players ([`super::playout`]). With many sides it decides who fails to stop whom: so in part of the visits
//! an enemy stops nobody although somebody threatens to win, most often where others could do so as well. What is known
//! of a position decides which points are tried, and in what order ([`super::grow`]). Positions that are won are
//! remembered as such.
//!
//! The choice of a branch is that of C. Rosin, *Multi-armed bandits with episode context*, 2011; proofs in the tree are
//! those of M. Winands and others, *Monte-Carlo tree search solver*, 2008, for several sides as in J. Nijssen and
//! M. Winands, *Enhancements for multi-player Monte-Carlo tree search*, 2010.

use std::ops::Range;

use rules::{Game, OvertimeRule, Point};

use super::Limits;
use super::playout::Numbers;
use super::position::{Position, Rewards, rewards};
use super::stones::{Next, Plan, Stones};
use crate::duel::ODDS;
use crate::ground::Ground;
use crate::spots::Spot;

/// A leaf that was visited so often gets branches.
const GROW_VISITS: u32 = 3;
/// How much is tried that looks worse.
const CURIOSITY: f32 = 0.8;
/// What is not yet tried is taken for so much worse than its parent.
const UNTRIED: f32 = 0.9;
/// Leaves between two questions whether to stop. They take 1 ms on a slow machine.
const ASK_EVERY: u64 = 16;
/// The deepest line, in stones.
pub const PLIES_MAX: usize = 64;
/// How far a whim of 1 misjudges a reward that is neither sure nor hopeless.
const WHIM: f32 = 0.2 / ODDS as f32;

pub struct Node<const N: usize> {
    /// What each side got, added up over all visits.
    sum: Rewards<N>,
    visits: u32,
    /// Its branches: the first one's place, and their number.
    pub first: u32,
    pub count: u16,
    /// So many of them, the first ones, stop somebody's win.
    pub stops: u16,
    /// The stone that led here.
    spot: Spot,
    /// How promising that was among its like, from 0 to 1.
    prior: f32,
    /// How often, of 256, the side to move stops nobody although somebody threatens to win.
    pub careless: u8,
    /// Some legal points are not among its branches.
    pub is_pruned: bool,
    /// Who wins from here on, as bits; 0 for nobody.
    pub end: Option<u8>,
    /// Whose line waits here.
    pub waits: Option<u8>,
}

impl<const N: usize> Node<N> {
    pub fn new(spot: Spot, prior: f32) -> Node<N> {
        Node {
            sum: [0.0; N],
            visits: 0,
            first: 0,
            count: 0,
            stops: 0,
            spot,
            prior,
            careless: 0,
            is_pruned: false,
            end: None,
            waits: None,
        }
    }

    fn branches(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }

    /// What a side has got on average, or what it gets for certain.
    fn reward(&self, side: usize) -> Option<f32> {
        let known = (self.visits > 0).then(|| self.sum[side] / self.visits as f32);
        self.end.map(|winners| rewards::<N>(winners)[side]).or(known)
    }
}

/// A stone on the way down.
pub struct Step<const N: usize> {
    node: usize,
    pub spot: Spot,
    /// Its part of [`Tree::gone`].
    pub gone: Range<usize>,
    pub taken: [u16; N],
}

/// The stone chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub spot: Spot,
    /// What the player to act can expect.
    pub reward: f32,
    /// The stones that are expected, this one first.
    pub line: Vec<Spot>,
}

pub struct Tree<'a, const N: usize> {
    pub ground: &'a Ground,
    pub limits: Limits<'a>,
    pub plan: Plan,
    /// Who knows of lines that wait, where there are any.
    pub judge: Option<Game>,
    /// Lines that wait can be taken whole.
    takes_lines: bool,
    /// The position at the root.
    start: (Stones<N>, Position<N>),
    /// That at the end of the path.
    pub stones: Stones<N>,
    /// The same, where a node grew last.
    pub position: Position<N>,
    pub nodes: Vec<Node<N>>,
    nodes_max: usize,
    pub path: Vec<Step<N>>,
    /// The stones that those on the path have taken off.
    pub gone: Vec<Spot>,
    numbers: Numbers,
    /// Leaves looked at.
    pub leaves: u64,
}

impl<'a, const N: usize> Tree<'a, N> {
    pub fn new(ground: &'a Ground, game: &Game, limits: Limits<'a>) -> Tree<'a, N> {
        let plan = Plan::new(ground, game);
        let nodes_max = limits.memory / size_of::<Node<N>>();
        let overtime = game.rules().options().overtime;
        let start = (Stones::of(&plan, ground, game), Position::of(ground, game));
        let mut root = Node::new(0, 1.0);
        root.waits = game.overtime().map(|overtime| ground.side_of(overtime.colour) as u8);
        // All at once, as growing by doubling could take twice as much; untouched memory costs nothing.
        let mut nodes = Vec::with_capacity(nodes_max);
        nodes.push(root);
        Tree {
            ground,
            plan,
            judge: (overtime != OvertimeRule::None).then(|| game.clone()),
            takes_lines: overtime == OvertimeRule::Take,
            stones: start.0.clone(),
            position: start.1.clone(),
            start,
            nodes,
            nodes_max,
            path: Vec::with_capacity(PLIES_MAX),
            gone: Vec::new(),
            numbers: Numbers::new(crate::mix(limits.seed, u64::from(game.ply()))),
            limits,
            leaves: 0,
        }
    }

    /// The side to act at the root.
    pub fn me(&self) -> usize {
        self.start.0.turn
    }

    /// Brings the position to the end of the path.
    pub fn follow(&mut self) {
        self.position.copy_from(self.ground, &self.start.1);
        for step in &self.path {
            self.position.follow(self.ground, step.spot, &self.gone[step.gone.clone()], step.taken);
        }
    }

    /// Grows the tree until told to stop.
    pub fn run(&mut self, game: &Game, barred: &[Point]) {
        self.grow_root(game, barred);
        while self.nodes[0].count > 1 && self.leaves < self.limits.nodes && self.nodes[0].end.is_none() {
            self.visit();
            self.leaves += 1;
            if self.leaves.is_multiple_of(ASK_EVERY) && (self.limits.stop)() {
                break;
            }
        }
    }

    /// What the branches at the root have come to: how often each was visited, and what each side got there in all.
    pub fn tally(&self) -> Vec<(Spot, u32, Rewards<N>)> {
        self.nodes[self.nodes[0].branches()].iter().map(|node| (node.spot, node.visits, node.sum)).collect()
    }

    /// Adds what another tree's branches have come to.
    pub fn add(&mut self, tally: &[(Spot, u32, Rewards<N>)]) {
        let branches = self.nodes[0].branches();
        for node in &mut self.nodes[branches] {
            if let Some((_, visits, sum)) = tally.iter().find(|(spot, ..)| *spot == node.spot) {
                node.visits += visits;
                node.sum.iter_mut().zip(sum).for_each(|(all, more)| *all += more);
            }
        }
    }

    /// The stone to play. `None` if no point that comes into question is legal and not barred.
    pub fn choose(&self) -> Option<Choice> {
        let best = self.best(0, self.me())?;
        let reward = self.nodes[best].reward(self.me()).unwrap_or(1.0 / N as f32);
        Some(Choice { spot: self.nodes[best].spot, reward, line: self.line(best) })
    }

    /// The branch to play: one that has won, else the most visited that has not lost, else the most visited.
    fn best(&self, of: usize, side: usize) -> Option<usize> {
        self.nodes[of].branches().max_by_key(|&at| {
            let node = &self.nodes[at];
            let end = node.end.map_or(0.5 / N as f32, |winners| rewards::<N>(winners)[side]);
            ((end * 64.0) as u32, node.visits, (node.prior * 65_536.0) as u32)
        })
    }

    /// The stones that are expected.
    fn line(&self, mut at: usize) -> Vec<Spot> {
        let mut line = vec![self.nodes[at].spot];
        while let Some(next) = self.best(at, (self.me() + line.len()) % N).filter(|&next| self.nodes[next].visits > 0) {
            line.push(self.nodes[next].spot);
            at = next;
        }
        line
    }

    /// From the root to a leaf, which is played out; all on the way learn how it ended.
    fn visit(&mut self) {
        self.stones.clone_from(&self.start.0);
        self.path.clear();
        self.gone.clear();
        let mut at = 0;
        let winners = loop {
            if self.nodes[at].count == 0 && self.may_grow(at) {
                self.grow(at);
            }
            let node = &self.nodes[at];
            if let Some(winners) = node.end {
                break winners;
            }
            if node.count == 0 {
                let waits = node.waits.map(|side| 1 << side);
                break waits.unwrap_or_else(|| self.stones.play_out(&self.plan, &mut self.numbers));
            }
            let next = self.most_promising(at);
            self.step(at, next);
            at = next;
        };
        self.learn(winners);
    }

    fn may_grow(&self, at: usize) -> bool {
        let node = &self.nodes[at];
        let is_due = node.visits >= GROW_VISITS || node.waits.is_some();
        let has_room = self.nodes.len() + super::grow::WIDTH <= self.nodes_max && self.path.len() < PLIES_MAX;
        is_due && has_room && node.end.is_none()
    }

    /// The branch to follow.
    fn most_promising(&mut self, of: usize) -> usize {
        let node = &self.nodes[of];
        let side = self.stones.turn;
        let is_careless = node.careless > 0 && self.numbers.next() & 255 < u32::from(node.careless);
        let curiosity = (node.visits.max(1) as f32).sqrt() * CURIOSITY;
        let untried = node.reward(side).unwrap_or(0.0) * UNTRIED;
        let mut branches = node.branches();
        if is_careless {
            branches.start += usize::from(node.stops);
        }
        let mut best = (f32::MIN, branches.start);
        for at in branches {
            let branch = &self.nodes[at];
            let mut promise = branch.reward(side).unwrap_or(untried);
            if branch.end.is_none() {
                promise += curiosity * branch.prior / (1.0 + branch.visits as f32) + self.whim(of, branch.spot);
            }
            if promise > best.0 {
                best = (promise, at);
            }
        }
        best.1
    }

    /// How far a stone at the root is misjudged; it stays the same for a seed.
    fn whim(&self, of: usize, spot: Spot) -> f32 {
        if of != 0 || self.limits.whim == 0 {
            return 0.0;
        }
        let drawn = (crate::mix(self.limits.seed, u64::from(spot)) >> 40) as f32 / (1u32 << 24) as f32;
        self.limits.whim as f32 * WHIM * (2.0 * drawn - 1.0)
    }

    /// Plays a branch's stone.
    fn step(&mut self, from: usize, to: usize) {
        let waiting = self.nodes[from].waits.filter(|_| self.takes_lines).map(usize::from);
        let spot = self.nodes[to].spot;
        let next = self.stones.play(&self.plan, spot, waiting);
        let begin = self.gone.len();
        self.gone.extend_from_slice(self.stones.gone());
        self.path.push(Step { node: to, spot, gone: begin..self.gone.len(), taken: self.stones.taken });
        let is_new = self.nodes[to].end.is_none() && self.nodes[to].waits.is_none();
        if let (Next::Over(winners), true) = (next, is_new) {
            let (end, waits) = self
                .judged(|tree, judge| match judge.overtime() {
                    Some(overtime) => (None, Some(tree.side_of(overtime.colour) as u8)),
                    None => (tree.winners(judge), None),
                })
                .unwrap_or((Some(winners), None));
            (self.nodes[to].end, self.nodes[to].waits) = (end, waits);
        }
    }

    /// Asks the rules about the end of the path; `None` where no line can wait.
    pub fn judged<T>(&mut self, ask: impl FnOnce(&Ground, &Game) -> T) -> Option<T> {
        let judge = self.judge.as_mut()?;
        let mut played = 0;
        for step in &self.path {
            if judge.place(self.ground.point(step.spot)).is_err() {
                break;
            }
            played += 1;
        }
        let answer = (played == self.path.len()).then(|| ask(self.ground, judge));
        (0..played).for_each(|_| {
            judge.undo();
        });
        answer
    }

    /// Tells all on the way who has won, and finds what is decided by it.
    fn learn(&mut self, winners: u8) {
        let rewards = rewards::<N>(winners);
        for at in std::iter::once(0).chain(self.path.iter().map(|step| step.node)) {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum.iter_mut().zip(rewards).for_each(|(sum, reward)| *sum += reward);
        }
        for last in (0..self.path.len()).rev() {
            if self.nodes[self.path[last].node].end.is_none() {
                return;
            }
            let parent = if last == 0 { 0 } else { self.path[last - 1].node };
            self.decide(parent, (self.me() + last) % N);
        }
    }

    /// Finds out whether a position is decided by its branches: if one wins, or all are decided alike.
    fn decide(&mut self, at: usize, side: usize) {
        let node = &self.nodes[at];
        let (mut most, mut end, mut is_certain) = (-1.0, None, !node.is_pruned);
        for branch in node.branches().map(|at| &self.nodes[at]) {
            let Some(winners) = branch.end else {
                is_certain = false;
                continue;
            };
            let reward = self::rewards::<N>(winners)[side];
            if reward > most {
                (most, end) = (reward, Some(winners));
            } else if reward == most && branch.end != end {
                // It does not matter to this side who wins, but to others.
                is_certain = false;
            }
        }
        if node.end.is_none() && (most == 1.0 || is_certain) {
            self.nodes[at].end = end;
        }
    }
}
