//! The toss (PROTOCOL.md, section 11): who starts where chance decides, and that nobody can choose it.

mod sim;

use rules::{FirstStart, Preset};
use sim::party::*;
use sim::port::Cheap;
use sim::{CALM, World, letter};
use table::entry::{Body, Entry, Intent};
use table::message::{Hello, Message, Note, Said};
use table::seal::Sealed;
use table::{Act, Command, CommandError, Input, Port, Presence, Proposal, SeatSetup, Setup, Terms};

fn tossed(seats: &[SeatSetup]) -> Setup {
    let rules = rules_with(Preset::CaptureFive, |options| {
        options.seats = seats.len() as u8;
        options.first_start = FirstStart::Random;
    });
    sim::setup(rules, seats.to_vec())
}

fn starter(world: &World, device: usize) -> u8 {
    state(world, device).current.as_ref().expect("a game").starter
}

/// The acts in a device's log.
fn acts(world: &World, device: usize) -> Vec<Intent> {
    let acts = world.devices[device].journal.iter().filter_map(|record| {
        let sealed: Sealed = table::seal::decode(record.get(2..)?).filter(|_| record[1] == 0)?;
        match sealed.open::<Entry>()?.body {
            Body::Act(act) => act.open(),
            Body::Opened(_) | Body::Roll(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => None,
        }
    });
    acts.collect()
}

fn nonces(world: &World, device: usize) -> Vec<(u8, [u8; 32])> {
    let nonce = |intent: Intent| match intent.act {
        Act::Reveal { nonce } => Some((intent.seat, nonce)),
        _ => None,
    };
    acts(world, device).into_iter().filter_map(nonce).collect()
}

fn is_reveal(bytes: &[u8]) -> bool {
    let Some(Message::Letter(letter)) = Message::from_bytes(bytes) else { return false };
    let Some(Note { said: Said::Act(act), .. }) = letter.note.open() else { return false };
    act.open::<Intent>().is_some_and(|intent| matches!(intent.act, Act::Reveal { .. }))
}

/// A table of this many people, all seated, in another world for each seed.
fn world(seed: u64, seats: &[SeatSetup], people: usize) -> World {
    let mut world = World::new(seed, CALM, tossed(seats), people);
    world.run_for(1_500);
    for device in 1..people {
        assert_eq!(wants(&mut world, device, Command::Sit { seat: None, name: "P".into() }), Ok(()));
    }
    world
}

fn all_ready(world: &mut World, devices: &[usize]) {
    for &device in devices {
        assert_eq!(world.command(device, Command::Ready), Ok(()));
    }
    world.run_for(800);
}

#[test]
fn the_toss_is_the_same_everywhere_and_every_seat_wins_it() {
    for (seats, people) in [(vec![OPEN, OPEN], 2), (vec![OPEN, OPEN, SeatSetup::Cpu(1)], 2), (vec![OPEN; 4], 4)] {
        let mut won = vec![0; seats.len()];
        let rounds = 40;
        for seed in 0..rounds {
            let mut world = world(seed, &seats, people);
            let devices: Vec<usize> = (0..people).collect();
            all_ready(&mut world, &devices);
            let starter = starter(&world, 0);
            assert!(devices.iter().all(|&device| self::starter(&world, device) == starter));
            assert_eq!(nonces(&world, 0).len(), people);
            won[usize::from(starter)] += 1;
        }
        assert!(won.iter().all(|&won| won >= 3), "{won:?} of {rounds}");
    }
}

#[test]
fn only_the_first_start_is_drawn_and_then_it_is_passed_on() {
    let mut world = world(3, &[OPEN, OPEN], 2);
    all_ready(&mut world, &[0, 1]);
    let first = starter(&world, 0);
    assert_eq!(wants(&mut world, 0, Command::Resign), Ok(()));
    all_ready(&mut world, &[0, 1]);
    assert_eq!(starter(&world, 1), 1 - first);
    assert_eq!(nonces(&world, 0).len(), 2, "nothing was revealed for it");
    world.check_at_rest();
}

#[test]
fn no_nonce_is_known_before_all_have_committed() {
    let mut world = world(1, &[OPEN, OPEN, OPEN], 3);
    all_ready(&mut world, &[0, 1]);
    world.run_for(20_000);
    assert_eq!(nonces(&world, 0), []);
    all_ready(&mut world, &[2]);
    let seats: Vec<u8> = nonces(&world, 0).into_iter().map(|(seat, _)| seat).collect();
    assert_eq!(seats.len(), 3);
}

#[test]
fn a_device_makes_its_nonce_again_after_a_restart() {
    let mut world = world(1, &[OPEN, OPEN], 2);
    all_ready(&mut world, &[1]);
    vanish(&mut world, 1);
    come_back(&mut world, 1);
    all_ready(&mut world, &[0]);
    assert_eq!(nonces(&world, 0).len(), 2);
    assert!(state(&world, 1).playing());
    world.check_at_rest();
}

/// Somebody who holds device 1's key says that it is there, and nothing else.
fn says_hello(world: &mut World, hello: &Hello, ms: u64) {
    for _ in 0..ms / 500 {
        let bytes = letter(1, world.table(0).id(), 2_000_000 + world.now, Said::Hello(hello.clone()));
        let from = world.devices[2].id;
        world.handle(0, Input::Message { from, bytes: bytes.clone() });
        let from = world.devices[0].id;
        world.handle(2, Input::Message { from, bytes });
        world.run_for(500);
    }
}

fn newest_hello(world: &World) -> Hello {
    let hello = |(from, _, bytes): &(usize, usize, Vec<u8>)| match Message::from_bytes(bytes)? {
        Message::Letter(letter) if *from == 1 && letter.origin == Cheap::new(1).key() => {
            match letter.note.open::<Note>()?.said {
                Said::Hello(hello) => Some(hello),
                _ => None,
            }
        }
        _ => None,
    };
    world.sent.iter().rev().find_map(hello).expect("it said hello")
}

#[test]
fn one_that_does_not_reveal_is_left_out_and_does_not_start() {
    let mut starters = [0; 3];
    for seed in 0..12 {
        let mut world = world(seed, &[OPEN, OPEN, OPEN], 3);
        world.keep_sent = true;
        world.lost = Some(|from, _, bytes| from == 1 && is_reveal(bytes));
        all_ready(&mut world, &[0, 1, 2]);
        let hello = newest_hello(&world);
        world.kill(1, usize::MAX);
        says_hello(&mut world, &hello, 3_500);
        assert!(!state(&world, 0).playing(), "it is waited for");
        assert_eq!(world.table(0).presence(1), Presence::Here);
        says_hello(&mut world, &hello, 3_500);
        assert!(state(&world, 0).playing(), "but no longer than that");
        assert_eq!(nonces(&world, 0).len(), 2, "the others' reveals stand");
        starters[usize::from(starter(&world, 0))] += 1;
        world.lost = None;
        come_back(&mut world, 1);
        // It was heard all the time and did not answer: it is called for again after a while.
        world.run_for(2_000);
        assert_eq!(world.table(0).presence(1), Presence::Here, "it plays all the same");
        world.check_at_rest();
    }
    assert_eq!(starters[1], 0);
    assert!(starters[0] > 0 && starters[2] > 0, "{starters:?}");
}

#[test]
fn one_that_is_gone_before_it_reveals_does_not_start() {
    for seed in 0..6 {
        let mut world = world(seed, &[OPEN, OPEN], 2);
        all_ready(&mut world, &[0]);
        world.lost = Some(|from, _, bytes| from == 1 && is_reveal(bytes));
        all_ready(&mut world, &[1]);
        world.kill(1, usize::MAX);
        world.run_for(6_000);
        assert!(state(&world, 0).playing(), "who was ready is not waited for");
        assert_eq!(starter(&world, 0), 0);
    }
}

#[test]
fn walking_out_and_sitting_down_again_does_not_draw_again() {
    for seed in 0..6 {
        let mut world = world(seed, &[OPEN, OPEN], 2);
        world.lost = Some(|from, _, bytes| from == 1 && is_reveal(bytes));
        all_ready(&mut world, &[0, 1]);
        // It has seen the other's nonce, and could know the outcome.
        assert_eq!(nonces(&world, 1).len(), 1);
        assert_eq!(wants(&mut world, 1, Command::Stand), Ok(()));
        assert!(!state(&world, 0).playing() && !state(&world, 0).seats[0].ready, "with one alone there is no toss");
        world.lost = None;
        assert_eq!(wants(&mut world, 1, Command::Sit { seat: None, name: "P".into() }), Ok(()));
        all_ready(&mut world, &[0, 1]);
        assert_eq!(starter(&world, 0), 0, "seed {seed}: who walked out is not drawn");
    }
}

#[test]
fn while_the_start_is_drawn_nobody_sits_down_and_no_options_change() {
    let mut world = world(1, &[OPEN, OPEN, OPEN, OPEN], 3);
    let late = world.join_late();
    world.run_for(1_500);
    world.lost = Some(|from, _, bytes| from == 1 && is_reveal(bytes));
    all_ready(&mut world, &[0, 1, 2]);
    assert_eq!(world.command(late, Command::Sit { seat: None, name: "Q".into() }), Ok(()));
    let state_now = state(&world, 2);
    let terms =
        Terms { rules: state_now.rules.to_bytes(), settings: state_now.settings, seats: vec![OPEN; 4], pin: None };
    let options = Command::Offer(Proposal::Options(terms));
    assert_eq!(wants(&mut world, 2, options), Err(CommandError::Stale));
    assert_eq!(world.command(2, Command::Sit { seat: Some(3), name: "P".into() }), Ok(()), "that waits");
    world.run_for(1_000);
    assert_eq!(state(&world, 0).owner(3), None);
    // One of three stands up: the toss goes on without drawing again.
    assert_eq!(wants(&mut world, 1, Command::Stand), Ok(()));
    world.run_for(2_500);
    let started = state(&world, 0);
    assert!(started.playing() && starter(&world, 0) != 1);
    assert_eq!(nonces(&world, 0).len(), 2);
    assert!(started.owner(3).is_some() || started.owner(1).is_some(), "then the late one sits where there is room");
    world.check_at_rest();
}

#[test]
fn whoever_plays_alone_against_cpus_is_not_always_drawn() {
    let starters: Vec<u8> = (0..20)
        .map(|seed| {
            let mut world = world(seed, &[OPEN, SeatSetup::Cpu(2)], 1);
            all_ready(&mut world, &[0]);
            starter(&world, 0)
        })
        .collect();
    assert!(starters.contains(&0) && starters.contains(&1), "{starters:?}");
}
