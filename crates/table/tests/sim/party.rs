//! Parties as the tests want them: who sits, who plays, who is there.

use rules::{Action, Preset, Rules};
use table::message::{Hello, Said};
use table::{Command, CommandError, EventKind, Grace, Made, SeatSetup, Settings, Setup, State};

use super::person::{Person, random_action, rules_for};
use super::{CALM, World, setup};

pub const OPEN: SeatSetup = SeatSetup::Open;

/// A table of Capture Five for these seats, device 0 its opener in seat 0.
pub fn table_of(seats: &[SeatSetup], change: impl FnOnce(&mut Setup)) -> Setup {
    let mut setup = setup(rules_for(Preset::CaptureFive, seats.len() as u8, false), seats.to_vec());
    change(&mut setup);
    setup
}

/// These rules with other options.
pub fn rules_with(preset: Preset, change: impl FnOnce(&mut rules::Options)) -> Rules {
    let mut options = preset.options();
    change(&mut options);
    options.check(preset).expect("a game of the family")
}

/// As many devices as people; the others sit in the first open seats. Nobody is ready yet.
pub fn seated(setup: Setup, people: usize) -> World {
    let mut world = World::new(1, CALM, setup, people);
    world.run_for(1_500);
    for device in 1..people {
        let done = world.command(device, Command::Sit { seat: None, name: format!("P{device}") });
        assert_eq!(done, Ok(()));
        world.run_for(300);
    }
    world
}

pub fn started(setup: Setup, people: usize) -> World {
    let mut world = seated(setup, people);
    for device in 0..people {
        world.command(device, Command::Ready).expect("there is a party");
    }
    world.run_for(600);
    assert!(state(&world, 0).playing());
    world
}

pub fn state(world: &World, device: usize) -> &State {
    world.table(device).state().expect("known")
}

pub fn settings_of(grace: Grace, ranked: bool) -> Settings {
    Settings { grace, ranked, ..super::settings() }
}

pub fn ply(world: &World, device: usize) -> u16 {
    state(world, device).current.as_ref().expect("a game").game.ply()
}

/// Who made each stone and choice so far, by seat.
pub fn makers(world: &World, device: usize) -> Vec<(u8, Made)> {
    let moves = &state(world, device).current.as_ref().expect("a game").moves;
    moves.iter().map(|made| (made.seat, made.by)).collect()
}

/// The device that owns the seat.
pub fn device_of(world: &World, seat: u8) -> usize {
    let on = world.devices.iter().filter_map(|device| device.table.as_ref()?.state()).next().expect("one is on");
    let owner = on.owner(seat).expect("a person's");
    world.devices.iter().position(|device| device.id == owner).expect("of this world")
}

/// The person whose turn it is plays, as its own device shows it.
pub fn play(world: &mut World) -> u8 {
    let on = world.devices.iter().position(|device| device.table.is_some()).expect("one is on");
    let seat = state(world, on).turn_seat().expect("somebody's turn");
    let action = any_action(world, on);
    let device = device_of(world, seat);
    world.command(device, Command::Play(action)).expect("it is its turn");
    world.run_for(300);
    seat
}

/// People play until so many stones lie; where it is the CPU's turn it is waited for.
pub fn play_to(world: &mut World, plies: u16) {
    for _ in 0..1_000 {
        let on = world.devices.iter().position(|device| device.table.is_some()).expect("one is on");
        if ply(world, on) >= plies {
            return;
        }
        let seat = state(world, on).turn_seat().expect("the game goes on");
        if state(world, on).cpu_plays(seat) {
            world.run_for(100);
        } else {
            play(world);
        }
    }
    panic!("{plies} stones never lay");
}

pub fn any_action(world: &mut World, device: usize) -> Action {
    let game = state(world, device).current.as_ref().expect("a game").game.clone();
    random_action(&game, &mut world.rng)
}

/// Lets those who are on play to the end.
pub fn play_out(world: &mut World, devices: &[usize]) {
    let game = state(world, devices[0]).current.as_ref().expect("a game").number;
    for &device in devices {
        world.seat_person(device, Person::new("P", game, 1));
    }
    let first = devices[0];
    assert!(world.run_until_holds(600_000, move |world| !state(world, first).playing()), "it comes to its end");
    for &device in devices {
        world.devices[device].person = None;
    }
    world.run_for(1_500);
}

pub fn wants(world: &mut World, device: usize, command: Command) -> Result<(), CommandError> {
    let done = world.command(device, command);
    world.run_for(400);
    done
}

/// What a device has told of since some number of events.
pub fn news(world: &World, device: usize, since: usize) -> Vec<EventKind> {
    world.devices[device].events[since..].iter().map(|event| event.kind.clone()).collect()
}

pub fn told_so_far(world: &World, device: usize) -> usize {
    world.devices[device].events.len()
}

/// A device goes without a word, and the others notice.
pub fn vanish(world: &mut World, device: usize) {
    world.kill(device, usize::MAX);
    world.run_for(6_000);
}

pub fn come_back(world: &mut World, device: usize) {
    world.restart(device);
    world.run_for(2_000);
}

/// What a device might say of itself, in the name of its log as device 0 has it.
pub fn hello(world: &World, change: impl FnOnce(&mut Hello)) -> Said {
    let at = world.table(0);
    let mut hello = Hello {
        session: [9; 16],
        version: table::limits::PROTOCOL_VERSION,
        rules: table::limits::RULES_REVISION,
        fresh: false,
        promise: at.promise(),
        term: state(world, 0).term,
        keeper: Some(state(world, 0).keeper),
        head: at.head(),
        on_disk: at.head().map(|(index, _)| index),
        heard: world.devices.iter().take(2).map(|device| device.id).collect(),
        addresses: Vec::new(),
        seats: Vec::new(),
        program: String::new(),
    };
    change(&mut hello);
    Said::Hello(hello)
}
