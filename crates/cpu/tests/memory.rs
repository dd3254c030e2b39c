//! What a mind allocates, counted by the allocator itself: never more than it was given, whatever the rules.

use cpu::{Budget, LEVEL_MAX, Mind};
use peak_alloc::PeakAlloc;
use rules::{Action, Game, Must};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What a device gives, in bytes: usually, on a phone, and for a quick move.
const GIVEN: [usize; 3] = [cpu::MEMORY_BYTES, 32 << 20, cpu::QUICK_MEMORY_BYTES];
/// Positions that are looked at: enough to fill what there is.
const NODES: u64 = 60_000;
/// Where little is given, what a move needs beside the memory that remembers, in bytes: positions of a line, and the
/// tables of shapes.
const BESIDE: usize = 5 << 20;
/// The tables of shapes, in bytes.
const SHARED: usize = 3 << 20;

const RULES: &[&str] = &[
    "gomoku",
    "wuziqi forbidden=renju board=19",
    "pente",
    "pente-swap2",
    "capture-five board=19 overtime=break forced_capture=false",
    "capture-five board=19 seats=3",
    "capture-five board=19 seats=4",
    "capture-five board=19 seats=4 teams=true",
];

/// A game that has gone on for a few stones, by the lowest level.
fn begun(rules: &str) -> Game {
    let mut game = Game::new(rules.parse().expect(rules));
    while game.ply() < 8 && game.turn().is_some_and(|turn| turn.must == Must::Place) {
        let action: Action = cpu::think(&game, 1, 3, &mut || false);
        game.play(&action).expect("legal");
    }
    game
}

#[test]
fn no_more_is_taken_than_was_given() {
    for rules in RULES {
        let game = begun(rules);
        for given in GIVEN {
            // The shared tables stay from one mind to the next, and count as well.
            let before = MEMORY.current_usage().saturating_sub(SHARED);
            MEMORY.reset_peak_usage();
            let mut mind = Mind::new(given);
            mind.think(&game, &Budget { level: LEVEL_MAX, nodes: NODES, seed: 1 }, &mut || false);
            let taken = MEMORY.peak_usage().saturating_sub(before);
            println!("{rules}: {given} given, {taken} taken");
            let most = if given == cpu::QUICK_MEMORY_BYTES { given + BESIDE } else { given };
            assert!(taken <= most, "{rules}: {given} bytes given, {taken} taken");
        }
    }
}
