// From prepared views: a game and what was continued apart are gone through by the same keys and buttons, and by nothing else.
//   node tests/e2e/steps.mjs     (in ui)
import { swipe, withViews } from "./views.mjs";

const STUDY = { query: "home&screen=history", taps: ["[data-testid$='/2'] .open"], at: "h1 + .note", first: "Move 0", before: "Move 17", last: "Move 18" };
const BRANCH = {
  query: "apart",
  taps: ["[data-testid=menu]", "[data-testid=menu-apart]", "[data-testid^=branch-]"],
  at: ".steps .where",
  first: "Move 0",
  before: "Move 7",
  last: "Move 8",
};

await withViews(async (open) => {
  for (const { query, taps, at, first, before, last } of [STUDY, BRANCH]) {
    const page = await open([360, 640], query);
    for (const tap of taps) await page.click(tap);
    const says = (words) => page.locator(at, { hasText: words }).waitFor().catch(() => {
      throw new Error(`${query} is never at ${words}`);
    });
    const press = async (key, words) => {
      await page.keyboard.press(key);
      await says(words);
    };
    await page.getByTestId("first").click();
    await says(first);
    await press("ArrowLeft", first);
    await press("ArrowRight", "Move 1");
    await press(".", "Move 2");
    await press(",", "Move 1");
    await press("End", last);
    await press("ArrowRight", last);
    await press("Home", first);
    await page.getByTestId("next").click();
    await says("Move 1");
    await page.getByTestId("last").click();
    await says(last);
    await page.getByTestId("previous").click();
    await says(before);
    // A finger that slides over the board is no step.
    const box = await page.locator(".board").boundingBox();
    const y = box.y + box.height / 2;
    await swipe(page, { x: box.x + box.width * 0.8, y }, { x: box.x + box.width * 0.2, y });
    await page.waitForTimeout(300);
    if (!(await page.locator(at).innerText()).includes(before)) throw new Error(`${query}: a finger on the board steps`);
    await page.context().close();
  }
});
