//! No bytes, however made, harm a table: it takes or drops them, and its log stays valid.

mod sim;

use proptest::prelude::*;
use rules::Preset;
use sim::person::{Person, rules_for};
use sim::{CALM, World, setup};
use table::message::Message;
use table::seal::{Sealed, Signature};
use table::{Input, SeatSetup, Table};

/// A game of two in its middle, and everything that was sent in it.
fn playing() -> World {
    let rules = rules_for(Preset::CaptureFive, 3, false);
    let seats = vec![SeatSetup::Open, SeatSetup::Open, SeatSetup::Cpu(1)];
    let mut world = World::new(3, CALM, setup(rules, seats), 2);
    world.keep_sent = true;
    for device in 0..2 {
        world.seat_person(device, Person::new("P", 2, 3));
    }
    world.play_until_ply(8);
    world.cut(0, 1, 4_000);
    world.run_for(7_000);
    world
}

/// Feeds bytes to both devices as if the other had sent them; they play on, and agree.
fn feed(world: &mut World, messages: &[Vec<u8>]) {
    for bytes in messages {
        for (device, peer) in [(0, 1), (1, 0)] {
            let from = world.devices[peer].id;
            world.handle(device, Input::Message { from, bytes: bytes.clone() });
        }
        world.run_for(3);
    }
    world.run_for(100);
    for device in 0..2 {
        let journal = &world.devices[device].journal;
        let read = Table::resume(Box::new(sim::port::Cheap::new(device)), [0; 32], journal, 0);
        assert!(read.is_ok(), "a journal stays valid");
    }
}

fn mutate(bytes: &[u8], cuts: &[(u16, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for &(place, value) in cuts {
        let len = bytes.len();
        if len == 0 {
            break;
        }
        let at = usize::from(place) % len;
        match value % 5 {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, value),
            2 => drop(bytes.remove(at)),
            3 => bytes[at] ^= 1 << (value % 8),
            _ => bytes[at] = value,
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_bytes_do_no_harm(messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..400), 1..40)) {
        feed(&mut playing(), &messages);
    }

    #[test]
    fn mutated_messages_do_no_harm(
        picks in prop::collection::vec((any::<u32>(), prop::collection::vec((any::<u16>(), any::<u8>()), 0..4)), 1..150),
    ) {
        let mut world = playing();
        let sent = world.sent.clone();
        let messages: Vec<Vec<u8>> =
            picks.iter().map(|(pick, cuts)| mutate(&sent[*pick as usize % sent.len()].2, cuts)).collect();
        feed(&mut world, &messages);
    }

    /// Signed by the right keys, so that everything behind the signatures is reached.
    #[test]
    fn signed_nonsense_does_no_harm(
        picks in prop::collection::vec((any::<u32>(), prop::collection::vec((any::<u16>(), any::<u8>()), 1..3)), 1..150),
    ) {
        let mut world = playing();
        let sent = world.sent.clone();
        let table = world.table(0).id();
        let messages: Vec<Vec<u8>> = picks
            .iter()
            .filter_map(|(pick, cuts)| {
                let (from, _, bytes) = &sent[*pick as usize % sent.len()];
                let port = sim::port::Cheap::new(*from);
                resealed(&port, table, Message::from_bytes(bytes)?, cuts)
            })
            .collect();
        feed(&mut world, &messages);
    }

    #[test]
    fn journals_of_any_bytes_are_read_or_refused(
        records in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..100), 0..8),
        cuts in prop::collection::vec((any::<u16>(), any::<u8>()), 1..4),
        pick in any::<u16>(),
    ) {
        let read = |records: &[Vec<u8>]| Table::resume(Box::new(sim::port::Cheap::new(0)), [0; 32], records, 0).is_ok();
        read(&records);
        let mut journal = playing().devices[0].journal.clone();
        prop_assert!(read(&journal));
        let at = usize::from(pick) % journal.len();
        journal[at] = mutate(&journal[at], &cuts);
        read(&journal);
    }
}

/// A message whose inner bytes are changed and signed again.
fn resealed(port: &sim::port::Cheap, table: table::TableId, message: Message, cuts: &[(u16, u8)]) -> Option<Vec<u8>> {
    use table::seal::Kind;
    let again = |kind: Kind, sealed: &Sealed| {
        let bytes = mutate(&sealed.bytes, cuts);
        let label: &[u8] = if kind == Kind::Entry { b"c5/1/entry" } else { b"c5/1/letter" };
        let signature = Signature(table::Port::sign(port, &[label, &table.0, &bytes].concat()));
        Sealed { bytes, signature }
    };
    let changed = match message {
        Message::Letter(mut letter) => {
            letter.note = again(Kind::Letter, &letter.note);
            Message::Letter(letter)
        }
        Message::Push { entries } => {
            Message::Push { entries: entries.iter().map(|entry| again(Kind::Entry, entry)).collect() }
        }
        Message::Want { .. } | Message::Locked { .. } | Message::Enter { .. } | Message::Bye => return None,
    };
    Some(changed.to_bytes())
}
