// Made from crates/app/src/api/commands.rs: UPDATE=1 cargo test -p app --test bindings
import type { Choice } from "./Choice";
import type { FinishedView } from "./FinishedView";
import type { HomeView } from "./HomeView";
import type { Settings } from "./Settings";
import type { SetupRequest } from "./SetupRequest";
import type { SetupView } from "./SetupView";
import type { TableView } from "./TableView";

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
  /** Wants the first game or the next one to start. */
  start: { args: { table: string, }; reply: null };
  /** A stone; `take` names the groups where taking is optional. */
  place: { args: { table: string, at: string, take?: Array<Array<string>>, }; reply: null };
  /** The choice in an opening. */
  choose: { args: { table: string, choice: Choice, }; reply: null };
  /** Resigns. */
  resign: { args: { table: string, }; reply: null };
  /** Takes an interrupted game off the list; its file is kept. */
  forget_table: { args: { table: string, }; reply: null };
  /** Finished games, newest first. */
  history: { args: Record<symbol, never>; reply: Array<FinishedView> };
};
