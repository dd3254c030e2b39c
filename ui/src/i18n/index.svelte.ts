// The catalogue: one file a language and area, flat keys. The English files are the list of keys.
import type { Settings } from "../bindings/Settings";
import type board from "./en/board.json";
import type common from "./en/common.json";
import type game from "./en/game.json";
import type history from "./en/history.json";
import type home from "./en/home.json";
import type learn from "./en/learn.json";
import type lessons from "./en/learn-lessons.json";
import type learnWords from "./en/learn-words.json";
import type lobby from "./en/lobby.json";
import type people from "./en/people.json";
import type reasons from "./en/reasons.json";
import type rules from "./en/rules.json";
import type result from "./en/result.json";
import type settings from "./en/settings.json";
import type setup from "./en/setup.json";
import type study from "./en/study.json";
import { fill, pickLanguage, type Args, type Language } from "./text";

export type { Language } from "./text";
export { LANGUAGES } from "./text";

export type Key = Exclude<
  | keyof typeof board
  | keyof typeof common
  | keyof typeof game
  | keyof typeof result
  | keyof typeof rules
  | keyof typeof home
  | keyof typeof setup
  | keyof typeof learn
  | keyof typeof lessons
  | keyof typeof learnWords
  | keyof typeof lobby
  | keyof typeof people
  | keyof typeof reasons
  | keyof typeof settings
  | keyof typeof study
  | keyof typeof history,
  number | symbol
>;

const files = import.meta.glob<Record<string, string>>(["./*/*.json", "!./*/learn*.json"], { eager: true, import: "default" });
/** What only the screens under Learn say, fetched when one of them is opened. */
const later = import.meta.glob<Record<string, string>>("./*/learn*.json", { import: "default" });
const catalogues: Record<Language, Record<string, string>> = { en: {}, "zh-TW": {}, ja: {} };
for (const [path, file] of Object.entries(files)) {
  const language = path.split("/")[1] as Language;
  Object.assign(catalogues[language], file);
}

let language = $state<Language>("en");

/** Fetches what Learn says in a language, the present one unless told. */
export async function loadLearn(wanted: Language = language): Promise<void> {
  const parts = Object.entries(later).filter(([path]) => path.split("/")[1] === wanted);
  for (const file of await Promise.all(parts.map(([, load]) => load()))) Object.assign(catalogues[wanted], file);
}

/** The language in use. */
export const current = (): Language => language;

/** The sentence for a key, with `{name}` and `{n|one|many}` filled in. */
export function t(key: Key, args: Args = {}): string {
  return text(key, args) ?? key;
}

/** The same for a key that is only known at run time, such as an option's name; `null` if there is none. */
export function text(key: string, args: Args = {}): string | null {
  const pattern = catalogues[language][key] ?? catalogues.en[key];
  return pattern === undefined ? null : fill(pattern, args);
}

/** A stop, also before a closing bracket or quotation mark, or the end of a name written from right to left. */
const ENDED = /[.!?…。！？][)”’」』）\u2069]*$/u;

/** A list of names or points in one phrase. */
export function list(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  if (items.length < 2) return last;
  return t("common.list-and", { first: items.slice(0, -1).join(t("common.list-comma")), second: last });
}

/** Words as a sentence of their own: with a stop, unless there is one. */
export const sentence = (words: string): string => (words === "" || ENDED.test(words) ? words : t("common.sentence", { words }));

/** Sentences one after the other, as the language sets them; empty ones are left out. */
export const sentences = (parts: readonly string[]): string =>
  parts.filter((part) => part !== "").map(sentence).join(t("common.sentence-join"));

export function setLanguage(chosen: string) {
  language = pickLanguage(chosen, navigator.languages);
  document.documentElement.lang = language;
}

/** What the size of the text may be on top of the system's own, in percent. */
const TEXT_PERCENT = [100, 200] as const;

/** From this size on lines wrap that otherwise stay one. */
const LARGE_PERCENT = 140;

/** Language, theme and the rest that hangs on the page's root. */
export function applySettings(settings: Settings) {
  setLanguage(settings.language);
  const root = document.documentElement.dataset;
  if (settings.theme === "") delete root.theme;
  else root.theme = settings.theme;
  if (settings.board === "") delete root.board;
  else root.board = settings.board;
  if (settings.still) root.motion = "reduce";
  else delete root.motion;
  const [least, most] = TEXT_PERCENT;
  const percent = Math.min(most, Math.max(least, settings.text_percent));
  document.documentElement.style.fontSize = percent === least ? "" : `${percent}%`;
  if (percent >= LARGE_PERCENT) root.text = "large";
  else delete root.text;
  root.hand = settings.left_handed ? "left" : "right";
}
