//! Which groups to take, where that is free (`forced_capture` off).

use rules::{Action, Game, Group, Point, Take};

/// The most groups that one stone can take: one in each direction.
pub const GROUPS_ALL: usize = 8;

/// Every choice of groups for a stone here but to take all: none where captures are forced, where nothing can be taken,
/// and where there are more groups than said.
pub fn others(game: &Game, at: Point, groups_max: usize) -> Vec<Vec<Group>> {
    let options = game.rules().options();
    if !options.captures || options.forced_capture {
        return Vec::new();
    }
    let groups = game.groups(at);
    if groups.is_empty() || groups.len() > groups_max {
        return Vec::new();
    }
    let chosen = |choice: u32| {
        let some = groups.iter().enumerate().filter(move |(group, _)| choice >> group & 1 != 0);
        some.map(|(_, group)| group.clone()).collect()
    };
    (0..(1u32 << groups.len()) - 1).map(chosen).collect()
}

/// Every way to place a stone here: taking all, then the others.
pub fn ways(game: &Game, at: Point) -> impl Iterator<Item = Action> + use<> {
    let others = others(game, at, GROUPS_ALL);
    let others = others.into_iter().map(move |some| Action::Place { at, take: Take::Just(some) });
    std::iter::once(Action::place(at)).chain(others)
}
