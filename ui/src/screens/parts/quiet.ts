// How loud the marks on stones are.
import type { Settings } from "../../bindings/Settings";
import type { Colour } from "../../components/geometry";

/** Two colours are told apart without loud marks, unless somebody wants them. */
export const isQuiet = (players: readonly { colour: Colour }[], settings: Pick<Settings, "clear_marks"> | null): boolean =>
  new Set(players.map((player) => player.colour)).size <= 2 && !settings?.clear_marks;
