//! What people ask of each other: taking back, a draw, other options, a team's resignation (PROTOCOL.md, section 11;
//! RULES.md, section 8).

mod sim;

use rules::{DrawBy, Outcome, Preset};
use sim::World;
use sim::party::*;
use sim::person::rules_for;
use table::{Asked, Closed, Command, CommandError, EventKind, Grace, Hash, Made, Proposal, SeatSetup, Sitter, Terms};

const CPU: SeatSetup = SeatSetup::Cpu(3);
const UNDO: Command = Command::Offer(Proposal::Undo);
const DRAW: Command = Command::Offer(Proposal::Draw);
const YES: Command = Command::Answer { offer: None, yes: true };
const NO: Command = Command::Answer { offer: None, yes: false };

fn game(seats: &[SeatSetup], people: usize) -> World {
    started(table_of(seats, |_| {}), people)
}

fn offers(world: &World, device: usize) -> Vec<(u8, Asked)> {
    state(world, device).offers.iter().map(|offer| (offer.seat, offer.what.clone())).collect()
}

/// How offers closed on a device, in order.
fn closings(world: &World, device: usize) -> Vec<Closed> {
    let closed = |kind: &EventKind| match kind {
        EventKind::AskClosed { why, .. } => Some(*why),
        _ => None,
    };
    world.devices[device].events.iter().filter_map(|event| closed(&event.kind)).collect()
}

fn undone(world: &World, device: usize) -> Vec<u16> {
    let undone = |kind: &EventKind| match kind {
        EventKind::Undone { ply } => Some(*ply),
        _ => None,
    };
    world.devices[device].events.iter().filter_map(|event| undone(&event.kind)).collect()
}

fn terms(world: &World, change: impl FnOnce(&mut Terms)) -> Terms {
    let state = state(world, 0);
    let seat = |seat: &table::Seat| match seat.sitter {
        Sitter::Cpu { level } => SeatSetup::Cpu(level),
        Sitter::Nobody | Sitter::Person { .. } | Sitter::GivenUp { .. } => OPEN,
    };
    let seats = state.seats.iter().map(seat).collect();
    let mut terms = Terms { rules: state.rules.to_bytes(), settings: state.settings, seats, pin: None };
    change(&mut terms);
    terms
}

fn options(terms: Terms) -> Command {
    Command::Offer(Proposal::Options(terms))
}

#[test]
fn against_cpus_an_undo_is_granted_at_once_and_can_be_repeated() {
    let mut world = game(&[OPEN, CPU, CPU], 1);
    assert_eq!(wants(&mut world, 0, UNDO), Err(CommandError::NothingToUndo));
    play_to(&mut world, 6);
    assert_eq!(state(&world, 0).turn_seat(), Some(0));
    world.thinking = (60_000, 60_000);
    for (left, done) in [(3, 1), (0, 2)] {
        let told = told_so_far(&world, 0);
        assert_eq!(wants(&mut world, 0, UNDO), Ok(()));
        assert_eq!((ply(&world, 0), undone(&world, 0).len()), (left, done));
        let news = news(&world, 0, told);
        let your_turn =
            news.iter().any(|kind| matches!(kind, EventKind::YourTurn { seat: 0, ply, .. } if *ply == left));
        assert!(your_turn, "it is told whose turn it is again: {news:?}");
        let asked = news.iter().position(|kind| matches!(kind, EventKind::Asked { seat: 0, what: Asked::Undo, .. }));
        let closed = news.iter().position(|kind| matches!(kind, EventKind::AskClosed { why: Closed::Agreed, .. }));
        assert!(asked.is_some() && asked < closed);
    }
    assert_eq!(wants(&mut world, 0, UNDO), Err(CommandError::NothingToUndo));
    world.check_at_rest();
}

#[test]
fn an_undo_goes_back_to_just_before_the_askers_own_last_stone() {
    let mut world = game(&[OPEN, OPEN, OPEN], 3);
    play_to(&mut world, 5);
    // Seat 1 placed the fifth stone, seat 0 the fourth: seat 0 gets both back.
    assert_eq!(wants(&mut world, 0, UNDO), Ok(()));
    for device in 0..3 {
        assert_eq!(offers(&world, device), [(0, Asked::Undo)]);
    }
    assert_eq!(wants(&mut world, 0, YES), Err(CommandError::NoSuchOffer), "nobody answers itself");
    assert_eq!(wants(&mut world, 1, YES), Ok(()));
    assert_eq!(ply(&world, 2), 5, "every other human must agree");
    assert_eq!(wants(&mut world, 1, YES), Err(CommandError::NoSuchOffer), "once is enough");
    assert_eq!(wants(&mut world, 2, YES), Ok(()));
    for device in 0..3 {
        assert_eq!((ply(&world, device), undone(&world, device)), (3, vec![3]));
        assert_eq!(closings(&world, device), [Closed::Agreed]);
        assert_eq!(offers(&world, device), []);
        let answers = world.told(device, |kind| matches!(kind, EventKind::Answered { yes: true, .. }));
        assert_eq!(answers, 2);
    }
    assert_eq!(state(&world, 0).turn_seat(), Some(0));
    world.check_at_rest();
}

#[test]
fn one_no_closes_an_offer() {
    let mut world = game(&[OPEN, OPEN, OPEN], 3);
    play_to(&mut world, 3);
    assert_eq!(wants(&mut world, 0, UNDO), Ok(()));
    assert_eq!(wants(&mut world, 1, YES), Ok(()));
    assert_eq!(wants(&mut world, 2, NO), Ok(()));
    assert_eq!((closings(&world, 0), ply(&world, 0)), (vec![Closed::Refused], 3));
    assert_eq!(wants(&mut world, 1, YES), Err(CommandError::NoSuchOffer));
}

#[test]
fn an_offer_is_open_no_longer_when_play_goes_on() {
    let mut world = game(&[OPEN, OPEN], 2);
    play_to(&mut world, 2);
    assert_eq!(wants(&mut world, 1, UNDO), Ok(()));
    assert_eq!(wants(&mut world, 0, DRAW), Ok(()));
    assert_eq!(offers(&world, 1), [(1, Asked::Undo), (0, Asked::Draw)], "two at once are in the log's order");
    play(&mut world);
    for device in 0..2 {
        assert_eq!(closings(&world, device), [Closed::Moved, Closed::Moved]);
        assert_eq!(offers(&world, device), []);
    }
}

#[test]
fn of_each_kind_a_seat_asks_three_times_at_one_place_and_once_at_a_time() {
    let mut world = game(&[OPEN, OPEN], 2);
    play_to(&mut world, 2);
    for kind in [UNDO, DRAW] {
        for _ in 0..3 {
            assert_eq!(wants(&mut world, 0, kind.clone()), Ok(()));
            assert_eq!(wants(&mut world, 0, DRAW), Err(CommandError::OfferOpen), "one is open");
            assert_eq!(wants(&mut world, 1, NO), Ok(()));
        }
        assert_eq!(wants(&mut world, 0, kind), Err(CommandError::TooOften));
    }
    play(&mut world);
    assert_eq!(wants(&mut world, 0, UNDO), Ok(()), "play has gone on");
    world.check_at_rest();
}

#[test]
fn an_offer_dies_with_its_asker_and_survives_a_roll_that_still_has_it() {
    let mut world = game(&[OPEN, OPEN, OPEN], 3);
    play_to(&mut world, 3);
    assert_eq!(wants(&mut world, 1, UNDO), Ok(()));
    vanish(&mut world, 2);
    assert_eq!(offers(&world, 0), [(1, Asked::Undo)]);
    vanish(&mut world, 1);
    assert_eq!((offers(&world, 0), closings(&world, 0)), (vec![], vec![Closed::Gone]));
    assert_eq!(ply(&world, 0), 3);
}

#[test]
fn an_offer_is_complete_with_the_roll_that_removes_the_last_who_had_to_agree() {
    let mut world = game(&[OPEN, OPEN, OPEN], 3);
    play_to(&mut world, 4);
    // Seat 0 takes only its own stone back, so nobody's stone goes that is not here.
    assert_eq!(wants(&mut world, 0, UNDO), Ok(()));
    assert_eq!(wants(&mut world, 1, YES), Ok(()));
    vanish(&mut world, 2);
    for device in 0..2 {
        assert_eq!((ply(&world, device), closings(&world, device)), (3, vec![Closed::Agreed]));
    }
    come_back(&mut world, 2);
    world.check_at_rest();
}

#[test]
fn an_offer_is_complete_when_the_last_who_had_to_agree_stands_up() {
    let mut world = game(&[OPEN, OPEN, OPEN], 3);
    play_to(&mut world, 4);
    world.thinking = (60_000, 60_000);
    assert_eq!(wants(&mut world, 0, DRAW), Ok(()));
    assert_eq!(wants(&mut world, 1, YES), Ok(()));
    assert_eq!(wants(&mut world, 2, Command::Stand), Ok(()));
    assert_eq!(state(&world, 0).result(), Some(&Outcome::Draw(DrawBy::Agreement)));
    // With the last other human the draw goes, too: a CPU agrees to none.
    let mut world = game(&[OPEN, OPEN], 2);
    world.thinking = (60_000, 60_000);
    assert_eq!(wants(&mut world, 0, DRAW), Ok(()));
    assert_eq!(wants(&mut world, 1, Command::Stand), Ok(()));
    assert!(state(&world, 0).playing());
    assert_eq!(closings(&world, 0), [Closed::Refused]);
}

#[test]
fn who_is_not_here_need_not_agree_but_loses_no_stone_of_its_hand() {
    let mut world = started(table_of(&[OPEN, OPEN], |setup| setup.settings.grace = Grace::Seconds(10)), 2);
    play_to(&mut world, 2);
    vanish(&mut world, 1);
    assert_eq!(wants(&mut world, 0, UNDO), Err(CommandError::OwnerAway), "it would take seat 1's stone");
    play(&mut world);
    assert_eq!(wants(&mut world, 0, UNDO), Ok(()), "its own stone alone");
    assert_eq!(ply(&world, 0), 2);
    play(&mut world);
    world.run_for(12_000);
    assert_eq!(makers(&world, 0).last(), Some(&(1, Made::Cpu)));
    assert_eq!(wants(&mut world, 0, UNDO), Ok(()), "what the CPU made for it may go");
    assert_eq!(ply(&world, 0), 2);
    come_back(&mut world, 1);
    assert_eq!(wants(&mut world, 1, UNDO), Ok(()));
    assert_eq!(offers(&world, 0), [(1, Asked::Undo)], "once here it takes part");
    world.check_at_rest();
}

#[test]
fn an_undo_asks_back_what_the_cpu_made_for_a_returning_owner() {
    let mut world = started(table_of(&[OPEN, OPEN], |setup| setup.settings.grace = Grace::Seconds(0)), 2);
    play_to(&mut world, 1);
    vanish(&mut world, 1);
    assert_eq!(makers(&world, 0), [(0, Made::Hand), (1, Made::Cpu)]);
    come_back(&mut world, 1);
    assert_eq!(ply(&world, 1), 2, "the CPU's move stands");
    assert_eq!(wants(&mut world, 1, UNDO), Ok(()));
    assert_eq!(wants(&mut world, 0, YES), Ok(()));
    assert_eq!((ply(&world, 0), state(&world, 0).turn_seat()), (1, Some(1)));
    world.check_at_rest();
}

#[test]
fn after_the_end_an_undo_takes_the_win_back_and_the_game_runs_again() {
    let mut world = game(&[OPEN, OPEN], 2);
    play_to(&mut world, 4);
    assert_eq!(wants(&mut world, 1, Command::Resign), Ok(()));
    assert_eq!(state(&world, 0).wins, [1, 0]);
    assert_eq!(wants(&mut world, 0, Command::Ready), Ok(()));
    assert_eq!(wants(&mut world, 1, UNDO), Ok(()));
    assert_eq!(wants(&mut world, 0, YES), Ok(()));
    for device in 0..2 {
        let state = state(&world, device);
        assert!(state.playing() && state.wins == [0, 0] && !state.seats[0].ready);
        assert_eq!(ply(&world, device), 3);
    }
    // The same game ends once more, and is told of and kept once more.
    play_to(&mut world, 4);
    assert_eq!(wants(&mut world, 0, Command::Resign), Ok(()));
    assert_eq!(state(&world, 1).wins, [0, 1]);
    assert_eq!(world.told(1, |kind| matches!(kind, EventKind::End { .. })), 2);
    let credited = world.table(1).ended_game(1).and_then(|game| game.game.result().cloned());
    assert_eq!(credited.as_ref(), state(&world, 1).result(), "the newer end is the one that is kept");
    world.check_at_rest();
    vanish(&mut world, 1);
    come_back(&mut world, 1);
    let again = world.table(1).ended_game(1).and_then(|game| game.game.result().cloned());
    assert_eq!(again, credited, "also after a restart");
}

#[test]
fn after_the_end_a_seat_that_was_given_up_is_the_cpus_again() {
    let mut world = game(&[OPEN, OPEN, OPEN], 3);
    play_to(&mut world, 3);
    assert_eq!(wants(&mut world, 2, Command::Stand), Ok(()));
    play_out(&mut world, &[0, 1]);
    assert_eq!(state(&world, 0).seats[2].sitter, Sitter::Nobody);
    // Seat 1 leaves after the end, too: what it placed by hand it has left to the others.
    assert_eq!(wants(&mut world, 1, Command::Stand), Ok(()));
    world.thinking = (60_000, 60_000);
    assert_eq!(wants(&mut world, 0, UNDO), Ok(()));
    let state = state(&world, 0);
    assert!(state.playing() && state.wins == [0, 0, 0]);
    for (seat, name) in [(1, "P1"), (2, "P2")] {
        let given_up = Sitter::GivenUp { level: 5, name: name.into() };
        assert_eq!(state.seats[seat].sitter, given_up);
    }
}

#[test]
fn ranked_games_take_nothing_back() {
    let mut world = started(table_of(&[OPEN, OPEN], |setup| setup.settings.ranked = true), 2);
    play_to(&mut world, 2);
    assert_eq!(wants(&mut world, 0, UNDO), Err(CommandError::Ranked));
    assert_eq!(wants(&mut world, 1, Command::Resign), Ok(()));
    assert_eq!(wants(&mut world, 0, UNDO), Err(CommandError::Ranked), "nor after their end");
    assert!(state(&world, 0).counts());
    world.check_at_rest();
}

#[test]
fn choices_of_an_opening_are_taken_back_too() {
    let swap = rules_for(Preset::PenteSwap2, 2, false);
    let mut world = started(sim::setup(swap, vec![OPEN, OPEN]), 2);
    let choices = |world: &World| state(world, 0).current.as_ref().map_or(0, |game| game.moves.len());
    while choices(&world) < 4 {
        play(&mut world);
    }
    assert_eq!((choices(&world), ply(&world, 0)), (4, 3), "the other has chosen");
    let chooser = makers(&world, 0)[3].0;
    let device = device_of(&world, chooser);
    assert_eq!(wants(&mut world, device, UNDO), Ok(()));
    assert_eq!(wants(&mut world, 1 - device, YES), Ok(()));
    assert_eq!((choices(&world), state(&world, 0).turn_seat()), (3, Some(chooser)));
}

#[test]
fn a_draw_needs_every_human_of_the_game() {
    let mut world = game(&[OPEN, CPU], 1);
    assert_eq!(wants(&mut world, 0, DRAW), Err(CommandError::NobodyToAsk), "a CPU agrees to no draw");
    let mut world = game(&[OPEN, OPEN, CPU, OPEN], 3);
    assert_eq!(wants(&mut world, 0, DRAW), Ok(()));
    vanish(&mut world, 2);
    assert_eq!(wants(&mut world, 1, YES), Ok(()));
    assert!(state(&world, 0).playing(), "here or not");
    assert_eq!(offers(&world, 0).len(), 1);
    come_back(&mut world, 2);
    assert_eq!(wants(&mut world, 2, YES), Ok(()));
    for device in 0..3 {
        assert_eq!(state(&world, device).result(), Some(&Outcome::Draw(DrawBy::Agreement)));
        assert_eq!(state(&world, device).wins, [0, 0, 0, 0]);
        let ends = world.told(device, |kind| matches!(kind, EventKind::End { result: Outcome::Draw(_), .. }));
        assert_eq!(ends, 1);
    }
    assert_eq!(wants(&mut world, 0, DRAW), Err(CommandError::NoGame));
    world.check_at_rest();
}

#[test]
fn nobody_who_has_resigned_asks_or_is_asked_for_a_draw() {
    let mut world = game(&[OPEN, OPEN, OPEN], 3);
    play_to(&mut world, 1);
    world.thinking = (60_000, 60_000);
    assert_eq!(wants(&mut world, 2, Command::Resign), Ok(()));
    assert_eq!(wants(&mut world, 2, DRAW), Err(CommandError::Resigned));
    assert_eq!(wants(&mut world, 2, UNDO), Err(CommandError::Resigned));
    assert_eq!(wants(&mut world, 0, DRAW), Ok(()));
    assert_eq!(wants(&mut world, 2, YES), Err(CommandError::NoSuchOffer));
    assert_eq!(wants(&mut world, 1, YES), Ok(()));
    assert!(!state(&world, 0).playing());
}

#[test]
fn an_undo_takes_back_a_resignation_that_came_after_the_stone() {
    let mut world = game(&[OPEN, OPEN, OPEN], 3);
    play_to(&mut world, 4);
    world.thinking = (60_000, 60_000);
    assert_eq!(wants(&mut world, 1, Command::Resign), Ok(()));
    assert_eq!(wants(&mut world, 0, UNDO), Ok(()));
    for device in [1, 2] {
        assert_eq!(wants(&mut world, device, YES), Ok(()));
    }
    let now = state(&world, 0);
    assert_eq!((ply(&world, 0), now.cpu_plays(1)), (3, false));
    world.check_at_rest();
}

#[test]
fn other_options_are_for_the_next_game_and_by_consent_of_all_who_are_here() {
    let mut world = game(&[OPEN, OPEN, CPU], 2);
    let smaller = rules_with(Preset::CaptureFive, |options| {
        options.board = rules::BoardSize::Nine;
        options.seats = 3;
    });
    let changed = terms(&world, |terms| {
        terms.rules = smaller.to_bytes();
        terms.settings = settings_of(Grace::Never, false);
        terms.seats[2] = OPEN;
    });
    assert_eq!(wants(&mut world, 0, options(changed.clone())), Err(CommandError::GameRuns));
    play_to(&mut world, 2);
    play_out(&mut world, &[0, 1]);
    assert_eq!(wants(&mut world, 1, Command::Ready), Ok(()));
    assert_eq!(wants(&mut world, 0, options(changed)), Ok(()));
    assert!(state(&world, 0).seats[1].ready);
    assert_eq!(wants(&mut world, 1, YES), Ok(()));
    for device in 0..2 {
        let state = state(&world, device);
        assert_eq!((state.rules, state.settings.grace), (smaller, Grace::Never));
        assert_eq!(state.seats[2].sitter, Sitter::Nobody);
        assert!(state.owner(0).is_some() && state.owner(1).is_some(), "people stay");
        assert!(!state.seats[1].ready, "who was ready was so for other terms");
        assert_eq!(world.told(device, |kind| *kind == EventKind::Agreed), 1);
    }
    assert_eq!(wants(&mut world, 0, UNDO), Err(CommandError::NothingToUndo), "the game before is settled");
    for device in 0..2 {
        assert_eq!(wants(&mut world, device, Command::Ready), Ok(()));
    }
    let game = state(&world, 0).current.as_ref().expect("a game");
    assert_eq!((game.order.len(), game.game.rules().board()), (2, rules::BoardSize::Nine));
    world.check_at_rest();
}

#[test]
fn options_that_no_table_can_have_are_refused() {
    let mut world = seated(table_of(&[OPEN, OPEN, CPU], |_| {}), 2);
    let cases: [fn(&mut Terms); 6] = [
        |terms| terms.rules.push(0),
        |terms| terms.rules = rules_for(Preset::CaptureFive, 2, false).to_bytes(),
        |terms| terms.settings.level = 9,
        |terms| terms.settings.grace = Grace::Seconds(11),
        |terms| terms.seats[2] = SeatSetup::Cpu(0),
        |terms| terms.seats[1] = SeatSetup::Cpu(3),
    ];
    for change in cases {
        let terms = terms(&world, change);
        assert!(wants(&mut world, 0, options(terms)).is_err());
    }
    let fewer = terms(&world, |terms| {
        terms.rules = rules_for(Preset::CaptureFive, 2, false).to_bytes();
        terms.seats.pop();
    });
    assert!(wants(&mut world, 0, options(fewer)).is_err(), "the number of seats stays");
    assert_eq!(offers(&world, 0), []);
}

#[test]
fn with_nobody_to_ask_other_options_hold_at_once() {
    let mut world = seated(table_of(&[OPEN, CPU], |_| {}), 1);
    let ranked = terms(&world, |terms| terms.settings.ranked = true);
    assert_eq!(wants(&mut world, 0, options(ranked)), Ok(()));
    assert!(state(&world, 0).settings.ranked);
}

fn teams(cpus: &[u8], people: usize) -> World {
    let seats = (0..4u8).map(|seat| if cpus.contains(&seat) { CPU } else { OPEN }).collect();
    started(sim::setup(rules_for(Preset::CaptureFive, 4, true), seats), people)
}

#[test]
fn in_teams_a_resignation_asks_the_partner() {
    for (answer, playing, closed) in [(YES, false, Closed::Agreed), (NO, true, Closed::Refused)] {
        let mut world = teams(&[], 4);
        world.thinking = (60_000, 60_000);
        assert_eq!(wants(&mut world, 0, Command::Resign), Ok(()));
        assert_eq!(offers(&world, 2), [(0, Asked::Resign)]);
        assert!(state(&world, 2).cpu_plays(0), "the CPU has the seat from here");
        assert_eq!(wants(&mut world, 1, answer.clone()), Err(CommandError::NoSuchOffer), "it is not asked");
        assert_eq!(wants(&mut world, 2, answer), Ok(()));
        for device in 0..4 {
            assert_eq!(state(&world, device).playing(), playing);
            assert_eq!(closings(&world, device), [closed]);
            assert_eq!(state(&world, device).wins, if playing { [0; 4] } else { [0, 1, 0, 1] });
        }
        world.check_at_rest();
    }
}

#[test]
fn an_absent_partner_is_asked_as_long_as_play_stands_there() {
    let mut world = teams(&[], 4);
    world.thinking = (60_000, 60_000);
    vanish(&mut world, 3);
    assert_eq!(wants(&mut world, 1, Command::Resign), Ok(()));
    vanish(&mut world, 1);
    come_back(&mut world, 3);
    assert_eq!(offers(&world, 0), [(1, Asked::Resign)], "also when who resigned has gone");
    assert_eq!(wants(&mut world, 3, YES), Ok(()));
    assert_eq!(state(&world, 0).wins, [1, 0, 1, 0]);
}

#[test]
fn a_teams_resignation_waits_for_the_partner_while_play_goes_on() {
    let at_its_turn = || {
        let mut world = teams(&[], 4);
        assert_eq!(wants(&mut world, 0, Command::Resign), Ok(()));
        world.run_for(1_000);
        assert_eq!(state(&world, 1).turn_seat(), Some(1), "the CPU has moved in its place");
        play(&mut world);
        assert_eq!(offers(&world, 2), [(0, Asked::Resign)]);
        world
    };
    let mut world = at_its_turn();
    assert_eq!(wants(&mut world, 2, YES), Ok(()));
    assert_eq!((state(&world, 1).wins.clone(), closings(&world, 3)), (vec![0, 1, 0, 1], vec![Closed::Agreed]));
    world.check_at_rest();

    let mut world = at_its_turn();
    assert_eq!(wants(&mut world, 2, NO), Ok(()));
    assert!(state(&world, 1).playing());
    assert_eq!((closings(&world, 3), offers(&world, 0)), (vec![Closed::Refused], vec![]));
    assert_eq!(wants(&mut world, 2, Command::Resign), Ok(()), "it can still resign by itself");
    assert!(!state(&world, 1).playing());

    // A resignation that is taken back with the stone before it, and one whose game ends.
    let mut world = teams(&[], 4);
    play_to(&mut world, 2);
    assert_eq!(wants(&mut world, 0, Command::Resign), Ok(()));
    assert_eq!(wants(&mut world, 1, UNDO), Ok(()));
    let undo = Command::Answer { offer: undo_of(&world, 1), yes: true };
    for device in [0, 2, 3] {
        assert_eq!(wants(&mut world, device, undo.clone()), Ok(()));
    }
    assert_eq!((ply(&world, 2), offers(&world, 2)), (1, vec![]), "nobody has resigned any more");
    assert_eq!(wants(&mut world, 0, Command::Resign), Ok(()));
    assert_eq!(wants(&mut world, 1, Command::Resign), Ok(()));
    assert_eq!(wants(&mut world, 3, YES), Ok(()));
    assert_eq!((state(&world, 2).playing(), offers(&world, 2)), (false, vec![]));
}

/// The open undo of a seat.
fn undo_of(world: &World, seat: u8) -> Option<Hash> {
    let open = state(world, 0).offers.iter().find(|offer| offer.seat == seat && offer.what == Asked::Undo);
    open.map(|offer| offer.id)
}

#[test]
fn in_teams_standing_up_resigns_and_the_partner_may_agree() {
    let mut world = teams(&[], 4);
    world.thinking = (60_000, 60_000);
    assert_eq!(wants(&mut world, 0, Command::Stand), Ok(()));
    assert!(matches!(state(&world, 1).seats[0].sitter, Sitter::GivenUp { .. }));
    assert_eq!(offers(&world, 2), [(0, Asked::Resign)]);
    assert_eq!(wants(&mut world, 2, YES), Ok(()));
    assert_eq!(state(&world, 1).wins, [0, 1, 0, 1]);
}

#[test]
fn an_answer_to_an_offer_that_is_gone_is_dropped_without_a_word() {
    let mut world = game(&[OPEN, OPEN, OPEN], 3);
    play_to(&mut world, 3);
    assert_eq!(wants(&mut world, 0, UNDO), Ok(()));
    let offer = state(&world, 1).offers[0].id;
    // Both say no before either has heard of the other's.
    for device in [1, 2] {
        assert_eq!(world.command(device, Command::Answer { offer: Some(offer), yes: false }), Ok(()));
    }
    world.run_for(1_500);
    assert_eq!(closings(&world, 0), [Closed::Refused]);
    assert!(world.devices.iter().all(|device| device.refused.is_empty()));
    let nothing = Command::Answer { offer: Some(Hash([7; 32])), yes: true };
    assert_eq!(wants(&mut world, 1, nothing), Err(CommandError::NoSuchOffer));
    world.check_at_rest();
}

#[test]
fn an_offer_that_comes_too_late_is_refused_with_its_reason() {
    let mut world = game(&[OPEN, OPEN], 2);
    play_to(&mut world, 1);
    // The draw is asked for while the resignation is on its way.
    assert_eq!(world.command(0, Command::Resign), Ok(()));
    assert_eq!(world.command(1, DRAW), Ok(()));
    world.run_for(1_500);
    assert_eq!(world.devices[1].refused, [CommandError::NoGame]);
    world.check_at_rest();
}
