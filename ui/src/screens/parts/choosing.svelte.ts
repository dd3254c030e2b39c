// What is being chosen on the set-up screen, and what the core makes of it.
import { asApiError } from "../../backend";
import type { ApiError } from "../../bindings/ApiError";
import type { SetupRequest } from "../../bindings/SetupRequest";
import type { SetupView } from "../../bindings/SetupView";
import type { App } from "../../state/app.svelte";
import { toPutBack, without, type PutBack } from "./options";
import { rankable, withCount } from "./seating";

export class Choosing {
  request = $state.raw<SetupRequest | null>(null);
  view = $state.raw<SetupView | null>(null);
  putBack = $state.raw<readonly PutBack[]>([]);
  fault = $state.raw<ApiError | null>(null);

  preset = $derived(this.view?.presets.find((known) => known.preset === this.request?.preset));
  clash = $derived(this.view?.clash ?? null);

  /** Within a component's setup. `request`: what it starts from, if that is known already. */
  constructor(app: () => App, request: SetupRequest | null) {
    this.request = request;
    // Every change is judged by the core; an answer to an older question is dropped.
    $effect(() => {
      const asked = this.request;
      if (!asked) return;
      app()
        .call("setup", { request: asked })
        .then(
          (answer) => this.#take(asked, answer),
          (thrown) => {
            if (asked === this.request) this.fault = asApiError(thrown);
          },
        );
    });
  }

  value(option: string): string | undefined {
    return this.view?.options.find((known) => known.name === option)?.value;
  }

  change = (to: SetupRequest) => {
    this.putBack = [];
    this.request = rankable(to);
  };

  /** Another preset, with its own options; the number of seats as near to the present one as it has. */
  choose = (preset: string) => {
    if (!this.request) return;
    const chosen = this.view?.presets.find((known) => known.preset === preset);
    const seats = this.request.seats;
    const count = chosen ? Math.min(Math.max(seats.length, chosen.seats_min), chosen.seats_max) : seats.length;
    this.change({ ...this.request, preset, seats: withCount(seats, count), options: {} });
  };

  #take(asked: SetupRequest, answer: SetupView) {
    if (asked !== this.request) return;
    this.view = answer;
    this.fault = null;
    const back = toPutBack(asked, answer);
    if (!back) return;
    this.putBack = [...this.putBack.filter(({ name }) => name !== back.name), back];
    this.request = without(asked, back.name);
  }
}
