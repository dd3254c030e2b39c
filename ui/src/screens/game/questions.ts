// Answers to what can be asked by a key while playing: for who listens. The view holds the facts.
import type { TableView } from "../../bindings/TableView";
import { linePoints, type Axis } from "../../components/geometry";
import { list, sentence, sentences, t } from "../../i18n/index.svelte";
import { cardName, nameOf, seatsInOrder, seriesWords } from "./names";

/** A line through a point, read from end to end: what follows each other in one stretch. */
export function lineWords({ board }: TableView, at: string, axis: Axis): string {
  const stones = new Map(board.stones.map((stone) => [stone.at, t(`colour.${stone.colour}`)]));
  const forbidden = new Set(board.forbidden.map((point) => point.at));
  const what = (point: string) => stones.get(point) ?? t(forbidden.has(point) ? "line.forbidden" : "line.empty");
  const points = linePoints(at, axis, board.size);
  const stretches: { what: string; points: string[] }[] = [];
  for (const point of points) {
    const last = stretches.at(-1);
    if (last?.what === what(point)) last.points.push(point);
    else stretches.push({ what: what(point), points: [point] });
  }
  const parts = stretches.map(({ what, points }) => {
    const [from, to] = [points[0]!, points.at(-1)!];
    return points.length === 1 ? t("line.one", { at: from, what }) : t("line.stretch", { from, to, what });
  });
  const name = t(`line.${axis}`, { at, from: points[0]!, to: points.at(-1)! });
  return sentence(t("line.reads", { name, parts: parts.join(t("common.list-comma")) }));
}

/** What the person to move on this device could take, a point a sentence. */
export function takesWords(table: TableView): string {
  if (!table.turn?.mine || table.turn.must !== "place") return sentence(t("takes.not-now"));
  const takes = table.board.previews.filter((preview) => preview.takes.length > 0);
  if (takes.length === 0) return sentence(t("takes.none"));
  return sentences(takes.map(({ at, takes }) => t("takes.at", { at, n: takes.flat().length, points: list(takes.flat()) })));
}

/** The time that is left, for the move and until the CPU plays for who is away. `seconds`: what is left of milliseconds now. */
export function timeWords(table: TableView, seconds: (ms: number) => number): string {
  const { clock, seats } = table;
  const told: string[] = [];
  if (clock) {
    const n = clock.running ? seconds(clock.left_ms) : Math.ceil(clock.left_ms / 1000);
    const name = nameOf(table, clock.seat);
    told.push(seats[clock.seat]?.me ? t("left.you", { n }) : t("left.other", { name, n }));
    if (!clock.running) told.push(t("time.still"));
  }
  for (const seat of seats.filter((seat) => seat.grace_left_ms !== null && !seat.me)) {
    told.push(t("game.away-cpu", { name: nameOf(table, seat.seat), s: seconds(seat.grace_left_ms!) }));
  }
  return sentences(told.length > 0 ? told : [t("left.none")]);
}

/** What each has captured, and how the series stands. */
export const traysWords = (table: TableView): string =>
  sentences([
    ...seatsInOrder(table).map((seat) =>
      t("trays.seat", { name: cardName(table, seat), tray: t("common.tray", { n: seat.captured, goal: table.rules.goal }) }),
    ),
    table.game > 1 ? seriesWords(table) : "",
  ]);
