// The keys of the board: what each means there. No state but what has been typed so far.
import { place, pointAt, typedPoint } from "./geometry";

/** A second key belongs to a point being typed if it comes within this time, in milliseconds. */
export const TYPING_MS = 700;

/** The point that a moving key leads to, or `null` if the key does not move. */
export function step(from: string, key: string, size: number): string | null {
  const { column, row } = place(from);
  const last = size - 1;
  switch (key) {
    case "ArrowLeft":
      return pointAt({ column: Math.max(0, column - 1), row });
    case "ArrowRight":
      return pointAt({ column: Math.min(last, column + 1), row });
    case "ArrowUp":
      return pointAt({ column, row: Math.min(last, row + 1) });
    case "ArrowDown":
      return pointAt({ column, row: Math.max(0, row - 1) });
    case "Home":
      return pointAt({ column: 0, row });
    case "End":
      return pointAt({ column: last, row });
    case "PageUp":
      return pointAt({ column, row: last });
    case "PageDown":
      return pointAt({ column, row: 0 });
    default:
      return null;
  }
}

/** What a letter asks for. Reading the board: `last` goes to the last stone, the others are told. */
export type KeyCommand = "last" | "trays" | "rules" | "threats" | "takes" | "line" | "time" | "repeat" | "keys";
export const COMMANDS: Readonly<Record<string, KeyCommand>> = {
  l: "last",
  t: "trays",
  r: "rules",
  w: "threats",
  x: "takes",
  v: "line",
  u: "time",
  z: "repeat",
  k: "keys",
};

export type Typed = {
  /** What has been typed of a point, to be handed in with the next key. */
  rest: string;
  /** Where the keys typed so far lead. */
  point: string | null;
  /** A letter that is a command, too: to be carried out at once, or, if it also names a column, when no number follows. */
  command: KeyCommand | null;
  wait: boolean;
};

/** One more letter or digit after `before`; `null` if the key is neither. */
export function type(before: string, key: string, size: number): Typed | null {
  if (/^[a-z]$/i.test(key)) {
    const letter = key.toLowerCase();
    const column = typedPoint(`${letter}1`, size) !== null;
    return { rest: column ? letter : "", point: null, command: COMMANDS[letter] ?? null, wait: column };
  }
  if (!/^\d$/.test(key) || before === "") return null;
  const point = typedPoint(before + key, size);
  return { rest: point === null ? "" : before + key, point, command: null, wait: false };
}
