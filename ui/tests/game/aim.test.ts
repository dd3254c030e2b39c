import { describe, expect, it } from "vitest";
import type { TableView } from "../../src/bindings/TableView";
import { Aim, aimsFirst } from "../../src/screens/game/aim.svelte";
import type { App } from "../../src/state/app.svelte";
import { move } from "../fixtures/build";
import { tables } from "../fixtures/tables";

/** An aim at a prepared table, and what it asks of the core. `accepts`: whether the core takes the stone. */
function aimAt(name: string, accepts = true) {
  const asked: unknown[] = [];
  const seen = { table: structuredClone(tables[name]!) as TableView };
  const app = {
    ask: async (command: string, args: unknown) => {
      asked.push([command, args]);
      return accepts;
    },
    clearRefusal: () => {},
  } as unknown as App;
  const aim = new Aim(
    () => app,
    () => seen.table,
  );
  return { aim, asked, seen };
}

it("with a finger aims first unless the settings say otherwise", () => {
  const cases = [null, true, false].flatMap((confirm) => [true, false].map((touch) => aimsFirst({ confirm }, touch)));
  expect(cases).toEqual([true, false, true, true, false, false]);
  expect(aimsFirst(null, true)).toBe(true);
});

describe("a tap", () => {
  it("places where one tap shall do", () => {
    const { aim, asked, seen } = aimAt("game-two");
    aim.tap("K10", "mouse", false);
    expect(asked).toEqual([["place", { table: seen.table.table, at: "K10" }]]);
    expect(aim.ghost).toMatchObject({ at: "K10", sent: true, takes: [["I8", "J9"]] });
    expect(aim.colour).toBeNull();
  });

  it("aims where it shall be confirmed, and places the second time", () => {
    const { aim, asked } = aimAt("game-two");
    aim.tap("A1", "touch", true);
    aim.tap("K10", "touch", true);
    expect(asked).toEqual([]);
    expect(aim.ghost).toMatchObject({ at: "K10", sent: false });
    aim.tap("K10", "touch", true);
    expect(asked).toHaveLength(1);
  });

  it("is none where a cursor was lifted on the same point, unless one tap shall do", () => {
    const { aim, asked } = aimAt("game-two");
    aim.tap("K10", "touch", true, true);
    aim.tap("K10", "touch", true, true);
    expect([aim.at, asked]).toEqual(["K10", []]);
    aim.tap("A1", "touch", false, true);
    expect(asked).toHaveLength(1);
  });

  it("by key always aims first", () => {
    const { aim, asked } = aimAt("game-two");
    aim.tap("K10", "key", false);
    expect(asked).toEqual([]);
    aim.tap("K10", "key", false);
    expect(asked).toHaveLength(1);
  });

  it("on a forbidden point tells why and places nothing", () => {
    const { aim, asked } = aimAt("game-two");
    aim.tap("K10", "touch", true);
    aim.tap("F6", "mouse", false);
    expect([aim.told, aim.at, asked]).toEqual(["F6", null, []]);
  });

  it.each(["sent", "away", "swap2", "result"])("does nothing in %s", (name) => {
    const { aim, asked } = aimAt(name);
    aim.tap("A1", "mouse", false);
    expect([aim.at, asked]).toEqual([null, []]);
  });

  it("on a group chooses whether to take it, where that is free", () => {
    const { aim, asked, seen } = aimAt("optional");
    aim.tap("I10", "mouse", false);
    expect(aim.ghost).toMatchObject({ takes: [["G10", "H10"]], leaves: [], sent: false });
    aim.tap("H10", "mouse", false);
    expect(aim.ghost).toMatchObject({ takes: [], leaves: [["G10", "H10"]] });
    aim.tap("I10", "mouse", false);
    expect(asked).toEqual([["place", { table: seen.table.table, at: "I10", take: [] }]]);
  });
});

describe("a stone on its way", () => {
  it("is forgotten when the table has moved on", () => {
    const { aim, seen } = aimAt("game-two");
    aim.tap("K10", "mouse", false);
    aim.settle(false);
    expect(aim.ghost?.sent).toBe(true);
    seen.table = { ...seen.table, moves: [...seen.table.moves, move(23, 0, "black", "K10")] };
    aim.settle(false);
    expect(aim.ghost).toBeNull();
  });

  it("is forgotten when it is refused, at once or later", async () => {
    const refused = aimAt("game-two", false);
    refused.aim.tap("K10", "mouse", false);
    await Promise.resolve();
    await Promise.resolve();
    expect(refused.aim.ghost).toBeNull();
    const later = aimAt("game-two");
    later.aim.tap("K10", "mouse", false);
    later.aim.settle(true);
    expect(later.aim.ghost).toBeNull();
  });
});

it("an aim ends when the point is taken", () => {
  const { aim, seen } = aimAt("game-two");
  aim.tap("K10", "touch", true);
  const stone = { at: "K10", colour: "white" as const, ply: 23 };
  seen.table = { ...seen.table, board: { ...seen.table.board, stones: [...seen.table.board.stones, stone] } };
  aim.settle(false);
  expect(aim.at).toBeNull();
});
