//! Three and four sides, each for itself: a search of what is urgent and what is most promising ([`search`]) on a
//! [`Field`](crate::field::Field). With several enemies a threat is only as good as the number of points that complete
//! it, for each enemy can stop one, and may leave it to the next ([`urgent`]).

mod position;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod urgent;

use rules::{Action, Game, Point, Take};

use crate::choices;
use crate::ground::Ground;
use crate::spots::Spot;
use position::{Came, Position};
use search::Search;

/// What a search may use.
pub struct Limits<'a> {
    /// Positions looked at, at most.
    pub nodes: u64,
    /// Memory for what is remembered, in bytes.
    pub memory: usize,
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
    /// Stones that were looked ahead.
    pub depth: u32,
    /// What the player to act can expect if all others play against it: 1 is a win alone, 0 a loss.
    pub reward: f32,
    /// It wins with this stone.
    pub is_won: bool,
    pub line: Vec<Point>,
}

/// The best move for the player to act on another point than those barred; `None` if none came into question. The ground is that of the game's rules,
/// which are for three or four sides.
pub fn best(ground: &Ground, game: &Game, limits: Limits, barred: &[Point]) -> Option<Found> {
    match ground.colours.len() {
        3 => best_of::<3>(ground, game, limits, barred),
        _ => best_of::<4>(ground, game, limits, barred),
    }
}

fn best_of<const N: usize>(ground: &Ground, game: &Game, limits: Limits, barred: &[Point]) -> Option<Found> {
    let limits = Limits { stop: &mut *limits.stop, ..limits };
    let mut search = Search::<N>::new(ground, game, limits);
    let choice = search.run(game, barred)?;
    let take = what_to_take::<N>(ground, game, choice.spot);
    Some(Found {
        action: Action::Place { at: ground.point(choice.spot), take },
        nodes: search.nodes.max(1),
        depth: choice.depth,
        reward: choice.reward,
        is_won: choice.is_won,
        line: choice.line.iter().map(|&spot| ground.point(spot)).collect(),
    })
}

/// So many groups are weighed one by one where taking is free; with more, all are taken.
const GROUPS_MAX: usize = 4;
/// Leaving a group must be worth so many times as much as taking all.
const LEAVE_LEAST: f32 = 1.4;

/// The groups to take with a stone here: all, unless taking is free and another choice is clearly better.
fn what_to_take<const N: usize>(ground: &Ground, game: &Game, spot: Spot) -> Take {
    let at = ground.point(spot);
    let others = choices::others(game, at, GROUPS_MAX);
    if others.is_empty() {
        return Take::All;
    }
    let all = worth_of_taking::<N>(ground, game, at, Take::All).map_or(-1.0, |worth| worth * LEAVE_LEAST);
    let mut best = (all, Take::All);
    for take in others.into_iter().map(Take::Just) {
        if let Some(worth) = worth_of_taking::<N>(ground, game, at, take.clone())
            && worth > best.0
        {
            best = (worth, take);
        }
    }
    best.1
}

/// What the mover can expect after a stone that takes these groups; `None` if that is not legal.
fn worth_of_taking<const N: usize>(ground: &Ground, game: &Game, at: Point, take: Take) -> Option<f32> {
    let mut after = game.clone();
    let side = ground.side_of(game.turn()?.colour);
    after.play(&Action::Place { at, take }).ok()?;
    let rewards = match position::outcome(ground, &after) {
        Came::Over(winners) => position::rewards::<N>(winners),
        Came::On | Came::Illegal => Position::of(ground, &after).settled(ground, side),
    };
    Some(rewards[side])
}
