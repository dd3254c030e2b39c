// One position to try moves in: what is shown, what was answered, and what may be done next.
import type { PositionView } from "../../bindings/PositionView";
import type { TriedView } from "../../bindings/TriedView";

/** How long one's own stone lies there before the answer comes. */
const ANSWER_MS = 500;

/** `ask`: a move is due. `wrong`: it was not the right one, and the position is taken back on request. */
export type Mood = "ask" | "wrong" | "refused" | "done";

export class Trial {
  /** What the board shows. */
  shown = $state.raw<PositionView | null>(null);
  mood = $state<Mood>("ask");
  busy = $state(false);
  /** The last try, for its words. */
  tried = $state.raw<TriedView | null>(null);
  /** The moves since the beginning that hold. */
  line = $state.raw<readonly string[]>([]);
  /** Hints asked for: the first is a sentence, the second a point. */
  hints = $state(0);
  /** The position that a wrong try goes back to. */
  #base: PositionView | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  begin(position: PositionView) {
    this.shown = this.#base = position;
    [this.mood, this.tried, this.line, this.hints] = ["ask", null, [], 0];
  }

  /** Whether a stone can be tried now. */
  open = $derived(this.shown !== null && !this.busy && (this.mood === "ask" || this.mood === "refused"));

  async answer(send: () => Promise<TriedView>) {
    if (!this.open) return;
    this.busy = true;
    try {
      this.#show(await send());
    } finally {
      this.busy = false;
    }
  }

  #show(tried: TriedView) {
    this.tried = tried;
    this.hints = 0;
    switch (tried.worth) {
      case "refused":
        this.mood = "refused";
        return;
      case "right":
      case "slower":
        this.mood = "ask";
        this.line = tried.line;
        this.#base = tried.position;
        break;
      case "wrong":
        this.mood = "wrong";
        break;
      case "done":
        this.mood = "done";
    }
    this.shown = tried.between;
    clearTimeout(this.#timer);
    if (tried.reply !== null) this.#timer = setTimeout(() => (this.shown = tried.position), ANSWER_MS);
  }

  /** Takes a wrong try back. */
  back() {
    clearTimeout(this.#timer);
    this.shown = this.#base;
    this.mood = "ask";
    this.tried = null;
  }

  end() {
    clearTimeout(this.#timer);
  }
}
