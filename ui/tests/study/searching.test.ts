// What the study screen asks the core to look for, and when that ends.
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/backend";
import type { PositionRequest } from "../../src/bindings/PositionRequest";
import type { App, StudyEvent } from "../../src/state/app.svelte";
import { Study } from "../../src/screens/study/study.svelte";
import { found, judgements, position } from "../fixtures/study";

type Call = { name: Command; args: { page: string; id: number; position: PositionRequest }; answer: (reply: unknown) => void; fail: () => void };

/** A core that answers searches when it is told to, and all else at once. */
function core() {
  const calls: Call[] = [];
  let hear: ((event: StudyEvent) => void) | null = null;
  const app = {
    onStudy: (to: (event: StudyEvent) => void) => {
      hear = to;
      return () => (hear = null);
    },
    call: (name: Command, args: Call["args"]) => {
      if (name === "position") return Promise.resolve(position(args.position));
      return new Promise((answer, fail) => calls.push({ name, args, answer, fail: () => fail({ code: "internal", args: {}, message: "" }) }));
    },
  };
  const running = () => {
    const ended = (call: Call) =>
      calls.some(({ name, args }) => name === "stop_study" && args.page === call.args.page && args.id >= call.args.id);
    return calls.filter((call) => call.name !== "stop_study" && !ended(call));
  };
  return { app: app as unknown as App, calls, running, tell: (event: StudyEvent) => hear?.(event) };
}

const REQUEST = { preset: "capture-five", seats: 2, options: {}, setup: null, actions: ["H8", "I9", "G7"] };
const soon = () => new Promise((done) => setTimeout(done));

async function opened() {
  const it = core();
  const study = new Study(it.app);
  study.open(REQUEST, [], false);
  await soon();
  return { ...it, study };
}

describe("a search", () => {
  it("has a number above all before, also those of a screen that was left", async () => {
    const first = await opened();
    first.study.hint(true);
    first.study.close();
    const { study, calls } = await opened();
    study.hint(true);
    void study.judge();
    study.hint(false);
    study.hint(true);
    const ids = [...first.calls, ...calls].filter(({ name }) => name !== "stop_study").map(({ args }) => args.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(new Set(ids).size).toBe(4);
  });

  it("does not hear what an older one still tells", async () => {
    const { study, calls, tell } = await opened();
    study.hint(true);
    study.step(1);
    await soon();
    const [older, newer] = calls.filter(({ name }) => name === "analyse");
    const news = { kind: "lines" as const, lines: found(REQUEST) };
    const told = (call: Call): StudyEvent => ({ type: "study", page: call.args.page, id: call.args.id, news });
    tell(told(older!));
    older!.answer(news.lines);
    await soon();
    expect([study.hints.length, study.searching]).toEqual([0, true]);
    tell(told(newer!));
    expect(study.hints.length).toBe(3);
  });

  it("of a position does not end the way through the game, nor the reverse", async () => {
    const { study, running } = await opened();
    void study.judge();
    study.hint(true);
    study.hint(false);
    void study.findWin();
    expect(running().map(({ name }) => name)).toEqual(["judge", "forced_win"]);
    study.hint(true);
    expect([study.win, study.judging, study.searching]).toEqual(["no", true, true]);
  });

  it("is over where it could not be asked for", async () => {
    const { study, calls } = await opened();
    void study.findWin();
    void study.judge();
    calls.forEach(({ fail }) => fail());
    await soon();
    expect([study.win, study.judging]).toEqual(["no", false]);
    study.hint(true);
    calls.at(-1)!.fail();
    await soon();
    expect(study.searching).toBe(false);
  });

  it("ends when its position is left, and all do when another game is opened", async () => {
    const { study, running } = await opened();
    void study.findWin();
    study.step(1);
    expect(running()).toEqual([]);
    void study.judge();
    study.open({ ...REQUEST, actions: ["A1"] }, [], false);
    expect([running(), study.judging]).toEqual([[], false]);
  });

  it("neither goes on nor begins when the screen was left", async () => {
    const { study, running } = await opened();
    void study.judge();
    study.hint(true);
    study.step(1);
    study.close();
    await soon();
    // The answer to what was asked before comes late.
    study.open(REQUEST, [], true);
    void study.judge();
    void study.findWin();
    await soon();
    expect(running()).toEqual([]);
  });
});

describe("what was found", () => {
  it("judges a move by the list that the hints show", async () => {
    const { study, calls, tell } = await opened();
    void study.judge();
    const { args } = calls.at(-1)!;
    for (const judged of judgements(REQUEST)) tell({ type: "study", page: args.page, id: args.id, news: { kind: "judged", judged } });
    study.hint(true);
    expect(study.hints).toEqual(study.judged.get(0)!.best);
    const lines = found(REQUEST);
    calls.at(-1)!.answer(lines);
    await soon();
    expect(study.hints).toEqual(lines);
    expect(study.judged.get(0)!.best).toEqual(lines);
    expect(study.judged.get(1)!.best).not.toEqual(lines);
  });

  it("is not given up for a newer search that has seen less", async () => {
    const { study, calls, tell } = await opened();
    study.hint(true);
    const deep = found(REQUEST);
    calls.at(-1)!.answer(deep);
    await soon();
    study.step(1);
    study.step(-1);
    await soon();
    const { args } = calls.at(-1)!;
    const shallow = deep.slice(1).map((line) => ({ ...line, depth: 1 }));
    tell({ type: "study", page: args.page, id: args.id, news: { kind: "lines", lines: shallow } });
    expect(study.hints).toEqual(deep);
  });
});
