//! `c5 resume`: this device's interrupted games, listed or gone on with.

use app::App;
use serde_json::json;
use table::TableId;

use crate::args::{Common, Resume};
use crate::referee::rules_to_json;
use crate::session::{self, Entry};
use crate::stdin::read_lines;
use crate::{Failure, Output, events, find, start};

pub(crate) async fn run(common: &Common, resume: Resume, output: &mut Output) -> Result<(), Failure> {
    if resume.table.is_none() && resume.play.auto.is_some() {
        return Err(Failure::usage("bad-command", "--auto needs a TABLE to go on with: `c5 resume` lists them"));
    }
    let app = start(common).await?;
    let done = match &resume.table {
        None => list(&app, output).await,
        Some(text) => go_on(&app, text, &resume, output).await,
    };
    app.shutdown().await;
    done
}

async fn go_on(app: &App, text: &str, resume: &Resume, output: &mut Output) -> Result<(), Failure> {
    let table = find::among_own(app, text)?;
    session::run(app, Entry::Resume(table), &resume.play, read_lines()?, output).await
}

async fn list(app: &App, output: &mut Output) -> Result<(), Failure> {
    let games = app.interrupted();
    if games.is_empty() && !output.is_json() {
        output.event(&events::new("none"), Some("No game is interrupted on this device."));
    }
    for game in games {
        let table: TableId =
            game.table.parse().map_err(|_| Failure::new("internal", "a table has no id: report this"))?;
        let seen = app.look_at_rest(table).await?;
        let mut event = events::new("interrupted");
        event.insert("table".to_owned(), json!(game.table));
        event.insert("rules".to_owned(), json!(seen.state.as_ref().map(|state| rules_to_json(&state.rules))));
        event.insert("ply".to_owned(), json!(game.ply));
        event.insert("names".to_owned(), json!(game.names));
        let names: Vec<&str> = game.names.iter().map(|name| if name.is_empty() { "CPU" } else { name }).collect();
        let line = format!("{}  {}  {} stones  {}", game.table, game.preset, game.ply, names.join(", "));
        output.event(&event, Some(&line));
    }
    Ok(())
}
