// Pictures of every screen and state, from prepared views, and what is wrong with them: text that is cut, controls that are
// too small, pages that are too wide, axe's findings.
// npm run shots -- [name filter] [--every | --sheets] [--quick] [--out FOLDER]
// --sheets: three languages, two sizes, light and dark, of each name on one picture.
import AxeBuilder from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { createServer } from "vite";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string", default: "../artefacts/ui" }, port: { type: "string", default: "5174" }, every: { type: "boolean" }, sheets: { type: "boolean" }, quick: { type: "boolean" } },
});
const wanted = new RegExp(positionals[0] ?? ".");

const PHONE = [360, 640];
const SMALL = [320, 568];
const TABLET = [768, 1024];
const WIDE = [1280, 800];
/** Phones on their side. */
const LYING = [640, 360];
const LYING_LARGE = [844, 390];
const GAMES =
  "game-two ask-undo ask-draw ask-four ask-mine ask-options watch watch-four watch-over away-wait away-ranked taken own-taken silent cut-alone clock hurry clock-four not-saved not-saved-asked halted left toss has-left just-left left-four next-game sent outage away keeper three overtime take nineteen swap2 swap2-away swap2-wait swap2-taken swap2-cut swap2-cut-alone swap2-halted swap2-not-saved swap2-asked result result-four draw resigned optional".split(" ");

const INVITE = ["[data-testid=by-invite]"];
const LESSON = ["[data-testid=topic-capture-five-capture]"];
const TYPED = (text) => [...INVITE, ["[data-testid=invite-input]", text], "[data-testid=invite-join]"];

/** Where to tap before the picture is taken, or what to type where. */
const STEPS = {
  "aim": { fixture: "game-two", query: "&confirm=1", steps: ["[data-point=K10]"] },
  "told-fours": { fixture: "fours", query: "&confirm=1", steps: ["[data-point=I5]"] },
  "told-overline": { fixture: "fours", query: "&confirm=1", steps: ["[data-point=L10]"] },
  "told-ring": { fixture: "keep-out", query: "&confirm=1", steps: ["[data-point=I9]"] },
  "told-flank": { fixture: "keep-out", query: "&confirm=1", steps: ["[data-point=D3]"] },
  "warned": { fixture: "threats", query: "", steps: ["[data-testid=threats]"] },
  "warned-two": { fixture: "game-two", query: "", steps: ["[data-testid=threats]"] },
  "told": { fixture: "game-two", query: "&confirm=1", steps: ["[data-point=F6]"] },
  "aim-overtime": { fixture: "overtime", query: "&confirm=1", steps: ["[data-point=F7]"] },
  "aim-take": { fixture: "take", query: "&confirm=1", steps: ["[data-point=K8]"] },
  "aim-optional": { fixture: "optional", query: "&confirm=1", steps: ["[data-point=I10]", "[data-point=G10]"] },
  "aim-flank": { fixture: "optional", query: "&confirm=1", steps: ["[data-point=G5]"] },
  "rules": { fixture: "game-two", query: "", steps: ["[data-testid=rules]"] },
  "rules-four": { fixture: "away", query: "", steps: ["[data-testid=rules]"] },
  "undo": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-undo]"] },
  "invite": { fixture: "apart", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-invite]"] },
  "apart": { fixture: "apart", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-apart]"] },
  "branch": { fixture: "apart", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-apart]", "[data-testid^=branch-]", "[data-testid=next]"] },
  "terms": { fixture: "lobby-invite", query: "", steps: ["[data-testid=terms]"] },
  "lobby-invite": { fixture: "lobby-invite", query: "", steps: [] },
  "ask-lobby": { fixture: "ask-lobby", query: "", steps: [] },
  "ask-terms": { fixture: "ask-options", query: "", steps: ["[data-testid=question] [data-testid=rules]"] },
  "cpu-ranked": { fixture: "away-ranked", query: "", steps: ["[data-hears=true] [data-testid=cpu-now]"] },
  "home-full": { fixture: "home-full", query: "", steps: [] },
  "invite-wrong": { fixture: "home", query: "", steps: TYPED("7K4M-2Q9") },
  "invite-nobody": { fixture: "home", query: "", steps: TYPED("7K4M-2Q9T-XH3P") },
  "invite-looking": { fixture: "home", query: "", steps: TYPED("7K4M-2Q9T-XH3Q") },
  "home-invite": { fixture: "home", query: "", steps: INVITE },
  "setup-table": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=pin]"] },
  "pin": { fixture: "pin", query: "", steps: [] },
  "pin-wrong": { fixture: "pin-wrong", query: "", steps: [] },
  "aim-ask": { fixture: "ask-undo", query: "&confirm=1", steps: ["[data-point=K10]"] },
  "menu-watch": { fixture: "watch", query: "", steps: ["[data-testid=menu]"] },
  "menu-undo-waits": { fixture: "undo-waits", query: "", steps: ["[data-testid=menu]"] },
  "menu-over": { fixture: "undo-over", query: "", steps: ["[data-testid=menu]"] },
  "phrases": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-phrases]"] },
  "keys": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-keys]"] },
  "stand": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-stand]"] },
  "numbers": { fixture: "result", query: "&numbers=1", steps: [] },
  "numbers-four": { fixture: "away", query: "&numbers=1", steps: [] },
  "menu": { fixture: "game-two", query: "", steps: ["[data-testid=menu]"] },
  "resign": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-resign]"] },
  "home": { fixture: "home", query: "", steps: [] },
  "home-many": { fixture: "many", query: "", steps: [] },
  "home-first": { fixture: "first-start", query: "", steps: [] },
  "home-nothing": { fixture: "nothing", query: "", steps: [] },
  "home-offline": { fixture: "offline", query: "", steps: [] },
  "home-forget": { fixture: "many", query: "", steps: [".continue .icon-btn"] },
  "setup": { fixture: "home", query: "&screen=setup", steps: [] },
  "setup-name": { fixture: "first-start", query: "&screen=setup", steps: ["[data-testid=open-table]"] },
  "setup-teams": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=seats-4]", "[data-testid=teams]"] },
  "setup-here": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=seats-3]", "[data-testid=seat-kind-1-here]", "[data-testid=seat-kind-2-cpu]", "[data-testid=favourite-ask]"] },
  "setup-swap": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=seats-4]", "[data-testid=teams]", "[data-testid=seat-kind-3-cpu]", "[data-testid=partner-3]"] },
  "lobby-squat": { fixture: "lobby-squat", query: "", steps: [] },
  "lobby-asked": { fixture: "lobby-asked", query: "", steps: ["[data-testid=ask-stand-2]"] },
  "setup-rules": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=preset-pente-swap2]", "[data-testid=rules]"] },
  "lobby-rules": { fixture: "lobby", query: "", steps: ["[data-testid=rules]"] },
  "lobby-longest": { fixture: "lobby-longest", query: "", steps: [] },
  "lobby-longest-rules": { fixture: "lobby-longest", query: "", steps: ["[data-testid=rules]"] },
  "lobby": { fixture: "lobby", query: "", steps: [] },
  "lobby-guest": { fixture: "lobby-guest", query: "", steps: [] },
  "lobby-toss": { fixture: "lobby-toss", query: "", steps: [] },
  "lobby-left": { fixture: "lobby-left", query: "", steps: [] },
  "lobby-teams": { fixture: "lobby-teams", query: "", steps: [] },
  "joining": { fixture: "joining", query: "", steps: [] },
  "settings": { fixture: "home", query: "&screen=settings", steps: [] },
  "study": { fixture: "home", query: "&screen=history", steps: ["[data-testid$='/2'] .open", "[data-testid=move-14]", "[data-testid=analyse]", "[data-testid=threats]"] },
  "study-way": { fixture: "home", query: "&screen=history", steps: ["[data-testid$='/2'] .open", "[data-testid=move-14]", "[data-point=C3]", "[data-testid=to-game]"] },
  "study-many": { fixture: "home", query: "&screen=history", steps: ["[data-testid$='/1'] .open", "[data-testid=last]"] },
  "study-editor": { fixture: "home", query: "&screen=study", steps: ["[data-point=H8]", "[data-testid=tool-white]", "[data-point=I8]"] },
  "study-rules": { fixture: "home", query: "&screen=study", steps: ["[data-testid=editor-rules]"] },
  "learn": { fixture: "home", query: "&screen=learn", steps: [] },
  "learn-puzzles": { fixture: "home", query: "&screen=learn", steps: ["[data-testid=part-puzzles]"] },
  "learn-words": { fixture: "home", query: "&screen=learn", steps: ["[data-testid=part-words]"] },
  "learn-questions": { fixture: "home", query: "&screen=learn", steps: ["[data-testid=part-questions]", "[data-testid=question-win] summary"] },
  "lesson": { fixture: "home", query: "&screen=learn", steps: LESSON },
  "lesson-hint": { fixture: "home", query: "&screen=learn", steps: [...LESSON, "[data-testid=hint]", "[data-testid=hint]"] },
  "lesson-wrong": { fixture: "home", query: "&screen=learn", steps: [...LESSON, "[data-point=C3]"] },
  "lesson-right": { fixture: "home", query: "&screen=learn", steps: [...LESSON, "[data-point=F5]"] },
  "puzzle": { fixture: "home", query: "&screen=learn", steps: ["[data-testid=part-puzzles]", "[data-testid=today]"] },
  "history": { fixture: "home", query: "&screen=history", steps: [] },
};

const jobs = [];
const names = [...GAMES, ...Object.keys(STEPS)];
/** Every language in these sizes, light and dark: too many for each time. */
const every = (sizes) => (name) =>
  sizes.flatMap((size) => ["en", "zh-TW", "ja"].flatMap((lang) => ["light", "dark"].map((theme) => ({ name, size, lang, theme }))));
if (values.every) jobs.push(...names.flatMap(every([SMALL, PHONE, TABLET, WIDE])));
else if (values.sheets) jobs.push(...names.flatMap(every([PHONE, WIDE])));
else for (const name of names) {
  jobs.push({ name, size: PHONE, lang: "en", theme: "light" }, { name, size: PHONE, lang: "zh-TW", theme: "dark" });
  jobs.push({ name, size: PHONE, lang: "ja", theme: "light" }, { name, size: SMALL, lang: "en", theme: "light" });
  jobs.push({ name, size: WIDE, lang: "en", theme: "light" }, { name, size: WIDE, lang: "ja", theme: "dark" });
  jobs.push({ name, size: TABLET, lang: "en", theme: "light" });
  jobs.push({ name, size: LYING, lang: "en", theme: "light" }, { name, size: LYING_LARGE, lang: "ja", theme: "dark" });
}

/** Run in the page: what a person could not read or hit. */
function faults() {
  const found = [];
  for (const element of document.querySelectorAll("button, a, .name, .state, h1, h2, .tag, .count, .code")) {
    const box = element.getBoundingClientRect();
    // What only screen readers get is cut on purpose.
    if (box.width === 0 || element.closest(".off-screen")) continue;
    const words = element.textContent.trim().slice(0, 24);
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") found.push(`cut: ${words}`);
    if (element.matches("button, a") && (Math.round(box.height) < 44 || Math.round(box.width) < 44)) found.push(`small: ${words || element.ariaLabel}`);
    if (box.right > innerWidth + 1) found.push(`outside: ${words}`);
  }
  const root = document.documentElement;
  // A board that is played or replayed is seen whole, and so are the buttons that go with it.
  const board = document.querySelector(".field > .board, .replay > .board")?.getBoundingClientRect();
  const beside = board ? document.querySelectorAll(".ask > *, .foot, .play > .seats, .replay > .slip") : [];
  for (const element of beside) {
    const box = element.getBoundingClientRect();
    const apart = box.width === 0 || box.bottom <= board.top + 1 || box.top >= board.bottom - 1 || box.left >= board.right || box.right <= board.left;
    if (!apart) found.push(`over the board: ${element.className}`);
    if (box.bottom > innerHeight + 1) found.push(`below the fold: ${element.className}`);
  }
  if (root.scrollWidth > innerWidth) found.push(`wide by ${root.scrollWidth - innerWidth}`);
  if (document.querySelector(".play") && root.scrollHeight > innerHeight) found.push(`scrolls ${root.scrollHeight - innerHeight}`);
  return [...new Set(found)];
}

/** Six pictures across, phones before wide windows, these a little smaller. */
async function sheet(name, pictures) {
  const page = await browser.newPage({ viewport: { width: 2230, height: 400 } });
  const figure = ({ label, width, picture }) =>
    `<figure><img width="${Math.min(width, 720)}" src="data:image/png;base64,${picture.toString("base64")}"><figcaption>${label}</figcaption></figure>`;
  await page.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:8px;margin:8px;background:#777;font:14px sans-serif}figure{margin:0}img{display:block}</style>${pictures.map(figure).join("")}`,
  );
  await page.screenshot({ path: `${values.out}/sheet.${name}.png`, fullPage: true });
  await page.close();
}

mkdirSync(values.out, { recursive: true });
const server = await createServer({ server: { port: Number(values.port), strictPort: false, hmr: false, watch: null }, logLevel: "error" });
await server.listen();
// Another port, where that one is taken.
const [pages] = server.resolvedUrls.local;
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
});

/** The pictures of each name, as they are on its sheet. */
const sheets = new Map();
let bad = 0;
for (const { name, size, lang, theme } of jobs) {
  const label = `${name}.${lang}.${size.join("x")}${theme === "dark" ? ".dark" : ""}`;
  if (!wanted.test(label)) continue;
  const { fixture = name, query = "", steps = [] } = STEPS[name] ?? {};
  const context = await browser.newContext({
    viewport: { width: size[0], height: size[1] },
    hasTouch: size !== WIDE,
    isMobile: size !== WIDE,
    reducedMotion: "reduce",
    colorScheme: theme,
  });
  // The pages are made as they are asked for: on a busy machine the first one takes its time.
  context.setDefaultNavigationTimeout(120_000);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  await page.goto(`${pages}?fake=${fixture}&lang=${lang}${query}`);
  await page.waitForSelector("main");
  for (const step of steps) await (Array.isArray(step) ? page.fill(...step) : page.click(step));
  problems.push(...(await page.evaluate(faults)));
  // Axe takes most of the time.
  const { violations } = values.quick ? { violations: [] } : await new AxeBuilder({ page }).analyze();
  problems.push(...violations.map((v) => `axe ${v.id}: ${v.nodes.map((node) => node.target.join(" ")).slice(0, 3).join("; ")}`));
  const picture = await page.screenshot({ path: `${values.out}/${label}.png` });
  sheets.set(name, [...(sheets.get(name) ?? []), { label, width: size[0], picture }]);
  if (problems.length > 0) console.log(label, "\n  ", problems.join("\n   "));
  bad += problems.length;
  await context.close();
}
for (const [name, pictures] of values.sheets ? sheets : []) await sheet(name, pictures);
await browser.close();
await server.close();
console.log(bad === 0 ? "nothing wrong" : `${bad} findings`);
process.exitCode = bad === 0 ? 0 : 1;
