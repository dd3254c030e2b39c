//! Why a point may not be played, as data: for the board's drawing and for words (RULES.md, sections 6 and 7).

use serde::{Deserialize, Serialize};

use super::board::{AXES, Cell, Spot, ahead, colour_of, point_of, spot_of};
use super::flank::flanks;
use super::lines::run_length;
use super::shapes::{Strip, beside, five_places, open_four_places, spot_at};
use super::{Game, Refusal};
use crate::{Colour, Group, Point};

/// Stones in a winning line, and in a four: forbidden shapes matter with two sides only.
const FIVE: usize = 5;
const FOUR: usize = 4;

/// Why the player to act may not play on an empty point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub refusal: Refusal,
    pub because: Because,
    /// The captures after which the shapes were judged: all that the stone would take. Where captures are optional no
    /// other choice is legal either, and this is the largest. Empty for openings and flanks, which are judged before.
    pub assumes: Vec<Group>,
}

/// The stones and points behind a refusal. All lists are sorted; the stone that may not be placed is among the
/// stones of its flanks and shapes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// The stone must stand here.
    Centre(Point),
    /// The stone must be at least so far from the centre, so on none of the points.
    Ring { centre: Point, least: u8, points: Vec<Point> },
    /// The stretches in which the stone would stand.
    Flanks(Vec<Flanked>),
    /// Two threes or more, one for each axis that holds one.
    Threes(Vec<Three>),
    /// Two fours or more.
    Fours(Vec<Four>),
    /// Runs that are too long, from end to end.
    Overline(Vec<Vec<Point>>),
}

/// A stretch of stones between two stones of a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flanked {
    pub by: Colour,
    pub stretch: Vec<Point>,
    /// The flanking stones, next to the stretch's two ends.
    pub ends: [Point; 2],
}

/// Stones of one axis that one more makes an open four of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Three {
    /// Three, or more where the points to add make different fours of them.
    pub stones: Vec<Point>,
    /// Where one more stone makes an open four. In renju only points that black may then play.
    pub adds: Vec<Point>,
}

/// Four stones that one more makes a five of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Four {
    pub stones: Vec<Point>,
    /// Where one more stone makes a five of just these: the two ends of an open four, else one point.
    pub adds: Vec<Point>,
}

impl Because {
    /// Everything that stands or must not stand there, sorted: the stones of the flanks and of the shapes (without the
    /// points to add), the centre, or the square around it.
    pub fn points(&self) -> Vec<Point> {
        let mut points: Vec<Point> = match self {
            Because::Centre(centre) => vec![*centre],
            Because::Ring { points, .. } => points.clone(),
            Because::Flanks(flanks) => {
                flanks.iter().flat_map(|flank| flank.stretch.iter().chain(&flank.ends)).copied().collect()
            }
            Because::Threes(threes) => threes.iter().flat_map(|three| &three.stones).copied().collect(),
            Because::Fours(fours) => fours.iter().flat_map(|four| &four.stones).copied().collect(),
            Because::Overline(runs) => runs.iter().flatten().copied().collect(),
        };
        points.sort_unstable();
        points.dedup();
        points
    }
}

impl Reason {
    /// As [`Because::points`].
    pub fn points(&self) -> Vec<Point> {
        self.because.points()
    }
}

impl Game {
    /// Why the player to act may not play on this empty point; `None` where it is legal, occupied or off the
    /// board, while a choice is awaited and after the end. A point with several faults has the first that
    /// [`Refusal`] lists.
    ///
    /// ```
    /// # use rules::{Because, Game, Options, Preset, Refusal};
    /// // 8 W B . W      Black's I8 would stand with H8 between two white stones.
    /// //   G H I J
    /// let mut options = Options::DEFAULT;
    /// options.set("into_flank", "not-allowed").unwrap();
    /// let mut game = Game::new(options.check(Preset::Custom).unwrap());
    /// for at in ["H8", "G8", "A1", "J8"] {
    ///     game.place(at.parse().unwrap()).unwrap();
    /// }
    /// let reason = game.reason("I8".parse().unwrap()).unwrap();
    /// assert_eq!(reason.refusal, Refusal::IntoFlank);
    /// let Because::Flanks(flanks) = reason.because else { unreachable!() };
    /// assert_eq!(flanks[0].ends.map(|end| end.to_string()), ["G8", "J8"]);
    /// ```
    pub fn reason(&self, at: Point) -> Option<Reason> {
        let refusal = self.check(at).err()?;
        let (spot, own) = (spot_of(at), self.next_stone());
        let because = match refusal {
            Refusal::GameOver | Refusal::BadRequest | Refusal::NotAChoice | Refusal::OffBoard => return None,
            Refusal::Occupied | Refusal::BadTake => return None,
            Refusal::Opening => self.because_of_opening()?,
            Refusal::IntoFlank => Because::Flanks(self.flanked(spot, own)),
            Refusal::DoubleThree => Because::Threes(self.threes(spot, own)),
            Refusal::DoubleFour => Because::Fours(self.fours(spot, own)),
            Refusal::Overline => Because::Overline(self.overlines(spot, own)),
        };
        let assumes = match because {
            Because::Centre(_) | Because::Ring { .. } | Because::Flanks(_) => Vec::new(),
            Because::Threes(_) | Because::Fours(_) | Because::Overline(_) => self.takes(spot, own).groups(spot),
        };
        Some(Reason { refusal, because, assumes })
    }

    fn because_of_opening(&self) -> Option<Because> {
        let centre = self.rules.board().centre();
        Some(match self.centre_rule()? {
            0 => Because::Centre(centre),
            least => Because::Ring { centre, least, points: self.opening_points() },
        })
    }

    fn flanked(&self, at: Spot, own: Cell) -> Vec<Flanked> {
        let flanks = flanks(&self.board, &self.rules, at, own);
        let told = flanks.list().iter().filter_map(|flank| {
            let ends = flank.ends().map(point_of);
            Some(Flanked {
                by: colour_of(flank.by)?,
                stretch: sorted(flank.spots()),
                ends: [ends[0].min(ends[1]), ends[0].max(ends[1])],
            })
        });
        told.collect()
    }

    fn threes(&self, at: Spot, own: Cell) -> Vec<Three> {
        if self.binds_renju(own) { self.renju_threes(at, own) } else { self.plain_threes(at, own, self.takes(at, own)) }
    }

    /// Renju's threes: only stones that black may then place, without making a five, make one of them.
    fn renju_threes(&self, at: Spot, own: Cell) -> Vec<Three> {
        let mut after = self.bare();
        after.board.place(at, own);
        let may_follow = |spot: Spot| {
            let five = (0..AXES).any(|axis| usize::from(run_length(&after.board, spot, axis, own)) == FIVE);
            !five && after.renju_fault(spot).is_none()
        };
        let on_axis = |axis| {
            let strip = Strip::of(&after.board, at, axis, own);
            let places = open_four_places(strip, true).filter(|&(place, _)| may_follow(spot_at(at, axis, place)));
            three_of(at, axis, places)
        };
        (0..AXES).filter_map(on_axis).collect()
    }

    fn fours(&self, at: Spot, own: Cell) -> Vec<Four> {
        let mut board = self.board.clone();
        board.place(at, own);
        let mut fours: Vec<Four> = Vec::new();
        for axis in 0..AXES {
            let strip = Strip::of(&board, at, axis, own);
            for place in five_places(strip, true) {
                let add = point_of(spot_at(at, axis, place));
                let stones = sorted(beside(strip, place).map(|place| spot_at(at, axis, place)));
                match fours.iter_mut().find(|four| four.stones == stones) {
                    Some(open) => open.adds.push(add),
                    None => fours.push(Four { stones, adds: vec![add] }),
                }
            }
        }
        for four in &mut fours {
            four.adds.sort_unstable();
        }
        fours
    }

    fn overlines(&self, at: Spot, own: Cell) -> Vec<Vec<Point>> {
        let too_long = (0..AXES).filter(|&axis| usize::from(run_length(&self.board, at, axis, own)) > FIVE);
        let run = |axis| {
            let back = i16::from(self.board.reach(at, axis + AXES, own));
            let forth = i16::from(self.board.reach(at, axis, own));
            sorted((-back..=forth).map(|n| ahead(at, axis, n)))
        };
        too_long.map(run).collect()
    }
}

pub(super) fn sorted(spots: impl Iterator<Item = Spot>) -> Vec<Point> {
    let mut points: Vec<Point> = spots.map(point_of).collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// The three of an axis, from the places on the strip around `at` where one more stone makes an open four of it, each
/// with the open four's first place; `None` without any.
pub(super) fn three_of(at: Spot, axis: usize, places: impl Iterator<Item = (usize, usize)>) -> Option<Three> {
    let (mut stones, mut adds) = (Vec::new(), Vec::new());
    for (place, first) in places {
        adds.push(spot_at(at, axis, place));
        stones.extend((first..first + FOUR).filter(|&stone| stone != place).map(|stone| spot_at(at, axis, stone)));
    }
    if adds.is_empty() {
        None
    } else {
        Some(Three { stones: sorted(stones.into_iter()), adds: sorted(adds.into_iter()) })
    }
}
