//! Would the simulation notice? Each bug of crates/table/src/planted.rs is planted in turn, and found.
#![cfg(feature = "planted")]

use std::panic::AssertUnwindSafe;

use sim::{Run, play};
use table::planted::Bug;

/// In so many games a bug must show.
const GAMES: u64 = 2_000;

/// Whether something is noticed in a game, if only by a panic.
fn is_noticed(seed: u64, planted: Option<Bug>) -> bool {
    let run = Run { planted, ..Run::default() };
    std::panic::catch_unwind(AssertUnwindSafe(|| play(seed, &run).broken.is_some())).unwrap_or(true)
}

fn finds(bug: Bug) {
    let found = (1..=GAMES).find(|&seed| is_noticed(seed, Some(bug)));
    let seed = found.unwrap_or_else(|| panic!("{bug:?} goes unnoticed in {GAMES} games"));
    assert!(!is_noticed(seed, None), "{bug:?}: the game with seed {seed} fails without it, too");
}

macro_rules! found {
    ($($test:ident $bug:ident)*) => {
        $(
            #[test]
            fn $test() {
                finds(Bug::$bug);
            }
        )*

        #[test]
        fn every_bug_has_its_test() {
            assert_eq!(Bug::ALL.to_vec(), [$(Bug::$bug),*]);
        }
    };
}

found! {
    a_skipped_write SkippedPersist
    a_stale_term StaleTerm
    an_unchecked_signature SignatureUnchecked
    final_on_one_disk FinalOnOneDisk
    a_cpu_that_keeps_the_seat CpuKeepsSeat
    a_roll_sent_before_it_is_on_disk RollBeforeDisk
    a_keeper_that_goes_on_after_a_restart KeeperGoesOn
    a_promise_not_kept PromiseBroken
    an_answer_with_a_head_not_on_disk HeadNotOnDisk
    an_unchecked_number SeqUnchecked
    an_act_that_signs_the_position PositionSigned
    weight_by_moves WeightByMoves
    back_to_the_fork BackToFork
    a_double_signer_that_counts DoubleSignerCounts
    a_live_device_that_follows_what_leaves_it_out LeftOutFollows
    a_promise_in_memory_only PromiseInMemory
    a_fresh_device_that_acknowledges FreshAcks
    two_answers_in_one_term TwoAnswers
    everybody_ever_named_counts EverybodyNamedCounts
}
