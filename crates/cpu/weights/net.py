#!/usr/bin/env python3
"""Fits the small net of crates/cpu/src/net.rs on games against itself, and writes its weights.

    python3 crates/cpu/weights/net.py games.txt [more.txt ...] --out crates/cpu/weights/lines.net

The games come from `cargo run --release -p cpu --example positions -- gomoku 12000 2 1500 games`. For each empty point
with a stone within four cells on an axis, the windows of its four axes give `WIDTH` numbers each, which are added up,
cut off below 0 and above MOST, and added up over the board, once in the view of either side; a layer of `HIDDEN` numbers
makes the worth of these sums, together with what the points are worth by their shapes (`threat.rs`). The target mixes
the game's result and the search's score. Needs numpy and scipy; the same games and seed give the same weights.
"""

import argparse
import pathlib
import re

import numpy as np
from scipy.sparse import csr_matrix

# The board, and as many cells beyond its edge as a window has on either side.
SIDE, REACH = 15, 5
WIDE = SIDE + 2 * REACH
# The cells that the net looks at on either side of a point.
SEEN = 4
# Steps on the axes, in cells of the wide board.
AXES = [1, WIDE, WIDE + 1, 1 - WIDE]
EMPTY, MINE, YOURS, EDGE = range(4)
SWAPPED = np.array([EMPTY, YOURS, MINE, EDGE], np.uint8)
# A score of so much stands for odds of e to 1; from WON on a win is forced.
SCALE, WON = 200.0, 29_000
WIDTH, HIDDEN = 16, 16
# As in net.rs.
ONE, MOST, SUM_SCALE = 128, 4.0, 1 / 16
# How much of the games is kept back to measure the fit on: those at the end.
HELD_BACK = 0.15
# Shapes by their number in shape.rs.
(NONE, ONE_CLOSED, ONE_OPEN, TWO_CLOSED, TWO_NARROW, TWO, THREE_CLOSED, THREE_NARROW, THREE, FOUR, FOUR_OPEN,
 FOUR_TWICE, FIVE) = range(13)


def cell_of(spot):
    return (spot // SIDE + REACH) * WIDE + spot % SIDE + REACH


def positions(files):
    """The quiet positions of all games: boards in the view of the side to move, scores, twice the result, games."""
    boards, scores, results, games = [], [], [], []
    empty = np.full((WIDE, WIDE), EDGE, np.uint8)
    empty[REACH:-REACH, REACH:-REACH] = EMPTY
    lines = [line for file in files for line in open(file)]
    for game, line in enumerate(lines):
        numbers = list(map(int, line.split()))
        # A line that is being written still is left out.
        if len(numbers) < 3 or len(numbers) != 3 * numbers[2] - 2 * numbers[1] + 3:
            continue
        result, opening = numbers[0], numbers[1]
        board = empty.ravel().copy()
        for ply, spot in enumerate(numbers[3:3 + opening]):
            board[cell_of(spot)] = MINE + ply % 2
        for ply, (spot, score, quiet) in enumerate(zip(*[iter(numbers[3 + opening:])] * 3), opening):
            if quiet and abs(score) < WON:
                boards.append(SWAPPED[board] if ply % 2 else board.copy())
                scores.append(score)
                results.append(2 - result if ply % 2 else result)
                games.append(game)
            board[cell_of(spot)] = MINE + ply % 2
    return np.array(boards), np.array(scores), np.array(results), np.array(games)


def windows(boards):
    """The empty points near stones: their positions, and the windows on the four axes, two bits a cell."""
    wide = boards.reshape(len(boards), WIDE, WIDE)
    stones = (wide == MINE) | (wide == YOURS)
    near = np.zeros_like(stones)
    inner = slice(REACH, WIDE - REACH)
    for step in [step for step in range(-SEEN, SEEN + 1) if step]:
        for up, across in ((0, step), (step, 0), (step, step), (step, -step)):
            near[:, inner, inner] |= stones[:, REACH + up:WIDE - REACH + up, REACH + across:WIDE - REACH + across]
    at = np.nonzero((near & (wide == EMPTY)).ravel())[0].astype(np.int64)
    codes = np.zeros((len(at), 4), np.int32)
    flat = boards.ravel()
    for axis, step in enumerate(AXES):
        for number, steps in enumerate([steps for steps in range(-REACH, REACH + 1) if steps]):
            codes[:, axis] |= flat[at + step * steps].astype(np.int32) << (2 * number)
    return (at // WIDE**2).astype(np.int32), codes


def own_run(own):
    run = 1 << REACH
    while True:
        wider = (run | run << 1 | run >> 1) & own
        if wider == run:
            return run
        run = wider


def view_shapes():
    """What a stone makes in each view of a window: ten neighbours in base three, empty, own, blocked (shape.rs)."""
    shapes = np.zeros(3**10, np.int8)
    # Views with more own stones come first.
    order = sorted(range(3**10), key=lambda view: -sum(view // 3**digit % 3 == 1 for digit in range(10)))
    for view in order:
        cells = [cell for cell in range(11) if cell != REACH]
        states = {cell: view // 3**digit % 3 for digit, cell in enumerate(cells)}
        own = 1 << REACH | sum(1 << cell for cell in cells if states[cell] == 1)
        empties = [(digit, cell) for digit, cell in enumerate(cells) if states[cell] == 0]
        run = own_run(own)
        if run.bit_count() >= 5:
            shapes[view] = FIVE
            continue
        completed = [cell for _, cell in empties if (longer := own_run(own | 1 << cell)) >> cell & 1
                     and longer.bit_count() >= 5]
        if completed:
            ends = (run << 1 | run >> 1) & ~run
            straight = sum(1 << cell for cell in completed) == ends and run.bit_count() == 4
            shapes[view] = FOUR if len(completed) == 1 else FOUR_OPEN if straight else FOUR_TWICE
            continue
        count = np.bincount([shapes[view + 3**digit] for digit, _ in empties], minlength=13)
        threes, twos = count[THREE] + count[THREE_NARROW], count[TWO] + count[TWO_NARROW]
        shapes[view] = (
            THREE if count[FOUR_OPEN] >= 2 else THREE_NARROW if count[FOUR_OPEN] + count[FOUR_TWICE] else
            THREE_CLOSED if count[FOUR] else TWO if threes >= 3 else TWO_NARROW if threes else
            TWO_CLOSED if count[THREE_CLOSED] else ONE_OPEN if twos >= 3 else
            ONE_CLOSED if twos + count[TWO_CLOSED] else NONE)
    return shapes


def window_shapes():
    """What a stone of the side to move, and one of the other, makes in each window."""
    shapes, window = view_shapes(), np.arange(1 << 20)
    mine, yours = np.zeros(1 << 20, np.int64), np.zeros(1 << 20, np.int64)
    for number in range(10):
        cell = window >> (2 * number) & 3
        mine += np.array([0, 1, 2, 2])[cell] * 3**number
        yours += np.array([0, 2, 1, 2])[cell] * 3**number
    return shapes[mine], shapes[yours]


def threats():
    """The threat of each combination of four shapes, four bits each (threat.rs)."""
    shapes = np.stack([np.arange(1 << 16) >> (4 * axis) & 15 for axis in range(4)])
    count = lambda *which: np.isin(shapes, which).sum(0)
    fours = count(FOUR, FOUR_OPEN, FOUR_TWICE) + count(FOUR_TWICE)
    threes, others = count(THREE, THREE_NARROW), count(TWO, TWO_NARROW, THREE_CLOSED)
    return np.select(
        [count(FIVE) > 0, count(FOUR_OPEN) > 0, fours > 1, (fours == 1) & (threes > 0), threes > 1,
         (fours == 1) & (others > 0), fours == 1, (threes == 1) & (others > 0), threes == 1, others > 1, others == 1],
        [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])


def by_shapes(count, at, codes):
    """What the points of each position are worth by their shapes, with the weights of threat.rs."""
    text = (pathlib.Path(__file__).parent.parent / "src" / "threat.rs").read_text()
    lists = re.findall(r"(?:shapes|threats): \[([-\d,\s]+)\]", text[text.index("const LINES: Standing"):])[:4]
    lists = [np.array([int(number) for number in re.findall(r"-?\d+", values)] + [0] * 4) for values in lists]
    combination, threat = np.arange(1 << 16), threats()
    worth = np.zeros(len(at))
    for shapes, of_shape, of_threat, sign in zip(window_shapes(), lists[::2], lists[1::2], (1, -1)):
        of_all = sum(of_shape[combination >> (4 * axis) & 15] for axis in range(4)) + of_threat[threat]
        all_axes = sum(shapes[codes[:, axis]].astype(np.int64) << (4 * axis) for axis in range(4))
        worth += sign * of_all[all_axes]
    return (np.bincount(at, worth, count) / SCALE).astype(np.float32)


def canonical(half):
    """Half a window from the middle outwards; beyond the first stone of the second colour all is as beyond the edge."""
    colour, blocked, cells = EMPTY, False, 0
    for number in range(SEEN):
        code = half >> (2 * number) & 3
        blocked |= code == EDGE or EMPTY != code != colour != EMPTY
        colour = code if code and not blocked else colour
        cells |= (EDGE if blocked else code) << (2 * number)
    return cells


def swapped(half):
    return sum(int(SWAPPED[half >> (2 * number) & 3]) << (2 * number) for number in range(SEEN))


def pair(one, other):
    low, high = np.minimum(one, other), np.maximum(one, other)
    return high * (high + 1) // 2 + low


def classes():
    """The class of each window, how many there are, and each class in the view of the other side."""
    known, rank = np.unique([canonical(half) for half in range(1 << (2 * SEEN))], return_inverse=True)
    cells = np.arange(1 << 10)
    outwards = sum((cells >> (2 * number) & 3) << (2 * (REACH - 1 - number)) for number in range(REACH))
    half = rank[cells & ((1 << (2 * SEEN)) - 1)]
    window = np.arange(1 << 20)
    of_window = pair(half[outwards[window & 1023]], half[window >> 10])
    of_other = rank[[canonical(swapped(half)) for half in known]]
    count = len(known) * (len(known) + 1) // 2
    swaps = np.zeros(count, np.int64)
    for one in range(len(known)):
        for other in range(one + 1):
            swaps[pair(one, other)] = pair(of_other[one], of_other[other])
    return of_window.astype(np.int32), count, swaps.astype(np.int32)


def loss(worth, wanted):
    return float((np.logaddexp(0, worth) - wanted * worth).mean())


class Net:
    """The weights, and the positions that they are fitted on."""

    def __init__(self, random, at, codes, shapes, wanted):
        of_window, self.count, self.swaps = classes()
        self.windows, self.shapes, self.wanted = of_window[codes], shapes, wanted
        self.starts = np.searchsorted(at, np.arange(len(wanted) + 1))
        normal = lambda spread, *size: random.normal(0, spread, size).astype(np.float32)
        self.weights = {
            "windows": normal(0.15, self.count, WIDTH), "base": np.full(WIDTH, 0.1, np.float32),
            "first": normal((2 * WIDTH)**-0.5, 2 * WIDTH, HIDDEN), "first_base": np.zeros(HIDDEN, np.float32),
            "second": normal(0.1, HIDDEN), "second_base": np.zeros(1, np.float32),
            "straight": np.zeros(2 * WIDTH, np.float32), "shapes": np.array([0.8], np.float32),
        }

    def points(self, rows):
        """The points of these positions as sparse matrices: by class in either view, and by position."""
        counts = self.starts[rows + 1] - self.starts[rows]
        ends = np.concatenate([[0], np.cumsum(counts)])
        total = int(ends[-1])
        windows = self.windows[np.repeat(self.starts[rows] - ends[:-1], counts) + np.arange(total)]
        four, ones = np.arange(0, 4 * total + 1, 4), np.ones(4 * total, np.float32)
        views = [csr_matrix((ones, seen.ravel(), four), (total, self.count)) for seen in (windows, self.swaps[windows])]
        return views, csr_matrix((ones[:total], np.arange(total), ends), (len(rows), total))

    def worth(self, rows, slope=False):
        """What these positions are worth; with `slope` also the slope of the loss by each weight."""
        of = self.weights
        views, places = self.points(rows)
        numbers = [view @ of["windows"] + of["base"] for view in views]
        sums = np.concatenate([places @ np.clip(one, 0, MOST) for one in numbers], 1) * np.float32(SUM_SCALE)
        hidden = sums @ of["first"] + of["first_base"]
        worth = np.maximum(hidden, 0) @ of["second"] + of["second_base"] + sums @ of["straight"] \
            + of["shapes"] * self.shapes[rows]
        if not slope:
            return worth
        off = ((1 / (1 + np.exp(-worth)) - self.wanted[rows]) / len(rows)).astype(np.float32)
        by_hidden = np.outer(off, of["second"]) * (hidden > 0)
        by_sums = (by_hidden @ of["first"].T + np.outer(off, of["straight"])) * np.float32(SUM_SCALE)
        slopes = {
            "windows": 0, "base": 0, "first": sums.T @ by_hidden, "first_base": by_hidden.sum(0),
            "second": np.maximum(hidden, 0).T @ off, "second_base": off.sum(keepdims=True), "straight": sums.T @ off,
            "shapes": np.array([off @ self.shapes[rows]]),
        }
        for view, one, part in zip(views, numbers, np.split(by_sums, 2, 1)):
            by_number = (places.T @ part) * ((one > 0) & (one < MOST))
            slopes["windows"] = slopes["windows"] + view.T @ by_number
            slopes["base"] = slopes["base"] + by_number.sum(0)
        return worth, slopes

    def fit(self, random, rows, held, rounds, rate, batch):
        """Adam, with a rate that falls as half a wave of a cosine."""
        mean = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        square = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        steps = len(rows) // batch
        for number in range(steps * rounds):
            if number % steps == 0:
                order = random.permutation(rows)
            part = np.sort(order[number % steps * batch:][:batch])
            _, slopes = self.worth(part, slope=True)
            step = number + 1
            now = rate * min(1, step / 200) * max(0.02, 0.5 + 0.5 * np.cos(np.pi * step / (steps * rounds)))
            for name, slope in slopes.items():
                mean[name] = 0.9 * mean[name] + 0.1 * slope
                square[name] = 0.999 * square[name] + 0.001 * slope**2
                by = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                self.weights[name] = (self.weights[name] - now * by).astype(np.float32)
            if number % steps == steps - 1:
                print(f"round {step // steps}: loss {self.loss(held):.4f} on positions held back", flush=True)

    def loss(self, rows):
        worth = np.concatenate([self.worth(rows[first:first + 1024]) for first in range(0, len(rows), 1024)])
        return loss(worth, self.wanted[rows])

    def write(self, file):
        with open(file, "wb") as out:
            for name in ("windows", "base"):
                out.write(np.round(self.weights[name] * ONE).astype("<i2").tobytes())
            for name in ("first", "first_base", "second", "second_base", "straight", "shapes"):
                out.write(self.weights[name].astype("<f4").tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--out", required=True, help="where the weights go")
    parser.add_argument("--result", type=float, default=0.6, metavar="PART", help="the result's part of the target (0.6)")
    parser.add_argument("--rounds", type=int, default=4, help="times that each position is looked at (4)")
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning (0.002)")
    parser.add_argument("--batch", type=int, default=256, help="positions in one step (256)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    random = np.random.default_rng(asked.seed)
    boards, scores, results, games = positions(asked.files)
    at, codes = windows(boards)
    shapes = by_shapes(len(boards), at, codes)
    wanted = (asked.result * results / 2 + (1 - asked.result) / (1 + np.exp(-scores / SCALE))).astype(np.float32)
    held = np.nonzero(games >= games.max() * (1 - HELD_BACK))[0]
    net = Net(random, at, codes, shapes, wanted)
    print(f"{len(boards)} positions of {games.max() + 1} games; loss on {len(held)} held back: "
          f"{loss(shapes[held], wanted[held]):.4f} by shapes, {loss(scores[held] / SCALE, wanted[held]):.4f} by the search")
    net.fit(random, np.arange(held[0]), held, asked.rounds, asked.rate, asked.batch)
    net.write(asked.out)


if __name__ == "__main__":
    main()
