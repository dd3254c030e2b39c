// Another device at the table: a `c5` with `--json`, told what to do line by line.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Nothing here takes this long unless it never comes, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Starts `COMMAND ARGUMENTS --json`; `command` is a program with its first arguments. */
export function device(command, args) {
  const [program, ...first] = command;
  const child = spawn(program, [...first, ...args, "--json"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const events = [];
  let wake = () => {};
  createInterface({ input: child.stdout }).on("line", (line) => {
    events.push(JSON.parse(line));
    wake();
  });
  return {
    tell: (line) => child.stdin.write(`${line}\n`),
    /** The next event that is as wanted; those before it are passed over. */
    async event(name, wanted = () => true) {
      const until = Date.now() + PATIENCE_MS;
      for (;;) {
        while (events.length > 0) {
          const event = events.shift();
          if (event.event === name && wanted(event)) return event;
        }
        if (Date.now() > until) throw new Error(`no ${name} from ${args.join(" ")}`);
        await new Promise((resolve) => {
          wake = resolve;
          setTimeout(resolve, 500);
        });
      }
    },
    /** Says goodbye, keeps the seat, and ends. */
    async leave() {
      child.stdin.write("leave\n");
      await ended;
    },
    kill: () => child.kill("SIGKILL"),
  };
}
