// Looks at every screen and state, from prepared views: is it the picture that was kept; in every size, language and size of
// text, is anything cut, too small or in the way; has axe a finding in a theme or on a board.
// node tests/look.mjs [name filter] [--keep | --quick] [--out FOLDER]
// --keep: only keeps the pictures as they are now, as `cargo xtask shots` does. --quick: without axe, which takes most of the
// time.
import AxeBuilder from "@axe-core/playwright";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { build, preview } from "vite";
import { faults } from "./look/faults.mjs";
import { difference, fonts, fontsFile, keep } from "./look/pictures.mjs";
import { NAMES, PHONE, SMALL, STEPS, TABLET, WIDE, LYING } from "./look/states.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string", default: "../artefacts/look" }, keep: { type: "boolean" }, quick: { type: "boolean" } },
});
const wanted = new RegExp(positionals[0] ?? ".");
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const KEPT = here("./kept");
const WORKERS = 6;
/** A Tuesday in summer, so that days and countdowns are the same in every picture. */
const NOW = new Date("2026-06-16T10:00:00Z");
/** In the page's own time: after a step, and until everything that comes later has come. */
const STEP_MS = 1_000;
const SETTLED_MS = 3_000;

const LANGUAGES = ["en", "zh-TW", "ja"];
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The wood's grain and the mat's weave are left out of kept pictures: they are most of their bytes and tell nothing. */
const FLAT = ":root, :root[data-theme], :root[data-board] { --grain-dark: transparent !important; --grain-fine: transparent !important; --grain-light: transparent !important; --ground-weave: transparent !important }";

/** Where the wide picture would tell no more than the phone's and another state's: measured, not kept. */
const NOT_WIDE = /^(ask-(undo|draw|mine)|away-|clock|cut-|has-left|hurry|just-left|left|not-saved|own-taken|silent|swap2-|taken|toss|told-|menu-|watch-|home-(many|offline|nothing)|invite-|lobby-(squat|asked|toss|left|longest))/;
const isKept = (name, size) => size !== WIDE || !NOT_WIDE.test(name);

/** What is seen by finger and what with a mouse; the picture's size first. */
const VIEWS = [
  { touch: true, size: PHONE, others: [[PHONE, LANGUAGES, 100], [SMALL, LANGUAGES, 100], [SMALL, LANGUAGES, 200], [PHONE, LANGUAGES, 200], [TABLET, LANGUAGES, 100], [TABLET, ["en"], 200], [LYING, ["en"], 100]] },
  { touch: false, size: WIDE, others: [[WIDE, LANGUAGES, 100], [WIDE, LANGUAGES, 200]] },
];
const LOOKS = [{ theme: "light", board: "" }, { theme: "dark", board: "" }];
/** The other boards, on which only colours can be at fault. */
const BOARDS = [{ theme: "light", board: "evening" }, { theme: "light", board: "plain" }, { theme: "dark", board: "plain" }];

/** Changes settings in place, as the core would tell them, and waits until they are drawn. */
async function set(page, settings) {
  await page.evaluate(async (detail) => {
    dispatchEvent(new CustomEvent("fake-settings", { detail }));
    for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setTimeout(done));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, settings);
}

async function axe(page, rules) {
  // There are no frames to be asked, and naming each of a board's points among what is well takes seconds.
  const only = rules ? { type: "rule", values: rules } : { type: "tag", values: AXE_TAGS };
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).options({ runOnly: only, resultTypes: ["violations"] }).analyze();
  return violations.map(({ id, nodes }) => `axe ${id}: ${nodes.map((node) => node.target.join(" ")).slice(0, 3).join("; ")}`);
}

/** One state in one view: everything that is wrong with it, as lines. */
async function look(page, name, { size, others }) {
  const { fixture = name, query = "", steps = [] } = STEPS[name] ?? {};
  const label = `${name}.${size.join("x")}`;
  const wrong = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(`${label} console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`${label} error: ${error.message}`));
  try {
    await page.setViewportSize({ width: size[0], height: size[1] });
    await page.goto(`${pages}?fake=${fixture}&lang=en&theme=light${query}`);
    await page.waitForSelector("main");
    for (const step of steps) {
      await page.clock.runFor(STEP_MS);
      await (Array.isArray(step) ? page.fill(...step) : page.click(step));
    }
    // What the pointer happens to be over looks otherwise.
    await page.mouse.move(1, 1);
    // Some screens are fetched when they are first opened.
    if (query.includes("screen=")) await page.waitForLoadState("networkidle");
    await page.clock.runFor(SETTLED_MS);
    await page.addStyleTag({ content: FLAT });
    const picture = await page.screenshot({ path: join(values.out, `${label}.png`), caret: "hide" });
    const file = join(KEPT, `${label}.png`);
    if (!isKept(name, size)) rmSync(join(values.out, `${label}.png`));
    else if (values.keep) keep(picture, file);
    else if (comparable && !existsSync(file)) wrong.push(`${label}: no picture was kept`);
    else if (comparable) {
      const differs = difference(picture, readFileSync(file));
      if (differs) wrong.push(`${label}: ${differs.says}`);
      if (differs) writeFileSync(join(values.out, `${label}.differs.png`), differs.shown);
    }
    if (values.keep) return wrong;
    await page.clock.resume();
    for (const settings of values.quick ? [] : LOOKS) {
      await set(page, settings);
      const rules = settings.theme === "light" ? null : ["color-contrast"];
      wrong.push(...(await axe(page, rules)).map((line) => `${label} ${settings.theme}: ${line}`));
    }
    await set(page, LOOKS[0]);
    for (const [[width, height], languages, text] of others) {
      await page.setViewportSize({ width, height });
      for (const language of languages) {
        await set(page, { language, text_percent: text });
        const found = await page.evaluate(faults, { fits: text === 100, shortens: name.startsWith("long-") });
        wrong.push(...found.map((line) => `${name} ${language} ${width}×${height} ${text} %: ${line}`));
        if (found.length > 0) await page.screenshot({ path: join(values.out, `${name}.${language}.${width}x${height}.${text}.png`) });
      }
    }
  } catch (thrown) {
    wrong.push(`${label}: ${thrown.message.split("\n").slice(0, 3).join(" ")}`);
  }
  return wrong;
}

/** Colours of the boards, where they are most: on one table. */
async function lookAtBoards(page) {
  const wrong = [];
  await page.goto(`${pages}?fake=result-four&lang=en`);
  await page.waitForSelector("main");
  await page.clock.resume();
  for (const settings of values.quick ? [] : BOARDS) {
    await set(page, settings);
    wrong.push(...(await axe(page, ["color-contrast"])).map((line) => `board ${settings.board} ${settings.theme}: ${line}`));
  }
  return wrong;
}

const environment = { ...process.env, FONTCONFIG_FILE: here("./look/fonts.conf"), TZ: "UTC" };
rmSync(values.out, { recursive: true, force: true });
for (const folder of [values.out, KEPT]) mkdirSync(folder, { recursive: true });
const drawnWith = fonts(environment);
if (values.keep) writeFileSync(fontsFile(KEPT), `${drawnWith}\n`);
const comparable = readFileSync(fontsFile(KEPT), "utf8").trim() === drawnWith;
if (!comparable) console.log("The pictures are not compared: this machine's Noto Sans is another version than that of the kept ones.");

const built = mkdtempSync(join(tmpdir(), "c5-look-"));
await build({ mode: "look", logLevel: "warn", build: { outDir: built, emptyOutDir: true, minify: false } });
const server = await preview({ build: { outDir: built }, preview: { port: 4175, strictPort: false }, logLevel: "error" });
const [pages] = server.resolvedUrls.local;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  env: environment,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--font-render-hinting=none"],
});

const jobs = VIEWS.flatMap((view) => NAMES.filter((name) => wanted.test(`${name}.${view.size.join("x")}`)).map((name) => ({ view, name })));
const wrong = [];
/** A page on which time stands still until the picture is taken. */
async function open(touch) {
  const context = await browser.newContext({ hasTouch: touch, isMobile: touch, reducedMotion: "reduce", colorScheme: "light", locale: "en", timezoneId: "UTC" });
  context.setDefaultTimeout(20_000);
  context.setDefaultNavigationTimeout(60_000);
  await context.clock.install({ time: NOW });
  await context.clock.pauseAt(NOW.getTime() + STEP_MS);
  return await context.newPage();
}

async function work() {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const page = await open(job.view.touch);
    const found = await look(page, job.name, job.view);
    if (found.length > 0) console.log(found.join("\n"));
    wrong.push(...found);
    await page.context().close();
  }
}
await Promise.all(Array.from({ length: WORKERS }, work));
if (!values.keep) wrong.push(...(await lookAtBoards(await open(true))));
await browser.close();
await server.close();
rmSync(built, { recursive: true, force: true });

// A picture of what is no longer looked at would never be compared again.
const kept = new Set(VIEWS.flatMap(({ size }) => NAMES.filter((name) => isKept(name, size)).map((name) => `${name}.${size.join("x")}.png`)));
for (const file of readdirSync(KEPT).filter((file) => file.endsWith(".png") && !kept.has(file))) {
  if (values.keep) rmSync(join(KEPT, file));
  else wrong.push(`${file}: kept, but no longer looked at`);
}
console.log(wrong.length === 0 ? "nothing wrong" : `${wrong.length} findings`);
process.exitCode = wrong.length === 0 ? 0 : 1;
