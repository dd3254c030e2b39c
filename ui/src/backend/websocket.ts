// The core behind the browser door: the same commands and events as JSON over one WebSocket.
import type { ApiError } from "../bindings/ApiError";
import type { AppEvent } from "../bindings/AppEvent";
import type { Args, Backend, Command, LinkState, Reply } from "./index";

/** Wait before the next attempt, in milliseconds: doubled each time up to the last. */
const RETRY_FIRST_MS = 250;
const RETRY_LAST_MS = 4000;

type Message = { id: number; ok: unknown } | { id: number; error: ApiError } | { event: AppEvent };
type Waiting = { text: string; resolve: (value: unknown) => void; reject: (error: ApiError) => void };

/** The one-time token has done its work once the page is here: out of the address bar, so that it is not passed on. */
function dropToken() {
  const url = new URL(location.href);
  if (!url.searchParams.has("token")) return;
  url.searchParams.delete("token");
  history.replaceState(history.state, "", url);
}

const lost = (): ApiError => ({ code: "internal", args: {}, message: "the link to the app was lost" });

/** The door knows this browser by the cookie that came with the page. */
export function websocketBackend(): Backend {
  dropToken();
  return new DoorLink(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
}

class DoorLink implements Backend {
  #url: string;
  #socket: WebSocket | null = null;
  #open = false;
  #next = 1;
  #retry = RETRY_FIRST_MS;
  #waiting = new Map<number, Waiting>();
  #events: ((event: AppEvent) => void)[] = [];
  #links: ((state: LinkState) => void)[] = [];

  constructor(url: string) {
    this.#url = url;
    this.#dial();
    // A phone that wakes up shall not sit out the rest of a long wait.
    addEventListener("online", () => this.#dialNow());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#dialNow());
  }

  call<K extends Command>(name: K, args: Args<K>): Promise<Reply<K>> {
    const id = this.#next++;
    const text = JSON.stringify({ id, call: name, args });
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { text, resolve, reject });
      if (this.#open) this.#socket?.send(text);
    }) as Promise<Reply<K>>;
  }

  listen(handler: (event: AppEvent) => void) {
    this.#events.push(handler);
  }

  onLink(handler: (state: LinkState) => void) {
    this.#links.push(handler);
    if (this.#open) handler("up");
  }

  #dialNow() {
    if (this.#socket === null) this.#dial();
  }

  #dial() {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#open = true;
      this.#retry = RETRY_FIRST_MS;
      // What was asked before the link was up goes out now; what was lost with an earlier link was rejected then.
      for (const { text } of this.#waiting.values()) socket.send(text);
      this.#tell("up");
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(String(event.data)) as Message);
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (this.#open) this.#dropWaiting();
      this.#open = false;
      this.#tell("down");
      setTimeout(() => this.#dialNow(), this.#retry);
      this.#retry = Math.min(this.#retry * 2, RETRY_LAST_MS);
    };
  }

  /** Nobody can know whether a call on its way was carried out: the next view tells. */
  #dropWaiting() {
    for (const { reject } of this.#waiting.values()) reject(lost());
    this.#waiting.clear();
  }

  #tell(state: LinkState) {
    for (const handler of this.#links) handler(state);
  }

  #receive(message: Message) {
    if ("event" in message) {
      for (const handler of this.#events) handler(message.event);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (!waiting) return;
    if ("error" in message) waiting.reject(message.error);
    else waiting.resolve(message.ok);
  }
}
