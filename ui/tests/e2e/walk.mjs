// A newcomer on a phone, each way from an empty folder: at most three taps to the first stone against the CPU, and at most
// three to a seat at a table nearby.
//   node walk.mjs "COMMAND OF THE FIRST DEVICE" "COMMAND OF THE SECOND" DATA ARTEFACTS
import { browserOf, serve } from "./devices.mjs";
import { withPage } from "./page.mjs";

const [first, second, data, artefacts] = process.argv.slice(2);
const TAPS_MAX = 3;
const phone = { width: 360, height: 640, touch: true, artefacts };

/** A finger that counts. */
function finger(page) {
  let taps = 0;
  return {
    async on(target) {
      taps += 1;
      await target.tap();
    },
    done(what) {
      if (taps > TAPS_MAX) throw new Error(`${what} took ${taps} taps`);
      console.log(`${what}: ${taps} taps`);
    },
  };
}

async function firstStone(page) {
  const { on, done } = finger(page);
  await on(page.getByTestId("play-cpu"));
  await page.locator('[data-my-turn="true"]').waitFor();
  await on(page.locator('[data-point="H8"]'));
  await on(page.getByTestId("place"));
  await page.locator('[data-point="H8"][data-stone]').waitFor({ state: "attached" });
  done("the first stone against the CPU");
}

async function seat(page) {
  const { on, done } = finger(page);
  await on(page.locator('[data-testid^="nearby-"]'));
  // The field has the focus: whoever types needs no tap for it.
  const field = page.getByTestId("name-input");
  await field.waitFor();
  if (!(await field.evaluate((element) => element === document.activeElement))) throw new Error("the name's field has no focus");
  await page.keyboard.type("Ben");
  await on(page.getByTestId("name-save"));
  await page.locator('[data-testid="leave"], [data-testid="stand"]').first().waitFor();
  await page.getByText("Ben").first().waitFor();
  done("a seat at a table nearby");
}

const anna = await serve(first, data, "anna");
const ben = await serve(second, data, "ben");
const alone = await serve(second, data, "alone");
try {
  const chromium = browserOf(second, data, "ben");
  await withPage({ ...phone, url: alone.url, chromium, name: "browser-walk-cpu" }, firstStone);
  await withPage({ ...phone, url: anna.url, chromium: browserOf(first, data, "anna"), name: "browser-walk-anna" }, async (page) => {
    await page.getByTestId("name-input").fill("Anna");
    await page.getByTestId("name-save").tap();
    await page.getByTestId("name-save").waitFor({ state: "hidden" });
    await page.getByTestId("new-game").tap();
    await page.getByTestId("open-table").tap();
    await page.getByTestId("invite").waitFor();
    await withPage({ ...phone, url: ben.url, chromium, name: "browser-walk-seat" }, seat);
    await page.getByText("Ben").first().waitFor();
  });
} finally {
  for (const device of [anna, ben, alone]) await device.kill();
}
