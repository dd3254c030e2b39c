//! Disks that are damaged or full.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::deaths::close;
use crate::figures::Figures;
use crate::room::{Plan, Room, is};

/// Bytes of the small disk: room for a start and some dozen entries.
const SMALL_DISK: &str = "size=1500k";
/// Longer than a failed write waits to be tried again.
const RETRIED: Duration = Duration::from_secs(6);

/// What a crash, a bad disk or a careless hand does to one file of a device's folder.
type Damage = fn(&Path, &str) -> Result<()>;

const DAMAGES: &[(&str, Damage)] = &[
    ("database cut", |folder, _| change(&folder.join("index/db"), |content| content.truncate(content.len() / 2))),
    ("database garbled", |folder, _| change(&folder.join("index/db"), |content| content.fill(0xa5))),
    ("database empty", |folder, _| change(&folder.join("index/db"), Vec::clear)),
    ("journal cut behind a checksum", |folder, table| cut_last_line(folder, table, |line| line.min(16))),
    ("journal cut in a record", |folder, table| cut_last_line(folder, table, |line| line / 2)),
    ("journal cut before a line's end", |folder, table| cut_last_line(folder, table, |line| line - 1)),
    ("journal cut between lines", |folder, table| cut_last_line(folder, table, |_| 0)),
    ("journal cut to half", |folder, table| {
        change(&journal(folder, table), |content| content.truncate(content.len() / 2))
    }),
    ("journal with a changed byte in its middle", |folder, table| {
        change(&journal(folder, table), |content| {
            let middle = content.len() / 2;
            content[middle] = if content[middle] == b'#' { b'%' } else { b'#' };
        })
    }),
];

fn change(path: &Path, change: impl Fn(&mut Vec<u8>)) -> Result<()> {
    let mut content = fs::read(path).with_context(|| path.display().to_string())?;
    change(&mut content);
    Ok(fs::write(path, content)?)
}

fn journal(folder: &Path, table: &str) -> PathBuf {
    folder.join("running").join(format!("{table}.journal"))
}

fn cut_last_line(folder: &Path, table: &str, keep: impl Fn(usize) -> usize) -> Result<()> {
    change(&journal(folder, table), |content| {
        let start = content[..content.len() - 1].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = content.len() - start;
        content.truncate(start + keep(line));
    })
}

/// A device is killed again and again, and each time its folder is damaged in another way.
pub(super) fn damaged() -> Result<Figures> {
    let mut room = Room::new(Plan { think: Duration::from_millis(60), ..Plan::new(2, "--grace never") })?;
    room.spoilt = true;
    room.moves(&room.running(), 4)?;
    for (what, damage) in DAMAGES {
        for device in [1, 0] {
            room.kill(device)?;
            damage(&room.folder(device), &room.table).with_context(|| format!("device {device}, {what}"))?;
            go_on(&mut room, device).with_context(|| format!("device {device}, {what}"))?;
        }
    }
    let mut figures = Figures::default();
    figures.count("damages", 2 * DAMAGES.len());
    close(room, figures)
}

fn go_on(room: &mut Room, device: usize) -> Result<()> {
    let since = room.resume(device)?;
    room.wait(&[device], since, "its table", is("table"))?;
    room.moves(&[0, 1], 2)
}

/// A disk in memory of a small size, gone when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Result<SmallDisk> {
        fs::create_dir_all(at)?;
        let status = Command::new("mount").args(["-t", "tmpfs", "-o", SMALL_DISK, "tmpfs"]).arg(at).status()?;
        ensure!(status.success(), "no small disk at {}", at.display());
        Ok(SmallDisk(at.to_owned()))
    }

    /// Leaves no byte free, until the file that is answered is removed.
    fn fill(&self) -> Result<PathBuf> {
        let path = self.0.join("fill");
        // It ends with an error, and with a full disk.
        let _ = fs::write(&path, vec![0; 4 << 20]);
        Ok(path)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// A device's disk is full for a while, and the device is killed and starts in that while: play goes on, nothing is
/// called final that one disk alone has, and with space all is written after all.
pub(super) fn full() -> Result<Figures> {
    let plan = Plan { think: Duration::from_millis(100), ..Plan::new(2, "--grace never") };
    let (lan, data) = (crate::lan::Lan::new(2)?, tempfile::TempDir::new()?);
    let disk = SmallDisk::mount(&data.path().join("1"))?;
    let mut room = Room::in_folder(lan, plan, data)?;
    let mut figures = Figures::default();
    room.moves(&[0, 1], 4)?;
    let filler = disk.fill()?;
    let since = Instant::now();
    // What fitted into the last block is still written.
    room.moves(&[0], 40)?;
    let played = room.count(0, since, is("move"));
    let quiet = Instant::now();
    room.moves(&[0], 4)?;
    ensure!(room.count(0, quiet, is("final")) == 0, "something is called final with one disk full\n{}", room.story());
    ensure!(room.count(1, since, disk_is("failing")) == 1, "a full disk is not told once\n{}", room.story());
    figures.count("moves with a full disk", played + 4);
    room.kill(1)?;
    let started = room.resume(1)?;
    room.wait(&[1], started, "its table", is("table"))?;
    room.moves(&[0], 2)?;
    room.wait(&[1], started, "word of the full disk", disk_is("failing"))?;
    fs::remove_file(filler)?;
    let freed = Instant::now();
    room.wait(&[1], freed, "word of the disk's space", disk_is("saved"))?;
    figures.time("space to final", room.wait(&[0, 1], freed, "finality", is("final"))?, Some(RETRIED));
    room.moves(&[0, 1], 2)?;
    close(room, figures)
}

/// What a device tells of its disk.
fn disk_is(state: &'static str) -> impl Fn(&Value) -> bool {
    move |event| event["event"] == "disk" && event["state"] == state
}

/// What a long life leaves: games that the archive holds when a device starts.
const GAMES: u32 = 5_000;
const START: Option<Duration> = Some(Duration::from_secs(2));

/// A start with many finished games, and one that finds no index of them.
pub(super) fn many_games() -> Result<Figures> {
    let (lan, data) = (crate::lan::Lan::new(1)?, tempfile::TempDir::new()?);
    let (history, _) = history::History::open(data.path())?;
    for number in 0..GAMES {
        history.archive(&finished(number))?;
    }
    drop(history);
    let mut figures = Figures::default();
    for what in ["start with 5,000 games", "start that makes their index anew"] {
        let since = Instant::now();
        let mut process = crate::c5::C5::start(&lan, 0, data.path(), "host --preset gomoku --seats 2")?;
        process.event("table")?;
        figures.time(what, since.elapsed(), START);
        process.tell("stand")?;
        process.succeeds()?;
        fs::remove_dir_all(data.path().join("index"))?;
    }
    Ok(figures)
}

fn finished(number: u32) -> history::Finished {
    history::Finished {
        table: table::TableId([1; 16]),
        number,
        rules: rules::Rules::of(rules::Preset::CaptureFive),
        names: vec!["Mei".into(), String::new()],
        starter: 0,
        order: vec![0, 1],
        actions: rules::BoardSize::Fifteen.points().take(60).map(rules::Action::place).collect(),
        made: "hc".repeat(30),
        resigned: vec![],
        result: rules::Outcome::Draw(rules::DrawBy::Agreement),
        mine: vec![0],
        guests: vec![],
        gave_up: vec![],
        counts: None,
        ended_s: 0,
    }
}
