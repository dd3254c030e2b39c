//! What the UI's commands do (the list is in `api::commands`).

use std::str::FromStr;
use std::time::Duration;

use rules::{Action, Colour, Group, Point, Take};
use table::{Command, CommandError, Hash, Proposal, TableId};

use crate::App;
use crate::actor::Begins;
use crate::api::branch::{BranchView, ReplayView};
use crate::api::commands::{Choice, Wish};
use crate::api::home::{FinishedView, HomeView, Settings, StatisticsView, Warning};
use crate::api::learn::{LearnView, LessonView, PuzzleView, TodayView, TriedView};
use crate::api::setup::{FavouriteView, SeatPlan, SetupRequest, SetupView};
use crate::api::study::{GameRecord, PositionRequest, PositionView, SuggestionView};
use crate::api::table::TableView;
use crate::api::{ApiError, ErrorCode};
use crate::core::Core;
use crate::favourites::{FAVOURITES, with_favourite, without_favourite};
use crate::finished::{finished_view, played};
use crate::learn;
use crate::names::checked_name;
use crate::setup::{no_level, present_terms, setup_of, setup_view, terms_of};
use crate::statistics::statistics as statistics_of;
use crate::study::{analysis, game_of, record};
use crate::view::{position_view, table_view};

/// Finished games that the list shows.
const FINISHED_SHOWN_MAX: usize = 500;
/// Finished games that statistics are made of, the newest.
const STATISTICS_GAMES_MAX: usize = 1_000;
/// Minutes of a day: no place is further from UTC.
const DAY_MIN: u32 = 24 * 60;
/// The name under which settings are kept.
const SETTINGS: &str = "settings";

pub(crate) async fn home(app: &App) -> Result<HomeView, ApiError> {
    Ok(app.core.home.view(&app.core.net, app.core.clock.now()))
}

pub(crate) async fn set_settings(app: &App, settings: Settings) -> Result<(), ApiError> {
    let settings = Settings { name: checked_name(&settings.name)?, ..settings };
    if !(1..=cpu::LEVEL_MAX).contains(&settings.cpu_level) {
        return Err(no_level(settings.cpu_level));
    }
    let bytes = serde_json::to_vec(&settings).map_err(ApiError::internal)?;
    let kept = keep(app, SETTINGS, bytes).await;
    app.core.home.set_settings(settings);
    kept
}

/// Where the disk takes nothing there is a standing warning, and what was to be kept holds until the app ends.
async fn keep(app: &App, name: &'static str, bytes: Vec<u8>) -> Result<(), ApiError> {
    match app.core.blocking(move |core| core.history.set_value(name, &bytes)).await? {
        Ok(()) => app.core.home.kept(),
        Err(why) => {
            tracing::warn!(%why, name, "a value cannot be kept");
            app.core.home.warn(Warning::NotSaved);
        }
    }
    Ok(())
}

pub(crate) async fn save_favourite(app: &App, name: String, request: SetupRequest) -> Result<(), ApiError> {
    set_favourites(app, with_favourite(&app.core.home.favourites(), &name, request)?).await
}

pub(crate) async fn delete_favourite(app: &App, name: String) -> Result<(), ApiError> {
    set_favourites(app, without_favourite(&app.core.home.favourites(), &name)?).await
}

async fn set_favourites(app: &App, favourites: Vec<FavouriteView>) -> Result<(), ApiError> {
    let bytes = serde_json::to_vec(&favourites).map_err(ApiError::internal)?;
    let kept = keep(app, FAVOURITES, bytes).await;
    app.core.home.set_favourites(favourites);
    kept
}

pub(crate) async fn statistics(app: &App, offset_min: i32) -> Result<StatisticsView, ApiError> {
    if offset_min.unsigned_abs() > DAY_MIN {
        let about = format!("no place is {offset_min} minutes from UTC: give at most {DAY_MIN}");
        return Err(ApiError::new(ErrorCode::BadCommand, about));
    }
    let now_s = crate::clock::wall_clock_s();
    let of = move |core: &Core| {
        let games = core.history.finished(0, STATISTICS_GAMES_MAX);
        statistics_of(&games.iter().filter_map(played).collect::<Vec<_>>(), now_s, offset_min)
    };
    app.core.blocking(move |core| of(core)).await
}

pub(crate) async fn setup(_app: &App, request: SetupRequest) -> Result<SetupView, ApiError> {
    setup_view(&request)
}

pub(crate) async fn open_table(app: &App, request: SetupRequest) -> Result<String, ApiError> {
    let (setup, here) = setup_of(&request, &app.core.home.settings().name)?;
    let ready = request.seats.iter().all(|plan| match plan {
        SeatPlan::Me | SeatPlan::Here { .. } | SeatPlan::Cpu { .. } => true,
        SeatPlan::Open => false,
    });
    Ok(app.open_and(setup, None, Begins { here, ready }).await?.to_string())
}

/// A person waits no longer than this for what they chose from a list, or typed.
const JOIN_WAIT: Duration = Duration::from_millis(crate::JOIN_WAIT_MS);

pub(crate) async fn join_table(app: &App, table: String) -> Result<String, ApiError> {
    let name = app.core.home.settings().name;
    app.join(table_id(&table)?, name, None, None, JOIN_WAIT, None).await?;
    Ok(table)
}

pub(crate) async fn watch_table(app: &App, table: String) -> Result<String, ApiError> {
    app.watch(table_id(&table)?, None, JOIN_WAIT, None).await?;
    Ok(table)
}

pub(crate) async fn resume_table(app: &App, table: String) -> Result<String, ApiError> {
    app.resume(table_id(&table)?, None).await?;
    Ok(table)
}

pub(crate) async fn table(app: &App, table: String) -> Result<TableView, ApiError> {
    Ok(table_view(&*app.look(table_id(&table)?).await?))
}

pub(crate) async fn leave_table(app: &App, table: String) -> Result<(), ApiError> {
    app.leave(table_id(&table)?).await
}

pub(crate) async fn stand(app: &App, table: String) -> Result<(), ApiError> {
    app.give_up_seat(table_id(&table)?).await
}

pub(crate) async fn sit(app: &App, table: String, seat: u8) -> Result<(), ApiError> {
    let name = app.core.home.settings().name;
    app.command(table_id(&table)?, Command::Sit { seat: Some(seat), name }).await
}

pub(crate) async fn ask_to_stand(app: &App, table: String, seat: u8) -> Result<(), ApiError> {
    app.command(table_id(&table)?, Command::AskToStand { seat }).await
}

pub(crate) async fn start(app: &App, table: String) -> Result<(), ApiError> {
    app.command(table_id(&table)?, Command::Ready).await
}

pub(crate) async fn place(
    app: &App,
    table: String,
    at: String,
    take: Option<Vec<Vec<String>>>,
) -> Result<(), ApiError> {
    let take = match take {
        None => Take::All,
        Some(groups) => Take::Just(groups.iter().map(|group| read_group(group)).collect::<Result<_, _>>()?),
    };
    let action = Action::Place { at: read_point(&at)?, take };
    app.command(table_id(&table)?, Command::Play(action)).await
}

pub(crate) async fn choose(app: &App, table: String, choice: Choice) -> Result<(), ApiError> {
    let action = match choice {
        Choice::Black => Action::Choose(Colour::Black),
        Choice::White => Action::Choose(Colour::White),
        Choice::Add => Action::Add,
    };
    app.command(table_id(&table)?, Command::Play(action)).await
}

pub(crate) async fn resign(app: &App, table: String) -> Result<(), ApiError> {
    app.command(table_id(&table)?, Command::Resign).await
}

pub(crate) async fn offer(app: &App, table: String, what: Wish) -> Result<(), ApiError> {
    let proposal = match what {
        Wish::Undo => Proposal::Undo,
        Wish::Draw => Proposal::Draw,
    };
    app.command(table_id(&table)?, Command::Offer(proposal)).await
}

pub(crate) async fn offer_options(app: &App, table: String, request: SetupRequest) -> Result<(), ApiError> {
    let id = table_id(&table)?;
    let terms = terms_of(&request, &*app.look(id).await?)?;
    app.command(id, Command::Offer(Proposal::Options(terms))).await
}

pub(crate) async fn present_options(app: &App, table: String) -> Result<SetupRequest, ApiError> {
    let seen = app.look(table_id(&table)?).await?;
    present_terms(&seen).ok_or_else(|| ApiError::from(CommandError::NotReady))
}

pub(crate) async fn answer(app: &App, table: String, id: String, yes: bool) -> Result<(), ApiError> {
    let offer = Hash::from_str(&id).map_err(|_| ApiError::from(CommandError::NoSuchOffer))?;
    app.command(table_id(&table)?, Command::Answer { offer: Some(offer), yes }).await
}

pub(crate) async fn hold(app: &App, table: String, seat: u8) -> Result<(), ApiError> {
    app.command(table_id(&table)?, Command::Hold { seat: Some(seat) }).await
}

pub(crate) async fn cpu_now(app: &App, table: String, seat: u8) -> Result<(), ApiError> {
    app.command(table_id(&table)?, Command::CpuNow { seat: Some(seat) }).await
}

pub(crate) async fn say(app: &App, table: String, phrase: u8) -> Result<(), ApiError> {
    app.command(table_id(&table)?, Command::Say { phrase }).await
}

pub(crate) async fn touched(app: &App) -> Result<(), ApiError> {
    app.touched().await;
    Ok(())
}

pub(crate) async fn go_on(app: &App, table: String) -> Result<(), ApiError> {
    app.command(table_id(&table)?, Command::GoOn).await
}

pub(crate) async fn enter_pin(app: &App, table: String, pin: String) -> Result<(), ApiError> {
    app.command(table_id(&table)?, Command::Pin(pin)).await
}

pub(crate) async fn join_invite(app: &App, text: String) -> Result<String, ApiError> {
    let invited = app.find_invited(&text, JOIN_WAIT).await?;
    let table = join_table(app, invited.table.to_string()).await?;
    app.dial_invited(invited);
    Ok(table)
}

pub(crate) async fn branches(app: &App, table: String) -> Result<Vec<BranchView>, ApiError> {
    app.branches(table_id(&table)?).await
}

pub(crate) async fn branch(app: &App, table: String, head: String) -> Result<ReplayView, ApiError> {
    let head = Hash::from_str(&head).map_err(|_| {
        ApiError::new(ErrorCode::NotFound, format!("{head:?} is no branch: take its head from the list"))
    })?;
    app.branch(table_id(&table)?, head).await
}

pub(crate) async fn forget_table(app: &App, table: String) -> Result<(), ApiError> {
    app.forget(table_id(&table)?).await
}

pub(crate) async fn history(app: &App) -> Result<Vec<FinishedView>, ApiError> {
    let of = |core: &Core| core.history.finished(0, FINISHED_SHOWN_MAX).iter().map(finished_view).collect();
    app.core.blocking(of).await
}

pub(crate) async fn position(app: &App, position: PositionRequest) -> Result<PositionView, ApiError> {
    app.core.blocking(move |_| game_of(&position).map(|game| position_view(&game))).await?
}

pub(crate) async fn game_record(app: &App, game: String) -> Result<GameRecord, ApiError> {
    let (table, number) = record::read_name(&game)?;
    if let Some(number) = number {
        let found = app.core.blocking(move |core| core.history.game(table, number)).await?;
        if let Some(found) = found {
            return Ok(record::of_finished(&found));
        }
    }
    record::of_table(&*app.look(table).await?, number)
}

pub(crate) async fn analyse(
    app: &App,
    page: String,
    id: u32,
    position: PositionRequest,
    lines: u8,
    ms: u32,
) -> Result<Vec<SuggestionView>, ApiError> {
    let lines = analysis::checked_lines(lines)?;
    let running = app.core.studies.begin(&page, id)?;
    let looking = running.looking(ms)?;
    app.core.blocking(move |core| Ok(analysis::analyse(core, &game_of(&position)?, lines, &looking))).await?
}

pub(crate) async fn forced_win(
    app: &App,
    page: String,
    id: u32,
    position: PositionRequest,
    ms: u32,
) -> Result<Option<Vec<String>>, ApiError> {
    let running = app.core.studies.begin(&page, id)?;
    let looking = running.looking(ms)?;
    app.core.blocking(move |core| Ok(analysis::forced_win(core, &game_of(&position)?, &looking))).await?
}

pub(crate) async fn judge(
    app: &App,
    page: String,
    id: u32,
    position: PositionRequest,
    ms: u32,
) -> Result<bool, ApiError> {
    let running = app.core.studies.begin(&page, id)?;
    let looking = running.looking(ms)?;
    app.core.blocking(move |core| Ok(analysis::judge(core, &game_of(&position)?, &looking))).await?
}

pub(crate) async fn stop_study(app: &App, page: String, id: u32) -> Result<(), ApiError> {
    app.core.studies.end(&page, id)
}

pub(crate) async fn learn(app: &App, day: u32) -> Result<LearnView, ApiError> {
    app.core.blocking(move |core| learn::learn_view(core, day)).await
}

pub(crate) async fn lesson(app: &App, topic: String, number: u8) -> Result<LessonView, ApiError> {
    app.core.blocking(move |core| learn::lesson_view(core, &topic, number)).await?
}

pub(crate) async fn try_lesson(app: &App, topic: String, number: u8, answer: String) -> Result<TriedView, ApiError> {
    app.core.blocking(move |core| learn::try_lesson(core, &topic, number, &answer)).await?
}

pub(crate) async fn todays_puzzle(app: &App, day: u32) -> Result<TodayView, ApiError> {
    app.core.blocking(move |core| learn::today_view(core, day)).await
}

pub(crate) async fn puzzle(app: &App, name: String) -> Result<PuzzleView, ApiError> {
    app.core.blocking(move |core| learn::puzzle_view(core, &name)).await?
}

pub(crate) async fn try_puzzle(
    app: &App,
    name: String,
    line: Vec<String>,
    answer: String,
    day: u32,
) -> Result<TriedView, ApiError> {
    app.core.blocking(move |core| learn::try_puzzle(core, &name, line, &answer, day)).await?
}

/// The settings kept in this folder, or the first ones.
pub(crate) fn kept_settings(history: &history::History) -> Settings {
    let kept = history.value(SETTINGS);
    let settings: Settings = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    Settings { cpu_level: settings.cpu_level.clamp(1, cpu::LEVEL_MAX), ..settings }
}

fn table_id(text: &str) -> Result<TableId, ApiError> {
    TableId::from_str(text).map_err(|_| ApiError::no_such_table(text))
}

fn read_point(text: &str) -> Result<Point, ApiError> {
    Point::from_str(text).map_err(|_| {
        ApiError::new(ErrorCode::OffBoard, format!("{text:?} is no point: write a letter and a number, like H8"))
            .with("at", text)
    })
}

fn read_group(points: &[String]) -> Result<Group, ApiError> {
    let mut points = points.iter().map(|point| read_point(point)).collect::<Result<Vec<_>, _>>()?;
    points.sort_unstable();
    Ok(Group(points))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_kept_earlier_are_still_read() {
        let kept = |confirm: &str| {
            let text = format!(
                r#"{{"name":"Lina","language":"ja","theme":"",{confirm}"sound":true,"clear_marks":false,"left_handed":true,"coordinates":false}}"#
            );
            serde_json::from_str::<Settings>(&text).map(|settings| (settings.name, settings.confirm)).ok()
        };
        assert_eq!(kept(r#""confirm":true,"#), Some(("Lina".to_owned(), Some(true))));
        assert_eq!(kept(r#""confirm":false,"#), Some(("Lina".to_owned(), Some(false))));
        assert_eq!(kept(r#""confirm":null,"#), Some(("Lina".to_owned(), None)));
        assert_eq!(kept(""), Some(("Lina".to_owned(), None)));
        let later = |settings: Settings| (settings.text_percent, settings.vibration, settings.board);
        let old = r#"{"name":"Lina","language":"ja","theme":"","sound":true,"clear_marks":false,"left_handed":true,"coordinates":false}"#;
        assert_eq!(
            serde_json::from_str(old).map(later).ok(),
            Some((100, true, String::new())),
            "what it did not know yet"
        );
    }
}
