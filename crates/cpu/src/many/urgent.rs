//! What is urgent with several enemies.
//!
//! Before a side moves again, each enemy moves once and can stop one point, so the enemy that moves last before it
//! must, and the earlier ones may leave it to those after them. A side that has more points to win at than there are
//! enemies before its move has won, unless one of them wins first or takes stones of its lines.

use super::position::Position;
use crate::ground::Ground;
use crate::spots::Spots;
use crate::threat::Kind;

/// What the side to move has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// It wins at any of these points.
    Won(Spots),
    /// This side, so many seats after the one to move, wins with its next stone whatever is played.
    Lost {
        to: usize,
        far: usize,
    },
    /// Only these come into question.
    Forced(Pressing),
    Quiet,
}

/// What the enemies threaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pressing {
    /// The points where the nearest of them wins, and whatever else stops it for certain: one of these has to be played
    /// by somebody before its move.
    pub blocks: Spots,
    /// Other points that come into question: stones taken may be of the line, and where those after can stop it, it
    /// may be left to them by a threat that has to be stopped later.
    pub others: Spots,
    /// The nearest, by its place after the side to move.
    pub far: usize,
    /// More points than there are stones before its move, and nothing to take.
    pub is_lost: bool,
}

impl<const N: usize> Position<N> {
    /// What the side to move has to do, by the board alone.
    pub fn urgency(&self, ground: &Ground) -> Urgency {
        let own = self.wins(ground, self.turn);
        if !own.is_empty() {
            return Urgency::Won(own);
        }
        match self.pressing(ground) {
            Some(pressing) if pressing.is_lost => {
                Urgency::Lost { to: (self.turn + pressing.far) % N, far: pressing.far }
            }
            Some(pressing) => Urgency::Forced(pressing),
            None => Urgency::Quiet,
        }
    }

    /// What the enemies threaten to win at, by the board alone.
    pub fn pressing(&self, ground: &Ground) -> Option<Pressing> {
        let me = self.turn;
        let mut pressing: Option<Pressing> = None;
        for far in 1..N {
            let wins = self.wins(ground, (me + far) % N);
            if wins.is_empty() {
                continue;
            }
            match &mut pressing {
                Some(pressing) => pressing.others = pressing.others.or(&wins),
                None => {
                    let too_many = wins.len() as usize > far;
                    let is_lost = too_many && !self.can_take(ground, far);
                    let mut others = Spots::NONE;
                    if (wins.len() as usize) < far {
                        others = self.field.kind(me, Kind::Four).or(self.field.kind(me, Kind::Ways));
                    }
                    pressing = Some(Pressing { blocks: wins, others, far, is_lost });
                    if far == 1 {
                        break;
                    }
                }
            }
        }
        if let Some(pressing) = &mut pressing
            && ground.captures()
        {
            pressing.others = pressing.others.or(self.field.taking(me));
        }
        pressing
    }

    /// Whether any of the sides to move next, so many of them, takes anything.
    fn can_take(&self, ground: &Ground, count: usize) -> bool {
        ground.captures() && (0..count).any(|far| !self.field.taking((self.turn + far) % N).is_empty())
    }
}
