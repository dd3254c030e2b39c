//! Winning, overtime and draws (RULES.md, sections 4.5, 4.6 and 5).

use super::Plain;
use super::action::Group;
use super::board::{Board, Colour, Point, opposite};
use super::openings::{self, Must};
use super::options::{Options, Overtime};

/// A line that wins unless the next move stops it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    pub colour: Colour,
    /// Sorted.
    pub line: Group,
}

/// How a game ended. Conditions are sorted by name, winners as colours are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Win { winners: Vec<Colour>, by: Vec<&'static str> },
    Draw { by: &'static str },
}

/// The winning lines of a colour, each sorted.
pub fn lines(options: &Options, board: &Board, colour: Colour) -> Vec<Group> {
    let mut lines = board.runs(colour, |length| options.line_wins(colour, length));
    lines.iter_mut().for_each(|line| line.sort());
    lines
}

/// The point at which a stone of the enemy takes this whole line in overtime.
pub fn open_end(board: &Board, line: &[Point], enemy: Colour) -> Option<Point> {
    let [first, second, .., last] = *line else { return None };
    let direction = (second.column - first.column, second.row - first.row);
    let ends = (first.step(opposite(direction)), last.step(direction));
    [ends, (ends.1, ends.0)]
        .into_iter()
        .find(|(stone, open)| board.has(*stone, enemy) && board.is_empty(*open))
        .map(|(_, open)| open)
}

impl Plain {
    /// Decides what a move that has been resolved and counted leads to. `standing` is the overtime that it answered.
    pub(super) fn judge(&mut self, standing: Option<&Pending>) {
        if let Some(pending) = standing
            && !lines(&self.options, &self.board, pending.colour).is_empty()
        {
            self.end_with(vec![pending.colour], None);
            return;
        }
        let colours = self.options.colours();
        let winners: Vec<Colour> =
            colours.iter().copied().filter(|colour| !self.conditions(*colour).is_empty()).collect();
        if winners.len() == colours.len() {
            self.result = Some(Ending::Draw { by: "all-win" });
        } else if !winners.is_empty() {
            match self.overtime_of(&winners) {
                Some(pending) => self.overtime = Some(pending),
                None => self.end_with(winners, None),
            }
        } else if self.board.is_full() {
            self.result = Some(Ending::Draw { by: "full-board" });
        } else if self.turn().must == Must::Place && !self.board.empty_points().any(|point| self.is_legal(point)) {
            self.result = Some(Ending::Draw { by: "no-legal-move" });
        }
    }

    /// The conditions that a colour meets, sorted by name.
    fn conditions(&self, colour: Colour) -> Vec<&'static str> {
        let mut met = Vec::new();
        if self.captured(colour) >= self.options.goal() {
            met.push("captures");
        }
        if !lines(&self.options, &self.board, colour).is_empty() {
            met.push("line");
        }
        met
    }

    /// The winners win by all that they meet, and by what no board shows.
    pub(super) fn end_with(&mut self, winners: Vec<Colour>, more: Option<&'static str>) {
        let mut by: Vec<&str> = winners.iter().flat_map(|winner| self.conditions(*winner)).chain(more).collect();
        by.sort_unstable();
        by.dedup();
        self.result = Some(Ending::Win { winners, by });
    }

    /// The overtime that these winners' claim leads to, if it does.
    fn overtime_of(&self, winners: &[Colour]) -> Option<Pending> {
        let [colour] = *winners else { return None };
        let lines = lines(&self.options, &self.board, colour);
        let by_one_line = self.conditions(colour) == ["line"] && lines.len() == 1;
        let next = openings::colour_of(&self.options, self.progress, self.turn().seat);
        if self.options.overtime == Overtime::None || !by_one_line || next == colour {
            return None;
        }
        let pending = Pending { colour, line: lines[0].clone() };
        let mut overtime = self.clone();
        overtime.overtime = Some(pending.clone());
        overtime.can_stop(&pending).then_some(pending)
    }

    /// Can the player to move, in this overtime, do what the kind of overtime asks?
    fn can_stop(&self, pending: &Pending) -> bool {
        match self.options.overtime {
            Overtime::None => false,
            Overtime::Break => self.board.empty_points().any(|point| self.can_break(pending, point)),
            Overtime::Take => open_end(&self.board, &pending.line, self.turn().colour).is_some_and(|point| {
                let mut choices = self.choices(point).into_iter();
                choices.any(|take| take.contains(&pending.line) && self.refusal(point, Some(&take)).is_none())
            }),
        }
    }

    fn can_break(&self, pending: &Pending, point: Point) -> bool {
        self.choices(point).into_iter().any(|take| {
            let after = self.resolve(point, &take).board;
            lines(&self.options, &after, pending.colour).is_empty() && self.refusal(point, Some(&take)).is_none()
        })
    }
}
