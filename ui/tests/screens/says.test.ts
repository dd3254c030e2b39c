import { describe, expect, it } from "vitest";
import type { RulesView } from "../../src/bindings/RulesView";
import type { SentenceView } from "../../src/bindings/SentenceView";
import { brief } from "../../src/screens/parts/brief";
import { isSpecial, sentenceText } from "../../src/screens/parts/says";
import { text } from "../../src/i18n/index.svelte";
import { rules, WORDS } from "../fixtures/build";

const keys = (sentences: readonly SentenceView[]): string[] => sentences.map((sentence) => sentence.key);

describe("the rules in words", () => {
  it("have a heading and a whole text for everything that the core says", () => {
    for (const [name, sections] of Object.entries(WORDS)) {
      for (const section of sections) {
        expect(text(section.heading), name).not.toBeNull();
        for (const sentence of section.sentences) {
          const words = sentenceText(sentence);
          expect(words, name).not.toBe(sentence.key);
          expect(words, name).not.toMatch(/[{}]|rules\./);
        }
      }
    }
  });

  it("fill in numbers, points and words", () => {
    const sentence = (key: string, args: SentenceView["args"]) => sentenceText({ key, args, special: false });
    expect(sentence("rules.opening.centre", { point: "J10" })).toBe("The first stone goes on the centre, J10.");
    expect(sentence("rules.goal.captures", { goal: { word: "rules.count.10" } })).toMatch(/^Capturing ten stones/);
    expect(sentence("rules.players.two", { size: 19 })).toMatch(/19×19/);
  });

  it("differ from the preset's only where something is special", () => {
    expect(isSpecial(WORDS["four-hurried"]!)).toBe(true);
    expect(isSpecial(WORDS.pente!)).toBe(false);
  });
});

describe("the rules in brief", () => {
  const lines = (view: RulesView) => brief(view).lines.map((line) => (line.differs ? `* ${line.words}` : line.words));

  it("are how to win, and what differs", () => {
    expect(lines(rules())).toEqual(["Exactly five in a row wins", "Capturing ten stones wins, too"]);
    const four = rules({ seats: "4", overtime: "break", move_limit_s: "30", mixed_captures: "false" }, { line: 4, goal: 8 });
    expect(lines(four)).toEqual([
      "Exactly four in a row wins",
      "Capturing eight stones wins, too",
      "* Overtime: Break the line",
      "* Mixed-colour captures: Off",
      "* Time for a move: 30 s",
    ]);
    const renju = rules({ captures: "off", overline: "wins", forbidden: "renju" }, { goal: 0, differs: ["forbidden"] });
    expect(lines(renju)).toEqual([
      "* Black wins with exactly five in a row, white with five or more",
      "Nothing is captured",
      "* Forbidden move: Renju",
    ]);
    // With two colours there is nothing to mix.
    expect(lines(rules({ board: "13", overline: "wins", mixed_captures: "false" }))).toEqual([
      "* Five or more in a row wins",
      "Capturing ten stones wins, too",
      "* Board: 13×13",
    ]);
  });

  it("are six lines at most, and say how many rules more differ", () => {
    const all = { board: "19", forced_capture: "false", capture_threes: "true", into_flank: "captured", overtime: "take" };
    const { lines, more } = brief(rules({ ...all, forbidden: "double-three-first", opening: "place-three", pass_start: "false" }));
    expect(lines.map((line) => line.words).slice(2)).toEqual([
      "Opening: Swap2",
      "Overtime: Take it whole",
      "Forbidden move: Double three, first player",
      "Moving into a flank: Captured",
    ]);
    expect(more).toBe(4);
  });
});
