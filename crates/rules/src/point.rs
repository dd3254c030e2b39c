//! Points and board sizes (RULES.md, section 1: letters from the left, none skipped; rows from 1 at the bottom).

use serde::{Deserialize, Serialize};

/// The sizes of board there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BoardSize {
    Nine,
    Thirteen,
    Fifteen,
    Nineteen,
}

impl BoardSize {
    pub const ALL: [BoardSize; 4] = [BoardSize::Nine, BoardSize::Thirteen, BoardSize::Fifteen, BoardSize::Nineteen];

    /// Points on one edge: 9, 13, 15 or 19.
    pub const fn side(self) -> u8 {
        match self {
            BoardSize::Nine => 9,
            BoardSize::Thirteen => 13,
            BoardSize::Fifteen => 15,
            BoardSize::Nineteen => 19,
        }
    }

    pub const fn from_side(side: u64) -> Option<BoardSize> {
        match side {
            9 => Some(BoardSize::Nine),
            13 => Some(BoardSize::Thirteen),
            15 => Some(BoardSize::Fifteen),
            19 => Some(BoardSize::Nineteen),
            _ => None,
        }
    }

    /// The middle point: `H8` on 15.
    pub const fn centre(self) -> Point {
        let middle = self.side() / 2;
        Point { column: middle, row: middle }
    }

    pub const fn contains(self, point: Point) -> bool {
        point.column < self.side() && point.row < self.side()
    }

    /// Every point, by row then column, from `A1`.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let side = self.side();
        (0..side).flat_map(move |row| (0..side).map(move |column| Point { column, row }))
    }
}

/// A crossing: column and row from 0 at the lower left. Ordered by row, then column.
///
/// ```
/// use rules::{BoardSize, Point};
///
/// let point: Point = "I10".parse().unwrap();
/// assert_eq!((point.column(), point.row()), (8, 9));
/// assert_eq!(BoardSize::Nineteen.centre().to_string(), "J10");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Point {
    column: u8,
    row: u8,
}

/// A point as it arrives, perhaps beyond the largest board.
#[derive(Deserialize)]
#[serde(rename = "Point")]
struct Unchecked {
    column: u8,
    row: u8,
}

impl TryFrom<Unchecked> for Point {
    type Error = &'static str;

    fn try_from(point: Unchecked) -> Result<Point, &'static str> {
        Point::new(point.column, point.row).ok_or("the point is beyond the largest board")
    }
}

impl Point {
    /// Columns and rows go up to this many on the largest board.
    pub const SIDE_MAX: u8 = 19;

    /// `None` beyond the largest board; whether it is on *this* board, [`BoardSize::contains`] says.
    pub const fn new(column: u8, row: u8) -> Option<Point> {
        if column < Point::SIDE_MAX && row < Point::SIDE_MAX { Some(Point { column, row }) } else { None }
    }

    pub const fn column(self) -> u8 {
        self.column
    }

    pub const fn row(self) -> u8 {
        self.row
    }
}

impl PartialOrd for Point {
    fn partial_cmp(&self, other: &Point) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Point {
    fn cmp(&self, other: &Point) -> std::cmp::Ordering {
        (self.row, self.column).cmp(&(other.row, other.column))
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.column), self.row + 1)
    }
}

/// Why a text is no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPoint {
    /// It is not a capital letter and a number without leading zeros.
    Malformed,
    /// It is one, and the largest board has no such point.
    Beyond,
}

impl std::fmt::Display for NoPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoPoint::Malformed => write!(f, "a point is a capital letter and a number, like H8"),
            NoPoint::Beyond => write!(f, "no board has this point"),
        }
    }
}

impl std::error::Error for NoPoint {}

impl std::str::FromStr for Point {
    type Err = NoPoint;

    /// Reads a point of the largest board; whether it is on *this* board, [`BoardSize::contains`] says.
    ///
    /// ```
    /// use rules::{NoPoint, Point};
    /// assert_eq!("H8".parse::<Point>().map(|at| (at.column(), at.row())), Ok((7, 7)));
    /// assert_eq!("T1".parse::<Point>(), Err(NoPoint::Beyond));
    /// assert_eq!("H08".parse::<Point>(), Err(NoPoint::Malformed));
    /// ```
    fn from_str(text: &str) -> Result<Point, NoPoint> {
        let (&letter, digits) = text.as_bytes().split_first().ok_or(NoPoint::Malformed)?;
        let is_number = !digits.is_empty() && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit);
        if !letter.is_ascii_uppercase() || !is_number {
            return Err(NoPoint::Malformed);
        }
        let row = digits.iter().fold(0u32, |row, digit| row.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
        let row = u8::try_from(row - 1).map_err(|_| NoPoint::Beyond)?;
        Point::new(letter - b'A', row).ok_or(NoPoint::Beyond)
    }
}
