//! Notices that this device's network has changed, or that the device slept, and has everything made anew that may have
//! died with it: the endpoint, the links, the search for others.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::NetEvent;
use crate::addresses::Networks;
use crate::limits::{INTERFACES_INTERVAL, RENEW_PAUSE, SLEPT};
use crate::shared::{Shared, lock};

/// Both clocks at one moment: the monotonic one, which stands still while most systems sleep, and the time since some
/// start with all sleep in it. Neither can be set.
pub(crate) type Clocks = dyn Fn() -> (Instant, Duration) + Send + Sync;

pub(crate) fn clocks() -> (Instant, Duration) {
    (Instant::now(), with_sleep())
}

/// The clock that goes on while the system sleeps. On Apple's systems that is the one called monotonic, and `Instant`
/// reads another.
#[cfg(unix)]
fn with_sleep() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const CLOCK: ClockId = ClockId::CLOCK_BOOTTIME;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const CLOCK: ClockId = ClockId::CLOCK_MONOTONIC;
    // A system without that clock counts no sleep: its links find out by themselves.
    clock_gettime(CLOCK).map_or(Duration::ZERO, Duration::from)
}

/// Elsewhere `Instant` goes on while the system sleeps.
#[cfg(not(unix))]
fn with_sleep() -> Duration {
    Duration::ZERO
}

/// Tells sleep from the clocks, looked at every second or so.
pub(crate) struct Dozing {
    last: (Instant, Duration),
}

impl Dozing {
    pub fn new(now: (Instant, Duration)) -> Dozing {
        Dozing { last: now }
    }

    /// Whether nothing ran for long since the last look, and how much of that the monotonic clock did not count.
    pub fn look(&mut self, now: (Instant, Duration)) -> Option<Slept> {
        let (mono, with_sleep) = std::mem::replace(&mut self.last, now);
        let counted = now.0.saturating_duration_since(mono);
        let all = now.1.saturating_sub(with_sleep).max(counted);
        let uncounted = all - counted;
        (counted >= SLEPT || uncounted >= SLEPT).then_some(Slept { uncounted })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slept {
    pub uncounted: Duration,
}

/// Looks at the interfaces for the first time, so that the addresses are known from the start.
pub(crate) fn look(shared: &Shared) -> Option<Networks> {
    match if_addrs::get_if_addrs() {
        Ok(interfaces) => Some(Networks::new(&interfaces)),
        Err(error) => {
            if lock(&shared.log).is_due() {
                tracing::warn!(%error, "the interfaces can't be listed");
            }
            None
        }
    }
}

/// Tells the app this device's addresses at the start and whenever they change; until the network ends.
pub(crate) async fn run(shared: Arc<Shared>) {
    let mut told: Option<Vec<SocketAddr>> = None;
    let mut dozing = Dozing::new((shared.clocks)());
    let mut renewed: Option<Instant> = None;
    let mut renew = false;
    while !shared.stopping() {
        let now = (shared.clocks)();
        let slept = dozing.look(now);
        let (mut news, mut own) = (false, told.clone().unwrap_or_default());
        if let Some(networks) = look(&shared) {
            own = networks.own(shared.port());
            let before = std::mem::replace(&mut *lock(&shared.networks), networks.clone());
            news = before != networks;
            // A link over an address that is gone is dead, and only we know.
            renew |= shared.remotes().into_iter().any(|remote| before.lost(&networks, remote));
        }
        if let Some(Slept { uncounted }) = slept {
            tracing::info!(?uncounted, "this device slept");
            renew = true;
            shared.emit(NetEvent::Woke { uncounted }).await;
        }
        if renew && renewed.is_none_or(|then| now.0.saturating_duration_since(then) >= RENEW_PAUSE) {
            (renew, renewed) = (false, Some(now.0));
            shared.renew.notify_one();
        }
        if news || slept.is_some() {
            shared.network_changed();
        }
        if told.as_ref() != Some(&own) {
            told = Some(own.clone());
            shared.emit(NetEvent::Addresses(own)).await;
        }
        tokio::select! {
            () = tokio::time::sleep(INTERFACES_INTERVAL) => {}
            () = shared.stopped() => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_shows_in_either_clock_and_a_second_is_none() {
        let (mono, all) = clocks();
        let second = Duration::from_secs(1);
        let mut dozing = Dozing::new((mono, all));
        assert_eq!(dozing.look((mono + second, all + second)), None);
        // Suspended: only the clock with sleep went on.
        let hour = 3600 * second;
        let slept = dozing.look((mono + 2 * second, all + hour + 2 * second));
        assert_eq!(slept, Some(Slept { uncounted: hour }));
        assert_eq!(dozing.look((mono + 3 * second, all + hour + 3 * second)), None);
        // Stopped: both went on, and nothing ran.
        let slept = dozing.look((mono + 13 * second, all + hour + 13 * second));
        assert_eq!(slept, Some(Slept { uncounted: Duration::ZERO }));
    }

    #[test]
    #[cfg(unix)]
    fn the_clock_with_sleep_goes_on() {
        let before = clocks();
        std::thread::sleep(Duration::from_millis(2));
        let after = clocks();
        assert!(before.1 > Duration::ZERO && after.1 > before.1, "{before:?} {after:?}");
        assert_eq!(Dozing::new(before).look(after), None);
    }
}
