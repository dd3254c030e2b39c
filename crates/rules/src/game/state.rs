//! The state that decides how a game goes on (RULES.md, sections 4 to 7), as bytes and as a quick hash.

use super::Game;
use super::board::mix;
use super::opening::Phase;
use crate::{Condition, DrawBy, Outcome};

/// First byte of [`Game::state_bytes`].
const STATE_BYTES_VERSION: u8 = 1;

impl Game {
    /// Canonical bytes of the state (board, totals, turn, phase, claim, result), for hashing.
    pub fn state_bytes(&self) -> Vec<u8> {
        let board = self.rules.board();
        let side = usize::from(board.side());
        let mut bytes = Vec::with_capacity(side * side + 64);
        bytes.extend([STATE_BYTES_VERSION, board.side()]);
        for row in self.board.rows(board.side()) {
            bytes.extend_from_slice(row);
        }
        for total in self.captured {
            bytes.extend(total.to_le_bytes());
        }
        bytes.extend(self.ply.to_le_bytes());
        bytes.extend(self.phase_bytes());
        bytes.push(u8::from(self.swapped));
        match self.claim {
            None => bytes.push(0),
            Some(line) => {
                bytes.extend([1, line.colour as u8, line.axis, line.length]);
                bytes.extend(line.start.to_le_bytes());
            }
        }
        bytes.extend(self.outcome_bytes());
        bytes
    }

    fn phase_bytes(&self) -> [u8; 3] {
        match self.phase {
            Phase::Play => [0, 0, 0],
            Phase::Setup { player, left } => [1, player, left],
            Phase::Choice { player, may_add } => [2, player, u8::from(may_add)],
        }
    }

    fn outcome_bytes(&self) -> Vec<u8> {
        match &self.outcome {
            None => vec![0],
            Some(Outcome::Win { winners, by }) => {
                let winners = winners.iter().fold(0, |bits, winner| bits | 1 << winner.index());
                let by = by.iter().fold(0, |bits, &condition| {
                    bits | match condition {
                        Condition::Captures => 1,
                        Condition::Line => 2,
                        Condition::Resignation => 4,
                    }
                });
                vec![1, winners, by]
            }
            Some(Outcome::Draw(by)) => {
                let by = match by {
                    DrawBy::AllWin => 0,
                    DrawBy::FullBoard => 1,
                    DrawBy::NoLegalMove => 2,
                    DrawBy::Agreement => 3,
                };
                vec![2, by]
            }
        }
    }

    /// A quick hash of what decides the game from here on (board, totals, who acts, phase, claim, whether it is
    /// over), the same for the same state on every machine and whatever the way to it. Not cryptographic.
    pub fn hash(&self) -> u64 {
        let totals = self.captured.iter().fold(0, |packed, &total| packed << 16 | u64::from(total));
        let opening = self.centre_rule().map_or(0, |least| least + 1);
        let [kind, player, left] = self.phase_bytes();
        let claim = self.claim.map_or(0, |line| u64::from(line.start) << 8 | u64::from(line.axis) << 4 | 1);
        let turn = [
            kind,
            player,
            left,
            (self.ply % u16::from(self.rules.players())) as u8,
            opening,
            u8::from(self.swapped),
            u8::from(self.outcome.is_some()),
            0,
        ];
        let rest = mix(mix(mix(totals) ^ claim) ^ u64::from_le_bytes(turn));
        self.board.hash() ^ rest
    }
}
