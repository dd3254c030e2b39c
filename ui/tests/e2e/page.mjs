// What the end-to-end scripts share: a Chromium of its own, a page whose console must stay silent, axe, screenshots.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { chromium } from "playwright-core";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Runs `script(page, look)` in a fresh browser; any console error, page error or axe violation fails it. */
export async function withPage({ url, width, height, theme = "light", locale = "en", touch = false, artefacts, name, chromium: program = CHROMIUM, flags = [], permissions = [] }, script) {
  const profile = mkdtempSync(join(tmpdir(), "c5-chromium-"));
  mkdirSync(artefacts, { recursive: true });
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    headless: true,
    args: [...FLAGS, ...flags],
    permissions,
    viewport: { width, height },
    colorScheme: theme,
    locale,
    hasTouch: touch,
    reducedMotion: "reduce",
  });
  const faults = [];
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(30_000);
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`page: ${error.stack ?? error}`));
    /** A screenshot and an axe run of what is on the screen now. */
    const look = async (screen) => {
      await page.screenshot({ path: join(artefacts, `${name}.${screen}.png`) });
      const { violations } = await new AxeBuilder({ page })
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
        .analyze();
      for (const found of violations) {
        faults.push(`axe on ${screen}: ${found.id} (${found.help}) ${found.nodes.map((node) => node.html).join(" | ")}`);
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) faults.push(`${screen} is ${wide} px wider than the screen`);
    };
    await page.goto(url);
    await script(page, look);
  } catch (error) {
    const page = context.pages()[0];
    await page?.screenshot({ path: join(artefacts, `${name}.failed.png`) }).catch(() => {});
    faults.push(error.stack ?? String(error));
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
  if (faults.length) throw new Error(`${name}:\n${faults.join("\n")}`);
}

/** How the rules of Capture Five for two tell of captures, by language. */
const CAPTURES_WIN = { en: "Capturing ten stones or more wins as well.", "zh-TW": "提滿十子也獲勝。" };

/** Opens the rules of the table, finds a sentence there, looks, and closes them with the keyboard. */
export async function readRules(page, locale, seen = async () => {}) {
  const button = page.getByTestId("rules");
  await button.focus();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog");
  await sheet.getByText(CAPTURES_WIN[locale], { exact: true }).waitFor();
  await seen();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  if (!(await button.evaluate((element) => element === document.activeElement))) {
    throw new Error("the focus is not back on the button that opened the rules");
  }
}

/** A small generator of our own, so that a failing run can be repeated. */
export function seeded(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Taps an empty point that may be played, confirms it where asked, and waits until it is someone else's turn or the end. */
export async function playAnywhere(page, random) {
  const free = page.locator('[data-point][data-playable="true"]');
  const count = await free.count();
  if (count === 0) throw new Error("it is our turn, but no point can be played");
  const cell = free.nth(Math.floor(random() * count));
  const at = await cell.getAttribute("data-point");
  await tap(page, at);
  return at;
}

export async function tap(page, at) {
  await page.locator(`[data-point="${at}"]`).click({ force: true });
  const place = page.getByTestId("place");
  if (await place.isVisible().catch(() => false)) await place.click();
}

/** Plays the own seat at random until the result is shown. */
export async function playToTheEnd(page, random, onMove = async () => {}) {
  const result = page.getByTestId("result");
  for (let moves = 0; moves < 400; moves += 1) {
    await page.waitForFunction(
      () => document.querySelector('[data-testid="result"]') || document.querySelector('[data-my-turn="true"]'),
    );
    if (await result.isVisible()) return moves;
    const at = await playAnywhere(page, random);
    const lies = (timeout) =>
      page.waitForFunction(
        (point) =>
          document.querySelector('[data-testid="result"]') ||
          document.querySelector(`[data-point="${point}"][data-playable="false"]`),
        at,
        { timeout },
      );
    await lies(10_000).catch(async () => {
      // What a person would do. It is told, for no tap should be lost.
      console.log(`move ${moves}: nothing came of a tap on ${at}, which is done again`);
      await tap(page, at);
      await lies(20_000);
    });
    await onMove(moves);
  }
  throw new Error("the game did not end in 400 moves");
}
