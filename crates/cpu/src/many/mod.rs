//! Three and four sides, each for itself: a tree that grows where it is promising ([`tree`]). Its leaves are played out
//! on [`stones`] alone; which points are tried is decided on a [`Field`](crate::field::Field) ([`grow`]). With several
//! enemies a threat is only as good as the number of points that complete it, for each enemy can stop one, and may leave
//! it to the next ([`urgent`]).

mod grow;
mod playout;
mod position;
mod stones;
#[cfg(test)]
mod tests;
mod tree;
mod urgent;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rules::{Action, Game, Point, Take};

use crate::choices;
use crate::ground::Ground;
use crate::spots::Spot;
use playout::Numbers;
use position::rewards;
use stones::{Plan, Stones};
use tree::{Choice, Tree};

/// What a search may use.
pub struct Limits<'a> {
    /// Positions played out, at most.
    pub nodes: u64,
    /// Memory for what is remembered, in bytes.
    pub memory: usize,
    /// That search at the same time.
    pub threads: usize,
    /// How far a stone is misjudged, at most, in the unit of [`crate::Thought::score`].
    pub whim: i32,
    /// Decides among equals.
    pub seed: u64,
    /// Ends the search when true; asked at least every 2 ms.
    pub stop: &'a mut dyn FnMut() -> bool,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub action: Action,
    pub nodes: u64,
    /// Stones of the line.
    pub depth: u32,
    /// What the player to act can expect: 1 is a win alone, 0 a loss.
    pub reward: f32,
    /// It wins with this stone.
    pub is_won: bool,
    pub line: Vec<Point>,
}

/// The best move for the player to act on another point than those barred; `None` if none came into question. The
/// ground is that of the game's rules, which are for three or four sides.
pub fn best(ground: &Ground, game: &Game, limits: Limits, barred: &[Point]) -> Option<Found> {
    match ground.colours.len() {
        3 => best_of::<3>(ground, game, limits, barred),
        _ => best_of::<4>(ground, game, limits, barred),
    }
}

fn best_of<const N: usize>(ground: &Ground, game: &Game, limits: Limits, barred: &[Point]) -> Option<Found> {
    let seed = limits.seed;
    let (choice, leaves) = search::<N>(ground, game, limits, barred);
    let choice = choice?;
    let take = what_to_take::<N>(ground, game, choice.spot, seed);
    let action = Action::Place { at: ground.point(choice.spot), take };
    Some(Found {
        nodes: leaves.max(1),
        depth: choice.line.len() as u32,
        reward: choice.reward,
        is_won: wins_alone(ground, game, &action),
        line: choice.line.iter().map(|&spot| ground.point(spot)).collect(),
        action,
    })
}

/// The stone that a tree chooses, and the leaves looked at. With several threads each grows a tree of its own, from
/// numbers of its own, and the first one's branches are taken with what all have come to.
fn search<const N: usize>(ground: &Ground, game: &Game, limits: Limits, barred: &[Point]) -> (Option<Choice>, u64) {
    let Limits { nodes, whim, seed, .. } = limits;
    let (threads, memory) = (limits.threads.max(1), limits.memory / limits.threads.max(1));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let help = |number: usize| {
            let mut stop = || done.load(Relaxed);
            let seed = crate::mix(seed, number as u64);
            let limits = Limits { nodes, memory, threads: 1, whim, seed, stop: &mut stop };
            let mut tree = Tree::<N>::new(ground, game, limits);
            tree.run(game, barred);
            (tree.tally(), tree.leaves)
        };
        let helpers: Vec<_> = (1..threads)
            .filter_map(|number| std::thread::Builder::new().spawn_scoped(scope, move || help(number)).ok())
            .collect();
        let mut tree = Tree::<N>::new(ground, game, Limits { memory, stop: &mut *limits.stop, ..limits });
        tree.run(game, barred);
        done.store(true, Relaxed);
        let mut leaves = tree.leaves;
        for (tally, more) in helpers.into_iter().filter_map(|helper| helper.join().ok()) {
            tree.add(&tally);
            leaves += more;
        }
        (tree.choose(), leaves)
    })
}

fn wins_alone(ground: &Ground, game: &Game, action: &Action) -> bool {
    let mut after = game.clone();
    let me = game.turn().map(|turn| 1 << ground.side_of(turn.colour));
    after.play(action).is_ok() && me.is_some() && ground.winners(&after) == me
}

/// So many groups are weighed one by one where taking is free; with more, all are taken.
const GROUPS_MAX: usize = 3;
/// All choices together are played out so many times. They take 10 ms on a slow machine.
const TAKING_PLAYOUTS: usize = 480;
/// Leaving a group must be worth so many times as much as taking all.
const LEAVE_LEAST: f32 = 1.4;

/// The groups to take with a stone here: all, unless taking is free and another choice is clearly better.
fn what_to_take<const N: usize>(ground: &Ground, game: &Game, spot: Spot, seed: u64) -> Take {
    let at = ground.point(spot);
    let others = choices::others(game, at, GROUPS_MAX);
    if others.is_empty() {
        return Take::All;
    }
    let playouts = TAKING_PLAYOUTS / (1 + others.len());
    let worth = |take: &Take| {
        // All choices meet the same luck.
        worth_of_taking::<N>(ground, game, &Action::Place { at, take: take.clone() }, playouts, Numbers::new(seed))
    };
    let mut best = (worth(&Take::All).map_or(-1.0, |worth| worth * LEAVE_LEAST), Take::All);
    for take in others.into_iter().map(Take::Just) {
        if let Some(worth) = worth(&take)
            && worth > best.0
        {
            best = (worth, take);
        }
    }
    best.1
}

/// What the mover can expect after an action, by so many playouts; `None` if it is not legal.
fn worth_of_taking<const N: usize>(
    ground: &Ground,
    game: &Game,
    action: &Action,
    playouts: usize,
    mut numbers: Numbers,
) -> Option<f32> {
    let mut after = game.clone();
    let side = ground.side_of(game.turn()?.colour);
    after.play(action).ok()?;
    if let Some(winners) = ground.winners(&after) {
        return Some(rewards::<N>(winners)[side]);
    }
    let plan = Plan::new(ground, &after);
    let stones = Stones::<N>::of(&plan, ground, &after);
    let mut once = || rewards::<N>(stones.clone().play_out(&plan, &mut numbers))[side];
    Some((0..playouts).map(|_| once()).sum::<f32>() / playouts as f32)
}
