// Seats on the set-up screen: how many, for whom, and in which colours they would play.
import type { SeatPlan } from "../../bindings/SeatPlan";
import type { SetupRequest } from "../../bindings/SetupRequest";
import type { TableSettings } from "../../bindings/TableSettings";
import { COLOURS, type Colour } from "../../components/geometry";

export type SeatKind = SeatPlan["kind"];

/** What a table is set to besides its rules, unless told otherwise. */
export const SETTINGS: TableSettings = { grace_s: 60, level: 5, ranked: false, hidden: false, pin: null, locked: false };

/** The CPU's levels, the weakest first. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** Where nobody has chosen one yet. */
export const CPU_LEVEL = 2;

/** `level` for the CPU, `name` for whoever shares the device. */
export function planOf(kind: SeatKind, { level = CPU_LEVEL, name = "" } = {}): SeatPlan {
  switch (kind) {
    case "me":
      return { kind };
    case "open":
      return { kind };
    case "cpu":
      return { kind, level };
    case "here":
      return { kind, name };
  }
}

/** As many seats as asked for: the first ones kept, new ones like the last. */
export function withCount(seats: readonly SeatPlan[], count: number): SeatPlan[] {
  const kept = seats.slice(0, count);
  const last = kept.at(-1);
  const filler = last && last.kind !== "me" ? last : planOf("open");
  return [...kept, ...Array<SeatPlan>(count - kept.length).fill(filler)];
}

/** Colours in seat order, if the first seat starts. */
export function seatColours(count: number, teams: boolean, first: Colour): Colour[] {
  const [black, white, ...more] = COLOURS as readonly [Colour, Colour, ...Colour[]];
  const order = first === "white" ? [white, black, ...more] : [black, white, ...more];
  return Array.from({ length: count }, (_, seat) => order[teams ? seat % 2 : seat]!);
}

/** Two seats change places. The own one is always the first, so where it is one of them all move around the table. */
export function swapped(seats: readonly SeatPlan[], one: number, other: number): SeatPlan[] {
  const next = [...seats];
  [next[one], next[other]] = [next[other]!, next[one]!];
  const own = Math.max(0, next.findIndex((plan) => plan.kind === "me"));
  return [...next.slice(own), ...next.slice(0, own)];
}

/** The request as it is sent: whoever shares the device has a name. */
export const named = (request: SetupRequest, nameless: (seat: number) => string): SetupRequest => ({
  ...request,
  seats: request.seats.map((plan, seat) =>
    plan.kind === "here" ? { ...plan, name: plan.name.trim() || nameless(seat) } : plan,
  ),
});

/** People share this device. */
export const isShared = (seats: readonly SeatPlan[]): boolean => seats.some((seat) => seat.kind === "here");

/** No seat is the CPU's, and each is another device's. */
export const onlyPeople = (seats: readonly SeatPlan[]): boolean =>
  seats.every((seat) => seat.kind !== "cpu" && seat.kind !== "here");

/** With a CPU seat a game is not ranked, whatever was chosen before: it could never count, and the core refuses it. */
export const rankable = (request: SetupRequest): SetupRequest =>
  request.settings.ranked && !onlyPeople(request.seats)
    ? { ...request, settings: { ...request.settings, ranked: false } }
    : request;

export const isOpen = (seats: readonly SeatPlan[]): boolean => seats.some((seat) => seat.kind === "open");
