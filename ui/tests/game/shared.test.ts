import { describe, expect, it } from "vitest";
import type { TableView } from "../../src/bindings/TableView";
import { isShared, resignWords, seatsInOrder } from "../../src/screens/game/names";
import { news } from "../../src/screens/game/news";
import { noticeWords } from "../../src/screens/game/notices.svelte";
import { sayTurn, seatState, verdict } from "../../src/screens/game/words";
import { startLine, unready } from "../../src/screens/parts/lobby";
import { move } from "../fixtures/build";
import { lobbies } from "../fixtures/lobby";
import { tables } from "../fixtures/tables";

/** The game of two as people see it who share a device: nobody is "you". */
function shared(turn: number, moves = [move(1, 0, "black", "H8")]): TableView {
  const two = structuredClone(tables["game-two"]!);
  return {
    ...two,
    seats: two.seats.map((seat) => ({ ...seat, me: false, own: true })),
    my_seat: turn,
    turn: { ...two.turn!, seat: turn, mine: true },
    moves,
  };
}
const how = { confirm: false, touch: false, slide: false };

describe("people who share a device", () => {
  it("are told by name whose turn it is, and to whom the device goes", () => {
    expect(isShared(shared(1))).toBe(true);
    expect(isShared(tables["game-two"]!)).toBe(false);
    expect(sayTurn(shared(1), how)).toEqual({ lead: "Mei to play", sub: "Pass the device to Mei" });
    expect(sayTurn(shared(0, []), how)).toEqual({ lead: "Lina to play", sub: "" });
    expect(shared(1).seats.map((seat) => seatState(shared(1), seat, false))).toEqual(["is here", "to move"]);
    expect(news(shared(0, []), shared(1)).polite).toEqual(["Lina plays H8.", "Mei to play."]);
  });

  it("are named in the result, and before they resign", () => {
    const won = { ...tables.result!.result!, winners: [0] };
    expect(verdict(shared(1), won)).toBe("Lina wins");
    expect(resignWords(shared(1))).toBe("Mei resigns. Lina wins it.");
    expect(seatsInOrder(shared(1)).map((seat) => seat.name)).toEqual(["Lina", "Mei"]);
  });
});

describe("the lobby", () => {
  const lobby = structuredClone(lobbies.lobby!);

  it("waits for nobody who shares the device", () => {
    const seats = lobby.seats.map((seat) => ({ ...seat, ready: false, own: seat.seat === 0 || seat.seat === 2 }));
    expect(unready(seats).map((seat) => seat.name)).toEqual(["Jonas"]);
    expect(startLine({ ...lobby, seats }).off).toBe(false);
  });

  it("tells who asks whom to stand up", () => {
    const notice = { n: 1, what: "stand-up" as const, seat: 1, asked: null, phrase: 2 };
    expect(noticeWords(lobby, notice)).toBe("Jonas asks Aiko to stand up");
  });
});
