// An invite's link as a QR code: one path of unit squares.
import encodeQR from "qr";

/** Modules of blank around the code, as its standard asks for. */
const QUIET = 4;

export type Qr = { side: number; path: string };

export function qr(text: string): Qr {
  // "medium" corrects 15 %: a link stays coarse enough for a phone's camera.
  const rows = encodeQR(text, "raw", { ecc: "medium", encoding: "byte", border: QUIET });
  const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { side: rows.length, path: squares.join("") };
}
