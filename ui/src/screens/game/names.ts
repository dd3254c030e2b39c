// Who sits where, in words.
import type { SeatView } from "../../bindings/SeatView";
import type { TableView } from "../../bindings/TableView";
import type { WaitingView } from "../../bindings/WaitingView";
import { list, sentences, t } from "../../i18n/index.svelte";
import { isolated } from "../../i18n/text";

/** A seat's name in a sentence: the person's, or CPU, numbered where several play. */
export function nameOf(table: TableView, seat: number): string {
  const view = table.seats[seat];
  if (!view) return "";
  if (view.name !== "") return isolated(view.name);
  if (view.state === "open") return t("common.free-seat");
  const cpus = table.seats.filter((other) => other.name === "" && other.state === "cpu");
  const at = cpus.findIndex((other) => other.seat === seat);
  return cpus.length > 1 && at >= 0 ? t("game.cpu-of", { n: at + 1 }) : t("common.cpu");
}

/** Who played there in the game that stands, though somebody else may have sat down since. */
export function playerOf(table: TableView, seat: SeatView): string {
  return seat.left_by === null ? nameOf(table, seat.seat) : isolated(seat.left_by);
}

/** Several people share this device. */
export const isShared = (table: TableView): boolean => table.seats.filter((seat) => seat.own).length > 1;

/** This device's person played there in the game that stands. */
export const wasMe = (seat: SeatView): boolean => seat.me && seat.left_by === null;

/** The name on the seat itself. */
export const cardName = (table: TableView, seat: SeatView): string => (seat.me ? t("common.you") : nameOf(table, seat.seat));

/** The seats that take part, in turn order from this device's own, so that it stands first everywhere. */
export function seatsInOrder(table: TableView): SeatView[] {
  const playing = table.seats.filter((seat) => seat.colour !== null).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  const own = playing.findIndex((seat) => seat.me);
  return own < 0 ? playing : [...playing.slice(own), ...playing.slice(0, own)];
}

/** Why the table stands still for a moment: the device that kept it is gone, or its person has left. */
export function keeperWords(table: TableView, waiting: Extract<WaitingView, { why: "keeper" }>): string {
  const left = table.seats[waiting.seat]?.said_goodbye === true;
  return t(left ? "game.left-title" : "game.keeper-title", { name: isolated(waiting.name) });
}

/** The only other seat, where two play. */
export function otherOf(table: TableView, seat: number): SeatView | null {
  const others = table.seats.filter((view) => view.colour !== null && view.seat !== seat);
  return others.length === 1 ? others[0]! : null;
}

/** What resigning does, for the question before it. With two sides it ends the game, in teams only if the partner agrees. */
export function resignWords(table: TableView): string {
  const me = table.my_seat === null ? undefined : table.seats[table.my_seat];
  if (!me) return "";
  const words = resignMeans(table, me);
  return isShared(table) ? sentences([t("here.resign", { name: nameOf(table, me.seat) }), words]) : words;
}

function resignMeans(table: TableView, me: SeatView): string {
  const winner = otherOf(table, me.seat);
  if (winner) return t("game.resign-two", { name: nameOf(table, winner.seat) });
  const partner = table.rules.teams
    ? table.seats.find((seat) => seat.seat !== me.seat && seat.colour === me.colour && seat.colour !== null)
    : undefined;
  // Nobody is asked where the CPU plays: at its own seat, for a partner who is away, or for one who has resigned before.
  const cpuPlays = partner && (partner.state === "cpu" || partner.state === "taken" || partner.resigned);
  if (!cpuPlays) return t("game.resign-many");
  const others = table.seats.filter((seat) => seat.colour !== null && seat.colour !== me.colour);
  return t("game.resign-team", { names: list(others.map((seat) => nameOf(table, seat.seat))), n: others.length });
}

/**
 * The seat that is waited for: the one to move, if it is away, else whichever is taken over first. For whoever has
 * resigned in a game that goes on the CPU plays already.
 */
export function awaySeat(table: TableView): SeatView | null {
  if (table.phase !== "playing") return null;
  const away = table.seats.filter((seat) => seat.state === "away" && !seat.own && seat.colour !== null && !seat.resigned);
  const toMove = away.find((seat) => seat.seat === table.turn?.seat);
  const soon = (seat: SeatView) => seat.grace_left_ms ?? Number.POSITIVE_INFINITY;
  return toMove ?? away.sort((a, b) => soon(a) - soon(b))[0] ?? null;
}

/** This device's person is in the game, and has not resigned already. */
export function plays(table: TableView): boolean {
  const me = table.my_seat === null ? undefined : table.seats[table.my_seat];
  return table.phase === "playing" && me !== undefined && me.colour !== null && !me.resigned;
}

/** What standing up does, for the question before it: unlike leaving, it gives the seat up. */
export function standWords(table: TableView): string {
  if (table.phase !== "playing") return t("stand.between");
  const seats = table.seats.filter((seat) => seat.colour !== null).length;
  return t(table.counts !== null && seats === 2 ? "stand.resigns" : "stand.playing");
}

/** How the series stands, the own wins first; of more than two sides only which game it is. */
export function seriesWords(table: TableView): string {
  const n = table.game;
  const sides = seatsInOrder(table).filter((seat, i, all) => all.findIndex((other) => other.colour === seat.colour) === i);
  const [first, second] = sides;
  if (sides.length !== 2 || !first || !second) return t("series.game", { n });
  return t("series.score", { n, score: t("series.dash", { first: first.wins, second: second.wins }) });
}
