// Seats on the set-up screen: how many, for whom, and in which colours they would play.
import type { SeatPlan } from "../../bindings/SeatPlan";
import type { SetupRequest } from "../../bindings/SetupRequest";
import type { TableSettings } from "../../bindings/TableSettings";
import { COLOURS, type Colour } from "../../components/geometry";

export type SeatKind = SeatPlan["kind"];

/** What a table is set to besides its rules, unless told otherwise. */
export const SETTINGS: TableSettings = { grace_s: 60, level: 5, ranked: false, hidden: false, pin: null, locked: false };

/** The one level there is; the strength of the CPU is chosen later. */
const CPU_LEVEL = 1;

export function planOf(kind: SeatKind): SeatPlan {
  switch (kind) {
    case "me":
      return { kind };
    case "open":
      return { kind };
    case "cpu":
      return { kind, level: CPU_LEVEL };
  }
}

/** As many seats as asked for: the first ones kept, new ones like the last. */
export function withCount(seats: readonly SeatPlan[], count: number): SeatPlan[] {
  const kept = seats.slice(0, count);
  const last = kept.at(-1);
  const filler = planOf(last && last.kind !== "me" ? last.kind : "open");
  return [...kept, ...Array<SeatPlan>(count - kept.length).fill(filler)];
}

/** Colours in seat order, if the first seat starts. */
export function seatColours(count: number, teams: boolean, first: Colour): Colour[] {
  const [black, white, ...more] = COLOURS as readonly [Colour, Colour, ...Colour[]];
  const order = first === "white" ? [white, black, ...more] : [black, white, ...more];
  return Array.from({ length: count }, (_, seat) => order[teams ? seat % 2 : seat]!);
}

/** No seat is the CPU's. */
export const onlyPeople = (seats: readonly SeatPlan[]): boolean => seats.every((seat) => seat.kind !== "cpu");

/** With a CPU seat a game is not ranked, whatever was chosen before: it could never count, and the core refuses it. */
export const rankable = (request: SetupRequest): SetupRequest =>
  request.settings.ranked && !onlyPeople(request.seats)
    ? { ...request, settings: { ...request.settings, ranked: false } }
    : request;

export const isOpen = (seats: readonly SeatPlan[]): boolean => seats.some((seat) => seat.kind === "open");
