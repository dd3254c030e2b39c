//! A match as it is told: figures, games and fouls, as JSON and as sentences.

use serde_json::{Map, Value, json};

use super::game::{Record, Spent, Terms};
use super::series::{Ending, Figures, Foul, Who};
use super::sprt::{Standing, Verdict};
use crate::Output;
use crate::referee::{action_to_json, result_to_json, rules_to_json};

/// Fouls that are told one by one; more are only counted.
const FOULS_TOLD_MAX: usize = 20;

/// What is told at the end beside the figures.
pub struct Tally<'a> {
    terms: &'a Terms,
    games: u32,
    verbose: bool,
    done: u32,
    spent: [Spent; 2],
    fouls: Vec<Value>,
}

impl<'a> Tally<'a> {
    pub fn new(terms: &'a Terms, games: u32, verbose: bool) -> Tally<'a> {
        Tally { terms, games, verbose, done: 0, spent: [Spent::default(); 2], fouls: Vec::new() }
    }

    pub fn terms(&self) -> &'a Terms {
        self.terms
    }

    /// Takes a game down; tells it at once if that was asked for, and a foul always.
    pub fn add(&mut self, record: &Record, output: &mut Output) {
        self.done += 1;
        for (sum, spent) in self.spent.iter_mut().zip(record.spent) {
            *sum = sum.and(spent);
        }
        let number = record.pairing.number + 1;
        if let Some(broken) = &record.foul {
            let player = letter(broken.who);
            if self.fouls.len() < FOULS_TOLD_MAX {
                let foul = json!({ "game": number, "player": player, "kind": kind(broken.foul), "why": broken.why });
                self.fouls.push(foul);
            }
            output.say(&format!("game {number}: {} by {player}: {}", kind(broken.foul), broken.why));
        }
        if self.verbose {
            let how = match record.ending {
                Ending::Won(1) => "won",
                Ending::Won(_) => "won with others",
                Ending::Drawn => "drawn",
                Ending::Lost => "lost",
            };
            let (done, games) = (self.done, self.games);
            let actions = record.game.actions().len();
            let opening = record.pairing.opening + 1;
            output.say(&format!("{done}/{games}: game {number} (opening {opening}): {how}, {actions} actions"));
        }
    }

    /// The end of the match.
    pub fn tell(&self, figures: &Figures, output: &mut Output) {
        output.event(&self.object(figures), Some(&self.sentence(figures)));
    }

    fn object(&self, figures: &Figures) -> Map<String, Value> {
        let mut object = Map::new();
        for (key, value) in [
            ("games", json!(figures.games)),
            ("wins", json!(figures.wins)),
            ("draws", json!(figures.draws)),
            ("losses", json!(figures.losses)),
            ("score", json!(rounded(figures.score, 4))),
            ("score_error", json!(figures.score_error.map(|error| rounded(error, 4)))),
            ("elo", json!(figures.elo.map(|elo| rounded(elo, 1)))),
            ("elo_error", json!(figures.elo_error.map(|error| rounded(error, 1)))),
            ("forfeits", json!(figures.forfeits.iter().sum::<u32>())),
            ("illegal", json!(figures.illegal.iter().sum::<u32>())),
            ("sprt", json!(figures.sprt.map(sprt))),
            ("left_out", json!(self.terms.left_out)),
            ("a", self.player(Who::A, figures)),
            ("b", self.player(Who::B, figures)),
            ("fouls", json!(self.fouls)),
        ] {
            object.insert(key.to_owned(), value);
        }
        object
    }

    fn player(&self, who: Who, figures: &Figures) -> Value {
        let spent = self.spent[who as usize];
        json!({
            "player": self.terms.players[who as usize].text(),
            "forfeits": figures.forfeits[who as usize],
            "illegal": figures.illegal[who as usize],
            "moves": spent.moves,
            "mean_ms": rounded(mean_ms(spent), 2),
            "longest_ms": rounded(spent.longest.as_secs_f64() * 1e3, 2),
            "nodes": spent.nodes,
        })
    }

    fn sentence(&self, figures: &Figures) -> String {
        let percent = |part: f64| format!("{:.1} %", 100.0 * part);
        let or_unknown = |text: Option<String>| text.unwrap_or_else(|| "unknown".to_owned());
        let mut lines = vec![format!(
            "{} games: {} won, {} drawn, {} lost by A; score {} ± {}; Elo {} ± {}",
            figures.games,
            figures.wins,
            figures.draws,
            figures.losses,
            percent(figures.score),
            or_unknown(figures.score_error.map(percent)),
            or_unknown(figures.elo.map(|elo| format!("{elo:+.0}"))),
            or_unknown(figures.elo_error.map(|error| format!("{error:.0}"))),
        )];
        for who in [Who::A, Who::B] {
            let spent = self.spent[who as usize];
            lines.push(format!(
                "{} {}: {} forfeits, {} illegal moves; {} moves, {:.1} ms each, {:.1} ms the longest",
                letter(who),
                self.terms.players[who as usize],
                figures.forfeits[who as usize],
                figures.illegal[who as usize],
                spent.moves,
                mean_ms(spent),
                spent.longest.as_secs_f64() * 1e3,
            ));
        }
        if let Some(Standing { llr, verdict }) = figures.sprt {
            lines
                .push(format!("test: {}, log likelihood ratio {llr:.2}", verdict_word(verdict).unwrap_or("undecided")));
        }
        if self.terms.left_out > 0 {
            lines.push(format!("{} openings are for larger boards and were left out", self.terms.left_out));
        }
        lines.join("\n")
    }
}

/// One game as a line of the games' file: the referee takes its `rules` and `actions`.
pub fn game(record: &Record, terms: &Terms) -> Value {
    let rules = &terms.rules;
    let seats: Vec<&str> = (0..rules.players())
        .map(|player| if player % rules.sides() == record.pairing.side { letter(Who::A) } else { letter(Who::B) })
        .collect();
    let actions: Vec<Value> = record.game.actions().iter().map(action_to_json).collect();
    let (ending, share) = match record.ending {
        Ending::Won(winners) => ("win", 1.0 / f64::from(winners)),
        Ending::Drawn => ("draw", 1.0 / f64::from(rules.sides())),
        Ending::Lost => ("loss", 0.0),
    };
    let foul = record.foul.as_ref();
    json!({
        "game": record.pairing.number + 1,
        "opening": record.pairing.opening + 1,
        "opening_actions": terms.openings[record.pairing.opening].len(),
        "a": terms.players[0].text(),
        "b": terms.players[1].text(),
        "seats": seats,
        "a_result": ending,
        "a_score": rounded(share, 4),
        "result": record.game.result().map(result_to_json),
        "foul": foul.map(|broken| json!({ "player": letter(broken.who), "kind": kind(broken.foul), "why": broken.why })),
        "longest_ms": record.spent.map(|spent| rounded(spent.longest.as_secs_f64() * 1e3, 2)),
        "rules": rules_to_json(rules),
        "actions": actions,
    })
}

fn sprt(standing: Standing) -> Value {
    json!({ "llr": rounded(standing.llr, 3), "verdict": verdict_word(standing.verdict) })
}

fn verdict_word(verdict: Option<Verdict>) -> Option<&'static str> {
    verdict.map(|verdict| match verdict {
        Verdict::Stronger => "stronger",
        Verdict::NotStronger => "not-stronger",
    })
}

fn letter(who: Who) -> &'static str {
    match who {
        Who::A => "a",
        Who::B => "b",
    }
}

fn kind(foul: Foul) -> &'static str {
    match foul {
        Foul::Forfeit => "forfeit",
        Foul::Illegal => "illegal",
    }
}

fn mean_ms(spent: Spent) -> f64 {
    spent.sum.as_secs_f64() * 1e3 / f64::from(spent.moves.max(1))
}

/// Without digits that mean nothing.
fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (value * unit).round() / unit
}
