// The one way from the UI to the core. Two implementations, the window and the browser door; nothing else differs.
import type { ApiError } from "../bindings/ApiError";
import type { AppEvent } from "../bindings/AppEvent";
import type { Commands } from "../bindings/Commands";

export type Command = keyof Commands;
export type Args<K extends Command> = Commands[K]["args"];
export type Reply<K extends Command> = Commands[K]["reply"];

/** Whether the core can be reached: always in the window; over the browser door the link may be down for a while. */
export type LinkState = "up" | "down";

export interface Backend {
  /** Rejects with an `ApiError`. */
  call<K extends Command>(name: K, args: Args<K>): Promise<Reply<K>>;
  /** Every event of the core, in order, from now on. */
  listen(handler: (event: AppEvent) => void): void;
  /** Told when the link to the core is lost and when it is back. */
  onLink(handler: (state: LinkState) => void): void;
}

/** Whatever was thrown, as an `ApiError`. */
export function asApiError(thrown: unknown): ApiError {
  if (typeof thrown === "object" && thrown !== null && "code" in thrown && "args" in thrown) return thrown as ApiError;
  return { code: "internal", args: {}, message: String(thrown) };
}

export async function connect(): Promise<Backend> {
  if ((import.meta.env.DEV || import.meta.env.MODE === "look") && new URLSearchParams(location.search).has("fake")) {
    return (await import("./fake")).fakeBackend();
  }
  if ("__TAURI_INTERNALS__" in window) return (await import("./tauri")).tauriBackend();
  return (await import("./websocket")).websocketBackend();
}
