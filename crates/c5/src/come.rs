//! How a session comes to its table: opened, looked for on the network, sat down at or watched.

use std::time::Duration;

use app::App;
use table::{SeatSetup, Settings, Setup};

use crate::args::{Common, Host, Join, Play, Watch};
use crate::find::Found;
use crate::order::{BadCommand, HELP, Order, order_from_line};
use crate::session::{Entry, run};
use crate::stdin::read_lines;
use crate::stop::Stop;
use crate::{Failure, Output, events, find, start};

/// Digits of this device's id that part it from others whose person has the same name on their computers.
const ID_DIGITS_SHOWN: usize = 4;
/// What is looked for is repeated up to this length; a link is longer.
const TEXT_SHOWN_CHARS: usize = 60;
/// Where a system keeps the name of whoever uses it.
const USER_VARIABLES: [&str; 3] = ["USER", "LOGNAME", "USERNAME"];

/// `c5 host`.
pub(crate) async fn host(common: &Common, host: Host, stop: Stop, output: &mut Output) -> Result<(), Failure> {
    let options = host.set.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let rules = app::setup::rules_from(host.preset.name(), host.seats, options)
        .map_err(|error| Failure::usage(error.code.name(), error.message))?;
    let mut seats = vec![SeatSetup::Open; usize::from(host.seats)];
    for (seat, setup) in &host.seat {
        let place = seats.get_mut(usize::from(*seat)).ok_or_else(|| {
            Failure::usage("no-such-seat", format!("there is no seat {seat}: the last one is {}", host.seats - 1))
        })?;
        if *place != SeatSetup::Open {
            return Err(Failure::usage("bad-command", format!("seat {seat} is given twice: give --seat {seat} once")));
        }
        *place = *setup;
    }
    let own = host.name.as_deref().map(checked_name).transpose()?;
    let pin = host.pin.as_deref().map(checked_pin).transpose()?;
    let settings = Settings { grace: host.grace, level: host.level, ranked: host.ranked, hidden: host.hidden };
    app::setup::check_ranked(&settings, &seats).map_err(|error| Failure::usage(error.code.name(), error.message))?;
    let app = start(common).await?;
    let name = own.unwrap_or_else(|| own_name(&app));
    let setup = Setup { rules, settings, seats, name, pin };
    let done = match read_lines() {
        Ok(lines) => run(&app, Entry::Open(Box::new(setup)), &host.play, lines, stop, output).await,
        Err(why) => Err(why.into()),
    };
    app.shutdown().await;
    done
}

/// `c5 join`.
pub(crate) async fn join(common: &Common, join: Join, stop: Stop, output: &mut Output) -> Result<(), Failure> {
    let own = join.name.as_deref().map(checked_name).transpose()?;
    let pin = join.pin.as_deref().map(checked_pin).transpose()?;
    let app = start(common).await?;
    let name = own.unwrap_or_else(|| own_name(&app));
    let entry = |found, wait| Entry::Join { found, wait, name, seat: join.seat, pin };
    come(app, &join.table, join.seconds, entry, &join.play, stop, output).await
}

/// `c5 watch`.
pub(crate) async fn watch(common: &Common, watch: Watch, stop: Stop, output: &mut Output) -> Result<(), Failure> {
    let pin = watch.pin.as_deref().map(checked_pin).transpose()?;
    let app = start(common).await?;
    let entry = |found, wait| Entry::Watch { found, wait, pin };
    come(app, &watch.table, watch.seconds, entry, &Play::BY_HAND, stop, output).await
}

/// Looks for a table for so many seconds, and goes there.
async fn come(
    app: App,
    table: &str,
    seconds: u64,
    entry: impl FnOnce(Found, Duration) -> Entry,
    play: &Play,
    stop: Stop,
    output: &mut Output,
) -> Result<(), Failure> {
    let done = look_and_run(&app, table, seconds, entry, play, stop, output).await;
    app.shutdown().await;
    done
}

async fn look_and_run(
    app: &App,
    table: &str,
    seconds: u64,
    entry: impl FnOnce(Found, Duration) -> Entry,
    play: &Play,
    mut stop: Stop,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut lines = read_lines()?;
    let to_look = Duration::from_secs(seconds);
    let what = if table.chars().nth(TEXT_SHOWN_CHARS).is_none() {
        format!("{table:?}")
    } else {
        "the invite's table".to_owned()
    };
    let looking = format!("Looking for {what}; write leave to give up");
    output.event(&events::looking(seconds), Some(&looking));
    let mut search = std::pin::pin!(find::on_network(app, table, to_look));
    let found = loop {
        tokio::select! {
            found = &mut search => break Some(found?),
            () = stop.asked() => break None,
            line = lines.next() => if is_over_by(&line, output) { break None },
        }
    };
    let Some(found) = found else {
        output.event(&events::new("left"), Some("You have not sat down anywhere"));
        return Ok(());
    };
    let wait = found.wait(to_look);
    run(app, entry(found, wait), play, lines, stop, output).await
}

/// What can be written before there is a table: whether the search is given up.
fn is_over_by(line: &str, output: &mut Output) -> bool {
    let why = match order_from_line(line) {
        None => return false,
        Some(Ok(Order::Leave)) => return true,
        Some(Ok(Order::Help)) => {
            output.event(&events::help(), Some(HELP));
            return false;
        }
        Some(Ok(
            Order::Play(_)
            | Order::Resign
            | Order::Ready
            | Order::Stand
            | Order::State
            | Order::Undo
            | Order::Draw
            | Order::Answer { .. }
            | Order::Options(_)
            | Order::Wait(_)
            | Order::CpuNow(_)
            | Order::GoOn
            | Order::Say(_),
        )) => "the table is still being looked for: wait a moment, or write leave".to_owned(),
        Some(Err(BadCommand(why))) => why,
    };
    output.event(&events::error("bad-command", &why, None), Some(&why));
    false
}

/// A PIN is never repeated, so it is looked at here and not where the command line is read.
fn checked_pin(pin: &str) -> Result<String, Failure> {
    let limit = table::limits::PIN_CHARS_MAX;
    match pin.trim().chars().count() {
        length if (1..=limit).contains(&length) => Ok(pin.trim().to_owned()),
        _ => Err(Failure::usage("bad-command", format!("a PIN has 1 to {limit} characters: choose another"))),
    }
}

/// The code tells what is wrong with it, as everywhere.
fn checked_name(name: &str) -> Result<String, Failure> {
    app::checked_name(name).map_err(|error| Failure::usage(error.code.name(), error.message))
}

/// The name kept in the settings, or else one that no other device gives itself.
fn own_name(app: &App) -> String {
    match app.name() {
        name if name.is_empty() => {
            let user = USER_VARIABLES.into_iter().find_map(|variable| std::env::var(variable).ok());
            first_name(user.as_deref(), &app.device().to_string())
        }
        name => name,
    }
}

/// Whoever uses this computer, and the beginning of the device's id.
fn first_name(user: Option<&str>, device: &str) -> String {
    let id: String = device.chars().take(ID_DIGITS_SHOWN).collect();
    let user = user.map(app::clean_name).filter(|user| !user.is_empty()).unwrap_or_else(|| "c5".to_owned());
    let room = app::NAME_CHARS_MAX - ID_DIGITS_SHOWN - 1;
    format!("{} {id}", user.chars().take(room).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_gives_no_name_is_told_from_others() {
        assert_eq!(first_name(Some("linda"), "3f2a99"), "linda 3f2a");
        assert_ne!(first_name(Some("linda"), "3f2a99"), first_name(Some("linda"), "b01299"));
        assert_eq!(first_name(None, "3f2a99"), "c5 3f2a");
        assert_eq!(first_name(Some("\u{202e} "), "3f2a99"), "c5 3f2a");
        let long = first_name(Some(&"x".repeat(100)), "3f2a99");
        assert_eq!(app::checked_name(&long), Ok(long.clone()));
        assert!(long.ends_with(" 3f2a"));
    }
}
