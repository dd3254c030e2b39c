//! Ready phrases: who is heard, how often, and that nothing of it is kept (PROTOCOL.md, section 4).

mod sim;

use sim::World;
use sim::party::*;
use table::limits::{PHRASES_MAX, SAY_EVERY_MS};
use table::{Command, CommandError, EventKind};

/// What a device was told that people said: seats and phrases, in order.
fn heard(world: &World, device: usize) -> Vec<(u8, u8)> {
    let said = |kind: &EventKind| match kind {
        EventKind::Said { seat, phrase } => Some((*seat, *phrase)),
        _ => None,
    };
    world.devices[device].events.iter().filter_map(|event| said(&event.kind)).collect()
}

fn say(world: &mut World, device: usize, phrase: u8) -> Result<(), CommandError> {
    world.command(device, Command::Say { phrase })
}

#[test]
fn a_phrase_reaches_everybody_and_stands_in_no_log() {
    let mut world = started(table_of(&[OPEN; 3], |_| {}), 3);
    let stranger = world.join_late();
    world.run_for(2_000);
    let before = world.table(0).head();
    assert_eq!(say(&mut world, 1, 5), Ok(()));
    world.run_for(500);
    for device in 0..=stranger {
        assert_eq!(heard(&world, device), [(1, 5)], "device {device}");
    }
    assert_eq!(world.table(0).head(), before);
    assert_eq!(say(&mut world, stranger, 1), Err(CommandError::NotSeated));
}

#[test]
fn only_known_phrases_are_said_and_only_so_often() {
    let mut world = started(table_of(&[OPEN; 2], |_| {}), 2);
    for phrase in [0, PHRASES_MAX + 1] {
        assert_eq!(say(&mut world, 0, phrase), Err(CommandError::NoSuchPhrase));
    }
    assert_eq!(say(&mut world, 0, 1), Ok(()));
    world.run_for(SAY_EVERY_MS / 2);
    assert_eq!(say(&mut world, 0, PHRASES_MAX), Err(CommandError::TooSoon));
    world.run_for(SAY_EVERY_MS);
    assert_eq!(say(&mut world, 0, PHRASES_MAX), Ok(()));
    world.run_for(500);
    assert_eq!(heard(&world, 1), [(0, 1), (0, PHRASES_MAX)]);
}

#[test]
fn of_a_device_that_says_too_much_or_what_nobody_knows_nothing_is_told() {
    let mut world = started(table_of(&[OPEN; 2], |_| {}), 2);
    let id = world.table(0).id();
    let from = world.devices[1].id;
    for (number, phrase) in [(1, 200), (2, 3), (3, 4), (4, 0)] {
        let bytes = sim::letter(1, id, (1 << 40) + number, table::message::Said::Say { phrase });
        world.handle(0, table::Input::Message { from, bytes });
    }
    assert_eq!(heard(&world, 0), [(1, 3)]);
}
