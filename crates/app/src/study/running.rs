//! Who thinks for whom: by each word that a page calls itself, one study goes on at a time. It ends when its time is over,
//! when a newer one takes its place, when the page says so, and when nobody waits for its answer any more.
//!
//! Commands of a page are carried out side by side, so that they may be begun in another order than they were asked in.
//! Each therefore has a number that rises from one to the next, and what is older than the newest number begins no more.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use crate::api::{ApiError, ErrorCode};
use crate::core::locked;

/// Longest word by which a page calls itself, in bytes.
const PAGE_BYTES_MAX: usize = 64;
/// Pages that are known at once, each with its study; beyond that the oldest one is forgotten, and its study ends.
const PAGES_MAX: usize = 8;
/// What one search, or one position of a game, may take, in milliseconds.
const MS_MAX: u32 = 60_000;
/// Memory for what a search remembers, in bytes.
const MEMORY_BYTES: usize = if cfg!(any(target_os = "android", target_os = "ios")) { 16 << 20 } else { 32 << 20 };
/// Minds that are kept for the next study, with what they have worked out.
const MINDS_KEPT_MAX: usize = 2;

/// A page, and the newest study that it asked for or ended.
struct Page {
    name: String,
    /// 0 before the first.
    newest: u32,
    stop: Weak<AtomicBool>,
}

impl Page {
    fn end(&self) {
        if let Some(stop) = self.stop.upgrade() {
            stop.store(true, Relaxed);
        }
    }

    fn is_idle(&self) -> bool {
        self.stop.upgrade().is_none_or(|stop| stop.load(Relaxed))
    }
}

/// What is going on.
#[derive(Default)]
pub(crate) struct Studies {
    /// Whoever asked last comes last.
    pages: Mutex<Vec<Page>>,
    minds: Mutex<Vec<cpu::Mind>>,
}

impl Studies {
    /// Ends what this page had going. The new one goes on for as long as what is returned is held; where something newer
    /// is known already, it has ended before it began.
    pub(crate) fn begin(&self, page: &str, id: u32) -> Result<Running, ApiError> {
        let name = checked_name(page)?;
        let mut pages = locked(&self.pages);
        let page = page_of(&mut pages, name);
        let is_new = page.newest < id;
        let stop = Arc::new(AtomicBool::new(!is_new));
        if is_new {
            page.end();
            (page.newest, page.stop) = (id, Arc::downgrade(&stop));
        }
        Ok(Running { page: name.to_owned(), id, stop })
    }

    /// Ends the study of this number, whether it has begun or not, and all that the page asked for before.
    pub(crate) fn end(&self, page: &str, id: u32) -> Result<(), ApiError> {
        let name = checked_name(page)?;
        let mut pages = locked(&self.pages);
        let page = page_of(&mut pages, name);
        if page.newest <= id {
            page.end();
            page.newest = id;
        }
        Ok(())
    }

    /// Ends all studies: nobody is there any more to hear of them.
    pub(crate) fn close(&self) {
        locked(&self.pages).iter().for_each(Page::end);
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

fn checked_name(page: &str) -> Result<&str, ApiError> {
    if page.is_empty() || page.len() > PAGE_BYTES_MAX {
        let about = format!("a page calls itself by a word of 1 to {PAGE_BYTES_MAX} bytes");
        return Err(ApiError::new(ErrorCode::BadCommand, about));
    }
    Ok(page)
}

/// The page of this name, known before or not, which is the last one now.
fn page_of<'a>(pages: &'a mut Vec<Page>, name: &str) -> &'a mut Page {
    let page = match pages.iter().position(|page| page.name == name) {
        Some(place) => pages.remove(place),
        None => Page { name: name.to_owned(), newest: 0, stop: Weak::new() },
    };
    if pages.len() >= PAGES_MAX {
        let place = pages.iter().position(Page::is_idle).unwrap_or(0);
        pages.remove(place).end();
    }
    pages.push(page);
    pages.last_mut().expect("one was pushed")
}

/// Held by whoever waits for the answer: when it is dropped the work ends.
pub(crate) struct Running {
    page: String,
    id: u32,
    stop: Arc<AtomicBool>,
}

impl Running {
    /// What the work itself needs to know.
    pub(crate) fn looking(&self, ms: u32) -> Result<Looking, ApiError> {
        if !(1..=MS_MAX).contains(&ms) {
            let about = format!("a search takes 1 to {MS_MAX} milliseconds, not {ms}");
            return Err(ApiError::new(ErrorCode::BadCommand, about));
        }
        let time = Duration::from_millis(u64::from(ms));
        Ok(Looking { page: self.page.clone(), id: self.id, time, stop: Arc::clone(&self.stop) })
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

    fn begin(studies: &Studies, page: &str, id: u32) -> (Running, Looking) {
        let running = studies.begin(page, id).expect("a page");
        let looking = running.looking(MS_MAX).expect("a time");
        (running, looking)
    }

    #[test]
    fn a_page_has_one_at_a_time() {
        let studies = Studies::default();
        let (_first, first) = begin(&studies, "one", 1);
        let (_other, other) = begin(&studies, "two", 1);
        let (newer, last) = begin(&studies, "one", 2);
        assert!(first.is_ended() && !last.is_ended() && !other.is_ended());
        drop(newer);
        assert!(last.is_ended(), "nobody waits for it");
        studies.close();
        assert!(other.is_ended());
    }

    #[test]
    fn what_was_asked_earlier_and_comes_later_ends_nothing_newer() {
        let studies = Studies::default();
        let (_newer, newer) = begin(&studies, "one", 5);
        let (older, late) = begin(&studies, "one", 4);
        assert!(late.is_ended() && !newer.is_ended(), "a search");
        drop(older);
        studies.end("one", 4).expect("a page");
        assert!(!newer.is_ended(), "an end");
        studies.end("one", 5).expect("a page");
        assert!(newer.is_ended());
    }

    #[test]
    fn what_was_ended_before_it_began_does_not_begin() {
        let studies = Studies::default();
        studies.end("one", 3).expect("a page");
        assert!(begin(&studies, "one", 2).1.is_ended() && begin(&studies, "one", 3).1.is_ended());
        assert!(!begin(&studies, "one", 4).1.is_ended());
    }

    #[test]
    fn there_is_an_end_to_how_many_go_on() {
        let studies = Studies::default();
        let pages: Vec<(Running, Looking)> =
            (0..PAGES_MAX).map(|number| begin(&studies, &number.to_string(), 1)).collect();
        let ended = || pages.iter().filter(|(_, looking)| looking.is_ended()).count();
        let (running, more) = begin(&studies, "more", 1);
        assert!(pages[0].1.is_ended() && ended() == 1, "the oldest");
        drop(running);
        let _again = begin(&studies, "again", 1);
        assert!(more.is_ended() && ended() == 1, "one that nobody waits for gives way first");
        assert!(studies.begin("", 1).is_err() && studies.begin(&"x".repeat(PAGE_BYTES_MAX + 1), 1).is_err());
        assert!(pages[1].0.looking(0).is_err() && pages[1].0.looking(MS_MAX + 1).is_err());
    }
}
