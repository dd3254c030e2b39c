//! What was measured, for one line of text. Nothing is judged by it: a goal is printed beside its figure.

use std::fmt;
use std::time::Duration;

/// The figures of one scenario.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    parts: Vec<String>,
}

impl Figures {
    /// A time, with the goal for it if there is one.
    pub fn time(&mut self, what: &str, time: Duration, goal: Option<Duration>) {
        let goal = goal.map_or_else(String::new, |goal| {
            format!(" (goal {}{})", seconds(goal), if time > goal { ", MISSED" } else { "" })
        });
        self.parts.push(format!("{what} {}{goal}", seconds(time)));
    }

    /// The median and the 99th percentile of several times.
    pub fn times(&mut self, what: &str, times: &[Duration]) {
        let mut times = times.to_vec();
        times.sort_unstable();
        let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1))).copied();
        if let (Some(median), Some(p99)) = (at(50), at(99)) {
            self.parts.push(format!("{what} p50 {} p99 {} of {}", seconds(median), seconds(p99), times.len()));
        }
    }

    pub fn count(&mut self, what: &str, count: usize) {
        self.parts.push(format!("{count} {what}"));
    }

    /// Takes another's figures in.
    pub fn extend(&mut self, other: Figures) {
        self.parts.extend(other.parts);
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.parts.join(", "))
    }
}

fn seconds(time: Duration) -> String {
    let millis = time.as_millis();
    if millis < 1000 { format!("{millis} ms") } else { format!("{:.1} s", time.as_secs_f64()) }
}
