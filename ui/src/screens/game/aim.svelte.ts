// What this device's person aims at, between the tap and the table's answer.
import type { Settings } from "../../bindings/Settings";
import type { TableView } from "../../bindings/TableView";
import type { Ghost } from "../../components/Drawing.svelte";
import type { How } from "../../components/pointing.svelte";
import type { App } from "../../state/app.svelte";

/** Whether a tap only aims: as the settings say, or else with a finger, which hides the point it is on. */
export const aimsFirst = (settings: Pick<Settings, "confirm"> | null, touch: boolean): boolean => settings?.confirm ?? touch;

const keyOf = (group: readonly string[]) => group.join(" ");

export class Aim {
  /** The point aimed at: a stone waits there for the word. */
  at = $state.raw<string | null>(null);
  /** The forbidden point that was tapped, whose reason is shown. */
  told = $state.raw<string | null>(null);
  /** Groups that could be taken and shall be left. */
  #left = $state.raw<readonly string[]>([]);
  /** The stone that was sent, until the table has it or refuses it. */
  #sent = $state.raw<(Ghost & { moves: number }) | null>(null);
  #app: () => App;
  #table: () => TableView;

  constructor(app: () => App, table: () => TableView) {
    this.#app = app;
    this.#table = table;
  }

  #preview = $derived.by(() => this.#table().board.previews.find((preview) => preview.at === this.at) ?? null);

  /** The colour to be placed now, if it is this device's person's to place. */
  colour = $derived.by(() => {
    const turn = this.#table().turn;
    return turn?.mine && turn.must === "place" && !this.#sent ? turn.colour : null;
  });

  ghost = $derived.by((): Ghost | null => {
    if (this.#sent) return this.#sent;
    const onItsWay = this.#table().board.ghost;
    if (onItsWay) return { at: onItsWay.at, colour: onItsWay.colour, sent: true, takes: [], leaves: [], lost: [] };
    if (this.at === null || this.colour === null) return null;
    const takes = this.#preview?.takes ?? [];
    return {
      at: this.at,
      colour: this.colour,
      sent: false,
      takes: takes.filter((group) => !this.#left.includes(keyOf(group))),
      leaves: takes.filter((group) => this.#left.includes(keyOf(group))),
      lost: this.#preview?.lost ?? [],
    };
  });

  /**
   * A point was tapped, clicked, or entered. `mustAim`: this tap shall not place by itself. `slid`: a cursor was lifted there,
   * which is not a second tap, even where it was before.
   */
  tap(point: string, how: How, mustAim: boolean, slid = false) {
    if (this.colour === null) return;
    const { board } = this.#table();
    this.#app().clearRefusal();
    this.told = null;
    if (board.forbidden.some((forbidden) => forbidden.at === point)) {
      this.cancel();
      this.told = point;
    } else if (board.stones.some((stone) => stone.at === point)) {
      this.#toggle(point);
    } else if (this.at === point) {
      if (!slid || !mustAim) void this.place();
    } else {
      this.at = point;
      this.#left = [];
      if (!mustAim && how !== "key" && !this.#preview?.optional) void this.place();
    }
  }

  /** Takes or leaves the group that a stone belongs to, where that is the player's choice. */
  #toggle(point: string) {
    if (!this.#preview?.optional) return;
    const group = this.#preview.takes.find((stones) => stones.includes(point));
    if (!group) return;
    const key = keyOf(group);
    this.#left = this.#left.includes(key) ? this.#left.filter((other) => other !== key) : [...this.#left, key];
  }

  cancel() {
    this.at = null;
    this.told = null;
    this.#left = [];
  }

  async place() {
    const ghost = this.ghost;
    if (!ghost || ghost.sent) return;
    const { table, moves } = this.#table();
    const take = this.#preview?.optional ? { take: ghost.takes.map((group) => [...group]) } : {};
    const sent = { ...ghost, sent: true, moves: moves.length };
    this.#sent = sent;
    this.cancel();
    const taken = await this.#app().ask("place", { table, at: ghost.at, ...take });
    if (!taken && this.#sent === sent) this.#sent = null;
  }

  /** A new view came: what was sent has arrived or was refused, what was aimed at may be no longer free. */
  settle(refused: boolean) {
    const table = this.#table();
    if (this.#sent && (refused || table.moves.length !== this.#sent.moves)) this.#sent = null;
    const taken = table.board.stones.some((stone) => stone.at === this.at);
    if (this.at !== null && (this.colour === null || taken)) this.cancel();
  }
}
