//! The stones on the board (RULES.md, section 1): a square of cells inside a wall, so that walking along an axis needs
//! no edge test.

use crate::{BoardSize, Colour, Point};

/// Cells from one row to the next: the largest board and one column of wall, which closes the rows on both sides.
pub(crate) const STRIDE: usize = Point::SIDE_MAX as usize + 1;
/// A row of wall below and above, and one cell for the end of the last row's diagonal.
const CELLS: usize = STRIDE * (Point::SIDE_MAX as usize + 2) + 1;

/// A place in the array of cells.
pub(crate) type Spot = u16;

/// What a cell holds: nothing, the wall, or a stone as [`stone`] gives it.
pub(crate) type Cell = u8;
pub(crate) const EMPTY: Cell = 0;
pub(crate) const WALL: Cell = 7;

/// Steps in the eight directions; direction `d + 4` is opposite to `d`, and the first four are the axes: along the
/// row, up the column, up and down the diagonals.
pub(crate) const STEPS: [i16; 8] = [
    1,
    STRIDE as i16,
    STRIDE as i16 + 1,
    1 - STRIDE as i16,
    -1,
    -(STRIDE as i16),
    -(STRIDE as i16) - 1,
    STRIDE as i16 - 1,
];
pub(crate) const AXES: usize = 4;

pub(crate) const fn stone(colour: Colour) -> Cell {
    colour.index() as Cell + 1
}

pub(crate) const fn colour_of(cell: Cell) -> Option<Colour> {
    match cell {
        1 => Some(Colour::Black),
        2 => Some(Colour::White),
        3 => Some(Colour::Blue),
        4 => Some(Colour::Red),
        _ => None,
    }
}

/// A stone of any side but `own`'s.
pub(crate) const fn is_enemy(cell: Cell, own: Cell) -> bool {
    cell != EMPTY && cell != WALL && cell != own
}

pub(crate) const fn spot_of(point: Point) -> Spot {
    (point.row() as Spot + 1) * STRIDE as Spot + point.column() as Spot + 1
}

/// The point of a spot inside the wall.
pub(crate) fn point_of(spot: Spot) -> Point {
    let (row, column) = (spot / STRIDE as Spot - 1, spot % STRIDE as Spot - 1);
    Point::new(column as u8, row as u8).unwrap_or_else(|| unreachable!("spot {spot} is in the wall"))
}

/// `count` steps from `spot` in one of [`STEPS`]'s directions.
pub(crate) const fn ahead(spot: Spot, direction: usize, count: i16) -> Spot {
    spot.wrapping_add_signed(STEPS[direction] * count)
}

/// The cells, how many of them are empty, and a hash of the stones that is kept up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    cells: [Cell; CELLS],
    empty: u16,
    hash: u64,
}

impl Board {
    pub(crate) fn new(size: BoardSize) -> Board {
        let mut cells = [WALL; CELLS];
        let side = u16::from(size.side());
        for point in size.points() {
            cells[usize::from(spot_of(point))] = EMPTY;
        }
        Board { cells, empty: side * side, hash: 0 }
    }

    pub(crate) fn at(&self, spot: Spot) -> Cell {
        self.cells[usize::from(spot)]
    }

    /// The cells inside the wall, row by row.
    pub(crate) fn rows(&self, side: u8) -> impl Iterator<Item = &[Cell]> {
        let side = usize::from(side);
        (1..=side).map(move |row| &self.cells[row * STRIDE + 1..][..side])
    }

    /// The spots whose cells hold this, by row then column.
    pub(crate) fn spots_of(&self, cell: Cell) -> impl Iterator<Item = Spot> {
        (0..CELLS as Spot).filter(move |&spot| self.at(spot) == cell)
    }

    pub(crate) fn empty(&self) -> u16 {
        self.empty
    }

    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Puts a stone on an empty spot.
    pub(crate) fn place(&mut self, spot: Spot, stone: Cell) {
        debug_assert_eq!(self.at(spot), EMPTY);
        self.cells[usize::from(spot)] = stone;
        self.empty -= 1;
        self.hash ^= key(spot, stone);
    }

    /// Takes the stone from a spot and gives what it was.
    pub(crate) fn lift(&mut self, spot: Spot) -> Cell {
        let stone = std::mem::replace(&mut self.cells[usize::from(spot)], EMPTY);
        debug_assert!(stone != EMPTY && stone != WALL);
        self.empty += 1;
        self.hash ^= key(spot, stone);
        stone
    }

    /// How many cells in a row hold `cell`, from the one after `spot` on.
    pub(crate) fn reach(&self, spot: Spot, direction: usize, cell: Cell) -> u8 {
        let mut count = 0;
        let mut next = ahead(spot, direction, 1);
        while self.at(next) == cell {
            count += 1;
            next = ahead(next, direction, 1);
        }
        count
    }
}

/// A fixed random number for a stone on a spot.
fn key(spot: Spot, stone: Cell) -> u64 {
    KEYS[usize::from(stone) - 1][usize::from(spot)]
}

static KEYS: [[u64; CELLS]; 4] = keys();

const fn keys() -> [[u64; CELLS]; 4] {
    let mut keys = [[0; CELLS]; 4];
    let mut colour = 0;
    while colour < 4 {
        let mut spot = 0;
        while spot < CELLS {
            keys[colour][spot] = mix((colour * CELLS + spot) as u64 + 1);
            spot += 1;
        }
        colour += 1;
    }
    keys
}

/// SplitMix64's output function (Steele, Lea, Flood 2014): every bit of the input changes half of the output's.
pub(crate) const fn mix(value: u64) -> u64 {
    let z = value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
