//! The chores, as `cargo xtask COMMAND`: set up, play, test, tidy, bundle. It only starts other programs and reads
//! files: no part of the product depends on it, and it depends on none.

mod chores;
mod leftovers;
mod play;
mod run;
mod stages;
mod system;
mod test;
mod tidy;
mod ui;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::run::Workspace;

/// One command of `cargo xtask`.
struct Command {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&Workspace, &[String]) -> Result<()>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "play",
        arguments: "[--browser] [--release] [--data DIR]",
        help: "sets up what is missing, builds the app and opens it; without a display, or with --browser, serves it to a browser here",
        run: play::run,
    },
    Command {
        name: "test",
        arguments: "[STAGE]…",
        help: "sets up what is missing and runs every check there is, or just the named stages and what they need",
        run: test::run,
    },
    Command {
        name: "check",
        arguments: "",
        help: "the quick ones: fmt, clippy, tidy, and the tests that need no window and no network",
        run: test::check,
    },
    Command {
        name: "tidy",
        arguments: "",
        help: "what no compiler checks: crate borders, catalogues, lists that must agree",
        run: tidy::run,
    },
    Command {
        name: "sim",
        arguments: "[-- --games N --seed S --fault NAME=N --planted BUG --trace]",
        help: "plays simulated games between devices with faults; a failure prints its seed, which --trace tells of",
        run: chores::sim,
    },
    Command {
        name: "bindings",
        arguments: "",
        help: "writes ui/src/bindings anew from the Rust types",
        run: chores::bindings,
    },
    Command {
        name: "shots",
        arguments: "",
        help: "makes the README's screenshots and the pictures that screens are compared with anew",
        run: chores::shots,
    },
    Command {
        name: "figures",
        arguments: "",
        help: "builds for release and prints what is measured: start, memory, latency, size",
        run: chores::figures,
    },
    Command {
        name: "lan",
        arguments: "[WORD]… | --kills N [SEED]",
        help: "plays the scenarios of devices that die and networks that fall apart (those whose names hold a WORD), or kills devices N times, and prints what is measured",
        run: chores::lan,
    },
    Command { name: "bundle", arguments: "", help: "builds the app's package for this system", run: chores::bundle },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else {
        println!("{}", help());
        return Ok(());
    };
    if ["help", "--help", "-h"].contains(&name.as_str()) || rest.iter().any(|a| a == "--help" || a == "-h") {
        println!("{}", help());
        return Ok(());
    }
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => (command.run)(&Workspace::find()?, rest),
        None => bail!("cargo xtask has no command {name:?}.\n\n{}", help()),
    }
}

fn help() -> String {
    let mut text = String::from("cargo xtask COMMAND\n");
    for Command { name, arguments, help, .. } in COMMANDS {
        text += &format!("\n  {}\n      {help}\n", format!("{name} {arguments}").trim_end());
    }
    text
}

/// For the commands that take no arguments.
fn no_arguments(arguments: &[String]) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(surplus) => bail!("{surplus:?} is not understood; `cargo xtask help` lists what is"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_command() {
        let help = help();
        for command in COMMANDS {
            assert!(help.contains(command.help), "{} is missing in the help", command.name);
        }
    }

    #[test]
    fn unknown_commands_and_surplus_arguments_are_refused() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert!(dispatch(&words("plai")).unwrap_err().to_string().contains("no command"));
        assert!(dispatch(&words("tidy everything")).unwrap_err().to_string().contains("everything"));
    }
}
