// A board that is being put together. Whether it can be a position is for the core to say.
import type { BoardView } from "../../bindings/BoardView";
import type { PositionView } from "../../bindings/PositionView";
import type { SetUpBoard } from "../../bindings/SetUpBoard";
import type { Colour } from "../../components/geometry";

export type Tool = Colour | "erase";

/** What a position is as a board to change; one that has ended is taken with its stones alone. */
export function setupOf(view: PositionView): SetUpBoard {
  if (view.setup) return view.setup;
  const stones = view.board.stones.map(({ at, colour }) => ({ at, colour }));
  return { stones, turn: view.players[0]!.colour, captured: {}, ply: null, stage: null, swapped: false, overtime: false };
}

/** A stone of this colour; the same once more, or the eraser, takes it away. How often was placed is not known any more. */
export function put(board: SetUpBoard, at: string, tool: Tool): SetUpBoard {
  const before = board.stones.find((stone) => stone.at === at);
  const others = board.stones.filter((stone) => stone.at !== at);
  const stones = tool === "erase" || before?.colour === tool ? others : [...others, { at, colour: tool }];
  return { ...board, stones, ply: null, stage: null, swapped: false, overtime: false };
}

export const emptied = (board: SetUpBoard): SetUpBoard => ({
  ...board,
  stones: [],
  captured: {},
  ply: null,
  stage: null,
  swapped: false,
  overtime: false,
});

/** To be drawn. */
export function boardOf(draft: SetUpBoard, like: BoardView): BoardView {
  return {
    size: like.size,
    coordinates: true,
    stones: draft.stones.map((stone) => ({ ...stone, ply: 0 })),
    last: null,
    ghost: null,
    forbidden: [],
    previews: [],
    lines: [],
    overtime: [],
    stops: [],
    threats: [],
    taken: [],
    taken_by: null,
  };
}
