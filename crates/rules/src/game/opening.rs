//! The openings of two seats (RULES.md, section 7).

use super::{Game, Must};
use crate::{BoardSize, Colour, Opening, Point, Refusal, Stage};

/// Who acts, where the opening decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// This player places so many more stones, of both colours in turn.
    Setup { player: u8, left: u8 },
    /// This player chooses a colour, or, with `may_add`, to place two more stones.
    Choice { player: u8, may_add: bool },
    /// The colour to move is played by whoever holds it.
    Play,
}

/// Stones that `place-four` and `place-three` begin with, and that the third choice adds.
const FOUR: u8 = 4;
const THREE: u8 = 3;
const ADDED: u8 = 2;
/// How far from the centre the starter's second stone must be at least.
pub(crate) const CENTRE_DISTANCE: u8 = 3;
pub(crate) const CENTRE_FAR_DISTANCE: u8 = 4;

impl Phase {
    pub(crate) fn first(opening: Opening) -> Phase {
        match opening {
            Opening::None | Opening::Centre | Opening::CentreFar => Phase::Play,
            Opening::PlaceFour => Phase::Setup { player: 0, left: FOUR },
            Opening::PlaceThree => Phase::Setup { player: 0, left: THREE },
        }
    }

    /// The phase at a stage of an opening after so many stones; `None` where it cannot be at that stage then.
    pub(crate) fn at(stage: Stage, opening: Opening, ply: u16) -> Option<Phase> {
        let first = match opening {
            Opening::None | Opening::Centre | Opening::CentreFar => {
                return if stage == Stage::Over { Some(Phase::Play) } else { None };
            }
            Opening::PlaceFour => FOUR,
            Opening::PlaceThree => THREE,
        };
        let ply = u8::try_from(ply).unwrap_or(u8::MAX);
        let may_add = opening == Opening::PlaceThree;
        let all = first + ADDED;
        match stage {
            Stage::Over => (ply >= first).then_some(Phase::Play),
            Stage::Placing => (ply < first).then(|| Phase::Setup { player: 0, left: first - ply }),
            Stage::Choosing => (ply == first).then_some(Phase::Choice { player: 1, may_add }),
            Stage::Adding => {
                (may_add && (first..all).contains(&ply)).then(|| Phase::Setup { player: 1, left: all - ply })
            }
            Stage::ChoosingAgain => (may_add && ply == all).then_some(Phase::Choice { player: 0, may_add: false }),
        }
    }

    /// How far the opening has come.
    pub(crate) fn stage(self) -> Stage {
        match self {
            Phase::Play => Stage::Over,
            Phase::Setup { player: 0, .. } => Stage::Placing,
            Phase::Setup { .. } => Stage::Adding,
            Phase::Choice { player: 0, .. } => Stage::ChoosingAgain,
            Phase::Choice { .. } => Stage::Choosing,
        }
    }

    /// The phase after a stone.
    pub(crate) fn after_stone(self, opening: Opening) -> Phase {
        match self {
            Phase::Setup { player, left: 1 } => {
                Phase::Choice { player: 1 - player, may_add: opening == Opening::PlaceThree && player == 0 }
            }
            Phase::Setup { player, left } => Phase::Setup { player, left: left - 1 },
            Phase::Choice { .. } | Phase::Play => self,
        }
    }

    /// The phase after the third choice.
    pub(crate) fn adding(player: u8) -> Phase {
        Phase::Setup { player, left: ADDED }
    }

    pub(crate) fn must(self) -> Must {
        match self {
            Phase::Setup { .. } | Phase::Play => Must::Place,
            Phase::Choice { may_add: false, .. } => Must::Choose,
            Phase::Choice { may_add: true, .. } => Must::ChooseOrAdd,
        }
    }
}

fn distance(a: Point, b: Point) -> u8 {
    a.column().abs_diff(b.column()).max(a.row().abs_diff(b.row()))
}

/// How far from the centre a stone must be at least that is placed after `ply` others, if the opening says so: 0 is
/// the centre itself.
pub(super) fn centre_rule(opening: Opening, ply: u16) -> Option<u8> {
    let far = match opening {
        Opening::None | Opening::PlaceFour | Opening::PlaceThree => return None,
        Opening::Centre => CENTRE_DISTANCE,
        Opening::CentreFar => CENTRE_FAR_DISTANCE,
    };
    match ply {
        0 => Some(0),
        2 => Some(far),
        _ => None,
    }
}

/// Whether a stone here is as far from the centre as [`centre_rule`] says.
pub(super) fn keeps_centre_rule(least: u8, at: Point, board: BoardSize) -> bool {
    let from_centre = distance(at, board.centre());
    if least == 0 { from_centre == 0 } else { from_centre >= least }
}

impl Game {
    /// How far from the centre the next stone must be at least, if it must be somewhere: 0 is the centre itself.
    pub(super) fn centre_rule(&self) -> Option<u8> {
        centre_rule(self.rules.options().opening, self.ply)
    }

    /// Whether the opening allows a stone here.
    pub(super) fn opening_allows(&self, at: Point) -> bool {
        self.centre_rule().is_none_or(|least| keeps_centre_rule(least, at, self.rules.board()))
    }

    /// The points that the opening speaks of for the next stone: the centre where it must stand, or the square
    /// around it where it must not.
    pub(super) fn opening_points(&self) -> Vec<Point> {
        let board = self.rules.board();
        let Some(least) = self.centre_rule() else { return Vec::new() };
        board.points().filter(|&point| distance(point, board.centre()) < least.max(1)).collect()
    }

    /// Whether section 6 applies to the next stone.
    pub(super) fn is_bound(&self) -> bool {
        match self.phase {
            Phase::Setup { .. } => false,
            Phase::Choice { .. } | Phase::Play => true,
        }
    }

    pub(super) fn choose(&mut self, colour: Colour) -> Result<(), Refusal> {
        let colours = self.rules.turn_colours();
        let Some(place) = colours[..usize::from(self.rules.sides())].iter().position(|&known| known == colour) else {
            return Err(Refusal::BadRequest);
        };
        let Phase::Choice { player, .. } = self.phase else { return Err(Refusal::NotAChoice) };
        self.swapped = usize::from(player) != place;
        self.phase = Phase::Play;
        Ok(())
    }

    pub(super) fn add(&mut self) -> Result<(), Refusal> {
        match self.phase {
            Phase::Choice { player, may_add: true } => {
                self.phase = Phase::adding(player);
                Ok(())
            }
            Phase::Choice { may_add: false, .. } | Phase::Setup { .. } | Phase::Play => Err(Refusal::NotAChoice),
        }
    }
}
