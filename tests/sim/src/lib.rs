//! A deterministic simulation of whole tables: the real `table` crate on a few devices, people and CPUs that play,
//! and every fault there is. One game is one seed. After every input of a device the invariants of PROTOCOL.md,
//! section 15, are checked; at the end the faults stop, and all must be one again.

pub mod chains;
pub mod check;
pub mod counts;
pub mod device;
pub mod faults;
mod goes_on;
mod happen;
mod liar;
pub mod links;
pub mod person;
pub mod plan;
pub mod port;
pub mod trace;
pub mod world;

use rand::Rng;
use table::planted::Bug;

use check::Broken;
use counts::{Counts, Seen};
use faults::Set;
use world::World;

/// What a run of games is like.
#[derive(Clone, Debug)]
pub struct Run {
    pub set: Set,
    /// Kinds of faults that are the same in every game.
    pub faults: Vec<(String, u64)>,
    pub planted: Option<Bug>,
    pub trace: bool,
}

impl Default for Run {
    fn default() -> Run {
        Run { set: Set::Full, faults: Vec::new(), planted: None, trace: false }
    }
}

/// How a game went.
#[derive(Clone, Debug)]
pub struct Report {
    pub seed: u64,
    pub broken: Option<Broken>,
    pub seen: Seen,
    pub entries: u64,
    /// Simulated, in ms.
    pub time: u64,
    /// What chance would have given next: the same for two runs of a seed only if they went the same way.
    pub course: u64,
}

/// Plays one game.
pub fn play(seed: u64, run: &Run) -> Report {
    #[cfg(feature = "planted")]
    table::planted::plant(run.planted);
    let mut world = World::new(seed, run);
    let until = world.plan.until;
    world.run_until(until);
    if world.broken.is_none() {
        world.finish();
    }
    let course = world.rng.random();
    let entries = world.chains.all.len() as u64;
    Report { seed, broken: world.broken, seen: world.seen, entries, time: world.now, course }
}

/// Plays games from a seed on, up to the first that breaks an invariant.
pub fn play_many(first: u64, games: u64, run: &Run) -> (Counts, Option<Report>) {
    let mut counts = Counts::default();
    for seed in first..first + games {
        let report = play(seed, run);
        counts.add(report.seen, report.entries, report.time);
        if report.broken.is_some() {
            return (counts, Some(report));
        }
    }
    (counts, None)
}
