//! One game of a match.

use std::time::{Duration, Instant};

use cpu::{Budget, Mind, yardstick};
use rules::{Action, Game, Outcome, Rules};

use super::player::{Kind, Player};
use super::program::{NoMove, Program};
use super::series::{Ending, Foul, Pairing, Who};

/// What all games of a match have in common.
pub struct Terms {
    pub rules: Rules,
    /// A and B.
    pub players: [Player; 2],
    /// At least one, each playable under the rules.
    pub openings: Vec<Vec<Action>>,
    /// Openings of the file that are for larger boards.
    pub left_out: usize,
    /// How much later than its limit a move may come.
    pub margin: Duration,
}

/// A game that has ended.
pub struct Record {
    pub pairing: Pairing,
    pub game: Game,
    pub ending: Ending,
    pub foul: Option<Broken>,
    /// Of A and of B.
    pub spent: [Spent; 2],
}

/// Who broke the game off, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub who: Who,
    pub foul: Foul,
    pub why: String,
}

/// A player's moves and their time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    pub moves: u32,
    pub sum: Duration,
    pub longest: Duration,
    /// Positions that our own engine has looked at.
    pub nodes: u64,
}

impl Spent {
    fn add(&mut self, time: Duration, nodes: u64) {
        *self = self.and(Spent { moves: 1, sum: time, longest: time, nodes });
    }

    /// Both together.
    pub fn and(self, other: Spent) -> Spent {
        Spent {
            moves: self.moves + other.moves,
            sum: self.sum + other.sum,
            longest: self.longest.max(other.longest),
            nodes: self.nodes.saturating_add(other.nodes),
        }
    }
}

/// A player in its seat, with what it remembers of this game.
enum Seat {
    Cpu { mind: Box<Mind>, level: u8, nodes: u64 },
    Playouts(u32),
    Random,
    Novice,
    Program(Box<Program>),
}

/// What a seat answered: an action and the positions looked at, or why there is none.
type Answer = Result<(Action, u64), (Foul, String)>;

/// Plays a game to its end; why it could not begin otherwise.
pub fn play(terms: &Terms, pairing: Pairing) -> Result<Record, String> {
    let rules = terms.rules;
    let who = |player: u8| if player % rules.sides() == pairing.side { Who::A } else { Who::B };
    let mut seats = Vec::new();
    for player in 0..rules.players() {
        seats.push(Seat::new(&terms.players[who(player) as usize], rules)?);
    }
    let opening = &terms.openings[pairing.opening];
    let mut game = Game::replay(rules, opening).map_err(|(index, _)| format!("{} is refused", opening[index]))?;
    let mut spent = [Spent::default(); 2];
    let mut foul = None;
    while let (Some(turn), None) = (game.turn(), &foul) {
        let whose = who(turn.player);
        let limit = terms.players[whose as usize].limit;
        // Players of one kind in one game must not all decide alike.
        let seed = pairing.seed.wrapping_mul(SEED_STEP).wrapping_add(u64::from(turn.player));
        let start = Instant::now();
        let answer = seats[usize::from(turn.player)].act(&game, seed, start, limit, terms.margin);
        let time = start.elapsed();
        let nodes = answer.as_ref().map_or(0, |(_, nodes)| *nodes);
        spent[whose as usize].add(time, nodes);
        let fault = judge(&mut game, answer, time, limit.map(|limit| limit + terms.margin));
        foul = fault.map(|(foul, why)| Broken { who: whose, foul, why });
    }
    let ending = ending(&game, pairing.side, foul.as_ref());
    Ok(Record { pairing, game, ending, foul, spent })
}

/// An odd number that keeps seeds of different games apart.
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Plays the action, or tells what is wrong with it.
fn judge(game: &mut Game, answer: Answer, time: Duration, latest: Option<Duration>) -> Option<(Foul, String)> {
    let (action, _) = match answer {
        Ok(answer) => answer,
        Err(fault) => return Some(fault),
    };
    if latest.is_some_and(|latest| time > latest) {
        return Some((Foul::Forfeit, format!("{action} came after {} ms", time.as_millis())));
    }
    match &action {
        Action::Resign(_) | Action::Draw => Some((Foul::Illegal, format!("{action} is no move"))),
        Action::Place { .. } | Action::Choose(_) | Action::Add => {
            let refusal = game.play(&action).err()?;
            Some((Foul::Illegal, format!("{action} is refused: {}", refusal.name())))
        }
    }
}

/// How it went for the side of the first player. Whoever breaks a game off has lost it, and all others have won it.
fn ending(game: &Game, side: u8, foul: Option<&Broken>) -> Ending {
    let others = game.rules().sides() - 1;
    match (foul.map(|broken| broken.who), game.result()) {
        (Some(Who::A), _) => Ending::Lost,
        (Some(Who::B), _) => Ending::Won(others.max(1)),
        (None, Some(Outcome::Win { winners, .. })) if winners.contains(&game.colour_of(side)) => {
            Ending::Won(winners.len() as u8)
        }
        (None, Some(Outcome::Win { .. })) => Ending::Lost,
        (None, Some(Outcome::Draw(_)) | None) => Ending::Drawn,
    }
}

impl Seat {
    fn new(player: &Player, rules: Rules) -> Result<Seat, String> {
        Ok(match &player.kind {
            Kind::Cpu { level, nodes } => {
                let mut mind = Mind::new(cpu::memory_of(*level));
                // Its tables are made before the clock runs, as a program's are.
                mind.prepare(&rules);
                Seat::Cpu { mind: Box::new(mind), level: *level, nodes: *nodes }
            }
            Kind::Playouts(count) => Seat::Playouts(*count),
            Kind::Random => Seat::Random,
            Kind::Novice => Seat::Novice,
            Kind::Gomocup(command) => Seat::Program(Box::new(Program::start(
                command,
                rules,
                player.told.or(player.limit).unwrap_or_default(),
            )?)),
        })
    }

    fn act(&mut self, game: &Game, seed: u64, start: Instant, limit: Option<Duration>, margin: Duration) -> Answer {
        let end = limit.map(|limit| start + limit - crate::clock::reserve(limit));
        let mut stop = || end.is_some_and(|end| Instant::now() >= end);
        match self {
            Seat::Cpu { mind, level, nodes } => {
                let thought = mind.think(game, &Budget { level: *level, nodes: *nodes, seed }, &mut stop);
                Ok((thought.action, thought.nodes))
            }
            Seat::Playouts(count) => Ok((yardstick::playouts(game, *count, seed, &mut stop), 0)),
            Seat::Random => Ok((yardstick::random(game, seed), 0)),
            Seat::Novice => Ok((yardstick::novice(game, seed), 0)),
            Seat::Program(program) => {
                let until = start + limit.unwrap_or_default() + margin;
                program.act(game, until).map(|action| (action, 0)).map_err(no_move)
            }
        }
    }
}

fn no_move(why: NoMove) -> (Foul, String) {
    match why {
        NoMove::Late => (Foul::Forfeit, "no answer in time".to_owned()),
        NoMove::Gone => (Foul::Forfeit, "the program has ended".to_owned()),
        NoMove::Refused(words) => (Foul::Forfeit, format!("the program says {words:?}")),
        NoMove::Nonsense(words) => (Foul::Illegal, format!("{words:?} is no move here")),
    }
}

#[cfg(test)]
mod tests {
    use rules::Preset;

    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn game(stones: &str) -> Game {
        let actions: Vec<Action> = stones.split_whitespace().map(|word| word.parse().expect(word)).collect();
        Game::replay(Rules::of(Preset::Gomoku), &actions).expect("legal")
    }

    fn check(action: &str, took_ms: u64, latest_ms: Option<u64>, foul: Option<Foul>) {
        let mut game = game("H8");
        let answer = Ok((action.parse().expect("an action"), 0));
        let found = judge(&mut game, answer, MS(took_ms), latest_ms.map(MS));
        assert_eq!(found.map(|(foul, _)| foul), foul, "{action} after {took_ms} ms of {latest_ms:?}");
        assert_eq!(game.actions().len(), if foul.is_none() { 2 } else { 1 }, "{action}");
    }

    #[test]
    fn a_move_is_late_beyond_limit_and_margin_or_illegal_by_the_rules() {
        check("I9", 130, Some(130), None);
        check("I9", 131, Some(130), Some(Foul::Forfeit));
        check("I9", 100_000, None, None);
        check("H8", 1, None, Some(Foul::Illegal));
        check("white", 1, None, Some(Foul::Illegal));
        check("resign:white", 1, None, Some(Foul::Illegal));
        check("draw", 1, None, Some(Foul::Illegal));
    }

    #[test]
    fn a_game_ends_for_the_side_of_the_first_player() {
        let won = game("A1 A2 B1 B2 C1 C2 D1 D2 E1");
        let by = |who| Broken { who, foul: Foul::Forfeit, why: String::new() };
        assert_eq!((ending(&won, 0, None), ending(&won, 1, None)), (Ending::Won(1), Ending::Lost));
        let broken = game("H8");
        assert_eq!(ending(&broken, 0, Some(&by(Who::A))), Ending::Lost);
        assert_eq!(ending(&broken, 0, Some(&by(Who::B))), Ending::Won(1));
    }

    #[test]
    fn times_are_added_up() {
        let mut spent = Spent::default();
        spent.add(MS(20), 5);
        spent.add(MS(10), 7);
        assert_eq!(spent, Spent { moves: 2, sum: MS(30), longest: MS(20), nodes: 12 });
    }
}
