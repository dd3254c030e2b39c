//! `cargo xtask play`: from a fresh clone to the app on the screen.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run::Workspace;
use crate::stages::{self, Stage};
use crate::system::{self, Purpose};
use crate::ui;

/// How the app is to be shown, and where it keeps its data.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    browser: bool,
    release: bool,
    data: Option<String>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Options::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--browser" => options.browser = true,
                "--release" => options.release = true,
                "--data" => options.data = Some(rest.next().context("--data needs a folder")?.clone()),
                other => bail!("{other:?} is not understood; `cargo xtask help` lists what is"),
            }
        }
        Ok(options)
    }
}

pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let browser = options.browser || !system::has_display();
    if browser && !options.browser {
        println!("There is no display here, so the app is served to a browser on this machine.");
    }
    // The unoptimised build is there in half the time, and its rules, table and CPU are optimised in any case.
    let profile = if options.release { "release" } else { "debug" };
    let package = if browser { "c5" } else { "capture-five" };
    let build = ["build", "--package", package, "--release"];
    let build = if options.release { &build[..] } else { &build[..3] };

    let mut row = Vec::new();
    if !browser {
        row.push(Stage::new("system packages", || system::ensure_packages(Purpose::Window)));
    }
    row.push(Stage::new("UI packages", || {
        system::ensure_node()?;
        ui::install(workspace)
    }));
    row.push(Stage::new("UI build", || ui::build(workspace)));
    row.push(Stage::new("build", || crate::run::run(&mut workspace.cargo(build))));
    stages::run(&row)?;

    let mut app = Command::new(workspace.built(profile, package));
    if browser {
        app.arg("serve");
        println!("\nOpen the address below in a browser on this machine. Ctrl+C ends it.");
    } else {
        println!("\nThe window opens. Closing it ends the app.");
    }
    app.args(options.data.iter().flat_map(|folder| ["--data", folder]));
    replace_by(app)
}

/// Becomes the app, so that Ctrl+C and the exit status are its own.
#[cfg(unix)]
fn replace_by(mut app: Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    let error = app.exec();
    Err(error).context(format!("{} could not be started", app.get_program().to_string_lossy()))
}

#[cfg(not(unix))]
fn replace_by(mut app: Command) -> Result<()> {
    crate::run::run(&mut app)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let parse = |text: &str| Options::parse(&text.split_whitespace().map(String::from).collect::<Vec<_>>());
        assert_eq!(parse("").unwrap(), Options::default());
        let all = Options { browser: true, release: true, data: Some("here".into()) };
        assert_eq!(parse("--browser --data here --release").unwrap(), all);
        assert!(parse("--data").unwrap_err().to_string().contains("folder"));
        assert!(parse("--fast").unwrap_err().to_string().contains("--fast"));
    }
}
