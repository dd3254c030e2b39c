//! People who do anything at any time, while links break and processes die: in the end all devices agree.

mod sim;

use rand::Rng;
use rules::{FirstStart, MoveLimit, Options, Preset};
use sim::party::OPEN;
use sim::person::random_action;
use sim::{CALM, Faults, World};
use table::{Command, EventKind, Grace, Proposal, SeatSetup, Table, Terms};

/// A command that may well be refused.
fn anything(world: &mut World, device: usize) -> Option<Command> {
    let table = world.devices[device].table.as_ref()?;
    let state = table.state()?.clone();
    let own = table.my_seat();
    let rng = &mut world.rng;
    let seat = rng.random_range(0..state.seats.len() as u8);
    let some = |rng: &mut rand_chacha::ChaCha8Rng| if rng.random_bool(0.7) { None } else { Some(seat) };
    let turn = state.turn_seat().filter(|&turn| Some(turn) == own);
    let game = state.current.as_ref().filter(|_| turn.is_some());
    Some(match rng.random_range(0..40) {
        0..=15 if game.is_some() => Command::Play(random_action(&game?.game, rng)),
        0..=5 => Command::Ready,
        16..=18 if own.is_none() => Command::Sit { seat: some(rng), name: "P".into() },
        16 => Command::Sit { seat: some(rng), name: "P".into() },
        17 if rng.random_bool(0.1) => Command::Stand,
        18 if rng.random_bool(0.3) => Command::Resign,
        19..=21 => Command::Offer(Proposal::Undo),
        22 => Command::Offer(Proposal::Draw),
        23 => Command::Offer(Proposal::Options(other_terms(table, rng.random_bool(0.5))?)),
        24..=29 => Command::Answer { offer: None, yes: rng.random_bool(0.7) },
        30 => Command::Hold { seat: some(rng) },
        31 => Command::CpuNow { seat: some(rng) },
        32 => Command::Touched,
        _ => return None,
    })
}

fn other_terms(table: &Table, never: bool) -> Option<Terms> {
    let state = table.state()?;
    let grace = if never { Grace::Never } else { Grace::Seconds(10) };
    let settings = table::Settings { grace, ..state.settings };
    Some(Terms { rules: state.rules.to_bytes(), settings, seats: vec![OPEN; state.seats.len()], pin: None })
}

fn run(seed: u64, faults: Faults, options: Options, people: usize) -> World {
    let seats = usize::from(options.seats);
    let rules = options.check(Preset::CaptureFive).expect("coherent");
    let mut setups = vec![OPEN; people];
    setups.resize(seats, SeatSetup::Cpu(2));
    let mut setup = sim::setup(rules, setups);
    setup.settings.grace = Grace::Seconds(10);
    let mut world = World::new(seed, faults, setup, people);
    while world.now < faults.until {
        for device in 0..people {
            if let Some(command) = anything(&mut world, device) {
                world.command(device, command).ok();
            }
        }
        world.run_for(120);
    }
    // The last restarts and links come, nobody touches anything, and moves on their way arrive.
    world.run_for(30_000);
    world.check_at_rest();
    world
}

#[test]
fn whatever_people_do_all_devices_agree_in_the_end() {
    let base = Preset::CaptureFive.options();
    let tossed = Options { seats: 3, first_start: FirstStart::Random, ..base };
    let teams = Options { seats: 4, teams: true, ..base };
    let timed = Options { move_limit: MoveLimit::Seconds30, ..base };
    let calm = Faults { until: 60_000, ..CALM };
    let rough = Faults { kill_every: 8_000, cut_every: 8_000, kill_opener: true, ..calm };
    let mut undone = 0;
    let mut taken = 0;
    let rounds = std::env::var("SIM_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1u64);
    for seed in 0..4 * rounds {
        for (options, people) in [(base, 2), (tossed, 3), (tossed, 2), (teams, 4), (timed, 2)] {
            for faults in [calm, rough] {
                let world = run(seed, faults, options, people);
                undone += world.told(0, |kind| matches!(kind, EventKind::Undone { .. }));
                let is_taken =
                    |kind: &EventKind| matches!(kind, EventKind::Seat { presence: table::Presence::Taken, .. });
                taken += world.told(0, is_taken);
            }
        }
    }
    assert!(undone > 20 && taken > 8, "things happened: {undone} undone, {taken} taken");
}
