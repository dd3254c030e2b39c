//! Starting other programs, visibly.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Where we work: the checkout and its build folder.
pub struct Workspace {
    pub root: PathBuf,
    /// Cargo's target folder (an environment variable or a configuration file can have moved it).
    pub target: PathBuf,
    /// What `cargo metadata --no-deps` says.
    pub metadata: Value,
}

impl Workspace {
    pub fn find() -> Result<Self> {
        let root =
            Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).context("crates/xtask lies two levels down")?;
        let mut cargo = Command::new(cargo());
        cargo.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root);
        let metadata: Value = serde_json::from_str(&output(&mut cargo)?).context("cargo metadata")?;
        let target = metadata["target_directory"].as_str().context("cargo metadata names no target folder")?.into();
        Ok(Self { root: root.to_owned(), target, metadata })
    }

    /// A program that works in the checkout.
    pub fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program_file(program));
        command.args(arguments).current_dir(&self.root);
        forget_own_package(&mut command);
        command
    }

    /// `cargo` with these arguments; run it with [`run`].
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo());
        command.args(arguments).current_dir(&self.root);
        forget_own_package(&mut command);
        command
    }

    /// A program of ours, built with this profile's folder name (`debug`, `release`).
    pub fn built(&self, profile: &str, program: &str) -> PathBuf {
        self.target.join(profile).join(format!("{program}{}", std::env::consts::EXE_SUFFIX))
    }
}

/// The cargo that runs us, so that nested calls use the same toolchain.
fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

/// `cargo run` tells us about our own package in the environment. Build scripts that look there (ring's) would see a change
/// whenever cargo is called from here and not by hand, and half of the workspace would be compiled again.
fn forget_own_package(command: &mut Command) {
    let about_us = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(about_us) {
            command.env_remove(name);
        }
    }
}

/// npm's programs are scripts on Windows, and are only found with their ending.
fn program_file(program: &str) -> String {
    if cfg!(windows) && ["npm", "npx"].contains(&program) { format!("{program}.cmd") } else { program.into() }
}

/// Says what is run, runs it with our own output, and fails if it does.
pub fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    println!("$ {line}");
    let status = command.status().with_context(|| format!("`{line}` could not be started"))?;
    if !status.success() {
        bail!("`{line}` failed ({status}); its output is above");
    }
    Ok(())
}

/// What a program prints; an error if it cannot be started or fails.
pub fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command.output().with_context(|| format!("`{line}` could not be started"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({}):\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim_end());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program can be started and says yes; its output is not shown.
pub fn says_yes(program: &str, arguments: &[&str]) -> bool {
    Command::new(program_file(program)).args(arguments).output().is_ok_and(|output| output.status.success())
}

fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_program_is_an_error_that_names_it() {
        let workspace = Workspace::find().expect("the checkout");
        let error = run(&mut workspace.cargo(&["no-such-command"])).unwrap_err().to_string();
        assert!(error.contains("cargo no-such-command"), "{error}");
        let error = output(&mut Command::new("no-such-program")).unwrap_err().to_string();
        assert!(error.contains("could not be started"), "{error}");
    }

    #[test]
    fn children_do_not_take_our_package_for_theirs() {
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "cargo runs the tests");
        let workspace = Workspace::find().expect("the checkout");
        for command in [workspace.cargo(&["build"]), workspace.command("npm", &["ci"])] {
            let removed = command.get_envs().filter(|(_, value)| value.is_none()).map(|(name, _)| name);
            assert!(removed.into_iter().any(|name| name == "CARGO_MANIFEST_DIR"));
        }
    }

    #[test]
    fn the_workspace_is_found_from_anywhere() {
        let workspace = Workspace::find().expect("the checkout");
        assert!(workspace.root.join("tauri.conf.json").is_file());
        assert!(workspace.built("debug", "c5").starts_with(&workspace.target));
    }
}
