//! `c5 tables`: what is on the network. It needs no data folder, so it also works beside a running app.

use std::collections::BTreeMap;
use std::time::Duration;

use net::{Listing, Net, NetConfig, NetEvent};
use serde_json::json;
use table::TableId;
use tokio::time::{Instant, sleep_until};

use crate::args::{Common, Tables};
use crate::stop::Stop;
use crate::{Failure, Output, events};

/// A day, where there is no end.
const ENDLESS: Duration = Duration::from_secs(24 * 60 * 60);

pub(crate) async fn run(common: &Common, tables: Tables, mut stop: Stop, output: &mut Output) -> Result<(), Failure> {
    let config = NetConfig {
        secret: rand::random(),
        // The usual port is left to the app.
        port: Some(common.port.unwrap_or(0)),
        version: app::PROTOCOL_VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let (net, mut news) = Net::start(config).await.map_err(app::StartError::from)?;
    let (mut shown, mut has_listed) = (BTreeMap::new(), false);
    let mut until = Instant::now() + Duration::from_secs(tables.seconds);
    while !output.is_closed() {
        tokio::select! {
            event = news.recv() => match event {
                Some(NetEvent::Listed(listing)) => {
                    has_listed = true;
                    listed(&listing, &mut shown, output);
                }
                Some(NetEvent::Unlisted { table }) => {
                    shown.remove(&table);
                    unlisted(table, output);
                }
                Some(NetEvent::LinkUp { .. }
                    | NetEvent::LinkDown { .. }
                    | NetEvent::Message { .. }
                    | NetEvent::Refused { .. }
                    | NetEvent::OtherVersion { .. }
                    | NetEvent::Addresses(_)
                    | NetEvent::Woke { .. }) => {}
                None => break,
            },
            () = sleep_until(until) => {
                if tables.seconds > 0 {
                    break;
                }
                until = Instant::now() + ENDLESS;
            }
            () = stop.asked() => break,
        }
    }
    if !has_listed {
        output.say("No table was seen: open one with c5 host, or look for longer with --for 30");
    }
    net.shutdown().await;
    Ok(())
}

/// A change of what a line does not show, as of the addresses, is told only as JSON.
fn listed(listing: &Listing, shown: &mut BTreeMap<TableId, String>, output: &mut Output) {
    let listing = &Listing { name: app::clean_name(&listing.name), ..listing.clone() };
    let mut event = events::new("listed");
    let addresses: Vec<String> = listing.addresses.iter().map(ToString::to_string).collect();
    for (name, value) in [
        ("table", json!(listing.table.to_string())),
        ("name", json!(listing.name)),
        ("preset", json!(listing.preset)),
        ("taken", json!(listing.taken)),
        ("seats", json!(listing.seats)),
        ("locked", json!(listing.locked)),
        ("addresses", json!(addresses)),
    ] {
        event.insert(name.to_owned(), value);
    }
    let Listing { table, name, preset, taken, seats, locked, .. } = listing;
    let lock = if *locked { ", locked" } else { "" };
    let line = format!("{table}  {name}  {preset}  {taken} of {seats} seats taken{lock}");
    let is_new = shown.get(table) != Some(&line);
    output.event(&event, Some(line.as_str()).filter(|_| is_new));
    shown.insert(*table, line);
}

fn unlisted(table: TableId, output: &mut Output) {
    let mut event = events::new("unlisted");
    event.insert("table".to_owned(), table.to_string().into());
    output.event(&event, Some(&format!("{table}  has gone")));
}
