//! The eight ways in which a square board lies on itself.

use rules::{Colour, Game, Point};

/// What lies on a board, the same for positions that are each other's turned or mirrored ones.
pub type Least = Vec<(u8, u8, usize)>;

/// The least of a position's eight pictures: column, row and colour of each stone, in order.
pub fn least(game: &Game) -> Least {
    let last = game.rules().board().side() - 1;
    let stones: Vec<(Point, Colour)> =
        game.rules().board().points().filter_map(|at| Some((at, game.stone(at)?))).collect();
    let picture = |way: u8| {
        let mut picture: Least = stones
            .iter()
            .map(|&(at, colour)| {
                let (column, row) = turned((at.column(), at.row()), way, last);
                (column, row, colour.index())
            })
            .collect();
        picture.sort_unstable();
        picture
    };
    (0..WAYS).map(picture).min().unwrap_or_default()
}

const WAYS: u8 = 8;

/// A place on the board turned in one of the eight ways; `last` is the last column's number.
fn turned((column, row): (u8, u8), way: u8, last: u8) -> (u8, u8) {
    let (column, row) = if way & 1 == 0 { (column, row) } else { (last - column, row) };
    let (column, row) = if way & 2 == 0 { (column, row) } else { (column, last - row) };
    if way & 4 == 0 { (column, row) } else { (row, column) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rules::Preset;

    use super::*;

    fn of(stones: &str) -> Least {
        let actions: Vec<_> = stones.split(' ').map(|at| at.parse().expect("a stone")).collect();
        least(&Game::replay(rules::Rules::of(Preset::Gomoku), &actions).expect("legal"))
    }

    #[test]
    fn turned_and_mirrored_positions_are_one() {
        // A knight's move from the centre, in all eight directions.
        let all = ["J9", "J7", "F9", "F7", "I10", "I6", "G10", "G6"].map(|at| of(&format!("H8 {at}")));
        assert_eq!(all.into_iter().collect::<BTreeSet<_>>().len(), 1);
        assert_eq!(of("A1 B2 C3"), of("O15 N14 M13"));
        assert_ne!(of("H8 I9"), of("H8 I8"));
        assert_ne!(of("H8 A1"), of("A1 H8"), "colours count");
    }
}
