// What the study screen says about positions. The views hold the facts; here they only become words.
import type { JudgedView } from "../../bindings/JudgedView";
import type { MoveView } from "../../bindings/MoveView";
import type { PositionView } from "../../bindings/PositionView";
import type { SideThreatsView } from "../../bindings/SideThreatsView";
import type { SuggestionView } from "../../bindings/SuggestionView";
import type { Colour } from "../../components/geometry";
import { list, sentence, sentences, t } from "../../i18n/index.svelte";
import { isolated } from "../../i18n/text";
import { capital } from "../game/words";
import { loss, SIGN, verdict } from "./judge";

/** Names in turn order: empty for CPUs, `null` for somebody who has given none. */
export type Names = readonly (string | null)[];

export const percent = (chance: number): number => Math.round(chance * 100);

export const colourName = (colour: Colour): string => t(`study.the-${colour}`);

/** Who plays: a name where there is one. */
export function playerName(names: Names, player: number, colour: Colour | null): string {
  const name = names[player];
  if (name) return isolated(name);
  if (name === "") return t("common.cpu");
  return colour ? colourName(colour) : "";
}

/** The last move, and the stones that it took by their numbers. */
export function moveWords(view: PositionView, names: Names): string {
  const move = view.moves.at(-1);
  if (!move) return t(view.board.stones.length > 0 ? "study.from-here" : "study.empty-board");
  const name = playerName(names, move.seat, move.colour);
  if (move.at === null) return choiceWords(move, name);
  const played = t("study.plays", { n: move.ply, name, at: move.at });
  const gone = view.board.taken;
  if (gone.length === 0) return played;
  const stones = list(gone.map((stone) => (stone.ply > 0 ? t("study.number-at", { n: stone.ply, at: stone.at }) : stone.at)));
  return t("study.plays-takes", { played, stones, count: gone.length });
}

function choiceWords(move: MoveView, name: string): string {
  if (move.choice === "add") return t("study.adds", { name });
  if (move.choice !== null && move.colour) return t("study.chooses", { name, colour: colourName(move.colour) });
  return move.colour ? t("study.resigns", { name }) : t("study.draw-agreed");
}

/** Stones that lie there no longer and whose points are used again, so that nobody looks for their numbers in vain. */
export function goneWords(view: PositionView): string {
  const numbered = view.gone.filter((gone) => gone.stone.ply > 0);
  if (numbered.length === 0) return "";
  const stones = numbered.map((gone) => t("study.gone-one", { n: gone.stone.ply, at: gone.stone.at, by: gone.by }));
  return t("study.gone", { stones: list(stones) });
}

/** How the game ended, or whose turn it is. */
export function standWords(view: PositionView, names: Names): string {
  if (view.result) {
    if (view.result.kind === "draw") return t("study.ends-draw");
    const sides = list(view.result.colours.map((colour) => sideName(view, names, colour)));
    return t("study.ends-win", { sides, n: view.result.colours.length });
  }
  if (!view.turn) return "";
  const name = playerName(names, view.turn.player, view.turn.colour);
  const stands = view.turn.must === "place" ? t("study.to-move", { name }) : t("study.to-choose", { name });
  const line = view.board.overtime[0];
  if (!line) return stands;
  const stops = list(view.board.stops.map((stop) => stop.at));
  return sentences([t("study.overtime", { name: colourName(line.colour), points: line.points.join(" ") }), t("study.stops", { points: stops }), stands]);
}

/** Partners share a colour: both are named. */
export function sideName(view: PositionView, names: Names, colour: Colour): string {
  const players = view.players.filter((player) => player.colour === colour);
  return [...new Set(players.map((player) => playerName(names, player.player, colour)))].join(" + ");
}

/** What a best move promises. */
export function hintWords(hint: SuggestionView): string {
  if (hint.win_in !== null) return t(hint.chance >= 0.5 ? "study.wins-in" : "study.loses-in", { n: hint.win_in });
  return t("study.chance", { n: percent(hint.chance) });
}

/** What was wrong with a move, with what was better. */
export function mistakeWords(judged: JudgedView | undefined, move: MoveView | undefined): string {
  if (!judged || !move?.at) return "";
  const named = verdict(judged, move.at);
  const best = judged.best[0];
  if (!named || !best) return "";
  const lost = loss(judged, move.at) ?? 0;
  const args = { at: move.at, sign: SIGN[named], from: percent(best.chance), to: percent(Math.max(0, best.chance - lost)), best: best.at };
  if (best.chance >= 1) return t("study.missed-win", args);
  return t(named === "mistake" ? "study.mistake" : "study.doubtful", args);
}

/** Who could do what with the next stone, a sentence a side; the strongest only. */
export function threatWords(view: PositionView, names: Names): string[] {
  return view.threats.map((side) => threatsOf(view, names, side)).filter((words) => words !== "");
}

function threatsOf(view: PositionView, names: Names, side: SideThreatsView): string {
  const name = sideName(view, names, side.side);
  const parts: string[] = [];
  if (side.wins.length > 0) parts.push(t("study.threat-wins", { points: list(side.wins.map((win) => win.at)) }));
  for (const kind of ["open-four", "double-four", "four-and-three", "four", "double-three", "open-three"] as const) {
    const points = side.makes.filter((made) => made.makes === kind).map((made) => made.at);
    // Of weak threats there are many: those are named where nothing stronger is there.
    const weak = kind === "four" || kind === "open-three" || kind === "double-three";
    if (points.length > 0 && !(weak && parts.length > 0)) parts.push(t(`study.makes-${kind}`, { points: list(points) }));
  }
  if (side.takes.length > 0) {
    parts.push(t("study.threat-takes", { points: list(side.takes.map((take) => take.at)) }));
  }
  if (parts.length === 0) return "";
  return sentence(capital(t("study.threats-of", { name, what: list(parts) })));
}
