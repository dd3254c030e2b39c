//! What one device may make the others do, and keep, however long it goes on: rolls, waits, entries, branches
//! (PROTOCOL.md, section 4, *Limits*).

mod sim;

use sim::party::*;
use sim::{World, letter};
use table::entry::{Body, Entry};
use table::limits::STRANDED_ROLLS_MAX;
use table::message::{Hello, Said};
use table::seal::Sealed;
use table::{Grace, Hash, Input};

fn watched() -> (World, usize) {
    let mut world = started(table_of(&[OPEN; 3], |setup| setup.settings.grace = Grace::Never), 3);
    let stranger = world.join_late();
    world.run_for(2_000);
    (world, stranger)
}

fn said_by(world: &mut World, by: usize, to: usize, said: Said) {
    let number = (1 << 40) + world.now * 16 + to as u64;
    let bytes = letter(by, world.table(to).id(), number, said);
    let from = world.devices[by].id;
    world.handle(to, Input::Message { from, bytes });
}

/// What a device might say of itself, in the name of its log as device 0 has it.
fn hello(world: &World, change: impl FnOnce(&mut Hello)) -> Said {
    let at = world.table(0);
    let mut hello = Hello {
        session: [9; 16],
        version: table::limits::PROTOCOL_VERSION,
        rules: table::limits::RULES_REVISION,
        fresh: false,
        promise: at.promise(),
        term: state(world, 0).term,
        keeper: Some(state(world, 0).keeper),
        head: at.head(),
        on_disk: at.head().map(|(index, _)| index),
        heard: world.devices.iter().take(2).map(|device| device.id).collect(),
        addresses: Vec::new(),
        seats: Vec::new(),
        program: String::new(),
    };
    change(&mut hello);
    Said::Hello(hello)
}

/// The rolls in a device's log of a higher term than this.
fn rolls_since(world: &World, device: usize, term: u64) -> usize {
    let of_log = world.devices[device].journal.iter().filter_map(|record| {
        let sealed: Sealed = table::seal::decode(record.get(2..)?).filter(|_| record[1] == 0)?;
        sealed.open::<Entry>()
    });
    of_log.filter(|entry| entry.term > term && matches!(entry.body, Body::Roll(_))).count()
}

/// Leaves everybody with a branch: device 2 had a roll of its own while it heard nobody.
fn with_a_branch(world: &mut World) -> (u32, Hash) {
    for other in [0, 1, 3] {
        world.hold_down(other, 2);
    }
    world.run_for(9_000);
    // The keeper is the first to hear it.
    world.let_up(0, 2);
    world.run_for(500);
    for other in [1, 3] {
        world.let_up(other, 2);
    }
    world.run_for(5_000);
    let branch = world.table(0).branches().pop().expect("its roll alone");
    assert!((1..3).all(|device| world.table(device).has_entry(branch.head)));
    (branch.first + branch.entries - 1, branch.head)
}

#[test]
fn who_looks_on_in_a_log_that_nobody_follows_causes_few_rolls() {
    let (mut world, stranger) = watched();
    let branch = with_a_branch(&mut world);
    world.devices[stranger].asleep = true;
    let before = state(&world, 0).term;
    for _ in 0..300 {
        let stranded = hello(&world, |hello| {
            (hello.head, hello.on_disk, hello.promise) = (Some(branch), None, hello.promise + 5);
        });
        (0..3).for_each(|to| said_by(&mut world, stranger, to, stranded.clone()));
        world.run_for(100);
    }
    let rolls = rolls_since(&world, 0, before);
    assert!((1..=STRANDED_ROLLS_MAX).contains(&rolls), "such a device is helped, but not for ever: {rolls}");
}
