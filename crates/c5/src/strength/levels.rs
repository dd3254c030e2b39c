//! Each level against the one below it, the lowest against the novice, in every preset and with three and four sides.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rules::{Action, Rules};

use super::bout::Bout;
use super::marks::{CAPTURE_OPENINGS, GOMOKU_OPENINGS, PENTE_OPENINGS};
use super::{balanced, rules};
use crate::Failure;
use crate::args::Strength;
use crate::openings::draw;

/// Where levels are counted: a name, the rules, and what the openings are.
const TABLES: [(&str, &str, Openings); 8] = [
    ("gomoku", "gomoku", Openings::Balanced(GOMOKU_OPENINGS)),
    ("wuziqi", "wuziqi", Openings::Balanced(GOMOKU_OPENINGS)),
    ("capture-five", "capture-five", Openings::Balanced(CAPTURE_OPENINGS)),
    ("pente", "pente", Openings::Balanced(PENTE_OPENINGS)),
    ("pente-swap2", "pente-swap2", Openings::Own),
    ("teams", "capture-five seats=4 teams=true", Openings::Balanced(CAPTURE_OPENINGS)),
    ("3 sides", "capture-five seats=3", Openings::Drawn),
    ("4 sides", "capture-five seats=4", Openings::Drawn),
];

#[derive(Clone, Copy)]
enum Openings {
    Balanced(&'static str),
    /// Those of the rules, in which colours are chosen.
    Own,
    /// A stone of each side near the middle, at random.
    Drawn,
}

/// Levels above this one meet at a tenth of what they may spend.
const WHOLE_UP_TO: u8 = 5;
const TENTH: u64 = 10;
/// What stands for a tenth of the highest level's time: positions in 100 ms, with two sides and with more.
const TOP_TENTH: u64 = 60_000;
const TOP_TENTH_MANY: u64 = 8_000;

/// A row for each table: level 1 against the novice, 2 against 1, and so on.
pub fn bouts(asked: &Strength) -> Result<Vec<Bout>, Failure> {
    let mut bouts = Vec::new();
    for (table, text, openings) in TABLES {
        let rules = rules(text)?;
        let sides = u32::from(rules.sides());
        let games = asked.games.div_ceil(sides) * sides;
        for level in 1..=cpu::LEVEL_MAX {
            let (a, b) = pair(level, &rules, asked.full);
            let name = if level == 1 { "1–novice".to_owned() } else { format!("{level}–{}", level - 1) };
            let openings = beginnings(openings, rules, games / sides, asked.seed)?;
            bouts.push(Bout::new([table, &name], rules, [&a, &b], openings, [games, asked.seed])?);
        }
    }
    Ok(bouts)
}

/// A level and the one below it. Level 6 is counted whole, since a tenth of it is less than what level 5 has.
fn pair(level: u8, rules: &Rules, full: bool) -> (String, String) {
    match level {
        1 => (whole(1, rules), "novice".to_owned()),
        _ if full || level <= WHOLE_UP_TO + 1 => (whole(level, rules), whole(level - 1, rules)),
        _ => (tenth(level, rules), tenth(level - 1, rules)),
    }
}

/// Level and positions; the highest, which has none, its time.
fn whole(level: u8, rules: &Rules) -> String {
    match cpu::nodes_of(level, rules) {
        Some(nodes) => format!("level:{level},nodes:{nodes}"),
        None => format!("level:{level}"),
    }
}

fn tenth(level: u8, rules: &Rules) -> String {
    let top = if rules.sides() == 2 { TOP_TENTH } else { TOP_TENTH_MANY };
    let nodes = cpu::nodes_of(level, rules).map_or(top, |nodes| nodes / TENTH);
    format!("level:{level},nodes:{}", nodes.min(top))
}

fn beginnings(openings: Openings, rules: Rules, count: u32, seed: u32) -> Result<Vec<Vec<Action>>, Failure> {
    match openings {
        Openings::Balanced(text) => balanced(text, rules),
        Openings::Own => Ok(vec![Vec::new()]),
        Openings::Drawn => {
            let mut random = StdRng::seed_from_u64(seed.into());
            let stones = rules.sides().into();
            Ok((0..count).map(|_| draw::near(rules, stones, &mut random).actions().to_vec()).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_meets_the_one_below_it_in_every_table() {
        let bouts = bouts(&Strength::default()).expect("bouts");
        assert_eq!(bouts.len(), TABLES.len() * 8);
        for bout in &bouts {
            assert_eq!(bout.games % u32::from(bout.terms.rules.sides()), 0, "{}", bout.key());
        }
        assert_eq!(bouts[0].terms.players[1].text(), "novice");
        assert!(bouts[7].terms.players.iter().all(|player| player.limit.is_none()), "a tenth is counted in positions");
    }

    #[test]
    fn a_whole_level_is_as_it_plays_at_a_table() {
        let rules = rules("gomoku").expect("rules");
        let (a, b) = pair(8, &rules, true);
        assert_eq!(a, "level:8");
        assert!(b.starts_with("level:7,nodes:"));
        assert_eq!(pair(6, &rules, false), (whole(6, &rules), whole(5, &rules)));
    }
}
