//! What a player can do in a game (RULES.md, sections 4, 7 and 8).

use serde::{Deserialize, Serialize};

use crate::{Colour, Point};

/// Stones taken together: two or three on one axis, or a whole line in overtime. Sorted by row, then column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Group(pub Vec<Point>);

/// Which groups a stone takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Take {
    /// Everything that can be taken.
    All,
    /// Just these (optional captures). With forced captures it must name all.
    Just(Vec<Group>),
}

/// One action of the player whose turn it is, or of a side at any moment (`Resign`, `Draw`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    Place {
        at: Point,
        take: Take,
    },
    /// The choice of a colour in an opening.
    Choose(Colour),
    /// The third choice of `place-three`: place two more and let the other choose.
    Add,
    /// This side resigns (two sides only).
    Resign(Colour),
    /// A draw agreed by all.
    Draw,
}

impl Action {
    /// The same with its groups, and the points of each, in order.
    pub(crate) fn sorted(&self) -> Action {
        let mut action = self.clone();
        if let Action::Place { take: Take::Just(groups), .. } = &mut action {
            groups.iter_mut().for_each(|group| group.0.sort_unstable());
            groups.sort_unstable();
        }
        action
    }

    /// A stone that takes everything it can.
    pub const fn place(at: Point) -> Action {
        Action::Place { at, take: Take::All }
    }
}
