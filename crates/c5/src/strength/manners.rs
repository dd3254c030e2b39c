//! Whether the CPU keeps to rules and time, whatever the options: many games under rules drawn at random.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rules::Preset;

use super::bout::Bout;
use crate::Failure;
use crate::args::Strength;
use crate::openings::draw;

/// Games under one set of options, at least; as many more as there are sides.
const SET_GAMES: u32 = 4;
/// Parties: seats, and whether they are teams.
const PARTIES: [(u8, bool); 4] = [(2, false), (3, false), (4, false), (4, true)];

/// Whom the CPU meets, in turn: itself, and players who bring about odd positions and full boards.
const OTHERS: [&str; 4] = ["", "random", "novice", "level:1"];

/// As many games as are asked for, each set of options for a few.
pub fn bouts(asked: &Strength) -> Result<Vec<Bout>, Failure> {
    let mut bouts = Vec::new();
    let mut games = 0;
    let us = match asked.nodes {
        Some(nodes) => format!("nodes:{nodes}"),
        None => format!("ms:{}", asked.ms),
    };
    for number in 0.. {
        if games >= asked.games {
            break;
        }
        let seed = asked.seed.wrapping_add(number);
        let (seats, teams) = PARTIES[number as usize % PARTIES.len()];
        let other = OTHERS[number as usize / PARTIES.len() % OTHERS.len()];
        let other = match (other, asked.nodes) {
            ("", _) => us.clone(),
            ("level:1", Some(nodes)) => format!("level:1,nodes:{nodes}"),
            (other, _) => other.to_owned(),
        };
        let rules = draw::rules(Preset::Custom, seats, teams, &mut StdRng::seed_from_u64(seed.into()));
        let count = SET_GAMES.max(rules.sides().into()).min(asked.games - games);
        let name = rules.to_string();
        bouts.push(Bout::new(["manners", &name], rules, [&us, &other], vec![Vec::new()], [count, seed])?);
        games += count;
    }
    Ok(bouts)
}

#[cfg(test)]
mod tests {
    use super::super::book::Book;
    use super::*;

    /// The same games as `c5 strength manners` plays by the clock, fewer and by positions: nothing waits for a time.
    #[test]
    fn no_move_is_illegal_under_any_options() {
        let asked = Strength { games: 48, nodes: Some(300), ..Strength::default() };
        let mut book = Book::open(None).expect("a book");
        let mut games = 0;
        for bout in bouts(&asked).expect("bouts") {
            let figures = bout.play(&mut book, 1, &mut || true).expect("games").figures;
            assert_eq!((figures.illegal, figures.forfeits), ([0, 0], [0, 0]), "{}", bout.key());
            games += figures.games;
        }
        assert_eq!(games, 48);
    }
}
