//! Plays out a win that the mind claims against every legal answer, to the end: whether the claim holds.

use cpu::yardstick::proof::actions;
use cpu::{Budget, LEVEL_MAX, Mind, WON};
use rules::{Colour, Game, Outcome};

/// Memory of the mind, in bytes.
const MIND_BYTES: usize = 1 << 24;

/// A mind that attacks, and what it was asked so far.
pub struct Attacker {
    mind: Mind,
    side: Colour,
    /// Positions that it looks at for a move.
    nodes: u64,
    pub asked: u64,
}

impl Attacker {
    /// For the side to move.
    ///
    /// # Panics
    /// When the game is over.
    pub fn new(game: &Game, nodes: u64) -> Attacker {
        let side = game.turn().expect("a running game").colour;
        Attacker { mind: Mind::new(MIND_BYTES), side, nodes, asked: 0 }
    }

    /// Whether it wins with at most so many stones of its own, whatever is answered; else the moves up to the answer to
    /// which it claims no win.
    ///
    /// # Errors
    /// That line.
    pub fn wins(&mut self, game: &Game, stones: u8, line: &mut Vec<String>) -> Result<(), Vec<String>> {
        if stones == 0 {
            return Err(line.clone());
        }
        let budget = Budget { level: LEVEL_MAX, nodes: self.nodes, seed: 1 };
        let thought = self.mind.think(game, &budget, &mut || false);
        self.asked += 1;
        if thought.score < WON {
            return Err(line.clone());
        }
        let mut after = game.clone();
        after.play(&thought.action).map_err(|_| line.clone())?;
        line.push(thought.action.to_string());
        self.wins_against_all(&after, stones - 1, line)?;
        line.pop();
        Ok(())
    }

    fn wins_against_all(&mut self, game: &Game, stones: u8, line: &mut Vec<String>) -> Result<(), Vec<String>> {
        match game.result() {
            Some(Outcome::Win { winners, .. }) if *winners == [self.side] => return Ok(()),
            Some(_) => return Err(line.clone()),
            None => {}
        }
        for answer in actions(game, None) {
            let mut after = game.clone();
            if after.play(&answer).is_err() {
                continue;
            }
            line.push(answer.to_string());
            match after.result() {
                Some(Outcome::Win { winners, .. }) if *winners == [self.side] => {}
                Some(_) => return Err(line.clone()),
                None => self.wins(&after, stones, line)?,
            }
            line.pop();
        }
        Ok(())
    }
}
