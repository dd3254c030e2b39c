//! `c5 rules` as a process: what it prints, in which language, and what it refuses.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

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

/// The catalogue that the program reads: what a sentence says is decided there, and not repeated here.
fn catalogue(language: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../ui/src/i18n/{language}/rules.json"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("the catalogue")).expect("JSON")
}

/// The sentences as data.
fn sentences(arguments: &[&str]) -> Vec<Value> {
    let text = printed(&[arguments, &["--json"]].concat(), &[]);
    let object: Value = serde_json::from_str(&text).expect("JSON");
    object["sentences"].as_array().expect("sentences").clone()
}

#[test]
fn sentences_stand_under_their_headings() {
    for language in ["en", "zh-TW", "ja"] {
        let arguments = ["--preset", "pente", "--lang", language];
        let catalogue = catalogue(language);
        let mut expected: Vec<String> = Vec::new();
        let mut section = Value::Null;
        for sentence in sentences(&arguments) {
            if section != sentence["section"] {
                section = sentence["section"].clone();
                let heading = &catalogue[&format!("rules.section.{}", section.as_str().expect("a section"))];
                expected.push(heading.as_str().expect("a heading").to_owned());
            }
            expected.push(format!("- {}", sentence["text"].as_str().expect("text")));
        }
        let text = printed(&arguments, &[]);
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, expected);
        assert!(text.contains("J10"), "{text}");
        assert!(!text.contains(['{', '}']), "{text}");
    }
}

#[test]
fn options_change_what_is_said() {
    let says = |arguments: &[&str], key: &str| {
        let sentence = sentences(arguments).into_iter().find(|sentence| sentence["key"] == key);
        sentence.unwrap_or_else(|| panic!("{arguments:?} says nothing of {key}"))["args"].clone()
    };
    let three = ["--preset", "capture-five", "--set", "seats=3", "--set", "overline=wins"];
    assert_eq!(says(&three, "rules.goal.line-or-more"), json!({"line": 4}));
    assert_eq!(says(&three, "rules.goal.captures"), json!({"goal": 8}));
    let renju = ["--preset", "wuziqi", "--set", "forbidden=renju", "--lang", "zh-TW"];
    assert_eq!(says(&renju, "rules.forbidden.renju-three"), json!({"line": 5}));
    assert_eq!(says(&renju, "rules.forbidden.renju-white-wins"), json!({"longer": 6}));
    let text = printed(&renju, &[]);
    assert!(text.contains("三三") && text.contains("四四") && text.contains("長連"), "{text}");
}

#[test]
fn the_language_is_the_one_asked_for_or_the_systems() {
    for (arguments, environment, language) in [
        (&["--lang", "ja"][..], &[("LANG", "zh_TW.UTF-8")][..], "ja"),
        (&[], &[("LANG", "ja_JP.UTF-8")], "ja"),
        (&[], &[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "zh_TW.UTF-8")], "zh-TW"),
        (&[], &[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "")], "ja"),
        (&[], &[("LANG", "de_DE.UTF-8")], "en"),
        (&[], &[], "en"),
    ] {
        let text = printed(&[&["--preset", "gomoku"], arguments].concat(), environment);
        let heading = &catalogue(language)["rules.section.goal"];
        assert_eq!(text.lines().next(), heading.as_str(), "{arguments:?} {environment:?}");
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
    assert_eq!(colours["args"], json!({"first": "white", "second": "black"}));
    let text = colours["text"].as_str().expect("text");
    assert!(text.contains("white") && text.contains("black"), "{text}");
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
