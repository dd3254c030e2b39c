// An invite's link as a QR code: one path of unit squares.
import qrcode from "qrcode-generator";

/** Modules of blank around the code, as its standard asks for. */
const QUIET = 4;

export type Qr = { side: number; path: string };

export function qr(text: string): Qr {
  // Type 0: the smallest that holds it. M corrects 15 %: a link stays coarse enough for a phone's camera.
  const code = qrcode(0, "M");
  code.addData(text, "Byte");
  code.make();
  const modules = code.getModuleCount();
  let path = "";
  for (let row = 0; row < modules; row++) {
    for (let column = 0; column < modules; column++) {
      if (code.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
    }
  }
  return { side: modules + 2 * QUIET, path };
}
