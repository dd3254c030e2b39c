//! The moves of the running game, and what they leave: which ply placed each stone, and what lies in the trays.

use std::collections::{BTreeMap, BTreeSet};

use rules::{Action, Colour, Point};
use table::{Made, MoveRecord, State};

use crate::api::table::{By, MoveView, StoneView};
use crate::snapshot::Snapshot;

/// A replay of the moves for the eye.
#[derive(Default)]
pub(crate) struct Track {
    /// What lies where, and the ply that placed it.
    pub(crate) stones: BTreeMap<Point, (Colour, u16)>,
    /// By colour (in the order of `Colour::ALL`): the stones it has taken, oldest first.
    pub(crate) trays: [Vec<Colour>; 4],
    /// What the last move took from the board.
    pub(crate) taken: Vec<StoneView>,
    /// Whose tray that went to.
    pub(crate) taken_by: Option<Colour>,
    /// The last stone placed.
    pub(crate) last: Option<Point>,
}

impl Track {
    pub(crate) fn of(state: &State) -> Track {
        let mut track = Track::default();
        for record in state.current.iter().flat_map(|current| &current.moves) {
            track.play(record);
        }
        track
    }

    pub(crate) fn play(&mut self, record: &MoveRecord) {
        self.taken.clear();
        self.taken_by = None;
        let (Action::Place { at, .. }, Some(colour)) = (&record.action, record.played.colour) else { return };
        self.stones.insert(*at, (colour, record.ply));
        self.last = Some(*at);
        let mut gone = Vec::new();
        for &point in record.played.took.iter().flat_map(|group| &group.0) {
            self.take(colour, point, &mut gone);
        }
        for (taker, points) in &record.played.lost {
            for &point in points {
                self.take(*taker, point, &mut gone);
            }
        }
        for point in gone {
            // A stone that two sides take leaves the board once.
            if let Some((colour, ply)) = self.stones.remove(&point) {
                self.taken.push(stone_view(point, colour, ply));
            }
        }
    }

    fn take(&mut self, taker: Colour, point: Point, gone: &mut Vec<Point>) {
        if let Some(&(colour, _)) = self.stones.get(&point) {
            self.trays[taker.index()].push(colour);
            self.taken_by = self.taken_by.or(Some(taker));
            gone.push(point);
        }
    }
}

pub(crate) fn stone_view(at: Point, colour: Colour, ply: u16) -> StoneView {
    StoneView { at: at.to_string(), colour, ply }
}

pub(super) fn moves_view(seen: &Snapshot, state: &State) -> Vec<MoveView> {
    let moves = state.current.iter().flat_map(|current| &current.moves);
    moves.map(|record| move_view(record, seen.is_final(record.index))).collect()
}

pub(super) fn move_view(record: &MoveRecord, is_final: bool) -> MoveView {
    let (ply, at, choice) = match &record.action {
        Action::Place { at, .. } => (record.ply, Some(at.to_string()), None),
        Action::Choose(colour) => (0, None, Some(colour.name().to_owned())),
        Action::Add => (0, None, Some("add".to_owned())),
        Action::Resign(_) | Action::Draw => (0, None, None),
    };
    // A stone that two sides take is lost once.
    let lost: BTreeSet<Point> = record.played.lost.iter().flat_map(|(_, points)| points).copied().collect();
    MoveView {
        ply,
        seat: record.seat,
        colour: record.played.colour,
        at,
        choice,
        took: record.played.took.iter().flat_map(|group| &group.0).map(Point::to_string).collect(),
        lost: lost.iter().map(|point| point.to_string()).collect(),
        by: by_view(record.by),
        is_final,
    }
}

const fn by_view(made: Made) -> By {
    match made {
        Made::Hand => By::Hand,
        Made::Cpu => By::Cpu,
        Made::Clock => By::Clock,
    }
}
