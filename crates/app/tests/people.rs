//! Two apps over loopback links: what people ask of each other, and who plays where somebody is gone.

mod support;

use std::path::Path;

use app::App;
use app::api::table::{By, MayView, NoticeKind, OfferKind, Phase, SeatState, TableView};
use serde_json::{Value, json};
use support::{address_of, call, code, id, join, start, until};
use tempfile::TempDir;

/// Anna, in seat 0, and Ben, in seat 1, with the first game running.
struct Two {
    anna: App,
    ben: App,
    table: String,
    folders: [TempDir; 2],
}

impl Two {
    async fn start(request: Value) -> Two {
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("folder"));
        let [anna, ben] = [start(folders[0].path()).await, start(folders[1].path()).await];
        let table = call(&anna, "open_table", json!({ "request": request })).await;
        let table = id(&table).to_owned();
        join(&ben, &table, &anna).await;
        until(&ben, &table, "Ben's own seat", |view| view.my_seat == Some(1)).await;
        let two = Two { anna, ben, table, folders };
        two.both("start", json!({})).await;
        for app in [&two.anna, &two.ben] {
            until(app, &two.table, "the start", |view| view.phase == Phase::Playing).await;
        }
        two
    }

    fn args(&self, more: Value) -> Value {
        let mut args = more;
        args["table"] = json!(self.table);
        args
    }

    async fn both(&self, name: &str, args: Value) {
        for app in [&self.anna, &self.ben] {
            call(app, name, self.args(args.clone())).await;
        }
    }

    async fn place(&self, app: &App, at: &str) {
        until(app, &self.table, "the own turn", |view| view.turn.as_ref().is_some_and(|turn| turn.mine)).await;
        call(app, "place", self.args(json!({ "at": at }))).await;
        for app in [&self.anna, &self.ben] {
            let lies = |view: &TableView| view.board.stones.iter().any(|stone| stone.at == at);
            until(app, &self.table, "the stone", lies).await;
        }
    }

    /// The other's question, once it is here.
    async fn asked(&self, app: &App) -> app::api::table::OfferView {
        let asked = |view: &TableView| view.offers.iter().any(|offer| offer.to_answer);
        until(app, &self.table, "a question", asked).await.offers.remove(0)
    }

    async fn answer(&self, app: &App, id: &str, yes: bool) {
        call(app, "answer", self.args(json!({ "id": id, "yes": yes }))).await;
    }

    async fn shutdown(self) {
        self.anna.shutdown().await;
        self.ben.shutdown().await;
    }
}

fn gomoku() -> Value {
    json!({ "preset": "gomoku", "seats": [{ "kind": "me" }, { "kind": "open" }], "options": {} })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stone_is_taken_back_if_the_other_agrees() {
    let two = Two::start(gomoku()).await;
    two.place(&two.anna, "H8").await;
    assert_eq!(code(&two.ben, "offer", two.args(json!({ "what": "undo" }))).await, "bad-command");
    for yes in [false, true] {
        call(&two.anna, "offer", two.args(json!({ "what": "undo" }))).await;
        let offer = two.asked(&two.ben).await;
        assert_eq!((offer.what, offer.seat, offer.at.as_deref()), (OfferKind::Undo, 0, Some("H8")));
        two.answer(&two.ben, &offer.id, yes).await;
        for app in [&two.anna, &two.ben] {
            until(app, &two.table, "no question", |view| view.offers.is_empty()).await;
        }
        assert_eq!(code(&two.ben, "answer", two.args(json!({ "id": offer.id, "yes": true }))).await, "no-such-offer");
    }
    let view = until(&two.anna, &two.table, "her turn again", |view| view.board.stones.is_empty()).await;
    assert!(view.turn.expect("a turn").mine);
    let told: Vec<_> = view.notices.iter().map(|notice| (notice.what, notice.seat)).collect();
    assert_eq!(told, [(NoticeKind::Undone, None)], "the no before it is over");
    two.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_is_agreed_and_the_next_game_has_other_rules_and_the_other_starter() {
    let two = Two::start(gomoku()).await;
    two.place(&two.anna, "H8").await;
    call(&two.ben, "offer", two.args(json!({ "what": "draw" }))).await;
    let offer = two.asked(&two.anna).await;
    assert_eq!((offer.what, offer.waits_for.as_slice()), (OfferKind::Draw, &[0][..]));
    two.answer(&two.anna, &offer.id, true).await;
    let view = until(&two.ben, &two.table, "the end", |view| view.phase == Phase::Over).await;
    assert_eq!(view.result.expect("a result").by, ["agreement"]);
    assert_eq!((view.next_starter, view.may.options), (Some(1), true));

    let mut request = call(&two.ben, "present_options", two.args(json!({}))).await;
    assert_eq!((&request["preset"], &request["seats"][1]["kind"]), (&json!("gomoku"), &json!("me")));
    request["preset"] = json!("capture-five");
    request["options"] = json!({ "board": "9" });
    request["settings"]["grace_s"] = json!(10);
    call(&two.ben, "offer_options", two.args(json!({ "request": request }))).await;
    let offer = two.asked(&two.anna).await;
    let terms = offer.terms.expect("terms");
    assert_eq!((terms.rules.preset.as_str(), terms.rules.board), ("capture-five", 9));
    two.answer(&two.anna, &offer.id, true).await;
    let agreed = |view: &TableView| view.next_differs && view.settings.grace_s == Some(10);
    let view = until(&two.ben, &two.table, "other rules", agreed).await;
    assert_eq!(view.rules.preset, "gomoku", "the result stands by its own rules");
    two.both("start", json!({})).await;
    let view = until(&two.ben, &two.table, "the second game", |view| view.game == 2).await;
    assert_eq!((view.board.size, view.seats[1].order), (9, Some(0)));
    two.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cpu_plays_for_somebody_who_is_gone_until_they_are_back() {
    let two = Two::start(gomoku()).await;
    two.place(&two.anna, "H8").await;
    call(&two.ben, "leave_table", two.args(json!({}))).await;
    let away = |view: &TableView| view.seats[1].state == SeatState::Away && view.seats[1].can_hold;
    let view = until(&two.anna, &two.table, "Ben is away", away).await;
    assert!(view.seats[1].grace_left_ms.is_some_and(|left| left <= 60_000) && view.seats[1].can_cpu_now);
    call(&two.anna, "hold", two.args(json!({ "seat": 1 }))).await;
    let held = |view: &TableView| view.seats[1].grace_left_ms.is_none() && !view.seats[1].can_hold;
    until(&two.anna, &two.table, "no countdown", held).await;
    call(&two.anna, "cpu_now", two.args(json!({ "seat": 1 }))).await;
    let view = until(&two.anna, &two.table, "the CPU's move", |view| view.moves.len() == 2).await;
    assert_eq!((view.seats[1].state, view.moves[1].by), (SeatState::Taken, By::Cpu));

    two.ben.dial(two.table.parse().expect("an id"), address_of(&two.anna));
    call(&two.ben, "resume_table", two.args(json!({}))).await;
    let back = |view: &TableView| view.seats[1].state == SeatState::Human;
    let view = until(&two.anna, &two.table, "Ben is back", back).await;
    let told: Vec<_> = view.notices.iter().map(|notice| (notice.what, notice.seat)).collect();
    assert!(told.contains(&(NoticeKind::Back, Some(1))), "{told:?}");
    two.place(&two.anna, "O15").await;
    two.place(&two.ben, "A15").await;
    two.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_gives_a_seat_up_in_a_ranked_game_keeps_it_as_that() {
    let ranked = json!({ "grace_s": 60, "level": 1, "ranked": true, "hidden": false, "pin": null, "locked": false });
    let mut request = gomoku();
    request["settings"] = ranked;
    let two = Two::start(request).await;
    two.place(&two.anna, "H8").await;
    call(&two.ben, "stand", two.args(json!({}))).await;
    until(&two.anna, &two.table, "the end", |view| view.phase == Phase::Over).await;
    for (app, won, gave_up) in [(&two.anna, true, false), (&two.ben, false, true)] {
        let kept = kept_game(app).await;
        assert_eq!((&kept["won"], &kept["gave_up"]), (&json!(won), &json!(gave_up)));
        assert_eq!((&kept["result"]["winners"], &kept["result"]["by"]), (&json!([0]), &json!(["resignation"])));
    }
    two.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_looks_on_at_a_full_table_sees_the_game_and_is_asked_nothing() {
    let two = Two::start(gomoku()).await;
    two.place(&two.anna, "H8").await;
    let folder = tempfile::tempdir().expect("folder");
    let cleo = start(folder.path()).await;
    call(&cleo, "watch_table", two.args(json!({}))).await;
    cleo.dial(two.table.parse().expect("an id"), address_of(&two.anna));
    let playing = |view: &TableView| view.phase == Phase::Playing && view.board.stones.len() == 1;
    let view = until(&cleo, &two.table, "the game", playing).await;
    assert_eq!((view.my_seat, view.may, view.invite), (None, MayView::default(), None));
    assert!(view.turn.is_some_and(|turn| !turn.mine));

    call(&two.anna, "offer", two.args(json!({ "what": "draw" }))).await;
    let offer = two.asked(&two.ben).await;
    let view = until(&cleo, &two.table, "the offer", |view| !view.offers.is_empty()).await;
    assert!(!view.offers[0].to_answer);
    for (name, args) in [
        ("place", json!({ "at": "A1" })),
        ("answer", json!({ "id": offer.id, "yes": true })),
        ("offer", json!({ "what": "undo" })),
        ("start", json!({})),
    ] {
        assert!(cleo.call(name, two.args(args)).await.is_err(), "{name} is for those who play");
    }
    two.place(&two.ben, "I8").await;
    until(&cleo, &two.table, "the next stone", |view| view.board.stones.len() == 2).await;

    // Nothing is left of it.
    call(&cleo, "leave_table", two.args(json!({}))).await;
    assert_eq!(call(&cleo, "home", Value::Null).await["interrupted"], json!([]));
    assert_eq!(code(&cleo, "resume_table", two.args(json!({}))).await, "no-such-table");
    cleo.shutdown().await;
    two.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ranked_game_counts_until_the_cpu_plays_in_it() {
    let mut request = gomoku();
    request["settings"] = json!({
        "grace_s": 10, "level": 5, "ranked": true, "hidden": false, "pin": null, "locked": false
    });
    let two = Two::start(request).await;
    two.place(&two.anna, "H8").await;
    let view = until(&two.ben, &two.table, "the stone", |view| view.moves.len() == 1).await;
    assert_eq!((view.counts, view.may.undo), (Some(true), false));
    call(&two.ben, "leave_table", two.args(json!({}))).await;
    let away = |view: &TableView| view.seats[1].can_cpu_now;
    let view = until(&two.anna, &two.table, "Ben is away", away).await;
    assert_eq!(view.seats[1].grace_left_ms, None, "a ranked game waits");
    call(&two.anna, "cpu_now", two.args(json!({ "seat": 1 }))).await;
    let view = until(&two.anna, &two.table, "the CPU's move", |view| view.moves.len() == 2).await;
    assert_eq!(view.counts, Some(false));
    call(&two.anna, "resign", two.args(json!({}))).await;
    until(&two.anna, &two.table, "the end", |view| view.phase == Phase::Over).await;
    let kept = kept_game(&two.anna).await;
    assert_eq!(kept["counts"], json!(false));
    two.shutdown().await;
}

/// The newest game of the history, once it is kept.
async fn kept_game(app: &App) -> Value {
    loop {
        let games = call(app, "history", Value::Null).await;
        if let Some(game) = games.get(0) {
            return game.clone();
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_two_play_apart_is_kept_as_a_branch_to_look_at() {
    let two = Two::start(gomoku()).await;
    two.place(&two.anna, "H8").await;
    // Both processes end; each then goes on alone, the CPU in the other's seat.
    let Two { anna, ben, table, folders } = two;
    anna.shutdown().await;
    ben.shutdown().await;
    drop((anna, ben));
    for (folder, seat, at) in [(folders[0].path(), 1, "A1"), (folders[1].path(), 0, "O1")] {
        go_on_alone(folder, &table, seat, at).await;
    }
    let [anna, ben] = [start(folders[0].path()).await, start(folders[1].path()).await];
    for app in [&anna, &ben] {
        call(app, "resume_table", json!({ "table": table })).await;
    }
    anna.dial(table.parse().expect("an id"), address_of(&ben));
    let together = |view: &TableView| view.branches > 0 && view.seats.iter().all(|seat| seat.state == SeatState::Human);
    until(&anna, &table, "together again", together).await;
    let branches = call(&anna, "branches", json!({ "table": table })).await;
    let branch = branches.get(0).expect("a branch").clone();
    assert!(branch["game"] == json!(1) && branch["moves"].as_u64().is_some_and(|moves| moves > 0), "{branch}");
    let replay = call(&anna, "branch", json!({ "table": table, "head": branch["head"] })).await;
    let (moves, boards) = (replay["moves"].as_array().expect("moves"), replay["boards"].as_array().expect("boards"));
    assert_eq!(moves.len() + 1, boards.len());
    assert!(replay["common"].as_u64().is_some_and(|common| (common as usize) < moves.len()), "{replay}");
    let apart = moves.len() as u64 - replay["common"].as_u64().expect("a number");
    assert_eq!(branch["moves"].as_u64(), Some(apart), "the list counts what the page shows");
    assert_eq!(code(&anna, "branch", json!({ "table": table, "head": "00".repeat(32) })).await, "not-found");
    // Also when the table is not open.
    anna.shutdown().await;
    drop(anna);
    let anna = start(folders[0].path()).await;
    assert_eq!(call(&anna, "branches", json!({ "table": table })).await, branches);
    anna.shutdown().await;
    ben.shutdown().await;
}

/// Resumes alone, lets the CPU play for the other, makes a move and ends.
async fn go_on_alone(folder: &Path, table: &str, other: u8, at: &str) {
    let app = start(folder).await;
    call(&app, "resume_table", json!({ "table": table })).await;
    let away = |view: &TableView| view.seats[usize::from(other)].can_cpu_now;
    until(&app, table, "alone", away).await;
    call(&app, "cpu_now", json!({ "table": table, "seat": other })).await;
    until(&app, table, "the own turn", |view| view.turn.as_ref().is_some_and(|turn| turn.mine)).await;
    call(&app, "place", json!({ "table": table, "at": at })).await;
    let made = |view: &TableView| view.moves.iter().any(|made| made.at.as_deref() == Some(at) && made.is_final);
    until(&app, table, "the own move", made).await;
    app.shutdown().await;
}
