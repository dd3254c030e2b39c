//! A network that falls apart into two, on both sides of which people play on, and heals.

use std::time::Instant;

use anyhow::Result;

use super::deaths::close;
use super::{AWAY, GOES_ON, SILENT};
use crate::figures::Figures;
use crate::room::{Plan, Room, is, seat};

/// Hosts with the same number stay together.
pub(super) fn split(sides: &[u8]) -> Result<Figures> {
    let mut room = Room::new(Plan::new(sides.len(), "--grace 0"))?;
    let everybody = room.running();
    room.moves(&everybody, sides.len() * 2)?;
    room.lan.part(sides)?;
    let parted = Instant::now();
    let mut figures = Figures::default();
    let (one, other) = (0, sides.iter().position(|side| *side != sides[0]).unwrap_or(0));
    let silent = [
        room.wait(&[one], parted, "silence", seat(other, "silent"))?,
        room.wait(&[other], parted, "silence", seat(one, "silent"))?,
    ];
    figures.time("silent", silent.into_iter().max().unwrap_or_default(), SILENT);
    let away = [
        room.wait(&[one], parted, "absence", seat(other, "away"))?,
        room.wait(&[other], parted, "absence", seat(one, "away"))?,
    ];
    let gone = away.into_iter().max().unwrap_or_default();
    figures.time("away", gone, AWAY);
    let on = room.wait(&everybody, parted + gone, "move", is("move"))?;
    figures.time("both sides play on", gone + on, GOES_ON);
    room.moves(&everybody, sides.len() * 2)?;
    room.lan.whole()?;
    let healed = Instant::now();
    let back = room.wait(&everybody, healed, "roll", is("keeper"))?;
    figures.time("together again", back, None);
    room.moves(&everybody, 4)?;
    close(room, figures)
}
