//! The move limit (PROTOCOL.md, section 10; RULES.md, section 8).

mod sim;

use rules::{MoveLimit, Preset};
use sim::World;
use sim::party::*;
use table::message::{Message, Note, Said};
use table::{Command, EventKind, Grace, Made, Presence, SeatSetup, Setup};

fn limited(limit: MoveLimit, seats: &[SeatSetup]) -> Setup {
    let rules = rules_with(Preset::CaptureFive, |options| {
        options.seats = seats.len() as u8;
        options.move_limit = limit;
    });
    sim::setup(rules, seats.to_vec())
}

fn game(limit: MoveLimit, people: usize) -> World {
    started(limited(limit, &vec![OPEN; people]), people)
}

fn left(world: &World, device: usize) -> u64 {
    world.table(device).countdown(world.now).expect("a budget").left
}

fn is_act(bytes: &[u8]) -> bool {
    said(bytes).is_some_and(|said| matches!(said, Said::Act(_)))
}

fn is_here(bytes: &[u8]) -> bool {
    said(bytes).is_some_and(|said| matches!(said, Said::Here(_)))
}

fn said(bytes: &[u8]) -> Option<Said> {
    match Message::from_bytes(bytes)? {
        Message::Letter(letter) => letter.note.open::<Note>().map(|note| note.said),
        Message::Push { .. } | Message::Want { .. } | Message::Bye | Message::Locked { .. } | Message::Enter { .. } => {
            None
        }
    }
}

#[test]
fn when_the_budget_is_over_the_owners_device_plays_one_move() {
    for (limit, budget) in [(MoveLimit::Seconds30, 30_000), (MoveLimit::Seconds60, 60_000)] {
        let mut world = game(limit, 2);
        for device in 0..2 {
            let countdown = world.table(device).countdown(world.now).expect("a budget");
            assert_eq!((countdown.seat, countdown.running), (0, true));
            assert!(countdown.left <= budget && countdown.left + 1_000 > budget);
        }
        world.run_for(budget - 1_000);
        assert_eq!((ply(&world, 0), world.table(0).thinking()), (0, None));
        world.run_for(1_500);
        for device in 0..2 {
            assert_eq!(makers(&world, device), [(0, Made::Clock)]);
        }
        let clocked = |kind: &EventKind| matches!(kind, EventKind::Move { by: Made::Clock, .. });
        assert_eq!(world.told(1, clocked), 1);
        assert_eq!(world.table(0).presence(0), Presence::Here, "the seat stays the player's");
        assert_eq!(world.table(1).countdown(world.now).map(|left| left.seat), Some(1));
        // It is this device's own act: with or without keeping.
        world.run_for(budget);
        assert_eq!(makers(&world, 0), [(0, Made::Clock), (1, Made::Clock)]);
        world.check_at_rest();
    }
}

#[test]
fn a_move_on_its_way_costs_its_player_no_time() {
    let mut world = game(MoveLimit::Seconds30, 2);
    play(&mut world);
    world.run_for(10_000);
    world.lost = Some(|from, _, bytes| from == 1 && is_act(bytes));
    let action = any_action(&mut world, 1);
    world.command(1, Command::Play(action)).expect("its turn");
    let then = left(&world, 1);
    world.run_for(1_500);
    let countdown = world.table(1).countdown(world.now).expect("a budget");
    assert_eq!((countdown.left, countdown.running), (then, false));
    assert!(left(&world, 0) < then, "the others know nothing of it");
    world.lost = None;
    world.run_for(1_500);
    assert_eq!(makers(&world, 0)[1], (1, Made::Hand));
    world.check_at_rest();
}

#[test]
fn without_a_limit_or_a_persons_turn_nothing_is_counted() {
    let mut world = game(MoveLimit::None, 2);
    assert_eq!(world.table(0).countdown(world.now), None);
    world.run_for(300_000);
    assert_eq!(ply(&world, 0), 0);
    let mut world = started(limited(MoveLimit::Seconds30, &[OPEN, SeatSetup::Cpu(3)]), 1);
    world.thinking = (50_000, 50_000);
    play(&mut world);
    assert_eq!(world.table(0).countdown(world.now), None);
    world.run_for(40_000);
    assert_eq!(ply(&world, 0), 1);
    let world = seated(limited(MoveLimit::Seconds30, &[OPEN, OPEN]), 2);
    assert_eq!(world.table(0).countdown(world.now), None);
}

#[test]
fn each_stone_and_each_choice_has_its_own_budget() {
    let rules = rules_with(Preset::PenteSwap2, |options| options.move_limit = MoveLimit::Seconds30);
    let mut world = started(sim::setup(rules, vec![OPEN, OPEN]), 2);
    for made in 1..=4 {
        world.run_for(29_000);
        assert!(left(&world, 0) < 2_000);
        play(&mut world);
        assert!(left(&world, 0) > 29_000, "after {made} stones and choices");
    }
    assert!(makers(&world, 0).iter().all(|&(_, by)| by == Made::Hand));
    world.run_for(31_000);
    assert_eq!(makers(&world, 0).last().map(|&(_, by)| by), Some(Made::Clock));
}

#[test]
fn a_move_by_hand_wins_while_the_clocks_is_thought_about() {
    let mut world = game(MoveLimit::Seconds30, 2);
    world.thinking = (3_000, 3_000);
    world.run_for(31_000);
    assert_eq!(world.table(0).thinking(), Some(0));
    play(&mut world);
    assert_eq!(world.table(0).thinking(), None);
    world.run_for(4_000);
    assert_eq!(makers(&world, 1), [(0, Made::Hand)]);
    assert!(world.devices[0].refused.is_empty());
}

#[test]
fn after_three_in_a_row_the_seat_is_away_until_something_is_touched() {
    let mut world = game(MoveLimit::Seconds30, 2);
    for device in [0, 1] {
        for round in 0..3 {
            assert_eq!(world.table(1 - device).presence(device as u8), Presence::Here, "round {round}");
            while state(&world, 0).turn_seat() != Some(device as u8) {
                play(&mut world);
            }
            world.run_for(31_000);
        }
        world.run_for(1_000);
        assert_eq!(world.table(1 - device).presence(device as u8), Presence::Away);
        assert_eq!(makers(&world, 0).iter().filter(|made| made.1 == Made::Clock).count(), 3 * (device + 1));
        world.run_for(61_000);
        assert_eq!(world.table(1 - device).presence(device as u8), Presence::Taken, "as anybody's who is away");
        play(&mut world);
        world.run_for(500);
        assert_eq!(makers(&world, 0).last(), Some(&(device as u8, Made::Cpu)));
        // Whatever is touched, the player is there: a command that is refused will do.
        let touch = if device == 0 { Command::Touched } else { Command::Hold { seat: None } };
        assert_eq!(wants(&mut world, device, touch).is_ok(), device == 0);
        world.run_for(1_000);
        assert_eq!(world.table(1 - device).presence(device as u8), Presence::Here);
    }
    world.check_at_rest();
}

#[test]
fn when_nobody_touches_anything_the_game_waits() {
    let mut world = game(MoveLimit::Seconds30, 2);
    world.run_for(600_000);
    assert_eq!([0, 1].map(|seat| state(&world, 1).seats[seat].here), [false, false]);
    let stones = ply(&world, 0);
    assert!(stones >= 6);
    world.run_for(600_000);
    assert_eq!(ply(&world, 0), stones);
}

#[test]
fn a_move_by_hand_begins_the_three_anew() {
    let mut world = game(MoveLimit::Seconds30, 2);
    for round in 0..8 {
        if round == 4 {
            play(&mut world);
        } else {
            world.run_for(31_000);
        }
        if round % 2 == 0 {
            play(&mut world);
        } else {
            world.run_for(300);
        }
        assert_eq!(world.table(1).presence(0), Presence::Here, "round {round}");
    }
}

#[test]
fn the_budget_stands_still_while_somebody_is_away_and_not_taken() {
    let mut setup = limited(MoveLimit::Seconds30, &[OPEN, OPEN, OPEN]);
    setup.settings.grace = Grace::Seconds(60);
    let mut world = started(setup, 3);
    world.run_for(10_000);
    vanish(&mut world, 2);
    let at_first = world.table(0).countdown(world.now).expect("a budget");
    assert!(!at_first.running, "seat 2 is away");
    world.run_for(40_000);
    assert_eq!(world.table(0).countdown(world.now), Some(at_first));
    assert_eq!(world.table(1).countdown(world.now).map(|left| left.running), Some(false));
    world.run_for(18_000);
    assert_eq!(world.table(0).presence(2), Presence::Taken);
    let then = world.table(0).countdown(world.now).expect("a budget");
    assert!(then.running && then.left < at_first.left);
    world.run_for(31_000);
    assert_eq!(makers(&world, 0)[0], (0, Made::Clock));
}

#[test]
fn a_roll_gives_the_whole_budget_again_three_times_a_move() {
    let mut world = game(MoveLimit::Seconds30, 3);
    let mut after = Vec::new();
    for _ in 0..3 {
        world.run_for(15_000);
        vanish(&mut world, 2);
        world.restart(2);
        let back = |world: &World| world.table(0).presence(2) == Presence::Here;
        assert!(world.run_until_holds(5_000, back));
        after.push(left(&world, 0));
    }
    // A going and a coming are two rolls, and in between the budget stands still: the third is the second going.
    assert!(after[0] > 29_000 && after[1] > 29_000, "{after:?}");
    assert!(after[2] < 16_000, "{after:?}");
    assert_eq!(ply(&world, 0), 0);
    world.run_for(16_000);
    assert_eq!(makers(&world, 0), [(0, Made::Clock)], "at last it is over");
}

#[test]
fn a_link_loss_does_not_eat_the_budget_and_a_resume_begins_it_anew() {
    let mut world = game(MoveLimit::Seconds30, 2);
    play(&mut world);
    world.run_for(20_000);
    world.cut(0, 1, 25_000);
    world.run_for(10_000);
    assert_eq!(world.table(0).presence(1), Presence::Away);
    world.run_for(18_000);
    assert_eq!(world.table(0).presence(1), Presence::Here);
    assert!(left(&world, 1) > 15_000, "{} ms are left", left(&world, 1));
    assert_eq!(ply(&world, 0), 1);
    // Both are off for a while; nobody's time has passed.
    world.run_for(10_000);
    world.kill(0, usize::MAX);
    world.kill(1, usize::MAX);
    world.run_for(60_000);
    world.restart(0);
    world.restart(1);
    let both = |world: &World| {
        [0, 1].iter().all(|&device| world.table(device).countdown(world.now).is_some_and(|left| left.running))
    };
    assert!(world.run_until_holds(8_000, both));
    assert!(left(&world, 1) > 25_000, "{} ms are left", left(&world, 1));
    world.check_at_rest();
}

#[test]
fn a_device_that_slept_has_its_whole_time() {
    let mut world = game(MoveLimit::Seconds30, 2);
    play(&mut world);
    world.devices[1].asleep = true;
    world.run_for(45_000);
    world.devices[1].asleep = false;
    world.run_for(3_000);
    assert_eq!(ply(&world, 0), 1);
    assert!(left(&world, 1) > 20_000);
}

#[test]
fn a_seat_long_after_its_time_is_called_for_and_without_an_answer_the_cpu_plays() {
    let mut world = game(MoveLimit::Seconds30, 3);
    play(&mut world);
    // Device 1 is heard, but what it plays and answers does not arrive.
    world.lost = Some(|from, _, bytes| from == 1 && (is_act(bytes) || is_here(bytes)));
    world.run_for(32_000);
    assert_eq!((ply(&world, 0), world.table(0).presence(1)), (1, Presence::Here), "three seconds more");
    world.run_for(4_000);
    assert_eq!(makers(&world, 2)[1], (1, Made::Cpu), "no grace is waited for");
    play(&mut world);
    world.lost = None;
    world.run_for(4_000);
    assert_eq!(world.table(0).presence(1), Presence::Here, "the seat may come back");
    world.check_at_rest();
}

#[test]
fn one_that_answers_a_late_call_is_not_taken_over() {
    let mut world = game(MoveLimit::Seconds30, 3);
    play(&mut world);
    let term = state(&world, 0).term;
    // Its device takes long over the move that it owes.
    world.thinking = (8_000, 8_000);
    world.run_for(37_000);
    assert_eq!(state(&world, 0).term, term + 1, "it was called for");
    assert_eq!((ply(&world, 0), world.table(0).presence(1)), (1, Presence::Here));
    world.run_for(6_000);
    assert_eq!(makers(&world, 0)[1], (1, Made::Clock), "it plays by itself, and has not got its time again");
    // One that never moves is called for three times a move, and no more.
    world.thinking = (10_000_000, 10_000_000);
    let term = state(&world, 0).term;
    world.run_for(300_000);
    assert_eq!(ply(&world, 0), 2);
    assert!(state(&world, 0).term <= term + 4, "{} rolls", state(&world, 0).term - term);
    assert_eq!(world.table(0).presence(2), Presence::Here);
}
