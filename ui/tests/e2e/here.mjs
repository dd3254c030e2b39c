// Several people at one browser: a pass-and-play game of three to its end, a favourite, a CPU of a chosen level; and, started
// anew on the same folder (`again`), what was kept of that.
//   node here.mjs URL first|again ARTEFACTS
import { tap, withPage } from "./page.mjs";

const [url, part, artefacts] = process.argv.slice(2);

await withPage({ url, width: 360, height: 640, touch: true, artefacts, name: `browser-here-${part}` }, async (page, look) => {
  const lies = (at) => page.locator(`[data-point="${at}"][data-stone]`).waitFor({ state: "attached" });
  const turnOf = (name) => page.getByText(`${name} to play`, { exact: true }).first().waitFor();
  const play = async (name, at) => {
    await turnOf(name);
    await tap(page, at);
    await lies(at);
  };

  if (part === "first") {
    await page.getByTestId("new-game").click();
    await page.getByTestId("seats-3").click();
    await page.getByTestId("seat-kind-1-here").click();
    await page.getByTestId("name-1").fill("Mei");
    await page.getByTestId("seat-kind-2-here").click();
    await look("set-up");
    await page.getByTestId("favourite-ask").click();
    await page.getByTestId("favourite-input").fill("We three");
    await page.getByTestId("favourite-keep").click();
    await page.getByTestId("favourite-We three").waitFor();
    await page.getByTestId("start").click();
    await page.getByTestId("name-input").fill("Lina");
    await page.getByTestId("start").click();

    // Two in turn, the stone taken back without asking anybody, and on to the four in a row that win with three sides.
    await play("Lina", "H8");
    await page.getByText("Pass the device to Mei").waitFor();
    await look("pass");
    await play("Mei", "A1");
    await turnOf("Player 3");
    await page.getByTestId("menu").click();
    await page.getByTestId("menu-undo").click();
    await page.locator('[data-point="A1"][data-stone]').waitFor({ state: "detached" });
    await play("Mei", "B1");
    await play("Player 3", "A13");
    for (const [row, mei, third] of [["9", "D1", "C13"], ["10", "F1", "E13"]]) {
      await play("Lina", `H${row}`);
      await play("Mei", mei);
      await play("Player 3", third);
    }
    await play("Lina", "H11");
    await page.getByTestId("result").waitFor();
    await page.getByText("Lina wins").first().waitFor();
    await look("result");
    await page.getByTestId("home").click();
    await page.getByTestId("statistics").waitFor();
    await look("home");
  } else {
    await page.getByTestId("cpu-level").selectOption("1");
    await page.getByTestId("new-game").click();
    await page.getByTestId("favourite-We three").click();
    await page.getByTestId("name-1").waitFor();
    if ((await page.getByTestId("name-1").inputValue()) !== "Mei") throw new Error("the favourite keeps who plays");
    await page.getByTestId("seat-kind-2-cpu").click();
    await page.getByTestId("level-2").selectOption("3");
    await page.getByTestId("start").click();
    await play("Lina", "H8");
    await play("Mei", "A1");
    await turnOf("Lina");
    if ((await page.locator("[data-stone]").count()) !== 3) throw new Error("the CPU has played its stone");
    await page.getByTestId("menu").click();
    await page.getByTestId("menu-draw").click();
    await look("draw");
    await page.getByTestId("offer").click();
    await page.getByTestId("result").waitFor();
    await page.goBack();
    await page.getByTestId("new-game").click();
    await page.getByTestId("delete-We three").click();
    await page.getByTestId("favourite-We three").waitFor({ state: "detached" });
    await page.getByTestId("seat-kind-1-cpu").click();
    if ((await page.getByTestId("level-1").inputValue()) !== "3") throw new Error("the level chosen last is kept");
  }
});
