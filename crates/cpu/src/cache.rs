//! What has been worked out about positions: a table of fixed size that forgets what is old or shallow. Several threads
//! read and write it without waiting for each other.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A memory as numbers. All zeros are nothing, so that a fresh table need not be written: the system hands out its pages
/// as they are first touched, and a large one is made, and forgotten, at once.
type Packed = [u64; 2];

impl Memory {
    fn pack(self) -> Packed {
        let first = u64::from(self.check) << 32 | u64::from(self.best) << 16 | u64::from(self.score.cast_unsigned());
        let flags = u64::from(self.age) << 16 | u64::from(self.depth.cast_unsigned()) << 8 | self.bound as u64;
        [first, flags << 16 | u64::from(self.standing.cast_unsigned())]
    }

    fn unpack([first, second]: Packed) -> Memory {
        let [bound, depth, age] = [16, 24, 32].map(|shift| (second >> shift) as u8);
        Memory {
            check: (first >> 32) as u32,
            best: (first >> 16) as Spot,
            score: first as i16,
            standing: second as i16,
            depth: depth.cast_signed(),
            bound: [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact][usize::from(bound & 3)],
            age,
        }
    }
}

/// A packed memory's place. The first number is kept with a digest of the second laid over it (exclusive or), so that
/// halves of two memories, which two threads have written at once, are those of no position (R. Hyatt and T. Mann, *A lock-less
/// transposition table implementation for parallel search chess engines*, 2002).
type Slot = [AtomicU64; 2];

/// Each bit of a number reaches those above it; that of nothing is nothing.
fn digest(second: u64) -> u64 {
    second.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn read(slot: &Slot) -> Memory {
    let [first, second] = [slot[0].load(Relaxed), slot[1].load(Relaxed)];
    Memory::unpack([first ^ digest(second), second])
}

fn write(slot: &Slot, memory: Memory) {
    let [first, second] = memory.pack();
    slot[0].store(first ^ digest(second), Relaxed);
    slot[1].store(second, Relaxed);
}

/// Entries that may hold one position.
const BUCKET: usize = 4;
/// The lower half of a hash tells no more apart.
const BUCKETS_MAX: usize = 1 << 31;

pub struct Cache {
    entries: Vec<[Slot; BUCKET]>,
    age: u8,
}

impl Cache {
    /// As large as fits into so many bytes.
    pub fn new(bytes: usize) -> Cache {
        let buckets = (bytes / size_of::<[Slot; BUCKET]>()).clamp(1, BUCKETS_MAX);
        Cache { entries: bytemuck::zeroed_vec(buckets), age: 0 }
    }

    /// What is in it is older from now on.
    pub fn next_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Buckets.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn clear(&mut self) {
        let buckets = self.entries.len();
        // The old table goes first: two at once would be too much for a small device.
        self.entries = Vec::new();
        self.entries = bytemuck::zeroed_vec(buckets);
    }

    /// The lower half of the hash, as a part of all that it can be.
    fn index(&self, hash: u64) -> usize {
        (((hash & u64::from(u32::MAX)) * self.entries.len() as u64) >> 32) as usize
    }

    pub fn get(&self, hash: u64) -> Option<Memory> {
        let check = (hash >> 32) as u32;
        self.entries[self.index(hash)].iter().map(read).find(|entry| entry.check == check && entry.bound != Bound::None)
    }

    pub fn put(&self, hash: u64, best: Spot, score: i16, standing: i16, depth: i8, bound: Bound) {
        let check = (hash >> 32) as u32;
        let (index, age) = (self.index(hash), self.age);
        let bucket = self.entries[index].each_ref().map(read);
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
        write(&self.entries[index][place], Memory { check, best, score, standing, depth, bound, age });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_is_unpacked() {
        for (score, standing, depth, bound) in [
            (i16::MIN, i16::MAX, -1, Bound::Exact),
            (-1, 0, i8::MAX, Bound::Lower),
            (29_990, -31_000, i8::MIN, Bound::Upper),
        ] {
            let memory = Memory { check: u32::MAX - 7, best: NOWHERE, score, standing, depth, bound, age: 255 };
            assert_eq!(Memory::unpack(memory.pack()), memory);
        }
        assert_eq!(Memory::unpack([0; 2]).bound, Bound::None);
    }

    #[test]
    fn what_was_put_is_found_until_it_is_cleared() {
        for bytes in [0, 1 << 10, 3 << 20] {
            let mut cache = Cache::new(bytes);
            let hashes = [1, u64::MAX, 0x1234_5678_9ABC_DEF0];
            for (score, hash) in (0..).zip(hashes) {
                cache.put(hash, 7, score, -score, 3, Bound::Exact);
            }
            for (score, hash) in (0..).zip(hashes) {
                let found = cache.get(hash).map(|found| (found.best, found.score, found.standing, found.depth));
                assert_eq!(found, Some((7, score, -score, 3)), "{bytes}");
            }
            cache.clear();
            assert!(hashes.iter().all(|&hash| cache.get(hash).is_none()));
        }
    }

    #[test]
    fn halves_of_two_memories_are_of_neither_position() {
        let cache = Cache::new(0);
        let (mine, yours) = (0x1111_2222_0000_0000, 0x3333_4444_0000_0000);
        cache.put(mine, 7, 100, 50, 3, Bound::Exact);
        let [slot, ..] = &cache.entries[0];
        let torn = Memory { check: (yours >> 32) as u32, score: -100, standing: 9, ..read(slot) }.pack();
        slot[1].store(torn[1], Relaxed);
        assert!(cache.get(mine).is_none() && cache.get(yours).is_none());
    }
}
