//! Commands that make something: bindings, screenshots, figures, packages.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::no_arguments;
use crate::run::{Workspace, run};
use crate::stages::{self, Stage};
use crate::{system, ui};

/// Writes `ui/src/bindings` anew.
pub fn bindings(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    run(workspace.cargo(&["test", "--package", "app", "--test", "bindings"]).env("UPDATE", "1"))
}

/// Plays simulated games: the arguments are the simulation's own (`--help` lists them), a lone `--` before them or not.
pub fn sim(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let words: Vec<_> = arguments.iter().map(String::as_str).skip_while(|word| *word == "--").collect();
    run(&mut simulation(workspace, "run", &[&["--"], &words[..]].concat()))
}

/// Cargo's command for the simulation, with the bugs and lies in it. It runs where it is built, and may use all that this
/// machine's processor can: a twentieth of its time.
pub fn simulation(workspace: &Workspace, command: &str, arguments: &[&str]) -> Command {
    let build = [command, "--package", "sim", "--profile", "sim", "--features", "planted"];
    let mut cargo = workspace.cargo(&[&build[..], arguments].concat());
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    cargo.env("RUSTFLAGS", format!("{flags} -C target-cpu=native").trim());
    cargo
}

/// The README's pictures: the file in `ui/shots`, and the name that `ui/tests/shots.mjs` gives the screen.
const SHOTS: &[(&str, &str)] = &[
    ("home.png", "home.en.1280x800"),
    ("four.png", "away.en.1280x800"),
    ("phone.png", "aim.en.360x640"),
    ("phone-dark.png", "three.zh-TW.360x640.dark"),
    ("result.png", "result.ja.360x640"),
];

/// Makes the README's screenshots and the pictures that screens are compared with anew, from the UI with prepared views.
/// Fails as well if a screen has a fault.
pub fn shots(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    let made = workspace.target.join("shots");
    let names: Vec<_> = SHOTS.iter().map(|(_, name)| name.replace('.', r"\.")).collect();
    let (filter, out) = (format!("^({})$", names.join("|")), made.to_string_lossy());
    stages::run(&[
        Stage::new("packages", || system::ensure_packages(system::Purpose::Tests)),
        Stage::new("ui-packages", || {
            system::ensure_node()?;
            ui::install(workspace)
        }),
        Stage::new("shots", || {
            let mut script = workspace.command("node", &["tests/shots.mjs", &filter, "--out", &out]);
            let nothing_wrong = run(script.current_dir(workspace.root.join("ui")));
            // A picture with a fault in it shows the fault: it is kept, and the command fails.
            keep_shots(workspace, &made)?;
            nothing_wrong
        }),
        Stage::new("kept", || {
            let mut script = workspace.command("node", &["tests/look.mjs", "--keep"]);
            run(script.current_dir(workspace.root.join("ui")))
        }),
    ])
}

fn keep_shots(workspace: &Workspace, made: &Path) -> Result<()> {
    let folder = workspace.root.join("ui/shots");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for (file, name) in SHOTS {
        let from = made.join(format!("{name}.png"));
        fs::copy(&from, folder.join(file)).with_context(|| from.display().to_string())?;
    }
    Ok(())
}

/// Builds for release and prints what is measured.
pub fn figures(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    let build = ["build", "--release", "--package", "capture-five", "--package", "c5", "--package", "tests", "--bins"];
    stages::run(&[
        Stage::new("packages", || system::ensure_packages(system::Purpose::Tests)),
        ui_stage(workspace),
        Stage::new("build", || run(&mut workspace.cargo(&build))),
        Stage::new("figures", || {
            let mut harness = workspace.command(&workspace.built("release", "figures").to_string_lossy(), &[]);
            harness
                .env("C5_BIN", workspace.built("release", "c5"))
                .env("CAPTURE_FIVE_BIN", workspace.built("release", "capture-five"));
            run(&mut harness)
        }),
    ])
}

/// Plays every scenario over virtual networks and prints its figures, or kills devices again and again. With debug
/// builds: only they have the fail points.
pub fn lan(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    stages::run(&[
        Stage::new("packages", || system::ensure_packages(system::Purpose::Tests)),
        ui_stage(workspace),
        Stage::new("build", || {
            run(&mut workspace.cargo(&["build", "--package", "c5", "--package", "tests", "--bins"]))
        }),
        Stage::new("lan", || {
            let mut harness = workspace.command(&workspace.built("debug", "lan").to_string_lossy(), &[]);
            run(harness.args(arguments).env("C5_BIN", workspace.built("debug", "c5")))
        }),
    ])
}

/// Builds the app's package: a deb and an rpm on Linux, what is usual elsewhere.
pub fn bundle(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    let bundles = if cfg!(target_os = "linux") {
        "deb,rpm"
    } else if cfg!(target_os = "macos") {
        "dmg"
    } else if cfg!(windows) {
        "nsis"
    } else {
        bail!("there is no kind of package for this system");
    };
    // Without the package's name the workspace's default members are built, and the shell is none of them.
    let build = ["--prefix", "ui", "tauri", "build", "--bundles", bundles, "--", "--package", "capture-five"];
    stages::run(&[
        Stage::new("packages", || system::ensure_packages(system::Purpose::Window)),
        ui_stage(workspace),
        Stage::new("bundle", || run(&mut workspace.command("npx", &build))),
    ])
}

fn ui_stage(workspace: &Workspace) -> Stage<'_> {
    Stage::new("ui", || {
        system::ensure_node()?;
        ui::install(workspace)?;
        ui::build(workspace)
    })
}
