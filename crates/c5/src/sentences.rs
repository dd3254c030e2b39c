//! What a person reads of an event, without `--json`. Nothing here is for programs to parse.

use app::Snapshot;
use app::snapshot::name_of;
use rules::{Action, Must, Outcome};
use table::{Asked, Event, EventKind, Grace, Made, Presence, Sitter, State};

use crate::terms::{changes_from, changes_to};

/// What a person reads; events that say nothing to one have no sentence. `before` is what was seen when the terms of
/// the table were last told.
pub fn sentence(event: &Event, seen: &Snapshot, before: Option<&Snapshot>) -> Option<String> {
    let state = seen.state.as_ref()?;
    let text = match &event.kind {
        EventKind::Table => format!(
            "Table {}: {}, {} seats; help lists what can be written",
            seen.table,
            state.rules.preset().name(),
            state.rules.players()
        ),
        EventKind::Seat { seat, presence } => seat_sentence(seen, state, *seat, *presence),
        EventKind::Start { game, starter, .. } => format!("Game {game} begins; {} starts", who(state, *starter)),
        EventKind::Move { ply, seat, by, action, took, .. } => {
            let taken: usize = took.iter().map(|group| group.0.len()).sum();
            let takes = if taken == 0 { String::new() } else { format!(", takes {taken}") };
            match action {
                Action::Place { at, .. } => {
                    format!("{ply}. {}{takes}", made(state, *seat, *by, "plays", &at.to_string()))
                }
                Action::Choose(colour) => made(state, *seat, *by, "chooses", colour.name()),
                Action::Add => made(state, *seat, *by, "adds", "two stones"),
                Action::Resign(_) | Action::Draw => return None,
            }
        }
        EventKind::YourTurn { must, .. } => format!("Your turn: {}", due(*must)),
        EventKind::Resigned { seat } => format!("{} resigns", who(state, *seat)),
        EventKind::End { credited, result, .. } => end_sentence(state, result, credited),
        EventKind::Rewound { .. } => "Back to where you were last together".to_owned(),
        EventKind::Asked { seat, what, .. } => {
            let answer = if seen.my_seat.is_some_and(|own| own != *seat) { "; write agree or refuse" } else { "" };
            format!("{} {}{answer}", who(state, *seat), wish(state, *seat, what))
        }
        EventKind::Answered { seat, yes, .. } => {
            format!("{} {}", who(state, *seat), if *yes { "agrees" } else { "refuses" })
        }
        EventKind::Undone { ply } => format!("Taken back to {}", stones(*ply)),
        EventKind::Agreed => {
            let changes = before.and_then(|before| before.state.as_ref()).map(|before| changes_from(before, state));
            match changes.filter(|changes| !changes.is_empty()) {
                Some(changes) => format!("The options have changed: {}", changes.join(", ")),
                None => "The options have changed".to_owned(),
            }
        }
        EventKind::Halted => "The devices disagree about the game: it stands still".to_owned(),
        EventKind::AskClosed { .. } | EventKind::Keeper { .. } | EventKind::Final { .. } | EventKind::Link { .. } => {
            return None;
        }
    };
    Some(begun(text))
}

/// Whoever sits there, and the seat.
pub fn who(state: &State, seat: u8) -> String {
    match state.seats.get(usize::from(seat)).map(|at| &at.sitter) {
        Some(Sitter::Cpu { .. }) => format!("the CPU (seat {seat})"),
        Some(Sitter::Person { name, .. } | Sitter::GivenUp { name, .. }) if !name.is_empty() => {
            format!("{name} (seat {seat})")
        }
        Some(Sitter::Person { .. } | Sitter::GivenUp { .. } | Sitter::Nobody) | None => format!("seat {seat}"),
    }
}

/// A sentence begins with a capital letter; people's names stay as they are.
pub fn begun(text: String) -> String {
    match text.strip_prefix("the CPU").or(text.strip_prefix("The CPU")) {
        Some(rest) => format!("The CPU{rest}"),
        None => match text.strip_prefix("seat ") {
            Some(rest) => format!("Seat {rest}"),
            None => text,
        },
    }
}

/// What a turn asks for, and what to write.
pub const fn due(must: Must) -> &'static str {
    match must {
        Must::Place => "name a point, as h8",
        Must::Choose => "write black or white",
        Must::ChooseOrAdd => "write black, white or add",
    }
}

pub fn stones(ply: u16) -> String {
    if ply == 1 { "1 stone".to_owned() } else { format!("{ply} stones") }
}

/// How a seat is, what follows from it, and what can be done about it.
fn seat_sentence(seen: &Snapshot, state: &State, seat: u8, presence: Presence) -> String {
    let (who, name) = (who(state, seat), short_name(state, seat));
    match presence {
        Presence::Open => format!("seat {seat} is open"),
        Presence::Cpu => match state.seats.get(usize::from(seat)).map(|at| &at.sitter) {
            Some(Sitter::GivenUp { level, .. }) => {
                format!("{who} has given the seat up: the CPU plays there, level {level}")
            }
            Some(Sitter::Cpu { level }) => format!("the CPU plays in seat {seat}, level {level}"),
            Some(Sitter::Nobody | Sitter::Person { .. }) | None => format!("the CPU plays in seat {seat}"),
        },
        Presence::Here => format!("{who} is here"),
        Presence::Silent if seen.said_goodbye(seat) => format!("{who} has left; the seat is kept"),
        Presence::Silent => {
            // With only one other device there is no telling whose link it is; most often it is that one's.
            let whose = if seen.cut_off && seen.others_expected > 1 {
                "this device hears nobody: look at its network"
            } else {
                "soon away, unless something comes"
            };
            format!("{who} is silent: nothing was heard for {} s; {whose}", table::limits::SILENT_MS / 1_000)
        }
        Presence::Away | Presence::Taken if seen.my_seat == Some(seat) => own_absence(state, seat, presence),
        Presence::Away => {
            let how = if seen.said_goodbye(seat) { "has left" } else { "is away" };
            format!("{who} {how}: {}", while_away(seen, state, seat))
        }
        Presence::Taken => format!("the CPU plays for {who}, level {}, until {name} is back", state.settings.level),
    }
}

/// What the others saw while this device was not among them.
fn own_absence(state: &State, seat: u8, presence: Presence) -> String {
    if presence == Presence::Taken {
        format!("the CPU plays for you (seat {seat}), level {}, until you are back", state.settings.level)
    } else {
        format!("The others have not heard you (seat {seat}): you count as away until you are back")
    }
}

/// What comes of an absence.
fn while_away(seen: &Snapshot, state: &State, seat: u8) -> String {
    let held = state.seats.get(usize::from(seat)).is_some_and(|at| at.hold);
    let ranked = state.playing() && state.settings.ranked;
    let grace = match state.settings.grace {
        Grace::Seconds(seconds) if !held && !ranked => Some(u64::from(seconds)),
        Grace::Seconds(_) | Grace::Never => None,
    };
    // A player can act on it, and a spectator cannot.
    let mine = seen.my_seat.is_some();
    match grace {
        Some(seconds) => {
            let left = seen.grace_left_of(seat).map_or(seconds, |left| left.div_ceil(1_000));
            let ways = if mine { "; write wait to wait without end, or cpu-now" } else { "" };
            format!("the CPU plays in {left} s{ways}")
        }
        None => {
            let name = short_name(state, seat);
            let ways = match (mine, state.counts() && ranked) {
                (true, true) => ", or write cpu-now (the game then counts no longer)",
                (true, false) => ", or write cpu-now",
                (false, _) => "",
            };
            format!("the game waits until {name} is back{ways}")
        }
    }
}

/// The name alone, where there is one.
fn short_name(state: &State, seat: u8) -> String {
    match name_of(state, seat) {
        "" => format!("seat {seat}"),
        name => name.to_owned(),
    }
}

/// A move, and who made it for whom.
fn made(state: &State, seat: u8, by: Made, does: &str, what: &str) -> String {
    let who = who(state, seat);
    let is_cpus = matches!(state.seats.get(usize::from(seat)).map(|at| &at.sitter), Some(Sitter::Cpu { .. }));
    match by {
        Made::Cpu if !is_cpus => format!("The CPU {does} {what} for {who}"),
        Made::Clock => format!("The time is over: the clock {does} {what} for {who}"),
        Made::Hand | Made::Cpu => format!("{} {does} {what}", begun(who)),
    }
}

/// What somebody asks for.
pub fn wish(state: &State, seat: u8, what: &Asked) -> String {
    match what {
        Asked::Undo => match plies_left(state, seat) {
            Some(ply) => format!("asks to take back to {}", stones(ply)),
            None => "asks to take back".to_owned(),
        },
        Asked::Draw => "offers a draw".to_owned(),
        Asked::Options(terms) => {
            let changes = changes_to(state, terms);
            if changes.is_empty() {
                "asks for other options".to_owned()
            } else {
                format!("asks for other options: {}", changes.join(", "))
            }
        }
        Asked::Resign => "wants to resign for the team".to_owned(),
    }
}

/// The stones that stay when a seat's last stone or choice is taken back (PROTOCOL.md, section 11).
fn plies_left(state: &State, seat: u8) -> Option<u16> {
    let moves = &state.current.as_ref()?.moves;
    let last = moves.iter().rposition(|made| made.seat == seat)?;
    Some(last.checked_sub(1).map_or(0, |before| moves[before].ply))
}

/// Whether the disk takes what happens, and what to do where it does not.
pub const fn disk_sentence(failing: bool) -> &'static str {
    if failing {
        "The disk takes nothing: the game goes on, but what happens now is lost if this program ends. Make space, or \
         make the folder writable; it is saved then by itself"
    } else {
        "Everything is saved again"
    }
}

/// How a game ended, and for whom.
pub fn end_sentence(state: &State, result: &Outcome, credited: &[u8]) -> String {
    let Outcome::Win { .. } = result else { return "The game is over: a draw".to_owned() };
    if credited.is_empty() {
        return "The game is over; nobody is credited".to_owned();
    }
    let winners: Vec<String> = credited.iter().map(|&seat| who(state, seat)).collect();
    let win = if winners.len() == 1 { "wins" } else { "win" };
    format!("The game is over; {} {win}", winners.join(" and "))
}
