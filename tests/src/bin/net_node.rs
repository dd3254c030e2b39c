//! A device with nothing but a network, for the tests of discovery and links: commands on stdin, events on stdout.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use net::{Announcement, Net, NetConfig, NetEvent};
use table::{DeviceId, TableId};
use tokio::io::{AsyncBufReadExt, BufReader};

fn main() -> Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let mut arguments = std::env::args().skip(1);
    let secret: u8 = arguments.next().context("a number for the key")?.parse()?;
    let version: u32 = arguments.next().map_or(Ok(1), |version| version.parse())?;
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?.block_on(run(secret, version))
}

async fn run(secret: u8, version: u32) -> Result<()> {
    let config = NetConfig { secret: [secret; 32], port: None, version, program: format!("node {version}") };
    let (net, mut events) = Net::start(config).await?;
    println!("started {}", net.device());
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut linked: BTreeSet<(TableId, DeviceId)> = BTreeSet::new();
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Some(event) => tell(event, &mut linked),
                None => return Ok(()),
            },
            line = lines.next_line() => match line? {
                Some(line) => obey(&net, &line, &linked)?,
                None => {
                    net.shutdown().await;
                    return Ok(());
                }
            },
        }
    }
}

/// `announce`, `announce TABLE NAME TAKEN`, `follow TABLE`, `unfollow TABLE`, `dial TABLE ADDRESS`, `say TABLE TEXT`;
/// a table is one number here.
fn obey(net: &Net, line: &str, linked: &BTreeSet<(TableId, DeviceId)>) -> Result<()> {
    let mut words = line.split_whitespace();
    let command = words.next().context("a command")?;
    let Some(table) = words.next() else {
        net.announce(vec![]);
        return Ok(());
    };
    let table = TableId([table.parse()?; 16]);
    let mut word = || words.next().context("one more word");
    match command {
        "announce" => net.announce(vec![Announcement {
            table,
            name: word()?.into(),
            preset: "pente".into(),
            taken: word()?.parse()?,
            seats: 4,
            locked: false,
        }]),
        "follow" => net.follow(table),
        "unfollow" => net.unfollow(table),
        "dial" => net.dial(table, None, vec![word()?.parse()?]),
        "say" => {
            let text = word()?;
            for (_, peer) in linked.iter().filter(|(other, _)| *other == table) {
                net.send(table, *peer, text.as_bytes().to_vec());
            }
        }
        other => anyhow::bail!("no command {other}"),
    }
    Ok(())
}

fn tell(event: NetEvent, linked: &mut BTreeSet<(TableId, DeviceId)>) {
    match event {
        NetEvent::LinkUp { table, peer, address } => {
            linked.insert((table, peer));
            println!("up {} {peer} {}", table.0[0], address.ip());
        }
        NetEvent::LinkDown { table, peer } => {
            linked.remove(&(table, peer));
            println!("down {} {peer}", table.0[0]);
        }
        NetEvent::Message { table, bytes, .. } => println!("said {} {}", table.0[0], String::from_utf8_lossy(&bytes)),
        NetEvent::Refused { table, address, why } => println!("refused {} {address} {why:?}", table.0[0]),
        NetEvent::OtherVersion { table, address, theirs } => {
            println!("other-version {} {} {theirs}", table.0[0], address.ip());
        }
        NetEvent::Listed(listing) => {
            let addresses: Vec<String> = listing.addresses.iter().map(|address| address.ip().to_string()).collect();
            let (table, name, taken) = (listing.table.0[0], listing.name, listing.taken);
            println!("listed {table} {name} {taken} {}", addresses.join(","));
        }
        NetEvent::Unlisted { table } => println!("unlisted {}", table.0[0]),
        NetEvent::Woke { .. } => println!("woke"),
        NetEvent::Addresses(addresses) => {
            let addresses: Vec<String> = addresses.iter().map(|address| address.ip().to_string()).collect();
            println!("addresses {}", addresses.join(","));
        }
    }
}
