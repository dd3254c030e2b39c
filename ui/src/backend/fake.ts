// A core that only shows prepared views: for working on screens and for their pictures. Only in development builds, and in those that are made
// to be looked at.
import type { AppEvent } from "../bindings/AppEvent";
import type { PositionRequest } from "../bindings/PositionRequest";
import type { SeatPlan } from "../bindings/SeatPlan";
import type { SeatView } from "../bindings/SeatView";
import type { Settings } from "../bindings/Settings";
import { loadLearn } from "../i18n/index.svelte";
import { pickLanguage } from "../i18n/text";
import { fixture } from "../../tests/fixtures";
import { TABLE } from "../../tests/fixtures/build";
import { found, judgements, position, record } from "../../tests/fixtures/study";
import * as learning from "../../tests/fixtures/learn";
import type { Args, Backend, Command, Reply } from "./index";

/** How long a stone stays a ghost here, in milliseconds. */
const GHOST_MS = 700;

/** `?fake=<fixture>`; `lang`, `theme`, `confirm`, `text`, `numbers` and `hand` in the address override the fixture's settings. */
export function fakeBackend(): Backend {
  const query = new URLSearchParams(location.search);
  const { home, setup, finished, branches, replay, closed, ...shown } = fixture(query.get("fake") ?? "home");
  let { table } = shown;
  home.settings.language = query.get("lang") ?? home.settings.language;
  home.settings.theme = query.get("theme") ?? home.settings.theme;
  if (query.has("confirm")) home.settings.confirm = query.get("confirm") === "1";
  home.settings.text_percent = Number(query.get("text") ?? home.settings.text_percent);
  home.settings.numbers = query.has("numbers");
  home.settings.left_handed = query.get("hand") === "left";
  const handlers: ((event: AppEvent) => void)[] = [];
  const emit = (event: AppEvent) => handlers.forEach((handler) => handler(event));
  /** Tests let another view come: `dispatchEvent(new CustomEvent("fake", { detail: <fixture> }))`. */
  addEventListener("fake", (event) => {
    table = fixture((event as CustomEvent<string>).detail).table;
    if (table) emit({ type: "table", view: table });
  });
  /** The same for settings: `new CustomEvent("fake-settings", { detail: { theme: "dark" } })`. */
  addEventListener("fake-settings", async (event) => {
    Object.assign(home.settings, (event as CustomEvent<Partial<Settings>>).detail);
    await loadLearn(pickLanguage(home.settings.language, []));
    emit({ type: "home", view: structuredClone(home) });
  });
  if (history.state === null) {
    if (table) history.pushState({ screen: "table", table: table.table, depth: 1 }, "");
    else if (query.has("screen")) history.pushState({ screen: query.get("screen"), depth: 1 }, "");
  }

  function place(at: string) {
    const now = table;
    if (!now?.turn) return;
    const { colour, seat } = now.turn;
    const stone = { at, colour, ply: now.board.stones.length + 1 };
    const taken = now.board.previews.find((preview) => preview.at === at)?.takes.flat() ?? [];
    const board = { ...now.board, ghost: stone, previews: [], forbidden: [], stops: [], threats: [] };
    emit({ type: "table", view: { ...now, board, turn: { ...now.turn, mine: false } } });
    const left = now.board.stones.filter((s) => !taken.includes(s.at));
    const gone = now.board.stones.filter((s) => taken.includes(s.at));
    const move = { ply: stone.ply, seat, colour, at, choice: null, took: taken, lost: [], by: "hand" as const, final: true };
    const after = { ...board, ghost: null, stones: [...left, stone], last: at, taken: gone, taken_by: seat };
    const next = now.seats[(seat + 1) % now.seats.length]!;
    const turn = { seat: next.seat, colour: next.colour ?? colour, must: "place" as const, mine: false, thinking: true };
    setTimeout(
      () => emit({ type: "table", view: { ...now, board: after, moves: [...now.moves, move], turn } }),
      GHOST_MS,
    );
  }

  /** Texts that are no invites, or lead nowhere yet. */
  const invites: Record<string, () => Promise<never>> = {
    "7K4M-2Q9": () => Promise.reject({ code: "bad-invite", args: { why: "no-invite" }, message: "no invite" }),
    "7K4M-2Q9T-XH3P": () => Promise.reject({ code: "not-found", args: { why: "no-answer" }, message: "nobody answers" }),
    "7K4M-2Q9T-XH3Q": () => new Promise<never>(() => {}),
  };

  const held = (seat: SeatView): SeatView => ({ ...seat, grace_left_ms: null, can_hold: false });

  function plans(): SeatPlan[] {
    const plan = (seat: SeatView): SeatPlan => {
      if (seat.me) return { kind: "me" };
      return seat.state === "cpu" ? { kind: "cpu", level: 1 } : { kind: "open" };
    };
    return table?.seats.map(plan) ?? [];
  }

  async function answer(name: Command, args: Record<string, unknown>): Promise<unknown> {
    switch (name) {
      case "home":
        return structuredClone(home);
      case "table":
        return structuredClone(table);
      case "setup":
        return setup(args.request as never);
      case "statistics":
        return { games: 48, wins: 20, week: 6, week_before: 4, recent: 20, recent_wins: 11, earlier_wins: 8, days: 3, days_longest: 9 };
      case "history":
        return finished;
      case "position":
        return position(args.position as PositionRequest);
      case "game_record":
        return record(String(args.game));
      case "analyse":
        return found(args.position as PositionRequest);
      case "forced_win":
        return ["H8", "I8", "J8"];
      case "judge":
        for (const judged of judgements(args.position as PositionRequest)) {
          emit({ type: "study", page: String(args.page), id: Number(args.id), news: { kind: "judged", judged } });
        }
        return true;
      case "stop_study":
        return null;
      case "learn":
        return learning.learn;
      case "lesson":
        return learning.lesson(String(args.topic), Number(args.number));
      case "puzzle":
        return learning.puzzle(String(args.name));
      case "todays_puzzle":
        return learning.todays;
      case "try_lesson":
      case "try_puzzle":
        return learning.tried(String(args.answer));
      case "place":
        place(String(args.at));
        return null;
      case "open_table":
      case "join_table":
      case "resume_table":
      case "watch_table":
        return table?.table ?? "0".repeat(32);
      case "join_invite":
        if (invites[String(args.text)]) return invites[String(args.text)]!();
        return table?.table ?? "0".repeat(32);
      case "present_options":
        return { preset: table?.rules.preset, seats: plans(), options: {}, settings: table?.settings };
      case "branches":
        return branches(String(args.table));
      case "branch":
        return replay;
      case "answer":
        if (table) emit({ type: "table", view: { ...table, offers: [] } });
        return null;
      case "hold":
        if (table) emit({ type: "table", view: { ...table, seats: table.seats.map(held) } });
        return null;
      case "offer":
      case "offer_options":
      case "cpu_now":
      case "say":
      case "touched":
      case "go_on":
      case "enter_pin":
      case "set_settings":
      case "leave_table":
      case "stand":
      case "sit":
      case "start":
      case "choose":
      case "resign":
      case "forget_table":
      case "ask_to_stand":
      case "save_favourite":
      case "delete_favourite":
        console.info("fake", name, args);
        return null;
    }
  }

  return {
    call: <K extends Command>(name: K, args: Args<K>) => answer(name, args) as Promise<Reply<K>>,
    listen: (handler) => {
      handlers.push(handler);
      if (closed) queueMicrotask(() => emit({ type: "closed", table: TABLE, error: closed }));
    },
    onLink: (handler) => handler("up"),
  };
}
