import { describe, expect, it } from "vitest";
import type { SentenceView } from "../../src/bindings/SentenceView";
import { brief, isSpecial, sentenceText } from "../../src/screens/parts/says";
import { text } from "../../src/i18n/index.svelte";
import { WORDS } from "../fixtures/build";

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

  it("are told in brief as how to win and what is special", () => {
    const brieflyFour = keys(brief(WORDS["four-hurried"]!));
    expect(brieflyFour.slice(0, 2)).toEqual(["rules.goal.line-exact", "rules.goal.captures"]);
    expect(brieflyFour).toContain("rules.overtime.break");
    expect(brieflyFour).toContain("rules.time.limit");
    expect(brieflyFour).not.toContain("rules.captures.pair");
    expect(isSpecial(WORDS["four-hurried"]!)).toBe(true);
    expect(isSpecial(WORDS.pente!)).toBe(false);
  });
});
