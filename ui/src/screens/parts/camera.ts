// A camera that looks for QR codes. Fetched when somebody scans: what reads them is larger than all of the home screen.
import { frameLoop, QRCanvas, rearCamera } from "qr/dom.js";

/**
 * Shows what the camera sees and tells of each code in it, until the signal ends that. Rejects with the engine's own error
 * where there is no picture.
 */
export async function scan(video: HTMLVideoElement, found: (text: string) => void, signal: AbortSignal): Promise<void> {
  const camera = await rearCamera(video);
  // Between pieces of work it lets the page draw: a frame takes longer than one picture on a slow phone.
  const reader = new QRCanvas({}, { async: true, cropToSquare: true });
  let reading = false;
  const stop = frameLoop(async () => {
    if (reading || signal.aborted) return;
    reading = true;
    // Most frames hold no code, and a camera that has just been opened no frame.
    const text = await camera.readFrame(reader).catch(() => undefined);
    reading = false;
    if (typeof text === "string" && !signal.aborted) found(text);
  }, video);
  const end = () => {
    stop();
    camera.stop();
    reader.clear();
  };
  // Closed while the person was still being asked for the camera.
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
}
