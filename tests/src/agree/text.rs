//! Whole requests through `c5::referee` and through the plain referee.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::plain::{Action, referee};

/// Actions that are no actions.
const NONSENSE: &[&str] = &[
    r#""h8""#,
    r#""H08""#,
    r#""""#,
    r#""H""#,
    r#""8H""#,
    r#""H8 ""#,
    r#""HH8""#,
    r#""H-8""#,
    r#""blue""#,
    r#""Black""#,
    "null",
    "true",
    "8",
    r#"["H8"]"#,
    "{}",
    r#"{"at":"H8"}"#,
    r#"{"take":[]}"#,
    r#"{"at":"H8","take":[],"by":"black"}"#,
    r#"{"at":"H8","take":"all"}"#,
    r#"{"at":"H8","take":["G8","F8"]}"#,
    r#"{"at":"H8","take":[["g8","F8"]]}"#,
    r#"{"at":8,"take":[]}"#,
    r#"{"resign":"green"}"#,
    r#"{"resign":true}"#,
    r#"{"resign":"black","at":"H8"}"#,
];

/// Points that no board has.
const BEYOND: &[&str] = &[r#""T1""#, r#""A20""#, r#""Z99""#, r#""A4294967297""#, r#""A99999999999999999999""#];

/// Rules that no table can have.
const NO_RULES: &[&str] = &[
    "{}",
    r#"{"preset":"renju"}"#,
    r#"{"seats":2}"#,
    r#"{"preset":"custom","seats":5}"#,
    r#"{"preset":"custom","board":11}"#,
    r#"{"preset":"custom","board":"15"}"#,
    r#"{"preset":"custom","captures":true}"#,
    r#"{"preset":"custom","teams":"no"}"#,
    r#"{"preset":"custom","gravity":true}"#,
    r#"{"preset":"custom","move_limit_s":45}"#,
    r#"{"preset":"custom","overtime":"both"}"#,
    r#"{"preset":"custom","teams":null}"#,
];

/// Compares the answers to a game's accepted actions, to these with a refused one behind them, and to nonsense.
pub fn compare(seed: u64, rules: &Value, accepted: &[Action], refused: Option<&Action>) -> Result<(), (Value, String)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let cut = rng.random_range(0..=accepted.len());
    let written = |actions: &[Action]| actions.iter().map(Action::write).collect::<Vec<_>>();
    let with = |mut actions: Vec<Value>, last: Value| {
        actions.push(last);
        json!({ "id": seed, "rules": rules, "actions": actions })
    };
    let mut nonsense = |from: &[&str]| parsed(from.choose(&mut rng).expect("some nonsense"));
    let mut requests = vec![
        json!({ "id": seed, "rules": rules, "actions": written(accepted) }),
        json!({ "actions": written(&accepted[..cut]), "more": 1, "rules": rules }),
        with(written(&accepted[..cut]), nonsense(NONSENSE)),
        with(written(accepted), nonsense(NONSENSE)),
        with(written(&accepted[..cut]), nonsense(BEYOND)),
        json!({ "id": "x", "rules": nonsense(NO_RULES), "actions": [] }),
        json!({ "id": null, "rules": rules }),
        json!({ "actions": [] }),
        json!([1, 2]),
    ];
    requests.extend(refused.filter(|action| is_writable(action)).map(|action| with(written(accepted), action.write())));
    for request in requests {
        one(&request.to_string()).map_err(|difference| (request, difference))?;
    }
    Ok(())
}

/// Compares the answers to one line.
pub fn one(line: &str) -> Result<(), String> {
    let mut output = Vec::new();
    c5::referee::run(line.as_bytes(), &mut output).expect("memory can be read and written");
    let mut found: Value = serde_json::from_slice(&output).expect("one answer in JSON");
    let expected = referee::answer(line);
    if found["ok"] == false {
        let message = found.as_object_mut().and_then(|answer| answer.remove("message"));
        let words = message.as_ref().and_then(Value::as_str).unwrap_or_default();
        if words.is_empty() {
            return Err(format!("an answer without a message: {found}"));
        }
    }
    let (found_fields, fields) = (found.as_object().expect("an object"), expected.as_object().expect("an object"));
    for name in found_fields.keys().chain(fields.keys()) {
        // Maps are compared as text, so that the order of their keys counts.
        let text = |value: Option<&Value>| value.map(Value::to_string);
        let (one, other) = (text(found_fields.get(name)), text(fields.get(name)));
        if one != other {
            return Err(format!("{name}: the referee says {one:?}, the plain one {other:?}"));
        }
    }
    Ok(())
}

/// Points left of `A` or below 1 have no text.
fn is_writable(action: &Action) -> bool {
    match action {
        Action::Place { at, take } => {
            take.iter().flatten().flatten().chain([at]).all(|point| point.row >= 0 && (0..26).contains(&point.column))
        }
        Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => true,
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("the list holds JSON")
}
