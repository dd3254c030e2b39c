//! A peer that never stops: a million messages of every kind, with a link that comes back whenever it is closed. What
//! the table keeps of them is bounded, and its game goes on. It is one test, so that nothing else allocates meanwhile.

mod sim;

use std::collections::BTreeSet;

use peak_alloc::PeakAlloc;
use sim::letter_by;
use sim::party::{OPEN, any_action, play_to, started, state, table_of};
use sim::port::Cheap;
use table::entry::{Answer, Body, Entry, Here, Intent, Roll};
use table::limits::*;
use table::message::{Fault, FaultCode, Hello, Letter, Message, Note, Said};
use table::seal::{Kind, Sealed, Signature};
use table::{Act, Command, DeviceId, Grace, Hash, Input, Output, Port, Table, TableId};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Messages in all, the same number of each kind.
const MESSAGES: u64 = 1_000_000;
/// Bytes that stay allocated of all the messages of a kind, or of as many links, at most: what is known of a few dozen
/// devices and two thousand letters.
const KEPT_BYTES_MAX: usize = 256 * 1024;
/// Bytes that one message makes a table allocate for a while, at most: its answer is a page.
const PASSING_BYTES_MAX: usize = 8 * MESSAGE_BYTES_MAX;

const LIAR: usize = 1;

/// The honest table, driven by hand: its disk takes everything at once, and nobody keeps what it says.
struct Honest {
    table: Table,
    liar: DeviceId,
    now: u64,
    disconnects: u64,
}

impl Honest {
    fn handle(&mut self, input: Input) {
        self.table.handle(input, self.now);
        let mut closed = BTreeSet::new();
        while let Some(output) = self.table.poll() {
            match output {
                Output::Write { ticket, .. } => self.table.handle(Input::Written { ticket }, self.now),
                Output::Disconnect { peer, .. } => drop(closed.insert(peer)),
                Output::Send { .. }
                | Output::Dial { .. }
                | Output::Think { .. }
                | Output::StopThinking
                | Output::Event(_)
                | Output::Changed
                | Output::Refused(_)
                | Output::Finished { .. }
                | Output::Locked { .. }
                | Output::Closed => {}
            }
        }
        self.disconnects += closed.len() as u64;
        if closed.contains(&self.liar) {
            self.handle(Input::LinkUp { peer: self.liar, address: None });
        }
    }
}

/// What a message is made from.
struct Craft {
    id: TableId,
    head: (u32, Hash),
    at: Hash,
    promise: u64,
    me: DeviceId,
}

/// The `n`th message of a kind; its sender signs rightly whatever it is.
fn message(craft: &Craft, kind: usize, n: u64) -> Vec<u8> {
    let port = Cheap::new(LIAR);
    let hash = Hash(*blake3::hash(&n.to_le_bytes()).as_bytes());
    let letter = |said: Said| letter_by(&port, craft.id, n + 1, said);
    let entry = |body: Body, index: u32, prev: Hash, term: u64| {
        let entry = Entry { index, prev, term, body, state: hash };
        Message::Push { entries: vec![Sealed::new(&port, Kind::Entry, craft.id, &entry)] }.to_bytes()
    };
    let here = |head: (u32, Hash), term: u64| {
        let here = Here { term, caller: craft.me, head, fresh: false, seats: vec![LIAR as u8] };
        Answer { key: port.key(), here: Sealed::new(&port, Kind::Here, craft.id, &here) }
    };
    let act = |act: Act, seq: u64| {
        let intent = Intent { game: 1, seq, at: craft.at, seat: LIAR as u8, act };
        Said::Act(Sealed::new(&port, Kind::Intent, craft.id, &intent))
    };
    match kind {
        0 => Message::Bye.to_bytes(),
        1 => Message::Want { head: hash, have: vec![(n as u32, hash); WANT_HASHES_MAX] }.to_bytes(),
        2 => Message::Want { head: craft.head.1, have: Vec::new() }.to_bytes(),
        3 => Message::Push { entries: Vec::new() }.to_bytes(),
        4 => entry(Body::Start { game: n as u32 }, n as u32, hash, n),
        5 => {
            let roll = Roll { keeper: port.key(), answers: vec![here(craft.head, craft.promise + n); 8] };
            entry(Body::Roll(roll), craft.head.0 + 1, craft.head.1, craft.promise + n)
        }
        6 => Message::Locked { nonce: hash.0, wrong: n.is_multiple_of(2), wait_ms: n as u32 }.to_bytes(),
        7 => Message::Enter { pin: hash }.to_bytes(),
        8 => letter(hello(craft, n, hash)),
        9 => letter(act(Act::Sit { key: hash.0, name: "N".repeat(NAME_CHARS_MAX), guest: None, leaves: None }, n)),
        10 => letter(act(Act::Hold { seat: 0 }, n)),
        11 => letter(Said::Act(Sealed { bytes: vec![n as u8; 4_000], signature: Signature([n as u8; 64]) })),
        12 => letter(Said::Ack { index: n as u32, hash }),
        13 => letter(Said::Call { term: craft.promise + n }),
        14 => letter(Said::Here(here((n as u32, hash), craft.promise + n))),
        15 => letter(Said::Fault(Fault { index: n as u32, hash, state: None, code: FaultCode::Invalid })),
        16 => strangers_letter(craft, n, hash),
        17 => vec![n as u8; MESSAGE_BYTES_MAX + 1],
        _ => vec![n as u8; 100],
    }
}

const KINDS: usize = 19;

fn hello(craft: &Craft, n: u64, hash: Hash) -> Said {
    let address = std::net::SocketAddr::from(([10, 0, (n >> 8) as u8, n as u8], n as u16));
    Said::Hello(Hello {
        session: hash.0[..16].try_into().expect("16 bytes"),
        version: PROTOCOL_VERSION,
        rules: RULES_REVISION,
        fresh: n.is_multiple_of(3),
        promise: craft.promise + n,
        term: 1,
        keeper: Some(DeviceId(hash.0)),
        head: Some((n as u32, hash)),
        on_disk: Some(n as u32),
        heard: vec![DeviceId(hash.0); HEARD_MAX],
        addresses: vec![address; ADDRESSES_MAX],
        seats: vec![LIAR as u8],
        program: "9".repeat(6_000),
    })
}

/// A letter of somebody who is not there, with an act that would be passed on.
fn strangers_letter(craft: &Craft, n: u64, hash: Hash) -> Vec<u8> {
    let port = Cheap::new(1_000 + n as usize);
    let sit = Act::Sit { key: port.key(), name: String::new(), guest: None, leaves: None };
    let intent = Intent { game: 1, seq: n, at: hash, seat: 0, act: sit };
    let said = Said::Act(Sealed::new(&port, Kind::Intent, craft.id, &intent));
    let note = Note { session: [3; 16], number: n, said };
    Message::Letter(Letter { origin: port.key(), note: Sealed::new(&port, Kind::Letter, craft.id, &note) }).to_bytes()
}

/// A game of two in which device 0 is honest, keeps, and is to move.
fn honest() -> (Honest, Craft, rules::Action) {
    let mut world = started(table_of(&[OPEN; 2], |setup| setup.settings.grace = Grace::Never), 2);
    play_to(&mut world, 4);
    world.run_for(1_000);
    assert_eq!(state(&world, 0).turn_seat(), Some(0));
    let action = any_action(&mut world, 0);
    // The newest act came right before this position: what is signed for its place is past, and looked at all the same.
    let at = world.devices[0].journal.iter().rev().find_map(|record| {
        let entry = table::seal::decode::<Sealed>(record.get(2..)?)?.open::<Entry>()?;
        let Body::Act(act) = entry.body else { return None };
        act.open::<Intent>().map(|intent| intent.at)
    });
    let table = world.devices[0].table.take().expect("it is on");
    let craft = Craft {
        id: table.id(),
        head: table.head().expect("known"),
        at: at.expect("people moved"),
        promise: table.promise(),
        me: world.devices[0].id,
    };
    let liar = world.devices[LIAR].id;
    (Honest { table, liar, now: world.now, disconnects: 0 }, craft, action)
}

/// Bytes in use now; what is measured begins here.
fn start() -> usize {
    ALLOCATOR.reset_peak_usage();
    ALLOCATOR.current_usage()
}

/// Bytes that have stayed allocated since then, and the most at once.
fn since(before: usize) -> (usize, usize) {
    (ALLOCATOR.current_usage().saturating_sub(before), ALLOCATOR.peak_usage().saturating_sub(before))
}

#[test]
fn a_million_messages_leave_little_behind_and_the_game_goes_on() {
    let (mut honest, craft, action) = honest();
    for kind in 0..KINDS {
        let before = start();
        for n in 0..MESSAGES / KINDS as u64 {
            // As fast as a link may be, and now and then a pause in which its limits fill again.
            honest.now += u64::from(n.is_multiple_of(8)) + 2_000 * u64::from(n.is_multiple_of(5_000));
            let bytes = message(&craft, kind, n);
            let from = honest.liar;
            honest.handle(Input::Message { from, bytes });
        }
        let (kept, passing) = since(before);
        assert!(kept <= KEPT_BYTES_MAX, "kind {kind}: {kept} bytes are kept");
        assert!(passing <= KEPT_BYTES_MAX + PASSING_BYTES_MAX, "kind {kind}: {passing} bytes at once");
    }

    let before = start();
    for n in 0..MESSAGES / KINDS as u64 {
        let port = Cheap::new(10 + n as usize);
        honest.handle(Input::LinkUp { peer: port.device(&port.key()), address: None });
    }
    let (kept, _) = since(before);
    assert!(kept <= KEPT_BYTES_MAX, "links: {kept} bytes are kept");
    assert!(honest.disconnects > 0);
    // The liar has gone; whoever is left plays on.
    let peer = honest.liar;
    honest.handle(Input::LinkDown { peer });
    for _ in 0..200 {
        honest.now += 100;
        honest.handle(Input::Tick);
    }
    let laid = |table: &Table| table.state().and_then(|state| state.current.as_ref()).map(|now| now.game.ply());
    let before = laid(&honest.table);
    honest.table.command(Command::Play(action), honest.now).expect("its turn");
    for _ in 0..20 {
        honest.now += 100;
        honest.handle(Input::Tick);
    }
    assert_eq!(laid(&honest.table), before.map(|laid| laid + 1));
}
