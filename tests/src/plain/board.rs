//! Colours, points and a board that is nothing but its cells (RULES.md, section 1).

/// A side's colour of stone; the order is the one in which answers list colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    Black,
    White,
    Blue,
    Red,
}

impl Colour {
    pub const ALL: [Colour; 4] = [Colour::Black, Colour::White, Colour::Blue, Colour::Red];

    pub fn name(self) -> &'static str {
        match self {
            Colour::Black => "black",
            Colour::White => "white",
            Colour::Blue => "blue",
            Colour::Red => "red",
        }
    }

    /// The letter that stands for a stone of this colour in a row of the board.
    pub fn letter(self) -> char {
        match self {
            Colour::Black => 'B',
            Colour::White => 'W',
            Colour::Blue => 'U',
            Colour::Red => 'R',
        }
    }

    pub fn from_name(name: &str) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| colour.name() == name)
    }
}

/// A point, on the board or beside it. Sorted by row from the bottom, then by column from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// 0 is the bottom row.
    pub row: i32,
    /// 0 is the left column, `A`.
    pub column: i32,
}

/// Columns and rows to go from a point to a neighbour.
pub type Direction = (i32, i32);

/// One direction of each of the four axes.
pub const AXES: [Direction; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

pub const DIRECTIONS: [Direction; 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

pub fn opposite((columns, rows): Direction) -> Direction {
    (-columns, -rows)
}

impl Point {
    /// Reads one capital letter and a number without leading zeros. `None` for any other text; whether the point
    /// is on a board is another question.
    pub fn read(text: &str) -> Option<Point> {
        let letter = text.chars().next().filter(char::is_ascii_uppercase)?;
        let digits = &text[1..];
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || (digits.len() > 1 && digits.starts_with('0')) {
            return None;
        }
        // A number beyond every board's rows stays beyond them, however long it is.
        let number: i32 = digits.parse().unwrap_or(i32::MAX);
        Some(Point { row: number - 1, column: letter as i32 - 'A' as i32 })
    }

    /// `H8` and the like. Only for points of a board.
    pub fn name(self) -> String {
        let letter = char::from(b'A' + u8::try_from(self.column).expect("a column of a board"));
        format!("{letter}{}", self.row + 1)
    }

    pub fn step(self, (columns, rows): Direction) -> Point {
        Point { row: self.row + rows, column: self.column + columns }
    }
}

/// What is found at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The point is not on the board.
    Outside,
    Empty,
    Stone(Colour),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: i32,
    /// Row by row from the bottom, each from the left.
    cells: Vec<Option<Colour>>,
}

impl Board {
    pub fn empty(size: i32) -> Board {
        let points = usize::try_from(size * size).expect("a board has a size");
        Board { size, cells: vec![None; points] }
    }

    pub fn contains(&self, point: Point) -> bool {
        (0..self.size).contains(&point.row) && (0..self.size).contains(&point.column)
    }

    pub fn centre(&self) -> Point {
        Point { row: self.size / 2, column: self.size / 2 }
    }

    pub fn at(&self, point: Point) -> Cell {
        if !self.contains(point) {
            return Cell::Outside;
        }
        match self.cells[self.index(point)] {
            None => Cell::Empty,
            Some(colour) => Cell::Stone(colour),
        }
    }

    pub fn has(&self, point: Point, colour: Colour) -> bool {
        self.at(point) == Cell::Stone(colour)
    }

    pub fn is_empty(&self, point: Point) -> bool {
        self.at(point) == Cell::Empty
    }

    pub fn is_full(&self) -> bool {
        self.cells.iter().all(Option::is_some)
    }

    /// All points, in their order.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |column| Point { row, column }))
    }

    pub fn empty_points(&self) -> impl Iterator<Item = Point> {
        self.points().filter(|point| self.is_empty(*point))
    }

    /// The same board with one stone more.
    pub fn with(&self, point: Point, colour: Colour) -> Board {
        let mut board = self.clone();
        let index = board.index(point);
        board.cells[index] = Some(colour);
        board
    }

    /// The same board without the stones on these points.
    pub fn without(&self, points: &[Point]) -> Board {
        let mut board = self.clone();
        for point in points {
            let index = board.index(*point);
            board.cells[index] = None;
        }
        board
    }

    /// The points of the maximal run of the colour through a point that bears such a stone, in their order along
    /// the axis.
    pub fn run(&self, point: Point, axis: Direction) -> Vec<Point> {
        let Cell::Stone(colour) = self.at(point) else { return Vec::new() };
        let mut start = point;
        while self.has(start.step(opposite(axis)), colour) {
            start = start.step(opposite(axis));
        }
        let mut points = Vec::new();
        while self.has(start, colour) {
            points.push(start);
            start = start.step(axis);
        }
        points
    }

    /// How long the run through a point is; 0 without a stone.
    pub fn run_length(&self, point: Point, axis: Direction) -> usize {
        let Cell::Stone(colour) = self.at(point) else { return 0 };
        self.length_from(point, axis, colour) + self.length_from(point.step(opposite(axis)), opposite(axis), colour)
    }

    /// All maximal runs of a colour whose length suits, each once.
    pub fn runs(&self, colour: Colour, suits: impl Fn(usize) -> bool) -> Vec<Vec<Point>> {
        let mut found = Vec::new();
        for point in self.points().filter(|point| self.has(*point, colour)) {
            for axis in AXES {
                let starts_here = !self.has(point.step(opposite(axis)), colour);
                if starts_here && suits(self.length_from(point, axis, colour)) {
                    found.push(self.run(point, axis));
                }
            }
        }
        found
    }

    /// The board's rows as the referee writes them, the highest first.
    pub fn rows(&self) -> Vec<String> {
        let letter = |row: i32, column: i32| match self.at(Point { row, column }) {
            Cell::Outside | Cell::Empty => '.',
            Cell::Stone(colour) => colour.letter(),
        };
        (0..self.size).rev().map(|row| (0..self.size).map(|column| letter(row, column)).collect()).collect()
    }

    fn length_from(&self, mut point: Point, direction: Direction, colour: Colour) -> usize {
        let mut length = 0;
        while self.has(point, colour) {
            length += 1;
            point = point.step(direction);
        }
        length
    }

    fn index(&self, point: Point) -> usize {
        usize::try_from(point.row * self.size + point.column).expect("the point is on the board")
    }
}
