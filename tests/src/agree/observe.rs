//! Which events an action was, seen from the plain game before and after it.

use super::events::{Counters, Event};
use crate::plain::board::Colour;
use crate::plain::openings::{self, Must};
use crate::plain::options::{BadRules, Forbidden, IntoFlank, Opening, Options, Overtime};
use crate::plain::shapes::DoubleThree;
use crate::plain::winning::{Ending, Pending, lines};
use crate::plain::{Action, Done, Plain, moves};

/// Counts what the rules of a game are.
pub fn options(counters: &mut Counters, options: &Options) {
    counters.count(Event::Games);
    counters.count(match options.seats {
        2 => Event::TwoSeats,
        3 => Event::ThreeSeats,
        _ if options.teams => Event::Teams,
        _ => Event::FourSeats,
    });
    if options.white_first {
        counters.count(Event::WhiteFirst);
    }
}

/// Counts refused rules.
pub fn bad_rules(counters: &mut Counters, why: &BadRules) {
    let BadRules::Clash(one, other) = why else { return };
    counters.count(match (*one, *other) {
        ("teams", _) => Event::ClashTeamsSeats,
        ("opening", _) => Event::ClashOpeningSeats,
        ("forbidden", "seats") => Event::ClashForbiddenSeats,
        ("forbidden", "colours") => Event::ClashForbiddenColours,
        ("forbidden", _) => Event::ClashForbiddenCaptures,
        ("forced_capture", _) => Event::ClashForcedCaptures,
        ("capture_threes", _) => Event::ClashThreesCaptures,
        ("into_flank", _) => Event::ClashFlankCaptures,
        _ => Event::ClashOvertimeCaptures,
    });
}

/// Counts a refusal.
pub fn refusal(counters: &mut Counters, game: &Plain, code: &str) {
    let renju = game.options.forbidden == Forbidden::Renju;
    counters.count(match code {
        "game-over" => Event::RefusedGameOver,
        "bad-request" => Event::RefusedBadRequest,
        "not-a-choice" => Event::RefusedNotAChoice,
        "off-board" => Event::RefusedOffBoard,
        "occupied" => Event::RefusedOccupied,
        "opening" => Event::RefusedOpening,
        "into-flank" => Event::RefusedIntoFlank,
        "bad-take" => Event::RefusedBadTake,
        "double-three" if renju => Event::RefusedDoubleThreeRenju,
        "double-three" => Event::RefusedDoubleThree,
        "double-four" => Event::RefusedDoubleFour,
        _ => Event::RefusedOverline,
    });
}

/// Counts an accepted action.
pub fn accepted(counters: &mut Counters, before: &Plain, action: &Action, done: &Done, after: &Plain) {
    match action {
        Action::Place { .. } => {
            let mut seen = Seen { counters, before, action, done, after };
            seen.captures();
            seen.flanks();
            seen.opening();
            seen.shapes();
            seen.overtime();
        }
        Action::Choose(colour) => choice(counters, before, *colour),
        Action::Resign(colour) => resignation(counters, before, *colour),
        Action::Add | Action::Draw => {}
    }
    if let Some(ending) = &after.result {
        ended(counters, before, ending, done, after);
    }
}

/// An accepted stone.
struct Seen<'a> {
    counters: &'a mut Counters,
    before: &'a Plain,
    action: &'a Action,
    done: &'a Done,
    after: &'a Plain,
}

impl Seen<'_> {
    fn count(&mut self, event: Event, times: usize) {
        for _ in 0..times {
            self.counters.count(event);
        }
    }

    fn count_if(&mut self, happened: bool, event: Event) {
        self.count(event, usize::from(happened));
    }

    fn captures(&mut self) {
        let (board, took) = (&self.before.board, &self.done.took);
        let mixed = took.iter().filter(|group| group.iter().any(|point| board.at(*point) != board.at(group[0])));
        let (mixed, threes) = (mixed.count(), took.iter().filter(|group| group.len() == 3).count());
        let Action::Place { at, take } = self.action else { return };
        let left = take.as_ref().map_or(0, |_| self.before.groups_at(*at).len() - took.len());
        let some = took.len();
        self.count(Event::Plies, 1);
        self.count(Event::Capture, some);
        self.count(Event::CaptureMixed, mixed);
        self.count(Event::CaptureThree, threes);
        self.count_if(some >= 3, Event::CaptureMany);
        self.count_if(left > 0 && some > 0, Event::TookSome);
        self.count_if(left > 0 && some == 0, Event::TookNone);
    }

    fn flanks(&mut self) {
        let Action::Place { at, .. } = self.action else { return };
        let options = &self.before.options;
        if self.done.lost.is_empty() || options.into_flank != IntoFlank::Captured {
            return;
        }
        let mover = self.before.turn().colour;
        let board = self.before.board.with(*at, mover);
        let flanks = moves::flanks(options, &board, mover, *at);
        let mixed = |stretch: &[_]| stretch.iter().any(|point| !board.has(*point, mover));
        self.count(Event::FlankStretchThree, flanks.iter().filter(|flank| flank.stretch.len() == 3).count());
        self.count(Event::FlankMixed, flanks.iter().filter(|flank| mixed(&flank.stretch)).count());
        self.count_if(flanks.len() > self.done.lost.len(), Event::FlankAxes);
        self.count_if(!self.done.took.is_empty(), Event::FlankAndCapture);
        self.count(
            match self.done.lost.len() {
                1 => Event::FlankOne,
                2 => Event::FlankTwo,
                _ => Event::FlankThree,
            },
            1,
        );
    }

    fn opening(&mut self) {
        let (options, progress) = (&self.before.options, self.before.progress);
        let exempt = openings::is_exempt(options, progress);
        self.count_if(exempt && !self.done.took.is_empty(), Event::OpeningCapture);
        self.count_if(exempt && !self.done.lost.is_empty(), Event::OpeningFlank);
        self.count_if(progress.ply == 2 && options.opening == Opening::Centre, Event::OpeningCentre);
        self.count_if(progress.ply == 2 && options.opening == Opening::CentreFar, Event::OpeningCentreFar);
    }

    fn shapes(&mut self) {
        let Action::Place { at, take } = self.action else { return };
        if openings::is_exempt(&self.before.options, self.before.progress) {
            return;
        }
        if let Some(shapes) = self.before.renju_shapes(*at) {
            let more = shapes.overline || shapes.double_four || shapes.double_three;
            self.count_if(shapes.five && more, Event::RenjuFive);
            self.count_if(!shapes.five && shapes.fours == 1, Event::RenjuThreeAndFour);
        }
        match self.before.double_three(*at, take.as_deref()) {
            DoubleThree::MakesLine => self.count(Event::ExemptLine, 1),
            DoubleThree::BlocksFive => self.count(Event::ExemptBlock, 1),
            DoubleThree::None | DoubleThree::Forbidden => {}
        }
    }

    fn overtime(&mut self) {
        if let Some(pending) = &self.before.overtime {
            self.answered(pending);
        } else if let Some(pending) = &self.after.overtime {
            self.count_if(self.after.options.overtime == Overtime::Break, Event::OvertimeBreak);
            self.count_if(self.after.options.overtime == Overtime::Take, Event::OvertimeTake);
            self.count_if(pending.colour != self.before.turn().colour, Event::OvertimeTrimmed);
        } else if self.after.options.overtime != Overtime::None
            && matches!(&self.after.result, Some(Ending::Win { winners, by }) if winners.len() == 1 && by == &["line"])
        {
            self.count(Event::OvertimeNotOpened, 1);
        }
    }

    /// A move in overtime.
    fn answered(&mut self, pending: &Pending) {
        let options = &self.after.options;
        let mover = self.before.turn().colour;
        let has_line = |colour| !lines(options, &self.after.board, colour).is_empty();
        let (stood, own_line) = (has_line(pending.colour), has_line(mover));
        let goal = options.goal();
        let own_goal = self.after.captured(mover) >= goal;
        if stood {
            self.count(Event::NotStopped, 1);
            self.count_if(own_line, Event::NotStoppedThoughLine);
            self.count_if(own_goal, Event::NotStoppedThoughGoal);
            return;
        }
        self.count(
            match options.overtime {
                Overtime::Take if self.done.took.contains(&pending.line) => Event::StoppedByTake,
                Overtime::Take => Event::StoppedByCapture,
                Overtime::None | Overtime::Break => Event::StoppedByBreak,
            },
            1,
        );
        self.count_if(self.after.overtime.is_some(), Event::StoppedNewOvertime);
        let won_by =
            |colour| matches!(&self.after.result, Some(Ending::Win { winners, .. }) if winners.contains(&colour));
        let (mover_won, claimant_won) = (won_by(mover), won_by(pending.colour));
        self.count_if(mover_won, Event::StoppedAndWon);
        self.count_if(claimant_won, Event::StoppedAndGoal);
    }
}

fn choice(counters: &mut Counters, before: &Plain, colour: Colour) {
    let first = colour == before.options.turn_colours()[0];
    counters.count(match (before.options.opening, before.progress.added, first) {
        (Opening::PlaceFour, _, true) => Event::FourFirst,
        (Opening::PlaceFour, _, false) => Event::FourSecond,
        (_, true, true) => Event::AddFirst,
        (_, true, false) => Event::AddSecond,
        (_, false, true) => Event::ThreeFirst,
        (_, false, false) => Event::ThreeSecond,
    });
}

fn resignation(counters: &mut Counters, before: &Plain, colour: Option<Colour>) {
    let to_move = openings::colour_of(&before.options, before.progress, before.turn().seat);
    let exempt = openings::is_exempt(&before.options, before.progress);
    for (happened, event) in [
        (colour.is_some_and(|colour| colour != to_move), Event::EndResignationOfOther),
        (exempt || before.turn().must != Must::Place, Event::EndResignationInOpening),
        (before.overtime.is_some(), Event::EndResignationInOvertime),
    ] {
        if happened {
            counters.count(event);
        }
    }
}

fn ended(counters: &mut Counters, before: &Plain, ending: &Ending, done: &Done, after: &Plain) {
    match ending {
        Ending::Win { winners, by } => won(counters, before, (winners, by), done, after),
        Ending::Draw { by: "all-win" } => counters.count(match after.options.sides() {
            2 => Event::EndAllWinTwo,
            _ => Event::EndAllWinMore,
        }),
        Ending::Draw { by: "full-board" } => counters.count(Event::EndFullBoard),
        Ending::Draw { by: "agreement" } => counters.count(Event::EndAgreement),
        Ending::Draw { .. } => {
            counters.count(Event::EndNoLegalMove);
            if after.options.into_flank == IntoFlank::NotAllowed {
                counters.count(Event::EndNoLegalMoveFlank);
            }
            if after.options.forbidden == Forbidden::Renju {
                counters.count(Event::EndNoLegalMoveRenju);
            }
        }
    }
}

fn won(counters: &mut Counters, before: &Plain, (winners, by): (&[Colour], &[&str]), done: &Done, after: &Plain) {
    let mover = before.turn().colour;
    let (line, captures) = (by.contains(&"line"), by.contains(&"captures"));
    let lines_of = |colour| lines(&after.options, &after.board, colour);
    let renju = after.options.forbidden == Forbidden::Renju;
    let overline = renju && winners == [Colour::White] && lines_of(Colour::White).iter().any(|line| line.len() > 5);
    let trimmed = winners.iter().any(|colour| *colour != mover && !lines_of(*colour).is_empty());
    let by_flank = done.lost.iter().any(|(colour, _)| after.captured(*colour) >= after.options.goal());
    for (happened, event) in [
        (by == ["line"], Event::EndLine),
        (by == ["captures"], Event::EndCaptures),
        (line && captures, Event::EndLineAndCaptures),
        (by.contains(&"resignation"), Event::EndResignation),
        (winners.len() == 2, Event::EndJointTwo),
        (winners.len() == 3, Event::EndJointThree),
        (trimmed && before.overtime.is_none(), Event::EndTrimmed),
        (captures && by_flank, Event::EndFlankGoal),
        (line && overline, Event::EndWhiteOverlineRenju),
        (captures && after.options.teams, Event::EndTeamGoal),
    ] {
        if happened {
            counters.count(event);
        }
    }
}
