//! Devices that lie, with real signatures: what they sign or send changes nothing, and costs them the link.

mod sim;

use rules::{Action, Point, Preset};
use sim::person::rules_for;
use sim::{CALM, World, letter_by, setup};
use table::entry::{Body, Entry, Intent, Opened, Roll};
use table::message::{FaultCode, Message, Said};
use table::port::Ed25519;
use table::seal::{Kind, Sealed};
use table::{Act, Command, CommandError, Hash, Input, Port, SeatSetup, Table};

fn key(number: usize) -> Ed25519 {
    Ed25519::new(&[number as u8 + 1; 32])
}

/// A started game of two or more people, nobody acting by itself; seat n is device n's, seat 0 is to move.
fn started(people: usize) -> World {
    let rules = rules_for(Preset::CaptureFive, people as u8, false);
    let opened = setup(rules, vec![SeatSetup::Open; people]);
    let mut world = World::with_ports(5, CALM, opened, people, |number| Box::new(key(number)));
    world.run_for(1_000);
    for device in 1..people {
        world.command(device, Command::Sit { seat: None, name: "P".into() }).expect("there is a seat");
        world.run_for(300);
    }
    for device in 0..people {
        world.command(device, Command::Ready).expect("there is a party");
    }
    world.run_for(500);
    assert_eq!(world.table(0).state().expect("known").turn_seat(), Some(0));
    world
}

fn stone(column: u8, row: u8) -> Action {
    Action::place(Point::new(column, row).expect("a point"))
}

/// The acts in the opener's log.
fn intents(world: &World) -> Vec<(Sealed, Intent)> {
    let acts = world.devices[0].journal.iter().filter_map(|record| {
        let sealed: Sealed = table::seal::decode(record.get(2..)?).filter(|_| record[1] == 0)?;
        match sealed.open::<Entry>()?.body {
            Body::Act(act) => Some((act.clone(), act.open()?)),
            Body::Opened(_) | Body::Roll(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => None,
        }
    });
    acts.collect()
}

/// What an honest device would sign now; the play chain is read off an honest move that is taken back again by
/// being made in another process.
fn intent_now(world: &World, device: usize, seat: u8, act: Act, seq: u64) -> Intent {
    let mut twin = twin(world, device);
    let action = stone(13, 13);
    twin.command(Command::Play(action), world.now).expect("it is its turn");
    let template = std::iter::from_fn(|| twin.poll()).find_map(|output| match output {
        table::Output::Send { bytes, .. } => act_of(&bytes),
        table::Output::Write { record, .. } => table::seal::decode::<Sealed>(record.get(2..)?)
            .filter(|_| record[1] == 0)
            .and_then(|sealed| sealed.open::<Entry>())
            .and_then(|entry| match entry.body {
                Body::Act(act) => Some(act),
                Body::Opened(_) | Body::Roll(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => None,
            }),
        _ => None,
    });
    let template: Intent = template.expect("it was signed").open().expect("an intent");
    Intent { game: template.game, seq, at: template.at, seat, act }
}

fn act_of(bytes: &[u8]) -> Option<Sealed> {
    match Message::from_bytes(bytes)? {
        Message::Letter(letter) => match letter.note.open::<table::message::Note>()?.said {
            Said::Act(sealed) => Some(sealed),
            Said::Hello(_)
            | Said::Ack { .. }
            | Said::Call { .. }
            | Said::Here(_)
            | Said::Fault(_)
            | Said::Say { .. } => None,
        },
        Message::Push { .. } | Message::Want { .. } | Message::Locked { .. } | Message::Enter { .. } | Message::Bye => {
            None
        }
    }
}

/// A second process with a device's key and journal, linked to the others in its own mind only.
fn twin(world: &World, device: usize) -> Table {
    let journal = &world.devices[device].journal;
    let mut twin = Table::resume(Box::new(key(device)), [3; 32], journal, world.now).expect("a good journal");
    for other in world.devices.iter().filter(|other| other.id != world.devices[device].id) {
        twin.handle(Input::LinkUp { peer: other.id, address: None }, world.now);
    }
    twin
}

/// Sends an act from a device's link to the keeper; whether the log has grown by it.
fn is_taken(world: &mut World, from: usize, sealed: Sealed) -> bool {
    let before = world.table(0).head();
    let number = 1_000_000 + world.now;
    let bytes = letter_by(&key(from), world.table(0).id(), number, Said::Act(sealed));
    let sender = world.devices[from].id;
    world.handle(0, Input::Message { from: sender, bytes });
    world.run_for(500);
    world.check_end();
    world.table(0).head() != before
}

fn play(action: Action) -> Act {
    Act::Move { action, by_clock: false }
}

#[test]
fn only_the_owner_moves_a_seat_and_only_once() {
    let mut world = started(3);
    world.command(0, Command::Play(stone(7, 7))).expect("its turn");
    world.run_for(500);
    let table = world.table(0).id();
    let seal = |device: usize, intent: &Intent| Sealed::new(&key(device), Kind::Intent, table, intent);
    let honest = intent_now(&world, 1, 1, play(stone(3, 3)), 50);

    let forged = seal(2, &honest);
    assert!(!is_taken(&mut world, 2, forged), "another device's signature");
    let own_seat = seal(2, &Intent { seat: 2, ..honest.clone() });
    assert!(!is_taken(&mut world, 2, own_seat), "its own seat, but not its turn");
    let mut changed = seal(1, &honest);
    let last = changed.bytes.len() - 2;
    changed.bytes[last] ^= 1;
    assert!(!is_taken(&mut world, 2, changed), "changed on the way");
    let other_table = Sealed::new(&key(1), Kind::Intent, table::TableId([7; 16]), &honest);
    assert!(!is_taken(&mut world, 1, other_table), "signed for another table");
    let other_kind = Sealed::new(&key(1), Kind::Here, table, &honest);
    assert!(!is_taken(&mut world, 1, other_kind), "signed as something else");
    let other_game = seal(1, &Intent { game: 2, ..honest.clone() });
    assert!(!is_taken(&mut world, 1, other_game), "another game");
    let other_place = seal(1, &Intent { at: Hash([1; 32]), ..honest.clone() });
    assert!(!is_taken(&mut world, 1, other_place), "another position");
    let old_number = seal(1, &Intent { seq: 1, ..honest.clone() });
    assert!(!is_taken(&mut world, 1, old_number), "a number that it has used");
    let occupied = seal(1, &Intent { act: play(stone(7, 7)), ..honest.clone() });
    assert!(!is_taken(&mut world, 1, occupied), "an illegal stone");
    let disguised = seal(1, &Intent { act: play(Action::Draw), ..honest.clone() });
    assert!(!is_taken(&mut world, 1, disguised), "a draw is no move");
    let no_seat = seal(1, &Intent { seat: 9, ..honest.clone() });
    assert!(!is_taken(&mut world, 1, no_seat), "no such seat");
    let by_clock = seal(1, &Intent { act: Act::Move { action: stone(3, 3), by_clock: true }, ..honest.clone() });
    assert!(!is_taken(&mut world, 1, by_clock), "there is no move limit");
    let sit_for = Act::Sit { key: key(2).key(), name: "P".into(), guest: None, leaves: None };
    let usurped = seal(2, &Intent { act: sit_for, ..honest.clone() });
    assert!(!is_taken(&mut world, 2, usurped), "somebody sits there");

    assert!(is_taken(&mut world, 1, seal(1, &honest)), "the owner's own");
    for (sealed, intent) in intents(&world) {
        assert!(!is_taken(&mut world, 2, sealed), "a replay of {intent:?}");
    }
}

/// Sends device 1 an entry signed by the opener, as its next one, and gives what it made of it.
fn fault_of(world: &mut World, body: Body, change: impl Fn(&mut Entry)) -> Option<FaultCode> {
    let (index, prev) = world.table(1).head().expect("known");
    let term = world.table(1).state().expect("known").term;
    let mut entry = Entry { index: index + 1, prev, term, body, state: Hash([0; 32]) };
    change(&mut entry);
    let sealed = Sealed::new(&key(0), Kind::Entry, world.table(1).id(), &entry);
    push(world, sealed)
}

fn push(world: &mut World, sealed: Sealed) -> Option<FaultCode> {
    let head = world.table(1).head();
    let opener = world.devices[0].id;
    let cuts = world.devices[1].disconnects.len();
    let bytes = Message::Push { entries: vec![sealed] }.to_bytes();
    world.handle(1, Input::Message { from: opener, bytes });
    world.run_for(100);
    assert_eq!(world.table(1).head(), head, "it is not taken");
    let told = world.devices[1].disconnects.len() > cuts;
    let fault = world.table(1).fault();
    assert_eq!(told, fault.is_some(), "the link is closed for a false entry");
    fault
}

#[test]
fn a_keeper_can_enter_nothing_that_is_not_valid() {
    let cpu = |seat: u8| Body::Cpu { seat, action: stone(7, 7) };
    let no_change = |_: &mut Entry| {};
    let check = |body: Body, change: &dyn Fn(&mut Entry), expected: FaultCode, what: &str| {
        let mut world = started(2);
        assert_eq!(fault_of(&mut world, body, change), Some(expected), "{what}");
        world.run_for(8_000);
        let heads = world.heads();
        assert_eq!(heads.len(), 1, "{what}: afterwards all is well: {heads:?}");
    };
    check(cpu(0), &no_change, FaultCode::Invalid, "a CPU's move at a person's seat");
    check(cpu(1), &no_change, FaultCode::Invalid, "out of turn");
    check(Body::Start { game: 2 }, &no_change, FaultCode::Invalid, "a start while a game runs");
    check(cpu(0), &|entry| entry.term = 9, FaultCode::Invalid, "of another term");
    let roll = Body::Roll(Roll { keeper: key(0).key(), answers: Vec::new() });
    check(roll, &|entry| entry.term = 5, FaultCode::Invalid, "a roll without answers");
    let other_keeper = Body::Roll(Roll { keeper: key(1).key(), answers: Vec::new() });
    check(other_keeper, &|entry| entry.term = 5, FaultCode::Signature, "a roll by another");
    let opened = Opened {
        key: key(0).key(),
        name: String::new(),
        nonce: [0; 32],
        rules: Vec::new(),
        settings: sim::settings(),
        seats: Vec::new(),
        pin: None,
    };
    check(Body::Opened(opened), &no_change, FaultCode::Invalid, "another beginning");
}

#[test]
fn only_the_keeper_signs_entries() {
    let mut world = started(2);
    let (index, prev) = world.table(1).head().expect("known");
    let body = Body::Start { game: 2 };
    let entry = Entry { index: index + 1, prev, term: 1, body, state: Hash([0; 32]) };
    let sealed = Sealed::new(&key(1), Kind::Entry, world.table(1).id(), &entry);
    assert_eq!(push(&mut world, sealed), Some(FaultCode::Signature));
}

#[test]
fn a_roll_holds_only_answers_to_it() {
    let answers = |world: &World, change: &dyn Fn(&mut table::entry::Here)| {
        let head = world.table(1).head().expect("known");
        let caller = world.devices[0].id;
        let answers = [0usize, 1].map(|device| {
            let mut here = table::entry::Here { term: 7, caller, head, fresh: false, seats: vec![device as u8] };
            if device == 1 {
                change(&mut here);
            }
            let sealed = Sealed::new(&key(device), Kind::Here, world.table(0).id(), &here);
            table::entry::Answer { key: key(device).key(), here: sealed }
        });
        Roll { keeper: key(0).key(), answers: answers.to_vec() }
    };
    let check = |change: &dyn Fn(&mut table::entry::Here), spoil: &dyn Fn(&mut Roll), code: FaultCode, what: &str| {
        let mut world = started(2);
        let mut roll = answers(&world, change);
        spoil(&mut roll);
        assert_eq!(fault_of(&mut world, Body::Roll(roll), |entry| entry.term = 7), Some(code), "{what}");
    };
    let none = |_: &mut Roll| {};
    let same = |_: &mut table::entry::Here| {};
    // The right answers, but a state that is nothing: all else was found good.
    check(&same, &none, FaultCode::State, "the good one");
    check(&|here| here.term = 6, &none, FaultCode::Invalid, "an answer to another call");
    check(&|here| here.seats = vec![1, 1], &none, FaultCode::Invalid, "a seat twice");
    check(&|here| here.caller = table::DeviceId([1; 32]), &none, FaultCode::Invalid, "another's call");
    check(&same, &|roll| roll.answers[1].here.signature.0[3] ^= 1, FaultCode::Signature, "a signature spoilt");
    check(&same, &|roll| roll.answers[1] = roll.answers[0].clone(), FaultCode::Invalid, "a device twice");
    check(&same, &|roll| drop(roll.answers.remove(0)), FaultCode::Invalid, "without the keeper's own");
}

#[test]
fn a_state_that_differs_is_a_fault_and_changes_nothing() {
    let mut world = started(2);
    world.command(0, Command::Play(stone(7, 7))).expect("its turn");
    world.run_for(500);
    let intent = intent_now(&world, 1, 1, play(stone(3, 3)), 70);
    let sealed = Sealed::new(&key(1), Kind::Intent, world.table(0).id(), &intent);
    assert_eq!(fault_of(&mut world, Body::Act(sealed), |_| {}), Some(FaultCode::State));
    let halt = world.table(1).halt().cloned().expect("the game stands still");
    assert_eq!((halt.with, halt.code), (world.devices[0].id, FaultCode::State));
    assert_eq!(halt.theirs, halt.ours);
    world.kill(1, usize::MAX);
    world.restart(1);
    assert_eq!(world.table(1).halt(), Some(&halt), "also after a restart");
    let head = world.table(1).head();
    world.command(1, Command::GoOn).expect("it may");
    world.run_for(9_000);
    assert_eq!(world.table(1).halt(), None);
    let state = world.table(1).state().expect("known");
    assert_eq!((state.keeper, state.turn_seat()), (world.devices[1].id, Some(1)), "it goes on without the other");
    assert!(world.table(1).head() > head);
}

#[test]
fn of_two_processes_with_one_key_the_first_act_counts() {
    let mut world = started(2);
    world.command(0, Command::Play(stone(7, 7))).expect("its turn");
    world.run_for(500);
    let mut twin = twin(&world, 1);
    twin.command(Command::Play(stone(2, 2)), world.now).expect("its turn");
    let sent: Vec<Vec<u8>> = std::iter::from_fn(|| twin.poll())
        .filter_map(|output| match output {
            table::Output::Send { bytes, .. } => Some(bytes),
            _ => None,
        })
        .collect();
    let twins_act = sent.iter().find_map(|bytes| act_of(bytes)).expect("the twin signed");
    world.command(1, Command::Play(stone(4, 4))).expect("its turn");
    assert!(is_taken(&mut world, 1, twins_act));
    let state = world.table(1).state().expect("known");
    assert_eq!(state.current.as_ref().expect("a game").moves[1].action, stone(2, 2));
    assert_eq!(world.devices[1].refused, [CommandError::Stale], "the other process is told");
    world.check_end();
}

#[test]
fn a_table_is_joined_only_by_its_own_first_entry() {
    let mut world = started(2);
    let stranger = Table::open(Box::new(key(7)), [7; 32], setup(rules_for(Preset::Pente, 2, false), vec![]), 0);
    let mut joined = Table::join(Box::new(key(9)), [9; 32], stranger.id(), 0);
    let opener = world.devices[0].id;
    joined.handle(Input::LinkUp { peer: opener, address: None }, 0);
    let entries = vec![first_entry(&world)];
    joined.handle(Input::Message { from: opener, bytes: Message::Push { entries }.to_bytes() }, 1);
    let closed = std::iter::from_fn(|| joined.poll()).any(|output| matches!(output, table::Output::Disconnect { .. }));
    assert!(closed && joined.head().is_none());
    world.run_for(10);
}

fn first_entry(world: &World) -> Sealed {
    table::seal::decode(&world.devices[0].journal[0][2..]).expect("entry 0")
}

#[test]
fn another_version_is_not_spoken_with() {
    let mut world = started(2);
    let sender = world.devices[1].id;
    let hello = table::message::Hello {
        session: [1; 16],
        version: table::limits::PROTOCOL_VERSION,
        rules: table::limits::RULES_REVISION + 1,
        fresh: false,
        promise: 1,
        term: 1,
        keeper: None,
        head: None,
        on_disk: None,
        heard: Vec::new(),
        addresses: Vec::new(),
        seats: Vec::new(),
        program: String::new(),
    };
    let bytes = letter_by(&key(1), world.table(0).id(), 3_000_000, Said::Hello(hello));
    world.handle(0, Input::Message { from: sender, bytes });
    assert_eq!(world.devices[0].disconnects, [(sender, "it plays by another version of the rules")]);
}

#[test]
fn who_sends_far_too_much_is_cut_off() {
    let mut world = started(2);
    let table = world.table(0).id();
    let sender = world.devices[1].id;
    let junk = Sealed { bytes: vec![1, 2, 3], signature: table::seal::Signature([0; 64]) };
    let mut number = 5_000_000;
    for _ in 0..600 {
        for _ in 0..3 {
            number += 1;
            let bytes = letter_by(&key(1), table, number, Said::Act(junk.clone()));
            world.handle(0, Input::Message { from: sender, bytes });
        }
        world.run_for(10);
    }
    assert!(world.devices[0].disconnects.iter().any(|&(peer, _)| peer == sender));
}
