//! Writes positions of games against itself, a row of numbers each, to fit the weights of points on:
//! `cargo run --release -p cpu --example positions -- gomoku 300 1 2500 > positions.tsv`. With a fifth word, `games`, whole
//! games of a rule without captures, a line of numbers each. See the crate's README.

use std::io::Write;

use cpu::{Mind, weights};
use rules::Rules;

const USAGE: &str = "usage: positions RULES GAMES SEED NODES [games], where RULES are a preset and its changes in one word, as \
                     \"pente opening=none\", for two sides and without an opening";
const MEMORY_BYTES: usize = 16 << 20;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (whole, arguments) = match arguments.split_last() {
        Some((last, before)) if last == "games" => (true, before),
        _ => (false, arguments.as_slice()),
    };
    let [rules, games, seed, nodes] = arguments else { return Err(USAGE.to_owned()) };
    let number = |text: &String| text.parse::<u64>().map_err(|_| format!("{text:?} is no number; {USAGE}"));
    let (games, seed, nodes) = (number(games)?, number(seed)?, number(nodes)?);
    let rules: Rules = rules.parse().map_err(|error| format!("{error}; {USAGE}"))?;
    if rules.sides() != 2 || rules.options().opening != rules::Opening::None {
        return Err(USAGE.to_owned());
    }
    write(&rules, games, seed, nodes, whole).map_err(|error| format!("the rows cannot be written: {error}"))
}

/// Games from one seed after the other, until there are as many as asked for.
fn write(rules: &Rules, games: u64, seed: u64, nodes: u64, whole: bool) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut mind = Mind::new(MEMORY_BYTES);
    let seeds = (0..).map(|number| (seed << 32) + number);
    if !whole {
        writeln!(out, "{}", weights::columns().join("\t"))?;
    }
    let mut put = |row: Vec<i32>, between: &str| {
        let numbers: Vec<String> = row.iter().map(i32::to_string).collect();
        writeln!(out, "{}", numbers.join(between))
    };
    if whole {
        let mut played = seeds.filter_map(|seed| weights::record(&mut mind, rules, nodes, seed)).take(games as usize);
        return played.try_for_each(|line| put(line, " "));
    }
    let played = seeds.filter_map(|seed| weights::game(&mut mind, rules, nodes, seed)).take(games as usize);
    played.flatten().try_for_each(|row| put(row, "\t"))
}
