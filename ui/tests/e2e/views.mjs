// Prepared views in a browser, for scripts that need no core: the development server, a Chromium, a page for each size.
import { chromium } from "playwright-core";
import { createServer } from "vite";
import { CHROMIUM } from "./page.mjs";

/** Runs `script(open)` where `open([width, height], query)` gives a page; phones are touched. Any page error fails it. */
export async function withViews(script) {
  const server = await createServer({ server: { port: 5294, strictPort: false, hmr: false, watch: null }, logLevel: "error" });
  await server.listen();
  const [pages] = server.resolvedUrls.local;
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
  const faults = [];
  try {
    await script(async ([width, height], query) => {
      const phone = width < 600;
      const context = await browser.newContext({ viewport: { width, height }, hasTouch: phone, isMobile: phone, reducedMotion: "reduce" });
      // The pages are made as they are asked for: on a busy machine the first one takes its time.
      context.setDefaultNavigationTimeout(120_000);
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on("pageerror", (error) => faults.push(`page: ${error.stack ?? error}`));
      page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
      await page.goto(`${pages}?fake=${query}`);
      await page.waitForSelector("main");
      return page;
    });
  } finally {
    await browser.close();
    await server.close();
  }
  if (faults.length) throw new Error(faults.join("\n"));
}

/** A finger that goes over the screen in a few steps. */
export async function swipe(page, from, to) {
  const client = await page.context().newCDPSession(page);
  const touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [from]);
  for (let i = 1; i <= 4; i += 1) {
    await touch("touchMove", [{ x: from.x + ((to.x - from.x) * i) / 4, y: from.y + ((to.y - from.y) * i) / 4 }]);
  }
  await touch("touchEnd", []);
}
