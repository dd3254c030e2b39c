//! Openings in which one places stones and the other chooses a colour (RULES.md, section 7). Both are a question of
//! worth: the placer wants a position that is even, the chooser the better side of one that is not.

use rules::{Action, Colour, Game, Must, Opening, Point, Stage};

use crate::mix;

/// Positions nearer to even than this are handed back with `add`, in the unit of [`crate::Thought::score`].
const EVEN: i32 = 60;
/// Stones of a placement lie at most so far from the centre.
const SPREAD: u8 = 4;
/// Points that come into question for the last stone before the choice.
const TRIES: usize = 24;

/// Whether the stone to be placed belongs to the stones that are placed before colours are chosen.
pub fn placing(game: &Game) -> bool {
    let chosen = game.actions().iter().any(|action| matches!(action, Action::Choose(_)));
    match game.rules().options().opening {
        Opening::PlaceFour | Opening::PlaceThree => !chosen && stage(game) != Stage::Over,
        Opening::None | Opening::Centre | Opening::CentreFar => false,
    }
}

fn stage(game: &Game) -> Stage {
    game.to_setup().map_or(Stage::Over, |setup| setup.stage)
}

/// The position as if colours were chosen already, for a look at what it is worth to the side whose stone is next.
pub fn as_chosen(game: &Game) -> Option<Game> {
    let setup = rules::Setup { stage: Stage::Over, ply: Some(game.ply()), ..game.to_setup()? };
    Game::from_setup(&setup).ok()
}

/// How far apart two points are, as a king moves.
fn distance(point: Point, other: Point) -> u8 {
    point.column().abs_diff(other.column()).max(point.row().abs_diff(other.row()))
}

/// Free points around the centre in an order that the seed gives.
fn points(game: &Game, seed: u64) -> Vec<Point> {
    let board = game.rules().board();
    let free = |point: &Point| game.stone(*point).is_none() && game.check(*point).is_ok();
    let mut points: Vec<Point> = board.points().filter(free).collect();
    let number = |point: Point| u64::from(point.row()) << 8 | u64::from(point.column()) | u64::from(game.ply()) << 16;
    points.sort_by_key(|&point| (distance(point, board.centre()) > SPREAD, mix(seed, number(point))));
    points
}

/// A stone of a placement. The last one before the choice goes where the position comes nearest to even; `worth` says
/// what a position with the colours chosen is worth to the side whose stone is next.
pub fn place(game: &Game, seed: u64, worth: &mut dyn FnMut(&Game) -> i32) -> Action {
    let points = points(game, seed);
    let away_from_even = |&point: &Point| {
        let mut after = game.clone();
        after.place(point).ok()?;
        let must = after.turn()?.must;
        let chosen = if must == Must::Place { None } else { as_chosen(&after) };
        Some((worth(&chosen?).abs(), point))
    };
    let best = points.iter().take(TRIES).filter_map(away_from_even).min_by_key(|&(away, _)| away);
    let point = best.map(|(_, point)| point).or(points.first().copied());
    Action::place(point.expect("a running game has a legal point"))
}

/// The colour that stands better; `add` where it may be said and neither does.
pub fn choose(game: &Game, must: Must, worth: &mut dyn FnMut(&Game) -> i32) -> Action {
    let next = game.turn().map_or(Colour::Black, |turn| turn.colour);
    let score = as_chosen(game).map_or(0, |game| worth(&game));
    let other = if next == Colour::Black { Colour::White } else { Colour::Black };
    match must {
        Must::ChooseOrAdd if score.abs() < EVEN => Action::Add,
        Must::Choose | Must::ChooseOrAdd | Must::Place => Action::Choose(if score >= 0 { next } else { other }),
    }
}
