//! Bugs planted on purpose, so that the simulation can show that it would find them (PROTOCOL.md, section 15), and
//! lies that a hostile device tells in it (section 14). Without the feature `planted`, which no product is built
//! with, every question here is a constant `false` and costs nothing.

/// An assertion for debug builds and for the simulation, which is built without the checks of the standard library
/// that come with debug assertions.
macro_rules! assert_simulated {
    ($($what:tt)*) => {
        if cfg!(any(debug_assertions, feature = "planted")) {
            assert!($($what)*);
        }
    };
}
pub(crate) use assert_simulated;

/// A mistake that the simulation, or a directed test, must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bug {
    /// An entry counts as on disk without having been written.
    SkippedPersist,
    /// Entries of a term below the promise are taken although no roll of the promised term follows on them.
    StaleTerm,
    /// Nobody checks who signed an act.
    SignatureUnchecked,
    /// An entry is final on this disk alone, though the roll names another device.
    FinalOnOneDisk,
    /// A roll that names a seat leaves it taken.
    CpuKeepsSeat,
    /// A roll leaves the device before it is on its disk.
    RollBeforeDisk,
    /// The keeper of the newest roll keeps after a restart.
    KeeperGoesOn,
    /// A device that has answered a call goes on as if it had not: it takes, makes and acknowledges entries of lower
    /// terms.
    PromiseBroken,
    /// An answer does not wait for the disk: it names the newest entry, written or not.
    HeadNotOnDisk,
    /// An act whose number was used before is taken.
    SeqUnchecked,
    /// The play chain is a hash of the position alone.
    PositionSigned,
    /// Of two sides the one with more entries goes on.
    WeightByMoves,
    /// Equal sides go back to where they parted.
    BackToFork,
    /// A device that provably signed twice counts like any other.
    DoubleSignerCounts,
    /// A live device follows a roll that leaves it out.
    LeftOutFollows,
    /// A promise is kept in memory only.
    PromiseInMemory,
    /// A fresh device acknowledges entries.
    FreshAcks,
    /// A device answers two calls of one term.
    TwoAnswers,
    /// On a side everybody counts whom any roll of it ever named.
    EverybodyNamedCounts,
}

impl Bug {
    /// All of them.
    pub const ALL: [Bug; 19] = [
        Bug::SkippedPersist,
        Bug::StaleTerm,
        Bug::SignatureUnchecked,
        Bug::FinalOnOneDisk,
        Bug::CpuKeepsSeat,
        Bug::RollBeforeDisk,
        Bug::KeeperGoesOn,
        Bug::PromiseBroken,
        Bug::HeadNotOnDisk,
        Bug::SeqUnchecked,
        Bug::PositionSigned,
        Bug::WeightByMoves,
        Bug::BackToFork,
        Bug::DoubleSignerCounts,
        Bug::LeftOutFollows,
        Bug::PromiseInMemory,
        Bug::FreshAcks,
        Bug::TwoAnswers,
        Bug::EverybodyNamedCounts,
    ];
}

/// What a hostile device does, where the honest code has to be bent for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lie {
    /// A keeper that enters nobody's acts but its own.
    Withhold,
    /// A caller that leaves live devices' answers out of its roll.
    LeaveOut,
    /// A caller that puts its roll on another base than its answers give.
    WrongBase,
    /// A device that takes over absent seats at once, whatever the grace.
    NoGrace,
}

#[cfg(feature = "planted")]
mod switch {
    use std::cell::Cell;

    use super::{Bug, Lie};

    thread_local! {
        static BUG: Cell<Option<Bug>> = const { Cell::new(None) };
        static LIE: Cell<Option<Lie>> = const { Cell::new(None) };
    }

    /// Plants a bug into every table of this thread, until the next call.
    pub fn plant(bug: Option<Bug>) {
        BUG.set(bug);
    }

    /// The tables of this thread lie from now on, until the next call: for the time of one hostile device's input.
    pub fn set_lie(lie: Option<Lie>) {
        LIE.set(lie);
    }

    /// Whether this bug is planted.
    pub fn planted(bug: Bug) -> bool {
        BUG.get() == Some(bug)
    }

    /// Whether the device at work lies like this.
    pub fn lying(lie: Lie) -> bool {
        LIE.get() == Some(lie)
    }
}

#[cfg(feature = "planted")]
pub use switch::{lying, plant, planted, set_lie};

/// Whether this bug is planted: never, in a product.
#[cfg(not(feature = "planted"))]
pub const fn planted(_: Bug) -> bool {
    false
}

/// Whether the device at work lies like this: never, in a product.
#[cfg(not(feature = "planted"))]
pub const fn lying(_: Lie) -> bool {
    false
}
