//! Commands that make something: bindings, screenshots, figures, packages.

use anyhow::{Result, bail};

use crate::no_arguments;
use crate::run::{Workspace, run};
use crate::stages::{self, Stage};
use crate::{system, ui};

/// Writes `ui/src/bindings` anew.
pub fn bindings(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    run(workspace.cargo(&["test", "--package", "app", "--test", "bindings"]).env("UPDATE", "1"))
}

/// Makes the README's screenshots anew, from the app as it is served to a browser.
pub fn shots(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    stages::run(&[
        ui_stage(workspace),
        Stage::new("build", || run(&mut workspace.cargo(&["build", "--package", "c5"]))),
        Stage::new("shots", || {
            let mut script = workspace.command("node", &["ui/tests/shots.mjs"]);
            run(script.env("C5_BIN", workspace.built("debug", "c5")))
        }),
    ])
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
