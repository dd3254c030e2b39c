//! What a line on stdin asks for.

use serde_json::Value;

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
}

/// Why a line is no command: `bad-command`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCommand(pub String);

/// Commands that a later version has.
const NOT_YET: &[&str] = &["undo", "draw", "agree", "refuse", "options", "wait", "cpu-now", "say"];

const ALL: &str = "a point as H8, black, white, add, a JSON action, resign, start, rematch, stand, leave, state";

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
    let word = line.split_whitespace().next().unwrap_or_default();
    match line {
        "start" | "rematch" => Ok(Order::Ready),
        "resign" => Ok(Order::Resign),
        "stand" => Ok(Order::Stand),
        "leave" => Ok(Order::Leave),
        "state" => Ok(Order::State),
        _ if NOT_YET.contains(&word) => Err(BadCommand(format!("{word} is not available yet: write {ALL}"))),
        action => {
            let unknown = |_| BadCommand(format!("{:?} is no command: write {ALL}", shown(action)));
            action_from_text(action).map(Order::Play).map_err(unknown)
        }
    }
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
    }

    #[test]
    fn anything_else_says_what_there_is() {
        for line in [
            "H08",
            "castle",
            "{",
            "{\"at\":1}",
            "\"castle\"",
            "H8 J9",
            "say",
            "wait 2",
            "options {}",
            "draw",
            "\"draw\"",
        ] {
            let why = order(line).expect_err(line);
            assert!(why.contains("as H8"), "{line}: {why}");
        }
        assert!(order("undo").expect_err("later").contains("not available yet"));
        for long in ["x".repeat(10_000), format!("\"{}\"", "x".repeat(10_000))] {
            assert!(order(&long).expect_err("long").len() < 500);
        }
    }
}
