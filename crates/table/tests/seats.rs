//! Sitting, standing, starting, resigning: what people do at a table, and what it refuses them.

mod sim;

use rules::{Action, Condition, Outcome, Preset};
use sim::person::{Person, random_action, rules_for};
use sim::port::Cheap;
use sim::{CALM, World, letter, setup};
use table::entry::Intent;
use table::limits::SILENT_MS;
use table::message::Said;
use table::seal::{Kind, Sealed};
use table::{Act, Command, CommandError, EventKind, Hash, Input, Port, Presence, SeatSetup, Setup, Sitter};

const OPEN: SeatSetup = SeatSetup::Open;

/// A table of Capture Five, device 0 its opener.
fn world(seats: &[SeatSetup], devices: usize) -> World {
    world_of(setup(rules_for(Preset::CaptureFive, seats.len() as u8, false), seats.to_vec()), devices)
}

fn world_of(setup: Setup, devices: usize) -> World {
    let mut world = World::new(1, CALM, setup, devices);
    world.run_for(1_500);
    world
}

fn sit(world: &mut World, device: usize, seat: Option<u8>) -> Result<(), CommandError> {
    let done = world.command(device, Command::Sit { seat, name: format!("P{device}") });
    world.run_for(300);
    done
}

/// Everybody sits and says ready.
fn started(seats: &[SeatSetup], people: usize) -> World {
    let mut world = world(seats, people);
    start(&mut world, people);
    world
}

fn start(world: &mut World, people: usize) {
    for device in 1..people {
        sit(world, device, None).expect("there is a seat");
    }
    for device in 0..people {
        world.command(device, Command::Ready).expect("there is a party");
    }
    world.run_for(400);
    assert!(world.table(0).state().expect("known").playing());
}

fn order(world: &World) -> Vec<u8> {
    world.table(0).state().expect("known").current.as_ref().expect("a game").order.clone()
}

fn play_turn(world: &mut World) {
    let state = world.table(0).state().expect("known");
    let seat = state.turn_seat().expect("somebody's turn");
    let owner = state.owner(seat).expect("a person's");
    let action = random_action(&state.current.as_ref().expect("a game").game.clone(), &mut world.rng);
    let device = world.devices.iter().position(|device| device.id == owner).expect("of this world");
    world.command(device, Command::Play(action)).expect("it is its turn");
    world.run_for(300);
}

#[test]
fn people_sit_where_there_is_room() {
    let mut world = world(&[OPEN, OPEN, SeatSetup::Cpu(4)], 4);
    assert_eq!(sit(&mut world, 1, Some(7)), Err(CommandError::NoSuchSeat));
    assert_eq!(sit(&mut world, 1, Some(0)), Err(CommandError::SeatTaken));
    let long = Command::Sit { seat: None, name: "é".repeat(41) };
    assert_eq!(world.command(1, long), Err(CommandError::NameTooLong));
    assert_eq!(sit(&mut world, 1, None), Ok(()));
    assert_eq!(world.table(1).my_seat(), Some(1));
    assert_eq!(sit(&mut world, 2, None), Err(CommandError::Full));
    assert_eq!(sit(&mut world, 2, Some(2)), Ok(()), "a CPU makes room for somebody who asks for its seat");
    assert_eq!(world.table(2).my_seat(), Some(2));
    assert_eq!(sit(&mut world, 3, None), Err(CommandError::Full));
    for device in 0..4 {
        for seat in 0..3 {
            assert_eq!(world.table(device).presence(seat), Presence::Here, "device {device}, seat {seat}");
        }
    }
    world.check_end();
}

#[test]
fn of_two_who_want_the_last_seat_one_is_told_that_it_is_taken() {
    let mut world = world(&[OPEN, OPEN], 3);
    for device in [1, 2] {
        assert_eq!(world.command(device, Command::Sit { seat: Some(1), name: "P".into() }), Ok(()));
    }
    world.run_for(1_000);
    let seated: Vec<Option<u8>> = [1, 2].map(|device| world.table(device).my_seat()).to_vec();
    assert_eq!(seated.iter().filter(|seat| seat.is_some()).count(), 1);
    let late = if seated[0].is_some() { 2 } else { 1 };
    assert_eq!(world.devices[late].refused, [CommandError::SeatTaken]);
    assert_eq!(world.devices[3 - late].refused, []);
}

#[test]
fn of_two_who_take_any_seat_the_second_gets_the_next() {
    let mut world = world(&[OPEN, OPEN, OPEN], 3);
    for device in [1, 2] {
        assert_eq!(world.command(device, Command::Sit { seat: None, name: "P".into() }), Ok(()));
    }
    world.run_for(1_500);
    let mut seated = [1, 2].map(|device| world.table(device).my_seat());
    seated.sort();
    assert_eq!(seated, [Some(1), Some(2)]);
}

#[test]
fn seats_are_changed_before_the_start_only() {
    let mut world = world(&[OPEN, OPEN, OPEN], 2);
    sit(&mut world, 1, None).expect("there is a seat");
    assert_eq!(sit(&mut world, 1, Some(2)), Ok(()));
    assert_eq!(world.table(0).presence(1), Presence::Open);
    assert_eq!(world.table(1).my_seat(), Some(2));
    assert_eq!(sit(&mut world, 0, Some(1)), Ok(()), "the opener, too");
    assert_eq!(world.table(1).presence(0), Presence::Open);
    for device in [0, 1] {
        world.command(device, Command::Ready).expect("two are there");
    }
    world.run_for(300);
    assert_eq!(order(&world), [1, 2]);
    assert_eq!(sit(&mut world, 1, Some(0)), Err(CommandError::GameRuns));
    world.check_end();
}

#[test]
fn a_game_starts_with_those_who_are_there() {
    let options = rules::Options { seats: 4, teams: true, ..Preset::CaptureFive.options() };
    let rules = options.check(Preset::CaptureFive).expect("coherent");
    let mut world = world_of(setup(rules, vec![OPEN, OPEN, SeatSetup::Cpu(2), OPEN]), 2);
    assert_eq!(world.command(1, Command::Ready), Err(CommandError::NotSeated));
    sit(&mut world, 1, Some(3)).expect("it is open");
    world.command(0, Command::Ready).expect("there is a party");
    world.run_for(300);
    assert!(!world.table(0).state().expect("known").playing(), "one who sits is not ready");
    world.command(1, Command::Ready).expect("there is a party");
    world.run_for(300);
    let state = world.table(1).state().expect("known");
    assert_eq!(order(&world), [0, 2, 3]);
    assert!(!state.rules.options().teams && state.rules.players() == 3, "three are no teams");
    assert_eq!(world.command(1, Command::Ready), Err(CommandError::GameRuns));
}

#[test]
fn one_person_alone_cannot_start() {
    let mut world = world(&[OPEN, OPEN], 1);
    assert_eq!(world.command(0, Command::Ready), Err(CommandError::Alone));
    assert_eq!(world.command(0, Command::Resign), Err(CommandError::NoGame));
    assert_eq!(world.command(0, Command::Play(Action::Add)), Err(CommandError::NoGame));
}

#[test]
fn moves_are_checked_before_they_are_signed() {
    let mut world = started(&[OPEN, OPEN], 2);
    let centre = Action::place(rules::BoardSize::Fifteen.centre());
    assert_eq!(world.command(1, Command::Play(centre.clone())), Err(CommandError::NotYourTurn));
    let off = Action::place(rules::Point::new(18, 18).expect("a point"));
    assert_eq!(world.command(0, Command::Play(off)), Err(CommandError::Rules(rules::Refusal::OffBoard)));
    assert_eq!(world.command(0, Command::Play(centre.clone())), Ok(()));
    assert_eq!(world.table(0).ghost(), Some(&centre), "a ghost until it is on the disk");
    let other = Action::place(rules::Point::new(3, 3).expect("a point"));
    assert!(world.command(0, Command::Play(other)).is_err(), "one move a turn");
    world.run_for(200);
    assert_eq!(world.table(0).ghost(), None);
    assert_eq!(world.command(1, Command::Play(centre)), Err(CommandError::Rules(rules::Refusal::Occupied)));
}

#[test]
fn the_start_is_passed_on() {
    let mut world = started(&[OPEN, OPEN, OPEN], 3);
    let mut starters = vec![order(&world)[0]];
    for _ in 0..3 {
        // Everybody but the last resigns in the two-sided sense is not possible with three: play it out.
        for device in 0..3 {
            world.seat_person(device, Person::new("P", starters.len() as u32 + 1, 3));
        }
        let games = starters.len() as u32 + 1;
        let next = move |world: &World| {
            let state = world.table(0).state().expect("known");
            state.playing() && state.current.as_ref().is_some_and(|current| current.number == games)
        };
        assert!(world.run_until_holds(200_000, next), "game {games} starts");
        starters.push(order(&world)[0]);
    }
    assert_eq!(starters, [0, 1, 2, 0]);
}

#[test]
fn a_random_starter_is_the_same_everywhere_and_not_always_the_same() {
    let rules = rules_for(Preset::Wuziqi, 2, false);
    let mut drawn = [0, 0];
    for seed in 0..20 {
        let mut world = World::new(seed, CALM, setup(rules, vec![OPEN, OPEN]), 2);
        world.run_for(1_000);
        start(&mut world, 2);
        let starters = [0, 1].map(|device| {
            world.table(device).state().and_then(|state| state.current.as_ref()).expect("a game").starter
        });
        assert_eq!(starters[0], starters[1]);
        drawn[usize::from(starters[0])] += 1;
    }
    assert!(drawn[0] > 2 && drawn[1] > 2, "{drawn:?}");
}

#[test]
fn with_two_sides_a_resignation_ends_the_game() {
    let mut world = started(&[OPEN, OPEN], 2);
    play_turn(&mut world);
    world.command(0, Command::Resign).expect("a game runs");
    world.run_for(300);
    let state = world.table(1).state().expect("known");
    let won = Outcome::Win { winners: vec![rules::Colour::White], by: vec![Condition::Resignation] };
    assert_eq!(state.result(), Some(&won));
    assert_eq!(state.wins, [0, 1]);
    assert!(world.devices[1].finished.contains(&1));
    assert_eq!(world.told(1, |kind| matches!(kind, EventKind::End { .. })), 1);
    assert_eq!(world.table(0).on_every_disk(), world.table(0).head().map(|(index, _)| index));
    world.check_end();
}

#[test]
fn with_three_sides_the_cpu_plays_a_resigned_seat_on_and_nobody_is_credited() {
    let mut world = started(&[OPEN, OPEN, OPEN], 3);
    play_turn(&mut world);
    world.command(2, Command::Resign).expect("a game runs");
    world.run_for(300);
    assert_eq!(world.told(0, |kind| matches!(kind, EventKind::Resigned { seat: 2 })), 1);
    assert_eq!(world.command(2, Command::Resign), Err(CommandError::Resigned));
    for device in 0..2 {
        world.seat_person(device, Person::new("P", 1, 3));
    }
    let over = |world: &World| !world.table(0).state().expect("known").playing();
    assert!(world.run_until_holds(120_000, over));
    world.run_for(1_000);
    let end = world.devices[1].events.iter().find_map(|event| match &event.kind {
        EventKind::End { resigned, credited, .. } => Some((resigned.clone(), credited.clone())),
        _ => None,
    });
    let (resigned, credited) = end.expect("the end is told");
    assert_eq!(resigned, [2]);
    assert!(!credited.contains(&2));
    world.check_end();
}

fn teams(cpus: &[u8], people: usize) -> World {
    let rules = rules_for(Preset::CaptureFive, 4, true);
    let seats = (0..4u8).map(|seat| if cpus.contains(&seat) { SeatSetup::Cpu(3) } else { OPEN }).collect();
    let mut world = world_of(setup(rules, seats), people);
    start(&mut world, people);
    world
}

#[test]
fn in_teams_a_cpu_partner_agrees_to_a_resignation_at_once() {
    let mut world = teams(&[2], 3);
    world.command(0, Command::Resign).expect("a game runs");
    world.run_for(300);
    let state = world.table(1).state().expect("known");
    assert!(!state.playing());
    assert_eq!(state.wins, [0, 1, 0, 1]);
    world.check_end();
}

#[test]
fn in_teams_a_human_partner_plays_on_until_it_resigns_too() {
    let mut world = teams(&[], 4);
    world.command(0, Command::Resign).expect("a game runs");
    world.run_for(300);
    let state = world.table(3).state().expect("known");
    assert!(state.playing() && state.cpu_plays(0) && !state.cpu_plays(2));
    world.command(2, Command::Resign).expect("a game runs");
    world.run_for(300);
    assert_eq!(world.table(3).state().expect("known").wins, [0, 1, 0, 1]);
    world.check_end();
}

#[test]
fn standing_up_between_games_opens_the_seat_and_in_a_game_gives_it_to_the_cpu() {
    let mut world = world(&[OPEN, OPEN, OPEN], 3);
    sit(&mut world, 2, None).expect("there is a seat");
    world.command(2, Command::Stand).expect("it sits");
    world.run_for(300);
    assert_eq!(world.table(0).presence(1), Presence::Open);
    assert_eq!(world.table(2).my_seat(), None);
    start(&mut world, 3);
    world.command(2, Command::Stand).expect("it sits");
    world.run_for(300);
    let state = world.table(0).state().expect("known");
    let seat = state.seats.iter().position(|seat| matches!(seat.sitter, Sitter::GivenUp { .. })).expect("given up");
    assert_eq!(world.table(0).presence(seat as u8), Presence::Cpu);
    assert!(state.playing());
    // Another may take the stones over.
    assert_eq!(sit(&mut world, 2, Some(seat as u8)), Ok(()));
    assert_eq!(world.table(0).presence(seat as u8), Presence::Here);
    world.check_end();
}

#[test]
fn whoever_sits_down_is_not_silent_before_anything_of_it_could_come() {
    let mut world = world(&[OPEN, OPEN, OPEN, OPEN], 2);
    sit(&mut world, 1, None).expect("there is a seat");
    // One that comes later hears the opener alone, and that after a while.
    let late = world.join_late();
    (0..2).for_each(|device| world.hold_down(device, late));
    world.run_for(2 * SILENT_MS);
    world.let_up(0, late);
    world.run_for(1_500);
    sit(&mut world, late, None).expect("there is a seat");
    world.run_for(1_500);
    for device in [0, 1, late] {
        let silent = world.told(device, |kind| matches!(kind, EventKind::Seat { presence: Presence::Silent, .. }));
        assert_eq!(silent, 0, "device {device}");
        assert!((0..3).all(|seat| world.table(device).presence(seat) == Presence::Here));
    }
    // Who then says nothing is silent all the same.
    world.kill(late, usize::MAX);
    world.run_for(1_000 + SILENT_MS);
    assert_ne!(world.table(1).presence(2), Presence::Here);
}

#[test]
fn standing_up_in_a_ranked_game_of_two_resigns() {
    let mut ranked = setup(rules_for(Preset::Gomoku, 2, false), vec![OPEN, OPEN]);
    ranked.settings.ranked = true;
    let mut world = world_of(ranked, 2);
    start(&mut world, 2);
    world.command(1, Command::Stand).expect("it sits");
    world.run_for(300);
    let state = world.table(0).state().expect("known");
    assert_eq!(state.wins, [1, 0]);
    assert_eq!(world.table(0).presence(1), Presence::Open);
}

#[test]
fn a_table_closes_when_nobody_owns_a_seat() {
    let mut world = world(&[OPEN, OPEN], 1);
    world.command(0, Command::Stand).expect("it sits");
    world.run_for(300);
    assert!(world.devices[0].closed);
}

#[test]
fn the_opener_may_stand_up_and_the_table_lives_on() {
    let mut world = started(&[OPEN, OPEN, SeatSetup::Cpu(1)], 2);
    world.command(0, Command::Stand).expect("it sits");
    world.run_for(300);
    world.seat_person(1, Person::new("P", 1, 2));
    let over = |world: &World| !world.table(1).state().expect("known").playing();
    assert!(world.run_until_holds(120_000, over));
    world.run_for(1_000);
    assert!(!world.devices[1].closed);
    assert!(world.devices[1].finished.contains(&1), "the opener's disk still counts");
    world.check_end();
}

#[test]
fn who_stands_up_knows_that_another_kept_it_also_where_the_own_disk_takes_nothing() {
    for who in 0..2 {
        let mut world = started(&[OPEN, OPEN, SeatSetup::Cpu(1)], 2);
        world.devices[who].disk_full = true;
        let head = |world: &World| world.table(who).head().expect("known").0;
        let before = head(&world);
        world.lost = Some(|_, _, _| true);
        world.command(who, Command::Stand).expect("it sits");
        world.run_for(200);
        assert!(world.table(who).on_another_disk() <= Some(before), "nothing of it has left this device");
        world.lost = None;
        world.run_for(2_000);
        let standing = world.table(who).my_seat().is_some();
        assert!(!standing, "device {who}");
        let gone_at = head(&world);
        assert!(gone_at > before && world.table(who).on_another_disk() >= Some(gone_at), "device {who}");
        assert!(world.table(who).final_upto() < Some(gone_at), "device {who}: its own disk has nothing of it");
    }
}

#[test]
fn a_person_alone_plays_against_cpus() {
    let mut world = started(&[OPEN, SeatSetup::Cpu(1), SeatSetup::Cpu(8), SeatSetup::Cpu(3)], 1);
    world.seat_person(0, Person::new("P", 1, 2));
    let over = |world: &World| !world.table(0).state().expect("known").playing();
    assert!(world.run_until_holds(120_000, over));
    world.run_for(1_000);
    assert!(world.devices[0].finished.contains(&1));
    world.check_end();
}

#[test]
fn who_sits_down_twice_before_the_first_is_heard_has_one_seat_the_last() {
    let mut world = world(&[OPEN; 4], 2);
    for seat in [1, 2, 3] {
        assert_eq!(world.command(1, Command::Sit { seat: Some(seat), name: "P".into() }), Ok(()));
    }
    world.run_for(1_000);
    let me = world.devices[1].id;
    for device in 0..2 {
        assert_eq!(world.table(device).state().expect("known").seats_of(me), [3]);
    }
    world.check_at_rest();
}

#[test]
fn a_seat_that_comes_by_a_late_letter_is_not_a_second_one() {
    let mut world = world(&[OPEN; 3], 2);
    sit(&mut world, 1, Some(1)).expect("it is free");
    let port = Cheap::new(1);
    let table = world.table(0).id();
    let mut at = Hash([0; 32]);
    at.0[..16].copy_from_slice(&table.0);
    let act = Act::Sit { key: port.key(), name: "P".into(), guest: None, leaves: None };
    let sealed = Sealed::new(&port, Kind::Intent, table, &Intent { game: 0, seq: 10, at, seat: 2, act });
    let (from, bytes) = (world.devices[1].id, letter(1, table, 1_000_000, Said::Act(sealed)));
    world.handle(0, Input::Message { from, bytes });
    world.run_for(500);
    assert_eq!(world.table(0).state().expect("known").seats_of(world.devices[1].id), [1]);
    start(&mut world, 2);
}
