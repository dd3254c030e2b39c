//! Other terms for a table's next game, from `options {...}` (INTERFACES.md, *Commands*).

use app::Snapshot;
use app::api::{ApiError, ErrorCode};
use rules::{Preset, Rules};
use serde_json::{Map, Value};
use table::port::Ed25519;
use table::{Grace, Hash, SeatSetup, Sitter, State, Terms};

use crate::referee::set_from_json;

/// The seconds for which an away seat can be waited for.
const GRACE_S: [u8; 5] = [0, 10, 30, 60, 120];

/// The table's terms with these changes: `preset` (with its own options), any option of the rules, `grace` (seconds or
/// `never`), `level`, `ranked`, `hidden`, `pin` (text, or `null` for none), and `cpu` (seats by number: a level, or `null` for a person).
pub(crate) fn changed_terms(seen: &Snapshot, changes: &Map<String, Value>) -> Result<Terms, ApiError> {
    let state = seen.state.as_ref().ok_or_else(|| bad("the table is still being fetched: wait a moment"))?;
    let mut settings = state.settings;
    let mut seats = present_seats(state);
    let mut pin = state.pin();
    let mut preset = state.rules.preset();
    let mut options = *state.rules.options();
    if let Some(value) = changes.get("preset") {
        let named = value.as_str().and_then(Preset::from_name);
        let unknown = || bad(format!("there is no preset {value}; it can be {}", Preset::NAMES.join(", ")));
        preset = named.ok_or_else(unknown)?;
        options = preset.options();
    }
    options.seats = seats.len() as u8;
    for (name, value) in changes {
        match name.as_str() {
            "preset" => {}
            "grace" => settings.grace = grace(value)?,
            "level" => settings.level = level(value)?,
            "ranked" => settings.ranked = truth(name, value)?,
            "hidden" => settings.hidden = truth(name, value)?,
            "pin" => pin = pin_hash(state, value)?,
            "cpu" => set_cpus(&mut seats, value)?,
            "seats" => return Err(bad("a table keeps its seats: open another one for more or fewer")),
            _ => set_from_json(&mut options, name, value)
                .map_err(|why| ApiError::new(ErrorCode::BadRules, why.to_string()))?,
        }
    }
    let rules: Rules = options.check(preset)?;
    Ok(Terms { rules: rules.to_bytes(), settings, seats, pin })
}

fn present_seats(state: &State) -> Vec<SeatSetup> {
    let setup = |sitter: &Sitter| match sitter {
        Sitter::Cpu { level } => SeatSetup::Cpu(*level),
        Sitter::Nobody | Sitter::Person { .. } | Sitter::GivenUp { .. } => SeatSetup::Open,
    };
    state.seats.iter().map(|seat| setup(&seat.sitter)).collect()
}

fn set_cpus(seats: &mut [SeatSetup], value: &Value) -> Result<(), ApiError> {
    let object = value.as_object().ok_or_else(|| bad("cpu is an object of seats: write {\"cpu\":{\"2\":5}}"))?;
    for (seat, value) in object {
        let known = seat.parse::<usize>().ok().and_then(|number| seats.get_mut(number));
        let no_seat = || ApiError::new(ErrorCode::NoSuchSeat, format!("there is no seat {seat:?}: they count from 0"));
        *known.ok_or_else(no_seat)? = if value.is_null() { SeatSetup::Open } else { SeatSetup::Cpu(level(value)?) };
    }
    Ok(())
}

fn grace(value: &Value) -> Result<Grace, ApiError> {
    if value == "never" {
        return Ok(Grace::Never);
    }
    let seconds = GRACE_S.into_iter().find(|&seconds| value.as_u64() == Some(seconds.into()));
    seconds.map(Grace::Seconds).ok_or_else(|| bad(format!("grace cannot be {value}: 0, 10, 30, 60, 120 or \"never\"")))
}

fn level(value: &Value) -> Result<u8, ApiError> {
    let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
    let number = number.filter(|number| (1..=cpu::LEVEL_MAX).contains(number));
    number.ok_or_else(|| bad(format!("there is no CPU level {value}: choose 1 to {}", cpu::LEVEL_MAX)))
}

fn pin_hash(state: &State, value: &Value) -> Result<Option<Hash>, ApiError> {
    if value.is_null() {
        return Ok(None);
    }
    let pin = value.as_str().ok_or_else(|| bad("pin is text, as in {\"pin\":\"2580\"}, or null for none"))?;
    // Hashing needs no key of anybody's.
    Ok(Some(state.pin_hash(&Ed25519::new(&[0; 32]), pin)))
}

fn truth(name: &str, value: &Value) -> Result<bool, ApiError> {
    value.as_bool().ok_or_else(|| bad(format!("{name} is true or false, not {value}")))
}

fn bad(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::BadCommand, message)
}
