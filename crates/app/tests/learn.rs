//! Courses and puzzles through the commands.

mod support;

use app::App;
use cpu::yardstick::proof::Prover;
use serde_json::{Value, json};
use support::{call, start};

const DAY: u32 = 20_000;
/// Stones that may be placed to find a move that wins.
const PROOF_STONES_MAX: u64 = 20_000_000;

async fn try_lesson(app: &App, topic: &str, number: u8, answer: &str) -> Value {
    call(app, "try_lesson", json!({ "topic": topic, "number": number, "answer": answer })).await
}

fn done(learn: &Value, topic: &str) -> Value {
    let topics = learn["courses"].as_array().expect("courses").iter().flat_map(|course| course["topics"].as_array());
    let found = topics.flatten().find(|line| line["topic"] == topic).expect("a topic");
    found["done"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_is_tried_and_what_is_right_is_remembered() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let lesson = call(&app, "lesson", json!({ "topic": "capture", "number": 1 })).await;
    assert_eq!((&lesson["hint"], &lesson["done"]), (&json!("F5"), &json!(vec![false; 6])));
    let wrong = try_lesson(&app, "capture", 1, "G5").await;
    assert_eq!((&wrong["worth"], &wrong["reply"]), (&json!("wrong"), &Value::Null));
    assert_eq!(done(&call(&app, "learn", json!({ "day": DAY })).await, "capture"), 0);
    let right = try_lesson(&app, "capture", 1, "F5").await;
    assert_eq!((&right["worth"], &right["line"]), (&json!("done"), &json!(["F5"])));
    assert_eq!(right["position"]["players"][0]["captured"], 2);
    app.shutdown().await;
    drop(app);

    let app = start(folder.path()).await;
    assert_eq!(done(&call(&app, "learn", json!({ "day": DAY })).await, "capture"), 1);
    assert_eq!(call(&app, "lesson", json!({ "topic": "capture", "number": 2 })).await["done"][0], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_shown_on_the_board_and_what_is_forbidden_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    // White has four: anything else loses.
    let wrong = try_lesson(&app, "line", 5, "A1").await;
    assert_eq!((&wrong["worth"], &wrong["reply"]), (&json!("wrong"), &json!("G5")));
    assert_eq!(wrong["position"]["result"]["kind"], "win");
    assert_eq!(wrong["between"]["result"], Value::Null);
    // The board does not give away what is asked for, and shows it once it is found.
    let asked = call(&app, "lesson", json!({ "topic": "forbidden", "number": 1 })).await;
    assert_eq!(asked["position"]["board"]["forbidden"], json!([]));
    let found = try_lesson(&app, "forbidden", 1, "E5").await;
    assert_eq!((&found["worth"], &found["forbidden"]["why"]), (&json!("done"), &json!("double-three")));
    let missed = try_lesson(&app, "forbidden", 1, "A1").await;
    assert_eq!((&missed["worth"], &missed["position"]["board"]["forbidden"]), (&json!("wrong"), &json!([])));
    let refused = try_lesson(&app, "opening", 2, "K9").await;
    assert_eq!((&refused["worth"], &refused["forbidden"]["why"]), (&json!("refused"), &json!("opening-distance")));
    let none = app.call("lesson", json!({ "topic": "capture", "number": 99 })).await.expect_err("no such step");
    assert_eq!(none.code.name(), "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_days_puzzle_is_solved_to_its_end_and_counted() {
    let folder = tempfile::tempdir().expect("folder");
    let app = start(folder.path()).await;
    let today = call(&app, "todays_puzzle", json!({ "day": DAY })).await;
    assert_eq!((&today["solved"], &today["row"], &today["days"]), (&json!(false), &json!(0), &json!(0)));
    let name = today["puzzle"]["puzzle"]["name"].as_str().expect("a name");
    let learn = call(&app, "learn", json!({ "day": DAY })).await;
    assert_eq!(learn["today"], name);
    assert!(learn["puzzles"].as_array().expect("a list").len() >= 100);
    solve(&app, name).await;
    let today = call(&app, "todays_puzzle", json!({ "day": DAY })).await;
    assert_eq!((&today["solved"], &today["row"], &today["days"]), (&json!(true), &json!(1), &json!(1)));
    let tomorrow = call(&app, "todays_puzzle", json!({ "day": DAY + 1 })).await;
    assert_eq!((&tomorrow["solved"], &tomorrow["row"]), (&json!(false), &json!(1)));
    assert_ne!(tomorrow["puzzle"]["puzzle"]["name"], name);
}

/// Plays moves that are proved to win, or the one that holds, to the puzzle's end.
async fn solve(app: &App, name: &str) {
    let puzzle = learn::puzzle::puzzle(name).expect("a puzzle");
    let (mut line, mut next) = (Vec::new(), puzzle.problem.moves[0].clone());
    for moves in 1..=puzzle.problem.stones {
        let words: Vec<String> = line.iter().map(ToString::to_string).collect();
        let args = json!({ "name": name, "line": words, "answer": next.to_string(), "day": DAY });
        let tried = call(app, "try_puzzle", args).await;
        if tried["worth"] == "done" {
            return;
        }
        assert_eq!(tried["worth"], "right", "{next}");
        let told = tried["line"].as_array().expect("a line").iter();
        line = told.map(|word| word.as_str().expect("a word").parse().expect("an action")).collect();
        let game = puzzle.after(&line).expect("legal");
        let need = puzzle.problem.stones - moves;
        let win = Prover::new(PROOF_STONES_MAX).win(&game, puzzle.problem.attack, need).expect("few stones");
        next = win.expect("it is still won");
    }
    panic!("{name} is not solved: {line:?}");
}
