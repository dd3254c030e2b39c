//! A flat picture of the board on which enemies' possibilities are counted without playing them out. It knows lines
//! and captures; what only the full rules know (fouls, overtime) is judged by playing on the game itself.

use rules::{Colour, Forbidden, Game, Overline, Point, Rules};

/// Cells in a row of the picture: the largest board and an edge on both sides.
const ROW: usize = Point::SIDE_MAX as usize + 2;
const CELLS: usize = ROW * ROW;
const EMPTY: u8 = 4;
const EDGE: u8 = 5;

/// Steps along the four axes; the eight directions are these and their negatives.
const AXES: [isize; 4] = [1, ROW as isize, ROW as isize + 1, ROW as isize - 1];

/// A cell of the picture.
pub type Cell = usize;

/// What makes a line for one colour.
#[derive(Clone, Copy)]
struct LineRule {
    length: u8,
    longer_wins: bool,
}

#[derive(Clone)]
pub struct Picture {
    cells: [u8; CELLS],
    side: u8,
    line: [LineRule; 4],
    goal: u16,
    captures: bool,
    threes: bool,
    /// A captured group may mix several enemies.
    mixed: bool,
    pub captured: [u16; 4],
    pub colours: Vec<Colour>,
}

pub fn cell(point: Point) -> Cell {
    (usize::from(point.row()) + 1) * ROW + usize::from(point.column()) + 1
}

fn step(at: Cell, by: isize) -> Cell {
    at.wrapping_add_signed(by)
}

impl Picture {
    pub fn new(game: &Game) -> Picture {
        let rules = game.rules();
        let mut cells = [EDGE; CELLS];
        for point in rules.board().points() {
            cells[cell(point)] = game.stone(point).map_or(EMPTY, |colour| colour.index() as u8);
        }
        let options = rules.options();
        Picture {
            cells,
            side: rules.board().side(),
            line: Colour::ALL.map(|colour| line_rule(rules, colour)),
            goal: u16::from(rules.goal()),
            captures: options.captures,
            threes: options.capture_threes,
            mixed: options.mixed_captures && rules.sides() > 2,
            captured: Colour::ALL.map(|colour| game.captured(colour)),
            colours: rules.colours(),
        }
    }

    pub fn is_empty(&self, at: Cell) -> bool {
        self.cells[at] == EMPTY
    }

    pub fn put(&mut self, at: Cell, colour: Colour) {
        self.cells[at] = colour.index() as u8;
    }

    pub fn clear(&mut self, at: Cell) {
        self.cells[at] = EMPTY;
    }

    /// Empty cells at most two steps from a stone, in any direction.
    pub fn near(&self) -> Vec<Cell> {
        let mut near = [false; CELLS];
        for at in self.inside() {
            if self.cells[at] < EMPTY {
                for down in -2..=2isize {
                    for right in -2..=2isize {
                        // Rows of the edge keep neighbours inside the array, but not two rows beyond it.
                        if let Some(seen) = near.get_mut(step(at, down * ROW as isize + right)) {
                            *seen = true;
                        }
                    }
                }
            }
        }
        self.inside().filter(|&at| near[at] && self.is_empty(at)).collect()
    }

    /// Every cell of the board itself.
    pub fn inside(&self) -> impl Iterator<Item = Cell> + use<> {
        let side = usize::from(self.side);
        (1..=side).flat_map(move |row| (1..=side).map(move |column| row * ROW + column))
    }

    /// Whether a stone here would end the game for this colour: a line, or the last stones of the captures.
    pub fn wins(&self, colour: Colour, at: Cell) -> bool {
        self.makes_line(colour, at)
            || self.captures && self.captured[colour.index()] + self.takes(colour, at) >= self.goal
    }

    fn makes_line(&self, colour: Colour, at: Cell) -> bool {
        let rule = self.line[colour.index()];
        AXES.iter().any(|&axis| {
            let run = 1 + self.run(colour, at, axis) + self.run(colour, at, -axis);
            run == rule.length || rule.longer_wins && run > rule.length
        })
    }

    fn run(&self, colour: Colour, from: Cell, by: isize) -> u8 {
        let own = colour.index() as u8;
        let mut at = step(from, by);
        let mut length = 0;
        while self.cells[at] == own {
            length += 1;
            at = step(at, by);
        }
        length
    }

    /// Stones that this colour takes by playing here.
    pub fn takes(&self, colour: Colour, at: Cell) -> u16 {
        if !self.captures {
            return 0;
        }
        AXES.iter().flat_map(|&axis| [axis, -axis]).map(|by| self.taken_towards(colour, at, by)).sum()
    }

    fn taken_towards(&self, colour: Colour, from: Cell, by: isize) -> u16 {
        let own = colour.index() as u8;
        let first = self.cells[step(from, by)];
        if first >= EMPTY || first == own {
            return 0;
        }
        let mut at = step(from, by);
        let mut length = 0;
        while self.cells[at] < EMPTY && self.cells[at] != own && length < 4 {
            if self.cells[at] != first && !self.mixed {
                return 0;
            }
            length += 1;
            at = step(at, by);
        }
        let flanked = self.cells[at] == own;
        if flanked && (length == 2 || length == 3 && self.threes) { length } else { 0 }
    }

    /// Cells on the axes through `at` where this colour would win, at most a line's length away.
    pub fn winning_around(&self, colour: Colour, at: Cell) -> u32 {
        let reach = self.line[colour.index()].length;
        let mut found = 0;
        for by in AXES.iter().flat_map(|&axis| [axis, -axis]) {
            let mut there = at;
            for _ in 1..reach {
                there = step(there, by);
                match self.cells[there] {
                    EDGE => break,
                    EMPTY if self.makes_line(colour, there) => found += 1,
                    other if other < EMPTY && other != colour.index() as u8 => break,
                    _ => {}
                }
            }
        }
        found
    }

    /// The worth of a cell for the lines that go through it: for every window of a line's length that holds no other
    /// colour, a value that grows with the stones already in it.
    pub fn worth(&self, colour: Colour, at: Cell) -> i32 {
        let rule = self.line[colour.index()];
        let length = isize::from(i16::from(rule.length));
        let own = colour.index() as u8;
        let mut worth = 0;
        for axis in AXES {
            for back in 0..length {
                let start = step(at, -axis * back);
                if let Some(stones) = self.window(own, start, axis, rule) {
                    worth += value(stones, rule.length);
                }
            }
        }
        worth
    }

    /// Own stones in a window, `None` if it is blocked or can only become too long.
    fn window(&self, own: u8, start: Cell, axis: isize, rule: LineRule) -> Option<u8> {
        let mut at = start;
        let mut stones = 0;
        for _ in 0..rule.length {
            match *self.cells.get(at)? {
                EMPTY => {}
                other if other == own => stones += 1,
                _ => return None,
            }
            at = step(at, axis);
        }
        let too_long = !rule.longer_wins && (self.cells[at] == own || self.cells[step(start, -axis)] == own);
        (!too_long).then_some(stones)
    }
}

fn line_rule(rules: &Rules, colour: Colour) -> LineRule {
    let options = rules.options();
    let exact_only = match options.forbidden {
        Forbidden::Renju => colour == Colour::Black,
        Forbidden::None | Forbidden::DoubleThreeFirst | Forbidden::DoubleThreeBoth => false,
    };
    let longer_wins = match options.overline {
        Overline::Wins => !exact_only,
        Overline::NoWin => false,
    };
    LineRule { length: rules.line(), longer_wins }
}

/// What a window with so many own stones is worth to the one who plays into it. A step up is worth several of the
/// step below, so that many weak windows never outweigh one strong one.
fn value(stones: u8, length: u8) -> i32 {
    match length - stones {
        1 => 4_000,
        2 => 600,
        3 => 70,
        4 => 10,
        _ => 2,
    }
}
