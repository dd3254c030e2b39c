//! From what the log says to what the UI draws. Pure: the same snapshot always gives the same view.

mod board;
mod branch;
mod moves;
mod offers;
mod position;
mod reasons;
mod result;
mod seats;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_people;
mod words;

pub(crate) use board::bare_board;
pub(crate) use branch::{branch_view, replay_view};
pub(crate) use offers::{bare_settings, settings_view};
pub(crate) use position::position_view;
pub(crate) use result::{result_view, winning_seats};
pub use words::words_view;

use rules::{MoveLimit, OptionName, Rules, Starter};
use table::{Presence, State};

use crate::api::home::Warning;
use crate::api::table::{
    ClockView, HaltView, MayView, MustView, Phase, RulesView, TableSettings, TableView, TurnView, WaitingView,
};
use crate::snapshot::{Snapshot, name_of};
use moves::Track;

/// A person cannot play alone: this many seats must be taken for a start.
const PLAYERS_MIN: usize = 2;

/// Everything the lobby, the game and the result draw.
pub fn table_view(seen: &Snapshot) -> TableView {
    let Some(state) = &seen.state else { return joining(seen) };
    let track = Track::of(state);
    // A result is shown by what was played, whatever has been agreed for the next game.
    let rules = rules_of(state);
    TableView {
        table: seen.table.to_string(),
        phase: phase(state),
        game: state.current.as_ref().map_or(0, |current| current.number),
        rules: rules_view(rules),
        words: words_view(rules),
        seats: seats::seats_view(seen, state, &track),
        my_seat: seen.my_seat,
        board: board::board_view(seen, state, &track),
        turn: turn_view(seen, state),
        moves: moves::moves_view(seen, state),
        result: state.current.as_ref().and_then(result::of_current),
        waiting: waiting(seen, state),
        cut_off: cut_off(seen),
        clock: clock(seen, state),
        offers: offers::offers_view(seen, state),
        may: offers::may_view(seen, state),
        halt: halt(seen, state),
        counts: offers::counts(state),
        next_starter: next_starter(state),
        next_differs: *rules != state.rules,
        branches: seen.branches,
        notices: seen.besides.notices.clone(),
        invite: seen.besides.invite.clone(),
        pin: seen.besides.pin,
        settings: settings_view(state),
        can_start: can_start(seen, state),
        warnings: warnings(seen),
    }
}

/// The table's log is not here yet: only its name and what was announced are known.
fn joining(seen: &Snapshot) -> TableView {
    let rules = Rules::of(seen.expected);
    TableView {
        table: seen.table.to_string(),
        phase: Phase::Joining,
        game: 0,
        rules: rules_view(&rules),
        words: Vec::new(),
        seats: Vec::new(),
        my_seat: None,
        board: board::empty_board(&rules),
        turn: None,
        moves: Vec::new(),
        result: None,
        waiting: None,
        cut_off: cut_off(seen),
        clock: None,
        offers: Vec::new(),
        may: MayView::default(),
        halt: None,
        counts: None,
        next_starter: None,
        next_differs: false,
        branches: 0,
        notices: Vec::new(),
        invite: None,
        pin: seen.besides.pin,
        settings: TableSettings::default(),
        can_start: false,
        warnings: warnings(seen),
    }
}

/// The rules of the game that runs or stands, else of the first one.
fn rules_of(state: &State) -> &Rules {
    state.current.as_ref().map_or(&state.rules, |current| current.game.rules())
}

fn phase(state: &State) -> Phase {
    match &state.current {
        None => Phase::Lobby,
        Some(_) if state.playing() => Phase::Playing,
        Some(_) => Phase::Over,
    }
}

pub(crate) fn rules_view(rules: &Rules) -> RulesView {
    let options = rules.options();
    let own = rules.preset().options();
    let differs = |&name: &OptionName| name != OptionName::Seats && options.get(name) != own.get(name);
    RulesView {
        preset: rules.preset().name().to_owned(),
        board: rules.board().side(),
        line: rules.line(),
        goal: if options.captures { rules.goal() } else { 0 },
        teams: options.teams,
        options: OptionName::ALL
            .into_iter()
            .map(|name| (name.name().to_owned(), options.get(name).to_owned()))
            .collect(),
        differs: OptionName::ALL.into_iter().filter(differs).map(|name| name.name().to_owned()).collect(),
    }
}

fn turn_view(seen: &Snapshot, state: &State) -> Option<TurnView> {
    let turn = state.current.as_ref()?.game.turn()?;
    let seat = state.turn_seat()?;
    Some(TurnView {
        seat,
        colour: turn.colour,
        must: must_view(turn.must),
        mine: acts(seen, state, seat) && seen.ghost.is_none() && !seen.fresh,
        // Wherever the CPU thinks, everybody is told so.
        thinking: state.cpu_plays(seat) && !seen.keeper_gone,
    })
}

/// Whether this device's person plays that seat.
fn acts(seen: &Snapshot, state: &State, seat: u8) -> bool {
    seen.my_seat == Some(seat) && !state.cpu_plays(seat)
}

pub(crate) const fn must_view(must: rules::Must) -> MustView {
    match must {
        rules::Must::Place => MustView::Place,
        rules::Must::Choose => MustView::Choose,
        rules::Must::ChooseOrAdd => MustView::ChooseOrAdd,
    }
}

fn waiting(seen: &Snapshot, state: &State) -> Option<WaitingView> {
    if seen.keeper_gone {
        let seat = state.keeper_seat;
        return Some(WaitingView::Keeper { seat, name: name_of(state, seat).to_owned() });
    }
    if !state.playing() {
        return None;
    }
    let is_here = |seat: u8| matches!(seen.presence_of(seat), Presence::Here | Presence::Silent);
    if !(0..state.seats.len() as u8).any(is_here) {
        return Some(WaitingView::Nobody);
    }
    let seat = state.turn_seat()?;
    seen.is_waited_for(seat).then(|| WaitingView::Seat { seat, name: name_of(state, seat).to_owned() })
}

fn clock(seen: &Snapshot, state: &State) -> Option<ClockView> {
    let countdown = seen.countdown?;
    let limit_s = match state.current.as_ref()?.game.rules().options().move_limit {
        MoveLimit::None => return None,
        MoveLimit::Seconds30 => 30,
        MoveLimit::Seconds60 => 60,
    };
    let left_ms = u32::try_from(countdown.left).unwrap_or(u32::MAX);
    Some(ClockView { seat: countdown.seat, left_ms, limit_s, running: countdown.running })
}

fn halt(seen: &Snapshot, state: &State) -> Option<HaltView> {
    let halt = seen.halt.as_ref()?;
    let seat = state.speaking_seat(halt.with);
    let at_move = halt.index.and_then(|index| {
        let moves = &state.current.as_ref()?.moves;
        u16::try_from(moves.iter().filter(|made| made.index < index).count() + 1).ok()
    });
    let name = seat.map_or_else(String::new, |seat| name_of(state, seat).to_owned());
    Some(HaltView { seat, name, at_move, ours: halt.ours.clone(), theirs: halt.theirs.clone() })
}

/// Who starts the next game, where that is known before.
fn next_starter(state: &State) -> Option<u8> {
    let players = state.participants();
    if state.playing() || players.len() < PLAYERS_MIN {
        return None;
    }
    match rules::starter(state.rules.options(), &players, state.current.as_ref().map(|current| current.starter)) {
        Starter::Seat(seat) => Some(seat),
        Starter::Toss => None,
    }
}

fn can_start(seen: &Snapshot, state: &State) -> bool {
    let ready = |seat: u8| state.seats.get(usize::from(seat)).is_some_and(|seat| seat.ready);
    let enough = state.participants().len() >= PLAYERS_MIN;
    !state.playing() && seen.own_seats.iter().any(|&seat| !ready(seat)) && enough
}

/// Whose link it is: this device's own if it hears nobody. Of two devices each hears nobody whichever is gone: then it is
/// the own one where there is no network here, and else most likely the other's.
fn cut_off(seen: &Snapshot) -> bool {
    seen.cut_off && (seen.besides.no_network || seen.others_expected > 1)
}

fn warnings(seen: &Snapshot) -> Vec<Warning> {
    let standing = [(seen.not_saved, Warning::NotSaved), (seen.rules_differ, Warning::RulesDiffer)];
    standing.into_iter().filter(|(stands, _)| *stands).map(|(_, warning)| warning).collect()
}
