// A game that stands still because two programs disagree, in words.
import type { HaltView } from "../../bindings/HaltView";
import { t } from "../../i18n/index.svelte";
import { isolated } from "../../i18n/text";

export const haltName = (halt: HaltView): string => isolated(halt.name) || t("halt.other");

export const haltTitle = (halt: HaltView): string =>
  halt.at_move === null ? t("halt.title-rules") : t("halt.title", { n: halt.at_move });

export const haltSub = (halt: HaltView): string =>
  t("halt.sub", {
    ours: halt.ours || t("halt.unknown"),
    name: haltName(halt),
    theirs: halt.theirs || t("halt.unknown"),
  });
