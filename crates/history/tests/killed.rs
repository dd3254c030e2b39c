//! A process that writes is killed: with -9 at any moment, again and again, and at each of its steps of writing in turn
//! (`C5_DIE_AT_STEP`). All it was told to be on the disk is there at the next start, and nothing needs mending. The same
//! for a process that mends a damaged folder.

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
        [_, command, folder] if command == "write" => write(Path::new(folder), u32::MAX),
        [_, command, folder] if command == "write a little" => write(Path::new(folder), 3),
        [_, command, folder] if command == "open" => drop(History::open(Path::new(folder)).unwrap()),
        _ => {
            die_at_each_step();
            die_at_each_step_of_mending();
            kill_again_and_again();
        }
    }
}

/// Says each step's number once it is on the disk.
fn write(folder: &Path, until: u32) {
    let (history, _) = History::open(folder).unwrap();
    let (mut journal, steps) = match history.open_journal(TABLE) {
        Ok((journal, records)) => (journal, records.len() as u32),
        Err(_) => (history.create_journal(TABLE).unwrap(), 0),
    };
    for side in history.running().into_iter().filter(|table| *table != TABLE) {
        history.retire(side).unwrap();
    }
    for step in steps..until {
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
        guests: vec![],
        gave_up: vec![],
        ended_s: 0,
        counts: None,
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
        check(folder.path(), last, &format!("round {round}"));
    }
    println!("killed {ROUNDS} times: nothing lost");
}

/// Our own program with this command, dying at a step. What it said, and whether it came to its end.
fn dying(command: &str, folder: &Path, step: u64) -> (Vec<String>, bool) {
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args([command.as_ref(), folder.as_os_str()]).env("C5_DIE_AT_STEP", step.to_string());
    let output = program.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("panicked"), "step {step}: {errors}");
    (String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect(), output.status.success())
}

/// From an empty folder on; each folder is then gone on with.
fn die_at_each_step() {
    for step in 1.. {
        let folder = tempfile::tempdir().unwrap();
        let (said, ended) = dying("write a little", folder.path(), step);
        if let Some(last) = said.last() {
            check(folder.path(), last.parse().unwrap(), &format!("step {step}"));
        }
        assert!(dying("write a little", folder.path(), u64::MAX).1, "step {step}");
        check(folder.path(), 2, &format!("step {step}, gone on with"));
        if ended {
            assert!(step > 100, "so few steps can't be all: {step}");
            return println!("died at each of {} steps: nothing lost", step - 1);
        }
    }
}

/// A folder whose journal ends in half a line, whose archive and values have a damaged line, whose index is damaged.
fn damage(folder: &Path) {
    let change = |file: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let path = folder.join(file);
        let mut content = std::fs::read(&path).unwrap();
        change(&mut content);
        std::fs::write(&path, content).unwrap();
    };
    change(&format!("running/{TABLE}.journal"), &|content| content.truncate(content.len() - 3));
    change("archive/games.c5a", &|content| {
        let middle = content.len() / 2;
        content[middle] ^= 1;
    });
    change("values", &|content| content.extend(b"half a li"));
    change("index/db", &|content| content.truncate(content.len() / 2));
}

/// What was good in a damaged folder stays, wherever the process that mends it dies.
fn die_at_each_step_of_mending() {
    for step in 1.. {
        let folder = tempfile::tempdir().unwrap();
        assert!(dying("write a little", folder.path(), u64::MAX).1);
        damage(folder.path());
        let (_, ended) = dying("open", folder.path(), step);
        let (history, _) = History::open(folder.path()).unwrap();
        let records = history.read_journal(TABLE).unwrap();
        assert_eq!(records, [0u32.to_be_bytes(), 1u32.to_be_bytes()], "step {step}");
        assert_eq!(history.value("step"), Some(2u32.to_be_bytes().to_vec()), "step {step}");
        // The one whose line is damaged comes back where the index still has it.
        let games = history.finished(0, usize::MAX);
        assert!(games.iter().all(|kept| *kept == game(kept.number)), "step {step}");
        let mut numbers: Vec<u32> = games.iter().map(|game| game.number).filter(|number| *number != 1).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 2], "step {step}");
        drop(history);
        let (_, warnings) = History::open(folder.path()).unwrap();
        assert_eq!(warnings, [], "step {step}: the next start is quiet");
        if ended {
            assert!(step > 15, "so few steps can't be all: {step}");
            return println!("died at each of {} steps of mending: nothing lost", step - 1);
        }
    }
}

fn check(folder: &Path, last: u32, round: &str) {
    let (history, warnings) = History::open(folder).unwrap();
    assert_eq!(warnings, [], "{round}");
    let records = history.read_journal(TABLE).unwrap();
    let expected: Vec<_> = (0..records.len() as u32).map(|step| step.to_be_bytes().to_vec()).collect();
    assert!(records == expected && records.len() as u32 > last, "{round}: {} of {last}", records.len());
    let value = u32::from_be_bytes(history.value("step").unwrap().try_into().unwrap());
    assert!(value >= last, "{round}: {value} of {last}");
    let games = history.finished(0, usize::MAX);
    assert!(games.len() as u32 > last && games.len() == history.finished_count(), "{round}");
    assert!(games.iter().rev().zip(0..).all(|(kept, step)| *kept == game(step)), "{round}");
    assert!(history.remembered(TABLE).len() as u32 > last.min(254), "{round}");
    assert!(history.running().len() <= 2, "{round}");
}
