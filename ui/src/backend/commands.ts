// What can be asked of the core: names, arguments, replies. After the table in crates/app/src/api/commands.rs.
import type { FinishedView } from "../bindings/FinishedView";
import type { HomeView } from "../bindings/HomeView";
import type { Settings } from "../bindings/Settings";
import type { SetupRequest } from "../bindings/SetupRequest";
import type { SetupView } from "../bindings/SetupView";
import type { TableView } from "../bindings/TableView";

type None = Record<string, never>;
type AtTable = { table: string };

export type Commands = {
  home: { args: None; reply: HomeView };
  set_settings: { args: { settings: Settings }; reply: null };
  setup: { args: { request: SetupRequest }; reply: SetupView };
  open_table: { args: { request: SetupRequest }; reply: string };
  join_table: { args: AtTable; reply: string };
  resume_table: { args: AtTable; reply: string };
  table: { args: AtTable; reply: TableView };
  leave_table: { args: AtTable; reply: null };
  stand: { args: AtTable; reply: null };
  sit: { args: { table: string; seat: number }; reply: null };
  start: { args: AtTable; reply: null };
  place: { args: { table: string; at: string; take?: string[][] }; reply: null };
  choose: { args: { table: string; choice: "black" | "white" | "add" }; reply: null };
  resign: { args: AtTable; reply: null };
  forget_table: { args: AtTable; reply: null };
  history: { args: None; reply: FinishedView[] };
};
