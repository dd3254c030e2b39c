//! The one clock of this process: monotonic milliseconds since the app's start. No wall clock decides anything.

use table::Millis;
use tokio::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock { start: Instant::now() }
    }

    pub(crate) fn now(self) -> Millis {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The moment at which `now` will be this.
    pub(crate) fn at(self, millis: Millis) -> Instant {
        // A table that waits for nothing names the end of time; a day is as good, and no sum overflows.
        self.start + Duration::from_millis(millis.min(self.now() + DAY_MS))
    }
}

const DAY_MS: Millis = 24 * 60 * 60 * 1000;

/// Seconds since 1970, for display only.
pub(crate) fn wall_clock_s() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
