//! The short ones of the scenarios in which devices die, cables are pulled and networks fall apart, several at a time.
//! `cargo xtask lan` plays the long ones too.

use anyhow::{Result, ensure};
use tests::scenarios::{SCENARIOS, play};

/// Each waits most of its time.
const AT_ONCE: usize = 6;

#[test]
fn nothing_final_is_lost_and_all_come_together_again() -> Result<()> {
    let short: Vec<_> = SCENARIOS.iter().filter(|scenario| scenario.short).collect();
    ensure!(play(&short, AT_ONCE), "a scenario failed; its line is above");
    Ok(())
}
