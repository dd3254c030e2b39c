// What a person could not read or hit, measured in the page.

/**
 * Run in the page: says what is wrong, one line a fault.
 * `fits`: a table has to be seen whole, without scrolling. `shortens`: names are too long to be seen whole.
 */
export function faults({ fits, shortens }) {
  const found = new Set();
  const TARGET = 44;
  const CONTROLS = "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=switch], [role=radio], [role=tab]";
  const sheet = [...document.querySelectorAll("dialog[open]")].at(-1);
  const root = sheet ?? document.body;
  const place = (element) => element.dataset.testid ?? (element.className || element.localName);
  const name = (element) =>
    `${place(element)} "${(element.ariaLabel ?? element.textContent).trim().replace(/\s+/g, " ").slice(0, 32)}"`;
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".off-screen, [inert]") && style(element).clipPath !== "inset(50%)";
  const style = (element) => getComputedStyle(element);
  /** Whatever lies in a row that scrolls by itself may go beyond the screen there. */
  const scrolls = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) if (/auto|scroll/.test(style(at).overflowX) && at !== sheet) return true;
    return false;
  };
  const pinned = (element) => {
    for (let at = element; at && at !== sheet; at = at.parentElement) if (/fixed|sticky/.test(style(at).position)) return at;
    return null;
  };
  /** An element's own words, line by line, whatever the box that they are in. */
  const words = (element) =>
    [...element.childNodes].flatMap((node) => {
      if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === "") return [];
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
    });
  /** What is seen of a box within what scrolls around it. */
  const within = (box, element) => {
    let { left, right, top, bottom } = box;
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = style(at);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const around = at.getBoundingClientRect();
      [left, right] = [Math.max(left, around.left), Math.min(right, around.right)];
      [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
    }
    return { left, right, top, bottom };
  };

  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;

  for (const element of root.querySelectorAll("*")) {
    // Of a line in parts, those that have no room stay away, whole.
    if (element.closest("svg, .parts") || !seen(element)) continue;
    for (const box of words(element)) {
      let clipped = false;
      for (let at = element; at && at !== root.parentElement; at = at.parentElement) {
        const around = at.getBoundingClientRect();
        const { overflowX, overflowY, display } = style(at);
        if (display === "inline" || display === "contents") continue;
        // What goes beyond it can be scrolled to.
        clipped = /auto|scroll/.test(overflowX + overflowY);
        if (clipped) break;
        const hides = (overflow) => overflow === "hidden" || overflow === "clip";
        const beyondX = box.right > around.right + 1.5 || box.left < around.left - 1.5;
        const beyondY = box.bottom > around.bottom + 3 || box.top < around.top - 3;
        clipped = (hides(overflowX) && beyondX) || (hides(overflowY) && beyondY);
        if (clipped && !(shortens && style(at).textOverflow === "ellipsis")) found.add(`cut: ${name(element)} in ${place(at)}`);
        if (clipped) break;
        // Words that come out of the control, card or bar that they are on.
        const drawn = at.matches("button, a, .slip, .foot, .seat, .top-bar, .chip, .tag") || at.matches("[class*=card]");
        if (drawn && (beyondX || beyondY)) found.add(`spills: ${name(element)} out of ${place(at)}`);
      }
      if (!clipped && (box.right > innerWidth + 1 || box.left < -1)) found.add(`outside: ${name(element)}`);
    }
  }

  const boxes = [];
  for (const element of root.querySelectorAll(CONTROLS)) {
    if (!seen(element) || element.closest("svg") || element.disabled) continue;
    // A box to tick is as large as its label; a link within a sentence as large as its words.
    const target = element.closest("label") ?? element;
    if (element.matches("a") && style(element).display === "inline") continue;
    const box = target.getBoundingClientRect();
    if (box.width === 0) continue;
    if (Math.round(box.height) < TARGET || Math.round(box.width) < TARGET) found.add(`small (${Math.round(box.width)}×${Math.round(box.height)}): ${name(element)}`);
    if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(target)) found.add(`outside: ${name(element)}`);
    if (!boxes.some((other) => other.target === target)) boxes.push({ target, box: within(box, target), over: pinned(target) });
  }
  boxes.forEach(({ target, box, over }, number) => {
    for (const other of boxes.slice(number + 1)) {
      if (over !== other.over || target.contains(other.target) || other.target.contains(target)) continue;
      // What lies on a row that is a target itself keeps off the row's words.
      const on = [target, other.target].find((each) => style(each).position === "absolute");
      const under = on === target ? other.target : target;
      const lines = on ? [under, ...under.querySelectorAll("*")].flatMap(words) : [];
      const parts = on ? lines.map((line) => [on.getBoundingClientRect(), line]) : [[box, other.box]];
      if (parts.some(([a, b]) => meet(a, b))) found.add(`overlap: ${name(target)} and ${name(other.target)}`);
    }
  });

  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.add(`wide by ${page.scrollWidth - innerWidth}`);
  if (sheet && sheet.scrollWidth > sheet.clientWidth + 1) found.add(`sheet wide by ${sheet.scrollWidth - sheet.clientWidth}`);
  // A board that is played or replayed is seen whole, and so are the buttons that go with it.
  const board = sheet ? null : document.querySelector(".field > .board, .replay > .board")?.getBoundingClientRect();
  for (const element of board ? document.querySelectorAll(".ask > *, .foot, .play > .seats, .replay > .slip") : []) {
    const box = element.getBoundingClientRect();
    const apart = box.width === 0 || box.bottom <= board.top + 1 || box.top >= board.bottom - 1 || box.left >= board.right || box.right <= board.left;
    if (!apart) found.add(`over the board: ${element.className}`);
    if (fits && box.bottom > innerHeight + 1) found.add(`below the fold: ${element.className}`);
  }
  if (fits && !sheet && document.querySelector(".play") && page.scrollHeight > innerHeight) found.add(`scrolls ${page.scrollHeight - innerHeight}`);
  return [...found];
}
