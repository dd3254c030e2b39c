//! Devices die at steps of writing and at any moment of real games, and nothing final is lost. `cargo xtask lan --kills
//! 300` does the same more often.

use anyhow::Result;

const KILLS: usize = 20;
const SEED: u64 = 7;
const AT_ONCE: usize = 2;

#[test]
fn twenty_deaths_lose_nothing() -> Result<()> {
    println!("{}", tests::kills::many(KILLS, SEED, AT_ONCE)?);
    Ok(())
}
