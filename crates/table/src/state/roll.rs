//! What a roll changes, and when it may stand (PROTOCOL.md, section 7).

use std::collections::BTreeSet;

use super::{Check, Invalid, State};
use crate::DeviceId;
use crate::entry::{Answer, Here, Roll};
use crate::limits::ANSWERS_MAX;
use crate::seal::Kind;

impl State {
    pub(super) fn roll(&mut self, check: &Check, index: u32, term: u64, roll: &Roll) -> Result<(), Invalid> {
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
}
