//! The toss: who starts where chance decides (PROTOCOL.md, section 11). Everybody's `ready` commits to a nonce. With
//! the entry after which all are ready the toss is *closed*: who takes part in it stands from there on, and the
//! devices reveal. Nobody has seen a nonce before that, and nothing that anybody does after it draws again.

use std::collections::BTreeSet;

use rules::Starter;
use serde::Serialize;

use super::acts::Signed;
use super::{Check, Invalid, State};
use crate::{DeviceId, Hash, Port, Sitter, TableId};

/// What is known of the next game's toss.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Toss {
    /// In seat order.
    pub commits: Vec<Commit>,
    /// The CPUs' seats when the toss was closed.
    cpus: Vec<u8>,
    closed: bool,
    /// Devices that stood up from a closed toss: they are not drawn for this game.
    walked_out: BTreeSet<DeviceId>,
}

/// A seat's part in the toss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Commit {
    pub seat: u8,
    pub device: DeviceId,
    /// Number of the `ready` that holds it: the device makes the nonce from it again.
    pub seq: u64,
    pub commit: Hash,
    pub nonce: Option<[u8; 32]>,
}

impl Toss {
    /// Whether it is being drawn.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// In a closed toss this has no part any more, but for being ready.
    pub(super) fn commit(&mut self, by: Signed, commit: Hash) {
        if !self.closed {
            self.commits.retain(|before| before.seat != by.seat);
            self.commits.push(Commit { seat: by.seat, device: by.device, seq: by.seq, commit, nonce: None });
            self.commits.sort_by_key(|commit| commit.seat);
        }
    }

    /// Somebody else sits there now, or nobody.
    pub(super) fn left(&mut self, seat: u8) {
        if !self.closed {
            self.commits.retain(|commit| commit.seat != seat);
        }
    }

    pub(super) fn walked_out(&mut self, device: DeviceId) {
        self.walked_out.insert(device);
    }
}

impl State {
    /// Whether the next game's starter is drawn.
    pub(crate) fn needs_toss(&self) -> bool {
        let last = self.current.as_ref().map(|current| current.starter);
        let players = self.participants();
        !players.is_empty() && rules::starter(self.chosen.options(), &players, last) == Starter::Toss
    }

    /// Closes the toss when everybody is ready, and gives it up when nobody who takes part in it sits any more.
    pub(super) fn tend_toss(&mut self) {
        if self.toss.closed {
            let somebody = self.toss.commits.iter().any(|commit| self.owner(commit.seat) == Some(commit.device));
            if !somebody || self.participants().len() < crate::limits::SEATS_MIN {
                let walked_out = std::mem::take(&mut self.toss.walked_out);
                self.toss = Toss { walked_out, ..Toss::default() };
                self.seats.iter_mut().for_each(|seat| seat.ready = false);
            }
        } else if self.all_ready().is_ok() && self.needs_toss() {
            let is_cpu = |sitter: &Sitter| matches!(sitter, Sitter::Cpu { .. });
            let cpus = self.numbered().filter(|(_, seat)| is_cpu(&seat.sitter)).map(|(number, _)| number).collect();
            (self.toss.cpus, self.toss.closed) = (cpus, true);
        }
    }

    /// Seats whose device is to reveal now.
    pub(crate) fn to_reveal(&self) -> impl Iterator<Item = &Commit> {
        let lacks = |commit: &&Commit| {
            let here = self.seats.get(usize::from(commit.seat)).is_some_and(|seat| seat.here);
            commit.nonce.is_none() && here && self.owner(commit.seat) == Some(commit.device)
        };
        self.toss.commits.iter().filter(|_| self.toss.closed).filter(lacks)
    }

    pub(super) fn reveal(&mut self, check: &Check, by: Signed, nonce: &[u8; 32]) -> Result<(), Invalid> {
        let game = self.game_number() + 1;
        let commit = commit_of(check.port, check.table, game, by.seat, nonce);
        let open = self.toss.closed && !self.playing();
        let part = self.toss.commits.iter_mut().find(|part| open && part.seat == by.seat && part.device == by.device);
        let part = part.filter(|part| part.nonce.is_none() && part.commit == commit).ok_or(Invalid::Toss)?;
        part.nonce = Some(*nonce);
        Ok(())
    }

    /// The seat that the toss gives the start; `players` are in seat order, at least one.
    pub(super) fn drawn(&self, port: &dyn Port, players: &[u8]) -> u8 {
        let mut hashed = [b"c5/1/starter".as_slice(), &self.nonce].concat();
        self.toss.commits.iter().filter_map(|commit| commit.nonce).for_each(|nonce| hashed.extend(nonce));
        let Hash(drawn) = port.hash(&hashed);
        let number = drawn.iter().fold(0u64, |number, &byte| number.wrapping_mul(257).wrapping_add(byte.into()));
        // Who has revealed takes part whether or not it is still there: leaving hands a won start to the next, and
        // changes nothing where it was not won.
        let drawable = |device: DeviceId| !self.toss.walked_out.contains(&device);
        let revealed = self.toss.commits.iter().filter(|commit| commit.nonce.is_some());
        let mut list: Vec<u8> = revealed.map(|commit| commit.seat).collect();
        list.extend(&self.toss.cpus);
        list.sort_unstable();
        let may_start = |seat: &u8| match self.owner(*seat) {
            Some(owner) => {
                let own = |commit: &super::toss::Commit| commit.seat == *seat && commit.device == owner;
                drawable(owner) && self.toss.commits.iter().any(|commit| own(commit) && commit.nonce.is_some())
            }
            None => self.toss.cpus.contains(seat),
        };
        let eligible: Vec<u8> = players.iter().copied().filter(may_start).collect();
        let eligible = if eligible.is_empty() { players } else { &eligible };
        let list = if list.is_empty() { eligible } else { &list };
        let won = list[(number % list.len() as u64) as usize];
        eligible.iter().copied().find(|&seat| seat >= won).unwrap_or(eligible[0])
    }
}

/// What a `ready` commits to.
pub(crate) fn commit_of(port: &dyn Port, table: TableId, game: u32, seat: u8, nonce: &[u8; 32]) -> Hash {
    port.hash(&[b"c5/1/commit".as_slice(), &table.0, &game.to_le_bytes(), &[seat], nonce].concat())
}
