//! What has changed between two looks at a table and is no event of its log: who is ready for the next game, whom
//! somebody waits for without end, that play goes on after a halt.

use app::Snapshot;
use table::{DeviceId, Sitter, State};

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
        let held = !earlier.hold && later.hold && now.is_waited_for(seat);
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

#[cfg(test)]
mod tests {
    use table::message::FaultCode;
    use table::{Halt, Presence};

    use super::*;
    use crate::script::{lobby, seat};

    #[tokio::test]
    async fn what_no_event_of_the_log_tells_is_told_once() {
        let before = lobby(2).await;
        assert_eq!(changes(&before, &before), []);
        let mut ready = before.clone();
        seat(&mut ready, 1).ready = true;
        assert_eq!(changes(&before, &ready), [Change::Ready { game: 1, seat: 1, yes: true }]);
        assert_eq!(changes(&ready, &before), [Change::Ready { game: 1, seat: 1, yes: false }]);
        assert_eq!(start_waits_for(ready.state.as_ref().expect("a state")), [0]);

        let mut other = ready.clone();
        seat(&mut other, 1).sitter = Sitter::Nobody;
        seat(&mut other, 1).ready = false;
        assert_eq!(changes(&ready, &other), [], "the seat's own event tells that");

        let mut held = before.clone();
        seat(&mut held, 1).hold = true;
        assert_eq!(changes(&before, &held), [], "somebody who is here is not waited for");
        held.presence[1] = Presence::Away;
        assert_eq!(changes(&before, &held), [Change::Held { seat: 1 }]);
        assert_eq!(changes(&held, &before), []);

        let without = DeviceId([9; 32]);
        let mut halted = before.clone();
        let (ours, theirs) = ("1".to_owned(), "2".to_owned());
        halted.halt = Some(Halt { with: without, code: FaultCode::State, index: None, ours, theirs });
        assert_eq!(changes(&before, &halted), []);
        assert_eq!(changes(&halted, &before), [Change::WentOn { without }]);
    }
}
