//! People: they sit down, say they are ready, play, ask, answer, resign, stand up, wait for others or not.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rules::{Action, Game, Must, Point};
use table::{Asked, Command, Presence, Proposal, State, Table, Terms};

/// One person.
#[derive(Clone, Debug)]
pub struct Person {
    pub name: String,
    /// Games that it plays.
    pub games: u32,
    /// Seats that are filled before it says it is ready, CPUs included; fewer when it has waited long.
    pub party: usize,
    /// It has stood up and only watches.
    pub stood: bool,
    /// It does nothing rash any more: it plays, agrees, and lets the game come to its end.
    pub calm: bool,
    /// When it sat and waited long enough for the others, in its own looks at the table.
    pub patience: u32,
    /// It does not move, so that its clock runs out.
    pub dozes: bool,
}

impl Person {
    /// What it wants now.
    pub fn wants(&mut self, table: &Table, rng: &mut ChaCha8Rng) -> Option<Command> {
        let state = table.state()?;
        let own = table.own_seats();
        if own.is_empty() {
            let sits = !self.stood && !table.is_sitting_down();
            return sits.then(|| Command::Sit { seat: None, name: self.name.clone() });
        }
        if let Some(command) = self.answer(state, &own, rng).or_else(|| self.about_absent(table, state, rng)) {
            return Some(command);
        }
        let rash = if self.calm { 1000 } else { rng.random_range(0..1000) };
        match rash {
            0..3 => {
                self.stood = true;
                return Some(Command::Stand);
            }
            3..10 => return Some(Command::Resign),
            10..35 => return Some(Command::Offer(Proposal::Undo)),
            35..45 => return Some(Command::Offer(Proposal::Draw)),
            45..60 => return Some(Command::Touched),
            _ => {}
        }
        if state.playing() { self.play(table, state, &own, rng) } else { self.between_games(state, &own, rash, rng) }
    }

    fn between_games(&mut self, state: &State, own: &[u8], rash: u32, rng: &mut ChaCha8Rng) -> Option<Command> {
        let played = state.current.as_ref().map_or(0, |current| current.number);
        let seats = state.seats.len() as u32;
        match rash {
            60..100 => return Some(Command::Offer(Proposal::Options(other_terms(state, rng)))),
            // Somebody shares the device, or its own person changes seats.
            100..105 => return Some(Command::SitHere { seat: (rash % seats) as u8, name: "guest".into() }),
            105..110 => return Some(Command::Sit { seat: Some((rash % seats) as u8), name: self.name.clone() }),
            _ => {}
        }
        self.patience = self.patience.saturating_sub(1);
        let enough = state.participants().len() >= self.party || self.patience == 0;
        let ready = own.iter().all(|&seat| state.seats[usize::from(seat)].ready);
        (played < self.games && !ready && enough).then_some(Command::Ready)
    }

    fn play(&self, table: &Table, state: &State, own: &[u8], rng: &mut ChaCha8Rng) -> Option<Command> {
        let turn = state.turn_seat()?;
        if !own.contains(&turn) || state.cpu_plays(turn) || table.ghost().is_some() || self.dozes {
            return None;
        }
        Some(Command::Play(any_action(&state.current.as_ref()?.game, rng)))
    }

    /// To somebody's offer: mostly yes.
    fn answer(&self, state: &State, own: &[u8], rng: &mut ChaCha8Rng) -> Option<Command> {
        let asked = |offer: &&table::Offer| state.to_answer(offer).iter().any(|seat| own.contains(seat));
        let open = state.offers.iter().find(asked)?;
        let yes = self.calm || rng.random_range(0..10) < 7 || matches!(open.what, Asked::Resign);
        Some(Command::Answer { offer: Some(open.id), yes })
    }

    /// Somebody is away, and it is their turn, or nobody can start without them.
    fn about_absent(&self, table: &Table, state: &State, rng: &mut ChaCha8Rng) -> Option<Command> {
        let seats = 0..state.seats.len() as u8;
        let away = seats.clone().find(|&seat| table.presence(seat) == Presence::Away)?;
        let for_ever = state.settings.grace == table::Grace::Never || state.settings.ranked;
        let held = state.seats.get(usize::from(away)).is_some_and(|seat| seat.hold);
        let waits_for_ever = self.calm && (for_ever || held);
        match rng.random_range(0..100) {
            0..4 if !self.calm => Some(Command::Hold { seat: Some(away) }),
            4..10 => Some(Command::CpuNow { seat: Some(away) }),
            _ if waits_for_ever => Some(Command::CpuNow { seat: Some(away) }),
            _ => None,
        }
    }
}

fn other_terms(state: &State, rng: &mut ChaCha8Rng) -> Terms {
    let seats = state.seats.iter().map(|seat| match seat.sitter {
        table::Sitter::Cpu { level } => table::SeatSetup::Cpu(level % 8 + 1),
        _ => table::SeatSetup::Open,
    });
    let mut settings = state.settings;
    settings.level = rng.random_range(1..=8);
    Terms { rules: state.rules.to_bytes(), settings, seats: seats.collect(), pin: None }
}

/// A legal action: mostly the next stone of an own row, so that games end soon, else a random one.
pub fn any_action(game: &Game, rng: &mut ChaCha8Rng) -> Action {
    let Some(turn) = game.turn() else { return Action::Draw };
    let colours = game.rules().colours();
    let colour = colours[rng.random_range(0..colours.len())];
    match turn.must {
        Must::Choose => Action::Choose(colour),
        Must::ChooseOrAdd if rng.random_range(0..3) == 0 => Action::Add,
        Must::ChooseOrAdd => Action::Choose(colour),
        Must::Place => Action::place(any_point(game, turn.player, rng)),
    }
}

fn any_point(game: &Game, player: u8, rng: &mut ChaCha8Rng) -> Point {
    let may = |at: &Point| game.stone(*at).is_none() && game.check(*at).is_ok();
    let side = game.rules().board().side();
    if rng.random_range(0..10) < 8 {
        let row = 2 * player + 1;
        let in_row = (0..side).filter_map(|column| Point::new(column, row)).find(may);
        if let Some(point) = in_row {
            return point;
        }
    }
    for _ in 0..20 {
        let point = Point::new(rng.random_range(0..side), rng.random_range(0..side));
        if let Some(point) = point.filter(may) {
            return point;
        }
    }
    game.rules().board().points().find(may).expect("the game goes on, so there is a legal point")
}
