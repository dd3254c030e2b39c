// Short sounds, made here: no file, nothing to load. Each is a few partials that fade.
import type { Sound } from "../screens/game/sounds";

/** A partial: its pitch in hertz, when it begins and how long it takes to fade, in seconds, how loud it begins, its wave. */
type Partial = readonly [pitch: number, at: number, fades: number, loud: number, wave: OscillatorType];

/** Wood on wood, a stone lifted, two calm notes; nothing shrill. */
const SOUNDS: Readonly<Record<Sound, readonly Partial[]>> = {
  stone: [
    [190, 0, 0.09, 0.5, "triangle"],
    [1150, 0, 0.03, 0.14, "square"],
  ],
  take: [
    [190, 0, 0.09, 0.5, "triangle"],
    [520, 0.08, 0.09, 0.28, "triangle"],
    [690, 0.16, 0.12, 0.28, "triangle"],
  ],
  turn: [
    [587, 0.1, 0.28, 0.22, "sine"],
    [784, 0.22, 0.4, 0.22, "sine"],
  ],
  ask: [
    [659, 0, 0.2, 0.24, "sine"],
    [659, 0.2, 0.35, 0.24, "sine"],
  ],
  win: [
    [523, 0.1, 0.5, 0.2, "sine"],
    [659, 0.24, 0.5, 0.2, "sine"],
    [784, 0.38, 0.8, 0.22, "sine"],
  ],
  end: [
    [392, 0.1, 0.5, 0.22, "sine"],
    [330, 0.28, 0.8, 0.22, "sine"],
  ],
};

let context: AudioContext | null = null;

const SOFT = 0.4;

/** Plays these at once. Before a person has touched the page no browser lets it sound, and nothing is asked of it. */
export function play(sounds: readonly Sound[], soft = false) {
  if (sounds.length === 0 || typeof AudioContext === "undefined") return;
  if (context === null && navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => {});
  for (const sound of sounds) for (const partial of SOUNDS[sound]) sing(context, partial, soft ? SOFT : 1);
}

function sing(to: AudioContext, [pitch, at, fades, loud, wave]: Partial, by: number) {
  const [tone, gain, from] = [to.createOscillator(), to.createGain(), to.currentTime + at];
  tone.type = wave;
  tone.frequency.value = pitch;
  // From nothing and back to nothing, so that it does not click.
  gain.gain.setValueAtTime(0.0001, from);
  gain.gain.exponentialRampToValueAtTime(loud * by, from + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + 0.006 + fades);
  tone.connect(gain).connect(to.destination);
  tone.start(from);
  tone.stop(from + fades + 0.05);
}
