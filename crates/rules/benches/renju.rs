//! Maps of the points that renju forbids to black, over the positions of `renju-forbidden.tsv`.

use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rules::{Colour, Game, Point, Rules, Setup};

fn positions() -> Vec<Game> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/renju-forbidden.tsv");
    let text = std::fs::read_to_string(path).expect("the data file");
    let rules: Rules = "wuziqi forbidden=renju".parse().expect("coherent");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| position(rules, line.split('\t').next().unwrap_or(line))).collect()
}

/// 225 characters, the top row first: `X` black, `O` white.
fn position(rules: Rules, board: &str) -> Game {
    let stones = board.chars().enumerate().filter_map(|(index, cell)| {
        let at = Point::new((index % 15) as u8, 14 - (index / 15) as u8)?;
        match cell {
            'X' => Some((at, Colour::Black)),
            'O' => Some((at, Colour::White)),
            _ => None,
        }
    });
    Game::from_setup(&Setup::new(rules, stones.collect(), Colour::Black)).expect("a position")
}

fn maps(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("renju");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("forbidden-point maps", |bencher| {
        bencher.iter(|| positions.iter().map(|position| position.illegal().len()).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, maps);
criterion_main!(benches);
