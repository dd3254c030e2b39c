//! An external program that speaks the Gomocup protocol, as a process with a limit on all that is waited for.

pub mod talk;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use rules::{Action, Game, Rules};

use talk::{Heard, Talk};

/// A program may build its tables for so long before it says `OK`.
const START_WAIT: Duration = Duration::from_secs(15);
/// And so long it may take to end when it is asked to.
const END_WAIT: Duration = Duration::from_millis(500);
/// How often it is looked whether it has ended.
const END_POLL: Duration = Duration::from_millis(5);
/// Lines of a program that wait to be read; one that says more waits.
const LINES_MAX: usize = 256;
/// Bytes of a line that are looked at.
const LINE_BYTES_MAX: u64 = 1 << 14;

/// A running program; it is ended when this is dropped.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    talk: Talk,
}

/// Why a program has no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMove {
    /// Nothing came in time.
    Late,
    /// Its process or its output has ended.
    Gone,
    /// It says, in these words, that it will not.
    Refused(String),
    /// It answered this, which is no action on this board.
    Nonsense(String),
}

impl Program {
    /// Starts the command for one game under these rules; why it can't play otherwise.
    pub fn start(command: &[String], rules: Rules, limit: Duration) -> Result<Program, String> {
        let [file, arguments @ ..] = command else { return Err("there is no command".to_owned()) };
        let mut process = Command::new(file);
        process.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            process.spawn().map_err(|why| format!("{file} cannot be started ({why}): check the command"))?;
        let stdin = child.stdin.take();
        let (say, lines) = sync_channel(LINES_MAX);
        let mut program = Program { child, stdin, lines, talk: Talk::new(rules) };
        let stdout = program.child.stdout.take().ok_or("it has no output")?;
        let reader = std::thread::Builder::new().name("program".to_owned());
        reader.spawn(move || read(stdout, &say)).map_err(|why| format!("no thread can be started ({why})"))?;
        program.greet(limit).map_err(|why| format!("{file} {why}"))?;
        Ok(program)
    }

    fn greet(&mut self, limit: Duration) -> Result<(), String> {
        self.say(&[self.talk.start()]);
        let until = Instant::now() + START_WAIT;
        loop {
            match self.line(until) {
                Ok(line) if line.trim().eq_ignore_ascii_case("OK") => break,
                Ok(line) if line.trim_start().to_ascii_uppercase().starts_with("ERROR") => {
                    return Err(format!("refuses the board: {}", line.trim()));
                }
                Ok(_) => {}
                Err(NoMove::Late) => return Err(format!("says nothing for {} s after START", START_WAIT.as_secs())),
                Err(NoMove::Gone | NoMove::Refused(_) | NoMove::Nonsense(_)) => return Err("ends at START".to_owned()),
            }
        }
        self.say(&self.talk.settings(limit));
        Ok(())
    }

    /// Its action in this position; waits until the given moment.
    pub fn act(&mut self, game: &Game, until: Instant) -> Result<Action, NoMove> {
        // What it said since its last move belongs to nothing any more.
        while self.lines.try_recv().is_ok() {}
        let lines = self.talk.ask(game);
        self.say(&lines);
        loop {
            let line = self.line(until)?;
            match self.talk.hear(&line, game) {
                Heard::Action(action) => return Ok(action),
                Heard::Nonsense => return Err(NoMove::Nonsense(line.trim().to_owned())),
                Heard::Refused => return Err(NoMove::Refused(line.trim().to_owned())),
                Heard::Noise => {}
            }
        }
    }

    fn line(&self, until: Instant) -> Result<String, NoMove> {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(NoMove::Late),
            Err(RecvTimeoutError::Disconnected) => Err(NoMove::Gone),
        }
    }

    /// A program that no longer listens will be missed when it is to answer.
    fn say(&mut self, lines: &[String]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let written = self.stdin.as_mut().map(|stdin| stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()));
        if !matches!(written, Some(Ok(()))) {
            self.stdin = None;
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.say(&["END".to_owned()]);
        self.stdin = None;
        let until = Instant::now() + END_WAIT;
        while Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            // Room for what it still wants to say.
            while self.lines.try_recv().is_ok() {}
            std::thread::sleep(END_POLL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes lines on until the output ends or nobody wants them.
fn read(stdout: ChildStdout, say: &SyncSender<String>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match stdout.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if say.send(String::from_utf8_lossy(&line).into_owned()).is_err() => return,
            Ok(_) => {}
        }
    }
}
