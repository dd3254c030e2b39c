//! Notices that this device's network has changed, or that the device slept, and has everything made anew that may have
//! died with it: the endpoint, the links, the search for others.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::NetEvent;
use crate::addresses::Networks;
use crate::limits::{INTERFACES_INTERVAL, RENEW_PAUSE, SLEPT};
use crate::shared::{Shared, lock};

/// Both clocks at one moment. The monotonic one stands still while most systems sleep; the wall clock may be set.
pub(crate) type Clocks = dyn Fn() -> (Instant, SystemTime) + Send + Sync;

pub(crate) fn clocks() -> (Instant, SystemTime) {
    (Instant::now(), SystemTime::now())
}

/// Tells sleep from the clocks, looked at every second or so.
pub(crate) struct Dozing {
    last: (Instant, SystemTime),
}

impl Dozing {
    pub fn new(now: (Instant, SystemTime)) -> Dozing {
        Dozing { last: now }
    }

    /// For how long nothing ran since the last look, and how much of it the monotonic clock did not count. A wall clock
    /// that is set forward looks like sleep, too, and costs no more than a redial.
    pub fn look(&mut self, now: (Instant, SystemTime)) -> Option<Slept> {
        let (mono, wall) = std::mem::replace(&mut self.last, now);
        let counted = now.0.saturating_duration_since(mono);
        let all = now.1.duration_since(wall).unwrap_or_default().max(counted);
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
        let (mono, wall) = clocks();
        let second = Duration::from_secs(1);
        let mut dozing = Dozing::new((mono, wall));
        assert_eq!(dozing.look((mono + second, wall + second)), None);
        // Suspended: only the wall clock went on.
        let hour = 3600 * second;
        let slept = dozing.look((mono + 2 * second, wall + hour + 2 * second));
        assert_eq!(slept, Some(Slept { uncounted: hour }));
        assert_eq!(dozing.look((mono + 3 * second, wall + hour + 3 * second)), None);
        // Stopped: both went on, and nothing ran.
        let slept = dozing.look((mono + 13 * second, wall + hour + 13 * second));
        assert_eq!(slept, Some(Slept { uncounted: Duration::ZERO }));
        // The wall clock is set back.
        assert_eq!(dozing.look((mono + 14 * second, wall)), None);
        assert_eq!(dozing.look((mono + 15 * second, wall + second)), None);
    }
}
