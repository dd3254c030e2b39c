//! `c5 referee`: the rules over JSON lines, and the JSON shapes of rules, actions and positions that the other
//! commands share (INTERFACES.md, *c5 referee*). No rule is decided here; `rules` decides them all.

mod action;
mod answer;
mod rules_json;

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use rules::{Game, Refusal, Rules};
use serde_json::value::RawValue;
use serde_json::{Value, json};

pub use action::{
    Asked, NotAnAction, action_from_json, action_from_text, action_to_json, groups_to_json, points_to_json,
};
pub use answer::{answer, result_to_json};
pub use rules_json::{RulesError, rules_from_json, rules_to_json, set_from_json};

/// Bytes in a request's line, its end not counted. A longer one is a bad request.
pub const LINE_BYTES_MAX: usize = 1 << 20;
/// Bytes of a request's `rules`, and of each action. The longest that mean something take a tenth of it; a bound here
/// bounds the memory that a line of JSON can ask for.
pub const VALUE_BYTES_MAX: usize = 1 << 14;

/// Answers requests line by line, in order, until the input ends; each answer is flushed. Only reading and
/// writing can fail.
pub fn run(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    let mut is_first = true;
    loop {
        let read = read_line(&mut input, &mut line)?;
        // An editor may have marked the text as UTF-8.
        let text = if is_first { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line) } else { &line };
        is_first = false;
        match read {
            Line::End => return Ok(()),
            Line::TooLong => {
                bad_request(None, &format!("a line may have at most {LINE_BYTES_MAX} bytes")).write(&mut output)?;
            }
            Line::Whole if text.trim_ascii().is_empty() => {}
            Line::Whole => reply(text).write(&mut output)?,
        }
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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

/// An answer: the request's `id` exactly as it was sent, and the other fields.
struct Reply<'a> {
    id: Option<&'a RawValue>,
    fields: Value,
}

impl Reply<'_> {
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let fields = serde_json::to_vec(&self.fields)?;
        match self.id {
            None => output.write_all(&fields)?,
            Some(id) => {
                // There are always other fields; their object goes on behind the id.
                write!(output, "{{\"id\":{id},")?;
                output.write_all(&fields[1..])?;
            }
        }
        output.write_all(b"\n")?;
        output.flush()
    }
}

/// The answer to one request.
fn reply(line: &[u8]) -> Reply<'_> {
    let request = match serde_json::from_slice::<BTreeMap<String, &RawValue>>(line) {
        Ok(request) => request,
        Err(error) if error.is_data() => return bad_request(None, "a request is a JSON object"),
        Err(error) => return bad_request(None, &format!("no JSON: {error}")),
    };
    let id = request.get("id").copied();
    let Some(rules) = request.get("rules") else { return bad_request(id, "the request lacks `rules`") };
    let actions = request.get("actions").and_then(|actions| serde_json::from_str::<Vec<&RawValue>>(actions.get()).ok());
    let Some(actions) = actions else {
        return bad_request(id, "the request lacks `actions`, an array");
    };
    let rules = match value_of(rules) {
        Ok(rules) => rules_from_json(&rules).map_err(|error| error.to_string()),
        Err(why) => Err(why),
    };
    match rules {
        Ok(rules) => replay(id, rules, &actions),
        Err(message) => refused(id, None, "bad-rules", &message),
    }
}

/// A part of a request as a value; what is wrong with it otherwise.
fn value_of(raw: &RawValue) -> Result<Value, String> {
    if raw.get().len() > VALUE_BYTES_MAX {
        return Err(format!("rules, and each action, may have at most {VALUE_BYTES_MAX} bytes"));
    }
    serde_json::from_str(raw.get()).map_err(|error| error.to_string())
}

fn replay<'a>(id: Option<&'a RawValue>, rules: Rules, actions: &[&RawValue]) -> Reply<'a> {
    let mut game = Game::new(rules);
    for (index, action) in actions.iter().enumerate() {
        if let Err(refusal) = play(&mut game, action) {
            return refused(id, Some(index), refusal.name(), &refusal_message(refusal, action.get()));
        }
    }
    Reply { id, fields: answer(&game) }
}

fn play(game: &mut Game, action: &RawValue) -> Result<(), Refusal> {
    if game.result().is_some() {
        return Err(Refusal::GameOver);
    }
    let value = value_of(action).map_err(|_| Refusal::BadRequest)?;
    let asked = action_from_json(&value).map_err(|NotAnAction| Refusal::BadRequest)?;
    let action = asked.action(game)?;
    game.play(&action).map(|_| ())
}

fn bad_request<'a>(id: Option<&'a RawValue>, message: &str) -> Reply<'a> {
    Reply { id, fields: json!({ "ok": false, "error": "bad-request", "message": message }) }
}

fn refused<'a>(id: Option<&'a RawValue>, at: Option<usize>, code: &str, message: &str) -> Reply<'a> {
    Reply { id, fields: json!({ "ok": false, "at": at, "error": code, "message": message }) }
}

fn refusal_message(refusal: Refusal, action: &str) -> String {
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
    let shown: String = action.chars().take(MESSAGE_ACTION_CHARS_MAX).collect();
    format!("{shown}: {why}")
}

/// Characters of a refused action that a message repeats.
const MESSAGE_ACTION_CHARS_MAX: usize = 80;
