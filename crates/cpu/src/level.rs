//! What a level overlooks. People overlook a diagonal, a capture, the second of two threats; they do not place stones at
//! random. So a weak level has lines on the board on which it does not see what the other side makes, drawn once for a
//! game: it does not see a threat, miss it, and see it again. It never overlooks its own five.

use crate::ground::{AXES, FIRST, LINES};
use crate::mix;
use crate::shape::Shape;

/// What is seen of the other side on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    Clear,
    /// No three, and nothing that it takes.
    NoThree,
    /// No four either.
    NoFour,
}

impl Sight {
    /// What the other side's shape looks like.
    pub fn of(self, shape: Shape) -> Shape {
        match (self, shape) {
            (Sight::Clear, shape) => shape,
            // A point that makes a four of a three is where the three is noticed.
            (Sight::NoThree | Sight::NoFour, Shape::FourOpen | Shape::FourTwice) => Shape::TwoClosed,
            (Sight::NoThree | Sight::NoFour, Shape::ThreeNarrow | Shape::Three) => Shape::TwoNarrow,
            (Sight::NoFour, Shape::Five) => Shape::TwoClosed,
            (Sight::NoThree | Sight::NoFour, shape) => shape,
        }
    }
}

/// What a level can do.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    /// Positions that it looks at, at most.
    pub nodes: u64,
    /// Whether it looks for wins by fours beyond its depth.
    pub fours: bool,
    /// How far it misjudges a move, at most, in the unit of [`crate::Thought::score`].
    pub whim: i32,
    /// How often it overlooks the other side's threes and captures on a line, in percent: on rows and columns, and on
    /// diagonals.
    three: [u64; 2],
    /// The same for fours.
    four: [u64; 2],
}

/// From level 1 on. Measured by play: see the crate's README.
const STRENGTHS: [Strength; 8] = [
    Strength { nodes: 28, fours: false, whim: 110, three: [70, 85], four: [14, 26] },
    Strength { nodes: 110, fours: false, whim: 90, three: [62, 76], four: [9, 18] },
    Strength { nodes: 450, fours: false, whim: 70, three: [52, 66], four: [5, 10] },
    Strength { nodes: 1_800, fours: true, whim: 40, three: [36, 50], four: [2, 4] },
    Strength { nodes: 9_000, fours: true, whim: 15, three: [14, 22], four: [0, 1] },
    Strength { nodes: 36_000, fours: true, whim: 5, three: [9, 15], four: [0, 0] },
    Strength { nodes: 220_000, fours: true, whim: 0, three: [0, 0], four: [0, 0] },
    Strength { nodes: u64::MAX, fours: true, whim: 0, three: [0, 0], four: [0, 0] },
];

/// What a level can do; levels beyond the highest are the highest.
pub fn strength(level: u8) -> &'static Strength {
    &STRENGTHS[usize::from(level.clamp(1, 8)) - 1]
}

/// The sight of a level on every line, in the game with this key.
pub fn sights(level: u8, key: u64) -> [Sight; LINES] {
    let strength = strength(level);
    std::array::from_fn(|line| {
        let axis = (0..AXES).rev().find(|&axis| line >= FIRST[axis]).unwrap_or(0);
        let kind = axis / 2;
        let (three, four) = (strength.three[kind], strength.four[kind]);
        match mix(key, line as u64) % 100 {
            drawn if drawn < four => Sight::NoFour,
            drawn if drawn < three => Sight::NoThree,
            _ => Sight::Clear,
        }
    })
}
