//! How an entry changes the state, and when it may (PROTOCOL.md, section 3).

use std::collections::{BTreeMap, BTreeSet};

use rules::Rules;

use super::{Invalid, Made, State};
use crate::entry::{Answer, Body, Here, Intent, Opened, Roll};
use crate::limits::{ANSWERS_MAX, LEVEL_MAX, NAME_CHARS_MAX, SEATS_MAX, SEATS_MIN};
use crate::seal::{Kind, Sealed};
use crate::{Act, DeviceId, Grace, Hash, Port, Seat, SeatSetup, Sitter, TableId};

/// What is needed to check an entry besides the state.
pub(crate) struct Check<'a> {
    pub port: &'a dyn Port,
    pub table: TableId,
    /// The entries before, for the heads in a roll's answers.
    pub hash_at: &'a dyn Fn(u32) -> Option<Hash>,
    /// False for entries that this device has checked before.
    pub signatures: bool,
}

impl State {
    /// The state after entry 0, with the play chain still empty: the table's id is not known before that state's hash.
    pub(crate) fn opened(port: &dyn Port, opened: &Opened) -> Result<State, Invalid> {
        let chosen = Rules::from_bytes(&opened.rules).map_err(|_| Invalid::Options)?;
        let count = opened.seats.len();
        let levels = opened.seats.iter().all(|seat| match seat {
            SeatSetup::Open => true,
            SeatSetup::Cpu(level) => is_level(*level),
        });
        let grace = match opened.settings.grace {
            Grace::Seconds(seconds) => matches!(seconds, 0 | 10 | 30 | 60 | 120),
            Grace::Never => true,
        };
        let seats_fit = (SEATS_MIN..=SEATS_MAX).contains(&count) && usize::from(chosen.players()) == count;
        if !(levels && grace && seats_fit && is_level(opened.settings.level)) {
            return Err(Invalid::Options);
        }
        if opened.pin.is_some() {
            return Err(Invalid::Malformed);
        }
        check_name(&opened.name)?;
        let device = port.device(&opened.key);
        let mut seats: Vec<Seat> = opened.seats.iter().map(|&setup| Seat::of(setup)).collect();
        seats[0] = Seat::person(device, opened.key, opened.name.clone());
        Ok(State {
            rules: chosen,
            settings: opened.settings,
            seats,
            current: None,
            wins: vec![0; count],
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
        })
    }

    /// Checks an entry's body and applies it; nothing has changed when it is refused.
    pub(crate) fn enter(&mut self, check: &Check, index: u32, term: u64, body: &Body) -> Result<(), Invalid> {
        match body {
            Body::Opened(_) => Err(Invalid::Place),
            Body::Roll(roll) => self.roll(check, index, term, roll),
            Body::Act(_) | Body::Cpu { .. } | Body::Start { .. } if term != self.term => Err(Invalid::Term),
            Body::Act(sealed) => self.act(check, index, sealed),
            Body::Cpu { seat, action } => {
                if !self.cpu_plays(*seat) || !self.somebody_here() {
                    return Err(Invalid::NotOwner);
                }
                self.play(check.port, index, *seat, action, Made::Cpu)
            }
            Body::Start { game } => self.start(check, index, *game),
        }
    }

    /// The key that an entry must be signed with.
    pub(crate) fn signer(&self, body: &Body) -> [u8; 32] {
        match body {
            Body::Opened(opened) => opened.key,
            Body::Roll(roll) => roll.keeper,
            Body::Act(_) | Body::Cpu { .. } | Body::Start { .. } => self.keeper_key,
        }
    }

    fn roll(&mut self, check: &Check, index: u32, term: u64, roll: &Roll) -> Result<(), Invalid> {
        if term <= self.term {
            return Err(Invalid::Term);
        }
        let keeper = check.port.device(&roll.keeper);
        // Only the opener's device keeps so far.
        if keeper != self.opener || roll.answers.is_empty() || roll.answers.len() > ANSWERS_MAX {
            return Err(Invalid::Roll);
        }
        let mut named = BTreeSet::new();
        let mut here = vec![false; self.seats.len()];
        let mut longest = 0;
        for answer in &roll.answers {
            let (device, said) = self.answer(check, answer, term, keeper)?;
            if !named.insert(device) {
                return Err(Invalid::Roll);
            }
            for &seat in &said.seats {
                here[usize::from(seat)] = true;
            }
            longest = longest.max(said.head.0);
        }
        if !named.contains(&keeper) {
            return Err(Invalid::Roll);
        }
        if longest + 1 != index {
            return Err(Invalid::Base);
        }
        for ((seat, is_here), since) in self.seats.iter_mut().zip(here).zip(&mut self.since) {
            if seat.here != is_here {
                *since = index;
            }
            seat.here = is_here;
            seat.taken &= !is_here;
        }
        self.named = named;
        self.term = term;
        self.keeper = keeper;
        self.keeper_key = roll.keeper;
        self.keeper_seat = self.seats_of(keeper).first().copied().unwrap_or(self.keeper_seat);
        Ok(())
    }

    /// Whose answer it is and what it says, if it is one to this call by a device that may give it.
    pub(crate) fn answer(
        &self,
        check: &Check,
        answer: &Answer,
        term: u64,
        caller: DeviceId,
    ) -> Result<(DeviceId, Here), Invalid> {
        let said: Here = answer.here.open().ok_or(Invalid::Malformed)?;
        let device = check.port.device(&answer.key);
        if said.term != term || said.caller != caller || self.member_key(device) != Some(answer.key) {
            return Err(Invalid::Roll);
        }
        let owned = said.seats.iter().all(|&seat| self.owner(seat) == Some(device));
        let rising = said.seats.windows(2).all(|pair| pair[0] < pair[1]);
        if !owned || !rising {
            return Err(Invalid::Roll);
        }
        if (check.hash_at)(said.head.0) != Some(said.head.1) {
            return Err(Invalid::Base);
        }
        if check.signatures && !answer.here.is_by(check.port, Kind::Here, check.table, &answer.key) {
            return Err(Invalid::Signature);
        }
        Ok((device, said))
    }

    /// A person's act: the conditions that all acts share; `acts` has the others.
    fn act(&mut self, check: &Check, index: u32, sealed: &Sealed) -> Result<(), Invalid> {
        let intent: Intent = sealed.open().ok_or(Invalid::Malformed)?;
        let seat = self.seats.get(usize::from(intent.seat)).ok_or(Invalid::NoSuchSeat)?;
        let (device, key) = match &intent.act {
            Act::Sit { key, .. } => (check.port.device(key), *key),
            Act::Stand | Act::Ready { .. } | Act::Reveal { .. } | Act::Move { .. } | Act::Resign => {
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
        if self.seqs.get(&device).is_some_and(|&seq| intent.seq <= seq) {
            return Err(Invalid::Seq);
        }
        if check.signatures && !sealed.is_by(check.port, Kind::Intent, check.table, &key) {
            return Err(Invalid::Signature);
        }
        self.perform(check.port, index, device, intent.seat, &intent.act)?;
        self.seqs.insert(device, intent.seq);
        Ok(())
    }
}

/// Names are short; how they look is for whoever shows them.
pub(super) fn check_name(name: &str) -> Result<(), Invalid> {
    if name.chars().count() > NAME_CHARS_MAX { Err(Invalid::Name) } else { Ok(()) }
}

fn is_level(level: u8) -> bool {
    (1..=LEVEL_MAX).contains(&level)
}

impl Seat {
    pub(crate) fn empty() -> Seat {
        Seat { sitter: Sitter::Nobody, here: false, taken: false, ready: false }
    }

    pub(crate) fn person(device: DeviceId, key: [u8; 32], name: String) -> Seat {
        Seat { sitter: Sitter::Person { device, key, name }, here: true, taken: false, ready: false }
    }

    fn of(setup: SeatSetup) -> Seat {
        match setup {
            SeatSetup::Open => Seat::empty(),
            SeatSetup::Cpu(level) => Seat { sitter: Sitter::Cpu { level }, ..Seat::empty() },
        }
    }
}
