//! Away, taken, back (PROTOCOL.md, section 9).

mod sim;

use sim::World;
use sim::party::*;
use sim::person::rules_for;
use table::{Command, CommandError, EventKind, Grace, Made, Presence, SeatSetup};

const HOLD: Command = Command::Hold { seat: None };
const CPU_NOW: Command = Command::CpuNow { seat: None };

fn game(grace: Grace, people: usize) -> World {
    started(table_of(&vec![OPEN; people], |setup| setup.settings.grace = grace), people)
}

/// Runs until the newest roll does not have a seat; how the time has passed until then is not asked.
fn until_away(world: &mut World, device: usize, seat: u8) {
    let away = move |world: &World| world.table(device).presence(seat) == Presence::Away;
    assert!(world.run_until_holds(6_000, away), "seat {seat} is missed");
}

fn presence(world: &World, seat: u8) -> Presence {
    world.table(0).presence(seat)
}

#[test]
fn the_grace_counts_down_on_every_device_and_then_the_cpu_plays() {
    for seconds in [0u8, 10, 30, 60, 120] {
        let mut world = game(Grace::Seconds(seconds), 3);
        let grace = u64::from(seconds) * 1_000;
        play_to(&mut world, 1);
        assert_eq!(world.table(0).grace_left(1, world.now), None, "it is here");
        world.kill(1, usize::MAX);
        let lost =
            move |world: &World| world.table(0).presence(1) == Presence::Away || seconds == 0 && ply(world, 0) > 1;
        assert!(world.run_until_holds(6_000, lost));
        if seconds > 0 {
            for device in [0, 2] {
                world.run_for(100);
                let left = world.table(device).grace_left(1, world.now).expect("it is away");
                assert!(left <= grace && left + 500 > grace, "{left} of {grace} ms on device {device}");
            }
            world.run_for(grace - 1_000);
            assert_eq!((presence(&world, 1), ply(&world, 0)), (Presence::Away, 1));
        }
        world.run_for(1_500);
        assert_eq!(presence(&world, 1), Presence::Taken);
        assert_eq!(world.table(0).grace_left(1, world.now), None);
        assert_eq!(makers(&world, 2)[1], (1, Made::Cpu));
        let taken = |kind: &EventKind| *kind == EventKind::Seat { seat: 1, presence: Presence::Taken };
        assert_eq!(world.told(2, taken), 1, "it is told everywhere");
        play(&mut world);
        play(&mut world);
        world.run_for(500);
        assert_eq!(makers(&world, 0)[4], (1, Made::Cpu), "at each of its turns");
    }
}

#[test]
fn without_an_end_of_grace_a_seat_is_waited_for() {
    let mut world = game(Grace::Never, 2);
    vanish(&mut world, 1);
    assert_eq!(world.table(0).grace_left(1, world.now), None);
    world.run_for(600_000);
    assert_eq!(presence(&world, 1), Presence::Away);
    assert_eq!(wants(&mut world, 0, CPU_NOW), Ok(()), "until somebody has had enough");
    assert_eq!(presence(&world, 1), Presence::Taken);
}

#[test]
fn hold_stops_the_grace_and_cpu_now_ends_it() {
    let mut world = game(Grace::Seconds(10), 3);
    until_vanished(&mut world, 2);
    assert!(world.table(0).grace_left(2, world.now).is_some());
    assert_eq!(wants(&mut world, 1, HOLD), Ok(()));
    for device in [0, 1] {
        assert_eq!(world.table(device).grace_left(2, world.now), None);
    }
    world.run_for(60_000);
    assert_eq!(presence(&world, 2), Presence::Away);
    assert_eq!(wants(&mut world, 0, Command::CpuNow { seat: Some(2) }), Ok(()));
    assert_eq!(presence(&world, 2), Presence::Taken);
    assert_eq!(wants(&mut world, 0, HOLD), Err(CommandError::NotAway), "it is taken");
}

fn until_vanished(world: &mut World, device: usize) {
    world.kill(device, usize::MAX);
    until_away(world, 0, device as u8);
    world.run_for(300);
}

#[test]
fn the_only_away_seat_needs_no_name_and_of_several_one_is_named() {
    let mut world = game(Grace::Never, 4);
    for command in [HOLD, CPU_NOW, Command::Hold { seat: Some(1) }, Command::CpuNow { seat: Some(3) }] {
        assert_eq!(wants(&mut world, 0, command), Err(CommandError::NotAway));
    }
    for command in [Command::Hold { seat: Some(4) }, Command::CpuNow { seat: Some(9) }] {
        assert_eq!(wants(&mut world, 0, command), Err(CommandError::NoSuchSeat));
    }
    assert_eq!(wants(&mut world, 0, Command::GoOn), Err(CommandError::NotHalted));
    until_vanished(&mut world, 2);
    until_vanished(&mut world, 3);
    assert_eq!(wants(&mut world, 0, CPU_NOW), Err(CommandError::NotAway));
    assert_eq!(wants(&mut world, 0, Command::CpuNow { seat: Some(3) }), Ok(()));
    assert_eq!((presence(&world, 2), presence(&world, 3)), (Presence::Away, Presence::Taken));
    assert_eq!(wants(&mut world, 1, CPU_NOW), Ok(()), "now one is left");
    assert_eq!(presence(&world, 2), Presence::Taken);
}

#[test]
fn who_comes_back_is_waited_for_anew_the_next_time() {
    let mut world = game(Grace::Seconds(10), 2);
    until_vanished(&mut world, 1);
    assert_eq!(wants(&mut world, 0, HOLD), Ok(()));
    assert!(state(&world, 0).seats[1].hold);
    come_back(&mut world, 1);
    assert!(!state(&world, 0).seats[1].hold);
    until_vanished(&mut world, 1);
    world.run_for(500);
    let left = world.table(0).grace_left(1, world.now).expect("it is away");
    assert!(left > 9_000, "the whole grace again, not {left} ms");
    world.run_for(10_000);
    assert_eq!(presence(&world, 1), Presence::Taken);
}

#[test]
fn a_hand_over_does_not_begin_the_grace_anew_and_a_restart_does() {
    let mut world = game(Grace::Seconds(60), 4);
    until_vanished(&mut world, 3);
    world.run_for(20_000);
    let term = state(&world, 0).term;
    until_vanished(&mut world, 2);
    assert!(state(&world, 0).term > term, "another roll was called");
    let left = world.table(0).grace_left(3, world.now).expect("it is away");
    assert!(left < 41_000, "{left} ms are left");
    vanish(&mut world, 0);
    come_back(&mut world, 0);
    let left = world.table(0).grace_left(3, world.now).expect("it is away");
    assert!(left > 56_000, "from this device's start-up: {left} ms");
    let theirs = world.table(1).grace_left(3, world.now).expect("it is away");
    assert!(theirs < 40_000, "by another's count {theirs} ms");
}

#[test]
fn a_ranked_game_is_taken_over_only_when_asked_and_then_does_not_count() {
    let setup = table_of(&[OPEN, OPEN], |setup| setup.settings = settings_of(Grace::Seconds(0), true));
    let mut world = started(setup, 2);
    play_to(&mut world, 1);
    vanish(&mut world, 1);
    world.run_for(60_000);
    assert_eq!((presence(&world, 1), world.table(0).grace_left(1, world.now)), (Presence::Away, None));
    assert_eq!(wants(&mut world, 0, CPU_NOW), Ok(()));
    assert_eq!(presence(&world, 1), Presence::Taken);
    assert!(ply(&world, 0) == 2 && !state(&world, 0).counts());
    // Between games nobody holds up a start for ever, in a ranked series neither.
    play_out(&mut world, &[0]);
    come_back(&mut world, 1);
    vanish(&mut world, 1);
    assert_eq!(presence(&world, 1), Presence::Taken);
}

#[test]
fn what_counts_as_ranked_is_the_owners_own_from_the_start_to_the_end() {
    let ranked = |seats: &[SeatSetup]| table_of(seats, |setup| setup.settings.ranked = true);
    let mut world = started(ranked(&[OPEN, OPEN]), 2);
    assert!(state(&world, 1).counts());
    play_out(&mut world, &[0, 1]);
    assert!(state(&world, 1).counts());
    let world = started(ranked(&[OPEN, OPEN, SeatSetup::Cpu(1)]), 2);
    assert!(!state(&world, 1).counts(), "a CPU's seat is no person's");
    let world = started(table_of(&[OPEN, OPEN], |_| {}), 2);
    assert!(!state(&world, 1).counts(), "it was not ranked");
    let mut world = started(ranked(&[OPEN, OPEN, OPEN]), 3);
    assert!(state(&world, 1).counts());
    assert_eq!(wants(&mut world, 0, Command::Resign), Ok(()));
    world.run_for(500);
    assert!(!state(&world, 1).counts(), "the CPU has placed a stone");
}

#[test]
fn an_absent_owner_holds_up_the_next_start_no_longer_than_its_grace() {
    let setup = table_of(&[OPEN, OPEN, OPEN], |setup| setup.settings.grace = Grace::Seconds(10));
    let mut world = seated(setup, 3);
    vanish(&mut world, 2);
    for device in [0, 1] {
        assert_eq!(wants(&mut world, device, Command::Ready), Ok(()));
    }
    assert!(!state(&world, 0).playing(), "it is waited for");
    world.run_for(11_000);
    let state = state(&world, 1);
    assert!(state.playing() && state.cpu_plays(2), "then the CPU plays there");
    assert_eq!(state.current.as_ref().map(|game| game.order.len()), Some(3));
    assert_eq!(state.owner(2), Some(world.devices[2].id), "and it stays its owner's");
    come_back(&mut world, 2);
    assert_eq!(presence(&world, 2), Presence::Here);
}

#[test]
fn one_that_was_ready_before_it_went_is_not_waited_for() {
    let mut world = seated(table_of(&[OPEN, OPEN], |_| {}), 2);
    assert_eq!(wants(&mut world, 1, Command::Ready), Ok(()));
    vanish(&mut world, 1);
    assert_eq!(wants(&mut world, 0, Command::Ready), Ok(()));
    assert!(state(&world, 0).playing());
}

#[test]
fn the_cpu_lets_go_as_soon_as_the_owner_is_heard() {
    let mut world = game(Grace::Seconds(0), 2);
    world.thinking = (3_000, 3_000);
    play_to(&mut world, 1);
    vanish(&mut world, 1);
    world.run_for(3_000);
    assert_eq!(makers(&world, 0), [(0, Made::Hand), (1, Made::Cpu)]);
    play(&mut world);
    assert_eq!(world.table(0).thinking(), Some(1));
    let told = told_so_far(&world, 0);
    // It is back while the CPU is thinking for it.
    world.restart(1);
    assert!(world.run_until_holds(2_000, |world| world.table(0).thinking().is_none()), "the keeper stops");
    assert!(world.run_until_holds(2_000, |world| world.table(0).presence(1) == Presence::Here));
    world.run_for(10_000);
    let by_cpu = |kind: &EventKind| matches!(kind, EventKind::Move { by: Made::Cpu, .. });
    assert!(!news(&world, 0, told).iter().any(by_cpu), "no move of the CPU's after it is back");
    assert_eq!(play(&mut world), 1, "the seat is the player's, and what the CPU made before stands");
    assert_eq!(makers(&world, 0)[3], (1, Made::Hand));
    world.check_at_rest();
}

#[test]
fn one_who_is_heard_and_does_not_answer_is_played_for() {
    let mut world = game(Grace::Seconds(0), 2);
    play_to(&mut world, 1);
    vanish(&mut world, 1);
    // What it says arrives, but for its answers to the roll, and its own calls.
    world.lost = Some(|from, _, bytes| from == 1 && is_of_rolls(bytes));
    world.restart(1);
    for stones in [4, 6] {
        world.run_for(2_000);
        let ready = |world: &World| state(world, 0).turn_seat() == Some(0);
        assert!(world.run_until_holds(10_000, ready), "the CPU goes on");
        play(&mut world);
        world.run_for(3_000);
        assert!(ply(&world, 0) >= stones - 1);
    }
}

fn is_of_rolls(bytes: &[u8]) -> bool {
    use table::message::{Message, Note, Said};
    match Message::from_bytes(bytes) {
        Some(Message::Letter(letter)) => {
            letter.note.open::<Note>().is_some_and(|note| matches!(note.said, Said::Here(_) | Said::Call { .. }))
        }
        Some(Message::Push { .. }) => true,
        Some(_) | None => false,
    }
}

#[test]
fn if_nobody_is_here_the_game_waits() {
    let setup = table_of(&[OPEN, OPEN, SeatSetup::Cpu(3)], |setup| setup.settings.grace = Grace::Seconds(0));
    let mut world = started(setup, 2);
    play_to(&mut world, 1);
    world.thinking = (60_000, 60_000);
    assert_eq!(wants(&mut world, 0, Command::Stand), Ok(()));
    world.thinking = (10, 10);
    vanish(&mut world, 1);
    let stones = ply(&world, 0);
    world.run_for(60_000);
    assert!(!state(&world, 0).seats[1].taken && ply(&world, 0) == stones);
    come_back(&mut world, 1);
    world.run_for(1_000);
    assert_eq!(state(&world, 0).turn_seat(), Some(1), "it is still that player's turn");
}

#[test]
fn in_teams_the_cpu_plays_an_away_partners_seat_too() {
    let mut setup = sim::setup(rules_for(rules::Preset::CaptureFive, 4, true), vec![OPEN; 4]);
    setup.settings.grace = Grace::Seconds(10);
    let mut world = started(setup, 4);
    vanish(&mut world, 2);
    world.run_for(10_000);
    play_to(&mut world, 5);
    assert_eq!(makers(&world, 1)[2], (2, Made::Cpu));
    come_back(&mut world, 2);
    play_to(&mut world, 7);
    assert_eq!(makers(&world, 1)[6], (2, Made::Hand));
    world.check_at_rest();
}
