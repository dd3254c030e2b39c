import { afterEach, describe, expect, it, vi } from "vitest";
import type { ShapeView } from "../../src/bindings/ShapeView";
import type { TableView } from "../../src/bindings/TableView";
import type { WayView } from "../../src/bindings/WayView";
import { bounds } from "../../src/components/geometry";
import { type as typeKey } from "../../src/components/keyboard";
import { setLanguage } from "../../src/i18n/index.svelte";
import { news } from "../../src/screens/game/news";
import {
  emptyCell,
  hearReason,
  hearThreats,
  sayGhost,
  sayReason,
  sayThreats,
  sideName,
  stopWords,
  threatWords,
} from "../../src/screens/game/reasons";
import { board, preview, seat, threat } from "../fixtures/build";
import { tables } from "../fixtures/tables";

function speak(language: string) {
  vi.stubGlobal("document", { documentElement: { lang: "" } });
  vi.stubGlobal("navigator", { languages: [] });
  setLanguage(language);
}
afterEach(() => {
  speak("en");
  vi.unstubAllGlobals();
});

const at = (name: string): TableView => structuredClone(tables[name]!);
const forbidden = (name: string, point: string) => at(name).board.forbidden.find((f) => f.at === point)!;
const aimed = (point: string, takes: string[][] = [], leaves: string[][] = []) =>
  ({ at: point, colour: "black" as const, sent: false, takes, leaves, lost: [] });

describe("a reason", () => {
  it.each([
    ["game-two", "F6", "Double three: not here", "Three: G6 and H6. Three: F7 and F8."],
    ["fours", "I5", "Double four: not here", "Four: E5, F5 and G5. Four: K5, L5 and M5."],
    ["fours", "L10", "Six or more: not here", "7 in a row, H10 to N10."],
    ["keep-out", "I9", "Too near the centre for this move", "It must stand outside the square F6 to J10."],
    ["keep-out", "D3", "Flanked: not here", "Between B3 and E3: C3 and D3."],
  ])("of %s %s names the rule and what makes it so", (name, point, lead, sub) => {
    expect(sayReason(forbidden(name, point))).toEqual({ lead, sub });
  });

  it("says to the ear which stones would complete the shapes", () => {
    expect(hearReason(forbidden("game-two", "F6"))).toBe(
      "Double three: not here. Three: G6 and H6, an open four with E6 or I6. Three: F7 and F8, an open four with F5 or F9.",
    );
    expect(hearReason(forbidden("fours", "I5"))).toContain("Four: E5, F5 and G5, five with H5.");
    const centre: ShapeView[] = [{ shape: "centre", at: "J10" }];
    expect(hearReason({ at: "A1", why: "opening-centre", because: centre })).toBe("The first stone goes on the centre. J10 is the centre.");
  });

  it.each([
    ["zh-TW", "三三禁手，不能下。活三：G6、H6，再下 E6 或 I6 成活四。活三：F7、F8，再下 F5 或 F9 成活四。"],
    ["ja", "三々：ここは置けません。三：G6 と H6、E6 か I6 で達四。三：F7 と F8、F5 か F9 で達四。"],
  ])("is told in %s", (language, words) => {
    speak(language);
    expect(hearReason(forbidden("game-two", "F6"))).toBe(words);
  });
});

describe("a line that waits", () => {
  it("is announced with the points that stop it", () => {
    const before = { ...at("overtime"), board: { ...at("overtime").board, overtime: [], stops: [] } };
    expect(news(before, at("overtime")).assertive).toEqual([
      "Overtime. Black has five, F8 to J8. Four points stop it: G6, H6, F7 and H10.",
    ]);
    expect(stopWords(at("game-two"))).toBe("");
    const one = { ...at("overtime"), board: { ...at("overtime").board, stops: [{ at: "G6", choices: [[]] }] } };
    expect(stopWords(one)).toBe("One point stops it: G6");
  });

  it.each([
    ["zh-TW", "有 4 個點可以破掉連線：G6、H6、F7、H10"],
    ["ja", "列を崩せる点は 4 か所：G6、H6、F7 と H10"],
  ])("is told in %s", (language, words) => {
    speak(language);
    expect(stopWords(at("overtime"))).toBe(words);
  });

  it("says of a stone whether it stops it, and with which choice", () => {
    const table = at("overtime");
    expect(sayGhost(table, aimed("F7", [["G8", "H9"]]))).toEqual({ lead: "F7 stops the line", sub: "F7 takes 2 black stones" });
    expect(sayGhost(table, aimed("A1")).lead).toBe("A1 does not stop the line");
    const ways: WayView[] = [[["G8", "H9"]], []].map((takes) => ({ takes, after: "goes-on", winners: [] }));
    table.board.previews = [preview("F7", [["G8", "H9"]], { optional: true, ways })];
    expect(sayGhost(table, aimed("F7", [], [["G8", "H9"]])).lead).toBe("F7 does not stop the line with this choice");
  });
});

describe("what becomes of the game", () => {
  it.each([
    ["wins", ["black"], "K10 wins"],
    ["joint", ["black", "red"], "K10 wins together with Noor"],
    ["overtime", [], "K10 makes a line that can still be stopped"],
    ["loses", ["blue"], "With K10, Aiko wins"],
    ["draw", [], "K10 ends the game in a draw"],
    ["goes-on", [], "K10, free"],
  ] as const)("after a stone that %s is said first", (after, winners, lead) => {
    const table = { ...at("away"), turn: { seat: 0, colour: "black" as const, must: "place" as const, mine: true, thinking: false } };
    const way: WayView = { takes: [], after, winners: [...winners] };
    table.board.previews = [preview("K10", [], { ways: [way] })];
    expect(sayGhost(table, aimed("K10")).lead).toBe(lead);
  });

  it("depends on the groups that are taken", () => {
    const table = at("optional");
    const groups = [["G10", "H10"]];
    const ways: WayView[] = [{ takes: groups, after: "wins", winners: ["black"] }];
    table.board.previews = [preview("I10", groups, { optional: true, ways })];
    expect(sayGhost(table, aimed("I10", groups)).lead).toBe("I10 wins");
    expect(sayGhost(table, aimed("I10", [], groups)).lead).toBe("I10 would be a double three with this choice");
  });
});

describe("threats", () => {
  it("are counted and named, the most urgent first", () => {
    expect(sayThreats(at("threats"))).toEqual({
      lead: "Three threats",
      sub: "Mei wins at F5 with a line. Mei wins at K5 with a line. 1 more threat.",
    });
    expect(hearThreats(at("threats"))).toBe(
      "Three threats. Mei wins at F5 with a line. Mei wins at K5 with a line. Mei can take E10 and F10 at G10.",
    );
    expect(hearThreats(at("overtime"))).toBe("Nothing threatens you now.");
    expect(hearThreats(at("swap2"))).toBe("Nothing threatens anybody before the colours are chosen.");
  });

  it.each([
    ["zh-TW", "3 個威脅。Mei 下 F5 連線獲勝。Mei 下 K5 連線獲勝。Mei 下 G10 可提 E10、F10。"],
    ["ja", "ねらいは 3 か所。Mei は F5 で列ができて勝ちです。Mei は K5 で列ができて勝ちです。Mei は G10 で E10 と F10 を取れます。"],
  ])("are told in %s", (language, words) => {
    speak(language);
    expect(hearThreats(at("threats"))).toBe(words);
  });

  it("say how an enemy would win, and with whom", () => {
    const table = at("away");
    const words = (more: Parameters<typeof threat>[2]) => threatWords(table, threat("C3", [], { by: "red", ...more }));
    expect(words({ danger: "wins", conditions: ["captures"] })).toBe("Noor wins at C3 by captures");
    expect(words({ danger: "wins", conditions: ["line"], with: ["blue"] })).toBe("Noor wins at C3 together with Aiko");
    expect(words({ danger: "overtime" })).toBe("Noor makes a line at C3 that can still be stopped");
  });

  it("of a team are told by its colour", () => {
    const seats = [seat(0, "black", "Lina", { me: true }), seat(1, "white", "Mei"), seat(2, "black", "Aiko"), seat(3, "white", "Noor")];
    const table = { ...at("threats"), seats };
    expect([sideName(table, "white"), sideName(at("threats"), "white"), sideName(at("threats"), "black")]).toEqual(["White", "Mei", "You"]);
  });

  it("are switched by W, which is no column", () => {
    expect(typeKey("", "w", 19)).toMatchObject({ command: "threats", wait: false });
  });
});

describe("a free point's label", () => {
  const label = (name: string, point: string, warned = false) =>
    emptyCell(at(name).board, point, (told) => threatWords(at(name), told), warned);

  it.each([
    ["game-two", "A1", false, "A1, empty"],
    ["game-two", "K10", false, "K10, empty, takes 2: I8, J9"],
    ["overtime", "F7", false, "F7, empty, takes 2: G8, H9, stops the line"],
    ["threats", "F5", false, "F5, empty"],
    ["threats", "F5", true, "F5, empty, danger: Mei wins at F5 with a line"],
  ])("in %s at %s (warned: %s) is %j", (name, point, warned, words) => expect(label(name, point, warned)).toBe(words));

  it("says where a stone wins", () => {
    const view = board([], { previews: [preview("C3", [], { ways: [{ takes: [], after: "wins", winners: ["black"] }] })] });
    expect(emptyCell(view, "C3", () => "", false)).toBe("C3, empty, wins");
  });
});

it("the corners of a square are its lower left and upper right", () => {
  expect(bounds(["F10", "J6", "H8"])).toEqual(["F6", "J10"]);
});
