// What a puzzle asks, in words.
import type { PuzzleView } from "../../bindings/PuzzleView";
import { sentences, t } from "../../i18n/index.svelte";
import { capital } from "../game/words";

/** Who moves, and whether to win or to hold; how many stones a win takes. */
export function asked(view: PuzzleView): string {
  const colour = view.position.turn ? t(`colour.${view.position.turn.colour}`) : "";
  if (!view.wins) return capital(t("puzzle.hold-some", { colour }));
  return sentences([capital(t("puzzle.win", { colour })), t("puzzle.length", { n: view.stones })]);
}
