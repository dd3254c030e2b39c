//! `c5` as a process: run to its end, or a session over stdin and stdout.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// Nothing here takes this long unless it never comes.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn c5(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_c5"));
    command.arg("--data").arg(data).args(args).stdin(Stdio::null());
    command
}

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Runs to its end.
pub fn run(data: &Path, args: &[&str]) -> Output {
    c5(data, args).output().expect("it runs")
}

/// It fails with this exit status, one line on stderr that holds these words, and this code among the events.
pub fn check_refused(data: &Path, args: &[&str], status: i32, code: &str, words: &[&str]) {
    let output = run(data, &[args, &["--json"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    for word in words {
        assert!(stderr.contains(word), "{args:?}: no {word:?} in {stderr}");
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    let error: Value = serde_json::from_str(stdout.lines().last().expect("an event")).expect("JSON");
    assert_eq!((error["event"].as_str(), error["code"].as_str()), (Some("error"), Some(code)), "{args:?}");
}

/// A session under way. Ended when dropped.
pub struct Session {
    pub child: Child,
    pub stdin: Option<ChildStdin>,
    pub events: mpsc::Receiver<Value>,
}

impl Session {
    pub fn start(data: &Path, args: &[&str]) -> Session {
        let mut command = c5(data, args);
        let mut child = command.arg("--json").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let stdout = BufReader::new(child.stdout.take().expect("stdout"));
        let (tell, events) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let event = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{line}: {why}"));
                if tell.send(event).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Session { child, stdin, events }
    }

    pub fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().expect("stdin"), "{line}").expect("it listens");
    }

    /// The next event of this kind.
    pub fn until(&self, event: &str) -> Value {
        loop {
            let next = self.events.recv_timeout(PATIENCE);
            let next = next.unwrap_or_else(|why| panic!("no {event}: {why}"));
            if next["event"] == event {
                return next;
            }
        }
    }

    pub fn error_after(&mut self, line: &str) -> String {
        self.say(line);
        self.until("error")["code"].as_str().expect("a code").to_owned()
    }

    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let done = Command::new("kill").args([name, &id]).status().expect("kill runs");
        assert!(done.success());
    }

    pub fn exit_code(mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended long ago.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
