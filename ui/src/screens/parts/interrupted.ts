// An interrupted game in words.
import type { InterruptedView } from "../../bindings/InterruptedView";
import { list, t, text } from "../../i18n/index.svelte";
import { othersText } from "./people";

export const presetName = (preset: string): string => text(`preset.${preset}`) ?? preset;

export function gameTitle(game: InterruptedView, own: string): string {
  if (game.over) return t("home.again");
  return game.my_turn ? t("home.your-turn") : t("home.against", { names: othersText(game.names, own) });
}

export function gameSub(game: InterruptedView, own: string): string {
  const here = game.here.filter((name) => name !== own);
  const names = list(here);
  const move = game.ply + 1;
  if (game.over) {
    if (game.alone) return t("home.over-alone");
    return here.length > 0 ? t("home.over-here", { names, n: here.length }) : t("home.over-nobody");
  }
  if (game.alone) return t("home.sub-alone", { preset: presetName(game.preset), move });
  return here.length > 0 ? t("home.sub-here", { names, n: here.length, move }) : t("home.sub-nobody", { move });
}
