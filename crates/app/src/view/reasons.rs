//! What may not be played and why, what a stone would do, what stops a line, what enemies could do.

use rules::{After, Because, Colour, Danger, Game, Group, Outcome, Point, Refusal};

use super::result::text;
use crate::api::table::{AfterView, DangerView, ForbiddenView, PreviewView, ShapeView, StopView, ThreatView, WayView};

pub(super) fn forbidden(game: &Game) -> Vec<ForbiddenView> {
    let illegal = game.illegal().into_iter();
    illegal
        .filter_map(|at| {
            let reason = game.reason(at)?;
            let why = why_forbidden(game, reason.refusal)?.to_owned();
            Some(ForbiddenView { at: at.to_string(), why, because: shapes(&reason.because) })
        })
        .collect()
}

/// The key of `forbidden.*`; `None` for refusals that no empty point has.
fn why_forbidden(game: &Game, refusal: Refusal) -> Option<&'static str> {
    match refusal {
        Refusal::Opening if game.ply() == 0 => Some("opening-centre"),
        Refusal::Opening => Some("opening-distance"),
        Refusal::IntoFlank => Some("into-flank"),
        Refusal::DoubleThree => Some("double-three"),
        Refusal::DoubleFour => Some("double-four"),
        Refusal::Overline => Some("overline"),
        Refusal::GameOver
        | Refusal::BadRequest
        | Refusal::NotAChoice
        | Refusal::OffBoard
        | Refusal::Occupied
        | Refusal::BadTake => None,
    }
}

fn shapes(because: &Because) -> Vec<ShapeView> {
    match because {
        Because::Centre(at) => vec![ShapeView::Centre { at: at.to_string() }],
        Because::Ring { points, .. } => vec![ShapeView::Ring { points: text(points) }],
        Because::Flanks(flanks) => {
            let shape =
                |flank: &rules::Flanked| ShapeView::Flank { stones: text(&flank.stretch), ends: text(&flank.ends) };
            flanks.iter().map(shape).collect()
        }
        Because::Threes(threes) => {
            let shape =
                |three: &rules::Three| ShapeView::Three { stones: text(&three.stones), adds: text(&three.adds) };
            threes.iter().map(shape).collect()
        }
        Because::Fours(fours) => {
            let shape = |four: &rules::Four| ShapeView::Four { stones: text(&four.stones), adds: text(&four.adds) };
            fours.iter().map(shape).collect()
        }
        Because::Overline(runs) => runs.iter().map(|run| ShapeView::Overline { stones: text(run) }).collect(),
    }
}

fn groups(groups: &[Group]) -> Vec<Vec<String>> {
    groups.iter().map(|group| text(&group.0)).collect()
}

/// What stones of the player to act would do, where they do more than lie there.
pub(super) fn previews(game: &Game) -> Vec<PreviewView> {
    let Some(turn) = game.turn() else { return Vec::new() };
    let optional = !game.rules().options().forced_capture;
    let seen = game.previews().into_iter().map(|preview| {
        let lost: std::collections::BTreeSet<Point> =
            preview.lost.iter().flat_map(|(_, points)| points).copied().collect();
        let way = |way: &rules::Way| {
            let (after, winners) = after_view(&way.after, turn.colour);
            WayView { takes: groups(&way.takes), after, winners }
        };
        PreviewView {
            at: preview.at.to_string(),
            optional: optional && !preview.takes.is_empty(),
            takes: groups(&preview.takes),
            lost: lost.iter().map(Point::to_string).collect(),
            ways: preview.ways.iter().map(way).collect(),
        }
    });
    seen.collect()
}

pub(super) fn after_view(after: &After, own: Colour) -> (AfterView, Vec<Colour>) {
    match after {
        After::Over(Outcome::Win { winners, .. }) => {
            let view = match (winners.contains(&own), winners.len()) {
                (true, 1) => AfterView::Wins,
                (true, _) => AfterView::Joint,
                (false, _) => AfterView::Loses,
            };
            (view, winners.clone())
        }
        After::Over(Outcome::Draw(_)) => (AfterView::Draw, Vec::new()),
        After::Overtime(overtime) if overtime.colour == own => (AfterView::Overtime, Vec::new()),
        After::Overtime(_) | After::GoesOn => (AfterView::GoesOn, Vec::new()),
    }
}

pub(super) fn stops(game: &Game) -> Vec<StopView> {
    let stops = game.stops().into_iter();
    stops
        .map(|stop| StopView {
            at: stop.at.to_string(),
            choices: stop.choices.iter().map(|choice| groups(choice)).collect(),
        })
        .collect()
}

/// What the enemies of a side could do.
pub(super) fn threats(game: &Game, colour: Colour) -> Vec<ThreatView> {
    let threats = game.threats(colour).into_iter();
    threats
        .map(|threat| {
            let (danger, conditions, with) = match threat.danger {
                Danger::Wins { by, with } => {
                    (DangerView::Wins, by.into_iter().map(|by| by.name().to_owned()).collect(), with)
                }
                Danger::Overtime { .. } => (DangerView::Overtime, Vec::new(), Vec::new()),
                Danger::Captures => (DangerView::Captures, Vec::new(), Vec::new()),
            };
            let (at, stones) = (threat.at.to_string(), text(&threat.stones));
            ThreatView { at, by: threat.by, ahead: threat.ahead, danger, conditions, with, stones }
        })
        .collect()
}
