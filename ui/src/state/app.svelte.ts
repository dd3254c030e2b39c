// The page's state. One way round: event → state → screen → call → event.
import { asApiError, type Args, type Backend, type Command, type LinkState, type Reply } from "../backend";
import type { AppEvent } from "../bindings/AppEvent";
import type { ApiError } from "../bindings/ApiError";
import type { Settings } from "../bindings/Settings";
import type { TableView } from "../bindings/TableView";
import { applySettings } from "../i18n/index.svelte";
import { NOTHING, reduce, take, type Known } from "./reduce";
import { HOME, isWatching, leavesTable, replaces, routeOf, tableOf, type Route } from "./route";

/** The browser's first failed dial is often a matter of milliseconds; the banner waits a little. */
const LINK_BANNER_AFTER_MS = 1500;
/** A reload of the app or a phone's nap is over by then. */
const LINK_GONE_AFTER_MS = 10_000;
/** Touches within this time are told as one. */
const TOUCHED_EVERY_MS = 2_000;

/** What a study tells while it goes on. */
export type StudyEvent = Extract<AppEvent, { type: "study" }>;

export class App {
  #known = $state.raw<Known>(NOTHING);
  route = $state.raw<Route>(HOME);
  /** A sentence for the home screen: why a table closed, why something could not be opened. */
  notice = $state.raw<ApiError | null>(null);
  /** The link to the core is down, and has been for longer than a blink. */
  linkLost = $state(false);
  /** It has been down for so long that the app may have ended. */
  linkGone = $state(false);
  #backend: Backend;
  #linkTimer: ReturnType<typeof setTimeout> | undefined;
  #goneTimer: ReturnType<typeof setTimeout> | undefined;
  #wasDown = false;
  /** How to close the open sheets, the top one last: Back closes that one only. */
  #sheets: (() => void)[] = [];
  /** Steps back in the browser's history that this page made itself. */
  #ownPops = 0;
  /** Until then the core knows that the person is there. */
  #touchedUntil = 0;
  #studies = new Set<(event: StudyEvent) => void>();
  /** On the way to this page's first entry, which is home or, where the page was opened on a table, becomes it. */
  #homing = false;

  home = $derived(this.#known.home);
  refused = $derived(this.#known.refused);
  settings = $derived(this.#known.home?.settings ?? null);
  table = $derived<TableView | null>(
    this.#known.tables[tableOf(this.route) ?? ""] ?? null,
  );

  constructor(backend: Backend) {
    this.#backend = backend;
    backend.listen((event) => {
      if (event.type === "study") return this.#studies.forEach((hear) => hear(event));
      this.#known = reduce(this.#known, event);
      if (event.type === "home") applySettings(event.view.settings);
      if (event.type === "closed") this.#afterClosed(event.table, event.error);
    });
    backend.onLink((state) => this.#onLink(state));
    history.scrollRestoration = "manual";
    addEventListener("popstate", (event) => this.#onPop(event.state));
  }

  async start() {
    this.#arrive(routeOf(history.state));
    await this.#refresh();
  }

  /** Rejects with an `ApiError`: for screens that show the reason beside the control. */
  call<K extends Command>(name: K, args: Args<K>): Promise<Reply<K>> {
    return this.#backend.call(name, args);
  }

  /** Asks for something whose refusal is shown in the table's own line. */
  async ask<K extends Command>(name: K, args: Args<K> & { table: string }): Promise<boolean> {
    try {
      await this.call(name, args);
      return true;
    } catch (thrown) {
      this.#known = reduce(this.#known, { type: "refused", table: args.table, error: asApiError(thrown) });
      return false;
    }
  }

  /** Hears what studies tell, until what is returned is called. */
  onStudy(hear: (event: StudyEvent) => void): () => void {
    this.#studies.add(hear);
    return () => void this.#studies.delete(hear);
  }

  clearRefusal() {
    if (this.#known.refused) this.#known = { ...this.#known, refused: null };
  }

  /** Goes to a screen; Back returns to the present one. */
  go(to: Route) {
    if (to.screen === "home") return this.back();
    if (replaces(this.route, to)) history.replaceState({ ...to, depth: this.#depth() }, "");
    else history.pushState({ ...to, depth: this.#depth() + 1 }, "");
    this.#arrive(to);
  }

  /** Back to home, from wherever. */
  back() {
    if (this.route.screen === "home") return;
    this.#sheets = [];
    const depth = this.#depth();
    this.#homing = depth > 0;
    if (depth > 0) history.go(-depth);
    else history.replaceState(HOME, "");
    this.#arrive(HOME);
  }

  /** A sheet lies over the screen now; `close` takes it away. */
  sheetOpened(close: () => void) {
    this.#sheets.push(close);
    history.pushState({ ...this.route, depth: this.#depth() + 1 }, "");
  }

  /** It was closed by its own controls. */
  sheetClosed(close: () => void) {
    if (!this.#sheets.includes(close)) return;
    this.#sheets = this.#sheets.filter((other) => other !== close);
    this.#ownPops++;
    history.back();
  }

  /** Opens, joins, resumes or watches a table and shows it. Errors go to the caller. */
  async enter<K extends "open_table" | "join_table" | "join_invite" | "resume_table" | "watch_table">(name: K, args: Args<K>) {
    const table = await this.call(name, args);
    this.go({ screen: "table", table, ...(name === "watch_table" ? { watch: true } : {}) });
    await this.#fetchTable(table);
  }

  /** One step back, to the screen before. */
  up() {
    history.back();
  }

  /** The same; home, where the page was opened here. */
  upOrHome() {
    if (this.#depth() > 0) this.up();
    else this.back();
  }

  /** Something was touched: whoever let the clock run out is there again. */
  touched() {
    const now = performance.now();
    if (tableOf(this.route) === null || now < this.#touchedUntil) return;
    this.#touchedUntil = now + TOUCHED_EVERY_MS;
    void this.call("touched", {}).catch(() => {});
  }

  async saveSettings(settings: Settings) {
    const home = this.#known.home;
    if (home) this.#known = { ...this.#known, home: { ...home, settings } };
    applySettings(settings);
    await this.call("set_settings", { settings });
  }

  /** Steps from this page's first history entry to the present one. */
  #depth(): number {
    const depth = (history.state as { depth?: unknown } | null)?.depth;
    return typeof depth === "number" ? depth : 0;
  }

  #onPop(state: unknown) {
    if (this.#ownPops > 0) {
      this.#ownPops--;
      return;
    }
    if (this.#homing) {
      this.#homing = false;
      history.replaceState(HOME, "");
      return;
    }
    const close = this.#sheets.pop();
    if (close) close();
    else this.#arrive(routeOf(state));
  }

  #arrive(to: Route) {
    const left = leavesTable(this.route, to);
    this.route = to;
    if (to.screen !== "home") this.notice = null;
    // The seat is kept: the home screen offers the game again.
    if (left && this.#known.tables[left]) void this.call("leave_table", { table: left }).catch(() => {});
    const table = tableOf(to);
    if (table !== null && !this.#known.tables[table]) void this.#returnTo(table);
  }

  /** After a reload or Forward the table may be open in the core, or have to be taken up again. */
  async #returnTo(table: string) {
    try {
      await this.#fetchTable(table);
    } catch {
      try {
        await this.call(isWatching(this.route) ? "watch_table" : "resume_table", { table });
        await this.#fetchTable(table);
      } catch (thrown) {
        this.notice = asApiError(thrown);
        if (tableOf(this.route) === table) this.back();
      }
    }
  }

  async #fetchTable(table: string) {
    const asked = this.#known;
    const view = await this.call("table", { table });
    this.#known = take(this.#known, asked, { type: "table", view });
  }

  #afterClosed(table: string, error: ApiError | null) {
    if (error) this.notice = error;
    if (tableOf(this.route) === table) this.back();
  }

  async #refresh() {
    const asked = this.#known;
    const view = await this.call("home", {});
    this.#known = take(this.#known, asked, { type: "home", view });
    if (this.#known.home) applySettings(this.#known.home.settings);
  }

  #onLink(state: LinkState) {
    if (state === "down") {
      // Every failed attempt tells again; the waits run from the first.
      if (this.#wasDown) return;
      this.#wasDown = true;
      this.#goneTimer = setTimeout(() => (this.linkGone = true), LINK_GONE_AFTER_MS);
      this.#linkTimer = setTimeout(() => (this.linkLost = true), LINK_BANNER_AFTER_MS);
      return;
    }
    clearTimeout(this.#linkTimer);
    clearTimeout(this.#goneTimer);
    this.linkLost = false;
    this.linkGone = false;
    if (!this.#wasDown) return;
    this.#wasDown = false;
    // Views are whole: asking again is enough to catch up.
    void this.#refresh().catch(() => {});
    const table = tableOf(this.route);
    if (table !== null) void this.#returnTo(table);
  }
}
