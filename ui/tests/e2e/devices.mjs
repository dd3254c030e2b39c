// Devices of a test: a `c5 serve` each, and browsers on their hosts. A command is the program after what leads to its host.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { CHROMIUM } from "./page.mjs";

/** `c5 serve` of one person on a folder of its own; answers where its page is. */
export async function serve(command, data, folder) {
  const [program, ...words] = command.split(" ");
  const args = [...words, "serve", "--json", "--listen", "127.0.0.1:0", "--data", join(data, folder)];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const url = await new Promise((resolve, reject) => {
    child.on("close", () => reject(new Error(`${folder}'s c5 serve has ended`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const event = JSON.parse(line);
      if (event.event === "serving") resolve(event.url);
    });
  });
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { url, kill };
}

/** A Chromium on the host of a device. */
export function browserOf(command, data, name) {
  const path = join(data, `chromium-${name}`);
  const host = command.split(" ").slice(0, -1).join(" ");
  writeFileSync(path, `#!/bin/sh\nexec ${host} ${CHROMIUM} "$@"\n`, { mode: 0o755 });
  return path;
}
