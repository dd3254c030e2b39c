//! `c5 bench`: how fast the program is on this machine.

mod cpu;
mod net;
mod problems;

use std::time::Instant;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};
use rules::{Action, Game, Playout, Point, Preset, Rules};
use serde_json::json;

use crate::args::Bench;
use crate::{Failure, Output, events};

/// Playouts of one repeat: about a tenth of a second.
const PLAYOUTS: u32 = 100_000;
/// Positions for forbidden-point maps, and how often each is asked in one repeat.
const POSITIONS: usize = 400;
const MAPS_EACH: u32 = 20;
/// Stones of such a position, all within so many points of the centre.
const STONES: std::ops::RangeInclusive<u16> = 12..=70;
const CLUSTER: u8 = 5;

/// What is measured once: how often something was done in how long.
type Once<'a> = Box<dyn FnMut() -> u32 + 'a>;

pub(crate) fn rules(bench: &Bench, output: &mut Output) {
    let random = || SmallRng::seed_from_u64(bench.seed);
    for (of, rules) in games() {
        let start = Playout::of(&Game::new(rules));
        let mut numbers = random();
        let once: Once = Box::new(move || {
            for _ in 0..PLAYOUTS {
                std::hint::black_box(start.run(&mut || numbers.next_u32()));
            }
            PLAYOUTS
        });
        figure(["rules", "playouts", &of], once, bench, output);
    }
    let positions = renju_positions(&mut random());
    let once: Once = Box::new(|| {
        for _ in 0..MAPS_EACH {
            for position in &positions {
                std::hint::black_box(position.illegal());
            }
        }
        MAPS_EACH * positions.len() as u32
    });
    figure(["rules", "forbidden-point maps", "wuziqi with renju"], once, bench, output);
}

/// Every preset as it comes, and *Capture Five* with three and four seats and in teams.
fn games() -> Vec<(String, Rules)> {
    let presets = Preset::ALL.into_iter().filter(|&preset| preset != Preset::Custom);
    let mut games: Vec<(String, Rules)> = presets.map(|preset| (preset.name().to_owned(), Rules::of(preset))).collect();
    for (seats, teams) in [(3, false), (4, false), (4, true)] {
        let (mut options, _) = Preset::CaptureFive.options().for_seats(seats);
        options.teams = teams;
        let name = if teams { "teams".to_owned() } else { format!("{seats} seats") };
        games.extend(options.check(Preset::CaptureFive).map(|rules| (format!("capture-five, {name}"), rules)));
    }
    games
}

/// Positions of random stones around the centre, black to move.
fn renju_positions(random: &mut SmallRng) -> Vec<Game> {
    let mut options = Preset::Wuziqi.options();
    options.forbidden = rules::Forbidden::Renju;
    let Ok(rules) = options.check(Preset::Wuziqi) else { return Vec::new() };
    let centre = rules.board().centre();
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let mut game = Game::new(rules);
        let stones = random.random_range(STONES) / 2 * 2;
        while game.ply() < stones && game.result().is_none() {
            let near = |middle: u8, random: &mut SmallRng| middle - CLUSTER + random.random_range(0..=2 * CLUSTER);
            let at = Point::new(near(centre.column(), random), near(centre.row(), random));
            // An occupied or forbidden point changes nothing, and another is tried.
            let _ = at.map(|at| game.play(&Action::place(at)));
        }
        if game.result().is_none() {
            positions.push(game);
        }
    }
    positions
}

/// Measures and tells: the median of the repeats, and the slowest and the quickest. The names are those of the
/// measurement, of the figure and of what it was measured on.
fn figure([measurement, name, of]: [&str; 3], mut once: Once, bench: &Bench, output: &mut Output) {
    once();
    let mut rates: Vec<f64> = (0..bench.repeats)
        .map(|_| {
            let start = Instant::now();
            let done = once();
            f64::from(done) / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_unstable_by(f64::total_cmp);
    let (low, median, high) = (rates[0], rates[rates.len() / 2], rates[rates.len() - 1]);
    let mut event = events::new("figure");
    for (key, value) in [
        ("bench", json!(measurement)),
        ("name", json!(name)),
        ("of", json!(of)),
        ("unit", json!("1/s")),
        ("median", json!(median.round())),
        ("low", json!(low.round())),
        ("high", json!(high.round())),
        ("repeats", json!(bench.repeats)),
        ("seed", json!(bench.seed)),
    ] {
        event.insert(key.to_owned(), value);
    }
    let each = 1e6 / median;
    let sentence = format!(
        "{name}, {of}: {median:.0} a second, {each:.2} µs each (from {low:.0} to {high:.0} in {} repeats, seed {})",
        bench.repeats, bench.seed
    );
    output.event(&event, Some(&sentence));
}

/// What was asked for.
pub(crate) fn run(bench: &Bench, output: &mut Output) -> Result<(), Failure> {
    match bench.what.as_str() {
        "rules" => {
            rules(bench, output);
            Ok(())
        }
        "cpu" => cpu::run(bench, output),
        "net" => crate::in_runtime(|mut stop| async move {
            tokio::select! {
                done = net::run(bench, output) => done,
                () = stop.asked() => Ok(()),
            }
        }),
        other => Err(Failure::new(
            "not-available",
            format!(
                "this version has no measurement of {other}: try `c5 bench rules`, `c5 bench cpu` or `c5 bench net`"
            ),
        )),
    }
}
