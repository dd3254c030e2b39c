//! Processes that are killed, and come back.

use std::time::{Duration, Instant};

use anyhow::Result;
use tempfile::TempDir;

use super::{AWAY, BACK, GOES_ON, ONE_HEAD, SILENT, UNLISTED};
use crate::c5::C5;
use crate::figures::Figures;
use crate::lan::Lan;
use crate::room::{Plan, Room, is, seat};

/// The CPU takes an away seat over at once, so that "play goes on" needs nobody's patience.
const NO_GRACE: &str = "--grace 0";

/// The device that keeps is killed; the others play on; it comes back.
pub(super) fn keeper(seats: usize, on_its_way: bool) -> Result<Figures> {
    let mut room = Room::new(Plan::new(seats, NO_GRACE))?;
    room.moves(&room.running(), 2 * seats)?;
    let victim = room.keeper();
    if on_its_way {
        // Its own stone is told to it, and has perhaps left it, when it dies.
        let since = Instant::now();
        room.run("a turn of the keeper", |room| room.since(victim, since, is("your_turn")).is_some())?;
        let since = Instant::now();
        room.run("its stone", |room| room.has_placed(victim, since))?;
    }
    let mut figures = die(&mut room, victim)?;
    figures.extend(come_back(&mut room, victim)?);
    close(room, figures)
}

/// A device that does not keep is killed.
pub(super) fn another() -> Result<Figures> {
    let mut room = Room::new(Plan::new(3, NO_GRACE))?;
    room.moves(&room.running(), 4)?;
    let victim = (room.keeper() + 1) % 3;
    let mut figures = die(&mut room, victim)?;
    figures.extend(come_back(&mut room, victim)?);
    close(room, figures)
}

/// Kills one, and measures what the others see of it.
fn die(room: &mut Room, victim: usize) -> Result<Figures> {
    let mut figures = Figures::default();
    let killed = room.kill(victim)?;
    let others = room.running();
    figures.time("silent", room.wait(&others, killed, "silence", seat(victim, "silent"))?, SILENT);
    figures.time("away", room.wait(&others, killed, "absence", seat(victim, "away"))?, AWAY);
    // A move that was on the table already when the keeper died does not show that play goes on: this one came after
    // the roll that says so.
    let rolled = killed + room.wait(&others, killed, "roll", is("keeper"))?;
    let on = room.wait(&others, rolled, "move", is("move"))? + rolled.duration_since(killed);
    figures.time("play goes on", on, GOES_ON);
    room.moves(&others, 3)?;
    Ok(figures)
}

/// It comes back, and everybody knows.
fn come_back(room: &mut Room, device: usize) -> Result<Figures> {
    let mut figures = Figures::default();
    let started = room.resume(device)?;
    let up = started + room.wait(&[device], started, "its table", is("table"))?;
    figures.time("process up", up.duration_since(started), None);
    let others = room.others(&[device]);
    figures.time("back for the others", room.wait(&others, up, "return", seat(device, "human"))?, BACK);
    figures.time("back at its seat", room.wait(&[device], up, "roll", is("keeper"))?, BACK);
    room.moves(&room.running(), 3)?;
    Ok(figures)
}

pub(super) fn close(mut room: Room, mut figures: Figures) -> Result<Figures> {
    figures.time("one head", room.settle()?, ONE_HEAD);
    let kept = room.close()?;
    figures.count("final acts in the log", kept.in_log);
    if kept.rewound > 0 {
        figures.count("in branches", kept.in_branch);
        figures.count("times back", kept.rewound);
    }
    Ok(figures)
}

/// Two die one after the other, the keeper first; the one who died last comes back first.
pub(super) fn two_of_four() -> Result<Figures> {
    let mut room = Room::new(Plan::new(4, NO_GRACE))?;
    room.moves(&room.running(), 4)?;
    let first = room.keeper();
    let second = (first + 2) % 4;
    room.kill(first)?;
    room.play(Duration::from_millis(300))?;
    let mut figures = die(&mut room, second)?;
    figures.extend(come_back(&mut room, second)?);
    figures.extend(come_back(&mut room, first)?);
    close(room, figures)
}

/// All die at once and come back one after the other.
pub(super) fn all_four(order: &[usize]) -> Result<Figures> {
    let mut room = Room::new(Plan::new(4, NO_GRACE))?;
    room.moves(&room.running(), 6)?;
    for device in room.running() {
        room.kill(device)?;
    }
    let mut figures = Figures::default();
    for (number, &device) in order.iter().enumerate() {
        let started = room.resume(device)?;
        if number == 0 {
            let on = room.wait(&[device], started, "a move of one alone", is("move"))?;
            figures.time("one alone plays on", on, None);
        } else {
            figures.time("back at its seat", room.wait(&[device], started, "roll", is("keeper"))?, None);
        }
        room.moves(&room.running(), 2)?;
    }
    close(room, figures)
}

/// A table of two devices: both are killed, and somebody else's list forgets it.
pub(super) fn unlisted() -> Result<Figures> {
    let (lan, data) = (Lan::new(3)?, TempDir::new()?);
    let mut looks = C5::start(&lan, 2, &data.path().join("looks"), "tables --for 0")?;
    let mut room = Room::on(lan, Plan::new(2, ""))?;
    looks.event("listed")?;
    room.moves(&room.running(), 2)?;
    for device in room.running() {
        room.kill(device)?;
    }
    let killed = Instant::now();
    looks.event("unlisted")?;
    let mut figures = Figures::default();
    figures.time("gone from the list", killed.elapsed(), UNLISTED);
    Ok(figures)
}
