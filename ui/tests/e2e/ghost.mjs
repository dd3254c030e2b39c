// A stone placed over a slow link is a ghost until it is kept elsewhere.
//   node ghost.mjs URL TABLE-ID ARTEFACTS
import { readRules, seeded, tap, withPage } from "./page.mjs";

const [url, table, artefacts] = process.argv.slice(2);

await withPage({ url, width: 1280, height: 800, artefacts, name: "browser-ghost" }, async (page, look) => {
  await page.getByTestId(`nearby-${table}`).click();
  // A newcomer says a name first, and sits down with the same tap.
  await page.getByTestId("name-input").fill("Ben");
  await page.getByTestId("name-save").click();
  await page.getByTestId("start").waitFor();
  await readRules(page, "en", () => look("lobby-rules"));
  await page.getByTestId("start").click();
  await page.waitForFunction(() => document.querySelector('[data-my-turn="true"]'));
  const random = seeded(5);
  const free = page.locator('[data-point][data-playable="true"]');
  const at = await free.nth(Math.floor(random() * (await free.count()))).getAttribute("data-point");
  await tap(page, at);
  const ghost = page.locator(`[data-point="${at}"][data-ghost]`);
  await ghost.waitFor({ state: "attached" });
  await look("ghost");
  await ghost.waitFor({ state: "detached" });
  await page.locator(`[data-point="${at}"][data-stone]`).waitFor({ state: "attached" });
  await look("kept");
});
