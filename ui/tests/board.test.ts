import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import {
  capsule,
  CELL,
  COLOURS,
  cropAround,
  Layout,
  letters,
  place,
  pointAt,
  stars,
  stretches,
  typedPoint,
} from "../src/components/geometry";
import Mark from "../src/components/Mark.svelte";
import StoneDefs from "../src/components/StoneDefs.svelte";
import { flightTo } from "../src/components/motion";
import { step, type } from "../src/components/keyboard";

const SIZES = [9, 13, 15, 19];
const all = (size: number) => letters(size).flatMap((letter) => Array.from({ length: size }, (_, i) => `${letter}${i + 1}`));

describe.each(SIZES)("a board of %i", (size) => {
  it("names every point one way", () => {
    for (const point of all(size)) expect(pointAt(place(point))).toBe(point);
    expect(new Set(all(size)).size).toBe(size * size);
  });

  it.each([true, false])("finds a point where it draws it (coordinates: %s)", (coordinates) => {
    const layout = new Layout(size, coordinates);
    for (const point of all(size)) {
      expect(layout.pointNear(layout.percentX(point) / 100, layout.percentY(point) / 100)).toBe(point);
      // Still that point a little off, and the neighbour beyond the middle between the two.
      const near = (0.49 * CELL) / layout.side;
      expect(layout.pointNear(layout.percentX(point) / 100 + near, layout.percentY(point) / 100 - near)).toBe(point);
    }
    expect(layout.pointNear(0.001, 0.001)).toBeNull();
  });

  it("marks its centre and nothing twice", () => {
    const marked = stars(size);
    expect(marked).toContain(pointAt({ column: (size - 1) / 2, row: (size - 1) / 2 }));
    expect(new Set(marked).size).toBe(marked.length);
    for (const point of marked) expect(all(size)).toContain(point);
  });
});

it("has its first row at the bottom and skips no letter", () => {
  const layout = new Layout(15, false);
  expect(layout.y("A1")).toBeGreaterThan(layout.y("A15"));
  expect(layout.x("A1")).toBeLessThan(layout.x("B1"));
  expect(letters(15).join("")).toBe("ABCDEFGHIJKLMNO");
  expect(stars(19)).toHaveLength(9);
});

it.each([
  ["h8", 15, "H8"],
  ["O15", 15, "O15"],
  ["p1", 15, null],
  ["h16", 15, null],
  ["h0", 15, null],
  ["h08", 15, null],
  ["8h", 15, null],
  ["s19", 19, "S19"],
])("%s typed on %i is %s", (typed, size, point) => expect(typedPoint(typed, size)).toBe(point));

it("draws a capsule along the group, whichever way it is listed", () => {
  const layout = new Layout(15, false);
  const one = capsule(["I8", "J9"], layout);
  expect(capsule(["J9", "I8"], layout)).toEqual(one);
  expect(one).toEqual({ x: layout.x("I8"), y: layout.y("I8"), angle: -45, length: Math.hypot(CELL, CELL) });
  expect(capsule(["C5", "C4", "C3"], layout).length).toBe(2 * CELL);
});

it("outlines stones that follow each other together, others alone", () => {
  expect(stretches([])).toEqual([]);
  expect(stretches(["F5", "G5"])).toEqual([["F5", "G5"]]);
  expect(stretches(["G6", "F5", "H7"])).toEqual([["F5", "G6", "H7"]]);
  expect(stretches(["F5", "H5"])).toEqual([["F5"], ["H5"]]);
});

it("crops around the stones without leaving the board", () => {
  expect(cropAround(["A1"], 15, 5, 5)).toEqual(["A5", "E1"]);
  expect(cropAround(["O15"], 15, 5, 5)).toEqual(["K15", "O11"]);
  expect(cropAround([], 9, 99, 99)).toEqual(["A9", "I1"]);
});

describe("a stone", () => {
  it("has a mark of its own for each colour", () => {
    const { body } = render(StoneDefs);
    const marks = COLOURS.map((colour) => /id="m-\w+"([^>]*)/.exec(body.slice(body.indexOf(`id="m-${colour}"`)))?.[1]);
    expect(marks.every((mark) => mark !== undefined)).toBe(true);
    expect(new Set(marks).size).toBe(COLOURS.length);
    for (const colour of COLOURS) {
      // Without colour it is still told apart: also where two colours show their marks quietly.
      for (const quiet of [true, false]) expect(render(Mark, { props: { colour, quiet } }).body).toContain(`#m-${colour}`);
    }
  });
});

describe("a taken stone's flight", () => {
  const box = (left: number, top: number, width: number, height = width) => ({ left, top, width, height });
  it("ends in the middle of the tray", () => {
    expect(flightTo(box(300, 0, 20), box(0, 100, 200), 400, { x: 100, y: 100 })).toEqual({ dx: 520, dy: -280 });
  });
  it("is left out where there is nothing to measure", () => {
    expect(flightTo(box(0, 0, 20), box(0, 0, 0), 400, { x: 0, y: 0 })).toBeNull();
    expect(flightTo(box(0, 0, 0), box(0, 0, 200), 400, { x: 0, y: 0 })).toBeNull();
    expect(flightTo(box(0, 0, 20), box(0, 0, 200), 400, { x: NaN, y: 0 })).toBeNull();
  });
});

describe("the keys", () => {
  it.each([
    ["H8", "ArrowUp", "H9"],
    ["H8", "ArrowDown", "H7"],
    ["H8", "ArrowLeft", "G8"],
    ["H8", "ArrowRight", "I8"],
    ["A1", "ArrowLeft", "A1"],
    ["O15", "ArrowUp", "O15"],
    ["H8", "Home", "A8"],
    ["H8", "End", "O8"],
    ["H8", "PageUp", "H15"],
    ["H8", "PageDown", "H1"],
    ["H8", "x", null],
  ])("from %s %s leads to %s", (from, key, to) => expect(step(from, key, 15)).toBe(to));

  it("spell a point", () => {
    const letter = type("", "h", 15)!;
    expect(letter).toMatchObject({ rest: "h", point: null, command: null });
    const digit = type(letter.rest, "1", 15)!;
    expect(digit).toMatchObject({ rest: "h1", point: "H1" });
    expect(type(digit.rest, "0", 15)).toMatchObject({ rest: "h10", point: "H10" });
    expect(type(digit.rest, "9", 15)).toMatchObject({ rest: "", point: null });
    expect(type("", "8", 15)).toBeNull();
    expect(type("", "Tab", 15)).toBeNull();
  });

  it("are commands at once only where the letter is no column", () => {
    expect(type("", "l", 9)).toMatchObject({ command: "last", wait: false, rest: "" });
    expect(type("", "l", 15)).toMatchObject({ command: "last", wait: true, rest: "l" });
    expect(type("", "t", 19)).toMatchObject({ command: "trays", wait: false });
    expect(type("", "r", 19)).toMatchObject({ command: "rules", wait: true });
  });
});
