//! The places at the table.

use rules::{Colour, FirstStart};
use table::{Presence, Sitter, State};

use super::moves::Track;
use crate::api::table::{SeatState, SeatView};
use crate::snapshot::{Snapshot, name_of};

pub(super) fn seats_view(seen: &Snapshot, state: &State, track: &Track) -> Vec<SeatView> {
    (0..state.seats.len() as u8).map(|seat| seat_view(seen, state, track, seat)).collect()
}

fn seat_view(seen: &Snapshot, state: &State, track: &Track, seat: u8) -> SeatView {
    let sat = &state.seats[usize::from(seat)];
    let presence = seen.presence_of(seat);
    let (order, colour) = place(state, seat);
    let current = state.current.as_ref();
    let taken = |colour: Colour| current.map_or(0, |current| current.game.captured(colour));
    SeatView {
        seat,
        state: seat_state(presence),
        name: name_of(state, seat).to_owned(),
        said_goodbye: seen.said_goodbye(seat),
        left_by: left_by(state, seat),
        colour,
        order,
        me: seen.my_seat == Some(seat) && !seen.is_shared(),
        own: seen.own_seats.contains(&seat),
        shares: shares(state, seat),
        level: cpu_level(state, seat, presence),
        captured: colour.map_or(0, |colour| u8::try_from(taken(colour)).unwrap_or(u8::MAX)),
        tray: colour.map_or(Vec::new(), |colour| track.trays[colour.index()].clone()),
        ready: sat.ready,
        winner: state.credited().contains(&seat),
        resigned: current.is_some_and(|current| current.resigned.contains(&seat)),
        wins: state.wins.get(usize::from(seat)).copied().unwrap_or(0),
        grace_left_ms: seen.grace_left_of(seat).map(|left| u32::try_from(left).unwrap_or(u32::MAX)),
        can_hold: super::offers::can_end_grace(seen, state, seat) && seen.grace_left_of(seat).is_some(),
        can_cpu_now: super::offers::can_end_grace(seen, state, seat),
        keeps: state.keeper_seat == seat && is_keeper(state, seat),
    }
}

/// `None` while nobody else has come.
fn left_by(state: &State, seat: u8) -> Option<String> {
    match &state.seats[usize::from(seat)].sitter {
        Sitter::Person { .. } | Sitter::Cpu { .. } => state.current.as_ref()?.left_by(seat).map(str::to_owned),
        Sitter::Nobody | Sitter::GivenUp { .. } => None,
    }
}

/// Whose device a guest sits at, while that person sits.
fn shares(state: &State, seat: u8) -> Option<u8> {
    state.host_seat(state.owner(seat).filter(|_| state.is_guest(seat))?)
}

fn is_keeper(state: &State, seat: u8) -> bool {
    match &state.seats[usize::from(seat)].sitter {
        Sitter::Person { device, .. } => *device == state.keeper,
        Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => false,
    }
}

/// Place in turn order and colour: those of the game that runs or stands, else those the first game would give.
fn place(state: &State, seat: u8) -> (Option<u8>, Option<Colour>) {
    if let Some(current) = &state.current {
        let order = current.order.iter().position(|&s| s == seat).map(|place| place as u8);
        return (order, state.colour(seat));
    }
    match state.rules.options().first_start {
        FirstStart::FirstSeat => (Some(seat), Some(state.rules.first_colour_of(seat))),
        FirstStart::Random => (None, None),
    }
}

fn cpu_level(state: &State, seat: u8, presence: Presence) -> Option<u8> {
    match (&state.seats[usize::from(seat)].sitter, presence) {
        (Sitter::Cpu { level } | Sitter::GivenUp { level, .. }, _) => Some(*level),
        (Sitter::Nobody | Sitter::Person { .. }, Presence::Taken) => Some(state.settings.level),
        (
            Sitter::Nobody | Sitter::Person { .. },
            Presence::Open | Presence::Cpu | Presence::Here | Presence::Silent | Presence::Away,
        ) => None,
    }
}

const fn seat_state(presence: Presence) -> SeatState {
    match presence {
        Presence::Open => SeatState::Open,
        Presence::Cpu => SeatState::Cpu,
        Presence::Here => SeatState::Human,
        Presence::Silent => SeatState::Silent,
        Presence::Away => SeatState::Away,
        Presence::Taken => SeatState::Taken,
    }
}
