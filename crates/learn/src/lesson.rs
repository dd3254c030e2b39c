//! The courses and their positions. A step of a topic is a line of `data/lessons.txt`, its fields separated by `|`:
//!
//! | field | is |
//! |---|---|
//! | topic | one of [`TOPICS`] |
//! | rules | as [`rules::notation`] writes them |
//! | set-up | the words after `setup` of a position's text ([`rules::setup`]), without stones |
//! | stones | `B C5 D5 W E6`: a colour's letter and its points; or `= H8 I9 add`: the actions from the empty board |
//! | right | the accepted answers; `*` for every legal one, `near` for the legal ones nearest to the centre |
//! | goal | what they do and no other does: a [`Goal`] |

use std::sync::LazyLock;

use cpu::yardstick::proof::{Attack, Prover};
use rules::{Action, Colour, Game, Must, Point, Rules, Setup};

use crate::Goal;

const TEXT: &str = include_str!("../data/lessons.txt");

/// A win of the next player that refutes an answer takes so many stones at most,
const REFUTED_IN: u8 = 2;
/// and so many are placed to look for it.
const REFUTED_STONES_MAX: u64 = 500_000;

/// A course: what one preset's players should know, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The preset's name.
    pub preset: &'static str,
    pub topics: &'static [&'static str],
}

/// Every topic, in the order of the file.
pub const TOPICS: [&str; 13] = [
    "line",
    "capture",
    "moving-in",
    "double-three",
    "overtime",
    "teams",
    "long-line",
    "opening",
    "swap2",
    "five",
    "four-three",
    "fours",
    "forbidden",
];

/// One course a preset. Topics that two games share stand in both.
pub const COURSES: [Course; 5] = [
    Course { preset: "capture-five", topics: &["line", "capture", "moving-in", "double-three", "overtime", "teams"] },
    Course { preset: "pente", topics: &["long-line", "capture", "moving-in", "opening"] },
    Course { preset: "pente-swap2", topics: &["long-line", "capture", "moving-in", "swap2"] },
    Course { preset: "gomoku", topics: &["five", "four-three", "fours"] },
    Course { preset: "wuziqi", topics: &["five", "forbidden", "four-three", "fours"] },
];

/// One step: a position, and which moves are right in it.
#[derive(Clone, Debug)]
pub struct Lesson {
    pub topic: &'static str,
    /// From 1, within the topic.
    pub number: u8,
    pub game: Game,
    pub right: Vec<Action>,
    pub goal: Goal,
}

impl Lesson {
    /// Whether forbidden points are part of the question, so that the board does not give them away.
    pub fn hides_forbidden(&self) -> bool {
        match self.goal {
            Goal::Forbidden(_) | Goal::Legal | Goal::Nearest => true,
            Goal::Line
            | Goal::Captures
            | Goal::Takes(_)
            | Goal::MovesIn
            | Goal::Safe
            | Goal::Lost(_)
            | Goal::Stops
            | Goal::Fours(_)
            | Goal::Threes(_)
            | Goal::Holds(_)
            | Goal::Choice => false,
        }
    }

    pub fn is_right(&self, answer: &Action) -> bool {
        self.right.contains(answer)
    }

    /// What the next player does after a wrong answer that shows why: it wins, or takes what was left to it. `None`
    /// where nothing can be shown so.
    pub fn refute(&self, answer: &Action) -> Option<Action> {
        let mut after = self.game.clone();
        after.play(answer).ok()?;
        let win = Prover::new(REFUTED_STONES_MAX).win(&after, Attack::Fours, REFUTED_IN).ok().flatten();
        let takes = |action: &Action| after.clone().play(action).is_ok_and(|played| !played.took.is_empty());
        match self.goal {
            Goal::Safe => legal(&after).into_iter().find(takes),
            Goal::Line | Goal::Captures | Goal::Stops | Goal::Fours(_) | Goal::Threes(_) | Goal::Holds(_) => win,
            Goal::Takes(_)
            | Goal::MovesIn
            | Goal::Lost(_)
            | Goal::Forbidden(_)
            | Goal::Legal
            | Goal::Nearest
            | Goal::Choice => None,
        }
    }
}

/// Every step of every topic, in order.
pub fn lessons() -> &'static [Lesson] {
    static LESSONS: LazyLock<Vec<Lesson>> =
        LazyLock::new(|| read(TEXT).unwrap_or_else(|(line, why)| panic!("data/lessons.txt, line {line}: {why}")));
    &LESSONS
}

/// The steps of one topic.
pub fn steps(topic: &str) -> impl Iterator<Item = &'static Lesson> {
    lessons().iter().filter(move |lesson| lesson.topic == topic)
}

/// A step by its topic and number; `None` if there is none.
pub fn step(topic: &str, number: u8) -> Option<&'static Lesson> {
    steps(topic).find(|lesson| lesson.number == number)
}

/// All steps of a text, or the number of the faulty line, from 1, and what is wrong with it.
fn read(text: &str) -> Result<Vec<Lesson>, (usize, String)> {
    let mut found: Vec<Lesson> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let mut lesson = read_line(line).map_err(|why| (index + 1, why))?;
        let before = found.iter().filter(|other| other.topic == lesson.topic).count();
        lesson.number = u8::try_from(before + 1).map_err(|_| (index + 1, "too many steps".to_owned()))?;
        found.push(lesson);
    }
    Ok(found)
}

fn read_line(line: &str) -> Result<Lesson, String> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[topic, rules, setup, stones, right, goal] = fields.as_slice() else {
        return Err(format!("{} fields", fields.len()));
    };
    let topic = TOPICS.into_iter().find(|known| *known == topic).ok_or_else(|| format!("no topic {topic:?}"))?;
    let rules: Rules = rules.parse().map_err(|why| format!("{why}"))?;
    let game = match stones.strip_prefix('=') {
        Some(actions) => replayed(rules, actions)?,
        None => set_up(rules, setup, stones)?,
    };
    let goal: Goal = goal.parse()?;
    let right = answers(&game, right)?;
    Ok(Lesson { topic, number: 0, game, right, goal })
}

fn actions(text: &str) -> Result<Vec<Action>, String> {
    text.split_whitespace().map(|word| word.parse().map_err(|why| format!("{word:?}: {why}"))).collect()
}

fn replayed(rules: Rules, text: &str) -> Result<Game, String> {
    Game::replay(rules, &actions(text)?).map_err(|(index, why)| format!("action {}: {}", index + 1, why.name()))
}

fn set_up(rules: Rules, words: &str, stones: &str) -> Result<Game, String> {
    let mut setup = Setup::new(rules, Vec::new(), Colour::Black);
    for word in words.split_whitespace() {
        match word.split_once('=') {
            Some(("turn", colour)) => setup.turn = colour_named(colour)?,
            Some(("captured", totals)) => {
                for total in totals.split(',') {
                    let (colour, stones) = total.split_once(':').ok_or_else(|| format!("{total:?}"))?;
                    let index = Colour::ALL.iter().position(|known| known.name() == colour);
                    let index = index.ok_or_else(|| format!("no colour {colour:?}"))?;
                    setup.captured[index] = stones.parse().map_err(|_| format!("{stones:?} is no number"))?;
                }
            }
            None if word == "overtime" => setup.overtime = true,
            Some(_) | None => return Err(format!("{word:?} says nothing about a position")),
        }
    }
    let mut colour = None;
    for word in stones.split_whitespace() {
        match Colour::ALL.into_iter().find(|known| word == known.letter().to_string()) {
            Some(known) => colour = Some(known),
            None => {
                let at: Point = word.parse().map_err(|_| format!("{word:?} is no point"))?;
                setup.stones.push((at, colour.ok_or("a colour's letter comes first")?));
            }
        }
    }
    Game::from_setup(&setup).map_err(|why| why.to_string())
}

fn colour_named(name: &str) -> Result<Colour, String> {
    Colour::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| format!("no colour {name:?}"))
}

fn answers(game: &Game, text: &str) -> Result<Vec<Action>, String> {
    let legal = || legal(game);
    match text {
        "*" => Ok(legal()),
        "near" => {
            let all = legal();
            let least = all.iter().filter_map(|action| from_centre(game, action)).min();
            Ok(all.into_iter().filter(|action| from_centre(game, action) == least).collect())
        }
        _ => actions(text),
    }
}

/// Every legal action of the player to act: stones that take all they can, or choices.
pub fn legal(game: &Game) -> Vec<Action> {
    let Some(turn) = game.turn() else { return Vec::new() };
    let choices = || vec![Action::Choose(Colour::Black), Action::Choose(Colour::White)];
    match turn.must {
        Must::Place => {
            let points = game.rules().board().points();
            points.filter(|&at| game.check(at).is_ok()).map(Action::place).collect()
        }
        Must::Choose => choices(),
        Must::ChooseOrAdd => choices().into_iter().chain([Action::Add]).collect(),
    }
}

/// Steps from the centre, in any direction; `None` for a choice.
pub(crate) fn from_centre(game: &Game, action: &Action) -> Option<u8> {
    let centre = game.rules().board().centre();
    match action {
        Action::Place { at, .. } => Some(at.column().abs_diff(centre.column()).max(at.row().abs_diff(centre.row()))),
        Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => None,
    }
}
