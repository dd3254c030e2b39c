// A table's rules as sentences: which ones, in which order. The words are in the catalogue under `rules.*`.
import type { RulesView } from "../../bindings/RulesView";

export type Sentence = {
  key: string;
  args: Record<string, string | number>;
  /** It differs from the preset. */
  changed: boolean;
};

export function says(rules: RulesView): Sentence[] {
  const sentences: Sentence[] = [];
  const option = (name: string): string => rules.options[name] ?? "";
  const add = (key: string, from: readonly string[], args: Sentence["args"] = {}) =>
    sentences.push({ key, args, changed: from.some((name) => rules.differs.includes(name)) });

  if (rules.teams) add("rules.teams", ["teams", "board"], { board: rules.board });
  else add(`rules.seats.${option("seats")}`, ["board"], { board: rules.board });
  if (option("colours") === "white-first") add("rules.white-first", ["colours"]);
  if (option("opening") !== "none") add(`rules.opening.${option("opening")}`, ["opening"]);
  if (option("forbidden") !== "none") add(`rules.forbidden.${option("forbidden")}`, ["forbidden"]);
  add(`rules.line.${option("overline") === "wins" ? "more" : "exact"}.${rules.line}`, ["overline"]);
  if (option("captures") === "on") addCaptures(rules, option, add);
  else add("rules.no-captures", ["captures"]);
  if (option("overtime") !== "none") add(`rules.overtime.${option("overtime")}`, ["overtime"]);
  if (/^\d+$/.test(option("move_limit_s"))) {
    add("rules.move-limit", ["move_limit_s"], { n: option("move_limit_s") });
  }
  if (option("first_start") === "random") add("rules.first-start.random", ["first_start"]);
  add(`rules.pass_start.${option("pass_start")}`, ["pass_start"]);
  return sentences;
}

function addCaptures(
  rules: RulesView,
  option: (name: string) => string,
  add: (key: string, from: readonly string[]) => void,
) {
  add(`rules.goal.${rules.goal}`, ["captures"]);
  add(`rules.flank.${option("capture_threes") === "true" ? "three" : "two"}`, ["capture_threes"]);
  if (option("forced_capture") === "false") add("rules.choose-captures", ["forced_capture"]);
  // Only where a flank can hold stones of two enemies.
  const sides = rules.teams ? 2 : Number(option("seats"));
  if (sides > 2) add(`rules.mixed.${option("mixed_captures")}`, ["mixed_captures"]);
  add(`rules.into_flank.${option("into_flank")}`, ["into_flank"]);
}
