//! The options as the referee's `rules` object states them (RULES.md, section 2).

use serde_json::{Map, Value};

use super::board::Colour;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntoFlank {
    Nothing,
    Captured,
    NotAllowed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtime {
    None,
    Break,
    Take,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    None,
    DoubleThreeFirst,
    DoubleThreeBoth,
    Renju,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    None,
    Centre,
    CentreFar,
    PlaceFour,
    PlaceThree,
}

/// Why a `rules` object is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadRules {
    /// No object, no preset, or an option whose name, value or type is unknown.
    Unknown(String),
    /// The two options that clash, as section 2 names them.
    Clash(&'static str, &'static str),
}

/// The options that decide anything here. Only `Options::read` makes them, so they are coherent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Points along an edge.
    pub board: i32,
    pub seats: usize,
    pub teams: bool,
    pub overline_wins: bool,
    pub captures: bool,
    pub forced_capture: bool,
    pub capture_threes: bool,
    pub into_flank: IntoFlank,
    pub mixed_captures: bool,
    pub overtime: Overtime,
    pub forbidden: Forbidden,
    pub opening: Opening,
    pub white_first: bool,
}

impl Options {
    /// Reads a `rules` object.
    ///
    /// # Errors
    /// The first unknown thing, or the first clash.
    pub fn read(rules: &Value) -> Result<Options, BadRules> {
        let unknown = |what: &str| BadRules::Unknown(what.to_owned());
        let rules = rules.as_object().ok_or(unknown("rules"))?;
        let preset = rules.get("preset").and_then(Value::as_str).ok_or(unknown("preset"))?;
        let mut options = Options::preset(preset).ok_or(unknown("preset"))?;
        for (name, value) in rules {
            options.set(name, value).ok_or_else(|| unknown(name))?;
        }
        options.clash().map_or(Ok(options), |(one, other)| Err(BadRules::Clash(one, other)))
    }

    /// Sides: seats, or two teams.
    pub fn sides(&self) -> usize {
        if self.teams { 2 } else { self.seats }
    }

    /// The colours in the order in which sides first move.
    pub fn turn_colours(&self) -> Vec<Colour> {
        let mut colours = self.colours();
        if self.white_first {
            colours.swap(0, 1);
        }
        colours
    }

    /// The colours in play, black first.
    pub fn colours(&self) -> Vec<Colour> {
        Colour::ALL[..self.sides()].to_vec()
    }

    /// `L`: stones in a winning line.
    pub fn line_length(&self) -> usize {
        if self.sides() == 2 { 5 } else { 4 }
    }

    /// `G`: captured stones that win.
    pub fn goal(&self) -> usize {
        if self.sides() == 2 { 10 } else { 8 }
    }

    /// Does a maximal run of this length win for the colour? (Section 5.)
    pub fn line_wins(&self, colour: Colour, length: usize) -> bool {
        let exactly = !self.overline_wins || (self.forbidden == Forbidden::Renju && colour == Colour::Black);
        if exactly { length == self.line_length() } else { length >= self.line_length() }
    }

    /// May groups and stretches of this many stones be taken?
    pub fn takes(&self, stones: usize) -> bool {
        stones == 2 || (self.capture_threes && stones == 3)
    }

    /// May a taken group be of several colours?
    pub fn mixes(&self) -> bool {
        self.mixed_captures && self.sides() >= 3
    }

    fn preset(name: &str) -> Option<Options> {
        let defaults = Options {
            board: 15,
            seats: 2,
            teams: false,
            overline_wins: false,
            captures: true,
            forced_capture: true,
            capture_threes: false,
            into_flank: IntoFlank::Nothing,
            mixed_captures: true,
            overtime: Overtime::None,
            forbidden: Forbidden::None,
            opening: Opening::None,
            white_first: false,
        };
        match name {
            "capture-five" | "custom" => Some(defaults),
            "pente" => Some(Options {
                board: 19,
                overline_wins: true,
                white_first: true,
                opening: Opening::Centre,
                ..defaults
            }),
            "pente-swap2" => Some(Options { board: 19, overline_wins: true, opening: Opening::PlaceThree, ..defaults }),
            "gomoku" | "wuziqi" => Some(Options { captures: false, overline_wins: true, ..defaults }),
            _ => None,
        }
    }

    /// Sets one option; `None` where the name, the value or its type is unknown.
    fn set(&mut self, name: &str, value: &Value) -> Option<()> {
        match name {
            "preset" => {}
            "board" => self.board = one_of(value, &[("9", 9), ("13", 13), ("15", 15), ("19", 19)])?,
            "seats" => self.seats = one_of(value, &[("2", 2), ("3", 3), ("4", 4)])?,
            "teams" => self.teams = value.as_bool()?,
            "overline" => self.overline_wins = one_of(value, &[(r#""no-win""#, false), (r#""wins""#, true)])?,
            "captures" => self.captures = one_of(value, &[(r#""off""#, false), (r#""on""#, true)])?,
            "forced_capture" => self.forced_capture = value.as_bool()?,
            "capture_threes" => self.capture_threes = value.as_bool()?,
            "into_flank" => {
                self.into_flank = one_of(
                    value,
                    &[
                        (r#""nothing""#, IntoFlank::Nothing),
                        (r#""captured""#, IntoFlank::Captured),
                        (r#""not-allowed""#, IntoFlank::NotAllowed),
                    ],
                )?;
            }
            "mixed_captures" => self.mixed_captures = value.as_bool()?,
            "overtime" => {
                self.overtime = one_of(
                    value,
                    &[(r#""none""#, Overtime::None), (r#""break""#, Overtime::Break), (r#""take""#, Overtime::Take)],
                )?;
            }
            "forbidden" => {
                self.forbidden = one_of(
                    value,
                    &[
                        (r#""none""#, Forbidden::None),
                        (r#""double-three-first""#, Forbidden::DoubleThreeFirst),
                        (r#""double-three-both""#, Forbidden::DoubleThreeBoth),
                        (r#""renju""#, Forbidden::Renju),
                    ],
                )?;
            }
            "opening" => {
                self.opening = one_of(
                    value,
                    &[
                        (r#""none""#, Opening::None),
                        (r#""centre""#, Opening::Centre),
                        (r#""centre-far""#, Opening::CentreFar),
                        (r#""place-four""#, Opening::PlaceFour),
                        (r#""place-three""#, Opening::PlaceThree),
                    ],
                )?;
            }
            "colours" => {
                self.white_first = one_of(value, &[(r#""black-first""#, false), (r#""white-first""#, true)])?;
            }
            "first_start" => one_of(value, &[(r#""first-seat""#, ()), (r#""random""#, ())])?,
            "pass_start" | "show_coordinates" => _ = value.as_bool()?,
            "move_limit_s" => one_of(value, &[("null", ()), (r#""none""#, ()), ("30", ()), ("60", ())])?,
            _ => return None,
        }
        Some(())
    }

    /// The first clash, in the order of section 2.
    fn clash(&self) -> Option<(&'static str, &'static str)> {
        let renju = self.forbidden == Forbidden::Renju;
        let double_three = matches!(self.forbidden, Forbidden::DoubleThreeFirst | Forbidden::DoubleThreeBoth);
        let clashes = [
            (self.teams && self.seats != 4, ("teams", "seats")),
            (self.opening != Opening::None && self.seats != 2, ("opening", "seats")),
            (renju && self.seats != 2, ("forbidden", "seats")),
            (double_three && self.sides() >= 3, ("forbidden", "seats")),
            (renju && self.white_first, ("forbidden", "colours")),
            (renju && self.captures, ("forbidden", "captures")),
            (!self.forced_capture && !self.captures, ("forced_capture", "captures")),
            (self.capture_threes && !self.captures, ("capture_threes", "captures")),
            (self.into_flank != IntoFlank::Nothing && !self.captures, ("into_flank", "captures")),
            (self.overtime != Overtime::None && !self.captures, ("overtime", "captures")),
        ];
        clashes.into_iter().find(|(clashes, _)| *clashes).map(|(_, names)| names)
    }
}

/// The meaning whose JSON text the value has.
fn one_of<T: Copy>(value: &Value, meanings: &[(&str, T)]) -> Option<T> {
    let text = value.to_string();
    meanings.iter().find(|(written, _)| *written == text).map(|(_, meaning)| *meaning)
}

/// An object's only keys, or `None` when it lacks one or has another.
pub fn exactly<'a, const N: usize>(object: &'a Map<String, Value>, keys: [&str; N]) -> Option<[&'a Value; N]> {
    if object.len() != N || !keys.iter().all(|key| object.contains_key(*key)) {
        return None;
    }
    Some(keys.map(|key| &object[key]))
}
