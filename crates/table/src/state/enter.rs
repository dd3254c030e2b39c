//! How an entry changes the state, and when it may (PROTOCOL.md, section 3).

use std::collections::{BTreeMap, BTreeSet};

use rules::Rules;

use super::acts::Signed;
use super::{Invalid, Made, State, Toss};
use crate::entry::{Body, Intent, Opened};
use crate::limits::{LEVEL_MAX, NAME_CHARS_MAX, SEATS_MAX, SEATS_MIN};
use crate::planted::{Bug, planted};
use crate::seal::{Kind, Sealed};
use crate::{Act, DeviceId, Grace, Hash, Port, Seat, SeatSetup, Settings, Sitter, TableId};

/// What is needed to check an entry besides the state.
pub(crate) struct Check<'a> {
    pub port: &'a dyn Port,
    pub table: TableId,
    /// False for entries that this device has checked before.
    pub signatures: bool,
}

impl State {
    /// The state after entry 0, with the play chain still empty: the table's id is not known before that state's hash.
    pub(crate) fn opened(port: &dyn Port, opened: &Opened) -> Result<State, Invalid> {
        let chosen = check_terms(&opened.rules, &opened.settings, &opened.seats)?;
        let count = opened.seats.len();
        check_name(&opened.name)?;
        let device = port.device(&opened.key);
        let mut seats: Vec<Seat> = opened.seats.iter().map(|&setup| Seat::of(setup)).collect();
        seats[0] = Seat::person(device, opened.key, opened.name.clone(), false);
        Ok(State {
            rules: chosen,
            settings: opened.settings,
            seats,
            current: None,
            wins: vec![0; count],
            offers: Vec::new(),
            term: 1,
            keeper: device,
            keeper_seat: 0,
            chosen,
            keeper_key: opened.key,
            opener: device,
            opener_key: opened.key,
            nonce: opened.nonce,
            at: Hash([0; 32]),
            seqs: BTreeMap::new(),
            named: BTreeSet::from([device]),
            since: vec![0; count],
            pin: opened.pin,
            tries: BTreeMap::new(),
            sits: 0,
            toss: Toss::default(),
            closed: Vec::new(),
        })
    }

    /// Checks an entry's body and applies it; nothing has changed when it is refused.
    pub(crate) fn enter(&mut self, check: &Check, index: u32, term: u64, body: &Body) -> Result<(), Invalid> {
        let closed = std::mem::take(&mut self.closed);
        let entered = self.enter_body(check, index, term, body);
        match entered {
            Ok(()) => self.tend_toss(),
            Err(_) => self.closed = closed,
        }
        entered
    }

    fn enter_body(&mut self, check: &Check, index: u32, term: u64, body: &Body) -> Result<(), Invalid> {
        match body {
            Body::Opened(_) => Err(Invalid::Place),
            Body::Roll(roll) => self.roll(check, index, term, roll),
            Body::Act(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } if term != self.term => {
                Err(Invalid::Term)
            }
            Body::Act(sealed) => self.act(check, index, sealed),
            Body::Cpu { seat, action } => {
                if !self.cpu_plays(*seat) || !self.somebody_here() {
                    return Err(Invalid::NotOwner);
                }
                self.play(check.port, index, *seat, action, Made::Cpu)
            }
            Body::Start { game } => self.start(check, index, *game),
            Body::Taken { seat, why } => self.take_over(*seat, *why),
        }
    }

    /// The key that an entry must be signed with.
    pub(crate) fn signer(&self, body: &Body) -> [u8; 32] {
        match body {
            Body::Opened(opened) => opened.key,
            Body::Roll(roll) => roll.keeper,
            Body::Act(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => self.keeper_key,
        }
    }

    /// A person's act: the conditions that all acts share; `acts` has the others.
    fn act(&mut self, check: &Check, index: u32, sealed: &Sealed) -> Result<(), Invalid> {
        let intent: Intent = sealed.open().ok_or(Invalid::Malformed)?;
        let by = self.check_intent(check, sealed, &intent)?;
        self.perform(check, index, by, &intent.act)?;
        self.seqs.insert(by.device, by.seq);
        Ok(())
    }

    /// Whether an act would be valid as the next entry.
    pub(crate) fn would_take(&self, check: &Check, index: u32, sealed: &Sealed) -> Result<(), Invalid> {
        let intent: Intent = sealed.open().ok_or(Invalid::Malformed)?;
        let by = self.check_intent(check, sealed, &intent)?;
        match &intent.act {
            // The most frequent by far: only the game is to be tried.
            Act::Move { action, by_clock } => {
                self.check_move(by.seat, action, *by_clock)?;
                let mut game = self.current.as_ref().ok_or(Invalid::NoGame)?.game.clone();
                game.play(action).map(|_| ()).map_err(Invalid::Rules)
            }
            act @ (Act::Sit { .. }
            | Act::Stand
            | Act::Ready { .. }
            | Act::Reveal { .. }
            | Act::Resign
            | Act::Offer(_)
            | Act::Answer { .. }
            | Act::Hold { .. }
            | Act::CpuNow { .. }) => self.clone().perform(check, index, by, act),
        }
    }

    fn check_intent(&self, check: &Check, sealed: &Sealed, intent: &Intent) -> Result<Signed, Invalid> {
        let seat = self.seats.get(usize::from(intent.seat)).ok_or(Invalid::NoSuchSeat)?;
        let (device, key) = match intent.act.own_key() {
            Some(key) => (check.port.device(&key), key),
            None => {
                let owner = self.owner_key(intent.seat).ok_or(Invalid::NotOwner)?;
                if !seat.here {
                    return Err(Invalid::NotHere);
                }
                owner
            }
        };
        if intent.game != self.game_number() || intent.at != self.at {
            return Err(Invalid::Stale);
        }
        if self.seqs.get(&device).is_some_and(|&seq| intent.seq <= seq) && !planted(Bug::SeqUnchecked) {
            return Err(Invalid::Seq);
        }
        let unchecked = planted(Bug::SignatureUnchecked);
        if check.signatures && !unchecked && !sealed.is_by(check.port, Kind::Intent, check.table, &key) {
            return Err(Invalid::Signature);
        }
        let id = check.port.hash(&[device.0.as_slice(), &sealed.bytes].concat());
        Ok(Signed { device, seat: intent.seat, seq: intent.seq, id })
    }
}

/// Names are short; how they look is for whoever shows them.
pub(super) fn check_name(name: &str) -> Result<(), Invalid> {
    if name.chars().count() > NAME_CHARS_MAX { Err(Invalid::Name) } else { Ok(()) }
}

/// What a table can be set to: the rules, if all of it can be.
pub(super) fn check_terms(rules: &[u8], settings: &Settings, seats: &[SeatSetup]) -> Result<Rules, Invalid> {
    let rules = Rules::from_bytes(rules).map_err(|_| Invalid::Options)?;
    let levels = seats.iter().all(|seat| match seat {
        SeatSetup::Open => true,
        SeatSetup::Cpu(level) => is_level(*level),
    });
    let grace = match settings.grace {
        Grace::Seconds(seconds) => matches!(seconds, 0 | 10 | 30 | 60 | 120),
        Grace::Never => true,
    };
    let seats_fit = (SEATS_MIN..=SEATS_MAX).contains(&seats.len()) && usize::from(rules.players()) == seats.len();
    if levels && grace && seats_fit && is_level(settings.level) { Ok(rules) } else { Err(Invalid::Options) }
}

fn is_level(level: u8) -> bool {
    (1..=LEVEL_MAX).contains(&level)
}

impl Seat {
    pub(crate) fn empty() -> Seat {
        Seat { sitter: Sitter::Nobody, here: false, taken: false, ready: false, hold: false, asked: false }
    }

    pub(crate) fn person(device: DeviceId, key: [u8; 32], name: String, guest: bool) -> Seat {
        Seat { sitter: Sitter::Person { device, key, name, guest }, here: true, ..Seat::empty() }
    }

    pub(super) fn of(setup: SeatSetup) -> Seat {
        match setup {
            SeatSetup::Open => Seat::empty(),
            SeatSetup::Cpu(level) => Seat { sitter: Sitter::Cpu { level }, ..Seat::empty() },
        }
    }
}
