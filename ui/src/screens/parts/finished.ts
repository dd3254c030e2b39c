// A finished game in words.
import type { FinishedView } from "../../bindings/FinishedView";
import type { Colour } from "../../components/geometry";
import { current, list, sentences, t, text } from "../../i18n/index.svelte";
import { isolated } from "../../i18n/text";
import { others, othersText, presetName } from "./names";

const nameOf = (name: string | undefined): string => (name ? isolated(name) : t("home.the-cpu"));
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** The English catalogue is British; dates follow it. */
const locale = (): string => (current() === "en" ? "en-GB" : current());

export function resultTitle(game: FinishedView, own: string): string {
  if (game.gave_up) return t("history.gave-up");
  if (game.result.kind === "draw") return t("history.draw", { names: othersText(game.names, own) });
  const winners = game.result.winners.map((seat) => game.names[seat] ?? "");
  if (winners.length === 0 || game.won !== true) return winnersText(winners);
  const partners = winners.length > 1 ? others(winners, own) : [];
  if (partners.length === 0) return t("history.you-won", { names: othersText(game.names, own) });
  return t("history.you-and-won", { names: list(partners) });
}

function winnersText(winners: readonly string[]): string {
  // Whoever had played for it had resigned, and the CPU won in their place.
  if (winners.length === 0) return t("history.nobody");
  return capital(t("history.won", { names: list(winners.map(nameOf)) }));
}

/** How it ended for the others, when this device's person had given the seat up. */
const endText = ({ result, names }: FinishedView): string =>
  result.kind === "draw" ? t("history.drawn") : winnersText(result.winners.map((seat) => names[seat] ?? ""));

/** Captured stones that won: more are needed where two sides play. Told by who won together in which colour. */
function goal(game: FinishedView): number {
  const teams = game.names.length === 4 && game.result.winners.length === 2 && game.result.colours.length === 1;
  return game.names.length === 2 || teams ? 10 : 8;
}

function reason(by: string, game: FinishedView): string {
  if (by === "captures") return text(`history.by.captures.${goal(game)}`) ?? by;
  if (by !== "line") return text(`history.by.${by}`) ?? by;
  const n = game.result.line.length;
  return text(`history.by.line.${n}`) ?? t("history.by.line", { n });
}

export function resultSub(game: FinishedView): string {
  const by = game.result.by.map((why) => reason(why, game)).join(t("history.join"));
  const sub = t("history.sub", { preset: presetName(game.preset), by, n: game.plies });
  return game.gave_up ? sentences([endText(game), sub]) : sub;
}

/** The winners' stones; in a draw those of the first two players, side by side. */
export const stonesOf = (game: FinishedView): Colour[] =>
  game.result.kind === "draw" ? ["black", "white"] : game.result.colours;

const DAY_MS = 24 * 60 * 60 * 1000;
const dayOf = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** "Today", "Yesterday", or the date. */
export function dayText(date: Date, now: Date): string {
  // Days are 23 to 25 hours long where clocks change.
  const ago = Math.round((dayOf(now) - dayOf(date)) / DAY_MS);
  if (ago === 0) return t("history.today");
  if (ago === 1) return t("history.yesterday");
  return new Intl.DateTimeFormat(locale(), { dateStyle: "long" }).format(date);
}

export const timeText = (date: Date): string => new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(date);

export type Day = { day: string; games: FinishedView[] };

/** The games, newest first, by day. */
export function byDay(games: readonly FinishedView[], now: Date): Day[] {
  const days: Day[] = [];
  for (const game of [...games].sort((a, b) => b.ended_s - a.ended_s)) {
    const day = dayText(endOf(game), now);
    const last = days.at(-1);
    if (last?.day === day) last.games.push(game);
    else days.push({ day, games: [game] });
  }
  return days;
}

export const endOf = (game: FinishedView): Date => new Date(game.ended_s * 1000);
