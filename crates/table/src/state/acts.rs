//! What people's acts do, and when they may (PROTOCOL.md, section 3, second table).

use rules::Action;

use super::enter::check_name;
use super::{Invalid, Made, State};
use crate::{Act, DeviceId, Port, Seat, Sitter};

impl State {
    /// Performs an act whose signature, seat and place in the play chain hold; refused, it has changed nothing.
    pub(super) fn perform(
        &mut self,
        port: &dyn Port,
        index: u32,
        device: DeviceId,
        seat: u8,
        act: &Act,
    ) -> Result<(), Invalid> {
        match act {
            Act::Sit { key, name, guest, leaves } => {
                // Guests of a browser come with the door that is theirs.
                if guest.is_some() {
                    return Err(Invalid::Malformed);
                }
                self.sit(index, Seat::person(device, *key, name.clone()), seat, *leaves)
            }
            Act::Stand => self.stand(port, index, device, seat),
            // The toss is not part of this version: neither of its halves is.
            Act::Ready { commit: Some(_) } | Act::Reveal { .. } => Err(Invalid::Malformed),
            Act::Ready { commit: None } => {
                if self.playing() {
                    return Err(Invalid::GameRuns);
                }
                self.seats[usize::from(seat)].ready = true;
                Ok(())
            }
            Act::Move { action, by_clock } => {
                if *by_clock && self.rules.options().move_limit == rules::MoveLimit::None {
                    return Err(Invalid::Malformed);
                }
                if matches!(action, Action::Resign(_) | Action::Draw) {
                    return Err(Invalid::Malformed);
                }
                if self.cpu_plays(seat) {
                    return Err(Invalid::NotTurn);
                }
                self.play(port, index, seat, action, if *by_clock { Made::Clock } else { Made::Hand })
            }
            Act::Resign => self.resign(port, seat),
            Act::Offer(_) | Act::Answer { .. } | Act::Hold { .. } | Act::CpuNow { .. } => Err(Invalid::Malformed),
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
        if let Some(left) = leaves {
            if self.playing() {
                return Err(Invalid::GameRuns);
            }
            if self.owner(left) != Some(device) {
                return Err(Invalid::NotOwner);
            }
        }
        self.put(index, seat, person);
        self.wins[usize::from(seat)] = 0;
        if let Some(left) = leaves {
            self.wins.swap(usize::from(seat), usize::from(left));
            self.put(index, left, Seat::empty());
        }
        if let Some(current) = &mut self.current {
            current.resigned.retain(|&resigned| resigned != seat);
        }
        self.named.insert(device);
        Ok(())
    }

    fn stand(&mut self, port: &dyn Port, index: u32, device: DeviceId, seat: u8) -> Result<(), Invalid> {
        if self.in_game(seat) {
            let resigns = self.rules.options().teams || (self.settings.ranked && self.rules.players() == 2);
            if resigns && !self.cpu_plays(seat) {
                self.resign(port, seat)?;
            }
        }
        let left = match &self.seats[usize::from(seat)].sitter {
            Sitter::Person { name, .. } if self.in_game(seat) => {
                let sitter = Sitter::GivenUp { level: self.settings.level, name: name.clone() };
                Seat { sitter, ..Seat::empty() }
            }
            Sitter::Person { .. } | Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => Seat::empty(),
        };
        self.put(index, seat, left);
        if self.seats_of(device).is_empty() && device != self.keeper {
            self.named.remove(&device);
        }
        Ok(())
    }

    fn put(&mut self, index: u32, seat: u8, now: Seat) {
        self.seats[usize::from(seat)] = now;
        self.since[usize::from(seat)] = index;
    }
}
