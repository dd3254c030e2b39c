//! What a level overlooks. People overlook a diagonal, a capture, the second of two threats; they do not place stones at
//! random. So a weak level has lines on the board on which it does not see what the other side makes, drawn once for a
//! game: it does not see a threat, miss it, and see it again. It never overlooks its own five.

use crate::field::{AXES, FIRST, LINES};
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

/// How often a level overlooks, in percent of the lines.
#[derive(Clone, Copy, Debug)]
struct Oversight {
    three_straight: u64,
    three_diagonal: u64,
    four_straight: u64,
    four_diagonal: u64,
}

const fn oversight(three_straight: u64, three_diagonal: u64, four_straight: u64, four_diagonal: u64) -> Oversight {
    Oversight { three_straight, three_diagonal, four_straight, four_diagonal }
}

/// From level 1 on.
const OVERSIGHTS: [Oversight; 8] = [
    oversight(60, 80, 20, 40),
    oversight(40, 60, 8, 16),
    oversight(25, 40, 3, 6),
    oversight(12, 20, 0, 1),
    oversight(5, 10, 0, 0),
    oversight(2, 4, 0, 0),
    oversight(0, 0, 0, 0),
    oversight(0, 0, 0, 0),
];

/// The sight of a level on every line, in the game with this key.
pub fn sights(level: u8, key: u64) -> [Sight; LINES] {
    let oversight = OVERSIGHTS[usize::from(level.clamp(1, 8)) - 1];
    std::array::from_fn(|line| {
        let axis = (0..AXES).rev().find(|&axis| line >= FIRST[axis]).unwrap_or(0);
        let (three, four) = match axis {
            0 | 1 => (oversight.three_straight, oversight.four_straight),
            _ => (oversight.three_diagonal, oversight.four_diagonal),
        };
        match mix(key, line as u64) % 100 {
            drawn if drawn < four => Sight::NoFour,
            drawn if drawn < three => Sight::NoThree,
            _ => Sight::Clear,
        }
    })
}
