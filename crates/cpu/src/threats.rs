//! Threats on the board: who could do what with the next stone, and where. What a stone wins, takes, loses and may not
//! do is asked of the rules, as if it were that side's turn now; what it makes toward a line is read from a [`Field`].

use rules::{After, Colour, Game, Group, Must, Outcome, Point, Preview, Reason, Way};

use crate::field::Field;
use crate::ground::Ground;
use crate::spots::Spot;
use crate::threat::Threat;

/// What a side could do if it were its turn now and the stones were as they are. Only points that are legal for it
/// then are listed, but for those of [`SideThreats::forbidden`]. All lists are sorted by point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideThreats {
    pub side: Colour,
    /// How many stones others place before its turn comes; 0 if it is to move now.
    pub ahead: u8,
    /// Where it wins, by a line or by captures, alone or with others, and where it makes a line that waits for the next
    /// player's move.
    pub wins: Vec<Winning>,
    /// What else it makes toward a line. Where captures are optional it is taken to take all.
    pub makes: Vec<(Point, Making)>,
    /// What a stone may take, and where.
    pub takes: Vec<(Point, Vec<Group>)>,
    /// Where its own stone is taken, because it moves between two stones of an enemy.
    pub flanked: Vec<MovedIn>,
    /// The empty points where it may not play, and why.
    pub forbidden: Vec<(Point, Reason)>,
}

/// A stone that wins, or would if the next player could not stop its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Winning {
    pub at: Point,
    /// What it takes, and what becomes of the game. Of several choices the best for the side: winning alone, then with
    /// others, then a line that waits; of equals the one that takes most.
    pub way: Way,
}

/// A stone that is taken where it is placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedIn {
    pub at: Point,
    /// Who takes which points, this one among them.
    pub lost: Vec<(Colour, Vec<Point>)>,
}

/// What a stone makes toward a line, the weakest first. The names are those of a line of five; where four win, all mean
/// one stone less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Making {
    /// One more stone makes an open four, or two fours, of it.
    OpenThree,
    /// Two open threes.
    DoubleThree,
    /// One point completes the line.
    Four,
    FourAndThree,
    /// Two points complete lines, and not as the two ends of four stones.
    DoubleFour,
    /// Both ends of four stones complete the line.
    OpenFour,
}

impl Making {
    fn of(threat: Threat) -> Option<Making> {
        match threat {
            Threat::None | Threat::Two | Threat::TwoTwice | Threat::Five => None,
            Threat::Three | Threat::ThreeMore => Some(Making::OpenThree),
            Threat::ThreeTwice => Some(Making::DoubleThree),
            Threat::Four | Threat::FourMore => Some(Making::Four),
            Threat::FourThree => Some(Making::FourAndThree),
            Threat::FourTwice => Some(Making::DoubleFour),
            Threat::FourOpen => Some(Making::OpenFour),
        }
    }
}

/// What each side could do with its next stone, in turn order. Nothing while an opening's stones are placed and colours
/// chosen, and after the end; only the next player's while a line waits for its move, since whether anybody else moves
/// depends on it.
///
/// ```
/// // 8 . B W W .      Black can take I8 and J8 from K8.
/// //   G H I J K
/// let mut game = rules::Game::new(rules::Rules::of(rules::Preset::CaptureFive));
/// for at in ["H8", "I8", "A1", "J8"] {
///     game.place(at.parse().unwrap()).unwrap();
/// }
/// let black = &cpu::threats(&game)[0];
/// let (at, groups) = &black.takes[0];
/// assert_eq!((at.to_string(), groups[0].0.len()), ("K8".to_owned(), 2));
/// ```
pub fn threats(game: &Game) -> Vec<SideThreats> {
    if game.turn().is_none_or(|turn| turn.must != Must::Place) {
        return Vec::new();
    }
    let ground = Ground::new(game.rules());
    match ground.colours.len() {
        2 => of_all(game, &ground, &Field::<2, 1>::of(&ground, game)),
        3 => of_all(game, &ground, &Field::<3, 3>::of(&ground, game)),
        _ => of_all(game, &ground, &Field::<4, 4>::of(&ground, game)),
    }
}

fn of_all<const SIDES: usize, const VIEWS: usize>(
    game: &Game,
    ground: &Ground,
    field: &Field<SIDES, VIEWS>,
) -> Vec<SideThreats> {
    let of_side = |side: usize| {
        let (ahead, game) = game.as_if(ground.colours[side])?;
        Some(of_one(&game, ground, field, side, ahead))
    };
    (0..SIDES).filter_map(of_side).collect()
}

/// What the side to move of this game could do.
fn of_one<const SIDES: usize, const VIEWS: usize>(
    game: &Game,
    ground: &Ground,
    field: &Field<SIDES, VIEWS>,
    side: usize,
    ahead: u8,
) -> SideThreats {
    let colour = ground.colours[side];
    let previews = game.previews();
    let wins: Vec<Winning> = previews.iter().filter_map(|preview| winning(preview, colour)).collect();
    let empty = || game.rules().board().points().filter(|&at| game.stone(at).is_none());
    // Where a line waits, no stone makes anything but those that stop it.
    let stops: Option<Vec<Point>> = game.overtime().map(|_| game.stops().iter().map(|stop| stop.at).collect());
    let is_of_use =
        |at: &Point| stops.as_ref().is_none_or(|stops| stops.contains(at)) && wins.iter().all(|win| win.at != *at);
    let makes = empty().filter(is_of_use).filter_map(|at| Some((at, making(game, ground, field, side, at)?)));
    SideThreats {
        side: colour,
        ahead,
        makes: makes.collect(),
        takes: previews.iter().filter(|one| !one.takes.is_empty()).map(|one| (one.at, one.takes.clone())).collect(),
        flanked: previews.iter().filter(|one| !one.lost.is_empty()).map(moved_in).collect(),
        forbidden: empty().filter_map(|at| Some((at, game.reason(at)?))).collect(),
        wins,
    }
}

fn moved_in(preview: &Preview) -> MovedIn {
    MovedIn { at: preview.at, lost: preview.lost.clone() }
}

/// The best way in which a stone wins, if one does.
fn winning(preview: &Preview, colour: Colour) -> Option<Winning> {
    let rank = |way: &Way| match &way.after {
        After::Over(Outcome::Win { winners, .. }) if winners.contains(&colour) => Some(winners.len()),
        After::Overtime(overtime) if overtime.colour == colour => Some(Colour::ALL.len() + 1),
        After::Over(_) | After::Overtime(_) | After::GoesOn => None,
    };
    let ways = preview.ways.iter().filter_map(|way| Some((rank(way)?, way)));
    let (_, way) = ways.min_by_key(|(rank, _)| *rank)?;
    Some(Winning { at: preview.at, way: way.clone() })
}

/// What a stone makes that stays on the board, ends nothing, and lets no line wait.
fn making<const SIDES: usize, const VIEWS: usize>(
    game: &Game,
    ground: &Ground,
    field: &Field<SIDES, VIEWS>,
    side: usize,
    at: Point,
) -> Option<Making> {
    let spot: Spot = ground.spot(at);
    // With nothing around it, it makes nothing whatever it takes.
    if field.shapes(side, spot) == 0 && !field.taking(side).has(spot) {
        return None;
    }
    let mut after = game.clone();
    after.place(at).ok()?;
    let gone: Vec<Point> = after.gone().collect();
    if after.result().is_some() || after.overtime().is_some() || gone.contains(&at) {
        return None;
    }
    if gone.is_empty() {
        return Making::of(field.threat(ground, side, spot));
    }
    let mut field = field.clone();
    gone.iter().for_each(|&point| field.lift(ground, ground.spot(point)));
    Making::of(field.threat(ground, side, spot))
}
