//! What has been worked out about positions during one search.

use crate::cache::NOWHERE;
use crate::spots::Spot;

/// What a remembered value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing is remembered.
    None,
    /// The position is worth this at most.
    Upper,
    /// The position is worth this at least.
    Lower,
    Exact,
}

impl Bound {
    /// What a value says that was searched for in this window.
    pub fn of(value: f32, low: f32, high: f32) -> Bound {
        match () {
            () if value <= low => Bound::Upper,
            () if value >= high => Bound::Lower,
            () => Bound::Exact,
        }
    }

    /// Whether a value with this bound is enough to know in this window.
    pub fn decides(self, value: f32, low: f32, high: f32) -> bool {
        match self {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => value >= high,
            Bound::Upper => value <= low,
        }
    }
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    check: u32,
    pub value: f32,
    pub best: Spot,
    pub depth: i8,
    pub bound: Bound,
}

/// Entries that may hold one position.
const BUCKET: usize = 4;
/// More are of no use to the longest search of one move.
const BUCKETS_MAX: usize = 1 << 17;

pub struct Table(Vec<[Memory; BUCKET]>);

impl Table {
    /// For so many positions, in so many bytes at most, rounded down to a power of two.
    pub fn new(bytes: usize, nodes: u64) -> Table {
        let wanted = usize::try_from(nodes).unwrap_or(usize::MAX).clamp(1, BUCKETS_MAX);
        let buckets = (bytes / size_of::<[Memory; BUCKET]>()).clamp(1, wanted);
        let buckets = if buckets.is_power_of_two() { buckets } else { buckets.next_power_of_two() / 2 };
        let nothing = Memory { check: 0, value: 0.0, best: NOWHERE, depth: i8::MIN, bound: Bound::None };
        Table(vec![[nothing; BUCKET]; buckets])
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.0.len() - 1)
    }

    pub fn get(&self, hash: u64) -> Option<Memory> {
        let check = (hash >> 32) as u32;
        self.0[self.place(hash)].iter().find(|known| known.check == check && known.bound != Bound::None).copied()
    }

    pub fn put(&mut self, hash: u64, best: Spot, depth: i32, value: f32, bound: Bound) {
        let check = (hash >> 32) as u32;
        let place = self.place(hash);
        let bucket = &mut self.0[place];
        let same = bucket.iter().position(|known| known.check == check && known.bound != Bound::None);
        let at = same.unwrap_or_else(|| (0..BUCKET).min_by_key(|&at| bucket[at].depth).unwrap_or(0));
        bucket[at] = Memory { check, value, best, depth: depth.clamp(-100, 100) as i8, bound };
    }
}
