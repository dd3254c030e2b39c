//! How a table stands, as `state` tells it to a person: the board with its coordinates, who sits where, and what is
//! waited for.

use app::Snapshot;
use rules::{Colour, Game, Point};
use table::{Current, Presence, Sitter, State};

use crate::changes::start_waits_for;
use crate::sentences::{
    answers_due, begun, disk_sentence, due, end_sentence, has_resigned, stones, waited_for, who, wish,
};

/// Characters of a row's number.
const NUMBER_CHARS: usize = 2;

/// Several lines, without the last one's end.
pub fn standing(seen: &Snapshot) -> String {
    let Some(state) = &seen.state else { return "The table is still being fetched: wait a moment".to_owned() };
    let mut lines = Vec::new();
    if let Some(current) = &state.current {
        lines.extend(board(&current.game));
    }
    lines.push(turn(seen, state));
    lines.extend((0..state.seats.len() as u8).map(|seat| seat_line(seen, state, seat)));
    lines.extend(next_game(seen, state).map(|waits| capital(&waits)));
    for offer in &state.offers {
        let (asker, wish) = (begun(who(state, offer.seat)), wish(state, offer.seat, &offer.what));
        lines.push(format!("{asker} {wish}{}", answers_due(seen, state, offer.id)));
    }
    if let Some(countdown) = seen.countdown {
        let still = if countdown.running { "" } else { ", standing still" };
        lines.push(format!("Time for {}: {} s{still}", who(state, countdown.seat), countdown.left.div_ceil(1_000)));
    }
    lines.extend(invite_line(seen));
    if seen.not_saved {
        lines.push(disk_sentence(true).to_owned());
    }
    lines.join("\n")
}

/// With a capital letter, what begins with a word of ours.
fn capital(words: &str) -> String {
    let (first, rest) = words.split_at_checked(1).unwrap_or((words, ""));
    format!("{}{rest}", first.to_ascii_uppercase())
}

/// How others come to this table over this device.
pub fn invite_line(seen: &Snapshot) -> Option<String> {
    let invite = seen.invite()?;
    Some(if invite.code.is_empty() {
        format!("Invite: {}", invite.link)
    } else {
        format!("Invite: {} / code {}", invite.link, invite.code)
    })
}

/// The stones between the letters and numbers of the points, the highest row first.
fn board(game: &Game) -> Vec<String> {
    let side = game.rules().board().side();
    let letters: Vec<String> = (0..side).map(|column| char::from(b'A' + column).to_string()).collect();
    let letters = format!("{:NUMBER_CHARS$} {}", "", letters.join(" "));
    let stone = |column, row| Point::new(column, row).and_then(|at| game.stone(at)).map_or('.', Colour::letter);
    let row = |row: u8| {
        let points: Vec<String> = (0..side).map(|column| stone(column, row).to_string()).collect();
        format!("{:>NUMBER_CHARS$} {}", row + 1, points.join(" "))
    };
    let mut lines = vec![letters];
    lines.extend((0..side).rev().map(row));
    lines
}

fn turn(seen: &Snapshot, state: &State) -> String {
    let Some(current) = &state.current else { return "No game has begun".to_owned() };
    let so_far = format!("Game {}, {}", current.number, stones(current.game.ply()));
    match (current.game.turn(), state.turn_seat()) {
        (Some(_), Some(seat)) if seen.my_seat == Some(seat) && seen.ghost.is_some() => {
            format!("{so_far}; your move is on its way")
        }
        (Some(turn), Some(seat)) if seen.my_seat == Some(seat) => {
            format!("{so_far}; your turn ({}): {}", turn.colour.name(), due(turn.must))
        }
        (Some(turn), Some(seat)) => {
            format!("{so_far}; {}, {}, is to move", who(state, seat), turn.colour.name())
        }
        _ => match current.game.result() {
            Some(result) => format!("{so_far}. {}", end_sentence(state, result, &credited(state, current))),
            None => so_far,
        },
    }
}

/// The seats of the winning colours, without those that had resigned before.
fn credited(state: &State, current: &Current) -> Vec<u8> {
    let Some(rules::Outcome::Win { winners, .. }) = current.game.result() else { return Vec::new() };
    let won = |seat: &u8| {
        state.colour(*seat).is_some_and(|colour| winners.contains(&colour)) && !current.resigned.contains(seat)
    };
    current.order.iter().copied().filter(won).collect()
}

fn seat_line(seen: &Snapshot, state: &State, seat: u8) -> String {
    let mut parts = Vec::new();
    if seen.my_seat == Some(seat) {
        parts.push("you".to_owned());
    } else if seen.presence_of(seat) == Presence::Silent && seen.said_goodbye(seat) {
        parts.push("has left".to_owned());
    } else if has_resigned(state, seat) && seen.presence_of(seat) == Presence::Taken {
        parts.push(presence(Presence::Away).to_owned());
    } else {
        parts.push(presence(seen.presence_of(seat)).to_owned());
    }
    if let Some(left) = seen.grace_left_of(seat) {
        parts.push(format!("the CPU plays in {} s", left.div_ceil(1_000)));
    }
    if let (Some(current), Some(colour)) = (&state.current, state.colour(seat)) {
        parts.push(colour.name().to_owned());
        if current.game.rules().options().captures {
            parts.push(format!("captured {}", current.game.captured(colour)));
        }
        if current.resigned.contains(&seat) {
            parts.push("resigned".to_owned());
            parts.extend(has_resigned(state, seat).then(|| "the CPU plays on".to_owned()));
        }
    }
    if !state.playing() && state.seats.get(usize::from(seat)).is_some_and(|at| at.ready) {
        parts.push("ready".to_owned());
    }
    format!("{}: {}", begun(who(state, seat)), parts.join(", "))
}

const fn presence(presence: Presence) -> &'static str {
    match presence {
        Presence::Open => "open",
        Presence::Cpu => "the CPU plays",
        Presence::Here => "here",
        Presence::Silent => "silent",
        Presence::Away => "away",
        Presence::Taken => "away, the CPU plays until its player is back",
    }
}

/// What the next game waits for, as the end of a sentence; nothing while one is played, or about to begin since this
/// session does by itself what is still missing.
pub fn next_game(seen: &Snapshot, state: &State) -> Option<String> {
    if state.playing() {
        return None;
    }
    // For the first game `c5` says by itself that it is ready once every seat is taken.
    let (next, by_itself) = if state.current.is_some() { ("rematch", false) } else { ("start", true) };
    let open = (0u8..).zip(&state.seats).filter(|(_, at)| at.sitter == Sitter::Nobody);
    let open: Vec<String> = open.map(|(seat, _)| seat.to_string()).collect();
    let mut unready = start_waits_for(state);
    let own = seen.my_seat.is_some_and(|own| unready.contains(&own));
    if own && by_itself && open.is_empty() {
        unready.retain(|&seat| seen.my_seat != Some(seat));
        if unready.is_empty() {
            return None;
        }
    }
    let write = if own && !by_itself { format!("; write {next} to play") } else { String::new() };
    Some(match (open.is_empty(), unready.is_empty()) {
        (false, _) if by_itself || own => {
            let or = format!("; or write {next} to begin with those who are there");
            let or = if seen.my_seat.is_some() { or.as_str() } else { "" };
            format!("somebody is to sit down in seat {}{or}", open.join(" and "))
        }
        (false | true, false) => {
            format!("the next game waits for {}{write}", waited_for(seen, state, &unready))
        }
        (false | true, true) => "the next game is about to begin".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{lobby, seat};

    fn waits(seen: &Snapshot) -> Option<String> {
        next_game(seen, seen.state.as_ref().expect("a state"))
    }

    #[tokio::test]
    async fn a_first_game_waits_for_others_and_not_for_what_comes_by_itself() {
        let mut seen = lobby(2).await;
        assert_eq!(waits(&seen).as_deref(), Some("the next game waits for Ben (seat 1)"));
        assert!(standing(&seen).contains("The next game waits for Ben (seat 1)"));
        seat(&mut seen, 1).ready = true;
        assert_eq!(waits(&seen), None, "this session says by itself that it is ready");
        assert!(!standing(&seen).contains("waits"), "{}", standing(&seen));

        let open = waits(&lobby(3).await).expect("it waits");
        assert!(open.starts_with("somebody is to sit down in seat 2; or write start"), "{open}");
    }
}
