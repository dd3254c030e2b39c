// Where things are on a board: points as text (`H8`), columns and rows from 0 at the lower left, and drawing units.

export type Colour = "black" | "white" | "blue" | "red";
export const COLOURS: readonly Colour[] = ["black", "white", "blue", "red"];

/** Drawing units: distance of two lines, radius of a stone, wood outside the grid. */
export const CELL = 40;
export const RADIUS = 18.4;
const MARGIN = 26;
const MARGIN_COORDINATES = 40;

const LETTERS = "ABCDEFGHIJKLMNOPQRS";

export type Place = { column: number; row: number };

export function place(point: string): Place {
  return { column: LETTERS.indexOf(point.charAt(0)), row: Number(point.slice(1)) - 1 };
}

export function pointAt({ column, row }: Place): string {
  return `${LETTERS.charAt(column)}${row + 1}`;
}

export const letters = (size: number): string[] => [...LETTERS.slice(0, size)];

/** All points, from the upper left, row by row. */
export const points = (size: number): string[] =>
  Array.from({ length: size * size }, (_, i) => pointAt({ column: i % size, row: size - 1 - Math.floor(i / size) }));

/** A point typed by hand, such as `h8`; `null` if the board has no such point. */
export function typedPoint(typed: string, size: number): string | null {
  const match = /^([a-s])([1-9]\d?)$/i.exec(typed);
  if (!match) return null;
  const point = match[1]!.toUpperCase() + match[2]!;
  const { column, row } = place(point);
  return column >= 0 && column < size && row < size ? point : null;
}

/** The points that boards of this size mark with a dot. */
export function stars(size: number): string[] {
  const near = size === 9 ? 2 : 3;
  const far = size - 1 - near;
  const middle = (size - 1) / 2;
  const ends = [near, far].flatMap((column) => [near, far].map((row) => pointAt({ column, row })));
  const sides = [near, far].flatMap((at) => [
    pointAt({ column: at, row: middle }),
    pointAt({ column: middle, row: at }),
  ]);
  return [...ends, pointAt({ column: middle, row: middle }), ...(size === 19 ? sides : [])];
}

/** Positions of a board's points in drawing units and in percent of its box. */
export class Layout {
  readonly size: number;
  readonly coordinates: boolean;
  readonly margin: number;
  /** Side of the whole board. */
  readonly side: number;
  /** The last line's position. */
  readonly far: number;

  constructor(size: number, coordinates: boolean) {
    this.size = size;
    this.coordinates = coordinates;
    this.margin = coordinates ? MARGIN_COORDINATES : MARGIN;
    this.far = this.margin + (size - 1) * CELL;
    this.side = this.far + MARGIN;
  }

  x(point: string): number {
    return this.margin + place(point).column * CELL;
  }

  y(point: string): number {
    return this.margin + (this.size - 1 - place(point).row) * CELL;
  }

  percentX(point: string): number {
    return (this.x(point) / this.side) * 100;
  }

  percentY(point: string): number {
    return (this.y(point) / this.side) * 100;
  }

  /** The point nearest to a place given as fractions of the board's box; `null` off the grid. */
  pointNear(fractionX: number, fractionY: number): string | null {
    const column = Math.round((fractionX * this.side - this.margin) / CELL);
    const fromTop = Math.round((fractionY * this.side - this.margin) / CELL);
    const row = this.size - 1 - fromTop;
    if (column < 0 || row < 0 || column >= this.size || row >= this.size) return null;
    return pointAt({ column, row });
  }

  /** The view box that shows the points from the upper left to the lower right one, with a stone's room around. */
  crop(upperLeft: string, lowerRight: string): string {
    const x = this.x(upperLeft) - MARGIN;
    const y = this.y(upperLeft) - MARGIN;
    return `${x} ${y} ${this.x(lowerRight) + MARGIN - x} ${this.y(lowerRight) + MARGIN - y}`;
  }
}

/** The smallest crop around the stones that is `columns` by `rows` points at least; the whole board if it is that small. */
export function cropAround(points: readonly string[], size: number, columns: number, rows: number): [string, string] {
  const places = points.length > 0 ? points.map(place) : [{ column: (size - 1) / 2, row: (size - 1) / 2 }];
  const span = (values: number[], least: number): [number, number] => {
    let low = Math.max(0, Math.min(...values) - 1);
    let high = Math.min(size - 1, Math.max(...values) + 1);
    while (high - low + 1 < Math.min(least, size)) {
      if (low > 0) low--;
      if (high - low + 1 < least && high < size - 1) high++;
    }
    return [low, high];
  };
  const [left, right] = span(places.map((p) => p.column), columns);
  const [bottom, top] = span(places.map((p) => p.row), rows);
  return [pointAt({ column: left, row: top }), pointAt({ column: right, row: bottom })];
}

/** The lower left and the upper right corner of the smallest rectangle around some points. */
export function bounds(points: readonly string[]): [string, string] {
  const places = points.map(place);
  const [columns, rows] = [places.map((p) => p.column), places.map((p) => p.row)];
  const corner = (pick: (...values: number[]) => number) => pointAt({ column: pick(...columns), row: pick(...rows) });
  return [corner(Math.min), corner(Math.max)];
}

/** Where a capsule around a group lies: its first point, its angle in degrees, and its length in drawing units. */
export function capsule(points: readonly string[], layout: Layout): { x: number; y: number; angle: number; length: number } {
  const ordered = [...points].sort((a, b) => layout.x(a) - layout.x(b) || layout.y(a) - layout.y(b));
  const first = ordered[0]!;
  const last = ordered.at(-1)!;
  const dx = layout.x(last) - layout.x(first);
  const dy = layout.y(last) - layout.y(first);
  return {
    x: layout.x(first),
    y: layout.y(first),
    angle: (Math.atan2(dy, dx) * 180) / Math.PI,
    length: Math.hypot(dx, dy),
  };
}

/** Points as they lie together: one stretch if they follow each other on one line, else each alone. */
export function stretches(points: readonly string[]): string[][] {
  if (points.length < 2) return points.map((point) => [point]);
  const places = points.map(place).sort((a, b) => a.column - b.column || a.row - b.row);
  const [first, second] = [places[0]!, places[1]!];
  const [dx, dy] = [second.column - first.column, second.row - first.row];
  const inLine =
    Math.max(Math.abs(dx), Math.abs(dy)) === 1 &&
    places.every((p, i) => p.column === first.column + i * dx && p.row === first.row + i * dy);
  return inLine ? [places.map(pointAt)] : points.map((point) => [point]);
}

/** The four lines through a point. */
export type Axis = "row" | "column" | "rising" | "falling";
export const AXES: readonly Axis[] = ["row", "column", "rising", "falling"];

/** All points of a line through a point, from its left or, of a column, its lower end. */
export function linePoints(point: string, axis: Axis, size: number): string[] {
  const [dx, dy] = { row: [1, 0], column: [0, 1], rising: [1, 1], falling: [1, -1] }[axis] as [number, number];
  const inside = ({ column, row }: Place) => column >= 0 && row >= 0 && column < size && row < size;
  const step = ({ column, row }: Place, by: number): Place => ({ column: column + by * dx, row: row + by * dy });
  let at = place(point);
  while (inside(step(at, -1))) at = step(at, -1);
  const points: string[] = [];
  for (; inside(at); at = step(at, 1)) points.push(pointAt(at));
  return points;
}
