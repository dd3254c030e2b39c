import { describe, expect, it } from "vitest";
import type { ApiError } from "../src/bindings/ApiError";
import { NOTHING, reduce, take } from "../src/state/reduce";
import { Once } from "../src/state/once.svelte";
import { HOME, leavesTable, replaces, routeOf } from "../src/state/route";
import { move, table, TABLE } from "./fixtures/build";
import { homes } from "./fixtures/home";

const error: ApiError = { code: "occupied", args: {}, message: "occupied" };

describe("an event", () => {
  it("of the home screen replaces the view", () => {
    expect(reduce(NOTHING, { type: "home", view: homes.home! }).home).toBe(homes.home);
  });

  it("of a table keeps the other tables", () => {
    const one = reduce(NOTHING, { type: "table", view: table({}) });
    const two = reduce(one, { type: "table", view: table({ table: "f".repeat(32) }) });
    expect(Object.keys(two.tables)).toEqual([TABLE, "f".repeat(32)]);
  });

  it("that refuses is kept until that table moves on", () => {
    const refused = reduce(reduce(NOTHING, { type: "table", view: table({}) }), { type: "refused", table: TABLE, error });
    expect(refused.refused).toEqual({ table: TABLE, error });
    expect(reduce(refused, { type: "table", view: table({}) }).refused).toEqual({ table: TABLE, error });
    const moved = reduce(refused, { type: "table", view: table({ moves: [move(1, 0, "black", "H8")] }) });
    expect(moved.refused).toBeNull();
    expect(reduce(refused, { type: "table", view: table({ can_start: true }) }).refused).toBeNull();
  });

  it("that closes a table forgets it, and says why if there is a reason", () => {
    const known = reduce(NOTHING, { type: "table", view: table({}) });
    expect(reduce(known, { type: "closed", table: TABLE, error: null })).toEqual(NOTHING);
    const closed = reduce(known, { type: "closed", table: TABLE, error });
    expect(closed.tables).toEqual({});
    expect(closed.closed).toEqual({ table: TABLE, error });
  });
});

describe("a reply", () => {
  const old = table({});
  const newer = table({ moves: [move(1, 0, "black", "H8")] });

  it("is taken when nothing was told since it was asked for", () => {
    const known = take(NOTHING, NOTHING, { type: "table", view: old });
    expect(known.tables[TABLE]).toBe(old);
    expect(take(known, known, { type: "table", view: newer }).tables[TABLE]).toBe(newer);
    expect(take(NOTHING, NOTHING, { type: "home", view: homes.home! }).home).toBe(homes.home);
  });

  it("that an event has overtaken is dropped", () => {
    const told = reduce(NOTHING, { type: "table", view: newer });
    expect(take(told, NOTHING, { type: "table", view: old })).toBe(told);
    const atHome = reduce(NOTHING, { type: "home", view: homes.home! });
    expect(take(atHome, NOTHING, { type: "home", view: homes.nothing! })).toBe(atHome);
    expect(take(atHome, NOTHING, { type: "table", view: old }).tables[TABLE]).toBe(old);
  });
});

describe("a button that asks once", () => {
  it("drops further presses while the first is under way, and until it shows", async () => {
    const once = new Once();
    let asked = 0;
    const ask = async () => (asked++, true);
    await Promise.all([once.press("over 1", ask), once.press("over 1", ask)]);
    await once.press("over 1", ask);
    expect([asked, once.busy("over 1"), once.busy("playing 2")]).toEqual([1, true, false]);
    once.release();
    await once.press("over 1", ask);
    expect(asked).toBe(2);
  });

  it("may be pressed again after a refusal", async () => {
    const once = new Once();
    await once.press("lobby 0", async () => false);
    expect(once.busy("lobby 0")).toBe(false);
  });
});

describe("a route", () => {
  it.each([
    [null, HOME],
    ["table", HOME],
    [{ screen: "nowhere" }, HOME],
    [{ screen: "table" }, HOME],
    [{ screen: "table", table: TABLE, depth: 1 }, { screen: "table", table: TABLE }],
    [{ screen: "table", table: TABLE, watch: true }, { screen: "table", table: TABLE, watch: true }],
    [{ screen: "table", table: TABLE, watch: 1 }, { screen: "table", table: TABLE }],
    [{ screen: "setup", cpu: true }, { screen: "setup", cpu: true }],
    [{ screen: "setup" }, { screen: "setup", cpu: false }],
    [{ screen: "history" }, { screen: "history" }],
    [{ screen: "settings" }, { screen: "settings" }],
  ])("kept as %j is read as %j", (state, route) => expect(routeOf(state)).toEqual(route));

  it("tells which table it leaves", () => {
    const at = (id: string) => ({ screen: "table", table: id }) as const;
    expect(leavesTable(at("a"), HOME)).toBe("a");
    expect(leavesTable(at("a"), at("b"))).toBe("a");
    expect(leavesTable(at("a"), at("a"))).toBeNull();
    expect(leavesTable(HOME, at("a"))).toBeNull();
    const terms = { screen: "terms", table: "a" } as const;
    expect([leavesTable(at("a"), terms), leavesTable(terms, at("a"))]).toEqual([null, null]);
    expect(leavesTable(terms, HOME)).toBe("a");
    expect(leavesTable(at("a"), { screen: "branch", table: "a", head: "b" })).toBeNull();
  });

  it("from the set-up to its table leaves no way back into the set-up", () => {
    expect(replaces({ screen: "setup", cpu: false }, { screen: "table", table: TABLE })).toBe(true);
    expect(replaces(HOME, { screen: "table", table: TABLE })).toBe(false);
    expect(replaces(HOME, { screen: "settings" })).toBe(false);
  });
});
