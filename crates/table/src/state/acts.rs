//! What people's acts do, and when they may (PROTOCOL.md, section 3, second table), and what the keeper's `taken` does.

use rules::{Action, MoveLimit};

use super::enter::check_name;
use super::{Check, Invalid, Made, State, StoodUp};
use crate::entry::Why;
use crate::limits::{SITS_MAX, START_INDEX_MAX};
use crate::{Act, DeviceId, Hash, Port, Seat, Sitter};

/// Who signed an act, for which seat, with which number; `id` is the hash of the intent's bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signed {
    pub device: DeviceId,
    pub seat: u8,
    pub seq: u64,
    pub id: Hash,
}

impl State {
    /// Performs an act whose signature, seat and place in the play chain hold; refused, it has changed nothing.
    pub(super) fn perform(&mut self, check: &Check, index: u32, by: Signed, act: &Act) -> Result<(), Invalid> {
        let (port, seat) = (check.port, by.seat);
        match act {
            Act::Sit { key, name, guest, leaves } => {
                self.check_place(by.device, guest.is_some(), *leaves)?;
                self.sit(index, Seat::person(by.device, *key, name.clone(), guest.is_some()), seat, *leaves)?;
                self.settle_offers(port, index);
                Ok(())
            }
            Act::Stand => self.stand(port, index, by),
            Act::Ready { commit } => self.get_ready(by, *commit),
            Act::Reveal { nonce } => self.reveal(check, by, nonce),
            Act::Move { action, by_clock } => {
                self.check_move(seat, action, *by_clock)?;
                self.play(port, index, seat, action, if *by_clock { Made::Clock } else { Made::Hand })
            }
            Act::Resign => self.resign(port, seat, by.id),
            Act::Offer(proposal) => self.offer(port, index, by, proposal),
            Act::Answer { offer, yes } => self.answer_offer(port, index, seat, *offer, *yes),
            Act::Hold { seat } => {
                let held = std::mem::replace(&mut self.away_seat(*seat)?.hold, true);
                if held { Err(Invalid::NotAway) } else { Ok(()) }
            }
            Act::CpuNow { seat } => {
                let asked = std::mem::replace(&mut self.away_seat(*seat)?.asked, true);
                if asked { Err(Invalid::NotAway) } else { Ok(()) }
            }
        }
    }

    /// Whether a person's stone or choice may come from this seat now; the rules look at what it is.
    pub(super) fn check_move(&self, seat: u8, action: &Action, by_clock: bool) -> Result<(), Invalid> {
        if by_clock && self.rules.options().move_limit == MoveLimit::None {
            return Err(Invalid::Malformed);
        }
        if matches!(action, Action::Resign(_) | Action::Draw) {
            return Err(Invalid::Malformed);
        }
        if self.cpu_plays(seat) {
            return Err(Invalid::NotTurn);
        }
        self.check_turn(seat)
    }

    /// An owned seat that is away, and that the CPU does not play for.
    fn away_seat(&mut self, seat: u8) -> Result<&mut Seat, Invalid> {
        let waited_for = self.waited_for().contains(&seat);
        let at = self.seats.get_mut(usize::from(seat)).ok_or(Invalid::NoSuchSeat)?;
        if waited_for { Ok(at) } else { Err(Invalid::NotAway) }
    }

    /// The CPU plays an away seat from here on, until its owner is here again.
    pub(super) fn take_over(&mut self, seat: u8, why: Why) -> Result<(), Invalid> {
        let (running, ranked) = (self.playing(), self.settings.ranked);
        let limited = self.rules.options().move_limit != MoveLimit::None && self.turn_seat() == Some(seat);
        let at = self.away_seat(seat)?;
        let may = match why {
            Why::Grace if running && ranked => return Err(Invalid::Ranked),
            Why::Grace => !at.hold,
            Why::Asked => at.asked,
            Why::Late => limited,
        };
        if !may {
            return Err(Invalid::NotAway);
        }
        at.taken = true;
        Ok(())
    }

    fn get_ready(&mut self, by: Signed, commit: Option<[u8; 32]>) -> Result<(), Invalid> {
        if self.playing() {
            return Err(Invalid::GameRuns);
        }
        // Once is enough: a second part in the toss would be a second try.
        if self.seats[usize::from(by.seat)].ready || commit.is_some() != self.needs_toss() {
            return Err(Invalid::Toss);
        }
        self.seats[usize::from(by.seat)].ready = true;
        if let Some(commit) = commit {
            self.toss.commit(by, Hash(commit));
        }
        Ok(())
    }

    /// How many places a device may have: one for its own person, and before and between games further ones for people
    /// who share it, where the game is not ranked. Each leaves a place of their own only.
    fn check_place(&self, device: DeviceId, guest: bool, leaves: Option<u8>) -> Result<(), Invalid> {
        let host = self.host_seat(device);
        match (guest, host) {
            // Sent twice, the first not heard of yet, it would give one person two places.
            (false, Some(_)) if leaves != host => Err(Invalid::Seated),
            (false, None) if leaves.is_some() => Err(Invalid::NotOwner),
            (false, Some(_) | None) => Ok(()),
            // Who shares a device sits down beside its own person.
            (true, None) => Err(Invalid::NotOwner),
            (true, Some(_)) if leaves.is_some_and(|left| !self.is_guest(left)) => Err(Invalid::NotOwner),
            (true, Some(_)) if self.settings.ranked => Err(Invalid::Ranked),
            (true, Some(_)) if self.playing() => Err(Invalid::GameRuns),
            (true, Some(_)) => Ok(()),
        }
    }

    fn sit(&mut self, index: u32, person: Seat, seat: u8, leaves: Option<u8>) -> Result<(), Invalid> {
        let Sitter::Person { device, ref name, .. } = person.sitter else { return Err(Invalid::Malformed) };
        check_name(name)?;
        match self.seats[usize::from(seat)].sitter {
            Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => {}
            Sitter::Person { .. } => return Err(Invalid::SeatTaken),
        }
        if self.settings.ranked && self.in_game(seat) {
            return Err(Invalid::GameRuns);
        }
        // While the start is drawn nobody comes to the draw, and nobody changes places in it.
        if self.toss.is_closed() {
            return Err(Invalid::Toss);
        }
        if index >= START_INDEX_MAX {
            return Err(Invalid::Long);
        }
        if self.sits >= SITS_MAX {
            return Err(Invalid::TooOften);
        }
        if let Some(left) = leaves {
            if self.playing() {
                return Err(Invalid::GameRuns);
            }
            if self.owner(left) != Some(device) {
                return Err(Invalid::NotOwner);
            }
        }
        self.sits += 1;
        self.put(index, seat, person);
        self.wins[usize::from(seat)] = 0;
        if let Some(left) = leaves {
            self.wins.swap(usize::from(seat), usize::from(left));
            let was = self.seats[usize::from(left)].sitter.clone();
            let now = self.leave_ended(left, was.given_up(self.settings.level));
            self.put(index, left, now);
        }
        if let Some(current) = &mut self.current {
            current.unresign(|resigned, _| resigned == seat);
            current.credited.retain(|&credited| credited != seat);
            // Whoever sits there again plays it again.
            current.stood_up.retain(|stood| stood.seat != seat || stood.device != device);
            for credited in &mut current.credited {
                if Some(*credited) == leaves {
                    *credited = seat;
                }
            }
        }
        self.named.insert(device);
        Ok(())
    }

    fn stand(&mut self, port: &dyn Port, index: u32, by: Signed) -> Result<(), Invalid> {
        let Signed { device, seat, id, .. } = by;
        if self.in_game(seat) {
            let guest = self.is_guest(seat);
            if let Some(current) = &mut self.current {
                current.stood_up.push(StoodUp { seat, device, guest });
            }
            let resigns = self.rules.options().teams || (self.settings.ranked && self.rules.players() == 2);
            if resigns && !self.cpu_plays(seat) {
                self.resign(port, seat, id)?;
            }
        }
        let was = self.seats[usize::from(seat)].sitter.clone();
        if matches!(was, Sitter::Person { .. }) {
            let sitter = was.given_up(self.settings.level);
            let left =
                if self.in_game(seat) { Seat { sitter, ..Seat::empty() } } else { self.leave_ended(seat, sitter) };
            self.put(index, seat, left);
        }
        if self.toss.is_closed() {
            self.toss.walked_out(device);
        }
        if self.lowest_seat(device).is_none() && device != self.keeper {
            self.named.remove(&device);
        }
        self.settle_offers(port, index);
        Ok(())
    }

    /// Between games a seat becomes open. Should the last game be taken up again, the CPU plays it there.
    fn leave_ended(&mut self, seat: u8, given_up: Sitter) -> Seat {
        if let Some(current) = &mut self.current
            && current.order.contains(&seat)
            // Who sat down there after its end, and stood up again, did not play it.
            && !current.given_up.iter().any(|(before, _)| *before == seat)
        {
            current.given_up.push((seat, given_up));
        }
        Seat::empty()
    }

    pub(super) fn put(&mut self, index: u32, seat: u8, now: Seat) {
        self.seats[usize::from(seat)] = now;
        self.since[usize::from(seat)] = index;
        for offer in &mut self.offers {
            offer.agreed.retain(|&agreed| agreed != seat);
        }
        self.toss.left(seat);
    }
}
