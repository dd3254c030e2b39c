// One person who learns: a step tried wrongly and rightly, a puzzle to its end, a word found, an answer read.
//   node learn.mjs URL WIDTH HEIGHT THEME LOCALE ARTEFACTS
import { withPage } from "./page.mjs";

const [url, width, height, theme, locale, artefacts] = process.argv.slice(2);
const name = `learn-${width}x${height}-${theme}-${locale}`;

/** A win in two stones: the first, what the defence answers, the second. */
const PUZZLE = { name: "fours-capture-threes-1", moves: ["H9"], last: "H7" };

await withPage({ url, width: +width, height: +height, theme, locale, touch: +width < 600, artefacts, name }, async (page, look) => {
  const says = page.getByTestId("says");
  const mood = (wanted) => page.locator(`[data-testid="says"][data-mood="${wanted}"]`).waitFor();
  const point = (at) => page.locator(`[data-point="${at}"]`);
  const expect = (held, what) => {
    if (!held) throw new Error(`${what}; it says ${JSON.stringify(said())}`);
  };
  let last = "";
  const said = () => last;
  const read = async () => (last = (await says.textContent()).trim());

  await page.getByTestId("learn").click();
  await page.getByTestId("topic-capture-five-capture").waitFor();
  await look("courses");

  // A wrong try says why and is taken back; a hint leads to the right one, by keyboard.
  await page.getByTestId("topic-capture-five-capture").click();
  await point("F5").waitFor();
  await look("lesson");
  await point("A1").click();
  await mood("wrong");
  expect((await read()).length > 10, "a wrong try has no reason");
  await look("wrong");
  await page.getByTestId("try-again").click();
  await mood("ask");
  if ((await point("A1").getAttribute("data-stone")) !== null) throw new Error("the wrong stone stays");
  await page.getByTestId("hint").click();
  await page.getByTestId("hint").click();
  expect((await read()).includes("F5"), "the second hint names no point");
  await point("F5").focus();
  await page.keyboard.press("Enter");
  await mood("done");
  if ((await point("D5").getAttribute("data-stone")) !== null) throw new Error("the pair is still there");
  await look("right");
  await page.getByTestId("next").click();
  await point("F6").waitFor();
  await mood("ask");
  await page.goBack();
  await page.getByTestId("topic-capture-five-capture").getByText(/1.*6|6.*1/).waitFor();

  // A point that is asked for is not given away, and is shown with its reason once it is found.
  await page.getByTestId("topic-wuziqi-forbidden").click();
  await point("E5").waitFor();
  await point("E5").click();
  await mood("done");
  await page.locator(".callout").waitFor();
  await look("forbidden");
  await page.goBack();

  await page.getByTestId("part-puzzles").click();
  await page.getByTestId(`puzzle-${PUZZLE.name}`).waitFor();
  await look("puzzles");
  await page.getByTestId(`puzzle-${PUZZLE.name}`).click();
  await point("A1").waitFor();
  await look("puzzle");
  await point("A1").click();
  await mood("wrong");
  await page.getByTestId("try-again").click();
  for (const at of PUZZLE.moves) {
    await point(at).click();
    await page.locator(`[data-point="${at}"][data-stone]`).waitFor();
    await mood("ask");
  }
  // The answer lies there a moment later.
  await page.waitForTimeout(800);
  await point(PUZZLE.last).click();
  await mood("done");
  await look("puzzle-solved");
  await page.goBack();
  await page.getByTestId(`puzzle-${PUZZLE.name}`).locator("svg").waitFor();

  await page.getByTestId("part-words").click();
  await page.getByTestId("word-search").fill("四三");
  await page.getByTestId("show-four-three").waitFor();
  if ((await page.getByTestId("words").locator("dt").count()) > 3) throw new Error("the search finds too much");
  await look("words");
  await page.getByTestId("part-questions").click();
  await page.getByTestId("question-six").locator("summary").click();
  await look("questions");
  await page.goBack();
  await page.getByTestId("new-game").waitFor();
  if (+width >= 600) await page.getByTestId("todays-puzzle").waitFor();
  await look("home");
});
