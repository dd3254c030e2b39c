//! `c5 resume`: this device's interrupted games, listed or gone on with.

use app::App;
use app::api::home::InterruptedView;
use serde_json::json;
use table::TableId;

use crate::args::{Common, Resume};
use crate::referee::rules_to_json;
use crate::sentences::stones;
use crate::session::{self, Entry};
use crate::stdin::read_lines;
use crate::stop::Stop;
use crate::{Failure, Output, events, find, start};

pub(crate) async fn run(common: &Common, resume: Resume, stop: Stop, output: &mut Output) -> Result<(), Failure> {
    if resume.table.is_none() && resume.play.auto.is_some() {
        return Err(Failure::usage("bad-command", "--auto needs a TABLE to go on with: `c5 resume` lists them"));
    }
    let app = start(common).await?;
    let done = match &resume.table {
        None => list(&app, output).await,
        Some(text) => go_on(&app, text, &resume, stop, output).await,
    };
    app.shutdown().await;
    done
}

async fn go_on(app: &App, text: &str, resume: &Resume, stop: Stop, output: &mut Output) -> Result<(), Failure> {
    let table = find::among_own(app, text)?;
    session::run(app, Entry::Resume(table), &resume.play, read_lines()?, stop, output).await
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
        output.event(&event, Some(&row(&game)));
    }
    Ok(())
}

/// What a person reads of a game.
fn row(game: &InterruptedView) -> String {
    let names: Vec<&str> = game.names.iter().map(|name| if name.is_empty() { "CPU" } else { name }).collect();
    format!("{}  {}  {}  {}", game.table, game.preset, stones(game.ply), names.join(", "))
}

#[cfg(test)]
mod tests {
    use app::api::table::BoardView;

    use super::*;

    #[test]
    fn a_row_counts_one_stone_and_several() {
        let game = |ply| InterruptedView {
            table: "3e8d".to_owned(),
            preset: "gomoku".to_owned(),
            ply,
            names: vec!["Anna".to_owned(), String::new()],
            alone: true,
            my_turn: true,
            over: false,
            board: BoardView::default(),
            here: Vec::new(),
        };
        assert_eq!(row(&game(1)), "3e8d  gomoku  1 stone  Anna, CPU");
        assert_eq!(row(&game(2)), "3e8d  gomoku  2 stones  Anna, CPU");
    }
}
