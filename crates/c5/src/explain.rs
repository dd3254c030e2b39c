//! Refusals in words that tell what only the table shows.

use app::Snapshot;
use app::api::{ApiError, ErrorCode};
use rules::{Game, Must, Refusal};

use crate::sentences::who;
use crate::standing::next_game;

/// A refusal that says what only the table shows: whom to wait for, or how to come by a seat.
pub(crate) fn explained(error: ApiError, seen: &Snapshot) -> ApiError {
    if error.code == ErrorCode::NoSuchSeat && seen.state.is_some() && seen.my_seat.is_none() {
        let message = format!("you have no seat here: write leave, and sit down with `c5 join {}`", seen.table);
        return ApiError { message, ..error };
    }
    if error.code != ErrorCode::NotYourTurn {
        return error;
    }
    match &seen.state {
        Some(state) if !state.playing() => no_game(seen),
        Some(state) => match state.turn_seat() {
            Some(seat) => {
                ApiError { message: format!("it is not your turn: {} is to move", who(state, seat)), ..error }
            }
            None => error,
        },
        None => error,
    }
}

/// A move before the first game, or between two: what the next one waits for.
pub(crate) fn no_game(seen: &Snapshot) -> ApiError {
    let Some(state) = &seen.state else {
        return ApiError::new(ErrorCode::NotYourTurn, "the table is still being fetched: wait a moment");
    };
    let none = if state.current.is_none() { "no game has begun" } else { "the game is over" };
    let waits = next_game(seen, state).unwrap_or_else(|| "the next one is about to begin".to_owned());
    ApiError::new(ErrorCode::NotYourTurn, format!("{none}: {waits}"))
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

    #[tokio::test]
    async fn a_move_without_a_game_is_answered_by_what_the_next_one_waits_for() {
        let mut seen = crate::script::lobby(2).await;
        let told = |seen: &Snapshot| {
            let error = explained(ApiError::new(ErrorCode::NotYourTurn, "wait for your turn"), seen);
            assert_eq!(error.code, ErrorCode::NotYourTurn);
            error.message
        };
        assert_eq!(told(&seen), "no game has begun: the next game waits for Ben (seat 1)");
        crate::script::seat(&mut seen, 1).ready = true;
        assert_eq!(told(&seen), "no game has begun: the next one is about to begin");
        let three = crate::script::lobby(3).await;
        assert!(told(&three).contains("sit down in seat 2; or write start"), "{}", told(&three));
        let playing = crate::script::game(3).await;
        assert_eq!(told(&playing), "it is not your turn: Anna (seat 0) is to move");
    }
}
