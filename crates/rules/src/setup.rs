//! Any board as a setup, unchecked, and its text. It becomes a game through [`Game::from_setup`] only.
//!
//! The text is a game's text without actions ([`crate::notation`]): a line that begins with `setup`, and the board
//! as it lies, `B W U R` for the colours' stones, rows numbered and columns lettered (both may be left out).
//!
//! ```
//! use rules::{Game, Setup, SetupError};
//! let text = "
//! c5-game 1 capture-five board=9
//! setup turn=white captured=black:4,white:2
//! 9 .........
//! 8 .........
//! 7 ..W......
//! 6 ..B......
//! 5 ..B.BB...
//! 4 ...W.....
//! 3 .........
//! 2 .........
//! 1 .........
//!   ABCDEFGHI
//! ";
//! let setup: Setup = text.parse()?;
//! let mut game = Game::from_setup(&setup)?;
//! game.play(&"C4".parse()?).expect("a legal stone");
//! assert_eq!(game.captured(rules::Colour::White), 4);
//! assert!(game.undo() && !game.undo(), "it goes back to the setup and no further");
//! assert_eq!(game.to_setup().expect("it goes on").to_string(), text.trim_start());
//!
//! let won = Setup { captured: [10, 0, 0, 0], ..setup };
//! assert_eq!(Game::from_setup(&won).err(), Some(SetupError::AlreadyWon(rules::Colour::Black)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | word after `setup` | says |
//! |---|---|
//! | `turn=white` | the colour of the stone to be placed next (required) |
//! | `ply=17` | stones placed so far, where more or fewer than it seems |
//! | `captured=black:4,white:2` | stones taken by each colour's side |
//! | `swapped` | the starter holds the second colour since the opening |
//! | `stage=choosing` | how far an opening has come ([`Stage`]), unless it is over |
//! | `overtime` | the winning line on the board waits for the move of the player to move |

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::notation::{Line, Lines, head, shown};
use crate::{Colour, Point, Rules, TextError, TextFault};

named! {
    /// How far an opening has come (RULES.md, section 7).
    pub enum Stage {
        /// There is no such opening, or the colours are chosen.
        Over = "over",
        /// The first player places the first three or four stones.
        Placing = "placing",
        /// The second player chooses a colour, or in `place-three` to add two stones.
        Choosing = "choosing",
        /// The second player adds two stones.
        Adding = "adding",
        /// The first player chooses a colour after that.
        ChoosingAgain = "choosing-again",
    }
}

/// A position as somebody says it is. Nothing about it is checked, and how it came about is not asked: numbers of
/// stones need not be balanced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    pub rules: Rules,
    pub stones: Vec<(Point, Colour)>,
    /// Stones taken by each colour's side, in the order of [`Colour::ALL`].
    pub captured: [u16; 4],
    /// The colour of the stone to be placed next.
    pub turn: Colour,
    /// Stones placed so far; they decide who is to move. `None`: as many as stand on the board and were taken, and
    /// as few more as bring the turn to `turn`.
    pub ply: Option<u16>,
    pub stage: Stage,
    /// Whether the starter has chosen, or was left, the second colour.
    pub swapped: bool,
    /// Whether the winning line on the board waits for the next move (RULES.md, section 5 *Overtime*).
    pub overtime: bool,
}

/// Why a setup is no position of a game that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A stone that is not on this board.
    OffBoard(Point),
    /// Two stones on one point.
    Occupied(Point),
    /// A stone, a captured total or the turn of a colour that nobody plays.
    NotInPlay(Colour),
    /// Captured stones where the rules have no captures.
    NoCaptures(Colour),
    /// This side has captured enough to have won.
    AlreadyWon(Colour),
    /// After so many stones it would be another colour's turn.
    Turn { ply: u16 },
    /// So many stones cannot have been placed, for what stands on the board and was taken: at least `least`, at
    /// most `most`.
    Ply { least: u16, most: u16 },
    /// The opening has no such stage, or not after so many stones.
    Stage(Stage),
    /// Colours cannot have been exchanged: the opening has no choice, or it is still to come.
    Swapped,
    /// A winning line stands, and it is not said to wait in overtime.
    LineStands(Colour, Vec<Point>),
    /// There is no overtime: not exactly one winning line, not of another side than the one to move, or the player
    /// to move cannot stop it.
    NotInOvertime,
    /// The board is full.
    FullBoard,
    /// The player to move has no legal point.
    NoLegalPoint,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::OffBoard(at) => write!(f, "{at} is not on this board"),
            SetupError::Occupied(at) => write!(f, "two stones stand on {at}"),
            SetupError::NotInPlay(colour) => write!(f, "nobody plays {}", colour.name()),
            SetupError::NoCaptures(colour) => {
                write!(f, "{} has captured stones, and the rules have no captures", colour.name())
            }
            SetupError::AlreadyWon(colour) => write!(f, "{} has won by captures", colour.name()),
            SetupError::Turn { ply } => write!(f, "after {ply} stones it is another colour's turn"),
            SetupError::Ply { least, most } => write!(f, "from {least} to {most} stones must have been placed"),
            SetupError::Stage(stage) => {
                write!(f, "the opening cannot be at {:?} after so many stones", stage.name())
            }
            SetupError::Swapped => write!(f, "the opening has not exchanged the colours"),
            SetupError::LineStands(colour, _) => write!(f, "{} has a winning line", colour.name()),
            SetupError::NotInOvertime => write!(f, "there is no winning line that the player to move can stop"),
            SetupError::FullBoard => write!(f, "the board is full"),
            SetupError::NoLegalPoint => write!(f, "the player to move has no legal point"),
        }
    }
}

impl std::error::Error for SetupError {}

const SETUP: &str = "setup";
const TURN: &str = "turn";
const PLY: &str = "ply";
const CAPTURED: &str = "captured";
const STAGE: &str = "stage";
const SWAPPED: &str = "swapped";
const OVERTIME: &str = "overtime";
const EMPTY: char = '.';

impl Setup {
    /// These stones, nothing captured, no opening under way.
    pub fn new(rules: Rules, stones: Vec<(Point, Colour)>, turn: Colour) -> Setup {
        Setup { rules, stones, captured: [0; 4], turn, ply: None, stage: Stage::Over, swapped: false, overtime: false }
    }

    /// The line `setup …` and the board. A stone off the board, or on another's point, cannot be drawn.
    pub(crate) fn write_board(&self, text: &mut String) {
        text.push_str(&self.line());
        let side = self.rules.board().side();
        let width = side.to_string().len();
        let mut cells = vec![EMPTY; usize::from(side) * usize::from(side)];
        for &(at, colour) in self.stones.iter().filter(|(at, _)| self.rules.board().contains(*at)) {
            cells[usize::from(at.row()) * usize::from(side) + usize::from(at.column())] = colour.letter();
        }
        for (row, cells) in cells.chunks(usize::from(side)).enumerate().rev() {
            let row_text: String = cells.iter().collect();
            text.push_str(&format!("{:>width$} {row_text}\n", row + 1));
        }
        text.push_str(&format!("{:width$} {}\n", "", letters(side)));
    }

    fn line(&self) -> String {
        let mut line = format!("{SETUP} {TURN}={}", self.turn.name());
        if let Some(ply) = self.ply {
            line.push_str(&format!(" {PLY}={ply}"));
        }
        let totals = Colour::ALL.into_iter().zip(self.captured).filter(|&(_, total)| total > 0);
        let totals: Vec<String> = totals.map(|(colour, total)| format!("{}:{total}", colour.name())).collect();
        if !totals.is_empty() {
            line.push_str(&format!(" {CAPTURED}={}", totals.join(",")));
        }
        if self.stage != Stage::Over {
            line.push_str(&format!(" {STAGE}={}", self.stage.name()));
        }
        let marks = [(self.swapped, SWAPPED), (self.overtime, OVERTIME)];
        for (_, mark) in marks.into_iter().filter(|(is_set, _)| *is_set) {
            line.push(' ');
            line.push_str(mark);
        }
        line.push('\n');
        line
    }

    /// Reads the line `setup …` and the board, if the next line is such a one.
    pub(crate) fn read_board(rules: Rules, lines: &mut Lines) -> Result<Option<Setup>, TextError> {
        let is_setup = |line: &str| line.split_ascii_whitespace().next() == Some(SETUP);
        let Some(line) = lines.next_if(is_setup) else { return Ok(None) };
        let mut setup = Setup::new(rules, Vec::new(), Colour::Black);
        setup.read_line(&line)?;
        let side = rules.board().side();
        for row in (0..side).rev() {
            let number = lines.next_number();
            let line = lines.next().ok_or(TextFault::RowMissing.at(number, 0))?;
            setup.read_row(row, &line)?;
        }
        let letters = letters(side);
        lines.next_if(|line| line == letters);
        setup.stones.sort_unstable();
        Ok(Some(setup))
    }

    fn read_line(&mut self, line: &Line) -> Result<(), TextError> {
        let mut seen = Vec::new();
        for (index, &word) in line.words.iter().enumerate().skip(1) {
            let fault = |fault: TextFault| fault.at(line.number, index + 1);
            let name = word.split_once('=').map_or(word, |(name, _)| name);
            if seen.contains(&name) {
                return Err(fault(TextFault::Repeated(shown(name))));
            }
            self.read_word(word).ok_or_else(|| fault(TextFault::NotASetupWord(shown(word))))?;
            seen.push(name);
        }
        if seen.contains(&TURN) { Ok(()) } else { Err(TextFault::NoSetup.at(line.number, 0)) }
    }

    fn read_word(&mut self, word: &str) -> Option<()> {
        match word.split_once('=') {
            None if word == SWAPPED => self.swapped = true,
            None if word == OVERTIME => self.overtime = true,
            Some((TURN, name)) => self.turn = Colour::from_name(name)?,
            Some((PLY, number)) => self.ply = Some(number_of(number)?),
            Some((CAPTURED, totals)) => {
                for total in totals.split(',') {
                    let (name, number) = total.split_once(':')?;
                    let total = &mut self.captured[Colour::from_name(name)?.index()];
                    // A colour is named once, and not for nothing.
                    if *total != 0 || number == "0" {
                        return None;
                    }
                    *total = number_of(number)?;
                }
            }
            Some((STAGE, name)) => self.stage = Stage::from_name(name)?,
            None | Some(_) => return None,
        }
        Some(())
    }

    fn read_row(&mut self, row: u8, line: &Line) -> Result<(), TextError> {
        let (cells, word) = match line.words.as_slice() {
            &[cells] => (cells, 1),
            &[number, cells] if number_of(number) == Some(u16::from(row) + 1) => (cells, 2),
            words => return Err(TextFault::Row(shown(&words.join(" "))).at(line.number, 0)),
        };
        let fault = || TextFault::Row(shown(cells)).at(line.number, word);
        if cells.chars().count() != usize::from(self.rules.board().side()) {
            return Err(fault());
        }
        for (column, letter) in (0..).zip(cells.chars()) {
            if letter != EMPTY {
                let at = Point::new(column, row).ok_or_else(fault)?;
                self.stones.push((at, Colour::from_letter(letter).ok_or_else(fault)?));
            }
        }
        Ok(())
    }
}

/// A number without sign and leading zeros.
fn number_of(text: &str) -> Option<u16> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if is_plain { text.parse().ok() } else { None }
}

/// The columns' letters, from the left.
fn letters(side: u8) -> String {
    (0..side).map(|column| char::from(b'A' + column)).collect()
}

/// The setup as the text of a game without actions.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = head(&self.rules);
        self.write_board(&mut text);
        f.write_str(&text)
    }
}

impl FromStr for Setup {
    type Err = TextError;

    /// Reads a setup; whether it can be a game's position, [`crate::Game::from_setup`] says.
    fn from_str(text: &str) -> Result<Setup, TextError> {
        let mut lines = Lines::of(text)?;
        let rules = lines.rules()?;
        let number = lines.next_number();
        let setup = Setup::read_board(rules, &mut lines)?.ok_or(TextFault::NoSetup.at(number, 0))?;
        match lines.next() {
            None => Ok(setup),
            Some(line) => Err(TextFault::ActionsFollow.at(line.number, 1)),
        }
    }
}
