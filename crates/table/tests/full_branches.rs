//! A peer whose branches have no end: what is kept of them is bounded, and the game goes on (PROTOCOL.md, section 4,
//! *Limits*).

mod sim;

use sim::World;
use sim::party::*;
use table::limits::ASIDE_BYTES_MAX;
use table::seal::Sealed;
use table::{Grace, Hash};

/// The place of a record's kind, and that of a branch's entry among the kinds.
const KIND: usize = 1;
const ASIDE: u8 = 3;

const LIAR: usize = 2;

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
