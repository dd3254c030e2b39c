//! The state of a table: a pure function of its log. This module says what it holds, `enter` how an entry
//! changes it, `acts` how a person's act does, and `game` how games start, go on and end.

mod acts;
mod enter;
mod game;
mod invalid;
mod offers;
mod roll;
#[cfg(test)]
mod tests;
mod toss;
mod undo;

use std::collections::{BTreeMap, BTreeSet};

use rules::{Colour, Game, Outcome, Rules};
use serde::{Deserialize, Serialize};

use crate::seal::encode;
use crate::{Asked, Closed, DeviceId, Hash, Port, Proposal, Seat, Settings, Sitter, TableId};
pub(crate) use enter::Check;
pub(crate) use invalid::Invalid;
pub(crate) use roll::answer_to;
pub(crate) use toss::{Toss, commit_of};

/// Who made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Made {
    Hand,
    Cpu,
    Clock,
}

/// One stone or choice as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// The log entry that holds it.
    pub index: u32,
    pub seat: u8,
    pub by: Made,
    pub action: rules::Action,
    pub played: rules::Played,
    /// Stones placed up to and with this one.
    pub ply: u16,
}

/// Something that is asked of the others and not settled yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// Hash of the asker's device and the asking intent's bytes: the next owner of a seat may sign the same bytes.
    pub id: Hash,
    pub seat: u8,
    pub what: Asked,
    /// Seats that have said yes.
    pub agreed: Vec<u8>,
}

/// The running game, or the last one.
#[derive(Clone, Debug)]
pub struct Current {
    /// From 1.
    pub number: u32,
    pub starter: u8,
    /// Seats in turn order; the game's player `i` is `order[i]`.
    pub order: Vec<u8>,
    pub game: Game,
    pub moves: Vec<MoveRecord>,
    /// Seats that resigned in a game that went on.
    pub resigned: Vec<u8>,
    /// How many actions lay when each of those resigned.
    pub(crate) resigned_at: Vec<usize>,
    /// It was ranked from its start: people's own devices in all seats, each seat another device.
    pub(crate) ranked: bool,
    /// Once it is over, the seats whose win was counted, wherever their players sit now.
    pub(crate) credited: Vec<u8>,
    /// Seats that were given up, as they were when the game ended or their players stood up after it.
    pub given_up: Vec<(u8, Sitter)>,
    /// Seats that were given up while it ran, and by whom.
    pub(crate) stood_up: Vec<StoodUp>,
    /// The terms have changed since it ended: it stays as it ended.
    pub(crate) settled: bool,
}

/// Somebody gave a seat up in mid-game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoodUp {
    pub seat: u8,
    pub device: DeviceId,
    /// It was not the device's own person.
    pub guest: bool,
}

impl Current {
    /// Whether it was ranked from its start.
    pub fn is_ranked(&self) -> bool {
        self.ranked
    }

    /// The seats that this device gave up while it ran.
    pub fn given_up_by(&self, device: DeviceId) -> Vec<u8> {
        self.stood_up.iter().filter(|stood| stood.device == device).map(|stood| stood.seat).collect()
    }

    /// The name of whoever gave this seat up, once the game is over.
    pub fn left_by(&self, seat: u8) -> Option<&str> {
        let left = self.given_up.iter().find(|(number, _)| *number == seat);
        left.and_then(|(_, sitter)| match sitter {
            Sitter::Person { name, .. } | Sitter::GivenUp { name, .. } => Some(name.as_str()),
            Sitter::Nobody | Sitter::Cpu { .. } => None,
        })
    }

    /// Whether its result counts, or will: it was ranked from its start, and no stone or choice in it is the CPU's.
    /// What the clock played is signed by the seat's owner (PROTOCOL.md, section 14).
    pub fn counts(&self) -> bool {
        self.ranked
            && self.moves.iter().all(|made| match made.by {
                Made::Hand | Made::Clock => true,
                Made::Cpu => false,
            })
    }
}

/// An offer that the newest entry closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    pub offer: Offer,
    pub why: Closed,
}

/// Everything that the log says. Read-only outside this crate.
#[derive(Clone, Debug)]
pub struct State {
    /// The rules for the next game, or of the running one.
    pub rules: Rules,
    pub settings: Settings,
    pub seats: Vec<Seat>,
    pub current: Option<Current>,
    /// Games won by each seat in this series.
    pub wins: Vec<u32>,
    /// Open offers, the oldest first.
    pub offers: Vec<Offer>,
    pub term: u64,
    /// The device that keeps, and the seat that it spoke for when it began to.
    pub keeper: DeviceId,
    pub keeper_seat: u8,
    /// The rules that the party chose, for all seats; a game with fewer has them adapted.
    pub(crate) chosen: Rules,
    pub(crate) keeper_key: [u8; 32],
    pub(crate) opener: DeviceId,
    pub(crate) opener_key: [u8; 32],
    /// From `opened`: draws the first starter.
    pub(crate) nonce: [u8; 32],
    /// The play chain.
    pub(crate) at: Hash,
    /// The highest `seq` of each device.
    pub(crate) seqs: BTreeMap<DeviceId, u64>,
    /// The devices that the newest roll names, and that sat since.
    pub(crate) named: BTreeSet<DeviceId>,
    /// For each seat the entry that last changed who sits there or whether it is here. Follows from the log;
    /// not part of the hash.
    pub(crate) since: Vec<u32>,
    /// Hash of the table's nonce and the PIN, where one is set.
    pub(crate) pin: Option<Hash>,
    /// What each seat has asked for since play came to where it stands: seat, kind, how often.
    pub(crate) tries: BTreeMap<(u8, u8), u8>,
    /// How often somebody sat down since play came to where it stands. Follows from the log; not part of the hash.
    pub(crate) sits: u16,
    /// The toss for the next game's start.
    pub(crate) toss: Toss,
    /// Offers that the newest entry closed, in order. Follows from the log; not part of the hash.
    pub(crate) closed: Vec<Settled>,
}

/// What the state's hash is over, in this order.
#[derive(Serialize)]
struct Hashed<'a> {
    #[serde(with = "serde_bytes")]
    rules: Vec<u8>,
    #[serde(with = "serde_bytes")]
    chosen: Vec<u8>,
    settings: &'a Settings,
    seats: &'a [Seat],
    current: Option<HashedGame<'a>>,
    wins: &'a [u32],
    offers: &'a [Offer],
    tries: &'a BTreeMap<(u8, u8), u8>,
    toss: &'a Toss,
    pin: Option<Hash>,
    term: u64,
    keeper: DeviceId,
    keeper_seat: u8,
    opener: DeviceId,
    at: Hash,
    seqs: &'a BTreeMap<DeviceId, u64>,
    named: &'a BTreeSet<DeviceId>,
}

#[derive(Serialize)]
struct HashedGame<'a> {
    number: u32,
    starter: u8,
    order: &'a [u8],
    #[serde(with = "serde_bytes")]
    game: Vec<u8>,
    resigned: &'a [u8],
    resigned_at: &'a [usize],
    ranked: bool,
    credited: &'a [u8],
    given_up: &'a [(u8, Sitter)],
    settled: bool,
}

impl State {
    /// Whoever comes is asked for a PIN.
    pub fn is_locked(&self) -> bool {
        self.pin.is_some()
    }

    /// What stands for the PIN, for terms that leave it as it is.
    pub fn pin(&self) -> Option<Hash> {
        self.pin
    }

    /// What would stand for another PIN at this table.
    pub fn pin_hash(&self, port: &dyn Port, pin: &str) -> Hash {
        crate::seal::pin_hash(port, &self.nonce, pin)
    }

    /// The seat whose turn it is, while a game runs.
    pub fn turn_seat(&self) -> Option<u8> {
        let current = self.current.as_ref()?;
        current.order.get(usize::from(current.game.turn()?.player)).copied()
    }

    /// The result that stands, between games.
    pub fn result(&self) -> Option<&Outcome> {
        self.current.as_ref()?.game.result()
    }

    /// The colour that a seat has in the running or last game.
    pub fn colour(&self, seat: u8) -> Option<Colour> {
        let current = self.current.as_ref()?;
        let player = current.order.iter().position(|&s| s == seat)?;
        Some(current.game.colour_of(player as u8))
    }

    /// Whether a game runs.
    pub fn playing(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.game.result().is_none())
    }

    /// Whether the running or last game's result counts, or will ([`Current::counts`]).
    pub fn counts(&self) -> bool {
        self.current.as_ref().is_some_and(Current::counts)
    }

    /// Whether a seat is its owner's and its owner is not here.
    pub(crate) fn is_away(&self, seat: u8) -> bool {
        self.owner(seat).is_some() && self.seats.get(usize::from(seat)).is_some_and(|seat| !seat.here)
    }

    /// The owned seats that are away and that the CPU does not play for.
    pub(crate) fn waited_for(&self) -> Vec<u8> {
        let waits = |&(number, seat): &(u8, &Seat)| self.is_away(number) && !seat.taken;
        self.numbered().filter(waits).map(|(number, _)| number).collect()
    }

    /// Whether the CPU makes this seat's moves in the running game.
    pub fn cpu_plays(&self, seat: u8) -> bool {
        let Some(at) = self.seats.get(usize::from(seat)) else { return false };
        let resigned = self.playing() && self.current.as_ref().is_some_and(|now| now.resigned.contains(&seat));
        match at.sitter {
            Sitter::Cpu { .. } | Sitter::GivenUp { .. } => true,
            Sitter::Person { .. } => resigned || at.taken,
            Sitter::Nobody => false,
        }
    }

    /// The level at which the CPU plays this seat.
    pub fn cpu_level(&self, seat: u8) -> u8 {
        match self.seats.get(usize::from(seat)).map(|seat| &seat.sitter) {
            Some(Sitter::Cpu { level } | Sitter::GivenUp { level, .. }) => *level,
            Some(Sitter::Person { .. } | Sitter::Nobody) | None => self.settings.level,
        }
    }

    /// The device that owns a seat.
    pub fn owner(&self, seat: u8) -> Option<DeviceId> {
        self.owner_key(seat).map(|(device, _)| device)
    }

    /// A device's seats, lowest first.
    pub fn seats_of(&self, device: DeviceId) -> Vec<u8> {
        self.numbered().filter(|&(seat, _)| self.owner(seat) == Some(device)).map(|(seat, _)| seat).collect()
    }

    /// A device's lowest seat.
    pub fn lowest_seat(&self, device: DeviceId) -> Option<u8> {
        self.numbered().find(|&(seat, _)| self.owner(seat) == Some(device)).map(|(seat, _)| seat)
    }

    /// Whether somebody sits there who shares the device of another.
    pub fn is_guest(&self, seat: u8) -> bool {
        self.seats.get(usize::from(seat)).is_some_and(|seat| matches!(seat.sitter, Sitter::Person { guest: true, .. }))
    }

    /// The seat of a device's own person.
    pub fn host_seat(&self, device: DeviceId) -> Option<u8> {
        self.seats_of(device).into_iter().find(|&seat| !self.is_guest(seat))
    }

    /// The seat of a device that speaks for it where nobody's turn does: its own person's.
    pub fn speaking_seat(&self, device: DeviceId) -> Option<u8> {
        self.host_seat(device).or_else(|| self.lowest_seat(device))
    }

    /// The seat of a device that acts for it now: where people share it, the one whose turn it is or comes next, without
    /// those whose moves the CPU makes; else its own person's.
    pub fn acting_seat(&self, device: DeviceId) -> Option<u8> {
        let host = self.speaking_seat(device)?;
        let (Some(current), Some(turn)) = (self.current.as_ref().filter(|_| self.playing()), self.turn_seat()) else {
            return Some(host);
        };
        let from = current.order.iter().position(|&seat| seat == turn).unwrap_or(0);
        let around = current.order.iter().cycle().skip(from).take(current.order.len());
        let mut own = around.copied().filter(|&seat| self.owner(seat) == Some(device));
        Some(own.find(|&seat| !self.has_resigned(seat)).unwrap_or(host))
    }

    /// The seat of a device that asks for this: where people share it, an undo is for whoever of them moved last.
    pub fn asking_seat(&self, device: DeviceId, what: &Proposal) -> Option<u8> {
        let moved_last = || {
            let moves = &self.current.as_ref()?.moves;
            let own = |made: &&MoveRecord| self.owner(made.seat) == Some(device) && !self.has_resigned(made.seat);
            moves.iter().rev().find(own).map(|made| made.seat)
        };
        match what {
            Proposal::Undo => moved_last().or_else(|| self.acting_seat(device)),
            Proposal::Draw | Proposal::Options(_) => self.acting_seat(device),
        }
    }

    /// Whether a device owns a seat.
    pub fn is_owner(&self, device: DeviceId) -> bool {
        self.seats.iter().any(|seat| matches!(seat.sitter, Sitter::Person { device: owner, .. } if owner == device))
    }

    /// The devices that own a seat.
    pub fn owners(&self) -> BTreeSet<DeviceId> {
        self.numbered().filter_map(|(seat, _)| self.owner(seat)).collect()
    }

    /// The seats that take part in a game that starts now.
    pub fn participants(&self) -> Vec<u8> {
        self.numbered().filter(|(_, seat)| seat.sitter != Sitter::Nobody).map(|(number, _)| number).collect()
    }

    /// Whether a seat has resigned in the running or last game.
    pub(crate) fn has_resigned(&self, seat: u8) -> bool {
        self.current.as_ref().is_some_and(|current| current.resigned.contains(&seat))
    }

    /// Whether the seat takes part in the running game.
    pub(crate) fn in_game(&self, seat: u8) -> bool {
        self.playing() && self.current.as_ref().is_some_and(|current| current.order.contains(&seat))
    }

    /// Whether a device owns a seat that takes part in this game, or gave one up in it.
    pub(crate) fn plays_in(&self, game: &Current, device: DeviceId) -> bool {
        !self.played_by(game, device).is_empty()
    }

    /// The seats of this game that a device owns or gave up in it, lowest first, and which of them are its guests'.
    pub fn played_by(&self, game: &Current, device: DeviceId) -> Vec<(u8, bool)> {
        let owned = game.order.iter().filter(|&&seat| self.owner(seat) == Some(device));
        let owned = owned.map(|&seat| (seat, self.is_guest(seat)));
        let stood = game.stood_up.iter().filter(|stood| stood.device == device);
        let mut seats: Vec<(u8, bool)> = owned.chain(stood.map(|stood| (stood.seat, stood.guest))).collect();
        seats.sort_unstable();
        seats.dedup_by_key(|(seat, _)| *seat);
        seats
    }

    pub(crate) fn game_number(&self) -> u32 {
        self.current.as_ref().map_or(0, |current| current.number)
    }

    /// A seat and its number.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u8, &Seat)> {
        (0u8..).zip(&self.seats)
    }

    pub(crate) fn owner_key(&self, seat: u8) -> Option<(DeviceId, [u8; 32])> {
        match self.seats.get(usize::from(seat))?.sitter {
            Sitter::Person { device, key, .. } => Some((device, key)),
            Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => None,
        }
    }

    /// The key of a device that may answer a call: an owner's, or the opener's.
    pub(crate) fn member_key(&self, device: DeviceId) -> Option<[u8; 32]> {
        let owned = self.numbered().find_map(|(seat, _)| self.owner_key(seat).filter(|(owner, _)| *owner == device));
        owned.map(|(_, key)| key).or((device == self.opener).then_some(self.opener_key))
    }

    pub(crate) fn somebody_here(&self) -> bool {
        self.numbered().any(|(number, seat)| seat.here && self.owner(number).is_some())
    }

    /// The table id as the play chain's first link.
    pub(crate) fn set_table(&mut self, table: TableId) {
        self.at.0[..16].copy_from_slice(&table.0);
    }

    pub(crate) fn hash(&self, port: &dyn Port) -> Hash {
        let current = self.current.as_ref().map(|current| HashedGame {
            number: current.number,
            starter: current.starter,
            order: &current.order,
            game: current.game.state_bytes(),
            resigned: &current.resigned,
            resigned_at: &current.resigned_at,
            ranked: current.ranked,
            credited: &current.credited,
            given_up: &current.given_up,
            settled: current.settled,
        });
        let hashed = Hashed {
            rules: self.rules.to_bytes(),
            chosen: self.chosen.to_bytes(),
            settings: &self.settings,
            seats: &self.seats,
            current,
            wins: &self.wins,
            offers: &self.offers,
            tries: &self.tries,
            toss: &self.toss,
            pin: self.pin,
            term: self.term,
            keeper: self.keeper,
            keeper_seat: self.keeper_seat,
            opener: self.opener,
            at: self.at,
            seqs: &self.seqs,
            named: &self.named,
        };
        port.hash(&encode(&hashed))
    }
}
