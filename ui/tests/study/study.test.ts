import { beforeAll, describe, expect, it } from "vitest";
import type { JudgedView } from "../../src/bindings/JudgedView";
import type { PositionRequest } from "../../src/bindings/PositionRequest";
import type { PositionView } from "../../src/bindings/PositionView";
import type { SuggestionView } from "../../src/bindings/SuggestionView";
import { setLanguage } from "../../src/i18n/index.svelte";
import { boardOf, emptied, put, setupOf } from "../../src/screens/study/edit";
import { deepened, loss, pointOf, verdict } from "../../src/screens/study/judge";
import { actionsTo, choose, goOn, parting, pathTo, treeOf, wayThrough } from "../../src/screens/study/tree";
import { goneWords, hintWords, mistakeWords, moveWords, playerName, sideName, standWords, threatWords } from "../../src/screens/study/words";
import { leavesTable, routeOf } from "../../src/state/route";
import { move } from "../fixtures/build";
import { found, position } from "../fixtures/study";

beforeAll(() => {
  Object.assign(globalThis, { navigator: { languages: [] }, document: { documentElement: {} } });
});

const request = (actions: string, more: Partial<PositionRequest> = {}): PositionRequest => ({
  preset: "capture-five",
  seats: 2,
  options: {},
  setup: null,
  actions: actions.split(" ").filter((word) => word !== ""),
  ...more,
});
const names = (way: readonly { action: string }[]) => way.map((node) => node.action).join(" ").trim();

describe("the ways of a game", () => {
  it("go on from any move and come back to the game", () => {
    const root = treeOf(["H8", "I9", "G7"]);
    const second = wayThrough(root)[2]!;
    const tried = goOn(goOn(second, "A1"), "B2");
    expect(actionsTo(tried)).toEqual(["H8", "I9", "A1", "B2"]);
    expect([tried.main, tried.depth, parting(tried)]).toEqual([false, 4, second]);
    // The way that was gone last is the one that is gone forward.
    expect(names(wayThrough(second))).toBe("H8 I9 A1 B2");
    choose(wayThrough(root)[2]!.children[0]!);
    expect(names(wayThrough(root))).toBe("H8 I9 G7");
    expect(second.children.map((child) => child.action)).toEqual(["G7", "A1"]);
  });

  it("are one where they are the same", () => {
    const root = treeOf(["H8", "I9"]);
    expect(goOn(root, "H8")).toBe(wayThrough(root)[1]);
    expect(goOn(root, "H8").main).toBe(true);
    expect([parting(root), pathTo(root).length, root.children.length]).toEqual([root, 1, 1]);
  });
});

const line = (at: string, chance: number, depth = 9): SuggestionView => ({ at, action: at, chance, win_in: null, depth, line: [at] });
const judged = (played: number | null, best: SuggestionView[]): JudgedView => ({ after: 0, chances: [], best, played });

describe("a move is judged", () => {
  it.each([
    [0.6, null],
    [0.51, null],
    [0.49, "doubtful"],
    [0.36, "doubtful"],
    [0.35, "mistake"],
    [0, "mistake"],
    // Better than what was seen as best is no mistake.
    [0.9, null],
    [null, null],
  ] as const)("worth %s where 60 %% could be had", (played, named) => {
    expect(verdict(judged(played, [line("H8", 0.6)]), "A1")).toBe(named);
  });

  it("never against the hint that was shown for it", () => {
    // The game's own search saw another best move; the hints looked deeper.
    const one = judged(0.1, [line("H8", 0.9, 4)]);
    const root = treeOf(["I9"]);
    const hinted = new Map([[root, [line("I9", 0.8, 9), line("H8", 0.3, 9)]], [goOn(root, "A1"), [line("B1", 1)]]]);
    expect(verdict(one, "I9")).toBe("mistake");
    expect(verdict(deepened(new Map([[0, one]]), hinted).get(0)!, "I9")).toBeNull();
    expect(deepened(new Map([[1, one]]), hinted)).toEqual(new Map([[1, one]]));
    expect(loss(judged(0.2, [line("H8", 0.7), line("I9", 0.65)]), "I9")).toBeCloseTo(0.05);
    for (const hint of one.best) expect(verdict(judged(0, one.best), hint.at)).toBeNull();
    expect(verdict(judged(0.4, []), "H8")).toBeNull();
  });

  it("by the point of its action", () => {
    expect(["H8", "H8[F8,G8]", "H8[]", "S19", "black", "resign:white", "add", "draw"].map(pointOf)).toEqual([
      "H8", "H8", "H8", "S19", null, null, null, null,
    ]);
  });
});

describe.each(["en", "zh-TW", "ja"])("the words in %s", (language) => {
  beforeAll(() => setLanguage(language));
  const view = (actions: string, more: Partial<PositionView> = {}): PositionView => ({ ...position(request(actions)), ...more });

  it("name what is there and leave no hole", () => {
    const taken = { at: "F6", colour: "white" as const, ply: 12 };
    const base = view("H8 I9");
    const all = [
      moveWords(view(""), []),
      moveWords(base, ["Lina", ""]),
      moveWords({ ...base, board: { ...base.board, taken: [taken] } }, ["Lina", "Mei"]),
      moveWords({ ...base, moves: [{ ...move(0, 1, "white", ""), at: null, choice: "white" }] }, []),
      moveWords({ ...base, moves: [{ ...move(0, 1, "white", ""), at: null, choice: "add" }] }, []),
      moveWords({ ...base, moves: [{ ...move(0, 1, "white", ""), at: null, choice: null }] }, []),
      goneWords({ ...base, gone: [{ stone: taken, by: 15 }] }),
      standWords(base, []),
      standWords({ ...base, turn: { player: 0, colour: "black", must: "choose" } }, []),
      standWords({ ...base, result: { kind: "win", winners: [0], colours: ["black"], by: ["line"], overline: "no-win", line: [] } }, []),
      standWords({ ...base, result: { kind: "draw", winners: [], colours: [], by: ["full-board"], overline: "no-win", line: [] } }, []),
      hintWords(found(request(""))[0]!),
      hintWords({ ...line("H8", 0), win_in: 4 }),
      hintWords(line("H8", 0.42)),
      mistakeWords(judged(0.1, [line("A1", 0.6)]), move(2, 1, "white", "I9")),
      mistakeWords(judged(0.45, [line("A1", 0.6)]), move(2, 1, "white", "I9")),
      mistakeWords(judged(0.45, [line("A1", 1)]), move(2, 1, "white", "I9")),
      ...threatWords({ ...base, threats: [{ side: "black", ahead: 0, wins: [{ at: "K8", takes: [], after: "wins" }], makes: [{ at: "A1", makes: "four" }, { at: "B1", makes: "open-four" }], takes: [{ at: "C1", groups: [] }] }] }, []),
    ];
    for (const words of all) {
      expect(words).not.toBe("");
      expect(words).not.toMatch(/[{}]|undefined|study\./);
    }
  });

  it("say nothing where there is nothing", () => {
    expect(goneWords(view("H8"))).toBe("");
    expect(mistakeWords(undefined, undefined)).toBe("");
    expect(mistakeWords(judged(0.58, [line("A1", 0.6)]), move(2, 1, "white", "I9"))).toBe("");
    expect(threatWords({ ...view("H8"), threats: [{ side: "black", ahead: 0, wins: [], makes: [], takes: [] }] }, [])).toEqual([]);
  });
});

describe("the words", () => {
  beforeAll(() => setLanguage("en"));

  it("name captured stones by their numbers, and where the numbers went", () => {
    const view = position(request("H8 I9"));
    const stones = [{ at: "F6", colour: "white" as const, ply: 12 }, { at: "G7", colour: "white" as const, ply: 0 }];
    expect(moveWords({ ...view, board: { ...view.board, taken: stones } }, ["Lina", "Mei"])).toBe("2. Mei plays I9 and takes 12 at F6 and G7.");
    expect(goneWords({ ...view, gone: stones.map((stone) => ({ stone, by: 15 })) })).toBe("No longer on the board: 12 at F6 (taken by 15).");
  });

  it("name both partners of a side, and the CPU", () => {
    const view = position(request("", { seats: 4, options: { teams: "true" } }));
    expect(sideName(view, ["Lina", "Jonas", "", "Noor"], "black")).toBe("Lina + CPU");
    expect(sideName(view, [], "white")).toBe("White");
    expect(playerName([], 2, "blue")).toBe("Blue");
  });

  it("name the strongest threats only", () => {
    const view = position(request("H8"));
    const makes = [{ at: "B1", makes: "open-four" as const }, { at: "A1", makes: "open-three" as const }];
    const [words] = threatWords({ ...view, threats: [{ side: "white", ahead: 0, wins: [], makes, takes: [] }] }, ["Lina", "Mei"]);
    expect(words).toBe("Mei makes an open four on B1.");
  });

  it("name a mistake with its sign, its cost and what was better", () => {
    expect(mistakeWords(judged(0.2, [line("A1", 0.6)]), move(2, 1, "white", "I9"))).toBe(
      "I9 ? is a mistake: the chance to win falls from 60 % to 20 %. Better: A1.",
    );
    expect(mistakeWords(judged(0.45, [line("A1", 0.6)]), move(2, 1, "white", "I9"))).toContain("I9 ?! is doubtful");
  });
});

describe("a board that is put together", () => {
  const start = setupOf(position(request("H8 I9")));

  it("takes stones, changes and loses them", () => {
    expect(start.stones).toHaveLength(2);
    const more = put(start, "A1", "black");
    expect(more.stones).toContainEqual({ at: "A1", colour: "black" });
    expect(put(more, "A1", "white").stones).toContainEqual({ at: "A1", colour: "white" });
    expect(put(more, "A1", "black").stones).toEqual(start.stones);
    expect(put(more, "A1", "erase").stones).toEqual(start.stones);
    expect(emptied({ ...more, captured: { black: 2 } })).toMatchObject({ stones: [], captured: {}, turn: start.turn });
  });

  it("does not say any more how it came about", () => {
    const opening = { ...start, ply: 7, stage: "choosing", swapped: true, overtime: true };
    expect(put(opening, "A1", "black")).toMatchObject({ ply: null, stage: null, swapped: false, overtime: false });
  });

  it("is drawn without numbers", () => {
    expect(boardOf(start, position(request("")).board).stones.map((stone) => stone.ply)).toEqual([0, 0]);
  });

  it("begins with the stones of a game that has ended", () => {
    expect(setupOf({ ...position(request("H8 I9 G7")), setup: null })).toMatchObject({ turn: "black", captured: {} });
  });
});

it("is kept in the browser's history, and leaves no table behind", () => {
  expect(routeOf({ screen: "study", game: "t/1", depth: 2 })).toEqual({ screen: "study", game: "t/1" });
  expect(routeOf({ screen: "study", position: request("H8") })).toEqual({ screen: "study", position: request("H8") });
  expect(routeOf({ screen: "study", game: 3 })).toEqual({ screen: "study" });
  expect(leavesTable({ screen: "table", table: "t" }, { screen: "study", game: "t/1" })).toBeNull();
});
