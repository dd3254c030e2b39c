//! A board as plain cells, for judging shapes from scratch: no code shared with the engine's.

use rules::{Colour, Game, Point};

/// One step along each axis.
pub const AXES: [(i16, i16); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone)]
pub struct Cells {
    side: i16,
    stones: Vec<Option<Colour>>,
}

impl Cells {
    pub fn of(game: &Game) -> Cells {
        let board = game.rules().board();
        Cells { side: i16::from(board.side()), stones: board.points().map(|at| game.stone(at)).collect() }
    }

    fn index(&self, at: Point) -> usize {
        usize::from(at.row()) * self.side as usize + usize::from(at.column())
    }

    pub fn at(&self, at: Point) -> Option<Colour> {
        self.stones[self.index(at)]
    }

    pub fn is_empty(&self, at: Option<Point>) -> bool {
        at.is_some_and(|at| self.at(at).is_none())
    }

    pub fn with(&self, at: Point, stone: Option<Colour>) -> Cells {
        let mut cells = self.clone();
        let index = cells.index(at);
        cells.stones[index] = stone;
        cells
    }

    /// The point so many steps on; `None` off the board.
    pub fn step(&self, at: Point, axis: (i16, i16), count: i16) -> Option<Point> {
        let column = i16::from(at.column()) + axis.0 * count;
        let row = i16::from(at.row()) + axis.1 * count;
        let inside = (0..self.side).contains(&column) && (0..self.side).contains(&row);
        if inside { Point::new(column as u8, row as u8) } else { None }
    }

    /// The stones of one colour that follow each other on an axis around a stone, from end to end.
    pub fn run(&self, at: Point, axis: (i16, i16)) -> Vec<Point> {
        let own = self.at(at);
        let same = |n: &i16| self.step(at, axis, *n).is_some_and(|point| self.at(point) == own);
        let back = (1i16..).take_while(|n| same(&-n)).count() as i16;
        let forth = (1i16..).take_while(same).count() as i16;
        (-back..=forth).filter_map(|n| self.step(at, axis, n)).collect()
    }

    /// Every point of an axis through `at`.
    pub fn along(&self, at: Point, axis: (i16, i16)) -> Vec<Point> {
        (-self.side..=self.side).filter_map(|n| self.step(at, axis, n)).collect()
    }
}
