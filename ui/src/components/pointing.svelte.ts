// How a mouse or a finger aims at points: directly, or, where the points are smaller than a fingertip, with a cursor that a
// finger moves while it lies below it.
import { CELL, type Layout } from "./geometry";

export type How = "mouse" | "touch" | "key";

/** Cells narrower than this, in CSS pixels, are smaller than a fingertip. */
const FINGERTIP_PX = 21;
/** How far above the finger the cursor is, in cells, and at most in CSS pixels. */
const CURSOR_ABOVE = 4;
const CURSOR_ABOVE_PX = CURSOR_ABOVE * FINGERTIP_PX;
/** A finger that has moved less than this, in CSS pixels, has tapped. */
const TAP_PX = 8;

/** Whether fingers aim with a cursor, for a cell of this width in CSS pixels. `magnifier`: as in the settings. */
export const aimsByCursor = (cell: number, magnifier: string): boolean =>
  magnifier === "always" || (magnifier !== "never" && cell < FINGERTIP_PX);

export type Ground = {
  box: HTMLElement;
  layout: Layout;
  /** A stone can be placed now. */
  active: boolean;
  /** Fingers aim with a cursor. */
  cursor: boolean;
  /** The point that is aimed at. */
  armed: string | null;
};

type Finger = { pointer: number; x: number; y: number; moved: boolean };

export class Pointing {
  /** The point under a mouse. */
  hover = $state<string | null>(null);
  /** The point under the cursor while a finger is down. */
  slide = $state<string | null>(null);
  #ground: () => Ground;
  #ontap: (point: string, how: How, slid: boolean) => void;
  #finger: Finger | null = null;
  /** A press began here. What began on another screen, or went into a slide, is no click on a point. */
  #pressed = false;

  constructor(ground: () => Ground, ontap: (point: string, how: How, slid: boolean) => void) {
    this.#ground = ground;
    this.#ontap = ontap;
  }

  down = (event: PointerEvent) => {
    const { cursor, active } = this.#ground();
    if (!event.isPrimary) return this.cancel();
    this.#pressed = true;
    if (!isFinger(event) || !cursor || !active) return;
    this.#pressed = false;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#finger = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
    this.slide = this.#cursorOf(event);
  };

  move = (event: PointerEvent) => {
    if (!isFinger(event)) this.hover = pointOf(event);
    const finger = this.#finger;
    if (finger?.pointer !== event.pointerId) return;
    finger.moved ||= Math.hypot(event.clientX - finger.x, event.clientY - finger.y) > TAP_PX;
    this.slide = this.#cursorOf(event);
  };

  up = (event: PointerEvent) => {
    const [finger, point] = [this.#finger, this.slide];
    if (finger?.pointer !== event.pointerId || point === null) return;
    this.#lift();
    const { armed } = this.#ground();
    // The second tap: on the stone that waits there, or where the finger lay before.
    const again = !finger.moved && armed !== null && (armed === point || this.#isNear(event, armed));
    this.#ontap(again ? armed : point, "touch", !again);
  };

  cancel = () => {
    this.#pressed = false;
    this.#lift();
  };

  leave = () => (this.hover = null);

  /** The point of a click that began on this board; `null` for any other, and for the click that ends a slide. */
  click = (event: MouseEvent): { point: string; how: How } | null => {
    const point = pointOf(event);
    // A screen reader's click has no press before it.
    const counts = this.#pressed || event.detail === 0;
    this.#pressed = false;
    if (!counts || point === null) return null;
    return { point, how: (event as PointerEvent).pointerType === "touch" ? "touch" : "mouse" };
  };

  #lift() {
    this.#finger = null;
    this.slide = null;
  }

  #cursorOf(event: PointerEvent): string | null {
    const { box, layout } = this.#ground();
    const rect = box.getBoundingClientRect();
    const side = Math.min(rect.width, rect.height);
    const above = Math.min((CURSOR_ABOVE * CELL) / layout.side, CURSOR_ABOVE_PX / side);
    const clamp = (fraction: number) =>
      Math.min(layout.far / layout.side, Math.max(layout.margin / layout.side, fraction));
    return layout.pointNear(
      clamp((event.clientX - rect.left) / side),
      clamp((event.clientY - rect.top) / side - above),
    );
  }

  #isNear(event: PointerEvent, point: string): boolean {
    const { box, layout } = this.#ground();
    const rect = box.getBoundingClientRect();
    const unit = rect.width / layout.side;
    const away = Math.hypot(
      event.clientX - rect.left - layout.x(point) * unit,
      event.clientY - rect.top - layout.y(point) * unit,
    );
    return away < FINGERTIP_PX;
  }
}

const isFinger = (event: PointerEvent) => event.pointerType === "touch";

export const pointOf = (event: Event): string | null =>
  (event.target as Element).closest<HTMLElement>("[data-point]")?.dataset.point ?? null;
