//! How a game ended, for the result's sentence.

use rules::{Colour, Condition, DrawBy, Game, Outcome, Point};
use table::Current;

use crate::api::table::{ResultKind, ResultView};

pub(super) fn of_current(current: &Current) -> Option<ResultView> {
    Some(result_view(&current.game, current.game.result()?, &current.order, &current.resigned))
}

/// `order` are the seats in turn order; `resigned` seats are not among the winners.
pub(crate) fn result_view(game: &Game, outcome: &Outcome, order: &[u8], resigned: &[u8]) -> ResultView {
    let overline = game.rules().options().overline.name().to_owned();
    match outcome {
        Outcome::Win { winners, by } => ResultView {
            kind: ResultKind::Win,
            winners: winning_seats(game, order, resigned, winners),
            colours: winners.clone(),
            by: by.iter().map(|&by| by.name().to_owned()).collect(),
            overline,
            line: winning_lines(game).into_iter().next().map_or(Vec::new(), |(_, points)| text(&points)),
        },
        Outcome::Draw(why) => ResultView {
            kind: ResultKind::Draw,
            winners: Vec::new(),
            colours: Vec::new(),
            by: vec![why.name().to_owned()],
            overline,
            line: Vec::new(),
        },
    }
}

/// `game` says who has which colour.
pub(crate) fn winning_seats(game: &Game, order: &[u8], resigned: &[u8], winners: &[Colour]) -> Vec<u8> {
    let mut seats: Vec<u8> = (0u8..)
        .zip(order)
        .filter(|(player, seat)| winners.contains(&game.colour_of(*player)) && !resigned.contains(seat))
        .map(|(_, &seat)| seat)
        .collect();
    seats.sort_unstable();
    seats
}

/// The lines of the winners; none after a resignation, though one may lie there in overtime.
pub(super) fn winning_lines(game: &Game) -> Vec<(Colour, Vec<Point>)> {
    match game.result() {
        Some(Outcome::Win { winners, by }) if by.contains(&Condition::Line) => {
            game.winning_lines().into_iter().filter(|(colour, _)| winners.contains(colour)).collect()
        }
        Some(Outcome::Draw(DrawBy::AllWin)) => game.winning_lines(),
        Some(Outcome::Win { .. } | Outcome::Draw(DrawBy::FullBoard | DrawBy::NoLegalMove | DrawBy::Agreement))
        | None => Vec::new(),
    }
}

pub(super) fn text(points: &[Point]) -> Vec<String> {
    points.iter().map(Point::to_string).collect()
}
