// What a move was worth, from what the core has found. Hints and judgement come from the same search.
import type { JudgedView } from "../../bindings/JudgedView";
import type { SuggestionView } from "../../bindings/SuggestionView";
import type { Node } from "./tree";

export type Verdict = "doubtful" | "mistake";

/** A move that gives away so much of the chance to win is doubtful, or a mistake. */
const DOUBTFUL = 0.1;
const MISTAKE = 0.25;

/** The sign beside such a move, as the books have it. */
export const SIGN: Record<Verdict, string> = { doubtful: "?!", mistake: "?" };

/** Best moves of one position, the best first. */
export type Lines = readonly SuggestionView[];

/** Stones that were looked ahead. */
export const depthOf = (lines: Lines): number => lines[0]?.depth ?? 0;

/** What is known of a game, with the best moves that were looked for on their own in place of those found in passing. */
export function deepened(judged: ReadonlyMap<number, JudgedView>, hinted: ReadonlyMap<Node, Lines>): ReadonlyMap<number, JudgedView> {
  const all = new Map(judged);
  for (const [at, best] of hinted) {
    const known = at.main && best.length > 0 ? all.get(at.depth) : undefined;
    if (known) all.set(at.depth, { ...known, best: [...best] });
  }
  return all;
}

/** How much of the chance to win the move that was played gave away; `null` where it is not known. */
export function loss(judged: JudgedView, at: string | null): number | null {
  const best = judged.best[0];
  if (!best) return null;
  // What is shown as a hint is worth what the hint says.
  const played = judged.best.find((line) => line.at === at)?.chance ?? judged.played;
  return played === null ? null : Math.max(0, best.chance - played);
}

export function verdict(judged: JudgedView, at: string | null): Verdict | null {
  const lost = loss(judged, at);
  if (lost === null || lost < DOUBTFUL) return null;
  return lost < MISTAKE ? "doubtful" : "mistake";
}

/** The point of an action in a game's words; `null` for a choice or an end. */
export const pointOf = (action: string): string | null => /^[A-S]\d+/.exec(action)?.[0] ?? null;
