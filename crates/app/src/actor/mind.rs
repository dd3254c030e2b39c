//! The CPU on a worker thread, with a budget and a stop flag.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rules::{Action, Game};

use super::{Inbox, Note};

/// Memory that strong levels get, in bytes; phones have less.
const MEMORY_BYTES: usize = if cfg!(any(target_os = "android", target_os = "ios")) { 32 << 20 } else { 64 << 20 };

/// What the strong levels have worked out, kept from move to move for the whole process. Whoever finds it lent thinks
/// with an empty one.
static KEPT: Mutex<Option<cpu::Mind>> = Mutex::new(None);

/// Lets the CPU find a move within its level's time ([`cpu::time_ms`]), or until `stop` is set. Blocks.
pub fn find_move(game: &Game, level: u8, seed: u64, stop: &AtomicBool) -> Action {
    let until = Instant::now() + Duration::from_millis(cpu::time_ms(level));
    let mut stop = || stop.load(Ordering::Relaxed) || Instant::now() >= until;
    if level <= cpu::QUICK_LEVEL_MAX {
        return cpu::think(game, level, seed, &mut stop);
    }
    let kept = KEPT.lock().ok().and_then(|mut kept| kept.take());
    let mut mind = kept.unwrap_or_else(|| cpu::Mind::new(MEMORY_BYTES));
    let action = mind.think(game, &cpu::Budget::of(level, seed), &mut stop).action;
    if let Ok(mut kept) = KEPT.lock() {
        *kept = Some(mind);
    }
    action
}

/// At most one search at a time: a newer one, or `stop`, ends the older.
#[derive(Default)]
pub(crate) struct Mind {
    stop: Option<Arc<AtomicBool>>,
}

impl Mind {
    pub(crate) fn think(&mut self, ticket: u64, game: Game, level: u8, inbox: Inbox) {
        self.stop();
        let stop = Arc::new(AtomicBool::new(false));
        self.stop = Some(Arc::clone(&stop));
        tokio::task::spawn_blocking(move || {
            let action = find_move(&game, level, rand::random(), &stop);
            let _ = inbox.blocking_send(Note::Thought { ticket, action });
        });
    }

    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Mind {
    fn drop(&mut self) {
        self.stop();
    }
}
