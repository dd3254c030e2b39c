//! What a step asks for, and whether a move does it, by the rules and by proof. The data names the right answers; a
//! test holds them against this.

use std::fmt;
use std::str::FromStr;

use cpu::yardstick::proof::{Attack, Prover};
use cpu::{Budget, Mind};
use rules::{Action, Colour, Condition, Game, IntoFlank, OptionName, Outcome, Point, Refusal, Rules};

use crate::lesson::{from_centre, legal};

/// Stones that a proof may place.
const PROOF_STONES_MAX: u64 = 20_000_000;
/// Positions that the CPU looks at to say which colour stands better.
const CHOICE_NODES: u64 = 3_000;
/// And what it may remember of them, in bytes.
const CHOICE_MEMORY_BYTES: usize = 1 << 20;
/// A colour stands better by more than this, in the CPU's hundredths of a stone.
const AHEAD: i32 = 50;

/// What is asked of the player to act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To win at once by a line.
    Line,
    /// To win at once by what is taken.
    Captures,
    /// To take so many stones, more than any other move does.
    Takes(u16),
    /// To stand in a flanked stretch, which costs nothing and would where flanks moved into are captured.
    MovesIn,
    /// To leave the next player nothing to take.
    Safe,
    /// To point at where this many own stones would be lost.
    Lost(u16),
    /// To point at where a stone is forbidden for this reason.
    Forbidden(Refusal),
    /// To stop a line that waits.
    Stops,
    /// To begin a win by fours alone with so many stones, and not fewer.
    Fours(u8),
    /// To begin a win by threes and fours with so many stones, and not fewer.
    Threes(u8),
    /// To leave the next player no win by fours with so many stones.
    Holds(u8),
    /// Anything that the rules of the opening allow.
    Legal,
    /// What they allow nearest to the centre.
    Nearest,
    /// To choose the colour that stands better, or to add two stones.
    Choice,
}

impl Goal {
    /// Every answer that does it. Slow where it takes a proof.
    pub fn answers(&self, game: &Game) -> Vec<Action> {
        let all = legal(game);
        match self {
            Goal::Fours(stones) => shortest(game, Attack::Fours, *stones),
            Goal::Threes(stones) => shortest(game, Attack::Threes, *stones),
            Goal::Holds(stones) => {
                Prover::new(PROOF_STONES_MAX).escapes(game, Attack::Fours, *stones).unwrap_or_default()
            }
            Goal::Stops => game.stops().into_iter().map(|stop| Action::place(stop.at)).collect(),
            Goal::Forbidden(refusal) => {
                let points = game.illegal().into_iter();
                points.filter(|&at| game.check(at) == Err(*refusal)).map(Action::place).collect()
            }
            Goal::Nearest => {
                let least = all.iter().filter_map(|action| from_centre(game, action)).min();
                all.into_iter().filter(|action| from_centre(game, action) == least).collect()
            }
            Goal::Choice => all.into_iter().filter(|action| is_good_choice(game, action)).collect(),
            Goal::Line | Goal::Captures | Goal::Takes(_) | Goal::MovesIn | Goal::Safe | Goal::Lost(_) | Goal::Legal => {
                all.into_iter().filter(|action| self.is_met(game, action)).collect()
            }
        }
    }

    /// Whether a stone does it, where one look is enough.
    fn is_met(&self, game: &Game, action: &Action) -> bool {
        let mut after = game.clone();
        let Ok(played) = after.play(action) else { return false };
        let own = game.turn().map(|turn| turn.colour);
        let taken: usize = played.took.iter().map(|group| group.0.len()).sum();
        let wins_by = |wanted: Condition| match after.result() {
            Some(Outcome::Win { winners, by }) => own.is_some_and(|own| winners == &[own]) && by.contains(&wanted),
            Some(Outcome::Draw(_)) | None => false,
        };
        match self {
            Goal::Line => wins_by(Condition::Line),
            Goal::Captures => wins_by(Condition::Captures),
            Goal::Takes(stones) => taken == usize::from(*stones),
            Goal::MovesIn => played.lost.is_empty() && lost(game, action, IntoFlank::Captured) > 0,
            Goal::Safe => legal(&after).iter().all(|answer| takes(&after, answer) == 0),
            Goal::Lost(stones) => lost(game, action, IntoFlank::Captured) == usize::from(*stones),
            Goal::Legal => true,
            Goal::Forbidden(_)
            | Goal::Stops
            | Goal::Fours(_)
            | Goal::Threes(_)
            | Goal::Holds(_)
            | Goal::Nearest
            | Goal::Choice => false,
        }
    }
}

/// First stones of a win that takes so many; none where fewer are enough.
fn shortest(game: &Game, attack: Attack, stones: u8) -> Vec<Action> {
    let mut prover = Prover::new(PROOF_STONES_MAX);
    match prover.win(game, attack, stones - 1) {
        Ok(None) => prover.wins(game, attack, stones).unwrap_or_default(),
        Ok(Some(_)) | Err(_) => Vec::new(),
    }
}

fn takes(game: &Game, action: &Action) -> usize {
    let played = game.clone().play(action);
    played.map_or(0, |played| played.took.iter().map(|group| group.0.len()).sum())
}

/// Stones that the mover would lose by moving into flanks under this rule.
fn lost(game: &Game, action: &Action, rule: IntoFlank) -> usize {
    let Some(mut setup) = game.to_setup() else { return 0 };
    let Some(rules) = with_flanks(game.rules(), rule) else { return 0 };
    setup.rules = rules;
    let Ok(mut other) = Game::from_setup(&setup) else { return 0 };
    other.play(action).map_or(0, |played| {
        let points = played.lost.iter().flat_map(|(_, points)| points);
        points.collect::<std::collections::BTreeSet<&Point>>().len()
    })
}

fn with_flanks(rules: &Rules, rule: IntoFlank) -> Option<Rules> {
    let own = format!("{rules}");
    let name = OptionName::IntoFlank.name();
    let kept = own.split_whitespace().filter(|word| !word.starts_with(name));
    format!("{} {name}={}", kept.collect::<Vec<_>>().join(" "), rule.name()).parse().ok()
}

/// A colour, where the CPU sees it far ahead; two more stones, where it sees neither.
fn is_good_choice(game: &Game, action: &Action) -> bool {
    let mut after = game.clone();
    if after.play(&Action::Choose(Colour::Black)).is_err() {
        return false;
    }
    let budget = Budget { level: cpu::LEVEL_MAX, nodes: CHOICE_NODES, seed: 1 };
    let score = Mind::new(CHOICE_MEMORY_BYTES).think(&after, &budget, &mut || false).score;
    let to_move = after.turn().map(|turn| turn.colour);
    match action {
        Action::Add => score.abs() <= AHEAD,
        Action::Choose(colour) if to_move == Some(*colour) => score > AHEAD,
        Action::Choose(_) => score < -AHEAD,
        Action::Place { .. } | Action::Resign(_) | Action::Draw => false,
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Takes(number) | Goal::Lost(number) => write!(f, "{} {number}", self.name()),
            Goal::Fours(number) | Goal::Threes(number) | Goal::Holds(number) => {
                write!(f, "{} {number}", self.name())
            }
            Goal::Forbidden(refusal) => write!(f, "{} {}", self.name(), refusal.name()),
            Goal::Line
            | Goal::Captures
            | Goal::MovesIn
            | Goal::Safe
            | Goal::Stops
            | Goal::Legal
            | Goal::Nearest
            | Goal::Choice => f.write_str(self.name()),
        }
    }
}

impl Goal {
    /// Its first word in the file.
    pub fn name(&self) -> &'static str {
        match self {
            Goal::Line => "line",
            Goal::Captures => "captures",
            Goal::Takes(_) => "takes",
            Goal::MovesIn => "moves-in",
            Goal::Safe => "safe",
            Goal::Lost(_) => "lost",
            Goal::Forbidden(_) => "forbidden",
            Goal::Stops => "stops",
            Goal::Fours(_) => "fours",
            Goal::Threes(_) => "threes",
            Goal::Holds(_) => "holds",
            Goal::Legal => "legal",
            Goal::Nearest => "nearest",
            Goal::Choice => "choice",
        }
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Goal, String> {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let number = || rest.parse::<u8>().map_err(|_| format!("{text:?} lacks a number"));
        Ok(match name {
            "line" => Goal::Line,
            "captures" => Goal::Captures,
            "takes" => Goal::Takes(number()?.into()),
            "moves-in" => Goal::MovesIn,
            "safe" => Goal::Safe,
            "lost" => Goal::Lost(number()?.into()),
            "forbidden" => {
                let refusal = Refusal::ALL.into_iter().find(|known| known.name() == rest);
                Goal::Forbidden(refusal.ok_or_else(|| format!("{rest:?} is no reason"))?)
            }
            "stops" => Goal::Stops,
            "fours" => Goal::Fours(number()?),
            "threes" => Goal::Threes(number()?),
            "holds" => Goal::Holds(number()?),
            "legal" => Goal::Legal,
            "nearest" => Goal::Nearest,
            "choice" => Goal::Choice,
            _ => return Err(format!("{name:?} is no goal")),
        })
    }
}
