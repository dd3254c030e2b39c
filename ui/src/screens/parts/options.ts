// How an option of the set-up is shown, and what choosing a value does to the request.
import type { OptionView } from "../../bindings/OptionView";
import type { SetupRequest } from "../../bindings/SetupRequest";
import { t, text } from "../../i18n/index.svelte";

/** Values that mean "on" where an option has just two. */
const ON = ["true", "on", "wins"];
/** Chosen beside the seats instead of among the house rules. */
const BESIDE_SEATS = ["seats", "teams"];

export const houseRules = (options: readonly OptionView[]): OptionView[] =>
  options.filter((option) => !BESIDE_SEATS.includes(option.name));

/** The value that switches it on, if a switch can show it. */
export const onValue = (option: OptionView): string | null =>
  option.values.length === 2 ? (option.values.find((value) => ON.includes(value)) ?? null) : null;

export const optionName = (name: string): string => text(`option.${name}`) ?? name;
export const valueName = (name: string, value: string): string => text(`value.${name}.${value}`) ?? value;

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

/** The request without the options that other choices have closed; the same object if there are none. */
export function withoutClosed(request: SetupRequest, options: readonly OptionView[]): SetupRequest {
  const closed = options.filter((option) => option.closed_by !== null && option.name in request.options);
  if (closed.length === 0) return request;
  const left = Object.entries(request.options).filter(([name]) => !closed.some((option) => option.name === name));
  return { ...request, options: Object.fromEntries(left) };
}
