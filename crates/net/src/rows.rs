//! What other devices announce, from the first sight of a record to the list of tables. No socket and no clock of its
//! own.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::SocketAddr;
use std::time::Instant;

use table::TableId;

use crate::addresses::{Networks, reachable};
use crate::hidden::{At, Mark};
use crate::limits::{
    ADDRESSES_MAX, HIDDEN_MAX, LISTED_MAX, NAME_CHARS_MAX, PROBE_INTERVAL, PROBE_SILENCE, ROWS_MAX, SEATS_MAX,
};
use crate::links::Prefix;
use crate::probe::Token;
use crate::shared::Announcer;
use crate::{Announcement, Listing};

/// One record of one device, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub device: Prefix,
    /// `None`: the device is at no table that it shows.
    pub table: Option<Announcement>,
    /// The hidden tables that it is at. They are never listed.
    pub hidden: Vec<Mark>,
    pub addresses: Vec<SocketAddr>,
    /// Higher the later the process started that announced it. `None`: the device was asked, and told.
    pub boot: Option<u64>,
}

impl Record {
    /// Checks what mDNS brought. Nothing of it can be trusted; what does not fit is no record of ours.
    pub fn parse<'a>(
        fullname: &str,
        property: impl Fn(&str) -> Option<&'a str>,
        addresses: impl Iterator<Item = SocketAddr>,
    ) -> Option<Record> {
        let (instance, _) = fullname.split_once('.')?;
        let (device, table) = instance.split_once('-')?;
        let TableId(device) = device.parse().ok()?;
        let (table, hidden) = if table == "0" {
            let marks = property("h").unwrap_or_default().split(',');
            (None, marks.take(HIDDEN_MAX).filter_map(Mark::parse).collect())
        } else {
            let id = property("t")?;
            (table.len() == 8 && id.starts_with(table)).then_some(())?;
            (Some(table_of(id.parse().ok()?, &property)?), vec![])
        };
        let mut addresses: Vec<SocketAddr> = addresses.filter(|a| a.port() != 0 && reachable(a.ip())).collect();
        addresses.sort();
        addresses.dedup();
        let boot = property("b").and_then(|boot| boot.parse().ok()).unwrap_or(0);
        Some(Record { device, table, hidden, addresses, boot: Some(boot) })
    }

    /// What a device told that was asked at this address.
    pub fn told(device: Prefix, table: Announcement, address: SocketAddr) -> Record {
        Record { device, table: Some(table), hidden: vec![], addresses: vec![address], boot: None }
    }
}

fn table_of<'a>(table: TableId, property: &impl Fn(&str) -> Option<&'a str>) -> Option<Announcement> {
    let (taken, seats) = property("s")?.split_once('/')?;
    let (taken, seats): (u8, u8) = (taken.parse().ok()?, seats.parse().ok()?);
    (taken <= seats && seats <= SEATS_MAX).then_some(())?;
    let preset = name(property("p")?);
    let locked = property("l").is_some_and(|locked| locked == "1");
    Some(Announcement { table, name: name(property("n").unwrap_or("")), preset, taken, seats, locked })
}

fn name(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(NAME_CHARS_MAX).collect()
}

/// All records, by their full names.
#[derive(Default)]
pub(crate) struct Rows {
    rows: BTreeMap<String, Row>,
    devices: BTreeMap<Prefix, Presence>,
    heard: u64,
}

struct Row {
    record: Record,
    /// The newer, the higher.
    heard: u64,
    /// Not shown again since mDNS was last asked for all that it has.
    doubted: bool,
}

/// Whether a device answers.
struct Presence {
    token: Token,
    sign: Instant,
    probed: Option<Instant>,
}

impl Rows {
    /// Takes a record in; gives back the full names of the device's other records, to be asked for if the device has
    /// started anew.
    pub fn resolved(&mut self, fullname: String, record: Record, token: Token, now: Instant) -> Vec<String> {
        let known = self.rows.contains_key(&fullname);
        if !known && self.rows.len() >= ROWS_MAX {
            return vec![];
        }
        self.heard += 1;
        let device = record.device;
        self.devices.entry(device).or_insert(Presence { token, sign: now, probed: None });
        self.rows.insert(fullname.clone(), Row { record, heard: self.heard, doubted: false });
        if known {
            return vec![];
        }
        let of_device = |row: &Row| row.record.device == device && row.record.boot.is_some();
        let others = self.rows.iter().filter(|(other, row)| of_device(row) && **other != fullname);
        others.map(|(other, _)| other.clone()).collect()
    }

    /// Records that a device's earlier process left behind: mDNS holds them for two minutes.
    pub fn left_behind(&self) -> Vec<String> {
        let boots = self.boots();
        let left = |row: &Row| row.record.boot.is_some() && !is_present(row, &boots);
        self.rows.iter().filter(|(_, row)| left(row)).map(|(fullname, _)| fullname.clone()).collect()
    }

    /// Whether mDNS shows this device.
    pub fn shows(&self, device: &Prefix) -> bool {
        self.rows.values().any(|row| row.record.device == *device && row.record.boot.is_some())
    }

    /// The newest process of each device that mDNS shows.
    fn boots(&self) -> HashMap<Prefix, u64> {
        let mut boots = HashMap::new();
        for record in self.rows.values().map(|row| &row.record) {
            if let Some(boot) = record.boot {
                let newest = boots.entry(record.device).or_insert(boot);
                *newest = boot.max(*newest);
            }
        }
        boots
    }

    pub fn removed(&mut self, fullname: &str) {
        if let Some(row) = self.rows.remove(fullname)
            && !self.rows.values().any(|other| other.record.device == row.record.device)
        {
            self.devices.remove(&row.record.device);
        }
    }

    /// All records will be shown again.
    pub fn doubt(&mut self) {
        self.rows.values_mut().for_each(|row| row.doubted = row.record.boot.is_some());
    }

    /// They have been; what was not among them has gone unseen.
    pub fn remove_doubted(&mut self) {
        let doubted: Vec<String> =
            self.rows.iter().filter(|(_, row)| row.doubted).map(|(fullname, _)| fullname.clone()).collect();
        doubted.iter().for_each(|fullname| self.removed(fullname));
    }

    /// Whether some record has no address that is of any use: mDNS tells more only when asked.
    pub fn incomplete(&self) -> bool {
        self.rows.values().any(|row| row.record.addresses.is_empty())
    }

    /// Whom to ask now whether it is there, and where.
    pub fn probes(&mut self, now: Instant) -> Vec<(Token, Vec<SocketAddr>)> {
        let due = |presence: &Presence| presence.probed.is_none_or(|at| now.duration_since(at) >= PROBE_INTERVAL);
        let mut probes = vec![];
        for (device, presence) in self.devices.iter_mut().filter(|(_, presence)| due(presence)) {
            presence.probed = Some(now);
            let mut addresses: Vec<SocketAddr> = vec![];
            for row in self.rows.values().filter(|row| row.record.device == *device) {
                addresses.extend(&row.record.addresses);
            }
            addresses.sort();
            addresses.dedup();
            addresses.truncate(ADDRESSES_MAX);
            probes.push((presence.token, addresses));
        }
        probes
    }

    pub fn answered(&mut self, token: Token, now: Instant) {
        if let Some(presence) = self.devices.values_mut().find(|presence| presence.token == token) {
            presence.sign = now;
        }
    }

    /// The tables to list: those of devices that answer, one row each, with what was heard last; without `own`.
    pub fn listings(&self, own: &HashSet<TableId>, networks: &Networks, now: Instant) -> BTreeMap<TableId, Listing> {
        let boots = self.boots();
        let mut newest: Vec<(&Row, &Announcement)> = self
            .rows
            .values()
            .filter(|row| is_present(row, &boots))
            .filter_map(|row| Some((row, row.record.table.as_ref()?)))
            .filter(|(row, table)| !own.contains(&table.table) && self.answers(&row.record.device, now))
            .collect();
        newest.sort_by_key(|(row, _)| std::cmp::Reverse(row.heard));
        let mut listings: BTreeMap<TableId, Listing> = BTreeMap::new();
        for (row, table) in newest {
            if !listings.contains_key(&table.table) && listings.len() >= LISTED_MAX {
                continue;
            }
            let listing = listings.entry(table.table).or_insert_with(|| Listing {
                table: table.table,
                name: table.name.clone(),
                preset: table.preset.clone(),
                taken: table.taken,
                seats: table.seats,
                locked: table.locked,
                addresses: vec![],
            });
            listing.addresses.extend(&row.record.addresses);
        }
        // What can't be reached is not worth a row.
        listings.retain(|_, listing| !listing.addresses.is_empty());
        for listing in listings.values_mut() {
            networks.sort(&mut listing.addresses);
            listing.addresses.dedup();
            listing.addresses.truncate(ADDRESSES_MAX);
        }
        listings
    }

    fn answers(&self, device: &Prefix, now: Instant) -> bool {
        self.devices.get(device).is_some_and(|presence| now.duration_since(presence.sign) <= PROBE_SILENCE)
    }

    /// Who announces what; silent devices too, since they may be back before mDNS says so.
    pub fn announcers(&self, now: Instant) -> Vec<Announcer> {
        let announcers = |row: &Row| {
            let Record { device, table, hidden, addresses, boot: _ } = &row.record;
            let shown = table.iter().map(|table| At::Table(table.table));
            let places: Vec<At> = shown.chain(hidden.iter().map(|&mark| At::Hidden(mark))).collect();
            let (device, addresses, answers) = (*device, addresses.clone(), self.answers(device, now));
            places.into_iter().map(move |at| Announcer { at, device, addresses: addresses.clone(), answers })
        };
        let boots = self.boots();
        self.rows.values().filter(|row| is_present(row, &boots)).flat_map(announcers).collect()
    }
}

/// Whether a device's newest process announced it. What the device told when it was asked counts as long as mDNS says
/// nothing of it.
fn is_present(row: &Row, boots: &HashMap<Prefix, u64>) -> bool {
    row.record.boot == boots.get(&row.record.device).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const TYPE: &str = "_capture-five._udp.local.";

    fn record(device: u8, table: u8, changes: &[(&'static str, &'static str)]) -> Option<Record> {
        let id = format!("{table:02x}").repeat(16);
        let fullname = format!("{}-{}.{TYPE}", format!("{device:02x}").repeat(16), &id[..8]);
        let property = |key: &str| match changes.iter().find(|(changed, _)| *changed == key) {
            Some((_, "")) => None,
            Some((_, value)) => Some(*value),
            None => match key {
                "t" => Some(id.as_str()),
                "n" => Some("Anna"),
                "p" => Some("pente"),
                "s" => Some("1/2"),
                "l" => Some("0"),
                _ => None,
            },
        };
        Record::parse(&fullname, property, ["192.168.1.2:40515", "[fe80::1]:40515"].iter().map(|a| a.parse().unwrap()))
    }

    #[test]
    fn a_sound_record_is_read() {
        let record = record(1, 2, &[]).unwrap();
        assert_eq!(record.device, [1; 16]);
        assert_eq!(record.addresses, ["192.168.1.2:40515".parse().unwrap()]);
        let table = record.table.unwrap();
        assert_eq!((table.table, table.name.as_str(), table.taken, table.seats), (TableId([2; 16]), "Anna", 1, 2));
        assert!(!table.locked);
    }

    #[test]
    fn unsound_records_are_none_of_ours() {
        let bad: &[&[(&str, &str)]] = &[
            &[("t", "")],
            &[("t", "zz")],
            &[("t", "03030303030303030303030303030303")],
            &[("s", "")],
            &[("s", "3/2")],
            &[("s", "1/200")],
            &[("s", "-1/2")],
            &[("s", "1")],
            &[("p", "")],
        ];
        for changes in bad {
            assert_eq!(record(1, 2, changes), None, "{changes:?}");
        }
        for fullname in ["", ".", "x", "-.x", "0-0.x", "01010101010101010101010101010101-02020202 (2).x"] {
            assert_eq!(Record::parse(fullname, |_| None, std::iter::empty()), None, "{fullname}");
        }
    }

    #[test]
    fn long_and_hidden_characters_are_cut() {
        let long: &'static str = "a\u{7}b五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五";
        let name = record(1, 2, &[("n", long)]).unwrap().table.unwrap().name;
        assert_eq!(name.chars().count(), NAME_CHARS_MAX);
        assert!(name.starts_with("ab五"));
    }

    fn listed(rows: &Rows, own: &[u8], now: Instant) -> Vec<(u8, u8, usize)> {
        let own = own.iter().map(|table| TableId([*table; 16])).collect();
        let listings = rows.listings(&own, &Networks::default(), now);
        listings.values().map(|listing| (listing.table.0[0], listing.taken, listing.addresses.len())).collect()
    }

    #[test]
    fn one_row_a_table_with_what_was_heard_last() {
        let (mut rows, now) = (Rows::default(), Instant::now());
        rows.resolved("a".into(), record(1, 9, &[]).unwrap(), 1, now);
        rows.resolved("b".into(), record(2, 9, &[("s", "2/2")]).unwrap(), 2, now);
        assert_eq!(listed(&rows, &[], now), [(9, 2, 1)]);
        assert_eq!(listed(&rows, &[9], now), []);
        rows.resolved("a".into(), record(1, 9, &[]).unwrap(), 3, now);
        assert_eq!(listed(&rows, &[], now), [(9, 1, 1)]);
        rows.removed("a");
        rows.removed("b");
        assert_eq!(listed(&rows, &[], now), []);
        assert!(rows.devices.is_empty());
    }

    #[test]
    fn a_hidden_table_is_known_to_who_is_at_it_and_listed_for_nobody() {
        let (mut rows, now, tables) = (Rows::default(), Instant::now(), [TableId([7; 16]), TableId([8; 16])]);
        let marks = tables.map(|table| Mark::of(table, &[1; 16]).to_string()).join(",");
        let fullname = format!("{}-0.{TYPE}", "01".repeat(16));
        let property = |key: &str| (key == "h").then_some(marks.as_str());
        let address = "192.168.1.2:40515".parse().unwrap();
        let shown = Record::parse(&fullname, property, std::iter::once(address)).unwrap();
        rows.resolved("a".into(), shown.clone(), 1, now);
        assert_eq!(listed(&rows, &[], now), []);
        let at = |rows: &Rows, table| rows.announcers(now).iter().filter(|there| there.is_at(table)).count();
        assert_eq!(tables.map(|table| at(&rows, table)), [1, 1]);
        assert_eq!(at(&rows, TableId([9; 16])), 0);
        // Nobody passes another's mark off as its own.
        rows.removed("a");
        rows.resolved("b".into(), Record { device: [2; 16], ..shown }, 1, now);
        assert_eq!(at(&rows, tables[0]), 0);
    }

    #[test]
    fn a_silent_device_goes_and_comes_back() {
        let (mut rows, start) = (Rows::default(), Instant::now());
        rows.resolved("a".into(), record(1, 9, &[]).unwrap(), 5, start);
        assert_eq!(rows.probes(start).len(), 1);
        assert_eq!(rows.probes(start), []);
        let later = start + PROBE_SILENCE + Duration::from_millis(1);
        assert_eq!(rows.probes(later), [(5, vec!["192.168.1.2:40515".parse().unwrap()])]);
        assert_eq!(listed(&rows, &[], later), []);
        let answering = |rows: &Rows| rows.announcers(later).iter().map(|a| a.answers).collect::<Vec<_>>();
        assert_eq!(answering(&rows), [false]);
        rows.answered(6, later);
        assert_eq!(listed(&rows, &[], later), []);
        rows.answered(5, later);
        assert_eq!(listed(&rows, &[], later), [(9, 1, 1)]);
        assert_eq!(answering(&rows), [true]);
    }

    #[test]
    fn a_device_with_a_new_record_has_its_others_doubted() {
        let (mut rows, now) = (Rows::default(), Instant::now());
        assert!(rows.resolved("a".into(), record(1, 9, &[]).unwrap(), 1, now).is_empty());
        assert!(rows.resolved("b".into(), record(2, 9, &[]).unwrap(), 2, now).is_empty());
        assert_eq!(rows.resolved("c".into(), record(1, 8, &[]).unwrap(), 3, now), ["a"]);
        assert!(rows.resolved("c".into(), record(1, 8, &[]).unwrap(), 3, now).is_empty());
    }

    #[test]
    fn a_device_s_earlier_process_has_no_row() {
        let (mut rows, now) = (Rows::default(), Instant::now());
        let name: &'static str = "later";
        rows.resolved("a".into(), record(1, 9, &[("b", "17")]).unwrap(), 1, now);
        rows.resolved("b".into(), record(2, 7, &[("b", "3")]).unwrap(), 2, now);
        assert_eq!(listed(&rows, &[], now).len(), 2);
        // It is back and at no table; the record is one that was known before.
        let mut back = record(1, 8, &[("b", "18"), ("n", name)]).unwrap();
        back.table = None;
        rows.resolved("c".into(), back, 1, now);
        assert_eq!(listed(&rows, &[], now), [(7, 1, 1)]);
        assert_eq!(rows.left_behind(), ["a"]);
        assert_eq!(rows.announcers(now).len(), 1);
        rows.removed("a");
        assert_eq!(rows.left_behind(), [] as [String; 0]);
    }

    #[test]
    fn what_a_device_told_counts_while_mdns_does_not_show_it() {
        let (mut rows, now) = (Rows::default(), Instant::now());
        let shown = record(1, 9, &[]).unwrap();
        let told = Record::told(
            [1; 16],
            Announcement { table: TableId([5; 16]), ..shown.table.clone().unwrap() },
            shown.addresses[0],
        );
        rows.resolved("told".into(), told, 1, now);
        assert!(!rows.shows(&[1; 16]));
        rows.doubt();
        rows.remove_doubted();
        assert_eq!(listed(&rows, &[], now), [(5, 1, 1)]);
        rows.resolved("a".into(), shown, 1, now);
        assert!(rows.shows(&[1; 16]));
        assert_eq!(listed(&rows, &[], now), [(9, 1, 1)]);
        assert_eq!(rows.left_behind(), [] as [String; 0]);
    }

    #[test]
    fn what_is_not_shown_again_goes() {
        let (mut rows, now) = (Rows::default(), Instant::now());
        rows.resolved("a".into(), record(1, 9, &[]).unwrap(), 1, now);
        rows.resolved("b".into(), record(2, 8, &[]).unwrap(), 2, now);
        rows.doubt();
        rows.resolved("b".into(), record(2, 8, &[]).unwrap(), 3, now);
        assert_eq!(listed(&rows, &[], now).len(), 2);
        rows.remove_doubted();
        assert_eq!(listed(&rows, &[], now), [(8, 1, 1)]);
    }

    #[test]
    fn a_flood_of_records_is_bounded() {
        let (mut rows, now) = (Rows::default(), Instant::now());
        for n in 0..10_000u32 {
            let mut record = record(1, 2, &[]).unwrap();
            record.device[..4].copy_from_slice(&n.to_be_bytes());
            record.table.as_mut().unwrap().table.0[..4].copy_from_slice(&n.to_be_bytes());
            rows.resolved(n.to_string(), record, n.into(), now);
        }
        assert_eq!(rows.rows.len(), ROWS_MAX);
        assert_eq!(listed(&rows, &[], now).len(), LISTED_MAX);
    }
}
