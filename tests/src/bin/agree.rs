//! Random games by the product's rules and by the plain ones: `agree [--from SEED] --games N`, from seed 0 if none is given. Ends with a table of what
//! the games reached, or with the first difference and status 1.

use std::process::ExitCode;

use anyhow::{Context, Result};
use tests::agree::{Counters, game};

/// Games after which a line tells how far the run is.
const PROGRESS_EVERY: u64 = 20_000;

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (first, count) = match arguments[..] {
        ["--games", count] => ("0", count),
        ["--from", first, "--games", count] | ["--games", count, "--from", first] => (first, count),
        _ => anyhow::bail!("usage: agree [--from SEED] --games N"),
    };
    let first: u64 = first.parse().context("SEED is a number")?;
    let count: u64 = count.parse().context("N is a number")?;
    let end = first.checked_add(count).context("SEED and N together are too large")?;
    let mut counters = Counters::default();
    for seed in first..end {
        if let Err(failure) = game(seed, &mut counters) {
            println!("{failure}\n\n{counters}");
            return Ok(ExitCode::FAILURE);
        }
        if (seed - first + 1).is_multiple_of(PROGRESS_EVERY) {
            println!("{} games agree", seed - first + 1);
        }
    }
    println!("{counters}");
    Ok(ExitCode::SUCCESS)
}
