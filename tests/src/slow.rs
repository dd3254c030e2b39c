//! A cable that takes its time: frames between a host and the bridge pass through this process, which holds them back.
//! This kernel's own delay (netem) is missing on many machines.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use pnet_datalink::{Channel, Config, DataLinkReceiver, DataLinkSender, NetworkInterface};

/// How often a waiting end looks whether it shall stop.
const LOOK: Duration = Duration::from_millis(50);
/// Frames on their way in one direction; more are dropped, as a real device would.
const HELD_MAX: usize = 4096;
/// Where the six bytes of a frame's sender are.
const SENDER: std::ops::Range<usize> = 6..12;

/// A slowed cable. It carries nothing any more when dropped.
pub struct Slow {
    stop: Arc<AtomicBool>,
    ends: Vec<JoinHandle<()>>,
}

impl Slow {
    /// Carries frames between two interfaces of a namespace: `host_side`, behind which only the card `host` is, and
    /// `bridge_side`. Each frame arrives `delay` later than it would.
    pub fn between(
        namespace: &str,
        host_side: &str,
        bridge_side: &str,
        host: [u8; 6],
        delay: Duration,
    ) -> Result<Slow> {
        let (from_host, to_host) = open(namespace, host_side)?;
        let (from_bridge, to_bridge) = open(namespace, bridge_side)?;
        let stop = Arc::new(AtomicBool::new(false));
        // What is sent through an interface is also heard on it: the sender tells which frames come from where.
        let out = carry(from_host, to_bridge, move |sender| sender == host, delay, &stop);
        let back = carry(from_bridge, to_host, move |sender| sender != host, delay, &stop);
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
    delay: Duration,
    stop: &Arc<AtomicBool>,
) -> [JoinHandle<()>; 2] {
    let (held, due) = std::sync::mpsc::sync_channel::<(Instant, Vec<u8>)>(HELD_MAX);
    let stop = stop.clone();
    let hears = std::thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            let Ok(frame) = from.next() else { continue };
            let sender = frame.get(SENDER).and_then(|bytes| bytes.try_into().ok());
            if sender.is_some_and(&is_ours) {
                // A full queue drops, as said.
                let _ = held.try_send((Instant::now() + delay, frame.to_vec()));
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
