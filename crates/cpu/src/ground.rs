//! What does not change during a game: where points lie, what wins, and the tables that say what a stone makes.

use rules::{Colour, Forbidden, Game, IntoFlank, Outcome, Overline, OvertimeRule, Point, Rules};

use crate::level::Sight;
use crate::shape::{self, LineRule, REACH, ShapeTable, TakeTable};
use crate::spots::{Spot, Spots};
use crate::threat::{Threats, Worth};

/// Lines along all axes of the largest board: 19 + 19 + 37 + 37.
pub const LINES: usize = 112;
/// The first line of each axis.
pub const FIRST: [usize; 4] = [0, 19, 38, 75];
pub const AXES: usize = 4;

/// Where a point lies on each axis.
#[derive(Clone, Copy, Default)]
pub struct Place {
    pub line: [u8; AXES],
    /// Its cell on that line, twice: how far the line's word is shifted for the window around it.
    pub shift: [u8; AXES],
}

/// What does not change during a game: the board's shape and the rules' tables. Shared by all fields of a game.
pub struct Ground {
    pub side: usize,
    pub spots: usize,
    pub places: Vec<Place>,
    pub steps: [i16; AXES],
    /// The first cell of a window that has a say in any shape: longer runs are asked about only where they do not win.
    pub nearest: u32,
    /// The points around each point that are worth a look once a stone is there.
    pub near: Vec<Spots>,
    keys: Vec<[u64; 4]>,
    pub tables: Vec<ShapeTable>,
    pub takes: Option<TakeTable>,
    pub threats: &'static Threats,
    /// By colour's place in turn order.
    pub rules: [LineRule; 4],
    pub threes: bool,
    /// A captured group may mix enemies.
    pub mixed: bool,
    pub goal: u16,
    pub colours: Vec<Colour>,
    /// A field alone knows what the rules say: nothing is forbidden, nothing is lost by moving in, no line waits.
    pub is_plain: bool,
    /// A line may wait for what the next player does to it.
    pub overtime: bool,
    /// Something comes of a stone that is put between two enemies.
    pub into_flank: bool,
    pub worth: &'static Worth,
    /// What this side overlooks of the others, by line.
    pub sight: (usize, [Sight; LINES]),
}

impl Ground {
    pub fn new(rules: &Rules) -> Ground {
        let side = usize::from(rules.board().side());
        let options = rules.options();
        let colours: Vec<Colour> = (0..rules.sides()).map(|side| rules.first_colour_of(side)).collect();
        let line_rules =
            std::array::from_fn(|side| line_rule(rules, colours.get(side).copied().unwrap_or(Colour::Black)));
        let tables = if colours.len() == 2 {
            vec![shape::table(line_rules[0], line_rules[1])]
        } else {
            vec![shape::table(line_rules[0], line_rules[0]); colours.len()]
        };
        Ground {
            side,
            spots: side * side,
            places: places(side),
            steps: [1, side as i16, side as i16 + 1, 1 - side as i16],
            near: (0..side * side).map(|spot| around(side, spot)).collect(),
            keys: (0..side * side)
                .map(|spot| std::array::from_fn(|of| crate::mix(of as u64 + 1, spot as u64)))
                .collect(),
            nearest: line_rules[..colours.len()].iter().map(nearest).min().unwrap_or(0).min(nearest_flank(rules)),
            tables,
            takes: options.captures.then(|| shape::takes(options.capture_threes)),
            threats: Threats::get(),
            rules: line_rules,
            threes: options.capture_threes,
            mixed: options.mixed_captures || colours.len() == 2,
            goal: u16::from(rules.goal()),
            worth: Worth::get(options.captures),
            colours,
            sight: (0, [Sight::Clear; LINES]),
            is_plain: is_plain(rules),
            overtime: options.overtime != OvertimeRule::None,
            into_flank: options.into_flank != IntoFlank::Nothing,
        }
    }

    /// Lets the fields that are made from now on be seen by a side as it sees them.
    pub fn see_as(&mut self, side: usize, sight: [Sight; LINES]) {
        self.sight = (side, sight);
    }

    pub fn captures(&self) -> bool {
        self.takes.is_some()
    }

    pub fn spot(&self, point: Point) -> Spot {
        u16::from(point.row()) * self.side as u16 + u16::from(point.column())
    }

    pub fn point(&self, spot: Spot) -> Point {
        let side = self.side as u16;
        Point::new((spot % side) as u8, (spot / side) as u8).expect("a spot of the board")
    }

    /// The side of a colour: its place in turn order.
    pub fn side_of(&self, colour: Colour) -> usize {
        self.colours.iter().position(|&other| other == colour).expect("a colour in play")
    }

    /// The sides that have won a game, as bits; none in a draw. `None` while it goes on.
    pub fn winners(&self, game: &Game) -> Option<u8> {
        match game.result()? {
            Outcome::Draw(_) => Some(0),
            Outcome::Win { winners, .. } => {
                Some(winners.iter().fold(0, |bits, &colour| bits | 1 << self.side_of(colour)))
            }
        }
    }

    /// What each side has taken so far.
    pub fn captured<const SIDES: usize>(&self, game: &Game) -> [u16; SIDES] {
        std::array::from_fn(|side| game.captured(self.colours[side]))
    }

    /// The point so many steps from a spot on an axis, if it is on the board.
    pub fn along(&self, spot: Spot, axis: usize, steps: i16) -> Option<Spot> {
        let (column, row) = ((spot as usize % self.side) as i16, (spot as usize / self.side) as i16);
        let (across, up) = [(1, 0), (0, 1), (1, 1), (1, -1)][axis];
        let (column, row) = (column + across * steps, row + up * steps);
        let board = 0..self.side as i16;
        (board.contains(&column) && board.contains(&row)).then(|| spot.wrapping_add_signed(self.steps[axis] * steps))
    }

    /// The points at most so many steps from a spot on its axes and on the board, in both directions, itself left out.
    pub fn on_axis(&self, spot: Spot, axis: usize, reach: i16) -> impl Iterator<Item = Spot> + use<'_> {
        (-reach..=reach).filter(|&steps| steps != 0).filter_map(move |steps| self.along(spot, axis, steps))
    }

    pub fn key(&self, spot: Spot, side: usize) -> u64 {
        self.keys[usize::from(spot)][side]
    }
}

/// Whether nothing is forbidden, nothing is lost by moving in, and no line waits.
pub fn is_plain(rules: &Rules) -> bool {
    let options = rules.options();
    options.forbidden == Forbidden::None
        && options.into_flank == IntoFlank::Nothing
        && options.overtime == OvertimeRule::None
}

/// The first cell of a window that has a say in what is taken: the stone that flanks a pair, or three.
fn nearest_flank(rules: &Rules) -> u32 {
    REACH as u32 - if rules.options().capture_threes { 4 } else { 3 }
}

/// The first cell of a window that has a say in a side's shapes.
fn nearest(rule: &LineRule) -> u32 {
    REACH as u32 + 1 - u32::from(rule.length) - u32::from(rule.exact)
}

fn line_rule(rules: &Rules, colour: Colour) -> LineRule {
    let renju = rules.options().forbidden == Forbidden::Renju && colour == Colour::Black;
    LineRule { length: rules.line(), exact: renju || rules.options().overline == Overline::NoWin }
}

fn places(side: usize) -> Vec<Place> {
    (0..side * side)
        .map(|spot| {
            let (column, row) = (spot % side, spot / side);
            let lines = [row, column, column + side - 1 - row, column + row];
            let cells = [column, row, column, column];
            Place {
                line: std::array::from_fn(|axis| (FIRST[axis] + lines[axis]) as u8),
                shift: cells.map(|cell| 2 * cell as u8),
            }
        })
        .collect()
}

/// A square of two around a spot, and three along its axes.
fn around(side: usize, spot: usize) -> Spots {
    let (column, row) = ((spot % side) as isize, (spot / side) as isize);
    let mut spots = Spots::NONE;
    for other in 0..side * side {
        let (across, up) = ((other % side) as isize - column, (other / side) as isize - row);
        let (far, is_axis) = (across.abs().max(up.abs()), across == 0 || up == 0 || across.abs() == up.abs());
        if other != spot && (far <= 2 || far == 3 && is_axis) {
            spots.add(other as Spot);
        }
    }
    spots
}
