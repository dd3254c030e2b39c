//! Ready phrases, by number: what people may say to each other (PROTOCOL.md, section 4). Nobody without a seat is heard, and
//! nothing of it is kept.

use super::*;
use crate::EventKind;
use crate::Sitter;
use crate::message::Said;
use crate::peers::Peer;

impl Table {
    /// Says a phrase for this device's own person, who is told like the others.
    pub(super) fn say_phrase(&mut self, phrase: u8) -> Result<(), CommandError> {
        if !self.told.knows_table() {
            return Err(CommandError::NotReady);
        }
        if !is_phrase(phrase) {
            return Err(CommandError::NoSuchPhrase);
        }
        self.say_aloud(phrase)
    }

    /// Asks whoever sits there to stand up; it is theirs to do. Between games only, and only of people at other devices.
    pub(super) fn ask_to_stand(&mut self, seat: u8) -> Result<(), CommandError> {
        let state = self.state().ok_or(CommandError::NotReady)?;
        let at = state.seats.get(usize::from(seat)).ok_or(CommandError::NoSuchSeat)?;
        if state.playing() {
            return Err(CommandError::GameRuns);
        }
        match &at.sitter {
            Sitter::Person { device, .. } if *device != self.me => self.say_aloud(PHRASES_MAX + 1 + seat),
            Sitter::Person { .. } | Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => {
                Err(CommandError::NobodyToAsk)
            }
        }
    }

    fn say_aloud(&mut self, phrase: u8) -> Result<(), CommandError> {
        let seat = self.my_seat().ok_or(CommandError::NotSeated)?;
        if is_soon(self.said, self.now) {
            return Err(CommandError::TooSoon);
        }
        self.said = Some(self.now);
        self.say(Said::Say { phrase });
        self.event(EventKind::Said { seat, phrase });
        Ok(())
    }

    /// A newer program's phrase, which this one has no words for, is passed over.
    pub(super) fn read_say(&mut self, origin: DeviceId, phrase: u8) {
        let asked = self.state().and_then(|state| asked_to_stand(phrase).filter(|_| !state.playing()));
        if !self.told.knows_table() || !is_phrase(phrase) && asked.is_none() || self.shut_out.contains(&origin) {
            return;
        }
        let Some(seat) = self.log.as_ref().and_then(|log| log.shown().speaking_seat(origin)) else { return };
        let now = self.now;
        let peer = self.peers.meet(origin, Peer::default);
        if is_soon(peer.said, now) {
            return;
        }
        peer.said = Some(now);
        self.event(EventKind::Said { seat, phrase });
    }
}

/// The seat whose player is asked to stand up by a phrase of this number, if it is one of those.
pub fn asked_to_stand(phrase: u8) -> Option<u8> {
    phrase.checked_sub(PHRASES_MAX + 1).filter(|&seat| usize::from(seat) < SEATS_MAX)
}

fn is_phrase(phrase: u8) -> bool {
    (1..=PHRASES_MAX).contains(&phrase)
}

fn is_soon(last: Option<Millis>, now: Millis) -> bool {
    last.is_some_and(|last| now < last + SAY_EVERY_MS)
}
