//! What was continued apart, as lines of a list and move by move.

use table::{Branch, Current, State};

use super::moves::{Track, move_view, stone_view};
use super::{rules_view, seats};
use crate::api::branch::{BranchView, ReplayView};
use crate::api::table::BoardView;
use crate::snapshot::Snapshot;

/// `None` for a branch without a stone or a choice: there is nothing to look at in it.
pub(crate) fn branch_view(branch: &Branch) -> Option<BranchView> {
    let view = BranchView { head: branch.head.to_string(), game: branch.game, moves: branch.moves };
    (branch.moves > 0).then_some(view)
}

/// A game move by move; what stands at the log's entry `first` and later was continued apart.
pub(crate) fn replay_view(seen: &Snapshot, state: &State, current: Current, first: u32) -> ReplayView {
    let rules = rules_view(current.game.rules());
    let coordinates = current.game.rules().options().show_coordinates;
    let mut track = Track::default();
    let mut boards = vec![board_of(&track, rules.board, coordinates)];
    for record in &current.moves {
        track.play(record);
        boards.push(board_of(&track, rules.board, coordinates));
    }
    let common = current.moves.iter().filter(|made| made.index < first).count();
    let moves = current.moves.iter().map(|made| move_view(made, made.index < first)).collect();
    let mut then = state.clone();
    then.current = Some(current);
    let seats = seats::seats_view(seen, &then, &track);
    ReplayView { rules, seats, common: u32::try_from(common).unwrap_or(u32::MAX), moves, boards }
}

fn board_of(track: &Track, size: u8, coordinates: bool) -> BoardView {
    BoardView {
        size,
        coordinates,
        stones: track.stones.iter().map(|(&at, &(colour, ply))| stone_view(at, colour, ply)).collect(),
        last: track.last.map(|at| at.to_string()),
        taken: track.taken.clone(),
        ..BoardView::default()
    }
}
