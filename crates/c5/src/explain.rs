//! Refusals in words that tell what only the table shows.

use app::Snapshot;
use app::api::{ApiError, ErrorCode};
use rules::{Game, Must, Refusal};

use crate::sentences::who;

/// A refusal that says what only the table shows: whom to wait for, or how to come by a seat.
pub(crate) fn explained(error: ApiError, seen: &Snapshot) -> ApiError {
    if error.code == ErrorCode::NoSuchSeat && seen.state.is_some() && seen.my_seat.is_none() {
        let message = format!("you have no seat here: write leave, and sit down with `c5 join {}`", seen.table);
        return ApiError { message, ..error };
    }
    let turn = seen.state.as_ref().and_then(|state| Some(who(state, state.turn_seat()?)));
    match turn.filter(|_| error.code == ErrorCode::NotYourTurn) {
        Some(turn) => ApiError { message: format!("it is not your turn: {turn} is to move"), ..error },
        None => error,
    }
}

/// The away seat that is meant where none is named: the only one, or else an error that names them.
pub(crate) fn only_away(seen: &Snapshot) -> Result<(), ApiError> {
    let Some(state) = &seen.state else { return Ok(()) };
    let away = (0..state.seats.len() as u8).filter(|&seat| seen.is_waited_for(seat));
    let away: Vec<String> = away.map(|seat| who(state, seat)).collect();
    let message = match away.len() {
        0 => "no seat is away: nobody is waited for".to_owned(),
        1 => return Ok(()),
        _ => format!("{} are away: name one of the seats", away.join(" and ")),
    };
    Err(ApiError::new(ErrorCode::BadCommand, message))
}

/// A refusal that says what can be written instead, where a choice or a stone is due.
pub(crate) fn choices_named(refusal: Refusal, game: &Game) -> ApiError {
    let error = ApiError::from(refusal);
    let Some(turn) = game.turn().filter(|_| refusal == Refusal::NotAChoice) else { return error };
    let due = match turn.must {
        Must::Place => "a stone is due: name a point, as h8",
        Must::Choose => "a choice is due: write black or white",
        Must::ChooseOrAdd => "a choice is due: write black, white or add",
    };
    ApiError { message: due.to_owned(), ..error }
}

#[cfg(test)]
mod tests {
    use rules::{Action, Point, Preset};

    use super::*;

    #[test]
    fn a_wrong_kind_of_action_is_answered_with_the_right_one() {
        let mut game = Game::new(Preset::PenteSwap2.options().check(Preset::PenteSwap2).expect("rules"));
        let told = |game: &Game| choices_named(Refusal::NotAChoice, game).message;
        assert!(told(&game).contains("a stone is due"), "{}", told(&game));
        // The opening asks for a choice after some stones.
        let mut points = game.rules().board().points().collect::<Vec<Point>>().into_iter();
        while game.turn().is_some_and(|turn| turn.must == Must::Place) {
            let at = points.next().expect("a choice comes before the board is full");
            // A point that the opening forbids is passed over.
            let _ = game.play(&Action::place(at));
        }
        assert!(told(&game).contains("black, white or add"), "{}", told(&game));
        assert_eq!(game.play(&Action::place("A1".parse().expect("a point"))).err(), Some(Refusal::NotAChoice));
        assert_eq!(choices_named(Refusal::Occupied, &game), ApiError::from(Refusal::Occupied));
    }
}
