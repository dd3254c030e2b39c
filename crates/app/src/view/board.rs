//! The board: stones, what may not be played, what a stone would do, lines.

use rules::{Action, Colour, Game, Must, Point, Refusal, Rules};
use table::State;

use super::moves::{Track, stone_view};
use super::result::{text, winning_lines};
use crate::api::table::{BoardView, ForbiddenView, LineView, PreviewView, StoneView};
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
    let to_place = current.game.turn().is_some_and(|turn| turn.must == Must::Place);
    let mine = state.turn_seat().is_some_and(|seat| super::acts(seen, state, seat));
    if to_place && mine {
        board.forbidden = forbidden(&current.game);
        board.previews = previews(&current.game);
    }
    board
}

fn still(state: &State, track: &Track) -> BoardView {
    let mut board = empty_board(&state.rules);
    let Some(current) = &state.current else { return board };
    let rules = current.game.rules();
    board.size = rules.board().side();
    board.stones = track.stones.iter().map(|(&at, &(colour, ply))| stone_view(at, colour, ply)).collect();
    board.last = track.last.map(|at| at.to_string());
    board.lines = winning_lines(&current.game).into_iter().map(line_view).collect();
    if let Some(overtime) = current.game.overtime() {
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

fn forbidden(game: &Game) -> Vec<ForbiddenView> {
    let illegal = game.illegal().into_iter();
    illegal
        .filter_map(|at| {
            let reason = game.reason(at)?;
            let why = why_forbidden(game, reason.refusal)?.to_owned();
            Some(ForbiddenView { at: at.to_string(), why, because: text(&reason.points) })
        })
        .collect()
}

/// The key of `forbidden.*`; `None` for refusals that no empty point has.
fn why_forbidden(game: &Game, refusal: Refusal) -> Option<&'static str> {
    match refusal {
        Refusal::Opening if game.ply() == 0 => Some("opening-centre"),
        Refusal::Opening => Some("opening-distance"),
        Refusal::IntoFlank => Some("into-flank"),
        Refusal::DoubleThree => Some("double-three"),
        Refusal::DoubleFour => Some("double-four"),
        Refusal::Overline => Some("overline"),
        Refusal::GameOver
        | Refusal::BadRequest
        | Refusal::NotAChoice
        | Refusal::OffBoard
        | Refusal::Occupied
        | Refusal::BadTake => None,
    }
}

fn previews(game: &Game) -> Vec<PreviewView> {
    let optional = !game.rules().options().forced_capture;
    let empty = game.rules().board().points().filter(|&at| game.stone(at).is_none());
    empty
        .filter_map(|at| {
            let preview = game.preview(at);
            if preview.takes.is_empty() && preview.lost.is_empty() && !preview.wins {
                return None;
            }
            let lost: std::collections::BTreeSet<Point> =
                preview.lost.iter().flat_map(|(_, points)| points).copied().collect();
            Some(PreviewView {
                at: at.to_string(),
                optional: optional && !preview.takes.is_empty(),
                takes: preview.takes.iter().map(|group| text(&group.0)).collect(),
                lost: lost.iter().map(Point::to_string).collect(),
                wins: preview.wins,
            })
        })
        .collect()
}
