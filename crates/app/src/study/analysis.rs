//! What the CPU finds in a position and in a whole game. Hints and the judgement of moves come from one search, so that what
//! is shown as best is never called a mistake.

use std::time::{Duration, Instant};

use cpu::{Budget, LEVEL_MAX, Line, Mind};
use rules::{Action, Colour, Game, Outcome, Point};

use super::running::Looking;
use crate::api::study::{ChanceView, JudgedView, StudyNews, SuggestionView};
use crate::api::{ApiError, AppEvent, ErrorCode};
use crate::core::Core;

/// Best moves that can be asked for.
const LINES_MAX: u8 = 5;
/// Best moves that are looked for in each position of a game.
const JUDGED_LINES: usize = 2;
/// What is found in between is told no oftener than this.
const TELL_EVERY: Duration = Duration::from_millis(100);

pub(crate) fn checked_lines(lines: u8) -> Result<usize, ApiError> {
    if (1..=LINES_MAX).contains(&lines) {
        return Ok(usize::from(lines));
    }
    let about = format!("1 to {LINES_MAX} best moves can be asked for, not {lines}");
    Err(ApiError::new(ErrorCode::BadCommand, about))
}

/// It sees all that it can, and the same each time.
fn budget() -> Budget {
    Budget::of(LEVEL_MAX, 1)
}

/// The best moves of a position. Blocks.
pub(crate) fn analyse(core: &Core, game: &Game, lines: usize, looking: &Looking) -> Vec<SuggestionView> {
    let mut told_at = None;
    let mut told = |lines: &[Line]| {
        let now = Instant::now();
        if told_at.is_none_or(|at| now.duration_since(at) >= TELL_EVERY) {
            told_at = Some(now);
            tell(core, looking, StudyNews::Lines { lines: suggestions(lines) });
        }
    };
    let best = core.studies.with_mind(|mind| mind.analyse(game, lines, &budget(), &mut looking.clock(), &mut told));
    suggestions(&best)
}

/// The stones of a win that can be forced, in a game's words. Blocks.
pub(crate) fn forced_win(core: &Core, game: &Game, looking: &Looking) -> Option<Vec<String>> {
    let win = core.studies.with_mind(|mind| mind.forced_win(game, &budget(), &mut looking.clock()))?;
    // What the time cut off before its last stone shows nothing.
    let mut after = game.clone();
    let side = game.turn()?.colour;
    win.iter().try_for_each(|action| after.play(action).map(|_| ())).ok()?;
    let won = match after.result() {
        Some(Outcome::Win { winners, .. }) => winners.contains(&side),
        Some(Outcome::Draw(_)) | None => false,
    };
    won.then(|| win.iter().map(Action::to_string).collect())
}

/// Goes through a game from its end, so that what comes later is known already; `false` if it was stopped. Blocks.
pub(crate) fn judge(core: &Core, game: &Game, looking: &Looking) -> bool {
    let mut game = game.clone();
    core.studies.with_mind(|mind| {
        let mut later: Option<JudgedView> = None;
        let mut played: Option<Action> = None;
        loop {
            let judged = judge_one(mind, &game, played.as_ref(), later.as_ref(), looking);
            if looking.is_ended() {
                return false;
            }
            tell(core, looking, StudyNews::Judged { judged: judged.clone() });
            later = Some(judged);
            played = game.actions().last().cloned();
            if !game.undo() {
                return true;
            }
        }
    })
}

/// One position; `played` is what followed, and `later` what was found after it.
fn judge_one(
    mind: &mut Mind,
    game: &Game,
    played: Option<&Action>,
    later: Option<&JudgedView>,
    looking: &Looking,
) -> JudgedView {
    let after = u32::try_from(game.actions().len()).unwrap_or(u32::MAX);
    let Some(turn) = game.turn() else {
        return JudgedView { after, chances: chances_at_end(game), best: Vec::new(), played: None };
    };
    let best = mind.analyse(game, JUDGED_LINES, &budget(), &mut looking.clock(), &mut |_| {});
    let placed = match played {
        Some(Action::Place { at, .. }) => Some(*at),
        Some(Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw) | None => None,
    };
    let worth = placed.filter(|_| !best.is_empty()).and_then(|at| {
        let listed = best.iter().find(|line| line.at == at).map(|line| line.chance);
        // What the game itself decided needs no search.
        let came = later.and_then(|later| later.chances.iter().find(|chance| chance.colour == turn.colour));
        let searched = || -> Option<f64> { Some(worth_of(mind, game, at, looking)?.chance) };
        listed.or_else(|| came.map(|chance| chance.chance)).or_else(searched)
    });
    let chances = best.first().map_or(Vec::new(), |line| chances(game, turn.colour, line.chance));
    // A move that turned out better than what was seen as best is not worse than that.
    JudgedView { after, chances, best: suggestions(&best), played: worth }
}

fn worth_of(mind: &mut Mind, game: &Game, at: Point, looking: &Looking) -> Option<Line> {
    mind.worth_of(game, at, &budget(), &mut looking.clock())
}

/// Of two sides the one's chance tells the other's.
fn chances(game: &Game, colour: Colour, chance: f64) -> Vec<ChanceView> {
    let colours = sides(game);
    let of = |&side: &Colour| ChanceView { colour: side, chance: if side == colour { chance } else { 1.0 - chance } };
    let known = |side: &&Colour| colours.len() == 2 || **side == colour;
    colours.iter().filter(known).map(of).collect()
}

/// After the end.
fn chances_at_end(game: &Game) -> Vec<ChanceView> {
    let chance = |colour: &Colour| match game.result() {
        Some(Outcome::Win { winners, .. }) => f64::from(u8::from(winners.contains(colour))),
        Some(Outcome::Draw(_)) | None => 0.5,
    };
    sides(game).iter().map(|colour| ChanceView { colour: *colour, chance: chance(colour) }).collect()
}

fn sides(game: &Game) -> Vec<Colour> {
    game.rules().colours()
}

fn suggestions(lines: &[Line]) -> Vec<SuggestionView> {
    let suggestion = |line: &Line| SuggestionView {
        at: line.at.to_string(),
        action: Action::Place { at: line.at, take: line.take.clone() }.to_string(),
        chance: line.chance,
        win_in: line.win_in,
        depth: line.depth,
        line: line.line.iter().map(Point::to_string).collect(),
    };
    lines.iter().map(suggestion).collect()
}

fn tell(core: &Core, looking: &Looking, news: StudyNews) {
    if !looking.is_ended() {
        core.tell(AppEvent::Study { page: looking.page.clone(), id: looking.id, news });
    }
}
