//! `c5 referee` from the outside: requests in, answers out (INTERFACES.md), and the data files through it.

use std::path::PathBuf;

use c5::referee::{
    LINE_BYTES_MAX, VALUE_BYTES_MAX, action_from_json, action_from_text, action_to_json, rules_from_json,
    rules_to_json, run,
};
use rules::{Game, Preset, Rules};
use serde_json::{Value, json};

/// The answers to an input, one value a line.
fn answers(input: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    run(input, &mut output).expect("reading and writing memory");
    let text = String::from_utf8(output).expect("UTF-8");
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn answer(request: &Value) -> Value {
    let mut answers = answers(format!("{request}\n").as_bytes());
    assert_eq!(answers.len(), 1, "{request}");
    answers.remove(0)
}

/// The answer to a game's actions, and what some of its fields are.
#[track_caller]
fn check(rules: Value, actions: Value, expected: Value) {
    let request = json!({ "id": 7, "rules": rules, "actions": actions });
    let answer = answer(&request);
    assert_eq!(answer["id"], 7);
    for (field, value) in expected.as_object().expect("fields") {
        assert_eq!(&answer[field], value, "{field} of {answer}");
    }
}

fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn an_answer_has_every_field() {
    let request = json!({"id":1,"rules":{"preset":"capture-five","seats":2,"overline":"wins"},"actions":["H8","J9"]});
    let mut board = vec!["...............".to_owned(); 15];
    board[15 - 8].replace_range(7..8, "B");
    board[15 - 9].replace_range(9..10, "W");
    let expected = json!({
        "id": 1, "ok": true, "ply": 2, "board": board, "captured": { "black": 0, "white": 0 },
        "to_move": { "seat": 0, "colour": "black", "must": "place" },
        "illegal": [], "groups": {}, "overtime": null, "result": null,
    });
    assert_eq!(answer(&request), expected);
}

#[test]
fn colours_are_told_in_their_order() {
    let request = json!({ "id": 1, "rules": { "preset": "capture-five", "seats": 4 }, "actions": ["A1"] });
    let answer = answer(&request);
    let colours: Vec<&String> = answer["captured"].as_object().expect("an object").keys().collect();
    assert_eq!(colours, ["black", "white", "blue", "red"]);
}

#[test]
fn positions_are_told_completely() {
    let five = json!({ "preset": "capture-five" });
    check(five.clone(), json!(["H8", "H9", "A1", "H10"]), json!({ "groups": { "H11": [["H9", "H10"]] }, "ply": 4 }));
    check(
        five.clone(),
        json!(["H8", "H9", "A1", "H10", "H11", "A3"]),
        json!({ "groups": {}, "captured": { "black": 2, "white": 0 }, "ply": 6 }),
    );
    check(
        json!({ "preset": "capture-five", "seats": 4 }),
        json!(["A1", "C1", "E1"]),
        json!({
            "to_move": { "seat": 3, "colour": "red", "must": "place" },
            "captured": { "black": 0, "white": 0, "blue": 0, "red": 0 },
        }),
    );
    check(
        json!({ "preset": "pente-swap2" }),
        json!(["A1", "C3", "E5"]),
        json!({ "to_move": { "seat": 1, "colour": "white", "must": "choose-or-add" }, "groups": {}, "illegal": [] }),
    );
    check(
        json!({ "preset": "capture-five", "overtime": "break" }),
        json!(["D4", "E6", "E4", "A1", "E5", "C1", "F4", "E1", "G4", "G1", "H4"]),
        json!({
            "overtime": { "colour": "black", "lines": [["D4", "E4", "F4", "G4", "H4"]] },
            "groups": { "E3": [["E4", "E5"]] },
            "result": null,
        }),
    );
    check(
        json!({ "preset": "gomoku" }),
        json!(["A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1"]),
        json!({ "result": { "kind": "win", "winners": ["black"], "by": ["line"] }, "to_move": null, "illegal": [] }),
    );
    check(five.clone(), json!(["draw"]), json!({ "result": { "kind": "draw", "by": ["agreement"] }, "ply": 0 }));
    check(
        five.clone(),
        json!(["A1", "resign"]),
        json!({ "result": { "kind": "win", "winners": ["black"], "by": ["resignation"] }, "ply": 1 }),
    );
    check(
        five,
        json!([{ "resign": "black" }]),
        json!({ "result": { "kind": "win", "winners": ["white"], "by": ["resignation"] } }),
    );
}

/// Per action the first that applies of the codes, in their order.
#[test]
fn refusals_name_the_first_cause() {
    let five = || json!({ "preset": "capture-five" });
    let swap2 = || json!({ "preset": "pente-swap2" });
    let over = json!(["A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1"]);
    let then = |action: Value| {
        let mut actions = over.as_array().expect("an array").clone();
        actions.push(action);
        Value::Array(actions)
    };
    let chosen = |action: Value| json!(["A1", "C3", "E5", action]);
    let optional = || json!({ "preset": "capture-five", "forced_capture": false });
    let cases = [
        (five(), then(json!("E2")), 9, "game-over"),
        (five(), then(json!(5)), 9, "game-over"),
        (five(), json!([5]), 0, "bad-request"),
        (five(), json!([null]), 0, "bad-request"),
        (five(), json!(["h8"]), 0, "bad-request"),
        (five(), json!(["H08"]), 0, "bad-request"),
        (five(), json!([""]), 0, "bad-request"),
        (five(), json!(["H8 "]), 0, "bad-request"),
        (five(), json!(["blue"]), 0, "bad-request"),
        (five(), json!([{ "at": "H8" }]), 0, "bad-request"),
        (five(), json!([{ "at": "H8", "take": [], "more": 1 }]), 0, "bad-request"),
        (five(), json!([{ "at": "H8", "take": ["G8"] }]), 0, "bad-request"),
        (five(), json!([{ "resign": "blue" }]), 0, "bad-request"),
        (json!({ "preset": "capture-five", "seats": 3 }), json!(["A1", "resign"]), 1, "bad-request"),
        (json!({ "preset": "capture-five", "seats": 3 }), json!([{ "resign": "blue" }]), 0, "bad-request"),
        (five(), json!(["black"]), 0, "not-a-choice"),
        (five(), json!(["add"]), 0, "not-a-choice"),
        (swap2(), chosen(json!("G7")), 3, "not-a-choice"),
        (swap2(), chosen(json!("Z99")), 3, "not-a-choice"),
        (swap2(), chosen(json!("A1")), 3, "not-a-choice"),
        (swap2(), json!(["A1", "C3", "E5", "add", "G7", "J9", "add"]), 6, "not-a-choice"),
        (five(), json!(["P1"]), 0, "off-board"),
        (five(), json!(["A16"]), 0, "off-board"),
        (five(), json!(["Z5"]), 0, "off-board"),
        (five(), json!(["A100000000000000000000"]), 0, "off-board"),
        (five(), json!(["A1", { "at": "A1", "take": [["P9", "P8"]] }]), 1, "off-board"),
        (five(), json!(["A1", "A1"]), 1, "occupied"),
        (json!({ "preset": "pente" }), json!(["A1"]), 0, "opening"),
        (json!({ "preset": "pente" }), json!(["J10", "A1", "K10"]), 2, "opening"),
        (json!({ "preset": "pente" }), json!(["J10", "A1", "A1"]), 2, "occupied"),
        (
            json!({ "preset": "capture-five", "into_flank": "not-allowed" }),
            json!(["D4", "C4", "A1", "F4", { "at": "E4", "take": [["A1", "A2"]] }]),
            4,
            "into-flank",
        ),
        (optional(), json!([{ "at": "H8", "take": [["G8", "F8"]] }]), 0, "bad-take"),
        (optional(), json!([{ "at": "H8", "take": [[]] }]), 0, "bad-take"),
        (
            optional(),
            json!(["H8", "H9", "A1", "H10", { "at": "H11", "take": [["H9", "H10"], ["H10", "H9"]] }]),
            4,
            "bad-take",
        ),
        (five(), json!(["H8", "H9", "A1", "H10", { "at": "H11", "take": [] }]), 4, "bad-take"),
    ];
    for (rules, actions, at, error) in cases {
        let answer = answer(&json!({ "id": "x", "rules": rules, "actions": actions }));
        assert_eq!((&answer["ok"], &answer["id"]), (&json!(false), &json!("x")), "{actions}: {answer}");
        assert_eq!((&answer["at"], &answer["error"]), (&json!(at), &json!(error)), "{actions}: {answer}");
        assert!(answer["message"].as_str().is_some_and(|message| !message.is_empty()));
    }
}

#[test]
fn bad_rules_are_told_before_any_action() {
    let cases = [
        (json!({}), "preset"),
        (json!([]), "object"),
        (json!({ "preset": "chess" }), "chess"),
        (json!({ "preset": 5 }), "preset"),
        (json!({ "preset": "pente", "bord": 19 }), "bord"),
        (json!({ "preset": "pente", "board": 18 }), "board"),
        (json!({ "preset": "pente", "board": "19" }), "board"),
        (json!({ "preset": "pente", "board": 19.5 }), "board"),
        (json!({ "preset": "pente", "seats": 5 }), "seats"),
        (json!({ "preset": "pente", "seats": null }), "seats"),
        (json!({ "preset": "pente", "teams": "false" }), "teams"),
        (json!({ "preset": "pente", "captures": true }), "captures"),
        (json!({ "preset": "pente", "move_limit_s": 45 }), "move_limit_s"),
        (json!({ "preset": "pente", "move_limit_s": "30" }), "move_limit_s"),
        (json!({ "preset": "pente", "seats": 3 }), "opening and seats"),
        (json!({ "preset": "capture-five", "forbidden": "renju" }), "forbidden and captures"),
    ];
    for (rules, named) in cases {
        let answer = answer(&json!({ "id": 1, "rules": rules, "actions": ["nonsense"] }));
        assert_eq!((&answer["error"], &answer["at"], &answer["id"]), (&json!("bad-rules"), &Value::Null, &json!(1)));
        assert!(answer.as_object().is_some_and(|fields| fields.contains_key("at")));
        assert!(answer["message"].as_str().is_some_and(|message| message.contains(named)), "{named}: {answer}");
    }
    for accepted in [json!(null), json!("none"), json!(30), json!(60)] {
        let rules =
            json!({ "preset": "gomoku", "move_limit_s": accepted, "first_start": "random", "pass_start": false });
        check(rules, json!(["H8"]), json!({ "ok": true }));
    }
}

#[test]
fn what_is_no_request_is_answered_and_reading_goes_on() {
    let lines: [(&[u8], Value); 9] = [
        (b"nonsense", Value::Null),
        (b"[]", Value::Null),
        (b"5", Value::Null),
        (b"{}", Value::Null),
        (br#"{"id":3,"rules":{"preset":"pente"}}"#, json!(3)),
        (br#"{"id":null,"actions":[]}"#, Value::Null),
        (br#"{"id":[1],"rules":{"preset":"pente"},"actions":{}}"#, json!([1])),
        (b"\xff\xfe", Value::Null),
        (b"{\"id\":1", Value::Null),
    ];
    for (line, id) in &lines {
        let good = br#"{"rules":{"preset":"pente"},"actions":["J10"],"unknown":[1,2]}"#;
        let answers = answers(&[line, &b"\n\n  \t\r\n"[..], good].concat());
        assert_eq!(answers.len(), 2, "blank lines are ignored");
        let refused = answers[0].as_object().expect("an object");
        assert_eq!((&refused["ok"], &refused["error"]), (&json!(false), &json!("bad-request")));
        assert_eq!(refused.get("id").unwrap_or(&Value::Null), id);
        assert!(!refused.contains_key("at") && refused.contains_key("message"));
        assert_eq!(answers[1]["ok"], true, "the last line needs no end");
        assert!(answers[1].get("id").is_none());
    }
}

/// Whatever JSON an id is, it comes back as it was sent, character for character.
#[test]
fn ids_come_back_exactly_as_they_were_sent() {
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    let ids = [
        "1",
        "-0",
        "1.0",
        "1E2",
        "1e999",
        "9007199254740993",
        "12345678901234567890123456789012345678901234567890",
        "0.1000000000000000000000000000000001",
        "true",
        "null",
        r#""x""#,
        r#""\u0041\/\ud800""#,
        r#"[1, "a" ]"#,
        r#"{"b": 1, "a": {"b":12345678901234567890123}}"#,
        &deep,
    ];
    let rests = [
        (r#""rules":{"preset":"pente"},"actions":["J10"]"#, true),
        (r#""rules":{"preset":"pente"},"actions":["A1"]"#, false),
        (r#""rules":{"preset":"chess"},"actions":[]"#, false),
        (r#""rules":{"preset":"pente"}"#, false),
    ];
    for id in ids {
        for (rest, is_fine) in rests {
            for line in [format!("{{\"id\":{id},{rest}}}"), format!("{{{rest}, \"id\" : {id} }}")] {
                let mut output = Vec::new();
                run(line.as_bytes(), &mut output).expect("reading and writing memory");
                let text = String::from_utf8(output).expect("UTF-8");
                assert!(text.starts_with(&format!("{{\"id\":{id},\"ok\":{is_fine},")), "{line}: {text}");
            }
        }
    }
}

#[test]
fn a_byte_order_mark_may_stand_at_the_start_of_the_input() {
    let request = br#"{"id":1,"rules":{"preset":"pente"},"actions":[]}"#;
    let mark = b"\xef\xbb\xbf".as_slice();
    let told = answers(&[mark, request, b"\n", mark, request].concat());
    assert_eq!((&told[0]["ok"], &told[1]["error"]), (&json!(true), &json!("bad-request")), "and nowhere else");
    assert_eq!(answers(&[mark, b"\n", request].concat()).len(), 1, "the first line is blank");
    assert_eq!(answers(mark).len(), 0);
}

#[test]
fn rules_and_actions_are_bounded() {
    let spaces = " ".repeat(VALUE_BYTES_MAX);
    let long_rules = format!(r#"{{"id":1,"rules":{{{spaces}"preset":"pente"}},"actions":[]}}"#);
    let long_action = format!(r#"{{"id":1,"rules":{{"preset":"pente"}},"actions":["J10",{{{spaces}}}]}}"#);
    let spaced = format!(r#"{{"id":1,"rules":{{"preset":"pente"}},"actions":[{spaces}"J10"{spaces}]}}"#);
    let huge_number = r#"{"id":1,"rules":{"preset":"pente","board":1e999},"actions":[]}"#;
    let told = answers([&long_rules, &long_action, &spaced, huge_number].join("\n").as_bytes());
    assert_eq!((&told[0]["error"], &told[0]["at"]), (&json!("bad-rules"), &Value::Null));
    assert_eq!((&told[1]["error"], &told[1]["at"]), (&json!("bad-request"), &json!(1)));
    assert_eq!(told[2]["ok"], true, "spaces around a value are not part of it");
    assert_eq!(told[3]["error"], "bad-rules");
}

#[test]
fn a_line_beyond_the_bound_is_refused_and_the_next_one_read() {
    let long = vec![b' '; LINE_BYTES_MAX + 1];
    let good = b"\n{\"id\":2,\"rules\":{\"preset\":\"pente\"},\"actions\":[]}\n";
    let told = answers(&[&long[..], good].concat());
    assert_eq!((&told[0]["error"], &told[1]["id"]), (&json!("bad-request"), &json!(2)));
    let longest = [b"[".as_slice(), &vec![b' '; LINE_BYTES_MAX - 2], b"]"].concat();
    let told = answers(&[&longest[..], good].concat());
    assert_eq!(told.len(), 2);
    assert!(told[0]["message"].as_str().is_some_and(|message| message.contains("object")));
    assert_eq!(answers(&long).len(), 1, "also without an end");
}

#[test]
fn rules_and_actions_go_to_json_and_back() {
    for preset in Preset::ALL {
        let rules = Rules::of(preset);
        let value = rules_to_json(&rules);
        assert_eq!(rules_from_json(&value), Ok(rules));
        assert_eq!(value.as_object().map(|fields| fields.len()), Some(18), "the preset and every option");
    }
    let game = Game::new(Rules::of(Preset::CaptureFive));
    let values = [
        json!("H8"),
        json!({ "at": "H8", "take": [["F8", "G8"]] }),
        json!({ "at": "H8", "take": [] }),
        json!("black"),
        json!("add"),
        json!("draw"),
        json!({ "resign": "white" }),
    ];
    for value in values {
        let action = action_from_json(&value).expect("an action").action(&game).expect("meant here");
        assert_eq!(action_to_json(&action), value);
    }
    let resign = action_from_text("resign").expect("an action").action(&game).expect("meant here");
    assert_eq!(action_to_json(&resign), json!({ "resign": "black" }));
}

/// Every game of the file: captures, winner and final board.
#[test]
fn pente_games_agree() {
    let text = data("pente-games.tsv");
    let mut requests = String::new();
    let mut expected = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[moves, first, second, winner, board] = &fields[..] else { panic!("five fields: {line}") };
        let points: Vec<String> = moves.split(' ').map(|number| point(number.parse().expect("a number"))).collect();
        let rules = json!({ "preset": "pente", "opening": "none" });
        requests += &format!("{}\n", json!({ "id": expected.len(), "rules": rules, "actions": points }));
        expected.push((points.len(), first, second, winner, board));
    }
    assert!(expected.len() >= 300);
    let answers = answers(requests.as_bytes());
    assert_eq!(answers.len(), expected.len());
    for (answer, (ply, first, second, winner, board)) in answers.iter().zip(expected) {
        assert_eq!(answer["ply"], ply, "{answer}");
        assert_eq!(answer["captured"]["white"].to_string(), first);
        assert_eq!(answer["captured"]["black"].to_string(), second);
        let winners = match winner {
            "0" => Value::Null,
            "1" => json!(["white"]),
            "2" => json!(["black"]),
            other => panic!("no winner: {other}"),
        };
        assert_eq!(answer["result"].get("winners").unwrap_or(&Value::Null), &winners);
        let rows = answer["board"].as_array().expect("rows").iter().filter_map(Value::as_str);
        assert_eq!(rows.collect::<String>().replace('W', "X").replace('B', "O"), board);
    }
}

/// A point of the data file: x + 19 y from the top left, from 0.
fn point(number: u16) -> String {
    let (x, y) = ((number % 19) as u8, (number / 19) as u8);
    rules::Point::new(x, 18 - y).expect("on the board").to_string()
}

/// Every request of the file: the fields named in `expect`, with `illegal_has` and `illegal_lacks` for parts.
#[test]
fn renju_cases_agree() {
    let text = data("renju-cases.jsonl");
    let mut count = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let answer = answer(&case["request"]);
        let illegal = |at: &Value| answer["illegal"].as_array().is_some_and(|points| points.contains(at));
        for (field, value) in case["expect"].as_object().expect("fields") {
            let parts = value.as_array().map(Vec::as_slice).unwrap_or_default();
            match field.as_str() {
                "illegal" => {
                    let mut sorted: Vec<String> =
                        answer["illegal"].as_array().expect("points").iter().map(Value::to_string).collect();
                    let mut expected: Vec<String> = parts.iter().map(Value::to_string).collect();
                    sorted.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(sorted, expected, "{}", case["name"]);
                }
                "illegal_has" => assert!(parts.iter().all(illegal), "{}: {answer}", case["name"]),
                "illegal_lacks" => assert!(!parts.iter().any(illegal), "{}: {answer}", case["name"]),
                field => assert_eq!(&answer[field], value, "{}: {field}", case["name"]),
            }
        }
        count += 1;
    }
    assert!(count >= 108, "{count} cases");
}

/// Any bytes give one answer a line that is not blank, and never end the reading.
#[test]
fn any_bytes_are_answered() {
    use rand::{Rng, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(5);
    let good = br#"{"id":1,"rules":{"preset":"capture-five","seats":3},"actions":["H8",{"at":"H9","take":[]}]}"#;
    for _ in 0..2000 {
        let mut line = good.to_vec();
        for _ in 0..random.random_range(1..6) {
            let at = random.random_range(0..line.len());
            match random.random_range(0..3) {
                0 => line[at] = random.random(),
                1 => line.insert(at, random.random()),
                _ => drop(line.remove(at)),
            }
        }
        let lines = line.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
        assert_eq!(answers(&line).len(), lines, "{:?}", String::from_utf8_lossy(&line));
    }
}
