//! Openings from a file: each line a beginning that games go on from.

use rules::{Action, Game, Point, Refusal, Rules};

use crate::referee::{Asked, action_from_text};

/// Bytes in a file of openings.
pub const FILE_BYTES_MAX: usize = 1 << 20;

/// What a file has for a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openings {
    /// At least one.
    pub all: Vec<Vec<Action>>,
    /// Lines that have a point beyond this board: one file serves boards of all sizes.
    pub left_out: usize,
}

/// Reads the openings of a file under these rules; what is wrong with the first that cannot be played otherwise.
///
/// A line has offsets from the centre, `dx,dy, dx,dy, …` (to the right and up; what lies between numbers does not
/// matter), or the referee's text actions with spaces or commas between them. Empty lines, and those that start with
/// `#`, say nothing.
pub fn read(text: &str, rules: Rules) -> Result<Openings, String> {
    let mut openings = Openings { all: Vec::new(), left_out: 0 };
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match opening(line, rules).map_err(|why| format!("line {number}: {why}"))? {
            Some(opening) => openings.all.push(opening),
            None => openings.left_out += 1,
        }
    }
    if openings.all.is_empty() { Err("there is no opening for this board in it".to_owned()) } else { Ok(openings) }
}

/// The actions of a line; `None` where one is off the board.
fn opening(line: &str, rules: Rules) -> Result<Option<Vec<Action>>, String> {
    let words = || line.split([',', ' ', '\t']).filter(|word| !word.is_empty());
    let actions = if line.contains(|letter: char| letter.is_alphabetic()) {
        words().map(action).collect::<Result<Option<Vec<_>>, String>>()?
    } else {
        stones(words(), rules)?
    };
    let Some(actions) = actions else { return Ok(None) };
    match Game::replay(rules, &actions) {
        Ok(game) if game.result().is_some() => Err("it ends the game".to_owned()),
        Ok(_) => Ok(Some(actions)),
        Err((_, Refusal::OffBoard)) => Ok(None),
        Err((index, refusal)) => Err(format!("{} is refused: {}", actions[index], refusal.name())),
    }
}

fn action(word: &str) -> Result<Option<Action>, String> {
    match action_from_text(word) {
        Ok(Asked::Act(action)) => Ok(Some(action)),
        Ok(Asked::Beyond) => Ok(None),
        Ok(Asked::Resign) | Err(_) => Err(format!("{word:?} is no action of an opening")),
    }
}

/// Stones by their offsets from the centre; `None` where one is off every board.
fn stones<'a>(words: impl Iterator<Item = &'a str>, rules: Rules) -> Result<Option<Vec<Action>>, String> {
    let numbers = words.map(|word| word.parse::<i8>().map_err(|_| format!("{word:?} is no offset")));
    let numbers = numbers.collect::<Result<Vec<i8>, String>>()?;
    if numbers.len() % 2 == 1 {
        return Err("an offset lacks its second number".to_owned());
    }
    let centre = rules.board().centre();
    let stone = |pair: &[i8]| {
        let column = centre.column().checked_add_signed(pair[0])?;
        let row = centre.row().checked_add_signed(pair[1])?;
        Point::new(column, row).map(Action::place)
    };
    Ok(numbers.chunks(2).map(stone).collect())
}

#[cfg(test)]
mod tests {
    use rules::Preset;

    use super::*;

    fn check(preset: Preset, text: &str, expected: &[&str]) {
        let openings = read(text, Rules::of(preset)).unwrap_or_else(|why| panic!("{text:?}: {why}"));
        let words = |opening: &Vec<Action>| opening.iter().map(Action::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(openings.all.iter().map(words).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn openings_are_read() {
        check(Preset::Gomoku, "0,0, 1,0, 1,3\n\n# even\n-1,2,0,0\n", &["H8 I8 I11", "G10 H8"]);
        check(Preset::Gomoku, "H8 I9, A1", &["H8 I9 A1"]);
        check(Preset::PenteSwap2, "J10 K10 K11 add A1 B2 white", &["J10 K10 K11 add A1 B2 white"]);
    }

    #[test]
    fn what_is_no_opening_is_told_by_its_line() {
        for (preset, text) in [
            (Preset::Gomoku, "0,0\n0,0, 0,0"),
            (Preset::Gomoku, "0,0\n0,0, 1"),
            (Preset::Gomoku, "0,0\n300,0"),
            (Preset::Gomoku, "H8\nresign"),
            (Preset::Gomoku, "H8\ndraw"),
            (Preset::Gomoku, "H8\nH8 strange"),
            (Preset::Gomoku, "H8\nH8 black"),
            (Preset::Gomoku, "H8\nA1 A2 B1 B2 C1 C2 D1 D2 E1"),
            (Preset::Pente, "0,0\n1,1"),
        ] {
            let why = read(text, Rules::of(preset)).expect_err(text);
            assert!(why.starts_with("line 2: "), "{text:?}: {why}");
        }
        assert!(read("# none\n", Rules::of(Preset::Gomoku)).is_err());
    }

    #[test]
    fn what_is_for_larger_boards_is_left_out() {
        for (preset, left_out) in [(Preset::Gomoku, 5), (Preset::PenteSwap2, 2)] {
            let openings = read("0,0\n9,0\n0,-8\n10,1\nS1\nT1", Rules::of(preset));
            assert_eq!(openings.map(|openings| openings.left_out), Ok(left_out));
        }
        assert!(read("9,9", Rules::of(Preset::Gomoku)).is_err());
    }
}
