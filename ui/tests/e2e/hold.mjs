// From prepared views: whatever comes beside the board, the board neither moves nor shrinks, and nothing that asks stands where
// Place and Cancel stand; all can be hit, also with large text, with the left hand and in forced colours.
//   node tests/e2e/hold.mjs [NAME FILTER]     (in ui)
import AxeBuilder from "@axe-core/playwright";
import { chromium } from "playwright-core";
import { createServer } from "vite";
import { CHROMIUM } from "./page.mjs";

const wanted = new RegExp(process.argv[2] ?? ".");
const SIZES = [
  [320, 568],
  [360, 640],
  [768, 1024],
  [1280, 800],
];
/** What the same game looks like before, and when something has come. */
const FAMILIES = [
  ["game-two", ["ask-undo", "ask-draw", "ask-mine", "sent", "silent", "keeper", "cut-alone", "own-taken"]],
  ["watch-four", ["ask-four", "away", "away-wait", "taken", "clock-four", "left-four"]],
];
const TARGET_PX = 44;

const server = await createServer({ server: { port: 5284, strictPort: false, hmr: false, watch: null }, logLevel: "error" });
await server.listen();
const [pages] = server.resolvedUrls.local;
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const faults = [];

/** One page for each size and way, used again and again. */
const opened = new Map();

async function open([width, height], query, more = {}) {
  const key = JSON.stringify([width, more]);
  if (!opened.has(key)) {
    const mobile = width < 1000;
    const context = await browser.newContext({ viewport: { width, height }, hasTouch: mobile, isMobile: mobile, reducedMotion: "reduce", ...more });
    context.setDefaultNavigationTimeout(120_000);
    opened.set(key, await context.newPage());
  }
  const page = opened.get(key);
  // Another page in between: a history entry of the one before would bring its screen back.
  await page.goto("about:blank");
  await page.goto(`${pages}?fake=${query}`);
  await page.waitForSelector(".play");
  return page;
}

/** Another view of the same table comes, as an event of the core. */
async function comes(page, state) {
  await page.evaluate((detail) => {
    dispatchEvent(new CustomEvent("fake", { detail }));
    return new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  }, state);
}

const boxOf = (page, selector) =>
  page.evaluate((found) => {
    const { left, top, width, height } = document.querySelector(found).getBoundingClientRect();
    return [left, top, width, height].map(Math.round).join(" ");
  }, selector);

/** In the page: targets that are too small, asking things in the foot's place, and what lies over the board. */
function look([least, large]) {
  const found = [];
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => ({ element, box: element.getBoundingClientRect() })).filter(({ box }) => box.width > 0);
  const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  for (const { element, box } of boxes("button, a, input")) {
    if (Math.round(box.height) < least || Math.round(box.width) < least) found.push(`small: ${element.textContent.trim() || element.ariaLabel} ${Math.round(box.width)}x${Math.round(box.height)}`);
  }
  const [board] = boxes(".field > .board");
  const asks = boxes(".ask > *");
  for (const foot of boxes(".foot .bar, .foot .say")) {
    for (const ask of asks) if (meets(foot.box, ask.box)) found.push(`in the foot: ${ask.element.className}`);
    if (meets(foot.box, board.box)) found.push("the foot over the board");
    // Text at twice its size may have to be scrolled to; nothing else has.
    const reach = large ? document.documentElement.scrollHeight : innerHeight;
    if (foot.box.bottom > reach + 1) found.push("the foot below the fold");
  }
  for (const ask of asks) if (meets(ask.box, board.box)) found.push(`over the board: ${ask.element.className}`);
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the screen");
  return found;
}

async function check(label, page, { axe = false, large = false } = {}) {
  faults.push(...(await page.evaluate(look, [TARGET_PX, large])).map((fault) => `${label}: ${fault}`));
  if (!axe) return;
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
  faults.push(...violations.map((found) => `${label}: axe ${found.id} ${found.nodes.map((node) => node.html.slice(0, 90)).join(" | ")}`));
}

/** The board keeps its place, and its size, whatever comes. */
async function holds() {
  for (const size of SIZES) {
    for (const [before, states] of FAMILIES) {
      if (!states.some((state) => wanted.test(`${state} ${size.join("x")}`))) continue;
      const page = await open(size, `${before}&confirm=1`);
      const place = await boxOf(page, ".field > .board");
      for (const state of states) {
        const label = `${state} ${size.join("x")}`;
        if (!wanted.test(label)) continue;
        await comes(page, state);
        const now = await boxOf(page, ".field > .board");
        if (now !== place) faults.push(`${label}: the board was at ${place} and is at ${now}`);
        await check(label, page);
      }
    }
  }
}

/** An armed stone: Place and Cancel are large and apart, in either hand, and neither moves when a question comes. */
async function confirms() {
  for (const size of SIZES) {
    for (const hand of ["right", "left"]) {
      const label = `armed ${hand} ${size.join("x")}`;
      if (!wanted.test(label)) continue;
      const page = await open(size, `game-two&confirm=1&hand=${hand}`);
      const before = await boxOf(page, ".field > .board");
      await page.locator("[data-point=A1]").click({ force: true });
      await page.getByTestId("place").waitFor();
      const bar = () => Promise.all(["place", "cancel"].map((id) => page.getByTestId(id).boundingBox()));
      const [place, cancel] = await bar();
      const gap = hand === "left" ? cancel.x - place.x - place.width : place.x - cancel.x - cancel.width;
      if (place.height < 56 || cancel.height < 56 || gap < 24) faults.push(`${label}: ${JSON.stringify([place, cancel])}`);
      if (cancel.width >= place.width) faults.push(`${label}: Cancel is not the narrower one`);
      await check(label, page);
      await comes(page, "ask-undo");
      await page.getByTestId("question").waitFor();
      if (JSON.stringify(await bar()) !== JSON.stringify([place, cancel])) faults.push(`${label}: Place or Cancel moved when a question came`);
      if ((await boxOf(page, ".field > .board")) !== before) faults.push(`${label}: the board moved`);
      await check(`${label}, asked`, page);
    }
  }
}

/** Text at twice its size, more contrast, forced colours: all is there, and axe finds nothing. */
async function differently() {
  const ways = [
    ["large", "&text=200", {}],
    ["forced", "", { forcedColors: "active" }],
    ["contrast", "", { contrast: "more" }],
    ["numbers", "&numbers=1", {}],
  ];
  for (const [way, query, more] of ways) {
    for (const size of [SIZES[0], SIZES[3]]) {
      for (const state of ["ask-undo", "result"]) {
        const label = `${way} ${state} ${size.join("x")}`;
        if (!wanted.test(label)) continue;
        const page = await open(size, `${state}${query}`, more);
        await check(label, page, { axe: true, large: way === "large" });
        if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${label.replaceAll(" ", ".")}.png` });
      }
    }
  }
}

/** A mouse sees before it clicks what a stone would take or lose, and why it may not lie there; a click places at once. */
async function mouse() {
  if (!wanted.test("mouse")) return;
  const ensure = (holds, what) => holds || faults.push(`mouse: ${what}`);
  const over = async (page, at) => page.mouse.move(...Object.values(await page.locator(`[data-point=${at}]`).boundingBox()).slice(0, 2).map((edge) => edge + 9));
  const said = (page) => page.locator(".say").innerText();
  const page = await open(SIZES[3], "game-two");
  await over(page, "K10");
  await page.locator(".ghost").waitFor({ state: "attached" });
  ensure((await page.locator("g.take").count()) === 1, "no capsule around what would be taken");
  ensure((await said(page)).startsWith("K10 takes 2 white stones"), await said(page));
  await over(page, "F6");
  ensure((await page.locator(".callout").innerText()) === "Double three: not here", "no reason beside a forbidden point");
  ensure((await page.locator(".ghost").count()) === 0, "a ghost on a forbidden point");
  ensure((await said(page)).includes("Three: G6 and H6"), await said(page));
  await page.locator("[data-point=F6]").click();
  ensure((await page.locator("[data-point=F6][data-ghost]").count()) === 0, "a forbidden point takes a stone");
  await page.locator("[data-point=K10]").click();
  await page.locator("[data-point=K10][data-stone=black]").waitFor({ state: "attached" });
  ensure((await page.locator("[data-point=I8][data-stone], [data-point=J9][data-stone]").count()) === 0, "taken stones stay");
  ensure((await page.locator("g.last").count()) === 1, "the last stone has no ring");
  const flanked = await open(SIZES[3], "optional");
  await over(flanked, "G5");
  ensure((await flanked.locator("g.risk").count()) === 1, "no capsule around what would be flanked");
  ensure((await said(flanked)).startsWith("G5 would lose 2 stones"), await said(flanked));
  const ended = await open(SIZES[3], "result");
  ensure((await ended.locator("g.line").count()) === 1, "no winning line");
  const stops = await open(SIZES[3], "overtime");
  ensure((await stops.locator("[data-stop]").count()) === 4 && (await stops.locator("g.pending").count()) === 1, "overtime is not marked");
  ensure((await stops.evaluate(() => document.getAnimations().length)) === 0, "something moves though no motion is wanted");
}

await mouse();
await holds();
await confirms();
await differently();
await browser.close();
await server.close();
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exitCode = 1;
}
