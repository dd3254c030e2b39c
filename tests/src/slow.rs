//! A cable that takes its time and loses frames: what goes between a host and the bridge passes through this process,
//! which holds it back. This kernel's own delay (netem) is missing on many machines.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use pnet_datalink::{Channel, Config, DataLinkReceiver, DataLinkSender, NetworkInterface};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How often a waiting end looks whether it shall stop.
const LOOK: Duration = Duration::from_millis(50);
/// Frames on their way in one direction; more are dropped, as a real device would.
const HELD_MAX: usize = 4096;
/// Where the six bytes of a frame's sender are.
const SENDER: std::ops::Range<usize> = 6..12;

/// How a cable treats each frame, in either direction.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    /// Later than it would arrive, by this much …
    pub delay: Duration,
    /// … give or take this much. Frames stay in order, as on a radio link that sends them again until they get through.
    pub jitter: Duration,
    /// Lost of a thousand.
    pub loss_permille: u32,
    pub seed: u64,
}

impl Weather {
    /// Nothing but a delay.
    pub fn delay(delay: Duration) -> Weather {
        Weather { delay, jitter: Duration::ZERO, loss_permille: 0, seed: 0 }
    }
}

/// One direction's luck.
struct Luck {
    weather: Weather,
    random: ChaCha8Rng,
}

impl Luck {
    fn new(weather: Weather, direction: u64) -> Luck {
        let mut random = ChaCha8Rng::seed_from_u64(weather.seed);
        random.set_stream(direction);
        Luck { weather, random }
    }

    /// How long the next frame takes; `None`: it is lost.
    fn next(&mut self) -> Option<Duration> {
        let Weather { delay, jitter, loss_permille, .. } = self.weather;
        if self.random.random_range(0..1000) < loss_permille {
            return None;
        }
        let late = jitter.mul_f64(2.0 * self.random.random::<f64>());
        Some((delay + late).saturating_sub(jitter))
    }
}

/// A slowed cable. It carries nothing any more when dropped.
pub struct Slow {
    stop: Arc<AtomicBool>,
    ends: Vec<JoinHandle<()>>,
}

impl Slow {
    /// Carries frames between two interfaces of a namespace: `host_side`, behind which only the card `host` is, and
    /// `bridge_side`.
    pub fn between(
        namespace: &str,
        host_side: &str,
        bridge_side: &str,
        host: [u8; 6],
        weather: Weather,
    ) -> Result<Slow> {
        let (from_host, to_host) = open(namespace, host_side)?;
        let (from_bridge, to_bridge) = open(namespace, bridge_side)?;
        let stop = Arc::new(AtomicBool::new(false));
        // What is sent through an interface is also heard on it: the sender tells which frames come from where.
        let out = carry(from_host, to_bridge, move |sender| sender == host, Luck::new(weather, 0), &stop);
        let back = carry(from_bridge, to_host, move |sender| sender != host, Luck::new(weather, 1), &stop);
        Ok(Slow { stop, ends: [out, back].into_iter().flatten().collect() })
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for end in self.ends.drain(..) {
            let _ = end.join();
        }
    }
}

/// Opens an interface of a namespace, in a thread that enters it for that.
fn open(namespace: &str, interface: &str) -> Result<(Box<dyn DataLinkReceiver>, Box<dyn DataLinkSender>)> {
    let namespace = File::open(Path::new("/run/netns").join(namespace))?;
    let interface = interface.to_owned();
    let opened = std::thread::spawn(move || {
        crate::lan::enter(&namespace)?;
        let found: Option<NetworkInterface> = pnet_datalink::interfaces().into_iter().find(|i| i.name == interface);
        let found = found.with_context(|| format!("there is no {interface}"))?;
        let config = Config { read_timeout: Some(LOOK), ..Config::default() };
        match pnet_datalink::channel(&found, config)? {
            Channel::Ethernet(sender, receiver) => Ok((receiver, sender)),
            _ => bail!("{interface} is no Ethernet"),
        }
    });
    opened.join().expect("opening does not panic")
}

/// Two threads: one hears frames, one sends each when its time has come.
fn carry(
    mut from: Box<dyn DataLinkReceiver>,
    mut to: Box<dyn DataLinkSender>,
    is_ours: impl Fn([u8; 6]) -> bool + Send + 'static,
    mut luck: Luck,
    stop: &Arc<AtomicBool>,
) -> [JoinHandle<()>; 2] {
    let (held, due) = std::sync::mpsc::sync_channel::<(Instant, Vec<u8>)>(HELD_MAX);
    let stop = stop.clone();
    let hears = std::thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            let Ok(frame) = from.next() else { continue };
            let sender = frame.get(SENDER).and_then(|bytes| bytes.try_into().ok());
            if sender.is_some_and(&is_ours)
                && let Some(late) = luck.next()
            {
                // A full queue drops, as said.
                let _ = held.try_send((Instant::now() + late, frame.to_vec()));
            }
        }
    });
    let sends = std::thread::spawn(move || {
        while let Ok((at, frame)) = due.recv() {
            std::thread::sleep(at.saturating_duration_since(Instant::now()));
            let _ = to.send_to(&frame, None);
        }
    });
    [hears, sends]
}
