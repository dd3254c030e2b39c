//! People who share a device, favourites and statistics, by the commands that the UI calls.

mod support;

use app::api::table::{Phase, TableView};
use serde_json::{Value, json};
use support::{call, code, id, start, until};

fn two() -> Value {
    json!({
        "preset": "gomoku",
        "seats": [{ "kind": "me" }, { "kind": "here", "name": "Mei" }],
        "options": {},
    })
}

fn names(view: &TableView) -> Vec<&str> {
    view.seats.iter().map(|seat| seat.name.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_one_device_play_to_the_end_over_a_restart() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let table = call(&app, "open_table", json!({ "request": two() })).await;
    let table = id(&table).to_owned();
    let view = until(&app, &table, "the start", |view| view.phase == Phase::Playing).await;
    assert_eq!(names(&view)[1], "Mei");
    assert!(view.seats.iter().all(|seat| seat.own && !seat.me), "nobody is \"you\" where two share the device");
    assert_eq!([view.seats[0].shares, view.seats[1].shares], [None, Some(0)]);
    let place = async |app: &app::App, seat: u8, at: &str| {
        until(app, &table, "that seat's turn", |view| {
            view.turn.as_ref().is_some_and(|turn| turn.mine && turn.seat == seat) && view.my_seat == Some(seat)
        })
        .await;
        call(app, "place", json!({ "table": table, "at": at })).await;
    };
    place(&app, 0, "H8").await;
    place(&app, 1, "A1").await;
    let view = until(&app, &table, "Mei's stone", |view| view.board.stones.len() == 2).await;
    assert!(view.may.undo_at_once && view.may.draw && view.offers.is_empty());
    call(&app, "offer", json!({ "table": table, "what": "undo" })).await;
    until(&app, &table, "one stone back", |view| view.board.stones.len() == 1 && view.my_seat == Some(1)).await;
    place(&app, 1, "B1").await;
    until(&app, &table, "Mei's stone", |view| view.board.stones.len() == 2).await;
    app.shutdown().await;
    drop(app);

    let app = start(folder.path()).await;
    let home = call(&app, "home", Value::Null).await;
    assert_eq!(home["interrupted"][0]["alone"], true, "no other device is needed to go on");
    call(&app, "resume_table", json!({ "table": table })).await;
    for (own, other) in [("H9", "C1"), ("H10", "D1"), ("H11", "A9")] {
        place(&app, 0, own).await;
        place(&app, 1, other).await;
    }
    place(&app, 0, "H12").await;
    let view = until(&app, &table, "the end", |view| view.phase == Phase::Over).await;
    assert_eq!(view.result.expect("a result").winners, [0]);
    call(&app, "start", json!({ "table": table })).await;
    until(&app, &table, "the next game, at one tap", |view| view.game == 2 && view.phase == Phase::Playing).await;
    let kept = async || call(&app, "history", Value::Null).await.as_array().map(Vec::len);
    while kept().await == Some(0) {
        tokio::task::yield_now().await;
    }
    assert_eq!(call(&app, "history", Value::Null).await[0]["won"], true, "the person whose device it is");
    let told = call(&app, "statistics", json!({ "offset_min": 60 })).await;
    assert_eq!((&told["games"], &told["wins"], &told["days"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(code(&app, "statistics", json!({ "offset_min": 1_441 })).await, "bad-command");
    assert_eq!(code(&app, "statistics", json!({ "offset_min": i32::MIN })).await, "bad-command");
    assert_eq!(code(&app, "ask_to_stand", json!({ "table": table, "seat": 1 })).await, "bad-command");
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn favourites_and_the_level_are_kept() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let mut request = two();
    request["settings"] =
        json!({ "grace_s": 10, "level": 5, "ranked": false, "hidden": true, "pin": "1234", "locked": false });
    call(&app, "save_favourite", json!({ "name": "Sunday", "request": request })).await;
    let bad = |name: &str, request: Value| json!({ "name": name, "request": request });
    assert_eq!(code(&app, "save_favourite", bad("", two())).await, "bad-command");
    assert_eq!(code(&app, "save_favourite", bad("A", json!({ "preset": "gomoku" }))).await, "bad-command");
    assert_eq!(code(&app, "delete_favourite", json!({ "name": "Monday" })).await, "not-found");
    let home = call(&app, "home", Value::Null).await;
    let mut settings = home["settings"].clone();
    settings["cpu_level"] = json!(6);
    call(&app, "set_settings", json!({ "settings": settings })).await;
    settings["cpu_level"] = json!(9);
    assert_eq!(code(&app, "set_settings", json!({ "settings": settings })).await, "bad-command");
    app.shutdown().await;
    drop(app);

    let app = start(folder.path()).await;
    let home = call(&app, "home", Value::Null).await;
    let kept = &home["favourites"][0];
    assert_eq!((&kept["name"], &kept["request"]["seats"][1]["name"]), (&json!("Sunday"), &json!("Mei")));
    assert_eq!(kept["request"]["settings"]["pin"], Value::Null);
    assert_eq!(home["settings"]["cpu_level"], 6);
    call(&app, "delete_favourite", json!({ "name": "Sunday" })).await;
    assert_eq!(call(&app, "home", Value::Null).await["favourites"], json!([]));
    app.shutdown().await;
}
