//! What happens to devices in a room, played by real processes on virtual networks: each scenario is a function that
//! answers with its figures, and fails when devices do not come together again or something final is lost.

mod cables;
mod deaths;
mod disks;
mod splits;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;

use crate::figures::Figures;

/// One scenario.
pub struct Scenario {
    pub name: &'static str,
    /// Played in the tests too; the others only on demand.
    pub short: bool,
    pub run: fn() -> Result<Figures>,
}

/// What the product promises.
const SILENT: Option<Duration> = Some(Duration::from_secs(4));
const AWAY: Option<Duration> = Some(Duration::from_millis(5500));
const GOES_ON: Option<Duration> = Some(Duration::from_secs(6));
const BACK: Option<Duration> = Some(Duration::from_secs(1));
const UNLISTED: Option<Duration> = Some(Duration::from_secs(5));
const ONE_HEAD: Option<Duration> = Some(Duration::from_secs(5));

pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "keeper of two killed", short: true, run: || deaths::keeper(2, false) },
    Scenario { name: "keeper of three killed with a move on its way", short: true, run: || deaths::keeper(3, true) },
    Scenario { name: "another of three killed", short: true, run: deaths::another },
    Scenario { name: "two of four killed and back in another order", short: true, run: deaths::two_of_four },
    Scenario { name: "all four killed and back, first to last", short: false, run: || deaths::all_four(&[0, 1, 2, 3]) },
    Scenario { name: "all four killed and back, last to first", short: true, run: || deaths::all_four(&[3, 2, 1, 0]) },
    Scenario { name: "all four killed and back, mixed", short: false, run: || deaths::all_four(&[2, 0, 3, 1]) },
    Scenario { name: "a killed table is listed no longer", short: true, run: deaths::unlisted },
    Scenario { name: "cable pulled for 2 s", short: true, run: || cables::pulled(2, 1, 2) },
    Scenario { name: "keeper's cable pulled for 10 s", short: true, run: || cables::pulled(3, 0, 10) },
    Scenario { name: "cable of two pulled for 10 s", short: false, run: || cables::pulled(2, 1, 10) },
    Scenario { name: "cable pulled for 90 s", short: false, run: || cables::pulled(2, 1, 90) },
    Scenario { name: "keeper's cable of three pulled for 90 s", short: false, run: || cables::pulled(3, 0, 90) },
    Scenario { name: "addresses swapped in play", short: true, run: cables::swapped },
    Scenario { name: "two interfaces each, one cable after the other pulled", short: true, run: cables::two_networks },
    Scenario { name: "no way out and no name server", short: true, run: cables::no_way_out },
    Scenario { name: "20 % loss and 50±20 ms for a whole game", short: false, run: || cables::weather(40) },
    Scenario { name: "20 % loss and 50±20 ms for some moves", short: true, run: || cables::weather(8) },
    Scenario { name: "data folders damaged", short: true, run: disks::damaged },
    Scenario { name: "a full disk", short: true, run: disks::full },
    Scenario { name: "many games kept", short: false, run: disks::many_games },
    Scenario { name: "two apart, both play on", short: true, run: || splits::split(&[0, 1]) },
    Scenario { name: "four split 2|2", short: true, run: || splits::split(&[0, 0, 1, 1]) },
    Scenario { name: "four split 1|3, the keeper alone", short: true, run: || splits::split(&[0, 1, 1, 1]) },
    Scenario { name: "four split 3|1", short: false, run: || splits::split(&[0, 0, 0, 1]) },
];

/// Plays these, so many at a time, and prints a line each as it ends. False when one failed.
pub fn play(scenarios: &[&Scenario], at_once: usize) -> bool {
    let (next, well) = (AtomicUsize::new(0), AtomicBool::new(true));
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(scenario) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match (scenario.run)() {
                        Ok(figures) => println!("{}: {figures}", scenario.name),
                        Err(error) => {
                            well.store(false, Ordering::Relaxed);
                            println!("{}: FAILED: {error:#}", scenario.name);
                        }
                    }
                }
            });
        }
    });
    well.into_inner()
}
