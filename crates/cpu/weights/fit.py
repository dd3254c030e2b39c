#!/usr/bin/env python3
"""Fits the weights of crates/cpu/src/threat.rs on positions of games against itself, and prints them as Rust.

    python3 crates/cpu/weights/fit.py positions.tsv [more.tsv ...]

The rows come from `cargo run --release -p cpu --example positions`. A position's sum of weights, in units of 1/200 of the
logarithm of the odds, is fitted to a mix of the game's result and the search's score. Needs numpy and scipy.
"""

import argparse
import pathlib
import re
import sys

import numpy as np
from scipy.optimize import minimize

# A score of so much stands for odds of e to 1; from WON on a win is forced.
SCALE, WON = 200.0, 29_000
# A score beyond this is as good as won.
SCORE_MOST = 3_000
# The goal of captures that the square of the stones taken is a part of.
GOAL = 10.0
# How much of the games is kept back to measure the fit on: those at the end.
HELD_BACK = 0.15
# What quiet positions cannot tell, and the search sees anyway.
SHAPES_KNOWN = {"mine": {"FourOpen": 100, "FourTwice": 100, "Five": 300}, "theirs": {}}
THREATS_KNOWN = {"mine": {"FourTwice": 300, "FourOpen": 300}, "theirs": {}}
THREATS_KNOWN_CAPTURES = {"mine": {"FourTwice": 200, "FourOpen": 200}, "theirs": {}}
# Worth nothing by definition, or never on a quiet board.
NEVER = {"shape.None", "threat.None", "shape.Five", "shape.TooLong", "threat.Five"}
SIDES = {"mine": "to_move", "theirs": "waiting"}


def read(files):
    """The rows of all files, a column for each name."""
    names, parts = None, []
    for file in files:
        with open(file) as rows:
            header = rows.readline().rstrip("\n").split("\t")
            if names not in (None, header):
                sys.exit(f"{file} has other columns than the files before it")
            names = header
            parts.append(np.loadtxt(rows, dtype=np.int32, delimiter="\t", ndmin=2))
    return names, {name: column for name, column in zip(names, np.concatenate(parts).T.astype(np.float64))}


def targets(columns, part):
    """What each position is fitted to, from 0 to 1: so great a part of the result, the rest by the score."""
    score, result = columns["score"], columns["result"] / 2
    by_score = 1 / (1 + np.exp(-np.clip(score, -SCORE_MOST, SCORE_MOST) / SCALE))
    won = np.abs(score) >= WON
    return np.where(won, score > 0, part * result + (1 - part) * by_score)


def features(names, columns):
    """Each feature's values, those of the other side negative, by name."""
    found = {}
    for whose, sign in (("mine", 1), ("theirs", -1)):
        counts = [name for name in names if name.startswith((f"{whose}.shape.", f"{whose}.threat."))]
        for name in counts:
            if name.split(".", 1)[1] not in NEVER:
                found[name] = sign * columns[name]
        found[f"{whose}.takeable"] = sign * columns[f"{whose}.takeable"]
    mine, theirs = columns["mine.taken"], columns["theirs.taken"]
    found["taken"] = mine - theirs
    found["taken_square"] = (mine**2 - theirs**2) / GOAL
    return {name: values for name, values in found.items() if values.any()}


def loss(worth, wanted):
    """The mean logarithmic loss of positions worth so much."""
    chance = np.clip(1 / (1 + np.exp(-worth / SCALE)), 1e-7, 1 - 1e-7)
    return -(wanted * np.log(chance) + (1 - wanted) * np.log(1 - chance)).mean()


def fit(found, wanted, pull):
    """The weights with the least loss; `pull` holds them to 0, each by what it adds to a usual position."""
    names = list(found)
    values = np.stack([found[name] for name in names], 1)
    usual = np.abs(values).mean(0) + 1e-3
    scaled = (values / usual).astype(np.float32)
    wanted = wanted.astype(np.float32)

    def loss_and_slope(weights):
        chance = np.clip(1 / (1 + np.exp(-scaled @ weights.astype(np.float32))), 1e-7, 1 - 1e-7)
        value = -(wanted * np.log(chance) + (1 - wanted) * np.log(1 - chance)).mean() + pull * (weights**2).sum()
        slope = (scaled.T @ (chance - wanted) / len(wanted)).astype(np.float64) + 2 * pull * weights
        return float(value), slope

    best = minimize(loss_and_slope, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return dict(zip(names, best.x / usual * SCALE))


def tables(names, weights, captures):
    """The weights as Rust."""
    threats_known = THREATS_KNOWN_CAPTURES if captures else THREATS_KNOWN
    lines = [f"const {'CAPTURES' if captures else 'LINES'}: Standing = Standing {{"]
    for whose, field in SIDES.items():
        lines.append(f"    {field}: Weights {{")
        for kind, known in (("shape", SHAPES_KNOWN), ("threat", threats_known)):
            prefix = f"{whose}.{kind}."
            values = [
                known[whose].get(name.removeprefix(prefix), round(weights.get(name, 0)))
                for name in names if name.startswith(prefix)
            ]
            lines.append(f"        {kind}s: [{', '.join(map(str, values))}],")
        lines.append("    },")
    lines.append("};")
    if captures:
        told = {name: round(weights.get(name, 0)) for name in ("taken", "taken_square", "mine.takeable", "theirs.takeable")}
        lines.append("// Of `Tuning`:")
        lines += [f"taken: {told['taken']},", f"taken_square: {told['taken_square']},",
                  f"takeable_to_move: {told['mine.takeable']},", f"takeable: {told['theirs.takeable']},"]
    return "\n".join(lines)


def present(names, captures):
    """The weights that the sources hold now."""
    sources = pathlib.Path(__file__).parent.parent / "src"
    text = (sources / "threat.rs").read_text()
    table = text[text.index(f"const {'CAPTURES' if captures else 'LINES'}: Standing"):]
    lists = re.findall(r"(?:shapes|threats): \[([-\d,\s]+)\]", table)[:4]
    kinds = [f"{whose}.{kind}." for whose in SIDES for kind in ("shape", "threat")]
    weights = {}
    for prefix, values in zip(kinds, lists):
        weights |= zip([name for name in names if name.startswith(prefix)], map(int, re.findall(r"-?\d+", values)))
    tuning = (sources / "duel" / "mod.rs").read_text()
    for name, field in (("taken", "taken"), ("taken_square", "taken_square"), ("mine.takeable", "takeable_to_move"),
                        ("theirs.takeable", "takeable")):
        weights[name] = int(re.search(rf"^ +{field}: (-?\d+),", tuning, re.M).group(1))
    return weights


def worth(found, weights):
    return sum(values * weights.get(name, 0) for name, values in found.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--result", type=float, default=0.6, metavar="PART", help="the result's part of the target (0.6)")
    parser.add_argument("--pull", type=float, default=1e-4, help="how strongly weights are held to 0 (0.0001)")
    asked = parser.parse_args()
    names, columns = read(asked.files)
    wanted, found = targets(columns, asked.result), features(names, columns)
    captures = "taken" in found or "mine.takeable" in found
    count = len(wanted)
    fitted_on = np.arange(count) < count * (1 - HELD_BACK)
    part = lambda rows: {name: values[rows] for name, values in found.items()}
    weights = fit(part(fitted_on), wanted[fitted_on], asked.pull)
    rounded = {name: round(weight) for name, weight in weights.items()}
    known = present(names, captures)
    print(tables(names, weights, captures))
    held = ~fitted_on
    both = [name for name in weights if np.abs(found[name]).sum() > 200]
    alike = np.corrcoef([weights[name] for name in both], [known[name] for name in both])[0, 1]
    print(f"// {count} positions; loss on {held.sum()} held back: {loss(worth(part(held), rounded), wanted[held]):.4f} fitted, "
          f"{loss(worth(part(held), known), wanted[held]):.4f} present, {loss(np.zeros(held.sum()), wanted[held]):.4f} "
          f"knowing nothing; correlation with the present weights {alike:.2f}")


if __name__ == "__main__":
    main()
