//! Positions that are looked at without a table: a request, checked, becomes a game. What thinks about one is in
//! `running`, what it finds in `analysis`, and games that were played in `record`.

pub(crate) mod analysis;
pub(crate) mod record;
pub(crate) mod running;

use rules::notation::ACTIONS_MAX;
use rules::{Action, Colour, Game, Point, Rules, Setup, SetupError, Stage};

use crate::api::study::{PositionRequest, SetUpBoard, SetUpStone};
use crate::api::{ApiError, ErrorCode};
use crate::setup::rules_from;

/// The game that a request speaks of. An action that is refused is named by `action` and by its place `index`, from 0; a
/// set-up that is no position by `why`, and where it is about a point or a colour by `at` and `colour`.
pub(crate) fn game_of(request: &PositionRequest) -> Result<Game, ApiError> {
    let mut game = start_of(request)?;
    if request.actions.len() > ACTIONS_MAX {
        let about = format!("a game has at most {ACTIONS_MAX} actions, and this one {}", request.actions.len());
        return Err(ApiError::new(ErrorCode::BadCommand, about));
    }
    for (index, word) in request.actions.iter().enumerate() {
        let placed = |error: ApiError| error.with("action", word).with("index", index);
        let action: Action = word
            .parse()
            .map_err(|fault| placed(ApiError::new(ErrorCode::BadCommand, format!("action {}: {fault}", index + 1))))?;
        game.play(&action).map_err(|refusal| {
            let error = placed(ApiError::from(refusal));
            match &action {
                Action::Place { at, .. } => error.with("at", at),
                Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => error,
            }
        })?;
    }
    Ok(game)
}

pub(crate) fn request_rules(request: &PositionRequest) -> Result<Rules, ApiError> {
    let options = request.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    rules_from(&request.preset, request.seats, options)
}

fn start_of(request: &PositionRequest) -> Result<Game, ApiError> {
    let rules = request_rules(request)?;
    match &request.setup {
        None => Ok(Game::new(rules)),
        Some(board) => Game::from_setup(&setup_of(rules, board)?).map_err(|why| refused(&why)),
    }
}

fn setup_of(rules: Rules, board: &SetUpBoard) -> Result<Setup, ApiError> {
    let stone = |stone: &SetUpStone| -> Result<(Point, Colour), ApiError> {
        let at = stone.at.parse().map_err(|_| {
            let about = format!("{:?} is no point: write a letter and a number, like H8", stone.at);
            ApiError::new(ErrorCode::OffBoard, about).with("at", &stone.at)
        })?;
        Ok((at, stone.colour))
    };
    let mut setup = Setup::new(rules, board.stones.iter().map(stone).collect::<Result<_, _>>()?, board.turn);
    for (colour, &total) in &board.captured {
        setup.captured[colour.index()] = total;
    }
    setup.ply = board.ply;
    setup.stage = match &board.stage {
        None => Stage::Over,
        Some(name) => Stage::from_name(name).ok_or_else(|| {
            ApiError::new(ErrorCode::BadCommand, format!("an opening has no stage {name:?}: leave it out"))
        })?,
    };
    (setup.swapped, setup.overtime) = (board.swapped, board.overtime);
    Ok(setup)
}

/// A set-up in a request's words.
pub(crate) fn board_of(setup: &Setup) -> SetUpBoard {
    let stones = setup.stones.iter().map(|&(at, colour)| SetUpStone { at: at.to_string(), colour });
    let totals = Colour::ALL.into_iter().zip(setup.captured).filter(|&(_, total)| total > 0);
    SetUpBoard {
        stones: stones.collect(),
        turn: setup.turn,
        captured: totals.collect(),
        ply: setup.ply,
        stage: (setup.stage != Stage::Over).then(|| setup.stage.name().to_owned()),
        swapped: setup.swapped,
        overtime: setup.overtime,
    }
}

/// Why a board is no position of a game that goes on.
fn refused(why: &SetupError) -> ApiError {
    let error = |name: &str| {
        let message = format!("this is no position of a game that goes on: {why}");
        ApiError::new(ErrorCode::BadSetup, message).with("why", name)
    };
    let points = |points: &[Point]| points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ");
    match why {
        SetupError::OffBoard(at) => error("off-board").with("at", at),
        SetupError::Occupied(at) => error("occupied").with("at", at),
        SetupError::NotInPlay(colour) => error("not-in-play").with("colour", colour.name()),
        SetupError::NoCaptures(colour) => error("no-captures").with("colour", colour.name()),
        SetupError::AlreadyWon(colour) => error("already-won").with("colour", colour.name()),
        SetupError::Turn { ply } => error("turn").with("ply", ply),
        SetupError::Ply { least, most } => error("ply").with("least", least).with("most", most),
        SetupError::Stage(_) => error("stage"),
        SetupError::Swapped => error("swapped"),
        SetupError::LineStands(colour, line) => {
            error("line-stands").with("colour", colour.name()).with("line", points(line))
        }
        SetupError::NotInOvertime => error("not-in-overtime"),
        SetupError::FullBoard => error("full-board"),
        SetupError::NoLegalPoint => error("no-legal-point"),
    }
}
