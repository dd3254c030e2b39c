import { describe, expect, it } from "vitest";
import { LANGUAGES, loadLearn, setLanguage, text } from "../../src/i18n/index.svelte";
import { dayOf } from "../../src/screens/learn/day";
import { asked } from "../../src/screens/learn/puzzles";
import { inWords, replyWords } from "../../src/screens/learn/said";
import { Trial } from "../../src/screens/learn/trial.svelte";
import { found, ORIGINS, QUESTIONS, SHOWN, WORDS } from "../../src/screens/learn/words";
import { routeOf } from "../../src/state/route";
import { ANSWER, learn, lesson, puzzle, RIGHT, tried } from "../fixtures/learn";

Object.assign(globalThis, { document: { documentElement: { lang: "" } }, navigator: { languages: ["en"] } });

async function speak(language: string) {
  setLanguage(language);
  await loadLearn();
}

describe("what Learn says", () => {
  it("is whole in every language", async () => {
    for (const language of LANGUAGES) {
      await speak(language);
      const keys = [
        ...WORDS.flatMap((word) => [`word.${word}`, `word.${word}.text`]),
        ...QUESTIONS.flatMap((question) => [`question.${question}`, `question.${question}.answer`]),
        ...ORIGINS.map((origin) => `origin.${origin}`),
        ...learn.courses.flatMap(({ topics }) =>
          topics.flatMap(({ topic, steps }) => [
            `topic.${topic}`,
            ...Array.from({ length: steps }, (_, i) => [`lesson.${topic}.${i + 1}.task`, `lesson.${topic}.${i + 1}.why`]).flat(),
          ]),
        ),
        ...learn.puzzles.flatMap(({ kind }) => [`puzzle.kind.${kind}`, `puzzle.hint.${kind}`]),
      ];
      expect(keys.filter((key) => text(key) === null), language).toEqual([]);
    }
  });

  it("finds a word by any part of it, in any order", async () => {
    await speak("en");
    expect(found("")).toEqual(WORDS);
    expect(found("  PAIR mixed ")).toEqual(["mixed"]);
    expect(found("四三")).toEqual(["four-three"]);
    expect(found("chess")).toEqual([]);
    expect(Object.keys(SHOWN).every((word) => (WORDS as readonly string[]).includes(word))).toBe(true);
  });

  it("tells a position, an answer and a task", async () => {
    await speak("en");
    expect(inWords(lesson("capture", 3).position)).toBe("Black: C5, D3 and G7. White: D5, E5 and F7. Captured: black 0, white 0. Black to move.");
    expect(replyWords(tried("A1"))).toBe(`White answers ${ANSWER}.`);
    expect(replyWords(tried(RIGHT))).toBe("");
    expect(asked(puzzle("x"))).toBe("Black to move and win. In 2 stones.");
    expect(asked({ ...puzzle("x"), wins: false })).toMatch(/^Black to move. Find a move/);
  });
});

describe("a trial", () => {
  it("shows the wrong move and takes it back", async () => {
    const trial = new Trial();
    const { position } = lesson("capture", 1);
    trial.begin(position);
    await trial.answer(() => Promise.resolve(tried("A1")));
    expect([trial.mood, trial.open]).toEqual(["wrong", false]);
    expect(trial.shown?.board.last).toBe("A1");
    trial.back();
    expect([trial.mood, trial.open, trial.shown]).toEqual(["ask", true, position]);
    await trial.answer(() => Promise.resolve(tried(RIGHT)));
    expect([trial.mood, trial.open]).toEqual(["done", false]);
    await trial.answer(() => Promise.reject(new Error("nothing is tried after the end")));
  });

  it("goes on from where a right move led, and back to there", async () => {
    const trial = new Trial();
    trial.begin(puzzle("x").position);
    const right = { ...tried("A1"), worth: "right" as const };
    await trial.answer(() => Promise.resolve(right));
    expect([trial.mood, trial.line]).toEqual(["ask", ["A1", ANSWER]]);
    await trial.answer(() => Promise.resolve(tried("A2")));
    trial.back();
    expect(trial.shown).toBe(right.position);
    trial.end();
  });

  it("can be tried again after the core could not be asked", async () => {
    const trial = new Trial();
    trial.begin(puzzle("x").position);
    await expect(trial.answer(() => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    expect(trial.open).toBe(true);
  });
});

describe("days and places", () => {
  it("a day ends at the person's own midnight", () => {
    const taipei = -8 * 60;
    const midnight = Date.UTC(2026, 0, 1, 16);
    expect(dayOf(midnight, taipei) - dayOf(midnight - 1, taipei)).toBe(1);
    expect(dayOf(0, 0)).toBe(0);
  });

  it("what an old history entry says leads somewhere", () => {
    expect(routeOf({ screen: "learn", part: "gone" })).toEqual({ screen: "learn", part: "courses" });
    expect(routeOf({ screen: "lesson", topic: "capture", number: 2 })).toEqual({ screen: "lesson", topic: "capture", number: 2 });
    expect(routeOf({ screen: "lesson" })).toEqual({ screen: "learn", part: "courses" });
    expect(routeOf({ screen: "puzzle", name: 3 })).toEqual({ screen: "learn", part: "puzzles" });
  });
});
