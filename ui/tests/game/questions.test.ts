// What is answered on keys, and what is heard and felt.
import { describe, expect, it, vi } from "vitest";
import { COMMANDS } from "../../src/components/keyboard";
import { aimsByCursor } from "../../src/components/pointing.svelte";
import { linePoints } from "../../src/components/geometry";
import { setLanguage, t } from "../../src/i18n/index.svelte";
import { Focus } from "../../src/screens/game/focus.svelte";
import { Live } from "../../src/screens/game/live.svelte";
import { newNotices, noticeWords } from "../../src/screens/game/notices.svelte";
import { news } from "../../src/screens/game/news";
import { lineWords, takesWords, timeWords, traysWords } from "../../src/screens/game/questions";
import { soundsOf } from "../../src/screens/game/sounds";
import { Began } from "../../src/state/began";
import type { TableView } from "../../src/bindings/TableView";
import { fixture } from "../fixtures";
import { move, offer } from "../fixtures/build";

vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("document", { documentElement: { dataset: {} } });

const at = (name: string): TableView => fixture(name).table!;
const seconds = (ms: number) => Math.ceil(ms / 1000);

describe("a line through a point", () => {
  it("goes from edge to edge", () => {
    expect(linePoints("C2", "row", 4)).toEqual(["A2", "B2", "C2", "D2"]);
    expect(linePoints("C2", "column", 4)).toEqual(["C1", "C2", "C3", "C4"]);
    expect(linePoints("C2", "rising", 4)).toEqual(["B1", "C2", "D3"]);
    expect(linePoints("C2", "falling", 4)).toEqual(["A4", "B3", "C2", "D1"]);
    expect(linePoints("A1", "falling", 4)).toEqual(["A1"]);
  });

  it("is read in stretches, with what is forbidden", () => {
    expect(lineWords(at("game-two"), "H6", "row")).toBe(
      "Row through H6: A6 to E6 empty, F6 forbidden, G6 to H6 black, I6 empty, J6 forbidden, K6 to O6 empty.",
    );
    expect(lineWords(at("game-two"), "F8", "column")).toBe("Column through F8: F1 to F5 empty, F6 forbidden, F7 to F8 black, F9 to F15 empty.");
    expect(lineWords(at("game-two"), "I8", "rising")).toMatch(/^Diagonal B1 to O14: /);
    expect(lineWords(at("game-two"), "I8", "falling")).toMatch(/^Diagonal B15 to O2: /);
    setLanguage("ja");
    expect(lineWords(at("game-two"), "F8", "column")).toBe("F8 の縦の列：F1～F5 空き、F6 禁じ手、F7～F8 黒、F9～F15 空き。");
    setLanguage("zh-TW");
    expect(lineWords(at("game-two"), "F8", "column")).toBe("F8 所在的直線：F1 至 F5 空、F6 禁手、F7 至 F8 黑、F9 至 F15 空。");
    setLanguage("en");
  });
});

describe("what can be asked", () => {
  it("tells what can be taken, on the own turn", () => {
    expect(takesWords(at("game-two"))).toBe("K10 takes 2: I8 and J9.");
    expect(takesWords(at("away"))).toBe("It isn’t your turn.");
    expect(takesWords({ ...at("game-two"), board: { ...at("game-two").board, previews: [] } })).toBe("You can take nothing now.");
  });

  it("tells the time left, and until the CPU plays", () => {
    expect(timeWords(at("game-two"), seconds)).toBe("There is no time limit.");
    const clock = { seat: 0, left_ms: 9_200, limit_s: 30, running: true };
    expect(timeWords({ ...at("game-two"), clock }, seconds)).toBe("You have 10 seconds left.");
    expect(timeWords({ ...at("game-two"), clock: { ...clock, seat: 1, running: false } }, seconds)).toBe(
      "Mei has 10 seconds left. The clock stands still.",
    );
    expect(timeWords(at("away"), seconds)).toBe("The CPU plays in 42 s, until Aiko is back.");
  });

  it("tells what lies in the trays", () => {
    expect(traysWords(at("game-two"))).toBe("You: 4 of 10 stones captured. Mei: 2 of 10 stones captured.");
  });

  it("has a key of its own for each, and words for every key", () => {
    expect(new Set(Object.values(COMMANDS)).size).toBe(Object.keys(COMMANDS).length);
    for (const command of Object.values(COMMANDS)) expect(t(`keys.${command}`)).not.toBe(`keys.${command}`);
  });
});

describe("what was told", () => {
  it("is repeated, and read again though it is the same", () => {
    const live = new Live();
    live.repeat();
    expect(live.polite).toBe("Nothing has been said yet");
    live.hear(at("game-two"), at("game-two"), { polite: ["Mei plays J9.", "Your turn."], assertive: ["Mei is away."] });
    live.aim("K10, free.");
    live.repeat();
    expect(live.polite).toBe("Mei is away. Mei plays J9. Your turn.");
    live.repeat();
    expect(live.polite).toBe("Mei is away. Mei plays J9. Your turn.\u00a0");
    live.answer("There is no time limit.");
    live.repeat();
    expect(live.polite.trim()).toBe("There is no time limit.");
  });
});

describe("a ready phrase", () => {
  const said = { n: 7, what: "said" as const, seat: 1, asked: null, phrase: 3 };

  it("is told in the reader's language, the own one too", () => {
    expect(noticeWords(at("game-two"), said)).toBe("Mei: Well played");
    expect(noticeWords(at("game-two"), { ...said, seat: 0 })).toBe("You: Well played");
    setLanguage("ja");
    expect(noticeWords(at("game-two"), said)).toBe("Mei：いい手ですね");
    setLanguage("zh-TW");
    expect(noticeWords(at("game-two"), said)).toBe("Mei：下得好");
    setLanguage("en");
  });

  it("is announced once", () => {
    const after = { ...at("game-two"), notices: [said] };
    expect(news(at("game-two"), after).polite).toEqual(["Mei: Well played."]);
    expect(newNotices(after, after)).toEqual([]);
  });
});

describe("what is heard", () => {
  const mine = { ...at("game-two") };
  const theirs = { ...mine, turn: { ...mine.turn!, mine: false } };

  it("is a stone, a capture, the own turn", () => {
    const moved = { ...mine, moves: [...mine.moves, move(23, 1, "white", "A1")] };
    expect(soundsOf(theirs, moved)).toEqual(["stone", "turn"]);
    const took = { ...theirs, moves: [...mine.moves, move(23, 0, "black", "K10", ["I8", "J9"])] };
    expect(soundsOf(mine, took)).toEqual(["take"]);
  });

  it("is a question, and how it ended", () => {
    expect(soundsOf(mine, { ...mine, offers: [offer(1, "draw")] })).toEqual(["ask"]);
    expect(soundsOf({ ...at("result"), result: null }, at("result"))).toEqual(["end"]);
    expect(soundsOf({ ...at("resigned"), result: null }, at("resigned"))).toEqual(["win"]);
  });

  it("is nothing where nothing happened", () => {
    for (const name of ["game-two", "away", "result", "ask-undo", "swap2"]) expect(soundsOf(at(name), at(name))).toEqual([]);
  });
});

describe("a finger", () => {
  it("aims with a cursor where the points are smaller than it, unless the settings say otherwise", () => {
    expect([20, 22].map((cell) => aimsByCursor(cell, ""))).toEqual([true, false]);
    expect([14, 44].map((cell) => aimsByCursor(cell, "always"))).toEqual([true, true]);
    expect([14, 44].map((cell) => aimsByCursor(cell, "never"))).toEqual([false, false]);
  });

  it("that went down on another screen says nothing", () => {
    let now = 0;
    const began = new Began(() => now);
    began.press();
    now = 10;
    began.arrive();
    expect([began.counts({ detail: 1 }), began.counts({ detail: 0 })]).toEqual([false, true]);
    now = 20;
    began.press();
    expect(began.counts({ detail: 1 })).toBe(true);
  });
});

it("a focus that went with its button is rescued once", () => {
  class Thing {
    isConnected = true;
  }
  vi.stubGlobal("Element", Thing);
  const [focus, button] = [new Focus(), new Thing()];
  vi.stubGlobal("document", { documentElement: { dataset: {} }, body: {}, activeElement: button });
  let rescued = 0;
  const settle = () => focus.settle(() => (rescued += 1));
  focus.hold({ target: button } as unknown as FocusEvent);
  settle();
  button.isConnected = false;
  settle();
  expect(rescued).toBe(0);
  vi.stubGlobal("document", { documentElement: { dataset: {} }, body: document.body, activeElement: document.body });
  settle();
  settle();
  expect(rescued).toBe(1);
});
