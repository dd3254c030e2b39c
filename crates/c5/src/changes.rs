//! What has changed between two looks at a table and is no event of its log: who is ready for the next game, whom
//! somebody waits for without end, that play goes on after a halt.

use app::Snapshot;
use table::{DeviceId, Presence, Sitter, State};

/// One such change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Somebody is ready for that game, or is so no longer.
    Ready { game: u32, seat: u8, yes: bool },
    /// An away seat is waited for without end.
    Held { seat: u8 },
    /// Play goes on without this device.
    WentOn { without: DeviceId },
}

/// In the order in which they are told.
pub(crate) fn changes(before: &Snapshot, now: &Snapshot) -> Vec<Change> {
    let mut changes = Vec::new();
    if let (Some(halt), None) = (&before.halt, &now.halt) {
        changes.push(Change::WentOn { without: halt.with });
    }
    let (Some(then), Some(state)) = (&before.state, &now.state) else { return changes };
    for (seat, (earlier, later)) in (0u8..).zip(then.seats.iter().zip(&state.seats)) {
        let held = !earlier.hold && later.hold && now.presence_of(seat) == Presence::Away;
        changes.extend(held.then_some(Change::Held { seat }));
    }
    // A start takes everybody's word for it back, and so does a game that is taken up again.
    if state.playing() || number(then) != number(state) {
        return changes;
    }
    for (seat, (earlier, later)) in (0u8..).zip(then.seats.iter().zip(&state.seats)) {
        let (same, person) = (owner(&earlier.sitter) == owner(&later.sitter), owner(&later.sitter).is_some());
        let yes = later.ready && !(same && earlier.ready);
        let no = same && earlier.ready && !later.ready;
        if person && (yes || no) {
            changes.push(Change::Ready { game: number(state) + 1, seat, yes });
        }
    }
    changes
}

/// The seats whose word the next game waits for (PROTOCOL.md, section 11).
pub(crate) fn start_waits_for(state: &State) -> Vec<u8> {
    let waits = |at: &table::Seat| owner(&at.sitter).is_some() && !at.ready && !at.taken;
    (0u8..).zip(&state.seats).filter(|(_, at)| waits(at)).map(|(seat, _)| seat).collect()
}

/// The running or last game; 0 before the first.
fn number(state: &State) -> u32 {
    state.current.as_ref().map_or(0, |current| current.number)
}

const fn owner(sitter: &Sitter) -> Option<DeviceId> {
    match sitter {
        Sitter::Person { device, .. } => Some(*device),
        Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => None,
    }
}
