//! `c5 serve`: the page for a browser on this host.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use serde_json::Value;

/// `c5 serve` on its own data folder. Ends when dropped.
pub struct Served {
    process: Child,
    /// Where the page is, with its token: it lets in one browser.
    pub url: String,
}

impl Served {
    /// `command` is the program, with what leads to its host before it.
    pub fn start(mut command: Command, data: &Path) -> Result<Served> {
        command.args(["serve", "--json", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("c5 serve")?;
        let lines = BufReader::new(process.stdout.take().context("its output")?);
        for line in lines.lines() {
            let event: Value = serde_json::from_str(&line?)?;
            if event["event"] == "serving" {
                let url = event["url"].as_str().context("an address")?.to_owned();
                return Ok(Served { process, url });
            }
        }
        anyhow::bail!("c5 serve ended without an address")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
