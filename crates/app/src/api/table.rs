//! One table as the UI draws it. Points are text (`H8`), colours are names.

use rules::Colour;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::home::Warning;
use crate::setup::default_settings;
use crate::view::bare_settings;

/// Everything the lobby, the game and the result draw.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct TableView {
    /// 32 hex digits.
    pub table: String,
    pub phase: Phase,
    /// The game's number in the series, from 1; 0 before the first.
    pub game: u32,
    pub rules: RulesView,
    /// The same in words; empty while joining.
    pub words: Vec<SectionView>,
    /// In seat order.
    pub seats: Vec<SeatView>,
    /// The seat that this device's person plays; `None` for onlookers and before sitting.
    pub my_seat: Option<u8>,
    pub board: BoardView,
    pub turn: Option<TurnView>,
    /// The moves so far, for the list beside the board.
    pub moves: Vec<MoveView>,
    pub result: Option<ResultView>,
    /// Why play stands still, if it does.
    pub waiting: Option<WaitingView>,
    /// This device hears nobody at the table, and most likely it is its own link that is down.
    pub cut_off: bool,
    /// The time for the present move; `None` without a limit, between games and where the CPU plays.
    pub clock: Option<ClockView>,
    /// What is asked of the people at the table and not settled yet, the oldest first.
    pub offers: Vec<OfferView>,
    /// What this device's person may ask for now.
    pub may: MayView,
    /// Devices disagree about the game: it stands still until the people choose.
    pub halt: Option<HaltView>,
    /// A ranked game: whether it still counts. `None` where it was not ranked from its start.
    pub counts: Option<bool>,
    /// Between games: the seat that starts the next one; `None` where a lot decides, or nobody could play.
    pub next_starter: Option<u8>,
    /// The next game has other rules than the one that stands.
    pub next_differs: bool,
    /// What was continued apart and is kept beside the game ([`super::branch::BranchView`]).
    pub branches: u32,
    /// The last things that happened besides moves, the oldest first; numbered, so that each is told once.
    pub notices: Vec<NoticeView>,
    /// How others can come here; `None` where the network has no address to give.
    pub invite: Option<InviteView>,
    /// The table asks for its PIN before anything else.
    pub pin: Option<PinView>,
    pub settings: TableSettings,
    /// Whoever's tap on start or rematch is still missing is told by `SeatView::ready`.
    pub can_start: bool,
    /// Standing faults of this table.
    pub warnings: Vec<Warning>,
}

/// The budget of the seat to move. The UI counts down from here while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ClockView {
    pub seat: u8,
    /// Milliseconds.
    pub left_ms: u32,
    /// Seconds for a whole move.
    pub limit_s: u8,
    /// False while it stands still.
    pub running: bool,
}

/// Something that is asked of the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct OfferView {
    /// What an answer names.
    pub id: String,
    /// Who asks.
    pub seat: u8,
    pub what: OfferKind,
    /// Undo: the stone that would be the first to go; `None` for a choice.
    pub at: Option<String>,
    /// Undo: stones and choices that would be taken back.
    pub takes_back: u16,
    /// Options: what the next game would be played by.
    pub terms: Option<TermsView>,
    /// Seats that have said yes.
    pub agreed: Vec<u8>,
    /// Seats whose answer is still missing.
    pub waits_for: Vec<u8>,
    /// This device's person asks.
    pub mine: bool,
    /// This device's person is to answer.
    pub to_answer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum OfferKind {
    Undo,
    Draw,
    /// Other terms from the next game on.
    Options,
    /// A partner wants to resign for both.
    Resign,
}

/// Terms that are offered for the next game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TermsView {
    pub rules: RulesView,
    pub words: Vec<SectionView>,
    pub settings: TableSettings,
    /// It would be another preset than now.
    pub other_preset: bool,
    /// Options whose value would be another one than now, by name.
    pub changes: Vec<String>,
    /// Seats that the CPU would play.
    pub cpus: Vec<u8>,
}

/// What a table is set to besides its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TableSettings {
    /// Seconds before the CPU plays for somebody away: 0, 10, 30, 60, 120; `None`: never.
    pub grace_s: Option<u8>,
    /// The CPU's level where it takes over, 1 to 8.
    pub level: u8,
    pub ranked: bool,
    /// Not shown on the network.
    pub hidden: bool,
    /// Whoever comes is asked for a PIN. Its digits in a request; `None` for no PIN, and in every view, which only says
    /// `locked`.
    pub pin: Option<String>,
    /// A PIN is set. In an offer of other terms without digits: it stays as it is. Ignored where a table is opened.
    pub locked: bool,
}

impl Default for TableSettings {
    fn default() -> TableSettings {
        bare_settings(&default_settings(), false)
    }
}

/// What this device's person may ask for now. The core has the last word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct MayView {
    /// Ask to take the own last stone or choice back.
    pub undo: bool,
    /// It is taken back at once: there is nobody to ask.
    pub undo_at_once: bool,
    /// It cannot be asked for: this seat's stone would go as well, and its player, who would have to agree, is away.
    pub undo_waits_for: Option<u8>,
    pub draw: bool,
    pub resign: bool,
    /// Offer other terms for the next game.
    pub options: bool,
}

/// Devices disagree about the game or the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct HaltView {
    /// The seat of the device that differs, where it has one.
    pub seat: Option<u8>,
    pub name: String,
    /// The move about which they disagree, from 1; `None` where it is none of the moves.
    pub at_move: Option<u16>,
    /// The programs' versions; empty where unknown.
    pub ours: String,
    pub theirs: String,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct NoticeView {
    /// Rises from notice to notice.
    pub n: u32,
    pub what: NoticeKind,
    /// Whom it is about; `None` where it is about all.
    pub seat: Option<u8>,
    /// What had been asked for, where it became nothing.
    pub asked: Option<OfferKind>,
    /// What the seat said: a ready phrase's number, as in `phrase.<number>`; where it asks somebody to stand up, that seat.
    pub phrase: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// The seat is here again.
    Back,
    /// The CPU plays there from now on.
    Taken,
    /// The seat's device keeps the table from now on.
    Keeper,
    /// After a split: back to where all were together.
    Rewound,
    /// A stone or a choice was taken back.
    Undone,
    /// The seat said no to what this device's person asked, or had agreed to; without a seat it could not be granted.
    Refused,
    /// The terms of the next game have changed by consent.
    Agreed,
    /// The seat was drawn to start.
    Toss,
    /// What the seat asked for is asked no longer: play went on, or whoever asked is gone. Told to the asker and to those
    /// who had said yes.
    Lapsed,
    /// The time for a move ran out, and the CPU moved for this device's person.
    Clock,
    /// The seat said something.
    Said,
    /// The seat asks another one to stand up. Whoever sits there is free to stay.
    StandUp,
}

/// How others come to this table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct InviteView {
    /// For the QR code, and to be sent.
    pub link: String,
    /// To be typed on the same network; empty where there is none.
    pub code: String,
}

/// A table that asks for its PIN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PinView {
    /// The last one was wrong.
    pub wrong: bool,
    /// Seconds until the next one is looked at.
    pub wait_s: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Fetching the table's log from another device.
    Joining,
    /// Before the first game.
    Lobby,
    Playing,
    /// A result stands; a rematch can be asked for.
    Over,
}

/// The rules of this table, for headings and the rules sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct RulesView {
    pub preset: String,
    pub board: u8,
    /// Stones in a winning line: 5 or 4.
    pub line: u8,
    /// Captured stones that win: 10 or 8; 0 where nothing is captured.
    pub goal: u8,
    pub teams: bool,
    /// Every option by name, as text.
    pub options: BTreeMap<String, String>,
    /// Those that differ from the preset's.
    pub differs: Vec<String>,
}

/// A place at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct SeatView {
    pub seat: u8,
    pub state: SeatState,
    /// Empty for CPU seats, and for open ones, unless somebody gave the seat up in the game that stands.
    pub name: String,
    /// Whose seat it is has said goodbye, and keeps it: not silent or cut off.
    pub said_goodbye: bool,
    /// Who gave the seat up in the game that stands, where somebody else sits there now: the result is theirs.
    pub left_by: Option<String>,
    /// Colour in this game; in the lobby the colour it would have. `None` if it takes no part.
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\" | null")]
    pub colour: Option<Colour>,
    /// Place in turn order, from 0; `None` if it takes no part.
    pub order: Option<u8>,
    /// This device's person sits there; of several who share it nobody is "you".
    pub me: bool,
    /// It is one of this device's seats.
    pub own: bool,
    /// The seat of the person at whose device this one is a guest.
    pub shares: Option<u8>,
    /// CPU level where the CPU plays.
    pub level: Option<u8>,
    /// Stones its side has captured.
    pub captured: u8,
    /// Colours of those stones in the order in which they were taken, for the tray.
    #[ts(type = "(\"black\" | \"white\" | \"blue\" | \"red\")[]")]
    pub tray: Vec<Colour>,
    /// Has asked for the start or the rematch.
    pub ready: bool,
    pub winner: bool,
    pub resigned: bool,
    /// Games won in this series.
    pub wins: u32,
    /// Milliseconds left before the CPU takes over, while away; `None` where it is waited for without end. The UI counts
    /// down from here.
    pub grace_left_ms: Option<u32>,
    /// Others may stop its grace, and let the CPU play at once: it is away and not taken.
    pub can_hold: bool,
    pub can_cpu_now: bool,
    /// The keeper's seat (the device that puts the entries in order).
    pub keeps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum SeatState {
    Open,
    Human,
    Silent,
    Away,
    Taken,
    Cpu,
}

/// A board to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct BoardView {
    pub size: u8,
    pub coordinates: bool,
    pub stones: Vec<StoneView>,
    /// The last stone placed.
    pub last: Option<String>,
    /// This device's stone that is on its way: drawn as a ghost until it is final.
    pub ghost: Option<StoneView>,
    /// Points that may not be played by the player to act, if that is this device's person.
    pub forbidden: Vec<ForbiddenView>,
    /// What a stone at a point would do, where it does more than lie there. For this device's person's turn only.
    pub previews: Vec<PreviewView>,
    /// Winning lines to draw at the end.
    pub lines: Vec<LineView>,
    /// A line that waits for the next player's move.
    pub overtime: Vec<LineView>,
    /// The points where that move stops it, for everybody to see.
    pub stops: Vec<StopView>,
    /// What enemies of this device's person could do next, the most urgent first. Shown and said only when asked for.
    pub threats: Vec<ThreatView>,
    /// Stones taken by the last move, for the animation.
    pub taken: Vec<StoneView>,
    /// The seat whose tray the `taken` go to.
    pub taken_by: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct StoneView {
    pub at: String,
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub colour: Colour,
    /// The ply that placed it, from 1.
    pub ply: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ForbiddenView {
    pub at: String,
    /// `opening-centre`, `opening-distance`, `into-flank`, `double-three`, `double-four`, `overline`: keys of `forbidden.*`.
    pub why: String,
    /// What makes it so, each shape to be marked apart.
    pub because: Vec<ShapeView>,
}

/// A shape or a part of the board that forbids a point. The stone that may not be placed is among its stones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum ShapeView {
    /// The stone must stand here.
    Centre { at: String },
    /// The square around the centre where it must not.
    Ring { points: Vec<String> },
    /// A stretch between two stones of one side.
    Flank { stones: Vec<String>, ends: Vec<String> },
    /// `adds`: the points where one more stone makes an open four.
    Three { stones: Vec<String>, adds: Vec<String> },
    /// `adds`: the points where one more stone makes a five.
    Four { stones: Vec<String>, adds: Vec<String> },
    /// A run that is too long.
    Overline { stones: Vec<String> },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PreviewView {
    pub at: String,
    /// Groups that would be taken.
    pub takes: Vec<Vec<String>>,
    /// Own stones that would be flanked.
    pub lost: Vec<String>,
    /// Taking is optional: the tap may name the groups.
    pub optional: bool,
    /// Every choice of groups that is allowed, the largest first; one where taking is not optional.
    pub ways: Vec<WayView>,
}

/// A stone with one choice of groups, and what becomes of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct WayView {
    pub takes: Vec<Vec<String>>,
    pub after: AfterView,
    /// Who wins, where somebody does.
    #[ts(type = "(\"black\" | \"white\" | \"blue\" | \"red\")[]")]
    pub winners: Vec<Colour>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum AfterView {
    GoesOn,
    /// The stone's side has a line that the next player can still stop.
    Overtime,
    /// The stone's side wins alone.
    Wins,
    /// It wins together with others.
    Joint,
    /// Others win.
    Loses,
    Draw,
}

/// A point where the next move stops a line that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct StopView {
    pub at: String,
    /// The choices of groups that stop it, the largest first; one where taking is not optional.
    pub choices: Vec<Vec<Vec<String>>>,
}

/// A point where an enemy could win or take stones, if it were their turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ThreatView {
    pub at: String,
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub by: Colour,
    /// Stones that others place before.
    pub ahead: u8,
    pub danger: DangerView,
    /// What it wins by: `captures`, `line`.
    pub conditions: Vec<String>,
    /// Who would win together with it.
    #[ts(type = "(\"black\" | \"white\" | \"blue\" | \"red\")[]")]
    pub with: Vec<Colour>,
    /// Own stones that it could take.
    pub stones: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum DangerView {
    Wins,
    /// It makes a line that the next player can still stop.
    Overtime,
    Captures,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct LineView {
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub colour: Colour,
    pub points: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TurnView {
    pub seat: u8,
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\"")]
    pub colour: Colour,
    pub must: MustView,
    /// This device's person is to act, and nothing of theirs is on its way.
    pub mine: bool,
    /// The CPU is thinking at that seat.
    pub thinking: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum MustView {
    Place,
    Choose,
    ChooseOrAdd,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct MoveView {
    /// 0 for a choice.
    pub ply: u16,
    pub seat: u8,
    #[ts(type = "\"black\" | \"white\" | \"blue\" | \"red\" | null")]
    pub colour: Option<Colour>,
    pub at: Option<String>,
    /// `black`, `white` or `add`.
    pub choice: Option<String>,
    /// Stones taken by the move.
    pub took: Vec<String>,
    /// Own stones lost in a flank.
    pub lost: Vec<String>,
    pub by: By,
    /// On two devices' disks (or one's, if only one is here).
    #[serde(rename = "final")]
    #[ts(rename = "final")]
    pub is_final: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    Hand,
    Cpu,
    Clock,
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ResultView {
    pub kind: ResultKind,
    /// Seats that won (partners both).
    pub winners: Vec<u8>,
    #[ts(type = "(\"black\" | \"white\" | \"blue\" | \"red\")[]")]
    pub colours: Vec<Colour>,
    /// `captures`, `line`, `resignation`; or `all-win`, `full-board`, `no-legal-move`, `agreement`.
    pub by: Vec<String>,
    /// The rule that decides about longer lines, for the sentence: `no-win` or `wins`.
    pub overline: String,
    /// The winning line from end to end.
    pub line: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ResultKind {
    Win,
    Draw,
}

/// Why play stands still.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case", tag = "why")]
pub enum WaitingView {
    /// The device that keeps is gone; the next one takes over in a moment.
    Keeper { seat: u8, name: String },
    /// The seat to move is away.
    Seat { seat: u8, name: String },
    /// No human is here.
    Nobody,
}

/// The sentences of the rules that are about one thing, in the order in which they are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct SectionView {
    /// The key of the heading.
    pub heading: String,
    pub sentences: Vec<SentenceView>,
}

/// One sentence of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct SentenceView {
    pub key: String,
    /// What is filled in, by name.
    pub args: BTreeMap<String, ArgView>,
    /// The preset as it comes does not say this.
    pub special: bool,
}

/// A number or a point as it is written everywhere, or the key of a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(untagged)]
pub enum ArgView {
    Number(u8),
    Text(String),
    Word { word: String },
}
