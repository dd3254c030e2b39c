// What the page costs, in Chromium on the real core. A benchmark: a goal stands beside each figure, and nothing is asserted.
//   node tests/numbers.mjs URL ARTEFACTS     (in ui)
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { withPage } from "./e2e/page.mjs";

const [url, artefacts] = process.argv.slice(2);
const TIMES = 50;
const STONES = 200;

const dist = join(import.meta.dirname, "../dist");
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
const tell = (what, figure, goal) => console.log(`${what}: ${figure} (goal: ${goal})`);
const ms = (time) => `${time.toFixed(1)} ms`;

/** How many times slower the page's processor is from now on. */
async function throttle(page, rate) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

/** What is fetched before anything can be seen, compressed as a server would. */
async function bundle(page) {
  const fetched = new Set();
  page.on("response", (response) => fetched.add(new URL(response.url()).pathname));
  await page.reload();
  await page.getByTestId("new-game").waitFor();
  const names = new Set(readdirSync(join(dist, "assets")));
  const files = [...fetched].map((path) => path.split("/").pop()).filter((name) => names.has(name));
  const sizes = files.map((name) => gzipSync(readFileSync(join(dist, "assets", name))).length);
  const size = [gzipSync(readFileSync(join(dist, "index.html"))).length, ...sizes].reduce((sum, one) => sum + one, 0);
  tell(`first paint's bundle, ${files.length} files`, `${(size / 1000).toFixed(0)} kB gzipped`, "at most 200 kB");
}

async function firstPaint(page) {
  await throttle(page, 4);
  const times = [];
  for (let i = 0; i < TIMES; i += 1) {
    await page.reload();
    await page.getByTestId("new-game").waitFor();
    times.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  }
  tell("first paint of home at a quarter of the speed, median", ms(median(times)), "at most 500 ms");
}

/** From a mouse on a point to the frame that shows the ghost there. */
async function ghost(page) {
  await throttle(page, 4);
  await page.evaluate(() => {
    window.painted = [];
    addEventListener(
      "pointermove",
      ({ timeStamp }) => {
        // The task after the next frame's callbacks: by then it is painted.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.painted.push(performance.now() - timeStamp);
        requestAnimationFrame(() => port2.postMessage(null));
      },
      true,
    );
  });
  const free = await page.locator('[data-playable="true"]').all();
  for (const point of free.slice(0, TIMES)) {
    await point.hover({ force: true });
    await page.waitForTimeout(30);
  }
  const times = await page.evaluate(() => window.painted);
  tell(`input to painted ghost at a quarter of the speed, median of ${times.length}`, ms(median(times)), "at most 32 ms");
}

/** Two at this device fill the lower rows: pairs of a colour, so that nobody comes near five. */
async function fill(page) {
  await page.getByTestId("new-game").click();
  await page.getByTestId("preset-gomoku").click();
  await page.getByTestId("seat-kind-1-here").click();
  await page.getByTestId("name-1").fill("Mei");
  await page.getByTestId("option-board-19").click();
  await page.getByTestId("start").click();
  await page.locator("[data-point]").first().waitFor();
  const letters = "ABCDEFGHIJKLMNOPQRS";
  const at = (x, y) => `${letters[x]}${y + 1}`;
  const all = Array.from({ length: 19 * 19 }, (_, i) => [i % 19, Math.floor(i / 19)]);
  const isBlack = ([x, y]) => Math.floor((x + 2 * y) / 2) % 2 === 0;
  const [black, white] = [all.filter(isBlack), all.filter((point) => !isBlack(point))];
  for (let ply = 0; ply < STONES; ply += 1) {
    const point = at(...(ply % 2 === 0 ? black : white)[Math.floor(ply / 2)]);
    await page.locator(`[data-point="${point}"]`).click({ force: true });
    await page.locator(`[data-point="${point}"][data-stone]`).waitFor({ state: "attached" });
  }
}

async function frames(page) {
  await throttle(page, 6);
  await page.evaluate(() => {
    window.frames = [];
    let last = performance.now();
    const next = (now) => {
      window.frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  const free = await page.locator('[data-playable="true"]').all();
  for (const point of free.slice(0, TIMES)) await point.hover({ force: true });
  for (const point of free.slice(0, 4)) {
    await point.click({ force: true });
    await page.waitForTimeout(400);
  }
  const times = (await page.evaluate(() => window.frames)).slice(1);
  const long = times.filter((time) => time > 50).length;
  tell(
    `frames at a sixth of the speed, ${STONES} stones on 19 × 19, ${times.length} frames`,
    `longest ${ms(Math.max(...times))}, ${long} over 50 ms`,
    "none over 50 ms",
  );
}

async function longTasks(page) {
  await throttle(page, 1);
  await page.getByTestId("cpu-level").selectOption("8").catch(() => {});
  await page.getByTestId("play-cpu").click();
  await page.locator('[data-my-turn="true"]').waitFor();
  await page.evaluate(() => {
    window.long = [];
    new PerformanceObserver((list) => window.long.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
  });
  // Fewer than it takes to lose.
  for (let i = 0; i < 4; i += 1) {
    await page.locator('[data-my-turn="true"]').waitFor();
    await page.locator('[data-playable="true"]').nth(40 + 3 * i).click({ force: true });
    await page.waitForTimeout(300);
  }
  const long = await page.evaluate(() => window.long);
  tell("tasks over 50 ms in the page while the CPU thinks", `${long.length}${long.length ? `, longest ${ms(Math.max(...long))}` : ""}`, "none");
}

await withPage({ url, width: 1280, height: 800, artefacts, name: "numbers" }, async (page) => {
  await page.getByTestId("name-input").fill("Lina");
  await page.getByTestId("name-save").click();
  await page.getByTestId("name-save").waitFor({ state: "hidden" });
  await bundle(page);
  await longTasks(page);
  await page.goBack();
  await page.getByTestId("new-game").waitFor();
  await firstPaint(page);
  await throttle(page, 1);
  await fill(page);
  await ghost(page);
  await frames(page);
});
