//! What can happen in a game, each kind counted, so that a run shows what it has reached.

use std::fmt;

/// Declares the events with the words by which the table names them.
macro_rules! events {
    ($($event:ident = $name:literal,)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Event { $($event),+ }

        impl Event {
            pub const ALL: &[Event] = &[$(Event::$event),+];

            pub const fn name(self) -> &'static str {
                match self { $(Event::$event => $name),+ }
            }
        }
    };
}

events! {
    Games = "games",
    Texts = "requests to the referee",
    Plies = "stones",
    TwoSeats = "games of two seats",
    ThreeSeats = "games of three seats",
    FourSeats = "games of four seats",
    Teams = "games of teams",
    WhiteFirst = "games that white starts",
    EndLine = "end: line",
    EndCaptures = "end: captures",
    EndLineAndCaptures = "end: line and captures",
    EndJointTwo = "end: two sides win",
    EndJointThree = "end: three sides win",
    EndAllWinTwo = "end: all win, two sides",
    EndAllWinMore = "end: all win, three or four sides",
    EndFullBoard = "end: full board",
    EndNoLegalMove = "end: no legal move",
    EndNoLegalMoveFlank = "end: no legal move, flanks not allowed",
    EndNoLegalMoveRenju = "end: no legal move, renju",
    EndAgreement = "end: agreement",
    EndResignation = "end: resignation",
    EndResignationOfOther = "end: resignation of the side not to move",
    EndResignationInOpening = "end: resignation in an opening",
    EndResignationInOvertime = "end: resignation in overtime",
    EndTrimmed = "end: a trimmed line of another side",
    EndFlankGoal = "end: captures by moving into a flank",
    EndWhiteOverlineRenju = "end: white overline in renju",
    EndTeamGoal = "end: captures of a team",
    RefusedGameOver = "refused: game-over",
    RefusedBadRequest = "refused: bad-request",
    RefusedNotAChoice = "refused: not-a-choice",
    RefusedOffBoard = "refused: off-board",
    RefusedOccupied = "refused: occupied",
    RefusedOpening = "refused: opening",
    RefusedIntoFlank = "refused: into-flank",
    RefusedBadTake = "refused: bad-take",
    RefusedDoubleThree = "refused: double-three",
    RefusedDoubleThreeRenju = "refused: double-three in renju",
    RefusedDoubleFour = "refused: double-four",
    RefusedOverline = "refused: overline",
    ClashTeamsSeats = "clash: teams, seats",
    ClashOpeningSeats = "clash: opening, seats",
    ClashForbiddenSeats = "clash: forbidden, seats",
    ClashForbiddenColours = "clash: forbidden, colours",
    ClashForbiddenCaptures = "clash: forbidden, captures",
    ClashForcedCaptures = "clash: forced_capture, captures",
    ClashThreesCaptures = "clash: capture_threes, captures",
    ClashFlankCaptures = "clash: into_flank, captures",
    ClashOvertimeCaptures = "clash: overtime, captures",
    OvertimeBreak = "overtime: opened under break",
    OvertimeTake = "overtime: opened under take",
    OvertimeNotOpened = "overtime: none, as the line cannot be stopped",
    OvertimeTrimmed = "overtime: of a trimmed line of another side",
    StoppedByBreak = "overtime: stopped by break",
    StoppedByTake = "overtime: stopped by take",
    StoppedByCapture = "overtime: stopped by another capture under take",
    NotStopped = "overtime: not stopped",
    NotStoppedThoughLine = "overtime: not stopped, though the next made a line",
    NotStoppedThoughGoal = "overtime: not stopped, though the next reached the goal",
    StoppedNewOvertime = "overtime: stopped, then a new one",
    StoppedAndWon = "overtime: stopped, and won at once",
    StoppedAndGoal = "overtime: stopped, and the claimant wins by captures",
    OpeningCentre = "opening: centre passed",
    OpeningCentreFar = "opening: centre-far passed",
    FourFirst = "opening: place-four, first colour chosen",
    FourSecond = "opening: place-four, second colour chosen",
    ThreeFirst = "opening: place-three, first colour chosen",
    ThreeSecond = "opening: place-three, second colour chosen",
    AddFirst = "opening: place-three, add, then first colour",
    AddSecond = "opening: place-three, add, then second colour",
    OpeningCapture = "opening: capture by a placed stone",
    OpeningFlank = "opening: placed stone into a flank",
    Capture = "capture",
    CaptureThree = "capture of three",
    CaptureMixed = "capture of mixed colours",
    CaptureMany = "capture of three groups or more",
    TookSome = "optional captures: some taken",
    TookNone = "optional captures: none taken",
    FlankOne = "flank: by one side",
    FlankTwo = "flank: by two sides",
    FlankThree = "flank: by three sides",
    FlankAxes = "flank: on two axes by one side",
    FlankStretchThree = "flank: of three stones",
    FlankMixed = "flank: of mixed colours",
    FlankAndCapture = "flank: simultaneous with a capture",
    ExemptLine = "double three allowed: makes a line",
    ExemptBlock = "double three allowed: blocks a five",
    RenjuFive = "renju: a five that is also a forbidden shape",
    RenjuThreeAndFour = "renju: a lawful stone with a four",
}

/// How often each event was met.
#[derive(Clone, Debug)]
pub struct Counters([u64; Event::ALL.len()]);

impl Default for Counters {
    fn default() -> Counters {
        Counters([0; Event::ALL.len()])
    }
}

impl Counters {
    pub fn count(&mut self, event: Event) {
        self.0[event as usize] += 1;
    }

    pub fn of(&self, event: Event) -> u64 {
        self.0[event as usize]
    }
}

/// A table, one event a line.
impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for event in Event::ALL {
            writeln!(f, "{:>10}  {}", self.of(*event), event.name())?;
        }
        Ok(())
    }
}
