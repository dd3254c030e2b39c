//! The page over the browser door, in Chromium: whole games against the CPU, at phone and desktop size, without a
//! console error or a finding of axe; the ghost stone on a slow link; what two devices ask of each other.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tests::c5::C5;
use tests::lan::Lan;
use tests::served::Served;

fn c5() -> Command {
    Command::new(tests::binary("C5_BIN", "c5"))
}

/// Runs one of `ui/tests/e2e`.
fn run(mut command: Command, script: &str, arguments: &[&str]) -> Result<()> {
    let script = tests::repository().join("ui/tests/e2e").join(script);
    done(command.arg(script).args(arguments).arg(tests::artefacts()))
}

fn done(command: &mut Command) -> Result<()> {
    let output = command.output().context("node does not start")?;
    ensure!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

fn solo(width: &str, height: &str, theme: &str, locale: &str) -> Result<()> {
    let data = tempfile::tempdir()?;
    let served = Served::start(c5(), data.path())?;
    run(Command::new("node"), "solo.mjs", &[&served.url, width, height, theme, locale])
}

#[test]
fn a_game_against_the_cpu_on_a_phone() -> Result<()> {
    solo("360", "640", "light", "zh-TW")
}

#[test]
fn a_game_against_the_cpu_on_a_laptop() -> Result<()> {
    solo("1280", "800", "dark", "en")
}

fn study(width: &str, height: &str, theme: &str) -> Result<()> {
    let data = tempfile::tempdir()?;
    let served = Served::start(c5(), data.path())?;
    run(Command::new("node"), "study.mjs", &[&served.url, width, height, theme])
}

#[test]
fn a_game_is_gone_through_and_analysed_on_a_phone() -> Result<()> {
    study("360", "640", "light")
}

#[test]
fn a_game_is_gone_through_and_analysed_on_a_laptop() -> Result<()> {
    study("1280", "800", "dark")
}

#[test]
fn a_finger_on_a_small_phone_aims_by_cursor_and_magnifier() -> Result<()> {
    let data = tempfile::tempdir()?;
    let served = Served::start(c5(), data.path())?;
    run(Command::new("node"), "touch.mjs", &[&served.url])
}

#[test]
fn a_game_is_played_by_keyboard_alone_and_all_of_it_is_told() -> Result<()> {
    let data = tempfile::tempdir()?;
    let served = Served::start(c5(), data.path())?;
    run(Command::new("node"), "keys.mjs", &[&served.url])
}

/// Whatever comes beside the board, the board holds still, and nothing that asks stands where Place and Cancel stand; with
/// large text, the left hand and forced colours as well.
#[test]
fn the_board_holds_still_and_everything_can_be_hit() -> Result<()> {
    let ui = tests::repository().join("ui");
    done(Command::new("node").current_dir(ui).arg("tests/e2e/hold.mjs"))
}

/// What is gone through step by step answers to the same keys and buttons everywhere, and to nothing else.
#[test]
fn a_game_and_what_was_continued_apart_are_stepped_through_alike() -> Result<()> {
    let ui = tests::repository().join("ui");
    done(Command::new("node").current_dir(ui).arg("tests/e2e/steps.mjs"))
}

fn learn(width: &str, height: &str, theme: &str, locale: &str) -> Result<()> {
    let data = tempfile::tempdir()?;
    let served = Served::start(c5(), data.path())?;
    run(Command::new("node"), "learn.mjs", &[&served.url, width, height, theme, locale])
}

#[test]
fn a_course_a_puzzle_and_a_word_on_a_phone() -> Result<()> {
    learn("360", "640", "dark", "ja")
}

#[test]
fn a_course_a_puzzle_and_a_word_on_a_laptop() -> Result<()> {
    learn("1280", "800", "light", "en")
}

/// And, started anew on the same folder, they find what they kept.
#[test]
fn three_at_one_device_play_to_the_end_and_find_their_favourite_again() -> Result<()> {
    let data = tempfile::tempdir()?;
    for part in ["first", "again"] {
        let served = Served::start(c5(), data.path())?;
        run(Command::new("node"), "here.mjs", &[&served.url, part])?;
    }
    Ok(())
}

#[test]
fn a_stone_on_a_slow_link_is_a_ghost_until_it_is_kept() -> Result<()> {
    let lan = Lan::new(2)?;
    let _slow = lan.slow(1, Duration::from_millis(500))?;
    let data = tempfile::tempdir()?;
    let opens = "host --preset capture-five --seats 2 --name Anna --auto random:1 --think-ms 200";
    let mut anna = C5::start(&lan, 0, &data.path().join("anna"), opens)?;
    let table = anna.event("table")?["table"].as_str().context("an id")?.to_owned();
    let program = tests::binary("C5_BIN", "c5");
    let served = Served::start(lan.command(1, program), &data.path().join("ben"))?;
    run(lan.command(1, "node"), "ghost.mjs", &[&served.url, &table])
}

#[test]
fn questions_takeover_and_other_rules_between_two_devices() -> Result<()> {
    let lan = Lan::new(2)?;
    let data = tempfile::tempdir()?;
    let program = tests::binary("C5_BIN", "c5");
    let served = Served::start(lan.command(1, &program), &data.path().join("ben"))?;
    let anna = data.path().join("anna").display().to_string();
    let command = words_of(&lan.command(0, &program));
    run(lan.command(1, "node"), "people.mjs", &[&served.url, &command, &anna])
}

/// A script with two devices, each on a host of its own.
fn between_two(script: &str) -> Result<()> {
    let lan = Lan::new(2)?;
    let data = tempfile::tempdir()?;
    let program = tests::binary("C5_BIN", "c5");
    let [anna, ben] = [0, 1].map(|host| words_of(&lan.command(host, &program)));
    let folder = data.path().display().to_string();
    run(Command::new("node"), script, &[&anna, &ben, &folder])
}

#[test]
fn two_games_at_two_browsers_one_of_whose_devices_dies_in_between() -> Result<()> {
    between_two("two.mjs")
}

#[test]
fn a_code_is_scanned_from_one_device_by_another() -> Result<()> {
    between_two("scan.mjs")
}

#[test]
fn a_newcomer_needs_three_taps_to_a_stone_and_three_to_a_seat() -> Result<()> {
    between_two("walk.mjs")
}

/// Every screen and state is the picture that was kept; in every size, language and size of text nothing is cut, too small or
/// in the way; axe finds nothing in any theme. Whoever means to change a picture: `cargo xtask shots`.
#[test]
fn every_screen_looks_as_it_should() -> Result<()> {
    let mut command = Command::new("node");
    command.current_dir(tests::repository().join("ui")).arg("tests/look.mjs");
    done(command.arg("--out").arg(tests::artefacts().join("look")))
}

/// A command as one line.
fn words_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
