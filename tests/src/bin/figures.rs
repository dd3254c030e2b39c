//! Measures what a player feels, with the programs that `C5_BIN` and `CAPTURE_FIVE_BIN` name, on virtual networks,
//! and prints one figure a line. A benchmark, not a test: it asserts no time.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tests::c5::C5;
use tests::lan::Lan;
use tests::served::Served;
use tests::window::{Place, Screen, Window};

const STARTS: usize = 5;
const TABLES: usize = 5;
const STONES: usize = 60;
/// By then the home screen is up and still.
const SETTLED: Duration = Duration::from_secs(6);
/// On the home screen once it can be used.
const HOME: &str = "[data-testid=\"new-game\"]";

fn main() -> Result<()> {
    let app = tests::binary("CAPTURE_FIVE_BIN", "capture-five");
    let size = std::fs::metadata(&app).with_context(|| app.display().to_string())?.len();
    println!("release binary: {:.1} MB (goal: under 15 MB)", size as f64 / 1e6);
    windows(&app)?;
    memory(&app)?;
    listings()?;
    stones()?;
    page()
}

/// What the page costs in a browser, over the door.
fn page() -> Result<()> {
    let data = tempfile::tempdir()?;
    let served = Served::start(Command::new(tests::binary("C5_BIN", "c5")), data.path())?;
    let script = tests::repository().join("ui/tests/numbers.mjs");
    let done = Command::new("node").arg(script).arg(&served.url).arg(tests::artefacts()).status()?;
    ensure!(done.success(), "numbers.mjs has failed");
    Ok(())
}

/// From the start of the app to a home screen that can be used.
fn windows(app: &Path) -> Result<()> {
    let (lan, screen, data) = (Lan::new(1)?, Screen::start()?, tempfile::tempdir()?);
    let place = Place {
        namespace: lan.namespace(0),
        display: screen.display().to_owned(),
        binary: app.to_owned(),
        data: data.path().join("app"),
        artefacts: tests::artefacts(),
        name: "figures".to_owned(),
    };
    let mut window = Window::open(place)?;
    window.wait(HOME)?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        window.kill()?;
        window.start_driver()?;
        let since = Instant::now();
        window.connect()?;
        window.wait(HOME)?;
        starts.push(since.elapsed());
    }
    report("start to usable home, with the driver's own start of a session", &mut starts, "1.5 s");
    Ok(())
}

/// What the app's process holds at home; the web process is another. Most of it are pages of system libraries, which
/// the web process maps as well: the proportional share counts each of those in parts.
fn memory(app: &Path) -> Result<()> {
    let (lan, screen, data) = (Lan::new(1)?, Screen::start()?, tempfile::tempdir()?);
    let mut command = lan.command(0, app);
    let mut process = command.arg("--data").arg(data.path()).env("DISPLAY", screen.display()).spawn()?;
    std::thread::sleep(SETTLED);
    let maps = std::fs::read_to_string(format!("/proc/{}/smaps", process.id()))?;
    process.kill()?;
    process.wait()?;
    println!(
        "app process at home: {:.0} MB resident (goal: under 100 MB), of it {:.0} MB its own and {:.0} MB the software \
         graphics driver of a machine without a card; proportional share {:.0} MB",
        sum_mb(&maps, "Rss:", |_| true),
        sum_mb(&maps, "Anonymous:", |_| true),
        sum_mb(&maps, "Rss:", |name| name.contains("libLLVM") || name.contains("/dri/")),
        sum_mb(&maps, "Pss:", |_| true),
    );
    Ok(())
}

/// Adds up one line of the kernel's account of every mapping whose file's name is wanted, in MB.
fn sum_mb(maps: &str, line: &str, wanted: impl Fn(&str) -> bool) -> f64 {
    let (mut counts, mut kib) = (false, 0);
    for text in maps.lines() {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [key, value, "kB"] if counts && key == line => kib += value.parse::<u64>().unwrap_or(0),
            [range, _, _, _, _, ref name @ ..] if range.contains('-') => counts = wanted(name.first().unwrap_or(&"")),
            _ => {}
        }
    }
    kib as f64 * 1024.0 / 1e6
}

/// From a table's opening on one device to its row on another.
fn listings() -> Result<()> {
    let mut times = Vec::new();
    for _ in 0..TABLES {
        let (lan, data) = (Lan::new(2)?, tempfile::tempdir()?);
        let mut looks = C5::start(&lan, 1, &data.path().join("looks"), "tables --for 0")?;
        // A device that has been looking for a while, as a home screen has.
        std::thread::sleep(Duration::from_secs(2));
        let opens = "host --preset capture-five --seats 2 --name Anna";
        let mut opens = C5::start(&lan, 0, &data.path().join("opens"), opens)?;
        opens.event("table")?;
        let since = Instant::now();
        looks.event("listed")?;
        times.push(since.elapsed());
    }
    report("table opened to listed elsewhere", &mut times, "1.5 s");
    Ok(())
}

/// From a command on one device to the stone on the other's board, both ways.
fn stones() -> Result<()> {
    let (lan, data) = (Lan::new(2)?, tempfile::tempdir()?);
    let opens = "host --preset gomoku --set board=19 --seats 2 --name Anna";
    let mut anna = C5::start(&lan, 0, &data.path().join("anna"), opens)?;
    let table = anna.event("table")?["table"].as_str().context("an id")?.to_owned();
    let mut ben = C5::start(&lan, 1, &data.path().join("ben"), &format!("join {table} --name Ben"))?;
    for player in [&mut anna, &mut ben] {
        player.event("start")?;
    }
    let mut times = Vec::new();
    for stone in 0..STONES {
        let (mover, other) = if stone % 2 == 0 { (&mut anna, &mut ben) } else { (&mut ben, &mut anna) };
        let since = Instant::now();
        mover.tell(&quiet_point(stone))?;
        other.ply(stone as u64 + 1)?;
        times.push(since.elapsed());
        mover.ply(stone as u64 + 1)?;
        // People take their time; what was written has come to rest.
        std::thread::sleep(Duration::from_millis(50));
    }
    report("stone placed to shown on the other device", &mut times, "100 ms");
    Ok(())
}

/// A pattern in which neither colour ever has five in a row: pairs of rows shifted against each other.
fn quiet_point(stone: usize) -> String {
    let (turn, colour) = (stone / 2, stone % 2);
    let (row, place) = (turn / 9, turn % 9);
    let column = place * 2 + (row / 2 + colour) % 2;
    format!("{}{}", char::from(b'A' + column as u8), row + 1)
}

fn report(what: &str, times: &mut [Duration], goal: &str) {
    times.sort();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let (middle, most) = (times[times.len() / 2], times[times.len() - 1]);
    let count = times.len();
    println!(
        "{what}: {:.0} ms median of {count}, {:.0} ms at most (goal: within {goal})",
        millis(middle),
        millis(most)
    );
}
