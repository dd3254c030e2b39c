//! What a level overlooks. People overlook a diagonal, a capture, the second of two threats; they do not place stones at
//! random. So a weak level has lines on the board on which it does not see what the other side makes, drawn once for a
//! game: it does not see a threat, miss it, and see it again. It never overlooks its own five.

use rules::Rules;

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
    /// How often it moves in haste, in percent of moves: see [`crate::haste`].
    haste: u64,
}

// Measured by play, `c5 strength levels`: see the crate's README. The same numbers would make other steps where stones
// are taken, and where the novice, who stops only one thing at a time, has several enemies.

/// From level 1 on, with two sides and without captures.
const LINES_ALONE: [Strength; 8] = [
    Strength { nodes: 30, fours: false, whim: 105, three: [68, 82], four: [11, 22], haste: 0 },
    Strength { nodes: 140, fours: false, whim: 80, three: [58, 72], four: [8, 16], haste: 0 },
    Strength { nodes: 450, fours: false, whim: 70, three: [52, 66], four: [5, 10], haste: 0 },
    Strength { nodes: 2_200, fours: true, whim: 38, three: [35, 49], four: [2, 4], haste: 0 },
    Strength { nodes: 20_000, fours: true, whim: 9, three: [10, 16], four: [0, 1], haste: 0 },
    Strength { nodes: 80_000, fours: true, whim: 1, three: [4, 6], four: [0, 0], haste: 0 },
    Strength { nodes: 330_000, fours: true, whim: 0, three: [2, 4], four: [0, 0], haste: 0 },
    HIGHEST,
];

/// With two sides, teams included, and captures.
const CAPTURES: [Strength; 8] = [
    Strength { nodes: 14, fours: false, whim: 220, three: [80, 92], four: [28, 44], haste: 0 },
    Strength { nodes: 85, fours: false, whim: 110, three: [63, 77], four: [12, 22], haste: 0 },
    Strength { nodes: 430, fours: false, whim: 70, three: [50, 64], four: [5, 11], haste: 0 },
    Strength { nodes: 3_600, fours: true, whim: 31, three: [29, 42], four: [1, 3], haste: 0 },
    Strength { nodes: 17_000, fours: true, whim: 12, three: [11, 18], four: [0, 1], haste: 0 },
    Strength { nodes: 48_000, fours: true, whim: 1, three: [4, 7], four: [0, 0], haste: 0 },
    Strength { nodes: 135_000, fours: true, whim: 0, three: [2, 4], four: [0, 0], haste: 0 },
    HIGHEST,
];

/// With three sides. More leaves hardly help here: what makes the steps is how often it moves in haste.
const THREE: [Strength; 8] = [
    Strength { nodes: 28, fours: false, whim: 0, three: [70, 85], four: [14, 26], haste: 100 },
    Strength { nodes: 80, fours: false, whim: 0, three: [62, 76], four: [9, 18], haste: 93 },
    Strength { nodes: 120, fours: false, whim: 0, three: [50, 64], four: [5, 10], haste: 84 },
    Strength { nodes: 250, fours: true, whim: 0, three: [30, 44], four: [1, 3], haste: 70 },
    Strength { nodes: 700, fours: true, whim: 0, three: [12, 18], four: [0, 1], haste: 52 },
    Strength { nodes: 2_500, fours: true, whim: 0, three: [6, 10], four: [0, 0], haste: 37 },
    Strength { nodes: 8_000, fours: true, whim: 0, three: [2, 4], four: [0, 0], haste: 12 },
    HIGHEST,
];

/// With four sides, likewise.
const FOUR: [Strength; 8] = [
    Strength { nodes: 28, fours: false, whim: 0, three: [70, 85], four: [14, 26], haste: 100 },
    Strength { nodes: 80, fours: false, whim: 0, three: [62, 76], four: [9, 18], haste: 90 },
    Strength { nodes: 120, fours: false, whim: 0, three: [52, 66], four: [5, 10], haste: 78 },
    Strength { nodes: 250, fours: true, whim: 0, three: [36, 50], four: [2, 4], haste: 62 },
    Strength { nodes: 700, fours: true, whim: 0, three: [14, 22], four: [0, 1], haste: 48 },
    Strength { nodes: 2_500, fours: true, whim: 0, three: [6, 10], four: [0, 0], haste: 31 },
    Strength { nodes: 8_000, fours: true, whim: 0, three: [2, 4], four: [0, 0], haste: 14 },
    HIGHEST,
];

/// Whose only limit is time.
const HIGHEST: Strength = Strength { nodes: u64::MAX, fours: true, whim: 0, three: [0, 0], four: [0, 0], haste: 0 };

/// What a level can do under these rules; levels beyond the highest are the highest.
pub fn strength(level: u8, rules: &Rules) -> &'static Strength {
    let table = match (rules.sides(), rules.options().captures) {
        (2, false) => &LINES_ALONE,
        (2, true) => &CAPTURES,
        (3, _) => &THREE,
        (_, _) => &FOUR,
    };
    &table[usize::from(level.clamp(1, 8)) - 1]
}

/// Positions that a level looks at for a move under these rules, at most; `None` where only time limits it.
pub fn nodes_of(level: u8, rules: &Rules) -> Option<u64> {
    Some(strength(level, rules).nodes).filter(|&nodes| nodes < u64::MAX)
}

impl Strength {
    /// Whether a move is made in haste; the seed is another one for each.
    pub fn is_hasty(&self, seed: u64) -> bool {
        mix(seed, HASTE) % 100 < self.haste
    }
}

/// Keeps apart what is drawn for a move and what for its point.
const HASTE: u64 = 1 << 32;

/// The sight of a level on every line, in the game with this key.
pub fn sights(strength: &Strength, key: u64) -> [Sight; LINES] {
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
