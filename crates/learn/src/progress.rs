//! What a person has done: steps, puzzles, and days in a row with the day's puzzle.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::lesson::{Lesson, step, steps};
use crate::puzzle::{Puzzle, of_day, puzzle};

/// The day's puzzles that were solved on their day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Daily {
    /// The last such day.
    pub day: u32,
    /// Days in a row up to it.
    pub row: u32,
    /// Such days in all; this number never shrinks.
    pub all: u32,
}

/// Kept with the settings. Names that are no longer known are left out when it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// `topic/number`.
    steps: BTreeSet<String>,
    puzzles: BTreeSet<String>,
    daily: Daily,
}

fn name_of(lesson: &Lesson) -> String {
    format!("{}/{}", lesson.topic, lesson.number)
}

impl Progress {
    /// As it was kept, without what this version does not know.
    #[must_use]
    pub fn known(mut self) -> Progress {
        self.steps.retain(|name| {
            let place = name.split_once('/').and_then(|(topic, number)| Some((topic, number.parse().ok()?)));
            place.is_some_and(|(topic, number)| step(topic, number).is_some())
        });
        self.puzzles.retain(|name| puzzle(name).is_some());
        self
    }

    /// A step was done; whether that is news.
    pub fn learned(&mut self, lesson: &Lesson) -> bool {
        self.steps.insert(name_of(lesson))
    }

    /// A puzzle was solved on this day; whether that is news.
    pub fn solved(&mut self, puzzle: &Puzzle, day: u32) -> bool {
        let new = self.puzzles.insert(puzzle.problem.name.clone());
        let is_todays = of_day(day).problem.name == puzzle.problem.name;
        if !is_todays || self.is_solved_on(day) {
            return new;
        }
        let row = if self.daily.all > 0 && self.daily.day.checked_add(1) == Some(day) { self.daily.row + 1 } else { 1 };
        self.daily = Daily { day, row, all: self.daily.all + 1 };
        true
    }

    /// Whether the day's puzzle was solved on this day. A clock that was put back makes no day count twice.
    pub fn is_solved_on(&self, day: u32) -> bool {
        self.daily.all > 0 && self.daily.day >= day
    }

    /// Days in a row with the day's puzzle, up to today or yesterday.
    pub fn row(&self, today: u32) -> u32 {
        let counts = self.daily.all > 0 && self.daily.day.saturating_add(1) >= today;
        if counts { self.daily.row } else { 0 }
    }

    /// Days with the day's puzzle in all.
    pub fn days(&self) -> u32 {
        self.daily.all
    }

    pub fn has_learned(&self, lesson: &Lesson) -> bool {
        self.steps.contains(&name_of(lesson))
    }

    pub fn has_solved(&self, puzzle: &Puzzle) -> bool {
        self.puzzles.contains(&puzzle.problem.name)
    }

    /// Steps of a topic that were done.
    pub fn learned_in(&self, topic: &str) -> usize {
        steps(topic).filter(|lesson| self.has_learned(lesson)).count()
    }

    /// Puzzles that were solved.
    pub fn solved_count(&self) -> usize {
        self.puzzles.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_a_row_are_counted_once_each_and_the_sum_never_shrinks() {
        let mut progress = Progress::default();
        let mut on = |day: u32| {
            progress.solved(of_day(day), day);
            (progress.row(day), progress.days())
        };
        assert_eq!([on(100), on(100), on(101), on(102)], [(1, 1), (1, 1), (2, 2), (3, 3)]);
        assert_eq!(on(104), (1, 4), "a day without begins anew, and takes nothing away");
        assert_eq!(on(103), (1, 4), "a clock put back");
        assert_eq!((progress.row(104), progress.row(105), progress.row(106)), (1, 1, 0));
    }

    #[test]
    fn another_days_puzzle_is_solved_but_no_day() {
        let mut progress = Progress::default();
        assert!(progress.solved(of_day(8), 7));
        assert!(!progress.solved(of_day(8), 7));
        assert_eq!((progress.solved_count(), progress.days(), progress.has_solved(of_day(8))), (1, 0, true));
        assert!(progress.solved(of_day(8), 8), "on its day it counts, though it was known");
    }

    #[test]
    fn what_is_kept_is_read_without_what_is_unknown() {
        let lesson = step("capture", 1).expect("a step");
        let mut progress = Progress::default();
        assert!(progress.learned(lesson) && !progress.learned(lesson));
        let kept = serde_json::to_string(&progress).expect("JSON");
        let more = kept.replace("\"capture/1\"", "\"capture/1\",\"capture/99\",\"gone/1\",\"x\"");
        let read: Progress = serde_json::from_str(&more).expect("the same shape");
        assert_ne!(read, progress);
        assert_eq!(read.known(), progress);
    }
}
