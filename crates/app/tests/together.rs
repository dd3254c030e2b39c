//! Whole apps in one process: alone against the CPU, and two over loopback links.

mod support;

use std::path::Path;

use app::api::home::Warning;
use app::api::table::{Phase, SeatState, TableView};
use app::api::{ApiError, AppEvent};
use app::{App, Config};
use serde_json::{Value, json};
use support::{PATIENCE, address_of, call, code, id, join, start, until};
use tokio::sync::broadcast::Receiver;

fn against_cpu(preset: &str) -> Value {
    json!({ "request": { "preset": preset, "seats": [{ "kind": "me" }, { "kind": "cpu", "level": 6 }], "options": {} } })
}

/// Plays the first points that may be played until the game is over.
async fn play_to_the_end(app: &App, table: &str) -> TableView {
    loop {
        let mine = |view: &TableView| view.phase == Phase::Over || view.turn.as_ref().is_some_and(|turn| turn.mine);
        let view = until(app, table, "a turn or the end", mine).await;
        if view.phase == Phase::Over {
            return view;
        }
        let at = free_point(&view);
        call(app, "place", json!({ "table": table, "at": at })).await;
    }
}

fn free_point(view: &TableView) -> String {
    let points = (1..=view.board.size).flat_map(|row| (b'A'..b'A' + view.board.size).map(move |column| (column, row)));
    let mut names = points.map(|(column, row)| format!("{}{row}", char::from(column)));
    let free = |name: &String| {
        !view.board.stones.iter().any(|stone| stone.at == *name)
            && !view.board.forbidden.iter().any(|point| point.at == *name)
    };
    names.find(free).expect("a free point")
}

#[tokio::test(flavor = "multi_thread")]
async fn alone_against_the_cpu_to_the_end_and_again() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let settings = call(&app, "home", Value::Null).await["settings"].clone();
    let mut named = settings.clone();
    named["name"] = json!("Anna");
    call(&app, "set_settings", json!({ "settings": named })).await;

    let table = call(&app, "open_table", against_cpu("gomoku")).await;
    let table = id(&table);
    let view = until(&app, table, "the start", |view| view.phase == Phase::Playing).await;
    assert_eq!(view.my_seat, Some(0));
    assert_eq!(view.seats[0].name, "Anna");
    assert_eq!(view.seats[1].state, SeatState::Cpu);

    let over = play_to_the_end(&app, table).await;
    let result = over.result.expect("a result");
    assert_eq!(result.winners, [1], "the CPU beats whoever fills row by row");
    assert_eq!(result.line.len().max(5), result.line.len());
    assert_eq!(over.seats[1].wins, 1);

    call(&app, "start", json!({ "table": table })).await;
    let again = until(&app, table, "the rematch", |view| view.game == 2).await;
    assert_eq!(again.seats[1].order, Some(0), "the start is passed on");
    let history = call(&app, "history", Value::Null).await;
    assert_eq!(history[0]["game"], json!(format!("{table}/1")));
    assert_eq!(history[0]["won"], json!(false));
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_game_is_on_the_home_screen_and_goes_on() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let table = call(&app, "open_table", against_cpu("capture-five")).await;
    let table = id(&table);
    until(&app, table, "the turn", |view| view.turn.as_ref().is_some_and(|turn| turn.mine)).await;
    call(&app, "place", json!({ "table": table, "at": "H8" })).await;
    let before = until(&app, table, "the answer", |view| view.moves.len() == 2 && view.moves[1].is_final).await;
    app.shutdown().await;
    drop(app);

    let app = start(folder.path()).await;
    let home = call(&app, "home", Value::Null).await;
    let game = &home["interrupted"][0];
    assert_eq!(game["table"], json!(table));
    assert_eq!(game["ply"], json!(2));
    assert_eq!(game["alone"], json!(true));
    assert_eq!(game["my_turn"], json!(true));
    assert_eq!(game["board"]["stones"].as_array().map(Vec::len), Some(2));
    assert_eq!(code(&app, "table", json!({ "table": table })).await, "no-such-table");
    call(&app, "resume_table", json!({ "table": table })).await;
    let after = until(&app, table, "the turn", |view| view.turn.as_ref().is_some_and(|turn| turn.mine)).await;
    assert_eq!(after.board.stones, before.board.stones);
    let at = free_point(&after);
    call(&app, "place", json!({ "table": table, "at": at })).await;
    until(&app, table, "the game goes on", |view| view.moves.len() == 4).await;

    call(&app, "forget_table", json!({ "table": table })).await;
    let home = call(&app, "home", Value::Null).await;
    assert_eq!(home["interrupted"], json!([]));
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_find_their_seats_play_and_come_back() {
    let (one, two) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    let anna = start(one.path()).await;
    let ben = start(two.path()).await;
    let table = call(&anna, "open_table", against_nobody()).await;
    let table = id(&table);
    join(&ben, table, &anna).await;
    let seated = |view: &TableView| view.seats.iter().all(|seat| seat.state == SeatState::Human);
    until(&anna, table, "Ben's seat", seated).await;
    let view = until(&ben, table, "Ben's own seat", |view| view.my_seat == Some(1)).await;
    assert!(view.can_start);
    call(&anna, "start", json!({ "table": table })).await;
    call(&ben, "start", json!({ "table": table })).await;
    for app in [&anna, &ben] {
        until(app, table, "the start", |view| view.phase == Phase::Playing).await;
    }

    assert_eq!(code(&ben, "place", json!({ "table": table, "at": "A1" })).await, "not-your-turn");
    call(&anna, "place", json!({ "table": table, "at": "H8" })).await;
    until(&ben, table, "Anna's stone", |view| {
        view.board.stones.len() == 1 && view.turn.as_ref().is_some_and(|turn| turn.mine)
    })
    .await;
    assert_eq!(code(&ben, "place", json!({ "table": table, "at": "H8" })).await, "occupied");
    call(&ben, "place", json!({ "table": table, "at": "J9" })).await;
    until(&anna, table, "a final answer", |view| view.moves.len() == 2 && view.moves[1].is_final).await;

    // Ben goes away, keeping the seat, and comes back.
    call(&ben, "leave_table", json!({ "table": table })).await;
    until(&anna, table, "Ben is away", |view| view.seats[1].state == SeatState::Away).await;
    call(&ben, "resume_table", json!({ "table": table })).await;
    until(&anna, table, "Ben is back", seated).await;
    until(&ben, table, "Ben sees it", |view| seated(view) && view.moves.len() == 2).await;

    // The opener's process ends and starts again.
    anna.shutdown().await;
    drop(anna);
    until(&ben, table, "the keeper is away", |view| view.waiting.is_some()).await;
    let anna = start(one.path()).await;
    ben.dial(table.parse().expect("an id"), address_of(&anna));
    call(&anna, "resume_table", json!({ "table": table })).await;
    until(&ben, table, "Anna is back", |view| view.waiting.is_none() && seated(view)).await;
    until(&anna, table, "her turn", |view| view.turn.as_ref().is_some_and(|turn| turn.mine)).await;
    for (row, last) in [(1, false), (2, false), (3, false), (4, true)] {
        call(&anna, "place", json!({ "table": table, "at": format!("H{}", 8 + row) })).await;
        if !last {
            until(&ben, table, "his turn", |view| view.turn.as_ref().is_some_and(|turn| turn.mine)).await;
            call(&ben, "place", json!({ "table": table, "at": format!("A{row}") })).await;
            until(&anna, table, "her turn", |view| view.turn.as_ref().is_some_and(|turn| turn.mine)).await;
        }
    }
    for app in [&anna, &ben] {
        let view =
            until(app, table, "the end", |view| view.phase == Phase::Over && view.moves.iter().all(|m| m.is_final))
                .await;
        let result = view.result.expect("a result");
        assert_eq!((result.winners, result.by), (vec![0], vec!["line".to_owned()]));
    }
    anna.shutdown().await;
    ben.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_table_and_a_table_that_is_not_there_say_so() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("folder"));
    let anna = start(folders[0].path()).await;
    let ben = start(folders[1].path()).await;
    let carl = start(folders[2].path()).await;
    let table = call(&anna, "open_table", against_nobody()).await;
    let table = id(&table);
    join(&ben, table, &anna).await;
    until(&ben, table, "Ben's own seat", |view| view.my_seat == Some(1)).await;
    let mut events = carl.events();
    join(&carl, table, &anna).await;
    assert_eq!(closing_code(&mut events).await, Some("full"));
    call(&carl, "join_table", json!({ "table": "00112233445566778899aabbccddeeff" })).await;
    assert_eq!(closing_code(&mut events).await, Some("not-found"));
    let home = call(&carl, "home", Value::Null).await;
    assert_eq!(home["interrupted"], json!([]));
    for app in [anna, ben, carl] {
        app.shutdown().await;
    }
}

/// Nobody finds a hidden table twice: what closes it says which one it was, and a look there asks for nothing again.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_finds_a_hidden_table_full_can_look_on() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("folder"));
    let anna = start(folders[0].path()).await;
    let ben = start(folders[1].path()).await;
    let carl = start(folders[2].path()).await;
    let mut opens = against_nobody();
    opens["request"]["settings"] =
        json!({ "grace_s": 60, "level": 5, "ranked": false, "hidden": true, "pin": "2468", "locked": true });
    let table = call(&anna, "open_table", opens).await;
    let table = id(&table);
    let pin = json!({ "table": table, "pin": "2468" });
    join(&ben, table, &anna).await;
    until(&ben, table, "the PIN is asked for", |view| view.pin.is_some()).await;
    call(&ben, "enter_pin", pin.clone()).await;
    until(&ben, table, "Ben's own seat", |view| view.my_seat == Some(1)).await;

    let mut events = carl.events();
    join(&carl, table, &anna).await;
    until(&carl, table, "the PIN is asked for", |view| view.pin.is_some()).await;
    call(&carl, "enter_pin", pin).await;
    let full = closing(&mut events).await.expect("an error");
    assert_eq!((full.code.name(), full.args.get("table").map(String::as_str)), ("full", Some(table)));
    call(&carl, "watch_table", json!({ "table": full.args["table"] })).await;
    let view = until(&carl, table, "the table", |view| view.phase == Phase::Lobby).await;
    assert_eq!((view.my_seat, view.pin, view.seats.len()), (None, None, 2));
    for app in [anna, ben, carl] {
        app.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_invite_says_what_to_look_at() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let why = async |text: &str| {
        let error = app.call("join_invite", json!({ "text": text })).await.expect_err("no invite");
        (error.code.name(), error.args.get("why").cloned().unwrap_or_default())
    };
    let bad = |why: &str| ("bad-invite", why.to_owned());
    assert_eq!(why("").await, bad("no-invite"));
    assert_eq!(why("7K4M-2Q9T-XH3").await, bad("no-invite"));
    assert_eq!(why("Anna's table").await, bad("no-invite"));
    assert_eq!(why("capturefive:7K4M2Q9TXH3P7K4M2Q9TXH3P").await, bad("mistyped"));
    // One letter of a code holds its check: of the sixteen that might stand in its place, one fits.
    let last = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let mut mistyped = 0;
    for letter in last.chars() {
        let text = format!("0001-0000-000{letter}");
        if net::invite::Invite::read(&text).is_err() {
            assert_eq!(why(&text).await, bad("mistyped"));
            mistyped += 1;
        }
    }
    assert!(mistyped >= 16, "{mistyped}");
    app.shutdown().await;
}

async fn closing_code(events: &mut Receiver<AppEvent>) -> Option<&'static str> {
    closing(events).await.map(|error| error.code.name())
}

async fn closing(events: &mut Receiver<AppEvent>) -> Option<ApiError> {
    let closing = async {
        loop {
            if let AppEvent::Closed { error, .. } = events.recv().await.expect("an event") {
                return error;
            }
        }
    };
    tokio::time::timeout(PATIENCE, closing).await.expect("the table closes")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_of_another_version_is_told_so() {
    let (one, two) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    let anna = start(one.path()).await;
    let newer = Config { port: Some(0), protocol: app::PROTOCOL_VERSION + 1, ..Config::new(two.path().to_owned()) };
    let ben = App::start(newer).await.expect("the app starts");
    let table = call(&anna, "open_table", against_nobody()).await;
    let mut events = ben.events();
    join(&ben, id(&table), &anna).await;
    assert_eq!(closing_code(&mut events).await, Some("version"));
    let home = call(&ben, "home", Value::Null).await;
    assert_eq!(home["interrupted"], json!([]));
    anna.shutdown().await;
    ben.shutdown().await;
}

fn against_nobody() -> Value {
    json!({ "request": { "preset": "gomoku", "seats": [{ "kind": "me" }, { "kind": "open" }], "options": {} } })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_on_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let second = App::start(Config { port: Some(0), ..Config::new(folder.path().to_owned()) }).await;
    let error = second.expect_err("the folder is in use");
    assert_eq!(error.code(), "data-in-use");
    assert!(error.to_string().contains("close it"));
    app.shutdown().await;
    drop(app);
    start(folder.path()).await.shutdown().await;
}

/// A folder whose journals cannot be written: play goes on with a warning, and what was missed is written later.
#[tokio::test(flavor = "multi_thread")]
async fn play_goes_on_where_nothing_can_be_saved() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let (running, aside) = (folder.path().join("running"), folder.path().join("aside"));
    std::fs::rename(&running, &aside).expect("the journals' folder");
    std::fs::write(&running, "in the way").expect("a file");
    let table = call(&app, "open_table", against_cpu("gomoku")).await;
    let table = id(&table);
    let mine = |view: &TableView| view.turn.as_ref().is_some_and(|turn| turn.mine);
    let view = until(&app, table, "the turn", mine).await;
    assert_eq!(view.warnings, [Warning::NotSaved]);
    call(&app, "place", json!({ "table": table, "at": "H8" })).await;
    until(&app, table, "the answer", |view| view.moves.len() == 2).await;

    std::fs::remove_file(&running).expect("out of the way");
    std::fs::rename(&aside, &running).expect("the journals' folder");
    until(&app, table, "all is saved", |view| view.warnings.is_empty() && view.moves[1].is_final).await;
    app.shutdown().await;
    drop(app);
    let app = start(folder.path()).await;
    assert_eq!(call(&app, "home", Value::Null).await["interrupted"][0]["ply"], json!(2));
    app.shutdown().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_data_folder_that_is_deleted_is_told_as_a_full_disk_is() {
    let folder = tempfile::tempdir().expect("folder");
    let data = folder.path().join("data");
    let app = start(&data).await;
    let table = call(&app, "open_table", against_cpu("gomoku")).await;
    let table = id(&table);
    let view = until(&app, table, "the turn", |view| view.turn.as_ref().is_some_and(|turn| turn.mine)).await;
    assert_eq!(view.warnings, []);
    std::fs::remove_dir_all(&data).expect("the data folder");
    call(&app, "place", json!({ "table": table, "at": "H8" })).await;
    let told = |view: &TableView| view.moves.len() == 2 && view.warnings == [Warning::NotSaved];
    until(&app, table, "play goes on, unsaved", told).await;
    app.shutdown().await;
}

/// Settings that cannot be kept: the home screen says so as long as it is so.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_of_as_long_as_it_is_full() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let home = call(&app, "home", Value::Null).await;
    let named = |name: &str| {
        let mut settings = home["settings"].clone();
        settings["name"] = json!(name);
        json!({ "settings": settings })
    };
    call(&app, "set_settings", named("Anna")).await;
    let values = folder.path().join("values");
    std::fs::remove_file(&values).expect("the values' file");
    std::fs::create_dir(&values).expect("a folder in the way");
    call(&app, "set_settings", named("Ben")).await;
    assert_eq!(call(&app, "home", Value::Null).await["warnings"], json!(["not-saved"]));

    std::fs::remove_dir(&values).expect("out of the way");
    call(&app, "set_settings", named("Cleo")).await;
    assert_eq!(call(&app, "home", Value::Null).await["warnings"], json!([]));
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_in_a_newer_process_takes_the_seat() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("folder"));
    let anna = start(folders[0].path()).await;
    let ben = start(folders[1].path()).await;
    let table = call(&anna, "open_table", against_nobody()).await;
    let table = id(&table);
    join(&ben, table, &anna).await;
    until(&ben, table, "Ben's own seat", |view| view.my_seat == Some(1)).await;
    copy_folder(folders[1].path(), folders[2].path());
    let copy = start(folders[2].path()).await;
    let mut events = ben.events();
    call(&copy, "resume_table", json!({ "table": table })).await;
    copy.dial(table.parse().expect("an id"), address_of(&anna));
    assert_eq!(closing_code(&mut events).await, Some("elsewhere"));
    until(&copy, table, "the seat", |view| view.my_seat == Some(1) && !view.cut_off).await;
    for app in [anna, ben, copy] {
        app.shutdown().await;
    }
}

/// As somebody copies it by hand: without the lock, while it is in use.
fn copy_folder(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry")) {
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            std::fs::create_dir_all(&target).expect("a folder");
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}
