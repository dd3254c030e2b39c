//! Owners of seats that lie with real signatures, three at a table: the two honest ones' game goes on (PROTOCOL.md,
//! section 14).

mod sim;

use sim::party::{OPEN, any_action, hello, ply, started, state, table_of};
use sim::port::Cheap;
use sim::{World, letter};
use table::entry::{Answer, Body, Entry, Here, Roll};
use table::limits::{BRANCHES_MAX, REFUSED_MAX};
use table::message::{Fault, FaultCode, Hello, Message, Said};
use table::seal::{Kind, Sealed};
use table::{Command, CommandError, DeviceId, Hash, Input, Output, Port, Presence, Table};

/// Device 2 is the liar's: its own program sleeps, and the tests speak for it.
const LIAR: usize = 2;

fn with_a_liar() -> World {
    let mut world = started(table_of(&[OPEN; 3], |setup| setup.settings.grace = table::Grace::Seconds(0)), 3);
    world.run_for(1_000);
    world.devices[LIAR].asleep = true;
    world
}

fn send(world: &mut World, to: usize, bytes: Vec<u8>) {
    let from = world.devices[LIAR].id;
    world.handle(to, Input::Message { from, bytes });
}

/// Says something to both honest devices, in letters with rising numbers.
fn say(world: &mut World, said: &Said) {
    // In a millisecond each kind is said once.
    let kind = match said {
        Said::Hello(_) => 0,
        Said::Act(_) => 1,
        Said::Ack { .. } => 2,
        Said::Call { .. } => 3,
        Said::Here(_) => 4,
        Said::Fault(_) => 5,
        Said::Say { .. } => 6,
    };
    for to in 0..2 {
        let number = (1 << 40) + world.now * 16 + kind * 2 + to as u64;
        let bytes = letter(LIAR, world.table(0).id(), number, said.clone());
        send(world, to, bytes);
    }
}

fn lies_in_hello(world: &World, change: impl FnOnce(&mut Hello)) -> Said {
    hello(world, |hello| {
        (hello.seats, hello.program) = (vec![LIAR as u8], "9.9.9".into());
        change(hello);
    })
}

/// The honest ones move at their turns, for so long; gives how many stones and choices came to lie.
fn play_on(world: &mut World, ms: u64, mut meanwhile: impl FnMut(&mut World)) -> u16 {
    let laid = ply(world, 0);
    let end = world.now + ms;
    while world.now < end {
        meanwhile(world);
        for device in 0..2 {
            let turn = world.table(device).state().and_then(|state| state.turn_seat());
            if turn == Some(device as u8) && world.table(device).ghost().is_none() {
                let action = any_action(world, device);
                world.command(device, Command::Play(action)).ok();
            }
        }
        world.run_for(100);
    }
    ply(world, 0).saturating_sub(laid)
}

/// A roll by the liar alone, after an entry that both honest devices have; the state that it leads to is anything.
fn own_roll(world: &World, term: u64, after: (u32, Hash)) -> Sealed {
    let port = Cheap::new(LIAR);
    let id = world.table(0).id();
    let caller = port.device(&port.key());
    let here = Here { term, caller, head: after, fresh: false, seats: vec![LIAR as u8] };
    let answer = Answer { key: port.key(), here: Sealed::new(&port, Kind::Here, id, &here) };
    let body = Body::Roll(Roll { keeper: port.key(), answers: vec![answer] });
    let entry = Entry { index: after.0 + 1, prev: after.1, term, body, state: Hash([0; 32]) };
    Sealed::new(&port, Kind::Entry, id, &entry)
}

#[test]
fn who_signs_another_state_is_the_one_to_go_on_without() {
    let mut world = with_a_liar();
    let (keeper, head) = (state(&world, 0).keeper, world.table(1).head().expect("known"));
    let sealed = own_roll(&world, state(&world, 0).term + 1, head);
    send(&mut world, 1, Message::Push { entries: vec![sealed] }.to_bytes());
    let halt = world.table(1).halt().expect("the game stands still");
    assert_eq!((halt.with, halt.code), (world.devices[LIAR].id, FaultCode::State));
    world.command(1, Command::GoOn).expect("it may");
    assert!(play_on(&mut world, 15_000, |_| {}) > 2);
    assert_eq!(state(&world, 1).keeper, keeper, "the honest keeper keeps on");
}

#[test]
fn a_device_that_was_shut_out_halts_nothing_any_more() {
    let mut world = with_a_liar();
    let (index, hash) = world.table(0).head().expect("known");
    let fault = Said::Fault(Fault { index, hash, state: Some(Hash([4; 32])), code: FaultCode::State });
    let greeting = lies_in_hello(&world, |_| {});
    say(&mut world, &greeting);
    world.run_for(10);
    say(&mut world, &fault);
    for device in 0..2 {
        let halt = world.table(device).halt().expect("it stands still");
        assert_eq!((halt.with, halt.theirs.as_str()), (world.devices[LIAR].id, "9.9.9"));
        assert!(!halt.ours.is_empty());
        let action = any_action(&mut world, device);
        assert_eq!(world.command(device, Command::Play(action)), Err(CommandError::Halted));
    }
    (0..2).for_each(|device| world.command(device, Command::GoOn).expect("it may"));
    let laid = play_on(&mut world, 15_000, |world| {
        let (index, hash) = world.table(0).head().expect("known");
        say(world, &Said::Fault(Fault { index, hash, state: None, code: FaultCode::State }));
        let other_rules = lies_in_hello(world, |hello| hello.rules += 1);
        say(world, &other_rules);
    });
    assert!(laid > 2 && (0..2).all(|device| world.table(device).halt().is_none()), "{laid}");
}

#[test]
fn other_rules_halt_the_game_and_nothing_of_theirs_is_taken() {
    let mut world = with_a_liar();
    let head = world.table(0).head();
    let other = lies_in_hello(&world, |hello| {
        (hello.rules, hello.head, hello.promise) = (hello.rules + 1, Some((900, Hash([8; 32]))), 1_000);
    });
    say(&mut world, &other);
    for device in 0..2 {
        let halt = world.table(device).halt().expect("it stands still");
        assert_eq!((halt.code, halt.theirs.as_str(), halt.index), (FaultCode::Rules, "9.9.9", None));
        let cut = (world.devices[LIAR].id, "it plays by another version of the rules");
        assert!(world.devices[device].disconnects.contains(&cut));
        assert_eq!(world.table(device).head(), head);
        assert!(world.table(device).promise() < 1_000);
    }
}

#[test]
fn calls_that_lead_to_no_roll_stop_nobody_for_long() {
    let mut world = with_a_liar();
    let mut calls = 0u32;
    let laid = play_on(&mut world, 40_000, |world| {
        calls += 1;
        let greeting = lies_in_hello(world, |_| {});
        say(world, &greeting);
        if calls.is_multiple_of(5) {
            let term = world.table(0).promise().max(world.table(1).promise()) + 1;
            say(world, &Said::Call { term });
        }
    });
    assert!(laid > 6, "{laid} moves in 40 s");
}

#[test]
fn claims_of_logs_that_never_come_stop_no_roll() {
    let mut world = with_a_liar();
    let claim = |world: &mut World| {
        let promise = world.table(0).promise().max(world.devices[1].table.as_ref().map_or(0, Table::promise));
        let claim = lies_in_hello(world, |hello| (hello.term, hello.promise) = (promise + 3, promise + 3));
        let number = (1 << 40) + world.now * 16;
        let bytes = letter(LIAR, world.table(0).id(), number, claim);
        send(world, 0, bytes);
    };
    world.kill(1, usize::MAX);
    for _ in 0..60 {
        claim(&mut world);
        world.run_for(100);
    }
    world.restart(1);
    let mut here = false;
    for _ in 0..200 {
        claim(&mut world);
        world.run_for(100);
        here |= world.table(0).presence(1) == Presence::Here && !world.table(1).is_fresh();
    }
    assert!(here, "the other honest one is taken in again");
}

#[test]
fn a_move_of_a_seat_that_is_away_is_no_fault_of_the_keepers() {
    let mut world = with_a_liar();
    world.devices[LIAR].asleep = false;
    world.run_for(3_000);
    while state(&world, 0).turn_seat() != Some(LIAR as u8) {
        sim::party::play(&mut world);
    }
    let action = any_action(&mut world, LIAR);
    let journal = world.devices[LIAR].journal.clone();
    let mut twin = Table::resume(Box::new(Cheap::new(LIAR)), [3; 32], &journal, world.now).expect("a good journal");
    twin.handle(Input::LinkUp { peer: world.devices[0].id, address: None }, world.now);
    twin.command(Command::Play(action), world.now).expect("its turn");
    let act = std::iter::from_fn(|| twin.poll()).find_map(|output| match output {
        Output::Send { bytes, .. } => sim_act(&bytes),
        _ => None,
    });
    let act = act.expect("it is sent");
    world.devices[LIAR].asleep = true;
    let keeper = state(&world, 0).keeper;
    // It hides its player, and asks for its move all the same.
    for _ in 0..100 {
        let hidden = lies_in_hello(&world, |hello| hello.seats.clear());
        say(&mut world, &hidden);
        world.run_for(5);
        say(&mut world, &Said::Act(act.clone()));
        world.run_for(95);
    }
    assert_eq!(state(&world, 1).keeper, keeper);
}

fn sim_act(bytes: &[u8]) -> Option<Sealed> {
    let Message::Letter(letter) = Message::from_bytes(bytes)? else { return None };
    let Said::Act(act) = letter.note.open::<table::message::Note>()?.said else { return None };
    Some(act)
}

/// Valid entries after an honest log: rolls of the liar alone, made by its own program in a world of its own.
fn rolls_alone(world: &World, count: usize) -> Vec<Sealed> {
    let mut rolls = Vec::new();
    for number in 0..count {
        let journal = &world.devices[LIAR].journal;
        let mut twin =
            Table::resume(Box::new(Cheap::new(LIAR)), [number as u8; 32], journal, 0).expect("a good journal");
        // Each has promised another term before it comes to its roll.
        let (mut now, mut found) = (0, None);
        let peer = world.devices[1].id;
        twin.handle(Input::LinkUp { peer, address: None }, now);
        let mut call =
            letter(1, world.table(0).id(), 1, Said::Call { term: world.table(0).promise() + 1 + number as u64 });
        while found.is_none() && now < 30_000 {
            now += 100;
            twin.handle(Input::Tick, now);
            if !call.is_empty() {
                twin.handle(Input::Message { from: peer, bytes: std::mem::take(&mut call) }, now);
            }
            while let Some(output) = twin.poll() {
                if let Output::Write { ticket, record } = output {
                    twin.handle(Input::Written { ticket }, now);
                    found = found.or(roll_in(&record));
                }
            }
        }
        rolls.push(found.expect("it calls alone after a while"));
    }
    rolls
}

fn roll_in(record: &[u8]) -> Option<Sealed> {
    let sealed: Sealed = table::seal::decode(record.get(2..)?).filter(|_| record[1] == 0)?;
    matches!(sealed.open::<Entry>()?.body, Body::Roll(_)).then_some(sealed)
}

#[test]
fn a_hundred_branches_thrown_at_a_device_leave_it_the_honest_log() {
    let mut world = with_a_liar();
    world.run_for(4_000);
    let rolls = rolls_alone(&world, 2 * BRANCHES_MAX);
    let mut terms: Vec<u64> = rolls.iter().filter_map(|roll| Some(roll.open::<Entry>()?.term)).collect();
    terms.dedup();
    assert!(terms.len() > REFUSED_MAX, "they differ");
    let mut next = rolls.into_iter();
    let laid = play_on(&mut world, 30_000, |world| {
        let greeting = lies_in_hello(world, |_| {});
        say(world, &greeting);
        for roll in next.by_ref().take(2) {
            (0..2).for_each(|to| send(world, to, Message::Push { entries: vec![roll.clone()] }.to_bytes()));
        }
    });
    assert!(laid > 2, "{laid}");
    world.run_for(1_000);
    assert_eq!(world.table(0).head(), world.table(1).head());
    assert!((0..2).all(|device| world.table(device).branches().len() <= BRANCHES_MAX));
    let liar: DeviceId = world.devices[LIAR].id;
    assert_ne!(state(&world, 0).keeper, liar);
}
