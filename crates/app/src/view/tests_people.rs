//! Views of tables where people come and go, ask and answer.

use rules::{OptionName, Preset};
use table::message::FaultCode;
use table::{Asked, Countdown, DeviceId, Halt, Hash, Made, Offer, Presence, SeatSetup, Sitter, Terms};

use super::table_view;
use crate::api::setup::SeatPlan;
use crate::api::table::{ClockView, HaltView, MayView, OfferKind, OfferView, Phase, TableView};
use crate::script::Script;
use crate::setup::{present_terms, terms_of};
use crate::snapshot::Snapshot;

const BEN: DeviceId = DeviceId([9; 32]);

/// Anna's device sees Ben in seat 1 instead of the CPU.
fn with_ben(script: &Script) -> Snapshot {
    let mut seen = script.seen();
    let state = seen.state.as_mut().expect("a state");
    state.seats[1].sitter = Sitter::Person { device: BEN, key: [0; 32], name: "Ben".to_owned(), guest: false };
    state.seats[1].here = true;
    seen.presence[1] = Presence::Here;
    seen
}

fn gomoku() -> Script {
    Script::open(Preset::Gomoku, 2, &[]).start()
}

fn asked(seen: &mut Snapshot, seat: u8, what: Asked) -> OfferView {
    let offer = Offer { id: Hash([3; 32]), seat, what, agreed: Vec::new() };
    seen.state.as_mut().expect("a state").offers = vec![offer];
    table_view(seen).offers.remove(0)
}

#[test]
fn an_undo_names_the_stone_and_who_must_answer() {
    let mut seen = with_ben(&gomoku().play("H8 I8 J9"));
    let offer = asked(&mut seen, 1, Asked::Undo);
    assert_eq!((offer.what, offer.at.as_deref(), offer.takes_back), (OfferKind::Undo, Some("I8"), 2));
    assert_eq!((offer.mine, offer.to_answer, offer.waits_for), (false, true, vec![0]));
    let own = asked(&mut seen, 0, Asked::Undo);
    assert_eq!((own.at.as_deref(), own.takes_back), (Some("J9"), 1));
    assert_eq!((own.mine, own.to_answer, own.waits_for), (true, false, vec![1]));
    assert_eq!(table_view(&seen).may, MayView { resign: true, ..MayView::default() }, "one thing at a time");
}

#[test]
fn a_draw_waits_for_those_who_are_away_and_an_undo_does_not() {
    let mut seen = with_ben(&gomoku().play("H8"));
    seen.state.as_mut().expect("a state").seats[1].here = false;
    seen.presence[1] = Presence::Away;
    assert_eq!(asked(&mut seen, 0, Asked::Draw).waits_for, [1]);
    assert!(asked(&mut seen, 0, Asked::Undo).waits_for.is_empty());
}

#[test]
fn who_has_agreed_is_not_waited_for() {
    let mut seen = with_ben(&gomoku().play("H8"));
    asked(&mut seen, 0, Asked::Draw);
    seen.state.as_mut().expect("a state").offers[0].agreed = vec![1];
    let view = table_view(&seen);
    assert_eq!((view.offers[0].agreed.as_slice(), view.offers[0].waits_for.as_slice()), (&[1][..], &[][..]));
}

#[test]
fn other_terms_are_told_by_what_they_change() {
    let script = gomoku();
    let mut seen = with_ben(&script);
    let mut request = present_terms(&seen).expect("seated");
    request.options.insert("board".to_owned(), "19".to_owned());
    request.settings.grace_s = None;
    let terms = terms_of(&request, &seen).expect("coherent");
    assert_eq!(terms.seats, [SeatSetup::Open, SeatSetup::Open]);
    let offer = asked(&mut seen, 1, Asked::Options(terms)).terms.expect("terms");
    assert_eq!((offer.changes.as_slice(), offer.rules.board), (&["board".to_owned()][..], 19));
    assert_eq!((offer.settings.grace_s, offer.cpus.len(), offer.words.is_empty()), (None, 0, false));
    let broken = Terms { rules: vec![1], settings: crate::setup::default_settings(), seats: Vec::new(), pin: None };
    seen.state.as_mut().expect("a state").offers[0].what = Asked::Options(broken);
    assert!(table_view(&seen).offers.is_empty());
}

#[test]
fn present_terms_leave_the_table_as_it_is() {
    let script = Script::open(Preset::CaptureFive, 3, &[(OptionName::Board, "9")]);
    let seen = script.seen();
    let request = present_terms(&seen).expect("seated");
    assert_eq!(request.seats, [SeatPlan::Me, SeatPlan::Cpu { level: 3 }, SeatPlan::Cpu { level: 3 }]);
    assert_eq!(request.options.len(), 1);
    let terms = terms_of(&request, &seen).expect("coherent");
    assert_eq!(terms.rules, seen.state.as_ref().expect("a state").rules.to_bytes());
    let mut fewer = request;
    fewer.seats.pop();
    assert!(terms_of(&fewer, &seen).is_err(), "a table keeps its seats");
}

#[test]
fn what_may_be_asked_for() {
    let may = |seen: &Snapshot| table_view(seen).may;
    let alone = gomoku();
    assert_eq!(may(&alone.seen()), MayView { resign: true, ..MayView::default() }, "nothing to take back yet");
    let played = alone.play("H8");
    let at_once = MayView { undo: true, undo_at_once: true, resign: true, ..MayView::default() };
    assert_eq!(may(&played.seen()), at_once, "no draw with the CPU");
    let mut seen = with_ben(&played);
    let by_consent = MayView { undo: true, draw: true, resign: true, ..MayView::default() };
    assert_eq!(may(&seen), by_consent);
    seen.state.as_mut().expect("a state").settings.ranked = true;
    assert_eq!(may(&seen), MayView { undo: false, ..by_consent }, "ranked games have no undo");
    seen.my_seat = None;
    assert_eq!(may(&seen), MayView::default(), "onlookers ask for nothing");
    let lobby = Script::open(Preset::Gomoku, 2, &[]);
    assert_eq!(may(&lobby.seen()), MayView { options: true, ..MayView::default() });
}

#[test]
fn an_undo_waits_for_who_is_away_only_where_their_own_stone_would_go() {
    let may = |script: &Script, presence: Presence, by: Made| {
        let mut seen = with_ben(script);
        seen.presence[1] = presence;
        let state = seen.state.as_mut().expect("a state");
        state.seats[1].here = presence == Presence::Here;
        for made in &mut state.current.as_mut().expect("a game").moves {
            made.by = by;
        }
        let may = table_view(&seen).may;
        (may.undo, may.undo_at_once, may.undo_waits_for)
    };
    let (mine, theirs) = (gomoku().play("H8"), gomoku().play("H8 I8"));
    assert_eq!(may(&theirs, Presence::Here, Made::Hand), (true, false, None), "Ben is asked");
    assert_eq!(may(&mine, Presence::Away, Made::Hand), (true, true, None), "nobody else's stone would go");
    assert_eq!(may(&theirs, Presence::Away, Made::Hand), (false, false, Some(1)));
    assert_eq!(may(&theirs, Presence::Taken, Made::Hand), (false, false, Some(1)), "the CPU agrees for nobody");
    assert_eq!(may(&theirs, Presence::Taken, Made::Cpu), (true, true, None), "what the CPU played goes without asking");
}

#[test]
fn a_game_that_is_over_can_be_taken_up_again_until_the_next_begins() {
    let over = gomoku().play("H8 A1 H9 A2 H10 A3 H11 A4 H12");
    let view = table_view(&over.seen());
    assert_eq!((view.phase, view.may.undo, view.may.undo_at_once), (Phase::Over, true, true));
    let mut again = over;
    again.command(table::Command::Offer(table::Proposal::Undo));
    let view = table_view(&again.seen());
    assert_eq!((view.phase, view.moves.len()), (Phase::Playing, 8));
}

#[test]
fn a_seat_that_is_away_can_be_waited_for_or_handed_over() {
    let mut seen = with_ben(&gomoku().play("H8"));
    let can = |view: &TableView| (view.seats[1].can_hold, view.seats[1].can_cpu_now, view.seats[1].grace_left_ms);
    assert_eq!(can(&table_view(&seen)), (false, false, None));
    seen.presence[1] = Presence::Away;
    seen.grace_left[1] = Some(9_500);
    assert_eq!(can(&table_view(&seen)), (true, true, Some(9_500)));
    seen.grace_left[1] = None;
    assert_eq!(can(&table_view(&seen)), (false, true, None), "it is waited for already");
    seen.presence[1] = Presence::Taken;
    assert_eq!(can(&table_view(&seen)), (false, false, None));
    assert_eq!(table_view(&seen).seats[1].level, Some(crate::setup::TAKEOVER_LEVEL));
}

#[test]
fn who_has_resigned_and_is_away_is_not_waited_for() {
    let mut seen = with_ben(&Script::open(Preset::Gomoku, 3, &[]).start().play("H8"));
    seen.presence[1] = Presence::Away;
    seen.grace_left[1] = Some(60_000);
    let told = |seen: &Snapshot| {
        let view = table_view(seen);
        let seat = &view.seats[1];
        (seat.can_hold, seat.can_cpu_now, seat.grace_left_ms, view.waiting.is_some())
    };
    assert_eq!(told(&seen), (true, true, Some(60_000), true));
    seen.state.as_mut().and_then(|state| state.current.as_mut()).expect("a game").resigned = vec![1];
    assert_eq!(told(&seen), (false, false, None, false), "the CPU plays there already");
}

#[test]
fn the_clock_of_the_seat_to_move() {
    let hurried = Script::open(Preset::Gomoku, 2, &[(OptionName::MoveLimit, "30")]).start();
    let mut seen = hurried.seen();
    assert_eq!(table_view(&seen).clock.map(|clock| clock.limit_s), seen.countdown.map(|_| 30));
    seen.countdown = Some(Countdown { seat: 0, left: 12_345, running: true });
    let clock = ClockView { seat: 0, left_ms: 12_345, limit_s: 30, running: true };
    assert_eq!(table_view(&seen).clock, Some(clock));
    let mut unlimited = gomoku().seen();
    unlimited.countdown = seen.countdown;
    assert_eq!(table_view(&unlimited).clock, None);
}

#[test]
fn a_halt_names_the_move_and_the_versions() {
    let mut seen = with_ben(&gomoku().play("H8 I8"));
    let index = seen.state.as_ref().and_then(|state| Some(state.current.as_ref()?.moves[1].index)).expect("a move");
    let halt =
        |index| Halt { with: BEN, code: FaultCode::State, index, ours: "0.2.0".to_owned(), theirs: "0.1.0".to_owned() };
    seen.halt = Some(halt(Some(index)));
    let view = HaltView {
        seat: Some(1),
        name: "Ben".to_owned(),
        at_move: Some(2),
        ours: "0.2.0".to_owned(),
        theirs: "0.1.0".to_owned(),
    };
    assert_eq!(table_view(&seen).halt, Some(view.clone()));
    assert!(!table_view(&seen).may.undo, "nothing is asked for while it stands still");
    seen.halt = Some(halt(None));
    assert_eq!(table_view(&seen).halt, Some(HaltView { at_move: None, ..view }));
}

#[test]
fn who_starts_next_is_known_between_games() {
    let starts = |script: &Script| table_view(&script.seen()).next_starter;
    let lobby = Script::open(Preset::Gomoku, 2, &[]);
    assert_eq!(starts(&lobby), Some(0));
    let running = lobby.start();
    assert_eq!(starts(&running), None);
    assert_eq!(starts(&running.play("H8 A1 H9 A2 H10 A3 H11 A5 H12")), Some(1), "the start is passed on");
    assert_eq!(starts(&Script::open(Preset::Wuziqi, 2, &[])), None, "a lot decides");
}

#[test]
fn whose_link_it_is() {
    let mut seen = with_ben(&gomoku());
    let mut mine = |heard: bool, expected: usize, no_network: bool| {
        (seen.cut_off, seen.others_expected, seen.besides.no_network) = (!heard, expected, no_network);
        table_view(&seen).cut_off
    };
    assert!(!mine(true, 2, false));
    assert!(mine(false, 2, false), "two others do not vanish at once");
    assert!(!mine(false, 1, false), "of two devices it is most likely the other");
    assert!(mine(false, 1, true));
}

#[test]
fn whoever_gave_a_seat_up_is_named_under_the_result() {
    let mut seen = with_ben(&gomoku().play("H8 A1 H9 A2 H10 A3 H11 A5 H12"));
    let state = seen.state.as_mut().expect("a state");
    let left = std::mem::replace(&mut state.seats[1].sitter, Sitter::Nobody);
    state.current.as_mut().expect("a game").given_up = vec![(1, left)];
    let seat = &table_view(&seen).seats[1];
    assert_eq!((seat.name.as_str(), seat.left_by.as_deref()), ("Ben", None));
    assert_eq!(crate::snapshot::names(seen.state.as_ref().expect("a state"))[1], "Ben");

    // The archive keeps who played, whoever has come since.
    let state = seen.state.as_mut().expect("a state");
    state.seats[1].sitter = Sitter::Person { device: BEN, key: [0; 32], name: "Cid".to_owned(), guest: false };
    let state = seen.state.as_ref().expect("a state");
    assert_eq!(crate::snapshot::players_of(state, state.current.as_ref().expect("a game"))[1], "Ben");
    let seat = &table_view(&seen).seats[1];
    assert_eq!((seat.name.as_str(), seat.left_by.as_deref()), ("Cid", Some("Ben")));
}

#[test]
fn a_result_stands_by_its_own_rules() {
    let mut seen = gomoku().play("H8 A1 H9 A2 H10 A3 H11 A5 H12").seen();
    assert!(!table_view(&seen).next_differs);
    seen.state.as_mut().expect("a state").rules = rules::Rules::of(Preset::Pente);
    let view = table_view(&seen);
    assert_eq!((view.rules.preset.as_str(), view.rules.goal, view.next_differs), ("gomoku", 0, true));
}
