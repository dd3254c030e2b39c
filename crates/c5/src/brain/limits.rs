//! What the manager allows: time and memory.

use std::time::Duration;

/// A move's time where the manager names none.
const TURN_MS: u64 = 1_000;
/// A move's time when it is to be as quick as possible.
const QUICK_MS: u64 = 10;
/// So many moves are thought to be still to come when the time for the rest of the match is shared out.
const MOVES_LEFT: u64 = 15;
/// This much of the time left in the match and more means that nothing limits it.
const UNLIMITED_MS: u64 = i32::MAX as u64;
/// What the process needs beside the engine's tables, in bytes.
const PROCESS_BYTES: u64 = 16 << 20;
/// The engine gets this much also where less is allowed.
const MIND_BYTES_MIN: u64 = 1 << 20;

/// The last values that were told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    turn_ms: Option<u64>,
    match_ms: Option<u64>,
    left_ms: Option<u64>,
    memory_bytes: Option<u64>,
}

impl Limits {
    /// Takes `INFO key value`; false where the key is none of these. What is less than 0 is 0.
    pub fn take(&mut self, key: &str, value: &str) -> bool {
        let number = value.trim().parse::<i64>().ok().map(|number| u64::try_from(number).unwrap_or(0));
        let place = match key {
            "timeout_turn" => &mut self.turn_ms,
            "timeout_match" => &mut self.match_ms,
            "time_left" => &mut self.left_ms,
            "max_memory" => &mut self.memory_bytes,
            _ => return false,
        };
        // A value that is no number says nothing.
        *place = number.or(*place);
        true
    }

    /// How long after a move was asked for the answer may come.
    pub fn turn(&self) -> Duration {
        let turn = match self.turn_ms {
            None => TURN_MS,
            Some(0) => QUICK_MS,
            Some(ms) => ms,
        };
        // Zero is no limit for a match, and what is left of it then means nothing.
        let left = self.left_ms.filter(|&left| left < UNLIMITED_MS && self.match_ms != Some(0));
        Duration::from_millis(left.map_or(turn, |left| turn.min((left / MOVES_LEFT).max(1))))
    }

    /// Memory for the engine, in bytes.
    pub fn mind_bytes(&self) -> usize {
        let usual = cpu::MEMORY_BYTES as u64;
        let bytes = match self.memory_bytes {
            // Zero is no limit.
            None | Some(0) => usual,
            Some(bytes) => bytes.saturating_sub(PROCESS_BYTES).clamp(MIND_BYTES_MIN, usual),
        };
        usize::try_from(bytes).unwrap_or(cpu::MEMORY_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(told: &[(&str, &str)], turn_ms: u64, bytes: usize) {
        let mut limits = Limits::default();
        for (key, value) in told {
            assert!(limits.take(key, value), "{key}");
        }
        assert_eq!((limits.turn(), limits.mind_bytes()), (Duration::from_millis(turn_ms), bytes), "{told:?}");
    }

    #[test]
    fn limits_follow_what_was_told() {
        let usual = cpu::MEMORY_BYTES;
        check(&[], 1_000, usual);
        check(&[("timeout_turn", "5000"), ("max_memory", "0")], 5_000, usual);
        check(&[("timeout_turn", "0")], 10, usual);
        check(&[("timeout_turn", "5000"), ("timeout_match", "60000"), ("time_left", "30000")], 2_000, usual);
        check(&[("timeout_turn", "5000"), ("timeout_match", "60000"), ("time_left", "-4")], 1, usual);
        check(&[("timeout_turn", "5000"), ("timeout_match", "0"), ("time_left", "0")], 5_000, usual);
        check(&[("timeout_turn", "5000"), ("time_left", "2147483647")], 5_000, usual);
        check(&[("timeout_turn", "x"), ("max_memory", "367001600")], 1_000, usual);
        check(&[("max_memory", "33554432")], 1_000, 16 << 20);
        check(&[("max_memory", "1000")], 1_000, 1 << 20);
        assert!(!Limits::default().take("evaluate", "7,7"));
    }
}
