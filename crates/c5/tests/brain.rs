//! The CPU as an engine for managers, as a process.

#![cfg(unix)]

// Sessions at a table are for the other tests.
#[allow(dead_code)]
mod common;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use common::{c5, folder};

#[test]
fn the_brain_answers_and_ends() {
    let data = folder();
    let mut command = c5(data.path(), &["brain"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("stdin");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout")).lines();
    let mut answer = |lines: &str| {
        stdin.write_all(lines.as_bytes()).expect("it listens");
        stdout.next().expect("an answer").expect("text")
    };
    assert_eq!(answer("START 15\n"), "OK");
    assert_eq!(answer("INFO timeout_turn 100\r\n\r\nfoo\r\n"), "UNKNOWN command");
    let is_point = |text: &str| text.split(',').all(|number| number.parse::<u8>().is_ok());
    let point = answer("BEGIN\n");
    assert!(is_point(&point), "{point}");
    // What comes while it thinks is answered afterwards, in order.
    let other = answer(&format!("TAKEBACK {point}\nTURN {point}\nABOUT\n"));
    assert_eq!(other, "OK");
    let other = answer("");
    assert!(is_point(&other) && other != point, "{other}");
    assert!(answer("").starts_with("name="));
    let mut noise = String::new();
    for number in 0..500 {
        writeln!(noise, "\u{0}\u{7f} {number}").expect("a text");
    }
    assert_eq!(answer(&noise), "UNKNOWN command");
    // It is to think for an hour, and told to end at once.
    stdin.write_all(b"INFO timeout_turn 3600000\nRESTART\nBEGIN\nEND\n").expect("it listens");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn the_brain_ends_with_its_input() {
    let data = folder();
    for lines in ["", "START 15\n", "START 15\nINFO timeout_turn 3600000\nBEGIN\n", "BOARD\n7,7"] {
        let mut child =
            c5(data.path(), &["brain"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts");
        child.stdin.take().expect("stdin").write_all(lines.as_bytes()).expect("it listens");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{lines:?}");
    }
}
