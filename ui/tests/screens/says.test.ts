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
    const { sentences, more } = brief(WORDS["four-hurried"]!);
    expect(keys(sentences)).toEqual(["rules.goal.line-exact", "rules.goal.captures", "rules.overtime.break", "rules.time.limit"]);
    expect(more).toBe(0);
    expect(keys(brief(WORDS.renju!).sentences)).toEqual(["rules.goal.line-renju", "rules.goal.no-captures", "rules.forbidden.renju"]);
    expect(isSpecial(WORDS["four-hurried"]!)).toBe(true);
    expect(isSpecial(WORDS.pente!)).toBe(false);
  });

  it("are brief however much is special", () => {
    const { sentences, more } = brief(WORDS.longest!);
    expect(keys(sentences)).toEqual([
      "rules.goal.line-exact",
      "rules.goal.captures",
      "rules.opening.three",
      "rules.captures.flank-captured-three",
      "rules.overtime.take",
      "rules.forbidden.three-first",
    ]);
    // Threes too, the choice what to take, the time for a move, the colours, and who starts the next game.
    expect(more).toBe(5);
  });

  it("say in brief something of every table that is special", () => {
    for (const [name, sections] of Object.entries(WORDS)) {
      const { sentences } = brief(sections);
      expect(sentences.length, name).toBeGreaterThanOrEqual(2);
      expect(sentences.some((sentence) => sentence.special), name).toBe(isSpecial(sections));
    }
  });
});
