// What the lobby says about starting. Whether it may start is the core's word (`can_start`).
import type { SeatView } from "../../bindings/SeatView";
import type { TableView } from "../../bindings/TableView";
import { list, t } from "../../i18n/index.svelte";
import { isolated } from "../../i18n/text";

/** People who are here and have not pressed Start. */
export const unready = (seats: readonly SeatView[]): SeatView[] =>
  seats.filter((seat) => !seat.ready && !seat.own && (seat.state === "human" || seat.state === "silent"));

export type StartLine = { words: string; off: boolean };

export function startLine(table: TableView): StartLine {
  const mine = table.seats.find((seat) => seat.own);
  const waiting = unready(table.seats);
  const free = table.seats.some((seat) => seat.state === "open");
  if (!mine) return { words: t(free ? "lobby.take-seat" : "watch.on"), off: true };
  if (mine.ready) {
    const names = list(waiting.map((seat) => isolated(seat.name)));
    return { words: waiting.length > 0 ? t("lobby.waiting-for", { names }) : t("lobby.starting"), off: true };
  }
  if (!table.can_start) return { words: t("lobby.need-two"), off: true };
  if (free) return { words: t("lobby.start-without"), off: false };
  return { words: waiting.length > 0 ? t("lobby.start-all") : t("lobby.start-now"), off: false };
}

/** The seat opposite the own one, in teams: sides alternate around the table, whoever starts. */
export function isPartner(seat: SeatView, table: TableView): boolean {
  const mine = table.seats.find((other) => other.me);
  return table.rules.teams && mine !== undefined && mine !== seat && mine.seat % 2 === seat.seat % 2;
}
