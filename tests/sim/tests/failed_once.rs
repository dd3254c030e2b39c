//! Games that failed once, each by its seed, with what was wrong: they are played again.
//!
//! A change of the simulation may give a seed another game; then it is one game more, and the directed test that came
//! with each mending is what holds it.

use sim::{Run, play};

/// With all faults drawn by the seed.
const FAILED: [(u64, &str); 21] = [
    (5_021_917, "two wishes to sit gave one device two seats, and it played one of them"),
    (772_507, "a spectator stayed on what an owner with a full disk made twice"),
    (780_476, "a spectator stayed on what an owner with a full disk made twice"),
    (798_923, "a device that had stood up stayed on its own log"),
    (20_001_660, "people held a seat whose owner never came back"),
    (20_003_394, "calls every half second kept a device from refusing the roll that left it out"),
    (20_005_233, "the same where the roll came after the next call"),
    (20_006_819, "the CPU of a seat that its person had left counted as a wrong"),
    (30_010_136, "a device that had just sat down was left out for good"),
    (30_017_165, "a roll was judged by what its maker could not know"),
    (40_034_420, "who had stood up refused the roll after that"),
    (40_037_044, "a lie that only one could prove had a table call rolls for half a minute"),
    (40_059_213, "who had stood up was held to the rolls of its own log"),
    (50_026_511, "a device was left out while its promise was being written"),
    (60_024_813, "a refusal that came to nothing was for good"),
    (335_927, "devices that owned no seat where the log was to go on called one after the other"),
    (631_517, "after an own call that came to nothing no other's roll of its term was followed"),
    (486_913, "a keeper whom answers reached late was taken for one that takes no notice of them, and left alone"),
    (917_175, "one without a seat followed a roll on a wrong base although it held the proof"),
    (20_205_283, "a device found a lie about the base, forgot it in a crash, and was held to know it"),
    (63_282, "a late report of a write vouched for an entry that had come back into the log"),
];

#[test]
fn what_failed_once_fails_no_more() {
    for (seed, what) in FAILED {
        let broken = play(seed, &Run::default()).broken;
        assert!(broken.is_none(), "seed {seed}, {what}: {broken:?}");
    }
}
