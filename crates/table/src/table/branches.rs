//! What the log does not contain: branches are kept, and what people did in them is done again where it still fits
//! (PROTOCOL.md, section 8, *Carrying over*).

use super::follow::TOO_LONG;
use super::*;
use crate::entry::{Body, Entry, Intent};
use crate::journal::Record;
use crate::log::Known;
use crate::message::Said;
use crate::seal::Sealed;
use crate::state::Current;
use crate::{Act, Hash, State};

/// A person's act of a branch.
#[derive(Debug)]
pub(super) struct Carried {
    sealed: Sealed,
    device: DeviceId,
    seat: u8,
    seq: u64,
    at: Hash,
}

impl Table {
    /// Keeps a chain that is not the log, on disk too.
    pub(super) fn keep_branch(&mut self, head: Hash) {
        let Some(log) = &mut self.log else { return };
        let is_aside = log.known(head).is_some() && !log.holds(head);
        if !is_aside || self.kept.iter().any(|&kept| log.contains(kept, head)) {
            return;
        }
        self.kept.retain(|&kept| !log.contains(head, kept));
        self.kept.push(head);
        let common = log.common(log.head(), head).map_or(0, |entry| entry.index + 1);
        let chain: Vec<(Hash, Sealed)> =
            log.chain(head, common).into_iter().map(|entry| (entry.hash, entry.sealed.clone())).collect();
        let unwritten: Vec<Sealed> =
            chain.into_iter().filter_map(|(hash, sealed)| log.journal(hash).then_some(sealed)).collect();
        for sealed in unwritten {
            self.aside_bytes += sealed.bytes.len();
            if self.aside_bytes <= ASIDE_BYTES_MAX {
                self.write(Record::Aside(sealed));
            }
        }
        self.bound_branches();
    }

    /// The emptiest branches go first.
    pub(super) fn bound_branches(&mut self) {
        while self.kept.len() > BRANCHES_MAX || self.kept_bytes() > HELD_BYTES_MAX {
            let Some(emptiest) = self.kept.iter().copied().min_by_key(|&head| self.acts_in(head)) else { return };
            self.kept.retain(|&head| head != emptiest);
        }
    }

    fn kept_bytes(&self) -> usize {
        self.kept.iter().flat_map(|&head| self.beside(head)).map(|entry| entry.sealed.bytes.len()).sum()
    }

    fn acts_in(&self, head: Hash) -> usize {
        self.beside(head).into_iter().filter(|entry| act_of(entry).is_some()).count()
    }

    /// A chain's entries that the log does not contain.
    fn beside(&self, head: Hash) -> Vec<&Known> {
        let Some(log) = &self.log else { return Vec::new() };
        let common = log.common(log.head(), head).map_or(0, |entry| entry.index + 1);
        log.chain(head, common)
    }

    /// Chains that were only fetched, and came to nothing, are forgotten when they grow too large.
    pub(super) fn count_loose(&mut self) {
        self.loose_bytes = 0;
        let Some(log) = &self.log else { return };
        self.kept.retain(|&head| !log.holds(head));
        let loose: Vec<Hash> = log.others().iter().copied().filter(|head| !self.kept.contains(head)).collect();
        for &head in &loose {
            self.loose_bytes += self.beside(head).iter().map(|entry| entry.sealed.bytes.len()).sum::<usize>();
        }
        if self.loose_bytes > HELD_BYTES_MAX / 2 || loose.len() > BRANCHES_MAX {
            self.forget_loose();
        }
    }

    /// Room for an entry beside the log. Where there is none, all that only came by is forgotten, and who sent most of
    /// it is cut off: what is wanted of the rest will be asked for again. False when that is the sender.
    pub(super) fn make_room(&mut self, from: DeviceId, bytes: usize) -> bool {
        let heads = self.log.as_ref().map_or(0, |log| log.others().len());
        let mut stays = true;
        if self.loose_bytes + bytes > HELD_BYTES_MAX || heads > self.kept.len() + BRANCHES_MAX {
            let most = self.peers.iter().max_by_key(|(_, peer)| peer.loose_bytes).map(|(&device, _)| device);
            self.forget_loose();
            stays = most != Some(from);
            if let Some(most) = most.filter(|_| stays) {
                self.disconnect(most, TOO_LONG);
            }
        }
        self.loose_bytes += bytes;
        if let Some(peer) = self.peers.get_mut(&from) {
            peer.loose_bytes += bytes;
        }
        stays
    }

    fn forget_loose(&mut self) {
        if let Some(log) = &mut self.log {
            log.forget_loose(&self.kept);
        }
        self.loose_bytes = 0;
        self.peers.values_mut().for_each(|peer| peer.loose_bytes = 0);
    }

    /// After a roll: what people did in branches, and may be done again, in its order.
    pub(super) fn gather_carried(&mut self) {
        self.carried.clear();
        let Some(log) = &self.log else { return };
        let state = log.tip();
        let mut room = CARRIED_MAX;
        let mut acts: Vec<Vec<Carried>> = Vec::new();
        for &head in self.kept.iter().rev().filter(|&&head| !log.holds(head)) {
            let entries = self.beside(head);
            let of_branch = entries.into_iter().filter_map(|entry| carried(&*self.port, state, entry));
            let of_branch: Vec<Carried> = of_branch.take(room).collect();
            room -= of_branch.len();
            acts.push(of_branch);
        }
        self.carried = acts.into_iter().rev().flatten().collect();
        self.carried_upto = None;
    }

    /// Sends again what fits now.
    pub(super) fn carry_over(&mut self) {
        loop {
            let Some(log) = &self.log else { return };
            if self.carried.is_empty() || self.carried_upto == Some(log.len()) {
                return;
            }
            self.carried_upto = Some(log.len());
            let state = log.tip();
            let fits = |act: &&Carried| {
                act.at == state.at
                    && state.seqs.get(&act.device).is_none_or(|&seq| seq < act.seq)
                    && log.would_take(&*self.port, &act.sealed, act.seat).is_ok()
            };
            let fitting: Vec<Sealed> = self.carried.iter().filter(fits).map(|act| act.sealed.clone()).collect();
            let keeper = state.keeper;
            if self.keeping() {
                // The first one may make others fit, or past.
                if !fitting.into_iter().any(|act| self.enter(Body::Act(act)).is_ok()) {
                    return;
                }
            } else if keeper != self.me {
                fitting.into_iter().for_each(|act| self.say_to(keeper, Said::Act(act)));
                return;
            } else {
                self.carried_upto = None;
                return;
            }
        }
    }

    /// What is kept beside the log, in the order in which it came to be.
    pub fn branches(&self) -> Vec<Branch> {
        let Some(log) = &self.log else { return Vec::new() };
        let heads = self.kept.iter().filter(|&&head| !log.holds(head));
        heads.filter_map(|&head| self.branch(head)).collect()
    }

    fn branch(&self, head: Hash) -> Option<Branch> {
        let entries = self.beside(head);
        let first = entries.first()?.index;
        let state = self.log.as_ref()?.state_at(&*self.port, head)?;
        let made = state.current.iter().flat_map(|current| &current.moves);
        let moves = made.filter(|record| record.index >= first).count();
        Some(Branch { head, first, entries: entries.len() as u32, game: state.game_number(), moves: moves as u32 })
    }

    /// The game at the end of a branch, to be replayed.
    pub fn branch_game(&self, head: Hash) -> Option<Current> {
        let log = self.log.as_ref()?;
        log.state_at(&*self.port, self.kept.iter().copied().find(|&kept| kept == head)?)?.current
    }
}

fn act_of(entry: &Known) -> Option<Intent> {
    match entry.sealed.open::<Entry>()?.body {
        Body::Act(act) => act.open(),
        Body::Opened(_) | Body::Roll(_) | Body::Cpu { .. } | Body::Start { .. } | Body::Taken { .. } => None,
    }
}

/// Moves, choices, resignations, sitting down and standing up are carried over; what was asked or said of the moment
/// is not.
fn carried(port: &dyn Port, state: &State, entry: &Known) -> Option<Carried> {
    let Body::Act(sealed) = entry.sealed.open::<Entry>()?.body else { return None };
    let intent: Intent = sealed.open()?;
    let (wanted, device) = match &intent.act {
        Act::Sit { key, .. } => (true, Some(port.device(key))),
        Act::Move { .. } | Act::Resign | Act::Stand => (true, state.owner(intent.seat)),
        Act::Ready { .. }
        | Act::Reveal { .. }
        | Act::Offer(_)
        | Act::Answer { .. }
        | Act::Hold { .. }
        | Act::CpuNow { .. } => (false, None),
    };
    let device = device.filter(|_| wanted && intent.game == state.game_number())?;
    let past = state.seqs.get(&device).is_some_and(|&seq| seq >= intent.seq);
    (!past).then_some(Carried { sealed, device, seat: intent.seat, seq: intent.seq, at: intent.at })
}
