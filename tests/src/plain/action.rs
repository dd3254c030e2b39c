//! The referee's actions (INTERFACES.md, `c5 referee`).

use serde_json::{Value, json};

use super::board::{Colour, Point};
use super::options::exactly;

/// Stones that are taken together, sorted.
pub type Group = Vec<Point>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Place {
        at: Point,
        /// `None` takes everything that can be taken.
        take: Option<Vec<Group>>,
    },
    Choose(Colour),
    Add,
    /// The seat to act, or a colour.
    Resign(Option<Colour>),
    Draw,
}

impl Action {
    /// Reads an action; `None` is a `bad-request`.
    pub fn read(value: &Value) -> Option<Action> {
        match value {
            Value::String(text) => Action::read_text(text),
            Value::Object(object) => {
                if let Some([colour]) = exactly(object, ["resign"]) {
                    return Some(Action::Resign(Some(Colour::from_name(colour.as_str()?)?)));
                }
                let [at, take] = exactly(object, ["at", "take"])?;
                let take = take.as_array()?.iter().map(read_group).collect::<Option<Vec<Group>>>()?;
                Some(Action::Place { at: Point::read(at.as_str()?)?, take: Some(take) })
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        }
    }

    /// The action as the referee reads it.
    pub fn write(&self) -> Value {
        match self {
            Action::Place { at, take: None } => json!(at.name()),
            Action::Place { at, take: Some(groups) } => json!({ "at": at.name(), "take": write_groups(groups) }),
            Action::Choose(colour) => json!(colour.name()),
            Action::Add => json!("add"),
            Action::Resign(None) => json!("resign"),
            Action::Resign(Some(colour)) => json!({ "resign": colour.name() }),
            Action::Draw => json!("draw"),
        }
    }

    fn read_text(text: &str) -> Option<Action> {
        match text {
            "black" => Some(Action::Choose(Colour::Black)),
            "white" => Some(Action::Choose(Colour::White)),
            "add" => Some(Action::Add),
            "resign" => Some(Action::Resign(None)),
            "draw" => Some(Action::Draw),
            _ => Some(Action::Place { at: Point::read(text)?, take: None }),
        }
    }
}

pub fn write_groups(groups: &[Group]) -> Value {
    groups.iter().map(|group| group.iter().map(|point| point.name()).collect::<Vec<_>>()).collect()
}

fn read_group(group: &Value) -> Option<Group> {
    let mut points = group.as_array()?.iter().map(|point| Point::read(point.as_str()?)).collect::<Option<Group>>()?;
    points.sort();
    Some(points)
}
