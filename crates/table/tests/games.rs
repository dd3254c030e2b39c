//! Whole games in the simulation: every preset, two to four seats, people and CPUs, with and without faults.

mod sim;

use rules::Preset;
use sim::person::{Person, rules_for};
use sim::{CALM, Faults, World, setup};
use table::{EventKind, SeatSetup};

/// How many seeds each test tries for each party: more with `SIM_ROUNDS=20 cargo test -p table`.
fn rounds() -> usize {
    std::env::var("SIM_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

/// One kind of party.
#[derive(Clone, Copy, Debug)]
struct Party {
    preset: Preset,
    seats: u8,
    teams: bool,
    cpus: usize,
}

const fn party(preset: Preset, seats: u8, cpus: usize) -> Party {
    Party { preset, seats, teams: false, cpus }
}

const PARTIES: [Party; 12] = [
    party(Preset::CaptureFive, 2, 0),
    party(Preset::CaptureFive, 2, 1),
    party(Preset::CaptureFive, 3, 0),
    party(Preset::CaptureFive, 3, 1),
    party(Preset::CaptureFive, 4, 0),
    party(Preset::CaptureFive, 4, 2),
    Party { preset: Preset::CaptureFive, seats: 4, teams: true, cpus: 0 },
    Party { preset: Preset::CaptureFive, seats: 4, teams: true, cpus: 1 },
    party(Preset::Pente, 2, 0),
    party(Preset::PenteSwap2, 2, 0),
    party(Preset::Gomoku, 2, 0),
    party(Preset::Wuziqi, 2, 0),
];

/// Plays games to their end, then waits until the devices agree, and checks what must hold.
fn play(seed: u64, faults: Faults, party: Party, games: u32, resigns: u32) -> World {
    let people = usize::from(party.seats) - party.cpus;
    let mut seats = vec![SeatSetup::Open; people];
    seats.extend(vec![SeatSetup::Cpu(3); party.cpus]);
    let rules = rules_for(party.preset, party.seats, party.teams);
    let mut world = World::new(seed, faults, setup(rules, seats), people);
    for device in 0..people {
        let person = Person { resigns, ..Person::new("Ben", games, usize::from(party.seats)) };
        world.seat_person(device, person);
    }
    let over = |world: &World| {
        world.devices.iter().all(|device| {
            let state = device.table.as_ref().and_then(|table| table.state());
            state.is_some_and(|state| !state.playing() && state.current.as_ref().is_some_and(|now| now.number >= games))
        })
    };
    let ended = world.run_until_holds(3_600_000, over);
    assert!(ended, "seed {seed}, {party:?}: not over after an hour; heads {:?}", world.heads());
    world.run_until(world.now.max(faults.until));
    world.run_for(25_000);
    world.check_end();
    let playing_people = world.devices.iter().filter(|device| !device.closed);
    for device in playing_people {
        let missed = (1..=games).find(|game| !device.finished.contains(game));
        // A device that was off when an early game ended has it in its log all the same.
        assert!(missed.is_none() || faults.kill_every > 0, "seed {seed}: game {missed:?} was not told to be finished");
    }
    world
}

#[test]
fn every_preset_is_played_to_its_end() {
    for (seed, party) in (0u64..).zip(PARTIES) {
        let world = play(seed, CALM, party, 2, 0);
        for device in &world.devices {
            let state = device.table.as_ref().and_then(|table| table.state());
            assert_eq!(state.map(|state| state.term), Some(1), "seed {seed}: nobody was ever away");
            let ends = device.events.iter().filter(|event| matches!(event.kind, EventKind::End { .. })).count();
            assert_eq!(ends, 2, "seed {seed}: each end is told once");
        }
    }
}

#[test]
fn links_break_and_come_back() {
    let faults = Faults { cut_every: 1_500, until: 120_000, ..CALM };
    for (seed, party) in (1_000u64..).zip(PARTIES.into_iter().cycle().take(24 * rounds())) {
        play(seed, faults, party, 4, 0);
    }
}

#[test]
fn processes_are_killed_and_come_back() {
    let faults = Faults { kill_every: 2_500, kill_opener: true, until: 120_000, ..CALM };
    for (seed, party) in (2_000u64..).zip(PARTIES.into_iter().cycle().take(24 * rounds())) {
        play(seed, faults, party, 4, 0);
    }
}

#[test]
fn everything_at_once() {
    let faults = Faults {
        delay: (1, 120),
        disk: (1, 60),
        kill_every: 3_000,
        cut_every: 3_000,
        kill_opener: true,
        until: 150_000,
    };
    for (seed, party) in (3_000u64..).zip(PARTIES.into_iter().cycle().take(36 * rounds())) {
        play(seed, faults, party, 4, 1);
    }
}

#[test]
fn one_seed_has_one_course() {
    let faults = Faults { kill_every: 5_000, cut_every: 5_000, kill_opener: true, until: 60_000, ..CALM };
    let heads = || play(7, faults, PARTIES[4], 1, 0).heads();
    assert_eq!(heads(), heads());
}
