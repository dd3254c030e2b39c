// The focus is never lost: what had it may be gone with a new view, and then the board takes it.

export class Focus {
  #held: Element | null = null;

  /** Something has the focus now. */
  hold = (event: FocusEvent) => {
    this.#held = event.target instanceof Element ? event.target : null;
  };

  /** The page has changed: `rescue` is called where what had the focus is gone, and nothing else has it. */
  settle(rescue: () => void) {
    if (this.#held === null || this.#held.isConnected || document.activeElement !== document.body) return;
    this.#held = null;
    rescue();
  }
}
