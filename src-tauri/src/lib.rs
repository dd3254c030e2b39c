//! The shell: a window around the UI, one command in, one stream of events out. It knows no rule of the game, keeps
//! nothing, and opens no connection.

mod arguments;
mod notice;
mod webkit;
mod window;

use std::process::ExitCode;

use app::App;
use clap::Parser;
use tracing_subscriber::EnvFilter;

use crate::arguments::Arguments;
use crate::notice::Fault;

/// Runs the app until its window is closed.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    webkit::prepare();
    // Nothing is logged unless RUST_LOG asks for it: the log is for people who look for a fault.
    tracing_subscriber::fmt().with_env_filter(EnvFilter::from_default_env()).with_writer(std::io::stderr).init();
    if !webkit::can_open_windows() {
        eprintln!("There is no display to open a window on. To play in a browser instead: c5 serve");
        return ExitCode::FAILURE;
    }
    let Some(data) = arguments.data.or_else(app::data_folder) else { return notice::show(&Fault::NoFolder) };
    // WebKitGTK takes no relative folder, and messages should name the whole one.
    let data = std::path::absolute(&data).unwrap_or(data);
    let config = app::Config { port: arguments.port, ..app::Config::new(data.clone()) };
    match tauri::async_runtime::block_on(App::start(config)) {
        Ok(app) => window::run(app, &data),
        Err(error) => notice::show(&Fault::Start(error)),
    }
}
