//! Every entry that any device ever wrote, as a tree, with a small model of the table beside each: who sits where,
//! who is here, which numbers are used. The model is built from the entries alone and shares no code with the
//! crate under test, so that it can say when that is wrong (PROTOCOL.md, section 15).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use table::entry::{Body, Entry, Here, Intent, Roll};
use table::ids::ByOwnBytes;
use table::message::Said;
use table::seal::Sealed;
use table::{Act, Hash, Port, Proposal, SeatSetup};

use crate::check::Broken;
use crate::trace::Trace;

/// Seats of a table at most.
pub const SEATS: usize = 4;
/// Devices of a game at most.
pub const DEVICES: usize = 8;
/// Room for the entries of most games.
const ROOM: usize = 128;

/// Who sits in a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Nobody,
    Cpu,
    /// By the device's number.
    Person(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelSeat {
    pub who: Who,
    /// Somebody who shares the device of another.
    pub guest: bool,
    pub here: bool,
    pub taken: bool,
    pub resigned: bool,
}

/// The table after an entry, as far as the invariants need it.
#[derive(Clone, Debug)]
pub struct Model {
    pub seats: [ModelSeat; SEATS],
    pub game: u32,
    pub keeper: usize,
    /// The devices that the newest roll names, and that sat since.
    pub named: [bool; DEVICES],
    pub seqs: [u64; DEVICES],
    /// The `at` of the newest act, and whether play has gone on since.
    at: Option<Hash>,
    stepped: bool,
}

/// One entry.
#[derive(Clone, Debug)]
pub struct Known {
    pub hash: Hash,
    pub parent: Option<usize>,
    pub index: u32,
    pub term: u64,
    pub state: Hash,
    pub body: Body,
    /// The intent, if it holds one, and a hash of its bytes and signature.
    pub act: Option<(Intent, Hash)>,
    /// Who signed the entry.
    pub by: usize,
    pub model: Model,
    /// An honest device wrote it: it has been checked.
    pub checked: bool,
    /// When it was made, in ms.
    pub made: u64,
}

impl Known {
    /// Whether it is something that a person did.
    pub fn is_human(&self) -> bool {
        self.act.is_some()
    }
}

/// The tree of all entries of a game.
#[derive(Debug, Default)]
pub struct Chains {
    pub all: Vec<Known>,
    by_hash: HashMap<Hash, usize, ByOwnBytes>,
    /// What each device signed at each place of a roll.
    signed: BTreeMap<(usize, u64, u32), Hash>,
    /// The roll that each device made in a term.
    rolls: BTreeMap<(usize, u64), Hash>,
    /// Public keys, by the device's number.
    pub keys: Vec<[u8; 32]>,
    /// The time, in ms.
    pub now: u64,
}

impl Chains {
    /// No entries yet, for devices with these public keys.
    pub fn new(keys: Vec<[u8; 32]>) -> Chains {
        Chains { keys, all: Vec::with_capacity(ROOM), ..Chains::default() }
    }

    pub fn find(&self, hash: Hash) -> Option<usize> {
        self.by_hash.get(&hash).copied()
    }

    pub fn device(&self, key: &[u8; 32]) -> Option<usize> {
        self.keys.iter().position(|known| known == key)
    }

    /// The entries from the first one up to this one.
    pub fn chain(&self, tip: usize) -> Vec<usize> {
        let mut chain: Vec<usize> = self.back(tip).collect();
        chain.reverse();
        chain
    }

    /// This entry and those before it, the newest first.
    pub fn back(&self, tip: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(tip), |&id| self.all[id].parent)
    }

    pub fn contains(&self, tip: usize, id: usize) -> bool {
        let index = self.all[id].index;
        self.back(tip).find(|&back| self.all[back].index <= index) == Some(id)
    }

    /// Takes note of an entry that a device writes, and checks it when an honest one does.
    pub fn add(&mut self, port: &dyn Port, sealed: &Sealed, table: &[u8; 16], honest: bool) -> Result<usize, Broken> {
        let hash = port.hash(&sealed.bytes);
        let id = match self.find(hash) {
            Some(id) => id,
            None => self.insert(port, sealed, hash)?,
        };
        if honest && !self.all[id].checked {
            self.all[id].checked = true;
            self.check(port, id, sealed, table)?;
        }
        Ok(id)
    }

    fn insert(&mut self, port: &dyn Port, sealed: &Sealed, hash: Hash) -> Result<usize, Broken> {
        let entry: Entry = sealed.open().ok_or_else(|| Broken::new(3, "an entry that cannot be read was written"))?;
        let parent = self.find(entry.prev);
        if parent.map_or(0, |parent| self.all[parent].index + 1) != entry.index {
            return Err(Broken::new(3, format!("entry {} was written, but not the one before it", entry.index)));
        }
        let act = match &entry.body {
            Body::Act(act) => {
                let intent = act.open().ok_or_else(|| Broken::new(3, "an act that cannot be read is in a log"))?;
                Some((intent, port.hash(&[act.bytes.as_slice(), &act.signature.0].concat())))
            }
            Body::Opened(_) | Body::Roll(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => None,
        };
        let before = parent.map(|parent| &self.all[parent].model);
        let by = match &entry.body {
            Body::Opened(opened) => self.device(&opened.key).unwrap_or(DEVICES),
            Body::Roll(roll) => self.device(&roll.keeper).unwrap_or(DEVICES),
            Body::Act(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => {
                before.map_or(DEVICES, |model| model.keeper)
            }
        };
        let model = self.after(before, &entry.body, act.as_ref().map(|(intent, _)| intent), by);
        let id = self.all.len();
        self.by_hash.insert(hash, id);
        let Entry { index, term, state, body, .. } = entry;
        self.all.push(Known { hash, parent, index, term, state, body, act, by, model, checked: false, made: self.now });
        Ok(id)
    }

    /// The model after an entry. Whether the entry may be is looked at elsewhere.
    fn after(&self, before: Option<&Model>, body: &Body, act: Option<&Intent>, by: usize) -> Model {
        let mut model = before.cloned().unwrap_or_else(Model::empty);
        match body {
            Body::Opened(opened) => {
                for (seat, setup) in model.seats.iter_mut().zip(&opened.seats) {
                    seat.who = if matches!(setup, SeatSetup::Cpu(_)) { Who::Cpu } else { Who::Nobody };
                }
                model.seats[0] = ModelSeat::sat(by, false);
                model.keeper = by;
                model.name(by);
            }
            Body::Roll(roll) => self.roll(&mut model, roll, by),
            Body::Act(_) => {
                if let Some(intent) = act {
                    self.act(&mut model, intent);
                }
            }
            Body::Cpu { .. } => model.stepped = true,
            Body::Start { game } => {
                model.game = *game;
                model.stepped = true;
                model.seats.iter_mut().for_each(|seat| seat.resigned = false);
            }
            Body::Taken { seat, .. } => {
                if let Some(seat) = model.seats.get_mut(usize::from(*seat)) {
                    seat.taken = true;
                }
            }
        }
        model
    }

    fn roll(&self, model: &mut Model, roll: &Roll, by: usize) {
        model.named = [false; DEVICES];
        model.keeper = by;
        let mut here = [false; SEATS];
        for answer in &roll.answers {
            let Some(device) = self.device(&answer.key) else { continue };
            if model.owns_any(device) {
                model.name(device);
            }
            let said: Option<Here> = answer.here.open();
            for seat in said.into_iter().flat_map(|said| said.seats) {
                // Its seat may be one of a side that does not go on.
                if model.seats.get(usize::from(seat)).is_none_or(|seat| seat.who != Who::Person(device)) {
                    continue;
                }
                if let Some(here) = here.get_mut(usize::from(seat)) {
                    *here = true;
                }
            }
        }
        for (seat, here) in model.seats.iter_mut().zip(here) {
            (seat.here, seat.taken) = (here, seat.taken && !here);
        }
    }

    fn act(&self, model: &mut Model, intent: &Intent) {
        let number = usize::from(intent.seat);
        let device = match &intent.act {
            Act::Sit { key, .. } => self.device(key),
            _ => model.owner(number),
        };
        if let Some(device) = device {
            model.seqs[device] = model.seqs[device].max(intent.seq);
        }
        if model.at != Some(intent.at) {
            (model.at, model.stepped) = (Some(intent.at), false);
        }
        match &intent.act {
            Act::Sit { guest, leaves, .. } => {
                if let (Some(device), Some(seat)) = (device, model.seats.get_mut(number)) {
                    *seat = ModelSeat::sat(device, guest.is_some());
                    model.name(device);
                }
                if let Some(left) = leaves.and_then(|left| model.seats.get_mut(usize::from(left))) {
                    *left = ModelSeat::EMPTY;
                }
            }
            Act::Stand => {
                model.seats[number] = ModelSeat::EMPTY;
                if let Some(device) = device.filter(|&device| !model.owns_any(device) && device != model.keeper) {
                    model.named[device] = false;
                }
            }
            Act::Move { .. } => model.stepped = true,
            Act::Resign => (model.seats[number].resigned, model.stepped) = (true, true),
            Act::Ready { .. }
            | Act::Reveal { .. }
            | Act::Offer(_)
            | Act::Answer { .. }
            | Act::Hold { .. }
            | Act::CpuNow { .. } => {}
        }
    }

    fn check(&mut self, port: &dyn Port, id: usize, sealed: &Sealed, table: &[u8; 16]) -> Result<(), Broken> {
        let known = &self.all[id];
        let Some(parent) = known.parent else { return Ok(()) };
        let before = &self.all[parent].model;
        match (&known.body, &known.act) {
            (Body::Act(act), Some((intent, digest))) => {
                self.inv1_signed_by_owner(port, parent, act, intent, table)?;
                self.inv2_once(parent, *digest, intent)?;
            }
            (Body::Cpu { seat, .. }, _) => inv10_cpu_seat(before, *seat)?,
            (Body::Taken { seat, .. }, _) => {
                let at = before.seats.get(usize::from(*seat)).copied().unwrap_or(ModelSeat::EMPTY);
                if !matches!(at.who, Who::Person(_)) || at.here || at.taken {
                    return Err(Broken::new(10, format!("seat {seat} was taken over as {at:?}")));
                }
            }
            _ => {}
        }
        let key = self.keys.get(known.by).ok_or_else(|| Broken::new(3, "an entry by a stranger"))?;
        let over = [b"c5/1/entry".as_slice(), table, &sealed.bytes].concat();
        if !port.verify(key, &over, &sealed.signature.0) {
            return Err(Broken::new(3, format!("entry {} is not signed by its keeper", known.index)));
        }
        Ok(())
    }

    /// 1. Every human act in any log carries the signature of the seat's owner, over this table, game, `at` and a
    ///    higher `seq` than before. An `at` that was left behind never comes again.
    fn inv1_signed_by_owner(
        &self,
        port: &dyn Port,
        parent: usize,
        act: &Sealed,
        intent: &Intent,
        table: &[u8; 16],
    ) -> Result<(), Broken> {
        let before = &self.all[parent].model;
        let broken = |what: &str| Err(Broken::new(1, format!("{what}: {intent:?}")));
        let device = match &intent.act {
            Act::Sit { key, .. } => self.device(key),
            _ => before.owner(usize::from(intent.seat)),
        };
        let Some(device) = device else { return broken("an act at a seat that nobody owns") };
        let over = [b"c5/1/intent".as_slice(), table, &act.bytes].concat();
        if !port.verify(&self.keys[device], &over, &act.signature.0) {
            return broken("an act that the seat's owner did not sign");
        }
        if intent.game != before.game {
            return broken("an act of another game");
        }
        if intent.seq <= before.seqs[device] {
            return broken("an act with a number that was used before");
        }
        if let Act::Sit { guest, leaves, .. } = &intent.act {
            before.place(device, guest.is_some(), *leaves).or_else(broken)?;
        } else if !before.seats[usize::from(intent.seat)].here {
            return broken("an act of somebody who is not here");
        }
        if before.at == Some(intent.at) {
            return if before.stepped { broken("an act for a position that has passed") } else { Ok(()) };
        }
        let mut acts = self.back(parent).filter_map(|id| self.all[id].act.as_ref());
        if acts.any(|(earlier, _)| earlier.at == intent.at) {
            return broken("an act for a position that was left before");
        }
        Ok(())
    }

    /// 3. Every log is valid: a roll stands on what section 8 gives for its answers. The devices that it names look into
    ///    that, and fetch what was answered; after a restart, like the others, only by what they hold.
    pub fn inv3_base(
        &self,
        id: usize,
        device: usize,
        answered: &BTreeSet<u64>,
        knows: &dyn Fn(Hash) -> bool,
    ) -> Result<(), Broken> {
        let known = &self.all[id];
        let (Body::Roll(roll), Some(parent)) = (&known.body, known.parent) else { return Ok(()) };
        if !roll.answers.iter().any(|answer| self.device(&answer.key) == Some(device)) {
            return Ok(());
        }
        let holds = |here: Here| knows(here.head.1);
        let has_all = || roll.answers.iter().all(|answer| answer.here.open().is_some_and(holds));
        if known.by != device && !answered.contains(&known.term) && !has_all() {
            return Ok(());
        }
        let name = |id: usize| Trace::head(self.all[id].index, self.all[id].hash);
        match self.goes_on(roll, knows) {
            Some(base) if base == parent => Ok(()),
            Some(base) => Err(Broken::new(3, format!("a roll follows on {}, not on {}", name(parent), name(base)))),
            None => Err(Broken::new(3, "a roll has an answer with a head that nobody wrote")),
        }
    }

    /// 2. No act takes effect twice in one log.
    fn inv2_once(&self, parent: usize, digest: Hash, intent: &Intent) -> Result<(), Broken> {
        let twice = self.back(parent).any(|id| self.all[id].act.as_ref().is_some_and(|(_, other)| *other == digest));
        if twice { Err(Broken::new(2, format!("twice in one log: {intent:?}"))) } else { Ok(()) }
    }

    /// 5. An honest keeper signs at most one successor for each place of a roll, and one roll a term.
    pub fn inv5_one_successor(&mut self, id: usize) -> Result<(), Broken> {
        let known = &self.all[id];
        let is_roll = matches!(known.body, Body::Roll(_) | Body::Opened(_));
        let before = if is_roll {
            self.rolls.insert((known.by, known.term), known.hash)
        } else {
            self.signed.insert((known.by, known.term, known.index), known.hash)
        };
        match before.filter(|&before| before != known.hash) {
            Some(_) if is_roll => Err(Broken::new(5, format!("two rolls of term {}", known.term))),
            Some(_) => {
                Err(Broken::new(5, format!("two entries for place {} of the roll of term {}", known.index, known.term)))
            }
            None => Ok(()),
        }
    }

    /// Acts that are in the tree at more than one place.
    pub fn carried(&self) -> bool {
        let mut seen = std::collections::BTreeSet::new();
        self.all.iter().filter_map(|known| known.act.as_ref()).any(|(_, digest)| !seen.insert(*digest))
    }
}

/// 10. A CPU move stands only at a CPU's, given-up, resigned or taken seat; the seat of somebody here is never played
///     by the CPU.
fn inv10_cpu_seat(before: &Model, seat: u8) -> Result<(), Broken> {
    let at = before.seats.get(usize::from(seat)).copied().unwrap_or(ModelSeat::EMPTY);
    let may = match at.who {
        Who::Person(_) => at.resigned || at.taken && !at.here,
        Who::Cpu | Who::Nobody => true,
    };
    let somebody = before.seats.iter().any(|seat| matches!(seat.who, Who::Person(_)) && seat.here);
    match (may, somebody) {
        (true, true) => Ok(()),
        (false, _) => Err(Broken::new(10, format!("the CPU played at seat {seat}, which is {at:?}"))),
        (true, false) => Err(Broken::new(10, "the CPU played with nobody here")),
    }
}

impl ModelSeat {
    const EMPTY: ModelSeat = ModelSeat { who: Who::Nobody, guest: false, here: false, taken: false, resigned: false };

    fn sat(device: usize, guest: bool) -> ModelSeat {
        ModelSeat { who: Who::Person(device), guest, here: true, ..ModelSeat::EMPTY }
    }
}

impl Model {
    fn empty() -> Model {
        Model {
            seats: [ModelSeat::EMPTY; SEATS],
            game: 0,
            keeper: DEVICES,
            named: [false; DEVICES],
            seqs: [0; DEVICES],
            at: None,
            stepped: false,
        }
    }

    fn name(&mut self, device: usize) {
        if let Some(named) = self.named.get_mut(device) {
            *named = true;
        }
    }

    /// The device that owns a seat.
    pub fn owner(&self, seat: usize) -> Option<usize> {
        match self.seats.get(seat)?.who {
            Who::Person(device) => Some(device),
            Who::Nobody | Who::Cpu => None,
        }
    }

    pub fn owns_any(&self, device: usize) -> bool {
        self.seats.iter().any(|seat| seat.who == Who::Person(device))
    }

    /// Whether a seat may be taken at a device: one by its own person, who leaves the one before, and others by guests
    /// of somebody who sits, each of whom leaves a guest's.
    fn place(&self, device: usize, guest: bool, leaves: Option<u8>) -> Result<(), &'static str> {
        let own = |seat: &ModelSeat| seat.who == Who::Person(device) && !seat.guest;
        let host = self.seats.iter().position(own);
        let left = leaves.map(usize::from);
        match (guest, host) {
            (false, _) if left != host => Err("a second seat for one person, or one that somebody else was to leave"),
            (true, None) => Err("a guest of nobody"),
            (true, Some(_)) if left.is_some_and(|left| self.owner(left) != Some(device) || Some(left) == host) => {
                Err("a guest who leaves a seat of another")
            }
            (false, _) | (true, Some(_)) => Ok(()),
        }
    }
}

/// What an act asks for, for the counts.
pub fn proposal(act: &Act) -> Option<&Proposal> {
    match act {
        Act::Offer(proposal) => Some(proposal),
        _ => None,
    }
}

/// What a letter says, without its signature's check.
pub fn said(bytes: &[u8]) -> Option<Said> {
    match table::message::Message::from_bytes(bytes)? {
        table::message::Message::Letter(letter) => Some(letter.note.open::<table::message::Note>()?.said),
        _ => None,
    }
}
