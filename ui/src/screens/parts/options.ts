// How an option of the set-up is shown, and what choosing a value does to the request.
import type { OptionView } from "../../bindings/OptionView";
import type { SetupRequest } from "../../bindings/SetupRequest";
import type { SetupView } from "../../bindings/SetupView";
import { t, text } from "../../i18n/index.svelte";

/** Options that a switch shows: what "on" and "off" are called. */
const SWITCHES: readonly (readonly [string, string])[] = [
  ["true", "false"],
  ["on", "off"],
  ["wins", "no-win"],
];
/** Chosen beside the seats instead of among the house rules. */
const BESIDE_SEATS = ["seats", "teams"];

/** Both values go together with a game without captures, but neither means anything there. */
const MATTERS_WITH_CAPTURES = ["mixed_captures"];

export function houseRules(options: readonly OptionView[]): OptionView[] {
  const noCaptures = options.some((option) => option.name === "captures" && option.value === "off");
  const shown = options.filter((option) => !BESIDE_SEATS.includes(option.name));
  if (!noCaptures) return shown;
  return shown.map((option) =>
    option.closed_by === null && MATTERS_WITH_CAPTURES.includes(option.name) ? { ...option, closed_by: "captures" } : option,
  );
}

/** The values "on" and "off", if a switch can show it. */
export const switchOf = (option: OptionView): readonly [string, string] | null =>
  SWITCHES.find((pair) => pair.includes(option.value)) ?? null;

export const optionName = (name: string): string => text(`option.${name}`) ?? name;
export const valueName = (name: string, value: string): string => text(`value.${name}.${value}`) ?? value;

/** A chosen value where it stands alone. */
export function valueText(name: string, value: string): string {
  if (name === "board") return t("game.sub-size", { n: value });
  const pair = SWITCHES.find((both) => both.includes(value));
  return pair ? t(value === pair[0] ? "value.on" : "value.off") : valueName(name, value);
}

/** Why an option is closed, naming what it clashes with. */
export function closedText(name: string, by: string, seats: number): string {
  const args = { n: seats, a: optionName(name), b: optionName(by) };
  return text(`setup.closed.${name}.${by}`, args) ?? text(`setup.closed.${by}`, args) ?? t("setup.closed", args);
}

/** The request with one option changed; what equals the preset is left out. */
export function withOption(request: SetupRequest, option: OptionView, value: string): SetupRequest {
  const { [option.name]: _, ...options } = request.options;
  if (value !== option.default) options[option.name] = value;
  return { ...request, options };
}

/** An option that was put back, and what it clashed with. */
export type PutBack = { name: string; by: string };

/**
 * The option to put back where two clash: clashing values can't be chosen, so one of the two was chosen before the other
 * changed, as when a seat more makes an opening impossible. `null` where neither was chosen here.
 */
export function toPutBack(request: SetupRequest, view: SetupView): PutBack | null {
  if (!view.clash) return null;
  const [a, b] = view.clash;
  if (a in request.options) return { name: a, by: b };
  return b in request.options ? { name: b, by: a } : null;
}

/** The request with that option at the preset's value again. */
export function without(request: SetupRequest, name: string): SetupRequest {
  const { [name]: _, ...options } = request.options;
  return { ...request, options };
}
