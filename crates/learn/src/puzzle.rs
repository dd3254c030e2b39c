//! The puzzles, chosen from the problems that are proved by the rules alone, and how one is solved: each move of the
//! person is judged by proof, and the defence that holds out longest answers it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use cpu::yardstick::problem::{Claim, Kind, Problem, problems};
use cpu::yardstick::proof::{Attack, Prover, actions};
use rules::{Action, Game, Outcome, Refusal};

/// Problems with proved answers; [`cpu::yardstick::problem`] says what a line means.
const PROBLEMS: &str = include_str!("../../../tests/data/problems.tsv");
/// The names of those that are puzzles here, the easy ones first.
const CHOSEN: &str = include_str!("../data/puzzles.txt");

/// Stones that may be placed to judge one move: about a second's work.
const JUDGED_STONES_MAX: u64 = 2_000_000;
/// A win may take so many stones more than the shortest.
const LONGER: u8 = 2;
/// The hardest grade.
pub const GRADE_MAX: u8 = 5;
/// From one day to the next so many puzzles are passed over, so that neighbours in the list are not neighbours in
/// time. It has no divisor in common with their number, so that each has its day.
const DAY_STEP: usize = 37;

/// A position with one question: to win, or not to lose.
#[derive(Clone, Debug)]
pub struct Puzzle {
    pub problem: Problem,
    /// 1 for the easiest, to [`GRADE_MAX`].
    pub grade: u8,
}

/// What a move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The last one: the game is won, or no longer lost.
    Solved,
    /// It wins, as soon as anything does.
    Right,
    /// It wins, but later than another.
    Slower,
    /// It gives the win away, or loses.
    Wrong,
    /// It may not be played; nothing has changed.
    Refused(Refusal),
}

/// A move, and what the other side answers: its best defence, or what shows that the move was wrong. `None` where the
/// game is over or the puzzle solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    pub verdict: Verdict,
    pub reply: Option<Action>,
}

/// Every puzzle, the easy ones first.
pub fn puzzles() -> &'static [Puzzle] {
    static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(chosen);
    &PUZZLES
}

fn chosen() -> Vec<Puzzle> {
    let all = problems(PROBLEMS).unwrap_or_else(|(line, why)| panic!("problems.tsv, line {line}: {why:?}"));
    let mut named: BTreeMap<String, Problem> = all.into_iter().map(|known| (known.name.clone(), known)).collect();
    let names = CHOSEN.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    names
        .map(|name| {
            let problem = named.remove(name).unwrap_or_else(|| panic!("puzzles.txt: no problem {name:?}, or twice"));
            Puzzle { grade: grade(&problem), problem }
        })
        .collect()
}

/// The puzzle of this name.
pub fn puzzle(name: &str) -> Option<&'static Puzzle> {
    puzzles().iter().find(|puzzle| puzzle.problem.name == name)
}

/// The puzzle of a day, counted from any day on. As many days go by as there are puzzles until one comes again.
pub fn of_day(day: u32) -> &'static Puzzle {
    let all = puzzles();
    let day = day as usize % all.len();
    &all[day * DAY_STEP % all.len()]
}

/// How hard it is: by the stones that it takes, and whether they are fours alone.
pub fn grade(problem: &Problem) -> u8 {
    let quiet = match problem.attack {
        Attack::Fours => 0,
        Attack::Threes => 1,
    };
    let length = match problem.claim {
        Claim::Wins => problem.stones.saturating_sub(1),
        Claim::Only | Claim::NotWon => problem.stones.saturating_sub(1),
    };
    (length + quiet).clamp(1, GRADE_MAX)
}

/// Whether a problem is a puzzle by its kind: there is a move to be found, and two sides.
pub fn asks_for_a_move(problem: &Problem) -> bool {
    let one_of_two = match problem.kind {
        Kind::Fours | Kind::Threes | Kind::Captures | Kind::OnlyMove | Kind::Overtime => true,
        Kind::FalseWin | Kind::Many => false,
    };
    let has_moves = match problem.claim {
        Claim::Wins | Claim::Only => true,
        Claim::NotWon => false,
    };
    one_of_two && has_moves
}

impl Puzzle {
    /// The position after these moves of both sides.
    ///
    /// # Errors
    /// Why the rules refuse one of them.
    pub fn after(&self, line: &[Action]) -> Result<Game, Refusal> {
        let mut game = self.problem.game.clone();
        for action in line {
            game.play(action)?;
        }
        Ok(game)
    }

    /// Judges a move after this line, in which the person and the defence took turns, the person first.
    ///
    /// # Errors
    /// Why the rules refuse a move of the line.
    pub fn solve(&self, line: &[Action], answer: &Action) -> Result<Tried, Refusal> {
        let before = self.after(line)?;
        let mut after = before.clone();
        if let Err(refusal) = after.play(answer) {
            return Ok(Tried { verdict: Verdict::Refused(refusal), reply: None });
        }
        Ok(match self.problem.claim {
            Claim::Wins => self.attacked(line, &before, &after, answer),
            Claim::Only | Claim::NotWon => self.defended(&after, answer),
        })
    }

    fn attacked(&self, line: &[Action], before: &Game, after: &Game, answer: &Action) -> Tried {
        if let Some(result) = after.result() {
            let verdict = if is_won_by_mover(result, before) { Verdict::Solved } else { Verdict::Wrong };
            return Tried { verdict, reply: None };
        }
        let own = u8::try_from(line.len().div_ceil(2)).unwrap_or(u8::MAX);
        let need = self.problem.stones.saturating_sub(own).max(1);
        let most = (self.problem.stones + LONGER).saturating_sub(own).max(1);
        let mut prover = Prover::new(JUDGED_STONES_MAX);
        let attack = self.problem.attack;
        let wins_in =
            |prover: &mut Prover, attack, stones| prover.wins_with(before, answer, attack, stones) == Ok(true);
        let found = (1..=need).find(|&stones| wins_in(&mut prover, attack, stones)).map(|stones| (attack, stones));
        let found = found.or_else(|| {
            let mut prover = Prover::new(JUDGED_STONES_MAX);
            (1..=most).find(|&stones| wins_in(&mut prover, Attack::Threes, stones)).map(|n| (Attack::Threes, n))
        });
        match found {
            Some((attack, stones)) => {
                let verdict = if stones <= need { Verdict::Right } else { Verdict::Slower };
                Tried { verdict, reply: longest(&mut prover, after, attack, stones - 1) }
            }
            None => Tried { verdict: Verdict::Wrong, reply: refutation(after, attack, need - 1) },
        }
    }

    fn defended(&self, after: &Game, answer: &Action) -> Tried {
        if self.problem.is_solved(answer, false) {
            return Tried { verdict: Verdict::Solved, reply: None };
        }
        let mut prover = Prover::new(JUDGED_STONES_MAX);
        let reply = prover.win(after, self.problem.attack, self.problem.stones).ok().flatten();
        Tried { verdict: Verdict::Wrong, reply }
    }
}

fn is_won_by_mover(result: &Outcome, before: &Game) -> bool {
    match result {
        Outcome::Win { winners, .. } => before.turn().is_some_and(|turn| winners.contains(&turn.colour)),
        Outcome::Draw(_) => false,
    }
}

/// The answer after which the attacker, who wins with so many stones, needs most; of equals the nearest one.
fn longest(prover: &mut Prover, game: &Game, attack: Attack, stones: u8) -> Option<Action> {
    let mut best: Option<(u8, Action)> = None;
    for (answer, after) in answers(game) {
        // An answer that ends the game, as one that leaves a waiting line alone, holds out no longer.
        let wins_in = |few: &u8| matches!(prover.win(&after, attack, *few), Ok(Some(_)));
        let needs = if after.result().is_some() { 0 } else { (1..=stones).find(wins_in).unwrap_or(stones) };
        if best.as_ref().is_none_or(|(most, _)| needs > *most) {
            best = Some((needs, answer));
        }
    }
    best.map(|(_, answer)| answer)
}

/// What the other side answers to a move that does not win: it wins itself, or leaves no such win.
fn refutation(game: &Game, attack: Attack, stones: u8) -> Option<Action> {
    let mut prover = Prover::new(JUDGED_STONES_MAX);
    if let Ok(Some(win)) = prover.win(game, Attack::Fours, REFUTED_STONES) {
        return Some(win);
    }
    let mut holds = |after: &Game| after.result().is_none() && prover.win(after, attack, stones.max(1)) == Ok(None);
    answers(game).into_iter().find(|(_, after)| holds(after)).map(|(answer, _)| answer)
}

/// With so few stones the other side's own win is looked for after a wrong move.
const REFUTED_STONES: u8 = 2;

/// Legal answers, nearest to the last stone first, with the positions after them.
fn answers(game: &Game) -> Vec<(Action, Game)> {
    let last = game.actions().last();
    let all = actions(game, last).into_iter();
    all.filter_map(|action| {
        let mut after = game.clone();
        after.play(&action).is_ok().then_some((action, after))
    })
    .collect()
}

/// Whether each puzzle has its day: [`DAY_STEP`] must fit their number.
pub fn every_day_has_its_own() -> bool {
    let count = u32::try_from(puzzles().len()).unwrap_or(u32::MAX);
    let days: std::collections::BTreeSet<&str> = (0..count).map(|day| of_day(day).problem.name.as_str()).collect();
    days.len() == puzzles().len()
}
