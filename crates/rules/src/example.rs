//! Games and pictures from text, for the examples in these docs; they panic on what an example cannot mean.

use crate::{Action, Colour, Game, Point};

/// A game under these rules (a preset's name and `option=value` words) after these stones, each of which takes all it
/// can.
///
/// # Panics
/// When there are no such rules, or a stone is refused.
pub fn game(rules_text: &str, stones: &str) -> Game {
    let mut game = Game::new(rules_text.parse().unwrap_or_else(|error| panic!("{rules_text:?}: {error}")));
    play(&mut game, stones);
    game
}

/// Plays more stones.
///
/// # Panics
/// When one is refused.
pub fn play(game: &mut Game, stones: &str) {
    for text in stones.split_whitespace() {
        game.play(&Action::place(at(text))).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
    }
}

/// A point from text.
///
/// # Panics
/// When it is none.
pub fn at(text: &str) -> Point {
    text.parse().unwrap_or_else(|_| panic!("no point: {text:?}"))
}

/// Points as text.
pub fn names(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

/// Holds a part of the board against a picture whose lower left point is `corner`: `B W U R`, `.` for empty.
///
/// # Panics
/// When they differ.
pub fn shows(game: &Game, corner: &str, picture: &str) {
    let corner = at(corner);
    let rows: Vec<&str> = picture.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    for (up, row) in (0..).zip(rows.iter().rev()) {
        for (right, cell) in (0..).zip(row.chars().filter(|cell| !cell.is_whitespace())) {
            let point = Point::new(corner.column() + right, corner.row() + up);
            let point = point.unwrap_or_else(|| panic!("the picture reaches beyond the board"));
            let letter = match game.stone(point) {
                None => '.',
                Some(Colour::Black) => 'B',
                Some(Colour::White) => 'W',
                Some(Colour::Blue) => 'U',
                Some(Colour::Red) => 'R',
            };
            assert_eq!(letter, cell, "on {point}");
        }
    }
}
