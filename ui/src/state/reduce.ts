// What an event of the core changes. Pure, so that it can be tested without a page.
import type { ApiError } from "../bindings/ApiError";
import type { AppEvent } from "../bindings/AppEvent";
import type { HomeView } from "../bindings/HomeView";
import type { TableView } from "../bindings/TableView";

export type Known = {
  home: HomeView | null;
  /** The tables followed on this device, by id. */
  tables: Record<string, TableView>;
  /** What was refused last, until something newer happens at that table. */
  refused: { table: string; error: ApiError } | null;
  /** A table that closed without being asked to, and why. */
  closed: { table: string; error: ApiError } | null;
};

export const NOTHING: Known = { home: null, tables: {}, refused: null, closed: null };

/** How the game stands, without what comes and goes by itself: links, and time that passes. */
const standing = ({ phase, game, moves, seats, offers, can_start }: TableView): string =>
  JSON.stringify([
    phase,
    game,
    moves.length,
    seats.map((seat) => [seat.name, seat.state === "open", seat.ready, seat.resigned]),
    offers.map((offer) => [offer.id, offer.agreed]),
    can_start,
  ]);

export function reduce(known: Known, event: AppEvent): Known {
  switch (event.type) {
    case "home":
      return { ...known, home: event.view };
    case "table": {
      const before = known.tables[event.view.table];
      const moved = !before || standing(before) !== standing(event.view);
      const refused = moved && known.refused?.table === event.view.table ? null : known.refused;
      return { ...known, refused, tables: { ...known.tables, [event.view.table]: event.view } };
    }
    case "closed": {
      const { [event.table]: _, ...tables } = known.tables;
      return { ...known, tables, closed: event.error ? { table: event.table, error: event.error } : known.closed };
    }
    case "study":
      return known;
    case "refused":
      return { ...known, refused: { table: event.table, error: event.error } };
  }
}

/** Takes the reply to what was asked when `asked` was known, unless an event has told of the same since: replies and events
    come by different ways, an event can overtake a reply, and it is the newer one. */
export function take(known: Known, asked: Known, reply: Extract<AppEvent, { type: "home" | "table" }>): Known {
  const told =
    reply.type === "home"
      ? known.home !== asked.home
      : known.tables[reply.view.table] !== asked.tables[reply.view.table];
  return told ? known : reduce(known, reply);
}
