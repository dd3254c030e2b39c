//! The options, presets and clashes (RULES.md, section 2). Names here are the identifiers used in files,
//! messages and command lines.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::BoardSize;
use crate::named::named;

named! {
    /// Longer lines than `L`.
    pub enum Overline { NoWin = "no-win", Wins = "wins" }
}

named! {
    /// What happens to a stone placed between enemies.
    pub enum IntoFlank { Nothing = "nothing", Captured = "captured", NotAllowed = "not-allowed" }
}

named! {
    /// Whether a line that can be stopped waits for the next player.
    pub enum OvertimeRule { None = "none", Break = "break", Take = "take" }
}

named! {
    /// Moves forbidden for their shape.
    pub enum Forbidden {
        None = "none",
        DoubleThreeFirst = "double-three-first",
        DoubleThreeBoth = "double-three-both",
        Renju = "renju",
    }
}

named! {
    /// The opening rule.
    pub enum Opening {
        None = "none",
        Centre = "centre",
        CentreFar = "centre-far",
        PlaceFour = "place-four",
        PlaceThree = "place-three",
    }
}

named! {
    /// Which colour the starter has.
    pub enum FirstColour { Black = "black-first", White = "white-first" }
}

named! {
    /// Who starts the first game of a series.
    pub enum FirstStart { FirstSeat = "first-seat", Random = "random" }
}

named! {
    /// Seconds for a stone or a choice.
    pub enum MoveLimit { None = "none", Seconds30 = "30", Seconds60 = "60" }
}

named! {
    /// The games offered by name.
    pub enum Preset {
        CaptureFive = "capture-five",
        Pente = "pente",
        PenteSwap2 = "pente-swap2",
        Gomoku = "gomoku",
        Wuziqi = "wuziqi",
        Custom = "custom",
    }
}

named! {
    /// The options by name, in the order of RULES.md section 2.
    pub enum OptionName {
        Board = "board",
        Seats = "seats",
        Teams = "teams",
        Overline = "overline",
        Captures = "captures",
        ForcedCapture = "forced_capture",
        CaptureThrees = "capture_threes",
        IntoFlank = "into_flank",
        MixedCaptures = "mixed_captures",
        Overtime = "overtime",
        Forbidden = "forbidden",
        Opening = "opening",
        Colours = "colours",
        FirstStart = "first_start",
        PassStart = "pass_start",
        MoveLimit = "move_limit_s",
        ShowCoordinates = "show_coordinates",
    }
}

/// A set of options, coherent or not. [`Options::check`] makes [`Rules`] of it.
///
/// ```
/// use rules::{Clash, OptionName, Preset};
///
/// let mut options = Preset::Wuziqi.options();
/// options.set("forbidden", "renju").unwrap();
/// assert!(options.check(Preset::Wuziqi).is_ok());
/// options.set("captures", "on").unwrap();
/// assert_eq!(options.check(Preset::Wuziqi), Err(Clash(OptionName::Forbidden, OptionName::Captures)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Options {
    pub board: BoardSize,
    /// 2 to 4.
    pub seats: u8,
    pub teams: bool,
    pub overline: Overline,
    pub captures: bool,
    pub forced_capture: bool,
    pub capture_threes: bool,
    pub into_flank: IntoFlank,
    pub mixed_captures: bool,
    pub overtime: OvertimeRule,
    pub forbidden: Forbidden,
    pub opening: Opening,
    pub colours: FirstColour,
    pub first_start: FirstStart,
    pub pass_start: bool,
    pub move_limit: MoveLimit,
    pub show_coordinates: bool,
}

/// Two options that do not go together, in the order in which RULES.md names them. A number of seats that no
/// game has clashes with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash(pub OptionName, pub OptionName);

/// An option's name or value that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    UnknownOption {
        name: String,
    },
    /// `allowed` lists the values there are, for the message.
    UnknownValue {
        name: OptionName,
        value: String,
        allowed: &'static [&'static str],
    },
}

const BOARDS: &[&str] = &["9", "13", "15", "19"];
const SEATS: &[&str] = &["2", "3", "4"];
const TRUTH: &[&str] = &["false", "true"];
const SWITCH: &[&str] = &["on", "off"];

impl Preset {
    /// The preset's own options; `seats` is 2.
    pub const fn options(self) -> Options {
        let base = Options::DEFAULT;
        match self {
            Preset::CaptureFive | Preset::Custom => base,
            Preset::Pente => Options {
                board: BoardSize::Nineteen,
                overline: Overline::Wins,
                colours: FirstColour::White,
                opening: Opening::Centre,
                ..base
            },
            Preset::PenteSwap2 => {
                Options { board: BoardSize::Nineteen, overline: Overline::Wins, opening: Opening::PlaceThree, ..base }
            }
            Preset::Gomoku => Options { captures: false, overline: Overline::Wins, show_coordinates: true, ..base },
            Preset::Wuziqi => {
                Options { captures: false, overline: Overline::Wins, first_start: FirstStart::Random, ..base }
            }
        }
    }

    /// The values of an option that the set-up screen offers for this preset (last column of the presets'
    /// table); none where the preset keeps its own. The number of seats comes from the party.
    pub fn offered(self, name: OptionName) -> &'static [&'static str] {
        let offered = match self {
            Preset::Custom => true,
            Preset::CaptureFive => !matches!(name, OptionName::Captures | OptionName::Colours | OptionName::FirstStart),
            Preset::Pente | Preset::PenteSwap2 | Preset::Gomoku => is_comfort(name),
            Preset::Wuziqi => {
                is_comfort(name) || matches!(name, OptionName::Board | OptionName::Overline | OptionName::Forbidden)
            }
        };
        match (self, name) {
            (_, _) if !offered => &[],
            (Preset::CaptureFive, OptionName::Forbidden) => &["none", "double-three-first", "double-three-both"],
            (Preset::Wuziqi, OptionName::Forbidden) => &["none", "renju"],
            (Preset::Wuziqi, OptionName::Board) => &["15", "19"],
            (_, _) => name.values(),
        }
    }

    /// The options that the set-up screen offers for it.
    pub fn changeable(self) -> Vec<OptionName> {
        OptionName::ALL.into_iter().filter(|&name| !self.offered(name).is_empty()).collect()
    }
}

/// Options that change nothing in a game's course; every preset offers them.
fn is_comfort(name: OptionName) -> bool {
    matches!(name, OptionName::MoveLimit | OptionName::ShowCoordinates | OptionName::PassStart)
}

impl OptionName {
    /// The values it can have, as text: `["9","13","15","19"]`, `["on","off"]`, `["false","true"]`, `["none","30","60"]`.
    pub const fn values(self) -> &'static [&'static str] {
        match self {
            OptionName::Board => BOARDS,
            OptionName::Seats => SEATS,
            OptionName::Captures => SWITCH,
            OptionName::Overline => Overline::NAMES,
            OptionName::IntoFlank => IntoFlank::NAMES,
            OptionName::Overtime => OvertimeRule::NAMES,
            OptionName::Forbidden => Forbidden::NAMES,
            OptionName::Opening => Opening::NAMES,
            OptionName::Colours => FirstColour::NAMES,
            OptionName::FirstStart => FirstStart::NAMES,
            OptionName::MoveLimit => MoveLimit::NAMES,
            OptionName::Teams
            | OptionName::ForcedCapture
            | OptionName::CaptureThrees
            | OptionName::MixedCaptures
            | OptionName::PassStart
            | OptionName::ShowCoordinates => TRUTH,
        }
    }
}

impl Options {
    /// The defaults of *Capture Five*, with two seats.
    pub const DEFAULT: Options = Options {
        board: BoardSize::Fifteen,
        seats: 2,
        teams: false,
        overline: Overline::NoWin,
        captures: true,
        forced_capture: true,
        capture_threes: false,
        into_flank: IntoFlank::Nothing,
        mixed_captures: true,
        overtime: OvertimeRule::None,
        forbidden: Forbidden::None,
        opening: Opening::None,
        colours: FirstColour::Black,
        first_start: FirstStart::FirstSeat,
        pass_start: true,
        move_limit: MoveLimit::None,
        show_coordinates: false,
    };

    /// Coherent, or the first clash in the order of RULES.md section 2.
    pub fn check(self, preset: Preset) -> Result<Rules, Clash> {
        match self.clash() {
            Some(clash) => Err(clash),
            None => Ok(Rules { preset, options: self }),
        }
    }

    fn clash(&self) -> Option<Clash> {
        use OptionName as Name;
        let two_seats = self.seats == 2;
        let double_three = matches!(self.forbidden, Forbidden::DoubleThreeFirst | Forbidden::DoubleThreeBoth);
        let renju = self.forbidden == Forbidden::Renju;
        let no_captures = !self.captures;
        let looked_for = [
            (!(SEATS_MIN..=SEATS_MAX).contains(&self.seats), Clash(Name::Seats, Name::Seats)),
            (self.teams && self.seats != 4, Clash(Name::Teams, Name::Seats)),
            (self.opening != Opening::None && !two_seats, Clash(Name::Opening, Name::Seats)),
            (renju && !two_seats, Clash(Name::Forbidden, Name::Seats)),
            (double_three && self.sides() > 2, Clash(Name::Forbidden, Name::Seats)),
            (renju && self.colours == FirstColour::White, Clash(Name::Forbidden, Name::Colours)),
            (renju && self.captures, Clash(Name::Forbidden, Name::Captures)),
            (no_captures && !self.forced_capture, Clash(Name::ForcedCapture, Name::Captures)),
            (no_captures && self.capture_threes, Clash(Name::CaptureThrees, Name::Captures)),
            (no_captures && self.into_flank != IntoFlank::Nothing, Clash(Name::IntoFlank, Name::Captures)),
            (no_captures && self.overtime != OvertimeRule::None, Clash(Name::Overtime, Name::Captures)),
        ];
        looked_for.into_iter().find_map(|(clashes, clash)| clashes.then_some(clash))
    }

    /// 2 (also in teams), 3 or 4.
    const fn sides(&self) -> u8 {
        if self.teams { 2 } else { self.seats }
    }

    /// The value of an option as text, one of [`OptionName::values`].
    pub fn get(&self, name: OptionName) -> &'static str {
        name.values()[self.place(name)]
    }

    /// Where an option's value is among its values.
    fn place(&self, name: OptionName) -> usize {
        match name {
            OptionName::Board => self.board as usize,
            OptionName::Seats => usize::from(self.seats.clamp(SEATS_MIN, SEATS_MAX) - SEATS_MIN),
            OptionName::Teams => usize::from(self.teams),
            OptionName::Overline => self.overline as usize,
            OptionName::Captures => usize::from(!self.captures),
            OptionName::ForcedCapture => usize::from(self.forced_capture),
            OptionName::CaptureThrees => usize::from(self.capture_threes),
            OptionName::IntoFlank => self.into_flank as usize,
            OptionName::MixedCaptures => usize::from(self.mixed_captures),
            OptionName::Overtime => self.overtime as usize,
            OptionName::Forbidden => self.forbidden as usize,
            OptionName::Opening => self.opening as usize,
            OptionName::Colours => self.colours as usize,
            OptionName::FirstStart => self.first_start as usize,
            OptionName::PassStart => usize::from(self.pass_start),
            OptionName::MoveLimit => self.move_limit as usize,
            OptionName::ShowCoordinates => usize::from(self.show_coordinates),
        }
    }

    /// Sets an option from text.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let known = OptionName::from_name(name).ok_or_else(|| OptionError::UnknownOption { name: name.to_owned() })?;
        match self.put(known, value) {
            Some(()) => Ok(()),
            None => Err(OptionError::UnknownValue { name: known, value: value.to_owned(), allowed: known.values() }),
        }
    }

    /// `None` where the option has no such value; nothing is changed then.
    fn put(&mut self, name: OptionName, value: &str) -> Option<()> {
        let position = name.values().iter().position(|&known| known == value)?;
        match name {
            OptionName::Board => self.board = BoardSize::ALL[position],
            OptionName::Seats => self.seats = SEATS_MIN + u8::try_from(position).ok()?,
            OptionName::Teams => self.teams = position == 1,
            OptionName::Overline => self.overline = Overline::ALL[position],
            OptionName::Captures => self.captures = position == 0,
            OptionName::ForcedCapture => self.forced_capture = position == 1,
            OptionName::CaptureThrees => self.capture_threes = position == 1,
            OptionName::IntoFlank => self.into_flank = IntoFlank::ALL[position],
            OptionName::MixedCaptures => self.mixed_captures = position == 1,
            OptionName::Overtime => self.overtime = OvertimeRule::ALL[position],
            OptionName::Forbidden => self.forbidden = Forbidden::ALL[position],
            OptionName::Opening => self.opening = Opening::ALL[position],
            OptionName::Colours => self.colours = FirstColour::ALL[position],
            OptionName::FirstStart => self.first_start = FirstStart::ALL[position],
            OptionName::PassStart => self.pass_start = position == 1,
            OptionName::MoveLimit => self.move_limit = MoveLimit::ALL[position],
            OptionName::ShowCoordinates => self.show_coordinates = position == 1,
        }
        Some(())
    }

    /// The same options for another number of seats; those that clash with it go back to their defaults and are named.
    pub fn for_seats(self, seats: u8) -> (Options, Vec<OptionName>) {
        let mut options = Options { seats, ..self };
        let mut put_back = Vec::new();
        while let Some(Clash(name, OptionName::Seats)) = options.clash() {
            let value = Options::DEFAULT.get(name);
            if name == OptionName::Seats || options.put(name, value).is_none() {
                break;
            }
            put_back.push(name);
        }
        (options, put_back)
    }

    /// Each of these options in turn put to one of the values that the preset offers; `pick` is told how many there are
    /// and chooses. What would clash with the options as they are by then is left out.
    pub fn drawn(
        self,
        preset: Preset,
        names: impl IntoIterator<Item = OptionName>,
        mut pick: impl FnMut(usize) -> usize,
    ) -> Options {
        let draw = |options: Options, name: OptionName| {
            let values = preset.offered(name);
            let mut changed = options;
            let fits = changed.set(name.name(), values[pick(values.len())]).is_ok() && changed.check(preset).is_ok();
            if fits { changed } else { options }
        };
        names.into_iter().filter(|&name| !preset.offered(name).is_empty()).fold(self, draw)
    }
}

const SEATS_MIN: u8 = 2;
const SEATS_MAX: u8 = 4;

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == self.1 {
            write!(f, "{} has a value that no game has", self.0.name())
        } else {
            write!(f, "the options {} and {} do not go together", self.0.name(), self.1.name())
        }
    }
}

impl std::error::Error for Clash {}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::UnknownOption { name } => {
                write!(f, "there is no option {name:?}; the options are {}", OptionName::NAMES.join(", "))
            }
            OptionError::UnknownValue { name, value, allowed } => {
                write!(f, "{} cannot be {value:?}; it can be {}", name.name(), allowed.join(", "))
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// A coherent set of options under a preset's name. Nothing else starts a game.
///
/// ```
/// use rules::{Preset, Rules};
///
/// let rules = Rules::of(Preset::Pente);
/// assert_eq!((rules.players(), rules.line(), rules.goal()), (2, 5, 10));
/// assert_eq!(Rules::from_bytes(&rules.to_bytes()), Ok(rules));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(Preset, Options)", into = "(Preset, Options)")]
pub struct Rules {
    preset: Preset,
    options: Options,
}

/// First byte of [`Rules::to_bytes`]; another one is of another version and is not read.
const RULES_BYTES_VERSION: u8 = 1;

/// Length of [`Rules::to_bytes`], in bytes: the version, the preset and one for each option.
pub const RULES_BYTES: usize = 2 + OptionName::ALL.len();

/// Why bytes are no rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesBytesError {
    /// So many bytes, where there must be [`RULES_BYTES`].
    Length(usize),
    /// Written by a version of the product that numbers them so; that one can read them.
    Version(u8),
    /// No preset has this number.
    Preset(u8),
    /// The option has no value of this number.
    Value(OptionName, u8),
    /// Every option has a value, and two of them do not go together.
    Clash(Clash),
}

impl fmt::Display for RulesBytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesBytesError::Length(length) => write!(f, "rules are {RULES_BYTES} bytes, not {length}"),
            RulesBytesError::Version(version) => {
                write!(f, "rules of version {version} cannot be read, only of {RULES_BYTES_VERSION}")
            }
            RulesBytesError::Preset(number) => write!(f, "there is no preset {number}"),
            RulesBytesError::Value(name, number) => write!(f, "{} has no value {number}", name.name()),
            RulesBytesError::Clash(clash) => clash.fmt(f),
        }
    }
}

impl std::error::Error for RulesBytesError {}

impl Rules {
    /// The preset with options as they come with it.
    pub fn of(preset: Preset) -> Rules {
        Rules { preset, options: preset.options() }
    }

    pub fn preset(&self) -> Preset {
        self.preset
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    pub fn board(&self) -> BoardSize {
        self.options.board
    }

    /// Players at the table: 2 to 4.
    pub fn players(&self) -> u8 {
        self.options.seats
    }

    /// 2 (also in teams), 3 or 4.
    pub fn sides(&self) -> u8 {
        self.options.sides()
    }

    /// Stones in a winning line: 5 for two sides, 4 for more.
    pub fn line(&self) -> u8 {
        if self.sides() == 2 { 5 } else { 4 }
    }

    /// Captured stones that win: 10 for two sides, 8 for more.
    pub fn goal(&self) -> u8 {
        if self.sides() == 2 { 10 } else { 8 }
    }

    /// A compact, versioned, canonical encoding, for hashing and comparing: [`RULES_BYTES`] bytes, and exactly one
    /// such text for each `Rules`. Byte 0 is the version, byte 1 the preset's place in [`Preset::ALL`], and from
    /// byte 2 on each option, in the order of [`OptionName::ALL`], has its value's place in [`OptionName::values`].
    ///
    /// ```
    /// use rules::{Preset, Rules};
    /// let renju: Rules = "wuziqi forbidden=renju".parse()?;
    /// assert_eq!(renju.to_bytes(), [1, 4, 2, 0, 0, 1, 1, 1, 0, 0, 1, 0, 3, 0, 0, 1, 1, 0, 0]);
    /// assert_eq!(Rules::from_bytes(&renju.to_bytes()), Ok(renju));
    /// # Ok::<(), rules::TextFault>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(RULES_BYTES);
        bytes.extend([RULES_BYTES_VERSION, self.preset as u8]);
        bytes.extend(OptionName::ALL.into_iter().map(|name| self.options.place(name) as u8));
        bytes
    }

    /// Reads what [`Rules::to_bytes`] writes, and nothing else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Rules, RulesBytesError> {
        let (&[version, preset_place], values) =
            bytes.split_first_chunk::<2>().ok_or(RulesBytesError::Length(bytes.len()))?;
        if version != RULES_BYTES_VERSION {
            return Err(RulesBytesError::Version(version));
        }
        if bytes.len() != RULES_BYTES {
            return Err(RulesBytesError::Length(bytes.len()));
        }
        let preset = *Preset::ALL.get(usize::from(preset_place)).ok_or(RulesBytesError::Preset(preset_place))?;
        let mut options = Options::DEFAULT;
        for (name, &place) in OptionName::ALL.into_iter().zip(values) {
            let value = name.values().get(usize::from(place)).and_then(|value| options.put(name, value));
            value.ok_or(RulesBytesError::Value(name, place))?;
        }
        options.check(preset).map_err(RulesBytesError::Clash)
    }
}

impl TryFrom<(Preset, Options)> for Rules {
    type Error = String;

    fn try_from((preset, options): (Preset, Options)) -> Result<Rules, String> {
        options.check(preset).map_err(|clash| clash.to_string())
    }
}

impl From<Rules> for (Preset, Options) {
    fn from(rules: Rules) -> (Preset, Options) {
        (rules.preset, rules.options)
    }
}
