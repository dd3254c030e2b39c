//! The path for every option, over [`Game::place`].

use super::super::Must;
use super::super::board::{EMPTY, Spot, point_of};
use super::{Ended, Game, Watch, choose, pick};
use crate::{Action, Point, Refusal, Take};

/// A game and its empty spots.
#[derive(Clone)]
pub(super) struct Slow {
    game: Game,
    empties: Vec<Spot>,
}

impl Slow {
    pub(super) fn of(game: &Game) -> Slow {
        Slow { game: game.clone(), empties: game.board.spots_of(EMPTY).collect() }
    }

    pub(super) fn run(&mut self, random: &mut impl FnMut() -> u32, watch: &mut impl Watch) -> Ended {
        loop {
            match self.game.phase.must() {
                Must::Place => self.place_one(random, watch),
                Must::Choose => self.choose(choose(random, false), watch),
                Must::ChooseOrAdd => self.choose(choose(random, true), watch),
            }
            if let Some(outcome) = &self.game.outcome {
                return Ended::of(outcome);
            }
        }
    }

    fn choose(&mut self, choice: Option<u8>, watch: &mut impl Watch) {
        let colour = choice.map(|side| self.game.rules.turn_colours()[usize::from(side)]);
        watch.choice(colour);
        let done = self.game.act(&colour.map_or(Action::Add, Action::Choose));
        debug_assert!(done.is_ok(), "the choice was asked for");
    }

    /// A stone on one of the legal points: those that are not are passed over. A game that is not over has one.
    fn place_one(&mut self, random: &mut impl FnMut() -> u32, watch: &mut impl Watch) {
        let mut left = self.empties.len();
        while left > 0 {
            let index = pick(random, left);
            let spot = self.empties[index];
            let gone_from = self.game.gone.len();
            if self.play(point_of(spot)).is_ok() {
                watch.stone(spot);
                self.empties.swap_remove(index);
                self.empties.extend(self.game.gone[gone_from..].iter().map(|gone| gone.spot));
                return;
            }
            left -= 1;
            self.empties.swap(index, left);
        }
        unreachable!("a game without a legal point is a draw");
    }

    /// With all groups, or where that is forbidden with the first choice that is not.
    fn play(&mut self, at: Point) -> Result<(), Refusal> {
        match self.game.place(at) {
            Err(Refusal::DoubleThree) if !self.game.rules.options().forced_capture => {
                let groups = self.game.groups(at);
                let subsets = (0..1u32 << groups.len()).rev().map(|bits| {
                    let chosen = groups.iter().enumerate().filter(move |(index, _)| bits >> index & 1 == 1);
                    Take::Just(chosen.map(|(_, group)| group.clone()).collect())
                });
                let mut tried = subsets.map(|take| self.game.act(&Action::Place { at, take }).map(|_| ()));
                tried.find(Result::is_ok).unwrap_or(Err(Refusal::DoubleThree))
            }
            done => done,
        }
    }
}
