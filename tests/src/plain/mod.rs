//! The rules a second time, as plain as possible: the board is a list of cells, everything is looked up again after
//! each move, and a move is tried by making it on a copy.
//!
//! Written from `crates/rules/RULES.md` and the part on `c5 referee` of `crates/c5/INTERFACES.md` alone. It shares
//! no code and no type with `crates/rules`, so that where the two agree neither repeats the other's mistake.

use std::collections::BTreeSet;

use serde_json::Value;

pub mod action;
pub mod board;
pub mod moves;
pub mod openings;
pub mod options;
pub mod referee;
pub mod renju;
pub mod shapes;
pub mod winning;

pub use action::{Action, Group};
use board::{Board, Colour, Point};
use openings::{Must, Progress, Turn};
use options::{BadRules, Forbidden, IntoFlank, Options};
use renju::Shapes;
use shapes::DoubleThree;
use winning::{Ending, Pending};

/// A game from its empty board on.
#[derive(Clone, Debug)]
pub struct Plain {
    pub options: Options,
    pub board: Board,
    pub progress: Progress,
    /// Stones taken by each colour, in the order of `Colour::ALL`.
    captured: [usize; 4],
    pub overtime: Option<Pending>,
    pub result: Option<Ending>,
}

/// What steps 3 and 4 of a move leave.
pub struct Resolved {
    pub board: Board,
    /// The stones that each side took of the flanks into which the mover moved.
    pub lost: Vec<(Colour, Group)>,
    captured: [usize; 4],
}

/// What an accepted stone did, beyond what the position shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    pub took: Vec<Group>,
    /// The stones that each side took of the flanks into which the mover moved, each stone once.
    pub lost: Vec<(Colour, Group)>,
}

impl Plain {
    /// Starts a game under the referee's `rules` object.
    ///
    /// # Errors
    /// Why the rules are refused.
    pub fn new(rules: &Value) -> Result<Plain, BadRules> {
        let options = Options::read(rules)?;
        Ok(Plain {
            board: Board::empty(options.board),
            options,
            progress: Progress::default(),
            captured: [0; 4],
            overtime: None,
            result: None,
        })
    }

    /// Who acts; without meaning once there is a result.
    pub fn turn(&self) -> Turn {
        openings::turn(&self.options, self.progress)
    }

    /// Stones taken by a colour.
    pub fn captured(&self, colour: Colour) -> usize {
        self.captured[colour as usize]
    }

    /// Plays an action.
    ///
    /// # Errors
    /// The referee's code; then nothing has changed.
    pub fn play(&mut self, action: &Action) -> Result<Done, &'static str> {
        if self.result.is_some() {
            return Err("game-over");
        }
        match action {
            Action::Place { at, take } => self.place(*at, take.as_deref()),
            Action::Choose(colour) => self.choose(*colour).map(|()| Done::default()),
            Action::Add => self.add().map(|()| Done::default()),
            Action::Resign(colour) => self.resign(*colour).map(|()| Done::default()),
            Action::Draw => {
                self.overtime = None;
                self.result = Some(Ending::Draw { by: "agreement" });
                Ok(Done::default())
            }
        }
    }

    /// The empty points where the seat to act may not play, sorted.
    pub fn illegal(&self) -> Vec<Point> {
        if !self.awaits_stone() {
            return Vec::new();
        }
        self.board.empty_points().filter(|point| !self.is_legal(*point)).collect()
    }

    /// The groups that a stone may take, for each legal point where it may take any, sorted.
    pub fn groups(&self) -> Vec<(Point, Vec<Group>)> {
        if !self.awaits_stone() {
            return Vec::new();
        }
        let groups = self.board.empty_points().map(|point| (point, self.groups_at(point)));
        groups.filter(|(point, groups)| !groups.is_empty() && self.is_legal(*point)).collect()
    }

    /// The groups that a stone of the next colour on an empty point may take, in overtime the line too.
    pub fn groups_at(&self, point: Point) -> Vec<Group> {
        let mover = self.turn().colour;
        let mut groups = moves::groups(&self.options, &self.board, mover, point);
        if let Some(pending) = &self.overtime
            && self.options.overtime == options::Overtime::Take
            && winning::open_end(&self.board, &pending.line, mover) == Some(point)
        {
            groups.push(pending.line.clone());
            groups.sort();
        }
        groups
    }

    /// Every choice of groups that the mover has on an empty point.
    pub fn choices(&self, point: Point) -> Vec<Vec<Group>> {
        let groups = self.groups_at(point);
        if self.options.forced_capture {
            return vec![groups];
        }
        groups.iter().fold(vec![Vec::new()], |choices, group| {
            choices.into_iter().flat_map(|choice| [choice.clone(), [choice, vec![group.clone()]].concat()]).collect()
        })
    }

    /// Is there a choice of groups with which a stone may be played here?
    pub fn is_legal(&self, point: Point) -> bool {
        self.board.is_empty(point)
            && self.choices(point).into_iter().any(|take| self.refusal(point, Some(&take)).is_none())
    }

    /// Why a stone may not be played, the first reason that applies.
    pub fn refusal(&self, point: Point, take: Option<&[Group]>) -> Option<&'static str> {
        if self.turn().must != Must::Place {
            return Some("not-a-choice");
        }
        let outside = |point: &Point| !self.board.contains(*point);
        if outside(&point) || take.is_some_and(|groups| groups.iter().flatten().any(outside)) {
            return Some("off-board");
        }
        if !self.board.is_empty(point) {
            return Some("occupied");
        }
        if !openings::allows(&self.options, self.progress, &self.board, point) {
            return Some("opening");
        }
        let exempt = openings::is_exempt(&self.options, self.progress);
        if !exempt && self.options.into_flank == IntoFlank::NotAllowed && self.enters_flank(point) {
            return Some("into-flank");
        }
        if !take.is_none_or(|take| self.may_take(point, take)) {
            return Some("bad-take");
        }
        if exempt { None } else { self.forbidden(point, take) }
    }

    /// Whether a stone is a double three, for a colour that may not make one.
    pub fn double_three(&self, point: Point, take: Option<&[Group]>) -> DoubleThree {
        let mover = self.turn().colour;
        match self.options.forbidden {
            Forbidden::DoubleThreeFirst if mover != self.options.turn_colours()[0] => DoubleThree::None,
            Forbidden::DoubleThreeFirst | Forbidden::DoubleThreeBoth => {
                let taken = take.map_or_else(|| self.groups_at(point), <[Group]>::to_vec).concat();
                let after = self.board.with(point, mover).without(&taken);
                DoubleThree::of(&self.options, &self.board, &after, mover, point)
            }
            Forbidden::None | Forbidden::Renju => DoubleThree::None,
        }
    }

    /// What a stone of black makes under Renju.
    pub fn renju_shapes(&self, point: Point) -> Option<Shapes> {
        let mover = self.turn().colour;
        let restricted = self.options.forbidden == Forbidden::Renju && mover == Colour::Black;
        restricted.then(|| Shapes::of(&self.board.with(point, mover), point))
    }

    /// The board after steps 3 and 4 of section 4.
    pub fn resolve(&self, point: Point, take: &[Group]) -> Resolved {
        let mover = self.turn().colour;
        let with_stone = self.board.with(point, mover);
        let mut captured = self.captured;
        captured[mover as usize] += take.iter().map(Vec::len).sum::<usize>();
        let flanks = match self.options.into_flank {
            IntoFlank::Captured => moves::flanks(&self.options, &with_stone, mover, point),
            IntoFlank::Nothing | IntoFlank::NotAllowed => Vec::new(),
        };
        let stones_of = |by: Colour| {
            let stretches =
                flanks.iter().filter(|flank| flank.by == by).flat_map(|flank| flank.stretch.iter().copied());
            // A stone that stands in flanks on two axes is one stone.
            BTreeSet::from_iter(stretches).into_iter().collect::<Group>()
        };
        let mut lost: Vec<(Colour, Group)> = Colour::ALL.into_iter().map(|by| (by, stones_of(by))).collect();
        lost.retain(|(_, stones)| !stones.is_empty());
        for (by, stones) in &lost {
            captured[*by as usize] += stones.len();
        }
        let leaving: Group = take.iter().chain(lost.iter().map(|(_, stones)| stones)).flatten().copied().collect();
        Resolved { board: with_stone.without(&leaving), lost, captured }
    }

    fn place(&mut self, point: Point, take: Option<&[Group]>) -> Result<Done, &'static str> {
        if let Some(code) = self.refusal(point, take) {
            return Err(code);
        }
        let took = take.map_or_else(|| self.groups_at(point), <[Group]>::to_vec);
        let resolved = self.resolve(point, &took);
        self.board = resolved.board;
        self.captured = resolved.captured;
        self.progress.ply += 1;
        let standing = self.overtime.take();
        self.judge(standing.as_ref());
        Ok(Done { took, lost: resolved.lost })
    }

    fn choose(&mut self, colour: Colour) -> Result<(), &'static str> {
        let turn = self.turn();
        if turn.must == Must::Place {
            return Err("not-a-choice");
        }
        let takes_first = colour == self.options.turn_colours()[0];
        self.progress.chosen = true;
        self.progress.swapped = takes_first != (turn.seat == 0);
        Ok(())
    }

    fn add(&mut self) -> Result<(), &'static str> {
        if self.turn().must != Must::ChooseOrAdd {
            return Err("not-a-choice");
        }
        self.progress.added = true;
        Ok(())
    }

    fn resign(&mut self, colour: Option<Colour>) -> Result<(), &'static str> {
        let holder = openings::colour_of(&self.options, self.progress, self.turn().seat);
        let loser = colour.unwrap_or(holder);
        let colours = self.options.colours();
        if colours.len() != 2 || !colours.contains(&loser) {
            return Err("bad-request");
        }
        self.overtime = None;
        let winners = colours.into_iter().filter(|colour| *colour != loser).collect();
        self.end_with(winners, Some("resignation"));
        Ok(())
    }

    fn awaits_stone(&self) -> bool {
        self.result.is_none() && self.turn().must == Must::Place
    }

    fn enters_flank(&self, point: Point) -> bool {
        let mover = self.turn().colour;
        !moves::flanks(&self.options, &self.board.with(point, mover), mover, point).is_empty()
    }

    /// Are these groups a choice that the mover has? Their order does not matter.
    fn may_take(&self, point: Point, take: &[Group]) -> bool {
        let groups = self.groups_at(point);
        let mut named = take.to_vec();
        named.sort();
        named.dedup();
        let each_once = named.len() == take.len();
        let complete = !self.options.forced_capture || named.len() == groups.len();
        each_once && complete && named.iter().all(|group| groups.contains(group))
    }

    /// Double three and Renju (section 6), judged with the mover's captures made and nothing else.
    fn forbidden(&self, point: Point, take: Option<&[Group]>) -> Option<&'static str> {
        if let Some(shapes) = self.renju_shapes(point) {
            return shapes.refusal();
        }
        match self.double_three(point, take) {
            DoubleThree::Forbidden => Some("double-three"),
            DoubleThree::None | DoubleThree::MakesLine | DoubleThree::BlocksFive => None,
        }
    }
}
