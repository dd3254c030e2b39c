//! Whether anything final was lost: what every device ever called final is compared with the log that all end with, as
//! it lies on every disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::c5::Told;

/// Kinds of records: an entry of the log, one of a branch.
const ENTRY: u8 = 0;
const ASIDE: u8 = 3;

/// What became of the human acts that were told as final.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// In the log of all devices.
    pub in_log: usize,
    /// In no log any more, since devices lived apart, and in a branch on a disk.
    pub in_branch: usize,
    /// Times that a device told that its log went back.
    pub rewound: usize,
}

/// A human act as one device told it.
struct Act {
    index: u64,
    head: String,
    is_final: bool,
    rewound: bool,
}

/// Fails where a device's disk has another log up to the head that all had when they last came together, where a
/// device's log changed without a word, and where a final human act is in no log and no branch. (Behind that head are
/// rolls, made while one after the other said goodbye.) On a `spoilt` disk a log may have changed without a word, since
/// the device can't know what it lost.
pub fn nothing_final_is_lost(
    table: &str,
    (head_index, head): &(u32, String),
    devices: &[&[Told]],
    folders: &[PathBuf],
    spoilt: bool,
) -> Result<Kept> {
    let mut kept = Kept::default();
    let mut journals = Vec::new();
    let mut held: BTreeSet<String> = BTreeSet::new();
    for (device, folder) in folders.iter().enumerate() {
        let (log, records) = super::journal(folder, table).with_context(|| folder.display().to_string())?;
        held.extend(records.iter().filter_map(|record| entry_hash(record)));
        let own = log.hash_at(*head_index).map(|hash| hash.to_string());
        ensure!(own.as_ref() == Some(head), "device {device} has {own:?} at {head_index} on disk, and not {head}");
        journals.push(log);
    }
    for (device, told) in devices.iter().enumerate() {
        let acts = acts(told, spoilt).with_context(|| format!("device {device}"))?;
        kept.rewound += told.iter().filter(|told| told.event["event"] == "rewound").count();
        for act in acts.iter().filter(|act| act.is_final) {
            let in_log = journals[0].hash_at(act.index as u32).map(|hash| hash.to_string());
            if in_log.as_ref() == Some(&act.head) {
                kept.in_log += 1;
                continue;
            }
            ensure!(act.rewound, "device {device}: the final act {} {} is gone without a word", act.index, act.head);
            ensure!(held.contains(&act.head), "device {device}: the act {} {} is on no disk", act.index, act.head);
            kept.in_branch += 1;
        }
    }
    Ok(kept)
}

/// The human acts that a device told of, over all its processes.
fn acts(told: &[Told], spoilt: bool) -> Result<Vec<Act>> {
    let mut acts: Vec<Act> = Vec::new();
    let mut heads: BTreeMap<u64, String> = BTreeMap::new();
    for Told { event, .. } in told {
        let Some(index) = event["index"].as_u64() else { continue };
        let head = event["head"].as_str().unwrap_or_default().to_owned();
        if event["event"] == "rewound" {
            heads.split_off(&(index + 1));
            acts.iter_mut().filter(|act| act.index > index).for_each(|act| act.rewound = true);
        }
        if let Some(before) = heads.insert(index, head.clone()).filter(|before| *before != head) {
            ensure!(spoilt, "entry {index} was {before} and is {head}, and no `rewound` came");
            acts.iter_mut().filter(|act| act.index >= index).for_each(|act| act.rewound = true);
        }
        if event["event"] == "final" {
            let upto = event["upto"].as_u64().context("upto")?;
            acts.iter_mut().filter(|act| act.index <= upto && !act.rewound).for_each(|act| act.is_final = true);
        }
        if is_human_act(event) {
            acts.push(Act { index, head, is_final: false, rewound: false });
        }
    }
    Ok(acts)
}

fn is_human_act(event: &Value) -> bool {
    match event["event"].as_str() {
        Some("move") => event["by"] != "cpu",
        Some("resigned") => true,
        _ => false,
    }
}

/// The hash of the entry that a journal's record holds: a version byte, the kind of record , the entry's
/// length as a varint, its bytes, its signature. An entry of a branch is another kind with the same fields.
fn entry_hash(record: &[u8]) -> Option<String> {
    use table::Port;
    let (&[_version, kind], mut rest) = record.split_first_chunk()?;
    if ![ENTRY, ASIDE].contains(&kind) {
        return None;
    }
    let mut length = 0usize;
    for shift in (0..28).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        length |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    let bytes = rest.get(..length)?;
    Some(table::port::Ed25519::new(&[0; 32]).hash(bytes).to_string())
}
