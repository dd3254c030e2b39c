// The ways that a game took and could have taken, kept while the screen is open. No state of the page.

/** A position, by the action that led to it. */
export type Node = {
  /** Empty for the start. */
  readonly action: string;
  readonly parent: Node | null;
  /** Actions up to here. */
  readonly depth: number;
  /** It is of the game itself, not of a way that was tried out. */
  readonly main: boolean;
  children: Node[];
  /** The way that was gone last. */
  next: Node | null;
};

const node = (action: string, parent: Node | null, main: boolean): Node => ({
  action,
  parent,
  depth: parent ? parent.depth + 1 : 0,
  main,
  children: [],
  next: null,
});

/** The start of a game, with all of its moves behind it. */
export function treeOf(actions: readonly string[]): Node {
  const root = node("", null, true);
  let last = root;
  for (const action of actions) {
    const child = node(action, last, true);
    last.children.push(child);
    last.next = child;
    last = child;
  }
  return root;
}

/** Goes on with an action: the way that was there already, or a new one. */
export function goOn(from: Node, action: string): Node {
  let child = from.children.find((known) => known.action === action);
  if (!child) {
    child = node(action, from, false);
    from.children.push(child);
  }
  from.next = child;
  return child;
}

/** From the start to here. */
export function pathTo(at: Node): Node[] {
  const path: Node[] = [];
  for (let step: Node | null = at; step; step = step.parent) path.unshift(step);
  return path;
}

export const actionsTo = (at: Node): string[] => pathTo(at).slice(1).map((step) => step.action);

/** The whole way through here: back to the start, and on by the way that was gone last. */
export function wayThrough(at: Node): Node[] {
  const way = pathTo(at);
  for (let step = at.next; step; step = step.next) way.push(step);
  return way;
}

/** Where a way that was tried out left the game; the node itself where it is of the game. */
export function parting(at: Node): Node {
  let step = at;
  while (!step.main && step.parent) step = step.parent;
  return step;
}

/** Makes this the way that is gone from every position before it. */
export function choose(at: Node) {
  for (let step = at; step.parent; step = step.parent) step.parent.next = step;
}
