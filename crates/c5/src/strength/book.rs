//! Games that were played already, in a file: a long list of matches can be broken off and gone on with, and parts of it
//! played elsewhere are put together by joining their files.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;
use crate::matches::{Ending, Foul, Record, Who};

/// A game as the book has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// From 0.
    pub number: u32,
    pub ending: Ending,
    pub foul: Option<(Who, Foul)>,
    /// Of A and of B.
    pub longest_ms: [f64; 2],
}

impl Played {
    /// What the book keeps of a game.
    pub fn of(record: &Record) -> Played {
        Played {
            number: record.pairing.number,
            ending: record.ending,
            foul: record.foul.as_ref().map(|broken| (broken.who, broken.foul)),
            longest_ms: record.spent.map(|spent| spent.longest.as_secs_f64() * 1e3),
        }
    }

    fn to_line(self, key: &str) -> Value {
        let (ending, winners) = match self.ending {
            Ending::Won(winners) => ("win", winners),
            Ending::Drawn => ("draw", 0),
            Ending::Lost => ("loss", 0),
        };
        let who = |who| if who == Who::A { "a" } else { "b" };
        let what = |foul| if foul == Foul::Forfeit { "forfeit" } else { "illegal" };
        json!({
            "bout": key,
            "game": self.number,
            "ending": ending,
            "winners": winners,
            "foul": self.foul.map(|(player, foul)| [who(player), what(foul)]),
            "longest_ms": self.longest_ms,
        })
    }

    fn from_line(line: &Value) -> Option<Played> {
        let ending = match line["ending"].as_str()? {
            "win" => Ending::Won(u8::try_from(line["winners"].as_u64()?).ok().filter(|&winners| winners > 0)?),
            "draw" => Ending::Drawn,
            "loss" => Ending::Lost,
            _ => return None,
        };
        let foul = match &line["foul"] {
            Value::Null => None,
            foul => {
                let who = if foul[0].as_str()? == "a" { Who::A } else { Who::B };
                Some((who, if foul[1].as_str()? == "forfeit" { Foul::Forfeit } else { Foul::Illegal }))
            }
        };
        let ms = |player: usize| line["longest_ms"][player].as_f64();
        let number = u32::try_from(line["game"].as_u64()?).ok()?;
        Some(Played { number, ending, foul, longest_ms: [ms(0)?, ms(1)?] })
    }
}

/// All games of a file, and where more are written; or of this run alone.
pub struct Book {
    played: BTreeMap<String, Vec<Played>>,
    file: Option<(String, File)>,
}

impl Book {
    /// The book of a file, which is made where there is none.
    pub fn open(path: Option<&Path>) -> Result<Book, Failure> {
        let Some(path) = path else { return Ok(Book { played: BTreeMap::new(), file: None }) };
        let name = path.display().to_string();
        let fault = |why: std::io::Error| unusable(&name, &why.to_string());
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(fault)?;
        let text = std::fs::read_to_string(path).map_err(fault)?;
        let mut played: BTreeMap<String, Vec<Played>> = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let value = serde_json::from_str::<Value>(line).unwrap_or_default();
            let key = value["bout"].as_str().map(str::to_owned);
            let game = key.zip(Played::from_line(&value));
            let (key, game) = game.ok_or_else(|| unusable(&name, &format!("line {number} is no game")))?;
            played.entry(key).or_default().push(game);
        }
        Ok(Book { played, file: Some((name, file)) })
    }

    /// The games of a bout that have been played.
    pub fn played(&self, key: &str) -> impl Iterator<Item = &Played> {
        self.played.get(key).into_iter().flatten()
    }

    /// Takes a game down; it is in the file when this returns.
    pub fn add(&mut self, key: &str, game: Played) -> Result<(), Failure> {
        let Some((name, file)) = &mut self.file else { return Ok(()) };
        let written = writeln!(file, "{}", game.to_line(key)).and_then(|()| file.flush());
        written.map_err(|why| unusable(name, &why.to_string()))
    }
}

fn unusable(name: &str, why: &str) -> Failure {
    Failure::new("data-unwritable", format!("{name} cannot be used ({why}): choose another file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book");
        let game = |number, ending, foul| Played { number, ending, foul, longest_ms: [1.5, 20.25] };
        let games = [
            game(0, Ending::Won(2), None),
            game(2, Ending::Drawn, Some((Who::B, Foul::Illegal))),
            game(1, Ending::Lost, Some((Who::A, Foul::Forfeit))),
        ];
        for game in games {
            // Each is written by a run of its own, as after a break.
            Book::open(Some(&path)).expect("a book").add("one", game).expect("written");
        }
        let book = Book::open(Some(&path)).expect("a book");
        assert_eq!(book.played("one").copied().collect::<Vec<_>>(), games);
        assert_eq!(book.played("two").count(), 0);
        for line in ["x", "{}", r#"{"bout":"one","game":0,"ending":"win","winners":0,"longest_ms":[0,0]}"#] {
            std::fs::write(&path, line).expect("written");
            assert!(Book::open(Some(&path)).is_err(), "{line}");
        }
    }
}
