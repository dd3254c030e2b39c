//! Rules as a JSON object: a preset and options by name.

use std::fmt;

use rules::{Clash, OptionError, OptionName, Options, Preset, Rules};
use serde_json::{Map, Value};

/// Why a JSON value is no rules. The message of each says what to mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesError {
    NotAnObject,
    NoPreset,
    UnknownPreset(String),
    /// The option exists, but its values are of another JSON type.
    WrongType {
        name: OptionName,
        value: String,
    },
    Option(OptionError),
    Clash(Clash),
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesError::NotAnObject => write!(f, "rules are a JSON object with a preset and options"),
            RulesError::NoPreset => write!(f, "rules need a preset: one of {}", Preset::NAMES.join(", ")),
            RulesError::UnknownPreset(name) => {
                write!(f, "there is no preset {name}; it can be {}", Preset::NAMES.join(", "))
            }
            RulesError::WrongType { name, value } => {
                write!(f, "{} cannot be {value}; it can be {}", name.name(), values_as_json(*name))
            }
            RulesError::Option(error) => error.fmt(f),
            RulesError::Clash(clash) => clash.fmt(f),
        }
    }
}

impl std::error::Error for RulesError {}

/// How an option's values look in JSON.
enum Shape {
    Number,
    Truth,
    Text,
    /// `null` or `"none"`, or a number.
    NumberOrNone,
}

fn shape(name: OptionName) -> Shape {
    match name {
        OptionName::Board | OptionName::Seats => Shape::Number,
        OptionName::Teams
        | OptionName::ForcedCapture
        | OptionName::CaptureThrees
        | OptionName::MixedCaptures
        | OptionName::PassStart
        | OptionName::ShowCoordinates => Shape::Truth,
        OptionName::MoveLimit => Shape::NumberOrNone,
        OptionName::Overline
        | OptionName::Captures
        | OptionName::IntoFlank
        | OptionName::Overtime
        | OptionName::Forbidden
        | OptionName::Opening
        | OptionName::Colours
        | OptionName::FirstStart => Shape::Text,
    }
}

const NONE: &str = "none";

/// An option's value as the text that `rules` reads; `None` if it is of the wrong type.
fn to_text(name: OptionName, value: &Value) -> Option<String> {
    match (shape(name), value) {
        (Shape::Number | Shape::NumberOrNone, Value::Number(number)) => Some(number.as_u64()?.to_string()),
        (Shape::NumberOrNone, Value::Null) => Some(NONE.to_owned()),
        (Shape::NumberOrNone, Value::String(text)) if text == NONE => Some(text.clone()),
        (Shape::Truth, Value::Bool(truth)) => Some(truth.to_string()),
        (Shape::Text, Value::String(text)) => Some(text.clone()),
        (Shape::Number | Shape::NumberOrNone | Shape::Truth | Shape::Text, _) => None,
    }
}

/// One of [`OptionName::values`] as JSON.
fn to_json(name: OptionName, text: &str) -> Value {
    match shape(name) {
        Shape::Number | Shape::NumberOrNone => text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from),
        Shape::Truth => Value::from(text == "true"),
        Shape::Text => Value::from(text),
    }
}

fn values_as_json(name: OptionName) -> String {
    let values: Vec<String> = name.values().iter().map(|text| to_json(name, text).to_string()).collect();
    values.join(", ")
}

/// Sets one option from its JSON value.
pub fn set_from_json(options: &mut Options, name: &str, value: &Value) -> Result<(), RulesError> {
    let unknown = || RulesError::Option(OptionError::UnknownOption { name: name.to_owned() });
    let known = OptionName::from_name(name).ok_or_else(unknown)?;
    let text = to_text(known, value).ok_or_else(|| RulesError::WrongType { name: known, value: value.to_string() })?;
    options.set(name, &text).map_err(RulesError::Option)
}

/// Reads a preset with any options by name. The preset is required; other options are as it has them.
pub fn rules_from_json(value: &Value) -> Result<Rules, RulesError> {
    let object = value.as_object().ok_or(RulesError::NotAnObject)?;
    let preset = match object.get(PRESET) {
        None => return Err(RulesError::NoPreset),
        Some(value) => {
            value.as_str().and_then(Preset::from_name).ok_or_else(|| RulesError::UnknownPreset(value.to_string()))?
        }
    };
    let mut options = preset.options();
    for (name, value) in object.iter().filter(|(name, _)| *name != PRESET) {
        set_from_json(&mut options, name, value)?;
    }
    options.check(preset).map_err(RulesError::Clash)
}

/// The preset and every option by name.
pub fn rules_to_json(rules: &Rules) -> Value {
    let mut object = Map::new();
    object.insert(PRESET.to_owned(), rules.preset().name().into());
    for name in OptionName::ALL {
        object.insert(name.name().to_owned(), to_json(name, rules.options().get(name)));
    }
    Value::Object(object)
}

const PRESET: &str = "preset";
