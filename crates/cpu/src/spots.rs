//! Points by their numbers, and sets of them.

use rules::Point;

/// Points of the largest board.
pub const SPOTS: usize = (Point::SIDE_MAX as usize).pow(2);

/// A point by its number: by row, then column.
pub type Spot = u16;

/// A set of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Spots([u64; 6]);

impl Spots {
    pub const NONE: Spots = Spots([0; 6]);

    #[inline(always)]
    pub fn has(&self, spot: Spot) -> bool {
        self.0[usize::from(spot >> 6)] >> (spot & 63) & 1 != 0
    }

    #[inline(always)]
    pub fn add(&mut self, spot: Spot) {
        self.0[usize::from(spot >> 6)] |= 1 << (spot & 63);
    }

    #[inline(always)]
    pub fn remove(&mut self, spot: Spot) {
        self.0[usize::from(spot >> 6)] &= !(1 << (spot & 63));
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; 6]
    }

    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub fn and(&self, other: &Spots) -> Spots {
        Spots(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub fn or(&self, other: &Spots) -> Spots {
        Spots(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub fn without(&self, other: &Spots) -> Spots {
        Spots(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    pub fn iter(&self) -> impl Iterator<Item = Spot> + use<> {
        let words = self.0;
        (0..6u16).flat_map(move |word| {
            let mut left = words[usize::from(word)];
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(word * 64 + bit as Spot)
            })
        })
    }
}
