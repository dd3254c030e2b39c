// Time that passes between two views: countdowns run on by themselves from what the last view said.

/** Often enough that no second is seen to be longer than another. */
const TICK_MS = 200;

export class Passing {
  #came = performance.now();
  #now = $state(performance.now());

  /** `view`: what the countdowns come with; `needed`: whether any of them runs. Within a component's setup. */
  constructor(view: () => unknown, needed: () => boolean) {
    $effect.pre(() => {
      view();
      this.#came = performance.now();
      this.#now = this.#came;
    });
    $effect(() => {
      if (!needed()) return;
      const timer = setInterval(() => (this.#now = performance.now()), TICK_MS);
      return () => clearInterval(timer);
    });
  }

  /** Milliseconds of these that are left now. */
  left(ms: number): number {
    return Math.max(0, ms - (this.#now - this.#came));
  }

  /** The same in whole seconds, rounded up: a countdown ends at zero and not before. */
  seconds(ms: number): number {
    return Math.ceil(this.left(ms) / 1000);
  }
}
