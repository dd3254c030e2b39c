//! Events as JSON objects and as sentences (INTERFACES.md, *Events*).

use app::Snapshot;
use rules::{Action, Rules};
use serde_json::{Map, Value, json};
use table::{
    Asked, Closed, Event, EventKind, Grace, Halt, Hash, Made, Offer, Presence, SeatSetup, Sitter, State, TableId,
};

use crate::changes::{Change, start_waits_for};
use crate::ending::Stays;
use crate::referee::{action_to_json, answer, groups_to_json, points_to_json, result_to_json, rules_to_json};
use crate::sentences::sentence;

/// An event as printed.
pub type Body = Map<String, Value>;

/// The head of an event that came before the log did.
const NO_LOG: Hash = Hash([0; 32]);

/// An event's object and its sentence; `before` is what was seen when the table's terms were last told.
pub fn told(event: &Event, seen: &Snapshot, before: Option<&Snapshot>) -> (Body, Option<String>) {
    let mut body = at_table(name(&event.kind), seen);
    if event.head == NO_LOG {
        body.remove("index");
        body.remove("head");
    } else {
        body.insert("index".to_owned(), event.index.into());
        body.insert("head".to_owned(), event.head.to_string().into());
    }
    body.append(&mut details(&event.kind, seen));
    (body, sentence(event, seen, before))
}

/// An event of this name, with what every event at a table has.
pub fn at_table(name: &str, seen: &Snapshot) -> Body {
    let mut body = new(name);
    body.insert("table".to_owned(), seen.table.to_string().into());
    if let Some((index, head)) = seen.head {
        body.insert("index".to_owned(), index.into());
        body.insert("head".to_owned(), head.to_string().into());
    }
    body
}

/// The `looking` event: a table is looked for, for so many seconds.
pub fn looking(seconds: u64) -> Body {
    let mut body = new("looking");
    body.insert("seconds".to_owned(), seconds.into());
    body
}

/// The `left` event, the last one, with what stays on this device.
pub(crate) fn left(table: TableId, seen: Option<&Snapshot>, stays: Stays) -> Body {
    let mut body = seen.map_or_else(|| new("left"), |seen| at_table("left", seen));
    body.insert("table".to_owned(), table.to_string().into());
    if let Some(seat) = stays.seat {
        body.insert("seat".to_owned(), seat.into());
    }
    if !stays.saved {
        body.insert("disk".to_owned(), disk_word(true).into());
    }
    body
}

/// The event of what has changed between two looks.
pub fn changed(change: Change, seen: &Snapshot) -> Body {
    match change {
        Change::Ready { game, seat, yes } => {
            let mut body = at_table("ready", seen);
            let waits_for = seen.state.as_ref().map_or_else(Vec::new, start_waits_for);
            body.append(&mut object(json!({ "game": game, "seat": seat, "yes": yes, "waits_for": waits_for })));
            body
        }
        Change::Held { seat } => {
            let mut body = at_table("seat", seen);
            if let Some(state) = &seen.state {
                body.append(&mut seat_body(seen, state, seat, seen.presence_of(seat)));
            }
            body
        }
        Change::WentOn { without } => {
            let mut body = at_table("went_on", seen);
            body.insert("without".to_owned(), without.to_string().into());
            body
        }
    }
}

/// An event of this name, away from any table.
pub fn new(name: &str) -> Body {
    object(json!({ "event": name }))
}

/// The `help` event.
pub fn help() -> Body {
    let mut body = new("help");
    body.insert("text".to_owned(), crate::order::HELP.into());
    body
}

/// The `invite` event: how others come to this table over this device.
pub fn invite(seen: &Snapshot) -> Body {
    let mut body = at_table("invite", seen);
    body.append(&mut invite_body(seen));
    body
}

fn invite_body(seen: &Snapshot) -> Body {
    let Some(invite) = seen.invite() else { return Map::new() };
    let mut body = object(json!({ "invite": invite.link }));
    if !invite.code.is_empty() {
        body.insert("code".to_owned(), invite.code.clone().into());
    }
    body
}

/// The `disk` event: whether what happens at the table is kept on this device.
pub fn disk(seen: &Snapshot) -> Body {
    let mut body = at_table("disk", seen);
    body.insert("state".to_owned(), disk_word(seen.not_saved).into());
    body
}

const fn disk_word(failing: bool) -> &'static str {
    if failing { "failing" } else { "saved" }
}

/// An `error` event, at a table if one is known.
pub fn error(code: &str, message: &str, seen: Option<&Snapshot>) -> Body {
    let mut body = seen.map_or_else(|| new("error"), |seen| at_table("error", seen));
    body.append(&mut object(json!({ "code": code, "message": message })));
    body
}

/// The `state` event: the answer to that command.
pub fn state(seen: &Snapshot) -> Body {
    standing("state", seen)
}

/// The `position` event: the same, told to whoever comes to a game that has begun.
pub fn position(seen: &Snapshot) -> Body {
    standing("position", seen)
}

/// The referee's answer for the present position, the game so far, the seats, and who keeps.
fn standing(name: &str, seen: &Snapshot) -> Body {
    let mut body = at_table(name, seen);
    let Some(state) = &seen.state else { return body };
    if let Some(current) = &state.current {
        body.append(&mut object(answer(&current.game)));
        body.append(&mut object(json!({
            "game": current.number,
            "starter": current.starter,
            "order": current.order,
            "rules": rules_to_json(current.game.rules()),
            "actions": current.game.actions().iter().map(action_to_json).collect::<Vec<_>>(),
            "resigned": current.resigned,
        })));
    }
    body.insert("seats".to_owned(), seats(seen, state));
    body.insert("keeper".to_owned(), state.keeper_seat.into());
    body.insert("term".to_owned(), state.term.into());
    body.insert("offers".to_owned(), state.offers.iter().map(offer_body).collect());
    if let Some(countdown) = seen.countdown {
        let clock = json!({
            "seat": countdown.seat,
            "left_s": countdown.left.div_ceil(1000),
            "running": countdown.running,
        });
        body.insert("clock".to_owned(), clock);
    }
    if let Some(upto) = seen.final_upto {
        body.insert("final".to_owned(), upto.into());
    }
    if seen.not_saved {
        body.insert("disk".to_owned(), disk_word(seen.not_saved).into());
    }
    body
}

/// An open offer: the `ask` event's fields, and who has agreed.
fn offer_body(offer: &Offer) -> Value {
    let mut body = ask_body(&offer.id, offer.seat, &offer.what);
    body.insert("agreed".to_owned(), offer.agreed.clone().into());
    Value::Object(body)
}

fn ask_body(id: &Hash, seat: u8, what: &Asked) -> Body {
    let mut body = object(json!({ "id": id.to_string(), "seat": seat, "what": asked(what) }));
    if let Asked::Options(terms) = what
        && let Ok(rules) = Rules::from_bytes(&terms.rules)
    {
        let mut options = object(rules_to_json(&rules));
        options.insert("grace".to_owned(), grace(terms.settings.grace));
        options.insert("level".to_owned(), terms.settings.level.into());
        options.insert("ranked".to_owned(), terms.settings.ranked.into());
        options.insert("hidden".to_owned(), terms.settings.hidden.into());
        options.insert("cpu".to_owned(), cpus(&terms.seats));
        body.insert("options".to_owned(), Value::Object(options));
    }
    body
}

/// The seats that the CPU would play, each with its level.
fn cpus(seats: &[SeatSetup]) -> Value {
    let level = |(seat, setup): (u8, &SeatSetup)| match setup {
        SeatSetup::Open => None,
        SeatSetup::Cpu(level) => Some((seat.to_string(), Value::from(*level))),
    };
    Value::Object((0u8..).zip(seats).filter_map(level).collect())
}

const fn asked(what: &Asked) -> &'static str {
    match what {
        Asked::Undo => "undo",
        Asked::Draw => "draw",
        Asked::Options(_) => "options",
        Asked::Resign => "resign",
    }
}

const fn closed(why: Closed) -> &'static str {
    match why {
        Closed::Agreed => "agreed",
        Closed::Refused => "refused",
        Closed::Gone => "gone",
        Closed::Moved => "moved",
    }
}

const fn name(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Table => "table",
        EventKind::Seat { .. } => "seat",
        EventKind::Start { .. } => "start",
        EventKind::Move { .. } => "move",
        EventKind::YourTurn { .. } => "your_turn",
        EventKind::Keeper { .. } => "keeper",
        EventKind::Resigned { .. } => "resigned",
        EventKind::Asked { .. } => "ask",
        EventKind::Answered { .. } => "answer",
        EventKind::AskClosed { .. } => "closed",
        EventKind::Undone { .. } => "undone",
        EventKind::Agreed => "agreed",
        EventKind::Halted => "halted",
        EventKind::Final { .. } => "final",
        EventKind::Rewound { .. } => "rewound",
        EventKind::Link { .. } => "link",
        EventKind::Said { .. } => "said",
        EventKind::End { .. } => "end",
    }
}

fn details(kind: &EventKind, seen: &Snapshot) -> Body {
    match kind {
        EventKind::Table => seen.state.as_ref().map_or_else(Map::new, |state| table_body(seen, state)),
        EventKind::Seat { seat, presence } => {
            seen.state.as_ref().map_or_else(Map::new, |state| seat_body(seen, state, *seat, *presence))
        }
        EventKind::Start { game, starter, order, rules } => {
            object(json!({ "game": game, "starter": starter, "order": order, "rules": rules_to_json(rules) }))
        }
        EventKind::Move { ply, seat, by, action, took, lost } => {
            let mut body = object(json!({ "ply": ply, "seat": seat, "by": made(*by) }));
            match action {
                Action::Place { at, .. } => {
                    body.insert("at".to_owned(), at.to_string().into());
                    body.insert("took".to_owned(), groups_to_json(took));
                    let lost = lost
                        .iter()
                        .map(|(colour, points)| json!({ "colour": colour.name(), "points": points_to_json(points) }));
                    body.insert("lost".to_owned(), lost.collect());
                }
                Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => {
                    body.insert("choose".to_owned(), action_to_json(action));
                }
            }
            body
        }
        EventKind::YourTurn { seat, ply, must } => object(json!({ "seat": seat, "ply": ply, "must": must.name() })),
        EventKind::Keeper { term, seat } => object(json!({ "term": term, "seat": seat })),
        EventKind::Resigned { seat } => object(json!({ "seat": seat })),
        EventKind::Final { upto } => object(json!({ "upto": upto })),
        EventKind::Asked { id, seat, what } => ask_body(id, *seat, what),
        EventKind::Answered { id, seat, yes } => object(json!({ "id": id.to_string(), "seat": seat, "yes": yes })),
        EventKind::AskClosed { id, why } => object(json!({ "id": id.to_string(), "why": closed(*why) })),
        EventKind::Undone { ply } => object(json!({ "ply": ply })),
        EventKind::Agreed => Map::new(),
        EventKind::Halted => seen.halt.as_ref().map_or_else(Map::new, halt_body),
        // The index that every event has says it all.
        EventKind::Rewound { index } => object(json!({ "index": index })),
        EventKind::Said { seat, phrase } => object(json!({ "seat": seat, "phrase": phrase })),
        EventKind::Link { peer, up } => {
            object(json!({ "peer": peer.to_string(), "state": if *up { "up" } else { "down" } }))
        }
        EventKind::End { result, rules, actions, starter, resigned, credited } => object(json!({
            "result": result_to_json(result),
            "rules": rules_to_json(rules),
            "actions": actions.iter().map(action_to_json).collect::<Vec<_>>(),
            "starter": starter,
            "resigned": resigned,
            "credited": credited,
        })),
    }
}

fn halt_body(halt: &Halt) -> Body {
    let mut body = object(json!({ "with": halt.with.to_string(), "ours": halt.ours, "theirs": halt.theirs }));
    if let Some(index) = halt.index {
        body.insert("at".to_owned(), index.into());
    }
    body
}

fn table_body(seen: &Snapshot, state: &State) -> Body {
    let mut body = object(json!({
        "rules": rules_to_json(&state.rules),
        "seats": seats(seen, state),
        "grace": grace(state.settings.grace),
        "level": state.settings.level,
        "ranked": state.settings.ranked,
    }));
    if let Some(seat) = seen.my_seat {
        body.insert("seat".to_owned(), seat.into());
    }
    body.append(&mut invite_body(seen));
    body
}

fn seats(seen: &Snapshot, state: &State) -> Value {
    let seats = 0..state.seats.len() as u8;
    seats.map(|seat| Value::Object(seat_body(seen, state, seat, seen.presence_of(seat)))).collect()
}

fn seat_body(seen: &Snapshot, state: &State, seat: u8, presence: Presence) -> Body {
    let mut body = object(json!({ "seat": seat, "state": presence_name(presence) }));
    let level = match state.seats.get(usize::from(seat)).map(|seat| &seat.sitter) {
        Some(Sitter::Person { device, name, .. }) => {
            body.insert("name".to_owned(), name.as_str().into());
            body.insert("device".to_owned(), device.to_string().into());
            let cpu_plays = presence == Presence::Taken || state.cpu_plays(seat);
            cpu_plays.then_some(state.settings.level)
        }
        Some(Sitter::GivenUp { level, name }) => {
            body.insert("name".to_owned(), name.as_str().into());
            Some(*level)
        }
        Some(Sitter::Cpu { level }) => Some(*level),
        Some(Sitter::Nobody) | None => None,
    };
    if let Some(level) = level {
        body.insert("level".to_owned(), level.into());
    }
    if matches!(presence, Presence::Silent | Presence::Away) && seen.said_goodbye(seat) {
        body.insert("left".to_owned(), true.into());
    }
    if let Some(at) = state.seats.get(usize::from(seat)) {
        let so = |is: bool, name: &str| is.then(|| (name.to_owned(), true.into()));
        body.extend(so(at.ready && !state.playing(), "ready"));
        body.extend(so(at.hold && seen.is_waited_for(seat), "hold"));
    }
    if let (Presence::Away, Some(left)) = (presence, seen.grace_left_of(seat)) {
        body.insert("grace_left".to_owned(), left.div_ceil(1000).into());
    }
    body
}

/// Seconds, or `never`.
fn grace(grace: Grace) -> Value {
    match grace {
        Grace::Seconds(seconds) => seconds.into(),
        Grace::Never => "never".into(),
    }
}

const fn presence_name(presence: Presence) -> &'static str {
    match presence {
        Presence::Open => "open",
        Presence::Cpu => "cpu",
        Presence::Here => "human",
        Presence::Silent => "silent",
        Presence::Away => "away",
        Presence::Taken => "taken",
    }
}

const fn made(by: Made) -> &'static str {
    match by {
        Made::Hand => "hand",
        Made::Cpu => "cpu",
        Made::Clock => "clock",
    }
}

/// The fields of a value that is an object by its making.
fn object(value: Value) -> Body {
    match value {
        Value::Object(object) => object,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}
