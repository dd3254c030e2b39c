// A finger on a small phone, over the real core: 19×19 at 320 px by cursor and magnifier, the second tap and the button,
// a point tapped directly where the magnifier is off, and touches that began elsewhere.
//   node touch.mjs URL ARTEFACTS
import { withPage } from "./page.mjs";

const [url, artefacts] = process.argv.slice(2);

await withPage({ url, width: 320, height: 568, touch: true, artefacts, name: "browser-touch" }, async (page, look) => {
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, ...points) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  const ensure = (holds, what) => {
    if (!holds) throw new Error(what);
  };
  const cell = (at) => page.locator(`[data-point="${at}"]`);
  const centre = async (at) => {
    const box = await cell(at).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const myTurn = () => page.waitForFunction(() => document.querySelector('[data-my-turn="true"]'));
  const say = () => page.locator(".say").innerText();

  await page.getByTestId("name-input").fill("Lina");
  await page.getByTestId("name-save").click();
  await page.getByTestId("new-game").click();
  await page.getByTestId("preset-pente").click();
  await page.getByTestId("seat-kind-1-cpu").click();
  await page.getByTestId("start").click();
  await myTurn();
  const width = (await cell("A1").boundingBox()).width;
  ensure(width < 21, `a point is ${width} px wide: no magnifier is needed`);
  const board = await page.locator(".field > .board").boundingBox();

  // While the finger is down the cursor stands four points above it, with the magnifier in the corner away from it.
  const [x, y] = await centre("F10");
  await touch("touchStart", [x, y]);
  const loupe = page.locator(".loupe");
  await loupe.waitFor();
  ensure((await say()).includes("F14"), `the cursor is not four points above the finger: ${await say()}`);
  let glass = await loupe.boundingBox();
  ensure(glass.x > x && glass.y < y - glass.height / 2, "the magnifier is not in the free upper corner");
  await look("cursor");
  const [right, below] = await centre("O6");
  await touch("touchMove", [right, below]);
  await page.locator(".say", { hasText: "O10" }).waitFor();
  glass = await loupe.boundingBox();
  ensure(glass.x + glass.width < right, "the magnifier did not go to the other corner");
  // As far as the last row, though the finger lies below the board.
  await touch("touchMove", [(await centre("S1"))[0], board.y + board.height + 60]);
  await page.locator(".say", { hasText: "S1" }).waitFor();
  await touch("touchMove", [(await centre("J6"))[0], (await centre("J6"))[1]]);
  await page.locator(".say", { hasText: "J10" }).waitFor();
  await touch("touchEnd");
  await loupe.waitFor({ state: "detached" });

  // Lifting only aims. Place and Cancel are large and apart, and nothing else stands there.
  const place = page.getByTestId("place");
  await place.waitFor();
  ensure((await place.innerText()).includes("J10"), await place.innerText());
  const [bar, cancel] = [await place.boundingBox(), await page.getByTestId("cancel").boundingBox()];
  ensure(bar.height >= 56 && cancel.height >= 56 && bar.x - cancel.x - cancel.width >= 24, JSON.stringify([bar, cancel]));
  await look("armed");
  await page.getByTestId("cancel").tap();
  await place.waitFor({ state: "detached" });
  ensure((await page.locator("[data-stone]").count()) === 0, "Cancel has placed a stone");

  // A slide that ends on the same point again is no second tap; a tap on the stone that waits is.
  const slideTo = async (at) => {
    const [toX, toY] = await centre(at);
    const under = toY + 4 * width;
    await touch("touchStart", [toX - 20, under]);
    await touch("touchMove", [toX, under]);
    await touch("touchEnd");
  };
  await slideTo("J10");
  await place.waitFor();
  await slideTo("J10");
  await page.waitForTimeout(300);
  ensure(await place.isVisible(), "a slide over the armed point has placed the stone");
  await touch("touchStart", await centre("J10"));
  await touch("touchEnd");
  await cell("J10").and(page.locator("[data-stone]")).waitFor({ state: "attached" });
  await myTurn();

  // A finger that went down on another screen, and comes up on this one, has done nothing.
  await page.goBack();
  await page.getByTestId("continue").waitFor();
  await touch("touchStart", await page.getByTestId("continue").boundingBox().then((box) => [box.x + 9, box.y + 9]));
  await page.evaluate(() => history.forward());
  await myTurn();
  await touch("touchEnd");
  await page.waitForTimeout(300);
  ensure((await page.locator(".play").count()) === 1 && !(await place.isVisible()), "a touch from another screen did something");

  // Without the magnifier a finger aims directly, and the button places.
  await page.goBack();
  await page.getByTestId("settings").click();
  await page.getByTestId("magnifier-never").click();
  await look("settings");
  await page.goBack();
  await page.getByTestId("continue").click();
  await myTurn();
  const empty = await page.evaluate(() => {
    const free = [...document.querySelectorAll('[data-playable="true"]')];
    return free[Math.floor(free.length / 2)].dataset.point;
  });
  await touch("touchStart", await centre(empty));
  ensure((await loupe.count()) === 0, "the magnifier comes though it is off");
  await touch("touchEnd");
  await place.waitFor();
  ensure((await place.innerText()).includes(empty), await place.innerText());
  await place.tap();
  await cell(empty).and(page.locator("[data-stone]")).waitFor({ state: "attached" });
});
