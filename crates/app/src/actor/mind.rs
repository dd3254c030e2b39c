//! The CPU on a worker thread, with a budget and a stop flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rules::{Action, Game};

use super::{Inbox, Note};

/// The CPU answers within 300 ms; the rest is for the way there and back.
pub const THINK_BUDGET: Duration = Duration::from_millis(250);

/// Lets the CPU find a move within the budget, or until `stop` is set. Blocks.
pub fn find_move(game: &Game, level: u8, seed: u64, stop: &AtomicBool) -> Action {
    let until = Instant::now() + THINK_BUDGET;
    cpu::think(game, level, seed, &mut || stop.load(Ordering::Relaxed) || Instant::now() >= until)
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
