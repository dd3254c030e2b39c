//! A move made in haste, as people make them at a table of three or four: busy with their own stones, they see a few
//! points near the others and nothing of what anybody threatens. Their own line they do complete.

use rules::{Action, Game, Point};

use crate::mix;
use crate::picture::{Picture, cell};

/// Points that are seen at a glance.
const SEEN: usize = 5;

/// A stone of the player to act; `None` where no near point is legal.
pub fn hasty(game: &Game, seed: u64) -> Option<Action> {
    let colour = game.turn()?.colour;
    let picture = Picture::new(game);
    let near = picture.near();
    let legal = |at: &Point| near.contains(&cell(*at)) && game.check(*at).is_ok();
    let mut points: Vec<Point> = game.rules().board().points().filter(legal).collect();
    let wins = points.iter().find(|&&at| picture.wins(colour, cell(at)));
    let number = |at: &Point| u64::from(at.row()) << 8 | u64::from(at.column());
    let at = wins.copied().or_else(|| {
        points.sort_by_key(|at| mix(seed, number(at)));
        points.into_iter().take(SEEN).max_by_key(|&at| picture.worth(colour, cell(at)))
    });
    at.map(Action::place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(stones: &str) -> Vec<String> {
        let game = rules::example::game("capture-five seats=3", stones);
        let at = |seed| hasty(&game, seed).map_or_else(String::new, |action| action.to_string());
        let mut points: Vec<String> = (0..30).map(at).collect();
        points.sort();
        points.dedup();
        points
    }

    #[test]
    fn a_line_is_completed_and_nobody_stopped() {
        let completing = points("H8 A1 A15 I8 C1 A13 J8 E1 A11");
        assert!(completing.iter().all(|at| ["G8", "K8"].contains(&at.as_str())), "{completing:?}");
        // White needs one stone; black sees other points as well.
        let others = points("A1 H8 A15 C1 I8 A13 E1 J8 A11");
        assert!(others.len() > 2, "{others:?}");
    }
}
