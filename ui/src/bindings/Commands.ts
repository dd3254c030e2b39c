// Made from crates/app/src/api/commands.rs: UPDATE=1 cargo test -p app --test bindings
import type { BranchView } from "./BranchView";
import type { Choice } from "./Choice";
import type { FinishedView } from "./FinishedView";
import type { GameRecord } from "./GameRecord";
import type { HomeView } from "./HomeView";
import type { LearnView } from "./LearnView";
import type { LessonView } from "./LessonView";
import type { PositionRequest } from "./PositionRequest";
import type { PositionView } from "./PositionView";
import type { PuzzleView } from "./PuzzleView";
import type { ReplayView } from "./ReplayView";
import type { Settings } from "./Settings";
import type { SetupRequest } from "./SetupRequest";
import type { SetupView } from "./SetupView";
import type { StatisticsView } from "./StatisticsView";
import type { SuggestionView } from "./SuggestionView";
import type { TableView } from "./TableView";
import type { TodayView } from "./TodayView";
import type { TriedView } from "./TriedView";
import type { Wish } from "./Wish";

export type Commands = {
  /** The home screen; from then on it comes as an event whenever it changes. */
  home: { args: Record<symbol, never>; reply: HomeView };
  /** Keeps this device's settings. */
  set_settings: { args: { settings: Settings, }; reply: null };
  /** The set-up screen for what has been chosen so far. */
  setup: { args: { request: SetupRequest, }; reply: SetupView };
  /** Opens a table and sits in its first seat; the game starts at once where no seat is open. Answers the table's id. */
  open_table: { args: { request: SetupRequest, }; reply: string };
  /** Sits at the first open seat, or returns to the own one. */
  join_table: { args: { table: string, }; reply: string };
  /** Looks on at a table without a seat, a full one or not. Answers the table's id. */
  watch_table: { args: { table: string, }; reply: string };
  /** Goes on with an interrupted game. */
  resume_table: { args: { table: string, }; reply: string };
  /** The table as it is now; from then on it comes as an event whenever it changes. */
  table: { args: { table: string, }; reply: TableView };
  /** Goes away and keeps the seat. */
  leave_table: { args: { table: string, }; reply: null };
  /** Gives the seat up and goes away. */
  stand: { args: { table: string, }; reply: null };
  /** Changes to another seat before the start. */
  sit: { args: { table: string, seat: number, }; reply: null };
  /** Asks whoever sits there to stand up, before the start; it is theirs to do. */
  ask_to_stand: { args: { table: string, seat: number, }; reply: null };
  /** Wants the first game or the next one to start. */
  start: { args: { table: string, }; reply: null };
  /** A stone; `take` names the groups where taking is optional. */
  place: { args: { table: string, at: string, take?: Array<Array<string>>, }; reply: null };
  /** The choice in an opening. */
  choose: { args: { table: string, choice: Choice, }; reply: null };
  /** Resigns. */
  resign: { args: { table: string, }; reply: null };
  /** Asks the others to take the own last stone or choice back, or for a draw. */
  offer: { args: { table: string, what: Wish, }; reply: null };
  /** Asks the others for other terms from the next game on; where nobody is to be asked they hold at once. */
  offer_options: { args: { table: string, request: SetupRequest, }; reply: null };
  /** What `offer_options` starts from: the table's present terms. */
  present_options: { args: { table: string, }; reply: SetupRequest };
  /** Answers an open offer. */
  answer: { args: { table: string, id: string, yes: boolean, }; reply: null };
  /** Waits for an away seat without end. */
  hold: { args: { table: string, seat: number, }; reply: null };
  /** Lets the CPU play for an away seat at once. */
  cpu_now: { args: { table: string, seat: number, }; reply: null };
  /** Says one of the ready phrases to the others, by its number. */
  say: { args: { table: string, phrase: number, }; reply: null };
  /** The person is there: something was touched. For all tables of this device. */
  touched: { args: Record<symbol, never>; reply: null };
  /** After a halt: goes on without the devices that disagree. */
  go_on: { args: { table: string, }; reply: null };
  /** The PIN of a locked table. */
  enter_pin: { args: { table: string, pin: string, }; reply: null };
  /** Joins by an invite's link, or its code as it was typed. Answers the table's id. */
  join_invite: { args: { text: string, }; reply: string };
  /** What was continued apart at a table, the oldest first; also of tables that are not open, as far as they are kept. */
  branches: { args: { table: string, }; reply: Array<BranchView> };
  /** One of these, move by move. */
  branch: { args: { table: string, head: string, }; reply: ReplayView };
  /** Takes an interrupted game off the list; its file is kept. */
  forget_table: { args: { table: string, }; reply: null };
  /** Keeps a set-up as a favourite; one of the same name gives way to it. */
  save_favourite: { args: { name: string, request: SetupRequest, }; reply: null };
  /** Deletes one. */
  delete_favourite: { args: { name: string, }; reply: null };
  /** What was played so far; `offset_min`: minutes by which the wall clock here is ahead of UTC, for whose days it is. */
  statistics: { args: { offset_min: number, }; reply: StatisticsView };
  /** Finished games, newest first. */
  history: { args: Record<symbol, never>; reply: Array<FinishedView> };
  /** A position without a table: rules, where it starts, what was played since. Nothing about it is kept. */
  position: { args: { position: PositionRequest, }; reply: PositionView };
  /** A game to be gone through: a finished one, `TABLE/number`, or the one that this device's person plays at a table */
  /** where nothing is ranked. */
  game_record: { args: { game: string, }; reply: GameRecord };
  /** Looks for the best moves of a position, 1 to 5, for so many milliseconds at most; tells by events what it finds */
  /** meanwhile. `page` is any word that the page has made up for itself: by it one study goes on at a time. `id` rises */
  /** from each study to the next, from 1: a newer one ends the older, and whatever comes late ends nothing newer. It also */
  /** ends when the page goes. */
  analyse: { args: { page: string, id: number, position: PositionRequest, lines: number, ms: number, }; reply: Array<SuggestionView> };
  /** Looks for a win that the player to move can force: its stones, or none that was found. A study as `analyse` is. */
  forced_win: { args: { page: string, id: number, position: PositionRequest, ms: number, }; reply: Array<string> | null };
  /** Goes through all of a game, from its end, and tells each position by an event; each may take so many */
  /** milliseconds. A study as `analyse` is: who wants both at once asks by two words. Answers whether it came to the */
  /** beginning. */
  judge: { args: { page: string, id: number, position: PositionRequest, ms: number, }; reply: boolean };
  /** Ends the study of this number and all before it. */
  stop_study: { args: { page: string, id: number, }; reply: null };
  /** The courses and puzzles, and what of them was done. A day is one of the person's calendar, counted from 1970. */
  learn: { args: { day: number, }; reply: LearnView };
  /** One step of a topic of the courses. */
  lesson: { args: { topic: string, number: number, }; reply: LessonView };
  /** Tries an answer to a step, in the words of a game's text; a right one is remembered. */
  try_lesson: { args: { topic: string, number: number, answer: string, }; reply: TriedView };
  /** The day's puzzle. */
  todays_puzzle: { args: { day: number, }; reply: TodayView };
  /** One puzzle. */
  puzzle: { args: { name: string, }; reply: PuzzleView };
  /** Tries a move of a puzzle after these of both sides, and answers as the best defence would; what is solved is remembered. */
  try_puzzle: { args: { name: string, line: Array<string>, answer: string, day: number, }; reply: TriedView };
};
