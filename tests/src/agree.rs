//! Random games through the product's rules and through the plain ones, compared after each action.

use std::fmt;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;
use serde_json::{Value, json};

use crate::plain::options::BadRules;
use crate::plain::{Action, Plain};

mod compare;
mod course;
mod events;
mod observe;
mod options;
mod plan;
mod shapes;
mod style;
mod text;

use course::Course;
pub use events::{Counters, Event};
use style::Style;
pub use text::one as request;

/// Actions, refused ones too, after which a game is left unfinished.
const ACTIONS_MAX: usize = 160;

/// One game in so many goes through the referee as text, too.
const TEXT_EVERY: u64 = 200;

/// A difference, as short as the course that showed it allows.
#[derive(Debug)]
pub struct Failure {
    pub seed: u64,
    /// The referee's request that leads to the difference.
    pub request: Value,
    pub difference: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "seed {}\n{}\n{}", self.seed, self.request, self.difference)
    }
}

/// Plays the game of this seed by both rules and counts what happens in it.
///
/// # Errors
/// The first difference.
pub fn game(seed: u64, counters: &mut Counters) -> Result<(), Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let style = Style::random(&mut rng);
    let (rules, game, plain) = start(seed, &mut rng, style, counters)?;
    observe::options(counters, &plain.options);
    let course = Course::new(rng.random(), style, &plain.options);
    let probe = (game.clone(), plain.clone(), 0);
    let mut pair = Pair { seed, rules, game, plain, accepted: Vec::new(), refused: None, counters, probe };
    pair.play(course, &mut rng)?;
    pair.compare_probe()?;
    if seed.is_multiple_of(TEXT_EVERY) {
        pair.counters.count(Event::Texts);
        text::compare(seed, &pair.rules, &pair.accepted, pair.refused.as_ref())
            .map_err(|(request, difference)| Failure { seed, request, difference })?;
    }
    Ok(())
}

/// Draws options until they are coherent; both must find the same clash in those that are not.
fn start(
    seed: u64,
    rng: &mut ChaCha8Rng,
    style: Style,
    counters: &mut Counters,
) -> Result<(Value, Game, Plain), Failure> {
    loop {
        let rules = options::random(rng, style);
        let plain = Plain::new(&rules);
        let found = c5::referee::rules_from_json(&rules);
        let agree = match (&plain, &found) {
            (Ok(_), Ok(_)) => true,
            (Err(BadRules::Clash(one, other)), Err(error)) => {
                let message = error.to_string();
                message.contains(one) && message.contains(other)
            }
            (Ok(_) | Err(_), _) => false,
        };
        match (plain, found) {
            (Ok(plain), Ok(found)) => return Ok((rules, Game::new(found), plain)),
            (Err(why), Err(_)) if agree => observe::bad_rules(counters, &why),
            (plain, found) => {
                let difference = format!("rules: {:?}, plain: {:?}", found.err(), plain.err());
                return Err(Failure { seed, request: json!({ "rules": rules, "actions": [] }), difference });
            }
        }
    }
}

/// One game by both rules.
struct Pair<'a> {
    seed: u64,
    rules: Value,
    game: Game,
    plain: Plain,
    accepted: Vec<Action>,
    /// The last refused action since the last accepted one.
    refused: Option<Action>,
    counters: &'a mut Counters,
    /// The position of which illegal points and groups are compared, and how many accepted actions led to it.
    probe: (Game, Plain, usize),
}

impl Pair<'_> {
    /// Plays to the end and one action further, which must be refused.
    fn play(&mut self, mut course: Course, rng: &mut ChaCha8Rng) -> Result<(), Failure> {
        let mut refusals = 0;
        for _ in 0..ACTIONS_MAX {
            // Each position is as likely as the others to be the one that is kept.
            let positions = self.accepted.len() + 1;
            if refusals == 0 && self.plain.result.is_none() && rng.random_range(0..positions) == 0 {
                self.probe = (self.game.clone(), self.plain.clone(), self.accepted.len());
            }
            let over = self.plain.result.is_some();
            let action = course.next(&self.plain, refusals);
            refusals = if self.action(&action)? { 0 } else { refusals + 1 };
            if over {
                break;
            }
        }
        Ok(())
    }

    fn compare_probe(&self) -> Result<(), Failure> {
        let (game, plain, actions) = &self.probe;
        compare::points(game, plain).map_err(|difference| self.failure(&self.accepted[..*actions], None, difference))
    }

    /// Plays one action; false when both refuse it.
    fn action(&mut self, action: &Action) -> Result<bool, Failure> {
        let Some(said) = compare::action_of(&self.game, action) else {
            return Ok(false);
        };
        let before = self.plain.clone();
        let found = self.game.play(&said).map_err(rules::Refusal::name);
        let expected = self.plain.play(action);
        let failure = |pair: &Self, difference| pair.failure(&pair.accepted, Some(action), difference);
        match (&found, &expected) {
            (Ok(played), Ok(done)) => compare::done(played, done).map_err(|difference| failure(self, difference))?,
            (Err(code), Err(expected)) if code == expected => {}
            (Ok(_) | Err(_), _) => {
                let difference = format!("the action: rules say {found:?}, plain says {expected:?}");
                return Err(failure(self, difference));
            }
        }
        compare::position(&self.game, &self.plain).map_err(|difference| failure(self, difference))?;
        match expected {
            Ok(done) => {
                observe::accepted(self.counters, &before, action, &done, &self.plain);
                self.accepted.push(action.clone());
                self.refused = None;
                Ok(true)
            }
            Err(code) => {
                observe::refusal(self.counters, &self.plain, code);
                self.refused = Some(action.clone());
                Ok(false)
            }
        }
    }

    /// A refused action changes nothing, so the accepted ones and the last one lead to the difference.
    fn failure(&self, accepted: &[Action], last: Option<&Action>, difference: String) -> Failure {
        let actions: Vec<Value> = accepted.iter().chain(last).map(Action::write).collect();
        Failure { seed: self.seed, request: json!({ "rules": self.rules, "actions": actions }), difference }
    }
}
