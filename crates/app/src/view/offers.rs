//! What is asked of the people at the table, what this device's person may ask for, and what the table is set to.

use rules::{OptionName, Rules};
use table::{Asked, Grace, Hash, Made, Offer, Presence, Proposal, SeatSetup, Settings, State, Terms};

use super::words_view;
use crate::api::table::{MayView, OfferKind, OfferView, TableSettings, TermsView};
use crate::snapshot::Snapshot;

pub(super) fn offers_view(seen: &Snapshot, state: &State) -> Vec<OfferView> {
    state.offers.iter().filter_map(|offer| offer_view(seen, state, offer)).collect()
}

/// `None` where the terms cannot be read, which no valid entry has.
fn offer_view(seen: &Snapshot, state: &State, offer: &Offer) -> Option<OfferView> {
    let waits_for = state.to_answer(offer);
    let (what, terms, (at, takes_back)) = match &offer.what {
        Asked::Undo => (OfferKind::Undo, None, taken_back(state, offer.seat)),
        Asked::Draw => (OfferKind::Draw, None, (None, 0)),
        Asked::Options(terms) => (OfferKind::Options, Some(terms_view(state, terms)?), (None, 0)),
        Asked::Resign => (OfferKind::Resign, None, (None, 0)),
    };
    let mine = seen.own_seats.contains(&offer.seat);
    Some(OfferView {
        id: offer.id.to_string(),
        seat: offer.seat,
        what,
        at,
        takes_back,
        terms,
        agreed: offer.agreed.clone(),
        to_answer: !mine && seen.own_seats.iter().any(|seat| waits_for.contains(seat)),
        waits_for,
        mine,
    })
}

/// Where an undo by this seat would lead: the point of its last stone, and how many actions go.
fn taken_back(state: &State, seat: u8) -> (Option<String>, u16) {
    let moves = state.current.as_ref().map_or(&[][..], |current| &current.moves);
    let Some(last) = moves.iter().rposition(|made| made.seat == seat) else { return (None, 0) };
    let at = match &moves[last].action {
        rules::Action::Place { at, .. } => Some(at.to_string()),
        rules::Action::Choose(_) | rules::Action::Add | rules::Action::Resign(_) | rules::Action::Draw => None,
    };
    (at, u16::try_from(moves.len() - last).unwrap_or(u16::MAX))
}

fn terms_view(state: &State, terms: &Terms) -> Option<TermsView> {
    let rules = Rules::from_bytes(&terms.rules).ok()?;
    let (now, then) = (state.rules.options(), rules.options());
    let other_preset = rules.preset() != state.rules.preset();
    let changed = |name: &OptionName| other_preset || now.get(*name) != then.get(*name);
    let cpu = |setup: &SeatSetup| match setup {
        SeatSetup::Cpu(_) => true,
        SeatSetup::Open => false,
    };
    Some(TermsView {
        words: words_view(&rules),
        other_preset,
        changes: OptionName::ALL.iter().filter(|name| changed(name)).map(|name| name.name().to_owned()).collect(),
        settings: bare_settings(&terms.settings, terms.pin.is_some()),
        cpus: (0u8..).zip(&terms.seats).filter(|(_, setup)| cpu(setup)).map(|(seat, _)| seat).collect(),
        rules: super::rules_view(&rules),
    })
}

/// What this device's person may ask for.
pub(super) fn may_view(seen: &Snapshot, state: &State) -> MayView {
    let Some(seat) = seen.my_seat.filter(|_| seen.halt.is_none()) else { return MayView::default() };
    let own = state.playing() && state.colour(seat).is_some();
    let asker = state.asking_seat(seen.me, &Proposal::Undo).unwrap_or(seat);
    let undo = state.may_offer(asker, &Proposal::Undo);
    let asked = Offer { id: Hash([0; 32]), seat: asker, what: Asked::Undo, agreed: Vec::new() };
    MayView {
        undo,
        undo_at_once: undo && state.to_answer(&asked).is_empty(),
        undo_waits_for: if undo { None } else { undo_waits_for(seen, state, asker) },
        draw: state.may_offer(seat, &Proposal::Draw),
        resign: own && !state.cpu_plays(seat),
        options: !state.playing() && !state.offers.iter().any(|offer| offer.seat == seat),
    }
}

/// An undo takes back nothing that somebody did by hand who is not here (PROTOCOL.md, section 11): who that is.
fn undo_waits_for(seen: &Snapshot, state: &State, seat: u8) -> Option<u8> {
    let current = state.current.as_ref().filter(|current| !current.is_ranked() && !state.settings.ranked)?;
    if current.resigned.contains(&seat) {
        return None;
    }
    let last = current.moves.iter().rposition(|made| made.seat == seat)?;
    let away = |seat: u8| match seen.presence_of(seat) {
        Presence::Away | Presence::Taken => true,
        Presence::Here | Presence::Silent | Presence::Cpu | Presence::Open => false,
    };
    current.moves[last..]
        .iter()
        .find(|made| made.by == Made::Hand && made.seat != seat && away(made.seat))
        .map(|made| made.seat)
}

/// Whether a game that was ranked from its start counts (PROTOCOL.md, section 14).
pub(super) fn counts(state: &State) -> Option<bool> {
    let current = state.current.as_ref()?;
    current.is_ranked().then(|| current.counts())
}

pub(crate) fn settings_view(state: &State) -> TableSettings {
    bare_settings(&state.settings, state.is_locked())
}

pub(crate) fn bare_settings(settings: &Settings, locked: bool) -> TableSettings {
    TableSettings {
        grace_s: match settings.grace {
            Grace::Seconds(seconds) => Some(seconds),
            Grace::Never => None,
        },
        level: settings.level,
        ranked: settings.ranked,
        hidden: settings.hidden,
        pin: None,
        locked,
    }
}

/// Whether somebody else's seat can be waited for or handed to the CPU: by a person of this device, while it is away.
pub(super) fn can_end_grace(seen: &Snapshot, state: &State, seat: u8) -> bool {
    let here = seen.own_seats.iter().any(|&own| state.seats[usize::from(own)].here);
    here && !seen.own_seats.contains(&seat) && seen.is_waited_for(seat) && seen.halt.is_none()
}
