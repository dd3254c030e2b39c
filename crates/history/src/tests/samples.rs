//! Folders and games to test with.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rules::{Action, Colour, Condition, DrawBy, Group, Outcome, Point, Preset, Rules, Take};

use crate::*;

pub const MACHINE: Option<&str> = Some("this machine");
pub const SEED: [u8; 32] = [7; 32];

pub fn seed() -> io::Result<[u8; 32]> {
    Ok(SEED)
}

/// Opens a folder in which nothing is wrong.
pub fn open(folder: &Path) -> History {
    let (history, warnings) = open_warned(folder);
    assert_eq!(warnings, []);
    history
}

pub fn open_warned(folder: &Path) -> (History, Vec<Warning>) {
    History::open_on(folder, MACHINE, seed).unwrap()
}

pub fn table(n: u8) -> TableId {
    TableId([n; 16])
}

pub fn journal_file(folder: &Path, table: TableId) -> PathBuf {
    folder.join(format!("running/{table}.journal"))
}

pub fn archive_file(folder: &Path) -> PathBuf {
    folder.join("archive/games.c5a")
}

/// Names in a folder that hold this, sorted.
pub fn names_with(folder: &Path, part: &str) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.contains(part));
    names.sort();
    names
}

/// Changes one byte so that it certainly differs and makes or breaks no line.
pub fn spoil(path: &Path, at: usize) {
    let mut content = fs::read(path).unwrap();
    content[at] = if content[at] == b'#' { b'%' } else { b'#' };
    fs::write(path, content).unwrap();
}

/// Where each line starts, and where the last ends.
pub fn line_starts(content: &[u8]) -> Vec<usize> {
    let ends = content.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    [0].into_iter().chain(ends).collect()
}

/// A game of 60 stones.
pub fn game(table: TableId, number: u32) -> Finished {
    let rules = Rules::of(Preset::Pente);
    let point = |n: u32| Point::new((n * 7 % 19) as u8, (n * 11 % 19) as u8).unwrap();
    Finished {
        table,
        number,
        rules,
        names: vec!["Mei".into(), "陳大文\n\"x\"".into()],
        starter: 1,
        order: vec![1, 0],
        actions: (0..60).map(|n| Action::place(point(n + number))).collect(),
        made: "hc".repeat(30),
        resigned: vec![],
        result: Outcome::Win { winners: vec![Colour::Black], by: vec![Condition::Captures, Condition::Line] },
        mine: vec![0],
        guests: vec![],
        gave_up: vec![],
        ended_s: 1_780_000_000 + u64::from(number),
        counts: None,
    }
}

pub fn games() -> impl Strategy<Value = Finished> {
    let head = (any::<[u8; 16]>(), any::<u32>(), rules(), proptest::collection::vec(".{0,40}", 2..=4));
    let body = (proptest::collection::vec(action(), 0..400), "[hck]{0,400}", outcome());
    let seats = || proptest::collection::vec(0u8..4, 0..=4);
    let tail = (0u8..4, seats(), seats(), seats(), (seats(), seats(), any::<u64>(), any::<Option<bool>>()));
    (head, body, tail).prop_map(
        |(
            (table, number, rules, names),
            (actions, made, result),
            (starter, order, resigned, mine, (guests, gave_up, ended_s, counts)),
        )| {
            Finished {
                table: TableId(table),
                number,
                rules,
                names,
                starter,
                order,
                actions,
                made,
                resigned,
                result,
                mine,
                guests,
                gave_up,
                ended_s,
                counts,
            }
        },
    )
}

/// Any coherent rules: options set one after another, those that clash left out.
fn rules() -> impl Strategy<Value = Rules> {
    let choices = proptest::collection::vec((0..rules::OptionName::ALL.len(), 0usize..5), 0..8);
    (0..Preset::ALL.len(), choices).prop_map(|(preset, choices)| {
        let preset = Preset::ALL[preset];
        let mut rules = Rules::of(preset);
        for (name, value) in choices {
            let name = rules::OptionName::ALL[name];
            let mut options = *rules.options();
            options.set(name.name(), name.values()[value % name.values().len()]).unwrap();
            rules = options.check(preset).unwrap_or(rules);
        }
        rules
    })
}

fn point() -> impl Strategy<Value = Point> {
    (0u8..19, 0u8..19).prop_map(|(column, row)| Point::new(column, row).unwrap())
}

fn action() -> impl Strategy<Value = Action> {
    let group = proptest::collection::vec(point(), 1..6).prop_map(Group);
    let colour = || proptest::sample::select(Colour::ALL.to_vec());
    prop_oneof![
        8 => point().prop_map(Action::place),
        2 => (point(), proptest::collection::vec(group, 0..8))
            .prop_map(|(at, groups)| Action::Place { at, take: Take::Just(groups) }),
        1 => colour().prop_map(Action::Choose),
        1 => Just(Action::Add),
        1 => colour().prop_map(Action::Resign),
        1 => Just(Action::Draw),
    ]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let by = [Condition::Captures, Condition::Line, Condition::Resignation];
    let draws = [DrawBy::AllWin, DrawBy::FullBoard, DrawBy::NoLegalMove, DrawBy::Agreement];
    prop_oneof![
        (proptest::sample::subsequence(Colour::ALL.to_vec(), 1..=3), proptest::sample::subsequence(by.to_vec(), 1..=3))
            .prop_map(|(winners, by)| Outcome::Win { winners, by }),
        proptest::sample::select(draws.to_vec()).prop_map(Outcome::Draw),
    ]
}
