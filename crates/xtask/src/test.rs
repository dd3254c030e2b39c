//! `cargo xtask test` and `cargo xtask check`: every check, in the order in which failing costs least.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::chores::simulation;
use crate::run::{Workspace, run as run_program};
use crate::stages::{self, Outcome, Stage};
use crate::system::{self, Purpose, System};
use crate::{leftovers, tidy, ui};

/// The tests that start whole programs: names of the stages, and of the test files (`tests/tests/lan.rs`, `lan_*.rs`).
const END_TO_END: &[&str] = &["lan", "window", "browser"];
/// Simulated games in every run of the tests; `cargo xtask sim` plays more.
const SIM_GAMES: &str = "2000";
/// The member crate they are in.
const TESTS_CRATE: &str = "tests";

/// Which packages a run of cargo selects. It is the same for every stage of a run: with another selection cargo unifies
/// features differently and compiles everything once more.
#[derive(Clone, Copy)]
pub enum Scope {
    Whole,
    /// Without the shell, which needs the system's web view and the built UI.
    WithoutShell,
}

impl Scope {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            // The tests that start whole programs use Linux's namespaces, and are built there only.
            Scope::Whole if cfg!(target_os = "linux") => &["--workspace"],
            Scope::Whole => &["--workspace", "--exclude", TESTS_CRATE],
            Scope::WithoutShell => &["--workspace", "--exclude", "capture-five"],
        }
    }

    /// A cargo subcommand over the scope's packages.
    pub fn cargo(self, workspace: &Workspace, subcommand: &str, more: &[&str]) -> Command {
        workspace.cargo(&[&[subcommand], self.arguments(), more].concat())
    }
}

/// Everything, or the stages named and what they need.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let stages = whole(workspace);
    if let Some(unknown) = arguments.iter().find(|name| !stages.iter().any(|stage| stage.name == **name)) {
        let names: Vec<_> = stages.iter().map(|stage| stage.name).collect();
        bail!("There is no stage {unknown:?}. The stages: {}.", names.join(", "));
    }
    let wanted = |stage: &Stage| {
        arguments.is_empty() || arguments.iter().any(|name| needs(name).contains(&stage.name) || name == stage.name)
    };
    stages::run(&stages.into_iter().filter(wanted).collect::<Vec<_>>())
}

/// What must have run before a stage, apart from the system's packages, which whoever names stages has.
fn needs(stage: &str) -> &'static [&'static str] {
    match stage {
        "ui-check" | "ui-test" | "ui-build" => &["ui-packages"],
        "clippy" | "build" | "test" => &["ui-packages", "ui-build"],
        "lan" | "window" | "browser" => &["ui-packages", "ui-build", "build"],
        _ => &[],
    }
}

fn whole(workspace: &Workspace) -> Vec<Stage<'_>> {
    let scope = Scope::Whole;
    let mut stages = vec![
        Stage::new("packages", || system::ensure_packages(Purpose::Tests)),
        Stage::new("ui-packages", || {
            system::ensure_node()?;
            ui::install(workspace)
        }),
        Stage::new("fmt", || fmt(workspace)),
        Stage::new("ui-check", || ui::script(workspace, "check")),
        Stage::new("ui-test", || ui::script(workspace, "test")),
        Stage::new("ui-build", || ui::build(workspace)),
        Stage::new("clippy", move || clippy(workspace, scope)),
        Stage::new("build", move || run_program(&mut scope.cargo(workspace, "build", &["--all-targets"]))),
        Stage::new("tidy", move || tidy::check(workspace, scope)),
        Stage::new("test", move || {
            tests(workspace, scope)?;
            run_program(&mut scope.cargo(workspace, "test", &["--doc"]))
        }),
    ];
    stages.push(Stage::new("sim", move || simulate(workspace)));
    stages.extend(END_TO_END.iter().map(|name| Stage { name, what: Box::new(move || end_to_end(workspace, name)) }));
    stages
}

/// The quick checks: no window, no network, and one selection of packages, so that the second time is quick.
pub fn check(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    crate::no_arguments(arguments)?;
    let scope = Scope::WithoutShell;
    stages::run(&[
        Stage::new("fmt", || fmt(workspace)),
        Stage::new("clippy", || clippy(workspace, scope)),
        Stage::new("tidy", || tidy::check(workspace, scope)),
        Stage::new("test", || tests(workspace, scope)),
    ])
}

/// Simulated games, and whether the simulation would notice what it is there for.
fn simulate(workspace: &Workspace) -> Result<()> {
    run_program(&mut simulation(workspace, "run", &["--", "--games", SIM_GAMES]))?;
    run_program(&mut simulation(workspace, "test", &[]))
}

fn fmt(workspace: &Workspace) -> Result<()> {
    run_program(&mut workspace.cargo(&["fmt", "--all", "--check"]))
}

fn clippy(workspace: &Workspace, scope: Scope) -> Result<()> {
    run_program(&mut scope.cargo(workspace, "clippy", &["--all-targets", "--", "-D", "warnings"]))
}

/// Unit and integration tests, the end-to-end ones left for their own stages.
fn tests(workspace: &Workspace, scope: Scope) -> Result<()> {
    let names = integration_tests(&workspace.metadata);
    let quick = names.iter().filter(|name| !END_TO_END.iter().any(|prefix| is_of(name, prefix)));
    let mut arguments = vec!["--lib", "--bins"];
    arguments.extend(quick.flat_map(|name| ["--test", name]));
    watched(&mut scope.cargo(workspace, "test", &arguments))
}

/// Runs tests, and ends what they left running: that is a fault of theirs as well.
fn watched(tests: &mut Command) -> Result<()> {
    let mark = format!("of-{}", std::process::id());
    let result = run_program(tests.env(leftovers::MARK, &mark));
    let left = leftovers::end(&mark);
    result?;
    if !left.is_empty() {
        bail!("the tests left processes running (they are ended now): {}", left.join(", "));
    }
    Ok(())
}

/// One end-to-end stage: the test files of that name, one test at a time, with the built programs and a place for
/// screenshots.
fn end_to_end(workspace: &Workspace, stage: &str) -> Result<Outcome> {
    if !cfg!(target_os = "linux") {
        return Ok(Outcome::NotHere(format!("the {stage} tests need Linux, and this is {:?}", System::here())));
    }
    let names = integration_tests(&workspace.metadata);
    let chosen: Vec<_> = names.iter().filter(|name| is_of(name, stage)).flat_map(|name| ["--test", name]).collect();
    if chosen.is_empty() {
        bail!("there is no test file {TESTS_CRATE}/tests/{stage}*.rs");
    }
    let artefacts = workspace.root.join("artefacts");
    fs::create_dir_all(&artefacts).with_context(|| artefacts.display().to_string())?;
    let arguments = [&chosen[..], &["--", "--test-threads=1", "--nocapture"]].concat();
    let mut command = Scope::Whole.cargo(workspace, "test", &arguments);
    command
        .env("C5_BIN", workspace.built("debug", "c5"))
        .env("CAPTURE_FIVE_BIN", workspace.built("debug", "capture-five"))
        .env("ARTEFACTS", &artefacts);
    watched(&mut command)?;
    Ok(Outcome::Done)
}

fn is_of(test: &str, stage: &str) -> bool {
    test.strip_prefix(stage).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

/// The names of all test files in the workspace.
fn integration_tests(metadata: &serde_json::Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let tests = targets.filter(|target| target["kind"][0] == "test");
    let mut names: Vec<_> = tests.filter_map(|target| target["name"].as_str()).map(String::from).collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn test_files_are_sorted_to_their_stages() {
        let target = |kind: &str, name: &str| json!({"kind": [kind], "name": name});
        let metadata = json!({"packages": [
            {"targets": [target("lib", "rules"), target("test", "presets"), target("bench", "lan_speed")]},
            {"targets": [target("test", "lan_games"), target("test", "presets"), target("test", "landing")]},
        ]});
        assert_eq!(integration_tests(&metadata), ["lan_games", "landing", "presets"]);
        assert!(is_of("lan_games", "lan") && is_of("lan", "lan") && !is_of("landing", "lan"));
    }

    #[test]
    fn what_a_stage_needs_comes_before_it() {
        let workspace = Workspace::find().expect("the checkout");
        let names: Vec<_> = whole(&workspace).iter().map(|stage| stage.name).collect();
        let place = |name: &str| names.iter().position(|known| *known == name);
        for name in &names {
            for need in needs(name) {
                assert!(
                    place(need).expect("a stage of that name") < place(name).expect("listed"),
                    "{need} before {name}"
                );
            }
        }
    }

    #[test]
    fn unknown_stages_are_refused_with_the_list() {
        let workspace = Workspace::find().expect("the checkout");
        let error = run(&workspace, &["lann".into()]).unwrap_err().to_string();
        assert!(error.contains("lann") && error.contains("window"), "{error}");
    }
}
