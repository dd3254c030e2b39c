//! Two sides, teams included: alpha-beta on a [`Field`].

mod choices;
mod fours;
mod moves;
mod proof;
mod search;

use rules::{Game, Opening, Point, Take};

use crate::cache::{Cache, NOWHERE};
use crate::field::{Done, Field};
use crate::ground::Ground;
use crate::net::Net;
use crate::spots::{SPOTS, Spot};

/// The worth that stands for odds of e to 1, in all searches.
pub const ODDS: i32 = 200;
/// A won position is worth this, less the stones until the win.
pub const WIN: i32 = 30_000;
/// From here on a score is a forced win.
pub const WON: i32 = WIN - 1_000;
/// The deepest line that is looked at, in stones.
pub const PLIES_MAX: usize = 96;

/// The two sides' field.
pub type Two = Field<2, 1>;

/// A position on the way down.
#[derive(Clone)]
struct Node {
    field: Two,
    taken: [u16; 2],
    /// The side to move.
    turn: usize,
    /// Stones placed in the whole game.
    stones: u16,
}

/// What came of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    /// The game goes on.
    On,
    /// The rules forbid it; nothing has changed.
    Illegal,
    /// The mover has won.
    Won,
    Lost,
    Draw,
}

impl Came {
    /// What came of a side's stone, by the game after it.
    fn of(ground: &Ground, game: &Game, side: usize) -> Came {
        match ground.winners(game) {
            None => Came::On,
            Some(0) => Came::Draw,
            Some(winners) if winners >> side & 1 != 0 => Came::Won,
            Some(_) => Came::Lost,
        }
    }
}

impl Node {
    fn of(ground: &Ground, game: &Game) -> Node {
        let turn = game.turn().expect("a running game");
        let taken = ground.captured(game);
        Node { field: Two::of(ground, game), taken, turn: ground.side_of(turn.colour), stones: game.ply() }
    }

    fn hash(&self) -> u64 {
        let told = u64::from(self.taken[0]) | u64::from(self.taken[1]) << 16 | (self.turn as u64) << 32;
        self.field.hash ^ crate::mix(0x7A_6B, told)
    }

    /// The side to move plays here.
    #[inline(always)]
    fn play(&mut self, ground: &Ground, spot: Spot) -> Came {
        let side = self.turn;
        let done = self.field.play(ground, spot, side);
        self.taken[side] += done.taken;
        self.pass();
        self.stones += 1;
        self.end(ground, side, done)
    }

    fn pass(&mut self) {
        self.turn = 1 - self.turn;
    }

    fn end(&self, ground: &Ground, side: usize, done: Done) -> Came {
        let own = done.line || done.taken > 0 && self.taken[side] >= ground.goal;
        let other = done.trimmed & (1 << (1 - side)) != 0;
        match (own, other) {
            (true, true) => Came::Draw,
            (true, false) => Came::Won,
            (false, true) => Came::Lost,
            (false, false) if self.field.empty == 0 => Came::Draw,
            (false, false) => Came::On,
        }
    }

    /// The side to move plays here, and a game of the same position judges what comes of it.
    fn play_judged(&mut self, ground: &Ground, spot: Spot, judge: &mut Game) -> Came {
        let side = self.turn;
        if !self.field.play_judged(ground, spot, side, judge) {
            return Came::Illegal;
        }
        self.taken = ground.captured(judge);
        self.pass();
        self.stones += 1;
        Came::of(ground, judge, side)
    }
}

/// Everything that a search keeps.
pub struct Search<'a> {
    ground: &'a Ground,
    cache: &'a Cache,
    /// The game as it stands on the way down, where the rules say more than a field knows.
    judge: Option<Game>,
    stack: Vec<Node>,
    no_fours: fours::NoFours,
    proofs: proof::Proofs,
    /// What positions are worth, where that has been learnt.
    net: Option<Net>,
    /// The stones and the answers of the win by fours that was found last, in no order.
    trail: Vec<Spot>,
    /// The best line found from each ply on.
    lines: Vec<Vec<Spot>>,
    killers: Vec<[Spot; 2]>,
    /// How often a side's stone here has refuted something.
    history: Box<[[i32; SPOTS]; 2]>,
    pub nodes: u64,
    nodes_max: u64,
    /// The depth that is searched at present, and the one that it begins with.
    depth: i32,
    depth_first: i32,
    next_ask: u64,
    stopped: bool,
    stop: &'a mut dyn FnMut() -> bool,
    /// Points left out at the root.
    barred: Vec<Spot>,
    /// The stones at the root that may take less than they could, and which of them is the best of all, if one is.
    choices: Vec<choices::Choice>,
    choice: Option<usize>,
    /// How far moves at the root are misjudged, and by what number.
    whim: (i32, u64),
    /// At move 3 of the centre rules: the least distance from the centre.
    centre_least: u8,
    /// A win is asked for, with its line, rather than a move.
    pub solves: bool,
    pub tuning: Tuning,
}

/// What the search leaves out and looks at less deeply. Depths are in stones, scores in the unit of
/// [`Thought::score`](crate::Thought).
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Down to this depth only so many quiet stones are tried: `first + step·depth + square·depth²/4`.
    pub late_depth: i32,
    pub late_first: i32,
    pub late_step: i32,
    pub late_square: i32,
    /// At this depth and below a quiet stone is left out if the position's worth, `step·depth`, and so many sixteenths
    /// of the stone's place in the order do not reach what is known already.
    pub futile_depth: i32,
    pub futile_step: i32,
    pub futile_order: i32,
    /// In hundredths of a stone; the others times ln(depth)·ln(number of stones tried).
    pub reduce_base: i32,
    pub reduce_forcing: i32,
    pub reduce_quiet: i32,
    /// At this depth and below a position is left that is better by `step·depth` than the other side will allow.
    pub good_depth: i32,
    pub good_step: i32,
    /// The same for one that is worse than what is known already.
    pub bad_depth: i32,
    pub bad_step: i32,
    /// Positions that a look for a win by fours may cost, at a leaf and above.
    pub fours_leaf: i32,
    pub fours_inner: i32,
    /// Hundredths of all positions that looking for wins by threats may cost, and where the position is good already.
    pub threats: u64,
    pub threats_hoped: u64,
    /// Up to so many hundredths of the depth, counted from the root, the answer to a threat of an open four costs no depth.
    pub soon_near: i32,
    /// What a stone taken is worth, and what the square of all of them is, as a part of the goal.
    pub taken: i32,
    pub taken_square: i32,
    /// What a stone that can be taken is worth to the side to move, and to the other.
    pub takeable_to_move: i32,
    pub takeable: i32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            late_depth: 30,
            late_first: 4,
            late_step: 3,
            late_square: 4,
            futile_depth: 3,
            futile_step: 70,
            futile_order: 4,
            reduce_base: 40,
            reduce_forcing: 30,
            reduce_quiet: 80,
            good_depth: 7,
            good_step: 75,
            bad_depth: 2,
            bad_step: 220,
            fours_leaf: 8,
            fours_inner: 0,
            threats: 3,
            threats_hoped: 20,
            soon_near: 50,
            taken: 37,
            taken_square: 60,
            takeable_to_move: 92,
            takeable: 58,
        }
    }
}

/// The next ply's position, made the same as this one's.
#[inline(always)]
fn copy_on<'a>(ground: &Ground, stack: &'a mut Vec<Node>, ply: usize) -> &'a mut Node {
    if stack.len() == ply + 1 {
        stack.push(stack[ply].clone());
    }
    let (before, after) = stack.split_at_mut(ply + 1);
    let (before, after) = (&before[ply], &mut after[0]);
    after.field.copy_from(ground, &before.field);
    (after.taken, after.turn, after.stones) = (before.taken, before.turn, before.stones);
    after
}

/// Nodes between two questions whether to stop.
const ASK_EVERY: u64 = 256;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Found {
    pub best: Spot,
    pub take: Take,
    /// For the side to move.
    pub score: i32,
    pub depth: i32,
    pub line: Vec<Spot>,
}

impl Found {
    /// The best point; `None` where none came into question.
    pub fn point(&self, ground: &Ground) -> Option<Point> {
        (self.best != NOWHERE).then(|| ground.point(self.best))
    }
}

impl<'a> Search<'a> {
    pub fn new(
        ground: &'a Ground,
        cache: &'a Cache,
        game: &Game,
        nodes_max: u64,
        stop: &'a mut dyn FnMut() -> bool,
    ) -> Search<'a> {
        let root = Node::of(ground, game);
        Search {
            ground,
            cache,
            judge: (!ground.is_plain).then(|| game.clone()),
            stack: vec![root],
            no_fours: fours::NoFours::new(),
            proofs: proof::Proofs::new(),
            net: None,
            trail: Vec::new(),
            lines: vec![Vec::new(); PLIES_MAX + 2],
            killers: vec![[NOWHERE; 2]; PLIES_MAX + 2],
            history: Box::new([[0; SPOTS]; 2]),
            nodes: 0,
            nodes_max,
            depth: 0,
            depth_first: 1,
            next_ask: ASK_EVERY,
            stopped: false,
            stop,
            barred: Vec::new(),
            choices: Vec::new(),
            choice: None,
            whim: (0, 0),
            solves: false,
            tuning: Tuning::default(),
            centre_least: match game.rules().options().opening {
                Opening::Centre => 3,
                Opening::CentreFar => 4,
                Opening::None | Opening::PlaceFour | Opening::PlaceThree => 0,
            },
        }
    }

    /// Lets it help another search of the same position, by what it writes to the cache they share. Helpers of different
    /// numbers begin at different depths, so that they are seldom at the same place.
    pub fn help(&mut self, number: usize) {
        self.depth_first = 1 + (number % 2) as i32;
        (self.tuning.threats, self.tuning.threats_hoped) = (0, 0);
    }

    /// Lets it look for no wins by fours, and misjudge the moves at the root by so much at most.
    pub fn fall_short(&mut self, fours: bool, whim: i32, seed: u64) {
        if !fours {
            (self.tuning.fours_leaf, self.tuning.fours_inner) = (0, 0);
            (self.tuning.threats, self.tuning.threats_hoped) = (0, 0);
        }
        self.whim = (whim, seed);
    }

    /// Lets it judge positions by what was learnt from games, where that is for these rules.
    pub fn judge_as_learnt(&mut self) {
        self.net = Net::of(self.ground);
    }

    /// Copies the position at a ply to the next one and plays there. [`Search::leave`] takes it back, unless it was
    /// illegal.
    #[inline(always)]
    fn play(&mut self, ply: usize, spot: Spot) -> Came {
        self.count();
        let after = copy_on(self.ground, &mut self.stack, ply);
        match &mut self.judge {
            None => after.play(self.ground, spot),
            Some(judge) => after.play_judged(self.ground, spot, judge),
        }
    }

    #[inline(always)]
    fn leave(&mut self) {
        if let Some(judge) = &mut self.judge {
            judge.undo();
        }
    }

    /// The line that waits for the next stone, if one does.
    fn line_waits(&self) -> bool {
        self.judge.as_ref().is_some_and(|judge| judge.overtime().is_some())
    }

    fn is_legal(&self, spot: Spot) -> bool {
        self.judge.as_ref().is_none_or(|judge| judge.check(self.ground.point(spot)).is_ok())
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_ask {
            self.next_ask = self.nodes + ASK_EVERY;
            self.stopped |= self.nodes >= self.nodes_max || (self.stop)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Plays at random near the stones, with a judge and without: both come to the same.
    fn agree(text: &str, seed: u64) {
        let mut judge = rules::example::game(text, "");
        let ground = Ground::new(judge.rules());
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut node = Node::of(&ground, &judge);
        loop {
            let near: Vec<Spot> = node.field.near().iter().collect();
            let spot = match near.len() {
                0 => ground.spot(judge.rules().board().centre()),
                count => near[random.random_range(0..count)],
            };
            let mut judged = node.clone();
            let came = node.play(&ground, spot);
            assert_eq!(came, judged.play_judged(&ground, spot, &mut judge), "{:?}", judge.actions());
            if came != Came::On {
                return;
            }
            assert!(node.field == judged.field && node.taken == judged.taken && node.turn == judged.turn);
        }
    }

    #[test]
    fn a_field_comes_to_what_the_rules_say() {
        for seed in 0..30 {
            agree("capture-five", seed);
            agree("capture-five capture_threes=true overline=wins board=9", seed);
            agree("capture-five seats=4 teams=true", seed);
            agree("gomoku overline=no-win board=9", seed);
            agree("pente opening=none", seed);
        }
    }
}
