//! People without a seat, linked like any spectator: nothing that they sign, pass on or claim changes the game of those
//! who play, or costs those a link.

mod sim;

use sim::party::{OPEN, ply, started, state, table_of};
use sim::port::Cheap;
use sim::{World, letter};
use table::entry::{Body, Entry, Roll};
use table::limits::{HELLO_MS, LETTERS_KNOWN_MAX, WANTS_BURST, WANTS_PER_SECOND};
use table::message::{Fault, FaultCode, Hello, Letter, Message, Note, Said};
use table::seal::{Kind, Sealed, Signature};
use table::{Act, Command, Hash, Input, Output, Port, Presence, Table};

/// Three play; the fourth device looks on, and what is said for it comes on top of what it says itself.
fn watched_game() -> (World, usize) {
    let mut world = started(table_of(&[OPEN; 3], |_| {}), 3);
    let stranger = world.join_late();
    world.run_for(2_000);
    (world, stranger)
}

fn send(world: &mut World, from: usize, to: usize, bytes: Vec<u8>) {
    let from = world.devices[from].id;
    world.handle(to, Input::Message { from, bytes });
}

/// Term and keeper, and that nobody's game stands still.
fn rule(world: &World) -> (u64, table::DeviceId) {
    for device in 0..3 {
        assert_eq!(world.table(device).halt(), None);
        assert_eq!(world.table(0).presence(device as u8), Presence::Here);
    }
    (state(world, 0).term, state(world, 0).keeper)
}

/// The seat to move plays, and everybody has it soon.
fn a_move_gets_in(world: &mut World) {
    let before = ply(world, 0);
    let turn = usize::from(state(world, 0).turn_seat().expect("a game"));
    let action = sim::party::any_action(world, turn);
    world.command(turn, Command::Play(action)).expect("its turn");
    world.run_for(500);
    assert!((0..3).all(|device| ply(world, device) == before + 1));
}

/// What a device would sign now for a command, made by a second process of it that is linked in its own mind only.
fn signed_now(world: &World, device: usize, command: Command) -> Sealed {
    let journal = &world.devices[device].journal;
    let mut twin = Table::resume(Box::new(Cheap::new(device)), [3; 32], journal, world.now).expect("a good journal");
    for other in world.devices.iter().filter(|other| other.id != world.devices[device].id) {
        twin.handle(Input::LinkUp { peer: other.id, address: None }, world.now);
    }
    twin.command(command, world.now).expect("it may");
    let act = std::iter::from_fn(|| twin.poll()).find_map(|output| match output {
        Output::Send { bytes, .. } => match said(&bytes)? {
            (_, Said::Act(sealed)) => Some(sealed),
            _ => None,
        },
        _ => None,
    });
    act.expect("it is sent to the keeper")
}

fn said(bytes: &[u8]) -> Option<(Letter, Said)> {
    match Message::from_bytes(bytes)? {
        Message::Letter(letter) => letter.note.open::<Note>().map(|note| (letter.clone(), note.said)),
        Message::Push { .. } | Message::Want { .. } | Message::Locked { .. } | Message::Enter { .. } | Message::Bye => {
            None
        }
    }
}

#[test]
fn a_false_entry_is_nobodys_fault_but_its_signers() {
    let (mut world, stranger) = watched_game();
    let before = rule(&world);
    let id = world.table(0).id();
    let (index, prev) = world.table(1).head().expect("known");
    let key = Cheap::new(stranger).key();
    let start = || Body::Start { game: 9 };
    let roll = || Body::Roll(Roll { keeper: key, answers: Vec::new() });
    let bodies = [(start(), 1, before.0), (start(), 8, before.0), (roll(), 1, before.0 + 1), (roll(), 2, u64::MAX)];
    for (number, (body, ahead, term)) in bodies.into_iter().enumerate() {
        let entry = Entry { index: index + ahead, prev, term, body, state: Hash([0; 32]) };
        let sealed = Sealed::new(&Cheap::new(stranger), Kind::Entry, id, &entry);
        send(&mut world, stranger, 1, Message::Push { entries: vec![sealed] }.to_bytes());
        let cut = &world.devices[1].disconnects;
        assert_eq!(cut.len(), number + 1, "the link is closed");
        assert_eq!(cut[number], (world.devices[stranger].id, "it sent an entry that is not valid"));
        world.run_for(6_000);
        assert_eq!(rule(&world), before, "the same keeper in the same roll");
    }
    a_move_gets_in(&mut world);
}

#[test]
fn an_act_that_nobody_signed_is_not_waited_for() {
    let (mut world, stranger) = watched_game();
    let before = rule(&world);
    let id = world.table(0).id();
    let turn = usize::from(state(&world, 0).turn_seat().expect("a game"));
    let action = sim::party::any_action(&mut world, turn);
    // It is a device's that does not keep, so that the keeper is sent it.
    let mut forged = if turn == 0 {
        world.command(0, Command::Play(action)).expect("its turn");
        world.run_for(500);
        let action = sim::party::any_action(&mut world, 1);
        signed_now(&world, 1, Command::Play(action))
    } else {
        signed_now(&world, turn, Command::Play(action))
    };
    forged.signature = Signature([9; 64]);
    let laid = ply(&world, 0);
    for number in 0..10 {
        for device in 0..3 {
            let bytes = letter(stranger, id, 1_000_000 + number * 10 + device, Said::Act(forged.clone()));
            send(&mut world, stranger, device as usize, bytes);
        }
        world.run_for(1_000);
    }
    assert_eq!((rule(&world), ply(&world, 1)), (before, laid), "nobody blames the keeper for it");
    a_move_gets_in(&mut world);
}

#[test]
fn what_a_stranger_brings_in_anothers_name_uses_up_nothing_of_it() {
    let (mut world, stranger) = watched_game();
    let before = rule(&world);
    let junk = Sealed { bytes: vec![1], signature: Signature([0; 64]) };
    for number in 0..300 {
        for origin in 0..3usize {
            let note = Note { session: [7; 16], number, said: Said::Act(junk.clone()) };
            let mut note = Sealed::new(&Cheap::new(stranger), Kind::Letter, world.table(0).id(), &note);
            note.signature = Signature([number as u8; 64]);
            let bytes = Message::Letter(Letter { origin: Cheap::new(origin).key(), note }).to_bytes();
            for to in (0..3).filter(|&to| to != origin) {
                send(&mut world, stranger, to, bytes.clone());
            }
        }
        world.run_for(20);
        if number % 60 == 59 {
            a_move_gets_in(&mut world);
        }
    }
    assert_eq!(rule(&world), before);
}

#[test]
fn letters_that_are_kept_back_are_taken_no_second_time() {
    let mut world = started(table_of(&[OPEN; 3], |_| {}), 3);
    world.keep_sent = true;
    // It has slept: what it says now is that it is fresh.
    world.devices[1].asleep = true;
    world.run_for(5_000);
    world.devices[1].asleep = false;
    world.run_for(3_000);
    world.keep_sent = false;
    let old: Vec<Vec<u8>> = world.sent.iter().filter(|(from, _, _)| *from == 1).map(|sent| sent.2.clone()).collect();
    let fresh = |bytes: &&Vec<u8>| matches!(said(bytes), Some((_, Said::Hello(hello))) if hello.fresh);
    assert!(old.iter().any(|bytes| fresh(&bytes)));
    let stranger = world.join_late();
    // Long enough for whoever remembers letters by their hashes alone to have forgotten these.
    world.run_for(LETTERS_KNOWN_MAX as u64 * HELLO_MS / 2);
    let before = rule(&world);
    for bytes in old.iter().filter(|bytes| said(bytes).is_some()).take(200) {
        send(&mut world, stranger, 0, bytes.clone());
        world.run_for(50);
    }
    world.run_for(2_000);
    assert_eq!(rule(&world), before, "nobody called the roll for what was so long ago");
    a_move_gets_in(&mut world);
}

fn hello_of(world: &World, device: usize) -> Hello {
    let at = world.table(device);
    let known = state(world, device);
    Hello {
        session: [9; 16],
        version: table::limits::PROTOCOL_VERSION,
        rules: table::limits::RULES_REVISION,
        fresh: false,
        promise: at.promise(),
        term: known.term,
        keeper: Some(known.keeper),
        head: at.head(),
        on_disk: at.head().map(|(index, _)| index),
        heard: Vec::new(),
        addresses: Vec::new(),
        seats: Vec::new(),
        program: String::new(),
    }
}

#[test]
fn numbers_at_their_ends_are_numbers() {
    let (mut world, stranger) = watched_game();
    let before = rule(&world);
    let id = world.table(0).id();
    let (index, hash) = world.table(0).head().expect("known");
    let hellos = [
        Hello { head: Some((u32::MAX, hash)), on_disk: Some(u32::MAX), ..hello_of(&world, 0) },
        Hello { head: Some((u32::MAX, Hash([3; 32]))), on_disk: None, ..hello_of(&world, 0) },
        Hello { promise: u64::MAX, term: u64::MAX, ..hello_of(&world, 0) },
        Hello { head: Some((0, hash)), on_disk: Some(0), ..hello_of(&world, 0) },
    ];
    let mut number = u64::MAX - 100;
    for hello in hellos {
        for said in [
            Said::Hello(hello),
            Said::Ack { index: u32::MAX, hash },
            Said::Call { term: u64::MAX },
            Said::Fault(Fault { index, hash, state: None, code: FaultCode::State }),
        ] {
            number += 1;
            send(&mut world, stranger, 0, letter(stranger, id, number, said));
        }
        let have = vec![(u32::MAX, hash), (0, hash), (index, Hash([5; 32]))];
        send(&mut world, stranger, 0, Message::Want { head: hash, have }.to_bytes());
        a_move_gets_in(&mut world);
    }
    assert_eq!(rule(&world), before);
}

#[test]
fn pages_are_not_served_without_end() {
    let (mut world, stranger) = watched_game();
    world.keep_sent = true;
    let head = world.table(0).head().expect("known").1;
    for _ in 0..1_000 {
        send(&mut world, stranger, 0, Message::Want { head, have: Vec::new() }.to_bytes());
        world.run_for(1);
    }
    let pages = world.sent.iter().filter(|(from, to, bytes)| {
        (*from, *to) == (0, stranger) && matches!(Message::from_bytes(bytes), Some(Message::Push { .. }))
    });
    let pages = pages.count() as u64;
    assert!((1..=WANTS_BURST + WANTS_PER_SECOND + 10).contains(&pages), "{pages}");
    for _ in 0..6_000 {
        send(&mut world, stranger, 0, Message::Want { head, have: Vec::new() }.to_bytes());
        world.run_for(1);
    }
    assert!(world.devices[0].disconnects.contains(&(world.devices[stranger].id, "it sent far too much")));
    a_move_gets_in(&mut world);
}

#[test]
fn what_is_no_message_costs_the_link() {
    let bad: [Vec<u8>; 5] = [
        Vec::new(),
        vec![99],
        vec![0; table::limits::MESSAGE_BYTES_MAX + 1],
        Message::Want { head: Hash([0; 32]), have: vec![(0, Hash([0; 32])); 33] }.to_bytes(),
        [Message::Bye.to_bytes(), vec![0]].concat(),
    ];
    for bytes in bad {
        let (mut world, stranger) = watched_game();
        send(&mut world, stranger, 0, bytes);
        let id = world.devices[stranger].id;
        assert_eq!(world.devices[0].disconnects, [(id, "it sent something that is no message")]);
        a_move_gets_in(&mut world);
    }
}

#[test]
fn a_seat_cannot_be_sat_in_for_another() {
    let (mut world, stranger) = watched_game();
    let before = rule(&world);
    let sit = Act::Sit { key: Cheap::new(1).key(), name: "P".into(), guest: None, leaves: Some(1) };
    let intent = table::entry::Intent { game: 1, seq: 1_000, at: Hash([0; 32]), seat: 1, act: sit };
    let sealed = Sealed::new(&Cheap::new(stranger), Kind::Intent, world.table(0).id(), &intent);
    let bytes = letter(stranger, world.table(0).id(), 1_000_000, Said::Act(sealed));
    (0..3).for_each(|device| send(&mut world, stranger, device, bytes.clone()));
    world.run_for(6_000);
    assert_eq!(rule(&world), before);
    a_move_gets_in(&mut world);
}
