// What is asked of the people at the table, in words.
import type { OfferView } from "../../bindings/OfferView";
import type { SeatView } from "../../bindings/SeatView";
import type { TableView } from "../../bindings/TableView";
import type { TermsView } from "../../bindings/TermsView";
import { list, sentences, t } from "../../i18n/index.svelte";
import { optionName, valueText } from "../parts/options";
import { presetName } from "../parts/names";
import { nameOf } from "./names";

/** The one question that waits for this device's person: the oldest, one at a time. */
export const question = (table: TableView): OfferView | null => table.offers.find((offer) => offer.to_answer) ?? null;

/** What waits for others. Onlookers are spared it: nothing is asked of them, and the game shows what came of it. */
export const pending = (table: TableView): OfferView | null =>
  table.my_seat === null ? null : table.offers.find((offer) => offer.mine) ?? table.offers.find((offer) => !offer.to_answer) ?? null;

/** Who asks for what. */
export function askWords(table: TableView, offer: OfferView): string {
  const args = { name: nameOf(table, offer.seat), at: offer.at ?? "" };
  switch (offer.what) {
    case "undo":
      if (offer.mine) return t(offer.at ? "ask.own-undo" : "ask.own-undo-choice", args);
      return t(offer.at ? "ask.undo" : "ask.undo-choice", args);
    case "draw":
      return t(offer.mine ? "ask.own-draw" : "ask.draw", args);
    case "options":
      return t(offer.mine ? "ask.own-options" : "ask.options", args);
    case "resign":
      return t(offer.mine ? "ask.own-resign" : "ask.resign", args);
  }
}

/** What a yes would do besides, where that is not in the question. */
export function askMore(table: TableView, offer: OfferView): string {
  if (offer.what === "undo" && offer.takes_back > 1) return t("ask.undo-more", { n: offer.takes_back });
  return offer.terms ? termsWords(table, offer.terms).join(t("common.list-comma")) : "";
}

/** Who would have to agree, and where a game runs that it goes on meanwhile. */
export function agreeWords(table: TableView, asked: readonly SeatView[]): string {
  if (asked.length === 0) return "";
  const names = list(asked.map((seat) => nameOf(table, seat.seat)));
  const meanwhile = table.phase === "playing" ? t("menu.play-on") : "";
  return sentences([t("menu.has-to-agree", { names, n: asked.length }), meanwhile]);
}

/** What taking back would do now, and who has a say in it. */
export function undoWords(table: TableView): string {
  const { undo_waits_for, undo_at_once } = table.may;
  if (undo_waits_for !== null) return t("menu.undo-waits", { name: nameOf(table, undo_waits_for) });
  if (table.phase === "over") return t(undo_at_once ? "menu.undo-over" : "menu.undo-over-asks");
  return t(undo_at_once ? "menu.undo-at-once" : "menu.undo-asks");
}

/** Whose answer is missing. */
export const waitsWords = (table: TableView, offer: OfferView): string =>
  offer.waits_for.length === 0 ? "" : t("ask.waits", { names: list(offer.waits_for.map((seat) => nameOf(table, seat))) });

export function yesWords(offer: OfferView): string {
  if (offer.what === "undo") return t("ask.allow");
  return t(offer.what === "resign" ? "ask.resign-too" : "ask.agree");
}

/** How the next game would differ, a few words each. */
export function termsWords(table: TableView, terms: TermsView): string[] {
  if (terms.other_preset) return [presetName(terms.rules.preset), ...settingsWords(table, terms)];
  const changed = terms.changes.filter((name) => name !== "seats");
  const value = (name: string) => valueText(name, terms.rules.options[name] ?? "");
  const words = changed.map((name) => t("lobby.rule", { name: optionName(name), value: value(name) }));
  const all = [...words, ...settingsWords(table, terms)];
  return all.length > 0 ? all : [t("terms.same")];
}

export function graceWords(seconds: number | null): string {
  if (seconds === null) return t("grace.never");
  return seconds === 0 ? t("grace.at-once") : t("grace.value", { s: seconds });
}

function settingsWords(table: TableView, { settings, cpus }: TermsView): string[] {
  const now = table.settings;
  const onOff = (on: boolean) => t(on ? "value.on" : "value.off");
  const words: string[] = [];
  const say = (name: string, value: string) => words.push(t("lobby.rule", { name, value }));
  if (settings.grace_s !== now.grace_s) say(t("grace.name"), graceWords(settings.grace_s));
  if (settings.ranked !== now.ranked) say(t("ranked.name"), onOff(settings.ranked));
  if (settings.hidden !== now.hidden) say(t("hidden.name"), onOff(settings.hidden));
  if (settings.locked !== now.locked) say(t("pin.name"), onOff(settings.locked));
  const cpusNow = table.seats.filter((seat) => seat.state === "cpu").length;
  if (cpus.length !== cpusNow) words.push(t("terms.cpus", { n: cpus.length }));
  return words;
}
