//! Openings in which one places stones and the other chooses a colour (RULES.md, section 7).

use rules::{Action, Colour, Game, Must, Opening, Point};

use crate::mix;
use crate::picture::{Picture, cell};

/// Positions nearer to even than this, in the worth of line windows, are handed back with `add`.
const EVEN: i32 = 60;

/// Whether the stone to be placed belongs to the stones that are placed before colours are chosen.
pub fn placing(game: &Game) -> bool {
    let chosen = game.actions().iter().any(|action| matches!(action, Action::Choose(_)));
    match game.rules().options().opening {
        Opening::PlaceFour | Opening::PlaceThree => !chosen,
        Opening::None | Opening::Centre | Opening::CentreFar => false,
    }
}

/// A stone near the middle that touches none of its own colour: the placer wants a position that is even.
pub fn place(game: &Game, seed: u64) -> Action {
    let board = game.rules().board();
    let centre = board.centre();
    let colour = game.turn().map_or(Colour::Black, |turn| turn.colour);
    let free = |point: &Point| game.stone(*point).is_none() && game.check(*point).is_ok();
    let distance =
        |point: &Point, other: Point| point.column().abs_diff(other.column()).max(point.row().abs_diff(other.row()));
    let mut points: Vec<Point> = board.points().filter(free).collect();
    points.sort_by_key(|point| {
        let touches =
            board.points().filter(|other| game.stone(*other) == Some(colour) && distance(point, *other) <= 2).count();
        let ring = distance(point, centre) / 4;
        (ring, touches, mix(seed, cell(*point) as u64 + 1_000 * u64::from(game.ply())))
    });
    Action::place(*points.first().expect("a running game has a legal point"))
}

/// The colour that stands better; `add` where it may be said and neither does.
pub fn choose(game: &Game, must: Must) -> Action {
    let picture = Picture::new(game);
    let [first, second] = [Colour::Black, Colour::White].map(|colour| standing(&picture, colour));
    // In both openings white has a stone less or it is black's turn: the one to move stands better by a tempo.
    let to_move = if game.rules().options().opening == Opening::PlaceThree { Colour::White } else { Colour::Black };
    let tempo = |colour| if colour == to_move { EVEN * 2 } else { 0 };
    let lead = first + tempo(Colour::Black) - second - tempo(Colour::White);
    match must {
        Must::ChooseOrAdd if lead.abs() < EVEN => Action::Add,
        Must::Choose | Must::ChooseOrAdd | Must::Place => {
            Action::Choose(if lead >= 0 { Colour::Black } else { Colour::White })
        }
    }
}

/// What the best three points are worth to a colour.
fn standing(picture: &Picture, colour: Colour) -> i32 {
    let mut worth: Vec<i32> = picture.near().iter().map(|&at| picture.worth(colour, at)).collect();
    worth.sort_unstable_by(|a, b| b.cmp(a));
    worth.iter().take(3).sum()
}
