// What is told of a game beside what is seen: to who listens, by sound, by touch, and to who looks elsewhere.
import { untrack } from "svelte";
import type { ForbiddenView } from "../../bindings/ForbiddenView";
import type { TableView } from "../../bindings/TableView";
import { sentences, t, text } from "../../i18n/index.svelte";
import type { App } from "../../state/app.svelte";
import { FELT, notify, vibrate } from "../../state/attention";
import type { Passing } from "../../state/passing.svelte";
import { play } from "../../state/sound";
import type { Aim } from "./aim.svelte";
import { Live } from "./live.svelte";
import { news } from "./news";
import { Notices } from "./notices.svelte";
import { hearReason, hearThreats } from "./reasons";
import { isTurnNew, soundsOf } from "./sounds";
import { capital, type Say } from "./words";

/** Seconds left for the move, where they run low, for who listens. */
const CLOCK_SAID_S = [10];
const GRACE_SAID_S = [30, 10];
const APP = "Capture Five";

/** What the screen shows now, read whenever it is needed. */
export type Seen = {
  readonly app: App;
  readonly table: TableView;
  readonly say: Say;
  /** The forbidden point whose reason is shown. */
  readonly told: ForbiddenView | null;
  readonly refused: boolean;
  /** Whether threats are marked. */
  readonly warned: boolean;
};

export class Telling {
  readonly live = new Live();
  readonly notices = new Notices();

  /** Within a component's setup. `after`: what else follows a new view. */
  constructor(seen: Seen, aim: Aim, passing: Passing, after: (before: TableView, now: TableView) => void) {
    $effect(() => {
      untrack(() => {
        this.notices.arrive(seen.table);
        this.live.polite = sentences([this.notices.words]);
      });
      return this.notices.end;
    });
    let before = untrack(() => seen.table);
    $effect(() => {
      const now = seen.table;
      if (now === before) return;
      untrack(() => {
        after(before, now);
        this.#hear(before, now, seen);
      });
      before = now;
    });
    // What a tap would do, or why it did nothing, is said as well as shown, and for as long.
    $effect(() => {
      const { say, told, refused } = seen;
      const aimed = told ? hearReason(told) : aim.ghost && !aim.ghost.sent ? sentences([say.lead, say.sub]) : "";
      untrack(() => {
        this.live.refuse(refused ? say.lead : "");
        this.live.aim(refused ? "" : aimed);
      });
    });
    this.#countDown(seen, passing);
    $effect(() => {
      document.title = seen.table.turn?.mine ? t("turn.title", { app: APP }) : APP;
      return () => (document.title = APP);
    });
  }

  #hear(before: TableView, now: TableView, { app, warned }: Seen) {
    const told = news(before, now);
    this.notices.hear(before, now);
    if (warned && now.turn?.mine && told.polite.length > 0) told.polite.push(hearThreats(now));
    this.live.hear(before, now, told);
    if (app.settings?.sound) play(soundsOf(before, now), app.settings.soft);
    if (!isTurnNew(before, now) || now.phase !== "playing") return;
    if (app.settings?.vibration) vibrate(FELT.turn);
    if (app.settings?.notify) {
      const others = told.polite.filter((words) => words !== t("news.your-turn"));
      notify(capital(t("state.your-turn")), sentences([...others, text(`preset.${now.rules.preset}`) ?? ""]), now.table);
    }
  }

  /** Countdowns are said at a few moments only. */
  #countDown(seen: Seen, passing: Passing) {
    let said = "";
    $effect(() => {
      const { clock, seats, moves } = seen.table;
      const own = clock && clock.running && seats[clock.seat]?.me ? passing.seconds(clock.left_ms) : null;
      const away = seats.find((seat) => seat.grace_left_ms !== null && !seat.me);
      const grace = away ? passing.seconds(away.grace_left_ms!) : null;
      const key = `${moves.length} ${own} ${grace}`;
      if (key === said) return;
      said = key;
      if (own !== null && CLOCK_SAID_S.includes(own)) this.live.assertive = t("time.soon", { s: own });
      else if (grace !== null && GRACE_SAID_S.includes(grace)) this.live.polite = t("news.cpu-in", { s: grace });
    });
  }
}
