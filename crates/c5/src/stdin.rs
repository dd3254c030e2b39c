//! Commands as they come on stdin.

use tokio::sync::mpsc;

use crate::order::LINE_BYTES_MAX;

/// Lines from stdin that wait for the session.
const LINES_MAX: usize = 64;

/// Lines of stdin as they come.
pub(crate) struct Lines {
    received: mpsc::Receiver<String>,
}

impl Lines {
    /// The next line. The end of input is no command: after it nothing comes any more.
    pub(crate) async fn next(&mut self) -> String {
        match self.received.recv().await {
            Some(line) => line,
            None => std::future::pending().await,
        }
    }
}

/// Reads stdin on a thread of its own: one that waits for input must not hold up the end of the process.
pub(crate) fn read_lines() -> std::io::Result<Lines> {
    let (lines, received) = mpsc::channel(LINES_MAX);
    std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(line) = next_line(&mut input) {
            if lines.blocking_send(line).is_err() {
                break;
            }
        }
    })?;
    Ok(Lines { received })
}

/// One line; what is beyond the limit is dropped, so that it is refused as no command. `None` at the end of input.
pub(crate) fn next_line(input: &mut impl std::io::BufRead) -> Option<String> {
    let mut line = Vec::new();
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if chunk.is_empty() {
            return if line.is_empty() { None } else { Some(String::from_utf8_lossy(&line).into_owned()) };
        }
        let newline = chunk.iter().position(|&byte| byte == b'\n');
        let text = &chunk[..newline.unwrap_or(chunk.len())];
        let room = LINE_BYTES_MAX.saturating_sub(line.len());
        line.extend_from_slice(&text[..text.len().min(room)]);
        let used = newline.map_or(chunk.len(), |at| at + 1);
        input.consume(used);
        if newline.is_some() {
            return Some(String::from_utf8_lossy(&line).into_owned());
        }
    }
}
