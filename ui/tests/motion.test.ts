import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { leave } from "../src/components/motion";

const stone = null as unknown as Element;

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});
afterEach(() => vi.unstubAllGlobals());

test("a stone that leaves for no tray is gone at once", () => {
  // Svelte gives `{}` where a transition has no parameter.
  for (const way of [{}, { toward: null }, { toward: undefined }]) {
    expect(leave(stone, way)).toEqual({ duration: 0 });
  }
});

test("a taken stone flies by numbers from its point to the tray", () => {
  const flight = leave(stone, { toward: { dx: 40, dy: -20 } });
  expect(flight.duration).toBeGreaterThan(0);
  const styles = [0, 0.25, 0.5, 0.75, 1].map((t) => flight.css!(t, 1 - t));
  for (const style of styles) expect(style).not.toMatch(/NaN|undefined|Infinity/);
  expect(styles[4]).toContain("translate(0px, 0px) scale(1)");
  expect(styles[0]).toContain("translate(40px, -25px)");
});

test("a person who wants no motion sees no flight", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  expect(leave(stone, { toward: { dx: 40, dy: -20 } })).toEqual({ duration: 0 });
});
