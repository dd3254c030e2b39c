// A game is played, gone through, branched off from and analysed; a position is put together and tried by other rules.
//   node study.mjs URL WIDTH HEIGHT THEME ARTEFACTS
import { playToTheEnd, seeded, withPage } from "./page.mjs";

const [url, width, height, theme, artefacts] = process.argv.slice(2);
const name = `study-${width}x${height}-${theme}`;

await withPage({ url, width: +width, height: +height, theme, touch: +width < 600, artefacts, name }, async (page, look) => {
  const by = (id) => page.getByTestId(id);
  const says = () => by("study-says").innerText();
  const until = (what, wanted, arg) => page.waitForFunction(wanted, arg).catch((error) => {
    throw new Error(`never: ${what} (${error.message})`);
  });
  const saysSoon = (words) =>
    until(words, (part) => document.querySelector('[data-testid="study-says"]')?.textContent.includes(part), words);
  const cell = (at) => page.locator(`[data-point="${at}"]`);

  await by("play-cpu").click();
  await playToTheEnd(page, seeded(20261201));
  await by("replay").click();
  await by("study-says").waitFor();
  await saysSoon("The empty board.");

  // Step by step: each stone has its number, and the sentence says it.
  await by("next").click();
  await saysSoon("1. ");
  await until("a number", () => document.querySelector(".board .number")?.textContent === "1");
  await page.keyboard.press("ArrowRight");
  await saysSoon("2. ");
  await by("previous").click();
  await saysSoon("1. ");
  await page.keyboard.press("End");
  await until("who won", () => /wins?\./.test(document.querySelector('[data-testid="study-says"]').textContent));
  const all = await page.locator("[data-testid^=move-]").count();
  // The whole game is gone through meanwhile.
  await until("the graph", () => document.querySelector("[data-testid=step]"));
  await by("chances").waitFor();
  await look("end");

  // One move before, whoever is to move can force it.
  await by("previous").click();
  await until("the move before", () => !/wins?\./.test(document.querySelector('[data-testid="study-says"]').textContent));
  await by("find-win").click();
  await until("a forced win", () => document.querySelector("[data-testid=win]")?.textContent.includes("can be forced"));
  await page.keyboard.press("End");
  await until("that it wins", () => /wins?\./.test(document.querySelector('[data-testid="study-says"]').textContent));

  // Another move is a way of one's own, kept beside the game.
  await by("move-1").click();
  await saysSoon("1. ");
  const free = await page.locator('[data-point][data-playable="true"]').first().getAttribute("data-point");
  await cell(free).click({ force: true });
  await by("to-game").waitFor();
  await saysSoon(`plays ${free}`);
  await look("own-way");
  await by("to-game").click();
  await by("to-game").waitFor({ state: "hidden" });
  await until("both ways", () => document.querySelectorAll("[data-testid=ways] button").length === 2);

  // Best moves as letters, with what they promise; a tap on one goes there.
  await by("analyse").click();
  await until("three best moves", () => document.querySelectorAll("[data-testid=hints] li").length === 3);
  await until("letters on the board", () => document.querySelectorAll("[data-letter]").length === 3);
  const label = await page.locator("[aria-label*='suggestion A']").count();
  if (label !== 1) throw new Error("the best move is not told to those who listen");
  await by("threats").click();
  await by("threat-words").waitFor();
  await look("analysis");
  await by("analyse").click();
  await until("no letters", () => !document.querySelector("[data-letter]"));
  await page.goBack();
  await by("result").waitFor();
  await page.goBack();

  // From the history it is the same game again.
  await by("history").click();
  await page.locator("[data-testid^=finished-] .open").first().click();
  await saysSoon("The empty board.");
  const again = await page.locator("[data-testid^=move-]").count();
  if (again !== all) throw new Error(`${again} moves instead of ${all}`);
  await page.getByTestId("step").focus();
  await page.keyboard.press("ArrowRight");
  await saysSoon("1. ");
  await page.goBack();
  await page.goBack();

  // Put together: the rules say what is in the way.
  await by("study").click();
  await by("editor-done").waitFor();
  for (const at of ["F8", "G8", "H8", "I8", "J8"]) await cell(at).click({ force: true });
  await until("what is wrong", () => document.querySelector("[data-testid=editor-says]").textContent.includes("winning line"));
  if ((await by("editor-done").getAttribute("aria-disabled")) !== "true") throw new Error("a won position can be played on");
  await by("tool-erase").click();
  await cell("J8").click({ force: true });
  await by("tool-white").click();
  await cell("E8").click({ force: true });
  await by("turn-white").click();
  await until("that it fits", () => document.querySelector("[data-testid=editor-says]").textContent.includes("can be played on"));
  await look("editor");
  await by("editor-done").click();
  await saysSoon("White to move");
  // By other rules, and played out.
  await by("other-rules").click();
  await by("rules-preset").selectOption("gomoku");
  await until("that it fits", () => document.querySelector("[data-testid=rules-done]").getAttribute("aria-disabled") === null);
  await look("rules");
  await by("rules-done").click();
  await saysSoon("White to move");
  await cell("J8").click({ force: true });
  await saysSoon("1. White plays J8");
  if ((await says()).includes("captured")) throw new Error("gomoku takes no stones");
});
