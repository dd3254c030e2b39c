//! A position without a table: everything there is to see of it.

use cpu::{Making, SideThreats};
use rules::{Colour, Game, Must};
use table::{Made, MoveRecord};

use super::board::of_game;
use super::moves::{Track, move_view};
use super::result::{result_view, text};
use super::{must_view, reasons, rules_view};
use crate::api::study::{
    GoneView, Makes, MakesView, PlayerView, PositionTurn, PositionView, SideThreatsView, TakesView, WinThreatView,
};
use crate::api::table::BoardView;
use crate::study::board_of;

/// What there is to see of a game's present position. It is played again from its start, so that each stone has its
/// number.
pub(crate) fn position_view(game: &Game) -> PositionView {
    let Told { records, track, gone } = tell(game);
    let players: Vec<u8> = (0..game.rules().players()).collect();
    let player = |player: &u8| {
        let colour = game.colour_of(*player);
        let tray = track.trays[colour.index()].clone();
        PlayerView { player: *player, colour, captured: game.captured(colour), tray }
    };
    PositionView {
        rules: rules_view(game.rules()),
        board: board_view(game, &track),
        legal: legal(game),
        turn: game.turn().map(|turn| PositionTurn {
            player: turn.player,
            colour: turn.colour,
            must: must_view(turn.must),
        }),
        moves: records.iter().map(|record| move_view(record, true)).collect(),
        gone,
        result: game.result().map(|outcome| result_view(game, outcome, &players, &[])),
        threats: cpu::threats(game).iter().map(threats_view).collect(),
        setup: game.to_setup().as_ref().map(board_of),
        text: game.to_text(),
        players: players.iter().map(player).collect(),
    }
}

/// A game played again.
struct Told {
    records: Vec<MoveRecord>,
    track: Track,
    gone: Vec<GoneView>,
}

fn tell(game: &Game) -> Told {
    let start = game.setup().map(|setup| Game::from_setup(setup).expect("it was one before"));
    let mut again = start.unwrap_or_else(|| Game::new(*game.rules()));
    let mut told = Told { records: Vec::new(), track: Track::default(), gone: Vec::new() };
    for at in game.rules().board().points() {
        if let Some(colour) = again.stone(at) {
            told.track.stones.insert(at, (colour, 0));
        }
    }
    let first = again.ply();
    for (index, action) in (0..).zip(game.actions()) {
        let played = again.play(action).expect("it was legal before");
        let ply = again.ply() - first;
        let record = MoveRecord { index, seat: played.player, by: Made::Hand, action: action.clone(), played, ply };
        told.track.play(&record);
        let by = |stone| GoneView { stone, by: ply };
        told.gone.extend(told.track.taken.iter().cloned().map(by));
        told.records.push(record);
    }
    told
}

fn board_view(game: &Game, track: &Track) -> BoardView {
    let mut board = of_game(game, track);
    board.taken_by = track.taken_by.and_then(|colour| player_of(game, colour));
    board.taken = track.taken.clone();
    board.stops = reasons::stops(game);
    if let Some(turn) = game.turn().filter(|turn| turn.must == Must::Place) {
        board.forbidden = reasons::forbidden(game);
        board.previews = reasons::previews(game);
        board.threats = reasons::threats(game, turn.colour);
    }
    board
}

/// Whose tray shows what a colour took: who placed the last stone, if it is theirs, else the first of that colour.
fn player_of(game: &Game, colour: Colour) -> Option<u8> {
    (0..game.rules().players()).find(|&player| game.colour_of(player) == colour)
}

fn legal(game: &Game) -> Vec<String> {
    if game.turn().is_none_or(|turn| turn.must != Must::Place) {
        return Vec::new();
    }
    let points: Vec<_> = game.rules().board().points().filter(|&at| game.check(at).is_ok()).collect();
    text(&points)
}

fn threats_view(threats: &SideThreats) -> SideThreatsView {
    let groups = |groups: &[rules::Group]| groups.iter().map(|group| text(&group.0)).collect::<Vec<_>>();
    let win = |win: &cpu::Winning| WinThreatView {
        at: win.at.to_string(),
        takes: groups(&win.way.takes),
        after: reasons::after_view(&win.way.after, threats.side).0,
    };
    let mut makes: Vec<MakesView> =
        threats.makes.iter().map(|&(at, making)| MakesView { at: at.to_string(), makes: makes_view(making) }).collect();
    makes.sort_by_key(|made| std::cmp::Reverse(made.makes));
    SideThreatsView {
        side: threats.side,
        ahead: threats.ahead,
        wins: threats.wins.iter().map(win).collect(),
        makes,
        takes: threats
            .takes
            .iter()
            .map(|(at, taken)| TakesView { at: at.to_string(), groups: groups(taken) })
            .collect(),
    }
}

const fn makes_view(making: Making) -> Makes {
    match making {
        Making::OpenThree => Makes::OpenThree,
        Making::DoubleThree => Makes::DoubleThree,
        Making::Four => Makes::Four,
        Making::FourAndThree => Makes::FourAndThree,
        Making::DoubleFour => Makes::DoubleFour,
        Making::OpenFour => Makes::OpenFour,
    }
}
