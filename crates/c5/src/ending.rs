//! How a session ends: when one that plays by itself has done all, and what of it stays on this device.

use std::time::Duration;

use app::Snapshot;
use table::Presence;
use tokio::time::Instant;

use crate::Failure;

/// With `--auto`: how long an end waits to become final, and then for the others' acknowledgements.
const ACKS_WAIT: Duration = Duration::from_secs(5);

/// What the end of the last game hangs on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// The newest entry.
    head: u32,
    final_upto: Option<u32>,
    on_every_disk: Option<u32>,
    /// This device's disk takes nothing.
    not_saved: bool,
    /// Somebody is silent without a goodbye: they come back, or the others go on without them, and then it is final.
    waits: bool,
}

impl Kept {
    /// `None` before the log is here.
    pub(crate) fn of(seen: &Snapshot) -> Option<Kept> {
        let silent = |seat: u8| seen.presence_of(seat) == Presence::Silent && !seen.said_goodbye(seat);
        Some(Kept {
            head: seen.head?.0,
            final_upto: seen.final_upto,
            on_every_disk: seen.on_every_disk,
            not_saved: seen.not_saved,
            waits: (0..u8::try_from(seen.presence.len()).unwrap_or(u8::MAX)).any(silent),
        })
    }
}

/// Whether a session that plays by itself has done all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    No,
    Done,
    /// The end never came to this device's disk.
    NotSaved,
}

/// The wait for the last game's end to be kept everywhere. It has an end on whatever disk fails.
#[derive(Debug, Default)]
pub(crate) struct Farewell {
    /// The newest entry when the game was first seen to be over, since when that or its being final is waited for, and
    /// whether it is final.
    waits: Option<(u32, Instant, bool)>,
}

impl Farewell {
    /// `kept` is `None` as long as there is something to play.
    pub(crate) fn look(&mut self, kept: Option<Kept>, now: Instant) -> Over {
        let Some(kept) = kept else {
            self.waits = None;
            return Over::No;
        };
        let (end, mut since, was_final) = self.waits.unwrap_or((kept.head, now, false));
        let is_final = kept.final_upto >= Some(end);
        if is_final != was_final || !is_final && kept.waits && !kept.not_saved {
            since = now;
        }
        self.waits = Some((end, since, is_final));
        if is_final && kept.on_every_disk >= Some(end) {
            return Over::Done;
        }
        if now.duration_since(since) < ACKS_WAIT {
            Over::No
        } else if !is_final && kept.not_saved {
            Over::NotSaved
        } else {
            Over::Done
        }
    }
}

/// The end is not on this disk, and its game cannot be looked at here again.
pub(crate) fn end_not_saved() -> Failure {
    Failure::new(
        "data-unwritable",
        "the game is over, but the disk took nothing of its end: make space, or make the data folder writable",
    )
}

/// What this device has of a table once it has left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stays {
    /// The seat that can be gone on with from the disk.
    pub(crate) seat: Option<u8>,
    /// All that happened there is on the disk.
    pub(crate) saved: bool,
}

impl Stays {
    /// `seat` and `head` as they were at the end, `rest` what the disk says: its newest entry, and the seat there.
    pub(crate) fn of(seat: Option<u8>, head: Option<u32>, rest: Option<(Option<u32>, Option<u8>)>) -> Stays {
        let (on_disk, seat_on_disk) = rest.unwrap_or_default();
        Stays { seat: seat.and(seat_on_disk), saved: on_disk >= head }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The game ended with entry 40.
    const OVER: Kept = Kept { head: 40, final_upto: Some(40), on_every_disk: Some(40), not_saved: false, waits: false };

    /// What is decided so many seconds after the end, looked at each second.
    fn after(kept: Kept, seconds: u64) -> Over {
        let (mut farewell, start) = (Farewell::default(), Instant::now());
        let looks = (0..=seconds).map(|second| farewell.look(Some(kept), start + Duration::from_secs(second)));
        looks.last().expect("a look")
    }

    #[test]
    fn an_end_that_every_disk_has_is_waited_for_no_longer() {
        assert_eq!(after(OVER, 0), Over::Done);
        assert_eq!(Farewell::default().look(None, Instant::now()), Over::No);
        let unheard = Kept { on_every_disk: Some(39), ..OVER };
        assert_eq!((after(unheard, 4), after(unheard, 6)), (Over::No, Over::Done));
    }

    #[test]
    fn a_disk_that_takes_nothing_keeps_nobody_for_ever() {
        let not_final = Kept { final_upto: Some(30), on_every_disk: Some(30), ..OVER };
        assert_eq!((after(not_final, 4), after(not_final, 6)), (Over::No, Over::Done), "another's disk");
        let own = Kept { not_saved: true, ..not_final };
        assert_eq!((after(own, 4), after(own, 6)), (Over::No, Over::NotSaved));
        assert_eq!(after(Kept { waits: true, ..own }, 6), Over::NotSaved, "whoever else is away");
        assert_eq!(after(Kept { not_saved: true, ..OVER }, 0), Over::Done, "what fails came later");
    }

    #[test]
    fn who_is_cut_off_is_waited_for_until_the_end_is_final() {
        let cut_off = Kept { final_upto: Some(30), on_every_disk: Some(30), waits: true, ..OVER };
        assert_eq!(after(cut_off, 60), Over::No);
        let (mut farewell, start) = (Farewell::default(), Instant::now());
        let mut look = |kept, second| farewell.look(Some(kept), start + Duration::from_secs(second));
        assert_eq!(look(cut_off, 0), Over::No);
        assert_eq!(look(Kept { waits: false, ..cut_off }, 4), Over::No);
        assert_eq!(look(Kept { on_every_disk: Some(30), ..OVER }, 8), Over::No, "final just now");
        assert_eq!(look(Kept { head: 41, final_upto: Some(41), ..OVER }, 9), Over::Done);
    }

    #[test]
    fn a_seat_is_promised_only_where_the_disk_has_it() {
        let stays = |seat, saved| Stays { seat, saved };
        assert_eq!(Stays::of(Some(1), Some(9), Some((Some(9), Some(1)))), stays(Some(1), true));
        assert_eq!(Stays::of(Some(1), Some(9), Some((Some(5), Some(1)))), stays(Some(1), false));
        assert_eq!(Stays::of(Some(1), Some(9), Some((Some(5), None))), stays(None, false));
        assert_eq!(Stays::of(Some(1), Some(9), None), stays(None, false));
        assert_eq!(Stays::of(None, Some(9), Some((Some(9), None))), stays(None, true), "given up");
    }
}
