import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fill, isolated, pickLanguage } from "../src/i18n/text";

const ROOT = new URL("../src/i18n/", import.meta.url);
const read = (path: string): Record<string, string> => JSON.parse(readFileSync(new URL(path, ROOT), "utf8"));
const areas = readdirSync(new URL("en/", ROOT)).sort();
const allowed = new Set<string>(JSON.parse(readFileSync(new URL("same-allowed.json", ROOT), "utf8")));
const holes = (pattern: string) => [...pattern.matchAll(/\{(\w+)/g)].map((match) => match[1]).sort();

describe.each(["zh-TW", "ja"])("the catalogue in %s", (language) => {
  it("has the same files as the English one", () => {
    expect(readdirSync(new URL(`${language}/`, ROOT)).sort()).toEqual(areas);
  });

  it.each(areas)("has every key of %s, and no other", (area) => {
    expect(Object.keys(read(`${language}/${area}`)).sort()).toEqual(Object.keys(read(`en/${area}`)).sort());
  });

  it.each(areas)("says nothing of %s in English", (area) => {
    const english: Record<string, string> = read(`en/${area}`);
    const same = Object.entries<string>(read(`${language}/${area}`)).filter(
      // A sentence without letters, such as "{n}×{n}", is the same everywhere.
      ([key, words]) => words === english[key] && /\p{L}/u.test(words.replace(/\{\w+\}/g, "")) && !allowed.has(key),
    );
    expect(same).toEqual([]);
  });

  it.each(areas)("names only arguments that the English sentence of %s has", (area) => {
    const english: Record<string, string> = read(`en/${area}`);
    for (const [key, words] of Object.entries<string>(read(`${language}/${area}`))) {
      const extra = holes(words).filter((hole) => !holes(english[key]!).includes(hole));
      expect(extra, key).toEqual([]);
    }
  });
});

it("keeps no key in two areas", () => {
  const keys = areas.flatMap((area) => Object.keys(read(`en/${area}`)));
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});

it("has a sentence for every error that the core names", () => {
  const codes = readFileSync(new URL("../bindings/ErrorCode.ts", ROOT), "utf8").match(/"[a-z-]+"/g)!;
  const common = read("en/common.json");
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.map((code) => `error.${JSON.parse(code)}`).filter((key) => !(key in common))).toEqual([]);
});

describe("fill", () => {
  it("puts arguments in", () => expect(fill("{at} takes {n}", { at: "H8", n: 2 })).toBe("H8 takes 2"));
  it("chooses by number", () => {
    expect(fill("{n} {n|stone|stones}", { n: 1 })).toBe("1 stone");
    expect(fill("{n} {n|stone|stones}", { n: 2 })).toBe("2 stones");
  });
  it("leaves what it does not know", () => expect(fill("{what}", {})).toBe("{what}"));
});

describe("a name in a sentence", () => {
  it("stays as it is where it runs with the sentence", () => {
    for (const name of ["Lina", "小明", "アイコ", "Ω 7"]) expect(isolated(name)).toBe(name);
    expect(isolated("")).toBe("");
  });
  it("is set apart where it runs from right to left", () => {
    expect(isolated("نور")).toBe("\u2068نور\u2069");
    expect(isolated("דנה 5")).toBe("\u2068דנה 5\u2069");
  });
  it("can't turn what stands around it", () => {
    expect(isolated("ab\u202Ecd")).toBe("\u2068abcd\u2069");
    expect(isolated("a\u2069\u2067b")).toBe("\u2068ab\u2069");
    expect(isolated("a\u2029b")).toBe("a b");
  });
});

describe("pickLanguage", () => {
  const cases: [string, string[], string][] = [
    ["", ["en-GB"], "en"],
    ["", ["zh-CN", "en"], "zh-TW"],
    // There is no Simplified Chinese: who reads it reads Traditional rather than English, and can choose another.
    ["", ["zh-Hans-CN", "zh", "en-US"], "zh-TW"],
    ["", ["zh_CN", "en_US"], "zh-TW"],
    ["en", ["zh-CN"], "en"],
    ["", ["de", "ja-JP", "en"], "ja"],
    ["", ["fr"], "en"],
    ["ja", ["zh-TW"], "ja"],
    ["tlh", ["zh-Hant-TW"], "zh-TW"],
  ];
  it.each(cases)("%j with %j is %s", (chosen, wanted, language) => expect(pickLanguage(chosen, wanted)).toBe(language));
});
