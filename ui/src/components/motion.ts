// How stones move. Only transform and opacity; a person who wants no motion gets the end state at once.
import type { TransitionConfig } from "svelte/transition";

const PLACE_MS = 140;
const TAKE_MS = 320;

export function motionReduced(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.documentElement.dataset.motion === "reduce";
}

/** A way in drawing units. */
export type Flight = { dx: number; dy: number };

type Box = Pick<DOMRect, "left" | "top" | "width" | "height">;

/**
 * From a point of a drawing, `side` units wide and shown in `own`, to the middle of `target`, in the drawing's units.
 * `null` where either is not on the screen, or not laid out yet.
 */
export function flightTo(
  target: Box,
  own: Box,
  side: number,
  from: { x: number; y: number },
): Flight | null {
  if (own.width <= 0 || target.width <= 0) return null;
  const unit = side / own.width;
  const dx = (target.left + target.width / 2 - own.left) * unit - from.x;
  const dy = (target.top + target.height / 2 - own.top) * unit - from.y;
  return Number.isFinite(dx) && Number.isFinite(dy) ? { dx, dy } : null;
}

/** A stone is set on the board. */
export function settle(_: Element): TransitionConfig {
  if (motionReduced()) return { duration: 0 };
  return {
    duration: PLACE_MS,
    easing: (t) => 1 - (1 - t) ** 3,
    css: (t, u) => `transform: translateY(${-3 * u}px) scale(${1 + 0.14 * u})`,
  };
}

/**
 * A taken stone lifts, then leaves toward a tray; without a way there it is just gone. The way is a field, since Svelte
 * gives an empty object to a transition whose parameter is `null`.
 */
export function leave(_: Element, { toward }: { toward?: Flight | null | undefined }): TransitionConfig {
  if (!toward || motionReduced()) return { duration: 0 };
  return {
    duration: TAKE_MS,
    css: (_, u) => {
      const lift = Math.min(u / 0.3, 1);
      const flight = Math.max((u - 0.3) / 0.7, 0) ** 2;
      const scale = 1 + 0.2 * lift - 0.65 * flight;
      const [x, y] = [toward.dx * flight, toward.dy * flight - 5 * lift];
      return `transform: translate(${x}px, ${y}px) scale(${scale}); opacity: ${1 - Math.max((u - 0.8) / 0.2, 0)}`;
    },
  };
}

/** A stone drops into its hollow in the tray, after the flight. */
export function drop(_: Element): TransitionConfig {
  if (motionReduced()) return { duration: 0 };
  return {
    delay: TAKE_MS - 60,
    duration: PLACE_MS,
    css: (t, u) => `transform: translateY(${-14 * u}px) scale(${1 + 0.3 * u}); opacity: ${Math.min(1, t * 2)}`,
  };
}
