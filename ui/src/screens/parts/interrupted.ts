// An interrupted game in words.
import type { InterruptedView } from "../../bindings/InterruptedView";
import { list, t } from "../../i18n/index.svelte";
import { isolated } from "../../i18n/text";
import { othersText, presetName } from "./names";

/** Who it is against. Before the first stone seats may be free: then only people are named. */
export function playersText(game: InterruptedView, own: string): string {
  const people = game.names.filter((name) => name !== "");
  const others = people.length > 1 && game.ply === 0 ? people : game.names;
  return othersText(others, own);
}

export function gameTitle(game: InterruptedView, own: string): string {
  if (game.over) return t("home.again");
  return game.my_turn ? t("home.your-turn") : t("home.against", { names: playersText(game, own) });
}

/** `open`: somebody has the table open on this network. */
export function gameSub(game: InterruptedView, own: string, open: boolean): string {
  const move = game.ply + 1;
  if (game.alone) return game.over ? t("home.over") : t("home.sub-alone", { preset: presetName(game.preset), move });
  const how = game.over ? t("home.over") : game.ply === 0 ? t("home.not-begun") : t("home.move", { move });
  const here = game.here.filter((name) => name !== own).map(isolated);
  // Who is at a hidden table cannot be known from here: nobody is said to be missing.
  if (here.length === 0 && !open) return how;
  const who = here.length > 0 ? t("home.here", { names: list(here), n: here.length }) : t("home.open");
  return t("home.two-sentences", { who, how });
}
