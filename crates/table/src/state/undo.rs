//! Taking back (PROTOCOL.md, section 11; RULES.md, section 8): to just before the asker's own last stone or choice,
//! whoever made it, also after the end of the game.

use rules::Action;

use super::{Current, Invalid, Made, State};
use crate::entry::Step;
use crate::{Port, Seat, Sitter};

impl Current {
    /// Takes back resignations, by the seat and by how many actions lay before them.
    pub(super) fn unresign(&mut self, is_back: impl Fn(u8, usize) -> bool) {
        let resigned = std::mem::take(&mut self.resigned).into_iter().zip(std::mem::take(&mut self.resigned_at));
        (self.resigned, self.resigned_at) = resigned.filter(|&(seat, at)| !is_back(seat, at)).unzip();
    }
}

impl State {
    pub(super) fn may_ask_undo(&self, seat: u8) -> Result<(), Invalid> {
        self.may_take_back(seat).map(|_| ())
    }

    /// How many actions stay when this seat's last stone or choice is taken back.
    pub(super) fn may_take_back(&self, seat: u8) -> Result<usize, Invalid> {
        let current = self.current.as_ref().filter(|current| current.order.contains(&seat)).ok_or(Invalid::NoGame)?;
        if current.ranked || self.settings.ranked {
            return Err(Invalid::Ranked);
        }
        if self.has_resigned(seat) {
            return Err(Invalid::Resigned);
        }
        let last = current.moves.iter().rposition(|made| made.seat == seat);
        let stay = last.filter(|_| !current.settled).ok_or(Invalid::NothingToUndo)?;
        if self.takes_from_absent(current, seat, stay) { Err(Invalid::OwnerAway) } else { Ok(stay) }
    }

    /// Whether something would be taken back that somebody else's hand did who is not here to agree.
    fn takes_from_absent(&self, current: &Current, asker: u8, stay: usize) -> bool {
        let absent = |seat: u8| seat != asker && self.is_away(seat);
        let stone = current.moves[stay..].iter().any(|made| made.by == Made::Hand && absent(made.seat));
        let gave_up = current.resigned.iter().zip(&current.resigned_at).any(|(&seat, &at)| at > stay && absent(seat));
        let ended = match current.game.actions().last() {
            Some(Action::Resign(colour)) => {
                current.order.iter().any(|&seat| self.colour(seat) == Some(*colour) && absent(seat))
            }
            Some(Action::Draw) => current.order.iter().any(|&seat| absent(seat)),
            Some(Action::Place { .. } | Action::Choose(_) | Action::Add) | None => false,
        };
        stone || gave_up || ended
    }

    pub(super) fn take_back(&mut self, port: &dyn Port, asker: u8) -> Result<(), Invalid> {
        let stay = self.may_take_back(asker)?;
        let current = self.current.as_mut().ok_or(Invalid::NoGame)?;
        let was_over = current.game.result().is_some();
        let before = current.game.actions().len();
        for _ in stay..before {
            current.game.undo();
        }
        current.moves.truncate(stay);
        current.unresign(|_, at| at > stay);
        if was_over {
            self.take_up_again();
        }
        self.advance(port, &Step::Undo { actions: (before - stay) as u32 });
        Ok(())
    }

    /// The game that has ended runs again.
    fn take_up_again(&mut self) {
        let Some(current) = &mut self.current else { return };
        self.rules = *current.game.rules();
        for seat in std::mem::take(&mut current.credited) {
            let wins = &mut self.wins[usize::from(seat)];
            *wins = wins.saturating_sub(1);
        }
        let given_up = std::mem::take(&mut current.given_up);
        for &seat in &current.order {
            // Who has left since, left it to the CPU.
            if self.seats[usize::from(seat)].sitter == Sitter::Nobody {
                let left = given_up.iter().find(|(number, _)| *number == seat).map(|(_, sitter)| sitter.clone());
                let nameless = Sitter::GivenUp { level: self.settings.level, name: String::new() };
                let sitter = left.unwrap_or(nameless);
                self.seats[usize::from(seat)] = Seat { sitter, ..Seat::empty() };
            }
        }
        self.seats.iter_mut().for_each(|seat| seat.ready = false);
    }
}
