//! Who has won after a move, and whether it goes on (RULES.md, sections 4.5, 4.6 and 5).

use super::board::Spot;
use super::lines::{Line, lines_made};
use super::overtime::claimant;
use super::{Game, Overtime};
use crate::{Colour, Condition, DrawBy, Outcome, OvertimeRule};

impl Game {
    /// Judges the board after a stone on `placed` and all that it took. The turn has passed on already; `claim`
    /// is the line that waited for this move.
    pub(super) fn judge(&mut self, placed: Spot, gone_from: usize, claim: Option<Line>) {
        let gone = &self.gone[gone_from..];
        if let Some(line) = claim
            && self.has_line(&self.board, line, placed, gone)
        {
            let captures = self.has_goal(line.colour).then_some(Condition::Captures);
            let by = captures.into_iter().chain([Condition::Line]).collect();
            self.outcome = Some(Outcome::Win { winners: vec![line.colour], by });
            return;
        }
        let lines = lines_made(&self.board, &self.rules, placed, gone);
        if lines.is_empty() && !self.any_goal() {
            self.draw_if_stuck();
        } else if !self.opens_overtime(&lines) {
            self.outcome = Some(self.won(&lines));
        }
    }

    fn has_goal(&self, colour: Colour) -> bool {
        self.captured[colour.index()] >= u16::from(self.rules.goal())
    }

    fn any_goal(&self) -> bool {
        Colour::ALL.into_iter().any(|colour| self.has_goal(colour))
    }

    /// The result where somebody meets a condition.
    fn won(&self, lines: &[Line]) -> Outcome {
        let has_line = |colour: Colour| lines.iter().any(|line| line.colour == colour);
        let meets = |colour: &Colour| self.has_goal(*colour) || has_line(*colour);
        let winners: Vec<Colour> = Colour::ALL.into_iter().filter(meets).collect();
        if winners.len() == usize::from(self.rules.sides()) {
            return Outcome::Draw(DrawBy::AllWin);
        }
        let captures = winners.iter().any(|&colour| self.has_goal(colour)).then_some(Condition::Captures);
        let line = (!lines.is_empty()).then_some(Condition::Line);
        Outcome::Win { winners, by: captures.into_iter().chain(line).collect() }
    }

    /// Whether these lines are one that the next player can stop; claims it if so.
    pub(super) fn opens_overtime(&mut self, lines: &[Line]) -> bool {
        let &[line] = lines else { return false };
        let next = self.next_stone();
        if self.rules.options().overtime == OvertimeRule::None || self.any_goal() || claimant(line) == next {
            return false;
        }
        self.claim = Some(line);
        if !self.can_stop(line, next) {
            self.claim = None;
            return false;
        }
        self.overtime = Some(Overtime::of(line));
        true
    }

    pub(super) fn draw_if_stuck(&mut self) {
        if self.board.empty() == 0 {
            self.outcome = Some(Outcome::Draw(DrawBy::FullBoard));
        } else if self.phase.must() == super::Must::Place && !self.has_legal_point() {
            self.outcome = Some(Outcome::Draw(DrawBy::NoLegalMove));
        }
    }
}
