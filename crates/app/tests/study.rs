//! Looking at positions without a table.

mod support;

use app::App;
use serde_json::{Value, json};
use support::{call, start};

fn position(preset: &str, seats: u8, options: Value, setup: Value, actions: &str) -> Value {
    let actions: Vec<&str> = actions.split_whitespace().collect();
    json!({
        "position": { "preset": preset, "seats": seats, "options": options, "setup": setup, "actions": actions }
    })
}

fn played(preset: &str, actions: &str) -> Value {
    position(preset, 2, json!({}), Value::Null, actions)
}

/// The points of a list of things that have one.
fn points(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|one| one["at"].as_str().expect("a point")).collect()
}

async fn refusal(app: &App, args: Value) -> (String, Value) {
    let error = app.call("position", args).await.expect_err("it is refused");
    (error.code.name().to_owned(), serde_json::to_value(&error.args).expect("facts"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_is_told_with_all_there_is_to_see() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let before = call(&app, "position", played("capture-five", "D4 E4 A1 F4")).await;
    assert_eq!((&before["turn"]["colour"], &before["turn"]["must"]), (&json!("black"), &json!("place")));
    assert_eq!((&before["result"], &before["rules"]["board"]), (&Value::Null, &json!(15)));
    assert_eq!(before["legal"].as_array().map(Vec::len), Some(15 * 15 - 4));
    assert_eq!(points(&before["board"]["previews"]), ["G4"]);
    assert_eq!(before["board"]["previews"][0]["takes"], json!([["E4", "F4"]]));
    // Black is to move and could take; white could not.
    assert_eq!((&before["threats"][0]["side"], &before["threats"][0]["ahead"]), (&json!("black"), &json!(0)));
    assert_eq!((points(&before["threats"][0]["takes"]), points(&before["threats"][1]["takes"])), (vec!["G4"], vec![]));

    let after = call(&app, "position", played("capture-five", "D4 E4 A1 F4 G4 E4")).await;
    // The stones that were taken keep their numbers, and the point that is used again has the new one.
    assert_eq!(
        after["gone"],
        json!([
            { "stone": { "at": "E4", "colour": "white", "ply": 2 }, "by": 5 },
            { "stone": { "at": "F4", "colour": "white", "ply": 4 }, "by": 5 },
        ])
    );
    let stones = after["board"]["stones"].as_array().expect("stones");
    assert!(stones.contains(&json!({ "at": "E4", "colour": "white", "ply": 6 })));
    assert_eq!(
        (&after["players"][0]["captured"], &after["players"][0]["tray"]),
        (&json!(2), &json!(["white", "white"]))
    );
    assert_eq!(after["moves"][4]["took"], json!(["E4", "F4"]));
    assert_eq!(after["text"], "c5-game 1 capture-five\nD4 E4 A1 F4 G4 E4\n");
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_party_and_every_end_is_told() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let won = call(&app, "position", played("gomoku", "H8 A1 I8 A2 J8 A4 K8 A5 L8")).await;
    assert_eq!((&won["turn"], &won["setup"], &won["result"]["winners"]), (&Value::Null, &Value::Null, &json!([0])));
    assert_eq!(won["board"]["lines"][0]["points"], json!(["H8", "I8", "J8", "K8", "L8"]));
    assert_eq!((&won["legal"], &won["threats"]), (&json!([]), &json!([])));
    let resigned = call(&app, "position", played("gomoku", "H8 resign:white")).await;
    assert_eq!((&resigned["result"]["by"], &resigned["result"]["winners"]), (&json!(["resignation"]), &json!([0])));

    for (seats, options, colours) in [
        (3, json!({}), vec!["black", "white", "blue"]),
        (4, json!({}), vec!["black", "white", "blue", "red"]),
        (4, json!({ "teams": "true" }), vec!["black", "white", "black", "white"]),
    ] {
        let view = call(&app, "position", position("capture-five", seats, options, Value::Null, "H8 I8 J8")).await;
        let players = view["players"].as_array().expect("players");
        assert_eq!(players.iter().map(|player| player["colour"].as_str().unwrap()).collect::<Vec<_>>(), colours);
        assert_eq!(view["turn"]["player"], json!(3 % seats));
    }
    let opening = call(&app, "position", played("pente-swap2", "A1 C1 E1")).await;
    assert_eq!((&opening["turn"]["must"], &opening["legal"]), (&json!("choose-or-add"), &json!([])));
    let chosen = call(&app, "position", played("pente-swap2", "A1 C1 E1 white")).await;
    assert_eq!((&chosen["moves"][3]["choice"], &chosen["moves"][3]["ply"]), (&json!("white"), &json!(0)));
    let forbidden = json!({ "forbidden": "double-three-first" });
    let view = position("capture-five", 2, forbidden, Value::Null, "F4 A1 G4 C1 E6 J1 E7 L1");
    let view = call(&app, "position", view).await;
    assert_eq!(view["board"]["forbidden"][0]["why"], "double-three");
    assert!(!view["legal"].as_array().expect("points").contains(&json!("E4")));
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_up_board_is_gone_on_from() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let setup = json!({
        "stones": [
            { "at": "C5", "colour": "black" }, { "at": "C6", "colour": "black" }, { "at": "D4", "colour": "white" },
            { "at": "C7", "colour": "white" },
        ],
        "turn": "white",
        "captured": { "black": 4, "white": 2 },
    });
    let args = position("capture-five", 2, json!({ "board": "9" }), setup, "C4");
    let view = call(&app, "position", args).await;
    assert_eq!((&view["players"][1]["captured"], &view["players"][1]["tray"]), (&json!(4), &json!(["black", "black"])));
    // Stones of the set-up have no number; the first one after it has 1.
    let stones = view["board"]["stones"].as_array().expect("stones");
    assert!(stones.contains(&json!({ "at": "D4", "colour": "white", "ply": 0 })));
    assert!(stones.contains(&json!({ "at": "C4", "colour": "white", "ply": 1 })));
    assert_eq!(view["gone"][0], json!({ "stone": { "at": "C5", "colour": "black", "ply": 0 }, "by": 1 }));
    // What it says of itself is the same position again.
    let again = position("capture-five", 2, json!({ "board": "9" }), view["setup"].clone(), "");
    let again = call(&app, "position", again).await;
    for same in ["legal", "turn", "threats", "setup"] {
        assert_eq!(again[same], view[same], "{same}");
    }
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_is_refused_with_a_code_and_facts() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    for (actions, code, facts) in [
        ("H8 H8", "occupied", json!({ "action": "H8", "index": "1", "at": "H8" })),
        ("H8 S19", "off-board", json!({ "action": "S19", "index": "1", "at": "S19" })),
        ("H8 h9", "bad-command", json!({ "action": "h9", "index": "1" })),
        ("black", "not-a-choice", json!({ "action": "black", "index": "0" })),
        ("H8 A1 I8 A2 J8 A4 K8 A5 L8 A7", "game-over", json!({ "action": "A7", "index": "9", "at": "A7" })),
        ("H8 I9[A1,A2]", "bad-take", json!({ "action": "I9[A1,A2]", "index": "1", "at": "I9" })),
    ] {
        assert_eq!(refusal(&app, played("gomoku", actions)).await, (code.to_owned(), facts), "{actions}");
    }
    let many = "H8 ".repeat(1025);
    assert_eq!(refusal(&app, played("gomoku", &many)).await.0, "bad-command");
    for (preset, seats, options) in [
        ("chess", 2, json!({})),
        ("capture-five", 5, json!({})),
        ("capture-five", 0, json!({})),
        ("pente", 3, json!({})),
        ("capture-five", 2, json!({ "board": "12" })),
        ("capture-five", 2, json!({ "nothing": "1" })),
    ] {
        let args = position(preset, seats, options.clone(), Value::Null, "");
        assert_eq!(refusal(&app, args).await.0, "bad-rules", "{preset} {seats} {options}");
    }
    for (stones, more, why) in [
        ("H8=black H8=white", json!({}), "occupied"),
        ("S19=black", json!({}), "off-board"),
        ("H8=blue", json!({}), "not-in-play"),
        ("H8=black", json!({ "captured": { "black": 10 } }), "already-won"),
        ("H8=black I8=black J8=black K8=black L8=black", json!({}), "line-stands"),
        ("H8=black", json!({ "overtime": true }), "not-in-overtime"),
        ("H8=black", json!({ "swapped": true }), "swapped"),
        ("H8=black", json!({ "stage": "choosing" }), "stage"),
        ("H8=black", json!({ "ply": 2 }), "turn"),
        ("H8=black", json!({ "ply": 201 }), "ply"),
    ] {
        let stone = |word: &str| {
            let (at, colour) = word.split_once('=').expect("a stone");
            json!({ "at": at, "colour": colour })
        };
        let mut setup = json!({ "stones": stones.split(' ').map(stone).collect::<Vec<_>>(), "turn": "white" });
        setup.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let (code, facts) = refusal(&app, position("capture-five", 2, json!({}), setup, "")).await;
        assert_eq!((code.as_str(), &facts["why"]), ("bad-setup", &json!(why)), "{facts}");
    }
    let unreadable = json!({ "stones": [{ "at": "8H", "colour": "black" }], "turn": "white" });
    assert_eq!(refusal(&app, position("gomoku", 2, json!({}), unreadable, "")).await.0, "off-board");
    let no_captures = json!({ "stones": [], "turn": "black", "captured": { "white": 2 } });
    assert_eq!(refusal(&app, position("gomoku", 2, json!({}), no_captures, "")).await.1["why"], "no-captures");
    for wrong in [json!({}), json!({ "position": 3 }), json!({ "position": { "preset": "gomoku" } })] {
        assert_eq!(refusal(&app, wrong).await.0, "bad-command");
    }
    app.shutdown().await;
}
