//! The whole answer to a line of the referee's input (INTERFACES.md, `c5 referee`), without the words of `message`.

use serde_json::{Map, Value, json};

use super::action::write_groups;
use super::winning::Ending;
use super::{Action, Plain};

/// Answers a request. Where the product gives a `message`, this answer has none.
pub fn answer(line: &str) -> Value {
    let Ok(Value::Object(request)) = serde_json::from_str::<Value>(line) else {
        return json!({ "ok": false, "error": "bad-request" });
    };
    let mut answer = Map::new();
    if let Some(id) = request.get("id") {
        answer.insert("id".to_owned(), id.clone());
    }
    let rest = match (request.get("rules"), request.get("actions").and_then(Value::as_array)) {
        (Some(rules), Some(actions)) => judge(rules, actions),
        _ => json!({ "ok": false, "error": "bad-request" }),
    };
    if let Value::Object(rest) = rest {
        answer.extend(rest);
    }
    Value::Object(answer)
}

fn judge(rules: &Value, actions: &[Value]) -> Value {
    let Ok(mut game) = Plain::new(rules) else {
        return json!({ "ok": false, "at": null, "error": "bad-rules" });
    };
    for (at, action) in actions.iter().enumerate() {
        let played = match Action::read(action) {
            Some(action) => game.play(&action).map(|_| ()),
            None if game.result.is_some() => Err("game-over"),
            None => Err("bad-request"),
        };
        if let Err(error) = played {
            return json!({ "ok": false, "at": at, "error": error });
        }
    }
    state(&game)
}

/// The answer when every action was legal, without the `id`.
fn state(game: &Plain) -> Value {
    let colours = game.options.colours();
    let captured: Map<String, Value> =
        colours.iter().map(|colour| (colour.name().to_owned(), json!(game.captured(*colour)))).collect();
    let turn = game.turn();
    let to_move = json!({ "seat": turn.seat, "colour": turn.colour.name(), "must": turn.must.name() });
    let groups: Map<String, Value> =
        game.groups().into_iter().map(|(point, groups)| (point.name(), write_groups(&groups))).collect();
    json!({
        "ok": true,
        "ply": game.progress.ply,
        "board": game.board.rows(),
        "captured": captured,
        "to_move": if game.result.is_some() { Value::Null } else { to_move },
        "illegal": game.illegal().into_iter().map(|point| point.name()).collect::<Vec<_>>(),
        "groups": groups,
        "overtime": game.overtime.as_ref().map(|pending| {
            json!({ "colour": pending.colour.name(), "lines": write_groups(std::slice::from_ref(&pending.line)) })
        }),
        "result": game.result.as_ref().map(ending),
    })
}

fn ending(ending: &Ending) -> Value {
    match ending {
        Ending::Win { winners, by } => {
            let winners: Vec<_> = winners.iter().map(|winner| winner.name()).collect();
            json!({ "kind": "win", "winners": winners, "by": by })
        }
        Ending::Draw { by } => json!({ "kind": "draw", "by": [by] }),
    }
}
