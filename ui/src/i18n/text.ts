// Filling in sentences and choosing the language; no state.

export type Args = Record<string, string | number>;
export type Language = "en" | "zh-TW" | "ja";
export const LANGUAGES: readonly Language[] = ["en", "zh-TW", "ja"];

/** `{name}` is replaced by the argument, `{n|stone|stones}` by the first word if `n` is 1 and by the second if not. */
export function fill(pattern: string, args: Args): string {
  return pattern.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = args[name];
    if (value === undefined) return whole;
    if (one === undefined || many === undefined) return String(value);
    return Number(value) === 1 ? one : many;
  });
}

/** Letters that run from right to left, and marks that turn the direction. */
const TURNS = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u200F\u202A-\u202E\u2066-\u2069\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const MARKS = /[\u202A-\u202E\u2066-\u2069]/gu;
const BREAKS = /[\u2028\u2029]/gu;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ["\u2068", "\u2069"];

/** A name as it goes into a sentence: whichever way it is written, and whatever marks are in it, what stands around it stays in order. */
export function isolated(name: string): string {
  const oneLine = name.replace(BREAKS, " ");
  if (!TURNS.test(oneLine)) return oneLine;
  return `${FIRST_STRONG_ISOLATE}${oneLine.replace(MARKS, "")}${POP_ISOLATE}`;
}

/** The chosen language, or the first of the system's that there is a catalogue for. */
export function pickLanguage(chosen: string, wanted: readonly string[]): Language {
  for (const tag of [chosen, ...wanted]) {
    const known = tag === chosen ? LANGUAGES.find((l) => l === chosen) : nearest(tag);
    if (known) return known;
  }
  return "en";
}

/** The catalogue for a system's language. For all of Chinese it is the Traditional one, until there is another. */
function nearest(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split(/[-_]/)[0];
  if (primary === "zh") return "zh-TW";
  if (primary === "ja") return "ja";
  return primary === "en" ? "en" : undefined;
}
