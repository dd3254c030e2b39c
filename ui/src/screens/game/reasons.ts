// What points are and what stones would do there, reasons, stops and threats, in words for the eye and for the ear. The
// view holds the facts.
import type { ForbiddenView } from "../../bindings/ForbiddenView";
import type { PreviewView } from "../../bindings/PreviewView";
import type { ShapeView } from "../../bindings/ShapeView";
import type { StopView } from "../../bindings/StopView";
import type { TableView } from "../../bindings/TableView";
import type { ThreatView } from "../../bindings/ThreatView";
import type { WayView } from "../../bindings/WayView";
import type { Ghost } from "../../components/Drawing.svelte";
import { bounds, type Colour } from "../../components/geometry";
import { list, sentences, t, text } from "../../i18n/index.svelte";
import { nameOf } from "./names";
import { capital, number, undecided, type Say } from "./words";

type Groups = readonly (readonly string[])[];

const same = (a: Groups, b: Groups) => {
  const keys = (groups: Groups) => groups.map((group) => [...group].sort().join(" ")).sort().join(";");
  return keys(a) === keys(b);
};

/** What becomes of a stone that takes these groups; `null` if that choice is not allowed. */
export const wayOf = (preview: PreviewView, takes: Groups): WayView | null =>
  preview.ways.find((way) => same(way.takes, takes)) ?? null;

/** Whether a stone with this choice of groups stops the line that waits. */
export const stopsBy = (stop: StopView, takes: Groups): boolean => stop.choices.some((choice) => same(choice, takes));

/** A side in a sentence: the person's or CPU's name, or the colour where partners share it. */
export function sideName(table: TableView, colour: Colour): string {
  const seats = table.seats.filter((seat) => seat.colour === colour);
  const [only] = seats;
  if (seats.length !== 1 || !only) return t(`game.colour-${colour}`);
  return only.me ? t("common.you") : nameOf(table, only.seat);
}

const either = (points: readonly string[]): string =>
  points.reduce((first, second) => (first === "" ? second : t("because.or", { first, second })), "");

/** One shape in words; `adds`: with the points that would complete it. */
function shapeWords(shape: ShapeView, at: string, adds: boolean): string {
  // The point itself is named already.
  const others = (points: readonly string[]) => list(points.filter((point) => point !== at));
  switch (shape.shape) {
    case "centre":
      return t("because.centre", { at: shape.at });
    case "ring": {
      const [from, to] = bounds(shape.points);
      return t("because.ring", { from, to });
    }
    case "flank":
      return t("because.flank", { ends: list(shape.ends), points: list(shape.stones) });
    case "three":
    case "four": {
      const args = { points: others(shape.stones), adds: either(shape.adds) };
      return t(adds ? `because.${shape.shape}-adds` : `because.${shape.shape}`, args);
    }
    case "overline":
      return t("because.overline", { n: shape.stones.length, from: shape.stones[0]!, to: shape.stones.at(-1)! });
  }
}

/** Why a point may not be played, and what makes it so; the board shows the rest. */
export function sayReason(forbidden: ForbiddenView): Say {
  const shapes = forbidden.because.map((shape) => shapeWords(shape, forbidden.at, false));
  return { lead: text(`forbidden.${forbidden.why}`) ?? "", sub: sentences(shapes) };
}

/** The same for who listens: with the points that would complete the shapes. */
export const hearReason = (forbidden: ForbiddenView): string =>
  sentences([
    text(`forbidden.${forbidden.why}`) ?? "",
    ...forbidden.because.map((shape) => shapeWords(shape, forbidden.at, true)),
  ]);

/** Which points stop the line that waits; nothing where none waits. */
export function stopWords(table: TableView): string {
  const stops = table.board.stops.map((stop) => stop.at);
  const n = stops.length;
  return n === 0 ? "" : t("stop.points", { count: capital(number(n)), n, points: list(stops) });
}

/** What a stone would do to the line that waits, or to the game; `null` where it does neither. */
function sayEffect(table: TableView, at: string, takes: Groups): string | null {
  const preview = table.board.previews.find((p) => p.at === at);
  const way = preview ? wayOf(preview, takes) : null;
  if (preview && !way) return t("after.barred", { at });
  const names = list((way?.winners ?? []).filter((c) => c !== table.turn?.colour).map((c) => sideName(table, c)));
  if (way?.after === "wins") return t("game.say-wins", { at });
  if (way?.after === "joint") return t("after.joint", { at, names });
  if (table.board.overtime.length > 0) {
    const stop = table.board.stops.find((s) => s.at === at);
    if (!stop) return t("stop.not", { at });
    return t(stopsBy(stop, takes) ? "stop.does" : "stop.not-so", { at });
  }
  if (way?.after === "overtime") return t("after.overtime", { at });
  if (way?.after === "loses") return t("after.loses", { at, names, n: way.winners.length });
  if (way?.after === "draw") return t("after.draw", { at });
  return null;
}

/** What a stone aimed at would do. */
export function sayGhost(table: TableView, ghost: Ghost): Say {
  const at = ghost.at;
  if (ghost.sent) return { lead: t(table.cut_off ? "game.say-link" : "game.say-sent", { at }), sub: "" };
  const preview = table.board.previews.find((p) => p.at === at);
  const taken = ghost.takes.flat();
  const optional = preview?.optional ? t("game.say-optional") : "";
  const effect = sayEffect(table, at, ghost.takes);
  if (effect !== null) return { lead: effect, sub: optional || (taken.length > 0 ? sayTakes(table, at, taken) : "") };
  if (taken.length > 0) return { lead: sayTakes(table, at, taken), sub: optional || list(taken) };
  if (ghost.leaves.length > 0) return { lead: t("game.say-takes-none", { at }), sub: optional };
  if (ghost.lost.length > 0) return { lead: t("game.say-loses", { at, n: ghost.lost.length }), sub: list(ghost.lost) };
  return { lead: t("game.say-free", { at }), sub: "" };
}

/** What a point is, while a finger slides over it. */
export function sayPoint(table: TableView, at: string): Say {
  const stone = table.board.stones.find((s) => s.at === at);
  if (stone) return { lead: t("game.cell-stone", { at, colour: t(`colour.${stone.colour}`) }), sub: "" };
  const forbidden = table.board.forbidden.find((f) => f.at === at);
  if (forbidden) {
    const { lead, sub } = sayReason(forbidden);
    return { lead, sub: sentences([at, sub]) };
  }
  const preview = table.board.previews.find((p) => p.at === at);
  const colour = table.turn?.colour ?? "black";
  return sayGhost(table, { at, colour, sent: false, takes: preview?.takes ?? [], leaves: [], lost: preview?.lost ?? [] });
}

function sayTakes(table: TableView, at: string, taken: readonly string[]): string {
  const colours = new Set(table.board.stones.filter((s) => taken.includes(s.at)).map((s) => s.colour));
  const [only] = colours;
  if (colours.size !== 1 || !only) return t("game.say-takes-mixed", { at, n: taken.length });
  return t("game.say-takes", { at, n: taken.length, colour: t(`colour.${only}`) });
}

export function threatWords(table: TableView, threat: ThreatView): string {
  const { at } = threat;
  const name = sideName(table, threat.by);
  switch (threat.danger) {
    case "wins": {
      const names = list(threat.with.map((colour) => sideName(table, colour)));
      if (names !== "") return t("threat.joint", { name, at, names });
      return t(threat.conditions.includes("line") ? "threat.line" : "threat.captures", { name, at });
    }
    case "overtime":
      return t("threat.overtime", { name, at });
    case "captures":
      return t("threat.takes", { name, at, points: list(threat.stones) });
  }
}

/** How many threats are named beside the board; the marks show the others. */
const THREATS_SHOWN = 2;

/** What threatens this device's person, for the line above the foot. */
export function sayThreats(table: TableView): Say {
  const { threats } = table.board;
  const n = threats.length;
  if (n === 0) return { lead: t(undecided(table) ? "threat.opening" : "threat.none"), sub: "" };
  const shown = threats.slice(0, THREATS_SHOWN).map((threat) => threatWords(table, threat));
  const more = n - shown.length;
  const rest = more > 0 ? t("threat.more", { n: more }) : "";
  return { lead: capital(t("threat.count", { count: number(n), n })), sub: sentences([...shown, rest]) };
}

/** All of it for who listens. */
export function hearThreats(table: TableView): string {
  const { threats } = table.board;
  const { lead } = sayThreats(table);
  return sentences([lead, ...threats.map((threat) => threatWords(table, threat))]);
}

/** A free point's label for screen readers. */
export function emptyCell(view: TableView["board"], at: string, words: (threat: ThreatView) => string, warned: boolean): string {
  const preview = view.previews.find((p) => p.at === at);
  const takes = preview?.takes.flat() ?? [];
  const parts = [
    takes.length > 0
      ? t("game.cell-takes", { at, n: takes.length, points: takes.join(", ") })
      : t("game.cell-empty", { at }),
  ];
  if (preview?.ways[0]?.after === "wins") parts.push(t("cell.wins"));
  if (view.stops.some((stop) => stop.at === at)) parts.push(t("stop.cell"));
  const threats = warned ? view.threats.filter((threat) => threat.at === at) : [];
  parts.push(...threats.map((threat) => t("cell.danger", { words: words(threat) })));
  return parts.reduce((first, second) => t("cell.and", { first, second }));
}
