//! Who thinks for whom: each page has one search and one going through a game at a time. They end when their time is over,
//! when a newer one takes their place, and when nobody waits for their answer any more.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use crate::api::{ApiError, ErrorCode};
use crate::core::locked;

/// Longest word by which a page calls itself, in bytes.
const PAGE_BYTES_MAX: usize = 64;
/// Studies of all pages that go on at once; beyond that the oldest ends.
const STUDIES_MAX: usize = 8;
/// What one search, or one position of a game, may take, in milliseconds.
const MS_MAX: u32 = 60_000;
/// Memory for what a search remembers, in bytes.
const MEMORY_BYTES: usize = if cfg!(any(target_os = "android", target_os = "ios")) { 16 << 20 } else { 32 << 20 };
/// Minds that are kept for the next study, with what they have worked out.
const MINDS_KEPT_MAX: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `analyse` and `forced_win`.
    Search,
    Judge,
}

/// What is going on, the oldest first.
#[derive(Default)]
pub(crate) struct Studies {
    running: Mutex<Vec<(String, Kind, Weak<AtomicBool>)>>,
    minds: Mutex<Vec<cpu::Mind>>,
}

impl Studies {
    /// Ends what this page had going of this kind. The new one ends with what is returned.
    pub(crate) fn begin(&self, page: &str, kind: Kind) -> Result<Running, ApiError> {
        if page.is_empty() || page.len() > PAGE_BYTES_MAX {
            let about = format!("a page calls itself by a word of 1 to {PAGE_BYTES_MAX} bytes");
            return Err(ApiError::new(ErrorCode::BadCommand, about));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let mut running = locked(&self.running);
        running.retain(|(other, its, stop)| {
            let goes_on = stop.upgrade().filter(|_| other != page || *its != kind).is_some();
            if !goes_on {
                end(stop);
            }
            goes_on
        });
        if running.len() >= STUDIES_MAX {
            end(&running.remove(0).2);
        }
        running.push((page.to_owned(), kind, Arc::downgrade(&stop)));
        Ok(Running { stop })
    }

    /// Ends all that a page has going.
    pub(crate) fn end(&self, page: &str) {
        locked(&self.running).iter().filter(|(other, ..)| other == page).for_each(|(.., stop)| end(stop));
    }

    pub(crate) fn end_all(&self) {
        locked(&self.running).iter().for_each(|(.., stop)| end(stop));
    }

    /// Lends a mind for some work.
    pub(crate) fn with_mind<T>(&self, work: impl FnOnce(&mut cpu::Mind) -> T) -> T {
        let kept = locked(&self.minds).pop();
        let mut mind = kept.unwrap_or_else(|| cpu::Mind::new(MEMORY_BYTES));
        let done = work(&mut mind);
        let mut minds = locked(&self.minds);
        if minds.len() < MINDS_KEPT_MAX {
            minds.push(mind);
        }
        done
    }
}

fn end(stop: &Weak<AtomicBool>) {
    if let Some(stop) = stop.upgrade() {
        stop.store(true, Relaxed);
    }
}

/// Held by whoever waits for the answer: when it is dropped the work ends.
pub(crate) struct Running {
    stop: Arc<AtomicBool>,
}

impl Running {
    /// What the work itself needs to know.
    pub(crate) fn looking(&self, page: String, id: u32, ms: u32) -> Result<Looking, ApiError> {
        if !(1..=MS_MAX).contains(&ms) {
            let about = format!("a search takes 1 to {MS_MAX} milliseconds, not {ms}");
            return Err(ApiError::new(ErrorCode::BadCommand, about));
        }
        Ok(Looking { page, id, time: Duration::from_millis(u64::from(ms)), stop: Arc::clone(&self.stop) })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}

/// Work that is going on.
pub(crate) struct Looking {
    pub(crate) page: String,
    pub(crate) id: u32,
    time: Duration,
    stop: Arc<AtomicBool>,
}

impl Looking {
    pub(crate) fn is_ended(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// What a search asks: true from the end of its time on, which begins now.
    pub(crate) fn clock(&self) -> impl FnMut() -> bool + '_ {
        let until = Instant::now() + self.time;
        move || self.is_ended() || Instant::now() >= until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looking(running: &Running) -> Looking {
        running.looking("page".to_owned(), 1, MS_MAX).expect("a time")
    }

    #[test]
    fn a_page_has_one_of_each_kind() {
        let studies = Studies::default();
        let begin = |page: &str, kind| studies.begin(page, kind).expect("a page");
        let [search, judge] = [Kind::Search, Kind::Judge].map(|kind| begin("one", kind));
        let other = begin("two", Kind::Search);
        let [first, beside, others] = [&search, &judge, &other].map(looking);
        let newer = begin("one", Kind::Search);
        assert!(first.is_ended() && !beside.is_ended() && !others.is_ended());
        let last = looking(&newer);
        drop(newer);
        assert!(last.is_ended(), "nobody waits for it");
        studies.end("one");
        assert!(beside.is_ended() && !others.is_ended());
        studies.end_all();
        assert!(others.is_ended());
    }

    #[test]
    fn there_is_an_end_to_how_many_go_on() {
        let studies = Studies::default();
        let pages: Vec<Running> =
            (0..=STUDIES_MAX).map(|number| studies.begin(&number.to_string(), Kind::Search).expect("a page")).collect();
        let ended: Vec<bool> = pages.iter().map(|page| looking(page).is_ended()).collect();
        assert!(ended[0] && ended[1..].iter().all(|ended| !ended));
        assert!(studies.begin("", Kind::Judge).is_err() && studies.begin(&"x".repeat(65), Kind::Judge).is_err());
        assert!(pages[1].looking("1".to_owned(), 1, 0).is_err());
        assert!(pages[1].looking("1".to_owned(), 1, MS_MAX + 1).is_err());
    }
}
