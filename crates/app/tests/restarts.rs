//! One folder, and one app after the other: the end of each is the whole end.

mod support;

use serde_json::{Value, json};
use support::{call, id, start, until};

const TIMES: u16 = 30;

/// Whatever goes on beside the game when it is left, when it ends, when a device is named: nothing of it holds the
/// folder once the app is over.
#[tokio::test(flavor = "multi_thread")]
async fn the_folder_is_free_as_soon_as_an_app_has_ended() {
    let folder = tempfile::tempdir().expect("folder");
    let seats = json!([{ "kind": "me" }, { "kind": "cpu", "level": 1 }]);
    for time in 0..TIMES {
        let app = start(folder.path()).await;
        let request = json!({ "preset": "gomoku", "seats": seats, "options": {} });
        let table = call(&app, "open_table", json!({ "request": request })).await;
        let table = id(&table);
        until(&app, table, "the turn", |view| view.turn.as_ref().is_some_and(|turn| turn.mine)).await;
        match time % 3 {
            0 => drop(call(&app, "place", json!({ "table": table, "at": "H8" })).await),
            1 => drop(call(&app, "resign", json!({ "table": table })).await),
            _ => drop(call(&app, "leave_table", json!({ "table": table })).await),
        }
        app.shutdown().await;
        drop(app);
        history::History::open(folder.path()).expect("nobody holds the folder");
    }
    let app = start(folder.path()).await;
    let shown = call(&app, "home", Value::Null).await;
    assert_eq!(shown["interrupted"].as_array().map(Vec::len), Some(usize::from(TIMES - TIMES.div_ceil(3))));
    app.shutdown().await;
}
