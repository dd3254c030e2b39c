//! Conversations, line by line. The engine is played by whoever writes them: `-> H8` is what it thinks of.

use std::time::Duration;

use proptest::prelude::*;
use rules::{Action, Game, Must};

use super::talk::{Brain, Step};

/// What a brain does with a line, as text: `say …`, `prepare`, `think`, `end`.
fn told(steps: &[Step]) -> Vec<String> {
    let word = |step: &Step| match step {
        Step::Say(line) => line.clone(),
        Step::Prepare { .. } => "(prepare)".to_owned(),
        Step::Think { .. } => "(think)".to_owned(),
        Step::End => "(end)".to_owned(),
    };
    steps.iter().map(word).collect()
}

/// Holds a conversation: each line in with what comes out, `|` between several things; `ERROR` stands for any.
fn check(conversation: &[(&str, &str)]) {
    let mut brain = Brain::default();
    for (line, expected) in conversation {
        let steps = match line.strip_prefix("-> ") {
            Some(action) => brain.thought(&action.parse().expect("an action")),
            None => brain.line(line),
        };
        let shorten = |said: String| if said.starts_with("ERROR") { "ERROR".to_owned() } else { said };
        let said: Vec<String> = told(&steps).into_iter().map(shorten).collect();
        assert_eq!(said.join(" | "), *expected, "after {line:?} in {conversation:?}");
    }
}

const START: (&str, &str) = ("START 15", "(prepare) | OK");

#[test]
fn a_game_is_played_and_played_again() {
    check(&[
        START,
        ("INFO timeout_turn 500", ""),
        ("INFO game_type 1", ""),
        ("INFO evaluate 3,4", ""),
        ("INFO", ""),
        ("BEGIN", "(think)"),
        ("-> H8", "7,7"),
        ("turn 8,6", "(think)"),
        ("-> I10", "8,5"),
        ("TAKEBACK 8,5", "OK"),
        ("TAKEBACK 8,5", "ERROR"),
        ("TAKEBACK 8,6", "OK"),
        ("TURN 0,0", "(think)"),
        ("-> O1", "14,14"),
        ("RESTART", "OK"),
        ("TURN 14,14", "(think)"),
        ("END", "(end)"),
    ]);
}

#[test]
fn what_cannot_be_is_told_and_changes_nothing() {
    check(&[
        ("BEGIN", "ERROR"),
        ("TURN 1,1", "ERROR"),
        ("RESTART", "ERROR"),
        ("TAKEBACK 1,1", "ERROR"),
        ("MOVES H8", "ERROR"),
        ("INFO rules {}", "ERROR"),
        ("BOARD", ""),
        ("7,7,1", ""),
        ("DONE", "ERROR"),
        ("START", "ERROR"),
        ("START 20", "ERROR"),
        ("START 99999999999999999999", "ERROR"),
        ("RECTSTART 15,13", "ERROR"),
        ("RECTSTART 15", "ERROR"),
        ("RECTSTART 13, 13", "(prepare) | OK"),
        ("START 15", "(prepare) | OK"),
        ("", ""),
        ("SUGGEST", "UNKNOWN command"),
        ("\u{1f980}", "UNKNOWN command"),
        ("TURN", "ERROR"),
        ("TURN 15,0", "ERROR"),
        ("TURN -1,0", "ERROR"),
        ("TURN 7,7,7", "ERROR"),
        ("TURN 256,0", "ERROR"),
        ("TURN 7,7", "(think)"),
        ("BEGIN", "ERROR"),
        ("-> H8", "ERROR"),
        ("TURN 7,7", "ERROR"),
        ("BEGIN", "ERROR"),
        ("TURN 7,8", "(think)"),
    ]);
}

#[test]
fn about_says_who_it_is() {
    let said = told(&Brain::default().line("ABOUT")).join("");
    assert!(said.starts_with("name=\"Capture Five\", version=\"") && !said.contains('\n'), "{said}");
}

#[test]
fn a_board_is_a_position() {
    check(&[
        START,
        ("BOARD", ""),
        ("7,7,1", ""),
        ("8,6,2", ""),
        ("DONE", "(think)"),
        ("-> H9", "7,6"),
        ("TURN 0,0", "(think)"),
        ("-> H10", "7,5"),
        // The engine has the second colour; the stones come in another order than they were placed in.
        ("BOARD", ""),
        ("7,7,2", ""),
        ("8,7,2", ""),
        ("", ""),
        ("9,7,1", ""),
        ("DONE", "(think)"),
        ("-> H9", "7,6"),
        ("BOARD", ""),
        ("DONE", "(think)"),
        ("-> H8", "7,7"),
        ("BOARD", ""),
        ("7,7,1", ""),
        ("DONE", "ERROR"),
        ("BOARD", ""),
        ("7,7,1", ""),
        ("7,7,2", ""),
        ("DONE", "ERROR"),
        ("BOARD", ""),
        ("7,7,3", ""),
        ("RESTART", ""),
        ("DONE", "ERROR"),
        ("BOARD", ""),
        ("7,7,2", ""),
        ("END", "(end)"),
    ]);
}

#[test]
fn rules_have_numbers() {
    // Black's six: a win, nothing, forbidden.
    let six = |number: &'static str, line: &'static str, expected: &'static str| {
        let mut talk = vec![START, ("INFO timeout_turn 0", ""), (number, "(prepare)")];
        talk.extend([("BOARD", "")]);
        talk.extend(["2,7,2", "3,7,2", "4,7,2", "6,7,2", "7,7,2"].map(|stone| (stone, "")));
        talk.extend(["0,0,1", "2,0,1", "4,0,1", "6,0,1"].map(|stone| (stone, "")));
        talk.extend([("DONE", "(think)"), ("-> A1", "0,14"), (line, expected)]);
        check(&talk);
    };
    six("INFO rule 1", "TURN 5,7", "(think)");
    six("INFO rule 4", "TURN 5,7", "ERROR");
    six("INFO rule 5", "TURN 5,7", "ERROR");
    // A game that is over is answered by an error as well, and goes on after it is taken back.
    check(&[
        ("INFO rule 1", ""),
        ("INFO rule 0", ""),
        START,
        ("INFO rule 8", "ERROR"),
        ("INFO rule x", "ERROR"),
        ("INFO rule 2", ""),
        ("MOVES A1 A2 B1 B2 C1 C2 D1 D2", "(think)"),
        ("-> E1", "E1"),
        ("TURN 0,0", "ERROR"),
        ("MOVES A1 A2 B1 B2 C1 C2 D1 D2 E1", "ERROR"),
        ("MOVES A1 A2 B1 B2 C1 C2 D1 D2", "(think)"),
        ("-> O15", "O15"),
        ("TURN 4,13", "ERROR"),
        ("TAKEBACK 4,13", "OK"),
        ("TURN 4,12", "(think)"),
    ]);
}

#[test]
fn any_rules_are_played_by_their_names() {
    check(&[
        START,
        (r#"INFO rules {"preset":"pente-swap2"}"#, "(prepare)"),
        ("MOVES", "(think)"),
        ("-> J10", "J10"),
        ("MOVES J10 K10 K11", "(think)"),
        ("-> add", "add"),
        ("MOVES J10 K10 K11 add A1 B2", "(think)"),
        ("-> black", "black"),
        ("TURN 0,0", "(think)"),
        ("-> A19", "ERROR"),
        ("MOVES J10 K10 K11 black", "(think)"),
        ("-> A1", "A1"),
        ("TURN 0,0", "(think)"),
        ("-> S1", "18,18"),
        ("BOARD", ""),
        ("7,7,2", ""),
        ("DONE", "ERROR"),
        ("MOVES J10 J10", "ERROR"),
        ("MOVES Z99", "ERROR"),
        ("MOVES resign", "ERROR"),
        ("INFO rules {", "ERROR"),
        (r#"INFO rules {"preset":"chess"}"#, "ERROR"),
        (r#"INFO rules {"preset":"gomoku","captures":"maybe"}"#, "ERROR"),
        // Stones lie on the board: these come into force with the next game.
        (r#"INFO rules {"preset":"capture-five","seats":3}"#, ""),
        ("MOVES A1 B1", "(think)"),
        ("-> C1", "C1"),
        ("TURN 0,0", "ERROR"),
        ("START 15", "(prepare) | OK"),
        ("BOARD", ""),
        ("DONE", "(think)"),
    ]);
}

#[test]
fn captures_that_are_a_choice_are_written_out() {
    check(&[
        START,
        (r#"INFO rules {"preset":"capture-five","forced_capture":false}"#, "(prepare)"),
        ("MOVES D4 E4 A1 F4", "(think)"),
        ("-> G4[]", "G4[]"),
        ("MOVES D4 E4 A1 F4 G4[] A2", "(think)"),
        ("-> A3", "A3"),
        ("TURN 0,0", "ERROR"),
    ]);
}

#[test]
fn swap2_is_asked_in_one_request() {
    check(&[
        START,
        ("SWAP2BOARD", ""),
        ("DONE", "(think)"),
        ("-> H8", "(think)"),
        ("-> I9", "(think)"),
        ("-> J8", "7,7 8,6 9,7"),
        ("SWAP2BOARD", ""),
        ("7,7", ""),
        ("8,6", ""),
        ("9,7", ""),
        ("DONE", "(think)"),
        ("-> black", "SWAP"),
        ("TURN 0,0", "(think)"),
        ("-> A1", "0,14"),
        ("SWAP2BOARD", ""),
        ("7,7", ""),
        ("8,6", ""),
        ("9,7", ""),
        ("DONE", "(think)"),
        ("-> white", "(think)"),
        ("-> A1", "0,14"),
        ("TURN 0,0", "(think)"),
        ("-> B1", "1,14"),
        ("SWAP2BOARD", ""),
        ("7,7", ""),
        ("8,6", ""),
        ("9,7", ""),
        ("DONE", "(think)"),
        ("-> add", "(think)"),
        ("-> A1", "(think)"),
        ("-> B1", "0,14 1,14"),
        // The other keeps white and plays on.
        ("TURN 0,0", "(think)"),
        ("-> O1", "14,14"),
        ("SWAP2BOARD", ""),
        ("7,7", ""),
        ("8,6", ""),
        ("9,7", ""),
        ("0,14", ""),
        ("1,14", ""),
        ("DONE", "(think)"),
        ("-> white", "(think)"),
        ("-> C1", "2,14"),
        ("SWAP2BOARD", ""),
        ("7,7", ""),
        ("DONE", "ERROR"),
    ]);
}

#[test]
fn the_time_of_a_move_counts_from_its_line() {
    let mut brain = Brain::default();
    let until = |steps: &[Step]| match steps {
        [Step::Think { until, .. }] => *until,
        other => panic!("{:?}", told(other)),
    };
    for line in ["START 15", "INFO timeout_turn 900", "INFO timeout_match 0"] {
        brain.line(line);
    }
    assert_eq!(until(&brain.line("BEGIN")), Duration::from_millis(900));
    brain.thought(&"H8".parse().expect("an action"));
    // The decisions of one request share its time.
    brain.line("SWAP2BOARD");
    assert_eq!(until(&brain.line("DONE")), Duration::from_millis(300));
    for part in [600, 900] {
        let decided = Action::place(rules::Point::new(part as u8 % 7, 3).expect("a point"));
        assert_eq!(until(&brain.thought(&decided)), Duration::from_millis(part));
    }
}

#[test]
fn memory_that_is_allowed_is_prepared() {
    let mut brain = Brain::default();
    brain.line("START 15");
    assert!(brain.line("INFO max_memory 350000000").is_empty(), "nothing has changed");
    match &brain.line("INFO max_memory 33554432")[..] {
        [Step::Prepare { bytes, .. }] => assert_eq!(*bytes, 16 << 20),
        other => panic!("{:?}", told(other)),
    }
}

/// Some legal action.
fn some_action(game: &Game) -> Action {
    match game.turn().expect("it is asked about running games").must {
        Must::Choose | Must::ChooseOrAdd => Action::Choose(rules::Colour::White),
        Must::Place => {
            let is_legal = |at: &rules::Point| game.stone(*at).is_none() && game.check(*at).is_ok();
            Action::place(game.rules().board().points().find(is_legal).expect("a legal point"))
        }
    }
}

fn any_line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "START",
        "RECTSTART",
        "RESTART",
        "BEGIN",
        "TURN",
        "BOARD",
        "DONE",
        "SWAP2BOARD",
        "TAKEBACK",
        "MOVES",
        "ABOUT",
        "INFO rule",
        "INFO rules",
        "INFO timeout_turn",
        "INFO time_left",
        "INFO max_memory",
        "",
    ]);
    let rules = prop::sample::select(vec![
        r#"{"preset":"capture-five"}"#,
        r#"{"preset":"pente"}"#,
        r#"{"preset":"gomoku","opening":"place-four"}"#,
        r#"{"preset":"capture-five","seats":4,"teams":true}"#,
        r#"{"preset":"#,
    ]);
    prop_oneof![
        4 => (words.clone(), -2i64..20, -2i64..20).prop_map(|(word, x, y)| format!("{word} {x},{y}")),
        2 => (words.clone(), -2i64..20).prop_map(|(word, x)| format!("{word} {x}")),
        2 => (0u8..20, 0u8..20, 0u8..4).prop_map(|(x, y, who)| format!("{x},{y},{who}")),
        2 => (words.clone(), "[A-S][1-9]( [A-S]1?[0-9]| black| add| draw){0,4}").prop_map(|(word, rest)| format!("{word} {rest}")),
        1 => rules.prop_map(|rules| format!("INFO rules {rules}")),
        1 => Just("START 15".to_owned()),
        1 => Just("DONE".to_owned()),
        1 => words.prop_map(str::to_owned),
        1 => "\\PC{0,40}",
    ]
}

proptest! {
    #[test]
    fn no_line_is_too_strange(lines in prop::collection::vec(any_line(), 1..60)) {
        let mut brain = Brain::default();
        for line in lines {
            let mut steps = brain.line(&line);
            // Whatever it wants to think of is thought of, until it has something to say.
            while let [Step::Think { game, .. }] = &steps[..] {
                let action = some_action(game);
                steps = brain.thought(&action);
                let refused = told(&steps).iter().any(|said| said.starts_with("ERROR"));
                prop_assert!(!refused, "{:?} after {line:?}: {:?}", action, told(&steps));
            }
            for step in &steps {
                if let Step::Say(said) = step {
                    prop_assert!(!said.contains(['\n', '\r']), "{said:?}");
                }
            }
        }
    }
}
