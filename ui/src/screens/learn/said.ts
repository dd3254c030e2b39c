// A position in words, for whoever does not see the board, and what came of a try.
import type { PositionView } from "../../bindings/PositionView";
import type { TriedView } from "../../bindings/TriedView";
import { capital } from "../game/words";
import { list, sentences, t, text } from "../../i18n/index.svelte";

const COLOURS = ["black", "white", "blue", "red"] as const;

/** The stones of each colour, what was captured, and whose turn it is. */
export function inWords(position: PositionView): string {
  const colours = COLOURS.filter((colour) => position.players.some((player) => player.colour === colour));
  const stones = colours.map((colour) => {
    const points = position.board.stones.filter((stone) => stone.colour === colour).map((stone) => stone.at);
    return t("learn.stones", { colour: capital(t(`colour.${colour}`)), points: points.length > 0 ? list(points) : t("learn.nobody") });
  });
  return sentences([...stones, ...captured(position), position.turn ? t("learn.to-move", { colour: capital(t(`colour.${position.turn.colour}`)) }) : ""]);
}

/** What each side has captured, where there are captures at all; always so many words, so that nothing moves when it changes. */
export function captured(position: PositionView): string[] {
  if (position.rules.goal === 0) return [];
  const counts = COLOURS.flatMap((colour) => {
    const player = position.players.find((known) => known.colour === colour);
    return player ? [t("learn.count", { colour: t(`colour.${colour}`), n: player.captured })] : [];
  });
  return [t("learn.captured", { counts: counts.join(t("common.list-comma")) })];
}

/** What the other side answered; empty where it did not. */
export function replyWords(tried: TriedView): string {
  const colour = tried.between.turn?.colour;
  return tried.reply === null || !colour ? "" : t("learn.reply", { colour: capital(t(`colour.${colour}`)), at: tried.reply.replace(/\[.*/, "") });
}

/** Why a point may not be played, in the words that the game has for it. */
export const forbiddenWords = (tried: TriedView): string => text(`forbidden.${tried.forbidden?.why ?? ""}`) ?? "";
