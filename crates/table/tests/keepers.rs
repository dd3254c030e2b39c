//! Keepers that do not do their work: one that enters nobody's acts, one that shows its entries to some only, one that
//! puts them in one order for some and in another for the others. The others' game goes on, and nothing that was final
//! is lost (PROTOCOL.md, sections 5 and 14).

mod sim;

use sim::World;
use sim::party::*;
use table::entry::Entry;
use table::limits::{BLAME_AFTER_MS, BLAME_MS};
use table::message::{Message, Note, Said};
use table::seal::Sealed;
use table::{Command, Grace, Input, Presence};

/// From the finger to everybody's log, whatever the keeper does, in ms (PROTOCOL.md, section 15, invariant 11).
const ENTERED_MS: u64 = 6_000;

fn game(people: usize) -> World {
    let mut world = started(table_of(&vec![OPEN; people], |setup| setup.settings.grace = Grace::Never), people);
    play_to(&mut world, people as u16);
    world.run_for(1_000);
    assert_eq!(state(&world, 1).keeper, world.devices[0].id, "the opener keeps");
    world
}

fn said(bytes: &[u8]) -> Option<Said> {
    let Some(Message::Letter(letter)) = Message::from_bytes(bytes) else { return None };
    letter.note.open::<Note>().map(|note| note.said)
}

/// The keeper sees no act of anybody's.
fn is_act_for_keeper(_: usize, to: usize, bytes: &[u8]) -> bool {
    to == 0 && matches!(said(bytes), Some(Said::Act(_)))
}

fn everybody_has(world: &World, plies: u16) -> bool {
    (0..world.devices.len()).all(|device| ply(world, device) >= plies)
}

/// Lets the seat to move play, whoever's it is, and waits for everybody to have it.
fn next_move_within(world: &mut World, ms: u64) {
    let laid = ply(world, 0);
    let device = device_of(world, state(world, 0).turn_seat().expect("a game"));
    let action = any_action(world, device);
    world.command(device, Command::Play(action.clone())).expect("its turn");
    assert!(world.run_until_holds(ms, |world| everybody_has(world, laid + 1)), "device {device}'s move is not entered");
    let made = state(world, 1).current.as_ref().and_then(|current| current.moves.last().cloned()).expect("a move");
    assert_eq!((made.action, made.by), (action, table::Made::Hand), "it is that very move");
}

#[test]
fn what_a_keeper_does_not_enter_another_enters() {
    for people in 2..=4 {
        for author in 1..people {
            let mut world = game(people);
            while device_of(&world, state(&world, 0).turn_seat().expect("a game")) != author {
                play(&mut world);
            }
            let (before, finals) = (world.table(1).head().expect("known").0, world.table(author).final_upto());
            world.lost = Some(is_act_for_keeper);
            next_move_within(&mut world, ENTERED_MS);
            let keeper = state(&world, author).keeper;
            assert_ne!(keeper, world.devices[0].id, "{people} people: it keeps no longer");
            for device in 0..people {
                assert_eq!(state(&world, device).keeper, keeper);
                assert_eq!(world.told(device, |kind| matches!(kind, table::EventKind::Rewound { .. })), 0);
            }
            assert!(
                world.table(author).final_upto() >= finals && world.table(author).head().expect("known").0 > before
            );
            // It stays so when it is blamed no more, and for every later move.
            for _ in 0..people {
                next_move_within(&mut world, 1_000);
            }
            world.run_for(BLAME_MS + 5_000);
            assert_eq!(state(&world, 0).keeper, keeper);
            world.lost = None;
            world.run_for(2_000);
            world.check_end();
        }
    }
}

#[test]
fn a_keeper_is_not_blamed_for_what_comes_in_time() {
    let mut world = game(3);
    let keeper = state(&world, 1).keeper;
    while device_of(&world, state(&world, 0).turn_seat().expect("a game")) == 0 {
        play(&mut world);
    }
    world.lost = Some(is_act_for_keeper);
    let device = device_of(&world, state(&world, 0).turn_seat().expect("a game"));
    let action = any_action(&mut world, device);
    world.command(device, Command::Play(action)).expect("its turn");
    world.run_for(BLAME_AFTER_MS - 1_500);
    world.lost = None;
    world.run_for(4_000);
    assert_eq!(state(&world, 1).keeper, keeper);
    world.check_end();
}

/// Entries that the keeper sends leave out one device.
fn is_push_to_2(from: usize, to: usize, bytes: &[u8]) -> bool {
    from == 0 && to == 2 && matches!(Message::from_bytes(bytes), Some(Message::Push { .. }))
}

#[test]
fn what_a_keeper_shows_to_some_the_others_have_from_those() {
    let mut world = game(3);
    world.lost = Some(is_push_to_2);
    for _ in 0..6 {
        next_move_within(&mut world, ENTERED_MS);
    }
    assert!((0..3).all(|seat| world.table(1).presence(seat) == Presence::Here), "nobody is called away for it");
    world.lost = None;
    world.run_for(3_000);
    world.check_end();
}

fn no_push_of_0(from: usize, _: usize, bytes: &[u8]) -> bool {
    from == 0 && matches!(Message::from_bytes(bytes), Some(Message::Push { .. }))
}

#[test]
fn who_enters_for_itself_alone_keeps_no_longer() {
    let mut world = game(3);
    while device_of(&world, state(&world, 0).turn_seat().expect("a game")) == 0 {
        play(&mut world);
    }
    let laid = ply(&world, 1);
    world.lost = Some(no_push_of_0);
    let device = device_of(&world, state(&world, 1).turn_seat().expect("a game"));
    let action = any_action(&mut world, device);
    world.command(device, Command::Play(action)).expect("its turn");
    let on = |world: &World| (1..3).all(|device| ply(world, device) > laid);
    assert!(world.run_until_holds(ENTERED_MS, on));
    assert_ne!(state(&world, 1).keeper, world.devices[0].id);
    world.lost = None;
    world.run_for(5_000);
    world.check_end();
}

/// Entries of a device's journal from an index on, in their order.
fn entries_from(world: &World, device: usize, first: u32) -> Vec<Sealed> {
    let entries = world.devices[device].journal.iter().filter_map(|record| {
        let sealed: Sealed = table::seal::decode(record.get(2..)?).filter(|_| record[1] == 0)?;
        (sealed.open::<Entry>()?.index >= first).then_some(sealed)
    });
    entries.collect()
}

#[test]
fn entries_that_come_in_another_order_wait_for_those_before() {
    let mut world = game(2);
    let late = world.join_late();
    world.hold_down(1, late);
    world.lost = Some(no_push_of_0);
    world.run_for(1_000);
    assert_eq!(world.table(late).head(), None);
    let mut entries = entries_from(&world, 0, 0);
    entries.reverse();
    let from = world.devices[0].id;
    for entry in entries {
        let bytes = Message::Push { entries: vec![entry] }.to_bytes();
        world.handle(late, Input::Message { from, bytes });
    }
    let first = world.table(late).head().map(|(index, _)| index);
    assert_eq!(first, Some(0), "only the first one, which came last, follows on something");
    assert_eq!(world.devices[late].disconnects, [], "it may be the way there that did it");
    world.lost = None;
    world.run_for(5_000);
    assert_eq!(world.table(late).head(), world.table(0).head());
    world.let_up(1, late);
    world.run_for(1_000);
    world.check_end();
}

/// Three sit between two games, the first two of whom say that they are ready; gives the letters in which they do.
fn two_ready() -> (World, [Vec<u8>; 2]) {
    let mut world = seated(table_of(&[OPEN; 3], |setup| setup.settings.grace = Grace::Never), 3);
    world.run_for(1_000);
    world.keep_sent = true;
    world.lost = Some(is_act_for_keeper);
    for device in 1..3 {
        world.command(device, Command::Ready).expect("there is a party");
    }
    let act = |from: usize| {
        let of = |sent: &&(usize, usize, Vec<u8>)| sent.0 == from && matches!(said(&sent.2), Some(Said::Act(_)));
        world.sent.iter().find(of).map(|(_, _, bytes)| bytes.clone()).expect("it is sent to the keeper")
    };
    let acts = [act(1), act(2)];
    world.keep_sent = false;
    (world, acts)
}

/// The keeper gets these letters in this order.
fn enter(world: &mut World, letters: &[(usize, Vec<u8>)]) {
    for (from, bytes) in letters {
        let from = world.devices[*from].id;
        world.handle(0, Input::Message { from, bytes: bytes.clone() });
    }
}

#[test]
fn a_keeper_that_tells_two_orders_keeps_no_longer() {
    let (mut world, [one, two]) = two_ready();
    let first = world.table(0).head().expect("known").0 + 1;
    // The same keeper in the same place, in another world.
    let (mut other, _) = two_ready();
    enter(&mut other, &[(2, two.clone()), (1, one.clone())]);
    other.run_for(100);
    let shown = entries_from(&other, 0, first);
    assert_eq!(shown.len(), 2);

    let keeper = world.devices[0].id;
    enter(&mut world, &[(1, one), (2, two)]);
    let bytes = Message::Push { entries: shown }.to_bytes();
    world.handle(2, Input::Message { from: keeper, bytes });
    world.lost = None;
    world.run_for(ENTERED_MS);
    assert_eq!(world.heads().len(), 1, "{:?}", world.heads());
    assert!(!world.table(2).branches().is_empty(), "it was shown another order");
    for device in 0..3 {
        let state = state(&world, device);
        assert_ne!(state.keeper, keeper, "who signed twice for one place keeps no longer");
        assert!((0..3).all(|seat| world.table(device).presence(seat) == Presence::Here));
    }
    // Who was ready in one order only is asked anew.
    for device in 0..3 {
        world.command(device, Command::Ready).expect("there is a party");
    }
    world.run_for(1_000);
    assert!(state(&world, 1).playing());
    next_move_within(&mut world, 1_000);
    world.check_end();
}
