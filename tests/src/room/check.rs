//! Whether anything final was lost: what every device ever called final is compared with the log that all end with, as
//! it lies on every disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::c5::Told;

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

/// Fails where devices end with different logs, where a device's log changed without a word, and where a final human
/// act is in no log and no branch.
pub fn nothing_final_is_lost(table: &str, devices: &[&[Told]], folders: &[PathBuf]) -> Result<Kept> {
    let mut kept = Kept::default();
    let mut journals = Vec::new();
    let mut held: BTreeSet<String> = BTreeSet::new();
    for folder in folders {
        let (log, records) = super::journal(folder, table).with_context(|| folder.display().to_string())?;
        held.extend(records.iter().filter_map(|record| entry_hash(record)));
        journals.push(log);
    }
    let head = journals[0].head();
    for (device, log) in journals.iter().enumerate() {
        ensure!(log.head() == head, "device {device} ends with {:?} on disk, the first with {head:?}", log.head());
    }
    for (device, told) in devices.iter().enumerate() {
        let acts = acts(told).with_context(|| format!("device {device}"))?;
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
fn acts(told: &[Told]) -> Result<Vec<Act>> {
    let mut acts: Vec<Act> = Vec::new();
    let mut heads: BTreeMap<u64, String> = BTreeMap::new();
    for Told { event, .. } in told {
        let Some(index) = event["index"].as_u64() else { continue };
        let head = event["head"].as_str().unwrap_or_default().to_owned();
        if event["event"] == "rewound" {
            heads.split_off(&(index + 1));
            acts.iter_mut().filter(|act| act.index > index).for_each(|act| act.rewound = true);
        }
        if let Some(before) = heads.insert(index, head.clone()) {
            ensure!(before == head, "entry {index} was {before} and is {head}, and no `rewound` came");
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

/// The hash of the entry that a journal's record holds: a version byte, the kind of record (0: an entry), the entry's
/// length as a varint, its bytes, its signature.
fn entry_hash(record: &[u8]) -> Option<String> {
    use table::Port;
    let mut rest = record.strip_prefix(&[record.first().copied()?, 0])?;
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
