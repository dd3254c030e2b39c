// What the study screen asks the core to look for. By each word one study goes on; a newer one takes its place.
import type { Args, Reply } from "../../backend";
import type { App, StudyEvent } from "../../state/app.svelte";

type Looked = "analyse" | "forced_win" | "judge";

/** How this page calls itself to the core. */
const PAGE = Math.random().toString(36).slice(2);
/** The number of the newest study of this page: they rise from one to the next, over all screens. */
let newest = 0;

export class Asking {
  readonly #app: App;
  readonly #page: string;
  /** The study that goes on; 0 for none. */
  #id = 0;
  #closed = false;

  /** `word` tells what goes on beside each other. */
  constructor(app: App, word: string) {
    this.#app = app;
    this.#page = `${PAGE}-${word}`;
  }

  /** The core's answer; `undefined` where nobody waits for it any more, or where there is none. */
  async ask<K extends Looked>(name: K, args: Omit<Args<K>, "page" | "id">): Promise<Reply<K> | undefined> {
    if (this.#closed) return undefined;
    const id = (this.#id = ++newest);
    const asked = { ...args, page: this.#page, id } as unknown as Args<K>;
    const answer = await this.#app.call(name, asked).catch(() => undefined);
    if (this.#id !== id) return undefined;
    this.#id = 0;
    return answer;
  }

  /** Whether this is told by the study that goes on. */
  hears = (event: StudyEvent): boolean => event.page === this.#page && event.id === this.#id;

  end() {
    if (this.#id === 0) return;
    void this.#app.call("stop_study", { page: this.#page, id: this.#id }).catch(() => {});
    this.#id = 0;
  }

  /** Nothing is asked for any more. */
  close() {
    this.#closed = true;
    this.end();
  }
}
