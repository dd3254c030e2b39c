// The lists of what Learn explains. The catalogue has the words; here is only what there is, and in which order.
import { text } from "../../i18n/index.svelte";

export const WORDS = [
  "point", "run", "five", "four", "open-four", "three", "four-three", "vcf", "double-three", "double-four", "overline",
  "forbidden", "capture", "flank", "pair", "tray", "moving-in", "overtime", "breakable", "swap2", "mixed", "team", "threat",
  "renju", "ninuki",
] as const;

export const QUESTIONS = [
  "capture", "safe", "six", "three", "overtime", "partner", "forbidden", "opening", "draw", "undo", "win",
] as const;

export const ORIGINS = ["capture-five", "pente", "pente-swap2", "gomoku", "wuziqi"] as const;

/** Rows of the table of 五子棋 and 連珠. */
export const DIFFERENCES = [1, 2, 3, 4, 5] as const;

/** Words whose name or explanation has all of what was typed. */
export function found(typed: string): readonly (typeof WORDS)[number][] {
  const parts = typed.toLocaleLowerCase().split(/\s+/).filter((part) => part !== "");
  return WORDS.filter((word) => {
    const whole = `${text(`word.${word}`)} ${text(`word.${word}.text`)}`.toLocaleLowerCase();
    return parts.every((part) => whole.includes(part));
  });
}

/** The step of a course that shows a word on the board. */
export const SHOWN: Readonly<Partial<Record<(typeof WORDS)[number], readonly [string, number]>>> = {
  five: ["five", 1],
  four: ["five", 4],
  "open-four": ["five", 6],
  three: ["five", 5],
  "four-three": ["four-three", 1],
  vcf: ["fours", 3],
  "double-three": ["double-three", 1],
  "double-four": ["forbidden", 2],
  overline: ["forbidden", 3],
  forbidden: ["forbidden", 1],
  capture: ["capture", 1],
  pair: ["capture", 4],
  "moving-in": ["moving-in", 1],
  overtime: ["overtime", 1],
  breakable: ["overtime", 3],
  swap2: ["swap2", 3],
  mixed: ["teams", 6],
  team: ["teams", 1],
};
