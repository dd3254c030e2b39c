use proptest::prelude::*;
use rules::{Colour, Outcome, Rules};

use super::position::Position;
use super::position::rewards;
use super::stones::Next;
use super::urgent::Urgency;
use super::*;
use crate::threat::Kind;

#[path = "../../tests/support/mod.rs"]
mod support;
use support::any_rules;

const THREE: &str = "capture-five seats=3";
const FOUR: &str = "capture-five seats=4";
const MEMORY: usize = 1 << 20;

fn found(game: &Game, nodes: u64, seed: u64) -> Found {
    let ground = Ground::new(game.rules());
    let limits = Limits { nodes, memory: MEMORY, threads: 1, whim: 0, seed, stop: &mut || false };
    best(&ground, game, limits, &[]).expect("a point")
}

fn at(found: &Found) -> String {
    match &found.action {
        Action::Place { at, .. } => at.to_string(),
        other => panic!("{other:?} is no stone"),
    }
}

/// After these stones one of `good` is played, whatever the seed.
fn check(text: &str, stones: &str, good: &[&str]) {
    let game = rules::example::game(text, stones);
    for seed in 0..3 {
        let played = at(&found(&game, 3_000, seed));
        assert!(good.contains(&played.as_str()), "{text}, {stones}: {played} is none of {good:?}");
    }
}

#[test]
fn a_win_is_taken() {
    check(THREE, "H8 A1 A15 I8 C1 A13 J8 E1 A11", &["G8", "K8"]);
    // Also where the next player would win, too.
    check(THREE, "H8 A1 A15 I8 B1 A13 J8 C1 A11", &["G8", "K8"]);
    check(FOUR, "H8 A1 A15 O1 I8 C1 A13 M1 J8 E1 A11 K1", &["G8", "K8"]);
}

#[test]
fn the_next_players_win_is_stopped() {
    // White needs D1 only; black has a line of two to lengthen.
    check(THREE, "H8 A1 O15 I9 B1 M15 F4 C1 K13", &["D1"]);
    check(FOUR, "H8 A1 O15 O1 I9 B1 M15 M3 F4 C1 K13 L7", &["D1"]);
}

#[test]
fn the_last_one_before_a_win_stops_it() {
    // Blue to move; after it black, who has H8 to J8 with G8 closed.
    check(THREE, "H8 G8 A15 I8 C1 A13 J8 O1", &["K8"]);
}

#[test]
fn a_stop_is_left_to_the_next_only_for_a_threat_that_comes_later() {
    // Black threatens K8 only, and blue will have to stop it: white makes an open three, of which black can stop
    // one end. Stopping black at once is sound as well.
    let stones = "H8 G8 A15 I8 C4 A13 J8 D4 A11 O15";
    let game = rules::example::game("capture-five seats=3 captures=off", stones);
    let position = Position::<3>::of(&Ground::new(game.rules()), &game);
    let ground = Ground::new(game.rules());
    let Urgency::Forced(pressing) = position.urgency(&ground) else { panic!("black threatens to win") };
    assert_eq!((pressing.far, pressing.blocks.len(), pressing.is_lost), (2, 1, false));
    let names: Vec<String> = pressing.others.iter().map(|spot| ground.point(spot).to_string()).collect();
    for way in ["B4", "E4"] {
        assert!(names.contains(&way.to_owned()), "{way} is not among {names:?}");
    }
    // The last one before black has no such choice.
    let game = rules::example::game("capture-five seats=3 captures=off", &format!("{stones} O13"));
    let position = Position::<3>::of(&ground, &game);
    let Urgency::Forced(pressing) = position.urgency(&ground) else { panic!("black threatens to win") };
    assert_eq!((pressing.far, pressing.others.is_empty()), (1, true));
}

#[test]
fn more_points_than_enemies_before_the_move_are_a_win() {
    // Black's open three: one enemy cannot stop both ends, two can.
    let text = "capture-five seats=3 captures=off";
    let game = rules::example::game(text, "H8 A1 O15 I8 C3 M15 J8");
    let ground = Ground::new(game.rules());
    let urgency = Position::<3>::of(&ground, &game).urgency(&ground);
    assert!(matches!(urgency, Urgency::Forced(pressing) if pressing.far == 2 && !pressing.is_lost), "{urgency:?}");
    let game = rules::example::game(text, "H8 A1 O15 I8 C3 M15 J8 E5");
    let urgency = Position::<3>::of(&ground, &game).urgency(&ground);
    assert_eq!(urgency, Urgency::Lost { to: 0, far: 1 });
}

#[test]
fn the_goal_of_captures_is_a_win_and_is_stopped() {
    // Black takes pairs of white and of blue; the fourth is on the board, to be taken at K6.
    let text = "capture-five seats=3";
    let mut game = rules::example::game(text, "H8 I8 A1 B3 J8 A3 K8");
    assert_eq!(game.captured(Colour::Black), 2);
    for stones in ["I10 C1 H10 J10 A5 K10", "I12 E1 H12 J12 A7 K12", "I6 G1 H6 J6 A9"] {
        rules::example::play(&mut game, stones);
    }
    assert_eq!(game.captured(Colour::Black), 6, "{:?}", game.actions());
    assert_eq!(at(&found(&game, 3_000, 1)), "K6");
}

#[test]
fn a_shared_win_is_less_than_one_alone() {
    let [alone, shared, draw, lost] = [0b001, 0b011, 0b111, 0b100].map(|winners| rewards::<3>(winners)[0]);
    assert!(alone > shared && shared > draw && draw > lost, "{alone} {shared} {draw} {lost}");
    assert_eq!(rewards::<4>(0), [0.25; 4]);
}

#[test]
fn the_same_seed_and_nodes_give_the_same() {
    let game = rules::example::game(FOUR, "H8 I9 G7 J8 H9 H7");
    let first = found(&game, 2_000, 5);
    assert_eq!(found(&game, 2_000, 5), first);
    assert!(first.nodes <= 2_000 && first.depth > 0);
}

#[test]
fn a_tree_keeps_within_its_memory() {
    let game = rules::example::game(FOUR, "H8 I9 G7 J8 H9 H7");
    let ground = Ground::new(game.rules());
    let limits = Limits { nodes: 20_000, memory: 100_000, threads: 1, whim: 0, seed: 1, stop: &mut || false };
    let mut tree = Tree::<4>::new(&ground, &game, limits);
    tree.run(&game, &[]);
    assert!(tree.choose().is_some() && tree.leaves == 20_000);
    let bytes = tree.nodes.capacity() * size_of_val(&tree.nodes[0]);
    assert!((50_000..=100_000).contains(&bytes), "{bytes} bytes");
}

#[test]
fn a_whim_misjudges_stones() {
    let game = rules::example::game(FOUR, "H8 I9 G7 J8 H9 H7");
    let ground = Ground::new(game.rules());
    let played = |whim: i32, seed: u64| {
        let limits = Limits { nodes: 2_000, memory: MEMORY, threads: 1, whim, seed, stop: &mut || false };
        best(&ground, &game, limits, &[]).expect("a point").action
    };
    assert!((0..8).any(|seed| played(110, seed) != played(0, seed)));
}

#[test]
fn stopping_ends_the_search() {
    let game = rules::example::game(FOUR, "H8 I9 G7 J8 H9 H7");
    let ground = Ground::new(game.rules());
    let mut asked = 0;
    let mut stop = || {
        asked += 1;
        asked == 3
    };
    let limits = Limits { nodes: u64::MAX, memory: MEMORY, threads: 1, whim: 0, seed: 1, stop: &mut stop };
    assert!(best(&ground, &game, limits, &[]).expect("a point").nodes < 300);
    assert_eq!(asked, 3);
}

/// Plays a game on stones and on the real rules, near the middle so that much happens.
fn stones_agree<const N: usize>(rules: Rules, seed: u64) {
    let mut game = Game::new(rules);
    let ground = Ground::new(&rules);
    let plan = Plan::new(&ground, &game);
    let mut stones = Stones::<N>::of(&plan, &ground, &game);
    let mut numbers = Numbers::new(seed);
    while game.turn().is_some() {
        let free: Vec<Spot> = (0..ground.spots as Spot).filter(|&spot| stones.is_empty(spot)).collect();
        let near: Vec<Spot> = Position::<N>::of(&ground, &game).field.near().iter().collect();
        let among = if near.is_empty() { &free } else { &near };
        let spot = among[numbers.next() as usize % among.len()];
        let at = ground.point(spot);
        assert_eq!(stones.is_legal(&plan, spot), game.check(at).is_ok(), "{at} after {:?}", game.actions());
        if game.place(at).is_err() {
            if !free.iter().any(|&spot| game.check(ground.point(spot)).is_ok()) || numbers.next().is_multiple_of(64) {
                break;
            }
            continue;
        }
        let next = stones.play(&plan, spot, None);
        for spot in 0..ground.spots as Spot {
            let stone = game.stone(ground.point(spot)).map(|colour| ground.side_of(colour));
            assert_eq!(stones.whose(spot), stone, "{} after {:?}", ground.point(spot), game.actions());
        }
        assert_eq!(stones.taken, ground.captured::<N>(&game), "{:?}", game.actions());
        if game.overtime().is_some() {
            assert!(matches!(next, Next::Over(_)), "{:?}", game.actions());
            break;
        }
        let ended = game.result().is_some_and(|result| !matches!(result, Outcome::Draw(rules::DrawBy::NoLegalMove)));
        match next {
            Next::On => assert!(!ended, "{:?}", game.actions()),
            Next::Over(winners) => {
                let all = winners.count_ones() as usize == N;
                assert_eq!(ground.winners(&game), Some(if all { 0 } else { winners }), "{:?}", game.actions());
            }
        }
        let position = Position::<N>::of(&ground, &game);
        for side in (0..N).filter(|_| !ended) {
            let fives = position.field.kind(side, Kind::Five);
            let five = stones.five(&plan, side);
            assert_eq!(five.is_some(), !fives.is_empty(), "of side {side} after {:?}", game.actions());
            assert!(five.is_none_or(|five| fives.has(five)), "of side {side} after {:?}", game.actions());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn stones_agree_with_the_rules(rules in any_rules(3..=4, false), seed: u64) {
        match rules.sides() {
            3 => stones_agree::<3>(rules, seed),
            _ => stones_agree::<4>(rules, seed),
        }
    }

    #[test]
    fn every_move_is_legal_under_any_options(rules in any_rules(3..=4, false), seed: u64) {
        let mut game = Game::new(rules);
        let ground = Ground::new(game.rules());
        while game.result().is_none() {
            let limits = Limits { nodes: 60, memory: MEMORY, threads: 1, whim: 0, seed, stop: &mut || false };
            let Some(found) = best(&ground, &game, limits, &[]) else { break };
            let waits = game.overtime().map(|overtime| overtime.colour);
            game.play(&found.action).expect("legal");
            // A line that waits can be stopped, or there would have been a result.
            if let (Some(waits), Some(Outcome::Win { winners, .. })) = (waits, game.result()) {
                prop_assert!(!winners.contains(&waits), "not stopped: {:?}", game.actions());
            }
        }
    }
}
