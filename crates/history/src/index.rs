//! The index of finished games and of devices' addresses: made from the archive, and made anew whenever it does not fit it.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use table::{DeviceId, TableId};

use crate::store::{Change, Fault, Store};

/// sled never syncs values of 20 kB and more, so they are kept in pieces, of this many bytes.
const CHUNK_BYTES: usize = 16 * 1024;
/// Addresses kept of a device.
const ADDRESSES_MAX: usize = 8;
/// Raised when keys or values change their meaning: the index is then made anew.
const VERSION: u8 = 2;

const META: &[u8] = b"m";
const GAME: u8 = b'g';
const NAME: u8 = b'n';
const REACHED: u8 = b'r';
/// How many lines another line of the same game has taken the place of.
const SUPERSEDED: &[u8] = b"s";

/// What part of the archive the index holds: so many of its first lines, with this hash over their checksums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub games: u64,
    pub digest: [u8; 16],
}

impl Extent {
    pub fn to_bytes(self) -> Vec<u8> {
        [&[VERSION][..], &self.games.to_be_bytes(), &self.digest].concat()
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Extent> {
        let (&[VERSION], bytes) = bytes.split_first_chunk()? else { return None };
        let (games, digest) = bytes.split_first_chunk()?;
        Some(Extent { games: u64::from_be_bytes(*games), digest: digest.try_into().ok()? })
    }
}

/// A game for the index: its line of the archive, and its name if that could be read.
pub(crate) struct Entry {
    pub name: Option<(TableId, u32)>,
    pub line: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Index {
    store: Box<dyn Store>,
}

impl Index {
    pub fn new(store: impl Store + 'static) -> Index {
        Index { store: Box::new(store) }
    }

    /// `None` where it was never made, or was made by another version.
    pub fn extent(&self) -> Result<Option<Extent>, Fault> {
        Ok(self.store.get(META)?.as_deref().and_then(Extent::from_bytes))
    }

    /// Adds games, the first of which is the archive's game number `first` from 0; `extent` is the whole after them.
    pub fn add(&mut self, first: u64, games: &[Entry], extent: Extent) -> Result<(), Fault> {
        let mut changes = vec![(META.to_vec(), Some(extent.to_bytes()))];
        let mut superseded = self.superseded()?;
        let mut names = BTreeSet::new();
        for (place, game) in (first..).zip(games) {
            if let Some(name) = game.name
                && (!names.insert(name) || self.place(name)?.is_some())
            {
                superseded += 1;
            }
            let chunks = game.line.chunks(CHUNK_BYTES).zip(0u16..);
            changes.extend(chunks.map(|(chunk, part)| (game_key(place, Some(part)), Some(chunk.to_vec()))));
            changes.extend(game.name.map(|name| (name_key(name), Some(place.to_be_bytes().to_vec()))));
        }
        changes.push((SUPERSEDED.to_vec(), Some(superseded.to_be_bytes().to_vec())));
        self.store.apply(changes)
    }

    /// How many lines another line of the same game has taken the place of.
    pub fn superseded(&self) -> Result<u64, Fault> {
        let kept = self.store.get(SUPERSEDED)?;
        Ok(kept.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_be_bytes))
    }

    /// The next start makes it anew.
    pub fn distrust(&mut self) -> Result<(), Fault> {
        self.store.apply(vec![(META.to_vec(), None)])
    }

    /// Forgets all games, so that they are put in anew.
    pub fn clear(&mut self) -> Result<(), Fault> {
        self.distrust()?;
        self.store.apply(vec![(SUPERSEDED.to_vec(), None)])?;
        for start in [GAME, NAME] {
            let changes: Vec<Change> =
                self.store.starting_with(&[start])?.into_iter().map(|(key, _)| (key, None)).collect();
            self.store.apply(changes)?;
        }
        Ok(())
    }

    /// Where a game's newest line is in the archive.
    pub fn place(&self, name: (TableId, u32)) -> Result<Option<u64>, Fault> {
        let kept = self.store.get(&name_key(name))?;
        Ok(kept.and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes))
    }

    /// The line of the archive's game number `place`, from 0.
    pub fn game(&self, place: u64) -> Result<Vec<u8>, Fault> {
        let chunks = self.store.starting_with(&game_key(place, None))?;
        if chunks.is_empty() {
            return Err(Fault::Damaged(format!("game {place} is missing")));
        }
        Ok(chunks.into_iter().flat_map(|(_, chunk)| chunk).collect())
    }

    /// Every game's line that can be read, in order, whatever the extent says.
    pub fn games(&self) -> Result<Vec<Vec<u8>>, Fault> {
        let mut games: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for (key, chunk) in self.store.starting_with(&[GAME])? {
            let place = key[..key.len().min(9)].to_vec();
            match games.last_mut() {
                Some((last, line)) if *last == place => line.extend(chunk),
                Some(_) | None => games.push((place, chunk)),
            }
        }
        Ok(games.into_iter().map(|(_, line)| line).collect())
    }

    pub fn remember(&mut self, table: TableId, addresses: &[(DeviceId, Vec<SocketAddr>)]) -> Result<(), Fault> {
        let change = |(device, addresses): &(DeviceId, Vec<SocketAddr>)| {
            let text: Vec<_> = addresses.iter().take(ADDRESSES_MAX).map(ToString::to_string).collect();
            (reached_key(table, Some(*device)), Some(text.join(" ").into_bytes()))
        };
        self.store.apply(addresses.iter().map(change).collect())
    }

    pub fn remembered(&self, table: TableId) -> Result<Vec<(DeviceId, Vec<SocketAddr>)>, Fault> {
        let start = reached_key(table, None);
        let found = self.store.starting_with(&start)?.into_iter().filter_map(|(key, value)| {
            let device = DeviceId(key[start.len()..].try_into().ok()?);
            let addresses = std::str::from_utf8(&value).ok()?.split_terminator(' ');
            Some((device, addresses.filter_map(|address| address.parse().ok()).collect()))
        });
        Ok(found.collect())
    }

    pub fn forget(&mut self, table: TableId) -> Result<(), Fault> {
        let keys = self.store.starting_with(&reached_key(table, None))?;
        self.store.apply(keys.into_iter().map(|(key, _)| (key, None)).collect())
    }
}

fn game_key(place: u64, part: Option<u16>) -> Vec<u8> {
    let mut key = vec![GAME];
    key.extend(place.to_be_bytes());
    key.extend(part.iter().flat_map(|part| part.to_be_bytes()));
    key
}

fn name_key((table, number): (TableId, u32)) -> Vec<u8> {
    [&[NAME][..], &table.0, &number.to_be_bytes()].concat()
}

fn reached_key(table: TableId, device: Option<DeviceId>) -> Vec<u8> {
    let mut key = [&[REACHED][..], &table.0].concat();
    key.extend(device.iter().flat_map(|device| device.0));
    key
}
