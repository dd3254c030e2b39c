//! How a device comes to a table: it opens one, joins one, or resumes one from its journal.

use super::admit::Admission;
use super::disk::Disk;
use super::roll::Duty;
use super::tell::Told;
use super::*;
use crate::entry::{Body, Entry, Opened};
use crate::journal;
use crate::log::{hash_of, table_of};
use crate::planted::{Bug, planted};
use crate::seal::{Kind, Sealed, Signature, encode, pin_hash};
use crate::state::State;
use crate::{Hash, SeatSetup};

impl Table {
    /// Opens a new table. `seed` is fresh randomness: nonces and the session come from it. Rules for another number
    /// of seats than `setup.seats` has are adapted to it; what no table can have is brought within its bounds.
    pub fn open(port: Box<dyn Port>, seed: [u8; 32], setup: Setup, now: Millis) -> Table {
        let sealed = first_entry(&*port, seed, setup);
        let log = Log::start(&*port, sealed.clone()).expect("a table's own first entry is valid");
        let mut table = Table::new(port, seed, log.table(), now);
        table.promise = log.tip().term;
        let head = (0, log.head());
        table.log = Some(log);
        table.fresh = false;
        let ticket = table.write_entry(sealed, head);
        table.duty = Duty::Writing { ticket };
        table.settle();
        table
    }

    /// Follows a table that others hold: the log is fetched over the links that come up.
    pub fn join(port: Box<dyn Port>, seed: [u8; 32], table: TableId, now: Millis) -> Table {
        Table::new(port, seed, table, now)
    }

    /// Goes on from a journal's records.
    pub fn resume(port: Box<dyn Port>, seed: [u8; 32], records: &[Vec<u8>], now: Millis) -> Result<Table, ResumeError> {
        let resumed = journal::read(&*port, records)?;
        let mut table = Table::new(port, seed, resumed.log.table(), now);
        table.promise = resumed.promise;
        table.seq = resumed.seq;
        table.seq_reserved = resumed.seq;
        table.disk = Disk::holding(resumed.log.len());
        table.told.remember_ends(resumed.ends);
        table.kept = resumed.log.others().to_vec();
        table.halt = resumed.halt;
        table.shut_out = resumed.shut_out;
        if planted(Bug::KeeperGoesOn) && resumed.log.tip().keeper == table.me {
            (table.duty, table.fresh) = (Duty::Keeping, false);
        }
        table.log = Some(resumed.log);
        table.aside_bytes = resumed.aside_bytes;
        table.bound_branches();
        table.count_loose();
        table.settle();
        Ok(table)
    }

    fn new(port: Box<dyn Port>, seed: [u8; 32], id: TableId, now: Millis) -> Table {
        let me = port.device(&port.key());
        let mut session = [0; 16];
        session.copy_from_slice(&port.hash(&[b"c5/1/session".as_slice(), &seed].concat()).0[..16]);
        Table {
            port,
            me,
            id,
            session,
            now,
            woke: now,
            out: VecDeque::new(),
            news: News::Much,
            settled_at: now,
            log: None,
            disk: Disk::default(),
            peers: Peers::default(),
            letters: Known::default(),
            number: 0,
            addresses: Vec::new(),
            hello: None,
            fresh: true,
            promise: 0,
            answered: None,
            owed: None,
            duty: Duty::None,
            answered_at: None,
            call_after: now,
            overdue: Overdue::default(),
            rolled_at: now,
            left_out: left_out::LeftOut::default(),
            disputed: None,
            stranded: VecDeque::new(),
            kept: Vec::new(),
            aside_bytes: 0,
            loose_bytes: 0,
            carried: Vec::new(),
            carried_upto: None,
            watched: Vec::new(),
            watch_after: now,
            blamed: BTreeMap::new(),
            halt: None,
            shut_out: BTreeSet::new(),
            seq: 0,
            seq_reserved: 0,
            wishes: Vec::new(),
            clock: Clock::default(),
            thinking: None,
            think_tickets: 0,
            told: Told::default(),
            said: None,
            fault: None,
            admission: Admission::default(),
            left: false,
        }
    }
}

fn first_entry(port: &dyn Port, seed: [u8; 32], setup: Setup) -> Sealed {
    let mut seats = setup.seats;
    seats.truncate(SEATS_MAX);
    while seats.len() < SEATS_MIN {
        seats.push(SeatSetup::Open);
    }
    for seat in &mut seats {
        if let SeatSetup::Cpu(level) = seat {
            *level = (*level).clamp(1, LEVEL_MAX);
        }
    }
    let (options, _) = setup.rules.options().for_seats(seats.len() as u8);
    let rules = options.check(setup.rules.preset()).unwrap_or(setup.rules);
    let mut settings = setup.settings;
    settings.level = settings.level.clamp(1, LEVEL_MAX);
    if let crate::Grace::Seconds(seconds) = &mut settings.grace {
        *seconds = [0, 10, 30, 60].into_iter().find(|bound| *seconds <= *bound).unwrap_or(120);
    }
    let nonce = port.hash(&[b"c5/1/nonce".as_slice(), &seed].concat()).0;
    let pin = setup.pin.map(|pin| pin.trim().chars().take(PIN_CHARS_MAX).collect::<String>());
    let opened = Opened {
        key: port.key(),
        name: setup.name.chars().take(NAME_CHARS_MAX).collect(),
        nonce,
        rules: rules.to_bytes(),
        settings,
        seats,
        pin: pin.map(|pin| pin_hash(port, &nonce, &pin)),
    };
    let state = State::opened(port, &opened).expect("what was brought within its bounds is valid").hash(port);
    let entry = Entry { index: 0, prev: Hash([0; 32]), term: 1, body: Body::Opened(opened), state };
    // The signature is over the table's id, which is the hash of these very bytes.
    let unsigned = Sealed { bytes: encode(&entry), signature: Signature([0; 64]) };
    Sealed::new(port, Kind::Entry, table_of(hash_of(port, &unsigned)), &entry)
}
