//! Looking at positions without a table.

mod support;

use app::App;
use app::api::AppEvent;
use app::api::study::{JudgedView, StudyNews};
use app::api::table::TableView;
use rules::Colour;
use serde_json::{Value, json};
use support::{call, code, id, start, until};
use tokio::sync::broadcast::Receiver;

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

/// A search that takes at most so long.
fn search(page: &str, id: u32, position: &Value, more: Value) -> Value {
    let mut args = json!({ "page": page, "id": id, "ms": 400, "position": position["position"] });
    args.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    args
}

/// What this study has told until now.
fn told(events: &mut Receiver<AppEvent>, of: (&str, u32)) -> Vec<StudyNews> {
    let mut news = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let AppEvent::Study { page, id, news: one } = event
            && (page.as_str(), id) == of
        {
            news.push(one);
        }
    }
    news
}

#[tokio::test(flavor = "multi_thread")]
async fn best_moves_are_told_while_they_are_looked_for() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let mut events = app.events();
    for (id, (preset, seats)) in (1..).zip([("gomoku", 2), ("capture-five", 3), ("capture-five", 4)]) {
        let at = position(preset, seats, json!({}), Value::Null, "H8 I9 I8 G8 J8");
        let lines = call(&app, "analyse", search("one", id, &at, json!({ "lines": 3 }))).await;
        let lines = lines.as_array().expect("lines");
        assert_eq!(lines.len(), 3, "{preset} {seats}");
        for line in lines {
            assert_eq!(line["line"][0], line["at"]);
            assert!(line["chance"].as_f64().is_some_and(|chance| (0.0..=1.0).contains(&chance)), "{line}");
        }
        assert!(told(&mut events, ("one", id)).iter().any(|news| matches!(news, StudyNews::Lines { .. })));
    }
    let at = played("gomoku", "H8");
    for (name, wrong) in [
        ("analyse", json!({ "lines": 0 })),
        ("analyse", json!({ "lines": 6 })),
        ("analyse", json!({ "lines": 3, "ms": 0 })),
        ("analyse", json!({ "lines": 3, "page": "" })),
        ("analyse", json!({})),
        ("forced_win", json!({ "ms": 3_600_000 })),
        ("judge", json!({ "page": "x".repeat(65) })),
    ] {
        assert_eq!(code(&app, name, search("one", 4, &at, wrong.clone())).await, "bad-command", "{name} {wrong}");
    }
    for name in ["forced_win", "judge"] {
        assert_eq!(code(&app, name, search("one", 4, &played("gomoku", "H8 H8"), json!({}))).await, "occupied");
    }
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_search_and_the_end_of_the_page_end_the_older() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let at = played("capture-five", "H8 I9");
    let go = |page: &str, id: u32| {
        let (app, args) = (app.clone(), search(page, id, &at, json!({ "lines": 1, "ms": 60_000 })));
        tokio::spawn(async move { app.call("analyse", args).await })
    };
    let (older, newer, other) = (go("one", 1), go("one", 2), go("two", 1));
    // In whichever order the two of a page were begun, the older answers with what it has.
    assert!(older.await.expect("no panic").is_ok());
    call(&app, "stop_study", json!({ "page": "one", "id": 1 })).await;
    assert!(go("one", 1).await.expect("no panic").is_ok(), "it comes too late");
    assert!(!newer.is_finished() && !other.is_finished());
    call(&app, "stop_study", json!({ "page": "two", "id": 1 })).await;
    assert!(other.await.expect("no panic").is_ok());
    assert!(!newer.is_finished());
    app.close_studies();
    assert!(newer.await.expect("no panic").is_ok());
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forced_win_is_found_to_its_last_stone() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let open_three = "H8 A1 I8 A3 J8 A5";
    let win = call(&app, "forced_win", search("one", 1, &played("gomoku", open_three), json!({ "ms": 20_000 }))).await;
    let win: Vec<&str> = win.as_array().expect("a win").iter().map(|action| action.as_str().expect("words")).collect();
    assert_eq!(win.len(), 3, "{win:?}");
    let end = call(&app, "position", played("gomoku", &format!("{open_three} {}", win.join(" ")))).await;
    assert_eq!(end["result"]["winners"], json!([0]));
    let none = call(&app, "forced_win", search("one", 2, &played("gomoku", "H8 I9"), json!({}))).await;
    assert_eq!(none, Value::Null);
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_gone_through_from_its_end() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let mut events = app.events();
    // White lets an open three become an open four.
    let game = played("gomoku", "H8 A1 I8 A3 J8 A5 K8 A7 L8");
    assert_eq!(call(&app, "judge", search("one", 1, &game, json!({ "ms": 150 }))).await, json!(true));
    let judged: Vec<JudgedView> = told(&mut events, ("one", 1))
        .into_iter()
        .filter_map(|news| match news {
            StudyNews::Judged { judged } => Some(judged),
            StudyNews::Lines { .. } => None,
        })
        .collect();
    assert_eq!(judged.iter().map(|one| one.after).collect::<Vec<_>>(), (0..=9).rev().collect::<Vec<_>>());
    let at = |after: usize| &judged[9 - after];
    // Black has won in the end, and was certain to from its open three on.
    for after in [6, 7, 8, 9] {
        assert_eq!((at(after).chances[0].colour, at(after).chances[0].chance), (Colour::Black, 1.0), "{after}");
        assert_eq!(at(after).chances[1].chance, 0.0, "{after}");
    }
    assert_eq!((at(8).best[0].chance, at(8).played), (1.0, Some(1.0)));
    assert_eq!((at(9).best.len(), at(9).played), (0, None));
    // A move that the hints show is worth what they say of it.
    for one in &judged {
        let next = game["position"]["actions"][one.after as usize].as_str();
        if let Some(hint) = one.best.iter().find(|hint| Some(hint.at.as_str()) == next) {
            assert_eq!(one.played, Some(hint.chance));
        }
    }
    // With more than two sides each position tells the chance of the side to move.
    let many = position("capture-five", 3, json!({}), Value::Null, "H8 I9 G7 H9");
    assert_eq!(call(&app, "judge", search("one", 2, &many, json!({ "ms": 100 }))).await, json!(true));
    let many = told(&mut events, ("one", 2));
    let colours: Vec<Vec<Colour>> = many
        .iter()
        .filter_map(|news| match news {
            StudyNews::Judged { judged } => Some(judged.chances.iter().map(|chance| chance.colour).collect()),
            StudyNews::Lines { .. } => None,
        })
        .collect();
    let [black, white, blue] = [Colour::Black, Colour::White, Colour::Blue].map(|colour| vec![colour]);
    assert_eq!(colours, [white.clone(), black.clone(), blue, white, black]);
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_found_again_to_be_gone_through() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let open = |ranked: bool, other: Value| {
        let settings =
            json!({ "grace_s": 60, "level": 5, "ranked": ranked, "hidden": true, "pin": null, "locked": false });
        json!({ "request": {
            "preset": "gomoku", "seats": [{ "kind": "me" }, other], "options": { "board": "15" }, "settings": settings,
        } })
    };
    let table = call(&app, "open_table", open(false, json!({ "kind": "cpu", "level": 1 }))).await;
    let table = id(&table).to_owned();
    let mine = |view: &TableView| view.turn.as_ref().is_some_and(|turn| turn.mine);
    until(&app, &table, "the turn", mine).await;
    call(&app, "place", json!({ "table": table, "at": "H8" })).await;
    until(&app, &table, "two stones", |view| mine(view) && view.moves.len() == 2).await;
    let running = call(&app, "game_record", json!({ "game": table })).await;
    assert_eq!((&running["over"], &running["by"]), (&json!(false), &json!(["hand", "cpu"])));
    assert_eq!((&running["position"]["actions"][0], &running["names"][1]), (&json!("H8"), &json!("")));
    assert_eq!(running["mine"], json!([0]));

    call(&app, "resign", json!({ "table": table })).await;
    until(&app, &table, "the end", |view| view.result.is_some()).await;
    call(&app, "leave_table", json!({ "table": table })).await;
    let games = call(&app, "history", json!({})).await;
    let name = games[0]["game"].as_str().expect("a name").to_owned();
    let record = call(&app, "game_record", json!({ "game": name })).await;
    assert_eq!((&record["game"], &record["over"]), (&json!(name), &json!(true)));
    assert_eq!(record["mine"], json!([0]));
    assert_eq!(record["position"]["actions"][2], "resign:black");
    let end = call(&app, "position", json!({ "position": record["position"] })).await;
    assert_eq!(end["result"]["winners"], json!([1]));
    for unknown in [&format!("{table}/2"), "nothing", &format!("{table}/x"), &"0".repeat(32)] {
        let refused = code(&app, "game_record", json!({ "game": unknown })).await;
        assert!(["not-found", "no-such-table"].contains(&refused), "{unknown}: {refused}");
    }
    app.shutdown().await;
}
