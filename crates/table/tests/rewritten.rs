//! A second history of the same table: valid from its first entry to its last, signed by one who kept, made behind the
//! others' backs. Nobody who was there goes over to it, and who comes late does not stay with it.

mod sim;

use sim::World;
use sim::party::{OPEN, any_action, device_of, play_to, ply, started, state, table_of};
use sim::person::random_action;
use sim::port::Cheap;
use table::entry::Entry;
use table::message::Message;
use table::seal::Sealed;
use table::{Command, Grace, Input, Made, Output, Table};

fn entry_in(record: &[u8]) -> Option<Sealed> {
    let sealed: Sealed = table::seal::decode(record.get(2..)?).filter(|_| record[1] == 0)?;
    sealed.open::<Entry>().map(|_| sealed)
}

/// What a device writes when it goes on alone from its journal for so long: it calls the others away, lets the CPU
/// play for them at once, and moves at its own turns.
fn second_history(world: &mut World, device: usize, ms: u64) -> Vec<Sealed> {
    let journal = world.devices[device].journal.clone();
    let port = Box::new(Cheap::new(device));
    let mut twin = Table::resume(port, [5; 32], &journal, 0).expect("a good journal");
    let (mut entries, mut now) = (Vec::new(), 0);
    while now < ms {
        now += 100;
        twin.handle(Input::Tick, now);
        let game = twin.state().and_then(|state| state.current.clone()).map(|current| current.game);
        if let Some(game) = game.filter(|_| twin.state().and_then(|state| state.turn_seat()) == twin.my_seat()) {
            twin.command(Command::Play(random_action(&game, &mut world.rng)), now).ok();
        }
        while let Some(output) = twin.poll() {
            match output {
                Output::Write { ticket, record } => {
                    entries.extend(entry_in(&record));
                    twin.handle(Input::Written { ticket }, now);
                }
                Output::Think { ticket, game, .. } => {
                    let action = random_action(&game, &mut world.rng);
                    twin.handle(Input::Thought { ticket, action }, now);
                }
                _ => {}
            }
        }
    }
    assert!(entries.len() > 10, "it went on");
    entries
}

fn offer(world: &mut World, from: usize, to: usize, entries: &[Sealed]) {
    let from = world.devices[from].id;
    for page in entries.chunks(32) {
        world.handle(to, Input::Message { from, bytes: Message::Push { entries: page.to_vec() }.to_bytes() });
    }
}

fn journal_of(world: &World, device: usize) -> Vec<Sealed> {
    world.devices[device].journal.iter().filter_map(|record| entry_in(record)).collect()
}

fn party() -> World {
    let mut world = started(table_of(&[OPEN; 3], |setup| setup.settings.grace = Grace::Seconds(0)), 3);
    play_to(&mut world, 4);
    world.run_for(500);
    world
}

/// All are of one mind, everybody's stones are their own, and play goes on.
fn check(world: &mut World) {
    world.run_for(12_000);
    assert_eq!(world.heads().len(), 1, "{:?}", world.heads());
    let made = &state(world, 1).current.as_ref().expect("a game").moves;
    assert!(made.iter().all(|made| made.by == Made::Hand), "nobody's seat was played for");
    let before = ply(world, 0);
    let turn = device_of(world, state(world, 0).turn_seat().expect("a game"));
    let action = any_action(world, turn);
    world.command(turn, Command::Play(action)).expect("its turn");
    world.run_for(1_000);
    assert!(world.devices.iter().all(|device| {
        let at = device.table.as_ref().and_then(|table| table.state()?.current.as_ref());
        at.is_some_and(|current| current.game.ply() == before + 1)
    }));
}

#[test]
fn those_who_are_there_do_not_go_over_to_it() {
    for victims in [vec![1], vec![1, 2]] {
        let mut world = party();
        let laid = ply(&world, 1);
        let entries = second_history(&mut world, 0, 9_000);
        for &victim in &victims {
            offer(&mut world, 0, victim, &entries);
        }
        check(&mut world);
        assert_eq!(ply(&world, 1), laid + 1, "no move of before is lost");
    }
}

#[test]
fn an_owner_that_comes_back_does_not_stay_with_it() {
    let mut world = party();
    let entries = second_history(&mut world, 0, 9_000);
    world.kill(2, usize::MAX);
    world.run_for(200);
    world.restart(2);
    assert!(world.run_until_holds(1_000, |world| !world.devices[2].events.is_empty()));
    world.run_for(250);
    offer(&mut world, 0, 2, &entries);
    check(&mut world);
}

#[test]
fn a_late_joiner_that_was_given_it_first_comes_to_the_others_log() {
    let mut world = party();
    let mut entries = journal_of(&world, 0);
    entries.extend(second_history(&mut world, 0, 9_000));
    let late = world.join_late();
    world.hold_down(0, late);
    world.hold_down(1, late);
    world.hold_down(2, late);
    world.let_up(0, late);
    world.lost = Some(|from, _, _| from == 0);
    world.run_for(400);
    world.lost = None;
    offer(&mut world, 0, late, &entries);
    let theirs = entries.last().and_then(|sealed| sealed.open::<Entry>()).map(|entry| entry.index);
    world.run_for(50);
    assert_eq!(world.table(late).head().map(|(index, _)| index), theirs, "it knows no other");
    (1..3).for_each(|device| world.let_up(device, late));
    check(&mut world);
}

/// Who looks on follows the newest roll, whoever made it; that is its own affair, and not for long.
#[test]
fn a_spectator_that_is_offered_it_comes_back_to_the_others_log() {
    let mut world = party();
    let late = world.join_late();
    world.run_for(2_000);
    assert_eq!(world.table(late).head(), world.table(1).head());
    let entries = second_history(&mut world, 0, 9_000);
    // The opener's own program knows nothing of what is signed with its key.
    world.devices[0].asleep = true;
    offer(&mut world, 0, late, &entries);
    let one = |world: &World| (1..=late).all(|device| world.table(device).head() == world.table(1).head());
    world.run_for(50);
    assert!(!one(&world) && world.run_until_holds(8_000, one));
    world.devices[0].asleep = false;
    check(&mut world);
}

/// One that rewrote the game while it was alone does not win against two that were alone as well.
#[test]
fn of_three_that_were_each_alone_nobody_overrules_the_others() {
    let mut world = party();
    let pairs = [(0, 1), (0, 2), (1, 2)];
    for (a, b) in pairs {
        world.hold_down(a, b);
    }
    world.run_for(9_000);
    let played = |device: usize| {
        let made = &state(&world, device).current.as_ref().expect("a game").moves;
        made.iter().any(|made| made.by != Made::Hand)
    };
    assert!((0..3).any(played), "the CPU played for those who were away");
    for (a, b) in pairs {
        world.let_up(a, b);
    }
    check(&mut world);
}
