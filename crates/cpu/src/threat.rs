//! What a point is good for, from its shapes on the four axes together.

use std::sync::OnceLock;

use crate::ground::AXES;
use crate::shape::Shape;

/// Combinations of four shapes, four bits each.
const COMBINATIONS: usize = 1 << (4 * AXES);

/// What a stone at a point makes, the strongest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Threat {
    None,
    Two,
    TwoTwice,
    /// An open three.
    Three,
    /// An open three, and a two or a closed three.
    ThreeMore,
    Four,
    /// A four, and a two or a closed three.
    FourMore,
    ThreeTwice,
    FourThree,
    FourTwice,
    FourOpen,
    Five,
}

impl Threat {
    pub const ALL: [Threat; 12] = [
        Threat::None,
        Threat::Two,
        Threat::TwoTwice,
        Threat::Three,
        Threat::ThreeMore,
        Threat::Four,
        Threat::FourMore,
        Threat::ThreeTwice,
        Threat::FourThree,
        Threat::FourTwice,
        Threat::FourOpen,
        Threat::Five,
    ];

    fn of(shapes: [Shape; AXES]) -> Threat {
        let count = |is: &dyn Fn(Shape) -> bool| shapes.iter().filter(|&&shape| is(shape)).count();
        let fours = count(&Shape::is_four) + count(&|shape| shape == Shape::FourTwice);
        let threes = count(&Shape::is_open_three);
        let others = count(&|shape| shape.is_two() || shape == Shape::ThreeClosed);
        match () {
            () if count(&|shape| shape == Shape::Five) > 0 => Threat::Five,
            () if count(&|shape| shape == Shape::FourOpen) > 0 => Threat::FourOpen,
            () if fours > 1 => Threat::FourTwice,
            () if fours == 1 && threes > 0 => Threat::FourThree,
            () if threes > 1 => Threat::ThreeTwice,
            () if fours == 1 && others > 0 => Threat::FourMore,
            () if fours == 1 => Threat::Four,
            () if threes == 1 && others > 0 => Threat::ThreeMore,
            () if threes == 1 => Threat::Three,
            () if others > 1 => Threat::TwoTwice,
            () if others == 1 => Threat::Two,
            () => Threat::None,
        }
    }

    /// The set of a side's points that it belongs to.
    const fn kind(self) -> Kind {
        match self {
            Threat::None | Threat::Two | Threat::TwoTwice => Kind::Quiet,
            Threat::Three | Threat::ThreeMore | Threat::ThreeTwice => Kind::Three,
            Threat::Four | Threat::FourMore | Threat::FourThree => Kind::Four,
            Threat::FourTwice | Threat::FourOpen => Kind::Ways,
            Threat::Five => Kind::Five,
        }
    }
}

/// How forcing a stone is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    Quiet,
    /// An open three without a four.
    Three,
    /// One four, whatever else.
    Four,
    /// An open four, or two fours at once.
    Ways,
    Five,
}

impl Kind {
    pub const COUNT: usize = 5;
}

/// Threat and kind of every combination of shapes.
pub struct Threats {
    threats: Vec<Threat>,
    kinds: Vec<Kind>,
}

fn four_shapes(shapes: usize) -> [Shape; AXES] {
    std::array::from_fn(|axis| Shape::of((shapes >> (4 * axis)) as u16))
}

impl Threats {
    pub fn get() -> &'static Threats {
        static THREATS: OnceLock<Threats> = OnceLock::new();
        THREATS.get_or_init(|| {
            let threats: Vec<Threat> = (0..COMBINATIONS).map(|shapes| Threat::of(four_shapes(shapes))).collect();
            let kinds = threats.iter().map(|threat| threat.kind()).collect();
            Threats { threats, kinds }
        })
    }

    #[inline(always)]
    pub fn of(&self, shapes: u16) -> Threat {
        self.threats[usize::from(shapes)]
    }

    #[inline(always)]
    pub fn kind(&self, shapes: u16) -> Kind {
        self.kinds[usize::from(shapes)]
    }
}

/// What the points are worth to a side: by the shape on each axis, and by the threat that they make together. Unit: a
/// hundredth of what decides a game about twice in three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    pub shapes: [i16; Shape::ALL.len()],
    pub threats: [i16; Threat::ALL.len()],
}

/// What a position's points are worth in the sum over the board.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// To the side to move.
    to_move: Weights,
    /// To a side that is not to move.
    waiting: Weights,
}

/// Where nothing is captured.
const LINES: Standing = Standing {
    to_move: Weights {
        shapes: [0, 0, 0, 1, 5, 11, 15, 11, 17, 21, 100, 100, 300, 0],
        threats: [0, -7, -4, 14, 32, 24, 92, 105, 500, 300, 300, 0],
    },
    waiting: Weights {
        shapes: [0, 0, 0, 1, 8, 13, 17, -9, -2, -26, 69, 0, 0, 0],
        threats: [0, -10, -12, 27, 36, 67, 113, 92, 271, 125, 82, 0],
    },
};

/// With captures.
const CAPTURES: Standing = Standing {
    to_move: Weights {
        shapes: [0, 0, 0, 0, 0, 2, 8, 11, 2, 25, 100, 100, 300, 0],
        threats: [0, -2, 3, 7, 15, 36, 89, 32, 245, 200, 200, 0],
    },
    waiting: Weights {
        shapes: [0, 0, 0, 0, 1, 3, 7, -2, -15, -5, -2, 23, 0, 0],
        threats: [0, -3, 0, 14, 23, 49, 78, 39, 105, 40, 127, 0],
    },
};

/// What a point is worth as the next move, for the order in which moves are tried.
pub const PROMISE: Weights = Weights {
    shapes: [0, 2, 6, 8, 18, 26, 30, 80, 100, 110, 1000, 1000, 4000, 0],
    threats: [0, 0, 30, 0, 60, 0, 80, 400, 800, 600, 600, 0],
};

/// Weights, added up for every combination of shapes.
pub struct Worth {
    /// To the side to move, and to another.
    pub standing: Vec<[i16; 2]>,
    pub promise: Vec<i16>,
}

impl Worth {
    fn new(standing: &Standing, promise: &Weights) -> Worth {
        let threats = Threats::get();
        let sum = |weights: &Weights, shapes: usize| -> i16 {
            let axes: i16 = four_shapes(shapes).iter().map(|shape| weights.shapes[shape.index()]).sum();
            axes + weights.threats[threats.of(shapes as u16) as usize]
        };
        Worth {
            standing: (0..COMBINATIONS)
                .map(|shapes| [sum(&standing.to_move, shapes), sum(&standing.waiting, shapes)])
                .collect(),
            promise: (0..COMBINATIONS).map(|shapes| sum(promise, shapes)).collect(),
        }
    }

    /// The weights for games with captures or without.
    pub fn get(captures: bool) -> &'static Worth {
        static WORTH: [OnceLock<Worth>; 2] = [const { OnceLock::new() }; 2];
        let standing = if captures { CAPTURES } else { LINES };
        WORTH[usize::from(captures)].get_or_init(|| Worth::new(&standing, &PROMISE))
    }
}
