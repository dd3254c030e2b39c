// The rules of a table in a few short lines, for the lobby; the sheet has them whole.
import type { RulesView } from "../../bindings/RulesView";
import { t } from "../../i18n/index.svelte";
import { capital, number } from "../game/words";
import { optionName, valueText } from "./options";

/** `differs`: the preset as it comes does not say so. */
export type Line = { words: string; differs: boolean };

/** How many lines are read before sitting down. */
const LINES = 6;

/** What is told if it differs from the preset, the weightiest first. Overline and captures are in how to win. */
const WEIGHTY = [
  "opening",
  "overtime",
  "forbidden",
  "into_flank",
  "capture_threes",
  "forced_capture",
  "mixed_captures",
  "board",
  "colours",
  "move_limit_s",
  "first_start",
  "pass_start",
];

/** How to win, in two lines. */
function goal({ options, line, goal, differs }: RulesView): Line[] {
  const exact = options.overline === "no-win" ? "lobby.goal-exact" : "lobby.goal-more";
  const key = exact === "lobby.goal-more" && options.forbidden === "renju" ? "lobby.goal-renju" : exact;
  const captures = goal > 0 ? t("lobby.goal-captures", { goal: number(goal) }) : t("lobby.goal-no-captures");
  return [
    { words: capital(t(key, { line: number(line) })), differs: differs.includes("overline") || key === "lobby.goal-renju" },
    { words: captures, differs: differs.includes("captures") },
  ];
}

/** Whether captures could mix colours at all. */
const mixes = ({ options, teams }: RulesView) => options.seats !== "2" && !teams;

/** How to win, and the weightiest of what differs from the preset; how many more rules differ. */
export function brief(rules: RulesView): { lines: Line[]; more: number } {
  const names = WEIGHTY.filter((name) => rules.differs.includes(name) && (name !== "mixed_captures" || mixes(rules)));
  const others = names.map((name) => ({
    words: t("lobby.rule", { name: optionName(name), value: valueText(name, rules.options[name] ?? "") }),
    differs: true,
  }));
  const all = [...goal(rules), ...others];
  return { lines: all.slice(0, LINES), more: Math.max(0, all.length - LINES) };
}
