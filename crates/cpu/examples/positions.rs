//! Writes positions of games against itself, a row of numbers each, to fit the weights of points on:
//! `cargo run --release -p cpu --example positions -- gomoku 300 1 2500 > positions.tsv`. See the crate's README.

use std::io::Write;

use cpu::{Mind, weights};
use rules::Rules;

const USAGE: &str = "usage: positions RULES GAMES SEED NODES, where RULES are a preset and its changes in one word, as \
                     \"pente opening=none\", for two sides and without an opening";
const MEMORY_BYTES: usize = 16 << 20;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, games, seed, nodes] = arguments.as_slice() else { return Err(USAGE.to_owned()) };
    let number = |text: &String| text.parse::<u64>().map_err(|_| format!("{text:?} is no number; {USAGE}"));
    let (games, seed, nodes) = (number(games)?, number(seed)?, number(nodes)?);
    let rules: Rules = rules.parse().map_err(|error| format!("{error}; {USAGE}"))?;
    if rules.sides() != 2 || rules.options().opening != rules::Opening::None {
        return Err(USAGE.to_owned());
    }
    write(&rules, games, seed, nodes).map_err(|error| format!("the rows cannot be written: {error}"))
}

/// Games from one seed after the other, until there are as many as asked for.
fn write(rules: &Rules, games: u64, seed: u64, nodes: u64) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{}", weights::columns().join("\t"))?;
    let mut mind = Mind::new(MEMORY_BYTES);
    let seeds = (0..).map(|number| (seed << 32) + number);
    let played = seeds.filter_map(|seed| weights::game(&mut mind, rules, nodes, seed)).take(games as usize);
    for row in played.flatten() {
        let numbers: Vec<String> = row.iter().map(i32::to_string).collect();
        writeln!(out, "{}", numbers.join("\t"))?;
    }
    out.flush()
}
