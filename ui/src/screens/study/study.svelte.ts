// What the study screen knows: where it is in a game, and what the core says of it.
import { asApiError } from "../../backend";
import type { ApiError } from "../../bindings/ApiError";
import type { JudgedView } from "../../bindings/JudgedView";
import type { PositionRequest } from "../../bindings/PositionRequest";
import type { PositionView } from "../../bindings/PositionView";
import type { App, StudyEvent } from "../../state/app.svelte";
import { Asking } from "./asking";
import { deepened, depthOf, type Lines } from "./judge";
import type { Names } from "./words";
import { actionsTo, choose, goOn, parting, treeOf, wayThrough, type Node } from "./tree";

/** Best moves that are shown, as letters. */
const LINES = 3;
/** How long best moves and a forced win are looked for, and each position of a whole game, in milliseconds. */
const SEARCH_MS = 10_000;
const WIN_MS = 10_000;
const JUDGE_MS = 250;
/** Positions whose views are kept. */
const VIEWS_KEPT = 600;

/** Games of which all is kept until the page goes. */
const GAMES_KEPT = 20;

const judgedGames = new Map<string, ReadonlyMap<number, JudgedView>>();

function keepJudged(game: string, judged: ReadonlyMap<number, JudgedView>) {
  if (judgedGames.size >= GAMES_KEPT) judgedGames.delete(judgedGames.keys().next().value!);
  judgedGames.set(game, judged);
}

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
  searching = $state(false);
  judging = $state(false);
  win = $state.raw<WinSearch>("no");
  /** The stones of the win that was found. */
  winWay = $state.raw<readonly Node[]>([]);
  way = $derived(wayThrough(this.at));
  #views = new Map<string, Promise<PositionView>>();
  /** What was found of the game, by the number of actions before. */
  #found = $state.raw<ReadonlyMap<number, JudgedView>>(new Map());
  /** Best moves, of positions where they were looked for. */
  #hinted = $state.raw<ReadonlyMap<Node, Lines>>(new Map());
  /** Hints and judgement read the same lists, so that no move that is shown as good is called a mistake. */
  judged = $derived(deepened(this.#found, this.#hinted));
  hints = $derived<Lines>(this.hinting ? this.#bestOf(this.at) : []);
  /** A search of one position, and the way through the game; the one does not end the other. */
  #search: Asking;
  #course: Asking;
  #forget: () => void;

  constructor(app: App) {
    this.app = app;
    this.#search = new Asking(app, "search");
    this.#course = new Asking(app, "course");
    this.#forget = app.onStudy((event) => this.#take(event));
  }

  /** The screen is left: nothing goes on for it, nor begins any more. */
  close() {
    this.#forget();
    this.#search.close();
    this.#course.close();
  }

  /** Begins with a position or a game. */
  open(request: PositionRequest, names: Names, atEnd: boolean) {
    this.request = request;
    this.names = names;
    this.root = treeOf(request.actions);
    this.#views.clear();
    this.#course.end();
    this.judging = false;
    this.#found = judgedGames.get(JSON.stringify(request)) ?? new Map();
    this.#hinted = new Map();
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
    this.#stopSearch();
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
    if (on) void this.#lookForBest();
    else if (this.searching) this.#stopSearch();
  }

  /** Is there a win to be forced? It is laid out as a way to step through. */
  async findWin() {
    const from = this.at;
    this.searching = false;
    this.win = "looking";
    const found = await this.#search.ask("forced_win", { position: this.requestAt(from), ms: WIN_MS });
    if (found === undefined) {
      // Something newer is looked for, or nothing was to be had.
      if (this.at === from && !this.searching && this.win === "looking") this.win = "no";
      return;
    }
    if (found === null) {
      this.win = "none";
      if (this.hinting) void this.#lookForBest();
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
    if (this.judging || this.#found.size > this.request.actions.length) return;
    const request = this.request;
    this.judging = true;
    const done = await this.#course.ask("judge", { position: request, ms: JUDGE_MS });
    if (this.request !== request) return;
    this.judging = false;
    if (done) keepJudged(JSON.stringify(request), this.#found);
  }

  async #show(to: Node) {
    try {
      const view = await this.look(to);
      if (this.at !== to) return;
      this.view = view;
      if (this.hinting) await this.#lookForBest();
    } catch (thrown) {
      if (this.at === to) this.fault = asApiError(thrown);
    }
  }

  async #lookForBest() {
    const at = this.at;
    if (this.win === "looking") this.win = "no";
    this.searching = this.view?.turn !== null;
    if (!this.searching) return;
    const lines = await this.#search.ask("analyse", { position: this.requestAt(at), lines: LINES, ms: SEARCH_MS });
    if (this.at !== at) return;
    this.searching = false;
    if (lines) this.#hinted = new Map(this.#hinted).set(at, lines);
  }

  #stopSearch() {
    this.#search.end();
    this.searching = false;
  }

  #bestOf(at: Node): Lines {
    return this.#hinted.get(at) ?? (at.main ? this.#found.get(at.depth)?.best : null) ?? [];
  }

  #take(event: StudyEvent) {
    const { news } = event;
    if (news.kind === "judged") {
      if (this.#course.hears(event)) this.#found = new Map(this.#found).set(news.judged.after, news.judged);
    } else if (this.#search.hears(event) && depthOf(news.lines) >= depthOf(this.#bestOf(this.at))) {
      // What was seen deeper is not given up for what is known so far.
      this.#hinted = new Map(this.#hinted).set(this.at, news.lines);
    }
  }
}
