//! What the tests of whole apps share: starting one, calling it, waiting for a view.

#![allow(dead_code)] // Each test file uses its own part of this.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use app::api::AppEvent;
use app::api::table::TableView;
use app::{App, Config};
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

/// Nothing here takes this long unless it never comes.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub async fn start(folder: &Path) -> App {
    App::start(Config { port: Some(0), ..Config::new(folder.to_owned()) }).await.expect("the app starts")
}

pub async fn call(app: &App, name: &str, args: Value) -> Value {
    app.call(name, args).await.unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub async fn code(app: &App, name: &str, args: Value) -> &'static str {
    app.call(name, args).await.expect_err("it is refused").code.name()
}

pub fn id(table: &Value) -> &str {
    table.as_str().expect("an id")
}

/// The next view of the table that is as wanted; the present one counts.
pub async fn until(app: &App, table: &str, what: &str, wanted: impl Fn(&TableView) -> bool) -> TableView {
    let mut events = app.events();
    let seen = app.look(table.parse().expect("an id")).await.expect("the table is open");
    let mut view = app::table_view(&seen);
    let waiting = async {
        while !wanted(&view) {
            view = next_view(&mut events, table).await;
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(in_time.is_ok(), "never: {what}; the last view: {view:?}");
    view
}

pub async fn next_view(events: &mut Receiver<AppEvent>, table: &str) -> TableView {
    loop {
        match events.recv().await {
            Ok(AppEvent::Table { view }) if view.table == table => return *view,
            Ok(AppEvent::Closed { error: Some(error), .. }) => panic!("closed: {error}"),
            Ok(
                AppEvent::Table { .. }
                | AppEvent::Home { .. }
                | AppEvent::Closed { .. }
                | AppEvent::Refused { .. }
                | AppEvent::Study { .. },
            ) => {}
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => panic!("no more events"),
        }
    }
}

pub fn address_of(app: &App) -> Vec<SocketAddr> {
    vec![SocketAddr::from(([127, 0, 0, 1], app.port_number()))]
}

pub async fn join(app: &App, table: &str, host: &App) {
    call(app, "join_table", json!({ "table": table })).await;
    app.dial(table.parse().expect("an id"), address_of(host));
}
