//! Every step, goal, topic and kind of puzzle has its words, and there are none for a step that is not there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use learn::{TOPICS, lessons, puzzles};

fn messages(file: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/i18n/en").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("a flat list of messages")
}

#[test]
fn every_step_has_a_task_and_a_reason() {
    let all = lessons().iter();
    let named =
        all.flat_map(|lesson| ["task", "why"].map(|part| format!("lesson.{}.{}.{part}", lesson.topic, lesson.number)));
    let named: BTreeSet<String> = named.collect();
    let told: BTreeSet<String> = messages("learn-lessons.json").into_keys().collect();
    assert_eq!(named, told);
}

#[test]
fn every_goal_topic_and_kind_has_its_words() {
    let told = messages("learn.json");
    let goals =
        lessons().iter().flat_map(|lesson| ["hint", "wrong"].map(|part| format!("goal.{}.{part}", lesson.goal.name())));
    let topics = TOPICS.into_iter().map(|topic| format!("topic.{topic}"));
    let kinds = puzzles().iter().flat_map(|puzzle| {
        let kind = puzzle.problem.kind.name();
        [format!("puzzle.kind.{kind}"), format!("puzzle.hint.{kind}")]
    });
    let missing: BTreeSet<String> = goals.chain(topics).chain(kinds).filter(|key| !told.contains_key(key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
