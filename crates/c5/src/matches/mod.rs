//! `c5 match`: two players meet, each opening on every side, and their strength is told in figures.

mod game;
mod opening;
mod player;
mod program;
mod series;
mod sprt;
mod told;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rules::{Action, Rules};
use serde_json::Value;

use crate::args::Match;
use crate::referee::rules_from_json;
use crate::{Failure, Output};
pub(crate) use game::{Record, Terms};
use opening::Openings;
pub use player::{Player, SETTINGS};
pub(crate) use series::{Ending, Figures, Foul, Plan, Series, Who, error_of, score_of};
pub use sprt::Sprt;
use told::Tally;

/// Games that are played where nobody says how many and there is no file of openings.
const GAMES: u32 = 20;
/// Ended games that wait to be told, a job.
const RECORDS_MAX: usize = 4;

/// Plays the match and tells the figures.
pub(crate) fn run(asked: &Match, output: &mut Output) -> Result<(), Failure> {
    let terms = terms(asked)?;
    let sides = terms.rules.sides();
    let all = u32::try_from(terms.openings.len() * usize::from(sides)).unwrap_or(u32::MAX);
    let games = asked.games.unwrap_or(if asked.openings.is_some() { all } else { GAMES });
    let plan = Plan { games, sides, openings: terms.openings.len(), seed: asked.seed, sprt: asked.sprt };
    let mut games_file = asked.games_file.as_deref().map(create).transpose()?;
    let mut series = Series::new(plan);
    let mut tally = Tally::new(&terms, games, asked.verbose);
    let done = play_all(&terms, &mut series, asked.jobs, &mut |record| {
        if let Some(file) = &mut games_file {
            file.line(&told::game(record, tally.terms()))?;
        }
        tally.add(record, output);
        Ok(!output.is_closed())
    });
    tally.tell(&series.figures(), output);
    done
}

/// Plays what is left of a series, so many games at once. `told` takes down every game that ends; where it fails or
/// answers false, each job ends after its game.
pub(crate) fn play_all(
    terms: &Terms,
    series: &mut Series,
    jobs: u32,
    told: &mut dyn FnMut(&Record) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let series = Mutex::new(series);
    let (tell, ended) = sync_channel(RECORDS_MAX * jobs as usize);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let tell = tell.clone();
            let series = &series;
            scope.spawn(move || work(series, terms, &tell));
        }
        drop(tell);
        listen(ended, &series, told)
    })
}

/// Plays games until none is left, or one could not begin, or nobody listens.
fn work(series: &Mutex<&mut Series>, terms: &Terms, tell: &SyncSender<Result<Record, String>>) {
    loop {
        let Some(pairing) = locked(series).next() else { return };
        let record = game::play(terms, pairing);
        let is_last = record.is_err();
        if tell.send(record).is_err() || is_last {
            return;
        }
    }
}

/// Returning early ends the jobs.
fn listen(
    ended: Receiver<Result<Record, String>>,
    series: &Mutex<&mut Series>,
    told: &mut dyn FnMut(&Record) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    for record in ended {
        let record = record.map_err(|why| Failure::new("not-available", why))?;
        let foul = record.foul.as_ref().map(|broken| (broken.who, broken.foul));
        locked(series).ended(record.pairing.number, record.ending, foul);
        if !told(&record)? {
            return Ok(());
        }
    }
    Ok(())
}

/// A job that panicked has left the series as it was.
fn locked<'a, 'b>(series: &'a Mutex<&'b mut Series>) -> std::sync::MutexGuard<'a, &'b mut Series> {
    series.lock().unwrap_or_else(PoisonError::into_inner)
}

fn terms(asked: &Match) -> Result<Terms, Failure> {
    let rules = rules_of(&asked.rules)?;
    let openings = match &asked.openings {
        None => Openings { all: vec![Vec::new()], left_out: 0 },
        Some(path) => openings(path, rules)?,
    };
    let players = [asked.a.clone(), asked.b.clone()];
    let Openings { all: openings, left_out } = openings;
    Ok(Terms { rules, players, openings, left_out, margin: Duration::from_millis(asked.margin) })
}

/// The rules of a JSON object.
pub(crate) fn rules_of(text: &str) -> Result<Rules, Failure> {
    let bad = |why: String| Failure::usage("bad-rules", why);
    let value: Value = serde_json::from_str(text).map_err(|why| bad(format!("--rules is no JSON: {why}")))?;
    rules_from_json(&value).map_err(|why| bad(why.to_string()))
}

/// The openings of a text, each to be played under these rules.
pub(crate) fn openings_of(text: &str, rules: Rules) -> Result<Vec<Vec<Action>>, String> {
    opening::read(text, rules).map(|openings| openings.all)
}

/// The openings of a file.
pub(crate) fn openings_file(path: &Path, rules: Rules) -> Result<Vec<Vec<Action>>, Failure> {
    openings(path, rules).map(|openings| openings.all)
}

fn openings(path: &Path, rules: Rules) -> Result<Openings, Failure> {
    let unreadable = |why: String| Failure::new("not-found", format!("{} cannot be read ({why})", path.display()));
    let size = std::fs::metadata(path).map_err(|why| unreadable(why.to_string()))?.len();
    if size > opening::FILE_BYTES_MAX as u64 {
        return Err(unreadable(format!("it has more than {} bytes", opening::FILE_BYTES_MAX)));
    }
    let text = std::fs::read_to_string(path).map_err(|why| unreadable(why.to_string()))?;
    opening::read(&text, rules).map_err(|why| Failure::usage("bad-command", format!("{}, {why}", path.display())))
}

/// Where each game is written down.
struct GamesFile {
    path: String,
    file: BufWriter<File>,
}

fn create(path: &Path) -> Result<GamesFile, Failure> {
    let file = File::create(path).map_err(|why| unwritable(&path.display().to_string(), &why))?;
    Ok(GamesFile { path: path.display().to_string(), file: BufWriter::new(file) })
}

impl GamesFile {
    /// Each line is in the file when its game is over, so that a long match can be looked at.
    fn line(&mut self, value: &Value) -> Result<(), Failure> {
        let written = writeln!(self.file, "{value}").and_then(|()| self.file.flush());
        written.map_err(|why| unwritable(&self.path, &why))
    }
}

fn unwritable(path: &str, why: &std::io::Error) -> Failure {
    Failure::new("data-unwritable", format!("{path} cannot be written ({why}): choose another file"))
}
