//! Playouts of each preset and of three- and four-seat games, beside a plain array implementation of the same with
//! the same random numbers: the ratio of the two is of one run.

mod plain;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plain::Plain;
use rules::{Colour, Ended, Game, Playout, Preset, Rules};

/// The upper half of a linear congruential generator with Knuth's constants: cheap, so that it hides little of what
/// is measured.
fn random(seed: u64) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    }
}

/// What is measured: the presets with two seats as they come, and *Capture Five* with three and four.
fn games() -> Vec<(String, Rules)> {
    let presets = [Preset::CaptureFive, Preset::Pente, Preset::PenteSwap2, Preset::Gomoku, Preset::Wuziqi];
    let mut games: Vec<(String, Rules)> =
        presets.into_iter().map(|preset| (preset.name().to_owned(), Rules::of(preset))).collect();
    for seats in [3, 4] {
        let (options, _) = Preset::CaptureFive.options().for_seats(seats);
        let rules = options.check(Preset::CaptureFive).expect("coherent");
        games.push((format!("capture-five, {seats} seats"), rules));
    }
    games
}

/// The same random numbers give the same games, or the ratio would compare different things.
fn agree(rules: Rules) {
    let (ours, plain) = (Playout::of(&Game::new(rules)), Plain::new(&rules));
    let (mut one, mut other) = (random(1), random(1));
    let colours = rules.colours();
    for _ in 0..2_000 {
        let ended = ours.run(&mut one);
        let winners = plain.clone().run(&mut other);
        assert_eq!(winners_of(ended, &colours), winners, "{}", rules.preset().name());
    }
}

fn winners_of(ended: Ended, colours: &[Colour]) -> plain::Winners {
    let won = colours.iter().enumerate().filter(|(_, colour)| ended.has_won(**colour));
    won.fold(0, |bits, (side, _)| bits | 1 << side)
}

fn playouts(criterion: &mut Criterion) {
    for (name, rules) in games() {
        agree(rules);
        let mut group = criterion.benchmark_group(&name);
        group.throughput(Throughput::Elements(1));
        let (ours, plain) = (Playout::of(&Game::new(rules)), Plain::new(&rules));
        let mut numbers = random(2);
        group.bench_function("rules", |bencher| bencher.iter(|| ours.run(&mut numbers)));
        let mut numbers = random(2);
        group.bench_function("plain", |bencher| bencher.iter(|| plain.clone().run(&mut numbers)));
        group.finish();
    }
}

criterion_group!(benches, playouts);
criterion_main!(benches);
