//! `c5 referee`: the rules over JSON lines, and the JSON shapes of rules, actions and positions that the other
//! commands share (INTERFACES.md, *c5 referee*). No rule is decided here; `rules` decides them all.

mod action;
mod answer;
mod rules_json;

use std::io::{self, BufRead, Write};

use rules::{Game, Refusal, Rules};
use serde_json::{Map, Value, json};

pub use action::{
    Asked, NotAnAction, action_from_json, action_from_text, action_to_json, groups_to_json, points_to_json,
};
pub use answer::{answer, result_to_json};
pub use rules_json::{RulesError, rules_from_json, rules_to_json, set_from_json};

/// Bytes in a request's line, its end not counted. A longer one is a bad request.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// Answers requests line by line, in order, until the input ends; each answer is flushed. Only reading and
/// writing can fail.
pub fn run(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let reply = match read_line(&mut input, &mut line)? {
            Line::End => return Ok(()),
            Line::TooLong => bad_request(None, &format!("a line may have at most {LINE_BYTES_MAX} bytes")),
            Line::Whole if line.trim_ascii().is_empty() => continue,
            Line::Whole => reply(&line),
        };
        serde_json::to_writer(&mut output, &reply)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads one line without its end into `line`; what does not fit is read and dropped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let mut too_long = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let ends_input = chunk.is_empty();
        let newline = chunk.iter().position(|&byte| byte == b'\n');
        let text = &chunk[..newline.unwrap_or(chunk.len())];
        if line.len() + text.len() > LINE_BYTES_MAX {
            too_long = true;
            line.clear();
        } else if !too_long {
            line.extend_from_slice(text);
        }
        let used = newline.map_or(chunk.len(), |at| at + 1);
        input.consume(used);
        if ends_input && line.is_empty() && !too_long {
            return Ok(Line::End);
        }
        if ends_input || newline.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Whole });
        }
    }
}

/// The answer to one request.
fn reply(line: &[u8]) -> Value {
    let request = match serde_json::from_slice::<Value>(line) {
        Ok(Value::Object(request)) => request,
        Ok(_) => return bad_request(None, "a request is a JSON object"),
        Err(error) => return bad_request(None, &format!("no JSON: {error}")),
    };
    let id = request.get("id");
    let Some(rules) = request.get("rules") else { return bad_request(id, "the request lacks `rules`") };
    let Some(Value::Array(actions)) = request.get("actions") else {
        return bad_request(id, "the request lacks `actions`, an array");
    };
    match rules_from_json(rules) {
        Ok(rules) => replay(id, rules, actions),
        Err(error) => refused(id, None, "bad-rules", &error.to_string()),
    }
}

fn replay(id: Option<&Value>, rules: Rules, actions: &[Value]) -> Value {
    let mut game = Game::new(rules);
    for (index, value) in actions.iter().enumerate() {
        if let Err(refusal) = play(&mut game, value) {
            return refused(id, Some(index), refusal_code(refusal), &refusal_message(refusal, value));
        }
    }
    let mut reply = answer(&game);
    if let (Some(id), Some(reply)) = (id, reply.as_object_mut()) {
        reply.insert("id".to_owned(), id.clone());
    }
    reply
}

fn play(game: &mut Game, value: &Value) -> Result<(), Refusal> {
    if game.result().is_some() {
        return Err(Refusal::GameOver);
    }
    let asked = action_from_json(value).map_err(|NotAnAction| Refusal::BadRequest)?;
    let action = asked.action(game)?;
    game.play(&action).map(|_| ())
}

fn bad_request(id: Option<&Value>, message: &str) -> Value {
    let mut reply = Map::new();
    if let Some(id) = id {
        reply.insert("id".to_owned(), id.clone());
    }
    reply.insert("ok".to_owned(), false.into());
    reply.insert("error".to_owned(), "bad-request".into());
    reply.insert("message".to_owned(), message.into());
    Value::Object(reply)
}

fn refused(id: Option<&Value>, at: Option<usize>, code: &str, message: &str) -> Value {
    let mut reply = json!({ "ok": false, "at": at, "error": code, "message": message });
    if let (Some(id), Some(reply)) = (id, reply.as_object_mut()) {
        reply.insert("id".to_owned(), id.clone());
    }
    reply
}

/// The code of a refusal in answers and in `error` events.
pub fn refusal_code(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::GameOver => "game-over",
        Refusal::BadRequest => "bad-request",
        Refusal::NotAChoice => "not-a-choice",
        Refusal::OffBoard => "off-board",
        Refusal::Occupied => "occupied",
        Refusal::Opening => "opening",
        Refusal::IntoFlank => "into-flank",
        Refusal::BadTake => "bad-take",
        Refusal::DoubleThree => "double-three",
        Refusal::DoubleFour => "double-four",
        Refusal::Overline => "overline",
    }
}

fn refusal_message(refusal: Refusal, action: &Value) -> String {
    let why = match refusal {
        Refusal::GameOver => "the game is over",
        Refusal::BadRequest => "there is no such action here",
        Refusal::NotAChoice => "a colour was given where a stone is due, or the reverse",
        Refusal::OffBoard => "the point is not on this board",
        Refusal::Occupied => "there is a stone on the point",
        Refusal::Opening => "the opening rule asks for another point",
        Refusal::IntoFlank => "the stone would stand between enemy stones that flank it",
        Refusal::BadTake => "these are not the groups that may be taken, or not all that must be",
        Refusal::DoubleThree => "a double three is forbidden",
        Refusal::DoubleFour => "a double four is forbidden",
        Refusal::Overline => "an overline is forbidden",
    };
    let action = action.to_string();
    let shown: String = action.chars().take(MESSAGE_ACTION_CHARS_MAX).collect();
    format!("{shown}: {why}")
}

/// Characters of a refused action that a message repeats.
const MESSAGE_ACTION_CHARS_MAX: usize = 80;
