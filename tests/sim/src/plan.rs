//! What a game is: its rules, seats, people and faults, drawn from its seed.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{BoardSize, FirstStart, MoveLimit, Options, Preset, Rules};
use table::{Grace, SeatSetup, Settings, Setup};

use crate::Run;
use crate::faults::{Faults, Set};

/// One game in so many has real signatures.
const REAL_EVERY: u64 = 100;
/// One game in so many has its journals read again at the end.
const READ_EVERY: u64 = 16;

/// What a hostile device does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liar {
    /// As a keeper, signs two entries for one place, and shows one to some and the other to the rest.
    SignsTwice,
    /// As a keeper, enters only its own acts.
    Withholds,
    /// As a caller, leaves a live device out of its rolls.
    LeavesOut,
    /// As a caller, puts its rolls on a wrong base.
    WrongBase,
    /// Takes over absent seats at once.
    NoGrace,
    /// Sends acts with others' seats, others' names, spoilt signatures, and old ones again.
    Forges,
}

impl Liar {
    pub const ALL: [Liar; 6] =
        [Liar::SignsTwice, Liar::Withholds, Liar::LeavesOut, Liar::WrongBase, Liar::NoGrace, Liar::Forges];
}

/// A game's plan.
#[derive(Clone, Debug)]
pub struct Plan {
    pub setup: Setup,
    /// Devices of people; the first opens the table.
    pub people: usize,
    pub spectators: usize,
    /// When each device comes, in ms.
    pub comes: Vec<u64>,
    /// Games that they want to play.
    pub games: u32,
    pub faults: Faults,
    /// When the faults end, in ms.
    pub until: u64,
    pub real: bool,
    pub reads_journals: bool,
    pub liar: Option<(usize, Liar)>,
    /// The liar has not stopped.
    pub lying: bool,
    /// A person that lets its clock run out.
    pub dozer: Option<usize>,
}

impl Plan {
    pub fn draw(seed: u64, run: &Run) -> (Plan, ChaCha8Rng) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let seats = rng.random_range(2..=4usize);
        let rules = draw_rules(seats as u8, &mut rng);
        let mut setups = vec![SeatSetup::Open; seats];
        let cpus = [0, 0, 0, 0, 1, 1, 2][rng.random_range(0..7)].min(seats - 1);
        for _ in 0..cpus {
            setups[rng.random_range(1..seats)] = SeatSetup::Cpu(rng.random_range(1..=8));
        }
        let open = setups.iter().filter(|&&setup| setup == SeatSetup::Open).count();
        let alone = if open < seats { 1 } else { 2 };
        let people = if rng.random_range(0..8) == 0 { rng.random_range(alone..=open.max(alone)) } else { open };
        let spectators = [0, 0, 0, 0, 1, 1, 2][rng.random_range(0..7)];
        let comes = (0..people + spectators)
            .map(|device| if device > 0 && rng.random_range(0..8) == 0 { rng.random_range(0..6_000) } else { 0 })
            .collect();
        let settings = Settings {
            grace: draw_grace(&mut rng),
            level: 5,
            ranked: open == seats && people == seats && rng.random_range(0..4) == 0,
            hidden: false,
        };
        let mut faults = Faults::draw(run.set, &mut rng);
        for (name, value) in &run.faults {
            faults.set(name, *value);
        }
        let lies = run.set == Set::Full && people >= 2 && rng.random_range(0..8) == 0;
        let liar = lies.then(|| (rng.random_range(0..people), Liar::ALL[rng.random_range(0..Liar::ALL.len())]));
        // Most liars have no fault to hide behind.
        if lies && rng.random_range(0..3) > 0 {
            faults = Faults::default();
        }
        let dozer = (rules.options().move_limit == MoveLimit::Seconds30 && rng.random_range(0..2) == 0)
            .then(|| rng.random_range(0..people));
        if dozer.is_some() && rng.random_range(0..3) > 0 {
            faults = Faults {
                delay: faults.delay,
                duplication: faults.duplication,
                drift: faults.drift,
                ..Faults::default()
            };
        }
        let until = if dozer.is_some() { rng.random_range(36_000..45_000) } else { rng.random_range(7_000..16_000) };
        let plan = Plan {
            setup: Setup { rules, settings, seats: setups, name: "A".into(), pin: None },
            people,
            spectators,
            comes,
            games: rng.random_range(1..=4),
            faults,
            until,
            lying: true,
            dozer,
            real: seed % REAL_EVERY == REAL_EVERY / 2,
            reads_journals: seed.is_multiple_of(READ_EVERY),
            liar,
        };
        (plan, rng)
    }

    pub fn devices(&self) -> usize {
        self.people + self.spectators
    }

    /// Whether the person at this device never comes to a seat.
    pub fn watches(&self, device: usize) -> bool {
        device >= self.people
    }

    pub fn grace_ms(&self) -> Option<u64> {
        match self.setup.settings.grace {
            Grace::Seconds(seconds) => Some(u64::from(seconds) * 1000),
            Grace::Never => None,
        }
    }
}

fn draw_grace(rng: &mut ChaCha8Rng) -> Grace {
    match rng.random_range(0..10) {
        0..4 => Grace::Seconds(0),
        4..7 => Grace::Seconds(10),
        7 => Grace::Seconds(30),
        8 => Grace::Seconds(60),
        _ => Grace::Never,
    }
}

fn draw_rules(seats: u8, rng: &mut ChaCha8Rng) -> Rules {
    let preset = Preset::ALL[rng.random_range(0..Preset::ALL.len())];
    let mut options = Options { seats, ..preset.options() };
    let as_it_is = options;
    if matches!(preset, Preset::Custom | Preset::CaptureFive) {
        options.board = BoardSize::Nine;
    }
    options.teams = seats == 4 && rng.random_range(0..2) == 0;
    if rng.random_range(0..4) == 0 {
        options.first_start = FirstStart::Random;
    }
    options.move_limit = MoveLimit::ALL[[0, 0, 0, 1, 1, 2][rng.random_range(0..6)]];
    options.pass_start = rng.random_range(0..2) == 0;
    let (as_it_is, _) = as_it_is.for_seats(seats);
    let rules = options.check(preset).or_else(|_| options.for_seats(seats).0.check(preset));
    rules.or_else(|_| as_it_is.check(preset)).unwrap_or_else(|_| Rules::of(Preset::CaptureFive))
}
