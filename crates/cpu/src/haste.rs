//! A move made in haste, as people make them at a table of three or four: busy with their own stones, they see a few
//! points near the others, and of what the others threaten at most a win with the next stone. Their own line they do
//! complete.

use rules::{Action, Colour, Game, Point};

use crate::mix;
use crate::picture::{Picture, cell};

/// What is seen at a glance.
struct Glance {
    /// Points that are thought of.
    points: usize,
    /// How often a win of the next player is seen, and one of a later player, in percent.
    wins: [u64; 2],
}

// Measured by play: so the lowest level, all of whose moves are of this kind, loses most games to the novice and is as
// far as can be from a player who looks. With three sides it would lose nearly all if it left a win to the other enemy
// to stop; with four it would lose more if it did not.
const OF_THREE: Glance = Glance { points: 4, wins: [100, 100] };
const OF_FOUR: Glance = Glance { points: 3, wins: [100, 0] };

/// A stone of the player to act; `None` where no near point is legal.
pub fn hasty(game: &Game, seed: u64) -> Option<Action> {
    let colour = game.turn()?.colour;
    let glance = if game.rules().sides() == 3 { &OF_THREE } else { &OF_FOUR };
    let picture = Picture::new(game);
    let near = picture.near();
    let legal = |at: &Point| near.contains(&cell(*at)) && game.check(*at).is_ok();
    let mut points: Vec<Point> = game.rules().board().points().filter(legal).collect();
    let wins = |colour: Colour| points.iter().copied().find(|&at| picture.wins(colour, cell(at)));
    let seen = |&(far, _): &(u64, Colour)| mix(seed, WINS + far) % 100 < glance.wins[usize::from(far > 1)];
    let number = |at: &Point| u64::from(at.row()) << 8 | u64::from(at.column());
    let decisive = wins(colour).or_else(|| others(game, colour).filter(seen).find_map(|(_, enemy)| wins(enemy)));
    let at = decisive.or_else(|| {
        points.sort_by_key(|at| mix(seed, number(at)));
        points.into_iter().take(glance.points).max_by_key(|&at| picture.worth(colour, cell(at)))
    });
    at.map(Action::place)
}

/// Keeps apart what is drawn for a player and what for a point.
const WINS: u64 = 1 << 33;

/// The other colours in turn order, and how far away each is.
fn others(game: &Game, colour: Colour) -> impl Iterator<Item = (u64, Colour)> {
    let mut colours = game.rules().colours();
    let place = colours.iter().position(|&other| other == colour).unwrap_or(0);
    colours.rotate_left(place);
    (0..).zip(colours).skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(seats: u8, stones: &str) -> Vec<String> {
        let game = rules::example::game(&format!("capture-five seats={seats}"), stones);
        let at = |seed| hasty(&game, seed).map_or_else(String::new, |action| action.to_string());
        let mut points: Vec<String> = (0..30).map(at).collect();
        points.sort();
        points.dedup();
        points
    }

    fn stops(points: &[String]) -> usize {
        points.iter().filter(|at| ["G8", "K8"].contains(&at.as_str())).count()
    }

    #[test]
    fn an_own_line_is_completed() {
        let three = points(3, "H8 A1 A15 I8 C1 A13 J8 E1 A11");
        let four = points(4, "H8 A1 A15 O1 I8 C1 A13 O3 J8 E1 A11 O5");
        assert_eq!((stops(&three), stops(&four)), (three.len(), four.len()), "{three:?} {four:?}");
    }

    #[test]
    fn of_three_a_win_is_stopped_whosever_it_is() {
        for stones in ["A1 H8 A15 C1 I8 A13 E1 J8 A11", "A1 A15 H8 C1 A13 I8 E1 A11 J8"] {
            let points = points(3, stones);
            assert_eq!(stops(&points), points.len(), "{points:?}");
        }
    }

    #[test]
    fn of_four_the_next_win_is_stopped_and_a_later_one_left_to_others() {
        let next = points(4, "A1 H8 A15 O1 C1 I8 A13 O3 E1 J8 A11 O5");
        assert_eq!(stops(&next), next.len(), "{next:?}");
        let later = points(4, "A1 A15 H8 O1 C1 A13 I8 O3 E1 A11 J8 O5");
        assert!(later.len() > 2, "{later:?}");
    }
}
