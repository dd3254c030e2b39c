//! What a line on stdin asks for.

use serde_json::{Map, Value};
use table::Hash;
use table::limits::PHRASES_MAX;

use crate::referee::{Asked, action_from_json, action_from_text};

/// A line on stdin has at most this many bytes.
pub const LINE_BYTES_MAX: usize = 64 * 1024;

/// A command at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// A stone or a choice; a colour's resignation is checked against the own one.
    Play(Asked),
    /// The own seat resigns.
    Resign,
    /// Start, or rematch.
    Ready,
    /// Gives the seat up.
    Stand,
    /// Keeps the seat.
    Leave,
    State,
    /// Asks to take the own last stone or choice back.
    Undo,
    /// Offers a draw.
    Draw,
    /// To the offer of that id, or the oldest open one.
    Answer {
        offer: Option<Hash>,
        yes: bool,
    },
    /// Asks for other terms from the next game on: what is to change, by name.
    Options(Map<String, Value>),
    /// Waits for that away seat, or the only one, without end.
    Wait(Option<u8>),
    /// Lets the CPU play for it at once.
    CpuNow(Option<u8>),
    /// After a halt: goes on without the devices that disagree.
    GoOn,
    /// What can be written.
    Help,
    /// A ready phrase, by its number.
    Say(u8),
}

/// Why a line is no command: `bad-command`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCommand(pub String);

const ALL: &str = "a point as H8, black, white, add, a JSON action, undo, draw, agree [ID], refuse [ID], resign, \
                   start, rematch, options {...}, wait [SEAT], cpu-now [SEAT], say PHRASE, go-on, stand, leave, state, help";

/// What `help` tells: each command with a word about it.
pub const HELP: &str = "\
h8                 a stone at that point; it takes whatever can be taken
{\"at\":\"H8\",\"take\":[[\"G8\",\"F8\"]]}  a stone that takes just these groups
black, white, add  a choice, where one is due
undo               ask to take back to before your last stone
draw               offer a draw
resign             give this game up
agree, refuse      answer the oldest open offer; with its ID that one
start, rematch     begin with those who are there; play again
options {...}      ask for other options, as in options {\"board\":19}; between games
wait [SEAT]        wait without end for a seat that is away
cpu-now [SEAT]     let the CPU play there at once, until its player is back
say PHRASE         say one of the ready phrases, by its number from 1 to 10
go-on              after a halt: go on without the devices that differ
state              the board, whose turn it is, and who sits where
leave              end this program and keep the seat
stand              give the seat up, and end this program";

/// Reads one line, without its end. `None` for an empty one.
pub fn order_from_line(line: &str) -> Option<Result<Order, BadCommand>> {
    let line = line.trim();
    if line.is_empty() {
        return None;
    }
    Some(if line.starts_with(['{', '"']) { json_order(line) } else { text_order(line) })
}

fn json_order(line: &str) -> Result<Order, BadCommand> {
    let value: Value = serde_json::from_str(line).map_err(|why| BadCommand(format!("no JSON ({why}): write {ALL}")))?;
    match &value {
        // An agreed draw is a matter of offers, as its text form is.
        Value::String(text) if text == "draw" => text_order(text),
        Value::String(text) if text == "resign" => Ok(Order::Resign),
        Value::String(_) | Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            let no_action = |_| BadCommand(format!("{} is no action: write {ALL}", shown(line)));
            action_from_json(&value).map(Order::Play).map_err(no_action)
        }
    }
}

fn text_order(line: &str) -> Result<Order, BadCommand> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match (word, rest) {
        ("start" | "rematch", "") => Ok(Order::Ready),
        ("resign", "") => Ok(Order::Resign),
        ("stand", "") => Ok(Order::Stand),
        ("leave", "") => Ok(Order::Leave),
        ("state", "") => Ok(Order::State),
        ("undo", "") => Ok(Order::Undo),
        ("draw", "") => Ok(Order::Draw),
        ("go-on", "") => Ok(Order::GoOn),
        ("agree", id) => Ok(Order::Answer { offer: offer_id(id)?, yes: true }),
        ("refuse", id) => Ok(Order::Answer { offer: offer_id(id)?, yes: false }),
        ("wait", seat) => Ok(Order::Wait(seat_number(seat)?)),
        ("cpu-now", seat) => Ok(Order::CpuNow(seat_number(seat)?)),
        ("options", object) => options_from(object),
        ("say", phrase) => phrase_number(phrase).map(Order::Say),
        ("help" | "?", "") => Ok(Order::Help),
        _ => {
            let unknown = |_| BadCommand(format!("{:?} is no command: write {ALL}", shown(line)));
            action_from_text(line).or_else(|_| action_from_text(&capital(line))).map(Order::Play).map_err(unknown)
        }
    }
}

/// A point in small letters, as the one that it means. What else is written is not a word shouted.
fn capital(line: &str) -> String {
    let is_point = line.bytes().skip(1).all(|byte| byte.is_ascii_digit());
    if is_point { line.to_ascii_uppercase() } else { line.to_owned() }
}

fn offer_id(text: &str) -> Result<Option<Hash>, BadCommand> {
    if text.is_empty() {
        return Ok(None);
    }
    let no_id = |_| BadCommand(format!("{:?} is no offer's id: write the 64 digits of its ask event", shown(text)));
    text.parse().map(Some).map_err(no_id)
}

fn seat_number(text: &str) -> Result<Option<u8>, BadCommand> {
    if text.is_empty() {
        return Ok(None);
    }
    let no_seat = |_| BadCommand(format!("{:?} is no seat: write its number, from 0", shown(text)));
    text.parse().map(Some).map_err(no_seat)
}

fn phrase_number(text: &str) -> Result<u8, BadCommand> {
    let no_phrase =
        |_| BadCommand(format!("{:?} is no phrase: write its number, from 1 to {PHRASES_MAX}", shown(text)));
    text.parse().map_err(no_phrase)
}

fn options_from(text: &str) -> Result<Order, BadCommand> {
    let no_object = || BadCommand(format!("{:?} is no JSON object: write options {{\"board\":19}}", shown(text)));
    serde_json::from_str(text).map(Order::Options).map_err(|_| no_object())
}

/// The beginning of a refused line.
fn shown(line: &str) -> String {
    line.chars().take(LINE_SHOWN_CHARS).collect()
}

/// Characters of a refused line that the message repeats.
const LINE_SHOWN_CHARS: usize = 80;

#[cfg(test)]
mod tests {
    use rules::Action;

    use super::*;

    fn order(line: &str) -> Result<Order, String> {
        order_from_line(line).expect("not empty").map_err(|BadCommand(why)| why)
    }

    #[test]
    fn lines_are_orders() {
        let h8 = || Action::place("H8".parse().expect("a point"));
        assert_eq!(order_from_line("  \t"), None);
        assert_eq!(order(" H8 "), Ok(Order::Play(Asked::Act(h8()))));
        assert_eq!(order("h8"), Ok(Order::Play(Asked::Act(h8()))));
        assert_eq!(order("help"), Ok(Order::Help));
        assert_eq!(order("\"H8\""), Ok(Order::Play(Asked::Act(h8()))));
        assert_eq!(order("Z99"), Ok(Order::Play(Asked::Beyond)));
        assert_eq!(order("add"), Ok(Order::Play(Asked::Act(Action::Add))));
        assert_eq!(order("start"), Ok(Order::Ready));
        assert_eq!(order("rematch"), Ok(Order::Ready));
        assert_eq!(order("resign"), Ok(Order::Resign));
        assert_eq!(order("\"resign\""), Ok(Order::Resign));
        assert_eq!(order("stand"), Ok(Order::Stand));
        assert_eq!(order("leave"), Ok(Order::Leave));
        assert_eq!(order("state"), Ok(Order::State));
        assert_eq!(order("undo"), Ok(Order::Undo));
        assert_eq!(order("draw"), Ok(Order::Draw));
        assert_eq!(order("\"draw\""), Ok(Order::Draw));
        assert_eq!(order("go-on"), Ok(Order::GoOn));
        assert_eq!(order("say 3"), Ok(Order::Say(3)));
        assert!(order("say hello").is_err_and(|why| why.contains("from 1 to 10")));
    }

    #[test]
    fn some_orders_name_an_offer_a_seat_or_options() {
        let id = Hash([0xab; 32]);
        assert_eq!(order("agree"), Ok(Order::Answer { offer: None, yes: true }));
        assert_eq!(order(&format!("agree {id}")), Ok(Order::Answer { offer: Some(id), yes: true }));
        assert_eq!(order(&format!("refuse  {id} ")), Ok(Order::Answer { offer: Some(id), yes: false }));
        assert_eq!(order("wait"), Ok(Order::Wait(None)));
        assert_eq!(order("wait 2"), Ok(Order::Wait(Some(2))));
        assert_eq!(order("cpu-now 1"), Ok(Order::CpuNow(Some(1))));
        let Ok(Order::Options(options)) = order("options {\"board\": 19}") else { panic!("no options") };
        assert_eq!(options["board"], 19);
        for (line, hint) in [
            ("agree 12", "64 digits"),
            ("refuse no", "64 digits"),
            ("wait anna", "its number"),
            ("cpu-now -1", "its number"),
            ("cpu-now 300", "its number"),
            ("options", "options {"),
            ("options [1]", "options {"),
            ("options {\"board\"}", "options {"),
        ] {
            let why = order(line).expect_err(line);
            assert!(why.contains(hint), "{line}: {why}");
        }
    }

    #[test]
    fn anything_else_says_what_there_is() {
        for line in
            ["H08", "h", "h8 j9", "castle", "{", "{\"at\":1}", "\"castle\"", "H8 J9", "draw now", "undo 2", "\"undo\""]
        {
            let why = order(line).expect_err(line);
            assert!(why.contains("as H8"), "{line}: {why}");
        }
        for long in ["x".repeat(10_000), format!("\"{}\"", "x".repeat(10_000))] {
            assert!(order(&long).expect_err("long").len() < 500);
        }
    }
}
