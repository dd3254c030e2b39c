// What the game screen says about a view. The view holds the facts; here they only become words.
import type { ResultView } from "../../bindings/ResultView";
import type { SeatView } from "../../bindings/SeatView";
import type { TableView } from "../../bindings/TableView";
import { list, sentences, t, text } from "../../i18n/index.svelte";
import { awaySeat, isShared, nameOf, playerOf, seatsInOrder, seriesWords, wasMe } from "./names";

/** A number as a word where there is one. */
export const number = (n: number): string => text(`number.${n}`) ?? String(n);

/** A sentence's first letter, where the language has capitals. */
export const capital = (sentence: string): string => sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);

/** Minutes and seconds. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.max(0, seconds % 60)).padStart(2, "0")}`;

/** In an opening where colours are chosen: nobody has taken one yet. */
export function undecided(table: TableView): boolean {
  const opening = table.rules.options.opening ?? "none";
  if (!opening.startsWith("place-") || table.phase !== "playing") return false;
  return !table.moves.some((move) => move.choice === "black" || move.choice === "white");
}

/** What kind of game it is, in a few parts: the second is left out where there is no room for it. */
export function subtitle(table: TableView): string[] {
  const ranked = table.counts === null ? [] : [t(table.counts ? "ranked.counts" : "ranked.no")];
  const watching = table.my_seat === null ? [t("watch.on")] : [];
  const series = table.game > 1 && table.phase === "playing" ? [seriesWords(table)] : [];
  return [...watching, ...ranked, ...series, ...kind(table)];
}

function kind(table: TableView): string[] {
  const { rules } = table;
  const size = t("game.sub-size", { n: rules.board });
  if (table.phase === "over") return [t("result.sub", { n: table.moves.filter((move) => move.at !== null).length })];
  if (rules.teams) return [t("game.sub-teams"), size];
  const seats = table.seats.filter((seat) => seat.colour !== null).length;
  const inARow = t("game.sub-line", { line: number(rules.line) });
  if (seats === 3) return [t("game.sub-3"), inARow];
  if (seats === 4) return [t("game.sub-4"), inARow];
  const changed = rules.differs.filter((name) => !["board", "seats", "show_coordinates", "pass_start"].includes(name));
  const only = changed[0];
  if (only === undefined) return [size];
  if (changed.length > 1) return [size, t("game.sub-many", { count: changed.length })];
  return [size, text(`short.${only}.${rules.options[only]}`) ?? text(`option.${only}`) ?? only];
}

/** One word or two about a seat while a game is on. */
export function seatState(table: TableView, seat: SeatView, sending: boolean): string {
  if (seat.resigned) return t("state.resigned");
  if (table.halt && table.turn?.seat === seat.seat) return t("state.halted");
  const cpuPlays = seat.state === "taken" || seat.state === "cpu";
  const goesOn = seat.own && table.turn?.mine === true;
  if (table.cut_off && !cpuPlays && !goesOn) return t(seat.own ? "state.no-link" : "state.not-heard");
  if (seat.state === "away" || seat.state === "silent") return absence(seat);
  if (table.offers.some((offer) => offer.to_answer && offer.seat === seat.seat)) return t("state.asks");
  const line = table.board.overtime[0];
  if (line && line.colour === seat.colour) return t("state.has-line", { line: number(line.points.length) });
  if (table.turn?.seat === seat.seat) return turnState(table, seat, sending);
  return restState(table, seat);
}

/** Who has left is not just cut off, however it is with the link. */
export const absence = (seat: SeatView): string =>
  t(seat.said_goodbye ? "state.left" : seat.state === "silent" ? "state.silent" : "state.away");

function turnState(table: TableView, seat: SeatView, sending: boolean): string {
  const turn = table.turn!;
  if (table.board.overtime.length > 0) return t("state.one-move");
  if (sending && seat.me) return t("state.sending");
  if (turn.must !== "place") return t(seat.me ? "state.you-choose" : "state.chooses");
  if (seat.state === "taken") return t("state.taken");
  if (turn.thinking || seat.state === "cpu") return t("state.thinking");
  return t(seat.me ? "state.your-turn" : "state.to-move");
}

function restState(table: TableView, seat: SeatView): string {
  if (seat.state === "taken") return t("state.taken");
  const seats = seatsInOrder(table);
  if (seats.length > 2 && table.turn) {
    const turnAt = seats.findIndex((other) => other.seat === table.turn!.seat);
    const at = seats.findIndex((other) => other.seat === seat.seat);
    if (at === (turnAt + 1) % seats.length) return t("state.next");
    const last = table.moves.at(-1);
    if (last?.at && last.seat === seat.seat) return t("state.played", { at: last.at });
    if (seat.me) return t("state.after", { name: nameOf(table, seats.at(at - 1)!.seat) });
  }
  if (seat.state === "cpu" && seat.level !== null) return t("state.level", { level: seat.level });
  return t(seat.me ? "state.next" : "state.here");
}

/** Whose resignation ended the game: the people of the side that lost. A CPU partner has no say in it. */
export function gaveUp(table: TableView, result: ResultView): SeatView[] {
  if (!result.by.includes("resignation")) return [];
  const lost = table.seats.filter(
    (seat) => seat.colour !== null && !result.winners.includes(seat.seat) && !result.colours.includes(seat.colour),
  );
  const people = lost.filter((seat) => seat.state !== "cpu");
  return people.length > 0 ? people : lost;
}

/** One word or two about a seat under a result. */
export function seatResult(table: TableView, seat: SeatView, result: ResultView): string {
  // The card is the newcomer's: what became of the one before stands above.
  if (seat.left_by !== null) return seat.ready ? t("state.ready") : seat.me ? "" : t("state.here");
  if (seat.resigned || gaveUp(table, result).some((gone) => gone.seat === seat.seat)) return t("state.resigned");
  if (seat.winner) {
    if (result.by.includes("captures") && table.rules.goal > 0 && seat.captured >= table.rules.goal) {
      return t("state.won-captures", { n: number(seat.captured) });
    }
    const line = table.board.lines.find((l) => l.colour === seat.colour);
    return line ? t("state.won-line", { line: number(line.points.length) }) : t("state.wins");
  }
  if (seat.state === "open") return t("common.free-seat");
  if (seat.ready) return t("state.ready");
  if (seat.state === "cpu" && seat.level !== null) return t("state.level", { level: seat.level });
  if (seat.state === "away" || seat.state === "silent") return absence(seat);
  return seat.me ? "" : t("state.here");
}

export type Say = { lead: string; sub: string };

/** Whose turn it is, when nothing else is to be said. */
export function sayTurn(table: TableView, how: { confirm: boolean; touch: boolean; slide: boolean }): Say {
  const turn = table.turn;
  if (!turn || table.halt) return { lead: "", sub: "" };
  const still = table.clock && !table.clock.running ? t("time.still") : "";
  if (table.cut_off && awaySeat(table)) return { lead: "", sub: t("cut.title") };
  const name = nameOf(table, turn.seat);
  if (!turn.mine) {
    if (table.seats[turn.seat]?.own && !turn.thinking) return { lead: "", sub: "" };
    if (turn.must !== "place") return { lead: "", sub: t("game.say-chooses", { name }) };
    const whose = t(turn.thinking ? "game.say-thinking" : "game.say-turn", { name });
    return { lead: "", sub: still ? sentences([whose, still]) : whose };
  }
  if (turn.must !== "place") return { lead: t("game.say-choose"), sub: "" };
  if (isShared(table)) {
    const before = table.moves.at(-1);
    const handOver = before && before.seat !== turn.seat ? t("here.pass", { name }) : "";
    return { lead: t("here.turn", { name }), sub: still || handOver };
  }
  const lead = undecided(table) ? t("game.say-colour", { colour: t(`colour.${turn.colour}`) }) : t("game.say-your-turn");
  if (still) return { lead, sub: still };
  if (how.slide) return { lead, sub: t("game.say-slide") };
  if (how.confirm) return { lead, sub: t("game.say-tap") };
  return { lead, sub: how.touch ? "" : t("game.say-click") };
}

/** Who has won. */
export function verdict(table: TableView, result: ResultView): string {
  if (result.kind === "draw") return t("result.draw");
  const winners = result.winners.map((seat) => table.seats[seat]!);
  const others = winners.filter((seat) => !wasMe(seat)).map((seat) => playerOf(table, seat));
  if (winners.length === 0) return t("result.colour-wins", { colour: list(result.colours.map((c) => t(`game.colour-${c}`))) });
  if (others.length === winners.length) {
    return others.length === 1 ? t("result.wins", { name: others[0]! }) : t("result.win-many", { names: list(others) });
  }
  return others.length === 0 ? t("result.you-win") : t("result.you-and", { names: list(others) });
}

/** Why, citing the rule that decided. */
export function reason(table: TableView, result: ResultView): string {
  const parts = result.by.map((why) => reasonFor(table, result, why));
  if (result.kind === "win" && result.winners.length === 0) parts.push(t("result.no-credit"));
  return sentences(parts.map(capital));
}

function reasonFor(table: TableView, result: ResultView, why: string): string {
  switch (why) {
    case "line":
      return lineReason(table, result);
    case "captures":
      return captureReason(table, result);
    case "resignation": {
      const gone = gaveUp(table, result);
      if (gone.length === 0) return "";
      if (gone.some(wasMe)) return t("result.you-resigned");
      return t("result.resigned", { name: list(gone.map((seat) => playerOf(table, seat))) });
    }
    default:
      return text(`result.${why}`) ?? "";
  }
}

function lineReason(table: TableView, result: ResultView): string {
  const line = result.line.length > 0 ? result.line : (table.board.lines[0]?.points ?? []);
  const args = { line: number(line.length), from: line[0] ?? "", to: line.at(-1) ?? "" };
  if (result.overline !== "wins") return t("result.line-exact", args);
  return t(line.length > table.rules.line ? "result.line-longer" : "result.line", args);
}

function captureReason(table: TableView, result: ResultView): string {
  const seat = result.winners.map((s) => table.seats[s]!).find((s) => s.captured >= table.rules.goal);
  if (!seat) return t("result.captures-some", { n: number(table.rules.goal) });
  const n = number(seat.captured);
  return wasMe(seat) ? t("result.you-captured", { n }) : t("result.captures", { name: playerOf(table, seat), n });
}
