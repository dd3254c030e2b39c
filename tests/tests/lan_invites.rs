//! Coming to a table where the network shows nothing of it: by link, by code, by what is known of a device; and locked
//! tables. `c5` processes in network namespaces.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;
use tests::c5::C5;
use tests::lan::Lan;

/// Hosts between which no multicast passes, as on many guest networks.
struct Quiet {
    lan: Lan,
    data: TempDir,
}

impl Quiet {
    fn new(hosts: usize) -> Result<Quiet> {
        let quiet = Quiet { lan: Lan::new(hosts)?, data: TempDir::new()? };
        let rules = "table inet quiet { chain input { type filter hook input priority -200; policy accept; \
                     udp dport 5353 drop; }; };";
        for host in 0..hosts {
            ensure!(quiet.lan.command(host, "nft").arg(rules).status()?.success(), "no rule for host {host}");
        }
        Ok(quiet)
    }

    fn folder(&self, host: usize) -> PathBuf {
        self.data.path().join(host.to_string())
    }

    fn start(&self, host: usize, arguments: &str) -> Result<C5> {
        C5::start(&self.lan, host, &self.folder(host), arguments)
    }

    /// Like [`Quiet::start`], with an argument that has spaces in it.
    fn join(&self, host: usize, invite: &str, arguments: &str) -> Result<C5> {
        self.start(host, &format!("join {} --name P{host} {arguments}", invite.replace(' ', "-")))
    }
}

fn text<'a>(event: &'a Value, field: &str) -> Result<&'a str> {
    event[field].as_str().with_context(|| format!("no {field} in {event}"))
}

#[test]
fn a_hidden_table_is_found_by_code_and_by_link_where_no_multicast_passes() -> Result<()> {
    let quiet = Quiet::new(4)?;
    let mut opener = quiet.start(0, "host --preset gomoku --seats 3 --hidden --name P0 --auto random:1")?;
    let table = opener.event("table")?;
    let (link, code) = (text(&table, "invite")?, text(&table, "code")?);
    ensure!(code.len() == 14, "a code for this network has 12 letters: {code}");
    let id = text(&table, "table")?;
    let mut players = vec![
        quiet.join(1, &code.to_lowercase().replace('0', "o"), "--auto random:2")?,
        quiet.join(2, &link.to_uppercase(), "--auto random:3")?,
    ];
    let mut watcher = quiet.start(3, &format!("watch {code}"))?;
    for player in &mut players {
        ensure!(text(&player.event("table")?, "table")? == id, "another table");
    }
    let end = opener.event("end")?;
    ensure!(watcher.event("end")?["result"] == end["result"], "the watcher saw another end");
    for player in &mut players {
        ensure!(player.event("end")?["result"] == end["result"], "the devices do not agree");
    }
    watcher.drain();
    ensure!(watcher.told().iter().all(|told| told.event["event"] != "your_turn"), "a watcher has no turn");
    watcher.tell("leave")?;
    watcher.succeeds()?;
    opener.succeeds()?;
    players.into_iter().try_for_each(C5::succeeds)
}

#[test]
fn whoever_sits_can_invite_and_whoever_looks_on_can_not() -> Result<()> {
    let quiet = Quiet::new(4)?;
    let mut opener = quiet.start(0, "host --preset gomoku --seats 3 --hidden --name P0")?;
    let table = opener.event("table")?;
    let mut joiner = quiet.join(1, text(&table, "code")?, "")?;
    let invite = joiner.event("invite")?;
    let (link, code) = (text(&invite, "invite")?, text(&invite, "code")?);
    ensure!(code != text(&table, "code")?, "an invite is its device's: {invite}");
    let mut watcher = quiet.start(3, &format!("watch {link}"))?;
    watcher.event("table")?;
    let mut third = quiet.join(2, code, "")?;
    third.event("invite")?;
    third.event("start")?;
    watcher.event("start")?;
    watcher.drain();
    ensure!(watcher.told().iter().all(|told| told.event.get("invite").is_none()), "a watcher has no seat");
    opener.drain();
    ensure!(opener.told().iter().all(|told| told.event["event"] != "invite"), "the opener's is in `table`");
    Ok(())
}

#[test]
fn a_code_where_nobody_is_any_more_is_told_as_that() -> Result<()> {
    let quiet = Quiet::new(2)?;
    let mut opener = quiet.start(0, "host --preset gomoku --seats 2 --hidden --name P0")?;
    let table = opener.event("table")?;
    let code = text(&table, "code")?.to_owned();
    opener.kill()?;
    let mut joiner = quiet.join(1, &code, "--for 0")?;
    let error = joiner.event("error")?;
    let message = text(&error, "message")?;
    ensure!(message.contains("nobody answers") && message.contains("ask for a new invite"), "{error}");
    joiner.fails("not-found", 1)?;
    // The address is the reader's own by now.
    quiet.lan.swap_addresses(0, 1)?;
    let mut joiner = quiet.join(1, &code, "--for 0")?;
    let error = joiner.event("error")?;
    ensure!(text(&error, "message")?.contains("nobody answers"), "{error}");
    joiner.fails("not-found", 1)
}

#[test]
fn an_invite_is_told_when_there_is_a_network_and_again_after_another_address() -> Result<()> {
    let quiet = Quiet::new(3)?;
    quiet.lan.airplane(0, true)?;
    let mut opener = quiet.start(0, "host --preset gomoku --seats 3 --hidden --name P0")?;
    let table = opener.event("table")?;
    ensure!(table.get("invite").is_none() && table.get("code").is_none(), "an invite without a network: {table}");
    quiet.lan.airplane(0, false)?;
    let first = opener.event("invite")?;
    let mut joiner = quiet.join(1, text(&first, "code")?, "")?;
    joiner.event("table")?;
    // The network is lost, and comes back with another address.
    quiet.lan.airplane(0, true)?;
    opener.wait("the link down", |event| event["event"] == "link" && event["state"] == "down")?;
    quiet.lan.swap_addresses(0, 2)?;
    let second = opener.event("invite")?;
    ensure!(first["code"] != second["code"], "the same code at another address: {second}");
    let mut watcher = C5::start(&quiet.lan, 1, &quiet.folder(3), &format!("watch {}", text(&second, "code")?))?;
    watcher.event("table")?;
    Ok(())
}

#[test]
fn a_code_for_another_port_is_longer_and_still_leads_there() -> Result<()> {
    let quiet = Quiet::new(2)?;
    let mut opener = quiet.start(0, "host --preset gomoku --seats 2 --hidden --name P0 --port 5123")?;
    let table = opener.event("table")?;
    let code = text(&table, "code")?;
    ensure!(code.len() == 24, "{code}");
    let mut joiner = quiet.join(1, code, "")?;
    joiner.event("start")?;
    opener.event("start")?;
    Ok(())
}

#[test]
fn another_device_at_the_address_is_not_taken_for_the_one_that_invited() -> Result<()> {
    let quiet = Quiet::new(2)?;
    let mut opener = quiet.start(0, "host --preset gomoku --seats 2 --hidden --name P0")?;
    let table = opener.event("table")?;
    let (link, code) = (text(&table, "invite")?.to_owned(), text(&table, "code")?.to_owned());
    opener.kill()?;
    let other = quiet.data.path().join("other");
    let mut impostor = C5::start(&quiet.lan, 0, &other, "host --preset gomoku --seats 2 --name Eve")?;
    impostor.event("table")?;
    quiet.join(1, &code, "--for 2")?.fails("not-found", 1)?;
    quiet.join(1, &link, "")?.fails("not-found", 1)?;
    impostor.kill()?;
    ensure!(impostor.into_seen().iter().all(|told| told.event["event"] != "link"), "it was linked");
    Ok(())
}

#[test]
fn a_known_device_s_next_table_is_found_where_no_multicast_passes() -> Result<()> {
    let quiet = Quiet::new(2)?;
    let mut opener = quiet.start(0, "host --preset gomoku --seats 2 --name P0")?;
    let table = opener.event("table")?;
    let mut joiner = quiet.join(1, text(&table, "code")?, "")?;
    joiner.event("start")?;
    for mut player in [opener, joiner] {
        player.tell("leave")?;
        player.succeeds()?;
    }
    let mut opener = quiet.start(0, "host --preset pente --seats 2 --name Another")?;
    opener.event("table")?;
    let mut joiner = quiet.start(1, "join Another --name P1 --for 60")?;
    joiner.event("start")?;
    opener.event("start")?;
    Ok(())
}

#[test]
fn a_locked_table_is_for_those_who_have_the_pin_and_for_its_owners() -> Result<()> {
    let (lan, data) = (Lan::new(3)?, TempDir::new()?);
    let start = |host: usize, arguments: &str| C5::start(&lan, host, &data.path().join(host.to_string()), arguments);
    let mut opener = start(0, "host --preset gomoku --seats 2 --name P0 --pin 2580")?;
    let table = opener.event("table")?;
    let id = &text(&table, "table")?[..8];
    let mut listed = start(1, "tables --for 0")?;
    let row = listed.event("listed")?;
    ensure!(row["locked"] == true, "{row}");
    listed.kill()?;
    start(1, &format!("join {id} --name P1"))?.fails("wrong-pin", 1)?;
    start(1, &format!("join {id} --name P1 --pin 1111"))?.fails("wrong-pin", 1)?;
    start(2, &format!("watch {id} --pin 0000"))?.fails("wrong-pin", 1)?;
    let mut joiner = start(1, &format!("join {id} --name P1 --pin 2580"))?;
    joiner.event("start")?;
    let mut watcher = start(2, &format!("watch {id} --pin 2580"))?;
    watcher.event("table")?;
    // Whoever has a seat comes back without it, to a table that is locked and full.
    joiner.kill()?;
    let mut joiner = start(1, &format!("join {id} --name P1"))?;
    joiner.wait("the own seat again", |event| event["event"] == "table" && event["seat"] == 1)?;
    Ok(())
}

#[test]
fn guesses_at_a_pin_are_few() -> Result<()> {
    let (lan, data) = (Lan::new(2)?, TempDir::new()?);
    let start = |host: usize, arguments: &str| C5::start(&lan, host, &data.path().join(host.to_string()), arguments);
    let mut opener = start(0, "host --preset gomoku --seats 2 --name P0 --pin 2580")?;
    let table = opener.event("table")?;
    let id = &text(&table, "table")?[..8];
    for guess in 0..5 {
        start(1, &format!("join {id} --name P1 --pin {guess}"))?.fails("wrong-pin", 1)?;
    }
    // Now the right one has to wait, too, whatever key it comes with.
    std::fs::remove_dir_all(data.path().join("1"))?;
    start(1, &format!("join {id} --name P1 --pin 2580"))?.fails("wrong-pin", 1)?;
    Ok(())
}
