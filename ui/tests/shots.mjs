// Pictures of every screen and state for people to look at, from prepared views, and what is wrong with them.
// npm run shots -- [name filter] [--every | --sheets] [--quick] [--out FOLDER]
// --sheets: three languages, two sizes, light and dark, of each name on one picture.
import AxeBuilder from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { createServer } from "vite";
import { faults } from "./look/faults.mjs";
import { LYING, LYING_LARGE, NAMES, PHONE, SMALL, STEPS, TABLET, WIDE } from "./look/states.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string", default: "../artefacts/ui" }, port: { type: "string", default: "5174" }, every: { type: "boolean" }, sheets: { type: "boolean" }, quick: { type: "boolean" } },
});
const wanted = new RegExp(positionals[0] ?? ".");

const jobs = [];
/** Every language in these sizes, light and dark: too many for each time. */
const every = (sizes) => (name) =>
  sizes.flatMap((size) => ["en", "zh-TW", "ja"].flatMap((lang) => ["light", "dark"].map((theme) => ({ name, size, lang, theme }))));
if (values.every) jobs.push(...NAMES.flatMap(every([SMALL, PHONE, TABLET, WIDE])));
else if (values.sheets) jobs.push(...NAMES.flatMap(every([PHONE, WIDE])));
else for (const name of NAMES) {
  jobs.push({ name, size: PHONE, lang: "en", theme: "light" }, { name, size: PHONE, lang: "zh-TW", theme: "dark" });
  jobs.push({ name, size: PHONE, lang: "ja", theme: "light" }, { name, size: SMALL, lang: "en", theme: "light" });
  jobs.push({ name, size: WIDE, lang: "en", theme: "light" }, { name, size: WIDE, lang: "ja", theme: "dark" });
  jobs.push({ name, size: TABLET, lang: "en", theme: "light" });
  jobs.push({ name, size: LYING, lang: "en", theme: "light" }, { name, size: LYING_LARGE, lang: "ja", theme: "dark" });
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
  problems.push(...(await page.evaluate(faults, { fits: true, shortens: name.startsWith("long-") })));
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
