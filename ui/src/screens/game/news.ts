// What a screen reader is told when a new view replaces an old one. Nothing here is seen.
import type { MoveView } from "../../bindings/MoveView";
import type { TableView } from "../../bindings/TableView";
import { sentence, sentences, t } from "../../i18n/index.svelte";
import { askMore, askWords, waitsWords } from "./asks";
import { haltSub, haltTitle } from "./halt";
import { isShared, keeperWords, nameOf } from "./names";
import { newNotices, noticeWords } from "./notices.svelte";
import { stopWords } from "./reasons";
import { number, reason, verdict } from "./words";

export type News = { polite: string[]; assertive: string[] };

export function news(before: TableView, after: TableView): News {
  const polite: string[] = [];
  const assertive: string[] = [];
  if (before.game === after.game) {
    for (const move of after.moves.slice(before.moves.length)) polite.push(...moveNews(after, move));
  }
  if (after.result && !before.result) assertive.push(sentences([verdict(after, after.result), reason(after, after.result)]));
  const line = after.board.overtime[0];
  if (line && before.board.overtime.length === 0) {
    const [from, to] = [line.points[0]!, line.points.at(-1)!];
    const args = { colour: t(`game.colour-${line.colour}`), line: number(line.points.length), from, to };
    assertive.push(sentences([t("news.overtime", args), stopWords(after)]));
  }
  seatNews(before, after, polite, assertive);
  offerNews(before, after, polite, assertive);
  for (const notice of newNotices(before, after)) polite.push(noticeWords(after, notice));
  if (after.halt && !before.halt) assertive.push(sentences([haltTitle(after.halt), haltSub(after.halt)]));
  if (after.cut_off && !before.cut_off) assertive.push(t("cut.wait-title"));
  if (after.waiting?.why === "keeper" && before.waiting?.why !== "keeper") {
    assertive.push(keeperWords(after, after.waiting));
  }
  if (after.turn?.mine && !(before.turn?.mine && before.moves.length === after.moves.length)) {
    polite.push(isShared(after) ? t("here.turn", { name: nameOf(after, after.turn.seat) }) : t("news.your-turn"));
  }
  return { polite: polite.map(sentence), assertive: assertive.map(sentence) };
}

/**
 * Somebody who was away is back, or a link that was lost, or the CPU plays for who is away, or waits without end: what
 * was said about that holds no longer.
 */
export function isEased(before: TableView, after: TableView): boolean {
  const isOther = after.seats.some((seat) => {
    const was = before.seats[seat.seat];
    const counted = was?.grace_left_ms !== null && seat.grace_left_ms === null;
    return was !== undefined && (was.state === "away" || was.state === "taken") && (was.state !== seat.state || counted);
  });
  const links = before.cut_off && !after.cut_off;
  return isOther || links || (before.waiting?.why === "keeper" && after.waiting?.why !== "keeper");
}

function moveNews(table: TableView, move: MoveView): string[] {
  const me = table.seats[move.seat]?.me ?? false;
  const name = nameOf(table, move.seat);
  const said: string[] = [];
  if (move.choice) said.push(choiceWords(table, move));
  else if (move.at && !me) said.push(t("news.plays", { name, at: move.at }));
  if (move.took.length > 0) {
    const total = table.seats[move.seat]?.captured ?? 0;
    const args = { name, n: move.took.length, points: move.took.join(", "), total, goal: table.rules.goal };
    said.push(t(me ? "news.you-take" : "news.takes", args));
  }
  if (move.lost.length > 0) {
    const args = { name, n: move.lost.length, points: move.lost.join(", ") };
    said.push(t(me ? "news.you-lose" : "news.loses", args));
  }
  return said;
}

/** A choice in an opening, for the list of moves and for the news. */
export function choiceWords(table: TableView, move: MoveView): string {
  const me = table.seats[move.seat]?.me ?? false;
  const name = nameOf(table, move.seat);
  if (move.choice === "add") return t(me ? "game.you-added" : "game.added", { name });
  const colour = t(move.choice === "white" ? "colour.white" : "colour.black");
  return t(me ? "game.you-took-colour" : "game.took-colour", { name, colour });
}

/** Questions to this device's person are said at once; others' are told when there is a pause. */
function offerNews(before: TableView, after: TableView, polite: string[], assertive: string[]) {
  if (after.my_seat === null) return;
  const known = new Set(before.offers.map((offer) => offer.id));
  for (const offer of after.offers) {
    if (known.has(offer.id)) continue;
    const words = [askWords(after, offer), askMore(after, offer)];
    if (offer.to_answer) assertive.push(sentences(words));
    else polite.push(sentences([...words, waitsWords(after, offer)]));
  }
}

function seatNews(before: TableView, after: TableView, polite: string[], assertive: string[]) {
  for (const seat of after.seats) {
    const was = before.seats[seat.seat];
    if (!was || seat.own) continue;
    const name = nameOf(after, seat.seat);
    const left = seat.said_goodbye && !was.said_goodbye;
    if (seat.state === "away" && was.state !== "away") {
      const cpu = seat.grace_left_ms === null ? "" : t("news.cpu-in", { s: Math.ceil(seat.grace_left_ms / 1000) });
      // Whoever left was told of when they said goodbye, a moment before.
      const gone = left ? t("news.left", { name }) : was.said_goodbye ? "" : t("news.away", { name });
      if (gone !== "" || cpu !== "") assertive.push(sentences([gone, cpu]));
    } else if (left) {
      assertive.push(t("news.left", { name }));
    }
    if (after.phase === "over" && seat.ready && !was.ready) polite.push(t("news.again", { name }));
  }
}
