//! Devices that go and come back, the opener's among them: rolls, resuming, catching up, finality.

mod sim;

use rules::Preset;
use sim::person::{Person, rules_for};
use sim::{CALM, World, setup};
use table::entry::{Body, Entry};
use table::message::{Letter, Message, Note, Said};
use table::seal::Sealed;
use table::{Command, EventKind, Presence, SeatSetup};

/// A running game of so many people, on a link of 1 to 20 ms.
fn playing(seed: u64, people: usize) -> World {
    let seats = vec![SeatSetup::Open; people];
    let mut world = World::new(seed, CALM, setup(rules_for(Preset::CaptureFive, people as u8, false), seats), people);
    for device in 0..people {
        world.seat_person(device, Person::new("P", 1, people));
    }
    world.play_until_ply(6);
    world
}

fn presence(world: &World, device: usize, seat: u8) -> Presence {
    world.table(device).presence(seat)
}

fn term(world: &World, device: usize) -> u64 {
    world.table(device).state().expect("known").term
}

fn head_index(world: &World, device: usize) -> u32 {
    world.table(device).head().expect("known").0
}

/// The letters that a device sent, from a moment on.
fn letters(world: &World, device: usize, from: usize) -> Vec<Said> {
    let own = world.sent[from..].iter().filter(|(sender, _, _)| *sender == device);
    own.filter_map(|(_, _, bytes)| match Message::from_bytes(bytes) {
        Some(Message::Letter(Letter { origin: _, note })) => note.open::<Note>().map(|note| note.said),
        Some(
            Message::Push { .. } | Message::Want { .. } | Message::Locked { .. } | Message::Enter { .. } | Message::Bye,
        )
        | None => None,
    })
    .collect()
}

#[test]
fn one_that_says_goodbye_is_away_at_once_and_comes_back_to_its_seat() {
    let mut world = playing(1, 3);
    world.command(2, Command::Leave).expect("it may");
    let has_left = |world: &World| (0..2).all(|device| world.table(device).said_goodbye(2));
    assert!(world.run_until_holds(200, has_left), "it is known to have left before it is away");
    world.run_for(1_000);
    assert_eq!(presence(&world, 0, 2), Presence::Away);
    assert_eq!(presence(&world, 1, 2), Presence::Away);
    assert!(world.table(1).state().expect("known").turn_seat().is_some());
    world.kill(2, usize::MAX);
    world.run_for(3_000);
    world.restart(2);
    world.run_for(2_000);
    assert_eq!(world.table(2).my_seat(), Some(2));
    for device in 0..3 {
        assert_eq!(presence(&world, device, 2), Presence::Here);
        assert!(!world.table(device).said_goodbye(2));
    }
    let over = |world: &World| !world.table(0).state().expect("known").playing();
    assert!(world.run_until_holds(300_000, over), "the game goes on with all three");
    world.run_for(2_000);
    world.check_at_rest();
}

#[test]
fn a_short_cut_leaves_no_trace_in_the_log_but_moves() {
    let mut world = playing(2, 2);
    let before = term(&world, 0);
    world.cut(0, 1, 1_500);
    world.run_for(3_000);
    assert_eq!(term(&world, 0), before);
    assert_eq!(world.told(0, |kind| matches!(kind, EventKind::Seat { presence: Presence::Away, .. })), 0);
}

#[test]
fn a_longer_cut_is_a_roll_and_its_end_another() {
    let mut world = playing(3, 2);
    let before = term(&world, 0);
    world.hold_down(0, 1);
    let away = |world: &World| presence(world, 0, 1) == Presence::Away;
    assert!(world.run_until_holds(4_100, away), "within 4 s");
    assert_eq!(term(&world, 0), before + 1);
    assert!(world.table(1).keeper_gone() && world.table(1).cut_off(), "the other says that it waits");
    assert_eq!(presence(&world, 1, 0), Presence::Silent, "nothing of it is in its log");
    world.let_up(0, 1);
    let back = |world: &World| presence(world, 0, 1) == Presence::Here && presence(world, 1, 0) == Presence::Here;
    assert!(world.run_until_holds(1_500, back));
    assert!(!world.table(1).keeper_gone());
    world.run_for(500);
    assert_eq!(term(&world, 1), before + 2);
}

#[test]
fn while_the_opener_is_gone_another_keeps_and_it_comes_back_as_an_ordinary_device() {
    let mut world = playing(4, 2);
    for device in 0..2 {
        world.devices[device].person = None;
    }
    world.run_for(1_000);
    // Make it the second player's turn.
    let turn_of_1 = |world: &World| world.table(1).state().expect("known").turn_seat() == Some(1);
    if !turn_of_1(&world) {
        let game = world.table(0).state().and_then(|state| state.current.as_ref()).expect("a game").game.clone();
        let action = sim::person::random_action(&game, &mut world.rng);
        world.command(0, Command::Play(action)).expect("its turn");
        world.run_for(300);
    }
    assert!(turn_of_1(&world));
    world.kill(0, usize::MAX);
    let game = world.table(1).state().and_then(|state| state.current.as_ref()).expect("a game").game.clone();
    let action = sim::person::random_action(&game, &mut world.rng);
    world.command(1, Command::Play(action.clone())).expect("its turn");
    assert_eq!(world.table(1).ghost(), Some(&action), "nobody keeps yet");
    world.run_for(6_000);
    assert_eq!(world.table(1).ghost(), None);
    assert_eq!(world.table(1).state().expect("known").keeper, world.devices[1].id);
    assert_eq!(presence(&world, 1, 0), Presence::Away);
    world.restart(0);
    world.run_for(1_000);
    let state = world.table(0).state().expect("known");
    assert_eq!(state.keeper, world.devices[1].id, "who keeps goes on keeping");
    let current = state.current.as_ref().expect("a game");
    assert_eq!(current.moves.last().map(|made| &made.action), Some(&action));
    assert_eq!(presence(&world, 1, 0), Presence::Here);
    world.check_end();
}

/// Runs until device 1 has an entry on disk that device 0, which made it, has not; its index and hash.
fn get_ahead(world: &mut World) -> (u32, table::Hash) {
    for device in 0..2 {
        world.seat_person(device, Person::new("P", 99, 2));
    }
    for _ in 0..20_000 {
        world.run_for(1);
        if head_index(world, 1) > head_index(world, 0) {
            return world.table(1).head().expect("known");
        }
    }
    panic!("seed {}: no entry was on the other's disk first", world.seed);
}

#[test]
fn logs_that_part_become_one_and_what_does_not_go_on_is_a_branch() {
    let mut world = playing(8, 2);
    get_ahead(&mut world);
    // The opener loses its newest entry for good and goes on alone; so does the other.
    world.kill(0, 0);
    world.hold_down(0, 1);
    world.restart(0);
    for device in 0..2 {
        world.devices[device].person = None;
    }
    world.run_for(8_000);
    let apart = [0, 1].map(|device| world.table(device).head());
    assert_ne!(apart[0], apart[1]);
    assert!([0, 1].iter().all(|&device| !world.table(device).is_fresh()));
    world.let_up(0, 1);
    world.run_for(5_000);
    world.check_at_rest();
    for device in 0..2 {
        let kept = world.table(device).branches();
        let heads: Vec<_> = kept.iter().map(|branch| Some(branch.head)).collect();
        let lost = apart.iter().filter(|head| !world.table(device).has_entry(head.expect("known").1)).count();
        assert_eq!(lost, 0, "device {device} has all of both sides: {heads:?}");
        assert!(!kept.is_empty());
        let again = table::Table::resume(
            Box::new(sim::port::Cheap::new(device)),
            [0; 32],
            &world.devices[device].journal,
            world.now,
        );
        assert_eq!(again.expect("its journal").branches().len(), kept.len(), "on disk, too");
    }
}

#[test]
fn a_fresh_device_acknowledges_nothing_until_the_roll_with_its_answer() {
    let mut world = playing(9, 2);
    world.keep_sent = true;
    world.kill(1, usize::MAX);
    let from = world.sent.len();
    world.restart(1);
    let mut acks_while_fresh = 0;
    for _ in 0..3_000 {
        let before = world.sent.len();
        let was_fresh = world.table(1).is_fresh();
        world.run_for(1);
        let acks = letters(&world, 1, before).iter().filter(|said| matches!(said, Said::Ack { .. })).count();
        if was_fresh && world.table(1).is_fresh() {
            acks_while_fresh += acks;
        }
    }
    assert_eq!(acks_while_fresh, 0);
    assert!(letters(&world, 1, from).iter().any(|said| matches!(said, Said::Ack { .. })), "then it does");
}

#[test]
fn an_answer_waits_for_the_promise_to_be_on_disk_and_is_given_once_a_term() {
    let mut world = playing(10, 2);
    for device in 0..2 {
        world.devices[device].person = None;
    }
    world.run_for(2_000);
    world.faults.disk = (400, 400);
    world.keep_sent = true;
    // What device 1 says goes nowhere, so that the opener does not answer with calls of its own.
    world.hold_down(0, 1);
    world.run_for(4_000);
    let opener = world.devices[0].id;
    world.handle(1, table::Input::LinkUp { peer: opener, address: None });
    let promise = world.table(1).promise();
    let call = sim::letter(0, world.table(0).id(), 1_000_000, Said::Call { term: promise + 1 });
    let from = world.sent.len();
    world.handle(1, table::Input::Message { from: opener, bytes: call.clone() });
    world.run_for(300);
    let here = |said: &Said| matches!(said, Said::Here(_));
    assert_eq!(letters(&world, 1, from).iter().filter(|said| here(said)).count(), 0);
    assert_eq!(world.table(1).promise(), promise + 1, "from the call on it takes nothing of a lower term");
    world.run_for(150);
    assert_eq!(letters(&world, 1, from).iter().filter(|said| here(said)).count(), 1);
    let again = sim::letter(0, world.table(0).id(), 1_000_001, Said::Call { term: promise + 1 });
    let from = world.sent.len();
    world.handle(1, table::Input::Message { from: opener, bytes: again });
    world.run_for(450);
    assert_eq!(letters(&world, 1, from).iter().filter(|said| here(said)).count(), 0, "one caller a term");
    // The opener hears of the higher promise, and calls above it.
    world.faults.disk = (1, 8);
    world.let_up(0, 1);
    world.run_for(3_000);
    assert!(term(&world, 0) > promise + 1);
    assert_eq!(world.heads().len(), 1);
}

#[test]
fn a_roll_is_on_its_makers_disk_before_anybody_hears_of_it() {
    let mut world = playing(19, 3);
    world.keep_sent = true;
    world.faults.disk = (100, 150);
    world.hold_down(0, 2);
    world.hold_down(1, 2);
    let (mut looked, mut rolls) = (world.sent.len(), 0);
    for _ in 0..6_000 {
        world.run_for(1);
        let written: Vec<Sealed> = world.devices[0].journal.iter().filter_map(|record| entry_of(record)).collect();
        for (_, _, bytes) in world.sent[looked..].iter().filter(|(from, _, _)| *from == 0) {
            let Some(Message::Push { entries }) = Message::from_bytes(bytes) else { continue };
            for sealed in entries.into_iter().filter(is_roll) {
                rolls += 1;
                assert!(written.contains(&sealed), "at {} ms", world.now);
            }
        }
        looked = world.sent.len();
    }
    assert!(rolls > 0);
}

/// The entry in a journal's record.
fn entry_of(record: &[u8]) -> Option<Sealed> {
    let (&kind, sealed) = record.get(1..)?.split_first()?;
    table::seal::decode(sealed).filter(|_| kind == 0)
}

fn is_roll(sealed: &Sealed) -> bool {
    sealed.open::<Entry>().is_some_and(|entry| matches!(entry.body, Body::Roll(_)))
}

#[test]
fn after_an_answer_entries_of_a_lower_term_wait_for_the_roll() {
    let mut world = playing(20, 2);
    for device in 0..2 {
        world.devices[device].person = None;
    }
    world.run_for(1_000);
    // The opener enters something that device 1 does not hear of.
    world.hold_down(0, 1);
    let turn = world.table(0).state().and_then(|state| state.turn_seat()).expect("a game");
    let command = if turn == 0 { move_of(&mut world, 0) } else { Command::Resign };
    world.command(0, command).expect("it may");
    world.run_for(100);
    let head = world.table(1).head().expect("known");
    let next = world.devices[0]
        .journal
        .iter()
        .filter_map(|record| entry_of(record))
        .find(|sealed| sealed.open::<Entry>().is_some_and(|entry| entry.index == head.0 + 1));
    let opener = world.devices[0].id;
    let term = world.table(1).promise() + 1;
    world.handle(1, table::Input::LinkUp { peer: opener, address: None });
    let call = sim::letter(0, world.table(0).id(), 1_000_000, Said::Call { term });
    world.handle(1, table::Input::Message { from: opener, bytes: call });
    let push = Message::Push { entries: vec![next.expect("it was entered")] }.to_bytes();
    world.handle(1, table::Input::Message { from: opener, bytes: push });
    world.run_for(200);
    assert_eq!(world.table(1).head(), Some(head), "it is not taken after the answer");
    world.let_up(0, 1);
    world.run_for(4_000);
    assert!(world.table(1).head().is_some_and(|(index, _)| index > head.0), "but with the roll");
    world.check_at_rest();
}

/// A move at random for the device whose turn it is.
fn move_of(world: &mut World, device: usize) -> Command {
    let game = world.table(device).state().and_then(|state| state.current.as_ref()).expect("a game").game.clone();
    Command::Play(sim::person::random_action(&game, &mut world.rng))
}

#[test]
fn a_promise_survives_a_restart() {
    let mut world = playing(11, 2);
    let opener = world.devices[0].id;
    let promise = world.table(1).promise() + 10;
    let call = sim::letter(0, world.table(0).id(), 1_000_000, Said::Call { term: promise });
    world.handle(1, table::Input::Message { from: opener, bytes: call });
    world.hold_down(0, 1);
    world.run_for(100);
    world.kill(1, 0);
    world.restart(1);
    assert_eq!(world.table(1).promise(), promise);
    let far = sim::letter(0, world.table(0).id(), 1_000_001, Said::Call { term: promise + (1 << 21) });
    world.handle(1, table::Input::LinkUp { peer: opener, address: None });
    world.handle(1, table::Input::Message { from: opener, bytes: far });
    assert_eq!(world.table(1).promise(), promise, "a term out of all proportion is ignored");
}

#[test]
fn with_two_named_an_entry_is_final_when_both_have_it_on_disk() {
    let mut world = playing(12, 2);
    for device in 0..2 {
        world.devices[device].person = None;
    }
    world.run_for(1_000);
    assert_eq!(world.table(0).final_upto(), world.table(0).head().map(|(index, _)| index));
    // The other's disk takes nothing any more: what is entered is not final anywhere.
    world.devices[1].disk_full = true;
    let before = world.table(0).final_upto();
    let turn = world.table(0).state().and_then(|state| state.turn_seat()).expect("a game");
    let game = world.table(0).state().and_then(|state| state.current.as_ref()).expect("a game").game.clone();
    let action = sim::person::random_action(&game, &mut world.rng);
    world.command(usize::from(turn), Command::Play(action)).expect("its turn");
    world.run_for(1_000);
    assert_eq!(head_index(&world, 0), head_index(&world, 1), "play goes on in memory");
    assert!(world.table(1).not_saved() && !world.table(0).not_saved());
    assert_eq!(world.table(0).final_upto(), before);
    assert_eq!(world.table(1).final_upto(), before);
    // There is space again: it is written after all.
    world.devices[1].disk_full = false;
    world.run_for(6_000);
    assert!(!world.table(1).not_saved());
    assert_eq!(world.table(0).final_upto(), Some(head_index(&world, 0)));
    world.check_at_rest();
}

#[test]
fn a_disk_that_is_full_for_a_while_leaves_a_good_journal() {
    let mut world = playing(13, 2);
    world.devices[0].disk_full = true;
    world.run_for(700);
    world.devices[0].disk_full = false;
    let over = |world: &World| !world.table(0).state().expect("known").playing();
    assert!(world.run_until_holds(300_000, over));
    world.run_for(12_000);
    assert!(!world.table(0).not_saved());
    world.check_at_rest();
}

#[test]
fn a_device_that_slept_is_fresh_and_taken_in_again() {
    let mut world = playing(14, 3);
    for sleeper in [2, 0] {
        let before = term(&world, 1);
        world.devices[sleeper].asleep = true;
        world.run_for(6_000);
        world.devices[sleeper].asleep = false;
        world.run_for(3_000);
        assert!(term(&world, 1) > before, "device {sleeper}");
        assert!(!world.table(sleeper).is_fresh());
        assert_eq!(presence(&world, 1, sleeper as u8), Presence::Here);
    }
}

#[test]
fn a_missing_link_costs_a_hop_and_nothing_else() {
    let mut world = playing(15, 3);
    let before = term(&world, 0);
    let addresses: Vec<std::net::SocketAddr> = vec!["192.0.2.7:40515".parse().expect("an address")];
    world.handle(2, table::Input::Addresses(addresses.clone()));
    world.hold_down(0, 2);
    let over = |world: &World| !world.table(0).state().expect("known").playing();
    assert!(world.run_until_holds(300_000, over));
    world.run_for(1_500);
    assert_eq!(term(&world, 0), before, "nobody was away");
    let dialled = (world.devices[2].id, addresses);
    assert!(world.devices[0].dials.contains(&dialled), "it says where the one that is missed can be reached");
    world.let_up(0, 2);
    world.run_for(1_000);
    world.check_at_rest();
}

#[test]
fn a_restarted_device_is_taken_in_over_another_ones_link() {
    let mut world = playing(16, 3);
    world.hold_down(0, 2);
    world.kill(2, 0);
    world.run_for(6_000);
    world.restart(2);
    world.run_for(4_000);
    assert_eq!(presence(&world, 0, 2), Presence::Here);
    assert!(!world.table(2).is_fresh());
}

#[test]
fn a_late_joiner_catches_up_page_by_page_and_then_knows_the_table() {
    let seats = vec![SeatSetup::Open, SeatSetup::Open];
    let mut world = World::new(17, CALM, setup(rules_for(Preset::Gomoku, 2, false), seats), 2);
    for device in 0..2 {
        world.seat_person(device, Person::new("P", 40, 2));
    }
    let long = |world: &World| head_index(world, 0) > 500;
    assert!(world.run_until_holds(900_000, long), "{}", head_index(&world, 0));
    world.keep_sent = true;
    let late = world.join_late();
    world.run_for(3_000);
    assert_eq!(world.told(late, |kind| matches!(kind, EventKind::Table)), 1);
    assert!(head_index(&world, late) + 3 > head_index(&world, 0));
    let pages = world.sent.iter().filter(|(_, to, bytes)| {
        *to == late && matches!(Message::from_bytes(bytes), Some(Message::Push { entries }) if entries.len() > 20)
    });
    assert!(pages.count() >= 2);
    let first = &world.devices[late].events.iter().find(|event| !matches!(event.kind, EventKind::Link { .. }));
    assert!(first.is_some_and(|event| event.kind == EventKind::Table), "nothing is told before it is known");
}

#[test]
fn an_unsteady_device_is_left_out_for_a_while() {
    let mut world = playing(18, 3);
    world.devices[2].person = None;
    let mut rolls = term(&world, 0);
    for _ in 0..40 {
        world.kill(2, usize::MAX);
        world.restart(2);
        world.run_for(650);
    }
    rolls = term(&world, 0) - rolls;
    assert!(rolls <= table::limits::UNSTEADY_ROLLS as u64 + 3, "{rolls} rolls");
    world.run_for(table::limits::UNSTEADY_MS + 3_000);
    assert_eq!(presence(&world, 0, 2), Presence::Here, "then it is let in again");
}
