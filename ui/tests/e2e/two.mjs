// Two people at two browsers, each with a device of their own: two whole games, with what is taken back or refused, a device
// that is killed and comes back, and a rematch.
//   node two.mjs "COMMAND OF THE FIRST DEVICE" "COMMAND OF THE SECOND" DATA ARTEFACTS
import { browserOf, serve } from "./devices.mjs";
import { tap, withPage } from "./page.mjs";

const [first, second, data, artefacts] = process.argv.slice(2);

const anna = await serve(first, data, "anna");
let ben = await serve(second, data, "ben");
const phone = { url: anna.url, width: 360, height: 640, touch: true, name: "browser-two-anna" };
const laptop = { url: ben.url, width: 1280, height: 800, theme: "dark", name: "browser-two-ben" };

/** What a person does at their page. */
function hands(page) {
  const stone = (at) => page.locator(`[data-point="${at}"][data-stone]`);
  return {
    lies: (at) => stone(at).waitFor({ state: "attached" }),
    gone: (at) => stone(at).waitFor({ state: "detached" }),
    async introduce(name) {
      await page.getByTestId("name-input").fill(name);
      await page.getByTestId("name-save").click();
      await page.getByTestId("name-save").waitFor({ state: "hidden" });
    },
    async place(at) {
      await page.waitForFunction(() => document.querySelector('[data-my-turn="true"]'));
      await tap(page, at);
      await stone(at).waitFor({ state: "attached" });
    },
    async offer(what) {
      await page.getByTestId("menu").click();
      await page.getByTestId(`menu-${what}`).click();
      await page.getByTestId("offer").click();
      await page.getByTestId("pending").waitFor();
    },
    /** What comes by itself hears nothing at first. */
    async press(within, testid) {
      await page.getByTestId(within).locator('[data-hears="true"]').waitFor();
      await page.getByTestId(testid).click();
    },
    says: (words) => page.getByText(words).first().waitFor(),
  };
}

/** The loser's stones lie apart. */
async function play(winner, loser, line, apart) {
  for (const [i, at] of line.entries()) {
    await winner.place(at);
    await loser.lies(at);
    if (i === line.length - 1) return;
    await loser.place(apart[i]);
    await winner.lies(apart[i]);
  }
}

async function games(a, lookA, b, lookB) {
  const [one, other] = [hands(a), hands(b)];
  await one.introduce("Anna");
  await other.introduce("Ben");
  await a.getByTestId("new-game").click();
  await a.getByTestId("preset-gomoku").click();
  await a.getByTestId("open-table").click();
  await b.locator('[data-testid^="nearby-"]').click();
  await a.getByTestId("start").click();
  await b.getByTestId("start").click();

  await play(one, other, ["H8", "I8"], ["A1"]);
  await one.offer("undo");
  await other.press("question", "answer-no");
  await one.says("Ben says no: nothing is taken back");
  await one.offer("undo");
  await lookB("asked");
  await other.press("question", "answer-yes");
  await one.gone("I8");
  await other.gone("I8");
  await one.says("Taken back");
  await lookA("taken-back");
  await one.place("H9");
  await other.lies("H9");

  await b.getByTestId("draw").click();
  await b.getByTestId("offer").click();
  await one.press("question", "answer-no");
  await other.says("Anna says no to a draw");
  await lookB("refused");
  await other.place("A2");
  await one.lies("A2");

  // The second device goes with the power, its window too, and comes back.
  await b.goto("about:blank");
  await ben.kill();
  await a.getByTestId("away-1").waitFor();
  await one.press("away-1", "hold");
  await a.getByTestId("hold").waitFor({ state: "detached" });
  await one.place("H10");
  await lookA("away");
  ben = await serve(second, data, "ben");
  await b.goto(ben.url);
  await b.getByTestId("continue").click();
  await other.lies("H10");
  await a.getByTestId("away-1").waitFor({ state: "detached" });
  await one.says("Ben is back");

  await other.place("A3");
  await one.lies("A3");
  await play(one, other, ["H11", "H12"], ["A4"]);
  for (const page of [a, b]) await page.getByTestId("result").waitFor();
  await lookA("won");
  await lookB("lost");
  await a.getByTestId("rematch").click();
  await other.says("Anna wants to play again");
  await b.getByTestId("rematch").click();
  for (const page of [a, b]) await page.getByTestId("result").waitFor({ state: "detached" });

  // The start has passed on.
  await play(other, one, ["H8", "I8", "J8", "K8", "L8"], ["A1", "B2", "D3", "E2"]);
  for (const page of [a, b]) await page.getByTestId("result").waitFor();
  await lookA("series");
  for (const [page, look] of [
    [a, lookA],
    [b, lookB],
  ]) {
    await page.getByTestId("home").click();
    await page.getByTestId("history").click();
    await page.locator('[data-testid^="finished-"]').nth(1).waitFor();
    await look("history");
  }
}

try {
  await withPage({ ...phone, artefacts, chromium: browserOf(first, data, "anna") }, (a, lookA) =>
    withPage({ ...laptop, artefacts, chromium: browserOf(second, data, "ben") }, (b, lookB) => games(a, lookA, b, lookB)),
  );
} finally {
  await anna.kill();
  await ben.kill();
}
