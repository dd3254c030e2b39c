//! Several threads search together, and the answer is as good and as legal as one's.

use cpu::{Budget, LEVEL_MAX, Mind, THREADS_MAX, WON};
use rules::example;

/// Enough for helpers to be of use.
const NODES: u64 = 200_000;

#[test]
fn together_they_find_what_one_finds() {
    let budget = Budget { level: LEVEL_MAX, nodes: NODES, seed: 1 };
    for (rules, stones, won) in [
        ("gomoku", "H8 I9 I8 G8 J8", None),
        ("gomoku", "H8 A1 I8 A3 J8 A5", Some(["G8", "K8"])),
        ("capture-five overtime=break", "H8 I8 I10 H9 J7 G10 F11 J9", None),
        ("wuziqi forbidden=renju", "H8 I8 H6 H7 K9 G6 F5 K10", None),
        // White needs D1 only.
        ("capture-five seats=3 captures=off", "H8 A1 O15 I9 B1 M15 F4 C1 K13", Some(["D1", "D1"])),
        ("capture-five seats=4", "H9 G9 I8 I9 J9 J10 E8 F9", None),
    ] {
        let game = example::game(rules, stones);
        let mut mind = Mind::new(8 << 20).with_threads(3);
        let thought = mind.think(&game, &budget, &mut || false);
        let mut after = game.clone();
        assert!(after.play(&thought.action).is_ok(), "{rules}: {thought:?}");
        if let Some(points) = won {
            assert!(points.map(example::at).contains(&thought.line[0]), "{thought:?}");
            assert!(thought.score >= WON || game.rules().sides() > 2, "{thought:?}");
        }
    }
}

#[test]
fn all_stop_when_told() {
    let game = example::game("gomoku", "H8 I9 I8 G8");
    let mut asked = 0;
    let mut stop = || {
        asked += 1;
        asked > 20
    };
    let budget = Budget::of(LEVEL_MAX, 1);
    let thought = Mind::new(8 << 20).with_threads(THREADS_MAX + 1).think(&game, &budget, &mut stop);
    assert!(game.clone().play(&thought.action).is_ok());
    assert!(asked <= 22, "{asked}");
}
