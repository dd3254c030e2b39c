// What the study screen knows: where it is in a game, and what the core says of it.
import { asApiError } from "../../backend";
import type { ApiError } from "../../bindings/ApiError";
import type { JudgedView } from "../../bindings/JudgedView";
import type { PositionRequest } from "../../bindings/PositionRequest";
import type { PositionView } from "../../bindings/PositionView";
import type { SuggestionView } from "../../bindings/SuggestionView";
import type { App, StudyEvent } from "../../state/app.svelte";
import type { Names } from "./words";
import { actionsTo, choose, goOn, parting, treeOf, wayThrough, type Node } from "./tree";

/** How this page calls itself to the core. */
const PAGE = Math.random().toString(36).slice(2);
/** Best moves that are shown, as letters. */
const LINES = 3;
/** How long best moves and a forced win are looked for, and each position of a whole game, in milliseconds. */
const SEARCH_MS = 10_000;
const WIN_MS = 10_000;
const JUDGE_MS = 250;
/** Positions whose views are kept. */
const VIEWS_KEPT = 600;

/** What is known of whole games: kept until the page goes. */
const judgedGames = new Map<string, ReadonlyMap<number, JudgedView>>();

export type WinSearch = "no" | "looking" | "none" | "found";

export class Study {
  readonly app: App;
  /** The rules and the start; the actions are those of the game. */
  request = $state.raw<PositionRequest>({ preset: "capture-five", seats: 2, options: {}, setup: null, actions: [] });
  names = $state.raw<Names>([]);
  root = $state.raw<Node>(treeOf([]));
  at = $state.raw<Node>(this.root);
  view = $state.raw<PositionView | null>(null);
  fault = $state.raw<ApiError | null>(null);
  /** Best moves are looked for. */
  hinting = $state(false);
  hints = $state.raw<readonly SuggestionView[]>([]);
  searching = $state(false);
  judged = $state.raw<ReadonlyMap<number, JudgedView>>(new Map());
  judging = $state(false);
  win = $state.raw<WinSearch>("no");
  /** The stones of the win that was found. */
  winWay = $state.raw<readonly Node[]>([]);
  way = $derived(wayThrough(this.at));
  #views = new Map<string, Promise<PositionView>>();
  #id = 0;
  #judgeId = 0;
  #forget: () => void;

  constructor(app: App) {
    this.app = app;
    this.#forget = app.onStudy((event) => this.#take(event));
  }

  /** The screen is left: nothing goes on for it. */
  close() {
    this.#id = this.#judgeId = -1;
    this.#forget();
    void this.app.call("stop_study", { page: PAGE }).catch(() => {});
  }

  /** Begins with a position or a game. */
  open(request: PositionRequest, names: Names, atEnd: boolean) {
    this.request = request;
    this.names = names;
    this.root = treeOf(request.actions);
    this.#views.clear();
    this.judged = judgedGames.get(JSON.stringify(request)) ?? new Map();
    this.win = "no";
    const way = wayThrough(this.root);
    this.go(atEnd ? way.at(-1)! : this.root);
  }

  /** The request for a position of this game. */
  requestAt = (at: Node): PositionRequest => ({ ...this.request, actions: actionsTo(at) });

  look(at: Node): Promise<PositionView> {
    const position = this.requestAt(at);
    const key = position.actions.join(" ");
    let view = this.#views.get(key);
    if (!view) {
      if (this.#views.size >= VIEWS_KEPT) this.#views.clear();
      view = this.app.call("position", { position });
      this.#views.set(key, view);
      view.catch(() => this.#views.delete(key));
    }
    return view;
  }

  go(to: Node) {
    choose(to);
    this.at = to;
    this.fault = null;
    if (this.win !== "found" || !this.winWay.includes(to)) this.win = "no";
    // What is still told of the position before is not about this one.
    this.#id++;
    this.searching = false;
    this.hints = [];
    void this.#show(to);
  }

  step(by: number) {
    const index = Math.min(Math.max(this.at.depth + by, 0), this.way.length - 1);
    if (index !== this.at.depth) this.go(this.way[index]!);
  }

  first = () => this.go(this.root);
  last = () => this.go(this.way.at(-1)!);
  /** Back to where a way that was tried out left the game. */
  toGame = () => this.go(parting(this.at));

  /** Tries a move out, or goes on with the game where it is the same. */
  async play(action: string) {
    const from = this.at;
    try {
      await this.app.call("position", { position: { ...this.requestAt(from), actions: [...actionsTo(from), action] } });
    } catch (thrown) {
      this.fault = asApiError(thrown);
      return;
    }
    if (this.at === from) this.go(goOn(from, action));
  }

  hint(on: boolean) {
    this.hinting = on;
    if (on) void this.#search();
    else {
      this.hints = [];
      this.searching = false;
      this.#id++;
      // It ends all that this page has going; the graph is wanted all the same.
      const judging = this.judging;
      void this.app.call("stop_study", { page: PAGE }).then(
        () => (judging ? this.judge() : undefined),
        () => {},
      );
    }
  }

  /** Is there a win to be forced? It is laid out as a way to step through. */
  async findWin() {
    const [from, id] = [this.at, ++this.#id];
    this.win = "looking";
    this.searching = false;
    const args = { page: PAGE, id, position: this.requestAt(from), ms: WIN_MS };
    const found = await this.app.call("forced_win", args).catch(() => null);
    if (id !== this.#id || this.at !== from) return;
    if (found === null) {
      this.win = "none";
      if (this.hinting) void this.#search();
      return;
    }
    const way: Node[] = [];
    for (const action of found) way.push(goOn(way.at(-1) ?? from, action));
    this.winWay = way;
    this.win = "found";
    this.go(way[0]!);
  }

  /** Goes through the whole game in the background, once. */
  async judge() {
    const key = JSON.stringify(this.request);
    const all = this.request.actions.length + 1;
    if (this.judged.size >= all) return;
    const id = ++this.#judgeId;
    this.judging = true;
    const done = await this.app
      .call("judge", { page: PAGE, id, position: this.request, ms: JUDGE_MS })
      .catch(() => false);
    if (id !== this.#judgeId) return;
    this.judging = false;
    if (done) judgedGames.set(key, this.judged);
  }

  async #show(to: Node) {
    try {
      const view = await this.look(to);
      if (this.at !== to) return;
      this.view = view;
      if (this.hinting) await this.#search();
    } catch (thrown) {
      if (this.at === to) this.fault = asApiError(thrown);
    }
  }

  async #search() {
    const [at, id] = [this.at, ++this.#id];
    this.searching = this.view?.turn !== null;
    if (!this.searching) return;
    const args = { page: PAGE, id, position: this.requestAt(at), lines: LINES, ms: SEARCH_MS };
    const lines = await this.app.call("analyse", args).catch(() => null);
    if (id !== this.#id) return;
    this.searching = false;
    if (lines) this.hints = lines;
  }

  #take({ page, id, news }: StudyEvent) {
    if (page !== PAGE) return;
    if (news.kind === "lines") {
      if (id === this.#id && this.searching) this.hints = news.lines;
    } else if (id === this.#judgeId) this.judged = new Map(this.judged).set(news.judged.after, news.judged);
  }
}
