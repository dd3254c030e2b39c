//! The scripted novice: somebody who has just been told how to win.

use rules::{Action, Colour, Forbidden, Game, Must, Overline, Point, Rules};

use super::near::{legal, near};
use super::{COLOURS, Numbers, turn};

/// Steps along the four axes.
const AXES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Completes its own line where it can; else takes a point where some enemy could complete one with its next stone,
/// the next player's first; else puts a stone next to those in its longest row that still has room for a line.
/// Captures, fouls that it could use and lines that wait mean nothing to it. The seed decides among equals, and which
/// colour it chooses in an opening.
///
/// # Panics
/// When the game is over.
pub fn novice(game: &Game, seed: u64) -> Action {
    let mut numbers = Numbers::new(seed, game);
    let turn = turn(game);
    match turn.must {
        Must::Choose | Must::ChooseOrAdd => return numbers.one_of(&COLOURS).clone(),
        Must::Place => {}
    }
    let points = legal(game);
    for colour in from(turn.colour, game.rules()) {
        let completing: Vec<Point> = points.iter().copied().filter(|&at| completes(game, at, colour)).collect();
        if !completing.is_empty() {
            return Action::place(*numbers.one_of(&completing));
        }
    }
    let near = near(game);
    let longest = near.iter().map(|&at| row_with_room(game, at, turn.colour)).max();
    let best: Vec<Point> =
        near.into_iter().filter(|&at| Some(row_with_room(game, at, turn.colour)) == longest).collect();
    Action::place(*numbers.one_of(&best))
}

/// The colours in play in turn order, from this one on.
fn from(colour: Colour, rules: &Rules) -> Vec<Colour> {
    let mut colours = rules.colours();
    let place = colours.iter().position(|&other| other == colour).unwrap_or(0);
    colours.rotate_left(place);
    colours
}

/// Whether a stone of this colour here would make a line.
fn completes(game: &Game, at: Point, colour: Colour) -> bool {
    let line = game.rules().line();
    let longer_wins = longer_wins(game.rules(), colour);
    AXES.iter().any(|&axis| {
        let row = stretch(game, at, axis, &|stone| stone == Some(colour));
        row == line || row > line && longer_wins
    })
}

/// Stones in the longest row of this colour that a stone here would belong to, where its axis has room for a line.
fn row_with_room(game: &Game, at: Point, colour: Colour) -> u8 {
    let row = |axis| stretch(game, at, axis, &|stone| stone == Some(colour));
    let room = |axis| stretch(game, at, axis, &|stone| stone.is_none() || stone == Some(colour));
    let line = game.rules().line();
    // A row that is too long for a line leads nowhere.
    let longest = if longer_wins(game.rules(), colour) { Point::SIDE_MAX } else { line };
    let rows = AXES.iter().filter(|&&axis| room(axis) >= line).map(|&axis| row(axis));
    rows.filter(|&row| row <= longest).max().unwrap_or(0)
}

/// Points on this axis through `at`, itself counted as one that suits, up to the first on either side that does not.
fn stretch(game: &Game, at: Point, (right, up): (i8, i8), suits: &dyn Fn(Option<Colour>) -> bool) -> u8 {
    let board = game.rules().board();
    let towards = |sign: i8| {
        let step = |from: &Point| {
            let column = from.column().checked_add_signed(sign * right)?;
            let row = from.row().checked_add_signed(sign * up)?;
            Point::new(column, row).filter(|&to| board.contains(to) && suits(game.stone(to)))
        };
        std::iter::successors(Some(at), step).skip(1).count() as u8
    };
    1 + towards(1) + towards(-1)
}

fn longer_wins(rules: &Rules, colour: Colour) -> bool {
    let exact_only = match rules.options().forbidden {
        Forbidden::Renju => colour == Colour::Black,
        Forbidden::None | Forbidden::DoubleThreeFirst | Forbidden::DoubleThreeBoth => false,
    };
    match rules.options().overline {
        Overline::Wins => !exact_only,
        Overline::NoWin => false,
    }
}
