//! Whole games between `c5` processes in network namespaces: they find each other by mDNS, play to the end, and all
//! have the same log; killed ones come back to their seats; wrong input is told clearly.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;
use tests::c5::C5;
use tests::lan::Lan;

/// A table with its devices, each on a host of its own.
struct Room {
    lan: Lan,
    data: TempDir,
    table: String,
    players: Vec<C5>,
}

impl Room {
    /// Opens a table with these arguments of `c5 host` on host 0.
    fn open(hosts: usize, arguments: &str) -> Result<Room> {
        let (lan, data) = (Lan::new(hosts)?, TempDir::new()?);
        let mut room = Room { lan, data, table: String::new(), players: vec![] };
        let mut opener = room.start(0, &format!("host --name P0 {arguments}"))?;
        let table = opener.event("table")?;
        ensure!(table["seat"] == 0, "{table}");
        room.table = table["table"].as_str().context("an id")?.to_owned();
        room.players.push(opener);
        Ok(room)
    }

    /// The same with every seat taken and played at random.
    fn full(seats: usize, arguments: &str, seed: u64, think_ms: u64) -> Result<Room> {
        let auto = |seat: usize| format!("--auto random:{} --think-ms {think_ms}", seed * 100 + seat as u64);
        let mut room = Room::open(seats, &format!("--seats {seats} {arguments} {}", auto(0)))?;
        for seat in 1..seats {
            let joined = room.join(seat, &format!("--seat {seat} {}", auto(seat)))?;
            room.players.push(joined);
        }
        Ok(room)
    }

    fn join(&self, host: usize, arguments: &str) -> Result<C5> {
        self.start(host, &format!("join {} --name P{host} {arguments}", &self.table[..8]))
    }

    fn start(&self, host: usize, arguments: &str) -> Result<C5> {
        C5::start(&self.lan, host, &self.folder(host), arguments)
    }

    fn folder(&self, host: usize) -> PathBuf {
        self.data.path().join(host.to_string())
    }

    /// Waits for the end on every device; all must tell the same, and the referee must agree.
    fn ends(mut self) -> Result<()> {
        let ends: Vec<Value> = self.players.iter_mut().map(|player| player.event("end")).collect::<Result<_>>()?;
        for end in &ends {
            ensure!(*end == ends[0], "the devices do not agree:\n{end}\n{}", ends[0]);
        }
        let judged = referee(&ends[0])?;
        ensure!(judged == ends[0]["result"], "the referee says {judged} of {}", ends[0]);
        self.players.into_iter().try_for_each(C5::succeeds)
    }
}

/// What `c5 referee` says of a finished game's actions.
fn referee(end: &Value) -> Result<Value> {
    let request = json!({ "id": 1, "rules": end["rules"], "actions": end["actions"] });
    let mut referee = Command::new(tests::binary("C5_BIN", "c5"));
    referee.arg("referee").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut referee = referee.spawn()?;
    writeln!(referee.stdin.take().context("stdin")?, "{request}")?;
    let answer = referee.wait_with_output()?.stdout;
    let answer: Value = serde_json::from_slice(&answer)?;
    ensure!(answer["ok"] == true, "{answer}");
    Ok(answer["result"].clone())
}

/// Where `c5` listens on a host of its own.
const PORT: u16 = net::limits::PORT_PREFERRED;
const SEEDS: [u64; 2] = [1, 2];
/// Long enough that a kill comes in mid-game.
const THINK_MS: u64 = 20;

fn games(seats: usize, arguments: &str) -> Result<()> {
    SEEDS.iter().try_for_each(|seed| {
        let room = Room::full(seats, arguments, *seed, 0)?;
        room.ends().with_context(|| format!("seed {seed}, {seats} seats, {arguments}"))
    })
}

#[test]
fn two_play_capture_five() -> Result<()> {
    games(2, "--preset capture-five")
}

#[test]
fn three_play_capture_five() -> Result<()> {
    games(3, "--preset capture-five")
}

#[test]
fn four_play_capture_five() -> Result<()> {
    games(4, "--preset capture-five")
}

#[test]
fn four_play_in_teams() -> Result<()> {
    games(4, "--preset capture-five --set teams=true")
}

#[test]
fn two_play_pente() -> Result<()> {
    games(2, "--preset pente")
}

#[test]
fn two_play_pente_with_swap2() -> Result<()> {
    games(2, "--preset pente-swap2")
}

#[test]
fn two_play_gomoku() -> Result<()> {
    games(2, "--preset gomoku")
}

#[test]
fn two_play_wuziqi() -> Result<()> {
    games(2, "--preset wuziqi")
}

#[test]
fn a_cpu_sits_between_two_people() -> Result<()> {
    let mut room = Room::open(2, "--preset capture-five --seats 3 --seat 1=cpu:3 --auto random:7")?;
    let joined = room.join(1, "--auto random:8")?;
    room.players.push(joined);
    room.ends()
}

#[test]
fn three_games_with_the_start_passed_on() -> Result<()> {
    let mut room = Room::open(2, "--preset gomoku --seats 2 --auto random:3 --games 3")?;
    let joined = room.join(1, "--auto random:4 --games 3")?;
    room.players.push(joined);
    let mut starters = vec![];
    for game in 1..=3 {
        let ends: Vec<Value> = room.players.iter_mut().map(|player| player.event("end")).collect::<Result<_>>()?;
        ensure!(ends[0] == ends[1], "game {game}: {ends:#?}");
        starters.push(ends[0]["starter"].as_u64());
    }
    ensure!(starters == [Some(0), Some(1), Some(0)], "{starters:?}");
    room.players.into_iter().try_for_each(C5::succeeds)
}

/// Kills one of the players in mid-game; it comes back and the game goes on to its end.
fn killed(victim: usize, seats: usize, arguments: &str, back: &str) -> Result<()> {
    killed_at(7, victim, seats, arguments, back)
}

fn killed_at(ply: u64, victim: usize, seats: usize, arguments: &str, back: &str) -> Result<()> {
    let mut room = Room::full(seats, arguments, ply, THINK_MS)?;
    for player in &mut room.players {
        player.ply(ply)?;
    }
    room.players[victim].kill()?;
    let back = back.replace("TABLE", &room.table);
    let auto = format!("{back} --auto random:99 --think-ms {THINK_MS}");
    room.players[victim] = room.start(victim, &auto)?;
    let table = room.players[victim].event("table")?;
    ensure!(table["seat"] == victim as u64, "not back in its seat: {table}");
    for player in &mut room.players {
        player.ply(ply + 5)?;
    }
    room.ends()
}

#[test]
fn killed_in_the_first_moves_and_at_either_s_turn() -> Result<()> {
    [(1, 1), (2, 0), (3, 1), (4, 0)].into_iter().try_for_each(|(ply, victim)| {
        killed_at(ply, victim, 2, "--preset pente-swap2", "resume TABLE")
            .with_context(|| format!("ply {ply}, seat {victim}"))
    })
}

#[test]
fn a_killed_guest_joins_again() -> Result<()> {
    killed(1, 2, "--preset gomoku", "join TABLE")
}

#[test]
fn a_killed_guest_of_four_resumes() -> Result<()> {
    killed(2, 4, "--preset capture-five --set teams=true", "resume TABLE")
}

#[test]
fn a_killed_opener_resumes() -> Result<()> {
    killed(0, 2, "--preset wuziqi", "resume TABLE")
}

#[test]
fn a_killed_opener_of_three_resumes() -> Result<()> {
    killed(0, 3, "--preset capture-five", "resume TABLE")
}

#[test]
fn all_are_killed_and_all_resume() -> Result<()> {
    let mut room = Room::full(2, "--preset gomoku", 6, 40)?;
    for player in &mut room.players {
        player.ply(7)?;
    }
    for player in &mut room.players {
        player.kill()?;
    }
    let listed = {
        let mut listing = room.start(1, "resume")?;
        let event = listing.event("interrupted")?;
        listing.succeeds()?;
        event
    };
    ensure!(listed["table"] == room.table.as_str() && listed["ply"].as_u64() >= Some(7), "{listed}");
    for host in [1, 0] {
        room.players[host] = room.start(host, &format!("resume {} --auto random:{host}", room.table))?;
    }
    room.ends()
}

#[test]
fn a_pulled_cable_and_the_game_goes_on_when_it_is_back() -> Result<()> {
    let mut room = Room::full(2, "--preset gomoku", 8, 40)?;
    for host in [0, 1] {
        let link = |state: &'static str| move |event: &Value| event["event"] == "link" && event["state"] == state;
        room.players[0].wait("a link", link("up"))?;
        room.players[0].ply(1)?;
        room.lan.cut(host)?;
        room.players[0].wait("the link's loss", link("down"))?;
        room.lan.heal(host)?;
    }
    room.ends()
}

#[test]
fn a_table_is_listed_while_it_is_there() -> Result<()> {
    let mut room = Room::open(2, "--preset pente --seats 2")?;
    let mut watcher = room.start(1, "tables --for 0")?;
    let listed = watcher.event("listed")?;
    ensure!(listed["table"] == room.table.as_str() && listed["name"] == "P0", "{listed}");
    ensure!(listed["preset"] == "pente" && listed["taken"] == 1 && listed["seats"] == 2, "{listed}");
    room.players[0].kill()?;
    let unlisted = watcher.event("unlisted")?;
    ensure!(unlisted["table"] == room.table.as_str(), "{unlisted}");
    Ok(())
}

#[test]
fn a_person_plays_by_commands_and_hears_what_is_wrong() -> Result<()> {
    let mut room = Room::open(2, "--preset gomoku --seats 2")?;
    let mut guest = room.join(1, "")?;
    let opener = &mut room.players[0];
    let error = |code: &'static str| move |event: &Value| event["event"] == "error" && event["code"] == code;
    opener.event("your_turn")?;
    guest.event("start")?;
    guest.tell("H8")?;
    guest.wait("refusal", error("not-your-turn"))?;
    opener.tell("H8")?;
    guest.event("your_turn")?;
    for (line, code) in [
        ("H8", "occupied"),
        ("A99", "off-board"),
        ("nonsense", "bad-command"),
        ("black", "not-a-choice"),
        ("{", "bad-command"),
    ] {
        guest.tell(line)?;
        guest.wait(code, error(code)).with_context(|| format!("after {line:?}"))?;
    }
    guest.tell("state")?;
    let state = guest.event("state")?;
    ensure!(state["ply"] == 1 && state["to_move"]["seat"] == 1, "{state}");
    guest.tell("resign")?;
    let end = guest.event("end")?;
    ensure!(end["result"]["winners"] == json!(["black"]) && end["result"]["by"] == json!(["resignation"]), "{end}");
    ensure!(opener.event("end")? == end, "the devices do not agree");
    guest.tell("leave")?;
    guest.succeeds()?;
    opener.wait("a goodbye", |event| event["event"] == "seat" && event["seat"] == 1 && event["left"] == true)?;
    opener.tell("stand")?;
    room.players.remove(0).succeeds()
}

#[test]
fn what_can_t_be_done_is_said() -> Result<()> {
    let mut room = Room::full(2, "--preset gomoku", 9, 2000)?;
    for player in &mut room.players {
        player.event("start")?;
    }
    let (lan, other) = (&room.lan, TempDir::new()?);
    let other = other.path();
    let table = room.table.clone();
    // A third host is not needed: the opener's host has room for another process.
    C5::start(lan, 0, &other.join("a"), &format!("join {table}"))?.fails("full", 1)?;
    C5::start(lan, 0, &other.join("b"), "join 0123456789 --for 1")?.fails("not-found", 1)?;
    C5::start(lan, 0, &room.folder(0), "host --preset pente --seats 2")?.fails("data-in-use", 1)?;
    C5::start(lan, 0, "/proc/none".as_ref(), "host --preset pente --seats 2")?.fails("data-unwritable", 1)?;
    C5::start(lan, 0, &other.join("c"), "host --preset pente --seats 2 --port 40515")?.fails("port-in-use", 1)?;
    let clash = "host --preset pente --seats 2 --set teams=true";
    C5::start(lan, 0, &other.join("d"), clash)?.fails("bad-rules", 2)?;
    let unknown = "host --preset pente --seats 2 --set colour=green";
    C5::start(lan, 0, &other.join("e"), unknown)?.fails("bad-rules", 2)?;
    Ok(())
}

#[test]
fn an_occupied_seat_is_said_to_be() -> Result<()> {
    let room = Room::open(2, "--preset capture-five --seats 3")?;
    room.join(1, "--seat 0")?.fails("seat-taken", 1)?;
    let mut guest = room.join(1, "--seat 2")?;
    guest.wait("its seat", |event| event["event"] == "seat" && event["seat"] == 2 && event["name"] == "P1")?;
    Ok(())
}

#[test]
fn a_seat_given_up_can_be_taken_back() -> Result<()> {
    let mut room = Room::open(2, "--preset gomoku --seats 2")?;
    let mut guest = room.join(1, "")?;
    room.players[0].event("your_turn")?;
    room.players[0].tell("H8")?;
    guest.event("your_turn")?;
    guest.tell("stand")?;
    guest.succeeds()?;
    room.players[0].event("your_turn")?;
    let mut without = room.join(1, "")?;
    let message = without.event("error")?["message"].to_string();
    ensure!(message.contains("--seat 1"), "{message}");
    without.fails("full", 1)?;
    let mut back = room.join(1, "--seat 1")?;
    back.wait("its seat", |event| event["event"] == "seat" && event["seat"] == 1 && event["state"] == "human")?;
    room.players[0].tell("A1")?;
    back.event("your_turn")?;
    back.tell("A15")?;
    back.wait("its stone", |event| event["event"] == "move" && event["seat"] == 1 && event["by"] == "hand")?;
    Ok(())
}

#[test]
fn whoever_resigned_is_told_so() -> Result<()> {
    let mut room = Room::open(1, "--preset capture-five --seats 3 --seat 1=cpu:1 --seat 2=cpu:1")?;
    let opener = &mut room.players[0];
    opener.event("your_turn")?;
    opener.tell("resign")?;
    opener.event("resigned")?;
    opener.tell("resign")?;
    let error = opener.event("error")?;
    ensure!(error["code"] == "stale" && error["message"].to_string().contains("resigned already"), "{error}");
    Ok(())
}

#[test]
fn a_name_that_two_tables_have_is_not_guessed() -> Result<()> {
    let (lan, data) = (Lan::new(3)?, TempDir::new()?);
    let start = |host: usize, arguments: &str| C5::start(&lan, host, &data.path().join(host.to_string()), arguments);
    let host = "host --preset gomoku --seats 2 --name Anna";
    let (mut one, mut other) = (start(0, host)?, start(1, host)?);
    one.event("table")?;
    other.event("table")?;
    start(2, "join Anna")?.fails("not-found", 1)
}

#[test]
fn a_seat_given_up_where_nobody_hears_it_is_given_up_when_they_do() -> Result<()> {
    let mut room = Room::open(2, "--preset gomoku --seats 2 --grace never")?;
    let mut guest = room.join(1, "")?;
    let seat = |seat: u64, state: &'static str| {
        move |event: &Value| event["event"] == "seat" && event["seat"] == seat && event["state"] == state
    };
    let error = |code: &'static str| move |event: &Value| event["event"] == "error" && event["code"] == code;
    room.players[0].event("your_turn")?;
    guest.event("start")?;
    // The opener keeps: its log has it at once, and nobody else's has.
    room.lan.cut(1)?;
    room.players[0].tell("stand")?;
    room.players[0].wait("that nobody knows it", error("keeper-away"))?;
    guest.wait("the opener's absence", seat(0, "away"))?;
    guest.tell("stand")?;
    guest.wait("that nobody hears it", error("keeper-away"))?;
    room.lan.heal(1)?;
    guest.wait("the opener's seat given up", seat(0, "cpu"))?;
    room.players.remove(0).succeeds()?;
    guest.tell("state")?;
    let state = guest.event("state")?;
    ensure!(state["seats"][1]["state"] == "human", "the guest keeps its seat: {state}");
    guest.tell("stand")?;
    guest.succeeds()
}

#[test]
fn a_device_of_another_version_is_told_on_both_sides_and_the_game_goes_on() -> Result<()> {
    let mut room = Room::open(3, "--preset gomoku --seats 2")?;
    let mut guest = room.join(1, "")?;
    room.players[0].event("your_turn")?;
    let mut node = room.lan.command(2, env!("CARGO_BIN_EXE_net_node"));
    let mut node = node.args(["9", "9999"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut stdin = node.stdin.take().context("stdin")?;
    // What a version may be like that is not made yet: only how it says which it is will stay the same.
    writeln!(
        stdin,
        "follow 171\ndial 171 {}:{}\ndial 171 {}:{}",
        room.lan.address(0),
        PORT,
        room.lan.address(1),
        PORT
    )?;
    for player in [&mut room.players[0], &mut guest] {
        let error = player.event("error")?;
        let message = error["message"].as_str().unwrap_or_default();
        ensure!(error["code"] == "version" && message.contains("node 9999") && message.contains("update"), "{error}");
    }
    let mut lines = BufReader::new(node.stdout.take().context("stdout")?).lines();
    let refused = lines.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("refused 171")));
    let refused = refused.context("the other is told")??;
    ensure!(refused.contains("Version") && refused.contains(env!("CARGO_PKG_VERSION")), "{refused}");
    room.players[0].tell("H8")?;
    guest.event("your_turn")?;
    guest.tell("J9")?;
    room.players[0].ply(2)?;
    drop(stdin);
    node.wait()?;
    guest.tell("leave")?;
    guest.succeeds()
}

#[test]
fn a_table_of_another_version_is_refused_with_both_versions() -> Result<()> {
    let (lan, data) = (Lan::new(2)?, TempDir::new()?);
    let mut node = lan.command(0, env!("CARGO_BIN_EXE_net_node"));
    let mut node = node.args(["9", "9999"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let mut stdin = node.stdin.take().context("stdin")?;
    writeln!(stdin, "follow 171\nannounce 171 Anna 1")?;
    let mut joiner = C5::start(&lan, 1, data.path(), "join abababab")?;
    let error = joiner.event("error")?;
    let message = error["message"].as_str().unwrap_or_default();
    ensure!(message.contains("node 9999"), "{error}");
    let failed = joiner.fails("version", 1);
    // Ends with its input.
    drop(stdin);
    node.wait()?;
    failed
}
