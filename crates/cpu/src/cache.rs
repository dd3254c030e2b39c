//! What has been worked out about positions: a table of fixed size that forgets what is old or shallow.

use crate::spots::Spot;

/// What a remembered score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// Nothing is remembered.
    None,
    /// The position is worth this at most.
    Upper,
    /// The position is worth this at least.
    Lower,
    Exact,
}

/// No move.
pub const NOWHERE: Spot = Spot::MAX;

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// The upper half of the position's hash.
    check: u32,
    pub best: Spot,
    pub score: i16,
    /// The position's own worth before any search.
    pub standing: i16,
    pub depth: i8,
    pub bound: Bound,
    age: u8,
}

impl Memory {
    const NOTHING: Memory =
        Memory { check: 0, best: NOWHERE, score: 0, standing: 0, depth: 0, bound: Bound::None, age: 0 };
}

/// Entries that may hold one position.
const BUCKET: usize = 4;

pub struct Cache {
    entries: Vec<[Memory; BUCKET]>,
    age: u8,
}

impl Cache {
    /// As large as fits into so many bytes, rounded down to a power of two.
    pub fn new(bytes: usize) -> Cache {
        let buckets = (bytes / size_of::<[Memory; BUCKET]>()).max(1);
        let buckets = if buckets.is_power_of_two() { buckets } else { buckets.next_power_of_two() / 2 };
        Cache { entries: vec![[Memory::NOTHING; BUCKET]; buckets], age: 0 }
    }

    /// What is in it is older from now on.
    pub fn next_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    pub fn clear(&mut self) {
        self.entries.fill([Memory::NOTHING; BUCKET]);
    }

    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.entries.len() - 1)
    }

    pub fn get(&self, hash: u64) -> Option<Memory> {
        let check = (hash >> 32) as u32;
        self.entries[self.index(hash)].iter().find(|entry| entry.check == check && entry.bound != Bound::None).copied()
    }

    pub fn put(&mut self, hash: u64, best: Spot, score: i16, standing: i16, depth: i8, bound: Bound) {
        let check = (hash >> 32) as u32;
        let (index, age) = (self.index(hash), self.age);
        let bucket = &mut self.entries[index];
        let known = bucket.iter().position(|entry| entry.check == check && entry.bound != Bound::None);
        let place = known.unwrap_or_else(|| {
            // The one that is missed least: the oldest, then the shallowest.
            let missed = |entry: &Memory| {
                let old = i32::from(age.wrapping_sub(entry.age));
                if entry.bound == Bound::None { i32::MIN } else { i32::from(entry.depth) - 8 * old }
            };
            (0..BUCKET).min_by_key(|&place| missed(&bucket[place])).unwrap_or(0)
        });
        let before = bucket[place];
        if known.is_some() && bound != Bound::Exact && depth + 3 < before.depth && before.age == age {
            return;
        }
        let best = if best == NOWHERE && known.is_some() { before.best } else { best };
        bucket[place] = Memory { check, best, score, standing, depth, bound, age };
    }
}
