// Who somebody plays with, where, and what, in words.
import { list, t, text } from "../../i18n/index.svelte";
import { isolated } from "../../i18n/text";

/** The names of the others, the own one left out once; CPU seats have no name and are named together. */
export function others(names: readonly string[], own: string): string[] {
  const at = own === "" ? -1 : names.indexOf(own);
  const left = names.filter((_, seat) => seat !== at);
  const people = left.filter((name) => name !== "").map(isolated);
  return people.length < left.length ? [...people, t("home.the-cpu")] : people;
}

/** The same in one phrase. */
export const othersText = (names: readonly string[], own: string): string => list(others(names, own));

/** How the search stands. Seconds only while nothing is found: how long ago a row came or changed says nothing about a
    table that is listed, since it answers. */
export const searchWords = (tables: number, searching_s: number): string =>
  tables > 0 ? t("home.found") : t("home.searching", { s: searching_s });

/** What a table is called: after the person who opened it. */
export const tableName = (opener: string): string =>
  opener === "" ? t("home.table-nameless") : t("home.table-of", { name: isolated(opener) });

/** The game's name; one that this version does not know is shown as it is. */
export const presetName = (preset: string): string => text(`preset.${preset}`) ?? preset;
