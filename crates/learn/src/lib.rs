//! What people learn from: the positions of the courses, the puzzles, and what of them a person has done. Positions
//! and numbers only, no words, no clock and no IO; a day is an argument.
//!
//! [`lesson`] has the courses, [`goal`] what a step asks for and whether a move does it, [`puzzle`] the puzzles and
//! how they are solved against the best defence, [`progress`] what is kept of it.

pub mod goal;
pub mod lesson;
pub mod progress;
pub mod puzzle;

pub use goal::Goal;
pub use lesson::{COURSES, Course, Lesson, TOPICS, lessons};
pub use progress::Progress;
pub use puzzle::{Puzzle, Verdict, puzzles};
