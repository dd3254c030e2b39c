// The small boards on the set-up cards, and what of a preset shows on its seats. Pictures, not rules.
import type { BoardView } from "../../bindings/BoardView";
import type { Colour } from "../../components/geometry";

type Picture = {
  black: string;
  white: string;
  blue?: string;
  red?: string;
  forbidden?: string;
  /** The colour of the first stone, if it is not black. */
  first?: Colour;
  /** The starter is drawn by lot. */
  byLot?: boolean;
};

const PICTURES: Record<string, Picture> = {
  "capture-five": { black: "C3 F6", white: "D4 E5" },
  pente: { white: "E5 D6 G3", black: "F5 D4 E6", first: "white" },
  "pente-swap2": { black: "D4 F5", white: "E6" },
  gomoku: { black: "C3 D4 E5 F6 G7", white: "D5 E6 F4" },
  wuziqi: { black: "E5 D5 E6", white: "F6 D4", forbidden: "E4", byLot: true },
  custom: { black: "D6", white: "F6", blue: "D4", red: "F4" },
};

/** The part of the board that a card shows: its upper left and lower right points. */
export const CARD_CROP: [string, string] = ["C7", "G3"];

export const pictureOf = (preset: string): Picture => PICTURES[preset] ?? { black: "", white: "" };

export function pictureBoard(picture: Picture): BoardView {
  const lists: [Colour, string | undefined][] = [
    ["black", picture.black],
    ["white", picture.white],
    ["blue", picture.blue],
    ["red", picture.red],
  ];
  const points = (list: string | undefined) => (list ? list.split(" ") : []);
  return {
    size: 9,
    coordinates: false,
    stones: lists.flatMap(([colour, list]) => points(list).map((at) => ({ at, colour, ply: 0 }))),
    last: null,
    ghost: null,
    forbidden: points(picture.forbidden).map((at) => ({ at, why: "", because: [] })),
    previews: [],
    stops: [],
    threats: [],
    lines: [],
    overtime: [],
    taken: [],
    taken_by: null,
  };
}
