// Why something did not happen, in words.
import type { ApiError } from "../../bindings/ApiError";
import { t, text } from "../../i18n/index.svelte";

/** The sentence for an error: for which of several things it is, where the core tells and the catalogue has one. */
export function errorWords({ code, args }: ApiError): string {
  const which = args.why === undefined ? null : text(`error.${code}.${args.why}`, args);
  return which ?? text(`error.${code}`, args) ?? t("error.internal");
}

/** The table that somebody found full and can still watch. */
export const watchable = (error: ApiError): string | null => (error.code === "full" ? (error.args.table ?? null) : null);
