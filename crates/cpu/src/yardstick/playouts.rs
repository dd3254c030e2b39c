//! The playout yardstick: tree search with random games, as it was first published (R. Coulom, *Efficient selectivity
//! and backup operators in Monte-Carlo tree search*, 2006; the choice of a branch by L. Kocsis and C. Szepesvári,
//! *Bandit based Monte-Carlo planning*, 2006), without any knowledge of lines. With more than two sides each wants the
//! most for itself.

use rules::{Action, Colour, Ended, Game, Must, Playout, Point};

use super::near::near;
use super::{Numbers, openings, turn};

/// A leaf gets branches when it was visited so often.
const GROW_VISITS: u32 = 8;
/// How much is tried that looks worse; 1.4 would be the theory's for rewards from 0 to 1.
const CURIOSITY: f32 = 0.6;

/// The point that stood best in so many playouts, or in those until `stop`, which is asked after each.
///
/// # Panics
/// When the game is over.
pub fn playouts(game: &Game, count: u32, seed: u64, stop: &mut dyn FnMut() -> bool) -> Action {
    let mut numbers = Numbers::new(seed, game);
    match turn(game).must {
        must @ (Must::Choose | Must::ChooseOrAdd) => openings::choose(game, must, count, &mut numbers, stop),
        Must::Place if openings::is_placing(game) => openings::place(game, count, &mut numbers, stop),
        Must::Place => Tree::new(game, &mut numbers).search(count, &mut numbers, stop),
    }
}

/// A position in the tree, reached by a stone of `colour` at `at`.
struct Node {
    at: Point,
    colour: Colour,
    visits: u32,
    /// The sum of what `colour` got.
    reward: f32,
    /// Its branches: the first one's place in the tree, and their number. None in a leaf.
    first: usize,
    branches: usize,
}

impl Node {
    /// What speaks for it, among branches of a node with this logarithm of visits.
    fn promise(&self, visits_log: f32) -> f32 {
        if self.visits == 0 {
            return f32::INFINITY;
        }
        let visits = self.visits as f32;
        self.reward / visits + CURIOSITY * (visits_log / visits).sqrt()
    }
}

struct Tree {
    game: Game,
    /// The root comes first; its own stone means nothing.
    nodes: Vec<Node>,
    /// From the root to the present position.
    path: Vec<usize>,
}

impl Tree {
    fn new(game: &Game, numbers: &mut Numbers) -> Tree {
        let root = Node {
            at: game.rules().board().centre(),
            colour: turn(game).colour,
            visits: 0,
            reward: 0.0,
            first: 0,
            branches: 0,
        };
        let mut tree = Tree { game: game.clone(), nodes: vec![root], path: Vec::new() };
        tree.grow(0, numbers);
        tree
    }

    fn search(mut self, count: u32, numbers: &mut Numbers, stop: &mut dyn FnMut() -> bool) -> Action {
        let root = &self.nodes[0];
        let branches = root.first..root.first + root.branches;
        if branches.len() > 1 {
            for _ in 0..count {
                self.descend(numbers);
                let ended = Playout::of(&self.game).run(&mut || numbers.next());
                self.learn(ended);
                if stop() {
                    break;
                }
            }
        }
        let by_visits = |node: &&Node| (node.visits, (node.reward * 16.0) as u32);
        let best = self.nodes[branches].iter().max_by_key(by_visits);
        Action::place(best.expect("a running game has a legal point").at)
    }

    /// From the root to a leaf, by what promises most.
    fn descend(&mut self, numbers: &mut Numbers) {
        let mut at = 0;
        self.path.clear();
        self.path.push(at);
        loop {
            if self.nodes[at].branches == 0 {
                if self.nodes[at].visits < GROW_VISITS || self.game.result().is_some() {
                    return;
                }
                self.grow(at, numbers);
            }
            at = self.most_promising(at);
            self.game.place(self.nodes[at].at).expect("it was legal when the branch grew");
            self.path.push(at);
        }
    }

    fn most_promising(&self, of: usize) -> usize {
        let node = &self.nodes[of];
        let visits_log = (node.visits.max(1) as f32).ln();
        let branches = node.first..node.first + node.branches;
        let promise = |place: &usize| self.nodes[*place].promise(visits_log);
        branches.max_by(|a, b| promise(a).total_cmp(&promise(b))).expect("a branch")
    }

    /// Gives a leaf its branches, in an order of their own.
    fn grow(&mut self, leaf: usize, numbers: &mut Numbers) {
        let mut points = near(&self.game);
        numbers.shuffle(&mut points);
        let colour = turn(&self.game).colour;
        self.nodes[leaf].first = self.nodes.len();
        self.nodes[leaf].branches = points.len();
        let branch = |at| Node { at, colour, visits: 0, reward: 0.0, first: 0, branches: 0 };
        self.nodes.extend(points.into_iter().map(branch));
    }

    /// Tells the whole path how the playout ended, and goes back to the root.
    fn learn(&mut self, ended: Ended) {
        let sides = self.game.rules().sides();
        for &place in &self.path {
            let node = &mut self.nodes[place];
            node.visits += 1;
            node.reward += reward(ended, node.colour, sides);
        }
        for _ in 1..self.path.len() {
            self.game.undo();
        }
    }
}

/// 1 for a win alone, a part of it for one that is shared or a draw.
fn reward(ended: Ended, colour: Colour, sides: u8) -> f32 {
    match ended {
        Ended::Win { winners, .. } if ended.has_won(colour) => 1.0 / winners.count_ones() as f32,
        Ended::Win { .. } => 0.0,
        Ended::Draw(_) => 1.0 / f32::from(sides),
    }
}
