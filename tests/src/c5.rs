//! A `c5` process with `--json`: its events as they come, commands to it, its end in every manner.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::lan::Lan;

/// Far beyond anything that should take so long, on a busy machine too.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A running `c5`. Killed when dropped.
pub struct C5 {
    what: String,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    complaints: Option<JoinHandle<String>>,
    seen: Vec<Told>,
}

/// One event, and when its line came.
#[derive(Clone, Debug)]
pub struct Told {
    pub at: Instant,
    pub event: Value,
}

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// `None`: by a signal.
    pub code: Option<i32>,
    pub stderr: String,
}

impl C5 {
    /// Starts `c5 ARGUMENTS --json --data DATA` on a host; arguments are parted by spaces.
    pub fn start(lan: &Lan, host: usize, data: &Path, arguments: &str) -> Result<C5> {
        C5::start_with(lan, host, data, arguments, &[])
    }

    /// The same with these environment variables.
    pub fn start_with(lan: &Lan, host: usize, data: &Path, arguments: &str, with: &[(&str, String)]) -> Result<C5> {
        let mut command = lan.command(host, crate::binary("C5_BIN", "c5"));
        command.args(arguments.split_whitespace()).arg("--json").arg("--data").arg(data);
        command.envs(with.iter().map(|(name, value)| (name, value)));
        C5::run(command, format!("host {host}: c5 {arguments}"))
    }

    fn run(mut command: Command, what: String) -> Result<C5> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("{what} does not start"))?;
        let stdout = BufReader::new(child.stdout.take().context("stdout")?);
        let mut stderr = child.stderr.take().context("stderr")?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).try_for_each(|line| send.send((Instant::now(), line)))
        });
        let complaints = std::thread::spawn(move || {
            let mut text = Vec::new();
            // What could be read counts, whatever ended it.
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let stdin = child.stdin.take();
        Ok(C5 { what, child, stdin, lines, complaints: Some(complaints), seen: vec![] })
    }

    /// Waits for an event that will do, from the next one on.
    pub fn wait(&mut self, wanted: &str, will_do: impl Fn(&Value) -> bool) -> Result<Value> {
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            match self.lines.recv_timeout(Duration::from_millis(200)) {
                Ok((at, line)) => {
                    let event: Value = serde_json::from_str(&line)
                        .with_context(|| format!("{}: no JSON on stdout: {line}", self.what))?;
                    self.seen.push(Told { at, event: event.clone() });
                    if will_do(&event) {
                        return Ok(event);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let (what, ended) = (self.what.clone(), self.ended()?);
                    bail!("{what} ended before {wanted}: {ended:?}\n{}", self.story());
                }
            }
        }
        bail!("{}: no {wanted} within {PATIENCE:?}\n{}", self.what, self.story())
    }

    /// Waits for the next event of a name.
    pub fn event(&mut self, name: &str) -> Result<Value> {
        self.wait(name, |event| event["event"] == name)
    }

    /// Waits for the stone, choice or addition that makes this ply or a later one.
    pub fn ply(&mut self, ply: u64) -> Result<Value> {
        let reached = |event: &Value| event["event"] == "move" && event["ply"].as_u64() >= Some(ply);
        self.wait(&format!("ply {ply}"), reached)
    }

    /// Sends a command.
    pub fn tell(&mut self, line: &str) -> Result<()> {
        let stdin = self.stdin.as_mut().context("stdin is closed")?;
        writeln!(stdin, "{line}").with_context(|| format!("{} takes no {line:?}", self.what))
    }

    /// Ends the process as a crash would.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Ends the process as the system asks programs to end.
    pub fn interrupt(&mut self) -> Result<()> {
        let pid = nix::unistd::Pid::from_raw(self.child.id().try_into()?);
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).context("the process takes no signal")
    }

    /// What has come up to the last [`C5::drain`].
    pub fn told(&self) -> &[Told] {
        &self.seen
    }

    /// All that came, when the process has ended or shall be forgotten.
    pub fn into_seen(mut self) -> Vec<Told> {
        // Killed, if it has not ended; then the pipe ends too.
        let _ = self.kill();
        while let Ok((at, line)) = self.lines.recv() {
            self.note(at, &line);
        }
        std::mem::take(&mut self.seen)
    }

    /// Whether the process has ended.
    pub fn has_ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Waits for the process to end by itself; its last events are among those seen.
    pub fn ended(&mut self) -> Result<Ended> {
        let since = Instant::now();
        let status = loop {
            self.drain();
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            ensure!(since.elapsed() < PATIENCE, "{} does not end\n{}", self.what, self.story());
            std::thread::sleep(Duration::from_millis(20));
        };
        let stderr = self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        // The reading thread sends its last lines before it hangs up.
        while let Ok((at, line)) = self.lines.recv() {
            self.note(at, &line);
        }
        Ok(Ended { code: status.code(), stderr })
    }

    /// Takes in what has come, waiting for nothing.
    pub fn drain(&mut self) {
        while let Ok((at, line)) = self.lines.try_recv() {
            self.note(at, &line);
        }
    }

    fn note(&mut self, at: Instant, line: &str) {
        let event = serde_json::from_str(line).unwrap_or_else(|_| Value::String(line.to_owned()));
        self.seen.push(Told { at, event });
    }

    /// The last events, for a failure's report.
    pub fn story(&self) -> String {
        const LAST: usize = 25;
        let last = &self.seen[self.seen.len().saturating_sub(LAST)..];
        last.iter().map(|told| format!("  {}\n", told.event)).collect()
    }

    /// Waits for an error of this code and the end of the process with this exit status.
    pub fn fails(mut self, code: &str, exit: i32) -> Result<()> {
        let ended = self.ended()?;
        let told = self.seen.iter().any(|told| told.event["event"] == "error" && told.event["code"] == code);
        ensure!(told, "{}: no error {code}, but {ended:?}\n{}", self.what, self.story());
        ensure!(ended.code == Some(exit), "{}: {ended:?}", self.what);
        ensure!(ended.stderr.trim().lines().count() == 1, "{}: not one line on stderr: {ended:?}", self.what);
        ensure!(!ended.stderr.contains("panicked"), "{}: {ended:?}", self.what);
        Ok(())
    }

    /// Waits for the process to end well.
    pub fn succeeds(mut self) -> Result<()> {
        let ended = self.ended()?;
        ensure!(ended.code == Some(0), "{}: {ended:?}\n{}", self.what, self.story());
        ensure!(!ended.stderr.contains("panicked"), "{}: {ended:?}", self.what);
        Ok(())
    }
}

impl Drop for C5 {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.kill();
    }
}
