//! What the CPU thinks of a position, for people who study the game: the best moves with their scores and lines.

use rules::{Action, Game, Must, Point};

use crate::mind::{Budget, Mind, WON};

/// A move and what comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub at: Point,
    /// For the side to move, as [`crate::Thought::score`].
    pub score: i32,
    /// How likely the side to move wins, from 0 to 1; a draw counts half.
    pub chance: f64,
    /// Stones until the win that this line forces, or until the loss that it cannot escape.
    pub win_in: Option<u32>,
    /// Stones looked ahead.
    pub depth: u32,
    /// The stones that are expected, the move first.
    pub line: Vec<Point>,
}

/// The score that stands for odds of e to 1.
const SCALE: f64 = 200.0;

impl Line {
    pub(crate) fn new(at: Point, score: i32, depth: u32, line: Vec<Point>) -> Line {
        let win_in = (score.abs() >= WON).then(|| crate::duel::WIN.abs_diff(score.abs()));
        let chance = match win_in {
            Some(_) => f64::from(u8::from(score > 0)),
            None => 1.0 / (1.0 + (-f64::from(score) / SCALE).exp()),
        };
        Line { at, score, chance, win_in, depth, line }
    }
}

impl Mind {
    /// The best moves of a position, as many as asked for, the best first; `told` sees them each time that they are
    /// known one stone deeper. None for three and four sides, in an opening's choices, and when the game is over.
    pub fn analyse(
        &mut self,
        game: &Game,
        lines: usize,
        budget: &Budget,
        stop: &mut dyn FnMut() -> bool,
        told: &mut dyn FnMut(&[Line]),
    ) -> Vec<Line> {
        let places = game.turn().is_some_and(|turn| turn.must == Must::Place);
        if !places || game.rules().sides() != 2 {
            return Vec::new();
        }
        self.lines(game, lines, budget, stop, told)
    }

    /// The stones of a win that the player to move can force, as far as the budget reaches; `None` where none is found.
    /// The last stone wins, or leaves more threats than there are answers.
    pub fn forced_win(&mut self, game: &Game, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> Option<Vec<Action>> {
        let found = self.analyse(game, 1, budget, stop, &mut |_| {});
        let line = found.into_iter().next().filter(|line| line.score >= WON)?;
        Some(line.line.into_iter().map(Action::place).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LEVEL_MAX;
    use rules::example::{at, game};

    fn budget(nodes: u64) -> Budget {
        Budget { level: LEVEL_MAX, nodes, seed: 1 }
    }

    #[test]
    fn the_best_moves_come_in_order_and_differ() {
        let game = game("gomoku", "H8 I9 I8 G8 J8");
        let mut told = 0;
        let mut mind = Mind::new(1 << 20);
        let lines = mind.analyse(&game, 3, &budget(20_000), &mut || false, &mut |lines| {
            assert!(lines.len() <= 3);
            told += 1;
        });
        assert_eq!(lines.len(), 3);
        assert!(told > 1 && lines.is_sorted_by_key(|line| -line.score));
        let mut points: Vec<Point> = lines.iter().map(|line| line.at).collect();
        assert!(lines.iter().all(|line| line.line.first() == Some(&line.at) && (0.0..=1.0).contains(&line.chance)));
        points.sort();
        points.dedup();
        assert_eq!(points.len(), 3);
    }

    #[test]
    fn a_forced_win_is_found_and_none_where_there_is_none() {
        let mut mind = Mind::new(1 << 20);
        let open_three = game("gomoku", "H8 A1 I8 A3 J8 A5");
        let win = mind.forced_win(&open_three, &budget(20_000), &mut || false).expect("an open three, and the move");
        let mut after = open_three.clone();
        after.play(&win[0]).expect("legal");
        assert!([at("G8"), at("K8")].map(Action::place).contains(&win[0]), "{win:?}");
        assert_eq!(mind.forced_win(&game("gomoku", "H8 I9"), &budget(2_000), &mut || false), None);
        assert_eq!(mind.analyse(&game("capture-five seats=3", "H8"), 2, &budget(100), &mut || false, &mut |_| {}), []);
    }
}
