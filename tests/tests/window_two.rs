//! Two real windows on one network: they find each other, sit down, play a whole game by clicks; one is killed and
//! reopened in the middle.

use anyhow::Result;
use tests::lan::Lan;
use tests::window::{Place, Screen, Window};

const HOOK: fn(&str) -> String = |name| format!("[data-testid=\"{name}\"]");

fn open(lan: &Lan, screen: &Screen, host: usize, name: &str, data: &std::path::Path) -> Result<Window> {
    Window::open(Place {
        namespace: lan.namespace(host),
        display: screen.display().to_owned(),
        binary: tests::binary("CAPTURE_FIVE_BIN", "capture-five"),
        data: data.join(name),
        artefacts: tests::artefacts(),
        name: name.to_owned(),
    })
}

/// Gives the player a name on the first start.
fn introduce(window: &Window, name: &str) -> Result<()> {
    window.fill(&HOOK("name-input"), name)?;
    window.click(&HOOK("name-save"))?;
    window.wait_gone(&HOOK("name-save"))
}

/// Waits for one's turn and puts a stone there.
fn place(window: &Window, at: &str) -> Result<()> {
    window.wait("[data-my-turn=\"true\"]")?;
    window.click(&format!("[data-point=\"{at}\"]"))?;
    if window.count(&HOOK("place"))? > 0 {
        window.click(&HOOK("place"))?;
    }
    window.wait(&format!("[data-point=\"{at}\"][data-stone]"))?;
    Ok(())
}

/// Both boards show these stones.
fn both_show(windows: [&Window; 2], points: &[&str]) -> Result<()> {
    for window in windows {
        for at in points {
            window.wait(&format!("[data-point=\"{at}\"][data-stone]"))?;
        }
    }
    Ok(())
}

/// Kills the app with the power, opens it again, and goes on with one tap.
fn killed_and_back(window: &mut Window) -> Result<()> {
    window.kill()?;
    window.reopen()?;
    window.wait(&HOOK("continue"))?;
    window.shot("back-home")?;
    window.click(&HOOK("continue"))?;
    window.wait("[data-point]")?;
    Ok(())
}

#[test]
fn two_windows_play_a_game() -> Result<()> {
    let lan = Lan::new(2)?;
    let screen = Screen::start()?;
    let data = tempfile::tempdir()?;
    let mut anna = open(&lan, &screen, 0, "anna", data.path())?;
    let mut ben = open(&lan, &screen, 1, "ben", data.path())?;
    introduce(&anna, "Anna")?;
    introduce(&ben, "Ben")?;
    anna.shot("home")?;

    anna.click(&HOOK("new-game"))?;
    anna.wait(&HOOK("open-table"))?;
    anna.shot("set-up")?;
    anna.click(&HOOK("open-table"))?;
    anna.wait(&HOOK("start"))?;

    ben.wait("[data-testid^=\"nearby-\"]")?;
    ben.shot("home-nearby")?;
    ben.click("[data-testid^=\"nearby-\"]")?;
    ben.wait(&HOOK("start"))?;
    ben.shot("lobby")?;
    anna.click(&HOOK("start"))?;
    ben.click(&HOOK("start"))?;

    // Anna starts. Ben's H9 and H10 are not taken: Anna has no stone beyond them.
    for (black, white) in [("H8", "B2"), ("I8", "D14")] {
        place(&anna, black)?;
        place(&ben, white)?;
    }
    both_show([&anna, &ben], &["H8", "I8", "B2", "D14"])?;
    ben.shot("game")?;

    killed_and_back(&mut ben)?;
    place(&anna, "J8")?;
    place(&ben, "M3")?;
    both_show([&anna, &ben], &["J8", "M3"])?;

    // The device that opened the table, too.
    killed_and_back(&mut anna)?;
    place(&anna, "K8")?;
    place(&ben, "N13")?;
    place(&anna, "L8")?;
    for window in [&anna, &ben] {
        window.wait(&HOOK("result"))?;
        window.shot("result")?;
    }

    // The rematch: the start passes on to Ben.
    anna.click(&HOOK("rematch"))?;
    ben.click(&HOOK("rematch"))?;
    place(&ben, "H8")?;
    both_show([&anna, &ben], &["H8"])?;
    Ok(())
}
