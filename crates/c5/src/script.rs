//! For tests: what a device sees of a table that it has opened, with people put into its seats afterwards.

use app::{App, Config, Snapshot};
use rules::Preset;
use table::{Command, DeviceId, Seat, SeatSetup, Setup, Sitter};

/// Anna's table of so many seats before its first game, with Ben in seat 1 and nobody in the others.
pub(crate) async fn lobby(seats: usize) -> Snapshot {
    let mut seen = opened(vec![SeatSetup::Open; seats], false).await;
    sit(&mut seen, 1, "Ben");
    seen
}

/// A game of so many seats that has just begun, with Ben in seat 1 and CPUs in the others.
pub(crate) async fn game(seats: usize) -> Snapshot {
    let mut seen = opened(vec![SeatSetup::Cpu(1); seats], true).await;
    sit(&mut seen, 1, "Ben");
    seen
}

async fn opened(seats: Vec<SeatSetup>, start: bool) -> Snapshot {
    let folder = tempfile::tempdir().expect("a folder");
    let app = App::start(Config::new(folder.path().to_owned())).await.expect("it starts");
    let players = u8::try_from(seats.len()).expect("a few seats");
    // The first seat starts, and so the CPUs wait.
    let options = [("first_start", "first-seat")];
    let rules = app::setup::rules_from(Preset::Gomoku.name(), players, options).expect("rules");
    let settings = table::Settings { hidden: true, ..app::setup::default_settings() };
    let setup = Setup { rules, settings, seats, name: "Anna".to_owned(), pin: None };
    let table = app.open(setup, None).await.expect("a table");
    let is_there = |seen: &Snapshot| seen.state.as_ref().is_some_and(|state| !start || state.current.is_some());
    let mut asked = false;
    let mut seen = app.look(table).await.expect("a look");
    while !is_there(&seen) {
        tokio::task::yield_now().await;
        if start && !asked && seen.state.is_some() {
            app.command(table, Command::Ready).await.expect("it is accepted");
            asked = true;
        }
        seen = app.look(table).await.expect("a look");
    }
    app.shutdown().await;
    Snapshot::clone(&seen)
}

pub(crate) fn seat(seen: &mut Snapshot, number: usize) -> &mut Seat {
    &mut seen.state.as_mut().expect("a state").seats[number]
}

/// A person is put into a seat, and is here.
pub(crate) fn sit(seen: &mut Snapshot, number: usize, name: &str) {
    let device = DeviceId([9 + u8::try_from(number).expect("a few seats"); 32]);
    let at = seat(seen, number);
    at.sitter = Sitter::Person { device, key: [0; 32], name: name.to_owned(), guest: false };
    at.here = true;
    seen.presence[number] = table::Presence::Here;
}
