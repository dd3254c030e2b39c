//! People who share a device (PROTOCOL.md, section 12): how they sit down, whose turn it is, what they ask of each other and
//! of nobody else, and what is refused them. And the ask to stand up (section 4).

mod sim;

use sim::World;
use sim::party::*;
use table::{Command, CommandError, EventKind, Grace, Proposal, SeatSetup, Sitter};

const CPU: SeatSetup = SeatSetup::Cpu(1);

fn here(world: &mut World, device: usize, seat: u8, name: &str) -> Result<(), CommandError> {
    let done = world.command(device, Command::SitHere { seat, name: name.into() });
    world.run_for(300);
    done
}

/// Device 0 with its own person in seat 0, and others who share it; everybody is ready.
fn shared(seats: &[SeatSetup], shared: &[u8], people: usize) -> World {
    let mut world = seated(table_of(seats, |_| {}), people);
    for &seat in shared {
        assert_eq!(here(&mut world, 0, seat, "Mei"), Ok(()));
    }
    for device in 0..people {
        world.command(device, Command::Ready).expect("there is a party");
    }
    world.run_for(600);
    assert!(state(&world, 0).playing());
    world
}

#[test]
fn three_at_one_device_play_in_turn_and_go_on_after_a_restart() {
    let mut world = shared(&[OPEN; 3], &[1, 2], 1);
    let mut turns = Vec::new();
    for number in 0..7 {
        let turn = state(&world, 0).turn_seat();
        let me = world.devices[0].id;
        assert_eq!(state(&world, 0).acting_seat(me), turn);
        turns.extend(turn);
        play(&mut world);
        if number == 3 {
            vanish(&mut world, 0);
            come_back(&mut world, 0);
            world.run_for(2_000);
        }
    }
    assert_eq!(turns, [0, 1, 2, 0, 1, 2, 0]);
}

#[test]
fn nobody_is_asked_at_a_shared_device() {
    let mut world = shared(&[OPEN, OPEN, CPU], &[1], 1);
    let me = world.devices[0].id;
    while ply(&world, 0) < 3 || state(&world, 0).turn_seat() == Some(2) {
        match state(&world, 0).turn_seat() {
            Some(2) => world.run_for(500),
            _ => {
                play(&mut world);
            }
        }
    }
    let before = ply(&world, 0);
    let last = state(&world, 0).asking_seat(me, &Proposal::Undo).expect("one of them moved");
    assert_eq!(last, 1, "the newest stone by hand is seat 1's");
    assert_eq!(world.command(0, Command::Offer(Proposal::Undo)), Ok(()));
    world.run_for(300);
    assert!(state(&world, 0).offers.is_empty());
    assert!(ply(&world, 0) < before);
    assert_eq!(state(&world, 0).turn_seat(), Some(1));
    assert_eq!(
        world.command(0, Command::Offer(Proposal::Draw)),
        Ok(()),
        "two people can agree, whatever the CPU thinks"
    );
    world.run_for(300);
    assert!(state(&world, 0).result().is_some());
}

#[test]
fn who_resigns_is_whose_turn_it_is() {
    let mut world = shared(&[OPEN; 3], &[1, 2], 1);
    play(&mut world);
    assert_eq!(world.command(0, Command::Resign), Ok(()));
    world.run_for(300);
    assert!(state(&world, 0).cpu_plays(1));
    assert!(!state(&world, 0).cpu_plays(0) && !state(&world, 0).cpu_plays(2));
}

#[test]
fn people_at_other_devices_are_asked_as_ever() {
    let mut world = shared(&[OPEN; 3], &[2], 2);
    play(&mut world);
    assert_eq!(world.command(0, Command::Offer(Proposal::Draw)), Ok(()));
    world.run_for(500);
    let waits = state(&world, 1).offers.first().map(|offer| state(&world, 1).to_answer(offer));
    assert_eq!(waits, Some(vec![1]), "the other device's person, and not who shares this one");
    assert!(state(&world, 1).result().is_none());
}

#[test]
fn a_place_beside_the_own_one_is_refused_where_it_cannot_be() {
    let mut world = seated(table_of(&[OPEN; 4], |_| {}), 2);
    let stranger = world.join_late();
    world.run_for(1_500);
    assert_eq!(here(&mut world, stranger, 2, "Mei"), Err(CommandError::NotSeated));
    assert_eq!(here(&mut world, 0, 1, "Mei"), Err(CommandError::SeatTaken));
    assert_eq!(here(&mut world, 0, 9, "Mei"), Err(CommandError::NoSuchSeat));
    assert_eq!(here(&mut world, 0, 2, &"é".repeat(41)), Err(CommandError::NameTooLong));
    assert_eq!(here(&mut world, 0, 2, "Mei"), Ok(()));
    assert_eq!(world.table(1).state().expect("known").seats_of(world.devices[0].id), [0, 2]);
    for device in 0..2 {
        world.command(device, Command::Ready).expect("a party");
    }
    world.run_for(600);
    assert_eq!(here(&mut world, 0, 3, "Tom"), Err(CommandError::GameRuns));

    let ranked = |setup: &mut table::Setup| setup.settings = settings_of(Grace::default(), true);
    let mut world = seated(table_of(&[OPEN; 3], ranked), 2);
    assert!(here(&mut world, 0, 2, "Mei").is_err(), "each seat of a ranked game is another device");
}

#[test]
fn every_device_knows_who_is_a_guest_and_whose() {
    let mut world = seated(table_of(&[OPEN; 4], |_| {}), 2);
    assert_eq!(here(&mut world, 1, 2, "Mei"), Ok(()));
    let stranger = world.join_late();
    world.run_for(2_000);
    let ben = world.devices[1].id;
    for device in 0..=stranger {
        let state = state(&world, device);
        let guests: Vec<u8> = (0..4).filter(|&seat| state.is_guest(seat)).collect();
        assert_eq!((guests, state.host_seat(ben)), (vec![2], Some(1)), "device {device}");
    }
}

/// A guest may sit at a lower place than the person whose device it is.
#[test]
fn who_changes_seats_leaves_the_own_place_and_nobody_elses() {
    let mut world = seated(table_of(&[OPEN; 4], |_| {}), 1);
    let me = world.devices[0].id;
    let to = |world: &mut World, seat: u8| {
        let done = world.command(0, Command::Sit { seat: Some(seat), name: "Anna".into() });
        world.run_for(300);
        done
    };
    assert_eq!(to(&mut world, 3), Ok(()));
    assert_eq!(here(&mut world, 0, 1, "Mei"), Ok(()));
    assert_eq!((world.table(0).my_seat(), world.table(0).acting_seat()), (Some(3), Some(3)));
    assert_eq!(to(&mut world, 2), Ok(()));
    assert_eq!(state(&world, 0).seats_of(me), [1, 2]);
    assert_eq!((state(&world, 0).is_guest(1), state(&world, 0).host_seat(me)), (true, Some(2)));
    assert_eq!(to(&mut world, 1), Ok(()), "where a guest sits there is nothing to do");
    assert_eq!(state(&world, 0).seats_of(me), [1, 2]);
}

#[test]
fn standing_up_gives_every_place_of_the_device_up() {
    let mut world = seated(table_of(&[OPEN; 4], |_| {}), 2);
    assert_eq!(here(&mut world, 0, 2, "Mei"), Ok(()));
    assert_eq!(here(&mut world, 0, 3, "Tom"), Ok(()));
    assert_eq!(world.command(0, Command::Stand), Ok(()));
    world.run_for(1_500);
    let seats = &world.table(1).state().expect("known").seats;
    let open = seats.iter().filter(|seat| seat.sitter == Sitter::Nobody).count();
    assert_eq!(open, 3);
}

#[test]
fn somebody_can_be_asked_to_stand_up_before_the_start_and_stays_free_to_stay() {
    let mut world = seated(table_of(&[OPEN, OPEN, CPU], |_| {}), 2);
    let ask = |world: &mut World, device: usize, seat: u8| world.command(device, Command::AskToStand { seat });
    assert_eq!(ask(&mut world, 0, 0), Err(CommandError::NobodyToAsk), "oneself");
    assert_eq!(ask(&mut world, 0, 2), Err(CommandError::NobodyToAsk), "the CPU");
    assert_eq!(ask(&mut world, 0, 9), Err(CommandError::NoSuchSeat));
    let before = world.table(1).head();
    assert_eq!(ask(&mut world, 0, 1), Ok(()));
    assert_eq!(ask(&mut world, 0, 1), Err(CommandError::TooSoon));
    world.run_for(500);
    let asked = |kind: &EventKind| match kind {
        EventKind::Said { seat: 0, phrase } => table::asked_to_stand(*phrase),
        _ => None,
    };
    let heard: Vec<u8> = world.devices[1].events.iter().filter_map(|event| asked(&event.kind)).collect();
    assert_eq!(heard, [1]);
    assert_eq!(world.table(1).head(), before, "it is an ask, and no entry");
    for device in 0..2 {
        world.command(device, Command::Ready).expect("a party");
    }
    world.run_for(2_000);
    assert_eq!(ask(&mut world, 0, 1), Err(CommandError::GameRuns));
}
