//! Results as they are told: each match when it has ended, and all together.

use serde_json::{Value, json};

use super::bout::{Bout, Row};
use crate::matches::{error_of, score_of};
use crate::{Output, events};

/// What a group of matches is to come to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub group: &'static str,
    /// The least score, 0 to 1.
    pub least: f64,
    /// The least score of each match of the group.
    pub lowest: Option<f64>,
}

/// How all matches are told at the end.
pub enum Table {
    /// A line for each group, beside its mark.
    Sums(&'static [Mark]),
    /// A line for each group, a column for each match: a step between two levels.
    Steps,
}

/// A match that has ended, as an event and as a sentence.
pub fn tell(bout: &Bout, row: &Row, output: &mut Output) {
    let figures = &row.figures;
    let mut event = events::new("bout");
    for (key, value) in [
        ("group", json!(bout.group)),
        ("name", json!(bout.name)),
        ("rules", json!(bout.terms.rules.to_string())),
        ("a", json!(bout.terms.players[0].text())),
        ("b", json!(bout.terms.players[1].text())),
        ("seed", json!(bout.seed)),
        ("games", json!(figures.games)),
        ("wins", json!(figures.wins)),
        ("draws", json!(figures.draws)),
        ("losses", json!(figures.losses)),
        ("score", json!(rounded(figures.score))),
        ("score_error", json!(figures.score_error.map(rounded))),
        ("forfeits", json!(figures.forfeits)),
        ("illegal", json!(figures.illegal)),
        ("longest_ms", json!(row.longest_ms.map(rounded))),
        ("seconds", json!(rounded(row.took.as_secs_f64()))),
    ] {
        event.insert(key.to_owned(), value);
    }
    let sentence = format!(
        "{}; {}: {} games, {}; forfeits {:?}, illegal {:?}, longest {:.1} and {:.1} ms; {:.0} s",
        bout.group,
        bout.name,
        figures.games,
        percent(figures.score, figures.score_error),
        figures.forfeits,
        figures.illegal,
        row.longest_ms[0],
        row.longest_ms[1],
        row.took.as_secs_f64(),
    );
    output.event(&event, Some(&sentence));
}

impl Table {
    /// All of them.
    pub fn tell(&self, rows: &[(Bout, Row)], output: &mut Output) {
        let mut groups: Vec<&str> = rows.iter().map(|(bout, _)| bout.group.as_str()).collect();
        groups.dedup();
        match self {
            Table::Sums(_) => {
                output.say("\n| match | games | score | lowest | mark | forfeits | illegal | longest, ms |");
                output.say("|---|---|---|---|---|---|---|---|");
            }
            Table::Steps => {
                output.say("\n| | 1–novice | 2–1 | 3–2 | 4–3 | 5–4 | 6–5 | 7–6 | 8–7 |");
                output.say("|---|---|---|---|---|---|---|---|---|");
            }
        }
        for group in groups {
            let of: Vec<&(Bout, Row)> = rows.iter().filter(|(bout, _)| bout.group == group).collect();
            match self {
                Table::Sums(marks) => sum(group, &of, marks, output),
                Table::Steps => steps(group, &of, output),
            }
        }
    }
}

/// A group together.
fn sum(group: &str, rows: &[&(Bout, Row)], marks: &[Mark], output: &mut Output) {
    let all = || rows.iter().map(|(_, row)| row);
    let games: u32 = all().map(|row| row.figures.games).sum();
    let points: f64 = all().map(|row| row.figures.score * f64::from(row.figures.games)).sum();
    let score = points / f64::from(games.max(1));
    let error = error_of(&all().flat_map(|row| row.trials.iter().copied()).collect::<Vec<_>>());
    let lowest = all().map(|row| row.figures.score).fold(f64::INFINITY, f64::min);
    let both = |count: fn(&Row) -> [u32; 2]| {
        all().map(count).fold([0, 0], |[a, b], [more_a, more_b]| [a + more_a, b + more_b])
    };
    let (forfeits, illegal) = (both(|row| row.figures.forfeits), both(|row| row.figures.illegal));
    let longest = |player: usize| all().map(|row| row.longest_ms[player]).fold(0.0, f64::max);
    let mark = marks.iter().find(|mark| mark.group == group);
    let is_reached = mark.map(|mark| score >= mark.least && mark.lowest.is_none_or(|least| lowest >= least));
    let mut event = events::new("group");
    for (key, value) in [
        ("group", json!(group)),
        ("games", json!(games)),
        ("score", json!(rounded(score))),
        ("score_error", json!(error.map(rounded))),
        ("lowest", json!(rounded(lowest))),
        ("mark", mark.map_or(Value::Null, |mark| json!(mark.least))),
        ("lowest_mark", mark.and_then(|mark| mark.lowest).map_or(Value::Null, |least| json!(least))),
        ("reached", json!(is_reached)),
        ("forfeits", json!(forfeits)),
        ("illegal", json!(illegal)),
        ("longest_ms", json!([rounded(longest(0)), rounded(longest(1))])),
    ] {
        event.insert(key.to_owned(), value);
    }
    let wanted = match (mark, is_reached) {
        (Some(mark), Some(is_reached)) => {
            let least = mark.lowest.map_or(String::new(), |least| format!(", each {:.0} %", 100.0 * least));
            let word = if is_reached { "reached" } else { "missed" };
            format!("{:.0} %{least}: {word}", 100.0 * mark.least)
        }
        (None, _) | (_, None) => String::new(),
    };
    let sentence = format!(
        "| {group} | {games} | {} | {:.0} % | {wanted} | {} and {} | {} and {} | {:.1} and {:.1} |",
        percent(score, error),
        100.0 * lowest,
        forfeits[0],
        forfeits[1],
        illegal[0],
        illegal[1],
        longest(0),
        longest(1)
    );
    output.event(&event, Some(&sentence));
}

/// The steps of one ladder.
fn steps(group: &str, rows: &[&(Bout, Row)], output: &mut Output) {
    let mut cells = vec![String::new(); cpu::LEVEL_MAX.into()];
    for (bout, row) in rows {
        let level = bout.name.chars().next().and_then(|digit| digit.to_digit(10)).unwrap_or(1) as usize;
        // The novice is to win most games, whatever the number of seats: level 1's share is told as it is.
        let sides = if level == 1 { 2 } else { bout.terms.rules.sides() };
        cells[level - 1] = format!("{:.0} %", 100.0 * between_two(row, sides));
    }
    output.say(&format!("| {group} | {} |", cells.join(" | ")));
}

/// The score against each of the others: what the same lead would bring if there were only two sides.
fn between_two(row: &Row, sides: u8) -> f64 {
    row.figures.elo.filter(|_| sides > 2).map_or(row.figures.score, |elo| score_of(elo, 2))
}

fn percent(score: f64, error: Option<f64>) -> String {
    let error = error.map_or_else(|| "?".to_owned(), |error| format!("{:.1}", 100.0 * error));
    format!("{:.1} ± {error} %", 100.0 * score)
}

/// Without digits that mean nothing.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
