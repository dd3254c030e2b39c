// Buttons that come by themselves can lie where a finger is already on its way.

/** So long after they have come, what asks people hears nothing: milliseconds. */
export const DEAF_MS = 600;

/** Made when the buttons appear. */
export class Deaf {
  readonly #from: number;
  readonly #now: () => number;
  #began = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#from = now() + DEAF_MS;
  }

  /** A finger or a button went down: the touch counts from here. */
  down = () => {
    this.#began = this.#now();
  };

  /** Whether a click counts. One by the keyboard (`detail` 0) began just now. */
  heeds(click: { detail: number }): boolean {
    return (click.detail === 0 ? this.#now() : this.#began) >= this.#from;
  }
}
