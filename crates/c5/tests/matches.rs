//! Matches between players of ours and programs, with real processes.

#![cfg(unix)]

// Sessions at a table are for the other tests.
#[allow(dead_code)]
mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use c5::referee::{action_from_json, result_to_json, rules_from_json};
use common::{folder, run};
use rules::Game;
use serde_json::{Value, json};

/// Later than this, no move comes on any machine that tests run on.
const PATIENT: &str = "--margin=60000";

/// The figures of a match that is played to its end.
fn figures(data: &Path, args: &[&str]) -> Value {
    let output = run(data, &[&["match", "--json"], args].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    let stdout = String::from_utf8(output.stdout).expect("text");
    assert_eq!(stdout.lines().count(), 1, "{args:?}: {stdout}");
    serde_json::from_str(&stdout).expect("JSON")
}

fn counts(figures: &Value) -> [u64; 5] {
    ["wins", "draws", "losses", "forfeits", "illegal"].map(|key| figures[key].as_u64().expect(key))
}

/// A program of a few lines of shell; its path.
fn program(folder: &Path, name: &str, lines: &str) -> String {
    let path = folder.join(name);
    let loop_ =
        format!("#!/bin/sh\nwhile read -r word rest; do case \"$word\" in\n{lines}\nEND) exit 0;;\nesac; done\n");
    fs::write(&path, loop_).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    format!("gomocup:'{}'", path.display())
}

fn brain() -> String {
    format!("gomocup:\"{}\" brain", env!("CARGO_BIN_EXE_c5"))
}

#[test]
fn the_better_player_wins_and_the_same_seed_tells_the_same() {
    let data = folder();
    let args = ["novice", "random", "--games=6", "--seed=5", "--jobs=2"];
    let first = figures(data.path(), &args);
    assert_eq!(counts(&first), [6, 0, 0, 0, 0]);
    assert_eq!((&first["score"], &first["elo"], &first["games"]), (&json!(1.0), &Value::Null, &json!(6)));
    assert_eq!(first["a"]["player"], "novice");
    let again = figures(data.path(), &args);
    assert_eq!(first["a"]["moves"], again["a"]["moves"]);
    let other = figures(data.path(), &["random", "nodes:50,level:3", "--games=2"]);
    assert_eq!(counts(&other), [0, 0, 2, 0, 0]);
    assert_eq!(
        counts(&figures(data.path(), &["playouts:300,ms:60000", "random", "--games=2", PATIENT])),
        [2, 0, 0, 0, 0]
    );
}

#[test]
fn openings_are_played_on_both_sides_and_games_are_written_down() {
    let data = folder();
    let (openings, games) = (data.path().join("openings"), data.path().join("games"));
    fs::write(&openings, "0,0, 1,0, 1,3\n# another\nH8 I9 A1\n").expect("written");
    let (from, to) = (openings.display().to_string(), games.display().to_string());
    let told = figures(data.path(), &["novice", "random", "--openings", &from, "--games-file", &to]);
    assert_eq!(told["games"], 4, "each opening once on either side");
    let text = fs::read_to_string(&games).expect("the games");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let seats: Vec<&Value> = lines.iter().map(|line| &line["seats"]).collect();
    assert_eq!(seats, [&json!(["a", "b"]), &json!(["b", "a"]), &json!(["a", "b"]), &json!(["b", "a"])]);
    for (line, opening) in
        lines.iter().zip([["H8", "I8", "I11"], ["H8", "I8", "I11"], ["H8", "I9", "A1"], ["H8", "I9", "A1"]])
    {
        assert_eq!(line["actions"].as_array().expect("actions")[..3], opening.map(Value::from));
        let rules = rules_from_json(&line["rules"]).expect("rules");
        let mut game = Game::new(rules);
        for action in line["actions"].as_array().expect("actions") {
            let action = action_from_json(action).expect("an action").action(&game).expect("a running game");
            game.play(&action).expect("legal");
        }
        assert_eq!(line["result"], result_to_json(game.result().expect("over")));
    }
}

#[test]
fn all_option_sets_and_numbers_of_seats_are_played() {
    let data = folder();
    for (rules, games, wins) in [
        (r#"{"preset":"capture-five","seats":3}"#, "3", 3),
        (r#"{"preset":"capture-five","seats":4}"#, "4", 4),
        (r#"{"preset":"capture-five","seats":4,"teams":true}"#, "2", 2),
        (r#"{"preset":"pente-swap2"}"#, "2", 2),
        (r#"{"preset":"gomoku","opening":"place-four"}"#, "2", 2),
        (r#"{"preset":"wuziqi","forbidden":"renju"}"#, "2", 2),
        (r#"{"preset":"capture-five","overtime":"break","forced_capture":false}"#, "2", 2),
    ] {
        let told = figures(data.path(), &["novice", "random", "--rules", rules, "--games", games]);
        assert_eq!(counts(&told), [wins, 0, 0, 0, 0], "{rules}");
    }
    let ours = ["level:1,nodes:20", "playouts:20", "--rules", r#"{"preset":"pente-swap2"}"#, "--games=2"];
    let told = figures(data.path(), &ours);
    assert_eq!(counts(&told)[3..], [0, 0]);
}

#[test]
fn a_program_that_fails_is_told_and_loses() {
    let data = folder();
    let say_ok = "START) echo MESSAGE hello; echo OK;;\n";
    for (name, lines, expected, kind, why) in [
        // It answers once, in between words for people, and then the same again.
        (
            "again",
            "BEGIN|DONE|TURN) echo DEBUG 1,1; echo 0,0;;",
            [2, 0, 0, 0, 2],
            "illegal",
            "A15 is refused: occupied",
        ),
        ("off", "BEGIN|DONE|TURN) echo 15,15;;", [2, 0, 0, 0, 2], "illegal", "\"15,15\" is no move here"),
        ("gone", "BEGIN|DONE|TURN) exit 3;;", [2, 0, 0, 2, 0], "forfeit", "the program has ended"),
        ("silent", "BEGIN|DONE|TURN) ;;", [2, 0, 0, 2, 0], "forfeit", "no answer in time"),
        ("unwilling", "BEGIN|DONE|TURN) echo ERROR no;;", [2, 0, 0, 2, 0], "forfeit", "the program says \"ERROR no\""),
    ] {
        let player = program(data.path(), name, &format!("{say_ok}{lines}"));
        let openings = data.path().join("openings");
        fs::write(&openings, "7,7").expect("written");
        let from = openings.display().to_string();
        let told = figures(data.path(), &["novice", &format!("ms:300,{player}"), "--games=2", "--openings", &from]);
        assert_eq!(counts(&told), expected, "{name}: {told}");
        assert_eq!(
            told["b"]["forfeits"].as_u64().expect("a number") + told["b"]["illegal"].as_u64().expect("a number"),
            2
        );
        let foul = &told["fouls"][0];
        assert_eq!((&foul["player"], &foul["kind"]), (&json!("b"), &json!(kind)), "{name}: {foul}");
        assert_eq!(foul["why"], why, "{name}");
    }
}

#[test]
fn a_match_that_cannot_begin_says_why() {
    let data = folder();
    let refused = program(data.path(), "refused", "START) echo ERROR size;;");
    let dead = program(data.path(), "dead", "START) exit 1;;");
    let empty = data.path().join("empty");
    fs::write(&empty, "").expect("written");
    let empty = empty.display().to_string();
    for (args, status, words) in [
        (&["novice", "gomocup:/no/such/program"][..], 1, "cannot be started"),
        (&["novice", &refused], 1, "ERROR size"),
        (&["novice", &dead], 1, "ends at START"),
        (&["novice", "random", "--openings", "/no/such/file"], 1, "cannot be read"),
        (&["novice", "random", "--openings", &empty], 2, "no opening"),
        (&["novice", "random", "--games-file", "/no/such/folder/file"], 1, "cannot be written"),
        (&["novice", "random", "--rules", "{"], 2, "no JSON"),
        (&["novice", "random", "--rules", r#"{"preset":"chess"}"#], 2, "preset"),
        (&["novice", "strong"], 2, "level:L"),
        (&["novice"], 2, "<B>"),
        (&["novice", "random", "--games=0"], 2, "0"),
    ] {
        let output = run(data.path(), &[&["match"], args].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{args:?}: {stderr}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    }
}

#[test]
fn the_brain_plays_what_the_protocol_knows_and_what_it_does_not() {
    let data = folder();
    let brain = format!("ms:150,{}", brain());
    for rules in [
        r#"{"preset":"gomoku"}"#,
        r#"{"preset":"gomoku","overline":"no-win","board":13}"#,
        r#"{"preset":"wuziqi","forbidden":"renju"}"#,
        r#"{"preset":"pente"}"#,
        r#"{"preset":"pente-swap2"}"#,
    ] {
        let told = figures(data.path(), &[&brain, "novice", "--games=2", PATIENT, "--rules", rules]);
        assert_eq!(counts(&told), [2, 0, 0, 0, 0], "{rules}: {told}");
    }
    // At the same nodes from the same seed it plays the same game, whatever the time.
    let same = format!("ms:60000,{} --nodes=200 --level=6 --seed=9", self::brain());
    let games = ["one", "two"].map(|name| {
        let path = data.path().join(name).display().to_string();
        figures(data.path(), &[&same, "novice", "--games=1", "--games-file", &path]);
        let game: Value = serde_json::from_str(&fs::read_to_string(&path).expect("a game")).expect("JSON");
        game["actions"].clone()
    });
    assert_eq!(games[0], games[1]);
    let solo = r#"{"preset":"capture-five","seats":3,"forced_capture":false}"#;
    let told = figures(data.path(), &["random", &brain, "--games=1", PATIENT, "--rules", solo]);
    assert_eq!(counts(&told)[3..], [0, 0], "{told}");
}
