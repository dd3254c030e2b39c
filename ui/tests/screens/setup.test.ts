import { describe, expect, it } from "vitest";
import type { OptionView } from "../../src/bindings/OptionView";
import type { SetupRequest } from "../../src/bindings/SetupRequest";
import { closedText, houseRules, switchOf, toPutBack, withOption, without } from "../../src/screens/parts/options";
import { isOpen, isShared, named, onlyPeople, planOf, rankable, seatColours, swapped, withCount, SETTINGS } from "../../src/screens/parts/seating";

const option = (name: string, more: Partial<OptionView> = {}): OptionView => ({
  name,
  value: "false",
  values: ["false", "true"],
  default: "false",
  closed_by: null,
  ...more,
});
const request = (options: Record<string, string>): SetupRequest => ({
  preset: "custom",
  seats: [planOf("me"), planOf("open")],
  options,
  settings: SETTINGS,
});

describe("options", () => {
  it("leaves out of the request what equals the preset", () => {
    const threes = option("capture_threes");
    const on = withOption(request({ board: "19" }), threes, "true");
    expect(on.options).toEqual({ board: "19", capture_threes: "true" });
    expect(withOption(on, threes, "false").options).toEqual({ board: "19" });
  });

  it("puts back the one of two clashing options that was chosen earlier", () => {
    const view = (clash: [string, string] | null) => ({ presets: [], options: [], words: [], clash });
    const asked = request({ opening: "centre", board: "19" });
    expect(toPutBack(asked, view(["opening", "seats"]))).toEqual({ name: "opening", by: "seats" });
    expect(toPutBack(asked, view(["teams", "opening"]))).toEqual({ name: "opening", by: "teams" });
    expect(toPutBack(asked, view(["teams", "seats"]))).toBeNull();
    expect(toPutBack(asked, view(null))).toBeNull();
    expect(without(asked, "opening").options).toEqual({ board: "19" });
  });

  it("shows as a switch what can only be on or off, also while it is closed", () => {
    expect(switchOf(option("captures", { value: "off", values: ["on", "off"] }))).toEqual(["on", "off"]);
    expect(switchOf(option("overline", { value: "no-win", values: ["no-win", "wins"] }))).toEqual(["wins", "no-win"]);
    expect(switchOf(option("teams", { values: ["false"], closed_by: "seats" }))).toEqual(["true", "false"]);
    expect(switchOf(option("colours", { value: "black-first" }))).toBeNull();
    expect(switchOf(option("opening", { value: "none", values: ["none", "centre"] }))).toBeNull();
  });

  it("names both options of a clash it has no sentence of its own for", () => {
    expect(closedText("opening", "seats", 3)).toBe("Opening rules need two seats. You have 3.");
    expect(closedText("overtime", "captures", 2)).toBe("Only where stones are captured.");
    expect(closedText("forbidden", "colours", 2)).toBe("Forbidden move and Who starts don’t go together.");
  });

  it("closes what means nothing without captures", () => {
    const custom = (captures: string) => houseRules([option("captures", { value: captures }), option("mixed_captures")]);
    expect(custom("on").map((o) => o.closed_by)).toEqual([null, null]);
    expect(custom("off").map((o) => o.closed_by)).toEqual([null, "captures"]);
    expect(closedText("mixed_captures", "captures", 2)).toBe("Only where stones are captured.");
  });

  it("keeps seats and teams out of the house rules", () => {
    expect(houseRules([option("teams"), option("seats"), option("board")]).map((o) => o.name)).toEqual(["board"]);
  });
});

describe("seats", () => {
  it("keeps the first ones and fills up like the last", () => {
    expect(withCount([planOf("me"), planOf("cpu")], 4).map((seat) => seat.kind)).toEqual(["me", "cpu", "cpu", "cpu"]);
    expect(withCount([planOf("me"), planOf("open"), planOf("cpu")], 2).map((seat) => seat.kind)).toEqual(["me", "open"]);
    expect(withCount([planOf("me")], 2).map((seat) => seat.kind)).toEqual(["me", "open"]);
  });

  it("gives partners one colour", () => {
    expect(seatColours(4, true, "black")).toEqual(["black", "white", "black", "white"]);
    expect(seatColours(4, false, "white")).toEqual(["white", "black", "blue", "red"]);
  });

  it("swaps two seats, and moves all around where the own one is among them", () => {
    const four = [planOf("me"), planOf("here", { name: "Mei" }), planOf("open"), planOf("cpu", { level: 7 })];
    const who = (seats: readonly { kind: string }[]) => seats.map((seat) => seat.kind);
    expect(who(swapped(four, 1, 2))).toEqual(["me", "open", "here", "cpu"]);
    expect(who(swapped(four, 3, 2))).toEqual(["me", "here", "cpu", "open"]);
    // Whoever sat opposite stays opposite; their neighbours change sides.
    expect(who(swapped(four, 0, 2))).toEqual(["me", "cpu", "open", "here"]);
    expect(who(swapped(four, 1, 1))).toEqual(who(four));
  });

  it("gives whoever shares the device a name, and never ranks their game", () => {
    const shared = { ...request({}), seats: [planOf("me"), planOf("here", { name: "  " }), planOf("here", { name: " Tom " })] };
    expect(named(shared, (seat) => `P${seat}`).seats).toEqual([
      { kind: "me" },
      { kind: "here", name: "P1" },
      { kind: "here", name: "Tom" },
    ]);
    expect([isShared(shared.seats), isOpen(shared.seats), onlyPeople(shared.seats)]).toEqual([true, false, false]);
    expect(rankable({ ...shared, settings: { ...SETTINGS, ranked: true } }).settings.ranked).toBe(false);
  });

  it("knows whether anybody else can sit down", () => {
    expect(isOpen([planOf("me"), planOf("cpu")])).toBe(false);
    expect(isOpen([planOf("me"), planOf("cpu"), planOf("open")])).toBe(true);
  });
});

describe("a ranked game", () => {
  const ranked = (seats: SetupRequest["seats"]): SetupRequest => ({
    ...request({}),
    seats,
    settings: { ...SETTINGS, ranked: true },
  });

  it("is one only as long as no seat is the CPU's", () => {
    expect(rankable(ranked([planOf("me"), planOf("open")])).settings.ranked).toBe(true);
    const withCpu = ranked([planOf("me"), planOf("open"), planOf("cpu")]);
    expect(rankable(withCpu)).toEqual({ ...withCpu, settings: SETTINGS });
  });
});
