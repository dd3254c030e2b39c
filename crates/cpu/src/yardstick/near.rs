//! Which points a simple player looks at.

use rules::{Game, Point};

/// Steps from a stone, in any direction, up to which a point is near.
const NEAR: u8 = 2;

/// Every legal point, by row then column. A running game that waits for a stone has one.
pub fn legal(game: &Game) -> Vec<Point> {
    game.rules().board().points().filter(|&at| is_legal(game, at)).collect()
}

/// The legal points near a stone; on an empty board the centre, and all legal points where none of these is legal.
pub fn near(game: &Game) -> Vec<Point> {
    let board = game.rules().board();
    let mut seen = [[false; Point::SIDE_MAX as usize]; Point::SIDE_MAX as usize];
    let stones = board.points().filter(|&at| game.stone(at).is_some());
    let middles: Vec<Point> = if game.ply() == 0 { vec![board.centre()] } else { stones.collect() };
    let reach = if game.ply() == 0 { 0 } else { NEAR };
    for middle in middles {
        let around =
            |place: u8| usize::from(place.saturating_sub(reach))..=usize::from((place + reach).min(board.side() - 1));
        for row in around(middle.row()) {
            for column in around(middle.column()) {
                seen[row][column] = true;
            }
        }
    }
    let is_seen = |at: &Point| seen[usize::from(at.row())][usize::from(at.column())];
    let points: Vec<Point> = board.points().filter(|at| is_seen(at) && is_legal(game, *at)).collect();
    if points.is_empty() { legal(game) } else { points }
}

fn is_legal(game: &Game, at: Point) -> bool {
    game.stone(at).is_none() && game.check(at).is_ok()
}
