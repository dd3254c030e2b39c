//! Positions and points as the protocol writes them.

use rules::{Action, BoardSize, Game, Opening, Point, Preset, Rules, Setup};

/// What decides the rules, beside the size of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSet {
    Freestyle,
    ExactFive,
    Renju,
    /// Told by `INFO rules`, with a board of its own.
    Named(Rules),
}

impl RuleSet {
    /// The rules of `INFO rule`. 2, a game that goes on after a line, changes nothing for who plays it.
    pub fn of_number(number: &str) -> Option<RuleSet> {
        match number.trim().parse::<u32>().ok()? & !CONTINUOUS {
            0 => Some(RuleSet::Freestyle),
            1 => Some(RuleSet::ExactFive),
            4 | 5 => Some(RuleSet::Renju),
            _ => None,
        }
    }

    /// The rules on this board.
    pub fn rules(self, board: BoardSize, opening: Opening) -> Option<Rules> {
        let (text, preset) = match self {
            RuleSet::Freestyle => (("overline", "wins"), Preset::Gomoku),
            RuleSet::ExactFive => (("overline", "no-win"), Preset::Gomoku),
            RuleSet::Renju => (("forbidden", "renju"), Preset::Wuziqi),
            RuleSet::Named(rules) => return Some(rules),
        };
        let mut options = preset.options();
        options.set(text.0, text.1).ok()?;
        options.board = board;
        options.opening = opening;
        options.check(preset).ok()
    }
}

const CONTINUOUS: u32 = 2;

/// `x,y` from 0 at the top left.
pub fn pair(at: Point, board: BoardSize) -> String {
    format!("{},{}", at.column(), board.side() - 1 - at.row())
}

/// The point of `x,y`; `None` for other texts and points off the board.
pub fn point(text: &str, board: BoardSize) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    let (x, y) = (x.trim().parse::<u8>().ok()?, y.trim().parse::<u8>().ok()?);
    let row = board.side().checked_sub(1)?.checked_sub(y)?;
    Point::new(x, row).filter(|&at| board.contains(at))
}

/// A line of `BOARD`: a point, and whether the stone is the engine's own.
pub fn stone(line: &str, board: BoardSize) -> Option<(Point, bool)> {
    let (at, whose) = line.rsplit_once(',')?;
    let own = match whose.trim() {
        "1" => true,
        "2" => false,
        _ => return None,
    };
    Some((point(at, board)?, own))
}

/// The game of these stones in which the engine is to move; why there is none otherwise.
pub fn game_of(stones: &[(Point, bool)], rules: Rules) -> Result<Game, String> {
    let of = |whose: bool| stones.iter().filter(|(_, own)| *own == whose).map(|(at, _)| *at).collect::<Vec<Point>>();
    let (own, other) = (of(true), of(false));
    let (first, second) = if own.len() == other.len() { (own, other) } else { (other, own) };
    if first.len() - second.len().min(first.len()) > 1 || second.len() > first.len() {
        return Err("the numbers of stones do not fit: it is not this engine's turn".to_owned());
    }
    // Managers send the stones in the order in which they were placed; if so, this is the game as it was.
    let turns =
        (0..stones.len()).filter_map(|turn| if turn % 2 == 0 { first.get(turn / 2) } else { second.get(turn / 2) });
    let actions: Vec<Action> = turns.map(|&at| Action::place(at)).collect();
    match Game::replay(rules, &actions) {
        Ok(game) if game.result().is_none() => Ok(game),
        // Placed in another order, or by other rules: a position is as good.
        Ok(_) | Err(_) => placed(&first, &second, rules),
    }
}

fn placed(first: &[Point], second: &[Point], rules: Rules) -> Result<Game, String> {
    let colours = [rules.first_colour_of(0), rules.first_colour_of(1)];
    let of = |points: &[Point], colour| points.iter().map(|&at| (at, colour)).collect::<Vec<_>>();
    let stones = [of(first, colours[0]), of(second, colours[1])].concat();
    let turn = if first.len() == second.len() { colours[0] } else { colours[1] };
    Game::from_setup(&Setup::new(rules, stones, turn)).map_err(|why| format!("no game goes on from there: {why}"))
}
