//! Other terms for a table's next game, from `options {...}` (INTERFACES.md, *Commands*).

use app::Snapshot;
use app::api::{ApiError, ErrorCode};
use rules::{OptionName, Preset, Rules};
use serde_json::{Map, Value};
use table::port::Ed25519;
use table::{Grace, Hash, SeatSetup, Settings, Sitter, State, Terms};

use crate::referee::{rules_to_json, set_from_json};
use crate::sentences::{begun, who};

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
            "cpu" => set_cpus(state, &mut seats, value)?,
            "seats" => return Err(bad("a table keeps its seats: open another one for more or fewer")),
            _ => set_from_json(&mut options, name, value)
                .map_err(|why| ApiError::new(ErrorCode::BadRules, why.to_string()))?,
        }
    }
    let rules: Rules = app::setup::checked_rules(preset, options, &[OptionName::Seats])?;
    let terms = Terms { rules: rules.to_bytes(), settings, seats, pin };
    if changes_to(state, &terms).is_empty() {
        return Err(bad("this changes nothing: name what is to change, as in options {\"board\":19}"));
    }
    app::setup::check_ranked(&terms.settings, &terms.seats)?;
    Ok(terms)
}

fn present_seats(state: &State) -> Vec<SeatSetup> {
    let setup = |sitter: &Sitter| match sitter {
        Sitter::Cpu { level } => SeatSetup::Cpu(*level),
        Sitter::Nobody | Sitter::Person { .. } | Sitter::GivenUp { .. } => SeatSetup::Open,
    };
    state.seats.iter().map(|seat| setup(&seat.sitter)).collect()
}

/// What agreed terms would change at the table, each with its present value.
pub(crate) fn changes_to(state: &State, terms: &Terms) -> Vec<String> {
    let now = shown(&state.rules, &state.settings, &present_seats(state), state.pin());
    let Ok(rules) = Rules::from_bytes(&terms.rules) else { return Vec::new() };
    differences(&now, &shown(&rules, &terms.settings, &terms.seats, terms.pin))
}

/// What has changed in a table's terms since then.
pub(crate) fn changes_from(before: &State, now: &State) -> Vec<String> {
    let shown = |state: &State| shown(&state.rules, &state.settings, &present_seats(state), state.pin());
    differences(&shown(before), &shown(now))
}

/// Terms as names and values. Of a PIN it tells no more than which it is.
fn shown(rules: &Rules, settings: &Settings, seats: &[SeatSetup], pin: Option<Hash>) -> Vec<(String, String)> {
    let mut shown = Vec::new();
    if let Value::Object(options) = rules_to_json(rules) {
        shown.extend(options.into_iter().map(|(name, value)| (name, plain(&value))));
    }
    let grace = match settings.grace {
        Grace::Seconds(seconds) => format!("{seconds} s"),
        Grace::Never => "never".to_owned(),
    };
    shown.push(("grace".to_owned(), grace));
    shown.push(("level".to_owned(), settings.level.to_string()));
    shown.push(("ranked".to_owned(), settings.ranked.to_string()));
    shown.push(("hidden".to_owned(), settings.hidden.to_string()));
    shown.push(("pin".to_owned(), pin.map_or_else(|| "none".to_owned(), |pin| format!("set {pin}"))));
    for (seat, setup) in seats.iter().enumerate() {
        let sitter = match setup {
            SeatSetup::Open => "a person".to_owned(),
            SeatSetup::Cpu(level) => format!("the CPU, level {level}"),
        };
        shown.push((format!("seat {seat}"), sitter));
    }
    shown
}

fn differences(now: &[(String, String)], then: &[(String, String)]) -> Vec<String> {
    let present = |name: &str| now.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let changed = then.iter().filter(|(name, value)| present(name) != Some(value.as_str()));
    let told = |(name, value): &(String, String)| match (name.as_str(), present(name)) {
        // Its hash is nothing to read.
        ("pin", Some("none")) => "a PIN".to_owned(),
        ("pin", _) if value == "none" => "no PIN".to_owned(),
        ("pin", _) => "another PIN".to_owned(),
        (_, Some(before)) => format!("{name} {value} (was {before})"),
        (_, None) => format!("{name} {value}"),
    };
    changed.map(told).collect()
}

/// A value without the marks of JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn set_cpus(state: &State, seats: &mut [SeatSetup], value: &Value) -> Result<(), ApiError> {
    let object = value.as_object().ok_or_else(|| bad("cpu is an object of seats: write {\"cpu\":{\"2\":5}}"))?;
    for (seat, value) in object {
        let number = seat.parse::<u8>().ok().filter(|number| usize::from(*number) < seats.len());
        let no_seat = || ApiError::new(ErrorCode::NoSuchSeat, format!("there is no seat {seat:?}: they count from 0"));
        let number = number.ok_or_else(no_seat)?;
        let setup = if value.is_null() { SeatSetup::Open } else { SeatSetup::Cpu(level(value)?) };
        if state.owner(number).is_some() && setup != SeatSetup::Open {
            let taken = format!("{} sits there: the CPU gets a seat that is nobody's", who(state, number));
            return Err(ApiError::new(ErrorCode::SeatTaken, begun(taken)));
        }
        seats[usize::from(number)] = setup;
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
    let limit = table::limits::PIN_CHARS_MAX;
    let pin = Some(pin.trim()).filter(|pin| (1..=limit).contains(&pin.chars().count()));
    let pin = pin.ok_or_else(|| bad(format!("a PIN has 1 to {limit} characters: choose another")))?;
    // Hashing needs no key of anybody's.
    Ok(Some(state.pin_hash(&Ed25519::new(&[0; 32]), pin)))
}

fn truth(name: &str, value: &Value) -> Result<bool, ApiError> {
    value.as_bool().ok_or_else(|| bad(format!("{name} is true or false, not {value}")))
}

fn bad(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::BadCommand, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_told_with_what_it_was() {
        let row = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let now = [row("board", "15"), row("grace", "60 s"), row("pin", "none"), row("seat 1", "a person")];
        assert_eq!(differences(&now, &now), Vec::<String>::new());
        let then = [row("board", "19"), row("grace", "60 s"), row("pin", "set ab"), row("seat 1", "the CPU, level 3")];
        let told = ["board 19 (was 15)", "a PIN", "seat 1 the CPU, level 3 (was a person)"];
        assert_eq!(differences(&now, &then), told);
        assert_eq!(differences(&then, &now)[1], "no PIN");
        let other = [row("pin", "set cd")];
        assert_eq!(differences(&then, &other), ["another PIN"]);
    }
}
