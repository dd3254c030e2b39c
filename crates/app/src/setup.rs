//! Opening a table: which options a preset offers, whether they go together, and what is opened from them.

use rules::{Clash, OptionName, Options, Preset, Rules};
use table::port::Ed25519;
use table::{Grace, Seat, SeatSetup, Setup, Sitter, State, Terms};

use crate::api::setup::{OptionView, PresetView, SeatPlan, SetupRequest, SetupView};
use crate::api::table::TableSettings;
use crate::api::{ApiError, ErrorCode};
use crate::names::checked_name;
use crate::snapshot::Snapshot;
use crate::view::{settings_view, words_view};

/// The CPU's level where it takes a seat over, unless told otherwise (PROTOCOL.md, `opened`).
pub const TAKEOVER_LEVEL: u8 = 5;

/// Seconds for which an away seat can be waited for.
const GRACE_S: [u8; 5] = [0, 10, 30, 60, 120];

/// A table has this many seats.
const SEATS: std::ops::RangeInclusive<usize> = 2..=4;

/// A table's settings unless told otherwise.
pub fn default_settings() -> table::Settings {
    table::Settings { grace: Grace::default(), level: TAKEOVER_LEVEL, ranked: false, hidden: false }
}

/// A ranked game in which a seat is the CPU's could never count (PROTOCOL.md, section 14): the error says what to change.
pub fn check_ranked(settings: &table::Settings, seats: &[SeatSetup]) -> Result<(), ApiError> {
    let is_cpu = |seat: &SeatSetup| match seat {
        SeatSetup::Cpu(_) => true,
        SeatSetup::Open => false,
    };
    match seats.iter().position(is_cpu) {
        Some(seat) if settings.ranked => Err(ApiError::new(
            ErrorCode::BadCommand,
            format!(
                "a ranked game counts only where people sit on all seats, and seat {seat} is the CPU's: leave ranked \
                 out, or leave seat {seat} to a person"
            ),
        )),
        Some(_) | None => Ok(()),
    }
}

/// A preset with options as text, checked.
pub fn rules_from<'a>(
    preset: &str,
    seats: u8,
    options: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Rules, ApiError> {
    let (preset, options) = options_from(preset, seats, options)?;
    checked_rules(preset, options, &[])
}

/// Options that go together; where two do not, the error names the values to which either could be set, but for those
/// that are fixed.
pub fn checked_rules(preset: Preset, options: Options, fixed: &[OptionName]) -> Result<Rules, ApiError> {
    options.check(preset).map_err(|clash| {
        let Clash(one, other) = clash;
        let ways: Vec<String> = [one, other]
            .into_iter()
            .filter(|name| !fixed.contains(name))
            .filter_map(|name| ways_out(preset, options, clash, name))
            .collect();
        let error = ApiError::from(clash);
        if one == other || ways.is_empty() {
            return error;
        }
        let (this, that) = (options.get(one), options.get(other));
        let message =
            format!("{} {this} and {} {that} do not go together: set {}", one.name(), other.name(), ways.join(", or "));
        ApiError { message, ..error }
    })
}

/// The values of an option with which these two would no longer clash.
fn ways_out(preset: Preset, options: Options, clash: Clash, name: OptionName) -> Option<String> {
    let ends_it = |value: &&&str| {
        let mut changed = options;
        changed.set(name.name(), value).is_ok() && changed.check(preset).err() != Some(clash)
    };
    let values: Vec<&str> = name.values().iter().filter(ends_it).copied().collect();
    (!values.is_empty()).then(|| format!("{} to {}", name.name(), values.join(" or ")))
}

fn options_from<'a>(
    preset: &str,
    seats: u8,
    options: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(Preset, Options), ApiError> {
    let preset = Preset::from_name(preset).ok_or_else(|| {
        ApiError::new(
            ErrorCode::BadRules,
            format!("there is no preset {preset:?}; the presets are {}", Preset::NAMES.join(", ")),
        )
    })?;
    let mut chosen = preset.options();
    chosen.seats = seats;
    for (name, value) in options {
        chosen.set(name, value)?;
    }
    if chosen.seats != seats {
        return Err(ApiError::new(
            ErrorCode::BadRules,
            "the number of seats comes from the seats: leave the option out",
        ));
    }
    Ok((preset, chosen))
}

fn request_options(request: &SetupRequest) -> Result<(Preset, Options), ApiError> {
    let seats = request.seats.len();
    let own = request.seats.iter().filter(|plan| **plan == SeatPlan::Me).count();
    if !SEATS.contains(&seats) || own != 1 {
        return Err(ApiError::new(ErrorCode::BadCommand, "a table has 2 to 4 seats, and one is your own"));
    }
    let options = request.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    options_from(&request.preset, seats as u8, options)
}

/// The set-up screen for what has been chosen so far.
pub(crate) fn setup_view(request: &SetupRequest) -> Result<SetupView, ApiError> {
    let (preset, options) = request_options(request)?;
    let checked = options.check(preset);
    Ok(SetupView {
        presets: Preset::ALL.into_iter().map(preset_view).collect(),
        options: offered(preset).map(|name| option_view(preset, &options, name)).collect(),
        words: checked.as_ref().map_or(Vec::new(), words_view),
        clash: checked.err().map(|Clash(a, b)| (a.name().to_owned(), b.name().to_owned())),
    })
}

/// The options that are offered: the preset's own, without the party's size.
fn offered(preset: Preset) -> impl Iterator<Item = OptionName> {
    preset.changeable().into_iter().filter(|name| *name != OptionName::Seats)
}

fn preset_view(preset: Preset) -> PresetView {
    let seats_max = match preset {
        Preset::CaptureFive | Preset::Custom => 4,
        Preset::Pente | Preset::PenteSwap2 | Preset::Gomoku | Preset::Wuziqi => 2,
    };
    PresetView { preset: preset.name().to_owned(), seats_min: 2, seats_max }
}

/// Values that would clash are left out; where none is left to change to, the option is closed and says by which other.
fn option_view(preset: Preset, options: &Options, name: OptionName) -> OptionView {
    let value = options.get(name);
    let mut closed_by = None;
    let mut values = Vec::new();
    for &other in preset.offered(name) {
        let clash = if other == value { None } else { clash_with(preset, *options, name, other) };
        match clash {
            None => values.push(other.to_owned()),
            Some(by) => closed_by = closed_by.or(Some(by.name().to_owned())),
        }
    }
    if values.len() > 1 {
        closed_by = None;
    }
    OptionView {
        name: name.name().to_owned(),
        value: value.to_owned(),
        values,
        default: preset.options().get(name).to_owned(),
        closed_by,
    }
}

/// The other option with which this value would clash.
fn clash_with(preset: Preset, mut options: Options, name: OptionName, value: &str) -> Option<OptionName> {
    options.set(name.name(), value).ok()?;
    match options.check(preset) {
        Err(Clash(a, b)) if a == name => Some(b),
        Err(Clash(a, b)) if b == name => Some(a),
        // Another pair clashes, whatever this option says.
        Err(_) | Ok(_) => None,
    }
}

/// What opens the table, and who sits down there besides: people who share this device, by seat.
pub(crate) fn setup_of(request: &SetupRequest, name: &str) -> Result<(Setup, Vec<(u8, String)>), ApiError> {
    if request.seats.first() != Some(&SeatPlan::Me) {
        return Err(ApiError::new(ErrorCode::BadCommand, "the first seat of a table that you open is your own"));
    }
    let (rules, seats, settings) = checked(request)?;
    let mut here = Vec::new();
    for (seat, plan) in (0u8..).zip(&request.seats) {
        if let SeatPlan::Here { name } = plan {
            let name = checked_name(name)?;
            if name.is_empty() {
                let about = format!(
                    "whoever shares this device in seat {seat} needs a name, so that it is clear whose turn it is"
                );
                return Err(ApiError::new(ErrorCode::BadCommand, about));
            }
            here.push((seat, name));
        }
    }
    if settings.ranked && !here.is_empty() {
        return Err(ApiError::new(
            ErrorCode::BadCommand,
            "a ranked game counts only where each seat is another device: leave ranked out, or play on several devices",
        ));
    }
    Ok((Setup { rules, settings, seats, name: name.to_owned(), pin: request.settings.pin.clone() }, here))
}

/// What is offered for the next game at a table: the seats are those that it has.
pub(crate) fn terms_of(request: &SetupRequest, seen: &Snapshot) -> Result<Terms, ApiError> {
    let present = seen.state.as_ref().map_or(0, |state| state.seats.len());
    if request.seats.len() != present {
        return Err(ApiError::new(
            ErrorCode::BadCommand,
            "a table keeps its seats: open another one for more or fewer",
        ));
    }
    let (rules, seats, settings) = checked(request)?;
    // Hashing needs no key of anybody's.
    let hash = |state: &State, pin: &str| state.pin_hash(&Ed25519::new(&[0; 32]), pin);
    let pin = seen.state.as_ref().and_then(|state| match &request.settings.pin {
        Some(pin) => Some(hash(state, pin)),
        None => state.pin().filter(|_| request.settings.locked),
    });
    Ok(Terms { rules: rules.to_bytes(), settings, seats, pin })
}

/// What a table is set to now, as a request that would leave it so. `None` while its log is being fetched, or without a
/// seat there.
pub(crate) fn present_terms(seen: &Snapshot) -> Option<SetupRequest> {
    let state = seen.state.as_ref()?;
    let rules = &state.rules;
    let own = rules.preset().options();
    let differs = |name: &OptionName| *name != OptionName::Seats && rules.options().get(*name) != own.get(*name);
    let offered = rules.preset().changeable().into_iter().filter(differs);
    let own_seat = state.speaking_seat(seen.me);
    let plan = |(seat, sat): (u8, &Seat)| match &sat.sitter {
        Sitter::Cpu { level } => SeatPlan::Cpu { level: *level },
        Sitter::Person { .. } if own_seat == Some(seat) => SeatPlan::Me,
        Sitter::Person { .. } | Sitter::Nobody | Sitter::GivenUp { .. } => SeatPlan::Open,
    };
    seen.my_seat?;
    Some(SetupRequest {
        preset: rules.preset().name().to_owned(),
        seats: (0u8..).zip(&state.seats).map(plan).collect(),
        options: offered.map(|name| (name.name().to_owned(), rules.options().get(name).to_owned())).collect(),
        settings: settings_view(state),
    })
}

/// The rules, seats and settings that a request asks for.
fn checked(request: &SetupRequest) -> Result<(Rules, Vec<SeatSetup>, table::Settings), ApiError> {
    request_options(request)?;
    let options = request.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let rules = rules_from(&request.preset, request.seats.len() as u8, options)?;
    let seats = request.seats.iter().map(seat_setup).collect::<Result<Vec<_>, _>>()?;
    let settings = settings_of(&request.settings)?;
    check_ranked(&settings, &seats)?;
    Ok((rules, seats, settings))
}

fn settings_of(asked: &TableSettings) -> Result<table::Settings, ApiError> {
    let grace = match asked.grace_s {
        None => Grace::Never,
        Some(seconds) if GRACE_S.contains(&seconds) => Grace::Seconds(seconds),
        Some(seconds) => {
            let about = format!("a seat cannot be waited for {seconds} s: choose 0, 10, 30, 60, 120 or no end");
            return Err(ApiError::new(ErrorCode::BadCommand, about));
        }
    };
    if !(1..=cpu::LEVEL_MAX).contains(&asked.level) {
        return Err(no_level(asked.level));
    }
    Ok(table::Settings { grace, level: asked.level, ranked: asked.ranked, hidden: asked.hidden })
}

pub(crate) fn no_level(level: u8) -> ApiError {
    ApiError::new(ErrorCode::BadCommand, format!("there is no CPU level {level}: choose 1 to {}", cpu::LEVEL_MAX))
}

fn seat_setup(plan: &SeatPlan) -> Result<SeatSetup, ApiError> {
    match plan {
        SeatPlan::Me | SeatPlan::Open | SeatPlan::Here { .. } => Ok(SeatSetup::Open),
        SeatPlan::Cpu { level } if (1..=cpu::LEVEL_MAX).contains(level) => Ok(SeatSetup::Cpu(*level)),
        SeatPlan::Cpu { level } => Err(no_level(*level)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(preset: &str, others: &[SeatPlan], options: &[(&str, &str)]) -> SetupRequest {
        SetupRequest {
            preset: preset.to_owned(),
            seats: std::iter::once(SeatPlan::Me).chain(others.iter().cloned()).collect(),
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            settings: TableSettings::default(),
        }
    }

    fn option<'a>(view: &'a SetupView, name: &str) -> &'a OptionView {
        view.options.iter().find(|option| option.name == name).expect("the option is offered")
    }

    fn here(name: &str) -> SeatPlan {
        SeatPlan::Here { name: name.to_owned() }
    }

    #[test]
    fn people_who_share_the_device_sit_where_they_were_put() {
        let asked = request("capture-five", &[here(" Mei "), SeatPlan::Cpu { level: 3 }, here("Tom")], &[]);
        let (setup, here) = setup_of(&asked, "Lina").expect("a table");
        assert_eq!(setup.seats, [SeatSetup::Open, SeatSetup::Open, SeatSetup::Cpu(3), SeatSetup::Open]);
        assert_eq!(here, [(1, "Mei".to_owned()), (3, "Tom".to_owned())]);
    }

    #[test]
    fn people_who_share_the_device_need_names_and_play_no_ranked_game() {
        let code = |asked: &SetupRequest| setup_of(asked, "Lina").expect_err("refused").code;
        assert_eq!(code(&request("gomoku", &[here(" ")], &[])), ErrorCode::BadCommand);
        assert_eq!(code(&request("gomoku", &[here(&"é".repeat(41))], &[])), ErrorCode::NameTooLong);
        let mut ranked = request("gomoku", &[here("Mei")], &[]);
        ranked.settings.ranked = true;
        assert_eq!(code(&ranked), ErrorCode::BadCommand);
    }

    const OPEN: SeatPlan = SeatPlan::Open;

    #[test]
    fn options_that_clash_are_told_with_what_to_change() {
        let told = |preset: Preset, seats: u8, set: &[(&str, &str)], fixed: &[OptionName]| {
            let mut options = preset.options();
            options.seats = seats;
            set.iter().for_each(|(name, value)| options.set(name, value).expect("an option"));
            checked_rules(preset, options, fixed).expect_err("a clash")
        };
        let pente = told(Preset::Pente, 3, &[], &[]);
        assert_eq!(pente.code, ErrorCode::BadRules);
        assert_eq!(pente.message, "opening centre and seats 3 do not go together: set opening to none, or seats to 2");
        let at_table = told(Preset::Pente, 3, &[], &[OptionName::Seats]);
        assert!(at_table.message.ends_with(": set opening to none"), "{}", at_table.message);
        let renju =
            told(Preset::Custom, 2, &[("captures", "off"), ("forbidden", "renju"), ("colours", "white-first")], &[]);
        assert!(renju.message.contains("set forbidden to none or"), "{}", renju.message);
    }

    #[test]
    fn each_preset_offers_its_own_options() {
        let names = |preset: &str| {
            let view = setup_view(&request(preset, &[OPEN], &[])).expect("a view");
            view.options.iter().map(|option| option.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names("pente"), ["pass_start", "move_limit_s", "show_coordinates"]);
        assert_eq!(
            names("wuziqi"),
            ["board", "overline", "forbidden", "pass_start", "move_limit_s", "show_coordinates"]
        );
        assert!(!names("capture-five").contains(&"captures".to_owned()));
        assert!(names("custom").contains(&"colours".to_owned()));
        assert!(!names("custom").contains(&"seats".to_owned()), "the party decides");
    }

    #[test]
    fn a_clash_is_named() {
        let view = setup_view(&request("capture-five", &[OPEN, OPEN], &[("opening", "centre")])).expect("a view");
        assert_eq!(view.clash, Some(("opening".to_owned(), "seats".to_owned())));
        let error = setup_of(&request("capture-five", &[OPEN, OPEN], &[("opening", "centre")]), "").expect_err("clash");
        assert_eq!((error.code, error.args["first"].as_str()), (ErrorCode::BadRules, "opening"));
    }

    #[test]
    fn the_rules_are_told_as_they_are_chosen() {
        let keys = |view: &SetupView| -> Vec<_> {
            view.words.iter().flat_map(|section| &section.sentences).map(|sentence| sentence.key.clone()).collect()
        };
        let two = setup_view(&request("capture-five", &[OPEN], &[])).expect("a view");
        assert!(keys(&two).contains(&"rules.players.two".to_owned()));
        let chosen = setup_view(&request("capture-five", &[OPEN, OPEN], &[("overtime", "break")])).expect("a view");
        assert!(keys(&chosen).contains(&"rules.players.three".to_owned()));
        assert!(keys(&chosen).contains(&"rules.overtime.break".to_owned()));
        let clash = setup_view(&request("capture-five", &[OPEN, OPEN], &[("opening", "centre")])).expect("a view");
        assert!(clash.words.is_empty());
    }

    #[test]
    fn an_option_that_can_only_clash_is_closed() {
        let view = setup_view(&request("capture-five", &[OPEN, OPEN], &[])).expect("a view");
        let teams = option(&view, "teams");
        assert_eq!((teams.values.len(), teams.closed_by.as_deref()), (1, Some("seats")));
        let opening = option(&view, "opening");
        assert_eq!((opening.values.len(), opening.closed_by.as_deref()), (1, Some("seats")));
        let two = setup_view(&request("capture-five", &[OPEN], &[])).expect("a view");
        assert_eq!(option(&two, "opening").closed_by, None);
        assert_eq!(option(&two, "opening").values.len(), 5);
        let board = option(&view, "board");
        assert_eq!((board.value.as_str(), board.default.as_str(), board.values.len()), ("15", "15", 4));
    }

    #[test]
    fn what_opens_a_table_is_checked() {
        let check = |request: SetupRequest, code: ErrorCode| {
            assert_eq!(setup_of(&request, "Anna").expect_err("refused").code, code, "{request:?}");
        };
        check(request("chess", &[OPEN], &[]), ErrorCode::BadRules);
        check(request("gomoku", &[OPEN], &[("bord", "15")]), ErrorCode::BadRules);
        check(request("gomoku", &[OPEN], &[("board", "14")]), ErrorCode::BadRules);
        check(request("gomoku", &[OPEN], &[("seats", "3")]), ErrorCode::BadRules);
        check(request("gomoku", &[], &[]), ErrorCode::BadCommand);
        check(request("gomoku", &[SeatPlan::Cpu { level: 9 }], &[]), ErrorCode::BadCommand);
        let mut hasty = request("gomoku", &[OPEN], &[]);
        hasty.settings.grace_s = Some(7);
        check(hasty, ErrorCode::BadCommand);
        let mut ranked = request("capture-five", &[OPEN, SeatPlan::Cpu { level: 1 }], &[]);
        ranked.settings.ranked = true;
        let error = setup_of(&ranked, "Anna").expect_err("it could never count");
        assert_eq!(error.code, ErrorCode::BadCommand);
        assert!(error.message.contains("leave seat 2 to a person"), "{}", error.message);
        ranked.seats[2] = OPEN;
        assert!(setup_of(&ranked, "Anna").expect("opens").0.settings.ranked);
        let mut nobody = request("gomoku", &[OPEN], &[]);
        nobody.seats[0] = OPEN;
        check(nobody, ErrorCode::BadCommand);
        let (setup, _) = setup_of(&request("pente", &[SeatPlan::Cpu { level: 2 }], &[]), "Anna").expect("opens");
        assert_eq!((setup.seats[1], setup.name.as_str()), (SeatSetup::Cpu(2), "Anna"));
    }
}
