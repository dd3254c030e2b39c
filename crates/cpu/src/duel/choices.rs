//! Where captures are optional the search takes everything. Only at the root other choices of groups are tried as well,
//! each by what the position after it is worth.

use rules::{Action, Game, Take};

use super::search::Here;
use super::{Came, Node, Search};
use crate::choices;
use crate::ground::Ground;
use crate::spots::Spot;

/// So many groups are weighed one by one at a point; with more, all are taken.
const GROUPS_MAX: usize = 4;
/// Choices that are tried at the root, at most.
const CHOICES_MAX: usize = 64;

/// A stone that takes less than it could.
pub struct Choice {
    spot: Spot,
    take: Take,
    came: Came,
    /// The position after it, while the game goes on.
    node: Option<Node>,
}

impl Choice {
    /// Every stone of a position that may take less than it could.
    fn all(ground: &Ground, game: &Game) -> Vec<Choice> {
        let Some(turn) = game.turn() else { return Vec::new() };
        let side = ground.side_of(turn.colour);
        let points = game.rules().board().points();
        let takes = points.flat_map(|at| choices::others(game, at, GROUPS_MAX).into_iter().map(move |some| (at, some)));
        let choice = |(at, some)| {
            let take = Take::Just(some);
            let mut after = game.clone();
            after.play(&Action::Place { at, take: take.clone() }).ok()?;
            let node = after.turn().map(|_| Node::of(ground, &after));
            Some(Choice { spot: ground.spot(at), take, came: Came::of(ground, &after, side), node })
        };
        takes.filter_map(choice).take(CHOICES_MAX).collect()
    }
}

impl Search<'_> {
    /// Lets it take less than it could, where that is free.
    pub fn free_to_take(&mut self, game: &Game) {
        self.choices = Choice::all(self.ground, game);
    }

    /// What the best stone at the root takes.
    pub fn take(&self) -> Take {
        self.choice.map_or(Take::All, |choice| self.choices[choice].take.clone())
    }

    /// Tries the stones at the root that take less than they could, against the best score and stone of those that take
    /// all.
    pub fn try_choices(&mut self, here: &Here, alpha: i32, mut best: (i32, Spot)) -> (i32, Spot) {
        let choices = std::mem::take(&mut self.choices);
        for (number, choice) in choices.iter().enumerate() {
            let known = alpha.max(best.0);
            if self.stopped || known >= here.beta {
                break;
            }
            if self.barred.contains(&choice.spot) {
                continue;
            }
            let score = match choice.came {
                Came::Illegal => continue,
                Came::Won => Self::won_in(0, 1),
                Came::Lost => -Self::won_in(0, 1),
                Came::Draw => 0,
                Came::On => self.after_choice(here, known, choice),
            };
            let score = self.misjudged(score, choice.spot);
            if self.stopped || score <= best.0 {
                continue;
            }
            best = (score, choice.spot);
            if score > alpha {
                self.choice = Some(number);
                if choice.came != Came::On {
                    self.lines[1].clear();
                }
                self.extend_line(0, choice.spot);
            }
        }
        self.choices = choices;
        best
    }

    /// The score of a choice after which the game goes on; at first whether it is better than what is known.
    fn after_choice(&mut self, here: &Here, known: i32, choice: &Choice) -> i32 {
        let Some(node) = &choice.node else { return known };
        self.count();
        if self.stack.len() == 1 {
            self.stack.push(node.clone());
        }
        self.stack[1].clone_from(node);
        if let Some(judge) = &mut self.judge {
            let at = self.ground.point(choice.spot);
            if judge.play(&Action::Place { at, take: choice.take.clone() }).is_err() {
                return known;
            }
        }
        let depth = here.depth - 1;
        let mut score = -self.search(1, depth, -known - 1, -known, false);
        if score > known && score < here.beta {
            score = -self.search(1, depth, -here.beta, -known, false);
        }
        self.leave();
        score
    }
}
