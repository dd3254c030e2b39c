//! Chooses from what was found: some of each kind, length and set of rules, none like another.

use std::collections::{BTreeMap, BTreeSet};

use cpu::yardstick::problem::{Claim, Kind, Problem};
use cpu::yardstick::proof::{Attack, Prover};
use cpu::{Budget, LEVEL_MAX, Line, Mind, WON};
use rules::{Action, Colour, Game, Point};

/// From one game.
const GAME_MAX: usize = 2;
/// Actions between two positions of one game, at least.
const APART: usize = 6;

/// Positions that the engine looks at to have an opinion, and stones to be placed in a proof for it.
const OPINION_NODES: [u64; 3] = [10_000, 20_000, 100_000];
const OPINION_STONES: u64 = 10_000_000;

/// The problems that are kept, named, in the order of kinds.
pub fn choose(found: Vec<Problem>) -> Vec<Problem> {
    let mut alike: BTreeMap<(Kind, String, Claim, u8, bool), usize> = BTreeMap::new();
    let mut families: BTreeMap<(Kind, String), usize> = BTreeMap::new();
    let mut games: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    let mut boards: BTreeSet<String> = BTreeSet::new();
    let mut kept = Vec::new();
    // What is rare comes first: lines that wait, and long wins.
    let mut found = found;
    found.sort_by_key(|problem| {
        (problem.game.overtime().is_none(), problem.kind != Kind::Overtime, std::cmp::Reverse(problem.stones))
    });
    for problem in found {
        let (family, length) = (problem.name.clone(), problem.game.actions().len());
        let game = games.entry((family.clone(), source(&problem))).or_default();
        let waits = problem.game.overtime().is_some();
        let like = alike.entry((problem.kind, family.clone(), problem.claim, problem.stones, waits)).or_default();
        let of_family = families.entry((problem.kind, family)).or_default();
        let is_near = game.iter().any(|known| known.abs_diff(length) < APART);
        if *like >= alike_max(&problem) || *of_family >= family_max(problem.kind) || game.len() >= GAME_MAX || is_near {
            continue;
        }
        if !boards.insert(shape(&problem.game)) || !is_clear(&problem) {
            continue;
        }
        *like += 1;
        *of_family += 1;
        game.push(length);
        kept.push(problem);
    }
    kept.sort_by(|a, b| (a.kind, &a.name, a.stones).cmp(&(b.kind, &b.name, b.stones)));
    let mut numbers: BTreeMap<(Kind, String), usize> = BTreeMap::new();
    for problem in &mut kept {
        let number = numbers.entry((problem.kind, problem.name.clone())).or_default();
        *number += 1;
        problem.name = format!("{}-{}-{number}", problem.kind.name(), problem.name);
    }
    kept
}

/// Of one kind with the same rules, claim and number of stones, and with a line that waits or none.
fn alike_max(problem: &Problem) -> usize {
    let is_short = problem.claim == Claim::Wins && problem.stones == 2;
    match problem.kind {
        Kind::Fours | Kind::Threes | Kind::Captures if is_short => 1,
        Kind::FalseWin => 7,
        Kind::Fours | Kind::Threes | Kind::Captures | Kind::OnlyMove | Kind::Overtime | Kind::Many => 3,
    }
}

/// Of one kind with the same rules.
fn family_max(kind: Kind) -> usize {
    match kind {
        Kind::Overtime | Kind::Many => 10,
        Kind::Fours | Kind::Threes | Kind::Captures | Kind::FalseWin => 7,
        Kind::OnlyMove => 5,
    }
}

/// Whether the problem says enough to contradict the engine, where the engine has another opinion: it may see a longer
/// win than was looked for, for the player to move or against an answer.
fn is_clear(problem: &Problem) -> bool {
    if problem.game.rules().sides() != 2 {
        return true;
    }
    OPINION_NODES.into_iter().all(|nodes| {
        let budget = Budget { level: LEVEL_MAX, nodes, seed: 1 };
        let mut mind = Mind::new(1 << 20);
        match problem.claim {
            Claim::Wins => true,
            Claim::NotWon => {
                let lines = mind.analyse(&problem.game, 1, &budget, &mut || false, &mut |_| {});
                lines.first().filter(|line| line.score >= WON).is_none_or(|line| is_refuted(problem, line))
            }
            Claim::Only => {
                let mut prover = Prover::new(OPINION_STONES);
                let longer = problem.stones + 1;
                let mut loses =
                    |action: &Action| prover.loses(&problem.game, action, Attack::Threes, longer) == Ok(true);
                let played = mind.think(&problem.game, &budget, &mut || false).action;
                problem.is_solved(&played, false) || !problem.moves.iter().any(&mut loses)
            }
        }
    })
}

/// Whether the win that the engine sees is none: not within what was looked for, nor after its first stone.
fn is_refuted(problem: &Problem, line: &Line) -> bool {
    let stones = line.win_in.map_or(u32::MAX, |stones| stones.div_ceil(2));
    let mut prover = Prover::new(OPINION_STONES);
    problem.attack == Attack::Threes
        && stones <= u32::from(problem.stones)
        && prover.wins_with(&problem.game, &Action::place(line.at), Attack::Threes, problem.stones) == Ok(false)
}

/// The game that a problem is from.
fn source(problem: &Problem) -> String {
    problem.made.split(',').nth(1).unwrap_or_default().to_owned()
}

/// The board, turned and mirrored until it is the least of its eight pictures.
fn shape(game: &Game) -> String {
    let side = game.rules().board().side();
    let picture = |turned: u8| {
        let mut text = String::new();
        for row in 0..side {
            for column in 0..side {
                let (mut x, mut y) = (column, row);
                if turned & 1 != 0 {
                    x = side - 1 - x;
                }
                if turned & 2 != 0 {
                    y = side - 1 - y;
                }
                if turned & 4 != 0 {
                    (x, y) = (y, x);
                }
                text.push(Point::new(x, y).and_then(|at| game.stone(at)).map_or('.', Colour::letter));
            }
        }
        text
    };
    (0..8).map(picture).min().unwrap_or_default()
}
