//! Stdout, as JSON lines or as sentences. A reader that has gone is no error: the process then says goodbye.

use std::io::Write;

use serde_json::{Map, Value};

/// Where events go.
pub struct Output {
    json: bool,
    closed: bool,
    to: Box<dyn Write + Send>,
}

impl Output {
    pub fn new(json: bool, to: Box<dyn Write + Send>) -> Output {
        Output { json, closed: false, to }
    }

    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// One event: the JSON object, or else the sentence, if there is one.
    pub fn event(&mut self, event: &Map<String, Value>, sentence: Option<&str>) {
        if self.json {
            match serde_json::to_string(event) {
                Ok(line) => self.line(&line),
                Err(error) => tracing::error!(%error, "an event cannot be written"),
            }
        } else if let Some(sentence) = sentence {
            self.line(sentence);
        }
    }

    /// A sentence for people alone.
    pub fn say(&mut self, sentence: &str) {
        if !self.json {
            self.line(sentence);
        }
    }

    fn line(&mut self, line: &str) {
        if self.closed {
            return;
        }
        let written = self.to.write_all(line.as_bytes()).and_then(|()| self.to.write_all(b"\n"));
        if written.and_then(|()| self.to.flush()).is_err() {
            self.closed = true;
        }
    }
}
