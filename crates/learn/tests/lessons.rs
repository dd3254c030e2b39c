//! Every step of the courses, held against the rules.

use std::collections::BTreeSet;

use learn::lesson::{COURSES, Lesson, TOPICS, legal, lessons, steps};
use rules::{Action, Preset, Take};

/// Fewest steps of a topic.
const STEPS_MIN: usize = 6;
/// Every so many steps one is made wrong on purpose.
const SAMPLE: usize = 5;

fn told(actions: &[Action]) -> BTreeSet<String> {
    actions.iter().map(Action::to_string).collect()
}

/// What is wrong with a step, if anything.
fn fault(lesson: &Lesson) -> Option<String> {
    let place = format!("{}/{} ({})", lesson.topic, lesson.number, lesson.goal);
    if lesson.game.turn().is_none() {
        return Some(format!("{place}: the game is over"));
    }
    let (named, found) = (told(&lesson.right), told(&lesson.goal.answers(&lesson.game)));
    if named.is_empty() || named != found {
        return Some(format!("{place}: it says {named:?}, the rules say {found:?}"));
    }
    None
}

#[test]
fn what_is_right_does_what_is_asked_and_nothing_else_does() {
    let faults: Vec<String> = lessons().iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_step_with_another_answer_does_not_pass() {
    for lesson in lessons().iter().step_by(SAMPLE) {
        let mut other = lesson.clone();
        other.right.pop();
        assert!(fault(&other).is_some(), "{}/{}", lesson.topic, lesson.number);
    }
}

#[test]
fn every_topic_has_enough_steps_and_a_course() {
    for topic in TOPICS {
        assert!(steps(topic).count() >= STEPS_MIN, "{topic}: {}", steps(topic).count());
        assert!(COURSES.iter().any(|course| course.topics.contains(&topic)), "{topic} is in no course");
    }
    let presets: Vec<&str> = COURSES.iter().map(|course| course.preset).collect();
    let all: Vec<&str> = Preset::NAMES.iter().copied().filter(|name| *name != "custom").collect();
    assert_eq!(presets, all);
}

#[test]
fn there_is_something_else_to_play_where_something_is_to_be_found() {
    for lesson in lessons().iter().filter(|lesson| lesson.number > 1) {
        let wrong = legal(&lesson.game).into_iter().filter(|action| !lesson.is_right(action)).count();
        let forbidden = lesson.game.illegal().len();
        let free = lesson.topic == "swap2" && lesson.goal == learn::Goal::Legal;
        assert!(wrong + forbidden > 0 || free, "{}/{}", lesson.topic, lesson.number);
    }
}

#[test]
fn no_answer_is_an_optional_choice() {
    let optional = |action: &Action| matches!(action, Action::Place { take: Take::Just(_), .. });
    assert!(!lessons().iter().any(|lesson| lesson.right.iter().any(optional)));
}
