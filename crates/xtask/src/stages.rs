//! A row of stages: each is announced, timed, and stops the row if it fails; a table of times ends it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// How a stage that did not fail ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// This system cannot run it; the words say why and are shown in the table.
    NotHere(String),
}

/// One stage: its name, and what it does.
pub struct Stage<'a> {
    pub name: &'static str,
    pub what: Box<dyn Fn() -> Result<Outcome> + 'a>,
}

impl<'a> Stage<'a> {
    pub fn new(name: &'static str, what: impl Fn() -> Result<()> + 'a) -> Self {
        Self { name, what: Box::new(move || what().map(|()| Outcome::Done)) }
    }
}

struct Row {
    name: &'static str,
    time: Duration,
    said: String,
}

/// Runs the stages in order, up to the first that fails, and prints the table of times in either case.
pub fn run(stages: &[Stage]) -> Result<()> {
    let mut rows = Vec::new();
    for (number, stage) in stages.iter().enumerate() {
        println!("\n━━━ {}/{} {} ━━━", number + 1, stages.len(), stage.name);
        let start = Instant::now();
        let outcome = (stage.what)();
        let said = match &outcome {
            Ok(Outcome::Done) => String::new(),
            Ok(Outcome::NotHere(why)) => {
                println!("left out: {why}");
                format!("left out: {why}")
            }
            Err(_) => "failed".into(),
        };
        rows.push(Row { name: stage.name, time: start.elapsed(), said });
        if let Err(error) = outcome {
            println!("\n{}", table(&rows));
            return Err(error).with_context(|| format!("stage {:?} failed", stage.name));
        }
    }
    println!("\n{}", table(&rows));
    Ok(())
}

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max("total".len());
    let mut text = String::new();
    for Row { name, time, said } in rows {
        let _ = writeln!(text, "{}", format!("{name:width$}  {}  {said}", clock(*time)).trim_end());
    }
    let total = rows.iter().map(|row| row.time).sum();
    let _ = write!(text, "{:width$}  {}", "total", clock(total));
    text
}

/// `1:02.3`, aligned for anything under a hundred minutes.
fn clock(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    format!("{:2}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_failing_stage_stops_the_row_and_is_named() {
        let ran = Cell::new(0);
        let count = || {
            ran.set(ran.get() + 1);
            Ok(())
        };
        let stages =
            [Stage::new("first", count), Stage::new("second", || anyhow::bail!("no luck")), Stage::new("third", count)];
        let error = run(&stages).unwrap_err();
        assert_eq!(ran.get(), 1);
        assert_eq!(format!("{error:#}"), "stage \"second\" failed: no luck");
    }

    #[test]
    fn the_table_shows_times_and_what_was_left_out() {
        let row = |name, ms, said: &str| Row { name, time: Duration::from_millis(ms), said: said.into() };
        let rows = [row("clippy", 62_340, ""), row("lan", 5, "left out: no namespaces here")];
        assert_eq!(table(&rows), "clippy   1:02.3\nlan      0:00.0  left out: no namespaces here\ntotal    1:02.3");
    }
}
