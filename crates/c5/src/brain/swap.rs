//! The opening `SWAP2BOARD`: the same as `place-three` (RULES.md, section 7), asked for in one request a player.

use rules::{Action, Game, Must, Point, Rules};

use super::position::pair;

/// Decisions that one request asks for, at most; each gets its part of the time.
pub const DECISIONS_MAX: u32 = 3;

/// A request that is being answered, decision by decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swap {
    /// Who is asked, in turn order.
    player: u8,
    decisions: u32,
    points: Vec<String>,
}

/// What follows from a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    Decide,
    Answer(String),
}

/// The position after these stones, none, three or five, and the request about it; `None` where it can be none.
pub fn asked(stones: &[Point], rules: Rules) -> Option<(Game, Swap)> {
    let mut actions: Vec<Action> = stones.iter().map(|&at| Action::place(at)).collect();
    match stones.len() {
        0 | 3 => {}
        5 => actions.insert(3, Action::Add),
        _ => return None,
    }
    let game = Game::replay(rules, &actions).ok()?;
    let player = game.turn()?.player;
    Some((game, Swap { player, decisions: 0, points: Vec::new() }))
}

impl Swap {
    /// How many decisions there were so far.
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// Goes on after this action, which the game has taken.
    pub fn after(&mut self, action: &Action, game: &Game) -> Next {
        let board = game.rules().board();
        self.decisions += 1;
        match action {
            Action::Place { at, .. } => self.points.push(pair(*at, board)),
            Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => {}
        }
        let goes_on = game.turn().is_some_and(|turn| turn.player == self.player && turn.must == Must::Place);
        if goes_on {
            Next::Decide
        } else if self.points.is_empty() {
            Next::Answer("SWAP".to_owned())
        } else {
            Next::Answer(self.points.join(" "))
        }
    }
}
