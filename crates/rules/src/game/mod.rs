//! One game, from the empty board to its result (RULES.md, sections 4 to 8). Each section has its module here;
//! this one holds the state and the order in which a move is resolved.

mod around;
mod bits;
pub(crate) mod board;
mod captures;
mod double_three;
mod flank;
mod judge;
mod legal;
mod lines;
pub(crate) mod opening;
mod overtime;
mod playout;
mod preview;
mod reason;
mod renju;
mod setup;
mod shapes;
mod state;
mod threats;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::{Action, Colour, Group, Outcome, Point, Rules, Setup, Take};
use board::{Board, Cell, EMPTY, Spot, colour_of, spot_of, stone};
use captures::Takes;
use flank::Flanks;
use lines::Line;
use opening::Phase;
pub use overtime::{Overtime, Stop};
pub use playout::{Ended, Playout};
pub use preview::{After, Preview, Way};
pub use reason::{Because, Flanked, Four, Reason, Three};
pub use threats::{Danger, Threat};

named! {
    /// What the player to act must do.
    pub enum Must {
        Place = "place",
        /// Choose a colour.
        Choose = "choose",
        ChooseOrAdd = "choose-or-add",
    }
}

/// Whose turn it is. `player` is the place in turn order; `colour` that of the stone to be placed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Turn {
    pub player: u8,
    pub colour: Colour,
    pub must: Must,
}

named! {
    /// Why an action was refused, in the order in which the causes are looked for. Nothing has changed.
    pub enum Refusal {
        GameOver = "game-over",
        /// A resignation where there are more than two sides, or a colour that is not in play.
        BadRequest = "bad-request",
        /// A colour where a stone is due, or the reverse.
        NotAChoice = "not-a-choice",
        OffBoard = "off-board",
        Occupied = "occupied",
        /// Centre or distance rule of an opening.
        Opening = "opening",
        IntoFlank = "into-flank",
        BadTake = "bad-take",
        DoubleThree = "double-three",
        DoubleFour = "double-four",
        Overline = "overline",
    }
}

/// What an accepted action did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The player who acted, in turn order. A draw is by the player to act.
    pub player: u8,
    /// The stone's colour, or the colour chosen, or the side that resigned; `None` for `Add` and `Draw`.
    pub colour: Option<Colour>,
    /// Groups that the mover took.
    pub took: Vec<Group>,
    /// Flanks moved into: who took which points.
    pub lost: Vec<(Colour, Vec<Point>)>,
}

/// One game. Everything it knows follows from its rules, the setup that it started from, if any, and its actions.
///
/// The rules in pictures (`B` black, `W` white, `U` blue, `.` empty; the point named is the lower left one):
///
/// # Captures (section 4.3)
///
/// Exactly two between the new stone and another of its side; a stone that moves between two enemies is safe.
///
/// ```
/// # use rules::example::{game, play, shows};
/// let mut game = game("capture-five", "D4 E4 A1 F4");
/// shows(&game, "D4", "B W W .");
/// play(&mut game, "G4");
/// shows(&game, "D4", "B . . B");
/// // White moves in between, and only who places a stone captures.
/// play(&mut game, "E4 C1 F4");
/// shows(&game, "D4", "B W W B");
/// ```
///
/// # Flanks moved into (section 4.4)
///
/// With `into_flank=captured` the enemy takes what moves between its stones.
///
/// ```
/// # use rules::{Colour, example::{game, play, shows}};
/// let mut game = game("capture-five into_flank=captured", "E4 D4 A1 G4");
/// shows(&game, "D4", "W B . W");
/// play(&mut game, "F4");
/// shows(&game, "D4", "W . . W");
/// assert_eq!(game.captured(Colour::White), 2);
/// ```
///
/// # Winning (section 5)
///
/// All sides are looked at after a move: this capture cuts white's six to five, and white wins.
///
/// ```
/// # use rules::{Colour, Condition, Outcome, example::{game, play, shows}};
/// let mut game = game("capture-five", "A10 C3 D1 C4 F1 C5 H1 C6 J1 C8 L1 C7 N1 B9");
/// shows(&game, "A3", "
///     B . . .
///     . W . .
///     . . W .
///     . . W .
///     . . W .
///     . . W .
///     . . W .
///     . . W .
/// ");
/// play(&mut game, "D7");
/// shows(&game, "A3", "
///     B . . .
///     . . . .
///     . . . .
///     . . W B
///     . . W .
///     . . W .
///     . . W .
///     . . W .
/// ");
/// let won = Outcome::Win { winners: vec![Colour::White], by: vec![Condition::Line] };
/// assert_eq!(game.result(), Some(&won));
/// ```
///
/// # Overtime (section 5)
///
/// With `overtime=break` a line that the next player can break waits for one move.
///
/// ```
/// # use rules::{Colour, example::{game, names, play, shows}};
/// let mut game = game("capture-five overtime=break", "D4 E6 E4 A15 G4 C15 H4 M15 E5 O15 F4");
/// shows(&game, "D4", "
///     . W . . .
///     . B . . .
///     B B B B B
/// ");
/// let overtime = game.overtime().unwrap();
/// assert_eq!(overtime.colour, Colour::Black);
/// assert_eq!(names(&overtime.lines[0]), "D4 E4 F4 G4 H4");
/// play(&mut game, "E3");
/// shows(&game, "D3", "
///     . W . . .
///     . . . . .
///     B . B B B
///     . W . . .
/// ");
/// assert_eq!((game.overtime(), game.result()), (None, None));
/// ```
///
/// # Double three (section 6)
///
/// ```
/// # use rules::{Refusal, example::{at, game, names, shows}};
/// let game = game("capture-five forbidden=double-three-first", "F4 A1 G4 C1 E6 J1 E7 L1");
/// shows(&game, "D3", "
///     . B . . .
///     . B . . .
///     . . . . .
///     . . B B .
///     . . . . .
/// ");
/// let reason = game.reason(at("E4")).unwrap();
/// assert_eq!((reason.refusal, names(&reason.points()).as_str()), (Refusal::DoubleThree, "E4 F4 G4 E6 E7"));
/// ```
///
/// # Renju (section 6)
///
/// Black's run of six may not be made, nor two fours, also on one axis; exactly five wins whatever else it makes.
///
/// ```
/// # use rules::{Refusal, example::{at, game, shows}};
/// let six = game("wuziqi forbidden=renju", "D4 A1 E4 C1 F4 H1 H4 J1 I4 L1");
/// shows(&six, "D4", "B B B . B B");
/// assert_eq!(six.check(at("G4")), Err(Refusal::Overline));
///
/// let fours = game("wuziqi forbidden=renju", "D4 A1 F4 C1 G4 H1 J4 O1");
/// shows(&fours, "D4", "B . B B . . B");
/// assert_eq!(fours.check(at("H4")), Err(Refusal::DoubleFour));
/// ```
///
/// # Openings (section 7)
///
/// In `place-three` the starter places three, and the other chooses a colour or adds two.
///
/// ```
/// # use rules::{Action, Colour, Must, example::{game, play, shows}};
/// let mut game = game("pente-swap2", "A1 C1 E1");
/// shows(&game, "A1", "B . W . B");
/// assert_eq!(game.turn().unwrap().must, Must::ChooseOrAdd);
/// game.play(&Action::Add).unwrap();
/// play(&mut game, "D2 B2");
/// shows(&game, "A1", "
///     . B . W .
///     B . W . B
/// ");
/// game.play(&Action::Choose(Colour::Black)).unwrap();
/// assert_eq!(game.colour_of(0), Colour::Black);
/// let turn = game.turn().unwrap();
/// assert_eq!((turn.player, turn.colour), (1, Colour::White));
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    board: Board,
    ply: u16,
    captured: [u16; 4],
    phase: Phase,
    /// With two seats: whether the starter holds the second colour.
    swapped: bool,
    /// The line that waits for the next move; `overtime` shows it to the outside.
    claim: Option<Line>,
    overtime: Option<Overtime>,
    outcome: Option<Outcome>,
    start: Option<Arc<Setup>>,
    actions: Vec<Action>,
    /// What each action changed, for taking it back.
    steps: Vec<Step>,
    /// The stones that actions took from the board, in order.
    gone: Vec<Gone>,
}

/// The state before an action, as far as the action's other traces do not tell.
#[derive(Clone, Copy, Debug)]
struct Step {
    placed: Option<Spot>,
    gone_from: usize,
    captured: [u16; 4],
    phase: Phase,
    swapped: bool,
    claim: Option<Line>,
}

/// A stone that has left the board.
#[derive(Clone, Copy, Debug)]
struct Gone {
    spot: Spot,
    stone: Cell,
}

impl Game {
    pub fn new(rules: Rules) -> Game {
        Game {
            rules,
            board: Board::new(rules.board()),
            ply: 0,
            captured: [0; 4],
            phase: Phase::first(rules.options().opening),
            swapped: false,
            claim: None,
            overtime: None,
            outcome: None,
            start: None,
            actions: Vec::new(),
            steps: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Replays actions from the empty board; the index of the first refused one, and why.
    pub fn replay(rules: Rules, actions: &[Action]) -> Result<Game, (usize, Refusal)> {
        let mut game = Game::new(rules);
        for (index, action) in actions.iter().enumerate() {
            game.act(action).map_err(|refusal| (index, refusal))?;
        }
        Ok(game)
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Every action since the start, groups and their points sorted.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Stones placed so far.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    pub fn stone(&self, at: Point) -> Option<Colour> {
        colour_of(self.board.at(spot_of(at)))
    }

    /// Stones taken by this colour's side.
    pub fn captured(&self, by: Colour) -> u16 {
        self.captured[by.index()]
    }

    /// Where the last action took stones from the board, each point once; the new stone's own may be among them.
    pub fn gone(&self) -> impl Iterator<Item = Point> + '_ {
        let from = self.steps.last().map_or(0, |step| step.gone_from);
        self.gone[from..].iter().map(|gone| board::point_of(gone.spot))
    }

    /// `None` once there is a result.
    pub fn turn(&self) -> Option<Turn> {
        if self.outcome.is_some() {
            return None;
        }
        Some(Turn { player: self.player(), colour: self.next_colour(), must: self.phase.must() })
    }

    /// The colour that this player has now; before colours are chosen the starter holds the first colour.
    pub fn colour_of(&self, player: u8) -> Colour {
        let place = if self.rules.players() == 2 { player ^ u8::from(self.swapped) } else { player };
        self.rules.first_colour_of(place)
    }

    pub fn result(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The line that waits for the next player's move, if one does; pictures are [above](Game#overtime-section-5).
    pub fn overtime(&self) -> Option<&Overtime> {
        self.overtime.as_ref()
    }

    /// Plays an action, or says why not and changes nothing.
    ///
    /// ```
    /// # use rules::{Action, Refusal, example::{at, game, shows}};
    /// let mut game = game("capture-five", "H8");
    /// assert_eq!(game.play(&Action::place(at("H8"))), Err(Refusal::Occupied));
    /// game.play(&Action::place(at("I9"))).unwrap();
    /// shows(&game, "H8", "
    ///     . W
    ///     B .
    /// ");
    /// ```
    pub fn play(&mut self, action: &Action) -> Result<Played, Refusal> {
        let player = self.player();
        let stone_colour = self.next_colour();
        let (takes, lost) = self.act(action)?;
        let (colour, took) = match action {
            Action::Place { at, .. } => (Some(stone_colour), takes.groups(spot_of(*at))),
            Action::Choose(colour) => (Some(*colour), Vec::new()),
            Action::Add | Action::Draw => (None, Vec::new()),
            Action::Resign(colour) => return Ok(self.resignation(*colour, player)),
        };
        Ok(Played { player, colour, took, lost: lost.points() })
    }

    /// Plays a stone that takes everything it can; the quick way for a search, without an account of what it did.
    pub fn place(&mut self, at: Point) -> Result<(), Refusal> {
        self.act(&Action::place(at)).map(|_| ())
    }

    /// The groups that a stone here may take, sorted. None where a stone is illegal. With `forced_capture=false`
    /// the mover names those that it takes.
    ///
    /// ```
    /// # use rules::{Action, Take, example::{at, game, names, shows}};
    /// let mut game = game("capture-five forced_capture=false", "G4 E4 D7 F4 A1 D5 C1 D6");
    /// shows(&game, "D4", "
    ///     B . . .
    ///     W . . .
    ///     W . . .
    ///     . W W B
    /// ");
    /// let groups = game.groups(at("D4"));
    /// assert_eq!((names(&groups[0].0).as_str(), names(&groups[1].0).as_str()), ("E4 F4", "D5 D6"));
    /// let take = Take::Just(vec![groups[1].clone()]);
    /// game.play(&Action::Place { at: at("D4"), take }).unwrap();
    /// shows(&game, "D4", "
    ///     B . . .
    ///     . . . .
    ///     . . . .
    ///     B W W B
    /// ");
    /// ```
    pub fn groups(&self, at: Point) -> Vec<Group> {
        // Where nothing can be taken, asking whether a stone is legal would be the greater work.
        if !self.rules.options().captures || !self.rules.board().contains(at) {
            return Vec::new();
        }
        let takes = self.takes(spot_of(at), self.next_stone());
        if takes.is_empty() || self.check(at).is_err() { Vec::new() } else { takes.groups(spot_of(at)) }
    }

    /// The player who acts next, or would if the game were not over.
    fn player(&self) -> u8 {
        match self.phase {
            Phase::Setup { player, .. } | Phase::Choice { player, .. } => player,
            Phase::Play if self.rules.players() == 2 => (self.ply % 2) as u8 ^ u8::from(self.swapped),
            Phase::Play => (self.ply % u16::from(self.rules.players())) as u8,
        }
    }

    fn next_colour(&self) -> Colour {
        self.rules.turn_colours()[usize::from(self.ply % u16::from(self.rules.sides()))]
    }

    fn next_stone(&self) -> Cell {
        stone(self.next_colour())
    }

    fn captured_by(&self, own: Cell) -> u16 {
        colour_of(own).map_or(0, |colour| self.captured(colour))
    }

    fn act(&mut self, action: &Action) -> Result<(Takes, Flanks), Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        let before = Step {
            placed: None,
            gone_from: self.gone.len(),
            captured: self.captured,
            phase: self.phase,
            swapped: self.swapped,
            claim: self.claim,
        };
        let (step, done) = match action {
            Action::Place { at, take } => {
                let takes = self.admit(*at, take)?;
                let spot = spot_of(*at);
                let lost = self.resolve(spot, takes);
                (Step { placed: Some(spot), ..before }, (takes, lost))
            }
            Action::Choose(colour) => {
                self.choose(*colour)?;
                (before, (Takes::default(), Flanks::NONE))
            }
            Action::Add => {
                self.add()?;
                (before, (Takes::default(), Flanks::NONE))
            }
            Action::Resign(loser) => {
                self.resign(*loser)?;
                (before, (Takes::default(), Flanks::NONE))
            }
            Action::Draw => {
                self.agree_draw();
                (before, (Takes::default(), Flanks::NONE))
            }
        };
        self.steps.push(step);
        self.actions.push(action.sorted());
        Ok(done)
    }

    /// Whether the stone may be placed with these captures: what it takes then.
    fn admit(&self, at: Point, take: &Take) -> Result<Takes, Refusal> {
        let (spot, own) = (spot_of(at), self.next_stone());
        if let Take::Just(groups) = take
            && self.phase.must() == Must::Place
            && groups.iter().flat_map(|group| &group.0).any(|&point| !self.rules.board().contains(point))
        {
            return Err(Refusal::OffBoard);
        }
        self.check_place(at)?;
        let all = self.takes(spot, own);
        let chosen = all.chosen(spot, take, self.rules.options().forced_capture).ok_or(Refusal::BadTake)?;
        match if self.is_bound() { self.barred(spot, own, chosen) } else { None } {
            None => Ok(chosen),
            Some(refusal) => Err(refusal),
        }
    }

    /// Section 4, steps 2 to 6.
    fn resolve(&mut self, at: Spot, takes: Takes) -> Flanks {
        let own = self.next_colour();
        let lost = self.lost(at, stone(own));
        let gone_from = self.gone.len();
        self.board.place(at, stone(own));
        for spot in takes.spots(at).chain(lost.list().iter().flat_map(|flank| flank.spots())) {
            // A stone that two sides take leaves the board once.
            if self.board.at(spot) != EMPTY {
                self.gone.push(Gone { spot, stone: self.board.lift(spot) });
            }
        }
        self.captured[own.index()] += takes.stones();
        for colour in Colour::ALL {
            self.captured[colour.index()] += lost.stones_of(stone(colour));
        }
        self.ply += 1;
        self.phase = self.phase.after_stone(self.rules.options().opening);
        let claim = self.claim.take();
        self.overtime = None;
        self.judge(at, gone_from, claim);
        lost
    }
}
