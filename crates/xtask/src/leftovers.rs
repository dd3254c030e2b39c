//! Processes that a test left running. They are known by a mark in their environment, which only what we started has.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// The environment variable that marks what a stage starts.
pub const MARK: &str = "CAPTURE_FIVE_STAGE";
/// How long a process may take to end by itself after its test has ended (a web view does), and after it was asked to.
const GOODBYE: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Ends whatever still carries the mark with this value, and says what it was. Only Linux tells other processes'
/// environment; elsewhere nothing is found.
pub fn end(value: &str) -> Vec<String> {
    let found = marked_after(value, GOODBYE);
    for (signal, wait) in [("-TERM", GOODBYE), ("-KILL", Duration::ZERO)] {
        let pids = marked(value).into_iter().map(|(pid, _)| pid.to_string()).collect::<Vec<_>>();
        if !pids.is_empty() {
            let _ = Command::new("kill").arg(signal).args(pids).output();
            marked_after(value, wait);
        }
    }
    found.into_iter().map(|(pid, name)| format!("{name} ({pid})")).collect()
}

/// Those that are still there after this time; none as soon as there is none.
fn marked_after(value: &str, wait: Duration) -> Vec<(u32, String)> {
    let mut waited = Duration::ZERO;
    loop {
        let running = marked(value);
        if running.is_empty() || waited >= wait {
            return running;
        }
        sleep(LOOK_EVERY);
        waited += LOOK_EVERY;
    }
}

fn marked(value: &str) -> Vec<(u32, String)> {
    let wanted = format!("{MARK}={value}");
    let is_marked = |pid: u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    let pids = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let name = |pid: u32| fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim().to_owned();
    pids.filter(|pid| *pid != std::process::id() && is_marked(*pid)).map(|pid| (pid, name(pid))).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_marked_processes_are_ended() {
        let value = format!("test-{}", std::process::id());
        let sleeper = |mark: &str| Command::new("sleep").arg("60").env(MARK, mark).spawn().expect("sleep starts");
        let (mut ours, mut other) = (sleeper(&value), sleeper("another"));
        // A child has our own environment for a moment, until it becomes the other program.
        while marked(&value).is_empty() {
            sleep(Duration::from_millis(5));
        }
        assert_eq!(end(&value), [format!("sleep ({})", ours.id())]);
        assert!(!ours.wait().expect("it ended").success());
        assert!(other.try_wait().expect("it is ours").is_none(), "a process of someone else was ended");
        other.kill().expect("it is ours");
        other.wait().expect("it ended");
        assert_eq!(end(&value), Vec::<String>::new());
    }
}
