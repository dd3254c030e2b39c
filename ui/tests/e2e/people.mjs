// Two at a table, one of them at a browser: a question that no early tap can answer, somebody who goes and comes back,
// a draw, other rules for the next game.
//   node people.mjs URL "COMMAND OF THE OTHER DEVICE" ITS-DATA ARTEFACTS
import { device } from "./device.mjs";
import { tap, withPage } from "./page.mjs";

const [url, command, data, artefacts] = process.argv.slice(2);
const c5 = (...args) => device(command.split(" "), [...args, "--data", data]);

await withPage({ url, width: 360, height: 640, touch: true, artefacts, name: "browser-people" }, async (page, look) => {
  const stone = (at) => page.locator(`[data-point="${at}"][data-stone]`);
  const lies = (at) => stone(at).waitFor({ state: "attached" });
  const myTurn = () => page.waitForFunction(() => document.querySelector('[data-my-turn="true"]'));
  /** What comes by itself hears nothing at first. */
  const press = async (within, testid) => {
    await page.getByTestId(within).locator('[data-hears="true"]').waitFor();
    await page.getByTestId(testid).click();
  };
  const play = async (at) => {
    await myTurn();
    await tap(page, at);
    await lies(at);
  };

  let anna = c5("host", "--preset", "capture-five", "--seats", "2", "--name", "Anna");
  try {
    const { table } = await anna.event("table");
    await page.getByTestId(`nearby-${table}`).click();
    await page.getByTestId("name-input").fill("Ben");
    await page.getByTestId("name-save").click();
    await page.getByTestId("start").click();
    await anna.event("your_turn");
    anna.tell("H8");
    await lies("H8");
    await play("I9");

    // A finger that was on its way when the question came says nothing.
    anna.tell("undo");
    const question = page.getByTestId("question");
    await question.waitFor();
    await page.getByTestId("answer-yes").click({ noWaitAfter: true });
    await look("asked");
    if (!(await question.isVisible())) throw new Error("a tap at once has answered the question");
    await press("question", "answer-yes");
    await anna.event("undone");
    await question.waitFor({ state: "detached" });
    await stone("H8").waitFor({ state: "detached" });

    // She places it again.
    await anna.event("your_turn");
    anna.tell("H8");
    await lies("H8");
    await play("I9");
    await anna.event("move", (move) => move.ply === 2);

    // Ready phrases go both ways, each in the reader's own language.
    anna.tell("say 3");
    await page.locator(".say", { hasText: "Anna: Well played" }).waitFor();
    await page.getByTestId("menu").click();
    await page.getByTestId("menu-phrases").click();
    await look("phrases");
    await page.getByTestId("phrase-4").click();
    const said = await anna.event("said", ({ seat }) => seat === 1);
    if (said.phrase !== 4) throw new Error(`she heard phrase ${said.phrase}`);
    await page.locator(".say", { hasText: "You: Thank you" }).waitFor();

    // She goes. Ben waits, and then lets the CPU play.
    await anna.leave();
    await page.getByTestId("away-0").waitFor();
    // A goodbye is not silence.
    await page.getByTestId("seat-0").getByText("has left").waitFor();
    await look("away");
    await press("away-0", "hold");
    await page.getByTestId("hold").waitFor({ state: "detached" });
    await look("waited-for");
    await press("away-0", "cpu-now");
    await page.getByTestId("away-0").waitFor({ state: "detached" });
    await myTurn();
    await look("taken");

    // She is back, and is offered a draw.
    anna = c5("resume", table);
    await page.getByText("Anna is back").first().waitFor();
    await page.getByTestId("menu").click();
    await page.getByTestId("menu-draw").click();
    await look("draw");
    await page.getByTestId("offer").click();
    await page.getByTestId("pending").waitFor();
    await anna.event("ask", (ask) => ask.what === "draw");
    anna.tell("agree");
    await page.getByTestId("result").waitFor();
    await look("drawn");

    // The next game has other rules.
    await page.getByTestId("menu").click();
    await page.getByTestId("menu-terms").click();
    await page.getByTestId("preset-gomoku").click();
    await look("terms");
    await page.getByTestId("send-terms").click();
    await page.getByTestId("pending").waitFor();
    await look("asking");
    const { options } = await anna.event("ask", (ask) => ask.what === "options");
    if (options.preset !== "gomoku") throw new Error(`other rules were asked for: ${options.preset}`);
    anna.tell("agree");
    await page.getByTestId("pending").waitFor({ state: "detached" });
    anna.tell("rematch");
    await page.getByTestId("rematch").click();
    await page.getByTestId("result").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Gomoku" }).waitFor();
    await play("H8");

    // Whoever stands up gives the seat up, which is asked about first, and is back home.
    await page.getByTestId("menu").click();
    await page.getByTestId("menu-stand").click();
    await page.getByRole("dialog", { name: "Give your seat up?" }).waitFor();
    await look("stand");
    await page.getByTestId("stand").click();
    await page.getByTestId("new-game").waitFor();
  } finally {
    anna.kill();
  }
});
