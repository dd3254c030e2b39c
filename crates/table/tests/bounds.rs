//! What one device may make the others do, and keep, however long it goes on: rolls, waits, entries, branches
//! (PROTOCOL.md, section 4, *Limits*).

mod sim;

use sim::party::*;
use sim::port::Cheap;
use sim::{World, letter};
use table::entry::{Answer, Body, Entry, Here, Intent};
use table::limits::{CALL_MS, FETCH_FAILED_MS, LEAPS_MAX, SITS_MAX, STRANDED_ROLLS_MAX, TERM_LEAP_MAX};
use table::message::Said;
use table::seal::{Kind, Sealed};
use table::{Act, Command, CommandError, Grace, Hash, Input, Port, Presence};

fn watched() -> (World, usize) {
    let mut world = started(table_of(&[OPEN; 3], |setup| setup.settings.grace = Grace::Never), 3);
    let stranger = world.join_late();
    world.run_for(2_000);
    (world, stranger)
}

fn said_by(world: &mut World, by: usize, to: usize, said: Said) {
    // In a millisecond each kind is said once to each.
    let kind = match said {
        Said::Hello(_) => 0,
        Said::Act(_) => 1,
        Said::Ack { .. } => 2,
        Said::Call { .. } => 3,
        Said::Here(_) => 4,
        Said::Fault(_) => 5,
        Said::Say { .. } => 6,
    };
    let number = (1 << 40) + world.now * 32 + kind * 4 + to as u64;
    let bytes = letter(by, world.table(to).id(), number, said);
    let from = world.devices[by].id;
    world.handle(to, Input::Message { from, bytes });
}

/// The rolls in a device's log of a higher term than this.
fn rolls_since(world: &World, device: usize, term: u64) -> usize {
    let of_log = world.devices[device].journal.iter().filter_map(|record| {
        let sealed: Sealed = table::seal::decode(record.get(2..)?).filter(|_| record[1] == 0)?;
        sealed.open::<Entry>()
    });
    of_log.filter(|entry| entry.term > term && matches!(entry.body, Body::Roll(_))).count()
}

/// Leaves everybody with a branch: device 2 had a roll of its own while it heard nobody.
fn with_a_branch(world: &mut World) -> (u32, Hash) {
    for other in [0, 1, 3] {
        world.hold_down(other, 2);
    }
    world.run_for(9_000);
    // The keeper is the first to hear it.
    world.let_up(0, 2);
    world.run_for(500);
    for other in [1, 3] {
        world.let_up(other, 2);
    }
    world.run_for(5_000);
    let branch = world.table(0).branches().pop().expect("its roll alone");
    assert!((1..3).all(|device| world.table(device).has_entry(branch.head)));
    (branch.first + branch.entries - 1, branch.head)
}

#[test]
fn who_looks_on_in_a_log_that_nobody_follows_causes_few_rolls() {
    let (mut world, stranger) = watched();
    let branch = with_a_branch(&mut world);
    world.devices[stranger].asleep = true;
    let before = state(&world, 0).term;
    for _ in 0..300 {
        let stranded = hello(&world, |hello| {
            (hello.head, hello.on_disk, hello.promise) = (Some(branch), None, hello.promise + 5);
        });
        (0..3).for_each(|to| said_by(&mut world, stranger, to, stranded.clone()));
        world.run_for(100);
    }
    let rolls = rolls_since(&world, 0, before);
    assert!((1..=STRANDED_ROLLS_MAX).contains(&rolls), "such a device is helped, but not for ever: {rolls}");
}

/// The others' program of device 2 sleeps, and the tests speak for it, which owns a seat.
const LIAR: usize = 2;

fn with_a_liar() -> World {
    let mut world = started(table_of(&[OPEN; 3], |setup| setup.settings.grace = Grace::Never), 3);
    world.run_for(1_000);
    world.devices[LIAR].asleep = true;
    world
}

/// Says to one that the liar is there, and how far it claims to be.
fn greet(world: &mut World, to: usize) {
    let greeting = hello(world, |hello| {
        (hello.seats, hello.promise) = (vec![LIAR as u8], 0);
    });
    said_by(world, LIAR, to, greeting);
}

fn both_go_on(world: &World) -> bool {
    let (one, other) = (world.table(0), world.table(1));
    let here = |device: usize| (0..2).all(|seat| world.table(device).presence(seat) == Presence::Here);
    one.head() == other.head() && one.promise() == other.promise() && here(0) && here(1)
}

#[test]
fn who_calls_one_up_and_away_does_not_part_it_from_the_other() {
    for calls in [2, 3, 40] {
        let mut world = with_a_liar();
        for _ in 0..calls {
            let term = world.table(1).promise() + TERM_LEAP_MAX;
            greet(&mut world, 1);
            said_by(&mut world, LIAR, 1, Said::Call { term });
            world.run_for(500);
        }
        assert!(world.table(1).promise() > TERM_LEAP_MAX, "it answered");
        world.devices[LIAR].asleep = false;
        assert!(world.run_until_holds(30_000, both_go_on), "{calls} calls");
        world.run_for(3_000);
        world.check_end();
    }
}

#[test]
fn who_was_away_while_the_terms_were_called_up_comes_back() {
    let mut world = with_a_liar();
    vanish(&mut world, 1);
    for _ in 0..60 {
        let term = world.table(0).promise() + TERM_LEAP_MAX;
        greet(&mut world, 0);
        said_by(&mut world, LIAR, 0, Said::Call { term });
        world.run_for(3_000);
    }
    let far = world.table(0).promise();
    assert!(far > 4 * TERM_LEAP_MAX, "{far}");
    world.restart(1);
    world.devices[LIAR].asleep = false;
    assert!(world.run_until_holds(30_000, both_go_on));
    world.run_for(3_000);
    world.check_end();
}

#[test]
fn a_term_that_is_only_claimed_is_followed_a_little_way_and_the_game_goes_on() {
    let mut world = with_a_liar();
    let laid = ply(&world, 0);
    for _ in 0..600 {
        for to in 0..2 {
            let claim = hello(&world, |hello| {
                (hello.seats, hello.promise, hello.term) = (vec![LIAR as u8], u64::MAX, u64::MAX);
            });
            said_by(&mut world, LIAR, to, claim);
        }
        for device in 0..2 {
            let turn = world.table(device).state().and_then(|state| state.turn_seat());
            if turn == Some(device as u8) && world.table(device).ghost().is_none() {
                let action = any_action(&mut world, device);
                world.command(device, Command::Play(action)).ok();
            }
        }
        world.run_for(100);
    }
    assert!(ply(&world, 0) >= laid + 2, "both moved, and it is the liar's turn");
    let most = TERM_LEAP_MAX << LEAPS_MAX;
    assert!((0..2).all(|device| world.table(device).promise() < most));
    world.devices[LIAR].asleep = false;
    world.run_for(20_000);
    world.check_end();
}

/// The time until the keeper has device 1 in its roll again, in ms, while the liar answers every call with a head that
/// nobody can have.
fn back_after(world: &mut World) -> u64 {
    world.kill(1, usize::MAX);
    let gone = |world: &World| world.table(0).presence(1) != Presence::Here;
    lie_until(world, 10_000, gone);
    lie_until(world, 4_000, |_| false);
    world.restart(1);
    let from = world.now;
    let here = |world: &World| world.table(0).presence(1) == Presence::Here && !world.table(1).is_fresh();
    lie_until(world, 10_000, here);
    world.now - from
}

fn lie_until(world: &mut World, ms: u64, holds: impl Fn(&World) -> bool) {
    let end = world.now + ms;
    let mut greeted = 0;
    while world.now < end && !holds(world) {
        if world.now >= greeted + 500 {
            greeted = world.now;
            greet(world, 0);
        }
        let term = world.table(0).promise();
        let here = Here { term, caller: world.devices[0].id, head: (900, Hash([7; 32])), fresh: false, seats: vec![2] };
        let port = Cheap::new(LIAR);
        let sealed = Sealed::new(&port, Kind::Here, world.table(0).id(), &here);
        said_by(world, LIAR, 0, Said::Here(Answer { key: port.key(), here: sealed }));
        world.run_for(20);
    }
}

#[test]
fn a_head_that_nobody_can_have_holds_up_one_roll_and_no_other() {
    let mut world = with_a_liar();
    back_after(&mut world);
    let again = back_after(&mut world);
    assert!(again < CALL_MS + FETCH_FAILED_MS + 700, "{again} ms");
}

/// The newest act in device 0's log.
fn newest_act(world: &World) -> Intent {
    let act = |record: &Vec<u8>| match table::seal::decode::<Sealed>(record.get(2..)?)?.open::<Entry>()?.body {
        Body::Act(act) => act.open::<Intent>(),
        Body::Opened(_) | Body::Roll(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => None,
    };
    world.devices[0].journal.iter().rev().find_map(act).expect("people did something")
}

#[test]
fn who_says_the_same_of_a_seat_again_fills_no_log() {
    let mut world = with_a_liar();
    world.devices[LIAR].asleep = false;
    world.run_for(2_000);
    vanish(&mut world, 1);
    assert_eq!(wants(&mut world, LIAR, Command::Hold { seat: Some(1) }), Ok(()));
    // Rolls and waiting leave the play chain alone.
    let held = newest_act(&world);
    let mut entered = Vec::new();
    for act in [Act::Hold { seat: 1 }, Act::CpuNow { seat: 1 }] {
        let before = world.table(0).head().expect("known").0;
        for _ in 0..50 {
            let intent = Intent { seq: (1 << 40) + world.now, act: act.clone(), ..held };
            let sealed = Sealed::new(&Cheap::new(LIAR), Kind::Intent, world.table(0).id(), &intent);
            said_by(&mut world, LIAR, 0, Said::Act(sealed));
            world.run_for(120);
        }
        entered.push(world.table(0).head().expect("known").0 - before);
    }
    // The second is entered once, and the CPU takes the seat over and may move.
    assert!(entered[0] == 0 && (2..=3).contains(&entered[1]), "{entered:?}");
}

#[test]
fn changing_seats_comes_to_an_end_and_standing_up_does_not() {
    let mut world = seated(table_of(&[OPEN; 4], |_| {}), 3);
    let mut refused = 0;
    for number in 0..2 * u64::from(SITS_MAX) + 20 {
        let own = world.table(LIAR).my_seat();
        let command = if own.is_some() { Command::Stand } else { Command::Sit { seat: None, name: "P".into() } };
        refused += usize::from(world.command(LIAR, command) == Err(CommandError::TooOften));
        world.run_for(150);
        assert!(own.is_none() || world.table(LIAR).my_seat().is_none(), "{number}: it may always stand up");
    }
    assert!(refused > 0 && world.table(0).head().expect("known").0 < 3 * u32::from(SITS_MAX));
    // The others begin, and from then on there is room for those who come.
    for device in 0..2 {
        assert_eq!(wants(&mut world, device, Command::Ready), Ok(()));
    }
    world.run_for(1_000);
    assert!(state(&world, 0).playing());
    world.check_end();
}
