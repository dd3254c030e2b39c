//! Wins that one of three or four sides can force against all others together. Nothing is guessed: every answer that can
//! matter is played on the real rules. So only short wins are found, but what is found is sure.

use rules::{Action, Colour, Game, Outcome, Point, Take};

use crate::choices::ways;
use crate::ground::is_plain;

/// Own stones of the longest win that is looked for.
const STONES_MAX: u32 = 3;
/// Positions between two questions whether to stop.
const ASK_EVERY: u64 = 64;

/// The stones of a win that the player to move forces, with the answers that are looked at first; `None` where none is
/// found within so many positions, or before `stop` says so. Winning together with others counts.
pub fn win(game: &Game, nodes: u64, stop: &mut dyn FnMut() -> bool) -> Option<Vec<Action>> {
    let mut solver =
        Solver { me: game.turn()?.colour, is_plain: is_plain(game.rules()), left: nodes, stopped: false, stop };
    let mut game = game.clone();
    (1..=STONES_MAX).find_map(|stones| solver.attack(&mut game, stones))
}

struct Solver<'a> {
    me: Colour,
    /// Nothing is forbidden, nothing is lost by moving in, no line waits.
    is_plain: bool,
    left: u64,
    stopped: bool,
    stop: &'a mut dyn FnMut() -> bool,
}

impl Solver<'_> {
    /// A win in at most so many own stones.
    fn attack(&mut self, game: &mut Game, stones: u32) -> Option<Vec<Action>> {
        if let Some(win) = self.wins_now(game) {
            return Some(vec![win]);
        }
        let points = if stones < 2 { Vec::new() } else { empty(game).collect() };
        points.into_iter().find_map(|at: Point| {
            let tried = self.try_out(game, Action::place(at), |solver, game| {
                let wins = solver.wins_later(game);
                // What threatens nothing forces nothing.
                if wins.len() < 2 { None } else { solver.answers(game, &wins, stones - 1) }
            });
            tried.flatten()
        })
    }

    /// Plays an action and looks at what comes of it; the line from the action on if that is a win. `None` if it is
    /// illegal, or the search has ended.
    fn try_out(
        &mut self,
        game: &mut Game,
        action: Action,
        look: impl FnOnce(&mut Self, &mut Game) -> Option<Vec<Action>>,
    ) -> Option<Option<Vec<Action>>> {
        self.count();
        if self.stopped || game.play(&action).is_err() {
            return None;
        }
        let rest = match game.result() {
            Some(Outcome::Win { winners, .. }) if winners.contains(&self.me) => Some(Vec::new()),
            Some(Outcome::Win { .. } | Outcome::Draw(_)) => None,
            None => look(self, game),
        };
        game.undo();
        Some(rest.map(|rest| [vec![action], rest].concat()))
    }

    /// The line after the answers that come first, if none of all answers saves the others.
    fn answers(&mut self, game: &mut Game, wins: &[Point], stones: u32) -> Option<Vec<Action>> {
        let turn = game.turn()?.colour;
        if turn == self.me {
            let sure = wins.iter().find(|&&at| game.would_win(at));
            return sure.map(|&at| vec![Action::place(at)]).or_else(|| self.attack(game, stones));
        }
        let mut first: Option<Vec<Action>> = None;
        for answer in self.list(game, wins) {
            let tried = self.try_out(game, answer, |solver, game| solver.answers(game, wins, stones));
            if self.stopped {
                return None;
            }
            let Some(line) = tried else { continue };
            first = first.or(Some(line?));
        }
        first
    }

    /// The answers of an enemy that can matter, those that stop something first.
    fn list(&self, game: &Game, wins: &[Point]) -> Vec<Action> {
        let mut points: Vec<Point> = wins.iter().copied().filter(|&at| game.stone(at).is_none()).collect();
        points.extend(game.previews().iter().map(|preview| preview.at));
        if !self.may_leave_out(game, wins) {
            points.extend(empty(game));
        }
        let mut listed = Vec::with_capacity(points.len());
        for at in points {
            if !listed.contains(&at) {
                listed.push(at);
            }
        }
        listed.into_iter().flat_map(|at| ways(game, at)).collect()
    }

    /// Whether a stone that takes nothing, wins nothing and stands on none of these points loses at once. It does
    /// before the player's turn, if one of them still wins. One of an earlier enemy may let the next take what it could
    /// not.
    fn may_leave_out(&self, game: &Game, wins: &[Point]) -> bool {
        let is_sure = |(ahead, game): (u8, Game)| ahead == 1 && wins.iter().any(|&at| game.would_win(at));
        self.is_plain && game.as_if(self.me).is_some_and(is_sure)
    }

    fn wins_now(&self, game: &Game) -> Option<Action> {
        let previews = game.previews();
        let mut wins = previews.iter().flat_map(|preview| preview.ways.iter().map(|way| (preview.at, way)));
        let (at, way) = wins.find(|(_, way)| way.after.wins(self.me))?;
        Some(Action::Place { at, take: Take::Just(way.takes.clone()) })
    }

    /// The points where the player would win if its turn came at once.
    fn wins_later(&self, game: &Game) -> Vec<Point> {
        let Some((_, game)) = game.as_if(self.me) else { return Vec::new() };
        let wins = game.previews().into_iter().filter(|one| one.ways.iter().any(|way| way.after.wins(self.me)));
        wins.map(|preview| preview.at).collect()
    }

    fn count(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.stopped |= self.left == 0 || self.left.is_multiple_of(ASK_EVERY) && (self.stop)();
    }
}

fn empty(game: &Game) -> impl Iterator<Item = Point> {
    game.rules().board().points().filter(|&at| game.stone(at).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::seq::IndexedRandom;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Whether the player wins with the next own stone whatever all others play on any point.
    fn holds(game: &mut Game, me: Colour) -> bool {
        if game.turn().is_some_and(|turn| turn.colour == me) {
            let points: Vec<Point> = empty(game).collect();
            return points.iter().any(|&at| game.would_win(at));
        }
        let answers: Vec<Action> = empty(game).flat_map(|at| ways(game, at)).collect();
        answers.iter().all(|answer| {
            if game.play(answer).is_err() {
                return true;
            }
            let holds = match game.result() {
                Some(Outcome::Win { winners, .. }) => winners.contains(&me),
                Some(Outcome::Draw(_)) => false,
                None => holds(game, me),
            };
            game.undo();
            holds
        })
    }

    /// Plays at random in the middle, and holds every win in two own stones against all answers.
    fn check(text: &str, seed: u64) -> usize {
        let mut game = rules::example::game(text, "");
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut wins = 0;
        while let Some(turn) = game.turn() {
            let found = win(&game, 3_000, &mut || false);
            if found.as_ref().is_some_and(|line| line.len() == 1) {
                break;
            }
            // Every answer to longer ones would be too many to play.
            if let Some(line) = found.filter(|line| line.len() <= 4) {
                let mut after = game.clone();
                after.play(&line[0]).expect("legal");
                assert!(holds(&mut after, turn.colour), "{line:?}: {}", game.to_text());
                wins += 1;
            }
            let middle: Vec<Point> = empty(&game)
                .filter(|at| (2..7).contains(&at.column()) && (2..7).contains(&at.row()) && game.check(*at).is_ok())
                .collect();
            let Some(&at) = middle.choose(&mut random) else { break };
            let choices: Vec<Action> = ways(&game, at).collect();
            let choice = random.random_range(0..choices.len());
            if game.play(&choices[choice]).is_err() {
                break;
            }
        }
        wins
    }

    #[test]
    fn a_win_against_all_others_holds_against_every_answer() {
        let rules = [
            "capture-five seats=3 board=9",
            "capture-five seats=3 board=9 overline=wins forced_capture=false",
            "capture-five seats=3 board=9 into_flank=captured mixed_captures=false",
            "custom seats=3 board=9 captures=off",
        ];
        let wins: usize = rules.iter().map(|text| (0..40).map(|seed| check(text, seed)).sum::<usize>()).sum();
        assert!(wins > 4, "{wins} wins");
    }
}
