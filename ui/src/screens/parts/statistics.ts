// What was played so far in a few kind lines: only what went well is set beside what was before, and no losses are told.
import type { StatisticsView } from "../../bindings/StatisticsView";
import { sentence, sentences, t } from "../../i18n/index.svelte";

/** From here on days in a row are worth a line. */
const DAYS = 2;

export function statisticsWords(seen: StatisticsView): string[] {
  const lines: string[] = [];
  if (seen.days >= DAYS) lines.push(t("stats.days", { n: seen.days }));
  if (seen.days_longest > Math.max(seen.days, DAYS - 1)) lines.push(t("stats.longest", { n: seen.days_longest }));
  if (seen.week > 0) lines.push(beside(t("stats.week", { n: seen.week }), "stats.week-more", seen.week - seen.week_before));
  if (seen.recent_wins > 0) {
    const more = seen.earlier_wins === null ? 0 : seen.recent_wins - seen.earlier_wins;
    lines.push(beside(t("stats.wins", { wins: seen.recent_wins, n: seen.recent }), "stats.wins-more", more, seen.recent));
  }
  return lines.map(sentence);
}

const beside = (line: string, more: "stats.week-more" | "stats.wins-more", n: number, of = 0): string =>
  n > 0 ? sentences([line, t(more, { n, of })]) : line;
