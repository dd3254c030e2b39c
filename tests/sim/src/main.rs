//! `cargo xtask sim`: simulated games by the thousand.

use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::time::Instant;

use sim::counts::Counts;
use sim::faults::{Faults, Set};
use sim::{Report, Run, play};
use table::planted::Bug;

/// A game is thousands of short-lived allocations: a tenth of its time with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// From so many games on every kind must have had its share.
const SHARES_FROM: u64 = 1_000;

const HELP: &str = "\
--games N        so many games (1000)
--seed S         from this seed on (1); each game has the next
--faults SET     full, calm or none
--fault NAME=N   a kind of fault as it is in every game: 0 is none
--planted BUG    with a planted bug, until it is found (needs the feature `planted`)
--keep-going     does not stop at the first failure, and lists them all
--courses        lists where each game's course ended, to compare two programs by
--trace          tells what happens, in a run of few games";

struct Arguments {
    /// The words that say which games they are, to say them again.
    kinds: String,
    games: u64,
    seed: u64,
    keep_going: bool,
    courses: bool,
    run: Run,
}

fn main() -> ExitCode {
    match read(std::env::args().skip(1)) {
        Ok(arguments) => go(&arguments),
        Err(what) => {
            eprintln!("{what}\n\n{HELP}");
            ExitCode::FAILURE
        }
    }
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let (kinds, run) = (String::new(), Run::default());
    let mut arguments = Arguments { kinds, games: 1_000, seed: 1, keep_going: false, courses: false, run };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--games" => arguments.games = value()?.parse().map_err(|_| "no number of games")?,
            "--seed" => arguments.seed = value()?.parse().map_err(|_| "no seed")?,
            "--faults" => {
                let name = value()?;
                arguments.run.set = Set::from_name(&name).ok_or("sets are full, calm and none")?;
                arguments.kinds += &format!(" --faults {name}");
            }
            "--fault" => {
                let text = value()?;
                arguments.run.faults.push(fault(&text)?);
                arguments.kinds += &format!(" --fault {text}");
            }
            "--planted" => arguments.run.planted = Some(bug(&value()?)?),
            "--keep-going" => arguments.keep_going = true,
            "--courses" => arguments.courses = true,
            "--trace" => arguments.run.trace = true,
            _ => return Err(format!("{word:?} is not understood")),
        }
    }
    Ok(arguments)
}

fn fault(text: &str) -> Result<(String, u64), String> {
    let (name, value) = text.split_once('=').ok_or("a fault is NAME=N")?;
    let value = value.parse().map_err(|_| "a fault is NAME=N")?;
    let known = Faults::default().set(name, value);
    if known { Ok((name.to_owned(), value)) } else { Err(format!("the faults are {}", Faults::NAMES.join(", "))) }
}

fn bug(text: &str) -> Result<Bug, String> {
    let names = || Bug::ALL.map(|bug| format!("{bug:?}")).join(", ");
    if !cfg!(feature = "planted") {
        return Err("this was built without the feature `planted`".into());
    }
    Bug::ALL.into_iter().find(|bug| format!("{bug:?}") == text).ok_or_else(|| format!("the bugs are {}", names()))
}

fn go(arguments: &Arguments) -> ExitCode {
    let start = Instant::now();
    let mut counts = Counts::default();
    let mut failed = Vec::new();
    for seed in arguments.seed..arguments.seed + arguments.games {
        let report = std::panic::catch_unwind(AssertUnwindSafe(|| play(seed, &arguments.run)));
        let broken = match report {
            Ok(Report { broken, seen, entries, time, course, .. }) => {
                if arguments.courses {
                    println!("seed {seed}: {entries} entries, {time} ms, {course:016x}");
                }
                counts.add(seen, entries, time);
                broken.map(|broken| broken.to_string())
            }
            Err(_) => Some("it panicked".into()),
        };
        if let Some(broken) = broken {
            println!("seed {seed}: {broken}");
            failed.push(seed);
            if !arguments.keep_going {
                break;
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{}", counts.table());
    println!(
        "{} games, {} failed; {} entries, {} s simulated; {seconds:.1} s, {:.0} games a second",
        counts.games,
        failed.len(),
        counts.entries,
        counts.time / 1000,
        counts.games as f64 / seconds
    );
    let rare = counts.rare();
    if arguments.run.planted.is_some() {
        return if failed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    }
    if let Some(seed) = failed.first() {
        let kinds = &arguments.kinds;
        println!("again, with what happens: cargo xtask sim -- --games 1 --seed {seed}{kinds} --trace");
        return ExitCode::FAILURE;
    }
    if counts.games >= SHARES_FROM && arguments.run.set == Set::Full && !rare.is_empty() {
        println!("too rare: {}", rare.join(", "));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
