//! What threatens a side: where an enemy would win or take its stones, if it were that enemy's turn. For who looks at
//! the board, and for who listens instead.

use serde::{Deserialize, Serialize};

use super::Game;
use super::board::spot_of;
use super::preview::{After, Preview};
use crate::{Colour, Condition, Group, Outcome, Point};

/// A point where an enemy would win or take stones with its next stone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threat {
    /// The enemy.
    pub by: Colour,
    pub at: Point,
    /// How many stones others place before the enemy's turn comes; 0 if it is to move now.
    pub ahead: u8,
    pub danger: Danger,
    /// What the enemy takes for that danger, sorted; where captures are optional and several choices would do, the
    /// largest.
    pub takes: Vec<Group>,
    /// Stones of the threatened side that the enemy could take there by some legal choice, sorted.
    pub stones: Vec<Point>,
}

/// The worst that would come of it, from worst to least.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Danger {
    /// The enemy wins, by these conditions together with these other sides (the threatened one may be among them).
    Wins { by: Vec<Condition>, with: Vec<Colour> },
    /// The enemy makes this line, which waits for the next player's move.
    Overtime { line: Vec<Point> },
    /// The enemy takes stones of the threatened side.
    Captures,
}

impl Danger {
    /// Wins before lines that can be stopped before captures; winning alone before winning with others.
    fn rank(&self) -> usize {
        match self {
            Danger::Wins { with, .. } => with.len(),
            Danger::Overtime { .. } => Colour::ALL.len(),
            Danger::Captures => Colour::ALL.len() + 1,
        }
    }
}

impl Game {
    /// Points where an enemy of this side would win, make a line that waits in overtime, or take stones of this side,
    /// if it were that enemy's turn now and the stones are as they are. Only points that are legal for that enemy then
    /// count. The most urgent first: by whose turn comes first, then wins before overtime before captures, then by
    /// point.
    ///
    /// There are none for a colour that is not in play, after the end, and while an opening's stones are placed and
    /// colours chosen: nobody is anybody's enemy before that. While a line waits for the next move only the next
    /// player's stone counts, since whether anybody else moves at all depends on it; the line itself is told by
    /// [`Game::overtime`], not here.
    ///
    /// ```
    /// # use rules::{Colour, Danger, Game, Preset, Rules};
    /// // 8 . B W W .      Black, who is to move, can take I8 and J8 from K8.
    /// //   G H I J K
    /// let mut game = Game::new(Rules::of(Preset::CaptureFive));
    /// for at in ["H8", "I8", "A1", "J8"] {
    ///     game.place(at.parse().unwrap()).unwrap();
    /// }
    /// let threats = game.threats(Colour::White);
    /// assert_eq!((threats[0].at.to_string(), threats[0].ahead), ("K8".to_owned(), 0));
    /// assert_eq!((&threats[0].danger, threats[0].stones.len()), (&Danger::Captures, 2));
    /// assert!(game.threats(Colour::Black).is_empty());
    /// ```
    pub fn threats(&self, colour: Colour) -> Vec<Threat> {
        let colours = self.rules.turn_colours();
        let in_play = &colours[..usize::from(self.rules.sides())];
        if !in_play.contains(&colour) {
            return Vec::new();
        }
        let mut threats = Vec::new();
        for &enemy in in_play.iter().filter(|&&enemy| enemy != colour) {
            let Some((ahead, game)) = self.as_if(enemy) else { continue };
            let previews = game.previews();
            threats.extend(previews.into_iter().filter_map(|preview| game.threat(colour, enemy, ahead, preview)));
        }
        threats.sort_by_key(|threat| (threat.ahead, threat.danger.rank(), threat.at));
        threats
    }

    /// What is dangerous for a side in an enemy's stone.
    fn threat(&self, colour: Colour, enemy: Colour, ahead: u8, preview: Preview) -> Option<Threat> {
        let is_ours = |at: &&Point| super::board::colour_of(self.board.at(spot_of(**at))) == Some(colour);
        let chosen = preview.ways.iter().flat_map(|way| &way.takes).flat_map(|group| &group.0);
        let mut stones: Vec<Point> = chosen.filter(is_ours).copied().collect();
        stones.sort_unstable();
        stones.dedup();
        let dangers = preview.ways.into_iter().filter_map(|way| {
            let takes_ours = way.takes.iter().flat_map(|group| &group.0).any(|at| is_ours(&at));
            Some((danger(enemy, way.after, takes_ours)?, way.takes))
        });
        // The first of the worst: the largest choice.
        let (danger, takes) = dangers.min_by_key(|(danger, _)| danger.rank())?;
        Some(Threat { by: enemy, at: preview.at, ahead, danger, takes, stones })
    }
}

/// What is dangerous in what becomes of the game; `None` if nothing. Stones that are lost with the game, or that an
/// enemy takes while somebody else wins, are none.
fn danger(enemy: Colour, after: After, takes_ours: bool) -> Option<Danger> {
    match after {
        After::Over(Outcome::Win { winners, by }) if winners.contains(&enemy) => {
            Some(Danger::Wins { by, with: winners.into_iter().filter(|&winner| winner != enemy).collect() })
        }
        After::Over(Outcome::Win { .. } | Outcome::Draw(_)) => None,
        After::Overtime(overtime) if overtime.colour == enemy => {
            Some(Danger::Overtime { line: overtime.lines.into_iter().next().unwrap_or_default() })
        }
        After::Overtime(_) | After::GoesOn => takes_ours.then_some(Danger::Captures),
    }
}
