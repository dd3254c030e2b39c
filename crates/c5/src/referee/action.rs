//! Actions as text and as JSON.

use rules::{Action, Colour, Game, Group, Must, NoPoint, Point, Refusal, Take};
use serde_json::{Value, json};

/// What a text or JSON action asks for; which action that is can depend on the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    Act(Action),
    /// The side of the player to move resigns.
    Resign,
    /// A stone, where some point named is on no board at all.
    Beyond,
}

/// The text or value is no action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnAction;

impl Asked {
    /// The action meant in this game.
    pub fn action(self, game: &Game) -> Result<Action, Refusal> {
        let turn = game.turn().ok_or(Refusal::GameOver)?;
        match self {
            Asked::Act(action) => Ok(action),
            Asked::Resign => Ok(Action::Resign(game.colour_of(turn.player))),
            Asked::Beyond if turn.must == Must::Place => Err(Refusal::OffBoard),
            Asked::Beyond => Err(Refusal::NotAChoice),
        }
    }
}

/// A point as written, on some board or beyond all.
enum Written {
    On(Point),
    Beyond,
}

fn point_from_text(text: &str) -> Result<Written, NotAnAction> {
    match text.parse() {
        Ok(point) => Ok(Written::On(point)),
        Err(NoPoint::Beyond) => Ok(Written::Beyond),
        Err(NoPoint::Malformed) => Err(NotAnAction),
    }
}

/// Reads a text action: a point, `black`, `white`, `add`, `resign` or `draw`.
pub fn action_from_text(text: &str) -> Result<Asked, NotAnAction> {
    match text {
        "black" => Ok(Asked::Act(Action::Choose(Colour::Black))),
        "white" => Ok(Asked::Act(Action::Choose(Colour::White))),
        "add" => Ok(Asked::Act(Action::Add)),
        "draw" => Ok(Asked::Act(Action::Draw)),
        "resign" => Ok(Asked::Resign),
        point => match point_from_text(point)? {
            Written::On(at) => Ok(Asked::Act(Action::place(at))),
            Written::Beyond => Ok(Asked::Beyond),
        },
    }
}

/// Reads an action: a text one as a JSON string, a stone with its groups, or a colour's resignation.
pub fn action_from_json(value: &Value) -> Result<Asked, NotAnAction> {
    let object = match value {
        Value::String(text) => return action_from_text(text),
        Value::Object(object) => object,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return Err(NotAnAction),
    };
    match (object.len(), object.get("resign"), object.get("at"), object.get("take")) {
        (1, Some(Value::String(name)), None, None) => {
            let colour = Colour::from_name(name).ok_or(NotAnAction)?;
            Ok(Asked::Act(Action::Resign(colour)))
        }
        (2, None, Some(Value::String(at)), Some(Value::Array(take))) => stone_from_json(at, take),
        _ => Err(NotAnAction),
    }
}

fn stone_from_json(at: &str, take: &[Value]) -> Result<Asked, NotAnAction> {
    let mut beyond = false;
    let mut read = |text: &str| match point_from_text(text)? {
        Written::On(point) => Ok(Some(point)),
        Written::Beyond => {
            beyond = true;
            Ok(None)
        }
    };
    let at = read(at)?;
    let mut groups = Vec::new();
    for group in take {
        let mut points = Vec::new();
        for point in group.as_array().ok_or(NotAnAction)? {
            points.extend(read(point.as_str().ok_or(NotAnAction)?)?);
        }
        points.sort_unstable();
        groups.push(Group(points));
    }
    match at {
        Some(at) if !beyond => Ok(Asked::Act(Action::Place { at, take: Take::Just(groups) })),
        Some(_) | None => Ok(Asked::Beyond),
    }
}

/// The action as a request's `actions` have it.
pub fn action_to_json(action: &Action) -> Value {
    match action {
        Action::Place { at, take: Take::All } => Value::from(at.to_string()),
        Action::Place { at, take: Take::Just(groups) } => {
            json!({ "at": at.to_string(), "take": groups_to_json(groups) })
        }
        Action::Choose(colour) => Value::from(colour.name()),
        Action::Add => Value::from("add"),
        Action::Resign(colour) => json!({ "resign": colour.name() }),
        Action::Draw => Value::from("draw"),
    }
}

/// Groups as arrays of points.
pub fn groups_to_json(groups: &[Group]) -> Value {
    groups.iter().map(|Group(points)| points_to_json(points)).collect()
}

pub fn points_to_json(points: &[Point]) -> Value {
    points.iter().map(|point| Value::from(point.to_string())).collect()
}
