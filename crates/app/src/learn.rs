//! Courses and puzzles for the UI, and what of them was done, kept beside the settings.

use cpu::yardstick::problem::Claim;
use history::History;
use learn::puzzle::{Tried, Verdict, of_day, puzzle as puzzle_named};
use learn::{COURSES, Goal, Lesson, Progress, Puzzle, lesson, puzzles};
use rules::{Action, Game};

use crate::api::home::Warning;
use crate::api::learn::{
    CourseView, LearnView, LessonView, PuzzleLine, PuzzleView, TodayView, TopicView, TriedView, Worth,
};
use crate::api::study::PositionView;
use crate::api::{ApiError, ErrorCode};
use crate::core::Core;
use crate::view::position_view;

/// The name under which it is kept.
const LEARNED: &str = "learned";
/// Moves of a line that is tried on: more than any puzzle takes.
const LINE_MAX: usize = 64;

fn progress(history: &History) -> Progress {
    let kept = history.value(LEARNED).and_then(|bytes| serde_json::from_slice::<Progress>(&bytes).ok());
    kept.unwrap_or_default().known()
}

fn keep(core: &Core, progress: &Progress) {
    let Ok(bytes) = serde_json::to_vec(progress) else { return };
    match core.history.set_value(LEARNED, &bytes) {
        Ok(()) => core.home.kept(),
        Err(why) => {
            tracing::warn!(%why, "what was learned cannot be kept");
            core.home.warn(Warning::NotSaved);
        }
    }
}

pub(crate) fn learn_view(core: &Core, day: u32) -> LearnView {
    let progress = progress(&core.history);
    let topic = |topic: &&str| TopicView {
        topic: (*topic).to_owned(),
        steps: small(lesson::steps(topic).count()),
        done: small(progress.learned_in(topic)),
    };
    let course = |course: &learn::Course| CourseView {
        preset: course.preset.to_owned(),
        topics: course.topics.iter().map(topic).collect(),
    };
    LearnView {
        courses: COURSES.iter().map(course).collect(),
        puzzles: puzzles().iter().map(|puzzle| line_of(puzzle, &progress)).collect(),
        today: of_day(day).problem.name.clone(),
    }
}

pub(crate) fn lesson_view(core: &Core, topic: &str, number: u8) -> Result<LessonView, ApiError> {
    let lesson = lesson_named(topic, number)?;
    let progress = progress(&core.history);
    let point = |action: &Action| match action {
        Action::Place { at, .. } => Some(at.to_string()),
        Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => None,
    };
    Ok(LessonView {
        topic: lesson.topic.to_owned(),
        number,
        goal: lesson.goal.name().to_owned(),
        done: lesson::steps(topic).map(|step| progress.has_learned(step)).collect(),
        position: asked(lesson),
        hint: lesson.right.first().and_then(point),
    })
}

/// The position as it is asked about.
fn asked(lesson: &Lesson) -> PositionView {
    let mut position = position_view(&lesson.game);
    if lesson.hides_forbidden() {
        position.board.forbidden.clear();
    }
    position
}

pub(crate) fn try_lesson(core: &Core, topic: &str, number: u8, answer: &str) -> Result<TriedView, ApiError> {
    let lesson = lesson_named(topic, number)?;
    let action = read_action(answer)?;
    let right = lesson.is_right(&action);
    if right {
        let mut progress = progress(&core.history);
        if progress.learned(lesson) {
            keep(core, &progress);
        }
    }
    let points_at_it = match lesson.goal {
        Goal::Forbidden(_) | Goal::Lost(_) => true,
        Goal::Line
        | Goal::Captures
        | Goal::Takes(_)
        | Goal::MovesIn
        | Goal::Safe
        | Goal::Stops
        | Goal::Fours(_)
        | Goal::Threes(_)
        | Goal::Holds(_)
        | Goal::Legal
        | Goal::Nearest
        | Goal::Choice => false,
    };
    let mut after = lesson.game.clone();
    // Who points at a point places nothing there.
    let refused = points_at_it || after.play(&action).is_err();
    let worth = match (right, refused) {
        (true, _) => Worth::Done,
        (false, true) if !points_at_it => Worth::Refused,
        (false, true | false) => Worth::Wrong,
    };
    if refused {
        let before = position_view(&lesson.game);
        let forbidden = before.board.forbidden.iter().find(|point| point.at == answer).cloned();
        let position = if right { before } else { asked(lesson) };
        return Ok(TriedView { worth, forbidden, line: Vec::new(), reply: None, between: position.clone(), position });
    }
    let reply = if right { None } else { lesson.refute(&action) };
    Ok(tried_view(&after, vec![answer.to_owned()], worth, reply))
}

/// After a move that was played: the board, and the board after the reply.
fn tried_view(after: &Game, mut line: Vec<String>, worth: Worth, reply: Option<Action>) -> TriedView {
    let between = position_view(after);
    let mut last = after.clone();
    let reply = reply.filter(|reply| last.play(reply).is_ok()).map(|reply| reply.to_string());
    line.extend(reply.clone());
    TriedView { worth, forbidden: None, line, reply, position: position_view(&last), between }
}

pub(crate) fn today_view(core: &Core, day: u32) -> TodayView {
    let progress = progress(&core.history);
    let puzzle = whole(of_day(day), &progress);
    TodayView { puzzle, solved: progress.is_solved_on(day), row: progress.row(day), days: progress.days() }
}

pub(crate) fn puzzle_view(core: &Core, name: &str) -> Result<PuzzleView, ApiError> {
    Ok(whole(named(name)?, &progress(&core.history)))
}

fn whole(puzzle: &Puzzle, progress: &Progress) -> PuzzleView {
    let wins = match puzzle.problem.claim {
        Claim::Wins => true,
        Claim::Only | Claim::NotWon => false,
    };
    let all = puzzles();
    let place = all.iter().position(|other| other.problem.name == puzzle.problem.name).unwrap_or_default();
    PuzzleView {
        puzzle: line_of(puzzle, progress),
        position: position_view(&puzzle.problem.game),
        wins,
        stones: if wins { puzzle.problem.stones } else { 1 },
        next: all[(place + 1) % all.len()].problem.name.clone(),
    }
}

fn line_of(puzzle: &Puzzle, progress: &Progress) -> PuzzleLine {
    PuzzleLine {
        name: puzzle.problem.name.clone(),
        preset: puzzle.problem.game.rules().preset().name().to_owned(),
        kind: puzzle.problem.kind.name().to_owned(),
        grade: puzzle.grade,
        solved: progress.has_solved(puzzle),
    }
}

pub(crate) fn try_puzzle(
    core: &Core,
    name: &str,
    line: Vec<String>,
    answer: &str,
    day: u32,
) -> Result<TriedView, ApiError> {
    let puzzle = named(name)?;
    if line.len() > LINE_MAX {
        return Err(ApiError::new(ErrorCode::BadCommand, format!("a line has at most {LINE_MAX} moves")));
    }
    let played = line.iter().map(|word| read_action(word)).collect::<Result<Vec<_>, _>>()?;
    let action = read_action(answer)?;
    let Tried { verdict, reply } = puzzle.solve(&played, &action)?;
    let mut game = puzzle.after(&played)?;
    let worth = match verdict {
        Verdict::Solved => Worth::Done,
        Verdict::Right => Worth::Right,
        Verdict::Slower => Worth::Slower,
        Verdict::Wrong => Worth::Wrong,
        Verdict::Refused(_) => Worth::Refused,
    };
    if worth == Worth::Refused {
        let position = position_view(&game);
        let forbidden = position.board.forbidden.iter().find(|point| point.at == answer).cloned();
        return Ok(TriedView { worth, forbidden, line, reply: None, between: position.clone(), position });
    }
    if worth == Worth::Done {
        let mut progress = progress(&core.history);
        if progress.solved(puzzle, day) {
            keep(core, &progress);
        }
    }
    game.play(&action)?;
    Ok(tried_view(&game, line.into_iter().chain([answer.to_owned()]).collect(), worth, reply))
}

fn lesson_named(topic: &str, number: u8) -> Result<&'static Lesson, ApiError> {
    lesson::step(topic, number)
        .ok_or_else(|| ApiError::new(ErrorCode::NotFound, format!("there is no step {number} of {topic:?}")))
}

fn named(name: &str) -> Result<&'static Puzzle, ApiError> {
    puzzle_named(name).ok_or_else(|| ApiError::new(ErrorCode::NotFound, format!("there is no puzzle {name:?}")))
}

fn read_action(word: &str) -> Result<Action, ApiError> {
    word.parse().map_err(|why| ApiError::new(ErrorCode::BadCommand, format!("{word:?} is no move: {why}")))
}

fn small(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}
