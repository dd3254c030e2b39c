//! Cables, addresses and weather.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::deaths::close;
use super::{AWAY, SILENT};
use crate::figures::Figures;
use crate::lan::Lan;
use crate::room::{Plan, Room, is, seat};
use crate::slow::Weather;

/// One host's cable is pulled for a while; everybody plays on where play can go on.
pub(super) fn pulled(seats: usize, victim: usize, seconds: u64) -> Result<Figures> {
    let mut room = Room::new(Plan::new(seats, "--grace 60"))?;
    room.moves(&room.running(), 3)?;
    let (cut, length) = (Instant::now(), Duration::from_secs(seconds));
    room.lan.cut(victim)?;
    let others = room.others(&[victim]);
    let mut figures = Figures::default();
    if seconds > 6 {
        figures.time("silent", room.wait(&others, cut, "silence", seat(victim, "silent"))?, SILENT);
        figures.time("away", room.wait(&others, cut, "absence", seat(victim, "away"))?, AWAY);
    }
    if seconds > 65 {
        figures.time("taken", room.wait(&others, cut, "takeover", seat(victim, "taken"))?, None);
    }
    room.play(length.saturating_sub(cut.elapsed()))?;
    room.lan.heal(victim)?;
    let healed = Instant::now();
    if seconds > 6 {
        figures.time("back for the others", room.wait(&others, healed, "return", seat(victim, "human"))?, None);
    }
    room.moves(&room.running(), 4)?;
    let shown = others.iter().map(|&device| room.count(device, cut, seat(victim, "away"))).sum();
    figures.count("times shown as away", shown);
    close(room, figures)
}

/// Two hosts get each other's addresses while they play.
pub(super) fn swapped() -> Result<Figures> {
    let mut room = Room::new(Plan::new(3, "--grace 60"))?;
    room.moves(&room.running(), 3)?;
    let swapped = Instant::now();
    room.lan.swap_addresses(0, 1)?;
    let mut figures = Figures::default();
    room.moves(&room.running(), 4)?;
    figures.time("four moves later", swapped.elapsed(), None);
    let everybody = room.running();
    let away = |event: &serde_json::Value| event["event"] == "seat" && event["state"] == "away";
    figures.count("times shown as away", everybody.iter().map(|&device| room.count(device, swapped, away)).sum());
    close(room, figures)
}

/// Three hosts in two networks each; first the one fails for everybody, then the other.
pub(super) fn two_networks() -> Result<Figures> {
    let (lan, second) = (Lan::new(3)?, Lan::new(1)?);
    for host in 0..3 {
        second.join(&lan, host, 1 + host)?;
    }
    let mut room = Room::on(lan, Plan::new(3, "--grace 60"))?;
    room.moves(&room.running(), 3)?;
    let mut figures = Figures::default();
    let everybody = room.running();
    for (what, in_first) in [("first network gone", true), ("second network gone", false)] {
        let each = |room: &Room, on: bool| {
            (0..3).try_for_each(|host| {
                let (lan, port) = if in_first { (&room.lan, host) } else { (&second, 1 + host) };
                if on { lan.heal(port) } else { lan.cut(port) }
            })
        };
        each(&room, false)?;
        let since = Instant::now();
        room.moves(&everybody, 4)?;
        figures.time(&format!("{what}: four moves later"), since.elapsed(), None);
        each(&room, true)?;
        room.play(Duration::from_secs(3))?;
    }
    close(room, figures)
}

/// A network without a router and without a name server is all that a game needs.
pub(super) fn no_way_out() -> Result<Figures> {
    let mut room = Room::new(Plan::new(2, ""))?;
    for host in 0..2 {
        ensure!(!room.lan.has_default_route(host)?, "host {host} has a way out");
    }
    room.moves(&room.running(), 10)?;
    let mut figures = Figures::default();
    figures.times("a stone's way", &room.ways());
    close(room, figures)
}

/// Between any two hosts frames take 50±20 ms, and a fifth is lost: half of that on each of the two cables between them.
pub(super) fn weather(moves: usize) -> Result<Figures> {
    let lan = Lan::new(2)?;
    let half = |seed| Weather {
        delay: Duration::from_millis(25),
        jitter: Duration::from_millis(10),
        loss_permille: 106,
        seed,
    };
    let _rough = [lan.weather(0, half(1))?, lan.weather(1, half(2))?];
    let begun = Instant::now();
    let mut room = Room::on(lan, Plan::new(2, "--grace 60"))?;
    let mut figures = Figures::default();
    figures.time("found, linked and begun", begun.elapsed(), None);
    room.moves(&room.running(), moves)?;
    figures.times("a stone's way", &room.ways());
    let down = |event: &serde_json::Value| event["event"] == "link" && event["state"] == "down";
    let silent = |event: &serde_json::Value| event["event"] == "seat" && event["state"] == "silent";
    let each = |counts: &dyn Fn(&serde_json::Value) -> bool| {
        [0, 1].iter().map(|&device| room.count(device, begun, counts)).sum()
    };
    figures.count("links lost", each(&down));
    figures.count("times silent", each(&silent));
    let rolls = [0, 1].iter().map(|&device| room.count(device, begun, is("keeper"))).max().unwrap_or(0);
    figures.count("rolls", rolls);
    close(room, figures)
}
