//! A process that writes without end is killed with -9 at any moment, again and again: all it was told to be on the
//! disk is there at the next start, and nothing needs mending.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use history::{Finished, History};
use rules::{Action, Colour, Condition, Outcome, Preset, Rules};
use table::{DeviceId, TableId};

/// Starts of the writer.
const ROUNDS: u32 = 50;
/// Steps before a kill: 0 to this many less one.
const STEPS: u32 = 12;
const TABLE: TableId = TableId([1; 16]);

fn main() {
    match std::env::args().collect::<Vec<_>>().as_slice() {
        [_, command, folder] if command == "write" => write(Path::new(folder)),
        _ => kill_again_and_again(),
    }
}

/// Says each step's number once it is on the disk.
fn write(folder: &Path) {
    let (history, _) = History::open(folder).unwrap();
    let (mut journal, steps) = match history.open_journal(TABLE) {
        Ok((journal, records)) => (journal, records.len() as u32),
        Err(_) => (history.create_journal(TABLE).unwrap(), 0),
    };
    for side in history.running().into_iter().filter(|table| *table != TABLE) {
        history.retire(side).unwrap();
    }
    for step in steps.. {
        let address = std::net::SocketAddr::from(([10, 0, 0, 1], step as u16));
        history.remember(TABLE, &[(DeviceId([step as u8; 32]), vec![address])]);
        history.set_value("step", &step.to_be_bytes()).unwrap();
        history.archive(&game(step)).unwrap();
        let side = TableId(u128::from(step + 2).to_be_bytes());
        history.create_journal(side).unwrap().append(b"short").unwrap();
        history.retire(side).unwrap();
        journal.append(&step.to_be_bytes()).unwrap();
        println!("{step}");
        std::io::stdout().flush().unwrap();
    }
}

fn game(step: u32) -> Finished {
    Finished {
        table: TABLE,
        number: step,
        rules: Rules::of(Preset::CaptureFive),
        names: vec!["Mei".into(), String::new()],
        starter: 0,
        order: vec![0, 1],
        actions: rules::BoardSize::Fifteen.points().take(60).map(Action::place).collect(),
        made: "hc".repeat(30),
        resigned: vec![],
        result: Outcome::Win { winners: vec![Colour::Black], by: vec![Condition::Line] },
        mine: vec![0],
        ended_s: 0,
    }
}

fn kill_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = 1u32;
    for round in 0..ROUNDS {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["write".as_ref(), folder.path().as_os_str()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(writer.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut last = said.nth((random >> 16) as usize % STEPS as usize);
        writer.kill().unwrap();
        last = said.last().or(last);
        writer.wait().unwrap();
        let last: u32 = last.expect("the writer goes on until it is killed").parse().unwrap();
        check(folder.path(), last, round);
    }
    println!("killed {ROUNDS} times: nothing lost");
}

fn check(folder: &Path, last: u32, round: u32) {
    let (history, warnings) = History::open(folder).unwrap();
    assert_eq!(warnings, [], "round {round}");
    let records = history.read_journal(TABLE).unwrap();
    let expected: Vec<_> = (0..records.len() as u32).map(|step| step.to_be_bytes().to_vec()).collect();
    assert!(records == expected && records.len() as u32 > last, "round {round}: {} of {last}", records.len());
    let value = u32::from_be_bytes(history.value("step").unwrap().try_into().unwrap());
    assert!(value >= last, "round {round}: {value} of {last}");
    let games = history.finished(0, usize::MAX);
    assert!(games.len() as u32 > last && games.len() == history.finished_count(), "round {round}");
    assert!(games.iter().rev().zip(0..).all(|(kept, step)| *kept == game(step)), "round {round}");
    assert!(history.remembered(TABLE).len() as u32 > last.min(254), "round {round}");
    assert!(history.running().len() <= 2, "round {round}");
}
