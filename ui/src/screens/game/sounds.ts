// What is to be heard and felt when a new view replaces an old one. Pure; `state/sound.ts` makes the sound.
import type { TableView } from "../../bindings/TableView";

export type Sound = "stone" | "take" | "turn" | "ask" | "win" | "end";

/** In the order in which they sound, the loudest news last. */
export function soundsOf(before: TableView, after: TableView): Sound[] {
  const sounds: Sound[] = [];
  const moves = before.game === after.game ? after.moves.slice(before.moves.length) : [];
  if (moves.some((move) => move.took.length > 0 || move.lost.length > 0)) sounds.push("take");
  else if (moves.some((move) => move.at !== null)) sounds.push("stone");
  if (after.result && !before.result) sounds.push(after.seats.some((seat) => seat.own && seat.winner) ? "win" : "end");
  else if (isTurnNew(before, after)) sounds.push("turn");
  const known = new Set(before.offers.map((offer) => offer.id));
  if (after.offers.some((offer) => offer.to_answer && !known.has(offer.id))) sounds.push("ask");
  return sounds;
}

/** It has just become this device's person's turn, after somebody else's or at the start. */
export const isTurnNew = (before: TableView, after: TableView): boolean =>
  after.turn?.mine === true && !(before.turn?.mine === true && before.moves.length === after.moves.length && before.game === after.game);
