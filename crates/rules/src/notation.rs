//! Rules, actions and whole games as text and back. Points are RULES.md section 1's: `A1` at the lower left, no
//! letter skipped.
//!
//! A game is a line with the format's version, the preset and the options that differ from the preset's own, then
//! the position it started from, if that was not the empty board ([`crate::setup`]), then its actions:
//!
//! ```
//! use rules::Game;
//! let text = "c5-game 1 capture-five board=9 forced_capture=false\n\
//!             E5 E6 A1 E7 E8[E6,E7] A9 F5 A8 G5[] resign:white\n";
//! let game = Game::from_text(text)?;
//! assert_eq!(game.captured(rules::Colour::Black), 2);
//! assert_eq!(game.to_text(), text);
//! # Ok::<(), rules::TextError>(())
//! ```
//!
//! | word | action |
//! |---|---|
//! | `H8` | a stone that takes everything it can |
//! | `H8[F8,G8][H9,H10]` | a stone that takes just these groups |
//! | `H8[]` | a stone that takes none |
//! | `black`, `white` | the choice of a colour in an opening |
//! | `add` | the third choice of `place-three` |
//! | `resign:white` | this colour's side resigns |
//! | `draw` | a draw agreed by all |
//!
//! Reading accepts any spacing and line breaks between words, options in any order and also those that the preset
//! has anyway, and points of a group in any order. Writing has one form. Moves are not numbered.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::{
    Action, Clash, Colour, Game, Group, NoPoint, OptionError, OptionName, Point, Preset, Refusal, Rules, Setup,
    SetupError, Take,
};

/// First word of a game's text.
const FORMAT: &str = "c5-game";
/// Second word; another one is of another version and is not read.
const VERSION: &str = "1";

/// Bytes in a game's text: more than any game has.
pub const TEXT_BYTES_MAX: usize = 1 << 16;
/// Actions in a game's text: far more than any game has before it ends.
pub const ACTIONS_MAX: usize = 1024;
/// Groups that one stone takes: one in each direction.
pub const GROUPS_MAX: usize = 8;
/// Points of one group: a line from edge to edge.
pub const GROUP_POINTS_MAX: usize = Point::SIDE_MAX as usize;
/// Characters of a faulty word that an error repeats.
pub const SHOWN_CHARS_MAX: usize = 40;
/// Characters after which written actions go on in the next line.
const COLUMNS_MAX: usize = 80;

/// Where a game's text is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The word in that line, from 1; 0 where the line as a whole is meant.
    pub word: usize,
    pub why: TextFault,
}

/// What is wrong with a word, a line or a text. Words are shown up to [`SHOWN_CHARS_MAX`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextFault {
    /// So many bytes, more than [`TEXT_BYTES_MAX`].
    TooLong(usize),
    /// It does not start as a game's text does.
    NotAGame,
    /// Written by a version of the product that calls its format so; that one can read it.
    Version(String),
    NoPreset,
    UnknownPreset(String),
    /// No `option=value`.
    NotAnOption(String),
    Option(OptionError),
    /// The option is given twice.
    Repeated(String),
    Clash(Clash),
    NotAnAction(String),
    Point(String, NoPoint),
    /// More than [`GROUPS_MAX`] groups, or more than [`GROUP_POINTS_MAX`] points in one.
    TooMuchTaken,
    /// More than [`ACTIONS_MAX`] actions.
    TooManyActions,
    /// The rules refuse the action, which is this one of all, from 1.
    Refused {
        action: usize,
        refusal: Refusal,
    },
    /// A position was expected, and there is no line `setup …`.
    NoSetup,
    /// Something that a line `setup …` cannot say.
    NotASetupWord(String),
    /// The board's drawing has fewer rows than the board.
    RowMissing,
    /// A row of the board's drawing has another length, number or letter than it should.
    Row(String),
    /// A position was expected, and actions follow.
    ActionsFollow,
    /// The position can be no game's.
    Setup(SetupError),
}

impl TextFault {
    pub(crate) fn at(self, line: usize, word: usize) -> TextError {
        TextError { line, word, why: self }
    }
}

/// A faulty word as an error shows it.
pub(crate) fn shown(word: &str) -> String {
    word.chars().take(SHOWN_CHARS_MAX).collect()
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.word {
            0 => write!(f, "line {}: {}", self.line, self.why),
            word => write!(f, "line {}, word {word}: {}", self.line, self.why),
        }
    }
}

impl std::error::Error for TextError {}

impl fmt::Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextFault::TooLong(bytes) => write!(f, "the text has {bytes} bytes, more than {TEXT_BYTES_MAX}"),
            TextFault::NotAGame => write!(f, "a game's text begins with {FORMAT} {VERSION}"),
            TextFault::Version(version) => write!(f, "version {version:?} cannot be read, only {VERSION}"),
            TextFault::NoPreset => write!(f, "a preset is missing: one of {}", Preset::NAMES.join(", ")),
            TextFault::UnknownPreset(name) => {
                write!(f, "there is no preset {name:?}; it can be {}", Preset::NAMES.join(", "))
            }
            TextFault::NotAnOption(word) => write!(f, "{word:?} is no option=value"),
            TextFault::Option(error) => error.fmt(f),
            TextFault::Repeated(name) => write!(f, "{name} is given twice"),
            TextFault::Clash(clash) => clash.fmt(f),
            TextFault::NotAnAction(word) => write!(f, "{word:?} is no action"),
            TextFault::Point(word, fault) => write!(f, "{word:?}: {fault}"),
            TextFault::TooMuchTaken => {
                write!(f, "a stone takes at most {GROUPS_MAX} groups of {GROUP_POINTS_MAX} points")
            }
            TextFault::TooManyActions => write!(f, "a game has at most {ACTIONS_MAX} actions"),
            TextFault::Refused { action, refusal } => write!(f, "action {action} is refused: {}", refusal.name()),
            TextFault::NoSetup => write!(f, "a line `setup turn=…` and the board's drawing are missing"),
            TextFault::NotASetupWord(word) => write!(f, "{word:?} says nothing about a position"),
            TextFault::RowMissing => write!(f, "a row of the board is missing"),
            TextFault::Row(word) => write!(f, "{word:?} is no such row of the board"),
            TextFault::ActionsFollow => write!(f, "a position ends with its board, and more follows"),
            TextFault::Setup(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TextFault {}

/// `wuziqi board=19 forbidden=renju`: the preset, and the options that differ from its own in their order.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.preset().options();
        f.write_str(self.preset().name())?;
        for name in OptionName::ALL {
            let value = self.options().get(name);
            if value != own.get(name) {
                write!(f, " {}={value}", name.name())?;
            }
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = TextFault;

    /// Reads a preset and options by name, in any order, with spaces between.
    fn from_str(text: &str) -> Result<Rules, TextFault> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(TextFault::TooLong(text.len()));
        }
        rules_of(&text.split_ascii_whitespace().collect::<Vec<_>>()).map_err(|(_, fault)| fault)
    }
}

/// The rules in these words, or which word is wrong; a word beyond the last where the whole is.
fn rules_of(words: &[&str]) -> Result<Rules, (usize, TextFault)> {
    let &name = words.first().ok_or((0, TextFault::NoPreset))?;
    let preset = Preset::from_name(name).ok_or_else(|| (0, TextFault::UnknownPreset(shown(name))))?;
    let mut options = preset.options();
    let mut seen = Vec::new();
    for (index, word) in words.iter().enumerate().skip(1) {
        let fault = |fault| (index, fault);
        let (name, value) = word.split_once('=').ok_or_else(|| fault(TextFault::NotAnOption(shown(word))))?;
        if seen.contains(&name) {
            return Err(fault(TextFault::Repeated(shown(name))));
        }
        options.set(&shown(name), &shown(value)).map_err(|error| fault(TextFault::Option(error)))?;
        seen.push(name);
    }
    options.check(preset).map_err(|clash| (words.len(), TextFault::Clash(clash)))
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Place { at, take: Take::All } => at.fmt(f),
            Action::Place { at, take: Take::Just(groups) } if groups.is_empty() => write!(f, "{at}[]"),
            Action::Place { at, take: Take::Just(groups) } => {
                at.fmt(f)?;
                groups.iter().try_for_each(|group| group.fmt(f))
            }
            Action::Choose(colour) => f.write_str(colour.name()),
            Action::Add => f.write_str(ADD),
            Action::Resign(colour) => write!(f, "{RESIGN}{}", colour.name()),
            Action::Draw => f.write_str(DRAW),
        }
    }
}

const ADD: &str = "add";
const RESIGN: &str = "resign:";
const DRAW: &str = "draw";

/// `[F8,G8]`
impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, point) in self.0.iter().enumerate() {
            write!(f, "{}{point}", if index == 0 { '[' } else { ',' })?;
        }
        f.write_char(']')
    }
}

impl FromStr for Action {
    type Err = TextFault;

    /// Reads one word. Points of a group are sorted, as are the groups: what they mean does not depend on their
    /// order.
    fn from_str(word: &str) -> Result<Action, TextFault> {
        let not_an_action = || TextFault::NotAnAction(shown(word));
        if let Some(colour) = Colour::from_name(word) {
            return Ok(Action::Choose(colour));
        }
        if let Some(name) = word.strip_prefix(RESIGN) {
            return Colour::from_name(name).map(Action::Resign).ok_or_else(not_an_action);
        }
        match word {
            ADD => return Ok(Action::Add),
            DRAW => return Ok(Action::Draw),
            _ => {}
        }
        let (at, take) = match word.find('[') {
            None => (word, Take::All),
            Some(end) => (&word[..end], Take::Just(groups_of(&word[end..])?)),
        };
        match at.parse() {
            Ok(at) => Ok(Action::Place { at, take }),
            Err(NoPoint::Malformed) => Err(not_an_action()),
            Err(NoPoint::Beyond) => Err(TextFault::Point(shown(at), NoPoint::Beyond)),
        }
    }
}

/// The groups in `[F8,G8][H9,H10]`; none in `[]`.
fn groups_of(text: &str) -> Result<Vec<Group>, TextFault> {
    let not_an_action = || TextFault::NotAnAction(shown(text));
    if text == "[]" {
        return Ok(Vec::new());
    }
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or_else(not_an_action)?;
    let mut groups = Vec::new();
    for group in inner.split("][") {
        let mut points = Vec::new();
        for point in group.split(',') {
            points.push(point.parse().map_err(|fault| TextFault::Point(shown(point), fault))?);
            if points.len() > GROUP_POINTS_MAX {
                return Err(TextFault::TooMuchTaken);
            }
        }
        points.sort_unstable();
        groups.push(Group(points));
        if groups.len() > GROUPS_MAX {
            return Err(TextFault::TooMuchTaken);
        }
    }
    groups.sort_unstable();
    Ok(groups)
}

impl Game {
    /// The game in its canonical text form.
    pub fn to_text(&self) -> String {
        let mut text = head(self.rules());
        if let Some(setup) = self.setup() {
            setup.write_board(&mut text);
        }
        let mut column = 0;
        for action in self.actions() {
            let word = action.to_string();
            if column > 0 {
                let fits = column + 1 + word.len() <= COLUMNS_MAX;
                text.push(if fits { ' ' } else { '\n' });
                column = if fits { column + 1 } else { 0 };
            }
            column += word.len();
            text.push_str(&word);
        }
        if column > 0 {
            text.push('\n');
        }
        text
    }

    /// Reads a game and plays it: every action is judged by the rules.
    pub fn from_text(text: &str) -> Result<Game, TextError> {
        let mut lines = Lines::of(text)?;
        let rules = lines.rules()?;
        let line = lines.next_number();
        let mut game = match Setup::read_board(rules, &mut lines)? {
            None => Game::new(rules),
            Some(setup) => Game::from_setup(&setup).map_err(|error| TextFault::Setup(error).at(line, 0))?,
        };
        for line in lines.by_ref() {
            for (index, word) in line.words.iter().enumerate() {
                let fault = |fault: TextFault| fault.at(line.number, index + 1);
                let action: Action = word.parse().map_err(fault)?;
                let number = game.actions().len() + 1;
                if number > ACTIONS_MAX {
                    return Err(fault(TextFault::TooManyActions));
                }
                game.play(&action).map_err(|refusal| fault(TextFault::Refused { action: number, refusal }))?;
            }
        }
        Ok(game)
    }
}

/// The first line of a game's text.
pub(crate) fn head(rules: &Rules) -> String {
    format!("{FORMAT} {VERSION} {rules}\n")
}

/// One line that is not blank.
pub(crate) struct Line<'a> {
    /// From 1, blank lines counted.
    pub(crate) number: usize,
    pub(crate) words: Vec<&'a str>,
}

/// The lines of a text that are not blank.
pub(crate) struct Lines<'a> {
    lines: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'a>>>,
    /// Lines that the text has, for errors about what is missing.
    count: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a str) -> Result<Lines<'a>, TextError> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(TextFault::TooLong(text.len()).at(1, 0));
        }
        // An editor may have marked the text as UTF-8.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Lines { lines: text.lines().enumerate().peekable(), count: text.lines().count() })
    }

    /// Reads the first line.
    pub(crate) fn rules(&mut self) -> Result<Rules, TextError> {
        let line = self.next().ok_or(TextFault::NotAGame.at(1, 0))?;
        match line.words.as_slice() {
            [FORMAT, VERSION, words @ ..] => {
                rules_of(words).map_err(|(word, fault)| {
                    // What is wrong as a whole has no word of its own.
                    fault.at(line.number, if word < words.len() { word + 3 } else { 0 })
                })
            }
            [FORMAT, version, ..] => Err(TextFault::Version(shown(version)).at(line.number, 2)),
            _ => Err(TextFault::NotAGame.at(line.number, 1)),
        }
    }

    /// The next line that is not blank, unless it is another kind of line.
    pub(crate) fn next_if(&mut self, is_meant: impl Fn(&str) -> bool) -> Option<Line<'a>> {
        self.skip_blank();
        let &(_, line) = self.lines.peek()?;
        if is_meant(line.trim_ascii()) { self.next() } else { None }
    }

    /// Number of the next line that is not blank, or of the last there is.
    pub(crate) fn next_number(&mut self) -> usize {
        self.skip_blank();
        self.lines.peek().map_or(self.count.max(1), |&(index, _)| index + 1)
    }

    fn skip_blank(&mut self) {
        while self.lines.next_if(|(_, line)| line.trim_ascii().is_empty()).is_some() {}
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        self.skip_blank();
        let (index, line) = self.lines.next()?;
        Some(Line { number: index + 1, words: line.split_ascii_whitespace().collect() })
    }
}
