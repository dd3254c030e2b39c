//! How long a player of ours may think, so that its answer is there in time.

use std::time::Duration;

/// Of long limits so much is kept for the answer; of short ones a tenth.
const RESERVE_MAX: Duration = Duration::from_millis(30);
const RESERVE_PART: u32 = 10;

/// The part of a limit that is not for thinking: what a thread may lose to others, and the way of the answer.
pub fn reserve(limit: Duration) -> Duration {
    (limit / RESERVE_PART).min(RESERVE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_kept_and_not_much() {
        for (limit, kept) in [(0, 0), (20, 2), (100, 10), (300, 30), (1_000, 30), (60_000, 30)] {
            assert_eq!(reserve(Duration::from_millis(limit)), Duration::from_millis(kept), "{limit}");
        }
    }
}
