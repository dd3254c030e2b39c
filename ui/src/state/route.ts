import type { PositionRequest } from "../bindings/PositionRequest";

// Where the person is. Kept in the browser's history, so that the system's Back button works everywhere.

export type Route =
  | { screen: "home" }
  | { screen: "setup"; cpu: boolean }
  /** `watch`: it was come to for looking on. */
  | { screen: "table"; table: string; watch?: true }
  /** Other terms for the next game at a table. */
  | { screen: "terms"; table: string }
  /** What was continued apart at a table. */
  | { screen: "branch"; table: string; head: string }
  /** A game to be gone through, by its name, or a position; the empty board without either. */
  | { screen: "study"; game?: string; position?: PositionRequest }
  /** Courses, puzzles, words and questions. */
  | { screen: "learn"; part: LearnPart }
  | { screen: "lesson"; topic: string; number: number }
  | { screen: "puzzle"; name: string }
  | { screen: "settings" }
  | { screen: "history" };

export const LEARN_PARTS = ["courses", "puzzles", "words", "questions"] as const;
export type LearnPart = (typeof LEARN_PARTS)[number];

export const HOME: Route = { screen: "home" };

/** What was kept in a history entry, checked: it may be older than this version of the page. */
export function routeOf(state: unknown): Route {
  if (typeof state !== "object" || state === null || !("screen" in state)) return HOME;
  const kept = state as Record<string, unknown>;
  switch (kept.screen) {
    case "setup":
      return { screen: "setup", cpu: kept.cpu === true };
    case "table":
      if (typeof kept.table !== "string") return HOME;
      return { screen: "table", table: kept.table, ...(kept.watch === true ? { watch: true } : {}) };
    case "terms":
      return typeof kept.table === "string" ? { screen: "terms", table: kept.table } : HOME;
    case "branch":
      return typeof kept.table === "string" && typeof kept.head === "string"
        ? { screen: "branch", table: kept.table, head: kept.head }
        : HOME;
    case "study":
      // The core has the last word about a position.
      if (typeof kept.game === "string") return { screen: "study", game: kept.game };
      if (typeof kept.position !== "object" || kept.position === null) return { screen: "study" };
      return { screen: "study", position: kept.position as PositionRequest };
    case "learn":
      return { screen: "learn", part: LEARN_PARTS.find((part) => part === kept.part) ?? "courses" };
    case "lesson":
      return typeof kept.topic === "string" && typeof kept.number === "number"
        ? { screen: "lesson", topic: kept.topic, number: kept.number }
        : { screen: "learn", part: "courses" };
    case "puzzle":
      return typeof kept.name === "string" ? { screen: "puzzle", name: kept.name } : { screen: "learn", part: "puzzles" };
    case "settings":
      return { screen: "settings" };
    case "history":
      return { screen: "history" };
    default:
      return HOME;
  }
}

/** The table that a screen is about, if it is about one that this device is at. */
export function tableOf(route: Route): string | null {
  switch (route.screen) {
    case "table":
    case "terms":
      return route.table;
    case "branch":
    case "study":
    case "home":
    case "setup":
    case "learn":
    case "lesson":
    case "puzzle":
    case "settings":
    case "history":
      return null;
  }
}

/** Whoever came to look on comes back for that. */
export const isWatching = (route: Route): boolean => route.screen === "table" && route.watch === true;

/** The table that a change of route leaves behind, if it leaves one. A look at what was continued apart, or at the
 * game's course, does not. */
export function leavesTable(from: Route, to: Route): string | null {
  const left = tableOf(from);
  if (left === null || to.screen === "branch" || to.screen === "study") return null;
  return tableOf(to) === left ? null : left;
}

/**
 * Whether going on replaces the present history entry instead of adding one: Back from a table leads home, not to the
 * set-up that opened it.
 */
export function replaces(from: Route, to: Route): boolean {
  return from.screen === to.screen || (from.screen === "setup" && to.screen === "table");
}
