//! Once told to stop, the CPU looks at few positions more: whatever is due, it asks and then answers. Counted by how often
//! it asks, since time means nothing on a busy machine.

use cpu::{Budget, LEVEL_MAX, Mind};
use rules::{Action, Game};

/// After so many questions it is told to stop.
const ASKED_FIRST: [u32; 3] = [0, 1, 40];
/// It may ask so often again: a search asks on its way back, and between its parts.
const ASKED_AFTER_MAX: u32 = 8;

/// What is due: stones, with two sides and more, and stones and colours of openings.
const DUE: &[(&str, &str)] = &[
    ("gomoku", "H8 I9 G7"),
    ("wuziqi forbidden=renju board=19", "J10 K10 J12"),
    ("capture-five overtime=break", "H8 I9 G7 H10"),
    ("capture-five seats=3", "H8 I9 G7 H10"),
    ("capture-five seats=4", "H8 I9 G7 H10"),
    ("pente-swap2", ""),
    ("pente-swap2", "J10 K10"),
    ("pente-swap2", "J10 K10 K11"),
    ("gomoku opening=place-four", "H8 I8 I9"),
    ("gomoku opening=place-four", "H8 I8 I9 H10"),
];

#[test]
fn it_answers_soon_after_it_was_told_to_stop() {
    for (rules, stones) in DUE {
        let actions: Vec<Action> = stones.split_whitespace().map(|at| at.parse().expect("a stone")).collect();
        let game = Game::replay(rules.parse().expect(rules), &actions).expect("legal");
        for first in ASKED_FIRST {
            let (mut asked, mut after) = (0, 0);
            let mut stop = || {
                asked += 1;
                after += u32::from(asked > first);
                asked > first
            };
            let thought = Mind::new(1 << 20).think(&game, &Budget::of(LEVEL_MAX, 1), &mut stop);
            assert!(after <= ASKED_AFTER_MAX, "{rules}, {stones}: asked {after} times after the stop");
            assert!(game.clone().play(&thought.action).is_ok());
        }
    }
}
