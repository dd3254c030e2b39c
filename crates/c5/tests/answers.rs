//! Whoever writes a line is answered, and whoever comes or goes is told how it stands: with real processes.

#![cfg(unix)]

mod common;

use std::collections::BTreeSet;

use c5::order::HELP;
use common::{PATIENCE, Session, check_refused, folder};
use net::invite::{Fingerprint, Invite, Place};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Two people at a table of two, in a game that has begun; Anna is to move.
struct Two {
    folders: [TempDir; 2],
    anna: Session,
    ben: Session,
    table: String,
    /// The commands that were written, by their first words.
    written: BTreeSet<String>,
}

impl Two {
    fn start() -> Two {
        let folders = [folder(), folder()];
        let host = ["host", "--preset=gomoku", "--seats=2", "--name=Anna", "--grace=120", "--hidden"];
        let anna = Session::start(folders[0].path(), &host);
        let table = anna.until("table");
        let (id, invite) = (text(&table["table"]), text(&invite_of(&anna, &table)["invite"]));
        let ben = Session::start(folders[1].path(), &["join", &invite, "--name=Ben"]);
        ben.until("start");
        anna.until("your_turn");
        Two { folders, anna, ben, table: id, written: BTreeSet::new() }
    }

    /// Writes this line twice at once: it comes about, and the other line is answered with one of these codes.
    fn twice(&mut self, who: usize, line: &str, event: &str, codes: &[&str]) -> Value {
        self.written.insert(line.split(' ').next().expect("a word").to_owned());
        let session = [&mut self.anna, &mut self.ben].into_iter().nth(who).expect("one of two");
        session.say(&format!("{line}\n{line}"));
        let (mut done, mut refused) = (None, None);
        while done.is_none() || refused.is_none() {
            let next = session.events.recv_timeout(PATIENCE).unwrap_or_else(|why| {
                panic!("{line}: {why}; {event}: {done:?}, error: {refused:?}");
            });
            if next["event"] == event && done.is_none() {
                done = Some(next);
            } else if next["event"] == "error" {
                refused = Some(text(&next["code"]));
            }
        }
        let refused = refused.expect("an error");
        assert!(codes.contains(&refused.as_str()), "{line}: {refused}");
        done.expect("an event")
    }

    /// Writes a line that is refused.
    fn refused(&mut self, line: &str, code: &str) {
        self.written.insert(line.split(' ').next().expect("a word").to_owned());
        assert_eq!(self.anna.error_after(line), code, "{line}");
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

/// It follows the table's event where the network was not up by then.
fn invite_of(session: &Session, table: &Value) -> Value {
    if table.get("invite").is_some() { table.clone() } else { session.until("invite") }
}

#[test]
fn every_line_is_answered_also_when_it_is_written_twice() {
    let mut two = Two::start();
    for (line, event) in [("help", "help"), ("state", "state")] {
        two.written.insert(line.to_owned());
        two.anna.say(&format!("{line}\n{line}"));
        two.anna.until(event);
        two.anna.until(event);
    }
    two.twice(0, "h8", "move", &["stale", "not-your-turn"]);
    two.twice(0, "undo", "ask", &["stale"]);
    two.ben.until("ask");
    two.twice(1, "refuse", "answer", &["stale", "no-such-offer"]);
    two.anna.until("closed");
    two.refused("black", "not-your-turn");
    two.refused("{\"at\":\"H8\",\"take\":[[\"G8\",\"F8\"]]}", "not-your-turn");
    two.twice(0, "draw", "ask", &["stale"]);
    two.ben.until("ask");
    two.twice(1, "agree", "answer", &["stale", "no-such-offer"]);
    two.anna.until("end");
    for (line, code) in [("resign", "game-over"), ("go-on", "bad-command"), ("say 0", "bad-command")] {
        two.refused(line, code);
    }
    two.refused("options {}", "bad-command");
    two.refused("options {\"grace\":120}", "bad-command");
    let ready = two.twice(0, "rematch", "ready", &["stale"]);
    assert_eq!((&ready["game"], &ready["seat"], &ready["yes"]), (&2.into(), &0.into(), &true.into()));
    assert_eq!(ready["waits_for"], json!([1]));
    two.twice(0, "options {\"level\":3}", "ask", &["stale"]);
    two.ben.until("ask");
    two.ben.say("agree");
    two.anna.until("agreed");
    let lapsed = two.anna.until("ready");
    assert_eq!((&lapsed["seat"], &lapsed["yes"]), (&0.into(), &false.into()));
    assert_eq!(lapsed["waits_for"], json!([0, 1]));
    two.twice(0, "start", "ready", &["stale"]);
    two.ben.until("ready");
    two.ben.say("rematch");
    two.anna.until("start");
    two.ben.until("your_turn");
    two.ben.say("h8");
    two.anna.until("your_turn");
    two.anna.say("j9");
    two.ben.until("your_turn");
    two.ben.say("h9");
    two.anna.until("your_turn");

    two.ben.signal("-KILL");
    while two.anna.until("seat")["state"] != "away" {}
    two.anna.say("undo");
    let refused = two.anna.until("error");
    assert_eq!(refused["code"], "bad-command");
    assert!(text(&refused["message"]).contains("who is away"), "{refused}");
    let held = two.twice(0, "wait", "seat", &["stale"]);
    assert_eq!((&held["state"], &held["hold"], held.get("grace_left")), (&"away".into(), &true.into(), None));
    let taken = two.twice(0, "cpu-now", "seat", &["stale", "bad-command"]);
    assert_eq!(taken["state"], "taken");
    two.twice(0, "resign", "end", &["stale", "game-over"]);
    // Nobody would hear of it.
    two.refused("stand", "keeper-away");
    let mut ben = Session::start(two.folders[1].path(), &["resume", &two.table]);
    while two.anna.until("seat")["state"] != "human" {}
    ben.say("stand");
    let left = ben.until("left");
    assert_eq!((text(&left["table"]), left.get("seat")), (two.table.clone(), None));
    assert_eq!(ben.exit_code(), Some(0));
    two.written.insert("leave".to_owned());
    two.anna.say("leave");
    assert_eq!(two.anna.until("left")["seat"], 0, "the seat is kept");
    assert_eq!(two.anna.exit_code(), Some(0));

    let words = HELP.lines().flat_map(|line| line.split("  ").next().expect("a command").split(", "));
    for word in words.map(|words| words.split(' ').next().expect("a word")) {
        let colour = ["black", "white", "add"].contains(&word) && two.written.contains("black");
        let json = word.starts_with('{') && two.written.iter().any(|line| line.starts_with('{'));
        assert!(two.written.contains(word) || colour || json, "{word} is not tried here");
    }
}

#[test]
fn whoever_comes_to_a_game_is_told_its_position_and_what_follows() {
    let mut two = Two::start();
    two.anna.say("h8");
    two.ben.until("your_turn");
    two.ben.say("j9");
    two.anna.until("your_turn");
    let place = folder();
    // Its keeper dies, and comes back.
    two.anna.signal("-KILL");
    let mut anna = Session::start(two.folders[0].path(), &["resume", &two.table]);
    let table = anna.until("table");
    check_position(&anna.until("position"));
    let link = text(&invite_of(&anna, &table)["invite"]);
    assert_eq!(anna.until("your_turn")["ply"], 2);
    let mut watch = Session::start(place.path(), &["watch", &link]);
    check_position(&watch.until("position"));
    for line in ["h9", "undo", "draw", "resign", "start", "stand", "options {\"level\":2}", "wait 1", "cpu-now 1"] {
        watch.say(line);
        let refused = watch.until("error");
        assert_eq!(refused["code"], "no-such-seat", "{line}");
        assert!(text(&refused["message"]).contains("c5 join"), "{line}: {refused}");
    }
    for (line, code) in [("agree", "no-such-offer"), ("go-on", "bad-command"), ("wait", "bad-command")] {
        assert_eq!(watch.error_after(line), code, "{line}");
    }
    anna.say("h9");
    let made = watch.until("move");
    assert_eq!((&made["ply"], &made["at"]), (&3.into(), &"H9".into()));
}

fn check_position(position: &Value) {
    assert_eq!((&position["ply"], &position["game"]), (&2.into(), &1.into()), "{position}");
    assert_eq!((&position["starter"], &position["order"]), (&0.into(), &json!([0, 1])));
    assert_eq!(position["actions"], json!(["H8", "J9"]));
    assert_eq!((&position["to_move"]["seat"], &position["rules"]["preset"]), (&0.into(), &"gomoku".into()));
    assert_eq!(position["seats"].as_array().map(Vec::len), Some(2));
}

#[test]
fn whoever_goes_is_promised_nothing_that_the_disk_does_not_have() {
    let mut two = Two::start();
    std::fs::remove_dir_all(two.folders[1].path()).expect("a folder");
    // The other one keeps it: that ends it at once.
    two.ben.say("stand");
    let left = two.ben.until("left");
    assert_eq!((left.get("seat"), &left["disk"]), (None, &"failing".into()), "{left}");
    assert_eq!(two.ben.exit_code(), Some(0));
    while two.anna.until("seat")["state"] != "cpu" {}
    std::fs::remove_dir_all(two.folders[0].path()).expect("a folder");
    two.anna.say("leave");
    let left = two.anna.until("left");
    assert_eq!((left.get("seat"), &left["disk"]), (None, &"failing".into()), "{left}");
    assert_eq!(two.anna.exit_code(), Some(0));
}

#[test]
fn a_signal_counts_from_the_start_of_the_process_on() {
    for args in [&["host", "--preset=gomoku", "--seats=2", "--hidden"][..], &["join", "Somebody"]] {
        let data = folder();
        let session = Session::start(data.path(), args);
        let begun = std::time::Instant::now();
        // Its first trace: the data folder is not open yet.
        while !data.path().join("lock").exists() {
            assert!(begun.elapsed() < PATIENCE, "it does not start");
            std::thread::yield_now();
        }
        session.signal("-TERM");
        session.until("left");
        assert_eq!(session.exit_code(), Some(0), "{args:?}");
    }
}

#[test]
fn whoever_comes_without_a_name_is_told_from_the_others() {
    let folders = [folder(), folder()];
    let host = Session::start(folders[0].path(), &["host", "--preset=gomoku", "--seats=2", "--hidden"]);
    let table = host.until("table");
    let link = text(&invite_of(&host, &table)["invite"]);
    let guest = Session::start(folders[1].path(), &["join", &link]);
    guest.until("start");
    let seated = host.until("seat");
    let names = [text(&table["seats"][0]["name"]), text(&seated["name"])];
    assert_ne!(names[0], names[1]);
}

#[test]
fn a_search_is_told_at_once_and_can_be_given_up() {
    let data = folder();
    let mut search = Session::start(data.path(), &["join", "Somebody", "--for", "600"]);
    assert_eq!(search.until("looking")["seconds"], 600);
    search.say("help");
    search.until("help");
    assert_eq!(search.error_after("h8"), "bad-command");
    assert_eq!(search.error_after("castle"), "bad-command");
    search.say("leave");
    search.until("left");
    assert_eq!(search.exit_code(), Some(0));
}

#[test]
fn a_mistyped_code_is_refused_long_before_the_search_is_over() {
    let place = Place::At(std::net::Ipv4Addr::LOCALHOST, 1);
    let code = Invite::Code { fingerprint: Fingerprint([7; 5]), place }.write();
    let wrong = format!("{}{}", &code[..code.len() - 1], if code.ends_with('0') { '1' } else { '0' });
    // Started before, and still looking when the other has its answer.
    let folders: [TempDir; 3] = std::array::from_fn(|_| folder());
    let mut patient = Session::start(folders[0].path(), &["join", "Somebody", "--for", "600"]);
    patient.until("looking");
    let session = Session::start(folders[1].path(), &["join", &wrong, "--for", "600"]);
    assert_eq!(session.until("error")["code"], "bad-invite");
    assert_eq!(session.exit_code(), Some(1));
    assert!(patient.child.try_wait().expect("a child").is_none(), "it has ended");
    let short = &code[..code.len() - 1];
    let digits = short.bytes().filter(u8::is_ascii_alphanumeric).count().to_string();
    check_refused(folders[2].path(), &["join", short, "--for", "0"], 1, "not-found", &[&digits, "12 or 20"]);
}

#[test]
fn options_that_do_not_go_together_are_told_with_what_to_change() {
    let data = folder();
    let pente = ["host", "--preset", "pente", "--seats", "3"];
    check_refused(data.path(), &pente, 2, "bad-rules", &["set opening to none, or seats to 2"]);
    let overtime = ["host", "--preset=custom", "--seats=2", "--set=captures=off", "--set=overtime=break"];
    check_refused(data.path(), &overtime, 2, "bad-rules", &["overtime to none, or captures to on"]);
}
