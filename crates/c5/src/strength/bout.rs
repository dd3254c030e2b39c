//! One match of a list: who meets whom, under which rules, and what is to come of it.

use std::time::{Duration, Instant};

use rules::{Action, Rules};

use super::book::{Book, Played};
use crate::Failure;
use crate::args::Strength;
use crate::matches::{Figures, Plan, Player, Series, Terms, play_all};

/// How much later than its limit a move may come, where nothing else is said.
const MARGIN: Duration = Duration::from_millis(Strength::MARGIN);

/// A match that is to be played.
pub struct Bout {
    /// Bouts of one group are told together.
    pub group: String,
    pub name: String,
    pub games: u32,
    pub seed: u64,
    pub terms: Terms,
}

/// What came of it.
pub struct Row {
    pub figures: Figures,
    /// The score of each opening with all its games.
    pub trials: Vec<f64>,
    /// Of A and of B: the longest that a move took, in milliseconds.
    pub longest_ms: [f64; 2],
    /// How long the games took that were played now.
    pub took: Duration,
}

impl Bout {
    /// Between the players of these texts; openings are taken in order, again and again.
    ///
    /// # Errors
    /// What is wrong with a player.
    pub fn new(
        [group, name]: [&str; 2],
        rules: Rules,
        players: [&str; 2],
        openings: Vec<Vec<Action>>,
        [games, seed]: [u32; 2],
    ) -> Result<Bout, Failure> {
        let player = |text: &str| text.parse::<Player>().map_err(|why| Failure::usage("bad-command", why));
        let [a, b] = players;
        let terms = Terms { rules, players: [player(a)?, player(b)?], openings, left_out: 0, margin: MARGIN };
        Ok(Bout { group: group.to_owned(), name: name.to_owned(), games, seed: seed.into(), terms })
    }

    /// What tells this bout's games from others' in a file: all that they depend on but the program's version.
    pub fn key(&self) -> String {
        let [a, b] = &self.terms.players;
        let (group, name, rules, seed) = (&self.group, &self.name, self.terms.rules, self.seed);
        format!("{group}; {name}: {a} against {b}; {rules}; seed {seed}")
    }

    /// Plays the games that are not in the book yet, `jobs` at once, and writes each down.
    pub fn play(&self, book: &mut Book, jobs: u32, going: &mut dyn FnMut() -> bool) -> Result<Row, Failure> {
        let begun = Instant::now();
        let plan = Plan {
            games: self.games,
            sides: self.terms.rules.sides(),
            openings: self.terms.openings.len(),
            seed: self.seed,
            sprt: None,
        };
        let mut series = Series::new(plan);
        let key = self.key();
        let mut longest_ms = [0.0f64; 2];
        let mut learn = |played: &Played| {
            for (longest, ms) in longest_ms.iter_mut().zip(played.longest_ms) {
                *longest = longest.max(ms);
            }
        };
        for played in book.played(&key).filter(|played| played.number < self.games) {
            series.ended(played.number, played.ending, played.foul);
            learn(played);
        }
        play_all(&self.terms, &mut series, jobs, &mut |record| {
            let played = Played::of(record);
            learn(&played);
            book.add(&key, played)?;
            Ok(going())
        })?;
        Ok(Row { figures: series.figures(), trials: series.trials(), longest_ms, took: begun.elapsed() })
    }
}
