//! The options, presets and clashes (RULES.md, section 2). Names here are the identifiers used in files,
//! messages and command lines.

use serde::{Deserialize, Serialize};

use crate::BoardSize;

/// Longer lines than `L`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Overline {
    NoWin,
    Wins,
}

/// What happens to a stone placed between enemies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum IntoFlank {
    Nothing,
    Captured,
    NotAllowed,
}

/// Whether a line that can be stopped waits for the next player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OvertimeRule {
    None,
    Break,
    Take,
}

/// Moves forbidden for their shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Forbidden {
    None,
    DoubleThreeFirst,
    DoubleThreeBoth,
    Renju,
}

/// The opening rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Opening {
    None,
    Centre,
    CentreFar,
    PlaceFour,
    PlaceThree,
}

/// Which colour the starter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FirstColour {
    Black,
    White,
}

/// Who starts the first game of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FirstStart {
    FirstSeat,
    Random,
}

/// Seconds for a stone or a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MoveLimit {
    None,
    Seconds30,
    Seconds60,
}

/// A set of options, coherent or not. [`Options::check`] makes [`Rules`] of it.
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

/// The options by name, in the order of RULES.md section 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OptionName {
    Board,
    Seats,
    Teams,
    Overline,
    Captures,
    ForcedCapture,
    CaptureThrees,
    IntoFlank,
    MixedCaptures,
    Overtime,
    Forbidden,
    Opening,
    Colours,
    FirstStart,
    PassStart,
    MoveLimit,
    ShowCoordinates,
}

/// The games offered by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    CaptureFive,
    Pente,
    PenteSwap2,
    Gomoku,
    Wuziqi,
    Custom,
}

/// Two options that do not go together, in the order in which RULES.md names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash(pub OptionName, pub OptionName);

/// An option's name, value or type that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    UnknownOption { name: String },
    /// `allowed` lists the values there are, for the message.
    UnknownValue { name: OptionName, value: String, allowed: &'static [&'static str] },
}

/// A coherent set of options under a preset's name. Nothing else starts a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(Preset, Options)", into = "(Preset, Options)")]
pub struct Rules {
    preset: Preset,
    options: Options,
}

impl Preset {
    pub const ALL: [Preset; 6] =
        [Preset::CaptureFive, Preset::Pente, Preset::PenteSwap2, Preset::Gomoku, Preset::Wuziqi, Preset::Custom];

    /// `capture-five`, `pente`, …
    pub fn name(self) -> &'static str {
        todo!()
    }

    pub fn from_name(_name: &str) -> Option<Preset> {
        todo!()
    }

    /// The preset's own options; `seats` is 2.
    pub fn options(self) -> Options {
        todo!()
    }

    /// The options that the set-up screen offers for it (last column of the presets' table).
    pub fn changeable(self) -> Vec<OptionName> {
        todo!()
    }
}

impl OptionName {
    pub const ALL: [OptionName; 17] = [
        OptionName::Board,
        OptionName::Seats,
        OptionName::Teams,
        OptionName::Overline,
        OptionName::Captures,
        OptionName::ForcedCapture,
        OptionName::CaptureThrees,
        OptionName::IntoFlank,
        OptionName::MixedCaptures,
        OptionName::Overtime,
        OptionName::Forbidden,
        OptionName::Opening,
        OptionName::Colours,
        OptionName::FirstStart,
        OptionName::PassStart,
        OptionName::MoveLimit,
        OptionName::ShowCoordinates,
    ];

    /// `board`, `forced_capture`, `move_limit_s`, …
    pub fn name(self) -> &'static str {
        todo!()
    }

    /// The values it can have, as text: `["9","13","15","19"]`, `["on","off"]`, `["true","false"]`, `["none","30","60"]`.
    pub fn values(self) -> &'static [&'static str] {
        todo!()
    }
}

impl Options {
    /// Coherent, or the first clash in the order of RULES.md section 2.
    pub fn check(self, _preset: Preset) -> Result<Rules, Clash> {
        todo!()
    }

    /// The value of an option as text, one of [`OptionName::values`].
    pub fn get(&self, _name: OptionName) -> &'static str {
        todo!()
    }

    /// Sets an option from text.
    pub fn set(&mut self, _name: &str, _value: &str) -> Result<(), OptionError> {
        todo!()
    }

    /// The same options for another number of seats; those that clash with it go back to their defaults and are named.
    pub fn for_seats(self, _seats: u8) -> (Options, Vec<OptionName>) {
        todo!()
    }
}

impl Rules {
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
        todo!()
    }

    /// Stones in a winning line: 5 for two sides, 4 for more.
    pub fn line(&self) -> u8 {
        todo!()
    }

    /// Captured stones that win: 10 for two sides, 8 for more.
    pub fn goal(&self) -> u8 {
        todo!()
    }

    /// The colours in play, in turn order (two in teams).
    pub fn colours(&self) -> Vec<crate::Colour> {
        todo!()
    }

    /// A compact, versioned, canonical encoding, for hashing and comparing.
    pub fn to_bytes(&self) -> Vec<u8> {
        todo!()
    }

    pub fn from_bytes(_bytes: &[u8]) -> Option<Rules> {
        todo!()
    }
}

impl TryFrom<(Preset, Options)> for Rules {
    type Error = String;

    fn try_from((_preset, _options): (Preset, Options)) -> Result<Rules, String> {
        todo!()
    }
}

impl From<Rules> for (Preset, Options) {
    fn from(rules: Rules) -> (Preset, Options) {
        (rules.preset, rules.options)
    }
}
