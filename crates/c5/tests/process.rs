//! The command line as a process: what it refuses and how, and sessions over stdin and stdout.

#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{Session, c5, check_refused, folder, run};
use net::invite::{Fingerprint, Invite, Place};
use serde_json::Value;
use tempfile::TempDir;

const ALONE: [&str; 8] = ["host", "--preset", "gomoku", "--seats", "2", "--seat", "1=cpu:1", "--name=Anna"];

#[test]
fn bad_usage_exits_with_2() {
    let data = folder();
    for args in [
        &["host", "--preset", "chess", "--seats", "2"][..],
        &["host", "--preset", "gomoku", "--seats", "5"],
        &["host", "--preset", "gomoku"],
        &["host", "--preset", "gomoku", "--seats", "2", "--seat", "0=cpu:1"],
        &["host", "--preset", "gomoku", "--seats", "2", "--seat", "1=cpu:9"],
        &["host", "--preset", "gomoku", "--seats", "2", "--seat", "1=human"],
        &["host", "--preset", "gomoku", "--seats", "2", "--grace", "5"],
        &["host", "--preset", "gomoku", "--seats", "2", "--auto", "random:x"],
        &["host", "--preset", "gomoku", "--seats", "2", "--auto", "1", "--games", "0"],
        &["host", "--preset", "gomoku", "--seats", "2", "--think-ms", "5"],
        &["host", "--preset", "gomoku", "--seats", "2", "--name", ""],
        &["host", "--preset", "gomoku", "--seats", "2", "--name", " \u{202e} "],
        &["join", "01234567", "--name", ""],
        &["join", ""],
        &["join", " "],
        &["join"],
        &["join", "01234567", "--for", "18446744073709551615"],
        &["watch", "01234567", "--for", "604801"],
        &["tables", "--for", "18446744073709551615"],
        &["serve", "--listen", "nowhere"],
        &["resume", "--auto", "1"],
        &["frobnicate"],
    ] {
        let output = run(data.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn what_is_far_too_long_is_not_repeated_and_a_pin_never_is() {
    let data = folder();
    let host = ["host", "--preset", "gomoku", "--seats", "2"];
    let long = "7".repeat(100_000);
    for (flag, value) in [
        ("--pin", long.as_str()),
        ("--pin", "12345678901234567890123456789012345678901234567890123456789012345"),
        ("--pin", " "),
        ("--grace", long.as_str()),
        ("--set", long.as_str()),
        ("--port", long.as_str()),
    ] {
        let output = run(data.path(), &[&host[..], &[flag, value]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flag}: {stderr}");
        assert!(!stderr.is_empty() && stderr.len() < 1_000, "{flag}: {} bytes", stderr.len());
        assert!(flag != "--pin" || !stderr.contains("77") && !stderr.contains("12345"), "{stderr}");
    }
    for command in ["join", "watch"] {
        let output = run(data.path(), &[command, "Anna", "--pin", &long]);
        assert_eq!((output.status.code(), output.stderr.len() < 1_000), (Some(2), true), "{command}");
    }
}

#[test]
fn rules_that_cannot_be_are_bad_usage_with_a_code() {
    let data = folder();
    let host = |more: &[&'static str]| [&["host", "--preset", "custom", "--seats", "2"], more].concat();
    check_refused(data.path(), &host(&["--set", "bord=9"]), 2, "bad-rules", &["bord", "board"]);
    check_refused(data.path(), &host(&["--set", "board=14"]), 2, "bad-rules", &["board", "14", "15"]);
    let clash = host(&["--set", "captures=off", "--set", "overtime=break"]);
    check_refused(data.path(), &clash, 2, "bad-rules", &["overtime", "captures"]);
    check_refused(data.path(), &host(&["--set", "move_limit_s=45"]), 2, "bad-rules", &["move_limit_s", "60"]);
    check_refused(data.path(), &host(&["--seat", "2=cpu:1"]), 2, "no-such-seat", &["seat 2"]);
    let twice = host(&["--seat", "1=cpu:1", "--seat", "1=cpu:2"]);
    check_refused(data.path(), &twice, 2, "bad-command", &["seat 1", "twice"]);
    let ranked = host(&["--seat", "1=cpu:3", "--ranked"]);
    check_refused(data.path(), &ranked, 2, "bad-command", &["leave ranked out", "leave seat 1 to a person"]);
    let long = "x".repeat(41);
    for args in [&["join", "01234567", "--name"][..], &host(&["--name"])] {
        check_refused(data.path(), &[args, &[&long]].concat(), 2, "name-too-long", &["40 characters"]);
    }
}

#[test]
fn only_a_seat_that_is_away_is_waited_for() {
    let data = folder();
    let mut host = Session::start(data.path(), &ALONE);
    host.until("your_turn");
    let mut about = |line: &str| {
        host.say(line);
        let error = host.until("error");
        assert_eq!(error["code"], "bad-command", "{error}");
        error["message"].as_str().expect("a message").to_owned()
    };
    for (line, seat) in [("wait 1", "seat 1"), ("cpu-now 0", "seat 0")] {
        let told = about(line);
        assert!(told.contains(seat) && told.contains("is not away"), "{line}: {told}");
    }
    assert_eq!(about("wait"), "no seat is away: nobody is waited for");
}

#[test]
fn what_is_not_there_yet_says_so() {
    let data = folder();
    check_refused(data.path(), &["serve", "--guests"], 1, "not-available", &["--guests"]);
}

#[test]
fn what_is_no_invite_or_leads_nowhere_says_so() {
    let data = folder();
    check_refused(data.path(), &["join", "capturefive:xyz"], 1, "bad-invite", &["a mistake in this invite"]);
    check_refused(data.path(), &["watch", " CaptureFive:"], 1, "bad-invite", &["a mistake in this invite"]);
    // Made with this device's address in mind, and a wrong letter in it.
    let place = Place::At(Ipv4Addr::LOCALHOST, 1);
    let code = Invite::Code { fingerprint: Fingerprint([7; 5]), place }.write();
    check_refused(data.path(), &["join", &code, "--for", "0"], 1, "not-found", &["nobody answers"]);
    let wrong = format!("{}{}", &code[..code.len() - 1], if code.ends_with('0') { '1' } else { '0' });
    check_refused(data.path(), &["join", &wrong, "--for", "0"], 1, "bad-invite", &["mistake"]);
}

#[test]
fn whoever_invited_by_link_is_waited_for_as_long_as_is_said() {
    // Nobody is there, and never was.
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a socket");
    let addresses = vec![socket.local_addr().expect("an address")];
    let link = Invite::Link { table: table::TableId([7; 16]), device: table::DeviceId([7; 32]), addresses }.write();
    let folders: [TempDir; 4] = std::array::from_fn(|_| folder());
    let start = |at: usize, args: &[&str]| Session::start(folders[at].path(), args);
    let patient = [start(0, &["join", &link, "--for", "600"]), start(1, &["watch", &link, "--for", "600"])];
    let usual = [start(2, &["join", &link]), start(3, &["watch", &link])];
    check_refused(folder().path(), &["join", &link, "--for", "0"], 1, "not-found", &["nobody at table"]);
    for session in usual {
        assert_eq!(session.until("error")["code"], "not-found");
    }
    // They were started before those that have given up.
    for mut session in patient {
        assert!(session.child.try_wait().expect("a child").is_none(), "it has ended");
    }
}

#[test]
fn a_table_that_is_not_there_is_not_found() {
    let data = folder();
    check_refused(data.path(), &["join", "0123456789", "--for", "0"], 1, "not-found", &["c5 tables"]);
    check_refused(data.path(), &["resume", "0123456789"], 1, "not-found", &["c5 resume"]);
    let output = run(data.path(), &["resume", "--json"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}

#[test]
fn a_second_process_on_the_same_folder_is_told_to_wait() {
    let data = folder();
    let host = Session::start(data.path(), &ALONE);
    host.until("table");
    check_refused(data.path(), &["resume"], 1, "data-in-use", &["close it", "--data"]);
    host.signal("-TERM");
    assert_eq!(host.exit_code(), Some(0));
    assert_eq!(run(data.path(), &["resume"]).status.code(), Some(0));
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let data = folder();
    let file = data.path().join("file");
    std::fs::write(&file, "not a folder").expect("a file");
    check_refused(&file.join("inside"), &["resume"], 1, "data-unwritable", &["something else lies at", "--data"]);
    check_refused(&file, &["resume"], 1, "data-unwritable", &["is a file and not a folder", "--data"]);
}

#[test]
fn a_port_in_use_is_named() {
    let data = folder();
    let taken = UdpSocket::bind("0.0.0.0:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    check_refused(data.path(), &["resume", "--port", &port], 1, "port-in-use", &[&port, "--port"]);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    check_refused(data.path(), &["serve", "--listen", &address], 1, "port-in-use", &["--listen"]);
}

#[test]
fn help_explains_and_says_what_levels_are() {
    let data = folder();
    for args in
        [&["--help"][..], &["host", "--help"], &["join", "--help"], &["tables", "--help"], &["resume", "--help"]]
    {
        let output = run(data.path(), args);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!output.stdout.is_empty());
    }
    let help = String::from_utf8(run(data.path(), &["host", "--help"]).stdout).expect("text");
    assert!(help.contains("All levels play the same"), "{help}");
}

/// What a person without `--json` reads after writing these lines.
fn read_after(data: &Path, args: &[&str], lines: &[&str]) -> String {
    let mut child = c5(data, args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("stdin");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout"));
    let mut text = String::new();
    while !text.contains("Your turn") {
        assert_ne!(stdout.read_line(&mut text).expect("text"), 0, "{text}");
    }
    for line in lines {
        writeln!(stdin, "{line}").expect("it listens");
    }
    stdout.read_to_string(&mut text).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{text}");
    text
}

#[test]
fn a_person_reads_who_plays_and_how_it_stands() {
    let data = folder();
    let text = read_after(data.path(), &ALONE, &["help", "black", "state", "h08", "resign", "leave"]);
    assert!(!text.contains("waits for you"), "nobody need do anything before the first game: {text}");
    for words in [
        "cpu-now [SEAT]",
        "a stone is due: name a point",
        "   A B C D",
        "15 . . .",
        "your turn (",
        "Anna (seat 0): you, ",
        "The CPU (seat 1): the CPU plays, ",
        "\"h08\" is no command",
        "The game is over; the CPU (seat 1) wins since the other side has resigned",
        "You have left, and seat 0 stays yours: go on with `c5 resume ",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    // Captures are off at this table.
    assert!(!text.contains("captured"), "{text}");
}

#[test]
fn a_game_by_hand() {
    let data = folder();
    let mut host = Session::start(data.path(), &ALONE);
    let table = host.until("table");
    let id = table["table"].as_str().expect("an id");
    assert_eq!((id.len(), table["head"].as_str().map(str::len)), (32, Some(64)));
    assert_eq!((&table["seat"], &table["grace"], &table["ranked"]), (&0.into(), &60.into(), &false.into()));
    assert_eq!(table["rules"]["preset"], "gomoku");
    assert_eq!((&table["seats"][0]["state"], &table["seats"][0]["name"]), (&"human".into(), &"Anna".into()));
    assert_eq!((&table["seats"][1]["state"], &table["seats"][1]["level"]), (&"cpu".into(), &1.into()));
    assert!(table["seats"][1].get("name").is_none(), "what does not apply is left out");

    let start = host.until("start");
    assert_eq!((&start["game"], &start["starter"]), (&1.into(), &0.into()));
    let turn = host.until("your_turn");
    assert_eq!((&turn["seat"], &turn["ply"], &turn["must"]), (&0.into(), &0.into(), &"place".into()));
    for (line, code) in [
        ("P1", "off-board"),
        ("black", "not-a-choice"),
        ("{\"at\":\"H8\",\"take\":[[\"H9\",\"H10\"]]}", "bad-take"),
        ("{\"at\":\"H8\"}", "bad-command"),
        ("\"h8\"", "bad-command"),
        ("{", "bad-command"),
        ("{\"resign\":\"white\"}", "bad-command"),
        ("undo", "bad-command"),
        ("say 0", "bad-command"),
        ("say hello", "bad-command"),
        ("agree 12", "bad-command"),
        ("wait anna", "bad-command"),
        ("wait 7", "no-such-seat"),
        ("wait 1", "bad-command"),
        ("go-on", "bad-command"),
        ("options [9]", "bad-command"),
        ("options {\"board\":14}", "bad-rules"),
        ("options {\"bord\":9}", "bad-rules"),
        ("options {\"seats\":3}", "bad-command"),
        ("options {\"grace\":5}", "bad-command"),
        ("options {\"cpu\":{\"2\":1}}", "no-such-seat"),
        ("options {\"cpu\":{\"0\":1}}", "seat-taken"),
        ("options {\"pin\":\"\"}", "bad-command"),
        ("start", "bad-command"),
    ] {
        assert_eq!(host.error_after(line), code, "{line}");
    }
    host.say("options {\"ranked\":true}");
    let refused = host.until("error")["message"].to_string();
    assert!(refused.contains("leave seat 1 to a person"), "{refused}");
    host.say("");
    host.say("\"H8\"");
    let made = host.until("move");
    assert_eq!(
        (&made["ply"], &made["seat"], &made["by"], &made["at"]),
        (&1.into(), &0.into(), &"hand".into(), &"H8".into())
    );
    assert_eq!(host.until("move")["by"], "cpu");
    host.until("your_turn");
    assert_eq!(host.error_after("H8"), "occupied");

    host.say("state");
    let state = host.until("state");
    assert_eq!((&state["ok"], &state["ply"], &state["keeper"]), (&true.into(), &2.into(), &0.into()));
    assert_eq!(state["board"].as_array().map(Vec::len), Some(15));
    assert_eq!(state["seats"].as_array().map(Vec::len), Some(2));
    assert!(state["term"].is_u64() && state["final"].is_u64());
    assert_eq!((&state["offers"], state.get("clock")), (&serde_json::json!([]), None));

    host.say("undo");
    let asked = host.until("ask");
    assert_eq!((&asked["what"], &asked["seat"]), (&"undo".into(), &0.into()));
    assert_eq!(host.until("undone")["ply"], 0, "with nobody to ask it is granted at once");
    host.until("your_turn");
    host.say("H8");
    host.until("move");
    assert_eq!(host.until("move")["by"], "cpu");
    assert_eq!(host.error_after("draw"), "bad-command");
    assert_eq!(host.error_after("agree"), "no-such-offer");
    assert_eq!(host.error_after("wait"), "bad-command");
    assert_eq!(host.error_after("cpu-now 7"), "no-such-seat");

    host.say("resign");
    let end = host.until("end");
    assert_eq!(end["result"]["by"], serde_json::json!(["resignation"]));
    assert_eq!((&end["credited"], &end["starter"]), (&serde_json::json!([1]), &0.into()));
    assert_eq!(end["actions"].as_array().map(Vec::len), Some(3));
    host.say("options {\"preset\":\"capture-five\",\"board\":9,\"move_limit_s\":60,\"grace\":10,\"cpu\":{\"1\":2}}");
    let asked = host.until("ask");
    assert_eq!(
        (&asked["what"], &asked["options"]["board"], &asked["options"]["grace"]),
        (&"options".into(), &9.into(), &10.into())
    );
    assert_eq!(asked["options"]["cpu"], serde_json::json!({ "1": 2 }));
    host.until("agreed");
    host.say("rematch");
    let start = host.until("start");
    assert_eq!((&start["starter"], &start["rules"]["board"]), (&1.into(), &9.into()));
    host.until("your_turn");
    host.say("state");
    let state = host.until("state");
    assert_eq!((&state["clock"]["seat"], &state["clock"]["running"]), (&0.into(), &true.into()));
    assert_eq!(state["seats"][1]["level"], 2);
    host.say("leave");
    assert_eq!(host.exit_code(), Some(0));
}

#[test]
fn a_killed_game_is_listed_and_goes_on() {
    let data = folder();
    let mut host = Session::start(data.path(), &ALONE);
    let table = host.until("table")["table"].as_str().expect("an id").to_owned();
    host.until("your_turn");
    host.say("H8");
    host.until("your_turn");
    host.signal("-KILL");
    host.exit_code();

    let output = run(data.path(), &["resume", "--json"]);
    let listed: Value = serde_json::from_slice(&output.stdout).expect("one line");
    assert_eq!(
        (&listed["event"], &listed["table"], &listed["ply"]),
        (&"interrupted".into(), &table.as_str().into(), &2.into())
    );
    assert_eq!(listed["names"], serde_json::json!(["Anna", ""]));
    assert_eq!(listed["rules"]["preset"], "gomoku");

    let mut resumed = Session::start(data.path(), &["resume", &table[..8]]);
    assert_eq!(resumed.until("your_turn")["ply"], 2);
    resumed.say("J9");
    assert_eq!(resumed.until("move")["ply"], 3);
    resumed.say("stand");
    assert_eq!(resumed.exit_code(), Some(0));
    let output = run(data.path(), &["resume", "--json"]);
    assert_eq!(output.stdout.len(), 0, "a seat given up is nothing to go on with");
}

#[test]
fn a_left_game_goes_on_by_the_name_of_who_plays_there() {
    let data = folder();
    let table = left_game(data.path());
    let resumed = Session::start(data.path(), &["resume", "anna"]);
    assert_eq!(resumed.until("table")["table"], table);
    drop(resumed);
    check_refused(data.path(), &["resume", "Somebody"], 1, "not-found", &["c5 resume"]);
    left_game(data.path());
    check_refused(data.path(), &["resume", "Anna"], 1, "not-found", &["may be any of", &table]);
}

/// A running game that its process left, and its table.
fn left_game(data: &Path) -> String {
    let mut host = Session::start(data, &ALONE);
    let table = host.until("table")["table"].as_str().expect("an id").to_owned();
    host.until("your_turn");
    host.say("leave");
    assert_eq!(host.exit_code(), Some(0));
    table
}

#[test]
fn without_its_key_a_device_says_so_and_has_no_seat() {
    for damaged in [true, false] {
        let data = folder();
        let table = left_game(data.path());
        let key = data.path().join("device.key");
        if damaged {
            std::fs::write(&key, "no key").expect("written");
        } else {
            std::fs::remove_file(&key).expect("removed");
        }
        let output = run(data.path(), &["resume", &table, "--json"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(
            stderr.lines().next().is_some_and(|line| line.starts_with("c5: warning: the device key was")),
            "{stderr}"
        );
        assert!(stderr.contains("device.key.damaged-") == damaged, "{stderr}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("no-such-seat"));
        assert_eq!(run(data.path(), &["resume"]).stderr, b"", "told once");
    }
}

#[test]
fn a_damaged_journal_is_told_with_where_it_is() {
    let data = folder();
    let table = left_game(data.path());
    let journal = data.path().join("running").join(format!("{table}.journal"));
    let mut bytes = std::fs::read(&journal).expect("a journal");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(&journal, bytes).expect("written");
    let stderr = run(data.path(), &["resume"]).stderr;
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(stderr.starts_with("c5: warning: ") && stderr.contains(".damaged-"), "{stderr}");
}

#[test]
fn what_lies_in_the_place_of_a_journal_is_told_and_left_alone() {
    let data = folder();
    let table = left_game(data.path());
    let journal = data.path().join("running").join(format!("{table}.journal"));
    std::fs::remove_file(&journal).expect("removed");
    let check = || {
        for args in [&["resume"][..], &["resume", &table]] {
            let output = run(data.path(), args);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(stderr.starts_with("c5: warning: "), "{stderr}");
            assert!(stderr.contains(journal.to_str().expect("text")) && stderr.contains("move it away"), "{stderr}");
            assert!(!stderr.contains("space"), "{stderr}");
            assert_eq!(output.status.code(), Some(i32::from(args.len() > 1)), "{stderr}");
        }
    };
    std::fs::create_dir(&journal).expect("made");
    check();
    assert!(journal.is_dir(), "it stays");
    std::fs::remove_dir(&journal).expect("removed");
    std::os::unix::fs::symlink("nowhere", &journal).expect("a link");
    check();
    assert!(journal.is_symlink(), "it stays");
}

#[test]
fn another_tables_journal_is_told_and_left_alone() {
    let data = folder();
    let table = left_game(data.path());
    let other = "0123456789abcdef0123456789abcdef";
    let running = data.path().join("running");
    let copy = running.join(format!("{other}.journal"));
    std::fs::copy(running.join(format!("{table}.journal")), &copy).expect("copied");
    let bytes = std::fs::read(&copy).expect("a journal");

    let listed = run(data.path(), &["resume"]);
    let stderr = String::from_utf8_lossy(&listed.stderr);
    let says = format!("its file {} holds another table, {table}", copy.display());
    assert!(stderr.starts_with("c5: warning: ") && stderr.contains(&says), "{stderr}");
    let stdout = String::from_utf8_lossy(&listed.stdout);
    assert!(stdout.contains(&table) && !stdout.contains(other), "{stdout}");

    let resumed = run(data.path(), &["resume", other, "--json"]);
    assert_eq!(resumed.status.code(), Some(1));
    let stdout = String::from_utf8_lossy(&resumed.stdout);
    assert!(stdout.contains("\"data-unwritable\"") && stdout.contains("holds another table"), "{stdout}");
    assert_eq!(std::fs::read(&copy).expect("a journal"), bytes, "it stays");

    let resumed = Session::start(data.path(), &["resume", &table]);
    assert_eq!(resumed.until("table")["table"], table.as_str(), "the right one goes on");
}

/// Runs to its end where a file can get no longer than a few hundred bytes, as on a disk that is all but full.
fn run_without_space(data: &Path, args: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_c5"), "--data"]);
    command.arg(data).args(args).arg("--json").stdin(Stdio::null()).output().expect("it runs")
}

#[test]
fn a_damaged_journal_without_space_to_mend_it_is_told_and_kept() {
    let data = folder();
    let table = left_game(data.path());
    let running = data.path().join("running");
    let journal = running.join(format!("{table}.journal"));
    let mut bytes = std::fs::read(&journal).expect("a journal");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(&journal, &bytes).expect("written");
    for _ in 0..2 {
        let output = run_without_space(data.path(), &["resume", &table]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("make space") && stderr.contains(&table), "{stderr}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("\"data-unwritable\""));
        assert_eq!(std::fs::read(&journal).expect("a journal"), bytes);
        assert_eq!(std::fs::read_dir(&running).expect("a folder").count(), 1, "nothing lies beside it");
    }
    let mut resumed = Session::start(data.path(), &["resume", &table]);
    resumed.until("table");
    resumed.say("leave");
    assert_eq!(resumed.exit_code(), Some(0));
    assert_eq!(std::fs::read_dir(&running).expect("a folder").count(), 2, "the damaged one is kept");
}

#[test]
fn a_table_where_one_has_a_seat_is_not_watched() {
    let data = folder();
    let table = left_game(data.path());
    check_refused(data.path(), &["watch", &table], 1, "seat-taken", &["resume", "--data"]);
    let resumed = Session::start(data.path(), &["resume", &table]);
    assert_eq!(resumed.until("table")["seat"], 0, "the seat is kept");
}

#[test]
fn the_end_of_input_is_no_command_and_signals_are_polite() {
    let data = folder();
    let mut host = Session::start(data.path(), &ALONE);
    host.until("your_turn");
    drop(host.stdin.take());
    // It still listens to signals, so it has stayed.
    host.signal("-INT");
    assert_eq!(host.exit_code(), Some(0));
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let data = folder();
    let mut child = c5(data.path(), &[&ALONE[..], &["--json"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout"));
    stdout.read_line(&mut line).expect("an event");
    drop(stdout);
    writeln!(child.stdin.as_mut().expect("stdin"), "state").expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn auto_plays_its_games_and_leaves() {
    let data = folder();
    let auto = [&ALONE[..], &["--auto", "random:3", "--games", "2"]].concat();
    let host = Session::start(data.path(), &auto);
    for (number, starter) in [(1, 0), (2, 1)] {
        let start = host.until("start");
        assert_eq!((&start["game"], &start["starter"]), (&number.into(), &starter.into()));
        host.until("end");
    }
    assert_eq!(host.exit_code(), Some(0));
}
