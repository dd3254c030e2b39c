//! Rules for property tests of the CPU.

use std::ops::RangeInclusive;

use proptest::prelude::*;
use rules::{OptionName, Preset, Rules};

/// More than any option has values, so that each of them comes up.
const PICKS: usize = 60;

/// Any coherent rules for so many seats; in teams only where they are asked for.
pub fn any_rules(seats: RangeInclusive<u8>, teams: bool) -> impl Strategy<Value = Rules> {
    let picks = prop::collection::vec(0..PICKS, OptionName::ALL.len());
    (seats, picks).prop_map(move |(seats, picks)| {
        let drawn = |&name: &OptionName| name != OptionName::Seats && (teams || name != OptionName::Teams);
        let names = OptionName::ALL.into_iter().filter(drawn);
        let mut picks = picks.into_iter();
        let pick = |count: usize| picks.next().map_or(0, |pick| pick % count);
        let options = Preset::Custom.options().for_seats(seats).0.drawn(Preset::Custom, names, pick);
        options.check(Preset::Custom).expect("coherent")
    })
}
