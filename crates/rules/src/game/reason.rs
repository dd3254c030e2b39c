//! Why a point is forbidden and what a stone would do, as data for the board's drawing.

use serde::{Deserialize, Serialize};

use super::board::{Spot, point_of, spot_of};
use super::flank::flanks;
use super::{Game, Refusal};
use crate::{Action, Colour, Group, Outcome, Point};

/// Why the player to act may not play on an empty point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub refusal: Refusal,
    /// What makes it so, sorted: the stones of the flank, of the threes, fours or the overline (the new one among
    /// them); for an opening the centre, or the square around it that must be left free.
    pub points: Vec<Point>,
}

/// What a stone that takes everything would do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// The groups that it may take, sorted.
    pub takes: Vec<Group>,
    /// Whether its side wins at once, alone or with others.
    pub wins: bool,
    /// Flanks moved into: who would take which points.
    pub lost: Vec<(Colour, Vec<Point>)>,
}

impl Game {
    /// Why the player to act may not play on this empty point; `None` where it is legal, occupied or off the
    /// board, while a choice is awaited and after the end.
    pub fn reason(&self, at: Point) -> Option<Reason> {
        let refusal = self.check(at).err()?;
        let spot = spot_of(at);
        let mut points = match refusal {
            Refusal::GameOver | Refusal::BadRequest | Refusal::NotAChoice | Refusal::OffBoard => return None,
            Refusal::Occupied | Refusal::BadTake => return None,
            Refusal::Opening => self.opening_points(),
            Refusal::IntoFlank => self.points(self.flank_spots(spot)),
            Refusal::DoubleThree | Refusal::DoubleFour | Refusal::Overline => {
                self.points(self.shape_spots(spot, refusal))
            }
        };
        points.sort_unstable();
        points.dedup();
        Some(Reason { refusal, points })
    }

    fn points(&self, spots: Vec<Spot>) -> Vec<Point> {
        spots.into_iter().map(point_of).collect()
    }

    fn flank_spots(&self, at: Spot) -> Vec<Spot> {
        let flanks = flanks(&self.board, &self.rules, at, self.next_stone());
        flanks.list().iter().flat_map(|flank| flank.with_ends()).collect()
    }

    fn shape_spots(&self, at: Spot, refusal: Refusal) -> Vec<Spot> {
        let own = self.next_stone();
        if self.binds_renju(own) {
            self.renju_spots(at, refusal)
        } else {
            self.threes_spots(at, own, self.takes(at, own))
        }
    }

    /// What a stone of the player to act would do here, taking everything; nothing where it is illegal.
    pub fn preview(&self, at: Point) -> Preview {
        let takes = self.groups(at);
        let mut after = self.clone();
        match after.play(&Action::place(at)) {
            Ok(played) => {
                let wins = played.colour.is_some_and(|own| after.has_won(own));
                Preview { takes, wins, lost: played.lost }
            }
            Err(_) => Preview { takes, ..Preview::default() },
        }
    }

    fn has_won(&self, colour: Colour) -> bool {
        match &self.outcome {
            Some(Outcome::Win { winners, .. }) => winners.contains(&colour),
            Some(Outcome::Draw(_)) | None => false,
        }
    }

    /// Whether a legal stone of the player to act here, taking everything, wins at once. Quick for the many points
    /// where it cannot.
    pub fn would_win(&self, at: Point) -> bool {
        if self.check_place(at).is_err() {
            return false;
        }
        let (spot, own) = (spot_of(at), self.next_stone());
        let quiet = self.lost(spot, own).list().is_empty();
        let total = self.takes(spot, own).stones() + self.captured_by(own);
        if quiet && total < u16::from(self.rules.goal()) && !super::lines::in_line(&self.board, &self.rules, spot, own)
        {
            return false;
        }
        let mut after = self.clone();
        after.place(at).is_ok() && super::board::colour_of(own).is_some_and(|own| after.has_won(own))
    }
}
