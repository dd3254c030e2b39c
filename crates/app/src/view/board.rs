//! The board: stones and lines, and, with `reasons`, what stones may and would do.

use rules::{Action, Colour, Game, Must, Point, Rules};
use table::State;

use super::moves::{Track, stone_view};
use super::reasons;
use super::result::{text, winning_lines};
use crate::api::table::{BoardView, LineView, StoneView};
use crate::snapshot::Snapshot;

pub(super) fn empty_board(rules: &Rules) -> BoardView {
    BoardView { size: rules.board().side(), coordinates: rules.options().show_coordinates, ..BoardView::default() }
}

/// Stones, the last stone and lines: what a small picture needs.
pub(crate) fn bare_board(state: &State) -> BoardView {
    still(state, &Track::of(state))
}

pub(super) fn board_view(seen: &Snapshot, state: &State, track: &Track) -> BoardView {
    let mut board = still(state, track);
    board.taken = track.taken.clone();
    board.taken_by = track.taken_by.and_then(|colour| tray_seat(state, colour));
    let Some(current) = &state.current else { return board };
    board.ghost = ghost(seen, &current.game);
    board.stops = reasons::stops(&current.game);
    if let Some(colour) = seen.my_seat.and_then(|seat| state.colour(seat)) {
        board.threats = reasons::threats(&current.game, colour);
    }
    let to_place = current.game.turn().is_some_and(|turn| turn.must == Must::Place);
    let mine = state.turn_seat().is_some_and(|seat| super::acts(seen, state, seat));
    if to_place && mine {
        board.forbidden = reasons::forbidden(&current.game);
        board.previews = reasons::previews(&current.game);
    }
    board
}

fn still(state: &State, track: &Track) -> BoardView {
    match &state.current {
        Some(current) => of_game(&current.game, track),
        None => empty_board(super::rules_of(state)),
    }
}

/// Stones, the last stone and lines.
pub(super) fn of_game(game: &Game, track: &Track) -> BoardView {
    let mut board = empty_board(game.rules());
    board.stones = track.stones.iter().map(|(&at, &(colour, ply))| stone_view(at, colour, ply)).collect();
    board.last = track.last.map(|at| at.to_string());
    board.lines = winning_lines(game).into_iter().map(line_view).collect();
    if let Some(overtime) = game.overtime() {
        board.overtime = overtime.lines.iter().map(|line| line_view((overtime.colour, line.clone()))).collect();
    }
    board
}

fn line_view((colour, points): (Colour, Vec<Point>)) -> LineView {
    LineView { colour, points: text(&points) }
}

/// The seat whose tray shows what this colour took: the mover's, if the colour is theirs, else the first of that colour.
fn tray_seat(state: &State, colour: Colour) -> Option<u8> {
    let current = state.current.as_ref()?;
    let mover = current.moves.last().map(|record| record.seat);
    let of_colour = |&seat: &u8| state.colour(seat) == Some(colour);
    mover.filter(of_colour).or_else(|| current.order.iter().copied().find(of_colour))
}

fn ghost(seen: &Snapshot, game: &Game) -> Option<StoneView> {
    match seen.ghost.as_ref()? {
        Action::Place { at, .. } => Some(stone_view(*at, game.turn()?.colour, game.ply() + 1)),
        Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => None,
    }
}
