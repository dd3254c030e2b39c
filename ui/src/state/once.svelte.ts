// A button that asks for something once: further presses are dropped until the answer shows.

export class Once {
  /** What was pressed for, until it shows or is refused. */
  #pressed = $state.raw<string | null>(null);

  /** Whether the same was asked for already. `what` names it, and changes when it has come about. */
  busy = (what: string): boolean => this.#pressed === what;

  /** `ask` answers whether it was taken; if not, the button may be pressed again. */
  async press(what: string, ask: () => Promise<boolean>) {
    if (this.#pressed === what) return;
    this.#pressed = what;
    if (!(await ask()) && this.#pressed === what) this.#pressed = null;
  }

  /** It shows, or the ground has changed: the next press counts again. */
  release() {
    this.#pressed = null;
  }
}
