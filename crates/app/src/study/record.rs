//! Games that were played, as positions to be gone through.

use std::str::FromStr;

use history::Finished;
use rules::{Game, OptionName, Rules};
use table::{Current, Made, TableId};

use crate::api::study::{GameRecord, PositionRequest};
use crate::api::table::By;
use crate::api::{ApiError, ErrorCode};
use crate::names::clean_name;
use crate::snapshot::{Snapshot, players_of};

/// `TABLE/number`, or a table's id for the game that stands there.
pub(crate) fn read_name(name: &str) -> Result<(TableId, Option<u32>), ApiError> {
    let unknown = || not_found(name);
    match name.split_once('/') {
        Some((table, number)) => {
            let number = number.parse().map_err(|_| unknown())?;
            Ok((TableId::from_str(table).map_err(|_| unknown())?, Some(number)))
        }
        None => Ok((TableId::from_str(name).map_err(|_| unknown())?, None)),
    }
}

fn not_found(name: &str) -> ApiError {
    ApiError::new(ErrorCode::NotFound, format!("no game {name:?} is kept here: take its name from the list"))
        .with("why", "no-game")
}

pub(crate) fn of_finished(kept: &Finished) -> GameRecord {
    let name = |seat: &u8| kept.names.get(usize::from(*seat)).map_or_else(String::new, |name| clean_name(name));
    GameRecord {
        game: format!("{}/{}", kept.table, kept.number),
        position: request(&kept.rules, kept.actions.iter().map(ToString::to_string).collect()),
        names: kept.order.iter().map(name).collect(),
        mine: (0u8..).zip(&kept.order).filter(|(_, seat)| kept.mine.contains(seat)).map(|(player, _)| player).collect(),
        by: kept.made.chars().map(by_letter).collect(),
        over: true,
        ended_s: Some(kept.ended_s),
    }
}

/// The letters of [`Finished::made`].
const fn by_letter(letter: char) -> By {
    match letter {
        'c' => By::Cpu,
        'k' => By::Clock,
        _ => By::Hand,
    }
}

/// The game at a table: one that is over, or the own one, unless it is ranked. Nobody gets help in a ranked game, nor from
/// looking on in one that goes on.
pub(crate) fn of_table(seen: &Snapshot, number: Option<u32>) -> Result<GameRecord, ApiError> {
    let name = |number: u32| format!("{}/{number}", seen.table);
    let state = seen.state.as_ref();
    let current: Option<(&Current, _)> = state.and_then(|state| Some((state.current.as_ref()?, state)));
    let (current, state) = current
        .filter(|(current, _)| number.is_none_or(|number| number == current.number))
        .ok_or_else(|| not_found(&name(number.unwrap_or(0))))?;
    let over = current.game.result().is_some();
    let refused = |why: &str, about: &str| Err(ApiError::new(ErrorCode::BadCommand, about).with("why", why));
    if !over && current.is_ranked() {
        return refused("ranked", "a ranked game is gone through when it is over: play on");
    }
    if !over && seen.my_seat.is_none() {
        return refused("looking-on", "a game of others is gone through when it is over: look on");
    }
    let names = players_of(state, current);
    let game: &Game = &current.game;
    let made = |made: &Made| match made {
        Made::Hand => By::Hand,
        Made::Cpu => By::Cpu,
        Made::Clock => By::Clock,
    };
    Ok(GameRecord {
        game: name(current.number),
        position: request(game.rules(), game.actions().iter().map(ToString::to_string).collect()),
        names: current.order.iter().map(|&seat| names.get(usize::from(seat)).cloned().unwrap_or_default()).collect(),
        mine: (0u8..)
            .zip(&current.order)
            .filter(|(_, seat)| seen.my_seat == Some(**seat))
            .map(|(player, _)| player)
            .collect(),
        by: current.moves.iter().map(|record| made(&record.by)).collect(),
        over,
        ended_s: None,
    })
}

fn request(rules: &Rules, actions: Vec<String>) -> PositionRequest {
    let (options, own) = (rules.options(), rules.preset().options());
    let differs = |name: &OptionName| *name != OptionName::Seats && options.get(*name) != own.get(*name);
    PositionRequest {
        preset: rules.preset().name().to_owned(),
        seats: rules.players(),
        options: OptionName::ALL
            .into_iter()
            .filter(differs)
            .map(|name| (name.name().to_owned(), options.get(name).to_owned()))
            .collect(),
        setup: None,
        actions,
    }
}
