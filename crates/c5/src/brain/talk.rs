//! A conversation with a manager: each line in, what to do out.
//!
//! Source: the protocol's page, *Gomocup (Piskvork) protocol version 2*; INTERFACES.md has what goes beyond it.

use std::time::Duration;

use rules::{Action, BoardSize, Game, Must, Opening, Point, Rules};

use super::limits::Limits;
use super::position::{self, RuleSet, pair, point};
use super::swap::{self, DECISIONS_MAX, Next, Swap};
use crate::referee::{Asked, VALUE_BYTES_MAX, action_from_text, rules_from_json};

/// What the shell has to do, in order.
#[derive(Clone, Debug)]
pub enum Step {
    Say(String),
    /// Build all tables that the engine needs for games like this one, in so many bytes.
    Prepare {
        game: Box<Game>,
        bytes: usize,
    },
    /// Find an action, so long after the line was read that asked for it, and hand it to [`Brain::thought`].
    Think {
        game: Box<Game>,
        until: Duration,
    },
    End,
}

/// The engine's side of the conversation.
#[derive(Default)]
pub struct Brain {
    board: Option<BoardSize>,
    rule_set: Option<RuleSet>,
    limits: Limits,
    game: Option<Game>,
    reading: Option<Reading>,
    answering: Option<Answering>,
}

/// Lines that are being read until `DONE`.
struct Reading {
    swap2: bool,
    stones: Vec<(Point, bool)>,
    /// What is wrong with one of them.
    fault: Option<String>,
}

/// How the action that is being thought of will be told.
enum Answering {
    /// As `x,y`.
    Pair,
    /// As the referee writes it.
    Word,
    Swap(Swap),
}

/// What went wrong, for people.
type Fault = String;

const ABOUT: &str = concat!(
    "name=\"Capture Five\", version=\"",
    env!("CARGO_PKG_VERSION"),
    "\", author=\"the Capture Five project\", country=\"international\""
);
const NO_START: &str = "there is no game: START first";
const NEEDS_MOVES: &str = "these rules need the whole game: use MOVES";

impl Brain {
    /// Takes a line. While an action is being thought of, only `END` is understood.
    pub fn line(&mut self, line: &str) -> Vec<Step> {
        let line = line.trim();
        let (word, rest) = line.split_once(|letter: char| letter.is_whitespace()).unwrap_or((line, ""));
        let word = word.to_ascii_uppercase();
        if word == "END" {
            return vec![Step::End];
        }
        if self.answering.is_some() {
            return error("a move is being thought of");
        }
        if let Some(reading) = self.reading.take() {
            return self.read(reading, line, &word).unwrap_or_else(error);
        }
        self.command(&word, rest.trim()).unwrap_or_else(error)
    }

    /// Takes the action that was thought of.
    pub fn thought(&mut self, action: &Action) -> Vec<Step> {
        let (Some(answering), Some(game)) = (self.answering.take(), &mut self.game) else {
            return error("nothing was asked");
        };
        if let Err(refusal) = game.play(action) {
            return error(format!("{action} is refused: {}", refusal.name()));
        }
        match (answering, action) {
            (Answering::Pair, Action::Place { at, .. }) => say(pair(*at, game.rules().board())),
            (Answering::Pair | Answering::Word, action) => say(action.to_string()),
            (Answering::Swap(mut swap), action) => match swap.after(action, game) {
                Next::Answer(words) => say(words),
                Next::Decide => self.think(Answering::Swap(swap)).unwrap_or_else(error),
            },
        }
    }

    fn command(&mut self, word: &str, rest: &str) -> Result<Vec<Step>, Fault> {
        match word {
            "" => Ok(Vec::new()),
            "START" => self.start(rest),
            "RECTSTART" => match rest.split_once(',') {
                Some((width, height)) if width.trim() == height.trim() => self.start(width.trim()),
                Some(_) | None => Err("only square boards".to_owned()),
            },
            "RESTART" => {
                self.begin_anew()?;
                Ok(say("OK"))
            }
            "BEGIN" => self.begin(),
            "TURN" => self.turn(rest),
            "TAKEBACK" => self.take_back(rest),
            "BOARD" | "SWAP2BOARD" => {
                let fault = self.game.is_none().then(|| NO_START.to_owned());
                self.reading = Some(Reading { swap2: word == "SWAP2BOARD", stones: Vec::new(), fault });
                Ok(Vec::new())
            }
            "MOVES" => self.moves(rest),
            "INFO" => self.info(rest),
            "ABOUT" => Ok(say(ABOUT)),
            _ => Ok(say("UNKNOWN command")),
        }
    }

    fn start(&mut self, side: &str) -> Result<Vec<Step>, Fault> {
        let board = side.parse().ok().and_then(BoardSize::from_side);
        self.board = Some(board.ok_or("boards have 9, 13, 15 or 19 points on an edge")?);
        // What a game before this one was named is forgotten, its number is not.
        self.rule_set = self.rule_set.filter(|rules| !matches!(rules, RuleSet::Named(_)));
        self.begin_anew()?;
        let mut steps = self.prepare();
        steps.extend(say("OK"));
        Ok(steps)
    }

    fn begin(&mut self) -> Result<Vec<Step>, Fault> {
        if self.game.as_ref().ok_or(NO_START)?.ply() > 0 {
            return Err("there are stones on the board: RESTART first".to_owned());
        }
        self.think(Answering::Pair)
    }

    fn turn(&mut self, text: &str) -> Result<Vec<Step>, Fault> {
        let game = self.game.as_mut().ok_or(NO_START)?;
        let options = game.rules().options();
        if options.seats != 2 || options.captures && !options.forced_capture {
            return Err(NEEDS_MOVES.to_owned());
        }
        let at = point(text, game.rules().board()).ok_or("TURN needs a point of this board, as in TURN 7,7")?;
        let mut after = game.clone();
        let turn = after.turn().ok_or("the game is over: RESTART first")?;
        match turn.must {
            Must::Place => {}
            // Whoever plays on has kept the colour that is to move.
            Must::Choose | Must::ChooseOrAdd => {
                after.play(&Action::Choose(turn.colour)).map_err(|refusal| refusal.name().to_owned())?;
            }
        }
        after.place(at).map_err(|refusal| format!("{text} is refused: {}", refusal.name()))?;
        match after.turn() {
            Some(next) if next.player == turn.player => return Err(NEEDS_MOVES.to_owned()),
            Some(_) | None => {}
        }
        *game = after;
        self.think(Answering::Pair)
    }

    fn take_back(&mut self, text: &str) -> Result<Vec<Step>, Fault> {
        let game = self.game.as_mut().ok_or(NO_START)?;
        let at = point(text, game.rules().board()).ok_or("TAKEBACK needs a point of this board")?;
        let is_last = matches!(game.actions().last(), Some(Action::Place { at: last, .. }) if *last == at);
        if is_last && game.undo() { Ok(say("OK")) } else { Err(format!("{text} is not the last stone")) }
    }

    fn moves(&mut self, text: &str) -> Result<Vec<Step>, Fault> {
        let mut game = Game::new(self.rules(None)?);
        for word in text.split_whitespace() {
            let action = action(word, &game).ok_or_else(|| format!("{} is no action here", shown(word)))?;
            game.play(&action).map_err(|refusal| format!("{action} is refused: {}", refusal.name()))?;
        }
        self.game = Some(game);
        self.think(Answering::Word)
    }

    fn info(&mut self, rest: &str) -> Result<Vec<Step>, Fault> {
        let (key, value) = rest.split_once(|letter: char| letter.is_whitespace()).unwrap_or((rest, ""));
        let key = key.to_ascii_lowercase();
        match key.as_str() {
            "rule" => {
                let rules = RuleSet::of_number(value).ok_or("rule can be 0, 1 or 4: see INFO rules for others")?;
                self.change_rules(rules)
            }
            "rules" => {
                self.board.ok_or(NO_START)?;
                self.change_rules(RuleSet::Named(named(value)?))
            }
            key => {
                let bytes = self.limits.mind_bytes();
                // game_type, evaluate, folder and what later managers say change nothing here.
                self.limits.take(key, value);
                Ok(if bytes == self.limits.mind_bytes() { Vec::new() } else { self.prepare() })
            }
        }
    }

    /// Other rules hold from the next game on; at once, where no stone has been placed.
    fn change_rules(&mut self, rules: RuleSet) -> Result<Vec<Step>, Fault> {
        let changed = self.rule_set.replace(rules) != Some(rules);
        match &self.game {
            Some(game) if game.actions().is_empty() && game.setup().is_none() => {}
            Some(_) | None => return Ok(Vec::new()),
        }
        self.begin_anew()?;
        Ok(if changed { self.prepare() } else { Vec::new() })
    }

    /// A line of `BOARD` or `SWAP2BOARD`, or the end of it.
    fn read(&mut self, mut reading: Reading, line: &str, word: &str) -> Result<Vec<Step>, Fault> {
        if word == "DONE" {
            if let Some(fault) = reading.fault {
                return Err(fault);
            }
            return if reading.swap2 { self.swap(&reading.stones) } else { self.position(&reading.stones) };
        }
        if let (Some(board), false) = (self.game.as_ref().map(|game| game.rules().board()), line.is_empty()) {
            let points = usize::from(board.side()).pow(2);
            let plain = || point(line, board).filter(|_| reading.swap2).map(|at| (at, false));
            match position::stone(line, board).or_else(plain) {
                Some(stone) if reading.stones.len() < points => reading.stones.push(stone),
                Some(_) | None => {
                    reading.fault.get_or_insert_with(|| format!("{} is no stone of this board", shown(line)));
                }
            }
        }
        self.reading = Some(reading);
        Ok(Vec::new())
    }

    fn position(&mut self, stones: &[(Point, bool)]) -> Result<Vec<Step>, Fault> {
        let rules = self.rules(None)?;
        let options = rules.options();
        let chooses = matches!(options.opening, Opening::PlaceFour | Opening::PlaceThree);
        if options.captures || options.seats != 2 || chooses {
            return Err(NEEDS_MOVES.to_owned());
        }
        self.game = Some(position::game_of(stones, rules)?);
        self.think(Answering::Pair)
    }

    fn swap(&mut self, stones: &[(Point, bool)]) -> Result<Vec<Step>, Fault> {
        let rules = self.rules(Some(Opening::PlaceThree))?;
        if rules.options().opening != Opening::PlaceThree {
            return Err("these rules have another opening".to_owned());
        }
        let stones: Vec<Point> = stones.iter().map(|(at, _)| *at).collect();
        let (game, swap) = swap::asked(&stones, rules).ok_or("SWAP2BOARD has no stone, three, or five")?;
        self.game = Some(game);
        self.think(Answering::Swap(swap))
    }

    /// The rules of the next game; with this opening, where they are not named in full.
    fn rules(&self, opening: Option<Opening>) -> Result<Rules, Fault> {
        let board = self.board.ok_or(NO_START)?;
        let rule_set = self.rule_set.unwrap_or(RuleSet::Freestyle);
        let rules = rule_set.rules(board, opening.unwrap_or(Opening::None));
        rules.ok_or_else(|| "these rules have no such opening".to_owned())
    }

    fn begin_anew(&mut self) -> Result<(), Fault> {
        self.game = Some(Game::new(self.rules(None)?));
        Ok(())
    }

    fn prepare(&self) -> Vec<Step> {
        let bytes = self.limits.mind_bytes();
        self.game.iter().map(|game| Step::Prepare { game: Box::new(game.clone()), bytes }).collect()
    }

    fn think(&mut self, answering: Answering) -> Result<Vec<Step>, Fault> {
        let game = self.game.as_ref().ok_or(NO_START)?;
        game.turn().ok_or("the game is over: RESTART first")?;
        let limit = self.limits.turn();
        let until = match &answering {
            Answering::Pair | Answering::Word => limit,
            Answering::Swap(swap) => limit * (swap.decisions() + 1).min(DECISIONS_MAX) / DECISIONS_MAX,
        };
        self.answering = Some(answering);
        Ok(vec![Step::Think { game: Box::new(game.clone()), until }])
    }
}

fn named(text: &str) -> Result<Rules, Fault> {
    if text.len() > VALUE_BYTES_MAX {
        return Err(format!("rules may have at most {VALUE_BYTES_MAX} bytes"));
    }
    let value = serde_json::from_str(text).map_err(|why| format!("rules are a JSON object: {why}"))?;
    rules_from_json(&value).map_err(|why| why.to_string())
}

/// An action as the referee writes it, or with the groups it takes, as an answer may have them.
fn action(word: &str, game: &Game) -> Option<Action> {
    match action_from_text(word) {
        Ok(Asked::Act(action)) => Some(action),
        Ok(asked @ (Asked::Resign | Asked::Beyond)) => asked.action(game).ok(),
        Err(_) => word.parse().ok(),
    }
}

fn say(words: impl Into<String>) -> Vec<Step> {
    vec![Step::Say(words.into())]
}

/// One line, whatever the words.
fn error(why: impl Into<String>) -> Vec<Step> {
    say(format!("ERROR {}", why.into().replace(['\n', '\r'], " ")))
}

/// A faulty word as an error repeats it.
fn shown(text: &str) -> String {
    text.chars().take(SHOWN_CHARS_MAX).collect()
}

const SHOWN_CHARS_MAX: usize = 40;
