//! What goes wrong in a game: every kind of fault is a field, and all of them follow from the game's seed.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

macro_rules! faults {
    ($($(#[doc = $doc:literal])* $name:ident),* $(,)?) => {
        /// The faults of one game. 0: none of that kind.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Faults { $($(#[doc = $doc])* pub $name: u64),* }

        impl Faults {
            /// The kinds, by name.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Sets a kind by its name; false when there is none.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => { self.$name = value; true })*
                    _ => false,
                }
            }

            /// Every kind with its value.
            pub fn all(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

faults! {
    /// Longest one-way delay of a link, in ms, beyond the usual few.
    delay,
    /// Of a thousand messages, how many are lost at first and hold up their link until they are sent again.
    loss,
    /// Of a thousand letters, how many come again by another device, up to seconds later.
    duplication,
    /// Of a thousand letters, how many a relay brings before the link does, or long after.
    reordering,
    /// Mean time in ms between cuts of one direction of one link.
    one_way,
    /// Mean time in ms between cuts of one link.
    cut,
    /// Mean time in ms between partitions of the devices, of any shape.
    partition,
    /// Mean time in ms between crashes of a process; what was being written is lost, whole, or torn.
    crash,
    /// Mean time in ms between crashes at a step of writing: just before or after a record is on disk or reported.
    crash_at_write,
    /// Mean time in ms between crashes of all devices at once.
    blackout,
    /// Mean time in ms between times in which one disk is full.
    full_disk,
    /// Mean time in ms between times in which one device is slow.
    slow,
    /// How far clocks run off, in thousandths.
    drift,
    /// Mean time in ms between sleeps of one device.
    sleep,
    /// Mean time in ms until a device goes for good, once a game.
    gone,
    /// Mean time in ms between goodbyes of somebody who comes back later.
    leave,
}

/// Which faults a run draws from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// None at all.
    None,
    /// Those that need no other keeper than the opener's device: it stays up and in reach.
    Calm,
    Full,
}

impl Set {
    pub fn from_name(name: &str) -> Option<Set> {
        match name {
            "none" => Some(Set::None),
            "calm" => Some(Set::Calm),
            "full" => Some(Set::Full),
            _ => None,
        }
    }
}

impl Faults {
    /// Draws a game's faults.
    pub fn draw(set: Set, rng: &mut ChaCha8Rng) -> Faults {
        let mut faults = Faults::default();
        if set == Set::None {
            return faults;
        }
        // One game in twelve goes without any; the others have few kinds more often than many.
        let share = [0, 12, 18, 25, 35, 50][rng.random_range(0..6)] as u32;
        let on = |percent: u32, range: std::ops::Range<u64>, rng: &mut ChaCha8Rng| {
            if rng.random_range(0..100) < percent { rng.random_range(range) } else { 0 }
        };
        faults.delay = on(share.max(10), 20..400, rng);
        faults.loss = on(share, 5..80, rng);
        faults.duplication = on(share, 10..200, rng);
        faults.reordering = on(share, 10..200, rng);
        faults.one_way = on(share, 2_000..12_000, rng);
        faults.cut = on(share + 25, 1_000..7_000, rng);
        faults.partition = on(share + 50, 1_500..4_500, rng);
        faults.crash = on(share, 2_000..14_000, rng);
        faults.crash_at_write = on(share + 5, 1_000..8_000, rng);
        faults.blackout = on(share * 2 / 3, 3_000..12_000, rng);
        faults.full_disk = on(share, 2_000..10_000, rng);
        faults.slow = on(share, 2_000..10_000, rng);
        faults.drift = on(share, 20..100, rng);
        faults.sleep = on(share, 3_000..12_000, rng);
        faults.gone = on(share * 2 / 3, 2_000..12_000, rng);
        faults.leave = on(share, 3_000..14_000, rng);
        if set == Set::Calm {
            (faults.partition, faults.blackout, faults.gone, faults.one_way) = (0, 0, 0, 0);
        }
        faults
    }

    /// Whether devices can come to live apart, or lose what they had on disk only in part.
    pub fn may_part(&self) -> bool {
        let apart = [
            self.one_way,
            self.cut,
            self.partition,
            self.crash,
            self.crash_at_write,
            self.blackout,
            self.slow,
            self.sleep,
            self.gone,
            self.leave,
            self.full_disk,
            self.loss,
            self.delay,
            self.reordering,
        ];
        apart.iter().any(|&every| every > 0)
    }
}
