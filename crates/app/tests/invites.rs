//! Coming to a table of another app by invite, and with a PIN.

mod support;

use app::api::table::{Phase, TableView};
use serde_json::{Value, json};
use support::{call, code, id, start, until};

fn request(pin: Option<&str>) -> Value {
    json!({
        "preset": "gomoku",
        "seats": [{ "kind": "me" }, { "kind": "open" }],
        "options": {},
        "settings": { "grace_s": 60, "level": 5, "ranked": false, "hidden": true, "pin": pin, "locked": false },
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_and_locked_table_is_entered_by_invite_and_pin() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("folder"));
    let [anna, ben] = [start(folders[0].path()).await, start(folders[1].path()).await];
    let table = call(&anna, "open_table", json!({ "request": request(Some("2580")) })).await;
    let table = id(&table).to_owned();
    let view = until(&anna, &table, "an invite", |view| view.invite.is_some()).await;
    assert!(view.settings.locked && view.settings.pin.is_none());
    let invite = view.invite.expect("it was waited for");

    assert_eq!(code(&ben, "join_invite", json!({ "text": "no invite at all" })).await, "bad-invite");
    assert_eq!(code(&anna, "join_invite", json!({ "text": invite.link })).await, "not-found");
    // The code is for the device, and finds the same table as the link.
    let joined = call(&ben, "join_invite", json!({ "text": format!(" {} ", invite.code.to_lowercase()) })).await;
    assert_eq!(id(&joined), table);
    let asked = until(&ben, &table, "the question for the PIN", |view| view.pin.is_some()).await;
    assert_eq!((asked.phase, asked.pin.map(|pin| pin.wrong)), (Phase::Joining, Some(false)));
    let pin = |pin: &str| json!({ "table": table, "pin": pin });
    call(&ben, "enter_pin", pin("1111")).await;
    let wrong = |view: &TableView| view.pin.is_some_and(|pin| pin.wrong);
    until(&ben, &table, "that it is wrong", wrong).await;
    call(&ben, "enter_pin", pin("2580")).await;
    let view = until(&ben, &table, "Ben's seat", |view| view.my_seat == Some(1)).await;
    assert_eq!(view.pin, None);
    // Whoever sits there invites, too.
    let ben_s = view.invite.expect("his own");
    assert_ne!((&ben_s.link, &ben_s.code), (&invite.link, &invite.code));
    anna.shutdown().await;
    ben.shutdown().await;
}
