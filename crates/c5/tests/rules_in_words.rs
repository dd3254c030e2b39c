//! `c5 rules` as a process: what it prints, in which language, and what it refuses.

use std::process::{Command, Output};

use serde_json::Value;

/// Runs with nothing of this machine's languages but what is given.
fn c5_rules(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_c5"));
    command.arg("rules").args(arguments);
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied()).output().expect("it runs")
}

fn printed(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let output = c5_rules(arguments, environment);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn sentences_stand_under_their_headings() {
    let text = printed(&["--preset", "pente"], &[]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "How to win");
    assert_eq!(
        lines[1],
        "- Rows of five or more stones of one colour win: across, up and down or diagonally, without a gap."
    );
    assert!(lines.contains(&"- The first stone goes on the centre, J10."), "{text}");
    assert!(lines.contains(&"- The starter has white and moves first; the other has black."), "{text}");
    let headings: Vec<_> = lines.iter().filter(|line| !line.is_empty() && !line.starts_with("- ")).collect();
    assert_eq!(
        headings,
        [&"How to win", &"Players and board", &"Turns", &"Opening", &"Captures", &"Draws", &"Game after game"]
    );
}

#[test]
fn options_change_what_is_said() {
    let three = printed(&["--preset", "capture-five", "--set", "seats=3", "--set", "overline=wins"], &[]);
    assert!(three.contains("Rows of four or more"), "{three}");
    assert!(three.contains("Capturing eight stones or more"), "{three}");
    let renju = printed(&["--preset", "wuziqi", "--set", "forbidden=renju", "--lang", "zh-TW"], &[]);
    assert!(renju.contains("黑方不可下三三（雙三）：") && renju.contains("白方的長連（六子以上）也獲勝。"), "{renju}");
}

#[test]
fn the_language_is_the_one_asked_for_or_the_systems() {
    for (arguments, environment, heading) in [
        (&["--lang", "ja"][..], &[("LANG", "zh_TW.UTF-8")][..], "勝ちかた"),
        (&[], &[("LANG", "ja_JP.UTF-8")], "勝ちかた"),
        (&[], &[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "zh_TW.UTF-8")], "怎樣獲勝"),
        (&[], &[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "")], "勝ちかた"),
        (&[], &[("LANG", "de_DE.UTF-8")], "How to win"),
        (&[], &[], "How to win"),
    ] {
        let text = printed(&[&["--preset", "gomoku"], arguments].concat(), environment);
        assert_eq!(text.lines().next(), Some(heading), "{arguments:?} {environment:?}");
    }
}

#[test]
fn as_json_it_is_one_object_with_keys_arguments_and_texts() {
    let text = printed(&["--preset", "pente", "--set", "move_limit_s=30", "--json"], &[]);
    assert_eq!(text.lines().count(), 1, "{text}");
    let object: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((object["lang"].as_str(), object["rules"]["preset"].as_str()), (Some("en"), Some("pente")));
    assert_eq!(object["rules"]["move_limit_s"], 30);
    let sentences = object["sentences"].as_array().expect("sentences");
    let sentence = |key: &str| sentences.iter().find(|sentence| sentence["key"] == key).expect(key);
    let colours = sentence("rules.players.colours-two");
    assert_eq!(colours["section"], "players");
    assert_eq!(colours["args"], serde_json::json!({"first": "white", "second": "black"}));
    assert_eq!(colours["text"], "The starter has white and moves first; the other has black.");
    assert_eq!(sentence("rules.opening.centre")["args"]["point"], "J10");
    assert_eq!(sentence("rules.time.limit")["args"]["seconds"], 30);
}

#[test]
fn what_is_wrong_is_named_with_what_is_allowed() {
    for (arguments, words) in [
        (&["--preset", "chess"][..], &["capture-five", "wuziqi"][..]),
        (&[], &["--preset"]),
        (&["--preset", "pente", "--lang", "de"], &["en, zh-TW, ja"]),
        (&["--preset", "pente", "--set", "seats"], &["option=value"]),
        (&["--preset", "pente", "--set", "size=15"], &["no option \"size\"", "board, seats"]),
        (&["--preset", "pente", "--set", "board=14"], &["board cannot be \"14\"", "9, 13, 15, 19"]),
        (&["--preset", "pente", "--set", "seats=5"], &["seats cannot be \"5\"", "2, 3, 4"]),
        (&["--preset", "pente", "--set", "seats=3"], &["opening and seats", "opening to none", "seats to 2"]),
    ] {
        let output = c5_rules(arguments, &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        for word in words {
            assert!(stderr.contains(word), "{arguments:?}: no {word:?} in {stderr}");
        }
    }
}
