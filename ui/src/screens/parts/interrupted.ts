// An interrupted game in words.
import type { InterruptedView } from "../../bindings/InterruptedView";
import { list, sentences, t } from "../../i18n/index.svelte";
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

/**
 * Which game it is, how far it has come, and who is there; under a title that does not name the others (`unnamed`) also
 * whom it is against. `open`: somebody has the table open on this network.
 */
export function gameSub(game: InterruptedView, own: string, open: boolean, unnamed = false): string {
  const [preset, move] = [presetName(game.preset), game.ply + 1];
  const runs = game.ply > 0 && !game.over;
  const what = runs ? [t("home.sub-game", { preset, move })] : [preset, t(game.over ? "home.over" : "home.not-begun")];
  const here = game.here.filter((name) => name !== own).map(isolated);
  // Who is at a hidden table cannot be known from here: nobody is said to be missing.
  const who = here.length > 0 ? t("home.here", { names: list(here), n: here.length }) : open ? t("home.open") : "";
  const against = unnamed ? t("home.against", { names: playersText(game, own) }) : "";
  const parts = [against, ...what, who].filter((part) => part !== "");
  return parts.length === 1 ? parts[0]! : sentences(parts);
}

/** What stands below the title, which says who is played only where nothing is to be done. */
export const titleSub = (game: InterruptedView, own: string, open: boolean): string =>
  gameSub(game, own, open, game.over || game.my_turn);
