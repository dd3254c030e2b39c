// A whole opening by keyboard alone, with what a screen reader is told, over the real core; sounds and the notification.
//   node keys.mjs URL ARTEFACTS
import { withPage } from "./page.mjs";

const [url, artefacts] = process.argv.slice(2);

/** Counts what would sound, and keeps what would be notified. */
function listen() {
  window.heard = 0;
  window.noted = [];
  window.felt = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.heard += 1;
    return start.apply(this, when);
  };
  window.Notification = class {
    static permission = "default";
    static asked = 0;
    static requestPermission = async () => {
      window.Notification.asked += 1;
      return (window.Notification.permission = "granted");
    };
    constructor(title, { body }) {
      window.noted.push([title, body]);
    }
    close() {}
  };
  navigator.vibrate = (pattern) => window.felt.push(pattern) > 0;
}

await withPage({ url, width: 1280, height: 800, artefacts, name: "browser-keys" }, async (page, look) => {
  await page.addInitScript(listen);
  await page.reload();
  const ensure = (holds, what) => {
    if (!holds) throw new Error(what);
  };
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const status = page.locator("main > [role=status]");
  const told = (words) => page.locator("main > [role=status]").filter({ hasText: words }).waitFor({ state: "attached" });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  const isFocused = (label) =>
    page.waitForFunction((wanted) => document.activeElement?.getAttribute("aria-label") === wanted, label).catch(async () => {
      throw new Error(`the focus is on "${await focused()}", not on "${label}"`);
    });
  const myTurn = () => page.waitForFunction(() => document.querySelector('[data-my-turn="true"]'));
  /** Goes there by Tab, as often as it takes. */
  const tabTo = async (selector) => {
    for (let i = 0; i < 60; i += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await press("Tab");
    }
    throw new Error(`Tab never comes to ${selector}`);
  };

  await tabTo("[data-testid=name-input]");
  await page.keyboard.type("Lina");
  await press("Enter");
  await tabTo("[data-testid=settings]");
  await press("Enter");
  // Nothing asks the system before the person has switched it on.
  ensure((await page.evaluate(() => Notification.asked)) === 0, "a permission was asked for unasked");
  await tabTo("[data-testid=set-notify]");
  await press("Enter");
  await page.waitForFunction(() => Notification.asked === 1);
  await page.goBack();
  await tabTo("[data-testid=play-cpu]");
  await press("Enter");
  await myTurn();

  // The board is one stop; keys move in it.
  await tabTo("[role=gridcell]");
  await isFocused("H8, empty");
  await press("ArrowRight", "ArrowUp");
  await isFocused("I9, empty");
  for (const [key, label] of [["Home", "A9, empty"], ["End", "O9, empty"], ["PageUp", "O15, empty"], ["PageDown", "O1, empty"]]) {
    await press(key);
    await isFocused(label);
  }
  await press("h", "1", "0");
  await isFocused("H10, empty");
  await press("h", "8");
  await isFocused("H8, empty");

  // Enter aims, and is taken back; again it aims, and places. The focus stays where it is.
  await press("Enter");
  await told("H8, free");
  await page.getByTestId("place").waitFor();
  await look("armed");
  await press("Escape");
  await page.getByTestId("place").waitFor({ state: "detached" });
  await press("Enter", "Enter");
  await page.locator("[data-point=H8][data-stone]").waitFor({ state: "attached" });
  await isFocused("H8, black");
  await told(/^CPU plays [A-O]\d+\. Your turn\.$/);
  await page.waitForFunction(() => window.heard > 0 && window.felt.length > 0);
  ensure((await page.title()) === "Your turn – Capture Five", await page.title());
  const [, answer] = /plays ([A-O]\d+)/.exec(await status.textContent());

  // Questions.
  await press("z");
  await told(/plays .* Your turn\.\u00a0?$/);
  await press("v");
  await told(/^Row through H8: A8 to .*H8 black/);
  await press("v");
  await told(/^Column through H8: H1 to .*H8 black/);
  await press("v");
  await told(/^Diagonal A1 to O15: .*H8 black/);
  await press("v");
  await told(/^Diagonal A15 to O1: .*H8 black/);
  await press("x");
  await told("You can take nothing now.");
  await press("u");
  await told("There is no time limit.");
  await press("t");
  await told("You: 0 of 10 stones captured. CPU: 0 of 10 stones captured.");
  await press("w");
  await told("Nothing threatens you now.");
  await press("w");
  await told("Threats are no longer marked");
  await press("l");
  await isFocused(`${answer}, white, last stone`);

  // Sheets give the focus back; F6 leads to the board where nothing asks.
  for (const [key, heading] of [["k", "Keys of the board"], ["?", "Keys of the board"], ["r", "Rules of this table"]]) {
    await press(key);
    const sheet = page.getByRole("dialog", { name: heading });
    await sheet.waitFor();
    await press("Escape");
    await sheet.waitFor({ state: "detached" });
    await isFocused(`${answer}, white, last stone`);
  }
  await tabTo("[data-testid=undo]");
  await press("F6");
  await isFocused(`${answer}, white, last stone`);

  // By the confirm bar's own button: the focus goes to the stone.
  const free = await page.evaluate(() => document.querySelector('[data-playable="true"]').dataset.point);
  await press(free[0].toLowerCase(), ...free.slice(1));
  await isFocused(`${free}, empty`);
  await press("Enter");
  await tabTo("[data-testid=place]");
  // Out of sight, whose turn it is comes as a notification.
  await page.evaluate(() => Object.defineProperty(document, "hidden", { get: () => true, configurable: true }));
  await press("Enter");
  await page.locator(`[data-point=${free}][data-stone]`).waitFor({ state: "attached" });
  await isFocused(`${free}, black`);
  await page.waitForFunction(() => window.noted.length === 1);
  const [[title, body]] = await page.evaluate(() => window.noted);
  ensure(title === "Your turn" && /^CPU plays [A-O]\d+\. Capture Five\.$/.test(body), `${title}: ${body}`);

  // A result is told at once, and the focus is not lost.
  await tabTo(".side .danger");
  await press("Enter");
  await tabTo("[data-testid=resign]");
  await press("Enter");
  await page.locator("main > [role=alert]").filter({ hasText: "CPU wins. You resigned." }).waitFor({ state: "attached" });
  ensure(await page.evaluate(() => document.activeElement !== document.body), "the focus is lost after the result");
});
