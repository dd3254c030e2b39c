//! Why somebody has no seat, in words.

use std::net::SocketAddr;

use table::{CommandError, Seat, Sitter, State, TableId};

use crate::api::{ApiError, ErrorCode};

/// This device's seat was given up, or the device has another key now.
pub(crate) fn no_seat_of_ours(table: TableId) -> ApiError {
    ApiError::new(
        ErrorCode::NoSuchSeat,
        format!("no seat at table {table} is this device's (any more): join the table to sit down there"),
    )
    .with("table", table)
}

/// Whoever has a seat is a player, and gets it back by coming: nobody only looks on from it.
pub(crate) fn own_seat(table: TableId) -> ApiError {
    ApiError::new(
        ErrorCode::SeatTaken,
        format!("this device has a seat at table {table}: join or resume it, or watch with another folder (--data)"),
    )
    .with("table", table)
}

/// Every seat is taken; those that the CPU plays can be had by number. Whoever came can still look on, so the table is named.
pub(super) fn full(table: TableId, state: &State) -> ApiError {
    let ranked = state.settings.ranked && state.playing();
    let by_cpu = |seat: &Seat| matches!(seat.sitter, Sitter::Cpu { .. } | Sitter::GivenUp { .. });
    let seats = (0u8..).zip(&state.seats).filter(|(_, seat)| !ranked && by_cpu(seat));
    let flags: Vec<String> = seats.map(|(number, _)| format!("--seat {number}")).collect();
    if flags.is_empty() {
        return ApiError::from(CommandError::Full).with("table", table);
    }
    let flags = flags.join(" or ");
    ApiError::new(ErrorCode::Full, format!("every seat is taken: {flags} takes a CPU's place, or wait for a free seat"))
        .with("table", table)
}

/// Two programs that do not understand each other.
pub(super) fn other_version(address: SocketAddr, theirs: &str) -> ApiError {
    ApiError::new(
        ErrorCode::Version,
        format!("the device at {} runs version {theirs}: update the older of the two", address.ip()),
    )
    .with("theirs", theirs)
    .with("ours", env!("CARGO_PKG_VERSION"))
}

/// A seat cannot be given up where nobody hears of it.
pub(super) fn nobody_answers() -> ApiError {
    ApiError::new(
        ErrorCode::KeeperAway,
        "no device of the table answers: stand up when one is back, or leave and keep the seat",
    )
}

/// The seat is given up on this device, and the others are gone.
pub(super) fn not_known_yet() -> ApiError {
    ApiError::new(
        ErrorCode::KeeperAway,
        "the seat is given up here, but no other device has said yet that it kept that: wait until one is back and has it",
    )
}

/// Why a seat was waited for in vain.
pub(super) fn not_seated(table: TableId, has_log: bool) -> ApiError {
    let error = if has_log {
        ApiError::new(
            ErrorCode::KeeperAway,
            "no device of the table can take you in now: sit down when one of its players is back",
        )
    } else {
        ApiError::new(
            ErrorCode::NotFound,
            format!(
                "nobody at table {table} answers: check that both devices are on the same network, or ask for a new invite"
            ),
        )
    };
    error.with("table", table)
}
