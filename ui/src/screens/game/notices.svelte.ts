// What happened besides moves: told once, in the quiet line, and to who listens.
import type { NoticeView } from "../../bindings/NoticeView";
import type { TableView } from "../../bindings/TableView";
import { t, text } from "../../i18n/index.svelte";
import { nameOf } from "./names";

/** How long a notice stands in the line, in milliseconds. */
const SHOWN_MS = 10_000;

export function noticeWords(table: TableView, notice: NoticeView): string {
  const name = notice.seat === null ? "" : nameOf(table, notice.seat);
  const mine = notice.seat !== null && table.seats[notice.seat]?.me === true;
  switch (notice.what) {
    case "back":
      return t("notice.back", { name });
    case "taken":
      return t("notice.taken", { name });
    case "keeper":
      return mine ? t("notice.keeper-own") : t("notice.keeper", { name });
    case "rewound":
      return t("notice.rewound");
    case "undone":
      return t("notice.undone");
    case "refused":
      if (notice.seat === null) return t("notice.not-granted");
      return t(notice.asked === null ? "notice.refused" : `notice.refused-${notice.asked}`, { name });
    case "lapsed":
      return mine ? t("notice.lapsed-own") : t("notice.lapsed", { name });
    case "clock":
      return t("notice.clock");
    case "said":
      return t("phrase.said", { name: mine ? t("common.you") : name, words: text(`phrase.${notice.phrase}`) ?? "…" });
    case "stand-up":
      return t("notice.stand-up", { name, other: nameOf(table, notice.phrase ?? -1) });
    case "agreed":
      return t("notice.agreed");
    case "toss":
      return mine ? t("notice.toss-own") : t("notice.toss", { name });
  }
}

/** Notices that are new in `after`, the oldest first. */
export function newNotices(before: TableView, after: TableView): NoticeView[] {
  const told = before.notices.at(-1)?.n ?? 0;
  return after.notices.filter((notice) => notice.n > told);
}

/** The notice that stands in the line now. */
export class Notices {
  words = $state("");
  #shown: NoticeView | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  hear(before: TableView, after: TableView) {
    // What was told while one game ran is no news under its result, nor in the next one.
    if (before.phase !== after.phase || this.#isPast(after)) this.words = "";
    const last = newNotices(before, after).at(-1);
    if (last) this.#show(after, last);
  }

  /** Whoever comes from the lobby has not seen what was drawn as the game began. */
  arrive(now: TableView) {
    const last = now.notices.at(-1);
    if (last?.what === "toss" && now.phase === "playing" && now.moves.length === 0) this.#show(now, last);
  }

  #show(now: TableView, notice: NoticeView) {
    clearTimeout(this.#timer);
    this.#shown = notice;
    this.words = this.#isPast(now) ? "" : noticeWords(now, notice);
    this.#timer = setTimeout(() => (this.words = ""), SHOWN_MS);
  }

  /** Whoever came back is gone again, or the CPU has let go. */
  #isPast({ seats }: TableView): boolean {
    const seat = this.#shown === null || this.#shown.seat === null ? undefined : seats[this.#shown.seat];
    if (seat === undefined) return false;
    if (this.#shown?.what === "back") return seat.state !== "human";
    return this.#shown?.what === "taken" && seat.state !== "taken";
  }

  end = () => clearTimeout(this.#timer);
}
