//! What is announced of a hidden table: a mark that only those who know the table's id can tell from any other.

use table::TableId;

use crate::links::Prefix;

const CONTEXT: &str = "capture-five mDNS: a device is at a hidden table";

/// A device is at a hidden table. It differs from device to device, so that nobody else sees who sits together; and an
/// id, which is random, cannot be found from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark([u8; 16]);

impl Mark {
    pub fn of(table: TableId, device: &Prefix) -> Mark {
        let digest = blake3::derive_key(CONTEXT, &[table.0, *device].concat());
        Mark(std::array::from_fn(|i| digest[i]))
    }

    /// As lower-case hex digits, like a table's id.
    pub fn parse(text: &str) -> Option<Mark> {
        let TableId(bytes) = text.parse().ok()?;
        Some(Mark(bytes))
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        TableId(self.0).fmt(f)
    }
}

/// Where a device says that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Table(TableId),
    Hidden(Mark),
}

impl At {
    /// Whether that is this table; `device` is the one that says it.
    pub fn is(self, table: TableId, device: &Prefix) -> bool {
        match self {
            At::Table(there) => there == table,
            At::Hidden(mark) => mark == Mark::of(table, device),
        }
    }
}
