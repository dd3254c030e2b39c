//! What a person reads of an event, without `--json`. Nothing here is for programs to parse.

use app::Snapshot;
use app::snapshot::name_of;
use rules::{Action, Condition, DrawBy, Must, Outcome};
use table::limits::PHRASES_MAX;
use table::{Asked, Closed, Event, EventKind, Grace, Hash, Made, Offer, Presence, Sitter, State, TableId};

use crate::changes::{Change, start_waits_for};
use crate::ending::Stays;
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
        EventKind::Resigned { seat } => {
            let goes_on =
                if state.playing() && state.cpu_plays(*seat) { ": the CPU plays on in that seat" } else { "" };
            format!("{} resigns{goes_on}", who(state, *seat))
        }
        EventKind::End { credited, result, .. } => end_sentence(state, result, credited),
        EventKind::Rewound { .. } => "Back to where you were last together".to_owned(),
        EventKind::Asked { id, seat, what } => {
            // What is granted at once has happened by now: what was asked is told of the game before.
            let is_open = state.offers.iter().any(|offer| offer.id == *id);
            let then = before.and_then(|before| before.state.as_ref()).filter(|_| !is_open).unwrap_or(state);
            format!("{} {}{}", who(state, *seat), wish(then, *seat, what), answers_due(seen, state, *id))
        }
        EventKind::Answered { id, seat, yes } => {
            let open = state.offers.iter().find(|offer| offer.id == *id);
            let to = open.map_or_else(String::new, |offer| format!(" to what {} asks for", who(state, offer.seat)));
            let agrees = if *yes { "agrees" } else { "refuses" };
            format!("{} {agrees}{to}{}", who(state, *seat), answers_due(seen, state, *id))
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
        EventKind::AskClosed { why, .. } => match why {
            Closed::Gone => "The offer is open no longer: whoever made it is gone".to_owned(),
            Closed::Moved => "The offer is open no longer: play went on".to_owned(),
            // Told by what comes of it, or by who said no.
            Closed::Agreed | Closed::Refused => return None,
        },
        EventKind::Said { seat, phrase } => format!("{}: {}", who(state, *seat), phrase_words(*phrase)),
        EventKind::Keeper { .. } | EventKind::Final { .. } | EventKind::Link { .. } => return None,
    };
    Some(begun(text))
}

/// The ready phrases, from number 1.
const PHRASES: [&str; PHRASES_MAX as usize] = [
    "Hello",
    "Good luck",
    "Well played",
    "Thank you",
    "Good game",
    "One moment, please",
    "Take your time",
    "Sorry",
    "Another game?",
    "I have to go",
];

fn phrase_words(phrase: u8) -> &'static str {
    PHRASES.get(usize::from(phrase).wrapping_sub(1)).copied().unwrap_or("…")
}

/// Who is to answer an offer that is still open; to one of them, what to write.
pub fn answers_due(seen: &Snapshot, state: &State, id: Hash) -> String {
    let Some(offer) = state.offers.iter().find(|offer| offer.id == id) else { return String::new() };
    let due = state.to_answer(offer);
    if seen.my_seat.is_some_and(|own| due.contains(&own)) {
        "; write agree or refuse".to_owned()
    } else if due.is_empty() {
        String::new()
    } else {
        format!("; it waits for {}", waited_for(seen, state, &due))
    }
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
        Presence::Here if seen.my_seat == Some(seat) => format!("{who} is here{}", own_answers_due(state, seat)),
        Presence::Here => format!("{who} is here"),
        Presence::Silent if seen.said_goodbye(seat) => format!("{who} has left and keeps the seat"),
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
        Presence::Taken if has_resigned(state, seat) => format!("{who} has resigned: the CPU plays on in that seat"),
        Presence::Taken => format!("the CPU plays for {who}, level {}, until {name} is back", state.settings.level),
    }
}

/// Whoever comes back may have been asked for something meanwhile.
fn own_answers_due(state: &State, seat: u8) -> String {
    let due = state.offers.iter().filter(|offer| state.to_answer(offer).contains(&seat));
    let asks = |offer: &Offer| format!("{} {}", who(state, offer.seat), wish(state, offer.seat, &offer.what));
    let asked: Vec<String> = due.map(asks).collect();
    if asked.is_empty() { String::new() } else { format!("; {}: write agree or refuse", asked.join(", and ")) }
}

/// Whether this seat has resigned in the game that goes on; the CPU plays there then, whoever comes back.
pub fn has_resigned(state: &State, seat: u8) -> bool {
    state.playing() && state.current.as_ref().is_some_and(|current| current.resigned.contains(&seat))
}

/// What the others saw while this device was not among them.
fn own_absence(state: &State, seat: u8, presence: Presence) -> String {
    if presence == Presence::Taken && !has_resigned(state, seat) {
        format!("the CPU plays for you (seat {seat}), level {}, until you are back", state.settings.level)
    } else {
        format!("The others have not heard you (seat {seat}): you count as away until you are back")
    }
}

/// What comes of an absence.
fn while_away(seen: &Snapshot, state: &State, seat: u8) -> String {
    if !state.playing() {
        return format!("the seat is kept for {}", short_name(state, seat));
    }
    if has_resigned(state, seat) {
        return "the CPU plays on in that seat".to_owned();
    }
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

/// How a game ended, by what, and for whom.
pub fn end_sentence(state: &State, result: &Outcome, credited: &[u8]) -> String {
    let by = match result {
        Outcome::Draw(why) => return format!("The game is over: a draw, {}", drawn(*why)),
        Outcome::Win { by, .. } => by.iter().map(|&by| won(by)).collect::<Vec<_>>().join(" and "),
    };
    if credited.is_empty() {
        return format!("The game is over {by}; whoever won had resigned, so nobody is credited");
    }
    let winners: Vec<String> = credited.iter().map(|&seat| who(state, seat)).collect();
    let win = if winners.len() == 1 { "wins" } else { "win" };
    format!("The game is over; {} {win} {by}", winners.join(" and "))
}

const fn won(by: Condition) -> &'static str {
    match by {
        Condition::Captures => "by captured stones",
        Condition::Line => "by five in a row",
        Condition::Resignation => "since the other side has resigned",
    }
}

const fn drawn(why: DrawBy) -> &'static str {
    match why {
        DrawBy::AllWin => "since every side has won at once",
        DrawBy::FullBoard => "since the board is full",
        DrawBy::NoLegalMove => "since no point is left that may be played",
        DrawBy::Agreement => "since all agreed on it",
    }
}

/// What a person reads of a change that is no event of the log.
pub fn change_sentence(change: Change, seen: &Snapshot) -> Option<String> {
    let state = seen.state.as_ref()?;
    Some(begun(match change {
        Change::Ready { game, seat, yes } => ready_sentence(seen, state, game, seat, yes),
        Change::Held { seat } => seat_sentence(seen, state, seat, seen.presence_of(seat)),
        Change::WentOn { .. } => "Play goes on without the device that differs".to_owned(),
    }))
}

fn ready_sentence(seen: &Snapshot, state: &State, game: u32, seat: u8, yes: bool) -> String {
    let mine = seen.my_seat == Some(seat);
    let is = if mine { "You are".to_owned() } else { format!("{} is", who(state, seat)) };
    // `c5` says by itself that it is ready for a table's first game.
    let write = if game == 1 { "" } else { "; write rematch to play" };
    if !yes {
        let again = if mine { write } else { "" };
        return format!("{is} not ready for game {game} any more, since something has changed{again}");
    }
    let waits = start_waits_for(state);
    if waits.is_empty() {
        return format!("{is} ready for game {game}");
    }
    let yours = if seen.my_seat.is_some_and(|own| waits.contains(&own)) { write } else { "" };
    format!("{is} ready for game {game}; it waits for {}{yours}", waited_for(seen, state, &waits))
}

/// The seats whose word is waited for, and what comes of it where somebody is away.
pub fn waited_for(seen: &Snapshot, state: &State, seats: &[u8]) -> String {
    let named = |&seat: &u8| match seen.presence_of(seat) {
        _ if seen.my_seat == Some(seat) => "you".to_owned(),
        Presence::Away => format!("{}, who is away ({})", who(state, seat), while_away(seen, state, seat)),
        Presence::Silent if seen.said_goodbye(seat) => format!("{}, who has left", who(state, seat)),
        Presence::Silent => format!("{}, who is silent", who(state, seat)),
        Presence::Open | Presence::Cpu | Presence::Here | Presence::Taken => who(state, seat),
    };
    seats.iter().map(named).collect::<Vec<_>>().join(" and ")
}

/// The last words: what becomes of the seat, and of what the disk did not take.
pub(crate) fn left_sentence(table: TableId, stays: Stays, had_seat: bool, gave_up: bool) -> String {
    let left = match stays.seat {
        Some(seat) => format!("You have left, and seat {seat} stays yours: go on with `c5 resume {table}`"),
        None if gave_up => "You have given your seat up and left".to_owned(),
        None if had_seat => format!(
            "You have left. The disk has nothing of your seat, so `c5 resume {table}` cannot go on with it here"
        ),
        None => "You have left".to_owned(),
    };
    if stays.saved {
        return left;
    }
    format!("{left}. What happened since the disk takes nothing was not saved on this device")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{game, seat};

    #[tokio::test]
    async fn who_has_resigned_is_not_waited_for() {
        let mut seen = game(3).await;
        seen.presence[1] = Presence::Away;
        seat(&mut seen, 1).here = false;
        seen.grace_left[1] = Some(60_000);
        let told = |seen: &Snapshot| {
            let state = seen.state.as_ref().expect("a state");
            let event = crate::events::changed(Change::Held { seat: 1 }, seen);
            let left = event.get("grace_left").cloned();
            (seat_sentence(seen, state, 1, seen.presence_of(1)), left, event.get("level").is_some())
        };
        let (words, left, by_cpu) = told(&seen);
        assert!(words.contains("the CPU plays in 60 s; write wait"), "{words}");
        assert_eq!((left, by_cpu), (Some(60.into()), false));

        let current = seen.state.as_mut().and_then(|state| state.current.as_mut());
        current.expect("a game").resigned = vec![1];
        let (words, left, by_cpu) = told(&seen);
        assert_eq!(words, "Ben (seat 1) is away: the CPU plays on in that seat");
        assert_eq!((left, by_cpu), (None, true));
        let standing = crate::standing::standing(&seen);
        assert!(
            standing.contains("Ben (seat 1): away, ") && standing.contains("resigned, the CPU plays on"),
            "{standing}"
        );
        assert!(crate::explain::only_away(&seen).is_err());
        seen.presence[1] = Presence::Taken;
        let (words, ..) = told(&seen);
        assert!(!words.contains("until"), "{words}");
    }
}
