//! Which table is meant by an id, the beginning of one, or a name.

use std::collections::BTreeSet;
use std::time::Duration;

use app::App;
use net::Listing;
use table::TableId;
use tokio::time::{Instant, sleep};

use crate::Failure;

/// The beginning of an id has at least this many digits.
const PREFIX_DIGITS_MIN: usize = 8;
/// The network is asked this often.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Looks on the network, and among this device's own tables, for so long.
pub(crate) async fn on_network(app: &App, text: &str, wait: Duration) -> Result<TableId, Failure> {
    if text.starts_with("capturefive:") {
        return Err(Failure::not_yet("joining by invite", "give the table's id or name as `c5 tables` lists it"));
    }
    let until = Instant::now() + wait;
    loop {
        if let Some(found) = one_of(text, &app.listed(), &app.running())? {
            return Ok(found);
        }
        if Instant::now() >= until {
            return Err(Failure::new(
                "not-found",
                format!(
                    "no table {text:?} is on this network: look with `c5 tables`, and check that both devices are on it"
                ),
            ));
        }
        sleep(LOOK_EVERY).await;
    }
}

/// Among this device's own tables.
pub(crate) fn among_own(app: &App, text: &str) -> Result<TableId, Failure> {
    let found = one_of(text, &[], &app.running())?;
    found.ok_or_else(|| {
        Failure::new("not-found", format!("no interrupted game here is at table {text:?}: `c5 resume` lists them"))
    })
}

/// `None` if there is none; an error if there are several.
fn one_of(text: &str, listed: &[Listing], own: &[TableId]) -> Result<Option<TableId>, Failure> {
    let ids = listed.iter().map(|row| row.table).chain(own.iter().copied());
    let mut found: BTreeSet<TableId> = ids.filter(|id| is_meant(text, *id)).collect();
    if found.is_empty() {
        found = listed.iter().filter(|row| row.name == text).map(|row| row.table).collect();
    }
    if found.len() > 1 {
        let ids: Vec<String> = found.iter().map(TableId::to_string).collect();
        return Err(Failure::new(
            "not-found",
            format!("{text:?} may be any of {}: give more of the id", ids.join(", ")),
        ));
    }
    Ok(found.pop_first())
}

fn is_meant(text: &str, id: TableId) -> bool {
    text.len() >= PREFIX_DIGITS_MIN && id.to_string().starts_with(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(first: u8) -> TableId {
        let mut bytes = [0; 16];
        bytes[0] = 0xab;
        bytes[15] = first;
        TableId(bytes)
    }

    fn row(table: TableId, name: &str) -> Listing {
        let (name, preset) = (name.to_owned(), "gomoku".to_owned());
        Listing { table, name, preset, taken: 1, seats: 2, locked: false, addresses: Vec::new() }
    }

    fn check(text: &str, listed: &[Listing], own: &[TableId]) -> Result<Option<TableId>, &'static str> {
        one_of(text, listed, own).map_err(|failure| failure.code)
    }

    #[test]
    fn a_table_is_meant_by_id_prefix_or_name() {
        let listed = [row(id(1), "Anna"), row(id(2), "Ben"), row(id(3), "Ben")];
        assert_eq!(check(&id(1).to_string(), &listed, &[]), Ok(Some(id(1))));
        assert_eq!(check("Anna", &listed, &[]), Ok(Some(id(1))));
        assert_eq!(check("Carl", &listed, &[]), Ok(None));
        assert_eq!(check("Ben", &listed, &[]), Err("not-found"));
        assert_eq!(check("ab000000", &listed, &[]), Err("not-found"));
        assert_eq!(check("ab000000", &listed[..1], &[]), Ok(Some(id(1))));
        // Seven digits are too few.
        assert_eq!(check("ab00000", &listed[..1], &[]), Ok(None));
    }

    #[test]
    fn an_own_table_counts_once_with_its_listing() {
        assert_eq!(check("ab000000", &[row(id(1), "Anna")], &[id(1)]), Ok(Some(id(1))));
        assert_eq!(check("ab000000", &[], &[id(4)]), Ok(Some(id(4))));
    }
}
