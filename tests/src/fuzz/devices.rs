//! What the table's and the disk's decoders make of bytes.

use table::entry::{Body, Entry, Here, Intent, Roll};
use table::message::{Letter, Message, Note, Said};
use table::seal::{Sealed, decode, encode};
use table::{DeviceId, Hash, Input, Output, Port, SeatSetup, Settings, Setup, Table};

/// Signatures and hashes that cost nothing, so that the decoders and the rules behind them are what is fuzzed: whoever
/// knows a public key can sign with it.
pub struct Cheap(pub u8);

impl Port for Cheap {
    fn key(&self) -> [u8; 32] {
        [self.0; 32]
    }

    fn device(&self, key: &[u8; 32]) -> DeviceId {
        DeviceId(*key)
    }

    fn hash(&self, bytes: &[u8]) -> Hash {
        // FNV-1a, four times with other beginnings.
        let mut hash = [0; 32];
        for (part, start) in hash.chunks_mut(8).zip(0xcbf2_9ce4_8422_2325u64..) {
            let sum = bytes.iter().fold(start, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
            part.copy_from_slice(&sum.to_le_bytes());
        }
        Hash(hash)
    }

    fn sign(&self, _: &[u8]) -> [u8; 64] {
        [self.0; 64]
    }

    fn verify(&self, key: &[u8; 32], _: &[u8], signature: &[u8; 64]) -> bool {
        signature[0] == key[0]
    }
}

/// Parts of an input, each with its length before it in two bytes, little end first.
pub fn parts(mut input: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while let Some((length, rest)) = input.split_first_chunk() {
        let (part, rest) = rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len()));
        parts.push(part);
        input = rest;
    }
    parts
}

/// The opposite of [`parts`].
pub fn joined(parts: &[Vec<u8>]) -> Vec<u8> {
    parts.iter().flat_map(|part| [&(part.len() as u16).to_le_bytes(), &part[..]].concat()).collect()
}

/// A message, and all that is inside: what is read is written again as the same bytes, wherever numbers have their
/// shortest form.
pub fn message(input: &[u8]) {
    let Some(message) = Message::from_bytes(input) else { return };
    let again = Message::from_bytes(&message.to_bytes());
    assert_eq!(again.as_ref(), Some(&message));
    match message {
        Message::Letter(Letter { note, .. }) => {
            if let Some(Note { said: Said::Act(sealed), .. }) = reread::<Note>(&note) {
                reread::<Intent>(&sealed);
            }
        }
        Message::Push { entries } => entries.iter().for_each(entry),
        Message::Want { .. } | Message::Bye | Message::Locked { .. } | Message::Enter { .. } => {}
    }
}

fn entry(sealed: &Sealed) {
    match reread::<Entry>(sealed).map(|entry| entry.body) {
        Some(Body::Act(intent)) => drop(reread::<Intent>(&intent)),
        Some(Body::Roll(Roll { answers, .. })) => answers.iter().for_each(|answer| drop(reread::<Here>(&answer.here))),
        Some(Body::Opened(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. }) | None => {}
    }
}

fn reread<T>(sealed: &Sealed) -> Option<T>
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let value: T = sealed.open()?;
    assert_eq!(decode::<T>(&encode(&value)).as_ref(), Some(&value));
    Some(value)
}

/// A journal's records: whatever they are, resuming answers, and what it made of them is a table like any other.
pub fn journal(input: &[u8]) {
    let records: Vec<Vec<u8>> = parts(input).into_iter().map(<[u8]>::to_vec).collect();
    let Ok(mut table) = Table::resume(Box::new(Cheap(1)), [0; 32], &records, 0) else { return };
    table.handle(Input::Tick, 10_000);
    while table.poll().is_some() {}
    assert!(table.head().is_some());
}

/// Messages of another device, one after the other, to a table with a game in it. Its journal stays one.
pub fn table(input: &[u8]) {
    let rules = rules::Rules::of(rules::Preset::Gomoku);
    let seats = vec![SeatSetup::Open, SeatSetup::Open];
    let settings = Settings { grace: table::Grace::Seconds(0), level: 1, ranked: false, hidden: false };
    let setup = Setup { rules, settings, seats, name: "one".to_owned(), pin: None };
    let mut now = 0;
    let mut table = Table::open(Box::new(Cheap(1)), [0; 32], setup, now);
    let mut journal = Vec::new();
    let peer = DeviceId([2; 32]);
    table.handle(Input::LinkUp { peer, address: None }, now);
    drain(&mut table, &mut journal, now);
    for part in parts(input) {
        now += 7;
        table.handle(Input::Message { from: peer, bytes: part.to_vec() }, now);
        drain(&mut table, &mut journal, now);
    }
    table.handle(Input::LinkDown { peer }, now);
    for _ in 0..8 {
        now += 1000;
        table.handle(Input::Tick, now);
        drain(&mut table, &mut journal, now);
    }
    let again = Table::resume(Box::new(Cheap(1)), [0; 32], &journal, now).expect("a journal stays valid");
    assert_eq!(again.head(), table.head());
}

fn drain(table: &mut Table, journal: &mut Vec<Vec<u8>>, now: u64) {
    while let Some(output) = table.poll() {
        if let Output::Write { ticket, record } = output {
            journal.push(record);
            table.handle(Input::Written { ticket }, now);
        }
    }
}

/// Files of lines, as they lie on the disk: the journals', the archive's, the values' and the key's.
pub fn lines(input: &[u8]) {
    history::fuzz::lines(input);
}
