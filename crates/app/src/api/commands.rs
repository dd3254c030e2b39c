//! The one list of commands: names, arguments, replies. The dispatch for the window and the browser door and the
//! TypeScript map `ui/src/bindings/Commands.ts` are made from it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::{Config, TS};

use super::branch::{BranchView, ReplayView};
use super::home::{FinishedView, HomeView, Settings, StatisticsView};
use super::learn::{LearnView, LessonView, PuzzleView, TodayView, TriedView};
use super::setup::{SetupRequest, SetupView};
use super::study::{GameRecord, PositionRequest, PositionView, SuggestionView};
use super::table::TableView;
use super::{ApiError, ErrorCode};
use crate::App;

/// What can be chosen in an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    Black,
    White,
    /// Two more stones, and the other chooses.
    Add,
}

/// What can be asked of the others in mid-game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
    Undo,
    Draw,
}

macro_rules! commands {
    ($($(#[doc = $about:literal])* $name:ident { $($arg:ident: $type:ty),* } -> $reply:ty;)*) => {
        /// The arguments of each command.
        #[allow(non_camel_case_types)]
        pub(crate) mod args {
            use super::*;
            $(
                #[derive(Deserialize, TS)]
                #[serde(deny_unknown_fields)]
                #[ts(optional_fields)]
                pub(crate) struct $name { $(pub(crate) $arg: $type),* }
            )*
        }

        /// The names of all commands.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// Carries out the command of this name.
        pub(crate) async fn dispatch(app: &App, name: &str, args: Value) -> Result<Value, ApiError> {
            match name {
                $(stringify!($name) => {
                    let args::$name { $($arg),* } = read(name, args)?;
                    reply(crate::commands::$name(app $(, $arg)*).await?)
                })*
                _ => Err(unknown(name)),
            }
        }

        /// `Commands.ts`: what each command takes and answers.
        pub fn typescript() -> String {
            let config = Config::new();
            let mut uses = std::collections::BTreeSet::new();
            let mut lines = String::new();
            $(
                $(lines += &format!("  /**{} */\n", $about);)*
                lines += &format!(
                    "  {}: {{ args: {}; reply: {} }};\n",
                    stringify!($name),
                    args::$name::inline(&config),
                    <$reply as TS>::name(&config),
                );
                for dependency in args::$name::dependencies(&config) {
                    uses.insert(dependency.ts_name);
                }
                imports_of::<$reply>(&config, &mut uses);
            )*
            let imports: String =
                uses.iter().map(|name| format!("import type {{ {name} }} from \"./{name}\";\n")).collect();
            format!(
                "// Made from crates/app/src/api/commands.rs: UPDATE=1 cargo test -p app --test bindings\n{imports}\n\
                 export type Commands = {{\n{lines}}};\n"
            )
        }
    };
}

commands! {
    /// The home screen; from then on it comes as an event whenever it changes.
    home {} -> HomeView;
    /// Keeps this device's settings.
    set_settings { settings: Settings } -> ();
    /// The set-up screen for what has been chosen so far.
    setup { request: SetupRequest } -> SetupView;
    /// Opens a table and sits in its first seat; the game starts at once where no seat is open. Answers the table's id.
    open_table { request: SetupRequest } -> String;
    /// Sits at the first open seat, or returns to the own one.
    join_table { table: String } -> String;
    /// Looks on at a table without a seat, a full one or not. Answers the table's id.
    watch_table { table: String } -> String;
    /// Goes on with an interrupted game.
    resume_table { table: String } -> String;
    /// The table as it is now; from then on it comes as an event whenever it changes.
    table { table: String } -> TableView;
    /// Goes away and keeps the seat.
    leave_table { table: String } -> ();
    /// Gives the seat up and goes away.
    stand { table: String } -> ();
    /// Changes to another seat before the start.
    sit { table: String, seat: u8 } -> ();
    /// Asks whoever sits there to stand up, before the start; it is theirs to do.
    ask_to_stand { table: String, seat: u8 } -> ();
    /// Wants the first game or the next one to start.
    start { table: String } -> ();
    /// A stone; `take` names the groups where taking is optional.
    place { table: String, at: String, take: Option<Vec<Vec<String>>> } -> ();
    /// The choice in an opening.
    choose { table: String, choice: Choice } -> ();
    /// Resigns.
    resign { table: String } -> ();
    /// Asks the others to take the own last stone or choice back, or for a draw.
    offer { table: String, what: Wish } -> ();
    /// Asks the others for other terms from the next game on; where nobody is to be asked they hold at once.
    offer_options { table: String, request: SetupRequest } -> ();
    /// What `offer_options` starts from: the table's present terms.
    present_options { table: String } -> SetupRequest;
    /// Answers an open offer.
    answer { table: String, id: String, yes: bool } -> ();
    /// Waits for an away seat without end.
    hold { table: String, seat: u8 } -> ();
    /// Lets the CPU play for an away seat at once.
    cpu_now { table: String, seat: u8 } -> ();
    /// Says one of the ready phrases to the others, by its number.
    say { table: String, phrase: u8 } -> ();
    /// The person is there: something was touched. For all tables of this device.
    touched {} -> ();
    /// After a halt: goes on without the devices that disagree.
    go_on { table: String } -> ();
    /// The PIN of a locked table.
    enter_pin { table: String, pin: String } -> ();
    /// Joins by an invite's link, or its code as it was typed. Answers the table's id.
    join_invite { text: String } -> String;
    /// What was continued apart at a table, the oldest first; also of tables that are not open, as far as they are kept.
    branches { table: String } -> Vec<BranchView>;
    /// One of these, move by move.
    branch { table: String, head: String } -> ReplayView;
    /// Takes an interrupted game off the list; its file is kept.
    forget_table { table: String } -> ();
    /// Keeps a set-up as a favourite; one of the same name gives way to it.
    save_favourite { name: String, request: SetupRequest } -> ();
    /// Deletes one.
    delete_favourite { name: String } -> ();
    /// What was played so far; `offset_min`: minutes by which the wall clock here is ahead of UTC, for whose days it is.
    statistics { offset_min: i32 } -> StatisticsView;
    /// Finished games, newest first.
    history {} -> Vec<FinishedView>;
    /// A position without a table: rules, where it starts, what was played since. Nothing about it is kept.
    position { position: PositionRequest } -> PositionView;
    /// A game to be gone through: a finished one, `TABLE/number`, or the one that this device's person plays at a table
    /// where nothing is ranked.
    game_record { game: String } -> GameRecord;
    /// Looks for the best moves of a position, 1 to 5, for so many milliseconds at most; tells by events what it finds
    /// meanwhile. `page` is any word that the page has made up for itself: by it one study goes on at a time. `id` rises
    /// from each study to the next, from 1: a newer one ends the older, and whatever comes late ends nothing newer. It also
    /// ends when the page goes.
    analyse { page: String, id: u32, position: PositionRequest, lines: u8, ms: u32 } -> Vec<SuggestionView>;
    /// Looks for a win that the player to move can force: its stones, or none that was found. A study as `analyse` is.
    forced_win { page: String, id: u32, position: PositionRequest, ms: u32 } -> Option<Vec<String>>;
    /// Goes through all of a game, from its end, and tells each position by an event; each may take so many
    /// milliseconds. A study as `analyse` is: who wants both at once asks by two words. Answers whether it came to the
    /// beginning.
    judge { page: String, id: u32, position: PositionRequest, ms: u32 } -> bool;
    /// Ends the study of this number and all before it.
    stop_study { page: String, id: u32 } -> ();
    /// The courses and puzzles, and what of them was done. A day is one of the person's calendar, counted from 1970.
    learn { day: u32 } -> LearnView;
    /// One step of a topic of the courses.
    lesson { topic: String, number: u8 } -> LessonView;
    /// Tries an answer to a step, in the words of a game's text; a right one is remembered.
    try_lesson { topic: String, number: u8, answer: String } -> TriedView;
    /// The day's puzzle.
    todays_puzzle { day: u32 } -> TodayView;
    /// One puzzle.
    puzzle { name: String } -> PuzzleView;
    /// Tries a move of a puzzle after these of both sides, and answers as the best defence would; what is solved is remembered.
    try_puzzle { name: String, line: Vec<String>, answer: String, day: u32 } -> TriedView;
}

/// Commands that go on for as long as somebody waits for their answer, and end when nobody does. All others are carried out
/// to their end.
pub const ENDS_WITH_PAGE: &[&str] = &["analyse", "forced_win", "judge"];

fn read<T: serde::de::DeserializeOwned>(name: &str, args: Value) -> Result<T, ApiError> {
    // Commands without arguments may be called with none at all.
    let args = if args.is_null() { Value::Object(serde_json::Map::new()) } else { args };
    serde_json::from_value(args)
        .map_err(|why| ApiError::new(ErrorCode::BadCommand, format!("{name} was called wrongly: {why}")))
}

fn reply<T: Serialize>(value: T) -> Result<Value, ApiError> {
    serde_json::to_value(value).map_err(ApiError::internal)
}

fn unknown(name: &str) -> ApiError {
    ApiError::new(ErrorCode::BadCommand, format!("there is no command {name:?}; there are {}", NAMES.join(", ")))
}

/// The type's own name if it is exported, and those of the types in it otherwise (lists, options).
fn imports_of<T: TS + 'static + ?Sized>(config: &Config, uses: &mut std::collections::BTreeSet<String>) {
    struct Visitor<'a>(&'a Config, &'a mut std::collections::BTreeSet<String>);
    impl ts_rs::TypeVisitor for Visitor<'_> {
        fn visit<U: TS + 'static + ?Sized>(&mut self) {
            if U::output_path().is_some() {
                self.1.insert(U::ident(self.0));
            }
        }
    }
    if T::output_path().is_some() {
        uses.insert(T::ident(config));
    } else {
        T::visit_generics(&mut Visitor(config, uses));
    }
}
