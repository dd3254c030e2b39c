// One person at a browser against the CPU, from the first start to the second game.
//   node solo.mjs URL WIDTH HEIGHT THEME LOCALE ARTEFACTS
import { playToTheEnd, readRules, seeded, withPage } from "./page.mjs";

const [url, width, height, theme, locale, artefacts] = process.argv.slice(2);
const name = `browser-${width}x${height}-${theme}-${locale}`;

await withPage({ url, width: +width, height: +height, theme, locale, touch: +width < 600, artefacts, name }, async (page, look) => {
  const random = seeded(20261130);
  await page.getByTestId("new-game").waitFor();
  if (new URL(page.url()).searchParams.has("token")) throw new Error("the token stays in the address bar");
  await look("first-start");
  await page.getByTestId("name-input").fill("Lina");
  await page.getByTestId("name-save").click();
  await page.getByTestId("name-save").waitFor({ state: "hidden" });
  await look("home");

  for (const screen of ["settings", "history"]) {
    await page.getByTestId(screen).click();
    await page.locator("h1").first().waitFor();
    await look(screen);
    await page.goBack();
    await page.getByTestId("new-game").waitFor();
  }

  await page.getByTestId("new-game").click();
  for (const preset of ["pente", "pente-swap2", "gomoku", "wuziqi", "capture-five"]) {
    await page.getByTestId(`preset-${preset}`).click();
  }
  await look("set-up");
  await readRules(page, locale, () => look("set-up-rules"));
  await page.goBack();

  await page.getByTestId("play-cpu").click();
  await page.locator("[data-point]").first().waitFor();
  let middle = false;
  await playToTheEnd(page, random, async (moves) => {
    if (moves === 3 && !middle) {
      middle = true;
      await look("game");
      await readRules(page, locale, () => look("game-rules"));
      // Away and back: the home screen offers the game, one tap goes on.
      await page.goBack();
      await page.getByTestId("continue").waitFor();
      await look("home-continue");
      await page.getByTestId("continue").click();
      await page.locator("[data-point]").first().waitFor();
    }
  });
  await look("result");
  await page.getByTestId("rematch").click();
  await page.getByTestId("result").waitFor({ state: "hidden" });
  await playToTheEnd(page, random);
  await page.goBack();
  await page.getByTestId("history").click();
  await page.locator("h1").first().waitFor();
  await look("history-two");
});
