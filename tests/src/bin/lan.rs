//! Plays the scenarios of `tests::scenarios` with the `c5` that `C5_BIN` names, several at a time, and prints a line of
//! figures each: `lan` plays all, `lan WORD…` those whose names hold a word, `lan --kills N` kills devices N times.

use std::process::ExitCode;

use anyhow::{Context, Result};
use tests::scenarios::SCENARIOS;

/// Scenarios at a time: each waits most of its time.
const AT_ONCE: usize = 6;
const KILLS_SEED: u64 = 1;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<bool> {
    if let [flag, kills, rest @ ..] = arguments
        && flag == "--kills"
    {
        let seed = rest.first().map_or(Ok(KILLS_SEED), |seed| seed.parse()).context("a seed is a number")?;
        println!("{}", tests::kills::many(kills.parse().context("how many kills?")?, seed, AT_ONCE)?);
        return Ok(true);
    }
    let wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|word| name.contains(word.as_str()));
    let chosen: Vec<_> = SCENARIOS.iter().filter(|scenario| wanted(scenario.name)).collect();
    anyhow::ensure!(!chosen.is_empty(), "no scenario's name holds {arguments:?}");
    Ok(tests::scenarios::play(&chosen, AT_ONCE))
}
