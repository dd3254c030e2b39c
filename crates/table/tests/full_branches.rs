//! A peer whose branches have no end: what is kept and tried again of them is bounded, and the game goes on
//! (PROTOCOL.md, section 4, *Limits*).

mod sim;

use sim::World;
use sim::party::*;
use table::limits::{ASIDE_BYTES_MAX, CARRIED_MAX, SITS_MAX};
use table::seal::Sealed;
use table::{Command, Grace, Hash, SeatSetup};

/// The place of a record's kind, and that of a branch's entry among the kinds.
const KIND: usize = 1;
const ASIDE: u8 = 3;

const LIAR: usize = 2;
const HELPER: usize = 3;
const NEIGHBOUR: usize = 4;
/// The seat that the neighbour and the helper both want.
const WANTED: u8 = 3;

fn part(world: &mut World, ones: &[usize], others: &[usize]) {
    ones.iter().for_each(|&one| others.iter().for_each(|&other| world.hold_down(one, other)));
    world.run_for(9_000);
}

fn meet(world: &mut World, ones: &[usize], others: &[usize]) {
    ones.iter().for_each(|&one| others.iter().for_each(|&other| world.let_up(one, other)));
    world.run_for(10_000);
}

fn asides(world: &World, device: usize) -> Vec<Vec<u8>> {
    world.devices[device].journal.iter().filter(|record| record[KIND] == ASIDE).cloned().collect()
}

fn aside_bytes(records: &[Vec<u8>]) -> usize {
    let sealed = |record: &Vec<u8>| table::seal::decode::<Sealed>(&record[2..]).expect("an entry");
    records.iter().map(|record| sealed(record).bytes.len()).sum()
}

/// Device 2 has a roll of its own while it hears nobody; the branch that comes of it.
fn branch(world: &mut World) -> Hash {
    let before = world.table(1).branches().len();
    part(world, &[0, 1], &[LIAR]);
    meet(world, &[0, 1], &[LIAR]);
    let branches = world.table(1).branches();
    assert!(branches.len() > before);
    branches.last().expect("the newest").head
}

#[test]
fn a_journal_full_of_branches_takes_no_more_and_the_game_goes_on() {
    let mut world = started(table_of(&[OPEN; 3], |setup| setup.settings.grace = Grace::Never), 3);
    let first = branch(&mut world);
    let one = asides(&world, 0);
    assert!(!one.is_empty());
    // As many, and again as many, make a journal as full as years of it do.
    world.kill(0, usize::MAX);
    let most = ASIDE_BYTES_MAX - aside_bytes(&one);
    let times = most / aside_bytes(&one);
    for _ in 0..times {
        world.devices[0].journal.extend(one.iter().cloned());
    }
    world.run_for(6_000);
    world.restart(0);
    world.run_for(5_000);
    let full = asides(&world, 0).len();
    let second = branch(&mut world);
    let third = branch(&mut world);
    let kept = asides(&world, 0);
    assert!(aside_bytes(&kept) <= ASIDE_BYTES_MAX && kept.len() < full + 2 * one.len(), "{} of {full}", kept.len());
    assert!(asides(&world, 1).len() >= 3 * one.len(), "another device has room for all of them");
    let known: Vec<Hash> = world.table(0).branches().iter().map(|branch| branch.head).collect();
    assert!([first, second, third].iter().all(|head| known.contains(head)), "they are kept in memory");
    let laid = ply(&world, 1);
    play(&mut world);
    assert_eq!(ply(&world, 1), laid + 1);
    world.check_end();
}

/// The helper stands up and sits down in the liar's seat so often. Only so many sit down while play stands at one place,
/// so now and then it moves, too.
fn change_seats(world: &mut World, acts: usize) {
    for number in 1..=acts {
        let sits = world.table(HELPER).my_seat().is_some();
        let command = if sits { Command::Stand } else { sit(LIAR as u8) };
        assert_eq!(world.command(HELPER, command), Ok(()), "{number}");
        world.run_for(110);
        if !sits && number % usize::from(SITS_MAX) == 1 && number > 1 {
            let action = any_action(world, LIAR);
            assert_eq!(wants(world, HELPER, Command::Play(action)), Ok(()));
            assert!(world.run_until_holds(20_000, its_turn), "{number}");
        }
    }
}

fn its_turn(world: &World) -> bool {
    state(world, LIAR).turn_seat() == Some(LIAR as u8)
}

fn sit(seat: u8) -> Command {
    Command::Sit { seat: Some(seat), name: "H".to_owned() }
}

/// A branch in which the helper sits down where the neighbour sits since, and then so many newer ones, each with as many
/// acts of the helper's that fit nowhere else.
fn flooded(branches: usize, acts: usize) -> World {
    let seats = [OPEN, OPEN, OPEN, SeatSetup::Cpu(1)];
    let mut world = started(table_of(&seats, |setup| setup.settings.grace = Grace::Never), 3);
    while state(&world, 0).turn_seat() != Some(0) {
        let laid = ply(&world, 0);
        play_to(&mut world, laid + 1);
    }
    assert_eq!([world.join_late(), world.join_late()], [HELPER, NEIGHBOUR]);
    world.run_for(2_000);
    let (honest, liars) = ([0, 1, NEIGHBOUR], [LIAR, HELPER]);
    part(&mut world, &honest, &liars);
    for device in [HELPER, NEIGHBOUR] {
        assert_eq!(wants(&mut world, device, sit(WANTED)), Ok(()));
    }
    meet(&mut world, &honest, &liars);
    assert_eq!(state(&world, 0).owner(WANTED), Some(world.devices[NEIGHBOUR].id));
    for _ in 0..branches {
        part(&mut world, &honest, &liars);
        for seat in [0, 1, WANTED] {
            assert_eq!(wants(&mut world, LIAR, Command::CpuNow { seat: Some(seat) }), Ok(()));
        }
        assert!(world.run_until_holds(20_000, its_turn), "play has gone on there");
        assert_eq!(wants(&mut world, LIAR, Command::Stand), Ok(()));
        change_seats(&mut world, acts);
        // With a seat of its own in it, the branch is the liar's to answer with.
        assert_eq!(wants(&mut world, LIAR, sit(LIAR as u8)), Ok(()));
        meet(&mut world, &honest, &liars);
        assert_eq!(world.heads().len(), 1);
    }
    world
}

#[test]
fn acts_of_branches_beyond_the_bound_are_not_tried_again_and_the_game_goes_on() {
    const ACTS: usize = 1_280;
    // Every second one is somebody who sits down, and is tried again.
    for (branches, fits) in [(0, true), (2, true), (2 * CARRIED_MAX / ACTS + 1, false)] {
        let mut world = flooded(branches, ACTS);
        let kept = world.table(0).branches();
        assert_eq!(kept.iter().filter(|branch| branch.entries as usize > ACTS).count(), branches);
        assert_eq!(wants(&mut world, NEIGHBOUR, Command::Stand), Ok(()));
        world.run_for(2_000);
        let helper = Some(world.devices[HELPER].id);
        assert_eq!(state(&world, 0).owner(WANTED) == helper, fits, "{branches}: what the oldest branch holds");
        let laid = ply(&world, 0);
        play(&mut world);
        assert_eq!(ply(&world, 1), laid + 1);
        world.run_for(3_000);
        world.check_end();
    }
}
