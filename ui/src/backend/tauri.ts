// The core in the same process, behind the window's own bridge.
import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { AppEvent } from "../bindings/AppEvent";
import { asApiError, type Args, type Backend, type Command, type Reply } from "./index";

export async function tauriBackend(): Promise<Backend> {
  const handlers: ((event: AppEvent) => void)[] = [];
  // Subscribed before the first call, so that no event between the two is missed.
  await listen<AppEvent>("app", (event) => {
    for (const handler of handlers) handler(event.payload);
  });
  return {
    async call<K extends Command>(name: K, args: Args<K>) {
      try {
        return await invoke<Reply<K>>("call", { name, args });
      } catch (thrown) {
        throw asApiError(thrown);
      }
    },
    listen: (handler) => void handlers.push(handler),
    onLink: (handler) => handler("up"),
  };
}
