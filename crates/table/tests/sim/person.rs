//! People who sit down, say they are ready, and play at random.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rules::{Action, Game, Must, Point, Rules};
use table::{Command, Table};

#[derive(Clone, Debug)]
pub struct Person {
    pub name: String,
    /// Games that it plays.
    pub games: u32,
    /// It says it is ready once this many sit, CPUs included.
    pub party: usize,
    /// Of a hundred turns, in how many it resigns instead.
    pub resigns: u32,
}

impl Person {
    pub fn new(name: &str, games: u32, party: usize) -> Person {
        Person { name: name.into(), games, party, resigns: 0 }
    }

    /// What it wants now.
    pub fn wants(&self, table: &Table, rng: &mut ChaCha8Rng) -> Option<Command> {
        let state = table.state()?;
        let Some(own) = table.my_seat() else {
            return Some(Command::Sit { seat: None, name: self.name.clone() });
        };
        if state.playing() {
            let turn = state.turn_seat()?;
            if turn != own || state.cpu_plays(own) || table.ghost().is_some() {
                return None;
            }
            if rng.random_range(0..100) < self.resigns {
                return Some(Command::Resign);
            }
            return Some(Command::Play(random_action(&state.current.as_ref()?.game, rng)));
        }
        let played = state.current.as_ref().map_or(0, |current| current.number);
        let ready = state.seats[usize::from(own)].ready;
        (played < self.games && !ready && state.participants().len() >= self.party).then_some(Command::Ready)
    }
}

/// A legal action at random, mostly beside other stones, so that games come to an end.
pub fn random_action(game: &Game, rng: &mut ChaCha8Rng) -> Action {
    let turn = game.turn().expect("the game goes on");
    match turn.must {
        Must::Choose => Action::Choose(pick(rng, &game.rules().colours())),
        Must::ChooseOrAdd if rng.random_range(0..3) == 0 => Action::Add,
        Must::ChooseOrAdd => Action::Choose(pick(rng, &game.rules().colours())),
        Must::Place => Action::place(random_point(game, rng)),
    }
}

fn random_point(game: &Game, rng: &mut ChaCha8Rng) -> Point {
    let legal: Vec<Point> =
        game.rules().board().points().filter(|&at| game.stone(at).is_none() && game.check(at).is_ok()).collect();
    let beside: Vec<Point> =
        legal.iter().copied().filter(|&at| neighbours(at).any(|n| game.stone(n).is_some())).collect();
    if beside.is_empty() || rng.random_range(0..10) == 0 { pick(rng, &legal) } else { pick(rng, &beside) }
}

fn neighbours(at: Point) -> impl Iterator<Item = Point> {
    (0..9u8).filter_map(move |n| Point::new((at.column() + n % 3).checked_sub(1)?, (at.row() + n / 3).checked_sub(1)?))
}

fn pick<T: Copy>(rng: &mut ChaCha8Rng, from: &[T]) -> T {
    from[rng.random_range(0..from.len())]
}

/// The presets for this many seats, and teams.
pub fn rules_for(preset: rules::Preset, seats: u8, teams: bool) -> Rules {
    let options = rules::Options { seats, teams, ..preset.options() };
    options.check(preset).expect("a game of the family")
}
