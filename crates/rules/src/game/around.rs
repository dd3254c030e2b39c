//! What happens around the moves (RULES.md, section 8): resigning, an agreed draw, taking back. Who may ask for
//! them, and when, is for the table to say.

use super::board::stone;
use super::overtime::claimant;
use super::{Game, Overtime, Played};
use crate::{Colour, Condition, DrawBy, Outcome, Refusal};

impl Game {
    /// A side resigns, where there are two: the other wins. The line that waits for the loser's move is named as well.
    pub(super) fn resign(&mut self, loser: Colour) -> Result<(), Refusal> {
        let [first, second, ..] = self.rules.turn_colours();
        if self.rules.sides() != 2 || ![first, second].contains(&loser) {
            return Err(Refusal::BadRequest);
        }
        let winner = if first == loser { second } else { first };
        let line = self.claim.filter(|line| claimant(*line) == stone(winner)).map(|_| Condition::Line);
        let by = line.into_iter().chain([Condition::Resignation]).collect();
        self.end(Outcome::Win { winners: vec![winner], by });
        Ok(())
    }

    /// Who resigned: the player of that colour, in teams the one whose turn it was or else the first of the two.
    pub(super) fn resignation(&self, colour: Colour, mover: u8) -> Played {
        let mut players = std::iter::once(mover).chain(0..self.rules.players());
        let player = players.find(|&player| self.colour_of(player) == colour).unwrap_or(mover);
        Played { player, colour: Some(colour), took: Vec::new(), lost: Vec::new() }
    }

    /// A draw that all have agreed to.
    pub(super) fn agree_draw(&mut self) {
        self.end(Outcome::Draw(DrawBy::Agreement));
    }

    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.claim = None;
        self.overtime = None;
    }

    /// Takes the last action back; false when there is none since the start. Restores every bit.
    ///
    /// ```
    /// # use rules::{Colour, example::{game, play, shows}};
    /// let mut game = game("capture-five", "D4 E4 A1 F4 G4");
    /// shows(&game, "D4", "B . . B");
    /// assert!(game.undo());
    /// shows(&game, "D4", "B W W .");
    /// assert_eq!((game.captured(Colour::Black), game.ply()), (0, 4));
    /// ```
    pub fn undo(&mut self) -> bool {
        let Some(step) = self.steps.pop() else { return false };
        self.actions.pop();
        if let Some(placed) = step.placed {
            self.ply -= 1;
            let took_it = self.gone[step.gone_from..].iter().any(|gone| gone.spot == placed);
            if !took_it {
                self.board.lift(placed);
            }
            for gone in self.gone.drain(step.gone_from..).filter(|gone| gone.spot != placed) {
                self.board.place(gone.spot, gone.stone);
            }
        }
        self.captured = step.captured;
        self.phase = step.phase;
        self.swapped = step.swapped;
        self.claim = step.claim;
        self.overtime = step.claim.map(Overtime::of);
        self.outcome = None;
        true
    }
}
