// A finger that went down on one screen and comes up on another has said nothing there: the button under it is another one.

/** Made once; told of presses and of screens that come. */
export class Began {
  readonly #now: () => number;
  #pressed = Number.POSITIVE_INFINITY;
  #arrived = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  press = () => {
    this.#pressed = this.#now();
  };

  /** Another screen is there. */
  arrive() {
    this.#arrived = this.#now();
  }

  /** Whether a click counts. One by the keyboard or by a screen reader (`detail` 0) has no press before it. */
  counts = (click: { detail: number }): boolean => click.detail === 0 || this.#pressed >= this.#arrived;
}
