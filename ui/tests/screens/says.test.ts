import { describe, expect, it } from "vitest";
import type { RulesView } from "../../src/bindings/RulesView";
import { LANGUAGES } from "../../src/i18n/index.svelte";
import { says } from "../../src/screens/parts/says";
import { rules } from "../fixtures/build";

const files = import.meta.glob<Record<string, string>>("../../src/i18n/*/*.json", { eager: true, import: "default" });
const catalogue = (language: string): Record<string, string> =>
  Object.assign({}, ...Object.entries(files).flatMap(([path, file]) => (path.includes(`/${language}/`) ? [file] : [])));

const keys = (view: RulesView): string[] => says(view).map((sentence) => sentence.key);

/** Every value of every option that has words of its own, in games where it matters. */
const CASES: Record<string, RulesView> = {
  "two seats": rules(),
  "three seats": rules({ seats: "3" }, { line: 4, goal: 8 }),
  "four seats, one colour only": rules({ seats: "4", mixed_captures: "false" }, { line: 4, goal: 8 }),
  teams: rules({ seats: "4", teams: "true" }, { teams: true }),
  "longer lines of four": rules({ seats: "3", overline: "wins" }, { line: 4, goal: 8 }),
  pente: rules({ board: "19", overline: "wins", opening: "centre", colours: "white-first" }),
  swap2: rules({ board: "19", overline: "wins", opening: "place-three" }),
  "far centre": rules({ opening: "centre-far" }),
  "place four": rules({ opening: "place-four", pass_start: "false" }),
  gomoku: rules({ captures: "off", overline: "wins" }, { goal: 0 }),
  wuziqi: rules({ captures: "off", forbidden: "renju", first_start: "random" }, { goal: 0 }),
  "double three, first": rules({ forbidden: "double-three-first", into_flank: "captured" }),
  "double three, both": rules({ forbidden: "double-three-both", into_flank: "not-allowed" }),
  "break overtime": rules({ overtime: "break", capture_threes: "true", forced_capture: "false" }),
  "take overtime": rules({ overtime: "take", move_limit_s: "60" }),
};

describe("the rules in sentences", () => {
  for (const [name, view] of Object.entries(CASES)) {
    it(`has words for ${name} in every language`, () => {
      for (const language of LANGUAGES) {
        const known = catalogue(language);
        for (const key of keys(view)) expect(known, `${language} ${key}`).toHaveProperty([key]);
      }
    });
  }

  it("says nothing of captures where there are none", () => {
    const said = keys(CASES.gomoku!);
    expect(said).toContain("rules.no-captures");
    expect(said.filter((key) => /goal|flank|mixed/.test(key))).toEqual([]);
  });

  it("speaks of mixed colours with three sides or more only", () => {
    expect(keys(CASES["two seats"]!)).not.toContain("rules.mixed.true");
    expect(keys(CASES.teams!)).not.toContain("rules.mixed.true");
    expect(keys(CASES["three seats"]!)).toContain("rules.mixed.true");
  });

  it("marks what differs from the preset", () => {
    const changed = says(CASES["take overtime"]!).filter((sentence) => sentence.changed);
    expect(changed.map((sentence) => sentence.key)).toEqual(["rules.overtime.take", "rules.move-limit"]);
  });
});
