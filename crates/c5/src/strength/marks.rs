//! The marks that the CPU is to reach: against programs that others wrote, and against playouts.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rules::{Action, Preset, Rules};

use super::bout::Bout;
use super::table::Mark;
use super::{balanced, rules};
use crate::Failure;
use crate::args::{Rival, Strength};
use crate::matches::openings_file;
use crate::openings::draw;

const YARDSTICK: &str = "playouts:20000,ms:100";

/// Of each pair that meets at two times: milliseconds a move and games.
const TIMES: [(u64, u32); 2] = [(100, 100), (1_000, 20)];

const FREESTYLE: &str = "gomoku";
const EXACT: &str = "gomoku overline=no-win";
const RENJU: &str = "wuziqi forbidden=renju";

/// Balanced openings, made by `c5 openings`: see `tests/data/README.md`.
pub const GOMOKU_OPENINGS: &str = include_str!("../../../../tests/data/openings/gomoku.txt");
const EXACT_OPENINGS: &str = include_str!("../../../../tests/data/openings/exact-five.txt");
pub const RENJU_OPENINGS: &str = include_str!("../../../../tests/data/openings/renju.txt");
pub const PENTE_OPENINGS: &str = include_str!("../../../../tests/data/openings/pente.txt");
pub const CAPTURE_OPENINGS: &str = include_str!("../../../../tests/data/openings/capture-five.txt");

const FIVE_TWO: &str = "Capture Five, two sides";
const FIVE_MANY: &str = "Capture Five, three and four sides";

/// Groups that have a mark. A rival of another name, and renju or exact five where nothing stands here, are reported.
pub const MARKS: &[Mark] = &[
    Mark { group: "wine, freestyle", least: 0.85, lowest: None },
    Mark { group: "slowrenju, freestyle", least: 0.70, lowest: None },
    Mark { group: "slowrenju, renju", least: 0.60, lowest: None },
    Mark { group: "rapfi, freestyle", least: 0.30, lowest: None },
    Mark { group: "Pente", least: 0.95, lowest: None },
    Mark { group: "Pente, swap2", least: 0.95, lowest: None },
    Mark { group: FIVE_TWO, least: 0.80, lowest: Some(0.40) },
    Mark { group: FIVE_MANY, least: 0.50, lowest: Some(0.25) },
];

/// Option sets of Capture Five in each of its two groups, and games in each set.
const SETS: u32 = 20;
const SET_GAMES: u32 = 20;

/// All matches, in the order in which they are told.
pub fn bouts(asked: &Strength) -> Result<Vec<Bout>, Failure> {
    let mut bouts = Vec::new();
    for rival in &asked.rivals {
        against(rival, asked, &mut bouts)?;
    }
    pente(asked, &mut bouts)?;
    for (group, parties) in [(FIVE_TWO, [(2, false), (4, true)]), (FIVE_MANY, [(3, false), (4, false)])] {
        for number in 0..SETS {
            let (seats, teams) = parties[number as usize % 2];
            bouts.push(option_set(group, seats, teams, asked.seed.wrapping_add(number))?);
        }
    }
    Ok(bouts)
}

/// A program under the rules that it is known to play.
fn against(rival: &Rival, asked: &Strength, bouts: &mut Vec<Bout>) -> Result<(), Failure> {
    let all = [
        ("freestyle", FREESTYLE, GOMOKU_OPENINGS),
        ("renju", RENJU, RENJU_OPENINGS),
        ("exact five", EXACT, EXACT_OPENINGS),
    ];
    let known = if rival.freestyle_only { 1 } else { all.len() };
    for (name, text, openings) in all.into_iter().take(known) {
        let rules = rules(text)?;
        for (ms, games) in TIMES {
            let group = format!("{}, {name}", rival.name);
            // The marks are those of 100 ms; a second a move is told beside them.
            let group = if ms == TIMES[0].0 { group } else { format!("{group}, {ms} ms") };
            bouts.push(meet(&group, rules, rival, (ms, games), balanced(openings, rules)?, asked)?);
        }
    }
    if let Some(path) = &asked.offsets {
        let rules = rules(FREESTYLE)?;
        let openings = openings_file(path, rules)?;
        bouts.push(meet(
            &format!("{}, freestyle, given openings", rival.name),
            rules,
            rival,
            TIMES[0],
            openings,
            asked,
        )?);
    }
    Ok(())
}

fn meet(
    group: &str,
    rules: Rules,
    rival: &Rival,
    (ms, games): (u64, u32),
    openings: Vec<Vec<Action>>,
    asked: &Strength,
) -> Result<Bout, Failure> {
    let told = ms.saturating_add_signed(rival.told_more).max(1);
    let b = format!("ms:{ms},told:{told},gomocup:{}", rival.command);
    Bout::new([group, &format!("{ms} ms")], rules, [&format!("ms:{ms}"), &b], openings, [games, asked.seed])
}

fn pente(asked: &Strength, bouts: &mut Vec<Bout>) -> Result<(), Failure> {
    for (group, text) in [("Pente", "pente"), ("Pente, swap2", "pente-swap2")] {
        let rules = rules(text)?;
        for (ms, games) in TIMES {
            let openings = if text == "pente" { balanced(PENTE_OPENINGS, rules)? } else { vec![Vec::new()] };
            let a = format!("ms:{ms}");
            bouts.push(Bout::new([group, &format!("{ms} ms")], rules, [&a, YARDSTICK], openings, [games, asked.seed])?);
        }
    }
    Ok(())
}

/// Twenty games under options drawn from a seed, each opening on every side.
fn option_set(group: &str, seats: u8, teams: bool, seed: u32) -> Result<Bout, Failure> {
    let mut random = StdRng::seed_from_u64(seed.into());
    let rules = draw::rules(Preset::CaptureFive, seats, teams, &mut random);
    let sides = u32::from(rules.sides());
    let openings = (0..SET_GAMES.div_ceil(sides)).map(|_| beginning(rules, &mut random)).collect();
    Bout::new([group, &rules.to_string()], rules, ["ms:100", YARDSTICK], openings, [SET_GAMES, seed])
}

/// A stone of each side near the middle.
fn beginning(rules: Rules, random: &mut StdRng) -> Vec<Action> {
    draw::near(rules, rules.sides().into(), random).actions().to_vec()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rules::Game;

    use super::*;
    use crate::openings::symmetry::least;

    #[test]
    fn the_sets_are_large_enough_and_no_two_openings_are_one() {
        for (text, openings) in [
            (FREESTYLE, GOMOKU_OPENINGS),
            (EXACT, EXACT_OPENINGS),
            (RENJU, RENJU_OPENINGS),
            ("pente", PENTE_OPENINGS),
            ("capture-five", CAPTURE_OPENINGS),
        ] {
            let rules = rules(text).expect("rules");
            let all = balanced(openings, rules).expect("openings");
            let different: BTreeSet<_> =
                all.iter().map(|opening| least(&Game::replay(rules, opening).expect("legal"))).collect();
            assert!(all.len() >= 50 && different.len() == all.len(), "{text}: {} of {}", different.len(), all.len());
        }
    }

    #[test]
    fn every_option_set_is_another_and_is_played_on_all_sides() {
        let asked = Strength { rivals: vec!["wine+9=./wine".parse().expect("a rival")], ..Strength::default() };
        let bouts = bouts(&asked).expect("bouts");
        for group in [FIVE_TWO, FIVE_MANY] {
            let sets: Vec<&Bout> = bouts.iter().filter(|bout| bout.group == group).collect();
            let rules: BTreeSet<&str> = sets.iter().map(|bout| bout.name.as_str()).collect();
            assert!(sets.len() == 20 && rules.len() == 20, "{rules:?}");
            assert!(sets.iter().all(|bout| bout.games == 20));
        }
        for mark in MARKS.iter().filter(|mark| !mark.group.starts_with("slow") && !mark.group.starts_with("rapfi")) {
            assert!(bouts.iter().any(|bout| bout.group == mark.group), "{}", mark.group);
        }
    }
}
