//! What a stone would make on one axis: shapes, worked out from the winning rule alone. A shape is defined by what one
//! more stone would make of it, down from the winning line; no drawn pattern is listed anywhere.

use std::sync::OnceLock;

/// Cells on either side of the point that is looked at. Five decide, also where longer lines do not win.
pub const REACH: usize = 5;
/// Cells in a window: the point and [`REACH`] on either side.
const WINDOW: usize = 2 * REACH + 1;
/// Neighbours in a window.
const NEIGHBOURS: u32 = 2 * REACH as u32;
/// Two bits for each neighbour.
const WINDOWS: usize = 1 << (2 * NEIGHBOURS);
/// Three states for each neighbour.
const STATES: usize = 3usize.pow(NEIGHBOURS);
/// The point itself.
const MIDDLE: u16 = 1 << REACH;

/// How a cell is written in a window, in two bits.
pub const EMPTY: u64 = 0b00;
/// The point is beyond the board's edge.
pub const EDGE: u64 = 0b11;

/// What a stone makes on one axis, with the names that a line of five has; where four win, all mean one stone less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    None,
    /// May become a two that may become a four.
    OneClosed,
    One,
    /// May become a three that may become a four.
    TwoClosed,
    /// May become an open three in one or two ways.
    TwoNarrow,
    Two,
    /// May become a four.
    ThreeClosed,
    /// May become an open four in one way.
    ThreeNarrow,
    Three,
    /// One point completes the line.
    Four,
    /// Both ends complete the line.
    FourOpen,
    /// Two points complete the line, and not as the ends of one run.
    FourTwice,
    Five,
    /// A run that is longer than what wins.
    TooLong,
}

impl Shape {
    pub const ALL: [Shape; 14] = [
        Shape::None,
        Shape::OneClosed,
        Shape::One,
        Shape::TwoClosed,
        Shape::TwoNarrow,
        Shape::Two,
        Shape::ThreeClosed,
        Shape::ThreeNarrow,
        Shape::Three,
        Shape::Four,
        Shape::FourOpen,
        Shape::FourTwice,
        Shape::Five,
        Shape::TooLong,
    ];

    pub const fn index(self) -> usize {
        self as usize
    }

    /// The shape with this number; the numbers above the last are not used.
    pub fn of(nibble: u16) -> Shape {
        Shape::ALL.get(usize::from(nibble & 15)).copied().unwrap_or(Shape::None)
    }

    pub const fn is_four(self) -> bool {
        matches!(self, Shape::Four | Shape::FourOpen | Shape::FourTwice)
    }

    pub const fn is_open_three(self) -> bool {
        matches!(self, Shape::Three | Shape::ThreeNarrow)
    }

    pub const fn is_two(self) -> bool {
        matches!(self, Shape::Two | Shape::TwoNarrow)
    }
}

/// What wins for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRule {
    /// 4 or 5.
    pub length: u8,
    /// Longer runs do not win.
    pub exact: bool,
}

impl LineRule {
    const fn wins(self, run: u32) -> bool {
        if self.exact { run == self.length as u32 } else { run >= self.length as u32 }
    }

    /// 0 to 3.
    const fn index(self) -> usize {
        (self.length as usize - 4) * 2 + self.exact as usize
    }
}

/// A window as the side that plays in its middle sees it: its own stones, and the empty cells, as bits.
#[derive(Clone, Copy)]
struct View {
    own: u16,
    empty: u16,
}

impl View {
    /// The view of a number in base three: 0 empty, 1 own, 2 blocked, from the first cell on. The middle is own.
    fn of(mut state: usize) -> View {
        let mut view = View { own: MIDDLE, empty: 0 };
        for cell in (0..WINDOW).filter(|&cell| cell != REACH) {
            match state % 3 {
                0 => view.empty |= 1 << cell,
                1 => view.own |= 1 << cell,
                _ => {}
            }
            state /= 3;
        }
        view
    }

    /// The run through the middle, as bits.
    fn run(self) -> u16 {
        let mut run = MIDDLE;
        loop {
            let wider = (run | run << 1 | run >> 1) & self.own;
            if wider == run {
                return run;
            }
            run = wider;
        }
    }

    fn with(self, cell: usize) -> View {
        View { own: self.own | 1 << cell, empty: self.empty & !(1 << cell) }
    }

    fn empties(self) -> impl Iterator<Item = usize> {
        (0..WINDOW).filter(move |&cell| self.empty & (1 << cell) != 0)
    }

    /// The cells that complete a line through the middle.
    fn completions(self, rule: LineRule) -> u16 {
        self.empties().fold(0, |cells, cell| {
            let run = self.with(cell).run();
            let completes = run & (1 << cell) != 0 && rule.wins(run.count_ones());
            cells | u16::from(completes) << cell
        })
    }
}

/// The shape of every view, by its number in base three, worked out from those with one more own stone.
struct Shapes {
    rule: LineRule,
    known: Vec<Option<Shape>>,
}

impl Shapes {
    fn shape(&mut self, state: usize) -> Shape {
        if let Some(shape) = self.known[state] {
            return shape;
        }
        let shape = self.work_out(state);
        self.known[state] = Some(shape);
        shape
    }

    fn work_out(&mut self, state: usize) -> Shape {
        let view = View::of(state);
        let run = view.run();
        if self.rule.wins(run.count_ones()) {
            return Shape::Five;
        }
        if run.count_ones() > u32::from(self.rule.length) {
            return Shape::TooLong;
        }
        let completions = view.completions(self.rule);
        match completions.count_ones() {
            0 => {}
            1 => return Shape::Four,
            _ => {
                let ends = (run << 1 | run >> 1) & !run;
                let straight = completions == ends && run.count_ones() + 1 == u32::from(self.rule.length);
                return if straight { Shape::FourOpen } else { Shape::FourTwice };
            }
        }
        self.lesser(state, view)
    }

    /// A shape below a four, by what one more stone makes of it.
    fn lesser(&mut self, state: usize, view: View) -> Shape {
        let mut count = [0u8; Shape::ALL.len()];
        for cell in view.empties() {
            // The middle has no digit.
            let digit = if cell < REACH { cell } else { cell - 1 };
            count[self.shape(state + 3usize.pow(digit as u32)).index()] += 1;
        }
        let of = |shape: Shape| count[shape.index()];
        let threes = of(Shape::Three) + of(Shape::ThreeNarrow);
        let twos = of(Shape::Two) + of(Shape::TwoNarrow);
        match () {
            () if of(Shape::FourOpen) >= 2 => Shape::Three,
            () if of(Shape::FourOpen) + of(Shape::FourTwice) > 0 => Shape::ThreeNarrow,
            () if of(Shape::Four) > 0 => Shape::ThreeClosed,
            () if threes >= 3 => Shape::Two,
            () if threes > 0 => Shape::TwoNarrow,
            () if of(Shape::ThreeClosed) > 0 => Shape::TwoClosed,
            () if twos >= 3 => Shape::One,
            () if twos + of(Shape::TwoClosed) > 0 => Shape::OneClosed,
            () => Shape::None,
        }
    }
}

/// The shape of every view under a rule.
fn shapes(rule: LineRule) -> &'static [Shape] {
    static SHAPES: [OnceLock<Vec<Shape>>; 4] = [const { OnceLock::new() }; 4];
    SHAPES[rule.index()].get_or_init(|| {
        let mut shapes = Shapes { rule, known: vec![None; STATES] };
        (0..STATES).map(|state| shapes.shape(state)).collect()
    })
}

/// For every window, what a stone in its middle makes for the side that is written `01` (the lower four bits) and for
/// the one that is written `10` (the upper four).
pub type ShapeTable = &'static [u8];

/// The table for two sides' rules. It is made once, in some 20 ms.
pub fn table(first: LineRule, second: LineRule) -> ShapeTable {
    static TABLES: [OnceLock<Vec<u8>>; 16] = [const { OnceLock::new() }; 16];
    TABLES[first.index() * 4 + second.index()].get_or_init(|| {
        let (of_first, of_second) = (shapes(first), shapes(second));
        // One half of the window at a time: its digits for either side.
        let half: Vec<(usize, usize)> = (0..1 << NEIGHBOURS).map(digits).collect();
        let high = 3usize.pow(NEIGHBOURS / 2);
        let shape = |window: usize| {
            let (low, up) = (half[window & ((1 << NEIGHBOURS) - 1)], half[window >> NEIGHBOURS]);
            of_first[low.0 + up.0 * high] as u8 | (of_second[low.1 + up.1 * high] as u8) << 4
        };
        (0..WINDOWS).map(shape).collect()
    })
}

/// Five cells of two bits as numbers in base three, for the side written `01` and the side written `10`.
fn digits(cells: usize) -> (usize, usize) {
    (0..REACH).rev().fold((0, 0), |(first, second), cell| match (cells >> (2 * cell)) & 3 {
        0 => (first * 3, second * 3),
        1 => (first * 3 + 1, second * 3 + 2),
        2 => (first * 3 + 2, second * 3 + 1),
        _ => (first * 3 + 2, second * 3 + 2),
    })
}

/// Stones that a stone in the middle of a window takes along the axis: the side written `01` in the lower four bits,
/// the other in the upper four.
pub type TakeTable = &'static [u8];

/// The table for groups of two, or of two and three. Groups may mix enemies where a window does not tell them apart.
pub fn takes(threes: bool) -> TakeTable {
    static TABLES: [OnceLock<Vec<u8>>; 2] = [const { OnceLock::new() }; 2];
    TABLES[usize::from(threes)].get_or_init(|| {
        let taken = |window: usize, own: usize| -> u8 {
            let cell = |index: usize| (window >> (2 * index)) & 3;
            // The neighbours on either side, from the middle outwards.
            [[5, 6, 7, 8], [4, 3, 2, 1]].iter().map(|side| taken_along(side.map(cell), own, threes)).sum()
        };
        (0..WINDOWS).map(|window| taken(window, 1) | taken(window, 2) << 4).collect()
    })
}

fn taken_along(cells: [usize; 4], own: usize, threes: bool) -> u8 {
    let enemies = cells.iter().take_while(|&&cell| cell == 3 - own).count();
    let longest = if threes { 3 } else { 2 };
    if (2..=longest).contains(&enemies) && cells[enemies] == own { enemies as u8 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window in a drawing: `*` the point, `x` own, `o` blocked, `.` empty, cells beyond the drawing empty.
    fn shape(drawing: &str, length: u8, exact: bool) -> Shape {
        let middle = drawing.find('*').expect("a point");
        let cell = |index: usize| {
            let at = (index + middle).checked_sub(REACH)?;
            drawing.as_bytes().get(at).copied()
        };
        let state = (0..WINDOW).filter(|&index| index != REACH).rev().fold(0, |state, index| {
            let digit = match cell(index) {
                None | Some(b'.') => 0,
                Some(b'x') => 1,
                Some(_) => 2,
            };
            state * 3 + digit
        });
        shapes(LineRule { length, exact })[state]
    }

    #[test]
    fn shapes_are_what_players_call_them() {
        for (drawing, free, exact) in [
            ("xx*xx", Shape::Five, Shape::Five),
            ("xx*xxx", Shape::Five, Shape::TooLong),
            ("xx*x", Shape::FourOpen, Shape::FourOpen),
            ("oxx*x", Shape::Four, Shape::Four),
            ("oxx*xo", Shape::None, Shape::None),
            ("x.x*x.x", Shape::FourTwice, Shape::FourTwice),
            ("xx*x.x", Shape::FourOpen, Shape::Four),
            ("x.x*", Shape::ThreeNarrow, Shape::ThreeNarrow),
            ("x*x", Shape::Three, Shape::Three),
            ("o.x*x.o", Shape::ThreeClosed, Shape::ThreeClosed),
            ("ox*x", Shape::ThreeClosed, Shape::ThreeClosed),
            ("*x", Shape::Two, Shape::Two),
            ("ox*", Shape::TwoClosed, Shape::TwoClosed),
            ("*", Shape::One, Shape::One),
            ("o*", Shape::OneClosed, Shape::OneClosed),
            ("o..*.o", Shape::None, Shape::None),
        ] {
            assert_eq!((shape(drawing, 5, false), shape(drawing, 5, true)), (free, exact), "{drawing}");
        }
        for (drawing, free, exact) in [
            ("x*xx", Shape::Five, Shape::Five),
            ("x*xxx", Shape::Five, Shape::TooLong),
            ("x*x", Shape::FourOpen, Shape::FourOpen),
            ("x*", Shape::Three, Shape::Three),
            ("ox*", Shape::ThreeClosed, Shape::ThreeClosed),
        ] {
            assert_eq!((shape(drawing, 4, false), shape(drawing, 4, true)), (free, exact), "{drawing}");
        }
    }

    #[test]
    fn the_table_sees_both_sides_and_the_edge() {
        let rule = LineRule { length: 5, exact: false };
        let table = table(rule, rule);
        // Four of the first side's before the point, then the edge.
        let window: u64 =
            [1, 1, 1, 1, EDGE].iter().enumerate().fold(0, |window, (n, cell)| window | cell << (2 * (n + 1)));
        let shapes = table[window as usize];
        assert_eq!((shapes & 15, shapes >> 4), (Shape::Five as u8, Shape::None as u8));
        // The second side closes a pair and meets no other.
        let window = 2 << 14 | 1 << 12 | 1 << 10;
        assert_eq!((takes(false)[window], takes(true)[window]), (0x20, 0x20));
        let window = 2 << 16 | 1 << 14 | 1 << 12 | 1 << 10;
        assert_eq!((takes(false)[window], takes(true)[window]), (0, 0x30));
    }
}
