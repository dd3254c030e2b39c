//! What a roll changes, and when it may stand (PROTOCOL.md, section 7). Whether it stands on the right entry cannot be
//! told from one log alone: the devices that it names see to that before they follow (`merge`).

use std::collections::BTreeSet;

use super::{Check, Invalid, State};
use crate::DeviceId;
use crate::entry::{Answer, Here, Roll};
use crate::limits::{ANSWERS_MAX, TERM_STEP_MAX};
use crate::planted::{Bug, planted};
use crate::seal::Kind;

impl State {
    pub(super) fn roll(&mut self, check: &Check, index: u32, term: u64, roll: &Roll) -> Result<(), Invalid> {
        if term <= self.term || term - self.term > TERM_STEP_MAX {
            return Err(Invalid::Term);
        }
        let keeper = check.port.device(&roll.keeper);
        let keeper_seat = self.speaking_seat(keeper).ok_or(Invalid::Roll)?;
        if roll.answers.is_empty() || roll.answers.len() > ANSWERS_MAX {
            return Err(Invalid::Roll);
        }
        let mut answered = BTreeSet::new();
        let mut here = vec![false; self.seats.len()];
        for answer in &roll.answers {
            let (device, said) = answer_to(check, answer, term, keeper)?;
            if !answered.insert(device) {
                return Err(Invalid::Roll);
            }
            // A device that sat down on a side that does not go on is here without a seat.
            for seat in said.seats.into_iter().filter(|&seat| self.owner(seat) == Some(device)) {
                here[usize::from(seat)] = true;
            }
        }
        if !answered.contains(&keeper) {
            return Err(Invalid::Roll);
        }
        for ((seat, is_here), since) in self.seats.iter_mut().zip(here).zip(&mut self.since) {
            if seat.here != is_here {
                *since = index;
            }
            seat.here = is_here;
            seat.taken &= !is_here || planted(Bug::CpuKeepsSeat);
        }
        let owners = self.owners();
        self.named = answered.intersection(&owners).copied().collect();
        self.term = term;
        self.keeper = keeper;
        self.keeper_key = roll.keeper;
        self.keeper_seat = keeper_seat;
        self.settle_offers(check.port, index);
        Ok(())
    }
}

/// Whose answer it is and what it says, if it is one to this call.
pub(crate) fn answer_to(
    check: &Check,
    answer: &Answer,
    term: u64,
    caller: DeviceId,
) -> Result<(DeviceId, Here), Invalid> {
    let said: Here = answer.here.open().ok_or(Invalid::Malformed)?;
    let device = check.port.device(&answer.key);
    let rising = said.seats.windows(2).all(|pair| pair[0] < pair[1]);
    if said.term != term || said.caller != caller || !rising {
        return Err(Invalid::Roll);
    }
    if check.signatures && !answer.here.is_by(check.port, Kind::Here, check.table, &answer.key) {
        return Err(Invalid::Signature);
    }
    Ok((device, said))
}
