//! What is said to a Gomocup program and what its answers mean. No process, no clock.
//!
//! Source: the protocol's page, *Gomocup (Piskvork) protocol version 2*, and INTERFACES.md (*c5 brain*) for games that
//! it does not know.

use std::time::Duration;

use rules::{Action, Forbidden, Game, Opening, Overline, Point, Rules};

use crate::referee::{action_from_text, rules_to_json};

/// Memory that programs are told they have, in bytes.
const MEMORY_BYTES: u32 = 350 << 20;
/// Time left in the whole match where nothing limits it, in milliseconds.
const UNLIMITED_MS: u32 = i32::MAX as u32;

/// The number that the protocol has for these rules; `None` for games that only `INFO rules` can name.
pub fn rule_number(rules: &Rules) -> Option<u32> {
    let options = rules.options();
    let plain = rules.players() == 2 && !options.captures && options.opening == Opening::None && rules.line() == 5;
    match (options.forbidden, options.overline) {
        _ if !plain => None,
        (Forbidden::None, Overline::Wins) => Some(0),
        (Forbidden::None, Overline::NoWin) => Some(1),
        (Forbidden::Renju, Overline::Wins) => Some(4),
        (Forbidden::Renju, Overline::NoWin) => None,
        (Forbidden::DoubleThreeFirst | Forbidden::DoubleThreeBoth, Overline::Wins | Overline::NoWin) => None,
    }
}

/// One program's game.
pub struct Talk {
    rule: Option<u32>,
    rules: Rules,
    /// Actions of the game that the program knows, its own included; `None` before it knows any position.
    known: Option<usize>,
}

/// What a line of a program's means while its move is awaited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    Action(Action),
    /// A point that is on no board, or an action that is none here.
    Nonsense,
    /// It will not play.
    Refused,
    /// Something for people.
    Noise,
}

impl Talk {
    pub fn new(rules: Rules) -> Talk {
        Talk { rule: rule_number(&rules), rules, known: None }
    }

    /// The first line, which is answered by `OK`.
    pub fn start(&self) -> String {
        format!("START {}", self.rules.board().side())
    }

    /// What a program is told before a game.
    pub fn settings(&self, limit: Duration) -> Vec<String> {
        let mut lines = vec![
            format!("INFO timeout_turn {}", limit.as_millis()),
            "INFO timeout_match 0".to_owned(),
            format!("INFO max_memory {MEMORY_BYTES}"),
            "INFO game_type 1".to_owned(),
        ];
        lines.push(match self.rule {
            Some(number) => format!("INFO rule {number}"),
            None => format!("INFO rules {}", rules_to_json(&self.rules)),
        });
        lines
    }

    /// The lines that ask for the move in this position.
    pub fn ask(&mut self, game: &Game) -> Vec<String> {
        let mut lines = vec![format!("INFO time_left {UNLIMITED_MS}")];
        let actions = game.actions();
        match (self.rule, self.known, actions) {
            (None, _, _) => {
                let words: Vec<String> = actions.iter().map(Action::to_string).collect();
                lines.push(format!("MOVES {}", words.join(" ")).trim_end().to_owned());
            }
            (Some(_), _, []) => lines.push("BEGIN".to_owned()),
            (Some(_), Some(known), [.., Action::Place { at, .. }]) if known + 1 == actions.len() => {
                lines.push(format!("TURN {}", pair(*at, &self.rules)));
            }
            (Some(_), _, actions) => lines.extend(board(actions, &self.rules)),
        }
        self.known = Some(actions.len() + 1);
        lines
    }

    /// What a line means, where the program is to act in this position.
    pub fn hear(&self, line: &str, game: &Game) -> Heard {
        let line = line.trim();
        let first = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        match first.as_str() {
            "UNKNOWN" | "ERROR" => return Heard::Refused,
            "MESSAGE" | "DEBUG" | "OK" | "" => return Heard::Noise,
            _ => {}
        }
        if let Some(numbers) = numbers(line) {
            return point(numbers, &self.rules).map_or(Heard::Nonsense, |at| Heard::Action(Action::place(at)));
        }
        if self.rule.is_some() {
            return Heard::Noise;
        }
        if let Ok(action) = line.parse::<Action>() {
            return Heard::Action(action);
        }
        match action_from_text(line).map(|asked| asked.action(game)) {
            Ok(Ok(action)) => Heard::Action(action),
            Ok(Err(_)) => Heard::Nonsense,
            Err(_) => Heard::Noise,
        }
    }
}

/// The whole position, the program's own stones as 1, in the order in which they were placed.
fn board(actions: &[Action], rules: &Rules) -> Vec<String> {
    let own = actions.len() % 2;
    let mut lines = vec!["BOARD".to_owned()];
    for (place, action) in actions.iter().enumerate() {
        match action {
            Action::Place { at, .. } => {
                lines.push(format!("{},{}", pair(*at, rules), if place % 2 == own { 1 } else { 2 }));
            }
            // There are none in the games that have a number.
            Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => {}
        }
    }
    lines.push("DONE".to_owned());
    lines
}

/// `x,y` from 0 at the top left.
fn pair(at: Point, rules: &Rules) -> String {
    format!("{},{}", at.column(), rules.board().side() - 1 - at.row())
}

/// Two numbers with a comma between them.
fn numbers(line: &str) -> Option<(i64, i64)> {
    let (x, y) = line.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

fn point((x, y): (i64, i64), rules: &Rules) -> Option<Point> {
    let side = i64::from(rules.board().side());
    let on_board = (0..side).contains(&x) && (0..side).contains(&y);
    if on_board { Point::new(x as u8, (side - 1 - y) as u8) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Rules {
        text.parse().expect(text)
    }

    fn game(rules: Rules, actions: &str) -> Game {
        let actions: Vec<Action> = actions.split_whitespace().map(|word| word.parse().expect(word)).collect();
        Game::replay(rules, &actions).expect("legal")
    }

    #[test]
    fn rules_with_a_number_are_those_that_programs_know() {
        for (text, number) in [
            ("gomoku", Some(0)),
            ("wuziqi", Some(0)),
            ("gomoku board=19 overline=no-win", Some(1)),
            ("wuziqi forbidden=renju", Some(4)),
            ("wuziqi forbidden=renju overline=no-win", None),
            ("capture-five", None),
            ("gomoku opening=place-three", None),
            ("gomoku opening=centre", None),
            ("gomoku seats=3", None),
            ("gomoku forbidden=double-three-first", None),
        ] {
            assert_eq!(rule_number(&rules(text)), number, "{text}");
        }
    }

    #[test]
    fn a_game_is_told_move_by_move() {
        let rules = rules("gomoku");
        let mut talk = Talk::new(rules);
        assert_eq!(talk.start(), "START 15");
        assert_eq!(talk.ask(&game(rules, ""))[1..], ["BEGIN"]);
        assert_eq!(talk.ask(&game(rules, "H8 I9"))[1..], ["TURN 8,6"]);
        // One that comes in later, or has missed something, is told all.
        assert_eq!(talk.ask(&game(rules, "H8 I9 A1"))[1..], ["BOARD", "7,7,2", "8,6,1", "0,14,2", "DONE"]);
        assert_eq!(talk.ask(&game(rules, "H8 I9 A1 B1 C1"))[1..], ["TURN 2,14"]);
    }

    #[test]
    fn games_without_a_number_are_told_as_moves() {
        let rules = rules("pente-swap2");
        let mut talk = Talk::new(rules);
        assert!(talk.settings(Duration::from_secs(1))[4].starts_with(r#"INFO rules {"preset":"pente-swap2","#));
        assert_eq!(talk.ask(&game(rules, ""))[1..], ["MOVES"]);
        assert_eq!(talk.ask(&game(rules, "J10 K10 K11 add"))[1..], ["MOVES J10 K10 K11 add"]);
    }

    #[test]
    fn answers_are_understood() {
        let (free, pente) = (rules("gomoku"), rules("pente-swap2"));
        let place = |text: &str| Heard::Action(Action::place(text.parse().expect(text)));
        for (rules, line, heard) in [
            (free, "7,7", place("H8")),
            (free, " 0, 14 \r", place("A1")),
            (free, "15,0", Heard::Nonsense),
            (free, "-1,3", Heard::Nonsense),
            (free, "MESSAGE 3,4", Heard::Noise),
            (free, "debug depth 3", Heard::Noise),
            (free, "depth 3, score 4", Heard::Noise),
            (free, "", Heard::Noise),
            (free, "ERROR I am lost", Heard::Refused),
            (free, "UNKNOWN", Heard::Refused),
            (free, "H8", Heard::Noise),
            (pente, "H8", place("H8")),
            (pente, "0,18", place("A1")),
            (pente, "add", Heard::Action(Action::Add)),
            (pente, "H8[]", Heard::Action("H8[]".parse().expect("an action"))),
        ] {
            assert_eq!(Talk::new(rules).hear(line, &Game::new(rules)), heard, "{line:?}");
        }
    }
}
