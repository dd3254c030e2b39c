// Pictures that were kept, and whether a new one is the same.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

/** Points of the picture that may differ: an edge drawn otherwise is no news, a word or a line is. */
const DIFFERENT_PX_MAX = 60;
/** How far colours may be apart, of 1: what the kept pictures' few colours make of a shade. */
const COLOUR_APART_MAX = 0.12;
/** The fewest with which it is still the same picture are taken. */
const COLOURS = [32, 64, 128, 256];

const size = ({ width, height }) => `${width}×${height}`;

/** Says how a picture differs from the kept one, with a picture of it, or `null`. */
export function difference(picture, kept) {
  const [now, then] = [PNG.sync.read(picture), PNG.sync.read(kept)];
  if (size(now) !== size(then)) return { says: `is ${size(now)}, was ${size(then)}`, shown: picture };
  const shown = new PNG({ width: now.width, height: now.height });
  const count = pixelmatch(now.data, then.data, shown.data, now.width, now.height, { threshold: COLOUR_APART_MAX });
  return count > DIFFERENT_PX_MAX ? { says: `${count} points differ from the kept picture`, shown: PNG.sync.write(shown) } : null;
}

/** Writes it with few colours, a tenth of the size, unless the kept one is the same. */
export function keep(picture, file) {
  if (existsSync(file) && !difference(picture, readFileSync(file))) return;
  const few = (colours) => execFileSync("convert", ["png:-", "+dither", "-colors", String(colours), "-strip", "-define", "png:compression-level=9", "-define", "png:exclude-chunks=date,time", "PNG8:-"], { input: picture, maxBuffer: 2 ** 24 });
  for (const colours of COLOURS) {
    const made = few(colours);
    if (!difference(picture, made)) return writeFileSync(file, made);
  }
  throw new Error(`${file} needs more colours`);
}

/** What Latin letters are drawn with: pictures of another version of the fonts cannot be compared. */
export function fonts(environment) {
  const hash = createHash("sha256");
  for (const weight of ["regular", "bold"]) {
    const file = execFileSync("fc-match", ["-f", "%{file}", `Noto Sans:lang=en:weight=${weight}`], { env: environment });
    hash.update(readFileSync(file.toString()));
  }
  return hash.digest("hex").slice(0, 16);
}

export const fontsFile = (folder) => join(folder, "fonts.txt");
