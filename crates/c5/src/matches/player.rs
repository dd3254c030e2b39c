//! Who plays in a match, as the command line names it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A player: settings with commas between them, as in `level:8,ms:100` or `ms:100,gomocup:./engine --quiet`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    text: String,
    pub kind: Kind,
    /// What a move may take; `None` where nothing is said.
    pub limit: Option<Duration>,
    /// What a program is told that a move may take, where that is not the limit: some keep more than they need for the
    /// way of their answer, others nothing.
    pub told: Option<Duration>,
}

/// What plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Cpu {
        level: u8,
        nodes: u64,
    },
    /// The Monte-Carlo player, with so many playouts a move.
    Playouts(u32),
    Random,
    Novice,
    /// A program that speaks the Gomocup protocol: its file and arguments.
    Gomocup(Vec<String>),
}

/// What a program gets that is told no time of its own.
const LIMIT_MS: u64 = 1_000;
/// A move may take an hour at most.
const LIMIT_MS_MAX: u64 = 3_600_000;
const PLAYOUTS_MAX: u64 = 100_000_000;

impl Player {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Settings as they were read, before it is known whether they go together.
#[derive(Default)]
struct Settings {
    level: Option<u64>,
    nodes: Option<u64>,
    ms: Option<u64>,
    told: Option<u64>,
    playouts: Option<u64>,
    random: bool,
    novice: bool,
    gomocup: Option<Vec<String>>,
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        let settings = Settings::read(text)?;
        let (ms, told) = (settings.ms, settings.told);
        let kind = settings.kind()?;
        let duration = |ms: Option<u64>| ms.map(Duration::from_millis);
        Ok(Player { text: text.to_owned(), limit: duration(ms.or(kind.own_ms())), told: duration(told), kind })
    }
}

impl Settings {
    fn read(text: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(command) = rest.strip_prefix("gomocup:") {
                settings.gomocup = Some(words(command)?);
                break;
            }
            let (setting, after) = rest.split_once(',').unwrap_or((rest, ""));
            settings.take(setting)?;
            rest = after;
        }
        Ok(settings)
    }

    fn take(&mut self, setting: &str) -> Result<(), String> {
        let (name, value) = setting.split_once(':').unwrap_or((setting, ""));
        let number = |least: u64, most: u64| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("{name} is a number from {least} to {most}, as in {name}:{least}"))
        };
        let again = match name {
            "level" => self.level.replace(number(1, cpu::LEVEL_MAX.into())?).is_some(),
            "nodes" => self.nodes.replace(number(1, u64::MAX)?).is_some(),
            "told" => self.told.replace(number(1, LIMIT_MS_MAX)?).is_some(),
            "ms" => self.ms.replace(number(1, LIMIT_MS_MAX)?).is_some(),
            "playouts" => self.playouts.replace(number(1, PLAYOUTS_MAX)?).is_some(),
            "random" if value.is_empty() => std::mem::replace(&mut self.random, true),
            "novice" if value.is_empty() => std::mem::replace(&mut self.novice, true),
            _ => return Err(format!("a player is made of {SETTINGS}")),
        };
        if again { Err(format!("{name} is said twice")) } else { Ok(()) }
    }

    /// The one kind that the settings describe.
    fn kind(self) -> Result<Kind, String> {
        let cpu = self.level.is_some() || self.nodes.is_some();
        let others = [self.random, self.novice, self.playouts.is_some(), self.gomocup.is_some()];
        let kinds = others.iter().filter(|&&said| said).count() + usize::from(cpu);
        let fixed = self.random || self.novice;
        let misplaced = fixed && self.ms.is_some() || self.told.is_some() && self.gomocup.is_none();
        if kinds > 1 || misplaced || kinds == 0 && self.ms.is_none() {
            return Err(format!("give one player: {SETTINGS}"));
        }
        Ok(match (self.playouts, self.gomocup) {
            (Some(count), _) => Kind::Playouts(count as u32),
            (None, Some(command)) => Kind::Gomocup(command),
            (None, None) if self.random => Kind::Random,
            (None, None) if self.novice => Kind::Novice,
            (None, None) => Kind::Cpu {
                level: self.level.map_or(cpu::LEVEL_MAX, |level| level as u8),
                nodes: self.nodes.unwrap_or(u64::MAX),
            },
        })
    }
}

impl Kind {
    /// The milliseconds of a move where nobody says how many.
    fn own_ms(&self) -> Option<u64> {
        match self {
            Kind::Cpu { level, nodes: u64::MAX } => Some(cpu::time_ms(*level)),
            Kind::Gomocup(_) => Some(LIMIT_MS),
            Kind::Cpu { .. } | Kind::Playouts(_) | Kind::Random | Kind::Novice => None,
        }
    }
}

/// What a player is made of, for messages and help.
pub const SETTINGS: &str = "level:L, nodes:N, ms:T (the CPU; each alone or several with commas), playouts:N or \
playouts:N,ms:T, random, novice, and gomocup:COMMAND or ms:T,told:T,gomocup:COMMAND (all after gomocup: is the command)";

/// The words of a command; quotes keep spaces together.
fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (Some(_) | None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match (quote, words.first()) {
        (Some(_), _) => Err(format!("a quote has no end in {command}")),
        (None, None) => Err("write a command after gomocup: the program's file and its arguments".to_owned()),
        (None, Some(_)) => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, kind: Kind, ms: Option<u64>) {
        let player: Player = text.parse().unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!((player.kind, player.limit, player.text.as_str()), (kind, ms.map(Duration::from_millis), text));
    }

    fn command(words: &[&str]) -> Kind {
        Kind::Gomocup(words.iter().map(|&word| word.to_owned()).collect())
    }

    #[test]
    fn players_are_read() {
        check("level:7", Kind::Cpu { level: 7, nodes: u64::MAX }, Some(1_000));
        check("level:5", Kind::Cpu { level: 5, nodes: u64::MAX }, Some(150));
        check("nodes:50000", Kind::Cpu { level: 8, nodes: 50_000 }, None);
        check("ms:100", Kind::Cpu { level: 8, nodes: u64::MAX }, Some(100));
        check("level:8,ms:100", Kind::Cpu { level: 8, nodes: u64::MAX }, Some(100));
        check("nodes:5000,level:6", Kind::Cpu { level: 6, nodes: 5_000 }, None);
        check("playouts:20000", Kind::Playouts(20_000), None);
        check("playouts:20000,ms:100", Kind::Playouts(20_000), Some(100));
        check("random", Kind::Random, None);
        check("novice", Kind::Novice, None);
        check("gomocup:./wine", command(&["./wine"]), Some(1_000));
        check("ms:50,gomocup:a,b -c 'd e'  \"f\"", command(&["a,b", "-c", "d e", "f"]), Some(50));
    }

    #[test]
    fn a_program_can_be_told_another_time_than_it_has() {
        let player: Player = "ms:100,told:80,gomocup:wine".parse().expect("a player");
        assert_eq!((player.limit, player.told), (Some(Duration::from_millis(100)), Some(Duration::from_millis(80))));
    }

    #[test]
    fn what_is_no_player_is_refused() {
        for text in [
            "",
            "level",
            "level:0",
            "level:9",
            "nodes:0",
            "ms:0",
            "ms:x",
            "strong",
            "random:1",
            "random,ms:5",
            "level:1,random",
            "level:1,level:2",
            "playouts:5,nodes:5",
            "playouts:5000000000",
            "gomocup:",
            "gomocup: ",
            "gomocup:'a",
            "level:3,gomocup:a",
            "ms:5,told:4",
        ] {
            assert!(text.parse::<Player>().is_err(), "{text:?}");
        }
    }
}
