//! Acts that were signed in good faith and are brought again: by another device, by the keeper, after an undo, a split
//! or a void toss. None counts a second time, and the game goes on (PROTOCOL.md, section 15, invariants 1 and 2).

mod sim;

use rules::{FirstStart, Preset};
use sim::party::*;
use sim::port::Cheap;
use sim::{World, letter};
use table::entry::{Body, Entry, Intent};
use table::message::{FaultCode, Message, Said};
use table::seal::{Kind, Sealed};
use table::{Act, Command, Grace, Hash, Input, Made, Output, Presence, Proposal, SeatSetup, Setup, Table};

const UNDO: Command = Command::Offer(Proposal::Undo);
const YES: Command = Command::Answer { offer: None, yes: true };
const NO: Command = Command::Answer { offer: None, yes: false };

/// Every act that any of the devices ever wrote to its disk, in its log or beside it, each once.
fn acts(world: &World) -> Vec<(Sealed, Intent)> {
    let mut acts: Vec<(Sealed, Intent)> = Vec::new();
    for record in world.devices.iter().flat_map(|device| &device.journal) {
        let entry = record.get(2..).and_then(table::seal::decode::<Sealed>).and_then(|sealed| sealed.open::<Entry>());
        let Some(Body::Act(act)) = entry.map(|entry| entry.body) else { continue };
        if acts.iter().all(|(known, _)| *known != act) {
            let intent = act.open().expect("an act holds an intent");
            acts.push((act, intent));
        }
    }
    acts
}

fn has(world: &World, wanted: impl Fn(&Act) -> bool) -> bool {
    acts(world).iter().any(|(_, intent)| wanted(&intent.act))
}

/// Brings all of these to every other device once more, over the link of one of them; nobody's log has changed by it,
/// nobody is blamed, and nothing waits for ever.
fn bring_again(world: &mut World, thief: usize, what: &str) {
    let on: Vec<usize> = (0..world.devices.len()).filter(|&device| world.devices[device].table.is_some()).collect();
    let before = (world.table(on[0]).head(), state(world, on[0]).keeper);
    for (sealed, intent) in acts(world) {
        for &to in on.iter().filter(|&&to| to != thief) {
            let number = (1 << 40) + world.now * 8 + to as u64;
            let bytes = letter(thief, world.table(to).id(), number, Said::Act(sealed.clone()));
            let from = world.devices[thief].id;
            world.handle(to, Input::Message { from, bytes });
        }
        world.run_for(120);
        assert_eq!(world.table(on[0]).head(), before.0, "{what}: {intent:?} is taken once more");
    }
    // Whoever keeps would be blamed by now for what it had to enter.
    world.run_for(6_000);
    for device in on {
        assert_eq!((world.table(device).head(), state(world, device).keeper), before, "{what}: nobody calls for it");
        assert_eq!(world.table(device).ghost(), None);
    }
}

/// A keeper enters each of these acts once more, at the end of the log: a device that holds the log refuses it as not
/// valid.
fn enter_again(world: &World, victim: usize, what: &str) {
    let keeper = world.devices.iter().position(|device| device.id == state(world, victim).keeper).expect("one keeps");
    assert_ne!(keeper, victim);
    let id = world.table(victim).id();
    for (sealed, intent) in acts(world) {
        let (index, prev) = world.table(victim).head().expect("known");
        let term = state(world, victim).term;
        let entry = Entry { index: index + 1, prev, term, body: Body::Act(sealed), state: Hash([0; 32]) };
        let sealed = Sealed::new(&Cheap::new(keeper), Kind::Entry, id, &entry);
        let journal = &world.devices[victim].journal;
        let mut twin = Table::resume(Box::new(Cheap::new(victim)), [3; 32], journal, 0).expect("a good journal");
        let from = world.devices[keeper].id;
        twin.handle(Input::LinkUp { peer: from, address: None }, 0);
        twin.handle(Input::Message { from, bytes: Message::Push { entries: vec![sealed] }.to_bytes() }, 1);
        let code = twin.fault();
        assert_eq!(code, Some(FaultCode::Invalid), "{what}: {intent:?}");
        let closed = std::iter::from_fn(|| twin.poll())
            .any(|output| matches!(output, Output::Disconnect { peer, .. } if peer == from));
        assert!(closed && twin.head() == Some((index, prev)), "{what}: the link is closed");
    }
}

/// Brings everything again in both ways, and then somebody moves, for everybody.
fn check(world: &mut World, thief: usize, what: &str) {
    bring_again(world, thief, what);
    let keeper = state(world, thief).keeper;
    let victim = (0..3).find(|&device| world.devices[device].id != keeper).expect("a second device");
    enter_again(world, victim, what);
    if state(world, 0).playing() {
        let laid = ply(world, 0);
        play(world);
        world.run_for(300);
        assert!((0..3).all(|device| ply(world, device) == laid + 1), "{what}: the game goes on");
    }
    world.check_end();
}

fn game(grace: Grace) -> World {
    started(table_of(&[OPEN; 3], |setup| setup.settings.grace = grace), 3)
}

fn not_keeper(world: &World) -> usize {
    (1..3).find(|&device| world.devices[device].id != state(world, 0).keeper).expect("two others")
}

#[test]
fn a_move_that_was_taken_back_is_not_made_again_by_others() {
    let mut world = game(Grace::Never);
    play_to(&mut world, 3);
    let last = device_of(&world, 2);
    assert_eq!(wants(&mut world, last, UNDO), Ok(()));
    for device in (0..3).filter(|&device| device != last) {
        assert_eq!(wants(&mut world, device, YES), Ok(()));
    }
    assert_eq!(ply(&world, 0), 2, "it was granted");
    assert!(has(&world, |act| matches!(act, Act::Offer(Proposal::Undo))));
    assert!(has(&world, |act| matches!(act, Act::Answer { yes: true, .. })));
    let thief = not_keeper(&world);
    check(&mut world, thief, "after an undo");
}

#[test]
fn the_same_stone_again_by_hand_is_another_act() {
    let mut world = game(Grace::Never);
    play_to(&mut world, 2);
    let turn = device_of(&world, state(&world, 0).turn_seat().expect("a game"));
    let action = any_action(&mut world, turn);
    let asker = turn;
    for round in 0..2 {
        assert_eq!(wants(&mut world, turn, Command::Play(action.clone())), Ok(()));
        assert_eq!(ply(&world, 0), 3, "round {round}");
        assert_eq!(wants(&mut world, asker, UNDO), Ok(()));
        for device in (0..3).filter(|&device| device != asker) {
            assert_eq!(wants(&mut world, device, YES), Ok(()));
        }
        assert_eq!(ply(&world, 0), 2);
    }
    let same =
        |(_, intent): &&(Sealed, Intent)| matches!(&intent.act, Act::Move { action: made, .. } if *made == action);
    let known = acts(&world);
    let made: Vec<Hash> = known.iter().filter(same).map(|(_, intent)| intent.at).collect();
    assert_eq!(made.len(), 2);
    assert_ne!(made[0], made[1], "the play chain does not come back to where it was");
    let thief = not_keeper(&world);
    check(&mut world, thief, "after two undos of one stone");
}

#[test]
fn an_offer_that_was_refused_is_not_asked_again_and_its_answer_is_for_no_other() {
    let mut world = game(Grace::Never);
    play_to(&mut world, 3);
    let asker = device_of(&world, 2);
    let other = (0..3).find(|&device| device != asker).expect("two others");
    assert_eq!(wants(&mut world, asker, UNDO), Ok(()));
    assert_eq!(wants(&mut world, other, NO), Ok(()));
    assert_eq!(state(&world, 0).offers, []);
    let thief = not_keeper(&world);
    check(&mut world, thief, "after a no");

    // One has said yes to the first of two equal offers; that yes is not for the second.
    let asker = device_of(&world, 0);
    let others: Vec<usize> = (0..3).filter(|&device| device != asker).collect();
    assert_eq!(wants(&mut world, asker, UNDO), Ok(()));
    assert_eq!(wants(&mut world, others[0], YES), Ok(()));
    assert_eq!(wants(&mut world, others[1], NO), Ok(()));
    assert_eq!(wants(&mut world, asker, UNDO), Ok(()));
    assert_eq!(state(&world, 0).offers.len(), 1);
    bring_again(&mut world, thief, "while the second is open");
    assert_eq!(state(&world, 0).offers[0].agreed, []);
    world.check_end();
}

/// Everybody is in one roll again.
fn meet(world: &mut World) {
    world.run_for(8_000);
    assert!((0..3).all(|seat| world.table(0).presence(seat) == Presence::Here));
    assert_eq!(world.heads().len(), 1);
}

#[test]
fn what_was_held_or_hurried_once_is_not_the_next_time() {
    for hurried in [false, true] {
        let mut world = game(Grace::Never);
        play_to(&mut world, 2);
        let keeper = world.devices.iter().position(|device| device.id == state(&world, 0).keeper).expect("one keeps");
        let absent = (1..3).find(|&device| device != keeper).expect("two others");
        let thief = (0..3).find(|&device| device != keeper && device != absent).expect("the third");
        let seat = world.table(absent).my_seat().expect("it sits");
        vanish(&mut world, absent);
        let said = if hurried { Command::CpuNow { seat: None } } else { Command::Hold { seat: None } };
        assert_eq!(wants(&mut world, thief, said), Ok(()));
        come_back(&mut world, absent);
        meet(&mut world);
        vanish(&mut world, absent);
        assert_eq!(world.table(0).presence(seat), Presence::Away);
        assert!(has(&world, |act| matches!(act, Act::Hold { .. } | Act::CpuNow { .. })));
        bring_again(&mut world, thief, "while it is away anew");
        let at = &state(&world, keeper).seats[usize::from(seat)];
        assert!(!at.hold && !at.asked && !at.taken, "nobody said so this time");
        come_back(&mut world, absent);
        meet(&mut world);
        check(&mut world, thief, "after it came back twice");
    }
}

/// Keeps device 2 apart from the others until each side has a roll of its own.
fn part(world: &mut World) {
    world.hold_down(0, 2);
    world.hold_down(1, 2);
    world.run_for(9_000);
}

fn heal(world: &mut World) {
    world.let_up(0, 2);
    world.let_up(1, 2);
    meet(world);
}

/// The seat that is device 2's is to move.
fn turn_of_2(world: &mut World) {
    while device_of(world, state(world, 0).turn_seat().expect("a game")) != 2 {
        play(world);
    }
}

#[test]
fn a_move_of_a_side_that_went_down_is_not_made_in_the_other() {
    let mut world = game(Grace::Seconds(10));
    turn_of_2(&mut world);
    part(&mut world);
    let action = any_action(&mut world, 2);
    assert_eq!(wants(&mut world, 2, Command::Play(action)), Ok(()));
    // The two others go on with the CPU in the third seat.
    let cpu_moved = |world: &World| makers(world, 0).iter().any(|(_, by)| *by == Made::Cpu);
    assert!(world.run_until_holds(60_000, cpu_moved));
    heal(&mut world);
    assert!(!world.table(0).branches().is_empty(), "what the one made alone is a branch");
    turn_of_2(&mut world);
    check(&mut world, 1, "at the same seat's next turn");
}

#[test]
fn a_move_that_was_carried_over_counts_once() {
    let mut world = game(Grace::Never);
    turn_of_2(&mut world);
    let laid = ply(&world, 0);
    part(&mut world);
    let action = any_action(&mut world, 2);
    assert_eq!(wants(&mut world, 2, Command::Play(action)), Ok(()));
    heal(&mut world);
    assert_eq!(ply(&world, 0), laid + 1, "it is carried over");
    check(&mut world, 1, "after a split");
}

fn tossed() -> Setup {
    let rules = rules_with(Preset::CaptureFive, |options| {
        options.seats = 3;
        options.first_start = FirstStart::Random;
    });
    sim::setup(rules, vec![SeatSetup::Open; 3])
}

/// What was revealed, by seat.
fn revealed(world: &World) -> Vec<u8> {
    let reveal = |(_, intent): (Sealed, Intent)| matches!(intent.act, Act::Reveal { .. }).then_some(intent.seat);
    acts(world).into_iter().filter_map(reveal).collect()
}

/// A reveal of somebody's who does not keep: it does not arrive.
fn is_others_reveal(from: usize, _: usize, bytes: &[u8]) -> bool {
    let Some(Message::Letter(letter)) = Message::from_bytes(bytes) else { return false };
    let Some(Said::Act(act)) = letter.note.open::<table::message::Note>().map(|note| note.said) else { return false };
    from > 0 && act.open::<Intent>().is_some_and(|intent| matches!(intent.act, Act::Reveal { .. }))
}

#[test]
fn what_was_revealed_for_one_toss_is_for_no_other() {
    let mut world = seated(tossed(), 3);
    // The first toss: all are ready, the opener reveals, and all but one stand up before they do.
    world.lost = Some(is_others_reveal);
    for device in 0..3 {
        assert_eq!(world.command(device, Command::Ready), Ok(()));
    }
    world.run_for(600);
    assert_eq!(revealed(&world), [0], "the opener's alone");
    for device in 1..3 {
        assert_eq!(wants(&mut world, device, Command::Stand), Ok(()));
    }
    world.lost = None;
    assert!(state(&world, 0).seats.iter().all(|seat| !seat.ready), "the toss is void");
    for device in 1..3 {
        assert_eq!(wants(&mut world, device, Command::Sit { seat: None, name: "P".into() }), Ok(()));
    }
    bring_again(&mut world, 1, "before the second");
    for device in [1, 2] {
        assert_eq!(wants(&mut world, device, Command::Ready), Ok(()));
    }
    bring_again(&mut world, 1, "while one is not ready");
    assert!(!state(&world, 0).seats[0].ready, "nobody makes the opener ready with what it said before");
    assert_eq!(wants(&mut world, 0, Command::Ready), Ok(()));
    world.run_for(800);
    assert!(state(&world, 0).playing());
    assert_eq!(revealed(&world).len(), 4, "each anew");
    check(&mut world, 1, "after the toss");
}

#[test]
fn a_ready_or_a_resignation_is_for_one_game() {
    let mut world = game(Grace::Never);
    play_to(&mut world, 2);
    let loser = device_of(&world, 1);
    for device in [loser, device_of(&world, 2)] {
        assert_eq!(wants(&mut world, device, Command::Resign), Ok(()));
    }
    world.run_for(500);
    if state(&world, 0).playing() {
        play_out(&mut world, &[0, 1, 2]);
    }
    let thief = not_keeper(&world);
    bring_again(&mut world, thief, "between two games");
    assert!(!state(&world, 0).playing() && state(&world, 0).seats.iter().all(|seat| !seat.ready));
    for device in 0..3 {
        assert_eq!(wants(&mut world, device, Command::Ready), Ok(()));
    }
    world.run_for(500);
    assert_eq!(state(&world, 0).current.as_ref().expect("a game").number, 2);
    check(&mut world, thief, "in the second game");
}
