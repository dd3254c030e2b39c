import { describe, expect, it } from "vitest";
import type { ApiError } from "../../src/bindings/ApiError";
import type { ErrorCode } from "../../src/bindings/ErrorCode";
import type { FinishedView } from "../../src/bindings/FinishedView";
import type { InterruptedView } from "../../src/bindings/InterruptedView";
import { errorWords, watchable } from "../../src/screens/parts/fault";
import { byDay, dayText, resultSub, resultTitle } from "../../src/screens/parts/finished";
import { gameSub, gameTitle, titleSub } from "../../src/screens/parts/interrupted";
import { isPartner, startLine } from "../../src/screens/parts/lobby";
import { others, othersText, searchWords, tableName } from "../../src/screens/parts/names";
import { TABLE } from "../fixtures/build";
import { finishedGames } from "../fixtures/history";
import { homes } from "../fixtures/home";
import { lobbies } from "../fixtures/lobby";

describe("names", () => {
  it("leaves the own name out once, and names the CPUs together", () => {
    expect(others(["Lina", "Mei"], "Lina")).toEqual(["Mei"]);
    expect(others(["Lina", "Lina"], "Lina")).toEqual(["Lina"]);
    expect(othersText(["", "Lina", "", "Mei"], "Lina")).toBe("Mei and the CPU");
    expect(others(["", ""], "")).toEqual(["the CPU"]);
  });

  it("names a table after whoever opened it", () => {
    expect(tableName("Jonas")).toBe("Jonas’s table");
    expect(tableName("")).toBe("A table");
  });

  it("counts the seconds of a search only until something is found", () => {
    expect(searchWords(0, 38)).toBe("Searching, for 38 s");
    expect(searchWords(1, 38)).not.toMatch(/\d/);
  });
});

it("calls a draw so that came after somebody had given a seat up", () => {
  const game = finishedGames.find((game) => game.gave_up)!;
  const drawn = { ...game, result: { ...game.result, kind: "draw" as const, winners: [], by: ["agreement"] } };
  expect(resultSub(drawn)).toBe("A draw. Capture Five, agreed, 12 moves.");
});

describe("an interrupted game", () => {
  const game = homes.home!.interrupted[0]!;
  const cases: [Partial<InterruptedView>, boolean, string, string][] = [
    [{}, false, "Your turn", "Against Mei. Capture Five, move 23. Mei is here."],
    [{ here: [] }, false, "Your turn", "Against Mei. Capture Five, move 23."],
    [{ my_turn: false, here: [] }, false, "Against Mei", "Capture Five, move 23"],
    [{ my_turn: false, here: [] }, true, "Against Mei", "Capture Five, move 23. The table is open nearby."],
    [{ names: ["Lina", ""], alone: true, here: [] }, false, "Your turn", "Against the CPU. Capture Five, move 23."],
    [{ names: ["Lina", ""], alone: true, over: true, here: [] }, false, "One more game?", "Against the CPU. Capture Five. The last game is over."],
    [{ over: true, here: ["Lina", "Mei", "Aiko"] }, true, "One more game?", "Against Mei. Capture Five. The last game is over. Mei and Aiko are here."],
    [{ ply: 0, names: ["Lina", "Mei", ""], my_turn: false }, true, "Against Mei", "Capture Five. No stone lies yet. Mei is here."],
    [{ ply: 9, names: ["Lina", "Mei", ""], my_turn: false }, true, "Against Mei and the CPU", "Capture Five, move 10. Mei is here."],
  ];
  it.each(cases)("%o", (more, open, title, sub) => {
    expect(gameTitle({ ...game, ...more }, "Lina")).toBe(title);
    expect(titleSub({ ...game, ...more }, "Lina", open)).toBe(sub);
  });

  it("names the others once in a row of the list, whose title does", () => {
    expect(gameSub(game, "Lina", false)).toBe("Capture Five, move 23. Mei is here.");
  });
});

describe("a finished game", () => {
  const titles = [
    ["Aiko and Noor won", "Capture Five, eight stones captured and four in a row, 44 moves"],
    ["Mei won", "Capture Five, five in a row, 34 moves"],
    ["You won against the CPU", "Capture Five, ten stones captured, 51 moves"],
    ["A draw with Oskar", "Gomoku, agreed, 88 moves"],
    ["You and Aiko won", "Capture Five, five in a row, 62 moves"],
    ["You gave up your seat", "Mei won. Capture Five, by resignation, 12 moves."],
    ["You won against Mei", "Pente, by resignation, 12 moves"],
  ];
  it.each(titles.map((words, i) => [i, ...words] as [number, string, string]))("%i: %s", (i, title, sub) => {
    expect(resultTitle(finishedGames[i]!, "Lina")).toBe(title);
    expect(resultSub(finishedGames[i]!)).toBe(sub);
  });

  it("begins a sentence with a capital also where the CPU won", () => {
    const lost: FinishedView = { ...finishedGames[2]!, won: false };
    expect(resultTitle({ ...lost, result: { ...lost.result, winners: [1] } }, "Lina")).toBe("The CPU won");
    expect(resultTitle({ ...lost, result: { ...lost.result, winners: [] } }, "Lina")).toBe("Nobody won it");
  });

  it("counts a team's ten stones, not a lone winner's eight", () => {
    const team = finishedGames[4]!;
    expect(resultSub({ ...team, result: { ...team.result, by: ["captures"] } })).toContain("ten stones captured");
  });

  it("is listed by day, newest first, also across midnight", () => {
    const at = (text: string, i: number): FinishedView => ({
      ...finishedGames[i]!,
      ended_s: (new Date(text).getTime() / 1000),
    });
    const now = new Date("2026-11-30T00:30:00");
    const days = byDay([at("2026-11-29T23:59:00", 0), at("2026-11-30T00:10:00", 1), at("2026-11-29T08:00:00", 2)], now);
    expect(days.map(({ day, games }) => [day, games.length])).toEqual([
      ["Today", 1],
      ["Yesterday", 2],
    ]);
    expect(dayText(new Date("2026-11-02T12:00:00"), now)).toBe("2 November 2026");
  });
});

describe("the lobby", () => {
  const lobby = lobbies.lobby!;
  const unready = lobby.seats.map((seat) => ({ ...seat, ready: false }));
  it("says what Start does, and who is waited for", () => {
    expect(startLine(lobby)).toEqual({ words: "Waiting for Aiko", off: true });
    expect(startLine({ ...lobby, seats: unready })).toMatchObject({ off: false });
    expect(startLine({ ...lobby, seats: unready }).words).toContain("Free seats stay out");
    expect(startLine({ ...lobby, seats: unready.slice(0, 3) }).words).toBe("Begins when everybody has pressed Start");
    expect(startLine({ ...lobbies["lobby-alone"]!, can_start: false })).toMatchObject({ off: true });
    expect(startLine({ ...lobby, seats: lobby.seats.slice(1) })).toEqual({ words: "Take a free seat to play", off: true });
    expect(startLine({ ...lobby, seats: lobby.seats.slice(1, 3) })).toEqual({ words: "You are watching", off: true });
  });

  it("does not wait for whoever is away, nor for CPUs", () => {
    const seats = lobby.seats.map((seat) => (seat.name === "Aiko" ? { ...seat, state: "away" as const } : seat));
    expect(startLine({ ...lobby, seats })).toEqual({ words: "Starting…", off: true });
  });

  it("knows the partner", () => {
    const teams = lobbies["lobby-teams"]!;
    expect(teams.seats.filter((seat) => isPartner(seat, teams)).map((seat) => seat.name)).toEqual(["Aiko"]);
    expect(lobby.seats.some((seat) => isPartner(seat, lobby))).toBe(false);
  });
});

describe("a fault", () => {
  const error = (code: ErrorCode, args: Record<string, string> = {}): ApiError => ({ code, args, message: "in English" });

  it("says which of several things it is, where that is known", () => {
    expect(errorWords(error("bad-invite", { why: "mistyped" }))).toMatch(/letter by letter/);
    expect(errorWords(error("not-found", { why: "no-answer" }))).toMatch(/Nobody answers to this code/);
    expect(errorWords(error("not-found"))).toMatch(/This table was not found/);
    expect(errorWords(error("not-found", { why: "of a newer core" }))).toBe(errorWords(error("not-found")));
  });

  it("has its own words for each way in which an invite can fail", () => {
    const ways: [ErrorCode, string[]][] = [
      ["bad-invite", ["no-invite", "mistyped", "newer"]],
      ["not-found", ["no-answer", "own", "other-device", "no-table"]],
      ["full", ["links"]],
    ];
    const said = ways.flatMap(([code, whys]) => [error(code), ...whys.map((why) => error(code, { why }))].map(errorWords));
    expect(new Set(said).size).toBe(said.length);
  });

  it("leads to looking on where every seat is taken, and only there", () => {
    expect(watchable(error("full", { table: TABLE }))).toBe(TABLE);
    expect(watchable(error("full", { why: "links" }))).toBeNull();
    expect(watchable(error("not-found", { table: TABLE }))).toBeNull();
  });
});
