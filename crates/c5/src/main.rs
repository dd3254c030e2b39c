//! `c5`: the command line beside the app.

use std::io::Write;
use std::process::ExitCode;

use c5::args::Args;
use c5::{Failure, Output, events};
use clap::Parser;

fn main() -> ExitCode {
    // Diagnostics for developers only: stderr is for the one line that says what went wrong.
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "off".into());
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(told) => {
            // Help and version go to stdout, mistakes to stderr. A reader that has gone is no error.
            let _ = if told.use_stderr() {
                write!(std::io::stderr(), "{}", short_words(&told.to_string()))
            } else {
                told.print()
            };
            return ExitCode::from(u8::try_from(told.exit_code()).unwrap_or(2));
        }
    };
    let mut output = Output::new(args.common.json, Box::new(std::io::stdout()));
    match c5::run(args, &mut output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => tell(&failure, &mut output),
    }
}

/// What was mistyped is repeated, but nobody needs to see all of a very long word.
fn short_words(text: &str) -> String {
    let mut short = String::new();
    let mut run = 0;
    for letter in text.chars() {
        run = if letter.is_whitespace() { 0 } else { run + 1 };
        match run {
            0..=WORD_CHARS_MAX => short.push(letter),
            _ if run == WORD_CHARS_MAX + 1 => short.push('…'),
            _ => {}
        }
    }
    short
}

/// Characters of a word of the command line that a mistake's message repeats.
const WORD_CHARS_MAX: usize = 100;

fn tell(failure: &Failure, output: &mut Output) -> ExitCode {
    output.event(&events::error(failure.code, &failure.message, None), None);
    let line = failure.message.replace(['\n', '\r'], " ");
    let _ = writeln!(std::io::stderr(), "c5: {line}");
    ExitCode::from(failure.exit_code())
}
