import { describe, expect, it } from "vitest";
import type { OptionView } from "../../src/bindings/OptionView";
import type { SetupRequest } from "../../src/bindings/SetupRequest";
import { closedText, houseRules, onValue, withOption, withoutClosed } from "../../src/screens/parts/options";
import { isOpen, planOf, seatColours, withCount } from "../../src/screens/parts/seating";

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
});

describe("options", () => {
  it("leaves out of the request what equals the preset", () => {
    const threes = option("capture_threes");
    const on = withOption(request({ board: "19" }), threes, "true");
    expect(on.options).toEqual({ board: "19", capture_threes: "true" });
    expect(withOption(on, threes, "false").options).toEqual({ board: "19" });
  });

  it("puts closed options back, and keeps the request if there are none", () => {
    const asked = request({ opening: "centre", board: "19" });
    const closed = option("opening", { closed_by: "seats" });
    expect(withoutClosed(asked, [closed, option("board")]).options).toEqual({ board: "19" });
    expect(withoutClosed(asked, [option("opening")])).toBe(asked);
  });

  it("shows two values as a switch where one of them means on", () => {
    expect(onValue(option("captures", { values: ["on", "off"] }))).toBe("on");
    expect(onValue(option("overline", { values: ["no-win", "wins"] }))).toBe("wins");
    expect(onValue(option("colours", { values: ["black-first", "white-first"] }))).toBeNull();
    expect(onValue(option("overtime", { values: ["none", "break", "take"] }))).toBeNull();
  });

  it("names both options of a clash it has no sentence of its own for", () => {
    expect(closedText("opening", "seats", 3)).toBe("Opening rules need two seats. You have 3.");
    expect(closedText("overtime", "captures", 2)).toBe("Only where stones are captured.");
    expect(closedText("forbidden", "colours", 2)).toBe("Forbidden move and Who starts don’t go together.");
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

  it("knows whether anybody else can sit down", () => {
    expect(isOpen([planOf("me"), planOf("cpu")])).toBe(false);
    expect(isOpen([planOf("me"), planOf("cpu"), planOf("open")])).toBe(true);
  });
});
