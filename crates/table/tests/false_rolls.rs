//! Rolls that are valid entry by entry and false all the same: on a wrong entry, or two of one term. The opener, which
//! keeps, makes them with answers that the others gave in good faith (PROTOCOL.md, sections 7, 8 and 14).

mod sim;

use sim::party::*;
use sim::port::Cheap;
use sim::{World, letter};
use table::entry::{Answer, Body, Entry, Here, Roll};
use table::message::{FaultCode, Hello, Message, Note, Said};
use table::seal::{Kind, Sealed};
use table::{DeviceId, Grace, Hash, Input, Output, Port, Presence, Table};

/// The opener is the liar's: its own program sleeps, and the tests speak for it.
const LIAR: usize = 0;

/// A game of three in which the newest entry is a stone of device 1 or 2, final everywhere.
fn with_a_liar() -> World {
    let mut world = started(table_of(&[OPEN; 3], |setup| setup.settings.grace = Grace::Never), 3);
    play_to(&mut world, 3);
    while device_of(&world, state(&world, 1).current.as_ref().expect("a game").moves.last().expect("one").seat) == LIAR
    {
        play(&mut world);
    }
    world.run_for(1_000);
    assert_eq!(state(&world, 1).keeper, world.devices[LIAR].id, "the opener keeps");
    world.check_end();
    world.devices[LIAR].asleep = true;
    world
}

fn say(world: &mut World, to: usize, said: Said) {
    let number = (1 << 40) + world.now * 16 + to as u64;
    let bytes = letter(LIAR, world.table(1).id(), number, said);
    let from = world.devices[LIAR].id;
    world.handle(to, Input::Message { from, bytes });
}

fn push(world: &mut World, to: usize, entries: Vec<Sealed>) {
    let from = world.devices[LIAR].id;
    world.handle(to, Input::Message { from, bytes: Message::Push { entries }.to_bytes() });
}

/// What a device would say of itself with this head and promise.
fn hello(world: &World, device: usize, head: (u32, Hash), promise: u64) -> Said {
    Said::Hello(Hello {
        session: [device as u8 + 20; 16],
        version: table::limits::PROTOCOL_VERSION,
        rules: table::limits::RULES_REVISION,
        fresh: false,
        promise,
        term: state(world, 1).term,
        keeper: Some(world.devices[LIAR].id),
        head: Some(head),
        on_disk: Some(head.0),
        heard: vec![world.devices[LIAR].id],
        addresses: Vec::new(),
        seats: vec![device as u8],
        program: String::new(),
    })
}

fn note_in(bytes: &[u8]) -> Option<Said> {
    let Message::Letter(letter) = Message::from_bytes(bytes)? else { return None };
    Some(letter.note.open::<Note>()?.said)
}

/// The honest ones' answers to the liar's call of a term.
fn answers_to(world: &mut World, term: u64) -> Vec<(DeviceId, Answer)> {
    world.keep_sent = true;
    for to in 1..3 {
        say(world, to, Said::Call { term });
    }
    world.run_for(100);
    world.keep_sent = false;
    let here = |(from, to, bytes): (usize, usize, Vec<u8>)| match note_in(&bytes)? {
        Said::Here(answer) if to == LIAR => Some((world.devices[from].id, answer)),
        _ => None,
    };
    let mut answers: Vec<(DeviceId, Answer)> = std::mem::take(&mut world.sent).into_iter().filter_map(here).collect();
    answers.dedup_by_key(|(device, _)| *device);
    assert_eq!(answers.len(), 2, "both answer");
    answers
}

/// An answer of this device to the liar's call.
fn answer_of(world: &World, device: usize, term: u64, head: (u32, Hash)) -> Answer {
    let port = Cheap::new(device);
    let here = Here { term, caller: world.devices[LIAR].id, head, fresh: false, seats: vec![device as u8] };
    Answer { key: port.key(), here: Sealed::new(&port, Kind::Here, world.table(1).id(), &here) }
}

/// The roll of this term that the liar's own program makes of these answers after the first `len` entries.
fn roll_of(world: &World, len: u32, term: u64, answers: &[(usize, Answer)]) -> Sealed {
    let of_log = |record: &&Vec<u8>| record[1] != 0 || entry_in(record).is_some_and(|(_, entry)| entry.index < len);
    let journal: Vec<Vec<u8>> = world.devices[LIAR].journal.iter().filter(of_log).cloned().collect();
    let mut twin = Table::resume(Box::new(Cheap::new(LIAR)), [7; 32], &journal, 0).expect("a good journal");
    let head = twin.head().expect("known");
    let id = twin.id();
    let (mut now, mut made) = (0, None);
    let peers = [1, 2].map(|device| (device, world.devices[device].id));
    for (_, peer) in peers {
        twin.handle(Input::LinkUp { peer, address: None }, now);
    }
    for (device, peer) in peers {
        let bytes = letter(device, id, 1, hello(world, device, head, term - 1));
        twin.handle(Input::Message { from: peer, bytes }, now);
    }
    while made.is_none() && now < 4_000 {
        while let Some(output) = twin.poll() {
            match output {
                Output::Write { ticket, record } => {
                    twin.handle(Input::Written { ticket }, now);
                    made = made.or(entry_in(&record).filter(|(_, entry)| matches!(entry.body, Body::Roll(_))));
                }
                Output::Send { to, bytes } => {
                    let Some(Said::Call { term: called }) = note_in(&bytes) else { continue };
                    assert_eq!(called, term);
                    for (device, answer) in answers.iter().filter(|(device, _)| world.devices[*device].id == to) {
                        let bytes = letter(*device, id, 2, Said::Here(answer.clone()));
                        twin.handle(Input::Message { from: to, bytes }, now);
                    }
                }
                _ => {}
            }
        }
        now += 100;
        twin.handle(Input::Tick, now);
    }
    let (sealed, roll) = made.expect("it makes a roll");
    assert_eq!((roll.term, roll.prev), (term, head.1));
    sealed
}

fn entry_in(record: &[u8]) -> Option<(Sealed, Entry)> {
    let sealed: Sealed = table::seal::decode(record.get(2..)?).filter(|_| record[1] == 0)?;
    let entry = sealed.open()?;
    Some((sealed, entry))
}

fn number_of(world: &World, id: DeviceId) -> usize {
    world.devices.iter().position(|device| device.id == id).expect("of this world")
}

/// The liar's program takes up again; all come to one head that holds this entry, in this time, and play on.
fn goes_on(world: &mut World, kept: (u32, Hash), ms: u64) {
    let one = |world: &World| world.table(1).head() == world.table(2).head() && !world.table(1).is_fresh();
    assert!(world.run_until_holds(ms, one));
    world.devices[LIAR].asleep = false;
    world.run_for(8_000);
    assert_eq!(world.heads().len(), 1, "{:?}", world.heads());
    assert!((0..3).all(|device| world.table(device).hash_at(kept.0) == Some(kept.1)), "what was final stands");
    assert!((0..3).all(|seat| world.table(1).presence(seat) == Presence::Here));
    let laid = ply(world, 1);
    play(world);
    world.run_for(300);
    assert!((0..3).all(|device| ply(world, device) == laid + 1));
}

#[test]
fn a_roll_that_takes_back_the_last_stone_is_not_followed() {
    let mut world = with_a_liar();
    // One without a seat has no weight, and knows a lie all the same.
    let onlooker = world.join_late();
    world.run_for(1_000);
    let last = world.table(1).head().expect("known");
    let before = (last.0 - 1, world.table(1).hash_at(last.0 - 1).expect("known"));
    let term = world.table(1).promise() + 1;
    // What the roll leads to is the same for whoever answered with an older head.
    let older: Vec<(usize, Answer)> = (1..3).map(|device| (device, answer_of(&world, device, term, before))).collect();
    let model: Entry = roll_of(&world, last.0, term, &older).open().expect("an entry");

    let mut answers: Vec<Answer> = answers_to(&mut world, term).into_iter().map(|(_, answer)| answer).collect();
    answers.push(answer_of(&world, LIAR, term, last));
    let roll = Roll { keeper: Cheap::new(LIAR).key(), answers };
    let entry = Entry { body: Body::Roll(roll), ..model };
    let sealed = Sealed::new(&Cheap::new(LIAR), Kind::Entry, world.table(1).id(), &entry);
    for to in [1, 2, onlooker] {
        push(&mut world, to, vec![sealed.clone()]);
        assert_eq!(world.table(to).fault(), Some(FaultCode::Base), "it is found out at once");
        assert_eq!(world.table(to).head(), Some(last));
    }
    goes_on(&mut world, last, 6_000);
    assert_ne!(state(&world, 1).keeper, world.devices[LIAR].id, "it is blamed");
}

#[test]
fn the_same_answers_on_the_right_entry_are_followed() {
    let mut world = with_a_liar();
    let last = world.table(1).head().expect("known");
    let term = world.table(1).promise() + 1;
    let answers: Vec<(usize, Answer)> =
        answers_to(&mut world, term).into_iter().map(|(device, answer)| (number_of(&world, device), answer)).collect();
    let roll = roll_of(&world, last.0 + 1, term, &answers);
    for to in 1..3 {
        push(&mut world, to, vec![roll.clone()]);
        world.run_for(50);
        assert_eq!(world.table(to).fault(), None);
        assert_eq!((state(&world, to).term, world.table(to).head().expect("known").0), (term, last.0 + 1));
    }
    goes_on(&mut world, last, 100);
    world.check_end();
}

#[test]
fn of_two_rolls_of_one_term_neither_parts_the_others() {
    let mut world = with_a_liar();
    let last = world.table(1).head().expect("known");
    let term = world.table(1).promise() + 1;
    let answers: Vec<(usize, Answer)> =
        answers_to(&mut world, term).into_iter().map(|(device, answer)| (number_of(&world, device), answer)).collect();
    let rolls = [1, 2].map(|named| {
        let some: Vec<(usize, Answer)> = answers.iter().filter(|(device, _)| *device == named).cloned().collect();
        roll_of(&world, last.0 + 1, term, &some)
    });
    assert_ne!(rolls[0], rolls[1]);
    // Each is shown the one that holds its own answer.
    push(&mut world, 1, vec![rolls[0].clone()]);
    push(&mut world, 2, vec![rolls[1].clone()]);
    world.run_for(50);
    assert_ne!(world.table(1).head(), world.table(2).head());
    goes_on(&mut world, last, 6_000);
    for device in 1..3 {
        assert_ne!(state(&world, device).keeper, world.devices[LIAR].id, "who made two keeps neither");
    }
}

#[test]
fn a_false_roll_shown_to_one_alone_costs_the_other_nothing() {
    let mut world = with_a_liar();
    let last = world.table(1).head().expect("known");
    let term = world.table(1).promise() + 1;
    let answers: Vec<(usize, Answer)> =
        answers_to(&mut world, term).into_iter().map(|(device, answer)| (number_of(&world, device), answer)).collect();
    let without_2: Vec<(usize, Answer)> = answers.into_iter().filter(|(device, _)| *device == 1).collect();
    let roll = roll_of(&world, last.0 + 1, term, &without_2);
    // Both have it, and the one whom it calls away was there all the time.
    for to in 1..3 {
        push(&mut world, to, vec![roll.clone()]);
    }
    let seat = 2;
    let back = |world: &World| {
        world.table(1).presence(seat) == Presence::Here && world.table(1).head() == world.table(2).head()
    };
    assert!(world.run_until_holds(8_000, back));
    goes_on(&mut world, last, 2_000);
    world.check_end();
}
