//! Courses, puzzles and what a person has done of them. The words are in the UI's catalogues.

use serde::Serialize;
use ts_rs::TS;

use super::study::PositionView;
use super::table::ForbiddenView;

/// The page that leads to everything there is to learn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct LearnView {
    pub courses: Vec<CourseView>,
    /// The easy ones first.
    pub puzzles: Vec<PuzzleLine>,
    /// The name of the day's puzzle.
    pub today: String,
}

/// What one preset's players should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CourseView {
    pub preset: String,
    pub topics: Vec<TopicView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TopicView {
    /// The words are `topic.<topic>` and `lesson.<topic>.<number>`.
    pub topic: String,
    pub steps: u8,
    pub done: u8,
}

/// A puzzle in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PuzzleLine {
    pub name: String,
    pub preset: String,
    /// `fours`, `threes`, `captures`, `only-move`, `overtime`: keys of `puzzle.kind.*`.
    pub kind: String,
    /// 1 for the easiest, to 5.
    pub grade: u8,
    pub solved: bool,
}

/// One step of a topic.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct LessonView {
    pub topic: String,
    /// From 1.
    pub number: u8,
    /// What is asked: the words of the hint and of a wrong answer are `goal.<goal>.hint` and `.wrong`.
    pub goal: String,
    /// Of each step of the topic, whether it was done.
    pub done: Vec<bool>,
    /// Where forbidden points are part of the question, the board does not mark them.
    pub position: PositionView,
    /// A point that is right, for the hint; `None` where a choice is due.
    pub hint: Option<String>,
}

/// A puzzle to solve.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct PuzzleView {
    pub puzzle: PuzzleLine,
    pub position: PositionView,
    /// Whether it is won; if not, it is to be held.
    pub wins: bool,
    /// Own stones that it takes.
    pub stones: u8,
    /// The puzzle after this one.
    pub next: String,
}

/// The day's puzzle.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct TodayView {
    pub puzzle: PuzzleView,
    /// On this day.
    pub solved: bool,
    /// Days in a row, up to today or yesterday.
    pub row: u32,
    /// Days in all.
    pub days: u32,
}

/// What a try was worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// The step is done, the puzzle solved.
    Done,
    /// A right move of a puzzle; the defence has answered.
    Right,
    /// It wins, but another move does so sooner; the defence has answered.
    Slower,
    /// `reply` shows why, where that can be shown.
    Wrong,
    /// It may not be played.
    Refused,
}

/// A try and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct TriedView {
    pub worth: Worth,
    /// Why it may not be played.
    pub forbidden: Option<ForbiddenView>,
    /// The moves since the puzzle or step began, the reply included.
    pub line: Vec<String>,
    /// What the other side answered.
    pub reply: Option<String>,
    /// Before the reply, where there is one; else the same as `position`.
    pub between: PositionView,
    /// After everything.
    pub position: PositionView,
}
