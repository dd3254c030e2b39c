//! The one clock of this process: monotonic milliseconds since the app's start, those included in which the device
//! slept. No wall clock decides anything.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use table::Millis;
use tokio::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub(crate) struct Clock {
    start: Instant,
    /// Milliseconds that the system's monotonic clock did not count.
    slept: Arc<AtomicU64>,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock { start: Instant::now(), slept: Arc::default() }
    }

    pub(crate) fn now(&self) -> Millis {
        let counted = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        counted.saturating_add(self.slept.load(Ordering::Relaxed))
    }

    /// The device slept for so long, uncounted.
    pub(crate) fn slept(&self, uncounted: Duration) {
        let uncounted = u64::try_from(uncounted.as_millis()).unwrap_or(u64::MAX).min(SLEEP_MAX_MS);
        self.slept.fetch_add(uncounted, Ordering::Relaxed);
    }

    /// The moment at which `now` will be this.
    pub(crate) fn at(&self, millis: Millis) -> Instant {
        // A table that waits for nothing names the end of time; a day is as good, and no sum overflows.
        Instant::now() + Duration::from_millis(millis.saturating_sub(self.now()).min(DAY_MS))
    }
}

/// A longer sleep says nothing more.
const SLEEP_MAX_MS: Millis = DAY_MS;

const DAY_MS: Millis = 24 * 60 * 60 * 1000;

/// Seconds since 1970, for display only.
pub(crate) fn wall_clock_s() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
