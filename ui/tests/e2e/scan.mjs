// The code that one device shows is scanned by another, whose camera sees nothing else, and leads to a table that is on no
// list; a camera that is refused, and what is no invite, are told.
//   node scan.mjs "COMMAND OF THE FIRST DEVICE" "COMMAND OF THE SECOND" DATA ARTEFACTS
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import encodeQR from "qr";
import { browserOf, serve } from "./devices.mjs";
import { withPage } from "./page.mjs";

const [first, second, data, artefacts] = process.argv.slice(2);

const [WIDTH, HEIGHT] = [640, 480];
const [DARK, LIGHT, GREY] = [16, 235, 128];

/** What a camera would see of a code, as the one picture of a film (YUV4MPEG2). */
function film(name, side, isDark) {
  const size = Math.floor((HEIGHT - 40) / side);
  const [left, top] = [Math.floor((WIDTH - side * size) / 2), Math.floor((HEIGHT - side * size) / 2)];
  const luma = Buffer.alloc(WIDTH * HEIGHT, LIGHT);
  for (let y = 0; y < side * size; y++) {
    for (let x = 0; x < side * size; x++) {
      if (isDark(Math.floor(x / size), Math.floor(y / size))) luma[(top + y) * WIDTH + left + x] = DARK;
    }
  }
  const path = join(data, `${name}.y4m`);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n`);
  writeFileSync(path, Buffer.concat([header, luma, Buffer.alloc((WIDTH * HEIGHT) / 2, GREY)]));
  return ["--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${path}`];
}

/** The code as it is drawn on a page. */
async function shown(page, name) {
  const picture = page.locator('[data-testid="invite"] svg.qr');
  const side = Number((await picture.getAttribute("viewBox")).split(" ")[2]);
  const drawn = await picture.locator("path").getAttribute("d");
  const dark = new Set([...drawn.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => `${x} ${y}`));
  return film(name, side, (x, y) => dark.has(`${x} ${y}`));
}

/** A phone with a camera, on a device of its own: a page lets in one browser. */
async function withCamera(name, camera, script) {
  const device = await serve(second, data, name);
  const chromium = browserOf(second, data, name);
  const phone = { url: device.url, width: 360, height: 640, touch: true, artefacts, chromium, name: `browser-scan-${name}` };
  try {
    await withPage({ ...phone, ...camera }, async (page, look) => {
      await introduce(page, name);
      await page.getByTestId("scan-invite").click();
      await script(page, look);
    });
  } finally {
    await device.kill();
  }
}

async function introduce(page, name) {
  await page.getByTestId("name-input").fill(name);
  await page.getByTestId("name-save").click();
  await page.getByTestId("name-save").waitFor({ state: "hidden" });
}

const anna = await serve(first, data, "Anna");
try {
  const laptop = { url: anna.url, width: 1280, height: 800, artefacts, chromium: browserOf(first, data, "Anna") };
  await withPage({ ...laptop, name: "browser-scan-Anna" }, async (page) => {
    await introduce(page, "Anna");
    await page.getByTestId("new-game").click();
    await page.getByTestId("hidden").click();
    await page.getByTestId("open-table").click();
    await page.getByTestId("invite").waitFor();

    const denied = { flags: ["--use-fake-device-for-media-stream", "--deny-permission-prompts"] };
    await withCamera("Denied", denied, async (page, look) => {
      await page.getByTestId("scan-refused").waitFor();
      await look("refused");
      await page.keyboard.press("Escape");
      await page.getByTestId("scan").waitFor({ state: "detached" });
      // Nothing has been found for a while: what to check stands there, beside the ways that need no list.
      await page.getByText("Are both on the same Wi-Fi?").waitFor();
      await page.getByTestId("by-invite").waitFor();
    });

    const code = encodeQR("https://example.org/", "raw", { border: 4 });
    const other = { flags: film("other", code.length, (x, y) => code[y][x]), permissions: ["camera"] };
    await withCamera("Other", other, async (page, look) => {
      await page.locator("#invite-field[aria-invalid=true]").waitFor();
      await look("no-invite");
    });

    const own = { flags: await shown(page, "own"), permissions: ["camera"] };
    await withCamera("Ben", own, async (page, look) => {
      await page.getByTestId("invite").waitFor();
      await look("there");
      await page.getByText("Anna").first().waitFor();
    });
    await page.getByText("Ben").first().waitFor();
  });
} finally {
  await anna.kill();
}
