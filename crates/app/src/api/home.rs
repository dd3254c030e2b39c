//! The home screen, settings and the list of finished games.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::setup::FavouriteView;
use super::table::{BoardView, ResultView};

/// Everything the home screen draws.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct HomeView {
    pub settings: Settings,
    /// This device's interrupted games, newest first.
    pub interrupted: Vec<InterruptedView>,
    pub nearby: NearbyView,
    /// Finished games kept here.
    pub games: u32,
    /// The set-ups that were kept, the oldest first.
    pub favourites: Vec<FavouriteView>,
    /// Standing warnings about what is kept here.
    pub warnings: Vec<Warning>,
    pub version: String,
    /// Where data is kept, for the settings page.
    pub data_folder: String,
}

/// A person's settings on this device. All but `name` are for the UI alone; they are kept with the profile.
/// What an earlier version did not keep yet is as at the first start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Shown to others; at most 40 characters. Empty until asked for.
    pub name: String,
    /// `en`, `zh-TW`, `ja`; empty: follow the system.
    pub language: String,
    /// `light`, `dark`; empty: follow the system.
    pub theme: String,
    /// Tap once to aim and again to place; off: one tap places. `None`: aim first with a finger, which hides the point
    /// it is on, but not with a mouse.
    pub confirm: Option<bool>,
    pub sound: bool,
    /// Sound at half its loudness.
    pub soft: bool,
    /// Clear marks on black and white stones also with two colours.
    pub clear_marks: bool,
    pub left_handed: bool,
    /// Always draw coordinates.
    pub coordinates: bool,
    /// The numbers of the moves on the stones.
    pub numbers: bool,
    /// The board's wood: `evening`, `plain`; empty: as the theme has it.
    pub board: String,
    /// Size of the text on top of the system's own, in percent: 100 to 200.
    pub text_percent: u16,
    /// A finger aims with a cursor beside it and a magnifier: `always`, `never`; empty: where the points are smaller
    /// than a fingertip.
    pub magnifier: String,
    /// With less than ten seconds on the clock one tap places.
    pub hurry: bool,
    /// A short tap of the device when it is the person's turn.
    pub vibration: bool,
    /// A notification when it is the person's turn and the page is hidden.
    pub notify: bool,
    /// Nothing moves, whatever the system says.
    pub still: bool,
    /// The CPU's level that was chosen last, 1 to 8.
    pub cpu_level: u8,
}

impl Default for Settings {
    /// As at the first start.
    fn default() -> Settings {
        Settings {
            name: String::new(),
            language: String::new(),
            theme: String::new(),
            confirm: None,
            sound: true,
            soft: false,
            clear_marks: false,
            left_handed: false,
            coordinates: false,
            numbers: false,
            board: String::new(),
            text_percent: TEXT_PERCENT,
            magnifier: String::new(),
            hurry: false,
            vibration: true,
            notify: false,
            still: false,
            cpu_level: CPU_LEVEL,
        }
    }
}

/// A level that somebody who knows the rules can beat.
const CPU_LEVEL: u8 = 2;

/// The text as the system has it.
const TEXT_PERCENT: u16 = 100;

/// Something that stays wrong or was mended; the UI's catalogue has `warning.<name>` for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Warning {
    /// The disk is full or read-only: play goes on, but nothing is kept.
    NotSaved,
    /// A file was damaged in the middle; it was set aside, and what was good is kept.
    DamagedSetAside,
    /// The list of finished games was made anew from the files.
    IndexRebuilt,
    /// The data folder comes from another device: this one has a key of its own now.
    NewKey,
    /// The device key was damaged or gone: this device has another one now.
    KeyDamaged,
    /// A game was saved by a newer version of the program.
    NewerGame,
    /// Devices at a table disagree about the rules.
    RulesDiffer,
}

/// A game that can be continued.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct InterruptedView {
    /// 32 hex digits.
    pub table: String,
    pub preset: String,
    pub ply: u16,
    /// All players' names, in seat order; the own one included. CPU seats: empty.
    pub names: Vec<String>,
    /// Others' seats only against the CPU: no person is needed to go on.
    pub alone: bool,
    pub my_turn: bool,
    /// Between games (a result stands) rather than in mid-game.
    pub over: bool,
    pub board: BoardView,
    /// Names of people of that table who are on the network now.
    pub here: Vec<String>,
}

/// Tables on the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct NearbyView {
    pub state: NearbyState,
    /// Seconds since the search began, or since a table was listed or went last; the UI counts on from there. How long
    /// nothing has been found, where there are no tables.
    pub searching_s: u32,
    pub tables: Vec<NearbyTable>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum NearbyState {
    Searching,
    NoNetwork,
}

/// A table to join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct NearbyTable {
    pub table: String,
    pub name: String,
    pub preset: String,
    pub taken: u8,
    pub seats: u8,
    pub locked: bool,
    /// A seat there is this device's: one tap returns to it.
    pub mine: bool,
}

/// What somebody has played so far on this device. No losses are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct StatisticsView {
    /// Finished games in which this device's own person had a seat, and those that they won alone or with others.
    pub games: u32,
    pub wins: u32,
    /// Games of the last seven days, and of the seven days before.
    pub week: u32,
    pub week_before: u32,
    /// The newest games, at most 20, and how many of them were won.
    pub recent: u32,
    pub recent_wins: u32,
    /// How many of as many games before those were won; `None` where there are not as many.
    pub earlier_wins: Option<u32>,
    /// Days in a row with a game, up to today or yesterday, and the most there ever were.
    pub days: u32,
    pub days_longest: u32,
}

/// One finished game in the list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct FinishedView {
    /// `TABLE/number`.
    pub game: String,
    pub preset: String,
    /// Seconds since 1970, as the device's wall clock had it; for display only.
    #[ts(type = "number")]
    pub ended_s: u64,
    pub names: Vec<String>,
    pub plies: u16,
    pub result: ResultView,
    /// This device's own person was among the winners; `None` in a draw or when they did not play.
    pub won: Option<bool>,
    /// This device's own person gave the seat up while the game ran.
    pub gave_up: bool,
    /// A ranked game: whether it counts. `None` where it was not ranked from its start.
    pub counts: Option<bool>,
}
