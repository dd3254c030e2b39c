//! The command line's shape. Every flag of INTERFACES.md is here; those that are not available yet say so.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Parser, Subcommand};
use rules::Preset;
use table::{Grace, SeatSetup};

use crate::matches::{Player, SETTINGS, Sprt};
use crate::openings::NODES_MIN;
use crate::rules_command::Language;

/// Five in a row for people in one room: seats without a window.
#[derive(Debug, Parser)]
#[command(name = "c5", version, about, long_about = LONG_ABOUT)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

const LONG_ABOUT: &str = "Capture Five and its relatives without a window: opens, joins and lists tables on this \
network, goes on with interrupted games, serves the app to a browser, and answers questions about the rules.\n\n\
Exit status: 0 done, 1 the thing asked for failed (one line on stderr says what and what to do), 2 bad usage.";

/// The longest search, in seconds: a week.
const SECONDS_MAX: u64 = 7 * 24 * 3_600;

/// What every command takes.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Folder for everything that is kept [default: the platform's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Events as JSON lines on stdout, commands as lines on stdin
    #[arg(long, global = true)]
    pub json: bool,
    /// UDP port for links [default: 40515 where it is free, else any]
    #[arg(long, global = true, value_name = "PORT")]
    pub port: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// The rules over JSON lines: one request a line on stdin, one answer a line on stdout
    Referee,
    /// Open a table and sit in seat 0; the game starts when every seat is taken
    Host(Host),
    /// Sit down at a table on the network; a device that has a seat there gets it back
    Join(Join),
    /// Follow a table without a seat
    Watch(Watch),
    /// List the tables on the network
    Tables(Tables),
    /// List this device's interrupted games, or go on with one
    Resume(Resume),
    /// Serve the app to a browser on this machine
    Serve(Serve),
    /// Print the rules of a table in sentences
    Rules(Rules),
    /// The CPU as an engine for Gomocup managers, over stdin and stdout
    Brain(Brain),
    /// Let two players meet in many games, and print their strength in figures
    #[command(after_long_help = MATCH_HELP)]
    Match(Match),
    /// Make openings for matches in which neither colour is ahead: offsets from the centre, one a line
    Openings(Openings),
    /// Play lists of matches that say how strong the CPU is, and print a table
    #[command(after_long_help = STRENGTH_HELP)]
    Strength(Strength),
    /// Measure how fast this machine is: at playouts, at the CPU's search, over the network
    Bench(Bench),
}

#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Brain {
    /// How much the CPU sees, 1 to 8
    #[arg(long, value_name = "L", default_value_t = cpu::LEVEL_MAX, value_parser = level)]
    pub level: u8,
    /// Positions it looks at for a move, at most [default: what the time allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Its decisions among equals come from this
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads that search together, 1 to 64; with more than one the same seed need not give the same moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,
}

/// What `c5 match --help` says at its end.
const MATCH_HELP: &str = "\
Settings of a player can be put together with commas: level:6,nodes:5000. A level alone takes 150 ms a move up to \
level 5 and 1 s above; nodes alone take as long as they take. playouts:20000,ms:100 ends by whichever comes first. A \
gomocup program is told ms as its time for a move (1 s where nothing is said), or the told that comes before it, and gets games that the Gomocup \
protocol has no number for as `c5 brain` understands them.\n\n\
Real time, not the processor's, is measured around each move: one that comes later than its player's ms and \
--margin forfeits the game, as does a program that ends, is silent or answers ERROR. Our own players stop a tenth \
before the end of their time, at most 30 ms. More jobs than free processors make players slow and forfeits likely.\n\n\
The error is that of 95 in 100 matches, counted by openings, since a lopsided one gives each player a win.";

#[derive(Debug, clap::Args)]
pub struct Match {
    #[arg(value_name = "A", help = format!("The first player: {SETTINGS}"))]
    pub a: Player,
    /// The second player; with more than two sides it has all seats but A's
    #[arg(value_name = "B")]
    pub b: Player,
    /// The rules: a JSON object as the referee takes it
    #[arg(long, value_name = "JSON", default_value = "{\"preset\":\"gomoku\"}")]
    pub rules: String,
    /// How many games [default: each opening once on every side; 20 without openings]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,
    /// End as soon as it is clear (5 errors in 100) whether A is stronger by LOW or by HIGH Elo, as in 0,10
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Beginnings, one a line: offsets from the centre `dx,dy, dx,dy, …` or the referee's text actions
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// How many games are played at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: u32,
    /// The players' decisions come from this
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many milliseconds later than its player's time a move may come
    #[arg(long, value_name = "MS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(..=60_000))]
    pub margin: u64,
    /// Write each game to this file, a JSON object a line, with rules and actions as the referee takes them
    #[arg(long, value_name = "FILE")]
    pub games_file: Option<PathBuf>,
    /// Say how each game ended
    #[arg(long)]
    pub verbose: bool,
}

#[derive(Debug, clap::Args)]
pub struct Openings {
    /// The rules: a JSON object as the referee takes it, for two sides
    #[arg(long, value_name = "JSON", default_value = "{\"preset\":\"gomoku\"}")]
    pub rules: String,
    /// How many openings
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub count: u32,
    /// Positions that the CPU looks at for a move of the games that tell whether an opening is even
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(NODES_MIN..))]
    pub nodes: u64,
    /// The openings are drawn from this
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// What `c5 strength --help` says at its end.
const STRENGTH_HELP: &str = "\
marks: against the programs that are named by --rival, and against playouts in Pente and in twenty random option sets \
of Capture Five for two sides and as many for three and four; each with the score that is to be reached.\n\
levels: each level against the one below it, and level 1 against the novice, in every preset and with more sides.\n\
manners: --games games of --ms a move under random options, for moves that are late or illegal.\n\n\
lateness: how long after being stopped the CPU answers, on full boards, in openings, and where all has still to be made.\n\n\
With --record, what has been played is kept, and the same command goes on after it was ended. Parts that were played \
elsewhere are put together by joining their files. The list depends on the options and the seed alone.";

#[derive(Clone, Debug, clap::Args)]
pub struct Strength {
    /// What is measured
    #[arg(value_enum)]
    pub what: StrengthOf,
    /// marks: a program that speaks the Gomocup protocol, NAME=COMMAND. NAME+90= tells it 90 ms more than it has for a
    /// move, NAME-20= less; wine, slowrenju and rapfi have marks, a NAME that ends in a * plays freestyle alone
    #[arg(long = "rival", value_name = "NAME=COMMAND")]
    pub rivals: Vec<Rival>,
    /// marks: openings that the rivals are met from as well, for the sake of comparison
    #[arg(long, value_name = "FILE")]
    pub offsets: Option<PathBuf>,
    /// levels, manners: how many games, of each pair of levels and in all
    #[arg(long, value_name = "N", default_value_t = Strength::GAMES, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// levels: the highest ones at their full budget
    #[arg(long)]
    pub full: bool,
    /// manners: what a move may take, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = Strength::MS, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    pub ms: u64,
    /// manners: positions a move instead of time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// marks, manners: how many milliseconds later than its player's time a move may come
    #[arg(long, value_name = "MS", default_value_t = Strength::MARGIN, value_parser = clap::value_parser!(u64).range(..=60_000))]
    pub margin: u64,
    /// Keep what was played in this file, and go on from it
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Play each Nth match of the list alone, from the Ith on
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub part: Part,
    /// Play only matches whose line has this in it, as in \"gomoku; 3–2\" or seats=3
    #[arg(long, value_name = "WORDS")]
    pub only: Option<String>,
    /// How many games are played at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: u32,
    /// Options, openings and decisions come from this
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
}

/// What [`Strength`] measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum StrengthOf {
    Marks,
    Levels,
    Manners,
    Lateness,
}

impl Strength {
    const GAMES: u32 = 100;
    const MS: u64 = 20;
    pub const MARGIN: u64 = 30;
}

/// As without any flag.
impl Default for Strength {
    fn default() -> Strength {
        Strength {
            what: StrengthOf::Marks,
            rivals: Vec::new(),
            offsets: None,
            games: Strength::GAMES,
            full: false,
            ms: Strength::MS,
            nodes: None,
            margin: Strength::MARGIN,
            record: None,
            part: Part { place: 0, of: 1 },
            only: None,
            jobs: 1,
            seed: 1,
        }
    }
}

/// A program that the CPU is measured by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rival {
    pub name: String,
    /// Milliseconds that it is told beyond what it has for a move.
    pub told_more: i64,
    /// File and arguments.
    pub command: String,
    /// Whether it knows no other rules.
    pub freestyle_only: bool,
}

impl FromStr for Rival {
    type Err = String;

    fn from_str(text: &str) -> Result<Rival, String> {
        const FORM: &str = "write NAME=COMMAND, NAME+90=COMMAND or NAME-20=COMMAND";
        let (name, command) = text.split_once('=').ok_or(FORM)?;
        let (name, told_more) = match name.find(['+', '-']) {
            Some(place) => (&name[..place], name[place..].parse().map_err(|_| FORM)?),
            None => (name, 0),
        };
        let freestyle_only = name.ends_with('*');
        let name = name.trim_end_matches('*').to_owned();
        if name.is_empty() || command.is_empty() {
            return Err(FORM.to_owned());
        }
        Ok(Rival { name, told_more, command: command.to_owned(), freestyle_only })
    }
}

/// Each so-manieth of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// From 0.
    place: usize,
    of: usize,
}

impl Part {
    /// Whether what stands at this place of the list, from 0, belongs to it.
    pub fn has(self, place: usize) -> bool {
        place % self.of == self.place
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(place, of)| Some((place.parse().ok()?, of.parse().ok()?)));
        let part = numbers.filter(|&(place, of): &(usize, usize)| (1..=of).contains(&place));
        let part = part.map(|(place, of)| Part { place: place - 1, of });
        part.ok_or_else(|| "write I/N, as in 2/3 for the second of three parts".to_owned())
    }
}

#[derive(Debug, clap::Args)]
pub struct Bench {
    /// What to measure
    #[arg(value_parser = ["rules", "cpu", "store", "net"])]
    pub what: String,
    /// Random numbers come from this
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How often each figure is measured; the median is told
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
}

/// How the own seat is played.
#[derive(Clone, Debug, clap::Args)]
pub struct Play {
    /// Let the CPU of LEVEL 1 to 8 play the own seat, or `random:SEED` play at random; leaves when its games are over.
    /// All levels play the same until the stronger CPU is built
    #[arg(long, value_name = "LEVEL|random:SEED")]
    pub auto: Option<AutoPlayer>,
    /// With --auto: wait this long before each move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, requires = "auto")]
    pub think_ms: u64,
    /// With --auto: leave after this many games
    #[arg(long, value_name = "N", default_value_t = 1, requires = "auto", value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
}

impl Play {
    /// No seat, or one that a person plays.
    pub const BY_HAND: Play = Play { auto: None, think_ms: 0, games: 1 };
}

/// Who plays instead of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoPlayer {
    Cpu(u8),
    Random(u64),
}

#[derive(Debug, clap::Args)]
pub struct Host {
    /// capture-five, pente, pente-swap2, gomoku, wuziqi or custom
    #[arg(long, value_name = "P", value_parser = preset)]
    pub preset: Preset,
    /// An option of the rules by its name; may be given more than once
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// Seats at the table, 2 to 4
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=4))]
    pub seats: u8,
    /// The name that the others see [default: the one kept in the settings]
    #[arg(long, value_parser = name)]
    pub name: Option<String>,
    /// A CPU for seat K (1 or higher), LEVEL 1 to 8; all levels play the same until the stronger CPU is built
    #[arg(long = "seat", value_name = "K=cpu:LEVEL", value_parser = cpu_seat)]
    pub seat: Vec<(u8, SeatSetup)>,
    /// Seconds for which an away seat is waited for: 0, 10, 30, 60, 120 or never
    #[arg(long, value_name = "S", default_value = "60", value_parser = grace)]
    pub grace: Grace,
    /// The CPU's level where it takes over a seat, 1 to 8
    #[arg(long, value_name = "N", default_value_t = app::setup::TAKEOVER_LEVEL, value_parser = level)]
    pub level: u8,
    /// Let the result count; only where no seat is the CPU's
    #[arg(long)]
    pub ranked: bool,
    /// Do not announce the table on the network
    #[arg(long)]
    pub hidden: bool,
    /// Whoever comes is asked for this, 1 to 32 characters; never somebody who has a seat
    #[arg(long, value_name = "PIN")]
    pub pin: Option<String>,
    #[command(flatten)]
    pub play: Play,
}

#[derive(Debug, clap::Args)]
pub struct Join {
    /// The table: its id, a unique beginning of it (8 digits or more), a unique name, or an invite (its link, or its
    /// code as it is shown; case, spaces and dashes do not matter)
    #[arg(value_name = "TABLE|INVITE", value_parser = table)]
    pub table: String,
    /// The name that the others see [default: the one kept in the settings]
    #[arg(long, value_parser = name)]
    pub name: Option<String>,
    /// The table's PIN, where it has one
    #[arg(long, value_name = "PIN")]
    pub pin: Option<String>,
    /// The seat to sit in [default: the first open one]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(0..4))]
    pub seat: Option<u8>,
    /// Seconds for which the table is looked for
    #[arg(long = "for", value_name = "S", default_value_t = 10, value_parser = seconds)]
    pub seconds: u64,
    #[command(flatten)]
    pub play: Play,
}

#[derive(Debug, clap::Args)]
pub struct Watch {
    /// The table: its id, a unique beginning of it (8 digits or more), a unique name, or an invite
    #[arg(value_name = "TABLE|INVITE", value_parser = table)]
    pub table: String,
    /// The table's PIN, where it has one
    #[arg(long, value_name = "PIN")]
    pub pin: Option<String>,
    /// Seconds for which the table is looked for
    #[arg(long = "for", value_name = "S", default_value_t = 10, value_parser = seconds)]
    pub seconds: u64,
}

#[derive(Debug, clap::Args)]
pub struct Tables {
    /// Seconds to listen; 0: until ended
    #[arg(long = "for", value_name = "S", default_value_t = 3, value_parser = seconds)]
    pub seconds: u64,
}

#[derive(Debug, clap::Args)]
pub struct Resume {
    /// The table to go on with, by its id or a name; without it the interrupted games are listed
    #[arg(value_name = "TABLE")]
    pub table: Option<String>,
    #[command(flatten)]
    pub play: Play,
}

#[derive(Debug, clap::Args)]
pub struct Serve {
    /// Address and TCP port [default: 127.0.0.1 with port 40515 where it is free, else any]
    #[arg(long, value_name = "ADDR:PORT")]
    pub listen: Option<SocketAddr>,
    /// Not available yet
    #[arg(long)]
    pub guests: bool,
}

#[derive(Debug, clap::Args)]
pub struct Rules {
    /// capture-five, pente, pente-swap2, gomoku, wuziqi or custom
    #[arg(long, value_name = "P", value_parser = preset)]
    pub preset: Preset,
    /// An option of the rules by its name, as in seats=3; may be given more than once
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// en, zh-TW or ja [default: that of the system where it is one of these, else en]
    #[arg(long, value_name = "LANG", value_parser = language)]
    pub lang: Option<Language>,
}

impl FromStr for AutoPlayer {
    type Err = String;

    fn from_str(text: &str) -> Result<AutoPlayer, String> {
        match text.strip_prefix("random:") {
            Some(seed) => {
                seed.parse().map(AutoPlayer::Random).map_err(|_| format!("{seed:?} is no seed: give a number"))
            }
            None => level(text).map(AutoPlayer::Cpu),
        }
    }
}

fn preset(text: &str) -> Result<Preset, String> {
    Preset::from_name(text).ok_or_else(|| format!("the presets are {}", Preset::NAMES.join(", ")))
}

fn language(text: &str) -> Result<Language, String> {
    let tags = Language::ALL.map(Language::tag);
    Language::from_tag(text).ok_or_else(|| format!("the languages are {}", tags.join(", ")))
}

fn seconds(text: &str) -> Result<u64, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds <= SECONDS_MAX);
    seconds.ok_or_else(|| format!("give a number of seconds, at most {SECONDS_MAX}"))
}

/// As it will be shown.
fn name(text: &str) -> Result<String, String> {
    let name = app::clean_name(text);
    if name.is_empty() { Err("a name has at least one character that can be seen".to_owned()) } else { Ok(name) }
}

fn table(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        Err("write a table's id or name: `c5 tables` lists them".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write option=value")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn cpu_seat(text: &str) -> Result<(u8, SeatSetup), String> {
    const FORM: &str = "write K=cpu:LEVEL, as in 1=cpu:5";
    let (seat, who) = text.split_once('=').ok_or(FORM)?;
    let seat = seat.parse::<u8>().map_err(|_| FORM)?;
    if seat == 0 {
        return Err("seat 0 is your own".to_owned());
    }
    Ok((seat, SeatSetup::Cpu(level(who.strip_prefix("cpu:").ok_or(FORM)?)?)))
}

fn level(text: &str) -> Result<u8, String> {
    let level = text.parse().ok().filter(|level| (1..=cpu::LEVEL_MAX).contains(level));
    level.ok_or_else(|| format!("levels go from 1 to {}", cpu::LEVEL_MAX))
}

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=cpu::THREADS_MAX).contains(threads));
    threads.ok_or_else(|| format!("from 1 to {} threads", cpu::THREADS_MAX))
}

fn grace(text: &str) -> Result<Grace, String> {
    match text {
        "never" => Ok(Grace::Never),
        "0" | "10" | "30" | "60" | "120" => text.parse().map(Grace::Seconds).map_err(|_| "no number".to_owned()),
        _ => Err("choose 0, 10, 30, 60, 120 or never".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_are_read() {
        let rival = |name: &str, told_more, command: &str, freestyle_only| {
            Ok(Rival { name: name.to_owned(), told_more, command: command.to_owned(), freestyle_only })
        };
        assert_eq!("wine*=./pbrain-wine".parse(), rival("wine", 0, "./pbrain-wine", true));
        assert_eq!("slow+90=a -b=c".parse(), rival("slow", 90, "a -b=c", false));
        assert_eq!("x*-20='a b'".parse(), rival("x", -20, "'a b'", true));
        for text in ["", "wine", "=a", "wine=", "wine+=a", "wine+x=a", "*=a"] {
            assert!(text.parse::<Rival>().is_err(), "{text}");
        }
    }

    #[test]
    fn parts_are_a_whole() {
        let parts: Vec<Part> = ["1/3", "2/3", "3/3"].map(|text| text.parse().expect(text)).to_vec();
        for place in 0..10 {
            assert_eq!(parts.iter().filter(|part| part.has(place)).count(), 1);
        }
        for text in ["", "0/1", "2/1", "1", "1/0", "x/2"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }
}
