// What a move was worth, from what the core has found. Hints and judgement come from the same search.
import type { JudgedView } from "../../bindings/JudgedView";
import type { SuggestionView } from "../../bindings/SuggestionView";

export type Verdict = "doubtful" | "mistake";

/** A move that gives away so much of the chance to win is doubtful, or a mistake. */
const DOUBTFUL = 0.1;
const MISTAKE = 0.25;

/** The sign beside such a move, as the books have it. */
export const SIGN: Record<Verdict, string> = { doubtful: "?!", mistake: "?" };

/** How much of the chance to win the move that was played gave away; `null` where it is not known. */
export function loss(judged: JudgedView, at: string | null, hints: readonly SuggestionView[]): number | null {
  const deeper = (hints[0]?.depth ?? 0) > (judged.best[0]?.depth ?? 0) ? hints : judged.best;
  const best = deeper[0];
  if (!best) return null;
  // What is shown as a hint is worth what the hint says.
  const played = deeper.find((line) => line.at === at)?.chance ?? judged.played;
  return played === null ? null : Math.max(0, best.chance - played);
}

export function verdict(judged: JudgedView, at: string | null, hints: readonly SuggestionView[] = []): Verdict | null {
  const lost = loss(judged, at, hints);
  if (lost === null || lost < DOUBTFUL) return null;
  return lost < MISTAKE ? "doubtful" : "mistake";
}

/** The point of an action in a game's words; `null` for a choice or an end. */
export const pointOf = (action: string): string | null => /^[A-S]\d+/.exec(action)?.[0] ?? null;
