//! What the CPU thinks of a position, for people who study the game: the best moves with their scores and lines.

use rules::{Action, Game, Must, Point, Take};

use crate::mind::{Budget, Mind, ODDS, WON};
use crate::{forced, opening};

/// A move and what comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub at: Point,
    /// What the move takes: all, unless captures are optional and less is better.
    pub take: Take,
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

impl Line {
    pub(crate) fn new(at: Point, take: Take, score: i32, depth: u32, line: Vec<Point>) -> Line {
        let win_in = (score.abs() >= WON).then(|| crate::duel::WIN.abs_diff(score.abs()));
        let chance = match win_in {
            Some(_) => f64::from(u8::from(score > 0)),
            None => 1.0 / (1.0 + (-f64::from(score) / f64::from(ODDS)).exp()),
        };
        Line { at, take, score, chance, win_in, depth, line }
    }
}

/// Positions that the first round of an analysis of three and four sides costs for each line; each round costs twice as
/// many as the last.
const ROUND_NODES: u64 = 250;
/// Rounds at most: beyond that everything has been looked at that can be.
const ROUNDS_MAX: u32 = 32;
/// Stones of a forced win that are told, at most.
const WIN_STONES_MAX: usize = 200;
/// Positions that may be looked at for each stone of a forced win beyond those that the search has told.
const FINISH_NODES: u64 = 50_000;

impl Mind {
    /// The best moves of a position, as many as asked for, the best first; `told` sees them each time that they are
    /// known better: one stone deeper with two sides, after twice the positions with more. Where a colour is to be
    /// chosen, those of the side whose stone is next. None while an opening's stones are placed, and when the game is
    /// over.
    pub fn analyse(
        &mut self,
        game: &Game,
        lines: usize,
        budget: &Budget,
        stop: &mut dyn FnMut() -> bool,
        told: &mut dyn FnMut(&[Line]),
    ) -> Vec<Line> {
        let Some(turn) = game.turn() else { return Vec::new() };
        match turn.must {
            Must::Place if opening::placing(game) => Vec::new(),
            Must::Place if game.rules().sides() == 2 => self.lines(game, lines, budget, stop, told),
            Must::Place => self.rounds(game, lines, budget, stop, told),
            Must::Choose | Must::ChooseOrAdd => match opening::as_chosen(game) {
                Some(game) => self.lines(&game, lines, budget, stop, told),
                None => Vec::new(),
            },
        }
    }

    /// The best moves of a position of three or four sides.
    fn rounds(
        &mut self,
        game: &Game,
        count: usize,
        budget: &Budget,
        stop: &mut dyn FnMut() -> bool,
        told: &mut dyn FnMut(&[Line]),
    ) -> Vec<Line> {
        let mut stopped = false;
        let mut stop = || {
            stopped = stopped || stop();
            stopped
        };
        let mut best: Vec<Line> = Vec::new();
        let mut left = budget.nodes(game.rules());
        for round in 0..ROUNDS_MAX {
            let mut found: Vec<Line> = Vec::new();
            while found.len() < count && left > 0 && !stop() {
                let barred: Vec<Point> = found.iter().map(|line| line.at).collect();
                let nodes = (ROUND_NODES << round).min(left);
                let Some((line, nodes)) = self.one_of_many(game, &Budget { nodes, ..*budget }, &mut stop, &barred)
                else {
                    break;
                };
                left = left.saturating_sub(nodes);
                found.push(line);
            }
            let is_cut = stop() || left == 0 && found.len() < count;
            if best.is_empty() || !is_cut {
                found.sort_by_key(|line| std::cmp::Reverse(line.score));
                best = found;
                told(&best);
            }
            if is_cut || left == 0 || best.iter().all(|line| line.win_in == Some(1)) {
                break;
            }
        }
        best
    }

    /// What a stone is worth to the side that places it, by the search that [`Mind::analyse`] makes for a line. `None`
    /// where such a search does not look at that point, and with two sides: there the position after the stone tells.
    pub fn worth_of(
        &mut self,
        game: &Game,
        at: Point,
        budget: &Budget,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Line> {
        let places = game.turn().is_some_and(|turn| turn.must == Must::Place);
        if !places || game.rules().sides() == 2 {
            return None;
        }
        let others: Vec<Point> = game.rules().board().points().filter(|&other| other != at).collect();
        Some(self.one_of_many(game, budget, stop, &others)?.0)
    }

    /// The stones of a win that the player to move can force, as far as the budget reaches; `None` where none is found.
    /// Against others than it expects the win may be another one, but no longer. With three and four sides it is a win
    /// against all others together, shared wins included, of few stones. The line ends with the winning stone, unless
    /// it was stopped before.
    pub fn forced_win(&mut self, game: &Game, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> Option<Vec<Action>> {
        let places = game.turn().is_some_and(|turn| turn.must == Must::Place) && !opening::placing(game);
        if !places || game.rules().sides() != 2 {
            return if places { forced::win(game, budget.nodes(game.rules()), stop) } else { None };
        }
        let line = self.solve(game, budget, stop)?;
        Some(self.play_out(game, &line, budget, stop))
    }

    /// A won line with what follows it, up to the winning stone.
    fn play_out(&mut self, game: &Game, line: &Line, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> Vec<Action> {
        let mut after = game.clone();
        let mut actions: Vec<Action> = Vec::new();
        let me = game.turn().map(|turn| turn.colour);
        let first = Action::Place { at: line.at, take: line.take.clone() };
        let rest = line.line.iter().skip(1).copied().map(Action::place);
        for action in std::iter::once(first).chain(rest) {
            if after.play(&action).is_err() {
                break;
            }
            actions.push(action);
        }
        while let Some(turn) = after.turn()
            && actions.len() < WIN_STONES_MAX
            && !stop()
        {
            let thought = self.think(&after, &Budget { nodes: FINISH_NODES, ..*budget }, stop);
            if Some(turn.colour) == me && thought.score < WON || after.play(&thought.action).is_err() {
                break;
            }
            actions.push(thought.action);
        }
        actions
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
    }

    /// Every line is legal from its first stone on, the points differ, and the best comes first.
    fn check_lines(game: &Game, lines: &[Line]) {
        assert!(lines.is_sorted_by_key(|line| -line.score));
        for (number, line) in lines.iter().enumerate() {
            assert_eq!(line.line.first(), Some(&line.at));
            assert!((0.0..=1.0).contains(&line.chance));
            assert!(lines[..number].iter().all(|other| other.at != line.at));
            let mut after = game.clone();
            after.play(&Action::Place { at: line.at, take: line.take.clone() }).expect("a legal move");
            line.line[1..].iter().for_each(|&at| after.place(at).expect("a legal line"));
        }
    }

    #[test]
    fn three_and_four_sides_are_told_better_and_better() {
        for (rules, stones) in [
            ("capture-five seats=3", "H8 I9 G7 H9 J9"),
            ("capture-five seats=4 overtime=break forced_capture=false", "H8 I9 G7 H7"),
            ("capture-five seats=3 into_flank=not-allowed board=9", "E5 F5 D5"),
        ] {
            let game = game(rules, stones);
            let mut told: Vec<Vec<Line>> = Vec::new();
            let lines = Mind::new(1 << 20)
                .analyse(&game, 3, &budget(8_000), &mut || false, &mut |lines| told.push(lines.to_vec()));
            assert!(lines.len() == 3 && told.len() > 2 && told.last() == Some(&lines), "{rules}: {told:?}");
            told.iter().for_each(|lines| check_lines(&game, lines));
            // Later looks are deeper.
            assert!(told[told.len() - 1][0].depth > told[0][0].depth, "{rules}: {told:?}");
        }
    }

    #[test]
    fn a_single_stone_is_looked_at_where_there_are_more_than_two_sides() {
        let game = game("capture-five seats=3", "H8 I9 G7 H9 J9");
        let mut mind = Mind::new(1 << 20);
        for point in ["G8", "I8"] {
            let line = mind.worth_of(&game, at(point), &budget(2_000), &mut || false).expect("it is near");
            assert_eq!((line.at, line.line.first()), (at(point), Some(&at(point))));
        }
        let two = rules::example::game("gomoku", "H8 I9");
        assert_eq!(mind.worth_of(&two, at("G8"), &budget(2_000), &mut || false), None);
    }

    #[test]
    fn an_analysis_ends_when_it_is_told_to() {
        for (rules, stones) in
            [("capture-five", "H8 I9"), ("capture-five seats=3", "H8 I9"), ("pente-swap2", "J10 K10 L11")]
        {
            let game = game(rules, stones);
            let mut asked = 0;
            let mut stop = || {
                asked += 1;
                asked > 20
            };
            let mut told = 0;
            let lines = Mind::new(1 << 20).analyse(&game, 2, &Budget::of(LEVEL_MAX, 1), &mut stop, &mut |_| told += 1);
            assert!(!lines.is_empty() && told > 0 && asked < 40, "{rules}: asked {asked} times");
        }
    }

    #[test]
    fn a_choice_of_colours_is_judged_and_a_placement_is_not() {
        let mut mind = Mind::new(1 << 20);
        let choice = game("pente-swap2", "J10 K10 L11");
        let lines = mind.analyse(&choice, 2, &budget(4_000), &mut || false, &mut |_| {});
        assert_eq!(lines.len(), 2);
        assert_eq!(mind.analyse(&game("pente-swap2", "J10"), 2, &budget(4_000), &mut || false, &mut |_| {}), []);
        assert_eq!(mind.forced_win(&choice, &budget(4_000), &mut || false), None);
    }

    /// Plays a forced win to its end: it is legal, and its last stone wins for who made the first.
    fn check_win(rules: &str, stones: &str, nodes: u64) -> Option<Vec<Action>> {
        let mut after = game(rules, stones);
        let me = after.turn().map(|turn| turn.colour);
        let win = Mind::new(1 << 20).forced_win(&after, &budget(nodes), &mut || false)?;
        win.iter().for_each(|action| assert!(after.play(action).is_ok(), "{rules}: {win:?}"));
        let Some(rules::Outcome::Win { winners, .. }) = after.result() else { panic!("{rules}: no win after {win:?}") };
        assert!(me.is_some_and(|me| winners.contains(&me)));
        Some(win)
    }

    #[test]
    fn a_forced_win_is_told_to_its_end() {
        assert_eq!(check_win("gomoku", "H8 A1 I8 A3 J8 A5", 20_000).map(|win| win.len()), Some(3));
        assert!(check_win("capture-five overtime=break", "H8 A1 I8 A3 J8 A5", 20_000).is_some());
        assert!(check_win("capture-five seats=4 teams=true", "H8 A1 I8 A3 J8 A5", 20_000).is_some());
        // Fours lead to a four and a three.
        assert!(check_win("gomoku", "H8 H9 I8 G8 J9 A1 J10 A3 L6 C1", 100_000).is_some_and(|win| win.len() > 3));
    }

    /// With three sides and lines of four, two open threes at once leave one end too many for two enemies; one open
    /// three does not, and with four sides neither do two.
    #[test]
    fn all_others_together_are_too_few_or_enough() {
        let cross = "H9 A1 C15 H10 A4 F15 I8 A7 I15 J8 A10 L15";
        assert_eq!(
            check_win("capture-five seats=3", cross, 400_000).map(|win| (win[0].clone(), win.len())),
            Some((Action::place(at("H8")), 4))
        );
        assert_eq!(check_win("capture-five seats=3", "H8 A1 C15 I8 A4 F15", 100_000), None);
        let with_four = "H9 A1 C15 O1 H10 A4 F15 O4 I8 A7 I15 O7 J8 A10 L15 O10";
        assert_eq!(check_win("capture-five seats=4", with_four, 100_000), None);
        // It wins at once where it can.
        let three = "H8 A1 C15 I8 A4 F15 J8 A7 I15";
        assert_eq!(check_win("capture-five seats=3 overline=wins", three, 1_000).map(|win| win.len()), Some(1));
    }
}
