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

/** The chosen language, or the first of the system's that there is a catalogue for. */
export function pickLanguage(chosen: string, wanted: readonly string[]): Language {
  for (const tag of [chosen, ...wanted]) {
    const known = tag === chosen ? LANGUAGES.find((l) => l === chosen) : nearest(tag);
    if (known) return known;
  }
  return "en";
}

function nearest(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split("-")[0];
  if (primary === "zh") return "zh-TW";
  if (primary === "ja") return "ja";
  return primary === "en" ? "en" : undefined;
}
