//! The app's program.

// Without this a console window opens beside the app on Windows.
#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    capture_five_lib::main()
}
