//! What is asked of the others: when it may be asked, who must agree, when it is open no longer, and what it does
//! (PROTOCOL.md, section 11). All of it happens at the entry that completes it.

use rules::Action;

use super::acts::Signed;
use super::enter::check_terms;
use super::{Invalid, Offer, Settled, State, Toss};
use crate::entry::Step;
use crate::limits::OFFERS_MAX;
use crate::planted::assert_simulated;
use crate::{Asked, Closed, Hash, Port, Proposal, Seat, SeatSetup, Terms};

impl State {
    /// A seat asks the others. With nobody to ask, it is agreed at once.
    pub(super) fn offer(&mut self, port: &dyn Port, index: u32, by: Signed, what: &Proposal) -> Result<(), Invalid> {
        let Signed { seat, id, .. } = by;
        self.check_offer(seat, what)?;
        *self.tries.entry((seat, kind(what))).or_default() += 1;
        let what = match what {
            Proposal::Undo => Asked::Undo,
            Proposal::Draw => Asked::Draw,
            Proposal::Options(terms) => Asked::Options(terms.clone()),
        };
        self.offers.push(Offer { id, seat, what, agreed: Vec::new() });
        self.settle_offers(port, index);
        Ok(())
    }

    pub(super) fn answer_offer(
        &mut self,
        port: &dyn Port,
        index: u32,
        seat: u8,
        id: Hash,
        yes: bool,
    ) -> Result<(), Invalid> {
        let open = self.offers.iter().position(|offer| offer.id == id).ok_or(Invalid::NoSuchOffer)?;
        if !self.to_answer(&self.offers[open]).contains(&seat) {
            return Err(Invalid::NoSuchOffer);
        }
        if yes {
            self.offers[open].agreed.push(seat);
            self.settle_offers(port, index);
        } else {
            let offer = self.offers.remove(open);
            self.closed.push(Settled { offer, why: Closed::Refused });
        }
        Ok(())
    }

    /// Closes the offers that are open no longer after what an entry changed, and does what is agreed.
    pub(super) fn settle_offers(&mut self, port: &dyn Port, index: u32) {
        self.forget_waiting(index);
        let verdict = |state: &State| {
            let of = |(place, offer): (usize, &Offer)| Some((place, state.verdict(offer)?));
            state.offers.iter().enumerate().find_map(of)
        };
        while let Some((place, why)) = verdict(self) {
            let offer = self.offers.remove(place);
            self.closed.push(Settled { offer: offer.clone(), why });
            match why {
                Closed::Agreed => self.carry_out(port, index, &offer),
                Closed::Refused | Closed::Gone | Closed::Moved => {}
            }
        }
    }

    /// Who waits for a seat, or wants the CPU there, says so anew each time that it goes away.
    fn forget_waiting(&mut self, index: u32) {
        for (seat, _) in self.seats.iter_mut().zip(&self.since).filter(|&(_, &since)| since == index) {
            (seat.hold, seat.asked) = (false, false);
        }
    }

    /// Whether a seat may ask the others for this now.
    pub fn may_offer(&self, seat: u8, what: &Proposal) -> bool {
        self.owner(seat).is_some() && !self.is_away(seat) && self.check_offer(seat, what).is_ok()
    }

    fn check_offer(&self, seat: u8, what: &Proposal) -> Result<(), Invalid> {
        let tries = self.tries.get(&(seat, kind(what))).copied().unwrap_or(0);
        if self.offers.iter().any(|offer| offer.seat == seat) {
            return Err(Invalid::OfferOpen);
        }
        if tries >= OFFERS_MAX {
            return Err(Invalid::TooOften);
        }
        match what {
            Proposal::Undo => self.may_ask_undo(seat),
            Proposal::Draw => self.may_ask_draw(seat),
            Proposal::Options(terms) => self.may_ask_options(terms),
        }
    }

    /// The seats that have yet to answer an open offer.
    pub fn to_answer(&self, offer: &Offer) -> Vec<u8> {
        self.must_agree(offer).into_iter().filter(|seat| !offer.agreed.contains(seat)).collect()
    }

    fn must_agree(&self, offer: &Offer) -> Vec<u8> {
        let owned = self.numbered().map(|(number, _)| number).filter(|&seat| self.owner(seat).is_some());
        // Who shares the asker's device has been asked in person.
        let others = owned.filter(|&seat| self.owner(seat) != self.owner(offer.seat));
        match offer.what {
            Asked::Undo | Asked::Options(_) => others.filter(|&seat| !self.is_away(seat)).collect(),
            Asked::Draw => others.filter(|&seat| self.in_game(seat) && !self.has_resigned(seat)).collect(),
            Asked::Resign => {
                let partner = self.partner(offer.seat);
                others.filter(|&seat| partner == Some(seat)).collect()
            }
        }
    }

    /// Whether it is a resignation in a team that still can be agreed to: it stands, and the game runs.
    pub(super) fn still_resigns(&self, offer: &Offer) -> bool {
        offer.what == Asked::Resign && self.playing() && self.has_resigned(offer.seat)
    }

    /// Why an offer is open no longer; `None` while it is.
    fn verdict(&self, offer: &Offer) -> Option<Closed> {
        let stays = self.owner(offer.seat).is_some() && !self.is_away(offer.seat);
        // Who has resigned has said all there is to say: the partner can agree also when that player is gone.
        if !stays && offer.what != Asked::Resign {
            return Some(Closed::Gone);
        }
        // Somebody else has sat down there since, and plays.
        if offer.what == Asked::Resign && !self.still_resigns(offer) {
            return Some(Closed::Gone);
        }
        let agreed = self.to_answer(offer).is_empty();
        match offer.what {
            // A CPU agrees to no draw: with everybody else gone, nobody is left who could.
            Asked::Draw if !self.has_human_opponents(offer.seat) => Some(Closed::Refused),
            // One whose stone it takes back may have gone since: it waits.
            Asked::Undo if agreed => self.may_take_back(offer.seat).is_ok().then_some(Closed::Agreed),
            Asked::Undo | Asked::Draw | Asked::Options(_) | Asked::Resign => agreed.then_some(Closed::Agreed),
        }
    }

    fn may_ask_draw(&self, seat: u8) -> Result<(), Invalid> {
        if !self.in_game(seat) {
            return Err(Invalid::NoGame);
        }
        if self.has_resigned(seat) {
            return Err(Invalid::Resigned);
        }
        if self.has_human_opponents(seat) { Ok(()) } else { Err(Invalid::NobodyToAsk) }
    }

    /// Whether another person has a seat in the running game, at whatever device.
    fn has_human_opponents(&self, seat: u8) -> bool {
        let plays = |other: u8| other != seat && self.owner(other).is_some() && self.in_game(other);
        self.numbered().any(|(other, _)| plays(other) && !self.has_resigned(other))
    }

    fn may_ask_options(&self, terms: &Terms) -> Result<(), Invalid> {
        if self.playing() {
            return Err(Invalid::GameRuns);
        }
        // Nobody gets another toss in place of one that is being drawn.
        if self.toss.is_closed() {
            return Err(Invalid::Toss);
        }
        check_terms(&terms.rules, &terms.settings, &terms.seats)?;
        if terms.settings.ranked && self.numbered().any(|(seat, _)| self.is_guest(seat)) {
            return Err(Invalid::Ranked);
        }
        let same_seats = terms.seats.len() == self.seats.len();
        let people_stay = self
            .numbered()
            .zip(&terms.seats)
            .all(|((seat, _), setup)| self.owner(seat).is_none() || *setup == SeatSetup::Open);
        match (same_seats, people_stay) {
            (true, true) => Ok(()),
            (true, false) => Err(Invalid::SeatTaken),
            (false, true | false) => Err(Invalid::Options),
        }
    }

    fn carry_out(&mut self, port: &dyn Port, index: u32, offer: &Offer) {
        match &offer.what {
            Asked::Undo => {
                let done = self.take_back(port, offer.seat);
                assert_simulated!(done == Ok(()), "what was agreed can be done");
            }
            Asked::Draw => {
                self.end_by(port, &Action::Draw, &Step::Draw);
            }
            Asked::Resign => {
                let (Some(colour), Some(seat)) = (self.colour(offer.seat), self.partner(offer.seat)) else { return };
                self.end_by(port, &Action::Resign(colour), &Step::Resign { seat });
            }
            Asked::Options(terms) => self.change_terms(port, index, terms),
        }
    }

    fn end_by(&mut self, port: &dyn Port, action: &Action, step: &Step) {
        let Some(current) = &mut self.current else { return };
        let ended = current.game.play(action);
        assert_simulated!(ended.is_ok(), "a running game can be ended");
        self.advance(port, step);
        self.end_if_over();
    }

    fn change_terms(&mut self, port: &dyn Port, index: u32, terms: &Terms) {
        let Ok(chosen) = check_terms(&terms.rules, &terms.settings, &terms.seats) else { return };
        (self.chosen, self.rules, self.settings, self.pin) = (chosen, chosen, terms.settings, terms.pin);
        for (seat, &setup) in (0u8..).zip(&terms.seats) {
            if self.owner(seat).is_none() {
                self.put(index, seat, Seat::of(setup));
            }
            self.seats[usize::from(seat)].ready = false;
        }
        self.toss = Toss::default();
        if let Some(current) = &mut self.current {
            current.settled = true;
        }
        self.advance(port, &Step::Options(terms));
    }
}

/// What tries are counted by: at one place of the play chain, a seat's offers of a kind.
const fn kind(what: &Proposal) -> u8 {
    match what {
        Proposal::Undo => 0,
        Proposal::Draw => 1,
        Proposal::Options(_) => 2,
    }
}
